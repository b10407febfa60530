//! `arriving`: items on their way to their turns: what of them is divided, what counts as nothing, which faces directions point to.

use super::super::FACE_BITS;
use super::super::division::{Number, compared, face_of};
use super::super::edges::{crosses, first_face, reaches_far};
use super::super::number::{is_below_two, is_nothing, magnitude};
use super::super::shapes::Parts;
use super::{NUMBERS, Quads, Stage};
use crate::datapath::general::words::{
    ItemHead, NUMBER_BITS, PIXELS, QuadMarks, RequestItem, field_of, general, has_field,
};
use tmu_hdl::prelude::*;
use tmu_spec::general::Kind;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::KIND;

/// What is said of an item when it comes.
#[derive(Clone, Debug, Record)]
pub(super) struct About<T = Bits> {
    pub(super) is_raw: T,
    pub(super) is_divided: T,
    pub(super) is_cube: T,
    pub(super) has_v: T,
    pub(super) has_w: T,
    pub(super) is_layered: T,
}

/// What an item has beside its numbers.
#[derive(Clone, Debug, Record)]
pub(super) struct Rest<T = Bits> {
    pub(super) head: ItemHead<T>,
    pub(super) marks: QuadMarks<T>,
    pub(super) references: [T; PIXELS],
}

/// The item that takes its turns.
pub(super) struct Standing {
    pub(super) full: Bits,
    pub(super) about: About,
    pub(super) rest: Rest,
    /// Of each pixel u, v, w and q: as they came, or with sign and magnitude.
    pub(super) numbers: [[Bits; NUMBERS]; PIXELS],
    /// Which of them are nothing.
    pub(super) are_none: [[Bits; NUMBERS]; PIXELS],
    /// The faces of the pixels, and that of the first valid one.
    pub(super) faces: [Bits; PIXELS],
    pub(super) first: Bits,
    /// Pixels at ends of edges show several of them.
    pub(super) is_several: Bits,
    /// Of one of them a coordinate on the face of the first one may be 2 or more, from the middle of that face on.
    pub(super) is_far: Bits,
}

/// A number on its way.
struct Known<'a> {
    /// As it came, or sign and magnitude.
    word: Payload<'a, Stage, Bits>,
    /// In the last stage: it is nothing.
    is_none: Bits,
}

/// One bit: the texture is of this kind.
#[kernel]
fn is_kind(quads: &Quads, kind: Kind) -> Bits {
    let has_kind = general(&quads._config).has_kind(kind);
    match quads.kind.as_ref() {
        Some(reg) if has_kind => reg.val() == u64::from(kind.code()),
        _ => lit(1, u32::from(has_kind)),
    }
}

/// What an item asks for.
#[kernel]
fn about(quads: &Quads, parts: Parts, item: &RequestItem) -> About {
    let is_fetch = parts.fetch && item.marks.operation == OperationName::Fetch as u64;
    let is_raw = item.head.is_binding || is_fetch;
    let one = general(&quads._config).numbers.one();
    let is_one = item.pixels.each_ref().map(|pixel| pixel.q == u64::from(one));
    let has_q = if parts.projective { !stack(is_one).all() } else { lit(1, 0u32) };
    let is_cube = is_kind(quads, Kind::Cube) && !is_raw;
    let is_layered = is_kind(quads, Kind::D2Array);
    About {
        is_raw,
        is_divided: is_cube || (has_q && !is_raw),
        is_cube,
        has_v: is_raw || !is_kind(quads, Kind::D1),
        has_w: is_raw || is_kind(quads, Kind::D3) || is_layered,
        is_layered,
    }
}

