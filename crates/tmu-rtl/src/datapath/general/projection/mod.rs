//! `projection`: from the numbers of a request to places, and to the edges of the quad's footprint.
//!
//! `turns` says which pixel is next. What is not divided goes into `lane`, one for each axis, a pixel a clock: fixed-point numbers are
//! shifted, singles rounded down, integers go on as they are. What is divided by q, and a direction into a cube, goes through `division`,
//! which finds what is divided by what, and through `divider`, which makes the quotient exactly, a coordinate after the other. The level
//! of detail needs all four pixels of a cube on the face of the first valid one: where they show several all are divided a second time.
//! A pixel beside that face may lie far away, and takes twice as long. Edges are the differences of pixels that come one behind the other.
//!
//! Contract: items leave in the order in which they came. What is not divided, and whatever comes behind it, waits until no divided quad is
//! under way. A quad whose divisors are all 1 is not divided. w of textures without a third axis is 0, and v of those without a second one.
//!
//! Cost: a quad takes 4 clocks where it is not divided, latency 8, with singles 14. One of a cube takes 16 to 18 clocks where all pixels show one
//! face, latency about 40, and about 90 where they do not. A quad that is divided by q takes 32 clocks, with a third axis 48; where
//! numbers are no singles half as long again. No multipliers; a LUT RAM of 8 places for what waits.

mod divider;
mod division;
mod edges;
mod lane;
mod number;
mod shapes;
mod turns;
mod waiting;

use super::words::{EDGE_BITS, NUMBER_BITS, PIXELS, PLACE_BITS, Place, ProjectedItem, RequestItem};
use divider::Divider;
use division::Divisions;
use lane::Lane;
use shapes::Parts;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use turns::Turns;
use waiting::Waiting;

/// Bits of the number of a face.
pub(super) const FACE_BITS: usize = 3;
/// Items that may be under way: a register of a binding comes every second clock, and those of singles take longer.
const fn items_under_way(floats: bool) -> usize {
    if floats { 16 } else { 8 }
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
    turns: Turns,
    divided: Optional<Divided>,
    u: Along,
    v: Along,
    w: Optional<Along>,
    is_behind: Optional<Reg>,
    waiting: SyncFifo,
    completes: Reg,
    out: Reg,
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
}

/// An axis.
#[derive(Bundle)]
struct Along {
    lane: Lane,
    /// Where each pixel is.
    own: Vec<Reg>,
    edges: Optional<Edges>,
}

/// Edges along an axis.
#[derive(Bundle)]
struct Edges {
    /// The coordinate that came last.
    last: Reg,
    /// The one before it.
    before: Reg,
    row: Reg,
    column: Reg,
}

impl Along {
    fn new(clocks: &Clocks, parts: Parts, is_divided: bool, has_edges: bool) -> Along {
        let place = || Reg::new(clocks, PLACE_BITS);
        let edge = || Reg::new(clocks, EDGE_BITS);
        Along {
            lane: Lane::new(parts, is_divided),
            own: Reg::array(PIXELS, clocks, PLACE_BITS),
            edges: Optional::new(has_edges, || Edges {
                last: place(),
                before: place(),
                row: edge(),
                column: edge(),
            }),
        }
    }
}

