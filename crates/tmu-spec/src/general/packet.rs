//! Quads and bindings of the general numerics as packets of beats.
//!
//! A binding is a packet of five beats, a [word](super::binding::Words) each. A quad begins with u and v of its pixels, as a classic
//! one does; behind them stand, where the unit has them, a beat with w of all four pixels, one with their divisors, one with their
//! references, and one with the level of detail and the operation. They may be left out from the end on: w and references are 0 then,
//! divisors 1, and the operation is `sample`.

use super::binding::Words;
use super::features::{General, OperationName};
use super::request::{Numbers, Operation, Pixel, Quad};
use super::texture::Kind;
use crate::quad::{BeatsPerQuad, PIXELS, RequestBeat};

/// Beats that hold u and v of a quad.
pub const COORDINATE_BEATS: usize = 2;
/// Bytes of a beat.
const BEAT_BYTES: usize = BeatsPerQuad::Two.tdata_bytes();

/// The beats behind u and v that a unit has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extras {
    /// Pixels have a third coordinate.
    pub third: bool,
    /// They have a divisor.
    pub divisor: bool,
    /// They have a depth that texels are compared with.
    pub reference: bool,
    /// There are other operations than `sample`.
    pub operation: bool,
    /// The form of coordinates and divisors.
    pub numbers: Numbers,
}

impl Extras {
    /// All of them.
    pub const ALL: Extras =
        Extras { third: true, divisor: true, reference: true, operation: true, numbers: Numbers::S16p16 };

    /// Those of a unit.
    #[must_use]
    pub fn of(general: &General) -> Self {
        let others = [OperationName::Lod, OperationName::Bias, OperationName::Fetch, OperationName::Gather];
        Self {
            third: [Kind::Cube, Kind::D3, Kind::D2Array].into_iter().any(|kind| general.has_kind(kind)),
            divisor: general.projective,
            reference: general.compare,
            operation: others.into_iter().any(|operation| general.has_operation(operation)),
            numbers: general.numbers,
        }
    }

    /// Most beats of a quad.
    #[must_use]
    pub const fn beats(self) -> usize {
        COORDINATE_BEATS
            + self.third as usize
            + self.divisor as usize
            + self.reference as usize
            + self.operation as usize
    }
}

/// The packet of a binding.
#[must_use]
pub fn of_binding(words: &Words) -> Vec<RequestBeat> {
    let last = words.len() - 1;
    words
        .iter()
        .enumerate()
        .map(|(number, word)| RequestBeat::new(&word.to_le_bytes(), true, number == last))
        .collect()
}

/// The packet of a quad, as short as what the unit has and the quad needs allow.
///
/// # Panics
/// If the quad needs what the unit does not have.
#[must_use]
pub fn of_quad(quad: &Quad, extras: Extras) -> Vec<RequestBeat> {
    let word = |numbers: [u32; 4]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).chain([quad.valid & 0xf]).collect()
    };
    let [p0, p1, p2, p3] = quad.pixels;
    let mut beats = vec![word([p0.u, p0.v, p1.u, p1.v]), word([p2.u, p2.v, p3.u, p3.v])];
    let operation = OperationName::from(quad.operation) as u32;
    let component = if let Operation::Gather(component) = quad.operation { u32::from(component) } else { 0 };
    let of = |number: fn(&Pixel) -> u32| quad.pixels.each_ref().map(number);
    let has = |number: fn(&Pixel) -> u32, left_out: u32| of(number).iter().any(|own| *own != left_out);
    let one = extras.numbers.one();
    let optional = [
        (extras.third, has(|pixel| pixel.w, 0), of(|pixel| pixel.w)),
        (extras.divisor, extras.divisor && has(|pixel| pixel.q, one), of(|pixel| pixel.q)),
        (extras.reference, extras.reference && has(|pixel| pixel.d, 0), of(|pixel| pixel.d)),
        (
            extras.operation,
            quad.operation != Operation::Sample,
            [quad.lod, operation | component << (COMPONENT_SHIFT - OPERATION_SHIFT), 0, 0],
        ),
    ];
    assert!(optional.iter().all(|(has, needs, _)| *has || !needs), "the unit has what the quad needs");
    let needed = optional.iter().rposition(|(_, needs, _)| *needs).map_or(0, |last| last + 1);
    let own = optional[..needed].iter().filter(|(has, ..)| *has);
    beats.extend(own.map(|(.., numbers)| word(*numbers)));
    debug_assert!(beats.iter().all(|beat| beat.len() == BEAT_BYTES) && PIXELS == 4);
    let last = beats.len() - 1;
    let beats = beats.iter().enumerate();
    beats.map(|(number, beat)| RequestBeat::new(beat, false, number == last)).collect()
}

/// Lowest bit of the operation in its beat.
pub const OPERATION_SHIFT: u32 = 32;
/// Lowest bit of the component that `gather` returns, in the same beat.
pub const COMPONENT_SHIFT: u32 = 40;
