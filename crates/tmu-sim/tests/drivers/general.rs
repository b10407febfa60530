//! Both drivers on cores of the general numerics: words, refusals, packets and results are the specification's, and what they
//! draw by the emitted hardware is the golden model's.

mod drawing;
mod entries;
mod look_ups;
mod random;
mod store;

use crate::c::general::{CGeneralTexture, CSampler};
use crate::c::{self, CDriver};
use crate::{Format, Refusal, Tmu, registers};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use random::{binding, features, quad, spoil, told, told_quad};
use std::collections::VecDeque;
use tmu_driver::general::{self as driver, QuadResult};
use tmu_driver::{BEAT_BYTES, Beat, Bus, Error, RESULT_WORDS, ResultBeat};
use tmu_spec::choice::Choice;
use tmu_spec::general::built::word;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::packet::{Extras, of_quad};
use tmu_spec::general::{Binding, General, ResultNumbers, Swizzle, Texture};
use tmu_spec::{BeatsPerQuad, BindingRule, Features};

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
    fn new(features: &Features, beats_per_quad: BeatsPerQuad) -> Self {
        let modes = features.address_modes().fold(0, |mask, mode| mask | 1 << mode.code()) & 7;
        let capabilities = modes << registers::CAPABILITIES_ADDRESS_MODES_SHIFT
            | features.max_size_log2() << registers::CAPABILITIES_MAX_SIZE_LOG2_SHIFT
            | u32::from(features.bilinear()) << registers::CAPABILITIES_BILINEAR_SHIFT
            | u32::from(features.mipmaps()) << registers::CAPABILITIES_MIPMAPS_SHIFT
            | u32::from(beats_per_quad == BeatsPerQuad::One) << registers::CAPABILITIES_ONE_BEAT_SHIFT
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
        Self::with_beats(library, features, BeatsPerQuad::Two)
    }

    fn with_beats(library: Option<&std::path::Path>, features: &Features, beats: BeatsPerQuad) -> Self {
        let (recorder, built) = (|| Recorder::new(features, beats), word(features));
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
        Refusal::Entry => -26,
        Refusal::Indirect => -27,
        Refusal::Ripmap => -28,
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
        Refusal::MaxLod | Refusal::Numerics | Refusal::Entry | Refusal::Indirect => {
            panic!("{refusal:?} is no refusal of a general core")
        }
        _ => BindingRule::Feature,
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
        assert!(refused.len() == 17 && refused.values().all(|count| *count > 10), "{refused:?}");
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
            (&texture, CSampler { mip: 4, ..sampler.clone() }, Refusal::Filter),
            (&texture, CSampler { address: [0, 5, 0], ..sampler.clone() }, Refusal::AddressMode),
            (&depth, CSampler { compares: 1, compare: 8, ..sampler.clone() }, Refusal::Compare),
        ] {
            assert_eq!(c.check_general(texture, &sampler), status_of(refusal), "{sampler:?}");
        }
    });
}

#[test]
fn packets_of_quads_are_those_of_the_specification() {
    with_library(|library, rng| {
        for _ in 0..CASES / 20 {
            let features = features(rng);
            let beats_per_quad = if rng.random() { BeatsPerQuad::One } else { BeatsPerQuad::Two };
            let mut pair = Pair::with_beats(library, &features, beats_per_quad);
            let general = *features.general().unwrap();
            let extras = Extras::of(&general);
            for _ in 0..20 {
                let quad = quad(rng, &general, extras);
                let expected: Vec<_> = of_quad(&quad, extras, beats_per_quad)
                    .iter()
                    .map(|beat| (beat.low_bytes(BEAT_BYTES).to_vec(), beat.is_binding(), beat.last()))
                    .collect();
                let seen = |sent: &[Beat]| -> Vec<_> {
                    sent.iter().map(|beat| (beat.tdata.to_vec(), beat.is_binding, beat.last)).collect()
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
                let beat = ResultBeat { tdata, tuser: valid | u8::from(error) << 4, last: true };
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
        let recorder = || Recorder::new(&lite, BeatsPerQuad::Two);
        let other = word(&lite) & !(1 << 10);
        let in_rust = |built| Tmu::open_general(recorder(), built).map(|_| ());
        assert_eq!([other, 0].map(in_rust), [other, 0].map(|word| Err(Error::Built(word))));
        let Some(library) = library else { return };
        let in_c = |built| CDriver::open_general(library, recorder(), built).1;
        assert_eq!([other, 0, word(&lite)].map(in_c), [-23, -23, 0]);
    });
}
