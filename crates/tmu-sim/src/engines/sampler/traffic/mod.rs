//! Random requests for one unit: bindings every few quads, quads of every kind, and bad input on request.
//!
//! The same seed gives the same packets. Textures come from a small pool that changes now and then, so that
//! caches see both old and new lines.

mod faults;
mod quads;

use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use quads::QuadSource;
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_spec::{BeatsPerQuad, Binding, Config, Features, LINE_BYTES, Sampler, TEXTURE_ADDRESS_BITS, Texture};

/// Textures that are bound again and again before they are replaced.
const POOL: usize = 8;

/// What the traffic is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrafficOptions {
    /// One packet in this many is of the wrong length, one quad in this many has `tuser` turned behind its first beat,
    /// and one binding in a fourth of it is illegal; 0 for none.
    pub faults_one_in: u32,
    /// Most quads under one binding.
    pub quads_per_binding: u32,
}

impl Default for TrafficOptions {
    fn default() -> Self {
        Self { faults_one_in: 0, quads_per_binding: 24 }
    }
}

/// A texture at its place.
#[derive(Debug, Clone, Copy)]
struct Placed {
    base: u32,
    texture: Texture,
}

/// An endless source of packets.
#[derive(Debug)]
pub struct Traffic {
    random: ChaCha8Rng,
    options: TrafficOptions,
    features: Features,
    beats_per_quad: BeatsPerQuad,
    pool: Vec<Placed>,
    quads: QuadSource,
    /// Quads before the next binding.
    left: u32,
    /// Bindings that are to follow each other closely.
    hurried: u32,
    /// Bindings that are each to drop the cache for a single quad.
    reading: u32,
    /// The next binding drops the cache.
    drops_next: bool,
    sizes: Sizes,
}

/// Sizes that have not been used yet, so that each has its turn.
#[derive(Debug, Default)]
struct Sizes {
    left: Vec<[u32; 2]>,
}

impl Traffic {
    /// Requests that a unit of this configuration can serve, but for the faults that `options` ask for.
    #[must_use]
    pub fn new(config: &Config, options: TrafficOptions, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let features = *config.features();
        let mut sizes = Sizes::default();
        let pool = (0..POOL).map(|_| sizes.placed(&mut random, &features)).collect();
        let beats_per_quad = config.request().beats_per_quad();
        let quads = QuadSource::default();
        let (left, hurried, reading, drops_next) = (0, 0, 0, false);
        Self {
            random,
            options,
            features,
            beats_per_quad,
            pool,
            quads,
            left,
            hurried,
            reading,
            drops_next,
            sizes,
        }
    }

    /// The next packet.
    pub fn packet(&mut self) -> Packet {
        let faults_one_in = self.options.faults_one_in;
        if faults_one_in > 0 && self.random.random_ratio(1, faults_one_in) {
            let breakage = *self.breakages().choose(&mut self.random).unwrap_or(&Breakage::QuadTooLong);
            return self.broken(breakage);
        }
        if self.left == 0 {
            self.left = self.stretch();
            let is_illegal = faults_one_in > 0 && self.random.random_ratio(1, faults_one_in.div_ceil(4));
            return if is_illegal { self.illegal_binding() } else { self.binding(false) };
        }
        self.left -= 1;
        let packet = self.quad();
        if faults_one_in > 0 && self.random.random_ratio(1, faults_one_in) {
            packet.with_tuser_turned(self.beats_per_quad)
        } else {
            packet
        }
    }

    /// Makes the next packet a binding, as is needed after a reset.
    pub const fn bind_next(&mut self) {
        self.left = 0;
    }

    /// Lets the next quads have bindings of their own that drop the cache, so that reads are under way for a while.
    pub const fn read_next(&mut self) {
        self.left = 0;
        self.reading = 16;
    }

    /// Quads before the next binding. Now and then one binding follows another at once, or some follow each other
    /// closely while quads of those before are under way.
    fn stretch(&mut self) -> u32 {
        if self.reading > 0 {
            self.reading -= 1;
            self.drops_next = true;
            return 1;
        }
        let random = &mut self.random;
        if self.hurried == 0 && random.random_ratio(1, 24) {
            self.hurried = random.random_range(2..12);
        }
        if self.hurried > 0 {
            self.hurried -= 1;
            return random.random_range(0..3);
        }
        if random.random_ratio(1, 16) { 0 } else { random.random_range(1..=self.options.quads_per_binding) }
    }

    /// A legal binding, on request one that drops the cache.
    pub fn binding(&mut self, drops_cache: bool) -> Packet {
        let random = &mut self.random;
        let chosen = random.random_range(0..POOL);
        if random.random_ratio(1, 6) {
            self.pool[chosen] = self.sizes.placed(random, &self.features);
        }
        let placed = self.pool[chosen];
        let sampler = sampler(random, &self.features);
        let drops_cache = drops_cache || std::mem::take(&mut self.drops_next) || random.random_ratio(1, 64);
        let Ok(binding) = Binding::new(placed.base, placed.texture, sampler) else {
            unreachable!("textures lie in the window")
        };
        let binding = binding.with_drop_cache(drops_cache);
        self.quads.bind(&binding);
        Packet::bind(binding.record())
    }

    /// A binding that breaks a rule.
    pub fn illegal_binding(&mut self) -> Packet {
        let Packet { request, .. } = self.binding(false);
        let Request::Bind(record) = request else { unreachable!("a binding binds") };
        Packet::bind(faults::break_binding(&mut self.random, record, self.beats_per_quad, &self.features))
    }

    /// A quad of the texture bound last.
    pub fn quad(&mut self) -> Packet {
        Packet::sample(&self.quads.quad(&mut self.random), self.beats_per_quad)
    }

