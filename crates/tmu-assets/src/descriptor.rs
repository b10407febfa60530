//! Texture files: the descriptor `NAME.toml` and, beside it, the memory image `NAME.bin`.
//!
//! Contract: a descriptor of the first kind has exactly five keys, one of the second kind ten, of which `height`, `depth`,
//! `swizzle` and `srgb` may be left out; everything that is wrong with it and with its image is reported at
//! once, with lines; no input panics or makes the reader take more memory than a texture can have.

mod classic;
mod fields;
mod general;

pub use classic::descriptor;
pub use general::general_descriptor;
#[cfg(feature = "pictures")]
pub(crate) use general::with_bytes;

use crate::problem::Rule;
use fields::{Fields, read_fields};
use std::path::{Path, PathBuf};
use tmu_problem::Problems;
use tmu_spec::{Texture, general as spec};

/// A texture of either kind of descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyTexture {
    /// Of powers of two; its layout follows from its size.
    Classic(Texture),
    /// Of any kind and size; its levels stand where it says.
    General(spec::Texture),
}

impl AnyTexture {
    /// The texture as one of any kind.
    #[must_use]
    pub fn into_general(self) -> spec::Texture {
        match self {
            AnyTexture::Classic(texture) => texture.into(),
            AnyTexture::General(texture) => texture,
        }
    }

    /// The texture as one of powers of two, if it is laid out as one.
    #[must_use]
    pub fn as_classic(&self) -> Option<Texture> {
        match self {
            AnyTexture::Classic(texture) => Some(*texture),
            AnyTexture::General(texture) => classic_of(texture),
        }
    }

    /// The text of its descriptor.
    #[must_use]
    pub fn descriptor(&self) -> String {
        match self {
            AnyTexture::Classic(texture) => descriptor(*texture),
            AnyTexture::General(texture) => general_descriptor(texture),
        }
    }

    /// Bytes of its levels and its colour table.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        match self {
            AnyTexture::Classic(texture) => texture.bytes(),
            AnyTexture::General(texture) => texture.bytes(),
        }
    }
}

fn classic_of(texture: &spec::Texture) -> Option<Texture> {
    let shape = texture.shape();
    let classic =
        Texture::new(shape.format, shape.width.ilog2(), shape.height.ilog2(), shape.levels - 1).ok()?;
    (spec::Texture::from(classic) == *texture).then_some(classic)
}

/// Where the memory image of a descriptor stands, and the other way round.
pub fn memory_path(descriptor: &Path) -> PathBuf {
    descriptor.with_extension("bin")
}

/// The texture of powers of two that the text of a descriptor describes; `path` is for messages.
///
/// # Errors
/// Those of [`parse_any`], and [`Rule::DescriptorKind`].
pub fn parse(text: &str, path: &Path) -> Result<Texture, Problems> {
    let (texture, bytes) = parse_with_bytes(text, path)?;
    texture.as_classic().filter(|texture| texture.bytes() == bytes).ok_or_else(|| {
        let shape = *texture.into_general().shape();
        let message = format!(
            "the descriptor is of a {} texture of {} x {} x {} {}, where one of the first kind is needed",
            shape.kind, shape.width, shape.height, shape.depth, shape.format
        );
        let remedy = "pack a picture of powers of two without --kind, --levels, --srgb and --swizzle";
        Problems::one(Rule::DescriptorKind, path, message, remedy)
    })
}

/// The texture that the text of a descriptor of either kind describes; `path` is for messages.
///
/// # Errors
/// [`Rule::DescriptorSyntax`], [`Rule::DescriptorKey`], [`Rule::DescriptorValue`] and [`Rule::TextureBytes`] (the key
/// `bytes`), each as often as it is broken.
pub fn parse_any(text: &str, path: &Path) -> Result<AnyTexture, Problems> {
    parse_with_bytes(text, path).map(|(texture, _)| texture)
}

/// The same, with the bytes of the memory image.
pub(crate) fn parse_with_bytes(text: &str, path: &Path) -> Result<(AnyTexture, u32), Problems> {
    read_fields(text, path, read)
}

