//! What can be wrong with pictures and texture files: codes, titles and explanations.

#[cfg(feature = "pictures")]
use std::path::Path;
#[cfg(feature = "pictures")]
use tmu_problem::Problems;
use tmu_problem::RuleCode;

/// The rule that a picture or a texture file breaks. Its code is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A file cannot be read.
    Read,
    /// A file's name does not end as a picture's does.
    PictureKind,
    /// A picture file is damaged, cut short or of another kind than it says.
    PictureDecode,
    /// A picture is too large to decode at all.
    PictureLimit,
    /// A side of a picture is over 2048 texels.
    PictureSize,
    /// A side of a picture is not a power of two.
    PicturePowerOfTwo,
    /// A descriptor is not TOML.
    DescriptorSyntax,
    /// A descriptor lacks a key, or has one too many, or one of the wrong type.
    DescriptorKey,
    /// A value in a descriptor is out of its range.
    DescriptorValue,
    /// A descriptor, its memory image and the layout do not have the same length.
    TextureBytes,
    /// A level is asked for that the texture does not have.
    TextureLevel,
    /// A descriptor is of a texture that cannot be taken where it is named.
    DescriptorKind,
    /// Pictures do not make a texture of the kind that is asked for.
    TextureShape,
    /// A .dds or .ktx2 file is damaged or cut short.
    ContainerDecode,
    /// A .dds or .ktx2 file holds what no texture can be.
    ContainerContent,
}

impl Rule {
    /// All rules, in the order in which a texture is made and read.
    pub const ALL: [Self; 15] = [
        Self::Read,
        Self::PictureKind,
        Self::PictureDecode,
        Self::PictureLimit,
        Self::PictureSize,
        Self::PicturePowerOfTwo,
        Self::DescriptorSyntax,
        Self::DescriptorKey,
        Self::DescriptorValue,
        Self::TextureBytes,
        Self::TextureLevel,
        Self::DescriptorKind,
        Self::TextureShape,
        Self::ContainerDecode,
        Self::ContainerContent,
    ];

