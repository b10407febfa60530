//! `lod`: into which levels a quad looks, with which filter, and into how many parts it cuts a long footprint.
//!
//! Edges become texels, are shifted together and squared, see `component`; the logarithm of the longer one, see `length`, is the
//! level of detail. A level of detail or a bias of the request becomes an integer beside it, see `bias`; what comes of both is limited
//! and cut into levels in `level`. Sides and kind of a binding's texture are in `sides`.
//!
//! In one lane the four components of the edges go one after the other through one path, a clock behind each other, see `edges`. The
//! items wait in places that move on together every four clocks, and a stage of the arithmetic works on the item of one place. Which
//! of the components it has says the clock's number, the phase. A quad of a volume comes twice, see `turns`; where footprints are cut,
//! that takes a place more, see `parts`. With several lanes the components go side by side, see `wide`.
//!
//! Contract: items leave in the order in which they came. No path goes from one handshake to the other: in one lane all registers hold
//! in the last phase while the item that left last still stands at the output; with several none ever does. Fields of a binding's
//! record are kept where they are used, when the register passes there. Of a quad that failed level, filter and parts mean nothing,
//! nor does the level of a fetch that is outside, nor do the edges of a quad with one part.
//!
//! Cost in one lane: latency 24 clocks, 4 more with volumes and 4 more with parts; initiation interval 4, of a quad of a volume with a
//! footprint 8; 2 for registers of a binding while there are no quads under way. 6 multipliers, of 26 x 14, 11 x 14, 17 x 17, 17 x 16,
//! 17 x 17 and, with operations that give a level of detail or a bias, 24 x 15 bits; a ROM of 2048 x 9, with volumes 4096 x 9; about
//! 385 LUTs and 2,900 flip-flops, most of which hold waiting items.
//!
//! With four lanes: latency 24 clocks, 2 more with volumes and 2 more with parts; initiation interval 1, of a quad of a volume with a
//! footprint 2. 21 multipliers: five a component, and that of a level of detail or a bias; the same ROM; about 855 LUTs and 4,150
//! flip-flops, with everything 1,460 and 8,460. 290 of the LUTs, or 380, are queues of 32 items.
//!
//! Without mipmaps, linear filters and parts the stage is a register, with fetches two, see `fetched`.

mod bias;
mod component;
mod edges;
mod fetched;
mod length;
mod level;
mod parts;
mod sides;
mod steps;
mod turns;
mod wide;

use self::bias::Bias;
use self::edges::Edges;
use self::fetched::Fetched;
use self::level::{Levels, Limits, Reads, Special};
use self::parts::{Cut, Parts};
use self::steps::{INTERVAL_CLOCKS, Place, Step, has_choice, has_volumes, places, steps};
use self::turns::{Moves, Offer, OnWay, Turns};
use self::wide::Wide;
use super::words::{
    EDGE_BITS, ItemHead, LeveledItem, LookUp, PARTS_LOG2_BITS, PIXELS, Place as Coordinates, ProjectedItem,
    general, has_fetch, has_gather, has_parts, lanes,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::REGISTER_BITS;

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
    wide: Optional<Wide>,
    fetched: Optional<Fetched>,
    places: Pipe<Place>,
    steps: Pipe<Step>,
    _config: Config,
}

/// What becomes of the items on their way.
type Items<'a, W = Bits> = Payload<'a, Place, W>;

impl Lod {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Lod {
        let clocks = Clocks::new();
        let has_choice = has_choice(config);
        let is_one = has_choice && lanes(config) == 1;
        let has_bias = is_one && bias::is_given(config);
        let lod = Lod {
            input: StreamIn::new(ProjectedItem::of(config).width()),
            output: StreamOut::new(LeveledItem::of(config).width()),
            turns: Optional::new(is_one, || Turns::new(&clocks, has_volumes(config))),
            edges: Optional::new(is_one, || Edges::new(&clocks, config)),
            bias: Optional::new(has_bias, Bias::new),
            limits: Optional::new(is_one, || Limits::new(&clocks, config)),
            parts: Optional::new(is_one && has_parts(config), || Parts::new(&clocks)),
            wide: Optional::new(has_choice && lanes(config) > 1, || Wide::new(&clocks, config)),
            fetched: Optional::new(!has_choice && has_fetch(config), || Fetched::new(&clocks)),
            places: Pipe::with(&places(config)),
            steps: Pipe::with(&steps(config)),
            _config: config.clone(),
            clocks,
        };
        lod.places.plan(&lod.clocks, || lod.steps.plan(&lod.clocks, || lod.logic()));
        lod
    }
}

/// One bit: an operation gives the quad's level of detail, or its level.
#[kernel]
fn is_explicit(config: &Config, operation: Bits) -> Bits {
    let has_explicit = general(config).has_operation(OperationName::Lod);
    (has_explicit && operation == OperationName::Lod as u64) || is_fetch(config, operation)
}

#[kernel]
fn is_fetch(config: &Config, operation: Bits) -> Bits {
    has_fetch(config) && operation == OperationName::Fetch as u64
}

#[kernel]
fn is_gather(config: &Config, operation: Bits) -> Bits {
    has_gather(config) && operation == OperationName::Gather as u64
}

