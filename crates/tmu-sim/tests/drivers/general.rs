//! Both drivers on cores of the general numerics: words, refusals, packets and results are the specification's, and what they
//! draw by the emitted hardware is the golden model's.

use crate::bus::SimBus;
use crate::c::general::{CGeneralTexture, CSampler};
use crate::c::{self, CDriver, FULL};
use crate::support::built;
use crate::{AddressMode, Format, Refusal, TEXTURE, Tmu, registers};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_driver::general::{self as driver, QuadResult};
use tmu_driver::{Beat, Bus, Error, RESULT_WORDS, ResultBeat};
use tmu_model::general::unit::Unit;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::{SharedMemory, TextureMemory};
use tmu_spec::choice::Choice;
use tmu_spec::general::built::word;
use tmu_spec::general::features::{OperationName, Sizes};
use tmu_spec::general::packet::{Extras, of_quad};
use tmu_spec::general::sampler::ANISOTROPIES;
use tmu_spec::general::texture::{MAX_LAYERS, MAX_SIZE, Shape};
use tmu_spec::general::{
    Binding, Component, General, Kind, Numbers, Operation, Pixel, Quad, ResultNumbers, Sampler, Swizzle,
    Texture,
};
use tmu_spec::{BeatsPerQuad, BindingRule, Features, Preset};
use tmu_verilate::ModelOptions;

/// Random bindings and quads of each test.
const CASES: usize = 20_000;

/// A core that says what it is and keeps what it is sent.
struct Recorder {
    capabilities: u32,
    formats: u64,
    sent: Vec<Beat>,
    results: VecDeque<ResultBeat>,
}

impl Recorder {
    fn new(features: &Features) -> Self {
        let modes = features.address_modes().fold(0, |mask, mode| mask | 1 << mode.code()) & 7;
        let capabilities = modes << registers::CAPABILITIES_ADDRESS_MODES_SHIFT
            | features.max_size_log2() << registers::CAPABILITIES_MAX_SIZE_LOG2_SHIFT
            | u32::from(features.bilinear()) << registers::CAPABILITIES_BILINEAR_SHIFT
            | u32::from(features.mipmaps()) << registers::CAPABILITIES_MIPMAPS_SHIFT
            | registers::CAPABILITIES_GENERAL_MASK;
        Self { capabilities, formats: features.format_mask(), sent: vec![], results: VecDeque::new() }
    }
}

impl Bus for Recorder {
    type Error = ();

    fn read(&mut self, address: u32) -> Result<u32, ()> {
        match address {
            registers::ID => Ok(registers::ID_VALUE),
            registers::CAPABILITIES => Ok(self.capabilities),
            registers::FORMATS_LOW => Ok(self.formats as u32),
            registers::FORMATS_HIGH => Ok((self.formats >> 32) as u32),
            _ => Err(()),
        }
    }

    fn write(&mut self, _: u32, _: u32) -> Result<(), ()> {
        Err(())
    }

    fn send(&mut self, _: u32, beats: &[Beat]) -> Result<bool, ()> {
        self.sent = beats.to_vec();
        Ok(true)
    }

    fn receive(&mut self, _: u32) -> Result<Option<ResultBeat>, ()> {
        Ok(self.results.pop_front())
    }
}

/// Both drivers on a core that records; the one in C only with a compiler.
struct Pair {
    rust: Tmu<Recorder>,
    c: Option<CDriver<Recorder>>,
}

impl Pair {
    fn open(library: Option<&std::path::Path>, features: &Features) -> Self {
        let (recorder, built) = (|| Recorder::new(features), word(features));
        let in_c = |library| {
            let (driver, status) = CDriver::open_general(library, recorder(), built);
            assert_eq!(status, 0);
            driver
        };
        let rust = Tmu::open_general(recorder(), built).unwrap_or_else(|error| panic!("{error:?}"));
        Self { rust, c: library.map(in_c) }
    }

    /// Why the drivers refuse a binding, which must be the same.
    fn check(&self, texture: &driver::Texture, sampler: &driver::Sampler) -> Result<(), Refusal> {
        let checked = texture.check(sampler, self.rust.capabilities(), self.rust.built());
        if let Some(c) = &self.c {
            let status = c.check_general(&texture.into(), &sampler.into());
            assert_eq!(status, checked.err().map_or(0, status_of), "{checked:?}: {texture:?} {sampler:?}");
        }
        checked
    }
}

