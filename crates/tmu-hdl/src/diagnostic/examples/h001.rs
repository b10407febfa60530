use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub a: Net<In>,
    pub b: Net<In>,
    pub sum: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { a: Net::new(8), b: Net::new(8), sum: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // With its carry the sum has 9 bits.
        self.sum.next = self.a.val().add_wide(self.b.val());
    }
}
