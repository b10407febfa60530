//! Quads and bindings of the general numerics as packets of beats.
//!
//! A binding is a packet of five beats, a [word](super::binding::Words) each. A quad begins with u and v of its pixels, as a classic
//! one does; behind them stand, where the unit has them, a beat with w of all four pixels, one with their divisors, one with their
//! references, and one with the level of detail and the operation. They may be left out from the end on: w and references are 0 then,
//! divisors 1, and the operation is `sample`.
//!
//! Where a quad is one beat, the words of all these beats stand in it one above the other, none left out, and the valid bits on top. A
//! word of a binding then has the lowest bits of its beat, and the others mean nothing.
//!
//! A quad of an indirect look-up is one of an operation of its own, [`INDIRECT`]: its places are integers in u and v, and the upper half
//! of the word with the operation is its set-up. What binds the secondary texture is a binding with the bit
//! [`SECONDARY`](super::field::SECONDARY).

use super::binding::Words;
use super::features::{General, OperationName};
use super::indirect::{IndirectQuad, Setup, WordError};
use super::request::{Numbers, Operation, Pixel, Quad};
use super::texture::Kind;
use crate::binding::field::WORD_BITS;
use crate::choice::Choice as _;
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
            operation: general.indirect
                || others.into_iter().any(|operation| general.has_operation(operation)),
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
    of_parts(&parts(quad, extras), quad.valid, beats_per_quad)
}

/// The packet of a quad of an indirect look-up, whose places are looked up in the primary texture.
///
/// # Panics
/// If the set-up has no values or too many.
#[must_use]
pub fn of_indirect(
    quad: &IndirectQuad,
    setup: &Setup,
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
) -> Vec<RequestBeat> {
    let pixel =
        |[x, y]: [i32; 2]| Pixel { u: x as u32, v: y as u32, q: extras.numbers.one(), ..Pixel::default() };
    let fetched = Quad { pixels: quad.places.map(pixel), ..quad.fetched() };
    let word = setup.word();
    let mut parts = parts(&fetched, extras);
    let [.., operation] = &mut parts;
    operation.numbers = [0, INDIRECT, word as u32, (word >> SETUP_HALF_BITS) as u32];
    of_parts(&parts, quad.valid, beats_per_quad)
}

fn of_parts(parts: &[Part], valid: u8, beats_per_quad: BeatsPerQuad) -> Vec<RequestBeat> {
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
        tdata.push(valid & 0xf);
        RequestBeat::new(&tdata, false, number == last)
    };
    words.chunks(per_beat).enumerate().map(beat).collect()
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

/// A quad as its packet says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyQuad {
    /// A quad of one texture.
    Direct(Quad),
    /// One of an indirect look-up, and its set-up, or what is wrong with that.
    Indirect(IndirectQuad, Result<Setup, WordError>),
}

/// Reads a quad from its packet, as [`quad_from_beats`] does, in a unit that may have indirect look-ups. Bits of a set-up that no field
/// has mean nothing.
///
/// # Errors
/// The first way in which the packet is not a quad.
pub fn any_quad_from_beats(
    beats: &[RequestBeat],
    general: &General,
    beats_per_quad: BeatsPerQuad,
) -> Result<AnyQuad, PacketError> {
    let extras = Extras::of(general);
    let (quad, [_, operation, low, high]) = read(beats, extras, beats_per_quad)?;
    if !general.indirect || operation & OPERATION_MASK != INDIRECT {
        return quad_of(quad, operation).map(AnyQuad::Direct);
    }
    let places = quad.pixels.map(|pixel| [pixel.u as i32, pixel.v as i32]);
    let word = u64::from(low) | u64::from(high) << SETUP_HALF_BITS;
    let setup = Setup::from_word(word & super::indirect::KNOWN);
    Ok(AnyQuad::Indirect(IndirectQuad { places, valid: quad.valid }, setup))
}

/// Reads a quad from its packet. Words that the unit has not and those that are left out are what they are then: 0, and 1.0 the
/// divisor; valid bits are those of the first beat.
///
/// # Errors
/// The first way in which the packet is not a quad.
pub fn quad_from_beats(
    beats: &[RequestBeat],
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
) -> Result<Quad, PacketError> {
    let (quad, [_, operation, ..]) = read(beats, extras, beats_per_quad)?;
    quad_of(quad, operation)
}

/// The quad with the operation that a word names.
fn quad_of(quad: Quad, operation: u32) -> Result<Quad, PacketError> {
    let operation = match (operation & OPERATION_MASK, operation >> (COMPONENT_SHIFT - OPERATION_SHIFT) & 3) {
        (0, _) => Operation::Sample,
        (1, _) => Operation::Lod,
        (2, _) => Operation::Bias,
        (3, _) => Operation::Fetch,
        (4, component) => Operation::Gather(component as u8),
        (code, _) => return Err(PacketError::Operation(code as u8)),
    };
    Ok(Quad { operation, ..quad })
}

