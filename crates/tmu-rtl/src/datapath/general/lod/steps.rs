//! `steps`: where items wait, and where the arithmetic is.
//!
//! One lane has places, in which an item stands for four clocks, and a path of steps for the components of its edges. With several
//! lanes there are steps only: all components of a quad go together.

use crate::datapath::general::words::{general, has_fetch, has_parts, lanes};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// Clocks that an item stands in a place: as many as an edge has components.
pub(super) const INTERVAL_CLOCKS: usize = 4;

/// Where an item waits. The arithmetic works on the places named after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Place {
    /// In front of the stage.
    Entry,
    /// Edges become texels, and the request's level of detail an integer.
    Scale,
    /// The largest edge tells by how much all are shifted.
    Measure,
    /// Only with volumes: the largest edge of a second turn tells it too.
    Join,
    /// They are shifted.
    Shift,
    /// They are squared.
    Square,
    /// Only where footprints are cut: parts take levels from the level of detail.
    Parts,
    /// The level of detail is limited, and tells the levels.
    Limit,
    /// It leaves.
    Exit,
}

/// Where a component of an edge is on its way, and what comes of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Step {
    /// It goes into the multipliers with the size of level 0.
    Entry,
    /// It is in the multipliers.
    ScaleOperands,
    /// It is multiplied.
    Scale,
    /// The products of its parts are added.
    Scaled,
    /// Texels are there, and the largest ones are looked for.
    Texels,
    /// Only in one lane: it waits for the other components.
    Wait,
    /// As above.
    WaitMore,
    /// As above.
    WaitLonger,
    /// Only with several lanes: the largest component is found.
    Largest,
    /// Only with volumes: it waits for that of a second turn.
    Behind,
    /// Only with volumes: the largest component of both turns is found.
    Together,
    /// The highest bit of all components is found. In one lane this is behind the last one.
    Highest,
    /// Only in one lane with volumes: it waits for those of a second turn.
    Join,
    /// As above.
    JoinMore,
    /// As above.
    JoinLonger,
    /// As above.
    Joined,
    /// It goes into the multipliers that shift it.
    Factors,
    /// It is in the multipliers.
    ShiftOperands,
    /// It is multiplied.
    Shift,
    /// It goes into the squarer.
    Shifted,
    /// It is in the squarer.
    SquareOperands,
    /// It is multiplied.
    Square,
    /// Its square is there; with another one it is the length of an edge. In one lane that goes into the ROM.
    Squared,
    /// Only with several lanes: the lengths of both edges are compared.
    Compared,
    /// Only with several lanes: the longer one goes into the ROM.
    Longer,
    /// The ROM is read.
    Read,
    /// The logarithm is there, and becomes the level of detail.
    Logarithm,
    /// Only with several lanes, where footprints are cut: it is known how often.
    Parts,
    /// Parts take levels from the level of detail.
    Taken,
    /// The level of detail is compared with its limits.
    Compare,
    /// It is limited.
    Limit,
    /// It tells the levels.
    Level,
    /// Only with several lanes: what is chosen goes to the items.
    Exit,
}

/// Whether there is anything to choose for a quad: a level, a filter or parts.
pub(super) fn has_choice(config: &Config) -> bool {
    let features = config.features();
    features.mipmaps() || features.bilinear() || has_parts(config)
}

/// Whether there are volumes.
pub(super) fn has_volumes(config: &Config) -> bool {
    general(config).has_kind(Kind::D3)
}

/// Where items wait.
pub(super) fn places(config: &Config) -> Vec<Place> {
    let waits = has_choice(config) && lanes(config) == 1;
    let is_there = |place: &Place| match place {
        Place::Entry | Place::Exit => true,
        Place::Limit => waits || (has_fetch(config) && !has_choice(config)),
        Place::Join => waits && has_volumes(config),
        Place::Parts => waits && has_parts(config),
        _ => waits,
    };
    Place::ALL.iter().copied().filter(is_there).collect()
}

/// Where components are on their way.
pub(super) fn steps(config: &Config) -> Vec<Step> {
    let (has_volumes, is_one) = (has_volumes(config), lanes(config) == 1);
    let is_there = |step: &Step| match step {
        Step::Wait | Step::WaitMore | Step::WaitLonger => is_one,
        Step::Join | Step::JoinMore | Step::JoinLonger | Step::Joined => is_one && has_volumes,
        Step::Largest | Step::Compared | Step::Longer | Step::Exit => !is_one,
        Step::Behind | Step::Together => !is_one && has_volumes,
        Step::Parts | Step::Taken => !is_one && has_parts(config),
        _ => true,
    };
    Step::ALL.iter().copied().filter(is_there).collect()
}
