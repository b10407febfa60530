//! A pointer in gray code, for a FIFO between two clocks.

use crate::prelude::*;
use crate::value::Value;

/// Why the pointer may cross bit by bit.
const STEPS_BY_ONE_BIT: &str =
    "a gray code that steps by one; it is cleared only while the other side does not look";

/// A pointer into the memory of an asynchronous FIFO, in gray code, which may cross to another clock.
///
/// The pointer after the next step stands ready in a register too, so that nothing that looks ahead waits for
/// an adder. Latency 1, II 1. Costs 3 × pointer bits flip-flops.
#[derive(Debug, LogicBlock)]
pub struct GrayPointer {
    /// The clock.
    pub clocks: Clocks,
    /// High to step at the next edge.
    pub step: Net<In>,
    /// High to go back to zero at the next edge.
    pub clear: Net<In>,
    /// The word of the memory.
    pub address: Net<Out>,
    /// The pointer as a number, where it is asked for.
    pub count: Optional<Net<Out>>,
    /// The pointer in gray code, one bit wider than the address: the laps through the memory differ.
    pub pointer: Net<Out>,
    /// The pointer after the next step.
    pub stepped: Net<Out>,
    number: Reg,
    now: Reg,
    next: Reg,
}

impl GrayPointer {
    /// A pointer into a memory of 2^`address_bits` words, at least 4.
    #[track_caller]
    pub fn new(address_bits: usize, with_count: bool) -> GrayPointer {
        assert!(address_bits >= 2, "a gray pointer addresses at least 4 words");
        let clocks = Clocks::without_reset();
        let pointer_bits = address_bits + 1;
        let one = Value::from_u128(pointer_bits, 1);
        GrayPointer {
            step: Net::bit(),
            clear: Net::bit(),
            address: Net::new(address_bits),
            count: Optional::new(with_count, || Net::new(pointer_bits)),
            pointer: Net::new(pointer_bits),
            stepped: Net::new(pointer_bits),
            number: Reg::new(&clocks, pointer_bits),
            now: Reg::new(&clocks, pointer_bits).one_bit_at_a_time(STEPS_BY_ONE_BIT),
            next: Reg::new(&clocks, pointer_bits).init(one),
            clocks,
        }
    }
}

/// The gray code of a number: neighbours differ in one bit.
#[kernel]
fn gray(number: Bits) -> Bits {
    number ^ (number >> 1)
}

/// Bits of a gray code whose parity is found in one clock: tools make a chain of longer parities.
const PARITY_BITS: usize = 4;

/// Half way to the number behind a gray code, whose bits are each the parity of all from it upwards: the parity of a few of them.
#[kernel]
pub(super) fn half_number_of(gray: Bits) -> Bits {
    let parity = |bit: usize| gray.slice(bit, PARITY_BITS.min(gray.width() - bit)).parity();
    cat(&(0..gray.width()).rev().map(parity).collect::<Vec<_>>())
}

/// The number, from half way.
#[kernel]
pub(super) fn number_of_half(half: Bits) -> Bits {
    let parity = |bit: usize| {
        let parts = (bit..half.width()).step_by(PARITY_BITS).map(|part| half.bit(part));
        cat(&parts.collect::<Vec<_>>()).parity()
    };
    cat(&(0..half.width()).rev().map(parity).collect::<Vec<_>>())
}

/// A pointer in gray code, and the pointer after the next step.
#[kernel]
impl GrayPointer {
    fn module_name(&self) -> String {
        let count = if self.count.is_some() { "_with_count" } else { "" };
        format!("gray_pointer_{}{count}", self.now.width())
    }

    fn logic(&self) {
        timing(1, 1);
        let number = self.number.val();
        if self.clear.val() {
            self.number.next = 0;
            self.now.next = 0;
            self.next.next = 1;
        } else if self.step.val() {
            self.number.next = number + 1;
            self.now.next = self.next.val();
            self.next.next = gray(number + 2);
        }
        self.address.next = number.low(self.address.width());
        self.pointer.next = self.now.val();
        self.stepped.next = self.next.val();
        if let Some(count) = &*self.count {
            count.next = number;
        }
    }
}
