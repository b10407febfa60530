use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    pub load: Net<In>,
    pub data: Net<In>,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        Example { load: Net::bit(), data: Net::new(8), out: Net::new(8) }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // Where `load` is low, nothing says what `out` is.
        if self.load.val() {
            self.out.next = self.data.val();
        }
    }
}
