use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    count: Reg,
    seen: Reg,
    pub out: Net<Out>,
}

impl Example {
    pub fn new() -> Example {
        let (a, b) = (Clocks::named_without_reset("a"), Clocks::named_without_reset("b"));
        Example { count: Reg::new(&a, 8), seen: Reg::new(&b, 8), out: Net::new(8), a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        self.count.next = self.count.val() + 1;
        // `count` changes with clock `a`, `seen` looks with clock `b`.
        self.seen.next = self.count.val();
        self.out.next = self.seen.val();
    }
}
