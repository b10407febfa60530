use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Synchroniser;

#[derive(LogicBlock)]
pub struct Button {
    pub clocks: Clocks,
    pub button: Net<In>,
    pub down: Net<Out>,
    pub pressed: Net<Out>,
    synchroniser: Synchroniser,
    wait: Reg,
    stable: Reg,
    before: Reg,
    _quiet_clocks: u64,
}

impl Button {
    /// Believes a change when it has lasted for `quiet_clocks`.
    pub fn new(quiet_clocks: u64) -> Button {
        let clocks = Clocks::new();
        Button {
            // It belongs to no clock: only a synchroniser may take it.
            button: Net::bit().asynchronous(),
            down: Net::bit(),
            pressed: Net::bit(),
            synchroniser: Synchroniser::new(1, 2),
            wait: Reg::with_reset(&clocks, quiet_clocks.ilog2() as usize + 1, 0),
            stable: Reg::with_reset(&clocks, 1, 0),
            before: Reg::with_reset(&clocks, 1, 0),
            _quiet_clocks: quiet_clocks,
            clocks,
        }
    }
}

/// A button without bounces, and a pulse of one clock when it goes down.
#[kernel]
impl Button {
    fn logic(&self) {
        self.synchroniser.clocks.follow(&self.clocks);
        self.synchroniser.data_in.next = self.button.val();
        let (seen, stable) = (self.synchroniser.data_out.val(), self.stable.val());

        /// # Debouncer
        if seen == stable {
            self.wait.next = 0;
        } else if self.wait.val() == self._quiet_clocks {
            self.stable.next = seen;
            self.wait.next = 0;
        } else {
            self.wait.next = self.wait.val() + 1;
        }

        /// # Edge detector
        self.before.next = stable;
        self.pressed.next = stable && !self.before.val();
        self.down.next = stable;
    }
}
