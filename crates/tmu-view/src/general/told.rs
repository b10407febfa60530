//! What happens at a pixel, as the page is told of it.
//!
//! Coordinates are numbers as the unit takes them and places in the texture as it makes them of these; levels of detail count levels.

use serde_json::{Value, json};
use tmu_model::general::projection::ONE;
use tmu_model::general::trace::{Probe, QuadTrace, Taken, Tap};
use tmu_scene::{General, Layer, Scene};
use tmu_spec::choice::Choice;
use tmu_spec::general::{Binding, Numbers, Pixel, ResultNumbers};

/// What a texture is and how it is read.
pub(super) fn texture(scene: &Scene<General>, number: usize, binding: &Binding) -> Value {
    let (texture, sampler) = (&binding.texture, &binding.sampler);
    let [width, height, depth] = texture.shape().level_size(0);
    json!({
        "texture": scene.texture_names()[scene.texture_of(number)],
        "sampler": scene.sampler_of(number),
        "kind": texture.kind().name(),
        "format": texture.format().name(),
        "size": [width, height, depth],
        "levels": texture.levels(),
        "min": sampler.min.name(),
        "mag": sampler.mag.name(),
        "mip": sampler.mip.name(),
        "anisotropy": sampler.max_anisotropy,
        "lod_bias": f64::from(sampler.lod_bias) / 256.0,
        "compare": sampler.compare.map(Choice::name),
        "base": binding.base,
    })
}

/// A quad that covers a pixel.
pub(super) fn layer(
    numerics: &General,
    binding: &Binding,
    layer: &Layer<General>,
    trace: Option<&QuadTrace>,
) -> Value {
    let is_float = binding.texture.format().is_float() && binding.sampler.compare.is_none();
    let probes = trace.map(|trace| &trace.probes[layer.number][..]).unwrap_or_default();
    json!({
        "mesh": layer.mesh,
        "binding": layer.binding,
        "place": layer.place,
        "number": layer.number,
        "valid": layer.quad.valid,
        "pixels": layer.quad.pixels.each_ref().map(|pixel| numbers(pixel, numerics.numbers)),
        "positions": trace.map(|trace| trace.positions.map(|of| of.uvw.map(|at| at as f64 / ONE as f64))),
        "slice": trace.map(|trace| trace.positions[layer.number].slice),
        "lod": trace.and_then(|trace| trace.lod).map(|lod| json!({
            "filter": lod.filter.name(),
            "levels": lod.levels().collect::<Vec<_>>(),
            "ripmap": lod.ripmap,
            "along": 1 << lod.probes_log2,
        })),
        "probes": probes.iter().map(|of| probe(of, is_float)).collect::<Vec<_>>(),
        "error": layer.result.error,
        "channels": layer.result.channels[layer.number].map(|bits| match numerics.result {
            ResultNumbers::Fp32 => json!(f32::from_bits(bits)),
            ResultNumbers::Unorm8 | ResultNumbers::Unorm16 => json!(bits),
        }),
        "rgba": layer.rgba,
        "drawn": layer.drawn,
    })
}

/// u, v, w, q and the reference of a pixel. What is no number is none.
fn numbers(pixel: &Pixel, form: Numbers) -> Value {
    let of = |bits: u32| match form {
        Numbers::S16p16 => f64::from(bits as i32) / 65536.0,
        Numbers::Fp32 => f32::from_bits(bits).into(),
    };
    json!([of(pixel.u), of(pixel.v), of(pixel.w), of(pixel.q), f32::from_bits(pixel.d)])
}

fn probe(probe: &Probe, is_float: bool) -> Value {
    let footprint = &probe.footprint;
    json!({
        "size": footprint.size,
        "slice": footprint.slice,
        "weight": probe.weight,
        "weights": footprint.weights,
        "taps": probe.taps.iter().map(|of| tap(of, is_float)).collect::<Vec<_>>(),
    })
}

fn tap(tap: &Tap, is_float: bool) -> Value {
    let mut told = json!({ "place": tap.place, "weight": tap.weight });
    match &tap.taken {
        Taken::Border => told["instead"] = "border".into(),
        Taken::Mean => told["instead"] = "mean of the others".into(),
        Taken::Texel(of) => {
            let channel = |bits: u32| if is_float { json!(f32::from_bits(bits)) } else { json!(bits) };
            told["texel"] = json!({
                "level": of.texel.level,
                "place": of.texel.place,
                "tile": of.tile,
                "number": of.number,
                "channels": of.channels.map(|channels| channels.map(channel)),
                "passes": of.passes,
            });
        }
    }
    told
}
