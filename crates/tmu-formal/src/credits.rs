//! A block that carries its properties in its kernel, for the proof that the provers read them.

use tmu_hdl::prelude::*;

/// Credits of a sender: each item spends one, and the receiver gives it back.
#[derive(LogicBlock)]
pub(crate) struct Credits {
    clocks: Clocks,
    /// High to send an item.
    spend: Net<In>,
    /// High where the receiver gives a credit back.
    earn: Net<In>,
    /// High while an item may be sent.
    may_spend: Net<Out>,
    count: Reg,
    _all: u64,
}

impl Credits {
    /// A sender that starts with so many credits.
    pub(crate) fn new(all: usize) -> Credits {
        let clocks = Clocks::new();
        let width = all.ilog2() as usize + 1;
        Credits {
            spend: Net::bit(),
            earn: Net::bit(),
            may_spend: Net::bit(),
            count: Reg::with_reset(&clocks, width, all as u128),
            clocks,
            _all: all as u64,
        }
    }
}

/// Counts credits.
#[kernel]
impl Credits {
    fn logic(&self) {
        let count = self.count.val();
        let spent = self.spend.val() && count != 0;
        if spent && !self.earn.val() {
            self.count.next = count - 1;
        } else if self.earn.val() && !spent {
            self.count.next = count + 1;
        }
        self.may_spend.next = count != 0;

        if self.earn.val() {
            assume(count != self._all, "only what was spent comes back");
        }
        assert(count <= self._all, "never more credits than there are");
        cover(count == 0, "all credits are spent");
    }
}
