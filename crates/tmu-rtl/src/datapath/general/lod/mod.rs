//! `lod`: into which levels a quad looks, with which filter, and into how many parts it cuts a long footprint.
//!
//! The four components of a footprint's edges go one after the other through one path, a clock behind each other, see `edges`; a
//! level of detail or a bias of the request becomes an integer beside it, see `bias`; what comes of both is limited and cut into
//! levels in `level`. The items wait in places that move on together every four clocks, and a stage of the arithmetic works on
//! the item of one place. Which of the components it has says the clock's number, the phase. A quad of a volume comes twice, see
//! `turns`; where footprints are cut, that takes a place more, see `parts`.
//!
//! Contract: items leave in the order in which they came. All registers hold in the last phase while the item that left last still
//! stands at the output, so no path goes from one handshake to the other. Fields of a binding's record are kept where they are
//! used, when the register passes there. Of a quad that failed level, filter and parts mean nothing, nor does the level of a fetch that is
//! outside, nor do the edges of a quad with one part.
//!
//! Cost: latency 24 clocks, 4 more with volumes and 4 more with parts; initiation interval 4, of a quad of a volume with a footprint 8;
//! 2 for registers of a binding while there are no quads under way. 6 multipliers, of 26 x 14, 11 x 14, 17 x 17, 17 x 16, 17 x 17
//! and, with operations that give a level of detail or a bias, 24 x 15 bits; a ROM of 2048 x 9, with volumes 4096 x 9;
//! about 385 LUTs and 2,900 flip-flops, most of which hold waiting items. Without mipmaps, linear filters, parts and fetches
//! the stage is a register.

mod bias;
mod edges;
mod level;
mod parts;
mod sides;
mod turns;

use self::bias::Bias;
use self::edges::Edges;
use self::level::{Levels, Limits};
use self::parts::{Cut, Parts};
use self::turns::{Moves, Offer, OnWay, Turns};
use super::words::{
    EDGE_BITS, ItemHead, LeveledItem, LookUp, PARTS_LOG2_BITS, PIXELS, Place as Coordinates, ProjectedItem,
    general, has_fetch, has_gather, has_parts,
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
    /// Only with volumes: the largest edge of a second turn tells it too.
    Join,
    /// They are shifted.
    Shift,
    /// They are squared.
    Square,
    /// Only where footprints are cut: parts take levels from the level of detail.
    Parts,
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
    /// Only with volumes: it waits for those of a second turn.
    Join,
    /// As above.
    JoinMore,
    /// As above.
    JoinLonger,
    /// As above.
    Joined,
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
    /// The component that a gather returns.
    component: T,
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
    parts: Optional<Parts>,
    places: Pipe<Place>,
    steps: Pipe<Step>,
    _config: Config,
}

/// What becomes of the items on their way.
type Items<'a, W = Bits> = Payload<'a, Place, W>;

/// Whether there is anything to choose for a quad: a level, a filter or parts.
fn has_choice(config: &Config) -> bool {
    let features = config.features();
    features.mipmaps() || features.bilinear() || has_parts(config) || has_fetch(config)
}

/// Whether there are volumes.
fn has_volumes(config: &Config) -> bool {
    general(config).has_kind(Kind::D3)
}

/// Where items wait.
fn places(config: &Config) -> Vec<Place> {
    let is_there = |place: &Place| match place {
        Place::Entry | Place::Exit => true,
        Place::Join => has_choice(config) && has_volumes(config),
        Place::Parts => has_parts(config),
        _ => has_choice(config),
    };
    Place::ALL.iter().copied().filter(is_there).collect()
}

/// Where components are on their way.
fn steps(config: &Config) -> Vec<Step> {
    let is_joining =
        |step: &Step| matches!(step, Step::Join | Step::JoinMore | Step::JoinLonger | Step::Joined);
    Step::ALL.iter().copied().filter(|step| has_volumes(config) || !is_joining(step)).collect()
}

