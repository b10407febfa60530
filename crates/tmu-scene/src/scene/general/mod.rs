//! What scenes of the general numerics define: textures of every kind, samplers with all their keys, projectors.

mod projector;
mod sampler;
mod texture;

pub(crate) use projector::Projector;
pub(super) use projector::{Projectors, projectors};
pub(super) use sampler::{named, samplers};
pub(super) use texture::textures;

use tmu_spec::general::{Binding, Sampler, Texture};

use super::definition::Definitions;
use crate::numerics::General;

/// Keys that only scenes of the general numerics have.
pub(super) const KEYS: &[&str] = &[
    "projector",
    "srgb",
    "kind",
    "files",
    "pattern",
    "shadow_of",
    "size",
    "levels",
    "swizzle",
    "min",
    "mag",
    "mip",
    "pyramid",
    "lod_bias",
    "min_lod",
    "anisotropy",
    "cube_seamless",
    "address_w",
    "border",
    "compare",
    "coordinates",
    "w",
    "coordinate_scale",
    "coordinate_offset",
    "depth_bias",
    "blend",
    "casts_shadow",
    "strength",
];

impl Definitions for General {
    type Texture = Texture;
    type Sampler = Sampler;

    fn bind(base: u32, texture: &Texture, sampler: &Sampler) -> Option<Binding> {
        Some(Binding { base, texture: *texture, sampler: *sampler, drop_cache: false })
    }

    fn texture_size(binding: &Binding) -> [f64; 2] {
        let [width, height, _] = binding.texture.shape().level_size(0);
        [width, height].map(f64::from)
    }
}