fn read(fields: &mut Fields) -> Option<(AnyTexture, u32)> {
    let only = |keys: &[&'static str], others: &[&str]| -> Vec<_> {
        keys.iter().copied().filter(|key| !others.contains(key)).collect()
    };
    let classic_key = fields.first_of(&only(&classic::KEYS, &general::KEYS));
    let general_key = fields.first_of(&only(&general::KEYS, &classic::KEYS));
    match (classic_key, general_key) {
        (Some((classic_key, classic_line)), Some((general_key, general_line))) => {
            let message = format!(
                "`{general_key}` and `{classic_key}` are keys of two kinds of descriptor, and a file has those of one"
            );
            let help = format!("keep either {}, or {}", classic::KEYS.join(", "), general::KEYS.join(", "));
            fields.report.add(Rule::DescriptorKey, classic_line.max(general_line), message, help);
            None
        }
        (None, Some(_)) => {
            general::read(fields).map(|(texture, bytes)| (AnyTexture::General(texture), bytes))
        }
        (_, None) => classic::read(fields).map(|texture| (AnyTexture::Classic(texture), texture.bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_problem::{Problem, RuleCode};
    use tmu_spec::Format;
    use tmu_spec::general::Kind;
    use tmu_spec::general::texture::Shape;

    const GOOD: &str = "format = \"rgb8\"\nwidth_log2 = 3\nheight_log2 = 1\nmax_lod = 2\nbytes = 240\n";

    fn texture() -> Texture {
        Texture::new(Format::Rgb8, 3, 1, 2).unwrap()
    }

    #[test]
    fn text_round_trips() {
        assert_eq!(descriptor(texture()), GOOD);
        for format in Format::CLASSIC {
            for size in 0..144 {
                let (width_log2, height_log2) = (size / 12, size % 12);
                let texture = Texture::new(format, width_log2, height_log2, width_log2).unwrap();
                assert_eq!(parse(&descriptor(texture), Path::new("t.toml")), Ok(texture));
            }
        }
    }

    /// Replacement of one line of a good descriptor, and the rules with their lines that must be reported.
    #[test]
    fn each_bad_line_breaks_its_rule() {
        use Rule::{
            DescriptorKey as Key, DescriptorSyntax as Syntax, DescriptorValue as Value, TextureBytes,
        };
        type Expected = &'static [(Rule, Option<usize>)];
        let cases: [(&str, &str, Expected); 13] = [
            ("format = \"rgb8\"", "format = \"rgb9\"", &[(Value, Some(1))]),
            ("format = \"rgb8\"", "format = 8", &[(Key, Some(1))]),
            ("format = \"rgb8\"", "", &[(Key, None)]),
            ("format = \"rgb8\"", "format = \"rgb8", &[(Syntax, Some(1))]),
            ("width_log2 = 3", "width_log2 = 12", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = -1", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = 99999999999", &[(Value, Some(2))]),
            ("width_log2 = 3", "width_log2 = 3.0", &[(Key, Some(2))]),
            ("width_log2 = 3", "width_log2 = 4", &[(TextureBytes, Some(5))]),
            ("max_lod = 2", "max_lod = 4", &[(Value, Some(4))]),
            ("max_lod = 2", "max_lod = 2\nmax_lob = 2", &[(Key, Some(5))]),
            ("max_lod = 2", "max_lod = 2\nmax_lod = 2", &[(Syntax, Some(5))]),
            ("bytes = 240", "bytes = 241", &[(TextureBytes, Some(5))]),
        ];
        for (line, replacement, expected) in cases {
            let problems = parse(&GOOD.replace(line, replacement), Path::new("t.toml")).unwrap_err();
            let got = problems.as_slice().iter().map(|problem| (problem.code, problem.place.line));
            let expected = expected.iter().map(|&(rule, line): &(Rule, _)| (rule.code(), line));
            assert!(got.eq(expected), "{replacement:?}: {problems}");
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once() {
        let text = "format = \"i9\"\nheigth_log2 = 1\nheight_log2 = \"1\"\nmax_lod = -3\n";
        let problems = parse(text, Path::new("dir/t.toml")).unwrap_err();
        let line = |p: &Problem| format!("{}: {}: {}; {}", p.place, p.code, p.message, p.help);
        assert_eq!(
            problems.as_slice().iter().map(line).collect::<Vec<_>>(),
            [
                "dir/t.toml:2: E0108: `heigth_log2` is not a key of a descriptor; the keys are format, width_log2, \
                 height_log2, max_lod, bytes",
                &format!(
                    "dir/t.toml:1: E0109: `format`: \"i9\" is not a texture format; use one of {}; check the spelling",
                    Format::ALL.map(Format::name).join(", ")
                ),
                "dir/t.toml: E0108: the key `width_log2` is missing; add it, or pack the picture again",
                "dir/t.toml:3: E0108: `height_log2` is of type string, but must be an integer; give an integer",
                "dir/t.toml:4: E0109: `max_lod` is -3, but must be 0 or more and below 2^32; pack the picture again",
                "dir/t.toml: E0108: the key `bytes` is missing; add it, or pack the picture again",
            ]
        );
    }

    const GENERAL: &str = "kind = \"2d\"\nwidth = 5\nheight = 3\ndepth = 1\nlevels = 3\n\
         level_offsets = [0, 64, 96]\nformat = \"bc1\"\nswizzle = \"bgr1\"\nsrgb = true\nbytes = 112\n";

    fn parse_general(text: &str) -> Result<(AnyTexture, u32), Problems> {
        parse_with_bytes(text, Path::new("t.toml"))
    }

    #[test]
    fn textures_of_every_kind_round_trip() {
        let (texture, bytes) = parse_general(GENERAL).unwrap();
        let general = texture.into_general();
        assert_eq!((texture.bytes(), bytes), (112, 112));
        assert_eq!(general_descriptor(&general), GENERAL);
        assert_eq!(general.level_offsets(), [0, 64, 96]);
        // A longer image, if it is said to be.
        let longer = GENERAL.replace("bytes = 112", "bytes = 113");
        assert_eq!(parse_general(&longer), Ok((texture, 113)));
        assert_eq!(with_bytes(&general, 113), longer);
        for format in Format::ALL {
            for (kind, width, height, depth) in [
                (Kind::D1, 4096, 1, 1),
                (Kind::D2, 300, 1, 1),
                (Kind::D3, 5, 7, 9),
                (Kind::Cube, 33, 33, 1),
                (Kind::D2Array, 2, 3, 2048),
            ] {
                let shape = Shape { kind, width, height, depth, levels: 2, format };
                let Ok(texture) = spec::Texture::packed(shape, Default::default(), format.can_be_srgb())
                else {
                    assert!(format.is_block() && !matches!(kind, Kind::D2 | Kind::Cube | Kind::D2Array));
                    continue;
                };
                let texture = AnyTexture::General(texture);
                assert_eq!(parse_any(&texture.descriptor(), Path::new("t.toml")), Ok(texture));
            }
        }
    }

    #[test]
    fn four_keys_of_the_second_kind_may_be_left_out() {
        let text =
            "kind = \"1d\"\nwidth = 5\nlevels = 1\nlevel_offsets = [16]\nformat = \"r8\"\nbytes = 32\n";
        let full = "kind = \"1d\"\nwidth = 5\nheight = 1\ndepth = 1\nlevels = 1\nlevel_offsets = [16]\n\
             format = \"r8\"\nswizzle = \"rgba\"\nsrgb = false\nbytes = 32\n";
        assert_eq!(parse_general(text).unwrap(), parse_general(full).unwrap());
        assert_eq!(parse_general(text).unwrap().0.descriptor(), full);
    }

    #[test]
    fn each_bad_line_of_the_second_kind_breaks_its_rule() {
        use Rule::{DescriptorKey as Key, DescriptorValue as Value, TextureBytes};
        type Expected = &'static [(Rule, Option<usize>)];
        let cases: [(&str, &str, Expected); 21] = [
            ("kind = \"2d\"", "kind = \"4d\"", &[(Value, Some(1))]),
            ("kind = \"2d\"", "", &[(Key, None)]),
            ("kind = \"2d\"", "kind = \"1d\"", &[(Value, Some(3)), (Value, Some(7))]),
            ("kind = \"2d\"", "kind = \"cube\"", &[(Value, Some(3))]),
            ("width = 5", "", &[(Key, None)]),
            ("width = 5", "width = 4097", &[(Value, Some(2))]),
            ("width = 5", "width = 5\nmax_lod = 2", &[(Key, Some(3))]),
            ("width = 5", "width = 5\nwide = 2", &[(Key, Some(3))]),
            ("depth = 1", "depth = 2", &[(Value, Some(4))]),
            ("levels = 3", "levels = 4", &[(Value, Some(5)), (Value, Some(6))]),
            ("[0, 64, 96]", "64", &[(Key, Some(6))]),
            ("[0, 64, 96]", "[0, 64, \"96\"]", &[(Key, Some(6))]),
            ("[0, 64, 96]", "[0, -64, 96]", &[(Value, Some(6))]),
            ("[0, 64, 96]", "[\n0,\n64,\n97]", &[(Value, Some(9))]),
            ("[0, 64, 96]", "[0, 64, 4294967280]", &[(Value, Some(6))]),
            ("swizzle = \"bgr1\"", "swizzle = \"bgr\"", &[(Value, Some(8))]),
            ("swizzle = \"bgr1\"", "swizzle = 4", &[(Key, Some(8))]),
            ("srgb = true", "srgb = 1", &[(Key, Some(9))]),
            ("format = \"bc1\"", "format = \"bc4\"", &[(Value, Some(9))]),
            ("bytes = 112", "bytes = 111", &[(TextureBytes, Some(10))]),
            ("bytes = 112", "bytes = 2147483649", &[(TextureBytes, Some(10))]),
        ];
        for (line, replacement, expected) in cases {
            let problems = parse_general(&GENERAL.replace(line, replacement)).unwrap_err();
            let got = problems.as_slice().iter().map(|problem| (problem.code, problem.place.line));
            let expected = expected.iter().map(|&(rule, line): &(Rule, _)| (rule.code(), line));
            assert!(got.eq(expected), "{replacement:?}: {problems}");
        }
        let many = format!("{:?}", [17; 5000]);
        let problems = parse_general(&GENERAL.replace("[0, 64, 96]", &many)).unwrap_err();
        assert!(problems.as_slice().len() < 20, "{problems}");
    }

    #[test]
    fn a_descriptor_of_the_second_kind_is_one_of_the_first_if_its_levels_stand_so() {
        let classic = texture();
        let same = general_descriptor(&classic.into());
        assert_eq!(parse(&same, Path::new("t.toml")), Ok(classic));
        for (from, to) in [("240", "256"), ("level_offsets = [144, 96, 48]", "level_offsets = [144, 96, 64]")]
        {
            assert!(same.contains(from), "{same}");
            let problems = parse(&same.replace(from, to), Path::new("t.toml")).unwrap_err();
            assert_eq!(problems.as_slice()[0].code, "E0112", "{problems}");
        }
        assert_eq!(parse(GENERAL, Path::new("t.toml")).unwrap_err().as_slice().len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn no_text_of_the_second_kind_panics(
            text in "(?s)kind = \"(1d|2d|3d|cube)\"\n(((width|height|depth|levels|bytes) = [0-9]{1,10}|format = \"bc1\"|\
                     level_offsets = \\[[0-9]{1,10}(, [0-9]{1,10})?\\])\n){0,8}"
        ) {
            let _ = parse_general(&text);
        }

        #[test]
        fn no_text_panics(text in "(?s)(format|bytes|max_lod|=|\"|\n|[0-9]|\\PC){0,60}") {
            let _ = parse(&text, Path::new("t.toml"));
        }
    }
}
