use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Decoder {
    pub enable: Net<In>,
    pub select: Net<In>,
    pub lines: Net<Out>,
}

impl Decoder {
    pub fn new(select_bits: usize) -> Decoder {
        Decoder { enable: Net::bit(), select: Net::new(select_bits), lines: Net::new(1 << select_bits) }
    }
}

/// Raises the line with the number `select`.
#[kernel]
impl Decoder {
    fn logic(&self) {
        let count = self.lines.width() as u64;
        // `cat` takes the most significant bit first.
        let lines: Vec<Bits> =
            (0..count).rev().map(|i| self.enable.val() && self.select.val() == i).collect();
        self.lines.next = cat(&lines);
    }
}
