use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub step: Net<In>,
    pub count: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { step: Net::new(8), count: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // The sum depends on itself, within the same clock.
        self.count.next = self.count.val() + self.step.val();
    }
}
