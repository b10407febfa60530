//! Which formats of .dds and .ktx2 are which of ours.
//!
//! Where the bytes are the same and only the names of the channels differ, a swizzle says so. Packings whose bits stand elsewhere go
//! by their masks, as those of older .dds files do: see [`super::masks`].

use super::masks::{Bits, of_masks};
use crate::texel;
use ddsfile::DxgiFormat;
use ktx2::Format as Vk;
use tmu_spec::Format;
use tmu_spec::format::Packing;
use tmu_spec::general::Swizzle;
use tmu_spec::general::texture::Component;

/// How texels stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) format: Format,
    /// Bytes of a texel or of a block.
    pub(super) bytes: u32,
    /// What the file's channels are of ours.
    pub(super) swizzle: Swizzle,
    pub(super) is_srgb: bool,
    change: Change,
}

/// What becomes of the bytes of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// The channels of the format stand in these bits of the file's bytes; those of no bits are not in the file.
    Moved(Packing),
    /// The upper 8 of 32 bits, which are no depth, are dropped.
    DepthAlone,
}

impl Stored {
    pub(super) fn of(format: Format) -> Self {
        let bytes = if format.is_block() { format.tile_bytes() } else { format.bytes_per_texel() };
        Stored { format, bytes, swizzle: Swizzle::NONE, is_srgb: false, change: Change::None }
    }

    fn srgb(self) -> Self {
        Stored { is_srgb: true, ..self }
    }

    pub(super) fn shown(self, swizzle: [Component; 4]) -> Self {
        Stored { swizzle: Swizzle(swizzle), ..self }
    }

    pub(super) fn changed(self, change: Change) -> Self {
        let bytes = if let Change::Moved(packing) = change { packing.bytes } else { self.bytes };
        Stored { change, bytes, ..self }
    }

    /// The bytes of a texel or block by its number in a slice.
    pub(super) fn texel(&self, slice: &[u8], number: usize) -> [u8; 16] {
        let length = self.bytes as usize;
        let stored = &slice[number * length..][..length];
        if let Change::Moved(packing) = self.change {
            return texel::encode_codes(self.format, texel::codes(&packing, texel::word(stored)));
        }
        let mut texel = [0; 16];
        texel[..length].copy_from_slice(stored);
        if self.change == Change::DepthAlone {
            texel[3] = 0;
        }
        texel
    }

    /// What is to be said of it.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.swizzle != Swizzle::NONE {
            notes.push(format!("its order of channels is kept by the swizzle {}", self.swizzle));
        }
        match self.change {
            Change::None => {}
            Change::Moved(_) => {
                notes.push(format!(
                    "its texels are converted to {}: no format has the channels in these bits",
                    self.format
                ));
            }
            Change::DepthAlone => notes.push("its stencil is dropped".into()),
        }
        notes
    }
}

use Component::{A, B, G, One, R, Zero};

const BGRA: [Component; 4] = [B, G, R, A];
const BGR1: [Component; 4] = [B, G, R, One];
const RGB1: [Component; 4] = [R, G, B, One];
const ALPHA_ALONE: [Component; 4] = [Zero, Zero, Zero, R];

/// Masks of R, G, B and A of 16 bits with alpha on top.
const ARGB4: [u32; 4] = [0xf00, 0xf0, 0xf, 0xf000];
const ABGR4: [u32; 4] = [0xf, 0xf0, 0xf00, 0xf000];
const ARGB1555: [u32; 4] = [0x7c00, 0x3e0, 0x1f, 0x8000];
const ABGR1555: [u32; 4] = [0x1f, 0x3e0, 0x7c00, 0x8000];

