use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    // A keyword of SystemVerilog.
    pub priority: Net<In>,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { priority: Net::bit(), out: Net::bit() }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        self.out.next = !self.priority.val();
    }
}
