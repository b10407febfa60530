//! Functional coverage: what a run has exercised, so that a regression that passes has also tested something.
//!
//! Counted are bins of [crosses](Cross), such as format x filter x level. A configuration can reach some of them; those
//! that it can and did not are holes, and named. Look-ups are what the cycle-free model of the cache makes of them, which
//! knows the hardware's tags but for invalidations by command.

mod cross;

use crate::engines::sampler::streams::request::Breakage;
use crate::kit::memory::LengthFault;
pub use cross::Cross;
pub(crate) use cross::Disturbance;
use cross::{Answer, LookupKind, Reach};
use tmu_model::datapath::coordinate;
use tmu_model::{Lookup, Memory, TextureUnit, UnitCache};
use tmu_spec::tile::{COLUMNS, ROWS};
use tmu_spec::{AddressMode, Binding, BindingRule, Config, Format, Quad, QuadResult};

/// Counts of what requests and results were like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// By cross and bin.
    counts: Vec<Vec<u64>>,
    bindings: u64,
    drops: u64,
    failed_reads: u64,
}

impl Default for Coverage {
    fn default() -> Self {
        let counts = Cross::ALL.iter().map(|cross| vec![0; cross.bins()]).collect();
        Self { counts, bindings: 0, drops: 0, failed_reads: 0 }
    }
}

/// Which kinds of bin are asked for beside those of good requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Bad bindings, broken packets, failing reads and answers of memory of the wrong length.
    pub errors: bool,
    /// Resets and commands.
    pub resets: bool,
}

impl Asked {
    /// Everything.
    pub const ALL: Asked = Asked { errors: true, resets: true };

    fn has(self, cross: Cross) -> bool {
        match cross {
            Cross::Rule | Cross::Packet | Cross::Answer | Cross::Length => self.errors,
            Cross::Disturbance => self.resets,
            _ => true,
        }
    }
}

/// A bin that a configuration can reach, and how often it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bin {
    /// The cross that it is of.
    pub cross: Cross,
    /// Its values in words.
    pub name: String,
    /// How often it was reached.
    pub count: u64,
}

/// A format's place among those that units of the classic numerics may have.
fn format_number(format: Format) -> usize {
    Format::CLASSIC.iter().position(|classic| *classic == format).expect("only classic formats are bound")
}

impl Coverage {
    fn count(&mut self, cross: Cross, values: &[usize]) {
        self.counts[cross as usize][cross.bin(values)] += 1;
    }

    pub(crate) fn binding(&mut self, outcome: &Result<(), Vec<BindingRule>>, binding: Option<&Binding>) {
        self.bindings += 1;
        self.drops += u64::from(binding.is_some_and(Binding::drop_cache));
        if let Some(binding) = binding.filter(|_| outcome.is_ok()) {
            let is_last = binding.base() == Binding::last_base(binding.texture());
            self.count(Cross::End, &[format_number(binding.texture().format()), usize::from(is_last)]);
        }
        for rule in outcome.as_ref().err().into_iter().flatten() {
            self.count(Cross::Rule, &[usize::from(rule.code()) - 1]);
        }
    }

    /// A binding follows another one while quads are under way.
    pub(crate) fn rebinding(&mut self, before: Format, format: Format) {
        self.count(Cross::Rebinding, &[before, format].map(format_number));
    }

    pub(crate) fn broken_packet(&mut self, breakage: Breakage) {
        self.count(Cross::Packet, &[breakage as usize]);
    }

    pub(crate) fn broken_answer(&mut self, fault: LengthFault) {
        self.count(Cross::Length, &[fault.number()]);
    }

    pub(crate) fn disturbance(&mut self, disturbance: Disturbance, reads: bool) {
        self.count(Cross::Disturbance, &[disturbance as usize, usize::from(reads)]);
    }

    /// A quad of a legal binding. `texel_failed` says whether a line failed that it needs of the levels.
    pub(crate) fn quad<M: Memory>(
        &mut self,
        quad: &Quad,
        unit: &TextureUnit<M>,
        cache: Option<&mut UnitCache>,
        expected: &QuadResult,
        texel_failed: impl FnOnce() -> bool,
    ) {
        let (Some(binding), Some(lod)) = (unit.binding(), unit.lod(quad)) else { return };
        let (texture, sampler) = (binding.texture(), binding.sampler());
        let format = format_number(texture.format());
        let (filter, mipmaps) = (usize::from(sampler.bilinear), usize::from(sampler.mipmapped));
        let modes = [sampler.address_u, sampler.address_v];
        let [mode_u, mode_v] = modes.map(|mode| usize::from(mode.code()));
        self.count(Cross::Sampler, &[format, filter, mipmaps, mode_u, mode_v]);
        if sampler.mipmapped {
            self.count(Cross::Level, &[format, filter, lod as usize]);
        }
        self.count(Cross::Size, &[texture.width_log2() as usize, texture.height_log2() as usize, mipmaps]);
        self.count(Cross::Partial, &[format, filter, usize::from(quad.valid())]);
        self.failed_reads += u64::from(expected.error());
        let answer = match expected.error() {
            false => Answer::Sampled,
            true if texel_failed() => Answer::TexelFailed,
            true => Answer::TableFailed,
        };
        self.count(Cross::Answer, &[format, filter, answer as usize]);
        let seen = cache.map_or([false; 4], |cache| self.lookups(quad, unit, cache));
        for (lookup, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
            self.count(Cross::Lookup, &[format, filter, lookup]);
        }
        let [repeat, hit, fill, replace] = seen;
        let found = [repeat, hit, fill || replace];
        let sizes_log2 =
            [texture.width_log2(), texture.height_log2()].map(|size_log2| size_log2.saturating_sub(lod));
        for pixel in (0..4).filter(|pixel| quad.is_valid(*pixel)) {
            let uv = quad.uv()[pixel];
            let mut reaches = [Reach::One; 2];
            let mut first = [0; 2];
            for axis in 0..2 {
                let values = [modes[axis].code().into(), axis, filter, place(uv[axis])];
                self.count(Cross::Coordinate, &values);
                let side = [COLUMNS, ROWS][axis];
                (first[axis], reaches[axis]) =
                    reach(uv[axis], sizes_log2[axis], modes[axis], sampler.bilinear, side);
            }
            for (found, _) in found.iter().enumerate().filter(|(_, seen)| **seen) {
                self.count(Cross::Footprint, &[format, reaches[0] as usize, reaches[1] as usize, found]);
            }
            if texture.format().bytes_per_texel() == 3 {
                let [x, y] = first;
                let address = binding.base().wrapping_add(texture.texel_byte_offset(lod, x, y));
                self.count(Cross::Byte, &[address as usize % 16]);
            }
        }
    }

