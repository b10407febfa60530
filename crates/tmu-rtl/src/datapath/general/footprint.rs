//! `footprint`: from the texels under a probe to items that the cache can serve.
//!
//! An item reads at most two columns and two rows of tiles, of different parity, one texel from each bank of texels, and at most
//! two compressed tiles. Most probes are one item. The others are dealt out:
//!
//! - A probe over four compressed tiles: an item for each row of texels.
//! - A probe that wraps round where the sides do not let both ends be read together, or that goes over the edge of a cube: an item
//!   for each tap. A tap over the corner of a cube has none: it is the mean of the others.
//!
//! Latency: the stages of [`Stage`] and of [`Item`], initiation interval one item.

use super::axis::{AxisTaps, TEXEL_BITS};
use super::coordinate::{Footprint, LevelPlace};
use super::words::{QuadEnds, TAPS, general, has_blocks};
use Stage::{Entry, Look, Stand};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// Bits of a texel's number that lie inside a tile.
const INNER_BITS: usize = 2;
/// Bits of a weight.
const WEIGHT_BITS: usize = 8;

/// Where a probe is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and is looked at.
    Entry,
    /// What was seen becomes its items.
    Look,
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

/// A part of a probe.
#[derive(Clone, Debug, Record)]
pub struct TapItem<T = Bits> {
    /// The cache drops what it holds: there are no taps.
    pub invalidates: T,
    /// The probe among those of its quad.
    pub ends: QuadEnds<T>,
    /// It is the first item of its probe.
    pub starts_probe: T,
    /// It is the last item of its probe.
    pub ends_probe: T,
    /// Columns; the second one counts where `uses_second_x`.
    pub x: [T; 2],
    /// Rows.
    pub y: [T; 2],
    /// It has taps in both columns.
    pub uses_second_x: T,
    /// It has taps in both rows.
    pub uses_second_y: T,
    /// It is one tap, the one at `place`, in the first column and row.
    pub is_single: T,
    /// It is a row of its probe, whose first row is odd and whose second one is even.
    pub is_by_row: T,
    /// Place of the only tap: its row above its column, 0 the first.
    pub place: T,
    /// The only tap lies across this edge of a face: in x, behind it rather than in front.
    pub edge: Edge<T>,
    /// Weight of the second column.
    pub weight_x: T,
    /// Weight of the second row.
    pub weight_y: T,
    /// A tap lies over the corner of a cube.
    pub has_corner: T,
    /// Which one.
    pub corner: T,
    /// Face of a cube.
    pub slice: T,
    /// Last texel of a side of a face.
    pub last: T,
    /// Where the level stands.
    pub level: LevelPlace<T>,
}

/// Over which edge of its face a tap lies.
#[derive(Clone, Debug, Record)]
pub struct Edge<T = Bits> {
    /// It lies over one.
    pub is_crossed: T,
    /// It is the upper or the lower one.
    pub is_row: T,
    /// It is the right or the lower one.
    pub is_behind: T,
}

impl TapItem<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> TapItem<Width> {
        let Footprint { invalidates, ends, slice, last, level, .. } = Footprint::of(config);
        let (bit, has_cube) = (Width::bits(1), general(config).has_kind(Kind::Cube));
        TapItem {
            invalidates,
            ends,
            starts_probe: bit,
            ends_probe: bit,
            x: [Width::bits(TEXEL_BITS); 2],
            y: [Width::bits(TEXEL_BITS); 2],
            uses_second_x: bit,
            uses_second_y: bit,
            is_single: bit,
            is_by_row: bit.when(has_blocks(config)),
            place: Width::bits(2),
            edge: Edge {
                is_crossed: bit.when(has_cube),
                is_row: bit.when(has_cube),
                is_behind: bit.when(has_cube),
            },
            weight_x: Width::bits(WEIGHT_BITS),
            weight_y: Width::bits(WEIGHT_BITS),
            has_corner: bit.when(has_cube),
            corner: Width::bits(2).when(has_cube),
            slice,
            last,
            level,
        }
    }
}

/// What a probe's items are.
#[derive(Clone, Debug, Record)]
struct Parts<T = Bits> {
    /// An item for each tap.
    is_single: T,
    /// An item for each row.
    is_by_row: T,
    /// The items, by the place of their first tap.
    items: T,
    /// The tap over a corner.
    has_corner: T,
    /// Its place.
    corner: T,
}

/// What is seen of an axis.
#[derive(Clone, Debug, Record)]
struct Seen<T = Bits> {
    /// The second texel has weight.
    uses_second: T,
    /// It cannot be read together with the first one.
    clashes: T,
    /// They lie in different tiles.
    straddles: T,
    /// A texel with weight lies outside.
    is_outside: T,
    /// It is the second one.
    second_is_outside: T,
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
    pipe: Pipe<Stage>,
    items: Pipe<Item>,
    remaining: Reg,
    chosen: Reg,
    is_first: Reg,
    is_last: Reg,
    _config: Config,
}