/// Into which levels a quad looks, and with which filter.
#[kernel]
impl Lod {
    fn logic(&self) {
        let item = ProjectedItem::of(&self._config).unpack(self.input.data.val());
        if let Some(wide) = self.wide.as_ref() {
            timing(wide::latency_clocks(self.steps.latency_clocks()), 1);
            let steps = self.steps.run(&self.clocks, lit(1, 1u32));
            wide::run(wide, &self.clocks, &steps, &item, (&self.input, &self.output), &self._config);
            return;
        }
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

    /// What is chosen, for the quad in the place in front of the last one.
    fn levels(
        &self,
        (turns, edges, limits): (&Turns, &Edges, &Limits),
        (places, steps): (&Run<'_, Place>, &Run<'_, Step>),
        item: &ProjectedItem,
        moves: &Moves,
        passes: &dyn Fn(Place) -> (ItemHead, Bits),
    ) -> Levels {
        let Some(sum) = limits.sum.as_ref() else { unreachable!("there is one lane") };
        let is_explicit = is_explicit(&self._config, item.marks.operation);
        let is_explicit = places.put(Place::Entry, "is_explicit", is_explicit);
        let is_fetch = places.put(Place::Entry, "is_fetch", is_fetch(&self._config, item.marks.operation));
        let is_gather = places.put(Place::Entry, "is_gather", is_gather(&self._config, item.marks.operation));
        let is_behind = places.put(Place::Entry, "is_behind", item.is_behind);
        let turn = turns::turn(turns).map(|turn| places.put(Place::Entry, "turn", turn));
        sides::keep_sides(&edges.sides, item, self.input.valid.val(), moves.phase);
        let comes = self.input.valid.val() && moves.phase == 0;
        sides::halve(&edges.sides, &self._config, item, comes);
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
        level::sum(sum, terms, &logarithms, moves, cut.as_ref());
        let special = Special {
            is_least: footprint.is_point.at(Place::Limit) && !is_behind.at(Place::Limit),
            is_most: is_behind.at(Place::Limit) && !is_explicit.at(Place::Limit),
            is_fetch: is_fetch.at(Place::Limit),
        };
        let reads = Reads { is_fetch: is_fetch.at(Place::Limit), is_gather: is_gather.at(Place::Limit) };
        level::keep_binding(limits, &passes(Place::Limit));
        let within = level::within(limits, sum.lod.val());
        let levels =
            level::levels(limits, &self._config, level::limited(steps, &within, &within, &special), &reads);
        let Some(cut) = cut else { return levels };
        parts::keep_most(&cut.parts.most_of_binding, passes(Place::Parts));
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
        let has_footprint = !is_explicit(&self._config, item.marks.operation)
            && !is_gather(&self._config, item.marks.operation);
        let may_be_cut = has_footprint && sides::may_have_parts(&edges.sides);
        let flat_edges = item.edges.map(|[u, v, _]| [u, v]);
        Cut {
            parts,
            may_be_cut: places.put(Place::Entry, "may_be_cut", may_be_cut),
            edges: places.put(Place::Entry, "edges", flat_edges),
        }
    }

    /// When nothing is chosen, items go on as they are, but for the level of a fetch.
    fn forward(&self, item: &ProjectedItem) {
        /// # Items
        let places = self.places.flow(&self.clocks, self.input.valid.val(), self.output.ready.val());
        places.timing();
        discard(stack(item.edges.iter().flatten().copied()), "there is one level and one filter");
        discard(item.marks.operation, "as above");
        discard(item.marks.lod, "as above");
        discard(item.is_behind, "as above");
        let shape = LeveledItem::of(&self._config);
        let nothing = |width: Width| lit(width.value_bits(), 0u32);
        let is_gather = is_gather(&self._config, item.marks.operation);
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
        let leveled = places.put(Place::Entry, "item", leveled);
        let leaves = leveled.at(Place::Exit);
        let leaves = match self.fetched.as_ref() {
            Some(fetched) => {
                let reached = fetched::reached(&self._config, &item.marks);
                let reached = places.put(Place::Entry, "reached", reached).at(Place::Limit);
                let is_binding = self.input.valid.val() && item.head.is_binding;
                let is_binding = places.flag(Place::Entry, "is_binding", is_binding).at(Place::Limit);
                let LeveledItem { head, places: coordinates, .. } = leveled.at(Place::Limit);
                let passing = (ItemHead { is_binding, ..head }, coordinates[0].u.low(REGISTER_BITS as usize));
                let read = fetched::read(fetched, &reached, &passing);
                let [level, is_fetch, is_outside] = places
                    .put(Place::Limit, "read", [read.level, read.is_fetch, read.is_outside])
                    .at(Place::Exit);
                let look_up = LookUp { is_fetch, is_outside, ..leaves.look_up.clone() };
                LeveledItem { level, look_up, ..leaves }
            }
            None => leaves,
        };
        self.input.ready.next = places.ready();
        self.output.valid.next = places.valid();
        self.output.data.next = shape.pack(&leaves);
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
        let is_double = sides::is_volume(&edges.sides)
            && !item.head.is_binding
            && !is_explicit(&self._config, item.marks.operation);
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
