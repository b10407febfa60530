//! Pictures to the memory image of a texture of any kind.
//!
//! Contract: every picture that does not fit with the others, and every rule that the texture would break, is reported. Cost: the
//! mip chain's and the encoder's; a texture of 4096 x 4096 peaks at some 600 MB.

use crate::general_image::GeneralImage;
use crate::mip::exact::Coded;
use crate::mip::{MipFilter, raster_chain, ripmap};
use crate::problem::Rule;
use crate::raster::Raster;
use crate::texel;
use std::path::{Path, PathBuf};
use tmu_problem::{Problems, Report};
use tmu_spec::Format;
use tmu_spec::general::texture::{FACES, MAX_SIZE, Shape, TextureRule};
use tmu_spec::general::{Kind, Pyramid, Swizzle, Texture};
use tmu_spec::loader::loads;

/// What becomes of pictures on their way into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneralOptions {
    /// What the pictures are to each other.
    pub kind: Kind,
    /// How texels are stored.
    pub format: Format,
    /// How many levels there are; none for all down to one texel.
    pub levels: Option<u32>,
    /// What a sample shows of the channels.
    pub swizzle: Swizzle,
    /// Whether a sampler decodes the colours.
    pub is_srgb: bool,
    /// How levels are smaller than each other.
    pub pyramid: Pyramid,
    /// How smaller levels are made.
    pub mip_filter: MipFilter,
    /// Whether colours that a colour table lacks are made up from their neighbours.
    pub dither: bool,
}

/// Makes the memory image of pictures, which are slices, faces or layers; `paths` is for messages, one for each.
///
/// # Errors
/// [`Rule::TextureShape`] for each picture and each rule that does not fit.
pub fn pack_general(
    pictures: &[Raster],
    options: &GeneralOptions,
    paths: &[PathBuf],
) -> Result<GeneralImage, Problems> {
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    check_count(pictures.len(), options.kind, first)?;
    check_sizes(pictures, paths)?;
    let [width, height, _] = pictures[0].size().map(|side| side as u32);
    let depth = match options.kind {
        Kind::D3 | Kind::D2Array => pictures.len() as u32,
        _ => 1,
    };
    let Options { kind, format, .. } = *options;
    if options.pyramid == Pyramid::Ripmap {
        check_ripmap([width, height], options, first)?;
    }
    let twice = |side: u32| if options.pyramid == Pyramid::Ripmap { 2 * side } else { side };
    let shape = Shape { kind, width: twice(width), height: twice(height), depth, levels: 1, format };
    let shape = match options.pyramid {
        Pyramid::Mipmap => Shape { levels: options.levels.unwrap_or(shape.most_levels()), ..shape },
        Pyramid::Ripmap => shape,
    };
    let texture = Texture::packed(shape, options.swizzle, options.is_srgb)
        .map_err(|rules| shape_problems(&rules, &shape, Origin::Pictures, first))?;
    let base = Raster::stacked(pictures);
    // Where alpha is not stored it must not weigh either.
    let base = if format.has_alpha() { base } else { base.opaque() };
    if options.mip_filter == MipFilter::Exact && (shape.levels > 1 || !loads(format)) {
        let coded = Coded::of(format).ok_or_else(|| {
            let message = format!("the mip filter exact makes no levels of format {format}");
            let help =
                "take another --mip-filter, or --levels 1: the loader engine makes levels of colours alone";
            Problems::one(Rule::TextureShape, first, message, help)
        })?;
        return Ok(exact_image(texture, &base, &coded));
    }
    let levels = match options.pyramid {
        Pyramid::Mipmap => chain(&base, options, shape.levels),
        Pyramid::Ripmap => vec![ripmap(&base, options.mip_filter)],
    };
    Ok(GeneralImage::from_levels(texture, &levels, options.dither))
}

use GeneralOptions as Options;

/// The texture whose smaller levels are made of texels as they are stored.
fn exact_image(texture: Texture, base: &Raster, coded: &Coded) -> GeneralImage {
    let stored = |texel: &[u16; 4]| coded.codes(&texel::encode(texture.format(), *texel, base.bits()));
    let codes = Raster::new(base.size(), base.bits(), base.texels().iter().map(stored).collect());
    let levels = coded.chain(&codes, texture.kind(), texture.levels(), texture.is_srgb());
    GeneralImage::from_slices(texture, |level, slice, number| {
        let level = &levels[level as usize];
        let [width, height, _] = level.size();
        let texel = level.texels()[slice as usize * width * height + number];
        let mut bytes = [0; texel::MAX_BYTES];
        bytes[..8].copy_from_slice(&coded.word(texel).to_le_bytes());
        bytes
    })
}