    /// What breaks the rule, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Read => "the file cannot be read",
            Self::PictureKind => "the file is not a picture of a known kind",
            Self::PictureDecode => "the picture is damaged or cut short",
            Self::PictureLimit => "the picture is too large to decode",
            Self::PictureSize => "the picture is over 2048 texels",
            Self::PicturePowerOfTwo => "a side is not a power of two",
            Self::DescriptorSyntax => "the descriptor is not TOML",
            Self::DescriptorKey => "a key of the descriptor is missing, unknown or of the wrong type",
            Self::DescriptorValue => "a value of the descriptor is out of range",
            Self::TextureBytes => "the lengths of the texture do not agree",
            Self::TextureLevel => "the texture has no such level",
            Self::DescriptorKind => "the texture is not one of powers of two",
            Self::TextureShape => "the pictures do not make such a texture",
            Self::ContainerDecode => "the .dds or .ktx2 file is damaged or cut short",
            Self::ContainerContent => "the .dds or .ktx2 file holds what no texture can be",
        }
    }

    /// What the rule says and why, in a paragraph.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Read => "A picture, a descriptor or a memory image must exist and be readable.",
            Self::PictureKind => {
                "Pictures are PNG, JPEG, TGA or BMP. A picture that is read is told by its content, and by the end \
                 of its name where the content does not say (TGA); one that is written is told by the end of its \
                 name: .png, .jpg, .jpeg, .tga or .bmp."
            }
            Self::PictureDecode => {
                "A picture must decode from its first byte to its last. A file that was cut short in transfer, or \
                 that holds another format than its name says, does not. Neither does a JPEG file with tables or codes that \
                 cannot be, or with more or fewer blocks than its size asks for."
            }
            Self::PictureLimit => {
                "A small file can unpack to a picture that fills the memory. So pictures over 8192 texels a side, or \
                 that need over 512 MiB to decode, are refused before they are decoded. `view` has a lower limit of its \
                 own, --max-megapixels."
            }
            Self::PictureSize => {
                "A texture is at most 2048 texels wide and high: the layout stores sizes as 4-bit logarithms of at \
                 most 11. `pack --resize pow2` makes a larger picture fit; `pack --kind 2d` takes sides up to 4096 for units that \
                 have them."
            }
            Self::PicturePowerOfTwo => {
                "The width and the height of a texture are powers of two, because the hardware scales coordinates by \
                 shifting and wraps them by dropping bits. They need not be equal. `pack --resize pow2` resamples a \
                 picture to the nearest powers of two; `pack --kind 2d` keeps any size, for units that have it."
            }
            Self::DescriptorSyntax => {
                "A texture descriptor (NAME.toml beside NAME.bin) is a TOML file. The parser could not read the line \
                 that is named."
            }
            Self::DescriptorKey => {
                "A texture descriptor has exactly the keys of its kind. The first kind, a picture of powers of two: \
                 format, width_log2, height_log2, max_lod and bytes, a string and four integers. The second, a texture \
                 of every kind and size: kind, width, height, depth, levels, level_offsets, format, swizzle, srgb and \
                 bytes, of which height and depth (1), swizzle (\"rgba\") and srgb (false) may be left out. A misspelt \
                 key is refused, not ignored, and so is a file with keys of both kinds."
            }
            Self::DescriptorValue => {
                "In a texture descriptor of the first kind format is one of rgba8, rgb8, i8_rgba8, i8_rgb8 and rgb565, \
                 width_log2 and height_log2 are 0 to 11, and max_lod is at most the larger of the two. In one of the \
                 second kind sides are 1 to 4096, levels at most as many as lead down to one texel, and each of \
                 level_offsets is a multiple of 16 behind the colour table; kind and format decide on the rest: the \
                 message says which rule is broken."
            }
            Self::TextureBytes => {
                "The memory image of a texture has exactly the length that its format and size lead to: the colour \
                 table, then all levels down to 1 × 1, each stored with at least 4 × 4 texels. The descriptor's key \
                 bytes and the file NAME.bin must both agree with that. A descriptor of the second kind says itself \
                 where its levels stand: bytes is at least where the last of them ends, and NAME.bin has just as many."
            }
            Self::TextureLevel => {
                "Levels count from 0, the full size, to the larger of width_log2 and height_log2, which is 1 × 1; a \
                 descriptor of the second kind has as many as its key levels says."
            }
            Self::DescriptorKind => {
                "Some places take textures of powers of two alone, whose layout in memory follows from their size: \
                 scenes and units of the classic numerics. A descriptor with the keys kind, width and level_offsets \
                 is taken there only if its levels stand just so. `pack` writes a descriptor of the first kind for a \
                 picture of powers of two, if it is not asked for anything that only the second kind has."
            }
            Self::TextureShape => {
                "A texture of kind 1d is made of a picture of one row, one of kind 2d of a picture, a cube of six square \
                 ones in the order +x -x +y -y +z -z, and 3d and 2d_array of one for each slice. All have one size, a side \
                 is 1 to 4096 texels and an array has at most 2048 layers. 1d and 3d have no block formats, sRGB is for \
                 colours of 8 bits, and all levels end within the texture window of 2 GiB."
            }
            Self::ContainerDecode => {
                "What the header of a .dds or .ktx2 file says must agree with the bytes that follow: each level, layer and \
                 face is there in full. The message names the offset in the file where it stops to, and the rule; make the \
                 file anew with the program that wrote it."
            }
            Self::ContainerContent => {
                "A .dds or .ktx2 file is taken as it is, so what it holds must be something that a unit can sample: one of \
                 the formats that `pack --format` has, of kind 1d, 2d, 3d, cube or 2d_array. Arrays of cubes and of rows, \
                 cubes with faces missing, signed, integer and HDR block formats, and Basis Universal are not; nor \
                 does .ktx2 have colour tables. Convert the file with the program that wrote it, or pack pictures."
            }
        }
    }
}

impl RuleCode for Rule {
    fn code(self) -> &'static str {
        match self {
            Self::Read => "E0101",
            Self::PictureKind => "E0102",
            Self::PictureDecode => "E0103",
            Self::PictureLimit => "E0104",
            Self::PictureSize => "E0105",
            Self::PicturePowerOfTwo => "E0106",
            Self::DescriptorSyntax => "E0107",
            Self::DescriptorKey => "E0108",
            Self::DescriptorValue => "E0109",
            Self::TextureBytes => "E0110",
            Self::TextureLevel => "E0111",
            Self::DescriptorKind => "E0112",
            Self::TextureShape => "E0113",
            Self::ContainerDecode => "E0114",
            Self::ContainerContent => "E0115",
        }
    }
}

/// Refuses the number of a level that a texture does not have.
///
/// # Errors
/// [`Rule::TextureLevel`]; `path` is for the message.
#[cfg(feature = "pictures")]
pub(crate) fn check_level(level: u32, levels: u32, path: &Path) -> Result<(), Problems> {
    if level < levels {
        return Ok(());
    }
    let message = format!("level {level} is not there: the texture has levels 0 to {}", levels - 1);
    Err(Problems::one(Rule::TextureLevel, path, message, "ask for one of those"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_code_and_words_of_its_own() {
        for (rule, number) in Rule::ALL.into_iter().zip(101..) {
            assert_eq!(rule.code(), format!("E0{number}"));
            for words in [rule.title(), rule.explanation()] {
                assert!(words.contains(' '), "{rule:?}: {words:?}");
            }
            for other in Rule::ALL.into_iter().filter(|&other| other != rule) {
                assert_ne!(rule.title(), other.title(), "{rule:?} and {other:?}");
                assert_ne!(rule.explanation(), other.explanation(), "{rule:?} and {other:?}");
            }
        }
    }
}
