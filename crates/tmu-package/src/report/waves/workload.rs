//! What the simulation of the page sends: a binding of a small texture, and quads that walk over it texel by texel.

use tmu_spec::general::packet::{Extras, of_binding, of_quad};
use tmu_spec::general::request::{Numbers, Pixel};
use tmu_spec::general::{self, Filter, General, Kind, Swizzle, texture::Shape};
use tmu_spec::quad::RequestBeat;
use tmu_spec::{Binding, Config, Format, Quad, Sampler, Texture};

/// Log2 of the side of the texture.
const SIDE_LOG2: u32 = 4;

/// The side of the texture in texels, and of the square that is drawn in pixels.
pub(super) const SIDE: u32 = 1 << SIDE_LOG2;

/// Packets for a configuration.
pub(super) struct Workload {
    /// The beats of the binding.
    pub(super) binding: Vec<RequestBeat>,
    /// The beats of each quad, row of quads by row.
    pub(super) quads: Vec<Vec<RequestBeat>>,
    /// What the quads do, in words.
    pub(super) about: String,
}

impl Workload {
    /// None for a configuration whose first format has no texture of this size.
    pub(super) fn new(config: &Config) -> Option<Workload> {
        let format = config.features().formats().next()?;
        let binding = match config.features().general() {
            None => classic_binding(config, format)?,
            Some(general) => general_binding(config, general, format)?,
        };
        let corners = (0..SIDE / 2).flat_map(|y| (0..SIDE / 2).map(move |x| [2 * x, 2 * y]));
        let quads = corners.map(|corner| quad(config, corner)).collect();
        let filter = if config.features().bilinear() { "bilinear" } else { "nearest" };
        let about = format!("{SIDE} x {SIDE} pixels of a texture of as many texels, {format}, {filter}");
        Some(Workload { binding, quads, about })
    }
}

fn classic_binding(config: &Config, format: Format) -> Option<Vec<RequestBeat>> {
    let features = config.features();
    let side_log2 = SIDE_LOG2.min(features.max_size_log2());
    let mode = features.address_modes().next()?;
    let texture = Texture::new(format, side_log2, side_log2, 0).ok()?;
    let sampler =
        Sampler { bilinear: features.bilinear(), mipmapped: false, address_u: mode, address_v: mode };
    Some(Binding::new(0, texture, sampler).ok()?.record().to_beats())
}

fn general_binding(config: &Config, general: &General, format: Format) -> Option<Vec<RequestBeat>> {
    let features = config.features();
    let kind = if general.has_kind(Kind::D2) { Kind::D2 } else { general.kinds().next()? };
    let side = SIDE.min(1 << features.max_size_log2());
    let height = if kind == Kind::D1 { 1 } else { side };
    let shape = Shape { kind, width: side, height, depth: 1, levels: 1, format };
    let texture = general::Texture::packed(shape, Swizzle::NONE, false).ok()?;
    let filter = if features.bilinear() { Filter::Linear } else { Filter::Nearest };
    let mode = features.address_modes().next()?;
    let sampler =
        general::Sampler { min: filter, mag: filter, address: [mode; 3], ..general::Sampler::default() };
    let binding = general::Binding { base: 0, texture, sampler, drop_cache: false };
    Some(of_binding(&binding.words()))
}

/// The quad whose upper left pixel is this one: a texel a pixel, a quarter of a texel off the middles, so that all taps count.
fn quad(config: &Config, [x, y]: [u32; 2]) -> Vec<RequestBeat> {
    /// A texel in s16.16.
    const TEXEL: u32 = (1 << 16) / SIDE;
    let beats = config.request().beats_per_quad();
    let corners = [[0, 0], [1, 0], [0, 1], [1, 1]];
    let uv = corners.map(|[dx, dy]| [x + dx, y + dy].map(|texel| texel * TEXEL + TEXEL * 3 / 4));
    let Some(general) = config.features().general() else {
        return Quad::new(uv.map(|uv| uv.map(u32::cast_signed)), 0xf).to_beats(beats);
    };
    let bits = |number: u32| match general.numbers {
        Numbers::S16p16 => number,
        Numbers::Fp32 => (number as f32 / 65536.0).to_bits(),
    };
    let one = general.numbers.one();
    let w = if general.has_kind(Kind::D2) { 0 } else { one };
    let pixels = uv.map(|[u, v]| Pixel { u: bits(u), v: bits(v), w, q: one, d: 0 });
    let quad = general::Quad { pixels, valid: 0xf, ..general::Quad::default() };
    of_quad(&quad, Extras::of(general), beats)
}