impl FootprintStage {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> FootprintStage {
        let clocks = Clocks::new();
        let stage = FootprintStage {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::bit(),
            texels: Net::new(Footprint::of(config).width()),
            out_valid: Net::bit(),
            item: Net::new(TapItem::of(config).width()),
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
        let upstream_advance = self.advance.val() && self.is_last.val();
        self.upstream_advance.next = upstream_advance;
        let pipe = self.pipe.run(&self.clocks, upstream_advance);
        let items = self.items.run(&self.clocks, self.advance.val());
        timing(self.pipe.latency_clocks() + self.items.latency_clocks(), 1);
        /// # Probes
        let footprint = Footprint::of(&self._config).unpack(self.texels.val());
        let in_valid = pipe.flag(Entry, "in_valid", self.in_valid.val());
        let parts = self.parts(&pipe, &footprint);
        let footprint = pipe.put(Entry, "footprint", footprint).at(Stand);
        let is_there = in_valid.at(Look);
        self.turn(parts.at(Look).items & is_there.repeat(TAPS));
        let item = self.item_of(&footprint, &parts.at(Stand));
        self.out_valid.next = items.flag(Item::Choose, "is_there", in_valid.at(Stand)).at(Item::Leave);
        let item = items.put(Item::Choose, "item", item).at(Item::Leave);
        self.item.next = TapItem::of(&self._config).pack(&item);
    }

    /// What the items of a probe are.
    fn parts<'a>(&self, pipe: &Run<'a, Stage>, footprint: &Footprint) -> Payload<'a, Stage, Parts> {
        /// # What is seen
        let [x, y] = [&footprint.x, &footprint.y];
        let x = pipe.put(Entry, "x", seen(x, true)).at(Look);
        let y = pipe.put(Entry, "y", seen(y, false)).at(Look);
        let is_valid =
            pipe.put(Entry, "is_valid", footprint.ends.is_valid && !footprint.invalidates).at(Look);
        let is_block = pipe.put(Entry, "is_block", footprint.level.is_block).at(Look);
        /// # What becomes of it
        let is_outside = x.is_outside || y.is_outside;
        let is_single = (x.clashes || y.clashes || is_outside) && is_valid;
        let is_by_row = is_block && x.straddles && y.straddles && !is_single && is_valid;
        let has_corner = x.is_outside && y.is_outside && is_valid;
        let corner = cat(&[y.second_is_outside, x.second_is_outside]);
        let needed = cat(&[x.uses_second && y.uses_second, y.uses_second, x.uses_second, lit(1, 1u32)]);
        let is_corner = |place: u64| has_corner && corner == place;
        let corners = stack((0..TAPS as u64).map(is_corner));
        let rows = lit(TAPS, 0b0101u32);
        let some = if is_by_row { rows } else { lit(TAPS, 1u32) };
        let items = if is_single { needed & !corners } else { some };
        pipe.put(Look, "parts", Parts { is_single, is_by_row, items, has_corner, corner })
    }

    /// The item whose turn it is.
    fn turn(&self, comes: Bits) {
        /// # Turn
        let is_last = self.is_last.val();
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
        let Footprint { invalidates, ends, x, y, slice, last, level } = footprint.clone();
        let place = self.chosen.val();
        let (is_single, is_part) = (parts.is_single, parts.is_single || parts.is_by_row);
        let (in_second_x, in_second_y) = (is_single && place.bit(0), is_part && place.bit(1));
        let first_x = if in_second_x { x.second } else { x.first };
        let first_y = if in_second_y { y.second } else { y.first };
        let x_outside = if in_second_x { x.second_is_outside } else { x.first_is_outside };
        let y_outside = if in_second_y { y.second_is_outside } else { y.first_is_outside };
        TapItem {
            invalidates,
            ends,
            starts_probe: self.is_first.val(),
            ends_probe: self.is_last.val(),
            uses_second_x: x.weight.any() && !is_single,
            uses_second_y: y.weight.any() && !is_part,
            x: [first_x, x.second],
            y: [first_y, y.second],
            is_single,
            is_by_row: parts.is_by_row,
            place,
            edge: Edge {
                is_crossed: is_single && (x_outside || y_outside),
                is_row: y_outside,
                is_behind: if y_outside { in_second_y } else { in_second_x },
            },
            weight_x: x.weight,
            weight_y: y.weight,
            has_corner: parts.has_corner,
            corner: parts.corner,
            slice,
            last,
            level,
        }
    }
}

/// What is seen of an axis. Two texels of which the second is in front of the first wrap round: they can be read together if they
/// have different parities, and their tiles too or are the same; along x, where two compressed tiles may share a line, it is asked
/// for more than would do.
#[kernel]
fn seen(taps: &AxisTaps, is_x: bool) -> Seen {
    let uses_second = taps.weight.any();
    let wraps = uses_second && !taps.second.any() && taps.first.any();
    let tile = |texel: Bits| texel.high(TEXEL_BITS - INNER_BITS);
    let first = tile(taps.first);
    /// The first one is the last of its side then.
    let is_fitting = if is_x {
        !first.high(TEXEL_BITS - INNER_BITS - 1).any() || first.low(2).all()
    } else {
        !first.any() || first.bit(0)
    };
    let second_is_outside = uses_second && taps.second_is_outside;
    Seen {
        uses_second,
        clashes: wraps && !(taps.first.bit(0) && is_fitting),
        straddles: uses_second && first != tile(taps.second),
        is_outside: taps.first_is_outside || second_is_outside,
        second_is_outside,
    }
}
