//! Indirect look-ups against themselves, said once more: one place at a time, texels found by looking for them.

use super::cases::{noise, one_of};
use proptest::prelude::*;
use std::cell::RefCell;
use tmu_model::general::indirect::aggregate::{of_floats, of_unorms};
use tmu_model::general::indirect::{Broken, IndirectResults};
use tmu_model::general::unit::Unit;
use tmu_model::{LineError, Memory, MemoryImage};
use tmu_spec::choice::Choice;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, Part, Role, Rule, Setup};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    Binding, Component, Filter, General, Kind, QuadResult, ResultNumbers, Sampler, Swizzle, Texture,
};
use tmu_spec::{AddressMode, Features, Format};

/// Two textures of noise, one behind the other, a set-up and a quad.
#[derive(Debug, Clone)]
struct Case {
    primary: Binding,
    secondary: Binding,
    setup: Setup,
    quad: IndirectQuad,
    channel_bits: u32,
}

/// Bytes a component of the formats that hold places, and the number of components.
const PLACES: [(Format, u32, u32); 7] = [
    (Format::Rgba8, 1, 4),
    (Format::Rgb8, 1, 3),
    (Format::R8, 1, 1),
    (Format::Rg8, 1, 2),
    (Format::R16, 2, 1),
    (Format::Rg16, 2, 2),
    (Format::Rgba16, 2, 4),
];

fn binding(format: Format, base: u32) -> impl Strategy<Value = Binding> {
    let kind = prop::sample::select(vec![Kind::D1, Kind::D2]);
    let swizzle = prop::array::uniform4(one_of::<Component>()).prop_map(Swizzle);
    let address = prop::array::uniform3(one_of::<AddressMode>());
    (kind, 1..40u32, 1..30u32, swizzle, address).prop_map(move |(kind, width, height, swizzle, address)| {
        let height = if kind == Kind::D1 { 1 } else { height };
        let shape = Shape { kind, width, height, depth: 1, levels: 1, format };
        let texture = Texture::packed(shape, swizzle, false).unwrap();
        // Filters are without effect: looked-up texels are the nearest.
        let filter = if format.is_float() { Filter::Nearest } else { Filter::Linear };
        let sampler =
            Sampler { address, min: filter, mag: filter, border: [9, 8, 7, 6], ..Sampler::default() };
        Binding { base, texture, sampler, drop_cache: false }
    })
}

fn case() -> impl Strategy<Value = Case> {
    let values = prop::sample::select(vec![Format::Rgba8, Format::Rg16, Format::Rgba32f, Format::Rg32f]);
    let textures = (prop::sample::select(&PLACES), values).prop_flat_map(|((format, _, parts), values)| {
        let primary = binding(format, 0x40);
        let parts = [0, 1].map(|_| prop::sample::select(&Part::CHOICES[..parts as usize]));
        (primary, parts).prop_flat_map(move |(primary, parts)| {
            let base = 0x40 + primary.texture.bytes().next_multiple_of(16);
            (Just(primary), Just(parts), binding(values, base))
        })
    });
    let ends = prop::sample::select(vec![i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX]);
    let place = prop_oneof![8 => -60..60i32, 1 => any::<i32>(), 1 => ends];
    let offset = prop_oneof![4 => -3..4i16, 1 => any::<i16>()];
    let places = prop::array::uniform4([place.clone(), place]);
    let setup = (one_of::<Aggregate>(), 1..=4u32, [offset.clone(), offset]);
    (textures, places, 0..16u8, setup, prop::sample::select(vec![8u32, 16])).prop_map(
        |((primary, parts, secondary), places, valid, (operation, values, offsets), channel_bits)| Case {
            primary,
            secondary,
            setup: Setup {
                operation,
                values,
                offset_u: offsets[0],
                offset_v: offsets[1],
                u_field: parts[0],
                v_field: parts[1],
            },
            quad: IndirectQuad { places, valid },
            channel_bits,
        },
    )
}

impl Case {
    fn features(&self) -> Features {
        let mut general = General::ALL;
        general.channel_bits = self.channel_bits;
        // Results of as many bits as channels have are the channels.
        general.result = match (self.secondary.texture.format().is_float(), self.channel_bits) {
            (true, _) => ResultNumbers::Fp32,
            (false, 8) => ResultNumbers::Unorm8,
            (false, _) => ResultNumbers::Unorm16,
        };
        Features::GENERAL.with_general(general, 12)
    }

    fn memory(&self) -> MemoryImage<Vec<u8>> {
        let end = self.secondary.base + self.secondary.texture.bytes();
        MemoryImage::new(0, (0..end).map(noise).collect())
    }

