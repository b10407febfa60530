//! `projection`: from the numbers of a request to places, and to the edges of the quad's footprint.
//!
//! What is not divided goes into `lane`, one for each axis: fixed-point numbers are shifted, singles rounded down, integers go on as
//! they are. What is divided by q, and a direction into a cube, goes through `division`, which finds what is divided by what, and
//! through `divider`, which makes the quotient exactly, a coordinate after the other. The level of detail needs all four pixels of a
//! cube on the face of the first valid one: where they show several all are divided a second time. A pixel beside that face may lie
//! far away, and takes twice as long; four lanes look whether one does.
//!
//! In units of one lane `turns` says which pixel is next, and edges are the differences of pixels that come one behind the other. In
//! units of four lanes `quads` says which quad is next. All pixels go side by side then, each through lanes, a `division` and a
//! `divider` of its own, and edges are their differences. The first pixel's have what is the same for all of them.
//!
//! Contract: items leave in the order in which they came. What is not divided, and whatever comes behind it, waits until no divided quad is
//! under way. A quad whose divisors are all 1 is not divided. w of textures without a third axis is 0, and v of those without a second one.
//! In units of one lane no ready waits for another in the same clock; in units of four `input.ready` depends on `output.ready`.
//!
//! Cost, of one lane: a quad takes 4 clocks where it is not divided, latency 8, with singles 14. One of a cube takes 16 to 18 clocks where all
//! pixels show one face, latency about 40, and about 90 where they do not. A quad that is divided by q takes 32 clocks, with a third axis
//! 48; where numbers are no singles half as long again. No multipliers; a LUT RAM of 8 or 16 places for what waits.
//!
//! Of four lanes: a quad takes a clock where it is not divided. One of a cube takes 2 clocks where all pixels show one face, 4 where they
//! do not, and 24 where one of them lies far from the first one's face. A quad that is divided by q takes 4 clocks, with a third axis 6; where numbers are no singles half as long again. Latency 6
//! to 15, divided about 40, or 60 where quotients may be large. No multipliers; a LUT RAM of 32 places.

mod along;
mod divider;
mod division;
mod edges;
mod lane;
mod number;
mod quads;
mod shapes;
mod turns;
mod waiting;

use super::words::{AXES, EDGE_BITS, NUMBER_BITS, PLACE_BITS, Place, ProjectedItem, RequestItem};
use along::Along;
use divider::Divider;
use division::Divisions;
use edges::{Begun, begun, ended};
use quads::Quads;
use shapes::{Manner, Parts, Wanted};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use turns::Turns;
use waiting::Waiting;

