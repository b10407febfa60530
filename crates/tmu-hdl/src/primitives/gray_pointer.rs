//! A pointer in gray code, for a FIFO between two clocks.

use crate::prelude::*;
use crate::value::Value;

/// A pointer into the memory of an asynchronous FIFO, in gray code, which may cross to another clock.
///
/// The pointer after the next step stands ready in a register too, so that nothing that looks ahead waits for
/// an adder. Latency 1, II 1. Costs 4 × pointer bits - 1 flip-flops.
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
    /// The pointer in gray code, one bit wider than the address: the laps through the memory differ.
    pub pointer: Net<Out>,
    /// The pointer after the next step.
    pub stepped: Net<Out>,
    word: Reg,
    now: Reg,
    next: Reg,
    /// The count behind `next`, not coded.
    next_count: Reg,
}

impl GrayPointer {
    /// A pointer into a memory of 2^`address_bits` words, at least 4.
    #[track_caller]
    pub fn new(address_bits: usize) -> GrayPointer {
        assert!(address_bits >= 2, "a gray pointer addresses at least 4 words");
        let clocks = Clocks::without_reset();
        let pointer_bits = address_bits + 1;
        let one = Value::from_u128(pointer_bits, 1);
        GrayPointer {
            step: Net::bit(),
            clear: Net::bit(),
            address: Net::new(address_bits),
            pointer: Net::new(pointer_bits),
            stepped: Net::new(pointer_bits),
            word: Reg::new(&clocks, address_bits),
            now: Reg::new(&clocks, pointer_bits),
            next: Reg::new(&clocks, pointer_bits).init(one),
            next_count: Reg::new(&clocks, pointer_bits).init(one),
            clocks,
        }
    }
}

/// A pointer in gray code, and the pointer after the next step.
#[kernel]
impl GrayPointer {
    fn module_name(&self) -> String {
        format!("gray_pointer_{}", self.now.width())
    }

    fn logic(&self) {
        timing(1, 1);
        let count_after = self.next_count.val() + 1;
        if self.clear.val() {
            self.word.next = 0;
            self.now.next = 0;
            self.next.next = 1;
            self.next_count.next = 1;
        } else if self.step.val() {
            self.word.next = self.next_count.val().low(self.word.width());
            self.now.next = self.next.val();
            self.next.next = count_after ^ (count_after >> 1);
            self.next_count.next = count_after;
        }
        self.address.next = self.word.val();
        self.pointer.next = self.now.val();
        self.stepped.next = self.next.val();
    }
}
