//! `tmugen new`: a commented configuration to start from.

use crate::args::preset_parser;
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::PathBuf;
use tmu_spec::Preset;

/// Start a configuration: a commented copy of a preset
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen new my_tmu.toml
  tmugen new four_units.toml --preset fury")]
pub(crate) struct Args {
    /// The file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The preset to start from
    #[arg(long, value_name = "P", default_value = "fury-single", value_parser = preset_parser())]
    preset: String,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let preset = Preset::find(&self.preset).expect("the parser lets only presets pass");
        if self.file.exists() && !self.force.force {
            return Err(Failure::in_file(
                Rule::OutputExists,
                &self.file,
                "the file is there already",
                "choose another name, or overwrite it with --force",
            ));
        }
        let mut files = Files::new(self.force);
        files.write(&self.file, "new", Kind::Configuration);
        files.put(&[(&self.file, preset.toml().as_bytes())])?;
        let file = self.file.display();
        let text = format!("wrote {file}, a copy of preset {}; next: tmugen check {file}\n", preset.name());
        Ok(Summary::note(text, json!({ "file": file.to_string(), "preset": preset.name() })))
    }
}
