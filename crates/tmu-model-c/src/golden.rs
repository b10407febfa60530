//! A texture unit of a configuration as its streams show it: beats of requests in, beats of results out, in order.
//!
//! Contract: each quad is answered with the bits that the emitted hardware answers with, [`Golden::request`] by
//! [`Golden::result`]. Packets of the wrong length are dropped, as the hardware does; quads under a binding that was refused are
//! answered with the error bit. Of a core with several units this is one of them: make one for each.

use crate::memory::SharedMemory;
use std::collections::VecDeque;
use std::fmt::Write;
use tmu_model::{TextureUnit, general};
use tmu_spec::binding::Record;
use tmu_spec::config::CacheKind;
use tmu_spec::general::packet::{AnyQuad, Extras, any_quad_from_beats, words_from_beats};
use tmu_spec::general::store::use_from_beats;
use tmu_spec::general::{self as spec, General};
use tmu_spec::quad::PacketError;
use tmu_spec::{BeatsPerQuad, Config, Quad, RequestBeat};

/// Words of 32 bits of the widest beat of requests.
pub const REQUEST_WORDS: usize = 25;
/// Words of 32 bits of the widest beat of results.
pub const RESULT_WORDS: usize = 16;

/// A beat of the result stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResultBeat {
    /// `tdata` in words, the lowest first; words above the stream's width are 0.
    pub tdata: [u32; RESULT_WORDS],
    /// `tuser`: the valid bits, and the error bit above them.
    pub tuser: u32,
}

/// What has become of a beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It was taken.
    Done,
    /// It ended a binding that breaks rules: quads that follow are answered with the error bit.
    Refused(String),
    /// It ended a packet that is none and was dropped.
    Dropped(PacketError),
}

/// The unit by its numerics.
#[derive(Debug)]
enum Unit {
    Classic(Box<TextureUnit<SharedMemory>>),
    General(Box<general::unit::Unit<SharedMemory>>, General),
}

/// See the module's documentation.
#[derive(Debug)]
pub struct Golden {
    config: Config,
    memory: SharedMemory,
    unit: Unit,
    packet: Vec<RequestBeat>,
    /// The packet has had more beats than any has; those are not kept.
    is_too_long: bool,
    results: VecDeque<ResultBeat>,
}

/// Beats of the longest packet: a quad of the general numerics.
const MOST_BEATS: usize = Extras::ALL.words();

/// The beat of a result of channels of so many bits.
fn general_beat(result: &spec::QuadResult, bits: u32) -> ResultBeat {
    let tuser = u32::from(result.valid) | u32::from(result.error) << 4;
    let mut beat = ResultBeat { tuser, ..ResultBeat::default() };
    for (number, channel) in result.channels.as_flattened().iter().enumerate() {
        let bit = number as u32 * bits;
        beat.tdata[(bit / 32) as usize] |= channel << (bit % 32);
    }
    beat
}

