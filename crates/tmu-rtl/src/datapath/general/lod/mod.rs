//! `lod`: into which levels a quad looks, and with which filter.
//!
//! The four components of a footprint's edges go one after the other through one path, a clock behind each other, see `edges`; a
//! level of detail or a bias of the request becomes an integer beside it, see `bias`; what comes of both is limited and cut into
//! levels in `level`. The items wait in places that move on together every four clocks, and a stage of the arithmetic works on
//! the item of one place. Which of the components it has says the clock's number, the phase.
//!
//! Contract: items leave in the order in which they came. All registers hold in the last phase while the item that left last still
//! stands at the output, so no path goes from one handshake to the other. Fields of a binding's record are kept where they are
//! used, when the register passes there. Of a quad that failed level and filter mean nothing.
//!
//! Cost: latency 24 clocks, initiation interval 4; 2 for registers of a binding while there are no quads under way. 6 multipliers, of
//! 26 x 14, 11 x 14, 17 x 17, 17 x 16, 17 x 17 and, with operations that give a level of detail or a bias, 24 x 15 bits; a ROM of 2048 x 9;
//! about 385 LUTs and 2,900 flip-flops, most of which hold waiting items. Without mipmaps and linear
//! filters the stage is a register.

mod bias;
mod edges;
mod level;

use self::bias::Bias;
use self::edges::Edges;
use self::level::{Levels, Limits};
use super::words::{
    EDGE_BITS, ItemHead, LeveledItem, LookUp, PARTS_LOG2_BITS, PIXELS, Place as Coordinates, ProjectedItem,
    extras, general,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::REGISTER_BITS;

/// Clocks that an item stands in a place: as many as an edge has components.
pub const INTERVAL_CLOCKS: usize = 4;

/// Where an item waits. The arithmetic works on the places named after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Place {
    /// In front of the stage.
    Entry,
    /// Edges become texels, and the request's level of detail an integer.
    Scale,
    /// The largest edge tells by how much all are shifted.
    Measure,
    /// They are shifted.
    Shift,
    /// They are squared.
    Square,
    /// The level of detail is limited, and tells the levels.
    Limit,
    /// It leaves.
    Exit,
}

/// Where a component of an edge is on its way, and what comes of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Step {
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
    /// It waits for the other components.
    Wait,
    /// As above.
    WaitMore,
    /// As above.
    WaitLonger,
    /// The highest bit of all components is found behind the last one.
    Highest,
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
    /// Its square is there; with the one before it is the length of an edge, which goes into the ROM.
    Squared,
    /// The ROM is read.
    Read,
    /// The logarithm is there. The larger one of both becomes the level of detail.
    Logarithm,
    /// The level of detail is compared with its limits.
    Compare,
    /// It is limited.
    Limit,
    /// It tells the levels.
    Level,
}

