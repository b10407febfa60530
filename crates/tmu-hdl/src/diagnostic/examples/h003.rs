use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub a: Net<In>,
    pub b: Net<In>,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { a: Net::new(8), b: Net::new(8), out: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // Both always, so that the first would say nothing.
        self.out.next = self.a.val();
        self.out.next = self.b.val();
    }
}
