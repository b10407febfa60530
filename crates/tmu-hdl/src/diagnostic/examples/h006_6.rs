use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Synchroniser;

#[derive(LogicBlock)]
pub struct Example {
    b: Clocks,
    pub data: Net<In>,
    held: Reg,
    synchroniser: Synchroniser,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (b, synchroniser) = (Clocks::named_without_reset("b"), Synchroniser::new(1, 2));
        Example { data: Net::bit(), held: Reg::new(&b, 1), synchroniser, out: Net::bit(), b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        self.synchroniser.clocks.follow(&self.b);
        self.held.next = self.data.val();
        // `held` is on the clock of the synchroniser already.
        self.synchroniser.data_in.next = self.held.val();
        self.out.next = self.synchroniser.data_out.val();
    }
}
