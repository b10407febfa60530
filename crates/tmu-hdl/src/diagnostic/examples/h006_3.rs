use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Synchroniser;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    pub inputs: Vec<Net<In>>,
    on_a: Vec<Reg>,
    synchronisers: Vec<Synchroniser>,
    pub both: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        let synchronisers = vec![Synchroniser::new(1, 2), Synchroniser::new(1, 2)];
        Example {
            inputs: Net::array(2, 1),
            on_a: Reg::array(2, &a, 1),
            synchronisers,
            both: Net::bit(),
            a,
            b,
        }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        for (number, synchroniser) in self.synchronisers.iter().enumerate() {
            synchroniser.clocks.follow(&self.b);
            self.on_a[number].next = self.inputs[number].val();
            synchroniser.data_in.next = self.on_a[number].val();
        }
        // What was set at once may arrive a clock apart.
        let [first, second] = [0, 1].map(|number| self.synchronisers[number].data_out.val());
        self.both.next = first && second;
    }
}