/// What waits to leave.
#[derive(Clone, Debug, Record)]
struct Waiting<T = Bits> {
    register: T,
    valid: T,
    is_failed: T,
    places: [Coordinates<T>; PIXELS],
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Lod {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A [`ProjectedItem`].
    pub input: StreamIn,
    /// A [`LeveledItem`].
    pub output: StreamOut,
    turns: Optional<Turns>,
    edges: Optional<Edges>,
    bias: Optional<Bias>,
    limits: Optional<Limits>,
    places: Pipe<Place>,
    steps: Pipe<Step>,
    _config: Config,
}

/// When items move.
#[derive(Bundle)]
struct Turns {
    /// The clock's number in a place.
    phase: Reg,
    /// There has been an item in front of the stage since phase 0.
    is_offered: Reg,
    /// There is an item at the output.
    is_full: Reg,
}

/// When registers move, and when items do.
struct Moves {
    phase: Bits,
    /// Registers take what comes.
    all: Bits,
    /// Items go on to the next place.
    items: Bits,
}

/// What becomes of the items on their way.
type Items<'a, W = Bits> = Payload<'a, Place, W>;

/// Whether there are several levels or filters to choose from.
fn has_choice(config: &Config) -> bool {
    config.features().mipmaps() || config.features().bilinear()
}

impl Lod {
    /// The stage for a configuration.
    ///
    /// # Panics
    /// When the configuration has what is not built here yet.
    pub fn new(config: &Config) -> Lod {
        let general_features = general(config);
        let is_built = |kind| matches!(kind, Kind::D2 | Kind::Cube);
        assert!(general_features.kinds().all(is_built), "kinds beside 2d and cube are not built");
        assert_eq!(general_features.max_anisotropy, 1, "anisotropy is not built");
        for operation in [OperationName::Fetch, OperationName::Gather] {
            assert!(!general_features.has_operation(operation), "{operation:?} is not built");
        }
        let clocks = Clocks::new();
        let has_choice = has_choice(config);
        let has_bias = has_choice && extras(config).operation;
        let lod = Lod {
            input: StreamIn::new(ProjectedItem::of(config).width()),
            output: StreamOut::new(LeveledItem::of(config).width()),
            turns: Optional::new(has_choice, || Turns {
                phase: Reg::with_reset(&clocks, 2, 0),
                is_offered: Reg::with_reset(&clocks, 1, 0),
                is_full: Reg::with_reset(&clocks, 1, 0),
            }),
            edges: Optional::new(has_choice, || Edges::new(&clocks)),
            bias: Optional::new(has_bias, Bias::new),
            limits: Optional::new(has_choice, || Limits::new(&clocks, config)),
            places: Pipe::with(if has_choice { Place::ALL } else { &[Place::Entry, Place::Exit] }),
            steps: Pipe::new(),
            _config: config.clone(),
            clocks,
        };
        lod.places.plan(&lod.clocks, || lod.steps.plan(&lod.clocks, || lod.logic()));
        lod
    }
}

/// Into which levels a quad looks, and with which filter.
#[kernel]
impl Lod {
    fn logic(&self) {
        let item = ProjectedItem::of(&self._config).unpack(self.input.data.val());
        let (Some(turns), Some(edges), Some(limits)) =
            (self.turns.as_ref(), self.edges.as_ref(), self.limits.as_ref())
        else {
            self.forward(&item);
            return;
        };
        timing(((Place::ALL.len() - 1) * INTERVAL_CLOCKS) as u32, INTERVAL_CLOCKS as u32);
        let moves = self.moves(turns);
        let places = self.places.run(&self.clocks, moves.items);
        let steps = self.steps.run(&self.clocks, moves.all);
        /// # Items
        let is_binding = item.head.is_binding && turns.is_offered.val();
        let is_quad = !item.head.is_binding && turns.is_offered.val();
        let is_binding = places.flag(Place::Entry, "is_binding", is_binding);
        let is_quad = places.flag(Place::Entry, "is_quad", is_quad);
        let waiting = Waiting {
            register: item.head.register,
            valid: item.marks.valid,
            is_failed: item.marks.is_failed,
            places: item.places.clone(),
        };
        let waiting = places.put(Place::Entry, "item", waiting);
        self.take_turns(turns, &moves, item.head.is_binding, &is_binding, &is_quad);
        /// What keeps a field of a binding looks at the items of one place.
        let passes = |place: Place| {
            let Waiting { register, places, .. } = waiting.at(place);
            let head = ItemHead { is_binding: is_binding.at(place) && moves.items, register };
            (head, places[0].u.low(REGISTER_BITS as usize))
        };
        /// # Leave
        let levels = self.levels((edges, limits), (&places, &steps), &item, &moves, &passes);
        let levels = places.put(Place::Limit, "levels", levels).at(Place::Exit);
        let Waiting { register, valid, is_failed, places } = waiting.at(Place::Exit);
        let head = ItemHead { is_binding: is_binding.at(Place::Exit), register };
        self.output.valid.next = turns.is_full.val();
        self.output.data.next = LeveledItem::of(&self._config).pack(&LeveledItem {
            head,
            valid,
            is_failed,
            places,
            look_up: LookUp::sample(),
            is_linear: levels.is_linear,
            level: levels.level,
            fraction: levels.fraction,
            parts_log2: lit(PARTS_LOG2_BITS, 0u32),
            deltas: [lit(EDGE_BITS, 0u32); 2],
        });
    }

