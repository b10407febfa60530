use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub enable: Net<In>,
    pub data: Net<In>,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { enable: Net::bit(), data: Net::new(8), out: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // Nothing reads `enable`.
        self.out.next = self.data.val();
    }
}