impl Projection {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Projection {
        let parts = Parts::of(config);
        let clocks = Clocks::new();
        let out = ProjectedItem::of(config).width();
        let along = || Along::new(&clocks, parts, parts.divides(), true);
        let third = || Along::new(&clocks, parts, parts.divides_third(), parts.volume);
        Projection {
            input: StreamIn::new(RequestItem::of(config).width()),
            output: StreamOut::new(out),
            turns: Turns::new(config),
            divided: Optional::new(parts.divides(), || Divided {
                divisions: Divisions::new(parts),
                divider: Divider::new(parts),
            }),
            u: along(),
            v: along(),
            w: Optional::new(parts.w, third),
            is_behind: Optional::new(parts.cube, || Reg::with_reset(&clocks, 1, 0)),
            waiting: SyncFifo::with_style(
                items_under_way(parts.floats),
                Waiting::of(config).width(),
                RamStyle::Distributed,
            ),
            completes: Reg::with_reset(&clocks, 1, 0),
            out: Reg::new(&clocks, out),
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

/// Numbers to places and edges.
#[kernel]
impl Projection {
    fn logic(&self) {
        timing(if Parts::of(&self._config).floats { 14 } else { 8 }, 4);
        self.pixels();
        self.divide();
        for (axis, along) in self.axes().into_iter().enumerate() {
            self.coordinates(axis, along);
            self.place(along);
        }
        self.complete();
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
        let turns = &self.turns;
        turns.clocks.follow(&self.clocks);
        turns.input.valid.next = self.input.valid.val();
        turns.input.data.next = self.input.data.val();
        self.input.ready.next = turns.input.ready.val();
        turns.moves.next = self.moves.val();
    }

    fn divide(&self) {
        /// # Divisions
        let (Some(divided), Some(turns)) = (self.divided.as_ref(), self.turns.divided.as_ref()) else {
            return;
        };
        let (divisions, divider) = (&divided.divisions, &divided.divider);
        divisions.clocks.follow(&self.clocks);
        divisions.advance.next = self.moves.val();
        divisions.in_valid.next = turns.valid.val();
        divisions.wanted.next = self.turns.wanted.val();
        if let (Some(cube), Some(faces)) = (self.turns.cube.as_ref(), divisions.faces.as_ref()) {
            cube.face_valid.next = faces.valid.val();
            cube.face_pixel.next = faces.pixel.val();
            cube.face.next = faces.face.val();
        }
        divider.clocks.follow(&self.clocks);
        divider.advance.next = self.advance.val();
        divider.in_valid.next = divisions.out_valid.val();
        divider.division.next = divisions.division.val();
        let ends = self.axes().into_iter().map(|along| {
            let arrival = along.lane.arrival.val();
            along.lane.out_valid.val() && arrival.mark.is_last && arrival.is_divided
        });
        turns.leaves.next = stack(ends).any() && self.advance.val();
    }

    /// What comes to the lane of an axis.
    fn coordinates(&self, axis: usize, along: &Along) {
        /// # Numbers
        let (turns, lane) = (&self.turns, &along.lane);
        let (wanted, manner) = (turns.wanted.val(), turns.manner.val());
        lane.clocks.follow(&self.clocks);
        lane.advance.next = self.advance.val();
        lane.mark.next = wanted.mark;
        lane.is_raw.next = manner.is_raw;
        if axis < 2 {
            lane.in_valid.next = turns.is_plain.val();
            lane.number.next = wanted.numbers[axis];
        } else {
            let clears = turns
                .divided
                .as_ref()
                .map_or_else(|| lit(1, 0u32), |divided| divided.valid.val() && manner.clears_w);
            lane.in_valid.next = turns.is_plain.val() || clears;
            lane.number.next = wanted.numbers[axis] & manner.has_w.repeat(NUMBER_BITS);
        }
        if let (Some(to), Some(from)) = (lane.divided.as_ref(), self.divided.as_ref()) {
            let quotient = from.divider.quotient.val();
            to.valid.next = from.divider.out_valid.val() && quotient.mark.axis == axis as u64;
            to.quotient.next = quotient;
        }
    }

    /// Where a coordinate goes, and what it is an end of.
    fn place(&self, along: &Along) {
        /// # Places
        let lane = &along.lane;
        let (mark, value) = (lane.arrival.val().mark, lane.value.val());
        let comes = lane.out_valid.val() && self.advance.val();
        for (number, own) in along.own.iter().enumerate() {
            if comes && !mark.is_extra && mark.pixel == number as u64 {
                own.next = value;
            }
        }
        let Some(edges) = along.edges.as_ref() else { return };
        let less = |other: &Reg| value.sign_extend(EDGE_BITS) - other.val().sign_extend(EDGE_BITS);
        if comes {
            edges.last.next = value;
            edges.before.next = edges.last.val();
        }
        if comes && mark.to_row {
            edges.row.next = less(&edges.last);
        }
        if comes && mark.to_column {
            edges.column.next = less(&edges.before);
        }
    }

    fn complete(&self) {
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
            let more = stack(arrivals.iter().map(|(comes, arrival)| *comes && arrival.is_behind)).any();
            if self.advance.val() {
                is_behind.next = (is_behind.val() && !self.completes.val()) || more;
            }
        }
        let waiting = &self.waiting;
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = self.turns.has_gone.val();
        waiting.input.data.next = self.turns.gone.val();
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
        let along = |of: fn(&Edges) -> Bits| {
            axes.map(|along| {
                let edges = along.and_then(|along| along.edges.as_ref());
                edges.map_or_else(|| none(EDGE_BITS), of)
            })
        };
        let item = ProjectedItem {
            head: waits.head.clone(),
            marks: waits.marks.clone(),
            places: [0, 1, 2, 3].map(place),
            edges: [along(|edges| edges.row.val()), along(|edges| edges.column.val())],
            is_behind: self.is_behind.as_ref().map_or_else(|| none(1), |reg| reg.val()),
        };
        if self.advance.val() {
            self.out_full.next = self.completes.val();
            self.out.next = ProjectedItem::of(config).pack(&item);
        }
        self.output.valid.next = self.out_full.val();
        self.output.data.next = self.out.val();
    }
}
