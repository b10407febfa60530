use tmu_hdl::prelude::*;

/// A flag that reset clears.
#[derive(LogicBlock)]
pub struct Flag {
    clocks: Clocks,
    set: Net<In>,
    out: Net<Out>,
    held: Reg,
}

#[kernel]
impl Flag {
    fn logic(&self) {
        if self.set.val() {
            self.held.next = 1;
        }
        self.out.next = self.held.val();
    }
}

#[derive(LogicBlock)]
pub struct Example {
    a: Clocks,
    b: Clocks,
    pub set: Net<In>,
    pub out: Net<Out>,
    flag: Flag,
}

impl Example {
    pub fn new() -> Example {
        let (a, b, clocks) = (Clocks::named("a"), Clocks::named_without_reset("b"), Clocks::new());
        let held = Reg::with_reset(&clocks, 1, 0);
        let flag = Flag { set: Net::bit(), out: Net::bit(), held, clocks };
        Example { set: Net::bit(), out: Net::bit(), flag, a, b }
    }
}

#[kernel]
impl Example {
    fn logic(&self) {
        // The flag is on clock `b`, and the reset of clock `a` ends whenever it likes.
        self.flag.clocks.follow_with(self.b.clk.val(), self.a.reset());
        self.flag.set.next = self.set.val();
        self.out.next = self.flag.out.val();
    }
}
