//! What of an item waits for its places.

use super::FACE_BITS;
use super::shapes::Parts;
use crate::datapath::general::words::{ItemHead, NUMBER_BITS, PIXELS, QuadMarks, general};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// What waits.
#[derive(Clone, Debug, Record)]
pub(super) struct Waiting<T = Bits> {
    /// What it is.
    pub(super) head: ItemHead<T>,
    /// What goes for the whole quad.
    pub(super) marks: QuadMarks<T>,
    /// The faces that its pixels show.
    pub(super) faces: [T; PIXELS],
    /// What texels are compared with.
    pub(super) references: [T; PIXELS],
    /// Side by side, how its [edges](super::edges::far) lie: found here, it does not stand in front of their sums.
    pub(super) far: [T; 2],
}

impl Waiting<Width> {
    pub(super) fn of(config: &Config) -> Waiting<Width> {
        let face = Width::bits(FACE_BITS).when(general(config).has_kind(Kind::Cube));
        let reference = Width::bits(NUMBER_BITS).when(general(config).compare);
        Waiting {
            head: ItemHead::shape(),
            marks: QuadMarks::of(config),
            faces: [face; PIXELS],
            references: [reference; PIXELS],
            far: [Width::bits(1).when(Parts::of(config).wide); 2],
        }
    }
}