/// Pictures as they lie in memory for the loader engine: rows of texels, each filled up to whole lines of 16 bytes, slice by slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearPicture {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Bytes from a row to the next.
    pub pitch: u32,
    /// Bytes from a slice to the next.
    pub slice_pitch: u32,
}

impl LinearPicture {
    /// Pictures of one size, in a format whose texels stand by themselves; none in another, or if sizes differ.
    #[must_use]
    pub fn new(pictures: &[Raster], format: Format) -> Option<Self> {
        let [width, height, _] = pictures.first()?.size();
        if !loads(format) || pictures.iter().any(|picture| picture.size() != [width, height, 1]) {
            return None;
        }
        let texel_bytes = format.bytes_per_texel() as usize;
        let pitch = (width * texel_bytes).next_multiple_of(tmu_spec::LINE_BYTES as usize);
        let mut bytes = Vec::with_capacity(pitch * height * pictures.len());
        for picture in pictures {
            let picture = if format.has_alpha() { picture.clone() } else { picture.opaque() };
            for row in picture.texels().chunks(width) {
                let end = bytes.len() + pitch;
                for texel in row {
                    bytes.extend(&texel::encode(format, *texel, picture.bits())[..texel_bytes]);
                }
                bytes.resize(end, 0);
            }
        }
        Some(Self { bytes, pitch: pitch as u32, slice_pitch: (pitch * height) as u32 })
    }
}

/// The levels of a volume, or of each slice by itself.
fn chain(base: &Raster, options: &Options, levels: u32) -> Vec<Raster> {
    if options.kind == Kind::D3 {
        return raster_chain(base, options.mip_filter, levels);
    }
    let slices = base.size()[2];
    let chains: Vec<_> =
        (0..slices).map(|slice| raster_chain(&base.slice(slice), options.mip_filter, levels)).collect();
    let level = |number: usize| chains.iter().map(|chain| chain[number].clone()).collect::<Vec<_>>();
    (0..levels as usize).map(|number| Raster::stacked(&level(number))).collect()
}

fn check_count(pictures: usize, kind: Kind, first: &Path) -> Result<(), Problems> {
    let wanted = match kind {
        Kind::D1 | Kind::D2 => 1,
        Kind::Cube => FACES as usize,
        Kind::D3 | Kind::D2Array => pictures.max(1),
    };
    if pictures == wanted {
        return Ok(());
    }
    let help = match kind {
        Kind::Cube => "name its faces in the order +x -x +y -y +z -z",
        _ => "name one, or say with --kind 3d or --kind 2d_array that they are slices",
    };
    let message = format!("a texture of kind {kind} is made of {wanted} pictures, not of {pictures}");
    Err(Problems::one(Rule::TextureShape, first, message, help))
}

/// A picture of which a ripmap can be made.
fn check_ripmap(size: [u32; 2], options: &Options, path: &Path) -> Result<(), Problems> {
    let mut report = Report::new(path);
    let mut add = |is_wrong: bool, what: String, help: &str| {
        if is_wrong {
            report.add(Rule::TextureShape, None, format!("no ripmap can be made: {what}"), help);
        }
    };
    add(options.kind != Kind::D2, format!("the kind is {}", options.kind), "ripmaps are of kind 2d");
    for (name, side) in ["width", "height"].into_iter().zip(size) {
        let is_wrong = !side.is_power_of_two() || side > MAX_SIZE / 2;
        let help = "a side is a power of two up to 2048: `--resize pow2` makes a picture fit";
        add(is_wrong, format!("the {name} is {side} texels"), help);
    }
    let is_exact = options.mip_filter == MipFilter::Exact;
    add(
        is_exact,
        "the mip filter is exact".to_owned(),
        "the loader engine makes none: take another --mip-filter",
    );
    let levels = options.levels.filter(|levels| *levels != 1);
    let help = "leave the number of levels out: a ripmap has all of them, in one picture";
    add(levels.is_some(), format!("{} levels are asked for", levels.unwrap_or(0)), help);
    report.finish(())
}

fn check_sizes(pictures: &[Raster], paths: &[PathBuf]) -> Result<(), Problems> {
    let [width, height, _] = pictures[0].size();
    let mut found = Vec::new();
    for (picture, path) in pictures.iter().zip(paths) {
        let [other_width, other_height, _] = picture.size();
        if [other_width, other_height] != [width, height] {
            let message = format!(
                "the picture measures {other_width} x {other_height}, but the first one {width} x {height}"
            );
            let help = "slices, faces and layers have one size: resize it in a paint program";
            found.extend(Problems::one(Rule::TextureShape, path, message, help));
        }
    }
    Problems::check(found)
}

