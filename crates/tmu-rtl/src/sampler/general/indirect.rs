//! `indirect`: the stages of indirect look-ups, in front of `projection` and behind `filter`. Wires, and what `places` needs of both
//! textures.
//!
//! Quads leave `filter` in the order in which they came out of `look_ahead`, so that what else belongs to a pass waits in a FIFO
//! beside the stages between them.

use super::{GeneralSampler, off};
use crate::datapath::general::axis::{MODE_BITS, SIZE_BITS};
use crate::datapath::general::indirect::aggregate::{Aggregate, Marks};
use crate::datapath::general::indirect::fields::{Choice, Fields};
use crate::datapath::general::indirect::look_ahead::{Coming, Going, LookAhead};
use crate::datapath::general::indirect::places::{Extent, Places, QuadPlaces, QuadTexels, Texel};
use crate::datapath::general::request::indirect::Asked;
use crate::datapath::general::words::{
    ItemHead, NUMBER_BITS, OPERATION_BITS, PIXELS, Pass, PixelNumbers, QuadMarks, RequestItem, field_of,
    has_field, has_secondary_field,
};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SkidBuffer, SyncFifo};
use tmu_spec::Config;
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::general::field::{ADDRESS, HEIGHT, KIND, REGISTER_BITS, WIDTH};
use tmu_spec::general::{Kind, OperationName};

/// Quads on their way from `look_ahead` to `filter` beside those in the queue of the `data_stage`. With more of them first passes and
/// all others wait.
const QUADS_OF_STAGES: u32 = 256;

/// The stages.
#[derive(Bundle)]
pub(super) struct Indirect {
    arrived: SkidBuffer,
    look_ahead: LookAhead,
    primary: Extents<FieldReg>,
    secondary: Extents<FieldReg>,
    places: Places,
    left: SkidBuffer,
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
        let extent = || Extent { side: Width::bits(SIZE_BITS), mode: Width::bits(MODE_BITS) };
        Extents { axes: [extent(), extent()], is_row: Width::bits(1) }
    }
}

/// What a pixel has beside u and v.
#[derive(Clone, Debug, Record)]
struct Others<T = Bits> {
    w: T,
    q: T,
    reference: T,
}

impl Others<Width> {
    fn of(config: &Config) -> [Others<Width>; PIXELS] {
        RequestItem::of(config).pixels.map(|PixelNumbers { w, q, reference, .. }| Others { w, q, reference })
    }
}

/// What goes past `look_ahead` with an item.
#[derive(Clone, Debug, Record)]
struct Rest<T = Bits> {
    register: T,
    marks: QuadMarks<T>,
    others: [Others<T>; PIXELS],
    choice: Choice<T>,
}

impl Rest<Width> {
    fn of(config: &Config) -> Rest<Width> {
        let RequestItem { head, marks, .. } = RequestItem::of(config);
        let none = Width::bits(1).when(false);
        Rest {
            register: head.register,
            marks: QuadMarks { pass: Pass { is_first: none, is_second: none }, ..marks },
            others: Others::of(config),
            choice: Choice::shape(),
        }
    }
}

/// What goes past `places` with an item.
#[derive(Clone, Debug, Record)]
struct Along<T = Bits> {
    head: ItemHead<T>,
    marks: QuadMarks<T>,
    /// u and v of what is no pass.
    places: [[T; 2]; PIXELS],
    others: [Others<T>; PIXELS],
}

impl Along<Width> {
    fn of(config: &Config) -> Along<Width> {
        let RequestItem { head, marks, pixels } = RequestItem::of(config);
        let places = pixels.map(|PixelNumbers { u, v, .. }| [u, v]);
        Along { head, marks, places, others: Others::of(config) }
    }
}

/// What belongs to a quad whose samples come.
#[derive(Clone, Debug, Record)]
struct OnWay<T = Bits> {
    is_first_pass: T,
    ends_pass: T,
    marks: Marks<T>,
    choice: Choice<T>,
}

impl OnWay<Width> {
    fn shape() -> OnWay<Width> {
        let bit = Width::bits(1);
        OnWay { is_first_pass: bit, ends_pass: bit, marks: Marks::shape(), choice: Choice::shape() }
    }
}

