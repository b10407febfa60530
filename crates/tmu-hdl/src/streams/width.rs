//! Streams of wider and narrower items.

use crate::prelude::*;

/// Bits that number `count` items.
fn number_bits(count: usize) -> usize {
    (count.next_power_of_two().ilog2() as usize).max(1)
}

/// Several items become one, the first one lowest. It is offered with the last of them; the others wait in registers.
#[derive(Debug, LogicBlock)]
pub struct Widen {
    /// The clock.
    pub clocks: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where they leave together.
    pub output: StreamOut,
    number: Reg,
    kept: Vec<Reg>,
}

impl Widen {
    /// `count` items of `width` bits, at least two, become one.
    #[track_caller]
    pub fn new(count: usize, width: usize) -> Widen {
        assert!(count >= 2, "{count} items are not put together");
        let clocks = Clocks::new();
        Widen {
            input: StreamIn::new(width),
            output: StreamOut::new(count * width),
            number: Reg::with_reset(&clocks, number_bits(count), 0),
            kept: Reg::array(count - 1, &clocks, width),
            clocks,
        }
    }
}

/// Several items become one.
#[kernel]
impl Widen {
    fn logic(&self) {
        timing(0, self.kept.len() as u32 + 1);
        let number = self.number.val();
        let is_last = number == self.kept.len() as u64;
        let ready = !is_last || self.output.ready.val();
        self.input.ready.next = ready;
        self.output.valid.next = is_last && self.input.valid.val();
        let parts = self.kept.iter().map(|kept| kept.val()).chain([self.input.data.val()]);
        self.output.data.next = stack(parts);
        for (place, kept) in self.kept.iter().enumerate() {
            if self.input.valid.val() && number == place as u64 {
                kept.next = self.input.data.val();
            }
        }
        if self.input.valid.val() && ready {
            self.number.next = if is_last { lit(number.width(), 0u32) } else { number + 1 };
        }
    }
}

/// One item becomes several, its lowest bits first. It is taken with the last of them.
#[derive(Debug, LogicBlock)]
pub struct Narrow {
    /// The clock.
    pub clocks: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where their parts leave.
    pub output: StreamOut,
    number: Reg,
    _count: usize,
}

impl Narrow {
    /// An item becomes `count` items of `width` bits, at least two.
    #[track_caller]
    pub fn new(count: usize, width: usize) -> Narrow {
        assert!(count >= 2, "an item is not taken apart into {count}");
        let clocks = Clocks::new();
        Narrow {
            input: StreamIn::new(count * width),
            output: StreamOut::new(width),
            number: Reg::with_reset(&clocks, number_bits(count), 0),
            clocks,
            _count: count,
        }
    }
}

/// One item becomes several.
#[kernel]
impl Narrow {
    fn logic(&self) {
        timing(0, self._count as u32);
        let number = self.number.val();
        let is_last = number == self._count as u64 - 1;
        let width = self.output.data.width();
        let own = |place: usize| {
            let is_own = (number == place as u64).repeat(width);
            self.input.data.val().slice(place * width, width) & is_own
        };
        self.output.valid.next = self.input.valid.val();
        self.output.data.next = (0..self._count).map(own).fold(lit(width, 0u32), |any, own| any | own);
        self.input.ready.next = is_last && self.output.ready.val();
        if self.input.valid.val() && self.output.ready.val() {
            self.number.next = if is_last { lit(number.width(), 0u32) } else { number + 1 };
        }
    }
}
