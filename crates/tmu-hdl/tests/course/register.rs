use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Register {
    pub clocks: Clocks,
    pub load: Net<In>,
    pub data: Net<In>,
    pub out: Net<Out>,
    value: Reg,
}

impl Register {
    pub fn new(width: usize) -> Register {
        let clocks = Clocks::new();
        Register {
            load: Net::bit(),
            data: Net::new(width),
            out: Net::new(width),
            value: Reg::with_reset(&clocks, width, 0),
            clocks,
        }
    }
}

/// Keeps a word until another one is loaded.
#[kernel]
impl Register {
    fn logic(&self) {
        // Where a register is not driven it keeps its value: this `if` is a clock enable.
        if self.load.val() {
            self.value.next = self.data.val();
        }
        self.out.next = self.value.val();
    }
}
