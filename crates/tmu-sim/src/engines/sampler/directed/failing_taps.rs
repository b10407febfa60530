//! Quads of which often a single texel lies in a line that cannot be read.
//!
//! Where one line in some hundred fails, it is mostly one that several pixels of a quad need, and the error of one tap
//! hides behind those of others. Here one line in eight fails, but none of the colour table, and the pixels of a quad lie one
//! to five texels apart: with neighbours in a tile, each in a tile of its own, around corners of tiles.
//!
//! Cost: 2,000 quads for each format and filter.

use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::throughput::{BASE, Workload, sampler};
use crate::kit::memory::Fault;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_spec::{Config, Format, LINE_BYTES, Quad, Texture};

/// Quads of a workload.
const QUADS: usize = 2_000;

/// One line in so many fails.
const FAILS_ONE_IN: u32 = 8;

/// Texels a side, unless fewer are built.
const SIDE_LOG2: u32 = 7;

/// The quads of every format and filter that is built.
#[must_use]
pub fn workloads(config: &Config) -> Vec<Workload> {
    let features = config.features();
    let filters = [false, true].into_iter().filter(|&bilinear| !bilinear || features.bilinear());
    let of_filter = |bilinear| features.formats().map(move |format| workload(config, format, bilinear));
    filters.flat_map(of_filter).collect()
}

fn workload(config: &Config, format: Format, bilinear: bool) -> Workload {
    let features = config.features();
    let side_log2 = features.max_size_log2().min(SIDE_LOG2);
    let Ok(texture) = Texture::new(format, side_log2, side_log2, 0) else {
        unreachable!("the texture is within its limits")
    };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut memory = TextureMemory::noise(1);
    let texels = (BASE + format.color_table_bytes())..BASE + texture.bytes();
    for line in texels.step_by(LINE_BYTES as usize).map(|address| address / LINE_BYTES) {
        if random.random_ratio(1, FAILS_ONE_IN) {
            memory.fail(line, if random.random() { Fault::Subordinate } else { Fault::Decode });
        }
    }
    let name = format!("failing taps of {format:?}, {}", if bilinear { "bilinear" } else { "nearest" });
    let quads = (0..QUADS).map(|_| quad(&mut random, side_log2)).collect();
    Workload::new(name, texture, sampler(features, bilinear, false), Arc::new(memory), quads)
}

/// A quad somewhere, with its pixels whole texels apart: on texel centres, or off them in u, in v or both.
fn quad(random: &mut ChaCha8Rng, side_log2: u32) -> Quad {
    let texel = (1 << 16) >> side_log2;
    let mut component = || {
        let start = random.random_range(0..1 << side_log2) * texel + texel / 2;
        let off = if random.random() { random.random_range(0..texel) } else { 0 };
        (start + off, random.random_range(1..=5) * texel)
    };
    let ((u, du), (v, dv)) = (component(), component());
    Quad::new([[u, v], [u + du, v], [u, v + dv], [u + du, v + dv]], random.random_range(1..16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::sampler::contents::SharedMemory;
    use tmu_model::TextureUnit;

    /// In each configuration some quads fail for one pixel alone, whichever it is, and some do not fail.
    #[test]
    fn each_pixel_fails_alone() {
        let config = Config::from_toml("").unwrap();
        let all = workloads(&config);
        assert_eq!(all.len(), 2 * config.features().formats().count());
        for workload in all {
            let memory = SharedMemory(Arc::clone(&workload.memory));
            let mut unit = TextureUnit::with_features(memory, *config.features());
            unit.bind(&workload.binding).unwrap();
            let mut alone = [0; 4];
            let mut sound = 0;
            for quad in workload.quads.iter() {
                let fails = |valid| unit.sample(&Quad::new(*quad.uv(), valid)).error();
                let failing: Vec<_> = (0..4).filter(|pixel| fails(1 << pixel)).collect();
                match failing[..] {
                    [pixel] => alone[pixel] += 1,
                    [] => sound += 1,
                    _ => {}
                }
            }
            assert!(
                alone.iter().all(|&count| count > 20) && sound > 20,
                "{}: {alone:?}, {sound}",
                workload.name
            );
        }
    }
}