/// What C gives for a refusal.
fn status_of(refusal: Refusal) -> i32 {
    match refusal {
        Refusal::Format => -4,
        Refusal::Size => -5,
        Refusal::MaxLod => -6,
        Refusal::Base => -7,
        Refusal::AddressMode => -8,
        Refusal::Filter => -9,
        Refusal::Window => -12,
        Refusal::Numerics => -13,
        Refusal::Levels => -14,
        Refusal::Kind => -15,
        Refusal::Anisotropy => -16,
        Refusal::Compare => -17,
        Refusal::Srgb => -18,
        Refusal::Swizzle => -19,
        Refusal::Float => -20,
        Refusal::LodOrder => -21,
        Refusal::Block => -22,
    }
}

/// The rule that the hardware tells.
fn rule_of(refusal: Refusal) -> BindingRule {
    match refusal {
        Refusal::Format => BindingRule::Format,
        Refusal::Size => BindingRule::Size,
        Refusal::Levels => BindingRule::MaxLod,
        Refusal::Base => BindingRule::Base,
        Refusal::AddressMode => BindingRule::AddressMode,
        Refusal::Window => BindingRule::Window,
        Refusal::MaxLod | Refusal::Numerics => panic!("{refusal:?} is no refusal of a general core"),
        _ => BindingRule::Feature,
    }
}

