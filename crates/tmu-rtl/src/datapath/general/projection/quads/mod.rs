//! `quads`: which quad is next, and for what, where all pixels of a quad go side by side.
//!
//! While items come one behind the other it is found which of them are divided, what counts as nothing, and which faces directions
//! point to. In the last stage an item stands while it takes its turns. Where nothing is divided it has one, and only once no division
//! is under way. Where something is, each coordinate has one, for all pixels. If a pixel at an end of an edge shows another face than
//! the first valid one, all coordinates go a second time, for that face. Where one of them may be 2 or more there, those divisions are
//! longer than the next quad's, which wait until those are in their last round.
//!
//! Contract: an item takes a clock, one that is divided 2 or 3 and as many as the divider makes it wait. Latency: the stages of
//! [`Stage`].

mod arriving;

use super::FACE_BITS;
use super::edges::{ends, far};
use super::shapes::{Manner, Mark, Parts, Wanted};
use super::waiting::Waiting;
use crate::datapath::general::words::{RequestItem, general};
use arriving::Standing;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::field::KIND;

/// Bits of the number of quads that are divided and under way.
const IN_FLIGHT_BITS: usize = 6;
/// Bits of the number of clocks that shorter divisions wait.
const REST_BITS: usize = 6;
/// u, v, w and q.
const NUMBERS: usize = 4;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    /// It comes in.
    Entry,
    /// Numbers that mean nothing become 0.
    Zeros,
    /// The magnitudes of components are compared.
    Magnitudes,
    /// The face of the first valid pixel is found.
    First,
    /// It is compared with the others.
    Crosses,
    /// It takes its turns.
    Turn,
}

