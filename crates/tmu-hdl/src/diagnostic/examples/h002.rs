use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub data: Net<In>,
    pub out: Net<Out>,
    inverted: Net<Local>,
}

impl Example {
    pub fn new() -> Example {
        Example { data: Net::new(8), out: Net::new(8), inverted: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // Nothing drives `inverted`.
        self.out.next = self.data.val() & self.inverted.val();
    }
}
