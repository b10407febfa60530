use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Lfsr {
    pub clocks: Clocks,
    pub enable: Net<In>,
    pub noise: Net<Out>,
    bits: Reg,
}

impl Lfsr {
    pub fn new() -> Lfsr {
        let clocks = Clocks::new();
        Lfsr { enable: Net::bit(), noise: Net::new(16), bits: Reg::with_reset(&clocks, 16, 1), clocks }
    }
}

/// A shift register that feeds back: it goes through 65535 numbers before one comes again.
#[kernel]
impl Lfsr {
    fn logic(&self) {
        let bits = self.bits.val();
        let feedback = bits.bit(0) ^ bits.bit(2) ^ bits.bit(3) ^ bits.bit(5);
        if self.enable.val() {
            self.bits.next = cat(&[feedback, bits.high(15)]);
        }
        self.noise.next = bits;
    }
}
