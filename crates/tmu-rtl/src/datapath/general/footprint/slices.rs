//! `slices`: a probe of a volume for each of its slices. Part of `footprint`.
//!
//! Contract: a footprint that comes in leaves once, or twice where its second slice has weight; nothing of a second slice is left.
//! Each has its part of the weight. What comes in is taken when the last slice of the one before has gone. In a row all lanes have as
//! many turns: a lane whose probe has one slice has nothing in the second turn.
//!
//! Latency: the stages of [`Stage`] and of [`Item`], initiation interval one slice. One multiplier of 9 x 8 bits.

use crate::datapath::general::axis::WEIGHT_BITS;
use crate::datapath::general::coordinate::Footprint;
use crate::datapath::general::words::{PROBE_WEIGHT_BITS, QuadEnds};
use Stage::{Entry, Multiply, Stand};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::Config;

/// Bits of a probe's weight that are not zero in a volume.
const PART_BITS: usize = PROBE_WEIGHT_BITS - WEIGHT_BITS;

/// Where a probe is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; weights go into the multiplier.
    Entry,
    /// They are in the multiplier.
    Factors,
    /// They are multiplied.
    Multiply,
    /// It stands until its last slice has gone.
    Stand,
}

/// Where a slice is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Item {
    /// It is chosen.
    Choose,
    /// It leaves.
    Leave,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Slices {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All slices behind move on at the next edge.
    pub advance: Net<In>,
    /// All probes in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There is a footprint.
    pub in_valid: Net<In>,
    /// The footprint, see [`Footprint`].
    pub texels: Net<In>,
    /// There is a slice.
    pub out_valid: Net<Out>,
    /// Its footprint, see [`Footprint::of_slice`].
    pub slice: Net<Out>,
    /// The other lanes of the row.
    pub in_row: Optional<SlicesInRow>,
    pipe: Pipe<Stage>,
    items: Pipe<Item>,
    weights: Multiplier,
    is_second: Reg,
    is_last: Reg,
    _config: Config,
}

/// What lanes of a row tell each other of their slices.
#[derive(Bundle)]
pub struct SlicesInRow {
    /// The probe that is to come has a second slice.
    pub has_second: Net<Out>,
    /// One in any lane has.
    pub any_has_second: Net<In>,
    /// What leaves is of the last turn of its row.
    pub is_last: Net<Out>,
}

impl SlicesInRow {
    pub(super) fn new() -> SlicesInRow {
        SlicesInRow { has_second: Net::bit(), any_has_second: Net::bit(), is_last: Net::bit() }
    }
}

impl Slices {
    /// The stage for a configuration with volumes.
    pub fn new(config: &Config) -> Slices {
        Slices::with(config, false)
    }

    /// The same of a lane of a row.
    pub fn of_lane(config: &Config) -> Slices {
        Slices::with(config, true)
    }

    fn with(config: &Config, is_in_row: bool) -> Slices {
        let clocks = Clocks::new();
        let slices = Slices {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::bit(),
            texels: Net::new(Footprint::of(config).width()),
            out_valid: Net::bit(),
            slice: Net::new(Footprint::of_slice(config).width()),
            in_row: Optional::new(is_in_row, SlicesInRow::new),
            pipe: Pipe::new(),
            items: Pipe::new(),
            weights: Multiplier::new(Operand::unsigned(PART_BITS), Operand::unsigned(WEIGHT_BITS)),
            is_second: Reg::with_reset(&clocks, 1, 0),
            is_last: Reg::with_reset(&clocks, 1, 1),
            clocks,
            _config: config.clone(),
        };
        slices.pipe.plan(&slices.clocks, || slices.items.plan(&slices.clocks, || slices.logic()));
        slices
    }

    /// Clocks from a footprint to its first slice.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks() + self.items.latency_clocks()
    }
}

/// Probes to slices.
#[kernel]
impl Slices {
    fn logic(&self) {
        timing(self.latency_clocks(), 1);
        let upstream_advance = self.advance.val() && self.is_last.val();
        self.upstream_advance.next = upstream_advance;
        let pipe = self.pipe.run(&self.clocks, upstream_advance);
        let items = self.items.run(&self.clocks, self.advance.val());
        /// # Probes
        let footprint = Footprint::of(&self._config).unpack(self.texels.val());
        let is_there = pipe.flag(Entry, "in_valid", self.in_valid.val());
        let reads = self.in_valid.val() && footprint.ends.is_valid && !footprint.invalidates;
        let has_second = pipe.flag(Entry, "has_second", footprint.slice_weight.any() && reads);
        let factors = (footprint.ends.weight.high(PART_BITS), footprint.slice_weight);
        let of_second = pipe.through(Entry, "weight_of_second", &self.weights, factors).at(Stand);
        let footprint = pipe.put(Entry, "footprint", footprint).at(Stand);
        /// # Turn
        let (is_last, is_second) = (self.is_last.val(), self.is_second.val());
        let has_turn = match self.in_row.as_ref() {
            Some(row) => {
                row.has_second.next = has_second.at(Multiply);
                row.any_has_second.val()
            }
            None => has_second.at(Multiply),
        };
        if self.advance.val() {
            self.is_last.next = !(is_last && has_turn);
            self.is_second.next = !is_last;
        }
        /// # Slice
        let Footprint { ends, slice, second_slice, slice_is_outside, .. } = footprint.clone();
        let of_first = ends.weight - of_second;
        let [first_is_outside, second_is_outside] = slice_is_outside;
        let none = lit(1, 0u32);
        let own = Footprint {
            ends: QuadEnds {
                weight: if is_second { of_second } else { of_first },
                ends_pixel: ends.ends_pixel && is_last,
                ends_quad: ends.ends_quad && is_last,
                ..ends
            },
            slice: if is_second { second_slice } else { slice },
            slice_is_outside: [if is_second { second_is_outside } else { first_is_outside }, none],
            ..footprint
        };
        let is_there = match self.in_row.as_ref() {
            Some(row) => {
                row.is_last.next = items.put(Item::Choose, "is_last", is_last).at(Item::Leave);
                is_there.at(Stand) && (!is_second || has_second.at(Stand))
            }
            None => is_there.at(Stand),
        };
        self.out_valid.next = items.flag(Item::Choose, "is_there", is_there).at(Item::Leave);
        let own = items.put(Item::Choose, "own", own).at(Item::Leave);
        self.slice.next = Footprint::of_slice(&self._config).pack(&own);
    }
}