    /// What the cache makes of the look-ups of a quad: whether each [`LookupKind`] is among them.
    fn lookups<M: Memory>(&mut self, quad: &Quad, unit: &TextureUnit<M>, cache: &mut UnitCache) -> [bool; 4] {
        let mut seen = [false; 4];
        let mut see = |lookup: Lookup| {
            let kind = match lookup {
                Lookup::Repeat => LookupKind::Repeat,
                Lookup::Hit { .. } => LookupKind::Hit,
                Lookup::Miss { evicted: None, .. } => LookupKind::Fill,
                Lookup::Miss { evicted: Some(_), .. } => LookupKind::Replace,
            };
            seen[kind as usize] = true;
        };
        let mut items = 0;
        match cache {
            UnitCache::Blocking(cache) => unit.lookups(quad, |line| {
                let number = cache.counts().lookups as u32;
                see(cache.lookup(line, number));
            }),
            UnitCache::Prefetch { cache, takes_quads } => unit.items(quad, *takes_quads, |tiles| {
                items += 1;
                for tile in tiles {
                    let number = cache.counts().lookups as u32;
                    see(cache.lookup(*tile, number));
                }
            }),
        }
        let valid_pixels = quad.valid().count_ones() as usize;
        if valid_pixels > 0 && items > 0 {
            self.count(Cross::Item, &[valid_pixels - 1, usize::from(items > 1)]);
        }
        seen
    }

    /// Adds what another run has exercised.
    pub fn add(&mut self, other: &Coverage) {
        for (to, from) in self.counts.iter_mut().flatten().zip(other.counts.iter().flatten()) {
            *to += from;
        }
        self.bindings += other.bindings;
        self.drops += other.drops;
        self.failed_reads += other.failed_reads;
    }

    /// Bindings, legal or not.
    #[must_use]
    pub const fn bindings(&self) -> u64 {
        self.bindings
    }

    /// Bindings that drop the cache.
    #[must_use]
    pub const fn drops(&self) -> u64 {
        self.drops
    }

    /// Quads that failed because a read did.
    #[must_use]
    pub const fn failed_reads(&self) -> u64 {
        self.failed_reads
    }

    /// Packets of the wrong length.
    #[must_use]
    pub fn broken_packets(&self) -> u64 {
        self.counts[Cross::Packet as usize].iter().sum()
    }

    /// Rules that bindings broke, each as often as it was broken.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.counts[Cross::Rule as usize].iter().sum()
    }

    /// Every bin that hardware of a configuration can reach, by cross.
    pub fn bins<'c>(&'c self, config: &'c Config, asked: Asked) -> impl Iterator<Item = Bin> + 'c {
        let crosses = Cross::ALL.into_iter().filter(move |cross| asked.has(*cross));
        crosses.flat_map(move |cross| {
            let counts = self.counts[cross as usize].iter().enumerate();
            counts.filter(move |(bin, _)| cross.is_reachable(config, *bin)).map(move |(bin, count)| Bin {
                cross,
                name: cross.bin_name(bin),
                count: *count,
            })
        })
    }

    /// The bins that hardware of a configuration can reach and was not seen reaching.
    #[must_use]
    pub fn holes(&self, config: &Config, asked: Asked) -> Vec<String> {
        let holes = self.bins(config, asked).filter(|bin| bin.count == 0);
        holes.map(|bin| format!("{}: {}", bin.cross.name(), bin.name)).collect()
    }
}

/// Below the texture, in it, or above.
const fn place(coordinate: i32) -> usize {
    match coordinate {
        ..0 => 0,
        0..0x1_0000 => 1,
        _ => 2,
    }
}

/// The first texel that an axis of a footprint needs, and what it spans, in tiles of `side` texels.
fn reach(coordinate: i32, size_log2: u32, mode: AddressMode, bilinear: bool, side: u32) -> (u32, Reach) {
    let place = coordinate::addressed(coordinate, mode);
    if !bilinear {
        return (coordinate::nearest(place, size_log2), Reach::One);
    }
    let taps = coordinate::bilinear(place, size_log2, mode);
    let reach = match (taps.first, taps.second) {
        _ if taps.weight == 0 => Reach::One,
        (first, second) if first == second => Reach::One,
        (first, second) if first > second => Reach::Around,
        (first, second) if first / side == second / side => Reach::InTile,
        _ => Reach::TwoTiles,
    };
    (taps.first, reach)
}
