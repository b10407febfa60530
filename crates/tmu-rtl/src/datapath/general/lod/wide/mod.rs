//! `wide`: the stage of units with several lanes, which takes a quad a clock.
//!
//! The four components of a footprint's edges go side by side, each through multipliers of its own; the arithmetic is that of one
//! lane. A quad of a volume whose footprint counts takes two clocks: u and v, then w in the place of u. It is a quad in its second turn
//! only.
//!
//! Nothing holds the arithmetic. Items wait in a queue beside it, and what is chosen for them comes into another one of the same
//! depth; an item comes in while there is room in the first one, so that there is room in both. All signals of the handshakes come
//! from registers.

mod edges;
mod level;

use self::edges::Edges;
use super::bias::{self, Bias, SUM_BITS};
use super::level::{Levels, Limits};
use super::steps::{Step, has_volumes};
use super::turns::Turn;
use super::{is_explicit, is_fetch, is_gather, sides};
use crate::datapath::general::words::{
    AXES, ItemHead, LeveledItem, LookUp, PARTS_LOG2_BITS, PIXELS, Place, ProjectedItem, has_parts,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_hdl::records::FieldReg;
use tmu_spec::Config;
use tmu_spec::general::field::REGISTER_BITS;

/// Items under way, at most: a few more than there are clocks from one end to the other.
const ITEMS: usize = 32;
/// Clocks beside those of the steps: in front of them, and in the queue behind them.
const MORE_CLOCKS: u32 = 3;

/// See the module's documentation.
#[derive(Bundle)]
pub(super) struct Wide {
    entry: Entry,
    edges: Edges,
    bias: Optional<Bias>,
    limits: Limits,
    /// log2 of the most parts that the binding lets a footprint have.
    most_parts: Optional<Reg>,
    waiting: SyncFifo,
    chosen: SyncFifo,
}

/// What stands in front of the arithmetic.
#[derive(Bundle)]
struct Entry {
    is_full: Reg,
    item: Entering<FieldReg>,
    double: Optional<Double>,
}

/// The turn of a quad that comes twice.
#[derive(Bundle)]
struct Double {
    is_first: Reg,
    is_second: Reg,
}

/// What the arithmetic needs of an item.
#[derive(Clone, Debug, Record)]
struct Entering<T = Bits> {
    head: ItemHead<T>,
    /// The data of a binding's register.
    data: T,
    operation: T,
    lod: T,
    edges: [[T; AXES]; 2],
    is_behind: T,
}

/// What waits for what is chosen.
#[derive(Clone, Debug, Record)]
struct Waiting<T = Bits> {
    head: ItemHead<T>,
    valid: T,
    is_failed: T,
    places: [Place<T>; PIXELS],
    /// The component that a gather returns.
    component: T,
}

/// What goes along with a quad.
struct Marks<'a> {
    is_explicit: Payload<'a, Step, Bits>,
    is_fetch: Payload<'a, Step, Bits>,
    is_gather: Payload<'a, Step, Bits>,
    is_behind: Payload<'a, Step, Bits>,
}

/// The turn of a quad on its way; none where no quad comes twice.
type Turns<'a> = Option<Payload<'a, Step, Turn>>;

/// What stands at a step, if it is a register of a binding.
type Passes<'a> = &'a dyn Fn(Step) -> (ItemHead, Bits);

impl Entering<Width> {
    fn of(config: &Config) -> Entering<Width> {
        let ProjectedItem { head, marks, edges, is_behind, .. } = ProjectedItem::of(config);
        Entering {
            head,
            data: Width::bits(REGISTER_BITS as usize),
            operation: marks.operation,
            lod: marks.lod.when(bias::is_given(config)),
            edges,
            is_behind,
        }
    }
}

impl Waiting<Width> {
    fn of(config: &Config) -> Waiting<Width> {
        let LeveledItem { head, valid, is_failed, places, look_up, .. } = LeveledItem::of(config);
        Waiting { head, valid, is_failed, places, component: look_up.component }
    }
}

impl Wide {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Wide {
        let bit = || Reg::with_reset(clocks, 1, 0);
        Wide {
            entry: Entry {
                is_full: bit(),
                item: Entering::of(config).registers(clocks),
                double: Optional::new(has_volumes(config), || Double { is_first: bit(), is_second: bit() }),
            },
            edges: Edges::new(clocks, config),
            bias: Optional::new(bias::is_given(config), Bias::new),
            limits: Limits::new(clocks, config),
            most_parts: Optional::new(has_parts(config), || Reg::new(clocks, PARTS_LOG2_BITS)),
            waiting: SyncFifo::new(ITEMS, Waiting::of(config).width()),
            chosen: SyncFifo::new(ITEMS, Levels::of(config).width()),
        }
    }
}

