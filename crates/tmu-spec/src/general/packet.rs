//! Quads and bindings of the general numerics as packets of beats.
//!
//! A binding is a packet of five beats, a [word](super::binding::Words) each. A quad begins with u and v of its pixels, as a classic
//! one does; behind them stand, where the unit has them, a beat with w of all four pixels, one with their divisors, one with their
//! references, and one with the level of detail and the operation. They may be left out from the end on: w and references are 0 then,
//! divisors 1, and the operation is `sample`.
//!
//! Where a quad is one beat, the words of all these beats stand in it one above the other, none left out, and the valid bits on top. A
//! word of a binding then has the lowest bits of its beat, and the others mean nothing.

use super::binding::Words;
use super::features::{General, OperationName};
use super::request::{Numbers, Operation, Pixel, Quad};
use super::texture::Kind;
use crate::binding::field::WORD_BITS;
use crate::quad::{BeatsPerQuad, MOST_TDATA_BYTES, PIXELS, PacketError, RequestBeat};

/// Beats that hold u and v of a quad.
pub const COORDINATE_BEATS: usize = 2;

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

    /// Words of a quad: as many beats as it has at most where it has several.
    #[must_use]
    pub const fn words(self) -> usize {
        COORDINATE_BEATS
            + self.third as usize
            + self.divisor as usize
            + self.reference as usize
            + self.operation as usize
    }

    /// Where the valid bits start in each beat of a quad.
    #[must_use]
    pub const fn valid_shift(self, beats_per_quad: BeatsPerQuad) -> u32 {
        match beats_per_quad {
            BeatsPerQuad::One => self.words() as u32 * WORD_BITS,
            BeatsPerQuad::Two => WORD_BITS,
        }
    }

    /// Width of `tdata` in bits.
    #[must_use]
    pub const fn tdata_bits(self, beats_per_quad: BeatsPerQuad) -> u32 {
        (self.valid_shift(beats_per_quad) + PIXELS as u32).next_multiple_of(8)
    }
}

const _: () = assert!(Extras::ALL.tdata_bits(BeatsPerQuad::One) as usize == 8 * MOST_TDATA_BYTES);

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

/// The packet of a quad: one beat, or as few beats as what the unit has and the quad needs allow.
///
/// # Panics
/// If the quad needs what the unit does not have.
#[must_use]
pub fn of_quad(quad: &Quad, extras: Extras, beats_per_quad: BeatsPerQuad) -> Vec<RequestBeat> {
    let parts = parts(quad, extras);
    assert!(parts.iter().all(|part| part.is_built || !part.is_needed), "the unit has what the quad needs");
    let needed = match beats_per_quad {
        BeatsPerQuad::One => parts.len(),
        BeatsPerQuad::Two => parts.iter().rposition(|part| part.is_needed).map_or(0, |last| last + 1),
    };
    let own = parts[..needed].iter().filter(|part| part.is_built);
    let words: Vec<_> = own.map(Part::bytes).collect();
    let per_beat = match beats_per_quad {
        BeatsPerQuad::One => words.len(),
        BeatsPerQuad::Two => 1,
    };
    let last = words.len() / per_beat - 1;
    let beat = |(number, words): (usize, &[[[u8; 4]; 4]])| {
        let mut tdata = words.as_flattened().as_flattened().to_vec();
        tdata.push(quad.valid & 0xf);
        RequestBeat::new(&tdata, false, number == last)
    };
    words.chunks(per_beat).enumerate().map(beat).collect()
}

/// Reads a quad from its packet. Bits that mean nothing are passed over, and what is left out is what it stands for.
///
/// # Errors
/// The first way in which the packet is not a quad's.
pub fn to_quad(
    beats: &[RequestBeat],
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
) -> Result<Quad, PacketError> {
    let got = beats.iter().position(RequestBeat::last).map_or(beats.len(), |last| last + 1);
    let (least, most) = match beats_per_quad {
        BeatsPerQuad::One => (1, 1),
        BeatsPerQuad::Two => (COORDINATE_BEATS, extras.words()),
    };
    if got != beats.len() || got < least || got > most || !beats[got - 1].last() {
        return Err(PacketError::Length { expected: least as u32, got });
    }
    if beats.iter().any(RequestBeat::is_binding) {
        return Err(PacketError::Binding);
    }
    let word_bytes = (WORD_BITS / 8) as usize;
    let (bytes, valid_byte) = match beats_per_quad {
        BeatsPerQuad::One => (extras.words() * word_bytes, extras.words() * word_bytes),
        BeatsPerQuad::Two => (word_bytes, word_bytes),
    };
    let valid = beats[got - 1].low_bytes(valid_byte + 1)[valid_byte] & 0xf;
    let all: Vec<u8> = beats.iter().flat_map(|beat| beat.low_bytes(bytes).to_vec()).collect();
    let number = |chunk: &[u8]| u32::from_le_bytes(std::array::from_fn(|byte| chunk[byte]));
    let mut words = all
        .chunks(word_bytes)
        .map(|word| -> [u32; 4] { std::array::from_fn(|own| number(&word[4 * own..])) });
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut next = |is_built: bool, left_out: u32| {
        if is_built { words.next().unwrap_or([left_out; 4]) } else { [left_out; 4] }
    };
    let third = next(extras.third, 0);
    let divisors = next(extras.divisor, extras.numbers.one());
    let references = next(extras.reference, 0);
    let [lod, code, ..] = next(extras.operation, 0);
    let component = (code >> (COMPONENT_SHIFT - OPERATION_SHIFT)) as u8 & 3;
    let coordinates =
        [[first[0], first[1]], [first[2], first[3]], [second[0], second[1]], [second[2], second[3]]];
    Ok(Quad {
        pixels: std::array::from_fn(|pixel| Pixel {
            u: coordinates[pixel][0],
            v: coordinates[pixel][1],
            w: third[pixel],
            q: divisors[pixel],
            d: references[pixel],
        }),
        valid,
        lod,
        operation: match code & 7 {
            1 => Operation::Lod,
            2 => Operation::Bias,
            3 => Operation::Fetch,
            4 => Operation::Gather(component),
            _ => Operation::Sample,
        },
    })
}

