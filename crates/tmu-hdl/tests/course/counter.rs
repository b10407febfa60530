use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Counter {
    pub clocks: Clocks,
    pub enable: Net<In>,
    pub down: Net<In>,
    pub count: Net<Out>,
    number: Reg,
    // A field that begins with `_` is not hardware.
    _last: u64,
}

impl Counter {
    /// Counts from 0 to `last` and round again.
    pub fn new(last: u64) -> Counter {
        let clocks = Clocks::new();
        let width = last.ilog2() as usize + 1;
        Counter {
            enable: Net::bit(),
            down: Net::bit(),
            count: Net::new(width),
            number: Reg::with_reset(&clocks, width, 0),
            _last: last,
            clocks,
        }
    }
}

/// Counts up or down.
#[kernel]
impl Counter {
    fn logic(&self) {
        let number = self.number.val();
        if self.enable.val() {
            if self.down.val() {
                self.number.next = if number == 0 { lit(number.width(), self._last) } else { number - 1 };
            } else {
                self.number.next = if number == self._last { lit(number.width(), 0u32) } else { number + 1 };
            }
        }
        self.count.next = number;
    }
}
