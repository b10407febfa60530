//! The rules that a core holds bindings to.

use super::built::Built;
use super::codes::{Filter, Kind, MAX_LAYERS, MAX_SIZE, MipFilter};
use super::texture::{Sampler, Texture};
use crate::{Capabilities, Refusal};

/// Bytes of the texture window.
const WINDOW_BYTES: u64 = 1 << 31;
/// Most probes of a footprint.
const MOST_PROBES: u32 = 16;

/// Whether a byte address is that of a line in the texture window.
pub(super) fn is_line(byte: u32) -> bool {
    byte.is_multiple_of(16) && u64::from(byte) < WINDOW_BYTES
}

impl Texture {
    /// Whether a core takes the binding.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self, sampler: &Sampler, core: Capabilities, built: Built) -> Result<(), Refusal> {
        let rules = [
            (core.is_general(), Refusal::Numerics),
            (built.has_kind(self.kind), Refusal::Kind),
            (core.has_format(self.format), Refusal::Format),
            (self.has_right_size(core, built), Refusal::Size),
            ((1..=self.most_levels()).contains(&self.levels), Refusal::Levels),
            (self.is_aligned(), Refusal::Base),
            (self.has_modes(sampler, built), Refusal::AddressMode),
            (sampler.is_filter_built(core, built), Refusal::Filter),
            (sampler.is_anisotropy_built(built), Refusal::Anisotropy),
            (sampler.mip != MipFilter::Ripmap || self.is_ripmap(sampler, built), Refusal::Ripmap),
            (sampler.compare.is_none() || built.has_compare() && self.format.is_depth(), Refusal::Compare),
            (!self.srgb || built.has_srgb() && self.format.can_be_srgb(), Refusal::Srgb),
            (built.has_swizzle() || self.swizzle == Self::NO_SWIZZLE, Refusal::Swizzle),
            (!self.format.is_float() || sampler.compare.is_some() || !sampler.is_weighted(), Refusal::Float),
            (sampler.min_lod <= sampler.max_lod, Refusal::LodOrder),
            (!self.format.is_block() || !matches!(self.kind, Kind::D1 | Kind::D3), Refusal::Block),
        ];
        if let Some((_, refusal)) = rules.into_iter().find(|(is_kept, _)| !is_kept) {
            return Err(refusal);
        }
        // Only of a texture that there can be is it known where it ends.
        if self.is_in_window() { Ok(()) } else { Err(Refusal::Window) }
    }

    fn has_right_size(&self, core: Capabilities, built: Built) -> bool {
        let most = MAX_SIZE.min(1 << core.max_size_log2());
        let fits = |side: u32| (1..=most).contains(&side) && (built.has_any_size() || side.is_power_of_two());
        let Self { width, height, depth, .. } = *self;
        fits(width)
            && match self.kind {
                Kind::D1 => height == 1 && depth == 1,
                Kind::D2 => fits(height) && depth == 1,
                Kind::D3 => fits(height) && fits(depth),
                Kind::Cube => height == width && depth == 1,
                Kind::D2Array => fits(height) && (1..=MAX_LAYERS).contains(&depth),
            }
    }

    /// Whether it may be read as a ripmap, with a sampler that says so.
    fn is_ripmap(&self, sampler: &Sampler, built: Built) -> bool {
        let is_side = |side: u32| side > 1 && side.is_power_of_two();
        built.has_ripmaps()
            && self.kind == Kind::D2
            && self.levels == 1
            && is_side(self.width)
            && is_side(self.height)
            && sampler.max_anisotropy == 1
    }

    /// The levels that the texture has, of those that there can be.
    fn offsets(&self) -> impl Iterator<Item = u32> {
        self.level_offsets.into_iter().take(self.levels as usize)
    }

    fn is_aligned(&self) -> bool {
        let is_level = |offset: u32| is_line(offset) && u64::from(offset) >= self.format.table_bytes();
        is_line(self.base) && self.offsets().all(is_level)
    }

    /// Cubes have no address mode.
    fn has_modes(&self, sampler: &Sampler, built: Built) -> bool {
        let axes = match self.kind {
            Kind::Cube => 0,
            Kind::D1 => 1,
            Kind::D2 | Kind::D2Array => 2,
            Kind::D3 => 3,
        };
        sampler.address[..axes].iter().all(|mode| built.has_address_mode(*mode))
    }

    fn is_in_window(&self) -> bool {
        let end =
            |(level, offset): (u32, u32)| u64::from(self.base) + u64::from(offset) + self.level_bytes(level);
        (0..).zip(self.offsets()).map(end).all(|end| end <= WINDOW_BYTES)
    }
}

impl Sampler {
    fn is_linear(&self) -> bool {
        self.min == Filter::Linear || self.mag == Filter::Linear
    }

    /// Whether any texel is weighted.
    fn is_weighted(&self) -> bool {
        self.is_linear() || self.mip == MipFilter::Linear || self.max_anisotropy > 1
    }

    fn is_filter_built(&self, core: Capabilities, built: Built) -> bool {
        (core.has_bilinear() || !self.is_linear())
            && (core.has_mipmaps() || self.mip == MipFilter::None)
            && (built.has_trilinear() || self.mip != MipFilter::Linear)
    }

    fn is_anisotropy_built(&self, built: Built) -> bool {
        self.max_anisotropy.is_power_of_two()
            && self.max_anisotropy <= built.max_anisotropy().min(MOST_PROBES)
    }
}