/// Bits of the number of a face.
pub(super) const FACE_BITS: usize = 3;
/// Items that may be under way: a register of a binding comes every second clock, and those of singles take longer. Side by side a
/// quad of a cube comes every second clock, and takes about 36.
const fn items_under_way(parts: Parts) -> usize {
    match (parts.wide, parts.floats) {
        (true, _) => 32,
        (false, true) => 16,
        (false, false) => 8,
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Projection {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`RequestItem`].
    pub input: StreamIn,
    /// A [`ProjectedItem`].
    pub output: StreamOut,
    turns: Optional<Turns>,
    quads: Optional<Quads>,
    divided: Optional<Divided>,
    u: Along,
    v: Along,
    w: Optional<Along>,
    is_behind: Optional<Reg>,
    waiting: SyncFifo,
    completes: Reg,
    out: Reg,
    /// Side by side, of what stands in `out`: the edges of each axis that has them, along the row and along the column.
    edges: Vec<[Begun<FieldReg>; 2]>,
    out_full: Reg,
    advance: Net<Local>,
    moves: Net<Local>,
    _config: Config,
}

/// What only divisions need.
#[derive(Bundle)]
struct Divided {
    divisions: Divisions,
    divider: Divider,
    /// Of the other pixels, where they go side by side.
    others: Vec<Beside>,
}

/// What divides for another pixel.
#[derive(Bundle)]
struct Beside {
    divisions: Divisions,
    divider: Divider,
}

impl Projection {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Projection {
        let parts = Parts::of(config);
        let clocks = Clocks::new();
        let edges = || [Begun::shape().registers(&clocks), Begun::shape().registers(&clocks)];
        let axes_with_edges = if parts.volume { AXES } else { AXES - 1 };
        let has_extra = parts.wide && parts.cube;
        let along = || Along::new(&clocks, parts, parts.divides(), [true, has_extra]);
        let third = || Along::new(&clocks, parts, parts.divides_third(), [parts.volume, false]);
        let beside = |_| {
            let parts = parts.followers();
            Beside { divisions: Divisions::new(parts), divider: Divider::new(parts) }
        };
        Projection {
            input: StreamIn::new(RequestItem::of(config).width()),
            output: StreamOut::new(ProjectedItem::of(config).width()),
            turns: Optional::new(!parts.wide, || Turns::new(config)),
            quads: Optional::new(parts.wide, || Quads::new(config)),
            divided: Optional::new(parts.divides(), || Divided {
                divisions: Divisions::new(parts),
                divider: Divider::new(parts),
                others: (0..parts.others()).map(beside).collect(),
            }),
            u: along(),
            v: along(),
            w: Optional::new(parts.w, third),
            is_behind: Optional::new(parts.cube, || Reg::with_reset(&clocks, 1, 0)),
            waiting: SyncFifo::with_style(
                items_under_way(parts),
                Waiting::of(config).width(),
                RamStyle::Distributed,
            ),
            completes: Reg::with_reset(&clocks, 1, 0),
            out: Reg::new(&clocks, standing(config).width()),
            edges: (0..if parts.wide { axes_with_edges } else { 0 }).map(|_| edges()).collect(),
            out_full: Reg::with_reset(&clocks, 1, 0),
            advance: Net::bit(),
            moves: Net::bit(),
            clocks,
            _config: config.clone(),
        }
    }

    /// The axes that there are.
    fn axes(&self) -> Vec<&Along> {
        [Some(&self.u), Some(&self.v), self.w.as_ref()].into_iter().flatten().collect()
    }
}

/// What stands in front of the output. Side by side, edges stand beside it, of which half is done.
fn standing(config: &Config) -> ProjectedItem<Width> {
    let ProjectedItem { edges, .. } = ProjectedItem::of(config);
    let is_wide = Parts::of(config).wide;
    ProjectedItem { edges: edges.map(|of| of.map(|edge| edge.when(!is_wide))), ..ProjectedItem::of(config) }
}

/// What has its turn.
struct Turned {
    is_plain: Bits,
    /// It is divided.
    is_wanted: Bits,
    /// Of each pixel that goes.
    wanted: Vec<Wanted>,
    manner: Manner,
    /// What waits of an item, and whether it begins to.
    is_aside: Bits,
    aside: Bits,
}

/// Numbers to places and edges.
#[kernel]
impl Projection {
    fn logic(&self) {
        let parts = Parts::of(&self._config);
        let latency = match (parts.wide, parts.floats) {
            (true, true) => 15,
            (true, false) => 9,
            (false, true) => 14,
            (false, false) => 8,
        };
        timing(latency, if parts.wide { 1 } else { 4 });
        self.pixels();
        let turned = self.turned();
        self.divide(&turned);
        for (axis, along) in self.axes().into_iter().enumerate() {
            self.coordinates(&turned, axis, along);
            along::place(along, self.advance.val());
        }
        self.complete(&turned);
        self.leave();
    }

    fn pixels(&self) {
        /// # Pixels
        self.advance.next = !self.out_full.val() || self.output.ready.val();
        let takes = match self.divided.as_ref() {
            Some(divided) => !divided.divisions.out_valid.val() || divided.divider.takes.val(),
            None => lit(1, 1u32),
        };
        self.moves.next = self.advance.val() && takes;
        if let Some(turns) = self.turns.as_ref() {
            turns.clocks.follow(&self.clocks);
            turns.input.valid.next = self.input.valid.val();
            turns.input.data.next = self.input.data.val();
            self.input.ready.next = turns.input.ready.val();
            turns.moves.next = self.moves.val();
        }
        if let Some(quads) = self.quads.as_ref() {
            quads.clocks.follow(&self.clocks);
            quads.input.valid.next = self.input.valid.val();
            quads.input.data.next = self.input.data.val();
            self.input.ready.next = quads.input.ready.val();
            quads.moves.next = self.moves.val();
        }
    }

    fn turned(&self) -> Turned {
        let none = || lit(1, 0u32);
        match (self.turns.as_ref(), self.quads.as_ref()) {
            (Some(turns), None) => Turned {
                is_plain: turns.is_plain.val(),
                is_wanted: turns.divided.as_ref().map_or_else(none, |divided| divided.valid.val()),
                wanted: vec![turns.wanted.val()],
                manner: turns.manner.val(),
                is_aside: turns.has_gone.val(),
                aside: turns.gone.val(),
            },
            (None, Some(quads)) => Turned {
                is_plain: quads.is_plain.val(),
                is_wanted: quads.divided.as_ref().map_or_else(none, |divided| divided.valid.val()),
                wanted: quads.wanted.iter().map(|wanted| wanted.val()).collect(),
                manner: quads.manner.val(),
                is_aside: quads.has_come.val(),
                aside: quads.aside.val(),
            },
            _ => unreachable!("something takes turns"),
        }
    }

    fn divide(&self, turned: &Turned) {
        /// # Divisions
        let Some(divided) = self.divided.as_ref() else { return };
        let first = std::iter::once((&divided.divisions, &divided.divider));
        let others = divided.others.iter().map(|of| (&of.divisions, &of.divider));
        for ((divisions, divider), wanted) in first.chain(others).zip(&turned.wanted) {
            divisions.clocks.follow(&self.clocks);
            divisions.advance.next = self.moves.val();
            divisions.in_valid.next = turned.is_wanted;
            divisions.wanted.next = wanted.clone();
            divider.clocks.follow(&self.clocks);
            divider.advance.next = self.advance.val();
            divider.in_valid.next = divisions.out_valid.val();
            divider.division.next = divisions.division.val();
        }
        for beside in &divided.others {
            discard(beside.divider.takes.val(), "all of them move together");
        }
        let cube = self.turns.as_ref().and_then(|turns| turns.cube.as_ref());
        if let (Some(cube), Some(faces)) = (cube, divided.divisions.faces.as_ref()) {
            cube.face_valid.next = faces.valid.val();
            cube.face_pixel.next = faces.pixel.val();
            cube.face.next = faces.face.val();
        }
        let ends = self.axes().into_iter().map(|along| {
            let arrival = along.lane.arrival.val();
            along.lane.out_valid.val() && arrival.mark.is_last && arrival.is_divided
        });
        let turns = self.turns.as_ref().and_then(|turns| turns.divided.as_ref());
        let quads = self.quads.as_ref().and_then(|quads| quads.divided.as_ref());
        match (turns, quads) {
            (Some(turns), _) => turns.leaves.next = stack(ends).any() && self.advance.val(),
            (None, Some(quads)) => quads.leaves.next = stack(ends).any() && self.advance.val(),
            (None, None) => unreachable!("something takes turns"),
        }
    }

    /// What comes to the lanes of an axis.
    fn coordinates(&self, turned: &Turned, axis: usize, along: &Along) {
        /// # Numbers
        let manner = &turned.manner;
        for (lane, wanted) in along.lanes().zip(&turned.wanted) {
            let number = wanted.numbers[axis].low(NUMBER_BITS);
            lane.clocks.follow(&self.clocks);
            lane.advance.next = self.advance.val();
            lane.mark.next = wanted.mark.clone();
            lane.is_raw.next = manner.is_raw;
            if axis < 2 {
                lane.in_valid.next = turned.is_plain;
                lane.number.next = number;
            } else {
                let clears = turned.is_wanted && manner.clears_w;
                lane.in_valid.next = turned.is_plain || clears;
                lane.number.next =
                    if lane.is_void.is_some() { number } else { number & manner.has_w.repeat(NUMBER_BITS) };
            }
            if let Some(is_void) = lane.is_void.as_ref() {
                is_void.next = if axis < 2 { lit(1, 0u32) } else { !manner.has_w };
            }
        }
        let Some(from) = self.divided.as_ref() else { return };
        if along.lane.divided.is_none() {
            return;
        }
        let first = from.divider.quotient.val();
        let is_own = || from.divider.out_valid.val() && first.mark.axis == axis as u64;
        let dividers = std::iter::once(&from.divider).chain(from.others.iter().map(|of| &of.divider));
        for (lane, divider) in along.lanes().zip(dividers) {
            if let Some(to) = lane.divided.as_ref() {
                to.valid.next = is_own();
                to.quotient.next = divider.quotient.val();
            }
        }
    }

    /// The differences along the row and along the column, of each axis.
    fn edges(&self) -> [[Bits; AXES]; 2] {
        let none = || lit(EDGE_BITS, 0u32);
        let axes = [Some(&self.u), Some(&self.v), self.w.as_ref()];
        let of = |axis: usize| match (self.edges.get(axis), axes[axis].and_then(|along| along.edges.as_ref()))
        {
            (Some([row, column]), _) => [ended(&row.val()), ended(&column.val())],
            (None, Some(edges)) => [edges.row.val(), edges.column.val()],
            (None, None) => [none(), none()],
        };
        let edges = [of(0), of(1), of(2)];
        [0, 1].map(|edge: usize| edges.map(|of| of[edge]))
    }

    fn complete(&self, turned: &Turned) {
        /// # Whole items
        let arrivals: Vec<_> = self
            .axes()
            .into_iter()
            .map(|along| (along.lane.out_valid.val(), along.lane.arrival.val()))
            .collect();
        let is_last = stack(arrivals.iter().map(|(comes, arrival)| *comes && arrival.mark.is_last)).any();
        if self.advance.val() {
            self.completes.next = is_last;
        }
        if let Some(is_behind) = self.is_behind.as_ref() {
            let others = self.axes().into_iter().flat_map(|along| &along.others);
            let others: Vec<_> =
                others.map(|lane| lane.out_valid.val() && lane.arrival.val().is_behind).collect();
            let own = arrivals.iter().map(|(comes, arrival)| *comes && arrival.is_behind);
            let more = stack(own.chain(others)).any();
            if self.advance.val() {
                is_behind.next = (is_behind.val() && !self.completes.val()) || more;
            }
        }
        let waiting = &self.waiting;
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = turned.is_aside;
        waiting.input.data.next = turned.aside;
        waiting.output.ready.next = self.completes.val() && self.advance.val();
        discard(waiting.input.ready.val(), "fewer items are under way");
        discard(waiting.level.val(), "as above");
        discard(waiting.output.valid.val(), "an item is here before its places");
    }

    fn leave(&self) {
        /// # Items
        let config = &self._config;
        let waits = Waiting::of(config).unpack(self.waiting.output.data.val());
        let none = |bits| lit(bits, 0u32);
        let axes = [Some(&self.u), Some(&self.v), self.w.as_ref()];
        let place = |pixel: usize| {
            let [u, v, w] =
                axes.map(|along| along.map_or_else(|| none(PLACE_BITS), |along| along.own[pixel].val()));
            Place { u, v, w, face: waits.faces[pixel], reference: waits.references[pixel] }
        };
        let edges = self.edges();
        let item = ProjectedItem {
            head: waits.head.clone(),
            marks: waits.marks.clone(),
            places: [0, 1, 2, 3].map(place),
            edges,
            is_behind: self.is_behind.as_ref().map_or_else(|| none(1), |reg| reg.val()),
        };
        if self.advance.val() {
            self.out_full.next = self.completes.val();
            self.out.next = standing(config).pack(&item);
        }
        for (along, [row, column]) in self.axes().into_iter().zip(&self.edges) {
            let from = if along.seen.is_empty() { &along.own } else { &along.seen };
            let [of_row, of_column] = begun(waits.far, &[0, 1, 2, 3].map(|pixel: usize| from[pixel].val()));
            if self.advance.val() {
                row.next = of_row;
                column.next = of_column;
            }
        }
        let out = standing(config).unpack(self.out.val());
        let edges = if self.edges.is_empty() { out.edges } else { edges };
        self.output.valid.next = self.out_full.val();
        self.output.data.next = ProjectedItem::of(config).pack(&ProjectedItem { edges, ..out });
    }
}
