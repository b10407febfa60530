//! `[[texture]]` of the general numerics: pictures, packed textures, patterns and depth maps.

use std::path::{Path, PathBuf};

use tmu_assets::{Container, GeneralImage, GeneralOptions, Ignored, MipFilter, Raster, pack_general};
use tmu_problem::Problems;
use tmu_spec::Format;
use tmu_spec::general::texture::{FACES, MAX_SIZE, Shape, TextureRule};
use tmu_spec::general::{Kind, Pyramid, Swizzle, Texture};

use super::super::definition::{MAX_DEFINITIONS, Textures, definition_name, find};
use super::projector::Projectors;
use super::sampler::named;
use crate::document::{Document, Section, Value};
use crate::pattern::Pattern;
use crate::problem::Rule;
use crate::scene::Draw;
use crate::shadow::depth_map;

/// Texels of level 0 of a pattern.
const MAX_PATTERN_TEXELS: u64 = 1 << 22;

/// Depth maps, which are drawn once all meshes are known: the number of the texture, and of the projector.
#[derive(Debug, Default)]
pub(in crate::scene) struct Shadows(Vec<(usize, usize)>);

impl Shadows {
    /// Draws them into their places.
    pub(in crate::scene) fn draw(
        &self,
        textures: &mut Textures<Texture>,
        projectors: &Projectors,
        draws: &[Draw],
    ) {
        for &(texture, projector) in &self.0 {
            let Some((texture, memory)) = textures.placed_mut(texture) else { continue };
            let shape = *texture.shape();
            let depths = depth_map(draws, &projectors.list[projector], [shape.width, shape.height]);
            let image = depth_image(texture, depths);
            memory[..image.memory().len()].copy_from_slice(image.memory());
        }
    }
}

fn depth_image(texture: Texture, depths: Vec<u16>) -> GeneralImage {
    let shape = texture.shape();
    let size = [shape.width as usize, shape.height as usize, 1];
    let texels = depths.into_iter().map(|depth| [depth, 0, 0, u16::MAX]).collect();
    GeneralImage::from_levels(texture, &[Raster::new(size, 16, texels)], false)
}

/// Reads all `[[texture]]` tables, and the pictures or packed textures that they name.
pub(in crate::scene) fn textures<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    path: &Path,
    projectors: &Projectors,
) -> (Textures<Texture>, Shadows) {
    let (mut textures, mut shadows) = (Textures::default(), Shadows::default());
    for mut section in document.tables(root, "texture", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, textures.names());
        let image = match source(document, &mut section) {
            Some(Source::File) => file(document, &mut section, path),
            Some(Source::Files) => files(document, &mut section, path),
            Some(Source::Pattern) => pattern(document, &mut section, path),
            Some(Source::Shadow) => shadow(document, &mut section, projectors).map(|(image, projector)| {
                shadows.0.push((textures.names().len(), projector));
                image
            }),
            None => None,
        };
        let placed = image.as_ref().map(|image| (image.memory(), *image.texture()));
        textures.add(document, &section, name, placed);
        document.finish(section);
    }
    (textures, shadows)
}

/// What a texture is made of.
#[derive(Clone, Copy)]
enum Source {
    File,
    Files,
    Pattern,
    Shadow,
}

/// The one source that a texture has.
fn source(document: &mut Document<'_>, section: &mut Section<'_>) -> Option<Source> {
    let sources = [
        ("file", Source::File),
        ("files", Source::Files),
        ("pattern", Source::Pattern),
        ("shadow_of", Source::Shadow),
    ];
    let given: Vec<_> = sources.into_iter().filter(|(key, _)| section.has(key)).collect();
    if let [(_, source)] = given[..] {
        return Some(source);
    }
    let (rule, message) = match given[..] {
        [] => (
            Rule::MissingKey,
            format!("{} has none of `file`, `files`, `pattern` and `shadow_of`", section.label),
        ),
        _ => {
            let keys: Vec<_> = given.iter().map(|(key, _)| format!("`{key}`")).collect();
            (Rule::Conflict, format!("{} has {}", section.label, keys.join(" and ")))
        }
    };
    let remedy = "give it one of `file = \"picture.png\"`, `files = [\"a.png\", \"b.png\"]`, \
                  `pattern = \"marble\"` and `shadow_of = \"lamp\"`";
    document.report.add(rule, section.line, message, remedy);
    section.ignore_rest();
    None
}

/// How pictures become a texture.
fn options<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> GeneralOptions {
    let kind = document.choice(section, "kind", named::<Kind>).unwrap_or_default();
    let format = document.choice(section, "format", named::<Format>).unwrap_or(Format::Rgba8);
    let levels = document.integer(section, "levels", 1..=tmu_spec::general::texture::MAX_LEVELS);
    let swizzle = swizzle(document, section);
    let is_srgb = document.flag(section, "srgb").unwrap_or(false);
    let mip_filter = document
        .choice(section, "mip_filter", |name| name.parse::<MipFilter>().map_err(|error| error.to_string()));
    let is_data = format.is_float() || format.is_depth();
    let usual = if is_data { MipFilter::BoxEncoded } else { MipFilter::Box };
    let dither = document.flag(section, "dither").unwrap_or(false);
    let mip_filter = mip_filter.unwrap_or(usual);
    let pyramid = document.choice(section, "pyramid", named::<Pyramid>).unwrap_or_default();
    GeneralOptions { kind, format, levels, swizzle, is_srgb, pyramid, mip_filter, dither }
}

