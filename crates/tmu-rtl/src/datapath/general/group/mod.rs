//! `group`: of the items that lanes have in a step, those that look up tags together go together.
//!
//! A *step* is up to one item a lane. Contract: each item of a step leaves once, and steps leave in their order. For each of the four
//! banks of tags all lanes of a group need the same tile, or none. The lowest lane that is left goes, and each other one that clashes
//! with none of those that go; so a step takes 1 to 4 clocks. What goes for a whole row stands in the tap of lane 0, and is right there
//! when lane 0 is not in the group, or idle; the last group of the last step of a row ends what the row ends.
//!
//! A step is there when any lane has an item. One that goes on though it reads nothing (a quad without valid pixels, a binding that
//! empties the cache) has one in lane 0.
//!
//! Taps across the edge of a cube find their face first, in each lane. All pairs of lanes are compared before a step stands, so that a
//! clock's choice is short.
//!
//! Latency: the stages of [`Stage`] and of [`Leaving`], two less without cubes; initiation interval one group. With all kinds and formats 1,296
//! LUTs, as Yosys 0.70 estimates them for UltraScale+.

mod pairs;
mod words;

pub use words::Group;

use super::address::found::found;
use super::address::taps::{tap, word_select};
use super::address::tiles::sides;
use super::cube_edge::CubeEdge;
use super::footprint::TapItem;
use super::words::{ProbeTap, RowTap, WordSelect, face_bits, lanes};
use Leaving::{Choose, Chosen, Exit};
use Stage::{Entry, Found, Plan, Seen, Stand};
use pairs::{Asks, asks, clashes, pair};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Bits of the number of a lane.
const LANE_BITS: usize = 2;
const BANK_COUNT: usize = BANKS as usize;

/// Where a step is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in.
    Entry,
    /// Across an edge, its faces are known.
    Turn,
    /// So are its texels.
    Across,
    /// Its tiles are found, and compared.
    Found,
    /// What is the same is seen; pairs that clash are found.
    Seen,
    /// The first group is chosen.
    Plan,
    /// It stands until its last group has gone.
    Stand,
}

/// The stages without cubes.
const FLAT: [Stage; 5] = [Entry, Found, Seen, Plan, Stand];

/// Where a group is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Leaving {
    /// For each bank, the lane is found that needs its tile.
    Choose,
    /// The lane's tile is taken.
    Chosen,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct GroupStage {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All groups behind move on at the next edge.
    pub advance: Net<In>,
    /// All steps in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There is an item, a bit for each lane.
    pub in_valid: Net<In>,
    /// The items, see [`TapItem`].
    pub items: Vec<Net<In>>,
    /// It is the last step of its row.
    pub ends_row: Net<In>,
    /// There is a group.
    pub out_valid: Net<Out>,
    /// The group, see [`Group`].
    pub out_group: Net<Out>,
    cube_edges: Vec<CubeEdge>,
    pipe: Pipe<Stage>,
    leaving: Pipe<Leaving>,
    remaining: Reg,
    chosen: Reg,
    is_last: Reg,
    _config: Config,
}

impl GroupStage {
    /// The stage of a configuration with several lanes.
    pub fn new(config: &Config) -> GroupStage {
        let (clocks, lanes) = (Clocks::new(), lanes(config));
        let has_cube = face_bits(config) > 0;
        let stage = GroupStage {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::new(lanes),
            items: Net::array(lanes, TapItem::of(config).width()),
            ends_row: Net::bit(),
            out_valid: Net::bit(),
            out_group: Net::new(Group::of(config).width()),
            cube_edges: (0..if has_cube { lanes } else { 0 }).map(|_| CubeEdge::new(config)).collect(),
            pipe: if has_cube { Pipe::new() } else { Pipe::with(&FLAT) },
            leaving: Pipe::new(),
            remaining: Reg::new(&clocks, lanes),
            chosen: Reg::new(&clocks, lanes),
            is_last: Reg::with_reset(&clocks, 1, 1),
            clocks,
            _config: config.clone(),
        };
        stage.pipe.plan(&stage.clocks, || stage.leaving.plan(&stage.clocks, || stage.logic()));
        stage
    }
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// A lane of a step.
struct Lane<'a> {
    asks: Carried<'a, Asks>,
    word_select: Carried<'a, WordSelect>,
    /// Packed: of all lanes but the first without what goes for the row.
    tap: Carried<'a>,
}

/// Steps to groups.
#[kernel]
impl GroupStage {
    fn module_name(&self) -> String {
        "group".into()
    }

