//! A quad through the stages.

use super::projection::Position;
use super::request::Bound;
use super::tap::Taps;
use super::{lod, probes, result};
use crate::datapath::fetch::TexelSource;
use crate::memory::LineError;
use tmu_spec::general::{Operation, Quad, QuadResult};

/// Samples a quad from a source of texels. If any read fails, or the unit does not do what is asked for, the result has no colours
/// and the error bit.
pub fn sample(bound: &Bound, quad: &Quad, source: &mut impl TexelSource) -> QuadResult {
    let mut result = QuadResult { valid: quad.valid & 0xf, ..QuadResult::default() };
    if !bound.does(quad.operation) {
        return QuadResult::failed(quad.valid);
    }
    let filtered = match quad.operation {
        Operation::Sample | Operation::Lod | Operation::Bias => {
            let positions = std::array::from_fn(|number| Position::of(bound, &quad.pixels[number]));
            Some((positions, lod::of_quad(bound, quad, &positions)))
        }
        Operation::Fetch | Operation::Gather(_) => None,
    };
    let mut taps = Taps::new(bound, source, quad.operation);
    for (number, pixel) in quad.pixels.iter().enumerate().filter(|(number, _)| quad.is_valid(*number)) {
        taps.begin_pixel(number, pixel.d);
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
