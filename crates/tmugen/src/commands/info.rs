//! `tmugen info`: what a texture file holds and where.

use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use tmu_assets::load;
use tmu_spec::Texture;

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
        let image = load(&self.texture)?;
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
        Ok(Summary::note(text, data))
    }
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
