use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    pub button: Net<In>,
    on_a: Reg,
    on_b: Reg,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        Example { button: Net::bit(), on_a: Reg::new(&a, 1), on_b: Reg::new(&b, 1), out: Net::new(2), a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // The two may not see the same.
        self.on_a.next = self.button.val();
        self.on_b.next = self.button.val();
        self.out.next = cat(&[self.on_a.val(), self.on_b.val()]);
    }
}