    /// What is chosen, for the quad in the place in front of the last one.
    fn levels(
        &self,
        (edges, limits): (&Edges, &Limits),
        (places, steps): (&Run<'_, Place>, &Run<'_, Step>),
        item: &ProjectedItem,
        moves: &Moves,
        passes: &dyn Fn(Place) -> (ItemHead, Bits),
    ) -> Levels {
        let has_explicit = general(&self._config).has_operation(OperationName::Lod);
        let is_explicit = has_explicit && item.marks.operation == OperationName::Lod as u64;
        let is_explicit = places.put(Place::Entry, "is_explicit", is_explicit);
        let is_behind = places.put(Place::Entry, "is_behind", item.is_behind);
        edges::keep_sides(edges, item, self.input.valid.val(), moves.phase);
        let bias = bias::bias(self.bias.as_ref(), limits, places, &item.marks, &self.clocks, moves, passes);
        let shifted = edges::shifted(edges, steps, item, moves);
        let footprint = edges::footprint(edges, places, &is_explicit);
        let logarithms = edges::logarithms(edges, steps, &shifted);
        let terms = level::Terms {
            bias: bias.at(Place::Square),
            shift: footprint.shift.at(Place::Square),
            is_explicit: is_explicit.at(Place::Square),
        };
        level::sum(limits, terms, logarithms, moves.phase);
        let special = level::Special {
            is_least: footprint.is_point.at(Place::Limit) && !is_behind.at(Place::Limit),
            is_most: is_behind.at(Place::Limit) && !is_explicit.at(Place::Limit),
        };
        level::keep_limits(limits, passes(Place::Limit));
        level::levels(limits, &self._config, steps, &special)
    }

    /// When nothing is chosen, items go through one register.
    fn forward(&self, item: &ProjectedItem) {
        /// # Items
        let places = self.places.flow(&self.clocks, self.input.valid.val(), self.output.ready.val());
        timing(1, 1);
        discard(stack(item.edges.iter().flatten().copied()), "there is one level and one filter");
        discard(item.marks.operation, "as above");
        discard(item.marks.lod, "as above");
        discard(item.is_behind, "as above");
        let shape = LeveledItem::of(&self._config);
        let nothing = |width: Width| lit(width.value_bits(), 0u32);
        let leveled = LeveledItem {
            head: item.head.clone(),
            valid: item.marks.valid,
            is_failed: item.marks.is_failed,
            places: item.places.clone(),
            is_linear: nothing(shape.is_linear),
            level: nothing(shape.level),
            fraction: nothing(shape.fraction),
            look_up: LookUp::sample(),
            parts_log2: lit(PARTS_LOG2_BITS, 0u32),
            deltas: [lit(EDGE_BITS, 0u32); 2],
        };
        self.input.ready.next = places.ready();
        self.output.valid.next = places.valid();
        self.output.data.next = shape.pack(&places.put(Place::Entry, "item", leveled).at(Place::Exit));
    }

    fn moves(&self, turns: &Turns) -> Moves {
        /// # Turns
        let phase = turns.phase.val();
        let is_last = phase == (INTERVAL_CLOCKS - 1) as u64;
        let is_held = turns.is_full.val();
        Moves { phase, all: !is_last || !is_held, items: is_last && !is_held }
    }

    fn take_turns(
        &self,
        turns: &Turns,
        moves: &Moves,
        is_binding: Bits,
        bindings: &Items<'_>,
        quads: &Items<'_>,
    ) {
        self.input.ready.next = moves.items && turns.is_offered.val();
        let working = [Place::Scale, Place::Measure, Place::Shift, Place::Square, Place::Limit];
        let has_quads = stack(working.map(|place| quads.at(place))).any();
        let is_first = moves.phase == 0;
        if is_first {
            turns.is_offered.next = self.input.valid.val();
        }
        /// A binding alone needs no arithmetic.
        if is_first && self.input.valid.val() && is_binding && !has_quads {
            turns.phase.next = (INTERVAL_CLOCKS - 1) as u64;
        } else if moves.all {
            turns.phase.next = moves.phase + 1;
        }
        if moves.items {
            turns.is_full.next = bindings.at(Place::Limit) || quads.at(Place::Limit);
        } else if self.output.ready.val() {
            turns.is_full.next = 0;
        }
    }
}
