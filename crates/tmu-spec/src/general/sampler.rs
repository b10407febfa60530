//! How a texture of the general numerics is read.

use crate::choice::impl_choice;
use crate::texture::AddressMode;

/// Steps of a level of detail between two levels.
pub const LOD_STEPS: i32 = 256;
/// Farthest level of detail on either side of 0, in levels.
pub const MAX_LOD: i32 = 32;
/// Ratios that anisotropic filtering may be limited to; 1 is none.
pub const ANISOTROPIES: [u32; 5] = [1, 2, 4, 8, 16];

/// How many texels of a level a sample takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Filter {
    /// The nearest one.
    #[default]
    Nearest = 0,
    /// The two nearest of each axis, weighted.
    Linear = 1,
}

impl_choice!(Filter, "a filter", Nearest = "nearest", Linear = "linear");

/// Which levels a sample takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum MipFilter {
    /// Level 0.
    #[default]
    None = 0,
    /// The nearest one.
    Nearest = 1,
    /// The two nearest, weighted.
    Linear = 2,
    /// The nearest one along each axis by itself: the texture is a ripmap.
    Ripmap = 3,
}

impl_choice!(
    MipFilter,
    "a filter of levels",
    None = "none",
    Nearest = "nearest",
    Linear = "linear",
    Ripmap = "ripmap",
);

/// How levels stand in a texture: what a sampler's key `pyramid` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pyramid {
    /// Levels are smaller along all axes together.
    #[default]
    Mipmap,
    /// Levels are smaller along u and along v, each by itself, and stand in one picture of twice the sides: see
    /// [`MipFilter::Ripmap`].
    Ripmap,
}

impl_choice!(Pyramid, "a pyramid", Mipmap = "mipmap", Ripmap = "ripmap");

impl Pyramid {
    /// What to do where pyramid and filter of levels do not go together.
    pub const REMEDY: &'static str = "a ripmap goes with nearest, the default, or ripmap, which mean the same; a mipmap with none, nearest or linear";

    /// The filter of levels, where a user names both; none where they do not go together.
    #[must_use]
    pub fn mip(self, named: Option<MipFilter>) -> Option<MipFilter> {
        match (self, named) {
            (Pyramid::Mipmap, Some(MipFilter::Ripmap)) => None,
            (Pyramid::Mipmap, named) => Some(named.unwrap_or(MipFilter::Nearest)),
            (Pyramid::Ripmap, None | Some(MipFilter::Nearest | MipFilter::Ripmap)) => Some(MipFilter::Ripmap),
            (Pyramid::Ripmap, Some(MipFilter::None | MipFilter::Linear)) => None,
        }
    }
}

/// How a reference is compared with a depth: true where `reference op depth` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CompareOp {
    /// False.
    Never = 0,
    /// Below.
    Less = 1,
    /// The same.
    Equal = 2,
    /// Below or the same.
    Lequal = 3,
    /// Above.
    Greater = 4,
    /// Not the same.
    Notequal = 5,
    /// Above or the same.
    Gequal = 6,
    /// True.
    Always = 7,
}

impl_choice!(
    CompareOp,
    "a comparison",
    Never = "never",
    Less = "less",
    Equal = "equal",
    Lequal = "lequal",
    Greater = "greater",
    Notequal = "notequal",
    Gequal = "gequal",
    Always = "always",
);

/// How a texture is read. Levels of detail and bias count in 1/256 of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Filter where a texel covers less than a pixel.
    pub min: Filter,
    /// Filter where a texel covers more than a pixel.
    pub mag: Filter,
    /// Which levels are taken where a texel covers less than a pixel.
    pub mip: MipFilter,
    /// What is added to the level of detail.
    pub lod_bias: i32,
    /// Least level of detail.
    pub min_lod: i32,
    /// Most level of detail.
    pub max_lod: i32,
    /// Most probes along the longer axis of a footprint: one of [`ANISOTROPIES`].
    pub max_anisotropy: u32,
    /// Footprints of a cube go on across edges.
    pub cube_seamless: bool,
    /// Address modes of u, v and w.
    pub address: [AddressMode; 3],
    /// R, G, B, A outside the texture, with address mode `border`.
    pub border: [u8; 4],
    /// Depths are compared with the pixel's reference.
    pub compare: Option<CompareOp>,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            min: Filter::Nearest,
            mag: Filter::Nearest,
            mip: MipFilter::None,
            lod_bias: 0,
            min_lod: -MAX_LOD * LOD_STEPS,
            max_lod: MAX_LOD * LOD_STEPS,
            max_anisotropy: 1,
            cube_seamless: true,
            address: [AddressMode::Wrap; 3],
            border: [0; 4],
            compare: None,
        }
    }
}

impl Sampler {
    /// Whether any texel is weighted: two texels of an axis, two levels or several probes.
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.min == Filter::Linear
            || self.mag == Filter::Linear
            || self.mip == MipFilter::Linear
            || self.max_anisotropy > 1
    }
}

/// A level of detail or a bias, given as a float, in 1/256 of a level: rounded to the nearest, halves upwards, and limited to
/// 32 levels on either side. NaN is 0.
#[must_use]
pub fn lod_steps(levels: f32) -> i32 {
    let most = f64::from(MAX_LOD * LOD_STEPS);
    // The sum is exact within the limits, and a float that is no number casts to 0.
    (f64::from(levels) * f64::from(LOD_STEPS) + 0.5).floor().clamp(-most, most) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_detail_by_hand() {
        let table = [
            (0.0, 0),
            (-0.0, 0),
            (1.0, 256),
            (0.5 / 256.0, 1),
            (-0.5 / 256.0, 0),
            (-1.5 / 256.0, -1),
            (0.499_999 / 256.0, 0),
            (31.999, 8192),
            (1e30, 8192),
            (-1e30, -8192),
            (f32::INFINITY, 8192),
            (f32::NEG_INFINITY, -8192),
            (f32::NAN, 0),
            (-f32::MIN_POSITIVE, 0),
        ];
        for (levels, expected) in table {
            assert_eq!(lod_steps(levels), expected, "{levels}");
        }
    }
}
