//! Kernels that mean nothing in hardware, each with the exact message that it gets.

use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::testing::refusals;
use std::sync::{Arc, Mutex};

/// A block with one kernel, chosen by a function.
#[derive(LogicBlock)]
struct Kernel {
    a: Net<In>,
    b: Net<In>,
    bit: Net<In>,
    out: Net<Out>,
    _kernel: fn(&Kernel) -> Bits,
}

#[kernel]
impl Kernel {
    fn logic(&self) {
        self.out.next = (self._kernel)(self);
    }
}

fn refused(kernel: fn(&Kernel) -> Bits) -> String {
    let (a, b, bit, out) = (Net::new(8), Net::new(5), Net::bit(), Net::new(8));
    refusals("top", &Kernel { a, b, bit, out, _kernel: kernel })
}

/// Kernels, each with what it is told; `NETS` stands for the line that makes their nets.
type Table = [(fn(&Kernel) -> Bits, &'static str)];

fn check(table: &Table) {
    for (kernel, expected) in table {
        assert_eq!(refused(*kernel), expected.replace("NETS", NETS));
    }
}

const NETS: &str = "let (a, b, bit, out) = (Net::new(8), Net::new(5), Net::bit(), Net::new(8));";

#[kernel]
fn adds_two_widths(k: &Kernel) -> Bits {
    let half = k.b.val() ^ 3;
    k.a.val() + half
}

#[kernel]
fn slices_past_the_top(k: &Kernel) -> Bits {
    k.a.val().slice(2, 8)
}

#[kernel]
fn extends_downwards(k: &Kernel) -> Bits {
    k.a.val().sign_extend(7)
}

#[kernel]
fn compares_with_a_number_that_does_not_fit(k: &Kernel) -> Bits {
    (k.b.val() == 32).repeat(8)
}

#[kernel]
fn takes_both_of_wide_values(k: &Kernel) -> Bits {
    (k.a.val() && k.bit.val()).repeat(8)
}

#[kernel]
fn grows_past_the_limit(k: &Kernel) -> Bits {
    k.a.val().repeat(200).low(8)
}

#[kernel]
fn joins_nothing(k: &Kernel) -> Bits {
    let none: [Bits; 0] = [];
    k.a.val() & cat(&none)
}

#[kernel]
fn drives_a_narrow_value(k: &Kernel) -> Bits {
    k.b.val()
}

#[test]
fn widths_are_named_with_both_sides_and_their_places() {
    check(&[
        (
            adds_two_widths,
            "\
error[H001]: operands of `+` are 8 and 5 bits wide
  in top
  written: k.a.val() + half
  operand 0, `a`, 8 bits: NETS
  operand 1, `half`, 5 bits: let half = k.b.val() ^ 3;
  help: make both of one width: zero_extend, sign_extend, slice or low",
        ),
        (
            slices_past_the_top,
            "\
error[H001]: bits 2 to 9 of a value of 8 bits
  in top
  written: k.a.val().slice(2, 8)
  operand 0, `a`, 8 bits: NETS
  help: slice inside the value",
        ),
        (
            extends_downwards,
            "\
error[H001]: `sign_extend` to 7 bits of a value of 8 bits
  in top
  written: k.a.val().sign_extend(7)
  operand 0, `a`, 8 bits: NETS
  help: cut with low() or slice()",
        ),
        (
            compares_with_a_number_that_does_not_fit,
            "\
error[H001]: the constant 32 does not fit 5 bits
  in top
  constant: (k.b.val() == 32).repeat(8)
  help: make the constant smaller or the width larger (1 to 1024 bits)",
        ),
        (
            takes_both_of_wide_values,
            "\
error[H001]: `&&` takes one bit here, not 8
  in top
  written: (k.a.val() && k.bit.val()).repeat(8)
  operand 0, `a`, 8 bits: NETS
  operand 1, `bit`, 1 bit: NETS
  help: compare with a number, or reduce with any() or all()",
        ),
        (
            grows_past_the_limit,
            "\
error[H001]: the result of `repeat` is not 1 to 1024 bits wide
  in top
  written: k.a.val().repeat(200).low(8)
  operand 0, `a`, 8 bits: NETS
  help: split the value, or take at least one bit",
        ),
        (
            joins_nothing,
            "\
error[H001]: a concatenation of nothing has no width
  in top
  cat: k.a.val() & cat(&none)
  help: concatenate at least one value",
        ),
        (
            drives_a_narrow_value,
            "\
error[H001]: `out` of 8 bits is driven with a value of 5 bits
  in top
  driven: self.out.next = (self._kernel)(self);
  target, 8 bits: NETS
  value, `b`, 5 bits: NETS
  help: extend or cut the value explicitly, or change the net",
        ),
    ]);
}

#[kernel]
fn branches_on_a_wide_value(k: &Kernel) -> Bits {
    if k.a.val() { k.a.val() } else { !k.a.val() }
}

#[kernel]
fn asks_for_a_number(k: &Kernel) -> Bits {
    lit(8, k.b.val().to_u64())
}

#[kernel]
fn assigns_a_variable(k: &Kernel) -> Bits {
    let mut result = k.a.val();
    if k.bit.val() {
        result = !result;
    }
    result
}

#[kernel]
fn changes_a_list(k: &Kernel) -> Bits {
    let mut list = vec![k.a.val()];
    if k.bit.val() {
        list.push(!k.a.val());
    }
    list[list.len() - 1]
}

#[kernel]
fn lends_a_variable(k: &Kernel) -> Bits {
    let mut result = k.a.val();
    if k.bit.val() {
        #[allow(clippy::swap_with_temporary)]
        std::mem::swap(&mut result, &mut !k.a.val());
    }
    result
}

#[kernel]
fn returns_from_a_branch(k: &Kernel) -> Bits {
    if k.bit.val() {
        return !k.a.val();
    }
    k.a.val()
}

#[kernel]
fn breaks_out_of_the_other_side(k: &Kernel) -> Bits {
    let mut sum = k.a.val();
    for i in 0..3 {
        if k.a.val().bit(i) {
            /// Goes on.
            discard(sum, "nothing to do");
        } else {
            break;
        }
        sum = sum + 1;
    }
    sum
}

#[test]
fn what_only_software_can_do_is_refused() {
    check(&[
        (
            branches_on_a_wide_value,
            "\
error[H001]: a condition is one bit, not 8
  in top
  written: if k.a.val() { k.a.val() } else { !k.a.val() }
  condition, `a`, 8 bits: NETS
  help: compare with a number, or reduce with any() or all()",
        ),
        (
            asks_for_a_number,
            "\
error[H008]: a kernel asked for the number of a signal, which only simulation knows
  in top
  asked: lit(8, k.b.val().to_u64())
  help: compute with Bits; `if` on a Bits condition becomes hardware",
        ),
        (
            assigns_a_variable,
            "\
error[H008]: the variable `result` changes under a condition that only hardware knows
  in top
  changed: result = !result;
  if: if k.bit.val() {
  seen: self.out.next = (self._kernel)(self);
  help: write `name = if condition { … } else { name };`, or drive a net",
        ),
        (
            changes_a_list,
            "\
error[H008]: a Rust value changes under a condition that only hardware knows, and `out` depends on it
  in top
  if: if k.bit.val() {
  seen: self.out.next = (self._kernel)(self);
  help: write `name = if condition { … } else { name };`, or drive a net",
        ),
        (
            lends_a_variable,
            "\
error[H008]: the variable `result` changes under a condition that only hardware knows
  in top
  changed: std::mem::swap(&mut result, &mut !k.a.val());
  if: if k.bit.val() {
  seen: self.out.next = (self._kernel)(self);
  help: write `name = if condition { … } else { name };`, or drive a net",
        ),
        (
            returns_from_a_branch,
            "\
error[H008]: a kernel leaves an `if` whose condition only hardware knows
  in top
  if: if k.bit.val() {
  help: take `return`, `break` and `continue` out of the `if`; both of its sides exist in hardware",
        ),
        (
            breaks_out_of_the_other_side,
            "\
error[H008]: a kernel leaves an `if` whose condition only hardware knows
  in top
  if: if k.a.val().bit(i) {
  help: take `return`, `break` and `continue` out of the `if`; both of its sides exist in hardware",
        ),
    ]);
}

/// Gives a value to its neighbour without a port.
#[derive(LogicBlock)]
struct Leak {
    data: Net<In>,
    out: Net<Out>,
    _shared: Arc<Mutex<Option<Bits>>>,
}

#[kernel]
impl Leak {
    fn logic(&self) {
        if let Ok(mut shared) = self._shared.lock() {
            let value = shared.unwrap_or(self.data.val());
            *shared = Some(self.data.val());
            self.out.next = !value;
        }
    }
}

#[derive(LogicBlock)]
struct TwoLeaks {
    data: Net<In>,
    out: Net<Out>,
    first: Leak,
    second: Leak,
}

#[kernel]
impl TwoLeaks {
    fn logic(&self) {
        self.first.data.next = self.data.val();
        self.second.data.next = self.first.out.val();
        self.out.next = self.second.out.val();
    }
}

#[test]
fn a_value_stays_in_its_block() {
    let shared = Arc::new(Mutex::new(None));
    let leak = || Leak { data: Net::bit(), out: Net::bit(), _shared: shared.clone() };
    let block = TwoLeaks { data: Net::bit(), out: Net::bit(), first: leak(), second: leak() };
    let refused = |block: &str| {
        format!(
            "\
error[H008]: a value from another block, or from another run of this kernel, is used here
  in top.{block}
  used: self.out.next = !value;
  help: pass the value through a port, or keep it in a register"
        )
    };
    let expected = [refused("first"), refused("second")].join("\n");
    assert_eq!(refusals("top", &block), expected);
}

/// Panics in the middle of its kernel, where it has broken a rule already.
#[kernel]
fn panics(k: &Kernel) -> Bits {
    let _ = k.a.val() + k.b.val();
    if k.bit.val() {
        panic!("a fault of the kernel");
    }
    k.a.val()
}

#[kernel]
fn passes(k: &Kernel) -> Bits {
    k.a.val()
}

#[test]
fn a_kernel_that_panics_leaves_nothing_behind() {
    let kernel = |kernel| {
        let (a, b, bit, out) = (Net::new(8), Net::new(5), Net::bit(), Net::new(8));
        Kernel { a, b, bit, out, _kernel: kernel }
    };
    let panicked = std::panic::catch_unwind(|| elaborate("top", &kernel(panics)).is_ok());
    assert!(panicked.is_err());
    assert!(!crate::is_recording());
    // The name of a port is all that is wrong with it; the widths were those of the kernel before.
    assert!(!refused(passes).contains("H001"));
}

#[derive(LogicBlock)]
struct Widths {
    none: Net<In>,
    many: Reg,
    out: Net<Out>,
    clocks: Clocks,
}

#[kernel]
impl Widths {
    fn logic(&self) {
        self.many.next = self.none.val().repeat(3);
        self.out.next = self.many.val().low(8) + self.none.val();
    }
}

#[test]
fn widths_that_no_net_has_are_told_with_the_path() {
    let clocks = Clocks::new();
    let none = Net::new(0);
    let many = Reg::with_reset(&clocks, 100_000, 1);
    let block = Widths { none, many, out: Net::new(8), clocks };
    let expected = "\
error[H001]: `none` would be 0 bits wide
  in top
  made: let none = Net::new(0);
  help: a net is 1 to 1024 bits wide; leave out what has no bits with `Optional`, split what is wider
error[H001]: `many` would be 100000 bits wide
  in top
  made: let many = Reg::with_reset(&clocks, 100_000, 1);
  help: a net is 1 to 1024 bits wide; leave out what has no bits with `Optional`, split what is wider";
    assert_eq!(refusals("top", &block), expected);
}
