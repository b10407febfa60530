//! What a sample is, to the last bit: the stages' arithmetic, one file a stage, and [`sample`], which takes a quad through them.
//!
//! Contract: the written numerics and nothing else. Results follow from a binding, a quad and what memory holds; caches, the
//! order in which anything is looked up, and clocks are not known here.
//!
//! Cost: a quad allocates nothing.

pub mod address;
pub mod blocks;
pub mod coordinate;
pub mod decode;
pub mod fetch;
pub mod filter;
pub mod lod;
pub mod request;

use crate::memory::LineError;
use decode::{Texels, packed, rgb8, rgba8};
use fetch::TexelSource;
use request::Bound;
use tmu_spec::quad::PIXELS;
use tmu_spec::{Quad, QuadResult};

/// Samples a quad from a source of texels. If any read fails, the result has no colours and the error bit.
pub fn sample(bound: &Bound, quad: &Quad, source: &mut impl TexelSource) -> QuadResult {
    let colors = match bound.texels() {
        Texels::Rgba8 => pixels(bound, quad, source, |bytes| Ok(rgba8(bytes))),
        Texels::Rgb8 => pixels(bound, quad, source, |bytes| Ok(rgb8(bytes))),
        Texels::Packed(packing) => pixels(bound, quad, source, |bytes| Ok(packed(packing, bytes))),
        Texels::Indexed(table) => pixels(bound, quad, source, |[index]| table.color(index)),
    };
    match colors {
        Ok(colors) => QuadResult::new(colors.map(u32::to_le_bytes), quad.valid(), false),
        Err(LineError) => QuadResult::failed(quad.valid()),
    }
}

/// The colours of a quad's pixels; 0 for those that are not valid.
///
/// Goes through all taps even if one fails, as the hardware does.
#[inline]
fn pixels<const BYTES: usize>(
    bound: &Bound,
    quad: &Quad,
    source: &mut impl TexelSource,
    decode: impl Fn([u8; BYTES]) -> Result<u32, LineError>,
) -> Result<[u32; PIXELS], LineError> {
    let sampler = bound.binding().sampler();
    let level = bound.level(quad);
    let mut outcome = Ok(());
    let mut colors = [0; PIXELS];
    for (pixel, color) in colors.iter_mut().enumerate() {
        if !quad.is_valid(pixel) {
            continue;
        }
        let mut texel = |source: &mut _, column, row| {
            let offset = level.texel_offset(column, row, BYTES as u32);
            TexelSource::bytes(source, offset).and_then(&decode).unwrap_or_else(|error| {
                outcome = Err(error);
                0
            })
        };
        let places = coordinate::places(quad.uv()[pixel], sampler);
        let sizes_log2 = level.sizes_log2();
        *color = if sampler.bilinear {
            let [x, y] = coordinate::taps(places, sizes_log2, sampler).map(|taps| source.taps_read(taps));
            let [left, right] = [level.column(x.first), level.column(x.second)];
            let [upper, lower] = [level.row(y.first), level.row(y.second)];
            let taps = [(left, upper), (right, upper), (left, lower), (right, lower)];
            filter::bilinear(taps.map(|(column, row)| texel(source, column, row)), x.weight, y.weight)
        } else {
            let [x, y] = coordinate::nearest_texels(places, sizes_log2);
            texel(source, level.column(x), level.row(y))
        };
    }
    outcome.map(|()| colors)
}
