//! `tmugen unpack`: a level of a texture back to a picture.

use crate::choices::check_picture_name;
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::Failure;
use serde_json::json;
use std::path::PathBuf;
use tmu_assets::load;

/// Turn a level of a texture back into a picture
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen unpack coffee.toml -o again.png
  tmugen unpack coffee.toml --level 3 -o small.tga")]
pub(crate) struct Args {
    /// The descriptor; the memory image with the same name and .bin stands beside it
    #[arg(value_name = "T.toml")]
    texture: PathBuf,
    /// The level, from 0 (the full size)
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: u32,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        let mut files = Files::new(self.force);
        files.read_texture(&self.texture);
        files.write(&self.output, "-o", Kind::Picture);
        files.check()?;
        let picture = load(&self.texture)?.level(self.level, &self.texture)?;
        files.put(&[(&self.output, &picture.encode(&self.output)?)])?;
        let (width, height) = (picture.width(), picture.height());
        let output = self.output.display().to_string();
        let text =
            format!("{output}: level {} of {}, {width} x {height}\n", self.level, self.texture.display());
        let data = json!({ "file": output, "level": self.level, "width": width, "height": height });
        Ok(Summary::note(text, data))
    }
}