    fn logic(&self) {
        let upstream_advance = self.advance.val() && self.is_last.val();
        self.upstream_advance.next = upstream_advance;
        let pipe = self.pipe.run(&self.clocks, upstream_advance);
        let leaving = self.leaving.run(&self.clocks, self.advance.val());
        timing(self.pipe.latency_clocks() + self.leaving.latency_clocks(), 1);
        /// # Steps
        let items = self.items.iter().map(|item| TapItem::of(&self._config).unpack(item.val()));
        let items: Vec<TapItem> = items.collect();
        let in_valid = pipe.flag(Entry, "in_valid", self.in_valid.val());
        let invalidates = self.in_valid.val().any() && items[0].invalidates;
        let invalidates = pipe.flag(Entry, "invalidates", invalidates);
        let ends_row = pipe.put(Entry, "ends_row", self.ends_row.val());
        let stages = [Entry, Stage::Across, Found];
        let item = |(lane, item): (usize, TapItem)| {
            let name = |name: &str| format!("{name}_{lane}");
            found(&pipe, stages, self.cube_edges.get(lane), name, item)
        };
        let mut items: Vec<TapItem> = items.into_iter().enumerate().map(item).collect();
        for lane in 1..items.len() {
            discard(self.items[lane].val(), "what goes for the row is that of lane 0");
            items[lane].level = items[0].level.clone();
        }
        let level = pipe.put(Found, "level", items[0].level.clone());
        let lane = |(lane, item): (usize, &TapItem)| {
            let is_there = in_valid.at(Found).bit(lane) && !invalidates.at(Found);
            self.lane(&pipe, lane, item, is_there, ends_row.at(Found))
        };
        let lanes: Vec<Lane> = items.iter().enumerate().map(lane).collect();
        let asks: Vec<&Carried<Asks>> = lanes.iter().map(|lane| &lane.asks).collect();
        let clashes = clashes(&pipe, &asks);
        self.turn(&in_valid, &clashes);
        /// # Group
        let there = leaving.flag(Choose, "is_there", in_valid.at(Stand).any());
        let invalidates = leaving.put(Choose, "invalidates", invalidates.at(Stand)).at(Exit);
        let level = leaving.put(Choose, "level", level.at(Stand)).at(Exit);
        let selects: Vec<WordSelect> = lanes.iter().map(|lane| lane.word_select.at(Stand)).collect();
        let word_selects = leaving.put(Choose, "word_selects", selects).at(Exit);
        let tap = self.row_tap(&leaving, &lanes);
        let asks: Vec<Asks> = asks.iter().map(|asks| asks.at(Stand)).collect();
        let Tiles { needed, column, row, slice } = self.tiles(&leaving, &asks);
        self.out_valid.next = there.at(Exit);
        let group = Group { invalidates, needed, column, row, slice, level, word_selects, tap };
        self.out_group.next = Group::of(&self._config).pack(&group);
    }

