//! `tmugen pack`: a picture to texture memory.

use crate::choices::{choice_parser, mip_filter_parser};
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tmu_assets::{
    Decoded, MipFilter, PackOptions, Picture, TextureImage, descriptor, pack, psnr_db,
    resize_to_powers_of_two,
};
use tmu_spec::Format;

/// Pack a picture into texture memory: NAME.bin and its descriptor NAME.toml
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The width and the height must be powers of two up to 2048; --resize pow2 sees to that. All levels down to 1 x 1 are \
stored, with --no-mipmaps too; the descriptor's max_lod says which of them may be sampled.

Examples:
  tmugen pack coffee.jpg -o coffee.bin --format rgba8
  tmugen pack chelsea.png -o chelsea.bin --format rgb8 --resize pow2 --mip-filter lanczos3
  tmugen pack emblem.png -o emblem.bin --format i8_rgba8 --no-mipmaps
  tmugen pack coffee.jpg -o coffee_i8.bin --format i8_rgb8 --dither")]
pub(crate) struct Args {
    /// The picture: PNG, JPEG, TGA or BMP
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The memory image to write; its descriptor gets the same name with .toml
    #[arg(short, long, value_name = "T.bin")]
    output: PathBuf,
    /// How texels are stored
    #[arg(long, value_parser = choice_parser::<Format>())]
    format: Format,
    /// How a smaller level is made from the one above it
    ///
    /// box: mean of 2 x 2 texels in linear light. box-encoded: mean of the colour codes as they are, for data that is
    /// not colour. triangle: softer. lanczos3: sharper. point: one of the texels, makes no new colours.
    #[arg(long, value_name = "FILTER", default_value = "box", value_parser = mip_filter_parser())]
    mip_filter: MipFilter,
    /// Let only level 0 be sampled (max_lod = 0)
    #[arg(long)]
    no_mipmaps: bool,
    /// Resample the picture first: pow2 makes each side the nearest power of two, at most 2048
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
        let (memory_path, descriptor_path) = output_pair(&self.output)?;
        let mut files = Files::new(self.force);
        files.read(&self.input, "the picture");
        files.write(&memory_path, "-o", Kind::Memory);
        files.write(&descriptor_path, "the descriptor beside -o", Kind::Descriptor);
        files.check()?;
        let steps = progress::bar(self.verbosity, 3, "steps");
        steps.set_message("reading");
        let Decoded { mut picture, ignored } = Decoded::open(&self.input)?;
        let read_size = (picture.width(), picture.height());
        steps.inc(1);
        steps.set_message("packing");
        if self.resize == Some(Resize::Pow2) {
            picture = resize_to_powers_of_two(&picture);
        }
        let options = PackOptions {
            format: self.format,
            mip_filter: self.mip_filter,
            mipmaps: !self.no_mipmaps,
            dither: self.dither,
        };
        let image = pack(&picture, &options, &self.input)?;
        steps.inc(1);
        steps.set_message("writing");
        let text = descriptor(image.texture());
        files.put(&[(&memory_path, image.memory()), (&descriptor_path, text.as_bytes())])?;
        steps.finish_and_clear();
        let mut summary = self.summary(&picture, read_size, &image, &memory_path, &descriptor_path);
        if !ignored.is_empty() {
            summary.text += &format!("  of the picture: {ignored}\n");
            summary.data["ignored"] = ignored.to_string().into();
        }
        Ok(summary)
    }

    fn summary(
        &self,
        picture: &Picture,
        read_size: (usize, usize),
        image: &TextureImage,
        memory_path: &Path,
        descriptor_path: &Path,
    ) -> Summary {
        let texture = image.texture();
        let (memory, descriptor) = (memory_path.display(), descriptor_path.display());
        let mut text = format!(
            "{memory}: {} x {} {}, {} levels, {} bytes; {descriptor} describes it\n",
            texture.width(0),
            texture.height(0),
            texture.format(),
            texture.levels(),
            texture.bytes()
        );
        if read_size != (picture.width(), picture.height()) {
            let _ = writeln!(text, "  resized from {} x {}", read_size.0, read_size.1);
        }
        let loss = Loss::of(picture, image, descriptor_path);
        text += &loss.to_lines(texture.format());
        if self.dither && loss.table_colors.is_none() {
            let _ = writeln!(text, "  --dither has no effect: {} has no colour table", texture.format());
        }
        let data = json!({
            "memory": memory.to_string(),
            "descriptor": descriptor.to_string(),
            "format": texture.format().name(),
            "width_log2": texture.width_log2(),
            "height_log2": texture.height_log2(),
            "max_lod": texture.max_lod(),
            "levels": texture.levels(),
            "bytes": texture.bytes(),
            "read_width": read_size.0,
            "read_height": read_size.1,
            "alpha_dropped": loss.alpha_dropped,
            "colors": loss.table_colors,
            "psnr_db": loss.psnr_db,
        });
        Summary::note(text, data)
    }
}

/// What the format could not keep of a picture.
struct Loss {
    /// Texels whose alpha was not 255 and is not stored.
    alpha_dropped: usize,
    /// Entries of the colour table that are used; none without a table.
    table_colors: Option<usize>,
    /// Error of level 0 against the picture's stored channels; none if there is none.
    psnr_db: Option<f64>,
}

impl Loss {
    fn of(picture: &Picture, image: &TextureImage, descriptor_path: &Path) -> Self {
        let stores_alpha = image.texture().format().colors().has_alpha();
        let not_opaque = || picture.texels().iter().filter(|texel| texel[3] != 255).count();
        let table_colors = used_colors(image);
        // Formats without a table keep every texel.
        let psnr_db = table_colors.and_then(|_| {
            let stored = image.level(0, descriptor_path).ok()?;
            if stores_alpha { psnr_db(picture, &stored) } else { psnr_db(&picture.opaque(), &stored) }
        });
        Loss { alpha_dropped: if stores_alpha { 0 } else { not_opaque() }, table_colors, psnr_db }
    }

    fn to_lines(&self, format: Format) -> String {
        let mut lines = String::new();
        if self.alpha_dropped > 0 {
            let _ = writeln!(
                lines,
                "  alpha of {} texels is lost: {format} does not store it",
                self.alpha_dropped
            );
        }
        if let Some(colors) = self.table_colors {
            let level_0 =
                self.psnr_db.map_or("is exact".to_owned(), |db| format!("differs by {db:.1} dB PSNR"));
            let _ = writeln!(lines, "  {colors} colours in the table; level 0 {level_0}");
        }
        lines
    }
}

/// How many entries of the colour table texels of any level refer to; none without a table.
fn used_colors(image: &TextureImage) -> Option<usize> {
    let table_bytes = image.texture().format().color_table_bytes() as usize;
    (table_bytes > 0).then(|| image.memory()[table_bytes..].iter().collect::<BTreeSet<_>>().len())
}

/// The memory image and the descriptor of `-o`.
fn output_pair(output: &Path) -> Result<(PathBuf, PathBuf), Failure> {
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