fn swizzle<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Swizzle {
    let parse = |text: &str| {
        text.parse::<Swizzle>()
            .map_err(|_| format!("{text:?} is not a swizzle; use four of r, g, b, a, 0, 1, like \"rrr1\""))
    };
    document.choice(section, "swizzle", parse).unwrap_or_default()
}

/// Whether there can be such a texture; what it breaks is in the report otherwise.
fn check(
    document: &mut Document<'_>,
    section: &Section<'_>,
    size: [u32; 3],
    options: &GeneralOptions,
) -> bool {
    let [width, height, depth] = size;
    let shape = Shape { kind: options.kind, width, height, depth, levels: 1, format: options.format };
    let shape = Shape { levels: options.levels.unwrap_or(shape.most_levels()), ..shape };
    let Err(rules) = Texture::packed(shape, options.swizzle, options.is_srgb) else { return true };
    for rule in &rules {
        let remedy = match rule {
            TextureRule::Side { .. } => {
                "a side has 1 to 4096 texels; `resize = \"pow2\"` makes a picture fit"
            }
            TextureRule::Layers(_) => "an array has at most 2048 layers",
            TextureRule::MissingAxis { .. } => "use a kind that has this axis, or make it 1",
            TextureRule::CubeSides { .. } => "make the faces square",
            TextureRule::Levels { .. } => "leave `levels` out for all levels",
            TextureRule::Block { .. } => "use kind 2d, cube or 2d_array, or another format",
            TextureRule::Srgb(_) => {
                "leave `srgb` out, or use one of rgba8, rgb8, i8_rgba8, i8_rgb8, bc1, bc2, bc3, bc7 and etc2_*"
            }
            _ => "use a smaller texture or format",
        };
        let message = format!("{} cannot be made: {rule}", section.label);
        document.report.add(Rule::Texture, section.line, message, remedy);
    }
    false
}

/// The texture of pictures, which fit the options.
fn packed(
    document: &mut Document<'_>,
    pictures: &[Raster],
    options: &GeneralOptions,
    paths: &[PathBuf],
) -> Option<GeneralImage> {
    pack_general(pictures, options, paths).map_err(|problems| document.report.absorb(problems)).ok()
}

/// A packed texture, or one picture.
fn file<'t>(document: &mut Document<'t>, section: &mut Section<'t>, scene: &Path) -> Option<GeneralImage> {
    // A name of the wrong type leaves the keys of pictures to be looked at.
    let file = document.optional::<String>(section, "file");
    let path = file.as_ref().map(|file| beside(scene, &file.value));
    let ending = path.as_deref().and_then(Path::extension).map(|ending| ending.to_ascii_lowercase());
    let is = |wanted: &str| ending.as_ref().is_some_and(|ending| *ending == wanted);
    let loaded = match (&file, &path) {
        (Some(_), Some(path)) if is("toml") => {
            document.files.push(tmu_assets::memory_path(path));
            tmu_assets::load_any(path).map(tmu_assets::AnyImage::into_general)
        }
        (Some(_), Some(path)) if is("dds") || is("ktx2") => {
            Container::open(path).map(|container| container.image)
        }
        _ => return pictures(document, section, scene, file.map(|file| vec![file])),
    };
    let (file, path) = file.zip(path)?;
    document.files.push(path);
    loaded.map_err(|problems| unusable(document, section, &file, problems)).ok()
}

/// Slices, faces or layers.
fn files<'t>(document: &mut Document<'t>, section: &mut Section<'t>, scene: &Path) -> Option<GeneralImage> {
    let files = document.optional::<Vec<String>>(section, "files");
    let files = files.map(|Value { value, line }| {
        value.into_iter().map(|value| Value { value, line }).collect::<Vec<_>>()
    });
    pictures(document, section, scene, files)
}