impl Golden {
    /// A unit with empty memory and nothing bound.
    ///
    /// # Errors
    /// A text, if the configuration has no texture unit.
    pub fn new(config: Config) -> Result<Self, String> {
        if config.units() == 0 {
            return Err("the configuration builds no texture unit; add \"sampler\" to engines".to_owned());
        }
        let memory = SharedMemory::default();
        let features = *config.features();
        let unit = match features.general() {
            Some(general) => {
                Unit::General(Box::new(general::unit::Unit::new(memory.clone(), features)), *general)
            }
            None => {
                let drops = config.cache().kind() == CacheKind::Prefetch;
                let unit = TextureUnit::with_features(memory.clone(), features);
                Unit::Classic(Box::new(unit.dropping_weightless_taps(drops)))
            }
        };
        Ok(Self { config, memory, unit, packet: Vec::new(), is_too_long: false, results: VecDeque::new() })
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Texture memory: quads see what is written at once, a colour table with the next binding.
    #[must_use]
    pub const fn memory(&self) -> &SharedMemory {
        &self.memory
    }

    const fn beats_per_quad(&self) -> BeatsPerQuad {
        self.config.request().beats_per_quad()
    }

    /// Bits of `tdata` of the request stream.
    #[must_use]
    pub fn request_bits(&self) -> u32 {
        match &self.unit {
            Unit::Classic(_) => self.beats_per_quad().tdata_bits(),
            Unit::General(_, general) => Extras::of(general).tdata_bits(self.beats_per_quad()),
        }
    }

    /// Bits of `tdata` of the result stream.
    #[must_use]
    pub fn result_bits(&self) -> u32 {
        match &self.unit {
            Unit::Classic(_) => u128::BITS,
            Unit::General(_, general) => general.result.tdata_bits(),
        }
    }

    /// Takes a beat of the request stream; bits over the stream's `tdata` do not count.
    pub fn request(&mut self, tdata: &[u32; REQUEST_WORDS], is_binding: bool, last: bool) -> Taken {
        let bytes: Vec<u8> = tdata.iter().flat_map(|word| word.to_le_bytes()).collect();
        let beat = RequestBeat::new(&bytes[..(self.request_bits() / 8) as usize], is_binding, last);
        if self.packet.len() < MOST_BEATS {
            self.packet.push(beat);
        } else {
            self.is_too_long = true;
        }
        if !last {
            return Taken::Done;
        }
        let beats = std::mem::take(&mut self.packet);
        let is_too_long = std::mem::take(&mut self.is_too_long);
        if is_too_long {
            return Taken::Dropped(PacketError::Length { expected: MOST_BEATS as u32, got: MOST_BEATS + 1 });
        }
        let taken = if beats[0].is_binding() { self.bind(&beats) } else { self.sample(&beats) };
        taken.unwrap_or_else(Taken::Dropped)
    }

    fn bind(&mut self, beats: &[RequestBeat]) -> Result<Taken, PacketError> {
        match &mut self.unit {
            Unit::Classic(unit) => {
                let record = Record::from_beats(beats)?;
                Ok(unit
                    .bind_record(record)
                    .map_or_else(|rules| Taken::Refused(listed(rules)), |()| Taken::Done))
            }
            Unit::General(unit, general) => {
                if general.has_store()
                    && let Ok(word) = use_from_beats(beats)
                {
                    let is_one_beat = self.config.request().beats_per_quad() == BeatsPerQuad::One;
                    let used = unit.take_use(if is_one_beat { low_word(&beats[0]) } else { word });
                    return Ok(used.map_or_else(|rule| Taken::Refused(listed(vec![rule])), |()| Taken::Done));
                }
                let words = words_from_beats(beats)?;
                // Bits above a word mean nothing where a quad is one beat.
                let words = match self.config.request().beats_per_quad() {
                    BeatsPerQuad::One => std::array::from_fn(|at| low_word(&beats[at])),
                    BeatsPerQuad::Two => words,
                };
                let bound = unit.take_binding(&words);
                Ok(bound.map_or_else(|rules| Taken::Refused(listed(rules)), |()| Taken::Done))
            }
        }
    }

    fn sample(&mut self, beats: &[RequestBeat]) -> Result<Taken, PacketError> {
        let beats_per_quad = self.beats_per_quad();
        let beat = match &self.unit {
            Unit::Classic(unit) => {
                let quad = Quad::from_beats(beats, beats_per_quad)?;
                let result = unit.sample(&quad);
                let mut beat = ResultBeat { tuser: result.tuser().into(), ..ResultBeat::default() };
                let tdata = result.tdata();
                for (at, word) in beat.tdata[..4].iter_mut().enumerate() {
                    *word = (tdata >> (32 * at)) as u32;
                }
                beat
            }
            Unit::General(unit, general) => {
                let bits = general.result.channel_bits();
                match any_quad_from_beats(beats, general, beats_per_quad)? {
                    AnyQuad::Direct(quad) => general_beat(&unit.sample(&quad), bits),
                    AnyQuad::Indirect(quad, setup) => {
                        let results = unit.look_up_by(setup, &quad);
                        self.results
                            .extend(results.as_slice().iter().map(|result| general_beat(result, bits)));
                        return Ok(Taken::Done);
                    }
                }
            }
        };
        self.results.push_back(beat);
        Ok(Taken::Done)
    }

    /// The oldest result that was not taken yet.
    pub fn result(&mut self) -> Option<ResultBeat> {
        self.results.pop_front()
    }

    /// Results that were not taken yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.results.len()
    }

