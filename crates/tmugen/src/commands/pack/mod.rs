//! `tmugen pack`: pictures, or a ready texture, to texture memory.
//!
//! One picture of powers of two with nothing else asked for becomes a texture of the first kind, all else one of the second.

pub(super) mod source;
mod summary;

pub(super) use summary::size_text;

use crate::choices::{choice_parser, mip_filter_parser};
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind as FileKind;
use crate::files::standard::is_standard;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use source::Source;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use summary::{Packed, Target};
use tmu_assets::{
    Container, ContainerOptions, Decoded, GeneralOptions, MipFilter, PackOptions, Raster, descriptor, pack,
    pack_general, resize_to_powers_of_two,
};
use tmu_problem::Problem;
use tmu_spec::Format;
use tmu_spec::general::{Kind, Pyramid, Swizzle};

/// Pack pictures into texture memory: NAME.bin and its descriptor NAME.toml
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A texture of powers of two: the width and the height must be powers of two up to 2048; --resize pow2 sees to that. All levels \
down to 1 x 1 are stored, with --no-mipmaps too; the descriptor's max_lod says which of them may be sampled.

A texture of any kind and size up to 4096: with --kind, --levels, --srgb or --swizzle, with several pictures, with a format \
that the former does not have, and from a .dds or .ktx2 file, whose levels, faces, layers and blocks are taken as they are.

Examples:
  tmugen pack coffee.jpg -o coffee.bin --format rgba8
  tmugen pack chelsea.png -o chelsea.bin --format rgb8 --resize pow2 --mip-filter lanczos3
  tmugen pack emblem.png -o emblem.bin --format i8_rgba8 --no-mipmaps
  tmugen pack coffee.jpg -o coffee_i8.bin --format i8_rgb8 --dither
  tmugen pack chelsea.png -o chelsea_bc7.bin --format bc7 --srgb
  tmugen pack coffee.jpg -o coffee_rip.bin --format rgb565 --pyramid ripmap --resize pow2
  tmugen pack coffee.jpg -o coffee_any.bin --format rgb565 --kind 2d --levels 4
  tmugen pack emblem.png emblem.png emblem.png emblem.png emblem.png emblem.png -o sky.bin --format etc2_rgba8 --kind cube")]
pub(crate) struct Args {
    /// The picture: PNG, JPEG, TGA or BMP; several for a cube, a volume or an array; or one .dds or .ktx2 file; - is standard
    /// input, all of these but TGA
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// The memory image to write; its descriptor gets the same name with .toml
    #[arg(short, long, value_name = "T.bin")]
    output: PathBuf,
    /// How texels are stored; a .dds or .ktx2 file says that itself, and is converted if it is named
    #[arg(long, value_parser = choice_parser::<Format>())]
    format: Option<Format>,
    /// What the pictures are to each other: 1d a picture of one row, 2d one of any size, cube six pictures +x -x +y -y +z -z,
    /// 3d and 2d_array one a slice
    #[arg(long, value_parser = choice_parser::<Kind>())]
    kind: Option<Kind>,
    /// How many levels are stored [default: all, down to one texel]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    levels: Option<u32>,
    /// Let samplers decode the colours from sRGB before they filter
    #[arg(long)]
    srgb: bool,
    /// What the channels of a sample show: four of r, g, b, a, 0 and 1
    #[arg(long, value_name = "RGBA")]
    swizzle: Option<Swizzle>,
    /// How a smaller level is made from the one above it [default: box; box-encoded for depths and floats]
    ///
    /// box: mean of 2 x 2 texels in linear light. box-encoded: mean of the colour codes as they are, for data that is
    /// not colour. triangle: softer. lanczos3: sharper. point: one of the texels, makes no new colours. exact: the box in integers, of texels as they
    /// are stored, as `tmugen load` and the loader engine make it; of colours as light with --srgb.
    #[arg(long, value_name = "FILTER", value_parser = mip_filter_parser())]
    mip_filter: Option<MipFilter>,
    /// How levels stand in the texture: a mip chain, or a ripmap, one picture of twice the sides with the levels along u and v by
    /// themselves
    #[arg(long, default_value = "mipmap", value_parser = choice_parser::<Pyramid>())]
    pyramid: Pyramid,
    /// Let only level 0 be sampled (max_lod = 0), or store it alone (levels = 1)
    #[arg(long, conflicts_with = "levels")]
    no_mipmaps: bool,
    /// Resample the pictures first: pow2 makes each side the nearest power of two, at most 2048
    #[arg(long, value_name = "HOW")]
    resize: Option<Resize>,
    /// Diffuse what the colour table cannot show (formats i8_rgba8 and i8_rgb8)
    #[arg(long)]
    dither: bool,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Resize {
    /// Each side to the nearest power of two.
    Pow2,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let (memory, descriptor) = output_pair(&self.output)?;
        let target = Target { memory, descriptor };
        let mut files = Files::new(self.force);
        files.read_all(&self.inputs, "the picture");
        files.write(&target.memory, "-o", FileKind::Memory);
        files.write(&target.descriptor, "the descriptor beside -o", FileKind::Descriptor);
        files.check()?;
        let steps = progress::bar(self.verbosity, 2, "steps");
        steps.set_message("packing");
        let packed = self.packed(&target)?;
        steps.inc(1);
        steps.set_message("writing");
        let parts: [(&Path, &[u8]); 2] =
            [(&target.memory, &packed.memory), (&target.descriptor, packed.descriptor.as_bytes())];
        files.put(&parts)?;
        steps.finish_and_clear();
        Ok(Summary::note(packed.text, packed.data))
    }

