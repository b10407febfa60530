//! Answers of memory of the wrong length, as texture units meet them.

use crate::kit::memory::LengthFault;
use tmu_spec::Config;
use tmu_spec::config::{AxiClock, CacheKind};

/// Whether the hardware of a configuration can meet an answer of the wrong length. Single beats cannot be too short. Behind a
/// second RLAST nothing tells the hardware that a whole answer is still to come but that it comes soon; where the memory port has
/// a clock of its own that may be a slow one, and nothing is soon.
pub(crate) fn can_meet(fault: LengthFault, config: &Config) -> bool {
    let has_bursts = config.cache().kind() == CacheKind::Prefetch;
    match fault {
        LengthFault::Early => has_bursts,
        LengthFault::EarlyAndDue => has_bursts && config.axi().clock() != AxiClock::Own,
        LengthFault::Late(_) | LengthFault::Absent => true,
    }
}