/// The stages of a configuration.
fn stages(parts: Parts) -> Vec<Stage> {
    let is_there = |stage: &Stage| match stage {
        Stage::Entry | Stage::Zeros | Stage::Turn => true,
        Stage::Magnitudes => parts.divides(),
        Stage::First | Stage::Crosses => parts.cube,
    };
    Stage::ALL.iter().copied().filter(is_there).collect()
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Quads {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// A [`RequestItem`].
    pub(super) input: StreamIn,
    /// Pixels move on at the next edge.
    pub(super) moves: Net<In>,
    /// There is an item that is not divided.
    pub(super) is_plain: Net<Out>,
    /// The pixels.
    pub(super) wanted: Vec<Wanted<Field<Out>>>,
    /// How they become places.
    pub(super) manner: Manner<Field<Out>>,
    /// An item has come to its first turn.
    pub(super) has_come: Net<Out>,
    /// What of it waits meanwhile.
    pub(super) aside: Net<Out>,
    /// Where something is divided.
    pub(super) divided: Optional<Divided>,
    kind: Optional<Reg>,
    /// The item has its last turn, and goes.
    ends: Net<Local>,
    /// Items in front of it move on.
    front: Net<Local>,
    /// They have just done so: what stands has not been put aside yet. That it goes would be known too late for the FIFO in which it waits.
    is_fresh: Reg,
    pipe: Pipe<Stage>,
    _config: Config,
}

/// What only divisions need.
#[derive(Bundle)]
pub(super) struct Divided {
    /// There is an item that is divided.
    pub(super) valid: Net<Out>,
    /// A quad that was has left.
    pub(super) leaves: Net<In>,
    axis: Reg,
    /// Where there are three: it is the last one of the item. Whether an item goes depends on it.
    is_last_axis: Optional<Reg>,
    in_flight: Reg,
    /// A quad has just come to them, and one has just left.
    came: Reg,
    went: Reg,
    /// None is under way.
    is_clear: Reg,
    cube: Optional<Cube>,
}

/// What only cubes need.
#[derive(Bundle)]
struct Cube {
    /// All goes a second time.
    is_extra: Reg,
    /// Clocks until those divisions are in their last round.
    rest: Reg,
    /// There are any: all that goes waits for this.
    rests: Reg,
}

impl Quads {
    pub(super) fn new(config: &Config) -> Quads {
        let parts = Parts::of(config);
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let kinds = general(config).kinds().count();
        let others = (0..parts.others()).map(|_| Wanted::of(parts.followers()).nets());
        let quads = Quads {
            input: StreamIn::new(RequestItem::of(config).width()),
            moves: Net::bit(),
            is_plain: Net::bit(),
            wanted: std::iter::once(Wanted::of(parts).nets()).chain(others).collect(),
            manner: Manner::of(parts).nets(),
            has_come: Net::bit(),
            aside: Net::new(Waiting::of(config).width()),
            divided: Optional::new(parts.divides(), || Divided {
                valid: Net::bit(),
                leaves: Net::bit(),
                axis: Reg::with_reset(&clocks, parts.axis_bits(), 0),
                is_last_axis: Optional::new(parts.axis_bits() > 1, flag),
                in_flight: Reg::with_reset(&clocks, IN_FLIGHT_BITS, 0),
                came: flag(),
                went: flag(),
                is_clear: flag(),
                cube: Optional::new(parts.cube, || Cube {
                    is_extra: flag(),
                    rest: Reg::with_reset(&clocks, REST_BITS, 0),
                    rests: flag(),
                }),
            }),
            kind: Optional::new(kinds > 1, || Reg::new(&clocks, KIND.bits as usize)),
            ends: Net::bit(),
            front: Net::bit(),
            is_fresh: flag(),
            pipe: Pipe::with(&stages(parts)),
            _config: config.clone(),
            clocks,
        };
        quads.pipe.plan(&quads.clocks, || quads.logic());
        quads
    }
}

/// What its turn is for.
struct Turn {
    is_plain: Bits,
    is_wanted: Bits,
    axis: Bits,
    is_extra: Bits,
    /// Quotients may be 2 or more.
    is_long: Bits,
    /// The axis is the last one.
    is_last_axis: Bits,
    /// It is the item's last one.
    is_last: Bits,
}

/// Items to turns.
#[kernel]
impl Quads {
    fn logic(&self) {
        let parts = Parts::of(&self._config);
        let pipe = self.pipe.run(&self.clocks, self.front.val());
        timing(self.pipe.latency_clocks(), 1);
        let item = arriving::items(self, parts, &pipe);
        self.front.next = !item.full || self.ends.val();
        self.input.ready.next = self.front.val();
        let turn = self.turn(&item);
        self.count(parts, &item, &turn);
        self.leave(parts, &item, &turn);
    }

    /// What the turn of the item is for.
    fn turn(&self, item: &Standing) -> Turn {
        /// # Turns
        let (full, about) = (item.full, &item.about);
        let Some(divided) = self.divided.as_ref() else {
            let none = lit(1, 0u32);
            self.ends.next = full && self.moves.val();
            return Turn {
                is_plain: full,
                is_wanted: none,
                axis: none,
                is_extra: none,
                is_long: none,
                is_last_axis: none,
                is_last: lit(1, 1u32),
            };
        };
        let axis = divided.axis.val();
        let is_last_axis = divided.is_last_axis.as_ref().map_or_else(|| axis.bit(0), |reg| reg.val());
        let (is_extra, waits) = match divided.cube.as_ref() {
            Some(cube) => {
                let is_extra = cube.is_extra.val();
                (is_extra, about.is_cube && !is_extra && cube.rests.val())
            }
            None => (lit(1, 0u32), lit(1, 0u32)),
        };
        let is_plain = full && !about.is_divided && divided.is_clear.val();
        let is_wanted = full && about.is_divided && !waits;
        let is_last = !about.is_divided || (is_last_axis && !(item.is_several && !is_extra));
        self.ends.next = (is_plain || (is_wanted && is_last)) && self.moves.val();
        let is_long = !about.is_cube || (is_extra && item.is_far);
        Turn { is_plain, is_wanted, axis, is_extra, is_long, is_last_axis, is_last }
    }

    fn count(&self, parts: Parts, item: &Standing, turn: &Turn) {
        /// # Counters
        let Some(divided) = self.divided.as_ref() else { return };
        let (moves, ends) = (self.moves.val(), self.ends.val());
        let goes = turn.is_wanted && moves;
        if goes {
            divided.axis.next = if turn.is_last_axis { lit(parts.axis_bits(), 0u32) } else { turn.axis + 1 };
        }
        if let Some(is_last_axis) = divided.is_last_axis.as_ref() {
            let comes_last = if item.about.has_w { turn.axis == 1 } else { turn.axis == 0 };
            if goes {
                is_last_axis.next = comes_last && !turn.is_last_axis;
            }
        }
        divided.came.next = ends && item.about.is_divided;
        divided.went.next = divided.leaves.val();
        let (came, went) = (divided.came.val(), divided.went.val());
        let in_flight = divided.in_flight.val();
        let change = cat(&[(went && !came).repeat(IN_FLIGHT_BITS - 1), came ^ went]);
        divided.in_flight.next = in_flight + change;
        let stands = item.full && item.about.is_divided;
        divided.is_clear.next = !in_flight.any() && !came && !stands;
        let Some(cube) = divided.cube.as_ref() else { return };
        if ends {
            cube.is_extra.next = 0;
        } else if goes && turn.is_last_axis {
            cube.is_extra.next = 1;
        }
        let rounds = parts.long_rounds() - parts.short_rounds();
        let clocks = u64::from(rounds) * parts.steps() as u64;
        let rest = cube.rest.val();
        if goes && turn.is_extra && turn.is_long {
            cube.rest.next = clocks;
            cube.rests.next = u64::from(clocks > 0);
        } else if moves && cube.rests.val() {
            cube.rest.next = rest - 1;
            cube.rests.next = rest != 1;
        }
    }

    fn leave(&self, parts: Parts, item: &Standing, turn: &Turn) {
        /// # Pixels
        let (about, rest) = (&item.about, &item.rest);
        let [no_row, no_column, no_pixel] = [lit(1, 0u32), lit(1, 0u32), lit(2, 0u32)];
        let mark = Mark {
            pixel: no_pixel,
            axis: turn.axis,
            is_extra: turn.is_extra,
            to_row: no_row,
            to_column: no_column,
            is_last: turn.is_last,
        };
        let is_layer =
            if parts.divides_third() { about.is_layered && turn.axis.high(1) } else { lit(1, 0u32) };
        let ends = ends(rest.marks.valid);
        for (pixel, wanted) in self.wanted.iter().enumerate() {
            let [u, v, w, q] = item.numbers[pixel];
            let [no_u, no_v, no_w, no_q] = item.are_none[pixel];
            wanted.next = Wanted {
                mark: mark.clone(),
                numbers: [u, v, w],
                q,
                is_layer,
                is_cube: about.is_cube,
                is_long: turn.is_long,
                is_end: ends[pixel],
                face: if turn.is_extra { item.first } else { item.faces[pixel] },
                is_none: [no_u, no_v, no_w, no_q],
            };
        }
        self.is_plain.next = turn.is_plain;
        let clears_w = !about.has_w && !turn.axis.any();
        self.manner.next = Manner { is_raw: about.is_raw, has_w: !about.is_divided, clears_w };
        if let Some(divided) = self.divided.as_ref() {
            divided.valid.next = turn.is_wanted;
        }
        /// # What waits
        let shows = about.is_cube.repeat(FACE_BITS);
        self.is_fresh.next = self.front.val();
        self.has_come.next = item.full && self.is_fresh.val();
        self.aside.next = Waiting::of(&self._config).pack(&Waiting {
            head: rest.head.clone(),
            marks: rest.marks.clone(),
            faces: item.faces.map(|face: Bits| face & shows),
            references: rest.references,
            far: far(rest.marks.valid),
        });
    }
}
