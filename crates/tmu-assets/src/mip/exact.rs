//! The filter `exact`: smaller levels in integers, of texels as they are stored, as the loader engine makes them.
//!
//! The definition stands in [`tmu_spec::loader`]; here axis after axis, with nothing rounded in between. Cost: a pass of 32 bytes a
//! texel over each axis, on one thread.

use crate::raster::Raster;
use tmu_spec::Format;
use tmu_spec::format::Packing;
use tmu_spec::general::Kind;
use tmu_spec::general::tables::srgb_to_linear;
use tmu_spec::loader::{has_means, srgb_thresholds};

/// Sums of channels.
type Sums = [u64; 4];

/// So many levels, the raster itself first; channels are codes, whatever their width. Slices are those of a volume, or apart.
pub(crate) fn exact_chain(base: &Raster, levels: u32, is_volume: bool, is_srgb: bool) -> Vec<Raster> {
    let mut chain = vec![base.clone()];
    for _ in 1..levels {
        chain.push(halved(&chain[chain.len() - 1], is_volume, is_srgb));
    }
    chain
}

fn halved(raster: &Raster, is_volume: bool, is_srgb: bool) -> Raster {
    let light = |texel: &[u16; 4]| {
        let mut sums = texel.map(u64::from);
        if is_srgb {
            sums[..3].iter_mut().for_each(|code| *code = srgb_to_linear(*code as u8).into());
        }
        sums
    };
    let mut size = raster.size();
    let mut sums: Vec<Sums> = raster.texels().iter().map(light).collect();
    for axis in 0..3 {
        (size, sums) = halved_axis(size, &sums, axis, axis < 2 || is_volume);
    }
    let code = |sums: &Sums| {
        let mut codes = sums.map(|sum| ((sum + (1 << 23)) >> 24) as u16);
        if is_srgb {
            codes[..3].iter_mut().for_each(|light| *light = srgb_code(*light));
        }
        codes
    };
    Raster::new(size, raster.bits(), sums.iter().map(code).collect())
}

/// The code whose light is the nearest.
fn srgb_code(light: u16) -> u16 {
    let mut code = 0;
    for bit in (0..8).rev() {
        let tried = code | 1 << bit;
        if srgb_thresholds()[tried] <= light {
            code = tried;
        }
    }
    code as u16
}

/// Each texel of the axis is 256 times what it was, as a weighted sum.
fn halved_axis(size: [usize; 3], sums: &[Sums], axis: usize, is_halved: bool) -> ([usize; 3], Vec<Sums>) {
    let length = size[axis];
    let count = if is_halved { (length / 2).max(1) } else { length };
    let run: usize = size[..axis].iter().product();
    let outer: usize = size[axis + 1..].iter().product();
    let mut halved = Vec::with_capacity(outer * count * run);
    for block in 0..outer {
        for target in 0..count {
            for place in 0..run {
                let at = |source: usize| &sums[(block * length + source) * run + place];
                let mut sum = [0; 4];
                for (source, weight) in weighted(length, target, is_halved).into_iter().flatten() {
                    for (channel, part) in sum.iter_mut().zip(at(source)) {
                        *channel += weight * part;
                    }
                }
                halved.push(sum);
            }
        }
    }
    let mut new_size = size;
    new_size[axis] = count;
    (new_size, halved)
}

/// Up to three texels and their weights of 256.
fn weighted(length: usize, target: usize, is_halved: bool) -> [Option<(usize, u64)>; 3] {
    if !is_halved || length == 1 {
        return [Some((target, 256)), None, None];
    }
    let first = 2 * target;
    if length.is_multiple_of(2) {
        return [Some((first, 128)), Some((first + 1, 128)), None];
    }
    let covered = |texels: usize| ((texels * ((1 << 20) / length) + 2048) / 4096) as u64;
    let [left, right] = [covered(length / 2 - target), covered(target + 1)];
    [Some((first, left)), Some((first + 1, 256 - left - right)), Some((first + 2, right))]
}

/// The colours of a texture as codes of its format, and back.
pub(crate) struct Coded {
    packing: &'static Packing,
}

impl Coded {
    /// For a format whose texels have means.
    pub(crate) fn of(format: Format) -> Option<Self> {
        let packing = format.packing().filter(|_| has_means(format))?;
        Some(Self { packing })
    }

    /// All levels as words of texels.
    pub(crate) fn chain(&self, words: &Raster, kind: Kind, levels: u32, is_srgb: bool) -> Vec<Raster> {
        exact_chain(words, levels, kind == Kind::D3, is_srgb)
    }

    /// The channels of a stored texel.
    pub(crate) fn codes(&self, stored: &[u8]) -> [u16; 4] {
        let word = stored[..8].iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        self.packing.channels.map(|channel| (word >> channel.lo & ((1 << channel.bits) - 1)) as u16)
    }

    /// The texel of channels.
    pub(crate) fn word(&self, codes: [u16; 4]) -> u64 {
        let parts = self.packing.channels.iter().zip(codes).filter(|(channel, _)| channel.bits > 0);
        parts.fold(0, |word, (channel, code)| word | u64::from(code) << channel.lo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_light_comes_back() {
        for code in 0..=255 {
            assert_eq!(srgb_code(srgb_to_linear(code as u8) as u16), code);
        }
    }

    #[test]
    fn channels_come_back() {
        for format in Format::ALL.into_iter().filter(|format| has_means(*format)) {
            let coded = Coded::of(format).unwrap();
            let bytes = format.bytes_per_texel();
            let word = 0xf1e2_d3c4_b5a6_9788u64 & (u64::MAX >> (64 - 8 * bytes));
            assert_eq!(coded.word(coded.codes(&word.to_le_bytes())), word, "{format}");
        }
        assert!(Coded::of(Format::Bc1).is_none() && Coded::of(Format::R32f).is_none());
    }

    #[test]
    fn a_volume_halves_its_slices() {
        let base = Raster::new([1, 1, 5], 8, (0..5).map(|z| [z * 50, 0, 0, 255]).collect());
        let chain = exact_chain(&base, 3, true, false);
        let reds: Vec<Vec<u16>> =
            chain[1..].iter().map(|level| level.texels().iter().map(|texel| texel[0]).collect()).collect();
        assert_eq!(reds, [vec![40, 160], vec![100]]);
        assert_eq!(exact_chain(&base, 2, false, false)[1], base);
    }
}
