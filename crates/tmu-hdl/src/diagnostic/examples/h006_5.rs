use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Synchroniser;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    pub inputs: Vec<Net<In>>,
    on_a: Vec<Reg>,
    synchroniser: Synchroniser,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        let synchroniser = Synchroniser::new(1, 2);
        Example { inputs: Net::array(2, 1), on_a: Reg::array(2, &a, 1), synchroniser, out: Net::bit(), a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        self.synchroniser.clocks.follow(&self.b);
        self.on_a[0].next = self.inputs[0].val();
        self.on_a[1].next = self.inputs[1].val();
        // While one rises and the other falls, the gate may show a pulse.
        self.synchroniser.data_in.next = self.on_a[0].val() && self.on_a[1].val();
        self.out.next = self.synchroniser.data_out.val();
    }
}
