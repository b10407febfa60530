use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub clocks: Clocks,
    pub data: Net<In>,
    pub out: Net<Out>,
    before: Reg,
}

impl Example {
    pub fn new() -> Example {
        let clocks = Clocks::without_reset();
        Example { data: Net::new(8), out: Net::new(8), before: Reg::new(&clocks, 8), clocks }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // Nothing reads `before`.
        self.before.next = self.data.val();
        self.out.next = self.data.val();
    }
}
