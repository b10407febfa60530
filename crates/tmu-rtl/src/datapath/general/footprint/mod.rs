//! `footprint`: from the texels under a probe to items that the cache can serve.
//!
//! An item reads at most two columns and two rows of tiles, of different parity, one texel from each bank of texels, and at most
//! two compressed tiles. Most probes are one item. The others are dealt out:
//!
//! - A probe of two slices of a volume: each slice is a probe of its own for all that comes behind.
//! - A probe over four compressed tiles, or of two rows of texels of more than four bytes: an item for each row of texels.
//! - A probe that wraps round where the sides, or wide texels, do not let both ends be read together: an item for each tap.
//! - A probe over the edge of a cube: an item for the taps on each face, if it lies over one edge and its texels are not wide, else an
//!   item for each tap. A tap over the corner of a cube has none: it is the mean of the others. Floats have no mean: it is the texel
//!   at the corner then.
//! - A gather needs all four taps. Where two of them are the same texel: an item for each.
//! - Two neighbours of a row texture that lie in different rows of tiles: an item for each.
//! - A probe over the border: an item for each tap inside. Where none is, one item that reads nothing.
//!
//! In a unit of several lanes there is such a stage for each, and [`row`] keeps them in step.
//!
//! Latency: the stages of [`Stage`] and of [`Item`], initiation interval one item. [`slices`] stand in front where volumes are. With
//! everything 167 LUTs and a multiplier.

mod parts;
pub mod row;
pub mod slices;
mod words;

pub use words::{Edge, TapItem};