/// A quad from its packet, without its operation, and the word that has it.
fn read(
    beats: &[RequestBeat],
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
) -> Result<(Quad, [u32; 4]), PacketError> {
    let got = beats.iter().position(RequestBeat::last).map_or(beats.len(), |last| last + 1);
    let (least, most) = match beats_per_quad {
        BeatsPerQuad::One => (1, 1),
        BeatsPerQuad::Two => (COORDINATE_BEATS, extras.words()),
    };
    if got != beats.len() || !(least..=most).contains(&got) || !beats[got - 1].last() {
        return Err(PacketError::Length { expected: most as u32, got });
    }
    if beats[0].is_binding() {
        return Err(PacketError::Binding);
    }
    let valid_byte = (extras.valid_shift(beats_per_quad) / 8) as usize;
    let per_beat = if beats_per_quad == BeatsPerQuad::One { valid_byte } else { (WORD_BITS / 8) as usize };
    let bytes: Vec<u8> = beats.iter().flat_map(|beat| beat.low_bytes(per_beat)).copied().collect();
    let number = |word: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|byte| word[4 * at + byte]));
    let mut words =
        bytes.chunks_exact((WORD_BITS / 8) as usize).map(|word| std::array::from_fn(|at| number(word, at)));
    let mut next = |is_built: bool, left_out: [u32; 4]| {
        if is_built { words.next().unwrap_or(left_out) } else { left_out }
    };
    let [low, high] = [next(true, [0; 4]), next(true, [0; 4])];
    let w = next(extras.third, [0; 4]);
    let q = next(extras.divisor, [extras.numbers.one(); 4]);
    let d = next(extras.reference, [0; 4]);
    let of_operation = next(extras.operation, [0; 4]);
    let uv = [[low[0], low[1]], [low[2], low[3]], [high[0], high[1]], [high[2], high[3]]];
    let pixel = |at: usize| Pixel { u: uv[at][0], v: uv[at][1], w: w[at], q: q[at], d: d[at] };
    let valid = beats[0].low_bytes(MOST_TDATA_BYTES)[valid_byte] & 0xf;
    let quad = Quad {
        pixels: std::array::from_fn(pixel),
        valid,
        lod: of_operation[0],
        operation: Operation::Sample,
    };
    Ok((quad, of_operation))
}

/// Reads a binding's words from its packet.
///
/// # Errors
/// The first way in which the packet is not a binding's.
pub fn words_from_beats(beats: &[RequestBeat]) -> Result<Words, PacketError> {
    let got = beats.iter().position(RequestBeat::last).map_or(beats.len(), |last| last + 1);
    let expected = super::field::WORDS;
    if got != beats.len() || got != expected || !beats[got - 1].last() {
        return Err(PacketError::Length { expected: expected as u32, got });
    }
    if !beats[0].is_binding() {
        return Err(PacketError::Quad);
    }
    Ok(std::array::from_fn(|at| beats[at].word()))
}

/// Lowest bit of the operation in its beat.
pub const OPERATION_SHIFT: u32 = 32;
/// The code of indirect look-ups among the operations.
pub const INDIRECT: u32 = OperationName::CHOICES.len() as u32;
/// Lowest bit of the set-up of an indirect look-up, in the same beat.
pub const SETUP_SHIFT: u32 = WORD_BITS / 2;
/// Bits of an operation's code.
const OPERATION_MASK: u32 = 7;
/// Bits of half of a set-up.
const SETUP_HALF_BITS: u32 = u64::BITS / 2;
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
    fn packets_are_read_back() {
        let some = Extras { divisor: true, operation: true, ..NONE };
        for extras in [Extras::ALL, some, NONE] {
            for beats_per_quad in [BeatsPerQuad::One, BeatsPerQuad::Two] {
                let mut quad = quad();
                for pixel in &mut quad.pixels {
                    pixel.w = if extras.third { pixel.w } else { 0 };
                    pixel.q = if extras.divisor { pixel.q } else { extras.numbers.one() };
                    pixel.d = if extras.reference { pixel.d } else { 0 };
                }
                if !extras.operation {
                    quad = Quad { operation: Operation::Sample, lod: 0, ..quad };
                }
                let beats = of_quad(&quad, extras, beats_per_quad);
                assert_eq!(quad_from_beats(&beats, extras, beats_per_quad), Ok(quad));
                let long = [beats.clone(), beats].concat();
                assert!(quad_from_beats(&long, extras, beats_per_quad).is_err());
            }
        }
        let words = [1, 2, 3, 4, 1 << 100];
        assert_eq!(words_from_beats(&of_binding(&words)), Ok(words));
        assert_eq!(
            words_from_beats(&of_binding(&words)[1..]),
            Err(PacketError::Length { expected: 5, got: 4 })
        );
    }

    #[test]
    fn packets_of_indirect_look_ups_are_read_back() {
        use crate::general::indirect::{Aggregate, Part};
        let general = General::LEAST.with_indirect(true);
        let extras = Extras::of(&general);
        let quad = IndirectQuad { places: [[1, -2], [3, 4], [i32::MIN, 6], [7, i32::MAX]], valid: 0b0110 };
        let setup = Setup {
            operation: Aggregate::Average,
            values: 3,
            offset_u: -7,
            offset_v: 9,
            u_field: Part::B,
            v_field: Part::A,
        };
        for beats_per_quad in [BeatsPerQuad::One, BeatsPerQuad::Two] {
            let beats = of_indirect(&quad, &setup, extras, beats_per_quad);
            let read = |general| any_quad_from_beats(&beats, general, beats_per_quad);
            assert_eq!(read(&general), Ok(AnyQuad::Indirect(quad, Ok(setup))));
            let without = general.with_indirect(false).with_operations(&[OperationName::Fetch]);
            assert_eq!(read(&without), Err(PacketError::Operation(5)));
            let fetched = of_quad(&quad.fetched(), extras, beats_per_quad);
            let direct = any_quad_from_beats(&fetched, &general, beats_per_quad);
            assert!(matches!(direct, Ok(AnyQuad::Direct(Quad { operation: Operation::Fetch, .. }))));
        }
        let [beat] = of_indirect(&quad, &setup, extras, BeatsPerQuad::One)[..] else {
            panic!("it is one beat")
        };
        let tdata = beat.low_bytes(48);
        assert_eq!(tdata[36], 5);
        assert_eq!(tdata[40..48], setup.word().to_le_bytes());
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