fn pictures<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    scene: &Path,
    files: Option<Vec<Value<String>>>,
) -> Option<GeneralImage> {
    let options = options(document, section);
    let resize = document.choice(section, "resize", |name| match name {
        "pow2" => Ok(true),
        "none" => Ok(false),
        _ => Err(format!("{name:?} is not a way to resize; use one of none, pow2")),
    });
    let files = files?;
    let wanted = match options.kind {
        Kind::D1 | Kind::D2 => 1,
        Kind::Cube => FACES as usize,
        Kind::D3 | Kind::D2Array => files.len().max(1),
    };
    if files.len() != wanted {
        let message = format!(
            "{} names {} pictures; a texture of kind {} is made of {wanted}",
            section.label,
            files.len(),
            options.kind
        );
        let remedy = match options.kind {
            Kind::Cube => "name its faces with `files`, in the order +x -x +y -y +z -z",
            _ => "name one, or say with `kind` that they are slices or layers",
        };
        document.report.add(Rule::Conflict, section.line, message, remedy);
        return None;
    }
    let (mut rasters, mut paths) = (Vec::new(), Vec::new());
    for file in &files {
        let path = beside(scene, &file.value);
        document.files.push(path.clone());
        match Raster::open(&path) {
            Ok((raster, ignored)) => {
                note(document, &path, ignored);
                let is_resized = resize == Some(true);
                rasters.push(if is_resized { raster.resized_to_powers_of_two() } else { raster });
            }
            Err(problems) => unusable(document, section, file, problems),
        }
        paths.push(path);
    }
    if rasters.len() != files.len() {
        return None;
    }
    let [width, height, _] = rasters[0].size().map(|side| side as u32);
    let depth = if matches!(options.kind, Kind::D3 | Kind::D2Array) { files.len() as u32 } else { 1 };
    let fits = check(document, section, [width, height, depth], &options);
    if fits { packed(document, &rasters, &options, &paths) } else { None }
}

/// A path that a scene names.
fn beside(scene: &Path, name: &str) -> PathBuf {
    scene.parent().unwrap_or(Path::new("")).join(name)
}

fn note(document: &mut Document<'_>, path: &Path, ignored: Ignored) {
    if !ignored.is_empty() {
        document.ignored.push((path.to_path_buf(), ignored));
    }
}

fn unusable(document: &mut Document<'_>, section: &Section<'_>, file: &Value<String>, problems: Problems) {
    let message = format!("{} names the file {:?}, which cannot be used", section.label, file.value);
    document.report.add(Rule::Texture, file.line, message, "see the problems of that file below");
    document.report.absorb(problems);
}

/// A texture that is worked out.
fn pattern<'t>(document: &mut Document<'t>, section: &mut Section<'t>, scene: &Path) -> Option<GeneralImage> {
    let pattern = document.choice(section, "pattern", Pattern::from_name);
    let options = options(document, section);
    let size = size(document, section, options.kind);
    let (pattern, size) = pattern.zip(size)?;
    if !check(document, section, size, &options) {
        return None;
    }
    let texels: u64 = size.iter().map(|side| u64::from(*side)).product();
    if texels > MAX_PATTERN_TEXELS {
        let message = format!("{} `size` asks for {texels} texels", section.label);
        let remedy = format!("a pattern has at most {MAX_PATTERN_TEXELS} texels; make it smaller");
        document.report.add(Rule::Limit, section.line, message, remedy);
        return None;
    }
    let slices = pattern.slices(options.kind, size);
    let paths = vec![scene.to_path_buf(); slices.len()];
    packed(document, &slices, &options, &paths)
}

/// Takes `size`: as many sides as the kind has.
fn size<'t>(document: &mut Document<'t>, section: &mut Section<'t>, kind: Kind) -> Option<[u32; 3]> {
    let (example, sides) = match kind {
        Kind::D1 => ("[256]", 1),
        Kind::D2 => ("[256, 256]", 2),
        Kind::Cube => ("[256]", 1),
        Kind::D3 => ("[64, 64, 64]", 3),
        Kind::D2Array => ("[256, 256, 4]", 3),
    };
    document.require(section, "size", example);
    let size = document.integers(section, "size", 1..=MAX_SIZE)?;
    if size.value.len() != sides {
        let message = format!(
            "{} `size` has {} numbers; a texture of kind {kind} has {sides}",
            section.label,
            size.value.len()
        );
        let remedy = format!("write it like `size = {example}`");
        document.report.add(Rule::WrongType, size.line, message, remedy);
        return None;
    }
    Some(match (kind, &size.value[..]) {
        (Kind::Cube, &[side]) => [side, side, 1],
        (_, &[width, height, depth]) => [width, height, depth],
        (_, &[width, height]) => [width, height, 1],
        (_, sides) => [sides[0], 1, 1],
    })
}

/// A depth map without its depths, and the number of its projector.
fn shadow<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    projectors: &Projectors,
) -> Option<(GeneralImage, usize)> {
    let projector = find(document, section, "shadow_of", "projector", &projectors.names);
    document.require(section, "size", "[512]");
    let size = document.integers(section, "size", 1..=MAX_SIZE);
    let format = document.choice(section, "format", |name| {
        let formats = [Format::D16, Format::D24, Format::D32f];
        let found = formats.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| format!("{name:?} is not a format of depths; use one of d16, d24, d32f"))
    });
    let swizzle = swizzle(document, section);
    let size = size?;
    let [side] = size.value[..] else {
        let message =
            format!("{} `size` has {} numbers; a depth map is square", section.label, size.value.len());
        document.report.add(Rule::WrongType, size.line, message, "write it like `size = [512]`");
        return None;
    };
    let format = format.unwrap_or(Format::D16);
    let shape = Shape { kind: Kind::D2, width: side, height: side, depth: 1, levels: 1, format };
    let texture = Texture::packed(shape, swizzle, false).expect("sides and format keep the rules");
    let empty = depth_image(texture, vec![0; side as usize * side as usize]);
    Some((empty, projector?))
}