fn one_of<T: Copy>(rng: &mut impl Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

fn side(rng: &mut impl Rng) -> u32 {
    match rng.random_range(0..3) {
        0 => 1 << rng.random_range(0..=12),
        1 => rng.random_range(1..=40),
        _ => rng.random_range(1..=MAX_SIZE),
    }
}

/// Any features.
fn features(rng: &mut impl Rng) -> Features {
    if rng.random_range(0..4) == 0 {
        return Features::GENERAL;
    }
    let mut some =
        |count: usize| -> u32 { rng.random_range(1..1 << count) | u32::from(rng.random::<bool>()) };
    let of = |mask: u32, count: usize| (0..count).filter(move |code| mask >> code & 1 != 0);
    let kinds: Vec<Kind> = of(some(5), 5).map(|code| Kind::CHOICES[code]).collect();
    let operations: Vec<_> = of(some(5), 5).map(|code| OperationName::CHOICES[code]).collect();
    let modes: Vec<_> = of(some(5), 5).map(|code| tmu_spec::AddressMode::ALL[code]).collect();
    let dropped = tmu_spec::Format::ALL[some(5) as usize];
    let formats: Vec<_> = tmu_spec::Format::ALL.into_iter().filter(|format| *format != dropped).collect();
    let mut general = General::LEAST.with_kinds(&kinds).with_operations(&operations);
    general.sizes = one_of(rng, &[Sizes::PowerOfTwo, Sizes::Any]);
    general.max_anisotropy = one_of(rng, &ANISOTROPIES);
    general.numbers = one_of(rng, Numbers::CHOICES);
    general.result = one_of(rng, ResultNumbers::CHOICES);
    general.channel_bits = one_of(rng, &[8, 16]);
    for flag in [
        &mut general.trilinear,
        &mut general.compare,
        &mut general.srgb,
        &mut general.swizzle,
        &mut general.projective,
    ] {
        *flag = rng.random();
    }
    let max_size_log2 = rng.random_range(8..=12);
    Features::new(&formats, &modes, rng.random(), rng.random(), 11).with_general(general, max_size_log2)
}

/// A binding that keeps the rules of its numbers; a core may refuse it all the same.
fn binding(rng: &mut impl Rng) -> Binding {
    let kind = one_of(rng, Kind::CHOICES);
    let width = side(rng);
    let [height, depth] = match kind {
        Kind::D1 => [1, 1],
        Kind::D2 => [side(rng), 1],
        Kind::D3 => [side(rng), side(rng)],
        Kind::Cube => [width, 1],
        Kind::D2Array => [side(rng), rng.random_range(1..=MAX_LAYERS)],
    };
    let mut shape =
        Shape { kind, width, height, depth, levels: 1, format: one_of(rng, &tmu_spec::Format::ALL) };
    shape.levels = rng.random_range(1..=shape.most_levels());
    let swizzle = [0; 4].map(|_: u32| one_of(rng, Component::CHOICES));
    let swizzle = if rng.random() { Swizzle::NONE } else { Swizzle(swizzle) };
    let is_srgb = shape.format.can_be_srgb() && rng.random();
    let Ok(packed) = Texture::packed(shape, swizzle, is_srgb) else { return binding(rng) };
    let gap = if rng.random() { 0 } else { 16 * rng.random_range(0..1000) };
    let offsets: Vec<_> = packed.level_offsets().iter().map(|offset| offset + gap).collect();
    let Ok(texture) = Texture::new(shape, &offsets, swizzle, is_srgb) else { return binding(rng) };
    let lods = [rng.random::<i16>(), rng.random()].map(i32::from);
    let compares = shape.format.is_depth() && rng.random();
    let is_plain = shape.format.is_float() && !compares;
    let sampler = Sampler {
        min: if is_plain { <_>::default() } else { one_of(rng, Choice::CHOICES) },
        mag: if is_plain { <_>::default() } else { one_of(rng, Choice::CHOICES) },
        mip: if is_plain { <_>::default() } else { one_of(rng, Choice::CHOICES) },
        lod_bias: rng.random::<i16>().into(),
        min_lod: lods[0].min(lods[1]),
        max_lod: lods[0].max(lods[1]),
        max_anisotropy: if is_plain { 1 } else { one_of(rng, &ANISOTROPIES) },
        cube_seamless: rng.random(),
        address: [0; 3].map(|_: u32| one_of(rng, &tmu_spec::AddressMode::ALL)),
        border: rng.random(),
        compare: compares.then(|| one_of(rng, Choice::CHOICES)),
    };
    let room = ((1 << 31) - u64::from(texture.bytes())) as u32 / 16;
    let base = 16 * if rng.random_range(0..8) == 0 { room } else { rng.random_range(0..=room) };
    Binding { base, texture, sampler, drop_cache: rng.random() }
}

/// The same for the drivers.
fn told(binding: &Binding) -> (driver::Texture, driver::Sampler) {
    let (shape, sampler) = (binding.texture.shape(), &binding.sampler);
    let format = Format::ALL.into_iter().find(|format| *format as u8 == shape.format.code()).unwrap();
    let mut level_offsets = [0; driver::MAX_LEVELS];
    level_offsets[..shape.levels as usize].copy_from_slice(binding.texture.level_offsets());
    let texture = driver::Texture {
        base: binding.base,
        kind: driver::Kind::ALL[shape.kind as usize],
        format,
        width: shape.width,
        height: shape.height,
        depth: shape.depth,
        levels: shape.levels,
        level_offsets,
        swizzle: binding.texture.swizzle().0.map(|shown| driver::Component::ALL[shown as usize]),
        srgb: binding.texture.is_srgb(),
        drop_cache: binding.drop_cache,
    };
    let [lod_bias, min_lod, max_lod] =
        [sampler.lod_bias, sampler.min_lod, sampler.max_lod].map(|lod| lod as i16);
    let sampler = driver::Sampler {
        min: driver::Filter::ALL[sampler.min as usize],
        mag: driver::Filter::ALL[sampler.mag as usize],
        mip: driver::MipFilter::ALL[sampler.mip as usize],
        lod_bias,
        min_lod,
        max_lod,
        max_anisotropy: sampler.max_anisotropy,
        cube_seamless: sampler.cube_seamless,
        address: sampler.address.map(|mode| AddressMode::ALL[mode as usize]),
        border: sampler.border,
        compare: sampler.compare.map(|op| driver::CompareOp::ALL[op as usize]),
    };
    (texture, sampler)
}

/// Something else than a core may like; whatever it is has words.
fn spoil(rng: &mut impl Rng, texture: &mut driver::Texture, sampler: &mut driver::Sampler) {
    let level = rng.random_range(0..texture.levels) as usize;
    match rng.random_range(0..16) {
        0 => texture.width = side(rng),
        1 => texture.height = side(rng),
        2 => texture.depth = side(rng),
        3 => texture.kind = one_of(rng, &driver::Kind::ALL),
        4 => texture.format = one_of(rng, &Format::ALL),
        5 => texture.levels = rng.random_range(1..=16),
        6 => texture.base ^= 1 << rng.random_range(0..31),
        7 => texture.level_offsets[level] ^= 1 << rng.random_range(0..31),
        8 => sampler.address = [0; 3].map(|_: u32| one_of(rng, &AddressMode::ALL)),
        9 => sampler.min = one_of(rng, &driver::Filter::ALL),
        10 => sampler.mip = one_of(rng, &driver::MipFilter::ALL),
        11 => sampler.max_anisotropy = 1 << rng.random_range(0..8),
        12 => sampler.compare = Some(one_of(rng, &driver::CompareOp::ALL)),
        13 => texture.srgb = true,
        14 => texture.swizzle = [0; 4].map(|_: u32| one_of(rng, &driver::Component::ALL)),
        _ => sampler.max_lod = rng.random(),
    }
}

/// Words of 32 bits as words of a binding.
fn wide(words: [u32; driver::WORDS]) -> tmu_spec::general::binding::Words {
    std::array::from_fn(|beat| {
        (0..4).fold(0, |word, part| word | u128::from(words[4 * beat + part]) << (32 * part))
    })
}

/// Runs a test with the driver in C, if there is a compiler, and without it otherwise.
fn with_library(test: impl Fn(Option<&std::path::Path>, &mut ChaCha8Rng)) {
    let folder = tempfile::tempdir().unwrap();
    let library = c::compile(folder.path());
    test(library.as_deref(), &mut ChaCha8Rng::seed_from_u64(1));
}

#[test]
fn words_are_those_of_the_specification() {
    with_library(|library, rng| {
        let pair = Pair::open(library, &Features::GENERAL);
        for number in 0..CASES {
            let binding = binding(rng);
            let (texture, sampler) = told(&binding);
            let words = texture.words(&sampler);
            assert_eq!(wide(words), binding.words(), "binding {number}: {binding:?}");
            assert_eq!(pair.check(&texture, &sampler), Ok(()), "binding {number}: {binding:?}");
            let shape = *binding.texture.shape();
            let packed = Texture::packed(shape, Swizzle::NONE, false).unwrap();
            assert_eq!(texture.packed().level_offsets[..shape.levels as usize], *packed.level_offsets());
            let Some(c) = &pair.c else { continue };
            let mut in_c = CGeneralTexture::from(&texture);
            assert_eq!(
                c.general_words(&in_c, &CSampler::from(&sampler)),
                words,
                "binding {number}: {binding:?}"
            );
            c.pack_levels(&mut in_c);
            assert_eq!(in_c.level_offsets, texture.packed().level_offsets);
        }
    });
}

#[test]
fn what_the_hardware_refuses_is_refused() {
    with_library(|library, rng| {
        let mut refused = std::collections::BTreeMap::new();
        for _ in 0..CASES / 20 {
            let features = features(rng);
            let pair = Pair::open(library, &features);
            for _ in 0..20 {
                let (mut texture, mut sampler) = told(&binding(rng));
                for _ in 0..rng.random_range(0..3) {
                    spoil(rng, &mut texture, &mut sampler);
                }
                let expected = Binding::decode_for(&wide(texture.words(&sampler)), &features);
                match (pair.check(&texture, &sampler), expected) {
                    (Ok(()), Ok(_)) => *refused.entry("nothing".to_owned()).or_insert(0) += 1,
                    (Err(refusal), Err(rules)) if rules.contains(&rule_of(refusal)) => {
                        *refused.entry(format!("{refusal:?}")).or_insert(0) += 1;
                    }
                    (got, expected) => {
                        panic!("{got:?}, but {expected:?}: {texture:?} {sampler:?} {features:?}")
                    }
                }
            }
        }
        // All but the classic core's own are met, and often enough.
        assert!(refused.len() == 16 && refused.values().all(|count| *count > 10), "{refused:?}");
    });
}

#[test]
fn what_no_word_can_say_is_refused() {
    with_library(|library, _| {
        let pair = Pair::open(library, &Features::GENERAL);
        let good = driver::Texture::new(Format::Rgba8, [8, 8]).packed();
        let plain = driver::Sampler::default();
        assert_eq!(pair.check(&good, &plain), Ok(()));
        for (texture, refusal) in [
            (driver::Texture { width: 0, ..good }, Refusal::Size),
            (driver::Texture { height: 4097, ..good }, Refusal::Size),
            (driver::Texture { depth: 0, ..good }, Refusal::Size),
            (driver::Texture { depth: 0, kind: driver::Kind::D2Array, ..good }, Refusal::Size),
            (driver::Texture { levels: 0, ..good }, Refusal::Levels),
            (driver::Texture { levels: 255, ..good }, Refusal::Levels),
            (driver::Texture { base: 1 << 31, ..good }, Refusal::Base),
            (driver::Texture { level_offsets: [1 << 31; driver::MAX_LEVELS], ..good }, Refusal::Base),
        ] {
            assert_eq!(pair.check(&texture, &plain), Err(refusal), "{texture:?}");
        }
        for max_anisotropy in [0, 3, 6, 32, 128, 255] {
            let sampler = driver::Sampler { max_anisotropy, ..plain };
            assert_eq!(pair.check(&good, &sampler), Err(Refusal::Anisotropy), "{max_anisotropy}");
        }
        let Some(c) = &pair.c else { return };
        assert_eq!(c.default_sampler(), CSampler::from(&plain));
        assert_eq!([1.0, -0.5].map(|value| c.single(value)), [1.0f32, -0.5].map(f32::to_bits));
        let (texture, sampler) = (CGeneralTexture::from(&good), CSampler::from(&plain));
        for (texture, refusal) in [
            (CGeneralTexture { kind: 5, ..texture.clone() }, Refusal::Kind),
            (CGeneralTexture { kind: 255, ..texture.clone() }, Refusal::Kind),
            (CGeneralTexture { format: 24, ..texture.clone() }, Refusal::Format),
            (CGeneralTexture { format: 255, ..texture.clone() }, Refusal::Format),
            (CGeneralTexture { swizzle: [0, 1, 2, 6], ..texture.clone() }, Refusal::Swizzle),
        ] {
            assert_eq!(c.check_general(&texture, &sampler), status_of(refusal), "{texture:?}");
        }
        let depth = CGeneralTexture { format: Format::D16 as u8, ..texture.clone() };
        for (texture, sampler, refusal) in [
            (&texture, CSampler { min: 2, ..sampler.clone() }, Refusal::Filter),
            (&texture, CSampler { mag: 2, ..sampler.clone() }, Refusal::Filter),
            (&texture, CSampler { mip: 3, ..sampler.clone() }, Refusal::Filter),
            (&texture, CSampler { address: [0, 5, 0], ..sampler.clone() }, Refusal::AddressMode),
            (&depth, CSampler { compares: 1, compare: 8, ..sampler.clone() }, Refusal::Compare),
        ] {
            assert_eq!(c.check_general(texture, &sampler), status_of(refusal), "{sampler:?}");
        }
    });
}

/// A quad of numbers that may be left out, for a unit that has them.
fn quad(rng: &mut impl Rng, general: &General, extras: Extras) -> Quad {
    let one = extras.numbers.one();
    let mut has = |is_built: bool| is_built && rng.random();
    let [has_w, has_q, has_d] = [has(extras.third), has(extras.divisor), has(extras.reference)];
    let mut number = |has: bool, left_out: u32| if has { rng.random() } else { left_out };
    let pixels = [0; 4].map(|_: u32| Pixel {
        u: number(true, 0),
        v: number(true, 0),
        w: number(has_w, 0),
        q: number(has_q, one),
        d: number(has_d, 0),
    });
    let operations: Vec<_> =
        OperationName::CHOICES.iter().copied().filter(|name| general.has_operation(*name)).collect();
    let operation = match one_of(rng, &operations) {
        OperationName::Sample => Operation::Sample,
        OperationName::Lod => Operation::Lod,
        OperationName::Bias => Operation::Bias,
        OperationName::Fetch => Operation::Fetch,
        OperationName::Gather => Operation::Gather(rng.random_range(0..4)),
    };
    Quad { pixels, valid: rng.random(), lod: rng.random(), operation }
}

fn told_quad(quad: &Quad) -> driver::Quad {
    let pixel = |pixel: &Pixel| {
        let Pixel { u, v, w, q, d } = *pixel;
        driver::Pixel { u, v, w, q, d }
    };
    driver::Quad {
        pixels: quad.pixels.each_ref().map(pixel),
        valid: quad.valid,
        operation: driver::Operation::ALL[OperationName::from(quad.operation) as usize],
        lod: quad.lod,
        component: if let Operation::Gather(component) = quad.operation { component } else { 3 },
    }
}

#[test]
fn packets_of_quads_are_those_of_the_specification() {
    with_library(|library, rng| {
        for _ in 0..CASES / 20 {
            let features = features(rng);
            let (general, mut pair) = (*features.general().unwrap(), Pair::open(library, &features));
            let extras = Extras::of(&general);
            for _ in 0..20 {
                let quad = quad(rng, &general, extras);
                let expected: Vec<_> = of_quad(&quad, extras)
                    .iter()
                    .map(|beat| (beat.tdata(BeatsPerQuad::Two).to_vec(), beat.is_binding(), beat.last()))
                    .collect();
                let seen = |sent: &[Beat]| -> Vec<_> {
                    sent.iter().map(|beat| (beat.tdata[..17].to_vec(), beat.is_binding, beat.last)).collect()
                };
                let told = told_quad(&quad);
                assert_eq!(pair.rust.queue_general(0, &told), Ok(true));
                assert_eq!(seen(&pair.rust.bus().sent), expected, "{quad:?} {general:?}");
                let Some(c) = &mut pair.c else { continue };
                assert_eq!(c.queue_general(0, &told), 0);
                assert_eq!(c.platform().sent, pair.rust.bus().sent, "{quad:?} {general:?}");
            }
            let not_built = OperationName::CHOICES.iter().find(|name| !general.has_operation(**name));
            let Some(name) = not_built else { continue };
            let operation = driver::Operation::ALL[*name as usize];
            let told = driver::Quad { operation, ..driver::Quad::new([driver::Pixel::default(); 4]) };
            assert_eq!(pair.rust.queue_general(0, &told), Err(Error::Operation));
            assert_eq!(pair.rust.queue_general(1, &told), Err(Error::Unit(1)));
            if let Some(c) = &mut pair.c {
                assert_eq!([c.queue_general(0, &told), c.queue_general(1, &told)], [-24, -3]);
            }
        }
    });
}

#[test]
fn results_have_the_channels_of_the_core() {
    with_library(|library, rng| {
        for numbers in ResultNumbers::CHOICES {
            let mut general = General::ALL;
            general.result = *numbers;
            let mut pair = Pair::open(library, &Features::GENERAL.with_general(general, 12));
            for _ in 0..100 {
                let bits = numbers.channel_bits() as usize;
                let mask = u32::MAX >> (32 - bits);
                let channels = [[0; 4]; 4].map(|pixel: [u32; 4]| pixel.map(|_| rng.random::<u32>() & mask));
                let (valid, error) = (rng.random_range(0..16), rng.random());
                let mut tdata = [0; RESULT_WORDS];
                for (number, channel) in channels.as_flattened().iter().enumerate() {
                    tdata[number * bits / 32] |= channel << (number * bits % 32);
                }
                let beat = ResultBeat { tdata, tuser: valid | u8::from(error) << 4 };
                let expected = Some(QuadResult { channels, valid, error });
                pair.rust.bus().results.push_back(beat);
                assert_eq!(pair.rust.collect_general(0), Ok(expected));
                assert_eq!(pair.rust.collect_general(0), Ok(None));
                let Some(c) = &mut pair.c else { continue };
                c.platform().results.push_back(beat);
                assert_eq!(c.collect_general(0), expected);
                assert_eq!(c.collect_general(0), None);
            }
        }
    });
}

#[test]
fn another_core_is_not_opened() {
    with_library(|library, _| {
        let lite = Features::GENERAL;
        let other = word(&lite) & !(1 << 10);
        let in_rust = |built| Tmu::open_general(Recorder::new(&lite), built).map(|_| ());
        assert_eq!([other, 0].map(in_rust), [other, 0].map(|word| Err(Error::Built(word))));
        let Some(library) = library else { return };
        let in_c = |built| CDriver::open_general(library, Recorder::new(&lite), built).1;
        assert_eq!([other, 0, word(&lite)].map(in_c), [-23, -23, 0]);
    });
}

/// What both drivers do on a core in simulation.
trait Drawing {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool>;
    fn binds_classic(&mut self) -> bool;
    fn queue(&mut self, quad: &driver::Quad) -> bool;
    fn collect(&mut self) -> Option<QuadResult>;
    fn platform(&mut self) -> &mut SimBus;
    fn error_flags(&mut self) -> u32;
}

impl Drawing for Tmu<SimBus> {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool> {
        match self.bind_general(0, texture, sampler) {
            Ok(queued) => Some(queued),
            Err(Error::Refused(_)) => None,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn binds_classic(&mut self) -> bool {
        !matches!(Tmu::bind(self, 0, &TEXTURE), Err(Error::Refused(Refusal::Numerics)))
    }

    fn queue(&mut self, quad: &driver::Quad) -> bool {
        self.queue_general(0, quad).unwrap()
    }

    fn collect(&mut self) -> Option<QuadResult> {
        self.collect_general(0).unwrap()
    }

    fn platform(&mut self) -> &mut SimBus {
        self.bus()
    }

    fn error_flags(&mut self) -> u32 {
        self.errors().unwrap().flags
    }
}

impl Drawing for CDriver<SimBus> {
    fn bind(&mut self, texture: &driver::Texture, sampler: &driver::Sampler) -> Option<bool> {
        match self.bind_general(0, texture, sampler) {
            0 => Some(true),
            FULL => Some(false),
            _ => None,
        }
    }

    fn binds_classic(&mut self) -> bool {
        crate::Driver::bind(self, 0, &TEXTURE).is_some()
    }

    fn queue(&mut self, quad: &driver::Quad) -> bool {
        match self.queue_general(0, quad) {
            0 => true,
            FULL => false,
            status => panic!("tmu_queue_general gives {status}"),
        }
    }

    fn collect(&mut self) -> Option<QuadResult> {
        self.collect_general(0)
    }

    fn platform(&mut self) -> &mut SimBus {
        CDriver::platform(self)
    }

    fn error_flags(&mut self) -> u32 {
        crate::Driver::errors(self).flags
    }
}

fn of_shape(kind: Kind, width: u32, height: u32, levels: u32, format: tmu_spec::Format) -> Texture {
    let shape = Shape { kind, width, height, depth: 1, levels, format };
    Texture::packed(shape, Swizzle::NONE, false).unwrap()
}

/// A picture in BC1 and a cube of 16 bits a texel, both trilinear.
fn bindings() -> [Binding; 2] {
    let sampler = Sampler {
        min: tmu_spec::general::Filter::Linear,
        mag: tmu_spec::general::Filter::Linear,
        mip: tmu_spec::general::MipFilter::Linear,
        address: [tmu_spec::AddressMode::Wrap, tmu_spec::AddressMode::Mirror, tmu_spec::AddressMode::Wrap],
        ..Sampler::default()
    };
    let picture = of_shape(Kind::D2, 300, 200, 9, tmu_spec::Format::Bc1);
    let cube = of_shape(Kind::Cube, 90, 90, 7, tmu_spec::Format::Rgb565);
    [
        Binding { base: 0x2_0000, texture: picture, sampler, drop_cache: false },
        Binding {
            base: 0x1000_0010,
            texture: cube,
            sampler: Sampler { lod_bias: -80, ..sampler },
            drop_cache: true,
        },
    ]
}

/// Quads of a picture that is turned and shrinks, or of directions all around; some at a level that they tell.
fn quads(kind: Kind) -> Vec<Quad> {
    let corners = (0..16).flat_map(|row| (0..16).map(move |column| (2 * column, 2 * row)));
    let pixel = |x: i32, y: i32| {
        let step = 300 + 200 * y;
        let [u, v, w] = match kind {
            Kind::Cube => [(x - 16) * 9_000, 40_000 - y * 7_000, (x + y - 30) * 5_000],
            _ => [x * step - y * 700 - 20_000, x * 500 + y * step - 9_000, 0],
        };
        Pixel { u: u as u32, v: v as u32, w: w as u32, q: 1 << 16, d: 0 }
    };
    let quad = |(x, y): (i32, i32)| {
        let (operation, lod) = match (x + y) % 10 {
            0 => (Operation::Lod, (y as f32 / 5.0).to_bits()),
            2 => (Operation::Bias, (-x as f32 / 9.0).to_bits()),
            _ => (Operation::Sample, 0),
        };
        let valid = if (x + y) % 14 == 0 { 0b0101 } else { 0b1111 };
        Quad {
            pixels: [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)],
            valid,
            lod,
            operation,
        }
    };
    corners.map(quad).collect()
}

fn draw(driver: &mut dyn Drawing, binding: &Binding, quads: &[Quad]) -> Vec<QuadResult> {
    let (texture, sampler) = told(binding);
    while !driver.bind(&texture, &sampler).expect("the binding is legal") {}
    let (mut queued, mut results) = (0, Vec::new());
    while results.len() < quads.len() {
        while queued < quads.len() && driver.queue(&told_quad(&quads[queued])) {
            queued += 1;
        }
        results.extend(driver.collect());
    }
    results
}

fn draws(driver: &mut dyn Drawing, contents: &Arc<TextureMemory>, features: Features) {
    assert!(!driver.binds_classic());
    let mut golden = Unit::new(SharedMemory(Arc::clone(contents)), features);
    for binding in bindings() {
        let quads = quads(binding.texture.kind());
        golden.bind(&binding.texture, binding.base, &binding.sampler).unwrap();
        let expected: Vec<_> = quads
            .iter()
            .map(|quad| golden.sample(quad))
            .map(|result| QuadResult { channels: result.channels, valid: result.valid, error: result.error })
            .collect();
        assert!(expected.iter().all(|result| !result.error));
        let got = draw(driver, &binding, &quads);
        assert!(got == expected, "{:?} differs", binding.texture.kind());
    }
    assert!(driver.platform().refusals > 0, "the stream was never full");
    // What the core would refuse is not sent.
    let (packets, (texture, sampler)) = (driver.platform().packets, told(&bindings()[0]));
    for texture in [
        driver::Texture { levels: 10, ..texture },
        driver::Texture { kind: driver::Kind::D2Array, ..texture },
        driver::Texture { base: 8, ..texture },
        driver::Texture { format: Format::Bc7, ..texture },
    ] {
        assert_eq!(driver.bind(&texture, &sampler), None);
    }
    assert_eq!((driver.platform().packets, driver.error_flags()), (packets, 0));
}

/// Runs a test on `multi-lite` in simulation; not without Verilator.
fn on_multi_lite(test: impl Fn(SimBus, u32, &Arc<TextureMemory>, Features)) {
    let config = Preset::find("multi-lite").unwrap().config().unwrap();
    let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
    let contents = Arc::new(TextureMemory::noise(1));
    let options = BenchOptions { checked: false, collected: true, ..BenchOptions::new(&config, 20) };
    let mut bench = Bench::new(&model, &rtl, options, Arc::clone(&contents)).unwrap();
    bench.start().unwrap();
    bench.run_clocks(100).unwrap();
    let features = *config.features();
    test(SimBus::new(bench, &config), word(&features), &contents, features);
}

#[test]
fn the_driver_in_rust_draws_on_multi_lite() {
    on_multi_lite(|bus, built, contents, features| {
        draws(&mut Tmu::open_general(bus, built).unwrap(), contents, features);
    });
}

#[test]
fn the_driver_in_c_draws_on_multi_lite() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = c::compile(folder.path()) else { return };
    on_multi_lite(|bus, built, contents, features| {
        let (mut driver, status) = CDriver::open_general(&library, bus, built);
        assert_eq!(status, 0);
        draws(&mut driver, contents, features);
    });
}
