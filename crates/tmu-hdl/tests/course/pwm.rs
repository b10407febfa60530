use tmu_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Pwm {
    pub clocks: Clocks,
    pub duty: Net<In>,
    pub out: Net<Out>,
    phase: Reg,
    level: Reg,
}

impl Pwm {
    pub fn new(width: usize) -> Pwm {
        let clocks = Clocks::new();
        Pwm {
            duty: Net::new(width),
            out: Net::bit(),
            phase: Reg::with_reset(&clocks, width, 0),
            level: Reg::with_reset(&clocks, 1, 0),
            clocks,
        }
    }
}

/// High for `duty` clocks of every 2^width. From a register, so that the pin sees no glitch.
#[kernel]
impl Pwm {
    fn logic(&self) {
        self.phase.next = self.phase.val() + 1;
        self.level.next = self.phase.val() < self.duty.val();
        self.out.next = self.level.val();
    }
}