impl Lod {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let has_choice = has_choice(config);
        let giving = [OperationName::Lod, OperationName::Bias, OperationName::Fetch];
        let has_bias = has_choice && giving.iter().any(|operation| general(config).has_operation(*operation));
        let lod = Lod {
            input: StreamIn::new(ProjectedItem::of(config).width()),
            output: StreamOut::new(LeveledItem::of(config).width()),
            turns: Optional::new(has_choice, || Turns::new(&clocks, has_volumes(config))),
            edges: Optional::new(has_choice, || Edges::new(&clocks, config)),
            bias: Optional::new(has_bias, Bias::new),
            limits: Optional::new(has_choice, || Limits::new(&clocks, config)),
            parts: Optional::new(has_parts(config), || Parts::new(&clocks)),
            places: Pipe::with(&places(config)),
            steps: Pipe::with(&steps(config)),
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
        timing(self.places.latency_clocks() * INTERVAL_CLOCKS as u32, INTERVAL_CLOCKS as u32);
        let moves = turns::moves(turns);
        let places = self.places.run(&self.clocks, moves.items);
        let steps = self.steps.run(&self.clocks, moves.all);
        /// # Items
        let is_binding = item.head.is_binding && turns.is_offered.val();
        let is_quad = !item.head.is_binding && turns::is_last(turns);
        let is_binding = places.flag(Place::Entry, "is_binding", is_binding);
        let is_quad = places.flag(Place::Entry, "is_quad", is_quad);
        let waiting = Waiting {
            register: item.head.register,
            valid: item.marks.valid,
            is_failed: item.marks.is_failed,
            places: item.places.clone(),
            component: item.marks.component,
        };
        let waiting = places.put(Place::Entry, "item", waiting);
        self.take_turns((turns, edges), &moves, &item, &is_binding, &is_quad);
        /// What keeps a field of a binding looks at the items of one place.
        let passes = |place: Place| {
            let Waiting { register, places, .. } = waiting.at(place);
            let head = ItemHead { is_binding: is_binding.at(place) && moves.items, register };
            (head, places[0].u.low(REGISTER_BITS as usize))
        };
        /// # Leave
        let levels = self.levels((turns, edges, limits), (&places, &steps), &item, &moves, &passes);
        let levels = places.put(Place::Limit, "levels", levels).at(Place::Exit);
        let Waiting { register, valid, is_failed, places, component } = waiting.at(Place::Exit);
        let head = ItemHead { is_binding: is_binding.at(Place::Exit), register };
        self.output.valid.next = turns.is_full.val();
        self.output.data.next = LeveledItem::of(&self._config).pack(&LeveledItem {
            head,
            valid,
            is_failed,
            places,
            look_up: LookUp { component, ..levels.look_up },
            is_linear: levels.is_linear,
            level: levels.level,
            fraction: levels.fraction,
            parts_log2: levels.parts_log2,
            deltas: levels.deltas,
        });
    }

    /// One bit: the quad gives its level of detail, or its level.
    fn is_explicit(&self, item: &ProjectedItem) -> Bits {
        let has_explicit = general(&self._config).has_operation(OperationName::Lod);
        (has_explicit && item.marks.operation == OperationName::Lod as u64) || self.is_fetch(item)
    }

    fn is_fetch(&self, item: &ProjectedItem) -> Bits {
        has_fetch(&self._config) && item.marks.operation == OperationName::Fetch as u64
    }

    fn is_gather(&self, item: &ProjectedItem) -> Bits {
        has_gather(&self._config) && item.marks.operation == OperationName::Gather as u64
    }