    fn looked_up<M: Memory>(&self, setup: &Setup, memory: M) -> IndirectResults {
        let mut unit = Unit::new(memory, self.features());
        unit.bind_indirect(setup, &self.primary, &self.secondary).unwrap_or_else(|broken| panic!("{broken}"));
        unit.look_up(&self.quad)
    }
}

/// The texel of an axis at a place, found in the row of texels that the mode lays out; none in the border.
fn texel_of(mode: AddressMode, place: i64, size: i64) -> Option<i64> {
    let there_and_back: Vec<i64> = (0..size).chain((0..size).rev()).collect();
    match mode {
        AddressMode::Wrap => (0..size).find(|texel| (place - texel) % size == 0),
        AddressMode::Clamp => Some(if place < 0 { 0 } else { place.min(size - 1) }),
        AddressMode::Mirror => {
            let period = 2 * size;
            Some(there_and_back[((place % period + period) % period) as usize])
        }
        AddressMode::Border => (0..size).find(|texel| *texel == place),
        AddressMode::MirrorOnce => {
            let from_zero = if place >= 0 { place } else { -(place + 1) };
            Some(if from_zero < size { from_zero } else { size - 1 })
        }
    }
}

/// The bytes of a texel; none in the border.
fn bytes_at(binding: &Binding, [x, y]: [i64; 2]) -> Option<Vec<u8>> {
    let Binding { base, texture, sampler, .. } = binding;
    let [width, height, _] = texture.shape().level_size(0).map(i64::from);
    let x = texel_of(sampler.address[0], x, width)?;
    let (tile, texel) = if texture.kind() == Kind::D1 {
        (x / 16, x % 16)
    } else {
        let y = texel_of(sampler.address[1], y, height)?;
        (y / 4 * ((width + 3) / 4) + x / 4, y % 4 * 4 + x % 4)
    };
    let bytes = texture.format().bytes_per_texel();
    let start = base + (tile * 16 + texel) as u32 * bytes;
    Some((start..start + bytes).map(noise).collect())
}

