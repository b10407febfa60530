//! Data that passes between clocks: refused wherever it passes, unless a primitive declares the crossing.

use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
use crate::testing::refusals;

/// A register behind an enable, as a sub-block.
#[derive(LogicBlock)]
struct Stage {
    clocks: Clocks,
    enable: Net<In>,
    data: Net<In>,
    out: Net<Out>,
    held: Reg,
}

impl Stage {
    fn new() -> Stage {
        let clocks = Clocks::new();
        let held = Reg::with_reset(&clocks, 4, 0);
        let held = held.one_bit_at_a_time("the tests look at where it goes, not at what it is");
        Stage { enable: Net::bit(), data: Net::new(4), out: Net::new(4), held, clocks }
    }
}

#[kernel]
impl Stage {
    fn logic(&self) {
        if self.enable.val() {
            self.held.next = self.data.val();
        }
        self.out.next = self.held.val();
    }
}

/// A stand-in for a synchroniser.
#[derive(LogicBlock)]
struct Cross {
    clk: Net<In>,
    data: Net<In>,
    out: Net<Out>,
    /// Whether the data input is captured like any other.
    _captures: bool,
}

impl Cross {
    fn new(captures: bool) -> Cross {
        Cross { clk: Net::bit(), data: Net::new(4), out: Net::new(4), _captures: captures }
    }
}

impl Logic for Cross {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        let mut clocked = vec![("out", "clk")];
        clocked.extend(self._captures.then_some(("data", "clk")));
        let crossing = Crossing {
            kind: CrossingKind::Synchroniser,
            from: "data",
            to_clock: "clk",
            first_register: "first",
            width: 4,
        };
        describe(Primitive {
            module: "cross".into(),
            clocked,
            crossing: (!self._captures).then_some(crossing),
            ..Primitive::default()
        });
        Verilog::Empty
    }
}

/// What passes from clock `a` to clock `b`.
#[derive(Clone, Copy, PartialEq)]
enum Passes {
    Nothing,
    Data,
    Condition,
    Reset,
    TopReset,
    ThroughPrimitive,
    IntoPrimitive,
}

#[derive(LogicBlock)]
struct Pair {
    a: Clocks,
    b: Clocks,
    from: Stage,
    to: Stage,
    cross: Cross,
    out: Net<Out>,
    _passes: Passes,
}

impl Pair {
    fn new(passes: Passes) -> Pair {
        let (a, b) = (Clocks::named("a"), Clocks::named("b"));
        let cross = Cross::new(passes == Passes::IntoPrimitive);
        Pair { a, b, from: Stage::new(), to: Stage::new(), cross, out: Net::new(4), _passes: passes }
    }
}

#[kernel]
impl Pair {
    fn logic(&self) {
        let passes = |what: Passes| what as u8 == self._passes as u8;
        self.from.clocks.follow(&self.a);
        self.from.enable.next = 1;
        self.from.data.next = self.to.width_of_data();
        let early = self.from.out.val();
        self.to.clocks.clk.next = self.b.clk.val();
        let reset = self.b.rst.as_ref().map_or(lit(1, 0u32), |rst| rst.val());
        let a_reset = self.a.rst.as_ref().map_or(lit(1, 0u32), |rst| rst.val());
        let reset = if passes(Passes::Reset) { early.bit(0) } else { reset };
        let reset = if passes(Passes::TopReset) { a_reset } else { reset };
        self.to.clocks.rst.as_ref().into_iter().for_each(|rst| rst.drive(reset));
        self.cross.clk.next = self.b.clk.val();
        self.cross.data.next = early;
        self.to.enable.next = if passes(Passes::Condition) { early.bit(1) } else { lit(1, 1u32) };
        self.to.data.next = if passes(Passes::Data) {
            !early
        } else if passes(Passes::ThroughPrimitive) || passes(Passes::IntoPrimitive) {
            self.cross.out.val()
        } else {
            lit(4, 3u32)
        };
        self.out.next = self.to.out.val();
    }
}

impl Stage {
    fn width_of_data(&self) -> Bits {
        lit(self.data.width(), 5u32)
    }
}

#[test]
fn data_conditions_and_resets_of_another_clock_are_refused_wherever_they_pass() {
    let into_register = "\
error[H006]: `top.to.held` on clock top.b_clk takes data of `top.from.held` on clock top.a_clk
  in top.to
  from `held`: let held = Reg::with_reset(&clocks, 4, 0);
  to `held`: let held = Reg::with_reset(&clocks, 4, 0);
  help: cross with a synchroniser or an asynchronous FIFO";
    let into_primitive = "\
error[H006]: `top.cross.data` on clock top.b_clk takes data of `top.from.held` on clock top.a_clk
  in top.cross
  from `held`: let held = Reg::with_reset(&clocks, 4, 0);
  to `data`: Cross { clk: Net::bit(), data: Net::new(4), out: Net::new(4), _captures: captures }
  help: cross with a synchroniser or an asynchronous FIFO";
    let reset = "\
error[H006.2]: `top.to.held` on clock top.b_clk is reset by `top.from.held` on clock top.a_clk
  in top.to
  from `held`: let held = Reg::with_reset(&clocks, 4, 0);
  to `held`: let held = Reg::with_reset(&clocks, 4, 0);
  help: bring the reset over with a ResetSynchroniser";
    let top_reset = "\
error[H006.2]: `top.to.held` on clock top.b_clk is reset by `top.a_rst` on clock top.a_clk
  in top.to
  from `a_rst`: let (a, b) = (Clocks::named(\"a\"), Clocks::named(\"b\"));
  to `held`: let held = Reg::with_reset(&clocks, 4, 0);
  help: bring the reset over with a ResetSynchroniser";
    let table = [
        (Passes::Data, into_register),
        (Passes::Condition, into_register),
        (Passes::Reset, reset),
        (Passes::TopReset, top_reset),
        (Passes::IntoPrimitive, into_primitive),
    ];
    for (passes, expected) in table {
        assert_eq!(refusals("top", &Pair::new(passes)), expected);
    }
}

#[test]
fn a_declared_crossing_and_unrelated_clocks_pass() {
    for passes in [Passes::Nothing, Passes::ThroughPrimitive] {
        elaborate("top", &Pair::new(passes)).unwrap();
    }
}

/// A clock that is made from another is another clock.
#[derive(LogicBlock)]
struct Gated {
    clocks: Clocks,
    gate: Net<In>,
    from: Stage,
    to: Stage,
    out: Net<Out>,
}

#[kernel]
impl Gated {
    fn logic(&self) {
        self.from.clocks.follow(&self.clocks);
        self.from.enable.next = 1;
        self.from.data.next = 1;
        let gated = self.clocks.clk.val() & self.gate.val();
        self.to.clocks.follow_with(gated, lit(1, 0u32));
        self.to.enable.next = 1;
        self.to.data.next = self.from.out.val();
        self.out.next = self.to.out.val();
    }
}

#[test]
fn a_gated_clock_is_a_clock_of_its_own() {
    let block = Gated {
        clocks: Clocks::new(),
        gate: Net::bit(),
        from: Stage::new(),
        to: Stage::new(),
        out: Net::new(4),
    };
    let found = refusals("top", &block);
    let first = found.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "error[H006]: `top.to.held` on clock top.to.clk takes data of `top.from.held` on clock top.clk"
    );
}