    /// What is chosen, for the quad in the place in front of the last one.
    fn levels(
        &self,
        (turns, edges, limits): (&Turns, &Edges, &Limits),
        (places, steps): (&Run<'_, Place>, &Run<'_, Step>),
        item: &ProjectedItem,
        moves: &Moves,
        passes: &dyn Fn(Place) -> (ItemHead, Bits),
    ) -> Levels {
        let is_explicit = self.is_explicit(item);
        let is_explicit = places.put(Place::Entry, "is_explicit", is_explicit);
        let is_fetch = places.put(Place::Entry, "is_fetch", self.is_fetch(item));
        let is_gather = places.put(Place::Entry, "is_gather", self.is_gather(item));
        let is_behind = places.put(Place::Entry, "is_behind", item.is_behind);
        let turn = turns::turn(turns).map(|turn| places.put(Place::Entry, "turn", turn));
        sides::keep_sides(edges, item, self.input.valid.val(), moves.phase);
        let asked = (&item.marks, &is_fetch);
        let bias = bias::bias(self.bias.as_ref(), limits, places, asked, &self.clocks, moves, passes);
        let shifted = edges::shifted(edges, steps, item, moves, &turn);
        let footprint = edges::footprint(edges, places, &is_explicit);
        let logarithms = edges::logarithms(edges, steps, &shifted, moves.phase, &turn);
        let terms = level::Terms {
            bias: bias.at(Place::Square),
            shift: footprint.shift.at(Place::Square),
            is_explicit: is_explicit.at(Place::Square),
        };
        let cut = self.parts.as_ref().map(|parts| self.cut(parts, edges, places, item));
        level::sum(limits, terms, &logarithms, moves, cut.as_ref());
        let special = level::Special {
            is_least: footprint.is_point.at(Place::Limit) && !is_behind.at(Place::Limit),
            is_most: is_behind.at(Place::Limit) && !is_explicit.at(Place::Limit),
            is_fetch: is_fetch.at(Place::Limit),
            is_gather: is_gather.at(Place::Limit),
        };
        level::keep_limits(limits, passes(Place::Limit));
        let levels = level::levels(limits, &self._config, steps, &special);
        let Some(cut) = cut else { return levels };
        parts::keep_most(cut.parts, passes(Place::Parts));
        parts::compare(cut.parts, edges::squares(edges), moves);
        let deltas = places.put(Place::Parts, "deltas", parts::longer_edge(&cut)).at(Place::Limit);
        Levels { parts_log2: parts::found(cut.parts), deltas, ..levels }
    }

    /// A footprint that may be cut into parts.
    fn cut<'a, 'b>(
        &self,
        parts: &'a Parts,
        edges: &Edges,
        places: &Run<'b, Place>,
        item: &ProjectedItem,
    ) -> Cut<'a, 'b> {
        let has_footprint = !self.is_explicit(item) && !self.is_gather(item);
        let may_be_cut = has_footprint && sides::may_have_parts(edges);
        let flat_edges = item.edges.map(|[u, v, _]| [u, v]);
        Cut {
            parts,
            may_be_cut: places.put(Place::Entry, "may_be_cut", may_be_cut),
            edges: places.put(Place::Entry, "edges", flat_edges),
        }
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
        let is_gather = self.is_gather(item);
        let leveled = LeveledItem {
            head: item.head.clone(),
            valid: item.marks.valid,
            is_failed: item.marks.is_failed,
            places: item.places.clone(),
            is_linear: is_gather,
            level: nothing(shape.level),
            fraction: nothing(shape.fraction),
            look_up: LookUp { is_gather, component: item.marks.component, ..LookUp::sample() },
            parts_log2: lit(PARTS_LOG2_BITS, 0u32),
            deltas: [lit(EDGE_BITS, 0u32); 2],
        };
        self.input.ready.next = places.ready();
        self.output.valid.next = places.valid();
        self.output.data.next = shape.pack(&places.put(Place::Entry, "item", leveled).at(Place::Exit));
    }

    fn take_turns(
        &self,
        (turns, edges): (&Turns, &Edges),
        moves: &Moves,
        item: &ProjectedItem,
        bindings: &Items<'_>,
        quads: &Items<'_>,
    ) {
        self.input.ready.next = moves.items && turns::is_last(turns);
        let is_double = sides::is_volume(edges) && !item.head.is_binding && !self.is_explicit(item);
        let offer = Offer { valid: self.input.valid.val(), is_binding: item.head.is_binding, is_double };
        let working = &places(&self._config)[1..];
        let working = &working[..working.len() - 1];
        turns::take(
            turns,
            moves,
            &offer,
            &OnWay { bindings, quads, working, is_taken: self.output.ready.val() },
        );
    }
}
