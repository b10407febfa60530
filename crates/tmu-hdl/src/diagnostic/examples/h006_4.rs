use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Synchroniser;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    count: Reg,
    synchroniser: Synchroniser,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        Example { count: Reg::new(&a, 4), synchroniser: Synchroniser::new(4, 2), out: Net::new(4), a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        self.synchroniser.clocks.follow(&self.b);
        self.count.next = self.count.val() + 1;
        // From 7 to 8 all four bits change: any number may arrive.
        self.synchroniser.data_in.next = self.count.val();
        self.out.next = self.synchroniser.data_out.val();
    }
}
