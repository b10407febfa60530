//! The stages of the filter, and what a configuration has of them.

use crate::datapath::general::result::{is_built, lane_bits};
use crate::datapath::general::words::{general, has_gather, has_spread, lanes};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// Where an item, a probe, a sample is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// An item comes in.
    Entry,
    /// The taps of a probe are together.
    Gathered,
    /// Two taps beside a corner are added.
    Sum,
    /// So is the third one.
    Third,
    /// The corner is there. Taps are interpolated along the rows.
    Rows,
    /// They are on their way.
    RowSubtract,
    /// As before.
    RowMultiply,
    /// As before.
    RowAdd,
    /// Rows are interpolated.
    Column,
    /// They are on their way.
    ColumnSubtract,
    /// As before.
    ColumnMultiply,
    /// As before.
    ColumnAdd,
    /// The probe is there.
    Probe,
    /// It is interpolated with the one before.
    PairSubtract,
    /// As before.
    PairMultiply,
    /// As before.
    PairAdd,
    /// It is in the multiplier with its weight.
    Factors,
    /// They are multiplied.
    Multiply,
    /// Several lanes: those of a pixel are added, two by two.
    Pairs,
    /// And all four.
    Fours,
    /// The pixel's sum grows.
    Add,
    /// The sample is there, and finds its place.
    Sample,
    /// Several lanes: the samples of all pixels are there.
    Quad,
    /// Its quad leaves.
    Exit,
}

/// What a configuration has of the filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Several lanes.
    lanes: bool,
    /// A pixel may have several lanes.
    pub(super) spread: bool,
    pub(super) bilinear: bool,
    /// Taps at corners of cubes.
    pub(super) corner: bool,
    /// Two probes a pixel.
    pub(super) pair: bool,
    /// More probes a pixel.
    pub(super) sum: bool,
    /// A component of each tap.
    pub(super) gather: bool,
    /// Texels that are not weighted.
    pub(super) floats: bool,
    /// Components that are not in their places.
    pub(super) swizzle: bool,
    /// Samples go on to `result`.
    pub(super) result: bool,
    pub(super) channel_bits: usize,
    lane_bits: usize,
}

impl Parts {
    pub(super) fn of(config: &Config) -> Parts {
        let (bilinear, general) = (config.features().bilinear(), general(config));
        let sum = general.max_anisotropy > 1 || (general.has_kind(Kind::D3) && bilinear);
        Parts {
            lanes: lanes(config) > 1,
            spread: has_spread(config),
            bilinear,
            corner: bilinear && general.has_kind(Kind::Cube),
            pair: general.trilinear && !sum,
            sum,
            gather: has_gather(config),
            floats: config.features().formats().any(tmu_spec::Format::is_float),
            swizzle: general.swizzle,
            result: is_built(config),
            channel_bits: general.channel_bits as usize,
            lane_bits: lane_bits(config),
        }
    }

    /// Bits of a colour.
    pub(super) fn color_bits(self) -> usize {
        4 * self.channel_bits
    }

    /// Bits of a channel of a sample.
    pub(super) fn lane_bits(self) -> usize {
        self.lane_bits
    }

    /// What is not weighted goes on beside samples.
    pub(super) fn straight(self) -> bool {
        self.gather || self.floats
    }

    /// The stages.
    pub(super) fn stages(self) -> Vec<Stage> {
        Stage::ALL.iter().copied().filter(|stage| self.has(stage)).collect()
    }

    /// Whether there is such a stage.
    fn has(self, stage: &Stage) -> bool {
        use Stage::{
            Add, Column, ColumnAdd, ColumnMultiply, ColumnSubtract, Entry, Exit, Factors, Fours, Gathered,
            Multiply, PairAdd, PairMultiply, PairSubtract, Pairs, Probe, Quad, RowAdd, RowMultiply,
            RowSubtract, Rows, Sample, Sum, Third,
        };
        match stage {
            Entry | Gathered | Exit => true,
            Sum | Third | Rows => self.corner,
            RowSubtract | RowMultiply | RowAdd => self.bilinear,
            Column | ColumnSubtract | ColumnMultiply | ColumnAdd => self.bilinear,
            Probe => self.pair || self.sum,
            PairSubtract | PairMultiply | PairAdd => self.pair,
            Factors | Multiply | Add => self.sum,
            Pairs | Fours => self.spread,
            Sample => !self.lanes || !self.sum,
            Quad => self.lanes,
        }
    }

    /// Where all taps are there.
    pub(super) fn rows(self) -> Stage {
        if self.corner { Stage::Rows } else { Stage::Gathered }
    }

    /// Where a probe is there.
    pub(super) fn probe(self) -> Stage {
        if self.pair || self.sum { Stage::Probe } else { Stage::Sample }
    }

    /// Where a lane has done its part.
    pub(super) fn lane_end(self) -> Stage {
        match (self.lanes && self.sum, self.spread) {
            (true, true) => Stage::Pairs,
            (true, false) => Stage::Add,
            (false, _) => Stage::Sample,
        }
    }

    /// Several lanes: where what they have comes to its pixel.
    pub(super) fn grows(self) -> Stage {
        if self.sum { Stage::Add } else { Stage::Sample }
    }
}