/// A word of a quad.
struct Part {
    /// The unit has it.
    is_built: bool,
    /// The quad is another one without it.
    is_needed: bool,
    numbers: [u32; 4],
}

impl Part {
    fn bytes(&self) -> [[u8; 4]; 4] {
        self.numbers.map(u32::to_le_bytes)
    }
}

/// All words that there are, in their order.
fn parts(quad: &Quad, extras: Extras) -> [Part; Extras::ALL.words()] {
    let [p0, p1, p2, p3] = quad.pixels;
    let operation = OperationName::from(quad.operation) as u32;
    let component = if let Operation::Gather(component) = quad.operation { u32::from(component) } else { 0 };
    let of = |number: fn(&Pixel) -> u32| quad.pixels.each_ref().map(number);
    let has = |number: fn(&Pixel) -> u32, left_out: u32| of(number).iter().any(|own| *own != left_out);
    let one = extras.numbers.one();
    let part = |is_built, is_needed, numbers| Part { is_built, is_needed, numbers };
    [
        part(true, true, [p0.u, p0.v, p1.u, p1.v]),
        part(true, true, [p2.u, p2.v, p3.u, p3.v]),
        part(extras.third, has(|pixel| pixel.w, 0), of(|pixel| pixel.w)),
        part(extras.divisor, extras.divisor && has(|pixel| pixel.q, one), of(|pixel| pixel.q)),
        part(extras.reference, extras.reference && has(|pixel| pixel.d, 0), of(|pixel| pixel.d)),
        part(
            extras.operation,
            quad.operation != Operation::Sample,
            [quad.lod, operation | component << (COMPONENT_SHIFT - OPERATION_SHIFT), 0, 0],
        ),
    ]
}

/// Lowest bit of the operation in its beat.
pub const OPERATION_SHIFT: u32 = 32;
/// Lowest bit of the component that `gather` returns, in the same beat.
pub const COMPONENT_SHIFT: u32 = 40;

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Extras =
        Extras { third: false, divisor: false, reference: false, operation: false, numbers: Numbers::S16p16 };

    fn quad() -> Quad {
        let pixels = [1, 2, 3, 4].map(|u| Pixel { u, v: u << 8, w: u << 16, q: u << 24, d: u | 0x80 });
        Quad { pixels, valid: 0b1010, lod: 0x4048_f5c3, operation: Operation::Gather(2) }
    }

    #[test]
    fn a_quad_in_one_beat_is_its_beats_one_above_the_other() {
        let some = Extras { third: true, reference: true, ..NONE };
        for (extras, bits) in [(Extras::ALL, 776), (some, 520), (NONE, 264)] {
            assert_eq!(extras.tdata_bits(BeatsPerQuad::One), bits);
            assert_eq!(extras.tdata_bits(BeatsPerQuad::Two), 136);
            let mut quad = quad();
            if !extras.operation {
                quad.operation = Operation::Sample;
            }
            if !extras.third {
                quad.pixels.iter_mut().for_each(|pixel| pixel.w = 0);
            }
            let [one] = of_quad(&quad, extras, BeatsPerQuad::One)[..] else { panic!("it is one beat") };
            let several = of_quad(&quad, extras, BeatsPerQuad::Two);
            assert_eq!(several.len(), extras.words());
            let words = several.iter().flat_map(|beat| beat.low_bytes(16)).copied();
            assert_eq!(one, RequestBeat::new(&words.chain([0b1010]).collect::<Vec<_>>(), false, true));
        }
    }

    #[test]
    fn quads_round_trip() {
        let sampled = Quad { operation: Operation::Sample, lod: 0, ..quad() };
        let plain = sampled.pixels.map(|pixel| Pixel { w: 0, q: Numbers::S16p16.one(), d: 0, ..pixel });
        for beats in [BeatsPerQuad::One, BeatsPerQuad::Two] {
            for quad in [quad(), sampled, Quad { pixels: plain, ..sampled }] {
                assert_eq!(to_quad(&of_quad(&quad, Extras::ALL, beats), Extras::ALL, beats), Ok(quad));
            }
        }
        let beats = of_quad(&quad(), Extras::ALL, BeatsPerQuad::Two);
        assert!(to_quad(&beats[..3], Extras::ALL, BeatsPerQuad::Two).is_err());
        assert!(to_quad(&beats, NONE, BeatsPerQuad::Two).is_err());
    }

    #[test]
    fn one_beat_leaves_nothing_out() {
        let one = Numbers::S16p16.one();
        let pixels = [Pixel { u: 7, q: one, ..Pixel::default() }; 4];
        let quad = Quad { pixels, valid: 1, lod: 0, operation: Operation::Sample };
        assert_eq!(of_quad(&quad, Extras::ALL, BeatsPerQuad::Two).len(), COORDINATE_BEATS);
        let [beat] = of_quad(&quad, Extras::ALL, BeatsPerQuad::One)[..] else { panic!("it is one beat") };
        let tdata = beat.low_bytes(97);
        assert_eq!(tdata[48..52], one.to_le_bytes());
        assert_eq!((tdata[80..96].iter().any(|byte| *byte != 0), tdata[96]), (false, 1));
    }
}