/// What a texture is made of, for remedies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Pictures, by what is asked for.
    Pictures,
    /// A .dds or .ktx2 file.
    File,
}

/// Rules that a texture would break, as problems with what it would be made of.
pub(crate) fn shape_problems(rules: &[TextureRule], shape: &Shape, origin: Origin, path: &Path) -> Problems {
    let mut report = Report::new(path);
    for rule in rules {
        let help = match (rule, origin) {
            (TextureRule::Side { .. }, Origin::Pictures) => {
                "a side has 1 to 4096 texels: `--resize pow2` makes a picture fit"
            }
            (TextureRule::Side { .. }, Origin::File) => {
                "a side has 1 to 4096 texels: write the file smaller with the program that made it"
            }
            (TextureRule::Layers(_), _) => "an array has at most 2048 layers",
            (TextureRule::MissingAxis { .. }, _) => "a texture of kind 1d is made of a picture of one row",
            (TextureRule::CubeSides { .. }, _) => "the faces of a cube are square",
            (TextureRule::Levels { .. }, Origin::Pictures) => "leave --levels out for all levels",
            (TextureRule::Levels { .. }, Origin::File) => {
                "the last level is one texel: make the file anew with the program that wrote it"
            }
            (TextureRule::Window { .. }, Origin::Pictures) => {
                "take fewer or smaller pictures, or a smaller format"
            }
            (TextureRule::Window { .. }, Origin::File) => {
                "write the file smaller with the program that made it, or take a smaller format"
            }
            (TextureRule::Block { .. }, _) => "block formats are for 2d, cube and 2d_array",
            (TextureRule::Srgb(_), _) => {
                "leave --srgb out, or take one of rgba8, rgb8, i8_rgba8, i8_rgb8, bc1, bc2, bc3, bc7 and etc2_*"
            }
            (
                TextureRule::OffsetCount { .. }
                | TextureRule::OffsetLine { .. }
                | TextureRule::OffsetTable { .. },
                _,
            ) => "pack the picture again",
        };
        let message = format!("no texture of kind {} can be made: {rule}", shape.kind);
        report.add(Rule::TextureShape, None, message, help);
    }
    report.finish(()).expect_err("a broken rule")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::stored_psnr_db;
    use crate::testing::hashed_picture;

    const OPTIONS: GeneralOptions = GeneralOptions {
        kind: Kind::D2,
        format: Format::Rgba8,
        levels: None,
        swizzle: Swizzle::NONE,
        is_srgb: false,
        pyramid: Pyramid::Mipmap,
        mip_filter: MipFilter::Box,
        dither: false,
    };

    fn rasters(width: usize, height: usize, count: usize) -> (Vec<Raster>, Vec<PathBuf>) {
        let raster = |number: usize| Raster::from(&hashed_picture(width, height, number as _));
        let path = |number: usize| PathBuf::from(format!("{number}.png"));
        ((0..count).map(raster).collect(), (0..count).map(path).collect())
    }

    #[test]
    fn every_format_of_every_kind_comes_back() {
        for format in Format::ALL {
            for (kind, width, height, count) in [
                (Kind::D1, 37, 1, 1),
                (Kind::D2, 13, 7, 1),
                (Kind::D3, 6, 5, 3),
                (Kind::Cube, 5, 5, 6),
                (Kind::D2Array, 3, 9, 4),
            ] {
                let (pictures, paths) = rasters(width, height, count);
                let options = GeneralOptions { kind, format, mip_filter: MipFilter::BoxEncoded, ..OPTIONS };
                let Ok(image) = pack_general(&pictures, &options, &paths) else {
                    assert!(format.is_block() && matches!(kind, Kind::D1 | Kind::D3), "{format} {kind}");
                    continue;
                };
                let base = Raster::stacked(&pictures);
                let base = if format.has_alpha() { base } else { base.opaque() };
                let level = image.level(0, &paths[0]).unwrap();
                assert_eq!(level.size(), [width, height, count]);
                let db = stored_psnr_db(format, &base, &level);
                let is_exact = !format.is_block() && raster_bits_at_least_8(format);
                assert!(!is_exact || db.is_none_or(|db| db > 60.0), "{format} {kind}: {db:?}");
                // What was stored once is stored again as it is.
                let levels: Vec<_> = (0..image.texture().levels())
                    .map(|level| image.level(level, &paths[0]).unwrap())
                    .collect();
                if !format.is_block() && !format.has_color_table() {
                    assert_eq!(
                        GeneralImage::from_levels(*image.texture(), &levels, false),
                        image,
                        "{format} {kind}"
                    );
                }
            }
        }
    }

    fn raster_bits_at_least_8(format: Format) -> bool {
        !format.has_color_table()
            && !matches!(format, Format::Rgb565 | Format::Rgba5551 | Format::Rgba4444 | Format::Rgb10a2)
    }

    #[test]
    fn texels_stand_where_the_layout_says() {
        let (pictures, paths) = rasters(6, 5, 3);
        let image = pack_general(&pictures, &GeneralOptions { kind: Kind::D3, ..OPTIONS }, &paths).unwrap();
        let texture = image.texture();
        assert_eq!(texture.levels(), 3);
        for (slice, picture) in (0..).zip(&pictures) {
            for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                let (tile, texel) = texture.tile_of(0, [x, y, slice]);
                let stored = &image.memory()[(tile + 4 * texel) as usize..][..4];
                let expected = picture.texel([x as usize, y as usize, 0]);
                assert!(stored.iter().zip(expected).all(|(&a, b)| u16::from(a) == b), "{x} {y} {slice}");
            }
        }
        // 1d: sixteen texels of a row fill a tile.
        let (row, paths) = rasters(20, 1, 1);
        let options = GeneralOptions { kind: Kind::D1, format: Format::R8, levels: Some(1), ..OPTIONS };
        let image = pack_general(&row, &options, &paths).unwrap();
        let reds: Vec<u8> = row[0].texels().iter().map(|texel| texel[0] as u8).collect();
        assert_eq!(image.memory()[..20], reds);
        assert_eq!(image.memory()[20..], [reds[19]; 12]);
    }

    #[test]
    fn pictures_that_do_not_fit_are_all_named() {
        let (mut pictures, paths) = rasters(4, 4, 6);
        pictures[2] = Raster::from(&hashed_picture(4, 3, 1));
        pictures[5] = Raster::from(&hashed_picture(5, 4, 1));
        let cube = GeneralOptions { kind: Kind::Cube, ..OPTIONS };
        let problems = pack_general(&pictures, &cube, &paths).unwrap_err();
        assert_eq!(problems.as_slice().len(), 2, "{problems}");
        assert!(problems.to_string().contains("5.png"), "{problems}");
        for (count, kind) in [(5, Kind::Cube), (2, Kind::D2), (2, Kind::D1)] {
            let problems =
                pack_general(&pictures[..count], &GeneralOptions { kind, ..OPTIONS }, &paths).unwrap_err();
            assert!(problems.to_string().contains("E0113"), "{problems}");
        }
        let cases = [
            (GeneralOptions { kind: Kind::D1, ..OPTIONS }, "height is 4"),
            (GeneralOptions { levels: Some(4), ..OPTIONS }, "levels is 4, but must be 1 to 3"),
            (GeneralOptions { levels: Some(0), ..OPTIONS }, "levels is 0"),
            (GeneralOptions { is_srgb: true, format: Format::R8, ..OPTIONS }, "srgb is true"),
            (GeneralOptions { kind: Kind::D3, format: Format::Bc1, ..OPTIONS }, "no block formats"),
        ];
        for (options, expected) in cases {
            let problems = pack_general(&pictures[..1], &options, &paths).unwrap_err().to_string();
            assert!(problems.contains(expected), "{expected}: {problems}");
        }
    }

    #[test]
    fn a_ripmap_is_a_picture_of_twice_the_sides() {
        let (pictures, paths) = rasters(8, 4, 1);
        let options = GeneralOptions { pyramid: Pyramid::Ripmap, ..OPTIONS };
        let image = pack_general(&pictures, &options, &paths).unwrap();
        assert_eq!((image.texture().levels(), image.texture().shape().level_size(0)), (1, [16, 8, 1]));
        let picture = image.level(0, &paths[0]).unwrap();
        let corner: Vec<_> =
            (0..4).flat_map(|y| (0..8).map(move |x| [x, y, 0])).map(|place| picture.texel(place)).collect();
        assert_eq!(corner, pictures[0].texels());
        let (wrong, paths) = rasters(12, 4096, 1);
        let wrong_options = GeneralOptions { kind: Kind::D2Array, levels: Some(3), ..options };
        let problems = pack_general(&wrong, &wrong_options, &paths).unwrap_err();
        assert_eq!(problems.as_slice().len(), 4, "{problems}");
    }

    #[test]
    fn a_swizzle_shows_what_it_says() {
        let raster = Raster::new([1, 1, 1], 8, vec![[1, 2, 3, 4]]);
        assert_eq!(raster.swizzled("bgr1".parse().unwrap()).texels(), [[3, 2, 1, 255]]);
        assert_eq!(raster.swizzled("0aar".parse().unwrap()).texels(), [[0, 4, 4, 1]]);
        assert_eq!(raster.swizzled(Swizzle::NONE), raster);
    }
}