impl Indirect {
    /// `margin`: quads that may be on their way from the `data_stage` to `filter`.
    pub(super) fn new(config: &Config, clocks: &Clocks, margin: usize) -> Indirect {
        let quads = (config.cache().queue_depth() + QUADS_OF_STAGES).next_power_of_two() as usize;
        Indirect {
            arrived: SkidBuffer::new(RequestItem::of(config).width() + Asked::shape().width()),
            look_ahead: LookAhead::new(Rest::of(config).width()),
            primary: Extents::shape().registers(clocks),
            secondary: Extents::shape().registers(clocks),
            places: Places::new(config, Along::of(config).width()),
            left: SkidBuffer::new(RequestItem::of(config).width()),
            on_way: SyncFifo::with_style(quads, OnWay::shape().width(), RamStyle::Block),
            fields: Fields::new(config),
            aggregate: Aggregate::new(config, margin),
        }
    }

    /// Their clocks, and so their resets.
    pub(super) fn clocks(&self) -> Vec<&Clocks> {
        vec![
            &self.arrived.clocks,
            &self.look_ahead.clocks,
            &self.places.clocks,
            &self.left.clocks,
            &self.on_way.clocks,
            &self.fields.clocks,
            &self.aggregate.clocks,
        ]
    }

    /// Where quads leave for `projection`.
    pub(super) fn output(&self) -> &StreamOut {
        &self.left.output
    }
}

/// From items of `request` to those that go into `projection`.
#[kernel]
pub(super) fn passes(of: &Indirect, sampler: &GeneralSampler) {
    /// # Quads of indirect look-ups
    let (config, request) = (&sampler._config, &sampler.request);
    let Indirect { arrived, look_ahead, places, left, on_way, .. } = of;
    let Some(asked) = request.asked.as_ref() else { return };
    arrived.input.valid.next = off::enter(sampler, arrived.input.ready.val());
    arrived.input.data.next = cat(&[asked.val(), request.item.data.val()]);
    look_ahead.input.valid.next = arrived.output.valid.val();
    look_ahead.input.data.next = coming(config, arrived.output.data.val());
    arrived.output.ready.next = look_ahead.input.ready.val();
    /// # Passes
    let shape = Rest::of(config);
    let going = Going::of(shape.width()).unpack(look_ahead.output.data.val());
    let rest = shape.unpack(going.rest);
    let moves = look_ahead.output.valid.val() && places.input.ready.val() && on_way.input.ready.val();
    look_ahead.output.ready.next = places.input.ready.val() && on_way.input.ready.val();
    on_way.input.valid.next = moves && !going.is_binding;
    on_way.input.data.next = OnWay::shape().pack(&OnWay {
        is_first_pass: going.is_first_pass,
        ends_pass: going.ends_pass,
        marks: going.marks.clone(),
        choice: rest.choice.clone(),
    });
    discard(on_way.level.val(), "its ready says enough");
    let head = ItemHead { is_binding: going.is_binding, register: rest.register };
    keep_extents(of, &head, going.places[0][0], moves);
    places.input.valid.next = look_ahead.output.valid.val() && on_way.input.ready.val();
    places.input.data.next = quad_places(of, config, &going, rest, head);
    /// # Texels
    let texels = QuadTexels::of(config, Along::of(config).width()).unpack(places.output.data.val());
    discard(texels.valid, "they come along");
    left.input.valid.next = places.output.valid.val();
    left.input.data.next = item(config, texels);
    places.output.ready.next = left.input.ready.val();
}