/// None of a format that no unit has.
pub(super) fn of_dxgi(format: DxgiFormat) -> Option<Stored> {
    use DxgiFormat as D;
    Some(match format {
        D::R8G8B8A8_UNorm | D::R8G8B8A8_Typeless => Stored::of(Format::Rgba8),
        D::R8G8B8A8_UNorm_sRGB => Stored::of(Format::Rgba8).srgb(),
        D::B8G8R8A8_UNorm | D::B8G8R8A8_Typeless => Stored::of(Format::Rgba8).shown(BGRA),
        D::B8G8R8A8_UNorm_sRGB => Stored::of(Format::Rgba8).shown(BGRA).srgb(),
        D::B8G8R8X8_UNorm | D::B8G8R8X8_Typeless => Stored::of(Format::Rgba8).shown(BGR1),
        D::B8G8R8X8_UNorm_sRGB => Stored::of(Format::Rgba8).shown(BGR1).srgb(),
        D::R10G10B10A2_UNorm | D::R10G10B10A2_Typeless => Stored::of(Format::Rgb10a2),
        D::R16G16B16A16_UNorm | D::R16G16B16A16_Typeless => Stored::of(Format::Rgba16),
        D::R16G16_UNorm | D::R16G16_Typeless => Stored::of(Format::Rg16),
        D::R16_UNorm | D::R16_Typeless => Stored::of(Format::R16),
        D::R8G8_UNorm | D::R8G8_Typeless => Stored::of(Format::Rg8),
        D::R8_UNorm | D::R8_Typeless => Stored::of(Format::R8),
        D::A8_UNorm => Stored::of(Format::R8).shown(ALPHA_ALONE),
        D::B5G6R5_UNorm => Stored::of(Format::Rgb565),
        D::B5G5R5A1_UNorm => return of_masks(Bits::Rgb, 16, ARGB1555),
        D::B4G4R4A4_UNorm => return of_masks(Bits::Rgb, 16, ARGB4),
        D::R32G32B32A32_Float | D::R32G32B32A32_Typeless => Stored::of(Format::Rgba32f),
        D::R32G32_Float | D::R32G32_Typeless => Stored::of(Format::Rg32f),
        D::R32_Float | D::R32_Typeless => Stored::of(Format::R32f),
        D::R16G16B16A16_Float => Stored::of(Format::Rgba16f),
        D::R16G16_Float => Stored::of(Format::Rg16f),
        D::R16_Float => Stored::of(Format::R16f),
        D::D16_UNorm => Stored::of(Format::D16),
        D::D24_UNorm_S8_UInt => Stored::of(Format::D24).changed(Change::DepthAlone),
        D::D32_Float => Stored::of(Format::D32f),
        D::BC1_UNorm | D::BC1_Typeless => Stored::of(Format::Bc1),
        D::BC1_UNorm_sRGB => Stored::of(Format::Bc1).srgb(),
        D::BC2_UNorm | D::BC2_Typeless => Stored::of(Format::Bc2),
        D::BC2_UNorm_sRGB => Stored::of(Format::Bc2).srgb(),
        D::BC3_UNorm | D::BC3_Typeless => Stored::of(Format::Bc3),
        D::BC3_UNorm_sRGB => Stored::of(Format::Bc3).srgb(),
        D::BC4_UNorm | D::BC4_Typeless => Stored::of(Format::Bc4),
        D::BC5_UNorm | D::BC5_Typeless => Stored::of(Format::Bc5),
        D::BC7_UNorm | D::BC7_Typeless => Stored::of(Format::Bc7),
        D::BC7_UNorm_sRGB => Stored::of(Format::Bc7).srgb(),
        _ => return None,
    })
}

/// A pixel format of the older kind by its four letters, or the number that stands for them. Its colours are not said to be
/// sRGB-coded.
pub(super) fn of_letters(code: u32) -> Option<Stored> {
    let format = match (&code.to_le_bytes(), code) {
        (b"DXT1", _) => Format::Bc1,
        (b"DXT2" | b"DXT3", _) => Format::Bc2,
        (b"DXT4" | b"DXT5", _) => Format::Bc3,
        (b"ATI1" | b"BC4U", _) => Format::Bc4,
        (b"ATI2" | b"BC5U", _) => Format::Bc5,
        (_, 36) => Format::Rgba16,
        (_, 111) => Format::R16f,
        (_, 112) => Format::Rg16f,
        (_, 113) => Format::Rgba16f,
        (_, 114) => Format::R32f,
        (_, 115) => Format::Rg32f,
        (_, 116) => Format::Rgba32f,
        _ => return None,
    };
    Some(Stored::of(format))
}

