//! What a sample of the general numerics is, to the last bit: one file a stage, and [`sample`], which takes a quad through them.
//!
//! A sample is a weighted sum of **probes**. A probe is one footprint of at most four taps in one level and slice. Stages stand in
//! the order in which a quad passes them:
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`request`] | a texture and a sampler | what the stages behind look at as at a constant |
//! | [`projection`] | numbers of a pixel | coordinates with 20 bits behind the point; the face of a cube |
//! | [`lod`] | coordinates of a quad | level of detail, number of anisotropic probes |
//! | [`probes`] | a pixel and the quad's level of detail | its probes and their weights |
//! | [`coordinate`] | a coordinate | texels of one axis and their weight |
//! | [`cube`] | a texel one step outside a face | the texel across the edge |
//! | [`decode`] | bytes | channels |
//! | [`compare`] | a depth and a reference | true or false as a channel |
//! | [`filter`] | four taps and two weights; probes and their weights | channels |
//! | [`result`](mod@result) | channels | the form of the unit's results |
//!
//! Contract: the written numerics and nothing else, as [`crate::datapath`]. Taps and probes without weight are not read.
//!
//! Cost: a quad allocates nothing.

pub mod compare;
pub mod coordinate;
pub mod cube;
pub mod decode;
pub mod filter;
pub mod lod;
pub mod probes;
pub mod projection;
pub mod request;
pub mod result;
mod tap;
pub mod unit;

use crate::datapath::fetch::TexelSource;
use crate::memory::LineError;
use projection::Position;
use request::Bound;
use tap::Taps;
use tmu_spec::general::{Operation, Quad, QuadResult};

/// R, G, B, A of a texel or sample: unsigned numbers of as many bits as the filter has, or bits of IEEE singles.
pub type Channels = [u32; 4];

/// Samples a quad from a source of texels. If any read fails, or the unit does not do what is asked for, the result has no colours
/// and the error bit.
pub fn sample(bound: &Bound, quad: &Quad, source: &mut impl TexelSource) -> QuadResult {
    let mut result = QuadResult { valid: quad.valid & 0xf, ..QuadResult::default() };
    if !bound.does(quad.operation) {
        return QuadResult::failed(quad.valid);
    }
    let filtered = match quad.operation {
        Operation::Sample | Operation::Lod | Operation::Bias => {
            let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
            Some((positions, lod::of_quad(bound, quad, &positions)))
        }
        Operation::Fetch | Operation::Gather(_) => None,
    };
    let mut taps = Taps::new(bound, source, quad.operation);
    for (number, pixel) in quad.pixels.iter().enumerate().filter(|(number, _)| quad.is_valid(*number)) {
        taps.set_reference(pixel.d);
        let sampled = match (quad.operation, &filtered) {
            (Operation::Gather(component), _) => probes::gather(pixel, component, &mut taps),
            (_, Some((positions, lod))) => probes::sample(&positions[number], lod, &mut taps),
            (_, None) => probes::fetch(pixel, quad.lod, &mut taps),
        };
        match sampled {
            Ok(sampled) => result.channels[number] = result::of_channels(bound, sampled, taps.are_floats()),
            Err(LineError) => return QuadResult::failed(quad.valid),
        }
    }
    result
}