#[kernel]
pub(super) fn items(quads: &Quads, parts: Parts, pipe: &Run<'_, Stage>) -> Standing {
    /// # Items
    let item = RequestItem::of(&quads._config).unpack(quads.input.data.val());
    let full = pipe.flag(Stage::Entry, "full", quads.input.valid.val());
    /// Other registers of a binding follow before a quad does.
    if let Some(kind) = quads.kind.as_ref() {
        if quads.input.valid.val() && quads.front.val() && has_field(&item.head, KIND) {
            kind.next = field_of(item.pixels[0].u, KIND);
        }
    }
    let about = pipe.put(Stage::Entry, "about", about(quads, parts, &item));
    let rest = Rest {
        head: item.head.clone(),
        marks: item.marks.clone(),
        references: item.pixels.each_ref().map(|pixel| pixel.reference),
    };
    let rest = pipe.put(Stage::Entry, "rest", rest).at(Stage::Turn);
    let given = item.pixels.each_ref().map(|pixel| [pixel.u, pixel.v, pixel.w, pixel.q]);
    let asked = about.at(Stage::Zeros);
    let always = lit(1, 1u32);
    let shown = [always, asked.has_v, asked.has_w || asked.is_cube, always];
    let is_there = [true, true, parts.w || parts.cube, parts.projective];
    let known: Vec<Vec<_>> = (0..PIXELS)
        .map(|pixel| {
            let known = |axis: usize| {
                let name = format!("{}{pixel}", ["u", "v", "w", "q"][axis]);
                let how = (asked.is_divided, shown[axis]);
                is_there[axis].then(|| number(parts, pipe, (&name, given[pixel][axis]), how))
            };
            (0..NUMBERS).map(known).collect()
        })
        .collect();
    let of_all = |of: &dyn Fn(&Known<'_>) -> Bits, none: usize| {
        [0, 1, 2, 3].map(|pixel: usize| {
            [0, 1, 2, 3]
                .map(|number: usize| known[pixel][number].as_ref().map_or_else(|| lit(none, 0u32), of))
        })
    };
    let numbers = of_all(&|known: &Known<'_>| known.word.at(Stage::Turn), parts.number_bits());
    let are_none = of_all(&|known: &Known<'_>| known.is_none, 1);
    let faces = faces(parts, pipe, &item, &known);
    Standing {
        full: full.at(Stage::Turn),
        is_several: faces.are_several && about.at(Stage::Turn).is_cube,
        is_far: faces.are_far,
        about: about.at(Stage::Turn),
        rest,
        numbers,
        are_none,
        faces: faces.own,
        first: faces.first,
    }
}

/// A number on its way: sign and magnitude, where it is divided.
#[kernel]
fn number<'a>(
    parts: Parts,
    pipe: &Run<'a, Stage>,
    (name, given): (&str, Bits),
    (is_divided, is_shown): (Bits, Bits),
) -> Known<'a> {
    let put = |stage: Stage, what: &str, value: Bits| pipe.put(stage, &format!("{name}_{what}"), value);
    let raw = put(Stage::Entry, "given", given).at(Stage::Zeros);
    if !parts.divides() {
        let word = put(Stage::Zeros, "word", kept(is_shown, raw));
        return Known { word, is_none: lit(1, 0u32) };
    }
    if parts.floats {
        let is_none = put(Stage::Entry, "is_none", is_nothing(given));
        let counts = is_shown && !(is_divided && is_none.at(Stage::Zeros));
        let cleared = put(Stage::Zeros, "cleared", kept(counts, raw)).at(Stage::Magnitudes);
        let word = put(Stage::Magnitudes, "word", cleared);
        return Known { word, is_none: is_none.at(Stage::Turn) };
    }
    let (sign, magnitude) = magnitude(given, false);
    let own = put(Stage::Entry, "own", cat(&[sign, magnitude])).at(Stage::Zeros);
    let either = if is_divided { own } else { raw.zero_extend(NUMBER_BITS + 1) };
    let cleared = put(Stage::Zeros, "cleared", kept(is_shown, either)).at(Stage::Magnitudes);
    let word = put(Stage::Magnitudes, "word", cleared);
    let is_none = !word.at(Stage::Magnitudes).low(NUMBER_BITS).any();
    let is_none = put(Stage::Magnitudes, "is_none", is_none).at(Stage::Turn);
    Known { word, is_none }
}