/// Our formats in a .ktx2 file: plain, and with sRGB-coded colours.
const VULKAN: [(Format, Vk, Option<Vk>); 32] = [
    (Format::Rgba8, Vk::R8G8B8A8_UNORM, Some(Vk::R8G8B8A8_SRGB)),
    (Format::Rgb8, Vk::R8G8B8_UNORM, Some(Vk::R8G8B8_SRGB)),
    (Format::R8, Vk::R8_UNORM, None),
    (Format::Rg8, Vk::R8G8_UNORM, None),
    (Format::Rgb565, Vk::R5G6B5_UNORM_PACK16, None),
    (Format::Rgba5551, Vk::R5G5B5A1_UNORM_PACK16, None),
    (Format::Rgba4444, Vk::R4G4B4A4_UNORM_PACK16, None),
    (Format::Rgb10a2, Vk::A2B10G10R10_UNORM_PACK32, None),
    (Format::R16, Vk::R16_UNORM, None),
    (Format::Rg16, Vk::R16G16_UNORM, None),
    (Format::Rgba16, Vk::R16G16B16A16_UNORM, None),
    (Format::Bc1, Vk::BC1_RGBA_UNORM_BLOCK, Some(Vk::BC1_RGBA_SRGB_BLOCK)),
    (Format::Bc2, Vk::BC2_UNORM_BLOCK, Some(Vk::BC2_SRGB_BLOCK)),
    (Format::Bc3, Vk::BC3_UNORM_BLOCK, Some(Vk::BC3_SRGB_BLOCK)),
    (Format::Bc4, Vk::BC4_UNORM_BLOCK, None),
    (Format::Bc5, Vk::BC5_UNORM_BLOCK, None),
    (Format::Etc2Rgb8, Vk::ETC2_R8G8B8_UNORM_BLOCK, Some(Vk::ETC2_R8G8B8_SRGB_BLOCK)),
    (Format::Etc2Rgb8a1, Vk::ETC2_R8G8B8A1_UNORM_BLOCK, Some(Vk::ETC2_R8G8B8A1_SRGB_BLOCK)),
    (Format::Etc2Rgba8, Vk::ETC2_R8G8B8A8_UNORM_BLOCK, Some(Vk::ETC2_R8G8B8A8_SRGB_BLOCK)),
    (Format::EacR11, Vk::EAC_R11_UNORM_BLOCK, None),
    (Format::EacRg11, Vk::EAC_R11G11_UNORM_BLOCK, None),
    (Format::Bc7, Vk::BC7_UNORM_BLOCK, Some(Vk::BC7_SRGB_BLOCK)),
    (Format::D16, Vk::D16_UNORM, None),
    (Format::D24, Vk::X8_D24_UNORM_PACK32, None),
    (Format::D32f, Vk::D32_SFLOAT, None),
    (Format::R32f, Vk::R32_SFLOAT, None),
    (Format::Rg32f, Vk::R32G32_SFLOAT, None),
    (Format::Rgba32f, Vk::R32G32B32A32_SFLOAT, None),
    (Format::R16f, Vk::R16_SFLOAT, None),
    (Format::Rg16f, Vk::R16G16_SFLOAT, None),
    (Format::Rgba16f, Vk::R16G16B16A16_SFLOAT, None),
    // Three-colour blocks of this one are opaque throughout.
    (Format::Bc1, Vk::BC1_RGB_UNORM_BLOCK, Some(Vk::BC1_RGB_SRGB_BLOCK)),
];

/// The format of a .ktx2 file; none of colour tables.
pub(super) fn to_vulkan(format: Format, is_srgb: bool) -> Option<Vk> {
    let (_, plain, srgb) = VULKAN.iter().find(|(ours, ..)| *ours == format)?;
    if is_srgb { *srgb } else { Some(*plain) }
}

/// None of a format that no unit has.
pub(super) fn of_vulkan(format: Vk) -> Option<Stored> {
    let other = match format {
        Vk::B8G8R8A8_UNORM => Stored::of(Format::Rgba8).shown(BGRA),
        Vk::B8G8R8A8_SRGB => Stored::of(Format::Rgba8).shown(BGRA).srgb(),
        Vk::B8G8R8_UNORM => Stored::of(Format::Rgb8).shown(BGRA),
        Vk::B8G8R8_SRGB => Stored::of(Format::Rgb8).shown(BGRA).srgb(),
        Vk::B5G6R5_UNORM_PACK16 => Stored::of(Format::Rgb565).shown(BGRA),
        Vk::B4G4R4A4_UNORM_PACK16 => Stored::of(Format::Rgba4444).shown(BGRA),
        Vk::B5G5R5A1_UNORM_PACK16 => Stored::of(Format::Rgba5551).shown(BGRA),
        Vk::A1R5G5B5_UNORM_PACK16 => return of_masks(Bits::Rgb, 16, ARGB1555),
        Vk::A1B5G5R5_UNORM_PACK16 => return of_masks(Bits::Rgb, 16, ABGR1555),
        Vk::A4R4G4B4_UNORM_PACK16 => return of_masks(Bits::Rgb, 16, ARGB4),
        Vk::A4B4G4R4_UNORM_PACK16 => return of_masks(Bits::Rgb, 16, ABGR4),
        Vk::A8B8G8R8_UNORM_PACK32 => Stored::of(Format::Rgba8),
        Vk::A8B8G8R8_SRGB_PACK32 => Stored::of(Format::Rgba8).srgb(),
        Vk::A8_UNORM => Stored::of(Format::R8).shown(ALPHA_ALONE),
        Vk::A2R10G10B10_UNORM_PACK32 => Stored::of(Format::Rgb10a2).shown(BGRA),
        Vk::BC1_RGB_UNORM_BLOCK => Stored::of(Format::Bc1).shown(RGB1),
        Vk::BC1_RGB_SRGB_BLOCK => Stored::of(Format::Bc1).shown(RGB1).srgb(),
        _ => {
            let line = VULKAN.iter().find(|(_, plain, srgb)| *plain == format || *srgb == Some(format))?;
            let stored = Stored::of(line.0);
            if line.1 == format { stored } else { stored.srgb() }
        }
    };
    Some(other)
}
