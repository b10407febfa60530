//! `indirect`: the stages of indirect look-ups, in front of `probes` and behind `filter`. Wires, and what `places` needs of both
//! textures.
//!
//! Through `projection` and `lod` an indirect quad goes as a fetch of level 0, once: its passes are made behind them. Quads leave `lod`
//! in the order in which they came out of `request`, and `filter` in that in which they came out of `look_ahead`, so that what else
//! belongs to a quad, or to a pass, waits in a FIFO beside the stages between them.

use super::{GeneralSampler, entered};
use crate::datapath::general::indirect::aggregate::{Aggregate, Marks};
use crate::datapath::general::indirect::fields::{Choice, Fields};
use crate::datapath::general::indirect::look_ahead::{Coming, Going, LookAhead, Row, first_row};
use crate::datapath::general::indirect::places::{Extent, Places, QuadPlaces, QuadTexels};
use crate::datapath::general::request::indirect::Asked;
use crate::datapath::general::words::{
    ItemHead, LeveledItem, LookUp, NUMBER_BITS, OPERATION_BITS, PIXELS, PLACE_BITS, Pass, Place, QuadMarks,
    RequestItem, field_of, has_field, has_secondary_field,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::general::field::{ADDRESS, HEIGHT, KIND, WIDTH};
use tmu_spec::general::{Kind, OperationName};

/// Quads on their way from `request` to `look_ahead`, at most. With more of them `request` waits.
const QUADS_IN_FRONT: usize = 64;
/// Quads on their way from `look_ahead` to `filter` beside those in the queue of the `data_stage`. With more of them first passes and
/// all others wait.
const QUADS_OF_STAGES: u32 = 256;

/// The stages.
#[derive(Bundle)]
pub(super) struct Indirect {
    beside: SyncFifo,
    look_ahead: LookAhead,
    primary: Extents<FieldReg>,
    secondary: Extents<FieldReg>,
    places: Places,
    on_way: SyncFifo,
    fields: Fields,
    aggregate: Aggregate,
}

/// What `places` needs of a texture.
#[derive(Clone, Debug, Record)]
struct Extents<T = Bits> {
    axes: [Extent<T>; 2],
    is_row: T,
}

impl Extents<Width> {
    fn shape() -> Extents<Width> {
        Extents { axes: [Extent::shape(), Extent::shape()], is_row: Width::bits(1) }
    }
}

/// What is asked for beside a quad, on its way beside the stages that it goes through first.
#[derive(Clone, Debug, Record)]
struct Beside<T = Bits> {
    asked: Asked<T>,
    row: Row<T>,
}

impl Beside<Width> {
    fn shape() -> Beside<Width> {
        Beside { asked: Asked::shape(), row: Row::shape() }
    }
}

/// The shape of what goes past `look_ahead` with an item: what it has beside what `look_ahead` looks at.
fn rest_of(config: &Config) -> LeveledItem<Width> {
    let LeveledItem { head, valid, places, look_up, .. } = LeveledItem::of(config);
    let none = Width::bits(1).when(false);
    LeveledItem {
        head: ItemHead { is_binding: none, ..head },
        valid: valid.when(false),
        places: places.map(|place| Place { u: place.u.when(false), v: place.v.when(false), ..place }),
        look_up: LookUp { pass: Pass { is_first: none, is_second: none }, ..look_up },
        ..LeveledItem::of(config)
    }
}

/// What belongs to a quad whose samples come.
#[derive(Clone, Debug, Record)]
struct OnWay<T = Bits> {
    is_first_pass: T,
    ends_pass: T,
    marks: Marks<T>,
    row: Row<T>,
    choice: Choice<T>,
}

impl OnWay<Width> {
    fn shape() -> OnWay<Width> {
        let bit = Width::bits(1);
        OnWay {
            is_first_pass: bit,
            ends_pass: bit,
            marks: Marks::shape(),
            row: Row::shape(),
            choice: Choice::shape(),
        }
    }
}

impl Indirect {
    /// `margin`: quads that may be on their way from the `data_stage` to `filter`.
    pub(super) fn new(config: &Config, clocks: &Clocks, margin: usize) -> Indirect {
        let quads = (config.cache().queue_depth() + QUADS_OF_STAGES).next_power_of_two() as usize;
        Indirect {
            beside: SyncFifo::with_style(QUADS_IN_FRONT, Beside::shape().width(), RamStyle::Block),
            look_ahead: LookAhead::new(rest_of(config).width()),
            primary: Extents::shape().registers(clocks),
            secondary: Extents::shape().registers(clocks),
            places: Places::new(config, LeveledItem::of(config).width()),
            on_way: SyncFifo::with_style(quads, OnWay::shape().width(), RamStyle::Block),
            fields: Fields::new(config),
            aggregate: Aggregate::new(config, margin),
        }
    }

    /// Their clocks, and so their resets.
    pub(super) fn clocks(&self) -> Vec<&Clocks> {
        vec![
            &self.beside.clocks,
            &self.look_ahead.clocks,
            &self.places.clocks,
            &self.on_way.clocks,
            &self.fields.clocks,
            &self.aggregate.clocks,
        ]
    }
}

/// From items of `request` to those that go into `projection`: what is indirect is a fetch of level 0 from there on.
#[kernel]
pub(super) fn enter(of: &Indirect, sampler: &GeneralSampler) {
    /// # Quads of indirect look-ups
    let projection = &sampler.projection.input;
    let beside = &of.beside;
    let entered = entered::leaves(sampler, projection.ready.val() && beside.input.ready.val());
    let comes = entered.valid;
    let Some(asked) = entered.asked else { return };
    let shape = RequestItem::of(&sampler._config);
    let item = shape.unpack(entered.item);
    let asked = Asked::shape().unpack(asked);
    let is_quad = !item.head.is_binding;
    let is_indirect = asked.is_indirect && is_quad;
    beside.input.valid.next = comes && projection.ready.val() && is_quad;
    let row = first_row(item.marks.valid, asked.marks.more, asked.are_near);
    beside.input.data.next = Beside::shape().pack(&Beside { asked, row });
    discard(beside.level.val(), "its ready says enough");
    let fetch = lit(OPERATION_BITS, OperationName::Fetch as u32);
    projection.valid.next = comes && beside.input.ready.val();
    projection.data.next = shape.pack(&RequestItem {
        marks: QuadMarks {
            operation: if is_indirect { fetch } else { item.marks.operation },
            lod: item.marks.lod & (!is_indirect).repeat(NUMBER_BITS),
            ..item.marks
        },
        ..item
    });
}

/// From items of `lod` to those that go into `probes`.
#[kernel]
pub(super) fn passes(of: &Indirect, sampler: &GeneralSampler, leveled: &StreamOut, probes: &StreamIn) {
    /// # Passes
    let config = &sampler._config;
    let Indirect { beside, look_ahead, places, on_way, .. } = of;
    let comes = leveled.valid.val() && look_ahead.input.ready.val();
    let item = LeveledItem::of(config).unpack(leveled.data.val());
    discard(beside.output.valid.val(), "what is beside a quad is there before it");
    discard(item.look_up.pass.is_first, "passes are made behind");
    discard(item.look_up.pass.is_second, "as above");
    beside.output.ready.next = comes && !item.head.is_binding;
    look_ahead.input.valid.next = leveled.valid.val();
    look_ahead.input.data.next = coming(config, item, Beside::shape().unpack(beside.output.data.val()));
    leveled.ready.next = look_ahead.input.ready.val();
    let shape = rest_of(config);
    let going = Going::of(shape.width()).unpack(look_ahead.output.data.val());
    let rest = shape.unpack(going.rest);
    let moves = look_ahead.output.valid.val() && places.input.ready.val() && on_way.input.ready.val();
    look_ahead.output.ready.next = places.input.ready.val() && on_way.input.ready.val();
    on_way.input.valid.next = moves && !going.is_binding;
    on_way.input.data.next = OnWay::shape().pack(&OnWay {
        is_first_pass: going.is_first_pass,
        ends_pass: going.ends_pass,
        marks: going.marks.clone(),
        row: going.row.clone(),
        choice: going.choice.clone(),
    });
    discard(on_way.level.val(), "its ready says enough");
    let head = ItemHead { is_binding: going.is_binding, register: rest.head.register };
    keep_extents(of, &head, going.places[0][0], moves);
    places.input.valid.next = look_ahead.output.valid.val() && on_way.input.ready.val();
    places.input.data.next = quad_places(of, config, &going, rest, head);
    /// # Texels
    let QuadTexels { texels, along } =
        QuadTexels::of(LeveledItem::of(config).width()).unpack(places.output.data.val());
    let item = LeveledItem::of(config).unpack(along);
    let place = |pixel: usize| {
        let [u, v] = texels[pixel];
        let own = item.places[pixel].clone();
        discard(own.u, "it comes as a texel");
        discard(own.v, "as above");
        Place { u, v, ..own }
    };
    probes.valid.next = places.output.valid.val();
    probes.data.next =
        LeveledItem::of(config).pack(&LeveledItem { places: std::array::from_fn(place), ..item.clone() });
    places.output.ready.next = probes.ready.val();
}

/// What comes into `look_ahead`.
#[kernel]
fn coming(config: &Config, item: LeveledItem, beside: Beside) -> Bits {
    let Beside { asked, row } = beside;
    discard(asked.are_near, "the first row is found");
    let is_indirect = asked.is_indirect && !item.head.is_binding;
    let Marks { operation, more } = asked.marks;
    let (is_binding, valid) = (item.head.is_binding, item.valid);
    let places = item.places.clone().map(|Place { u, v, .. }| [u, v]);
    let none = |place: Place| Place { u: lit(PLACE_BITS, 0u32), v: lit(PLACE_BITS, 0u32), ..place };
    let rest = LeveledItem {
        head: ItemHead { is_binding: lit(1, 0u32), ..item.head },
        valid: lit(PIXELS, 0u32),
        places: item.places.map(none),
        ..item
    };
    let shape = rest_of(config);
    Coming::of(shape.width()).pack(&Coming {
        is_binding,
        is_indirect,
        // What is direct is one value.
        marks: Marks {
            operation: operation & is_indirect.repeat(operation.width()),
            more: more & is_indirect.repeat(more.width()),
        },
        offsets: asked.offsets,
        valid,
        row,
        choice: asked.choice,
        places,
        rest: shape.pack(&rest),
    })
}

/// A register of a binding goes past.
#[kernel]
fn keep_extents(of: &Indirect, head: &ItemHead, register: Bits, moves: Bits) {
    /// # Sides and modes of both textures
    let sides = [WIDTH, HEIGHT];
    let takes_own = |of: RecordField| moves && has_field(head, of);
    let takes_other = |of: RecordField| moves && has_secondary_field(head, of);
    let is_row = field_of(register, KIND) == u64::from(Kind::D1.code());
    if takes_own(KIND) {
        of.primary.is_row.next = is_row;
    }
    if takes_other(KIND) {
        of.secondary.is_row.next = is_row;
    }
    for axis in 0..sides.len() {
        let (primary, secondary) = (&of.primary.axes[axis], &of.secondary.axes[axis]);
        let last = field_of(register, sides[axis]);
        let mode = field_of(register, ADDRESS[axis]);
        if takes_own(sides[axis]) {
            primary.last.next = last;
        }
        if takes_own(ADDRESS[axis]) {
            primary.mode.next = mode;
        }
        if takes_other(sides[axis]) {
            secondary.last.next = last;
        }
        if takes_other(ADDRESS[axis]) {
            secondary.mode.next = mode;
        }
    }
}

/// What goes into `places`. What is no pass only goes along; a first pass is a fetch of level 0.
#[kernel]
fn quad_places(of: &Indirect, config: &Config, going: &Going, item: LeveledItem, head: ItemHead) -> Bits {
    let is_pass = going.is_first_pass || going.is_second_pass;
    let (first, second) = (of.primary.val(), of.secondary.val());
    let chosen = |first: Bits, second: Bits| if going.is_second_pass { second } else { first };
    let extent = |axis: usize| Extent {
        last: chosen(first.axes[axis].last, second.axes[axis].last),
        mode: chosen(first.axes[axis].mode, second.axes[axis].mode),
    };
    let own = |pixel: usize| {
        let [u, v] = going.places[pixel];
        Place { u, v, ..item.places[pixel].clone() }
    };
    let is_first = going.is_first_pass;
    let unless_first = |word: Bits| word & (!is_first).repeat(word.width());
    let LookUp { is_fetch, is_outside, is_gather, component, ripmap, .. } = item.look_up.clone();
    let along = LeveledItem {
        head,
        valid: going.valid,
        is_failed: unless_first(item.is_failed) || going.is_failed,
        places: std::array::from_fn(own),
        look_up: LookUp {
            is_fetch: is_fetch || is_first,
            is_outside: unless_first(is_outside),
            is_gather: unless_first(is_gather),
            component: unless_first(component),
            pass: Pass { is_first, is_second: going.is_second_pass },
            ripmap: ripmap.map(unless_first),
        },
        is_linear: unless_first(item.is_linear),
        level: unless_first(item.level),
        fraction: unless_first(item.fraction),
        parts_log2: unless_first(item.parts_log2),
        ..item
    };
    let shape = LeveledItem::of(config);
    QuadPlaces::of(shape.width()).pack(&QuadPlaces {
        is_pass,
        valid: going.valid,
        places: going.places,
        extents: [extent(0), extent(1)],
        is_row: chosen(first.is_row, second.is_row),
        along: shape.pack(&along),
    })
}

/// From samples of `filter` to those that are results.
#[kernel]
pub(super) fn values(of: &Indirect, sampler: &GeneralSampler, done: Bits, sample: Bits) -> [Bits; 2] {
    /// # Values of indirect look-ups
    let Indirect { look_ahead, on_way, fields, aggregate, .. } = of;
    let own = OnWay::shape().unpack(on_way.output.data.val());
    discard(on_way.output.valid.val(), "it does not come later than the samples");
    on_way.output.ready.next = done;
    fields.in_valid.next = done && own.is_first_pass;
    fields.sample.next = sample;
    fields.choice.next = &own.choice;
    fields.row.next = &own.row;
    fields.more.next = own.marks.more;
    fields.ends_pass.next = own.ends_pass;
    look_ahead.back_valid.next = fields.out_valid.val();
    look_ahead.back.next = fields.back.val();
    aggregate.in_valid.next = done && !own.is_first_pass;
    aggregate.sample.next = sample;
    aggregate.marks.next = &own.marks;
    aggregate.ends_quad.next = own.ends_pass;
    aggregate.out_ready.next = sampler.result_room.val();
    [aggregate.done.val(), aggregate.out_sample.val()]
}

/// One bit: values find room.
#[kernel]
pub(super) fn has_room(of: &Indirect) -> Bits {
    of.aggregate.has_room.val()
}