    fn packed(&self, target: &Target) -> Result<Packed, Failure> {
        let sources = self.inputs.iter().map(|path| Source::new(path)).collect::<Result<Vec<_>, _>>()?;
        let containers: Vec<_> = sources.iter().filter(|source| source.is_container()).collect();
        match (containers.as_slice(), sources.as_slice()) {
            ([], _) => {}
            ([source], [_]) => return self.container(source, target),
            ([source, ..], _) => {
                let message = "a .dds or .ktx2 file is a whole texture and is packed alone";
                return Err(Failure::in_file(
                    Rule::Usage,
                    source.path(),
                    message,
                    "name one file, or pictures",
                ));
            }
        }
        let Some(format) = self.format else {
            let help = "say how texels are stored, for example --format rgba8; only .dds and .ktx2 files say it themselves";
            return Err(Failure::new(Rule::Usage, "--format is not given", help));
        };
        match sources.as_slice() {
            [source] if self.is_classic(format) => self.classic(source, format, target),
            _ => self.general(&sources, format, target),
        }
    }

    /// Whether a texture of the first kind has all that is asked for.
    fn is_classic(&self, format: Format) -> bool {
        let asks_for_more = self.pyramid == Pyramid::Ripmap
            || self.kind.is_some()
            || self.levels.is_some()
            || self.srgb
            || self.swizzle.is_some();
        !asks_for_more && Format::CLASSIC.contains(&format)
    }

    /// A texture of powers of two.
    fn classic(&self, source: &Source, format: Format, target: &Target) -> Result<Packed, Failure> {
        let Decoded { mut picture, ignored } = source.picture()?;
        let read_size = (picture.width(), picture.height());
        if self.resize == Some(Resize::Pow2) {
            picture = resize_to_powers_of_two(&picture);
        }
        let options = PackOptions {
            format,
            mip_filter: self.mip_filter.unwrap_or_default(),
            mipmaps: !self.no_mipmaps,
            dither: self.dither,
        };
        let image = pack(&picture, &options, source.path())?;
        let mut packed = Packed {
            memory: image.memory().to_vec(),
            descriptor: descriptor(image.texture()),
            ..self.classic_summary(&picture, read_size, &image, target)
        };
        packed.ignore(&[ignored]);
        Ok(packed)
    }

    /// A texture of any kind from pictures.
    fn general(&self, sources: &[Source], format: Format, target: &Target) -> Result<Packed, Failure> {
        let mut rasters = Vec::new();
        let mut ignored = Vec::new();
        let mut found: Vec<Problem> = Vec::new();
        for source in sources {
            match source.raster() {
                Ok((raster, of_picture)) => {
                    rasters.push(match self.resize {
                        Some(Resize::Pow2) => raster.resized_to_powers_of_two(),
                        None => raster,
                    });
                    ignored.push(of_picture);
                }
                Err(problems) => found.extend(problems),
            }
        }
        if !found.is_empty() {
            return Err(Failure::input(found));
        }
        let is_data = format.is_float() || format.is_depth();
        let default_filter = if is_data { MipFilter::BoxEncoded } else { MipFilter::Box };
        let options = GeneralOptions {
            kind: self.kind.unwrap_or_default(),
            format,
            levels: self.general_levels(),
            swizzle: self.swizzle.unwrap_or_default(),
            is_srgb: self.srgb,
            pyramid: self.pyramid,
            mip_filter: self.mip_filter.unwrap_or(default_filter),
            dither: self.dither,
        };
        let image = pack_general(&rasters, &options, &self.inputs)?;
        let mut packed = self.general_summary(&image, target);
        packed.loss(&image, &Raster::stacked(&rasters), &target.descriptor)?;
        packed.text += &self.dither_line(format);
        packed.ignore(&ignored);
        Ok(packed)
    }

    fn general_levels(&self) -> Option<u32> {
        if self.no_mipmaps { Some(1) } else { self.levels }
    }

    /// A texture as a file has it.
    fn container(&self, source: &Source, target: &Target) -> Result<Packed, Failure> {
        let options = [
            ("--mip-filter", self.mip_filter.is_some()),
            ("--pyramid ripmap", self.pyramid == Pyramid::Ripmap),
            ("--resize", self.resize.is_some()),
            ("--dither", self.dither),
        ];
        let given: Vec<_> = options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
        if !given.is_empty() {
            let message =
                format!("{} is for pictures: a .dds or .ktx2 file is taken as it is", given.join(", "));
            return Err(Failure::in_file(Rule::Usage, source.path(), message, "leave it out"));
        }
        let options = ContainerOptions {
            kind: self.kind,
            format: self.format,
            levels: self.general_levels(),
            is_srgb: self.srgb,
            swizzle: self.swizzle.unwrap_or_default(),
        };
        let Container { image, notes } = source.container()?.with(&options, source.path())?;
        let mut packed = self.general_summary(&image, target);
        for note in &notes {
            let _ = writeln!(packed.text, "  of the file: {note}");
        }
        packed.data["notes"] = notes.into();
        Ok(packed)
    }
}

/// The memory image and the descriptor of `-o`.
pub(super) fn output_pair(output: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    if is_standard(output) {
        let message = "a texture is two files, and standard output takes one";
        return Err(Failure::new(Rule::OutputName, message, "name a file, as in -o texture.bin"));
    }
    match output.extension() {
        Some(extension) if extension != "bin" => Err(Failure::in_file(
            Rule::OutputName,
            output,
            "the name of a memory image ends in .bin",
            format!("use -o {}", output.with_extension("bin").display()),
        )),
        _ => Ok((output.with_extension("bin"), output.with_extension("toml"))),
    }
}