    /// A packet of the wrong length.
    pub fn broken(&mut self, breakage: Breakage) -> Packet {
        faults::broken_packet(&mut self.random, self.beats_per_quad, breakage)
    }

    /// Ways in which packets of this stream can be of the wrong length.
    #[must_use]
    pub fn breakages(&self) -> &'static [Breakage] {
        faults::breakages(self.beats_per_quad)
    }
}

/// One of the values that are built; each configuration builds at least one.
fn choose<T: Copy>(random: &mut ChaCha8Rng, built: impl Iterator<Item = T>) -> T {
    let built: Vec<T> = built.collect();
    *built.choose(random).expect("a configuration builds a format and an address mode")
}

impl Sizes {
    /// A texture that fits the features: mostly a small one, otherwise of each size in turn.
    fn placed(&mut self, random: &mut ChaCha8Rng, features: &Features) -> Placed {
        let largest = features.max_size_log2();
        let small = largest.min(7);
        let sizes = if random.random_ratio(2, 3) {
            [(); 2].map(|()| random.random_range(0..=small))
        } else {
            if self.left.is_empty() {
                self.left = (0..=largest).flat_map(|u| (0..=largest).map(move |v| [u, v])).collect();
            }
            self.left.swap_remove(random.random_range(0..self.left.len()))
        };
        placed(random, features, sizes)
    }
}

/// A texture of some size somewhere in the window.
fn placed(random: &mut ChaCha8Rng, features: &Features, [width_log2, height_log2]: [u32; 2]) -> Placed {
    let format = choose(random, features.formats());
    let last = width_log2.max(height_log2);
    let max_lod = if random.random_ratio(1, 3) { random.random_range(0..=last) } else { last };
    let Ok(texture) = Texture::new(format, width_log2, height_log2, max_lod) else {
        unreachable!("sizes and level are within their limits")
    };
    let lines = 1u32 << (TEXTURE_ADDRESS_BITS - LINE_BYTES.ilog2());
    let line = match random.random_range(0..8) {
        // The same sets as other textures of this kind, and the same pages.
        0..3 => random.random_range(0..64) << 16,
        3 => 0,
        // The last texture of the window.
        4 => lines,
        _ => random.random_range(0..lines),
    };
    let last = Binding::last_base(&texture);
    Placed { base: last.min(line.saturating_mul(LINE_BYTES)), texture }
}

fn sampler(random: &mut ChaCha8Rng, features: &Features) -> Sampler {
    let mut mode = || choose(random, features.address_modes());
    let (address_u, address_v) = (mode(), mode());
    Sampler {
        bilinear: features.bilinear() && random.random_ratio(2, 3),
        mipmapped: features.mipmaps() && random.random_ratio(2, 3),
        address_u,
        address_v,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::sampler::contents::TextureMemory;
    use crate::engines::sampler::coverage::{Asked, Coverage, Cross};
    use crate::engines::sampler::scoreboard::Scoreboard;
    use std::sync::Arc;
    use tmu_model::UnitCache;

    /// Quads of each configuration.
    const QUADS: u32 = 400_000;

    fn covered(toml: &str, faults_one_in: u32) -> (Config, Coverage) {
        let config = Config::from_toml(toml).unwrap();
        let options = TrafficOptions { faults_one_in, ..TrafficOptions::default() };
        let mut traffic = Traffic::new(&config, options, 5);
        let mut memory = TextureMemory::noise(1);
        if faults_one_in > 0 {
            memory.fail_one_in(500);
        }
        let scoreboard = Scoreboard::new(0, *config.features(), Arc::new(memory));
        let mut scoreboard = scoreboard.with_cache(UnitCache::new(&config));
        for number in 0..QUADS {
            scoreboard.request(&traffic.packet().request);
            // So that some quads are in flight while the next texture is bound.
            if number % 4 == 0 {
                scoreboard.drop_due();
            }
        }
        (config, scoreboard.coverage().clone())
    }

    #[test]
    fn traffic_exercises_everything() {
        let quads = "request = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\n\
                     datapath = { pixels_per_clock = 4 }\naxi = { outstanding_reads = 64 }\n\
                     cache = { kind = \"prefetch\", replacement = \"round_robin\", ways = 2, sets = 256 }";
        for toml in ["", quads] {
            let (config, coverage) = covered(toml, 50);
            let asked = Asked { errors: true, resets: false };
            let mut holes = coverage.holes(&config, asked);
            // What memory answers is not of the traffic.
            holes.retain(|hole| !hole.starts_with(&Cross::Length.name()));
            assert_eq!(holes, Vec::<String>::new(), "{toml}");
            assert!(coverage.drops() > 0);
        }
    }

    #[test]
    fn traffic_asks_only_for_what_is_built() {
        let small = "[texture]\nformats = [\"i8_rgb8\"]\naddress_modes = [\"clamp\"]\nbilinear = false\n\
                     mipmaps = false\nmax_size_log2 = 5\n[request]\nbeats_per_quad = 1";
        let (config, coverage) = covered(small, 0);
        assert_eq!(coverage.holes(&config, Asked::default()), Vec::<String>::new());
        assert_eq!((coverage.refused(), coverage.broken_packets(), coverage.failed_reads()), (0, 0, 0));
    }

    #[test]
    fn a_seed_repeats() {
        let packets = |seed| {
            let config = Config::from_toml("").unwrap();
            let mut traffic = Traffic::new(&config, TrafficOptions::default(), seed);
            (0..100).map(|_| traffic.packet()).collect::<Vec<_>>()
        };
        assert_eq!(packets(3), packets(3));
        assert_ne!(packets(3), packets(4));
    }
}