/// What the faces of the pixels are.
struct Faces {
    own: [Bits; PIXELS],
    first: Bits,
    /// See [`Standing`].
    are_several: Bits,
    are_far: Bits,
}

#[kernel]
fn faces(parts: Parts, pipe: &Run<'_, Stage>, item: &RequestItem, known: &[Vec<Option<Known<'_>>>]) -> Faces {
    /// # Faces
    if !parts.cube {
        let (none, no) = (lit(FACE_BITS, 0u32), lit(1, 0u32));
        return Faces { own: [none; PIXELS], first: none, are_several: no, are_far: no };
    }
    /// The face is that of the last pixel where none before it is valid; where edges lie does not depend on the first one.
    let none = lit(1, 0u32);
    let upper = pipe.put(Stage::Entry, "valid_before_last", item.marks.valid.low(PIXELS - 1));
    let lower = pipe.put(Stage::Entry, "valid_behind_first", item.marks.valid.high(PIXELS - 1));
    let components = [0, 1, 2, 3].map(|pixel: usize| {
        [0, 1, 2].map(|axis: usize| {
            let word = known[pixel][axis]
                .as_ref()
                .map_or_else(|| lit(parts.number_bits(), 0u32), |known| known.word.at(Stage::Magnitudes));
            Number { sign: word.high(1), magnitude: word.low(parts.magnitude_bits()) }
        })
    });
    let own = [0, 1, 2, 3].map(|pixel: usize| {
        let [x, y, z] = &components[pixel];
        let compared = pipe.put(Stage::Magnitudes, &format!("compared{pixel}"), compared(x, y, z));
        pipe.put(Stage::First, &format!("face{pixel}"), face_of(&compared.at(Stage::First)))
    });
    let are_near = [0, 1, 2, 3].map(|pixel: usize| {
        let near = near_faces(parts, &components[pixel]);
        pipe.put(Stage::Magnitudes, &format!("is_near{pixel}"), near)
    });
    let faces = own.each_ref().map(|face| face.at(Stage::First));
    let first = first_face(cat(&[none, upper.at(Stage::First)]), &faces);
    let first = pipe.put(Stage::First, "first", first);
    let seen = own.each_ref().map(|face| face.at(Stage::Crosses));
    let valid = || cat(&[lower.at(Stage::Crosses), none]);
    let several = crosses(valid(), first.at(Stage::Crosses), &seen);
    let are_near = are_near.each_ref().map(|near| near.at(Stage::Crosses));
    let far = reaches_far(valid(), first.at(Stage::Crosses), &are_near);
    Faces {
        own: own.each_ref().map(|face| face.at(Stage::Turn)),
        first: first.at(Stage::Turn),
        are_several: pipe.put(Stage::Crosses, "several", several).at(Stage::Turn),
        are_far: pipe.put(Stage::Crosses, "far", far).at(Stage::Turn),
    }
}

/// Whether both coordinates of a direction on a face along x, along y and along z are below 2.
#[kernel]
fn near_faces(parts: Parts, components: &[Number; 3]) -> [Bits; 3] {
    let [x, y, z] = components.each_ref().map(|of| of.magnitude);
    let covers = |own: Bits, others: [Bits; 2]| {
        let [one, other] = others.map(|of| is_below_two(of, own, parts.floats));
        one && other
    };
    [covers(x, [y, z]), covers(y, [x, z]), covers(z, [x, y])]
}

/// A number, or 0: a choice, which goes to the reset of a register.
#[kernel]
fn kept(counts: Bits, number: Bits) -> Bits {
    let none = lit(number.width(), 0u32);
    if counts { number } else { none }
}
