//! Rates of indirect look-ups: quads over a picture of places, all of it in the cache.

use super::rate::{Memory, Rate};
use crate::engines::sampler::bench::BenchOptions;
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::general::look_ups::{LookUps, Step};
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, Rule, Setup};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{self, Binding, Kind, Sampler, Swizzle, Texture};
use tmu_spec::{Config, Format};
use tmu_verilate::Model;

/// Sides of both textures: both stay in the cache.
const SIDES: [i32; 2] = [64, 32];
/// Where the secondary texture stands.
const SECONDARY: u32 = 0x1_0000;
/// Quads that are timed, and those before that bring the textures into the cache.
const QUADS: usize = 2000;
const WARM_QUADS: usize = 1000;

/// Indirect look-ups that are all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LookUpWalk {
    /// What becomes of the values.
    pub(super) operation: Aggregate,
    /// How many a pixel has; the places of a pixel's values are beside each other in the primary texture.
    pub(super) values: u32,
    /// Texels of the secondary texture lie beside each other, too, and not anywhere.
    pub(super) is_near: bool,
}

fn binding(format: Format, base: u32) -> Binding {
    let [width, height] = SIDES.map(|side| side as u32);
    let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the texture is legal");
    Binding { base, texture, sampler: Sampler::default(), drop_cache: false }
}

/// The texture of places and the one that they are in.
fn bindings() -> [Binding; 2] {
    [binding(Format::Rg16, 0), binding(Format::Rgba8, SECONDARY)]
}

impl LookUpWalk {
    fn setup(self) -> Setup {
        let Self { operation, values, .. } = self;
        Setup { operation, values, offset_u: 1, ..Setup::default() }
    }

    /// Whether a configuration builds what it needs.
    #[must_use]
    pub(super) fn is_built(self, config: &Config) -> bool {
        let features = config.features();
        let [primary, secondary] = bindings();
        let alone = |binding: &Binding, general: &general::General| {
            general::Rule::broken(&binding.texture, &binding.sampler, features, general).is_empty()
        };
        features.general().is_some_and(|general| {
            alone(&primary, general)
                && alone(&secondary, general)
                && Rule::broken(&self.setup(), &primary.texture, &secondary.texture, features).is_empty()
        })
    }

    /// Noise, and in front of it the places: of a texel its own, or any.
    fn memory(self) -> TextureMemory {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut memory = TextureMemory::noise(1);
        let tile_columns = SIDES[0] / 4;
        let tiles = tile_columns * SIDES[1] / 4;
        let own = |tile: i32, texel: i32| {
            [tile % tile_columns * 4 + texel % 4, tile / tile_columns * 4 + texel / 4]
        };
        let texels = (0..tiles).flat_map(|tile| (0..16).map(move |texel| own(tile, texel)));
        let anywhere = |random: &mut ChaCha8Rng| SIDES.map(|side| random.random_range(0..side));
        let places = texels.map(|own| if self.is_near { own } else { anywhere(&mut random) });
        let bytes = places.flat_map(|place| place.map(|number| (number as u16).to_le_bytes()));
        memory.place(0, bytes.flatten().collect());
        memory
    }

    fn quads() -> Vec<IndirectQuad> {
        let [width, height] = SIDES;
        let quad = |number: i32| {
            let place = |pixel: i32| {
                [(2 * number + (pixel & 1)) % width, (2 * number / width * 2 + (pixel >> 1)) % height]
            };
            IndirectQuad { places: std::array::from_fn(|pixel| place(pixel as i32)), valid: 15 }
        };
        (0..QUADS as i32).map(quad).collect()
    }

    /// Times it. A probe is one texel of either texture.
    ///
    /// # Errors
    /// A result that is not the golden model's; whatever else ends a simulation.
    ///
    /// # Panics
    /// If the configuration does not build what the walk needs.
    pub(super) fn measure(self, model: &Model, rtl: &Rtl, memory: Memory) -> Result<Rate> {
        let mut options = BenchOptions::collecting(&rtl.config, memory.latency_clocks);
        options.memory_timing.bytes_per_clock = memory.bytes_per_clock;
        options.memory_timing.pauses = memory.pauses;
        let contents = Arc::new(self.memory());
        let [primary, secondary] = bindings();
        let (setup, quads) = (self.setup(), Self::quads());
        let mut golden = Unit::new(SharedMemory(Arc::clone(&contents)), *rtl.config.features());
        golden.bind_indirect(&setup, &primary, &secondary).expect("the unit builds it");
        let mut hardware = LookUps::over(model, rtl, options, contents).map_err(Failure::at_start)?;
        let asked = quads.iter().map(|quad| Step::LookUp(quad, &setup));
        let warm = [Step::Bind(&primary), Step::BindSecondary(&secondary)];
        hardware.run(&warm.into_iter().chain(asked.clone().take(WARM_QUADS)).collect::<Vec<_>>())?;
        let (start, lines) = (hardware.tmu_clocks(), hardware.bench().memory_beats(0));
        let results = hardware.run(&asked.collect::<Vec<_>>())?;
        let clocks = (hardware.tmu_clocks() - start) as f64;
        let differs = |(quad, results): &(&IndirectQuad, &Vec<_>)| {
            golden.look_up(quad).as_slice() != results.as_slice()
        };
        if let Some(number) = quads.iter().zip(&results).position(|pair| differs(&pair)) {
            let said = format!("quad {number} of {self:?} is not that of the golden model");
            return Err(hardware.bench().failure(Cause::Check(said)));
        }
        let pixels = (4 * QUADS) as f64;
        Ok(Rate {
            samples_per_clock: pixels / clocks,
            probes_per_clock: pixels * f64::from(2 * self.values) / clocks,
            bytes_per_sample: ((hardware.bench().memory_beats(0) - lines) * u64::from(tmu_spec::LINE_BYTES))
                as f64
                / pixels,
        })
    }
}
