//! `tmugen info`: what a texture file holds and where.

use super::pack::size_text;
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use tmu_assets::{AnyImage, GeneralImage, TextureImage, load_any};
use tmu_spec::{Texture, general};

/// Show what a texture holds and where
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen info coffee.toml
  tmugen info coffee.toml --json")]
pub(crate) struct Args {
    /// The descriptor; the memory image with the same name and .bin stands beside it
    #[arg(value_name = "T.toml")]
    texture: PathBuf,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        Ok(match load_any(&self.texture)? {
            AnyImage::Classic(image) => self.classic(&image),
            AnyImage::General(image) => self.general(&image),
        })
    }

    /// A texture of any kind.
    fn general(&self, image: &GeneralImage) -> Summary {
        let texture = image.texture();
        let shape = texture.shape();
        let srgb = if texture.is_srgb() { ", sRGB-coded" } else { "" };
        let mut text = format!(
            "{}: {} {} {}{srgb}, swizzle {}, {} levels, {} bytes\n",
            self.texture.display(),
            shape.kind,
            size_text(image, 0),
            shape.format,
            texture.swizzle(),
            shape.levels,
            image.memory().len()
        );
        let table_bytes = shape.format.color_table_bytes();
        if table_bytes > 0 {
            let _ = writeln!(text, "  colour table: 256 entries, {table_bytes} bytes at 0");
        }
        let _ = writeln!(text, "  {:>5}  {:>17}  {:>10}  {:>10}", "level", "size", "offset", "bytes");
        for (level, offset) in (0..).zip(texture.level_offsets()) {
            let (size, bytes) = (size_text(image, level), shape.level_bytes(level));
            let _ = writeln!(text, "  {level:>5}  {size:>17}  {offset:>10}  {bytes:>10}");
        }
        let levels: Vec<_> = (0..shape.levels).map(|level| general_level_facts(texture, level)).collect();
        let data = json!({
            "kind": shape.kind.to_string(),
            "format": shape.format.name(),
            "width": shape.width,
            "height": shape.height,
            "depth": shape.depth,
            "swizzle": texture.swizzle().to_string(),
            "srgb": texture.is_srgb(),
            "bytes": image.memory().len(),
            "color_table_bytes": table_bytes,
            "levels": levels,
        });
        Summary::note(text, data)
    }

    /// A texture of powers of two.
    fn classic(&self, image: &TextureImage) -> Summary {
        let texture = image.texture();
        let mut text = format!(
            "{}: {} x {} {}, levels 0 to {} may be sampled, {} bytes\n",
            self.texture.display(),
            texture.width(0),
            texture.height(0),
            texture.format(),
            texture.max_lod(),
            texture.bytes()
        );
        let table_bytes = texture.format().color_table_bytes();
        if table_bytes > 0 {
            let _ = writeln!(text, "  colour table: 256 entries, {table_bytes} bytes at 0");
        }
        let _ = writeln!(
            text,
            "  {:>5}  {:>11}  {:>11}  {:>10}  {:>10}",
            "level", "size", "stored", "offset", "bytes"
        );
        for level in 0..texture.levels() {
            let _ = writeln!(
                text,
                "  {level:>5}  {:>11}  {:>11}  {:>10}  {:>10}",
                format!("{} x {}", texture.width(level), texture.height(level)),
                format!(
                    "{} x {}",
                    1u32 << texture.stored_width_log2(level),
                    1u32 << texture.stored_height_log2(level)
                ),
                texture.level_byte_offset(level),
                texture.level_bytes(level),
            );
        }
        let levels: Vec<_> = (0..texture.levels()).map(|level| level_facts(texture, level)).collect();
        let data = json!({
            "format": texture.format().name(),
            "width_log2": texture.width_log2(),
            "height_log2": texture.height_log2(),
            "max_lod": texture.max_lod(),
            "bytes": texture.bytes(),
            "color_table_bytes": table_bytes,
            "levels": levels,
        });
        Summary::note(text, data)
    }
}

fn general_level_facts(texture: &general::Texture, level: u32) -> Value {
    let [width, height, slices] = texture.shape().level_size(level);
    json!({
        "level": level,
        "width": width,
        "height": height,
        "slices": slices,
        "offset": texture.level_offsets()[level as usize],
        "slice_bytes": texture.shape().slice_bytes(level),
        "bytes": texture.shape().level_bytes(level),
    })
}

fn level_facts(texture: Texture, level: u32) -> Value {
    json!({
        "level": level,
        "width": texture.width(level),
        "height": texture.height(level),
        "stored_width": 1u32 << texture.stored_width_log2(level),
        "stored_height": 1u32 << texture.stored_height_log2(level),
        "offset": texture.level_byte_offset(level),
        "bytes": texture.level_bytes(level),
    })
}