use super::coordinate::Footprint;
use super::words::{TAPS, general};
use Stage::{Entry, Plan, Stand};
use parts::{Parts, parts};
use slices::Slices;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// Where a probe is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and is looked at.
    Entry,
    /// What was seen becomes its items.
    Look,
    /// The first of them is chosen.
    Plan,
    /// It stands until the last of its items has gone.
    Stand,
}

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Item {
    /// Its taps are chosen.
    Choose,
    /// It leaves.
    Leave,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct FootprintStage {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items behind move on at the next edge.
    pub advance: Net<In>,
    /// All probes in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There is a footprint.
    pub in_valid: Net<In>,
    /// The footprint, see [`Footprint`].
    pub texels: Net<In>,
    /// There is an item.
    pub out_valid: Net<Out>,
    /// The item, see [`TapItem`].
    pub item: Net<Out>,
    /// The other lanes of the row.
    pub in_row: Optional<InRow>,
    slices: Optional<Slices>,
    pipe: Pipe<Stage>,
    items: Pipe<Item>,
    remaining: Reg,
    chosen: Reg,
    is_first: Reg,
    is_last: Reg,
    _config: Config,
}

/// What lanes of a row tell each other.
#[derive(Bundle)]
pub struct InRow {
    /// The present item is the last one of its probe, or the lane has none.
    pub is_last: Net<Out>,
    /// So it is in all lanes.
    pub all_are_last: Net<In>,
    /// What leaves is the last step of its row.
    pub ends_row: Net<Out>,
    /// Of a volume: the probe that is to come has a second slice.
    pub has_second: Optional<Net<Out>>,
    /// One in any lane has.
    pub any_has_second: Optional<Net<In>>,
    is_done: Reg,
}

impl FootprintStage {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> FootprintStage {
        FootprintStage::with(config, false)
    }

    /// The same of a lane of a row.
    pub fn of_lane(config: &Config) -> FootprintStage {
        FootprintStage::with(config, true)
    }

    fn with(config: &Config, is_in_row: bool) -> FootprintStage {
        let clocks = Clocks::new();
        let has_volume = general(config).has_kind(Kind::D3);
        let slices = || if is_in_row { Slices::of_lane(config) } else { Slices::new(config) };
        let stage = FootprintStage {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::bit(),
            texels: Net::new(Footprint::of(config).width()),
            out_valid: Net::bit(),
            item: Net::new(TapItem::of(config).width()),
            in_row: Optional::new(is_in_row, || InRow {
                is_last: Net::bit(),
                all_are_last: Net::bit(),
                ends_row: Net::bit(),
                has_second: Optional::new(has_volume, Net::bit),
                any_has_second: Optional::new(has_volume, Net::bit),
                is_done: Reg::with_reset(&clocks, 1, 0),
            }),
            slices: Optional::new(has_volume, slices),
            pipe: Pipe::new(),
            items: Pipe::new(),
            remaining: Reg::new(&clocks, TAPS),
            chosen: Reg::new(&clocks, 2),
            is_first: Reg::new(&clocks, 1),
            is_last: Reg::with_reset(&clocks, 1, 1),
            clocks,
            _config: config.clone(),
        };
        stage.pipe.plan(&stage.clocks, || stage.items.plan(&stage.clocks, || stage.logic()));
        stage
    }
}

/// Probes to items.
#[kernel]
impl FootprintStage {
    fn module_name(&self) -> String {
        "footprint".into()
    }

    fn logic(&self) {
        let upstream_advance = self.advance.val() && self.row_is_last();
        let (in_front, in_valid, texels) = self.slices_in_front(upstream_advance);
        self.upstream_advance.next = in_front;
        let pipe = self.pipe.run(&self.clocks, upstream_advance);
        let items = self.items.run(&self.clocks, self.advance.val());
        let latency = self.pipe.latency_clocks() + self.items.latency_clocks();
        timing(latency + self.slices.as_ref().map_or(0, Slices::latency_clocks), 1);
        /// # Probes
        let footprint = Footprint::of_slice(&self._config).unpack(texels);
        let in_valid = pipe.flag(Entry, "in_valid", in_valid);
        let parts = parts(&self._config, &pipe, &footprint);
        let footprint = pipe.put(Entry, "footprint", footprint).at(Stand);
        let is_there = in_valid.at(Plan);
        self.turn(parts.at(Plan).items & is_there.repeat(TAPS));
        let item = self.item_of(&footprint, &parts.at(Stand));
        let is_there = self.is_there(&pipe, &items, in_valid.at(Stand));
        self.out_valid.next = items.flag(Item::Choose, "is_there", is_there).at(Item::Leave);
        let item = items.put(Item::Choose, "item", item).at(Item::Leave);
        self.item.next = TapItem::of(&self._config).pack(&item);
    }

    /// What those in front move with, and a footprint of one slice.
    fn slices_in_front(&self, advance: Bits) -> (Bits, Bits, Bits) {
        let Some(slices) = self.slices.as_ref() else {
            return (advance, self.in_valid.val(), self.texels.val());
        };
        slices.clocks.follow(&self.clocks);
        slices.advance.next = advance;
        slices.in_valid.next = self.in_valid.val();
        slices.texels.next = self.texels.val();
        if let (Some(slices), Some(row)) = (slices.in_row.as_ref(), self.in_row.as_ref()) {
            if let Some(has_second) = row.has_second.as_ref() {
                has_second.next = slices.has_second.val();
            }
            if let Some(any) = row.any_has_second.as_ref() {
                slices.any_has_second.next = any.val();
            }
        }
        (slices.upstream_advance.val(), slices.out_valid.val(), slices.slice.val())
    }

    /// One bit: the present item is the last one of its probe, in a row of all lanes' probes.
    fn row_is_last(&self) -> Bits {
        self.in_row.as_ref().map_or_else(|| self.is_last.val(), |row| row.all_are_last.val())
    }

    /// One bit: there is an item, of a probe that is there. In a row a lane that is done has none.
    fn is_there(&self, pipe: &Run<'_, Stage>, items: &Run<'_, Item>, is_there: Bits) -> Bits {
        let Some(row) = self.in_row.as_ref() else { return is_there };
        /// # Step of the row
        let (is_last, all_are_last) = (self.is_last.val(), row.all_are_last.val());
        row.is_last.next = is_last;
        if self.advance.val() {
            row.is_done.next = is_last && !all_are_last;
        }
        let has_all_slices = match self.slices.as_ref().and_then(|slices| slices.in_row.as_ref()) {
            Some(slices) => pipe.put(Entry, "has_all_slices", slices.is_last.val()).at(Stand),
            None => lit(1, 1u32),
        };
        let ends_row = all_are_last && has_all_slices;
        row.ends_row.next = items.put(Item::Choose, "ends_row", ends_row).at(Item::Leave);
        is_there && !row.is_done.val()
    }

    /// The item whose turn it is.
    fn turn(&self, comes: Bits) {
        /// # Turn
        let is_last = self.row_is_last();
        let remaining = if is_last { comes } else { self.remaining.val() };
        let own =
            |place: usize| (0..place).fold(remaining.bit(place), |own, lower| own && !remaining.bit(lower));
        let own = [0, 1, 2, 3].map(own);
        let others = remaining & !stack(own);
        if self.advance.val() {
            self.remaining.next = others;
            self.is_last.next = !others.any();
            self.is_first.next = is_last;
            self.chosen.next = cat(&[own[2] || own[3], own[1] || own[3]]);
        }
    }

    fn item_of(&self, footprint: &Footprint, parts: &Parts) -> TapItem {
        /// # Taps of the item
        let Footprint { invalidates, ends, x, y, slice, last, is_row, is_void, texels, level, .. } =
            footprint.clone();
        let place = self.chosen.val();
        let is_single = parts.is_single;
        let [by_columns, by_rows] = parts.over_edge;
        let is_by_place = is_single || by_columns || by_rows;
        let (has_one_column, has_one_row) =
            (is_single || by_columns, is_single || by_rows || parts.is_by_row);
        // Instead of the texel over a corner the one at the corner.
        let is_at_corner = parts.has_own_corner && place == parts.corner;
        let (in_second_x, in_second_y) = (
            has_one_column && (place.bit(0) ^ is_at_corner),
            has_one_row && ((place.bit(1) ^ is_at_corner) || (is_row && place.bit(0))),
        );
        let first_x = if in_second_x { x.second } else { x.first };
        let first_y = if in_second_y { y.second } else { y.first };
        let x_outside = if in_second_x { x.second_is_outside } else { x.first_is_outside };
        let y_outside = if in_second_y { y.second_is_outside } else { y.first_is_outside };
        TapItem {
            invalidates,
            ends: ends.clone(),
            starts_probe: self.is_first.val(),
            ends_probe: self.is_last.val(),
            uses_second_x: (x.weight.any() || ends.is_gather) && !has_one_column,
            uses_second_y: (y.weight.any() || ends.is_gather) && !has_one_row,
            x: [first_x, x.second],
            y: [first_y, y.second],
            is_by_place,
            in_column: by_columns,
            is_by_row: parts.is_by_row,
            place,
            edge: Edge {
                is_crossed: is_by_place && (x_outside || y_outside),
                is_row: y_outside,
                is_behind: if y_outside { in_second_y } else { in_second_x },
            },
            weight_x: x.weight,
            weight_y: y.weight,
            has_corner: parts.has_corner,
            corner: parts.corner,
            reads_nothing: parts.is_border || is_void,
            border_taps: parts.border_taps,
            is_void,
            texels,
            slice,
            last,
            level,
        }
    }
}