/// Into which levels a quad looks, and with which filter.
#[kernel]
pub(super) fn run(
    wide: &Wide,
    clocks: &Clocks,
    steps: &Run<'_, Step>,
    item: &ProjectedItem,
    (input, output): (&StreamIn, &StreamOut),
    config: &Config,
) {
    let Wide { entry, limits, .. } = wide;
    wide.waiting.clocks.follow(clocks);
    wide.chosen.clocks.follow(clocks);
    enter(wide, item, input, config);
    /// # Items
    let is_first = entry.double.as_ref().map_or(lit(1, 0u32), |double| double.is_first.val());
    let turns = entry.double.as_ref().map(|double| {
        let turn = Turn { is_first: double.is_first.val(), is_second: double.is_second.val() };
        steps.put(Step::Entry, "turn", turn)
    });
    let (is_full, item) = (entry.is_full.val(), entry.item.val());
    let leaves = steps.flag(Step::Entry, "leaves", is_full && !is_first).at(Step::Exit);
    let is_binding = steps.flag(Step::Entry, "is_binding", is_full && item.head.is_binding);
    let register = steps.put(Step::Entry, "register", [item.head.register, item.data]);
    let passes = |step: Step| {
        let [register, data] = register.at(step);
        (ItemHead { is_binding: is_binding.at(step), register }, data)
    };
    let marks = Marks {
        is_explicit: steps.put(Step::Entry, "is_explicit", is_explicit(config, item.operation)),
        is_fetch: steps.put(Step::Entry, "is_fetch", is_fetch(config, item.operation)),
        is_gather: steps.put(Step::Entry, "is_gather", is_gather(config, item.operation)),
        is_behind: steps.put(Step::Entry, "is_behind", item.is_behind),
    };
    let asked = (item.operation, item.lod);
    let bias = bias(wide.bias.as_ref(), limits, steps, asked, &marks, &passes);
    let measured = edges::measure(&wide.edges, steps, &item.edges, &turns, &marks, config);
    let levels = level::choose(wide, steps, &item, (&bias, &measured, &marks), &passes, config);
    discard(passes(Step::Level).1, "fields that were kept before");
    leave(wide, output, leaves, levels, config);
}

/// Takes what comes.
#[kernel]
fn enter(wide: &Wide, item: &ProjectedItem, input: &StreamIn, config: &Config) {
    /// # Turns
    let Wide { entry, waiting, edges, .. } = wide;
    let is_first = entry.double.as_ref().map_or(lit(1, 0u32), |double| double.is_first.val());
    let offers = input.valid.val() && !is_first;
    let comes = offers && waiting.input.ready.val();
    input.ready.next = waiting.input.ready.val() && !is_first;
    waiting.input.valid.next = offers;
    waiting.input.data.next = Waiting::of(config).pack(&Waiting {
        head: item.head.clone(),
        valid: item.marks.valid,
        is_failed: item.marks.is_failed,
        places: item.places.clone(),
        component: item.marks.component,
    });
    if let Some(double) = entry.double.as_ref() {
        let is_quad = !item.head.is_binding && !is_explicit(config, item.marks.operation);
        double.is_first.next = comes && is_quad && sides::is_volume(&edges.sides);
        double.is_second.next = is_first;
    }
    if !is_first {
        entry.is_full.next = comes;
    }
    if comes {
        entry.item.next = Entering {
            head: item.head.clone(),
            data: item.places[0].u.low(REGISTER_BITS as usize),
            operation: item.marks.operation,
            lod: item.marks.lod,
            edges: item.edges,
            is_behind: item.is_behind,
        };
    }
    sides::keep_sides_at_once(&edges.sides, item, comes);
    sides::halve(&edges.sides, config, item, comes);
    if !bias::is_given(config) {
        discard(item.marks.lod, "no operation counts with it");
    }
}

/// What is added to the level of detail of each quad, from [`Step::Texels`] on.
#[kernel]
fn bias<'a>(
    bias: Option<&Bias>,
    limits: &Limits,
    steps: &Run<'a, Step>,
    asked: (Bits, Bits),
    marks: &Marks<'_>,
    passes: Passes<'_>,
) -> Payload<'a, Step, Bits> {
    /// # Bias
    let of_sampler = bias::of_sampler(limits, &passes(Step::Texels));
    let Some(bias) = bias else { return steps.put(Step::Texels, "bias", of_sampler) };
    let float = bias::float(asked, marks.is_fetch.at(Step::Entry));
    let float = steps.put(Step::Entry, "float", float);
    let factors = bias::factors(&float.at(Step::ScaleOperands));
    let product = steps.through(Step::ScaleOperands, "given", &bias.product, factors).at(Step::Texels);
    let of_sampler = of_sampler & (!marks.is_fetch.at(Step::Texels)).repeat(SUM_BITS);
    let sum = bias::sum(product, &float.at(Step::Texels), of_sampler);
    steps.put(Step::Texels, "bias", sum)
}

/// What is chosen goes to the items.
#[kernel]
fn leave(wide: &Wide, output: &StreamOut, leaves: Bits, levels: Levels, config: &Config) {
    /// # Leave
    let Wide { waiting, chosen, .. } = wide;
    let shape = Levels::of(config);
    chosen.input.valid.next = leaves;
    chosen.input.data.next = shape.pack(&levels);
    discard(chosen.input.ready.val(), "there is room for all items under way");
    discard(waiting.output.valid.val(), "an item is here before what is chosen for it");
    discard(waiting.level.val(), "the queue counts for itself");
    discard(chosen.level.val(), "as above");
    output.valid.next = chosen.output.valid.val();
    chosen.output.ready.next = output.ready.val();
    waiting.output.ready.next = output.ready.val() && chosen.output.valid.val();
    let Waiting { head, valid, is_failed, places, component } =
        Waiting::of(config).unpack(waiting.output.data.val());
    let Levels { is_linear, level, fraction, look_up, parts_log2, deltas } =
        shape.unpack(chosen.output.data.val());
    output.data.next = LeveledItem::of(config).pack(&LeveledItem {
        head,
        valid,
        is_failed,
        places,
        look_up: LookUp { component, ripmap: LookUp::sample().ripmap, ..look_up },
        is_linear,
        level,
        fraction,
        parts_log2,
        deltas,
    });
}

/// Clocks from one end to the other.
pub(super) fn latency_clocks(of_steps: u32) -> u32 {
    of_steps + MORE_CLOCKS
}
