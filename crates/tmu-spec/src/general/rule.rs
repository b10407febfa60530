//! What a texture and a sampler must keep to together, and with what a unit was built to do.

use super::features::General;
use super::sampler::{ANISOTROPIES, MipFilter, Sampler};
use super::texture::{Kind, Shape, Swizzle, Texture};
use crate::features::Features;

/// A rule that a texture and its sampler break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// The unit was not built to do it.
    #[error("{what} is not built")]
    NotBuilt {
        /// What is not built.
        what: String,
        /// The key of the configuration that builds it.
        key: &'static str,
    },
    /// Floats are not filtered.
    #[error("texels of format {0} are floats, which are not filtered")]
    FloatFiltered(crate::Format),
    /// Only depths are compared.
    #[error("texels of format {0} are not depths, so they cannot be compared")]
    CompareFormat(crate::Format),
    /// sRGB-coded colours need 16 bits in the filter.
    #[error("sRGB-coded colours need 16 bits a channel in the filter")]
    SrgbBits,
    /// The least level of detail lies over the most.
    #[error("the least level of detail is over the most: {min_lod} and {max_lod} in 1/256 of a level")]
    LodOrder {
        /// The least one.
        min_lod: i32,
        /// The most.
        max_lod: i32,
    },
    /// A ratio that there is not.
    #[error("an anisotropy of {0} is none of 1, 2, 4, 8 and 16")]
    Anisotropy(u32),
    /// The texture is no ripmap, or is not read as one.
    #[error("{0}, so it is no ripmap")]
    Ripmap(String),
}

impl Rule {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Rule::NotBuilt { key, .. } => format!("change {key} in the configuration, or ask for less"),
            Rule::FloatFiltered(_) => {
                "use nearest filters, one level and no anisotropy, or another format".into()
            }
            Rule::CompareFormat(_) => "leave the comparison out, or use d16, d24 or d32f".into(),
            Rule::SrgbBits => "set filter.channel_bits = 16, or use a texture without srgb".into(),
            Rule::LodOrder { .. } => "raise the one or lower the other".into(),
            Rule::Anisotropy(_) => "use one of them".into(),
            Rule::Ripmap(_) => {
                "a ripmap is a 2d texture of one level whose sides are powers of two from 2 on, read without anisotropy".into()
            }
        }
    }

    /// Every rule that a texture and its sampler break for a unit.
    #[must_use]
    pub fn broken(texture: &Texture, sampler: &Sampler, features: &Features, general: &General) -> Vec<Rule> {
        let mut broken = not_built(texture, sampler, features, general);
        let format = texture.format();
        if format.is_float() && sampler.compare.is_none() && sampler.is_weighted() {
            broken.push(Rule::FloatFiltered(format));
        }
        if sampler.compare.is_some() && !format.is_depth() {
            broken.push(Rule::CompareFormat(format));
        }
        if texture.is_srgb() && general.srgb && general.channel_bits == 8 {
            broken.push(Rule::SrgbBits);
        }
        if sampler.min_lod > sampler.max_lod {
            broken.push(Rule::LodOrder { min_lod: sampler.min_lod, max_lod: sampler.max_lod });
        }
        if !ANISOTROPIES.contains(&sampler.max_anisotropy) {
            broken.push(Rule::Anisotropy(sampler.max_anisotropy));
        }
        if sampler.mip == MipFilter::Ripmap {
            broken.extend(not_ripmap(texture.shape(), sampler).map(Rule::Ripmap));
        }
        broken
    }
}

/// Why a texture is not a ripmap, or is not read as one.
fn not_ripmap(shape: &Shape, sampler: &Sampler) -> impl Iterator<Item = String> {
    let sides = [("width", shape.width), ("height", shape.height)];
    let wrong_side = |side: u32| !side.is_power_of_two() || side < 2;
    let sides = sides
        .into_iter()
        .filter(move |(_, side)| wrong_side(*side))
        .map(|(name, side)| format!("the {name} is {side} texels"));
    let others = [
        (shape.kind != Kind::D2, format!("the kind is {}", shape.kind)),
        (shape.levels != 1, format!("the texture has {} levels", shape.levels)),
        (sampler.max_anisotropy > 1, format!("it is read with an anisotropy of {}", sampler.max_anisotropy)),
    ];
    sides.chain(others.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, what)| what))
}

/// Whether a texture may be read as a ripmap.
#[must_use]
pub fn may_be_ripmap(shape: &Shape) -> bool {
    is_ripmap(shape, &Sampler::default())
}

/// Whether a texture and its sampler keep the rules of ripmaps.
pub(super) fn is_ripmap(shape: &Shape, sampler: &Sampler) -> bool {
    not_ripmap(shape, sampler).next().is_none()
}

fn not_built(texture: &Texture, sampler: &Sampler, features: &Features, general: &General) -> Vec<Rule> {
    use super::features::Sizes;
    use super::sampler::Filter;
    let mut broken = Vec::new();
    let mut need = |is_built: bool, key, what: String| {
        if !is_built {
            broken.push(Rule::NotBuilt { what, key });
        }
    };
    let shape = texture.shape();
    let (kind, format) = (shape.kind, shape.format);
    let most = 1u32 << features.max_size_log2();
    let sides = shape.level_size(0);
    let sides = &sides[..kind.axes()];
    need(features.has_format(format), "texture.formats", format!("format {format}"));
    need(general.has_kind(kind), "texture.kinds", format!("kind {kind}"));
    for side in sides {
        need(*side <= most, "texture.max_size_log2", format!("a side of {side}, over {most} texels"));
        let is_fitting = side.is_power_of_two() || general.sizes == Sizes::Any;
        need(is_fitting, "texture.sizes", format!("a side of {side} texels, which is no power of two"));
    }
    for (mode, axis) in sampler.address.iter().zip(["u", "v", "w"]).take(kind.axes()) {
        // Cubes have no address mode.
        let is_built = features.has_address_mode(*mode) || kind == super::Kind::Cube;
        need(is_built, "texture.address_modes", format!("address mode {mode} of {axis}"));
    }
    let is_linear = sampler.min == Filter::Linear || sampler.mag == Filter::Linear;
    need(features.bilinear() || !is_linear, "texture.bilinear", "bilinear filtering".into());
    let has_levels = features.mipmaps() || sampler.mip == MipFilter::None;
    need(has_levels, "texture.mipmaps", "mipmapping".into());
    let is_trilinear = sampler.mip == MipFilter::Linear;
    need(general.trilinear || !is_trilinear, "texture.trilinear", "weighting of two levels".into());
    need(
        general.ripmaps || sampler.mip != MipFilter::Ripmap,
        "texture.ripmaps",
        "sampling of ripmaps".into(),
    );
    let anisotropy = sampler.max_anisotropy;
    let has_probes = anisotropy <= general.max_anisotropy;
    need(has_probes, "texture.max_anisotropy", format!("an anisotropy of {anisotropy}"));
    need(general.compare || sampler.compare.is_none(), "texture.compare", "comparison".into());
    need(general.srgb || !texture.is_srgb(), "texture.srgb", "sRGB decoding".into());
    let is_plain = texture.swizzle() == Swizzle::NONE;
    need(general.swizzle || is_plain, "texture.swizzle", format!("swizzle {}", texture.swizzle()));
    broken
}