    /// What a lane asks for, and what goes along with it.
    fn lane<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        lane: usize,
        item: &TapItem,
        is_there: Bits,
        ends_row: Bits,
    ) -> Lane<'a> {
        /// # Lane
        let texels = [sides(item.x, item.uses_second_x, 3), sides(item.y, item.uses_second_y, 2)];
        let name = |name: &str| format!("{name}_{lane}");
        let own = tap(&self._config, item, &texels);
        let tap = if lane == 0 {
            let ends = &item.ends;
            let row = ProbeTap {
                ends_pixel: ends.ends_pixel && ends_row,
                ends_quad: ends.ends_quad && ends_row,
                ..own.clone()
            };
            ProbeTap::of(&self._config).pack(&row)
        } else {
            ProbeTap::of_other_lane(&self._config).pack(&own)
        };
        let reads = is_there && item.ends.is_valid && !item.reads_nothing;
        Lane {
            asks: pipe.put(Found, &name("asks"), asks(item, reads)),
            word_select: pipe.put(Found, &name("word_select"), word_select(item, &texels)),
            tap: pipe.put(Found, &name("tap"), tap),
        }
    }

    /// The group whose turn it is.
    fn turn(&self, in_valid: &Carried<'_>, clashes: &Carried<'_>) {
        /// # Turn
        let is_last = self.is_last.val();
        let remaining = if is_last { in_valid.at(Plan) } else { self.remaining.val() };
        let clashes = if is_last { clashes.at(Plan) } else { clashes.at(Stand) };
        let mut chosen: Vec<Bits> = vec![];
        for lane in 0..remaining.width() {
            let before = chosen.iter().enumerate();
            let fits = before.fold(remaining.bit(lane), |fits, (other, goes)| {
                fits && !(*goes && clashes.bit(pair(other, lane)))
            });
            chosen.push(fits);
        }
        let chosen = stack(chosen);
        let others = remaining & !chosen;
        if self.advance.val() {
            self.remaining.next = others;
            self.is_last.next = !others.any();
            self.chosen.next = chosen;
        }
    }

    /// The taps of the lanes that go; the others bring nothing.
    fn row_tap(&self, leaving: &Run<'_, Leaving>, lanes: &[Lane<'_>]) -> RowTap {
        /// # Taps
        let own = |(number, lane): (usize, &Lane<'_>)| {
            let shape = if number == 0 {
                ProbeTap::of(&self._config)
            } else {
                ProbeTap::of_other_lane(&self._config)
            };
            let tap = shape.unpack(lane.tap.at(Stand));
            let goes = self.chosen.val().bit(number);
            let is_last = self.is_last.val();
            let tap = ProbeTap {
                is_valid: tap.is_valid && goes,
                brings: tap.brings & goes.repeat(tap.brings.width()),
                starts_probe: tap.starts_probe && goes,
                ends_probe: tap.ends_probe && goes,
                ends_pixel: tap.ends_pixel && is_last,
                ends_quad: tap.ends_quad && is_last,
                ..tap
            };
            let tap = leaving.put(Choose, &format!("tap_{number}"), shape.pack(&tap)).at(Exit);
            shape.unpack(tap)
        };
        RowTap { lanes: lanes.iter().enumerate().map(own).collect() }
    }

    /// The tile of each bank: that of the first of the chosen lanes that needs one, since all others need the same.
    fn tiles(&self, leaving: &Run<'_, Leaving>, asks: &[Asks]) -> Tiles {
        /// # Lane of each bank
        let chosen = self.chosen.val();
        let wants = |bank: usize| {
            let wants = asks.iter().enumerate().map(|(lane, asks)| asks.needed.bit(bank) && chosen.bit(lane));
            stack(wants)
        };
        let wants = [0, 1, 2, 3].map(wants);
        let needed = stack(wants.map(Bits::any));
        let needed = leaving.put(Choose, "needed", needed).at(Exit);
        let owner = |wants: Bits| {
            let in_upper = !wants.low(LANE_BITS).any();
            let is_odd = if in_upper { !wants.bit(2) } else { !wants.bit(0) };
            cat(&[in_upper, is_odd])
        };
        let owners = wants.map(owner);
        let second = |bank: usize| {
            let seconds: Vec<Bits> = asks.iter().map(|asks| asks.takes_second.bit(bank)).collect();
            of_lane(&seconds, owners[bank])
        };
        let second = leaving.put(Choose, "takes_second", [0, 1, 2, 3].map(second)).at(Chosen);
        let owners = leaving.put(Choose, "owner", owners).at(Chosen);
        /// # Its tile
        let columns = asks.iter().map(|asks| asks.column).collect::<Vec<_>>();
        let rows = asks.iter().map(|asks| asks.row).collect::<Vec<_>>();
        let slices = asks.iter().map(|asks| asks.slice).collect::<Vec<_>>();
        let columns = leaving.put(Choose, "columns", columns).at(Chosen);
        let rows = leaving.put(Choose, "rows", rows).at(Chosen);
        let slices = leaving.put(Choose, "slices", slices).at(Chosen);
        let column = |bank: usize| {
            let of_side = |side: usize| {
                let all: Vec<Bits> = columns.iter().map(|columns| columns[side]).collect();
                of_lane(&all, owners[bank])
            };
            if second[bank] { of_side(1) } else { of_side(0) }
        };
        let row = |bank: usize| {
            let all: Vec<Bits> = rows.iter().map(|rows| rows[bank >> 1]).collect();
            of_lane(&all, owners[bank])
        };
        let slice = |bank: usize| of_lane(&slices, owners[bank]);
        let banks: [usize; BANK_COUNT] = [0, 1, 2, 3];
        Tiles {
            needed,
            column: leaving.put(Chosen, "column", banks.map(column)).at(Exit),
            row: leaving.put(Chosen, "row", banks.map(row)).at(Exit),
            slice: leaving.put(Chosen, "slice", banks.map(slice)).at(Exit),
        }
    }
}

/// The tiles of a group, one a bank.
struct Tiles {
    needed: Bits,
    column: [Bits; BANK_COUNT],
    row: [Bits; BANK_COUNT],
    slice: [Bits; BANK_COUNT],
}

/// One of what four lanes have.
#[kernel]
fn of_lane(values: &[Bits], lane: Bits) -> Bits {
    let even = if lane.bit(1) { values[2] } else { values[0] };
    let odd = if lane.bit(1) { values[3] } else { values[1] };
    if lane.bit(0) { odd } else { even }
}

const _: () = assert!(pair(2, 3) == 5);
