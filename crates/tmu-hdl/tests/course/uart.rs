use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct UartTransmitter {
    pub clocks: Clocks,
    pub input: StreamIn,
    pub line: Net<Out>,
    frame: Reg,
    bits_left: Reg,
    phase: Reg,
    _clocks_a_bit: u64,
}

impl UartTransmitter {
    pub fn new(clocks_a_bit: u64) -> UartTransmitter {
        let clocks = Clocks::new();
        UartTransmitter {
            input: StreamIn::new(8),
            line: Net::bit(),
            frame: Reg::with_reset(&clocks, 10, 0x3ff),
            bits_left: Reg::with_reset(&clocks, 4, 0),
            phase: Reg::with_reset(&clocks, clocks_a_bit.ilog2() as usize + 1, 0),
            _clocks_a_bit: clocks_a_bit,
            clocks,
        }
    }
}

/// Sends bytes: a start bit, eight bits from the lowest up, a stop bit.
#[kernel]
impl UartTransmitter {
    fn logic(&self) {
        let idle = self.bits_left.val() == 0;
        /// # Handshake: a byte is taken on a clock on which `valid` and `ready` are both high
        self.input.ready.next = idle;
        if idle {
            if self.input.valid.val() {
                self.frame.next = cat(&[lit(1, 1u32), self.input.data.val(), lit(1, 0u32)]);
                self.bits_left.next = 10;
                self.phase.next = self._clocks_a_bit - 1;
            }
        } else if self.phase.val() == 0 {
            /// # The next bit
            self.frame.next = cat(&[lit(1, 1u32), self.frame.val().high(9)]);
            self.bits_left.next = self.bits_left.val() - 1;
            self.phase.next = self._clocks_a_bit - 1;
        } else {
            self.phase.next = self.phase.val() - 1;
        }
        self.line.next = self.frame.val().bit(0);
    }
}