    /// As a reset of the units: nothing bound, no packet begun, no result owed. Memory stays.
    pub fn reset(&mut self) {
        self.packet.clear();
        self.is_too_long = false;
        self.results.clear();
        match &mut self.unit {
            // A record with every bit set breaks rules, which leaves nothing bound.
            Unit::Classic(unit) => drop(unit.bind_record(Record::from_first_word(u128::MAX))),
            Unit::General(unit, _) => unit.unbind(),
        }
    }
}

/// The low 128 bits of a beat.
fn low_word(beat: &RequestBeat) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(beat.low_bytes(16));
    u128::from_le_bytes(bytes)
}

/// Rules one behind the other.
fn listed<T: std::fmt::Display>(rules: Vec<T>) -> String {
    let mut text = "the binding is refused".to_owned();
    for rule in rules {
        let _ = write!(text, "; {rule}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;
    use tmu_spec::Preset;
    use tmu_spec::general::packet::{of_binding, of_quad};
    use tmu_spec::general::{Kind, Operation, Pixel, Sampler, Swizzle, Texture, texture::Shape};
    use tmu_spec::{Binding, Format};

    fn golden(preset: &str) -> Golden {
        Golden::new(Preset::find(preset).unwrap().config().unwrap()).unwrap()
    }

    fn words(beat: &RequestBeat) -> [u32; REQUEST_WORDS] {
        let bytes = beat.low_bytes(tmu_spec::quad::MOST_TDATA_BYTES);
        let mut words = [0; REQUEST_WORDS];
        for (at, byte) in bytes.iter().enumerate() {
            words[at / 4] |= u32::from(*byte) << (at % 4 * 8);
        }
        words
    }

    fn send(golden: &mut Golden, beats: &[RequestBeat]) -> Taken {
        let mut taken = Taken::Done;
        for beat in beats {
            taken = golden.request(&words(beat), beat.is_binding(), beat.last());
        }
        taken
    }

    fn noise(golden: &Golden, random: &mut ChaCha8Rng, bytes: usize) {
        let bytes: Vec<u8> = (0..bytes).map(|_| random.random()).collect();
        golden.memory().write(0x1000, &bytes);
    }

    #[test]
    fn classic_beats_are_those_of_the_unit() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for preset in ["fury-single", "stream", "quad"] {
            let mut golden = golden(preset);
            noise(&golden, &mut random, 0x4000);
            let texture = tmu_spec::Texture::new(Format::Rgba8, 5, 4, 5).unwrap();
            let sampler =
                tmu_spec::Sampler { bilinear: true, mipmapped: true, ..tmu_spec::Sampler::default() };
            let binding = Binding::new(0x1000, texture, sampler).unwrap();
            assert_eq!(send(&mut golden, &binding.record().to_beats()), Taken::Done);
            let mut unit = TextureUnit::new(golden.memory().clone());
            unit.bind(&binding).unwrap();
            for number in 0..200 {
                let uv = std::array::from_fn(|_| {
                    [random.random_range(-99_999..99_999), random.random_range(0..4_000)]
                });
                let quad = Quad::new(uv, random.random_range(0..16));
                let beats = quad.to_beats(golden.beats_per_quad());
                assert_eq!(send(&mut golden, &beats), Taken::Done);
                let (beat, expected) = (golden.result().unwrap(), unit.sample(&quad));
                let tdata = (0..4).fold(0, |all, at| all | u128::from(beat.tdata[at]) << (32 * at));
                let got = (tdata, beat.tuser);
                assert_eq!(
                    got,
                    (expected.tdata(), expected.tuser().into()),
                    "{preset}, quad {number} of seed 1"
                );
            }
            assert_eq!(golden.pending(), 0);
        }
    }

    #[test]
    fn general_beats_are_those_of_the_unit() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for preset in ["multi-lite", "multi"] {
            let mut golden = golden(preset);
            noise(&golden, &mut random, 0x8000);
            let shape =
                Shape { kind: Kind::Cube, width: 16, height: 16, depth: 1, levels: 3, format: Format::Rgba8 };
            let texture = Texture::packed(shape, Swizzle::default(), false).unwrap();
            let sampler = Sampler::default();
            let binding = spec::Binding { base: 0x1000, texture, sampler, drop_cache: false };
            assert_eq!(send(&mut golden, &of_binding(&binding.words())), Taken::Done, "{preset}");
            let general = *golden.config().features().general().unwrap();
            let mut unit = general::unit::Unit::new(golden.memory().clone(), *golden.config().features());
            unit.bind(&texture, 0x1000, &sampler).unwrap();
            let mut some_color = false;
            for number in 0..200 {
                let one = general.numbers.one();
                let mut coordinate = || match general.numbers {
                    spec::Numbers::S16p16 => random.random_range(-70_000i32..70_000) as u32,
                    spec::Numbers::Fp32 => random.random_range(-1.0f32..1.0).to_bits(),
                };
                let mut pixel = || Pixel { u: coordinate(), v: coordinate(), w: coordinate(), q: one, d: 0 };
                let pixels = std::array::from_fn(|_| pixel());
                let quad = spec::Quad {
                    pixels,
                    valid: random.random_range(0..16),
                    lod: 0,
                    operation: Operation::Sample,
                };
                let beats = of_quad(&quad, Extras::of(&general), golden.beats_per_quad());
                assert_eq!(send(&mut golden, &beats), Taken::Done);
                let beat = golden.result().unwrap();
                let tdata = std::array::from_fn(|word| {
                    (0..4).fold(0, |all, at| all | u128::from(beat.tdata[4 * word + at]) << (32 * at))
                });
                let got = spec::QuadResult::from_beat(general.result, tdata, beat.tuser as u8);
                assert_eq!(got, unit.sample(&quad), "{preset}, quad {number} of seed 2");
                some_color |= !got.error && got.channels != [[0; 4]; 4];
            }
            assert!(some_color, "{preset}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_and_changes_what_the_hardware_changes() {
        let mut golden = golden("fury-single");
        let quad = Quad::new([[0; 2]; 4], 0b0011).to_beats(BeatsPerQuad::Two);
        // Nothing bound: the error bit over the valid bits.
        assert_eq!(send(&mut golden, &quad), Taken::Done);
        assert_eq!(golden.result().unwrap().tuser, 0b1_0011);
        let long = [quad.as_slice(), &quad]
            .concat()
            .into_iter()
            .map(|beat| RequestBeat::new(beat.low_bytes(17), false, false));
        let mut long: Vec<_> = long.collect();
        long.extend(std::iter::repeat_n(long[0], 20));
        long.push(quad[1]);
        assert!(matches!(send(&mut golden, &long), Taken::Dropped(PacketError::Length { .. })));
        assert!(matches!(
            send(&mut golden, &quad[1..]),
            Taken::Dropped(PacketError::Length { expected: 2, got: 1 })
        ));
        assert_eq!(golden.pending(), 0);
        let refused = send(&mut golden, &[RequestBeat::new(&[1], true, true)]);
        let Taken::Refused(text) = refused else { panic!("{refused:?}") };
        assert!(text.contains("the base is not a multiple of 16"), "{text}");
        send(&mut golden, &quad[..1]);
        golden.reset();
        assert_eq!(send(&mut golden, &quad), Taken::Done);
        assert_eq!(golden.pending(), 1);
    }

    #[test]
    fn a_configuration_without_units_has_no_model() {
        let config = Config::from_toml("engines = [\"copy\"]\n[copy]\n");
        let refused = config.map(|config| Golden::new(config).map(|_| ()));
        assert!(refused.unwrap().unwrap_err().contains("sampler"));
    }
}
