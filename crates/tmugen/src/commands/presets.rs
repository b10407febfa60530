//! `tmugen presets`: the configurations that ship.

use crate::args::preset_parser;
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use serde_json::json;
use std::fmt::Write;
use tmu_spec::Preset;

/// List the configurations that ship with tmugen, or show one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen presets
  tmugen presets show fury")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List all presets (the default)
    List,
    /// Print a preset as TOML
    Show {
        /// Name of the preset
        #[arg(value_name = "P", value_parser = preset_parser())]
        name: String,
    },
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        Ok(match &self.action {
            None | Some(Action::List) => list(),
            Some(Action::Show { name }) => {
                let preset = Preset::find(name).expect("the parser lets only presets pass");
                Summary::note(preset.toml(), json!({ "name": preset.name(), "toml": preset.toml() }))
            }
        })
    }
}

fn list() -> Summary {
    let width = Preset::all().map(|preset| preset.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for preset in Preset::all() {
        let _ = writeln!(text, "{:width$}  {}", preset.name(), preset.about());
    }
    let presets: Vec<_> =
        Preset::all().map(|preset| json!({ "name": preset.name(), "about": preset.about() })).collect();
    Summary::note(text, json!({ "presets": presets }))
}
