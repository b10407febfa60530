use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    seen: Reg,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        Example { seen: Reg::new(&b, 1), out: Net::bit(), a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // A clock is no data: it changes while `b` looks.
        self.seen.next = self.a.clk.val();
        self.out.next = self.seen.val();
    }
}