/// Value `number` of a pixel.
fn value(case: &Case, pixel: usize, number: i32) -> [u32; 4] {
    let Case { primary, secondary, setup, quad, channel_bits } = case;
    let moved = |start: i32, offset: i16| {
        // Modulo 2^32, by way of numbers in which it fits.
        i64::from((i64::from(start) + i64::from(number) * i64::from(offset)) as i32)
    };
    let [x, y] = quad.places[pixel];
    let found = bytes_at(primary, [moved(x, setup.offset_u), moved(y, setup.offset_v)]);
    let format = primary.texture.format();
    let (_, bytes, _) = PLACES[PLACES.iter().position(|(of, ..)| *of == format).unwrap()];
    let part = |part: Part| {
        let first = (part as u32 * bytes) as usize;
        let of = |found: &Vec<u8>| found[first..first + bytes as usize].to_vec();
        found
            .as_ref()
            .map_or(0, |found| of(found).iter().rev().fold(0, |all, byte| all << 8 | i64::from(*byte)))
    };
    let found = bytes_at(secondary, [setup.u_field, setup.v_field].map(part));
    let most = (1u32 << channel_bits) - 1;
    let one = if secondary.texture.format().is_float() { 1f32.to_bits() } else { most };
    let unorm = |value: u32, bits: u32| {
        (f64::from(value) * f64::from(most) / f64::from((1u32 << bits) - 1)).round() as u32
    };
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let half = |bytes: &[u8]| u32::from(u16::from_le_bytes(bytes.try_into().unwrap()));
    let stored = found.map_or([0; 4], |found| match secondary.texture.format() {
        Format::Rgba8 => std::array::from_fn(|channel| unorm(found[channel].into(), 8)),
        Format::Rg16 => [unorm(half(&found[..2]), 16), unorm(half(&found[2..]), 16), 0, one],
        Format::Rg32f => [word(&found[..4]), word(&found[4..]), 0, one],
        _ => std::array::from_fn(|channel| word(&found[4 * channel..][..4])),
    });
    secondary.texture.swizzle().0.map(|shown| match shown {
        Component::Zero => 0,
        Component::One => one,
        component => stored[component as usize],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every channel of every value, one by one.
    #[test]
    fn values_are_what_the_numerics_say(case in case()) {
        let setup = Setup { operation: Aggregate::None, ..case.setup };
        let results = case.looked_up(&setup, case.memory());
        prop_assert_eq!(results.as_slice().len(), case.setup.values as usize);
        for (number, result) in results.as_slice().iter().enumerate() {
            let expected: [[u32; 4]; 4] = std::array::from_fn(|pixel| {
                if case.quad.is_valid(pixel) { value(&case, pixel, number as i32) } else { [0; 4] }
            });
            let expected = QuadResult { channels: expected, valid: case.quad.valid, error: false };
            prop_assert_eq!(result, &expected, "value {}", number);
        }
    }

    /// What is put together is made of the values that come one by one; whether memory stands together does not matter.
    #[test]
    fn aggregates_are_made_of_the_values(case in case()) {
        let alone = case.looked_up(&Setup { operation: Aggregate::None, ..case.setup }, case.memory());
        let results = case.looked_up(&case.setup, case.memory());
        let by_lines = case.looked_up(&case.setup, Watched::new(case.memory(), None));
        prop_assert_eq!(&results, &by_lines);
        if case.setup.operation == Aggregate::None || case.setup.values == 1 {
            prop_assert_eq!(results, alone);
            return Ok(());
        }
        let [result] = results.as_slice() else { panic!("an aggregate is one result") };
        for pixel in (0..4).filter(|pixel| case.quad.is_valid(*pixel)) {
            for channel in 0..4 {
                let values: Vec<_> = alone.as_slice().iter().map(|of| of.channels[pixel][channel]).collect();
                let expected = if case.secondary.texture.format().is_float() {
                    of_floats(case.setup.operation, &values)
                } else {
                    of_unorms(case.setup.operation, &values, case.channel_bits)
                };
                prop_assert_eq!(result.channels[pixel][channel], expected);
            }
        }
    }

    /// A line that fails fails the quads that read it, with all their results, and no others; a place that is not known reads nothing.
    #[test]
    fn lines_that_fail(case in case(), line in any::<prop::sample::Index>()) {
        let lines = (case.secondary.base + case.secondary.texture.bytes()) / 16;
        let failing = 4 + line.index(lines as usize - 4) as u32;
        let sound = Watched::new(case.memory(), None);
        let broken = Watched::new(case.memory(), Some(failing));
        let expected = case.looked_up(&case.setup, &sound);
        let found = case.looked_up(&case.setup, &broken);
        if sound.read.borrow().contains(&failing) {
            prop_assert_eq!(&found, &IndirectResults::failed(case.setup.results(), case.quad.valid));
        } else {
            prop_assert_eq!(&found, &expected);
        }
        if failing < case.secondary.base / 16 && found != expected {
            prop_assert!(broken.read.borrow().iter().all(|line| *line < case.secondary.base / 16));
        }
    }
}

/// Memory whose lines come one by one, and that says which have been read.
struct Watched {
    memory: MemoryImage<Vec<u8>>,
    failing: Option<u32>,
    read: RefCell<Vec<u32>>,
}

impl Watched {
    fn new(memory: MemoryImage<Vec<u8>>, failing: Option<u32>) -> Self {
        Self { memory, failing, read: RefCell::default() }
    }
}

impl Memory for Watched {
    fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
        self.read.borrow_mut().push(line);
        if self.failing == Some(line) { Err(LineError) } else { self.memory.read_line(line) }
    }
}

#[test]
fn what_breaks_a_rule_is_answered_with_errors() {
    let of = |format, base| {
        let shape = Shape { kind: Kind::D2, width: 4, height: 4, depth: 1, levels: 1, format };
        let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap();
        Binding { base, texture, sampler: Sampler::default(), drop_cache: false }
    };
    let (places, floats) = (of(Format::Rg8, 0), of(Format::Rgba32f, 32));
    let quad = IndirectQuad { places: [[0; 2]; 4], valid: 0b1011 };
    let mut unit = Unit::new(MemoryImage::new(0, vec![0; 1024]), Features::GENERAL);
    let failed = IndirectResults::failed(1, quad.valid);
    assert_eq!(unit.look_up(&quad), failed);
    let setup = Setup { values: 2, ..Setup::default() };
    unit.bind_indirect(&setup, &places, &floats).unwrap();
    assert!(unit.look_up(&quad).as_slice().iter().all(|result| !result.error));
    let broken = unit.bind_indirect(&setup, &floats, &floats).unwrap_err();
    assert_eq!(broken, Broken::Together(vec![Rule::Format(Format::Rgba32f)]));
    assert_eq!(unit.look_up(&quad), failed);
    let linear = Sampler { min: Filter::Linear, ..Sampler::default() };
    let broken = unit.bind_indirect(&setup, &places, &Binding { sampler: linear, ..floats }).unwrap_err();
    assert!(matches!(broken, Broken::Alone(Role::Secondary, _)), "{broken:?}");
    assert!(broken.to_string().starts_with("the secondary texture: texels of format rgba32f are floats"));
}