/// What comes into `look_ahead`.
#[kernel]
fn coming(config: &Config, arrived: Bits) -> Bits {
    let item_shape = RequestItem::of(config);
    let item = item_shape.unpack(arrived.low(item_shape.width()));
    let asked = Asked::shape().unpack(arrived.high(Asked::shape().width()));
    let is_indirect = asked.is_indirect && !item.head.is_binding;
    let RequestItem { head, marks, pixels } = item;
    discard(marks.pass.is_first, "passes are made behind");
    discard(marks.pass.is_second, "as above");
    let Marks { operation, more } = asked.marks;
    let rest = Rest {
        register: head.register,
        marks: QuadMarks { pass: Pass::none(), ..marks },
        others: pixels.clone().map(|PixelNumbers { w, q, reference, .. }| Others { w, q, reference }),
        choice: asked.choice,
    };
    let shape = Rest::of(config);
    Coming::of(shape.width()).pack(&Coming {
        is_binding: head.is_binding,
        is_indirect,
        // What is direct is one value.
        marks: Marks {
            operation: operation & is_indirect.repeat(operation.width()),
            more: more & is_indirect.repeat(more.width()),
        },
        offsets: asked.offsets,
        places: pixels.map(|PixelNumbers { u, v, .. }| [u, v]),
        rest: shape.pack(&rest),
    })
}

/// A register of a binding goes past.
#[kernel]
fn keep_extents(of: &Indirect, head: &ItemHead, data: Bits, moves: Bits) {
    /// # Sides and modes of both textures
    let register = data.low(REGISTER_BITS as usize);
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
        let side = field_of(register, sides[axis]).zero_extend(SIZE_BITS) + 1;
        let mode = field_of(register, ADDRESS[axis]);
        if takes_own(sides[axis]) {
            primary.side.next = side;
        }
        if takes_own(ADDRESS[axis]) {
            primary.mode.next = mode;
        }
        if takes_other(sides[axis]) {
            secondary.side.next = side;
        }
        if takes_other(ADDRESS[axis]) {
            secondary.mode.next = mode;
        }
    }
}

/// What goes into `places`. What is no pass only goes along.
#[kernel]
fn quad_places(of: &Indirect, config: &Config, going: &Going, rest: Rest, head: ItemHead) -> Bits {
    let is_pass = going.is_first_pass || going.is_second_pass;
    let (first, second) = (of.primary.val(), of.secondary.val());
    let chosen = |first: Bits, second: Bits| if going.is_second_pass { second } else { first };
    let extent = |axis: usize| Extent {
        side: chosen(first.axes[axis].side, second.axes[axis].side),
        mode: chosen(first.axes[axis].mode, second.axes[axis].mode),
    };
    let marks = QuadMarks {
        is_failed: rest.marks.is_failed || going.is_failed,
        pass: Pass { is_first: going.is_first_pass, is_second: going.is_second_pass },
        ..rest.marks
    };
    let along = Along { head, marks, places: going.places, others: rest.others };
    let shape = Along::of(config);
    QuadPlaces::of(shape.width()).pack(&QuadPlaces {
        valid: along.marks.valid & is_pass.repeat(PIXELS),
        places: going.places,
        extents: [extent(0), extent(1)],
        is_row: chosen(first.is_row, second.is_row),
        along: shape.pack(&along),
    })
}

/// What goes into `projection`: a pass fetches texels of level 0, and where there is none one that no texture has.
#[kernel]
fn item(config: &Config, quad: QuadTexels) -> Bits {
    let Along { head, marks, places, others } = Along::of(config).unpack(quad.along);
    let is_pass = marks.pass.is_first || marks.pass.is_second;
    let number = |texel: &Texel, own: Bits| {
        let texel = texel.number.zero_extend(NUMBER_BITS) | texel.is_outside.repeat(NUMBER_BITS);
        if is_pass { texel } else { own }
    };
    let pixel = |place: usize| {
        let [column, row] = &quad.texels[place];
        let Others { w, q, reference } = others[place].clone();
        PixelNumbers {
            u: number(column, places[place][0]),
            v: number(row, places[place][1]),
            w,
            q,
            reference,
        }
    };
    let fetch = lit(OPERATION_BITS, OperationName::Fetch as u32);
    RequestItem::of(config).pack(&RequestItem {
        head,
        marks: QuadMarks {
            operation: if is_pass { fetch } else { marks.operation },
            lod: marks.lod & (!is_pass).repeat(NUMBER_BITS),
            ..marks
        },
        pixels: [pixel(0), pixel(1), pixel(2), pixel(3)],
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
