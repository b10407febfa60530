//! `tmugen doctor`: which tools are there, and what is to be had from those that are not.

use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use crate::table::Table;
use serde_json::json;
use std::fmt::Write;
use tmu_verilate::{Tool, Tools};

/// Show which tools are installed, what each is for, and how to get those that are missing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
tmugen itself needs none of them: generate, pack, sample and render work with the program alone.

Examples:
  tmugen doctor
  tmugen doctor --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut table = Table::new(3, ["tool", "version", "is there to"]);
        let (mut tools, mut remedies) = (Vec::new(), String::new());
        for found in Tools::all() {
            let (name, purpose, remedy) = match &found {
                Ok(tool) => (tool.name, tool.purpose, tool.remedy),
                Err(missing) => (missing.tool, missing.purpose, missing.remedy),
            };
            let found = found.ok();
            let version = found.map(Tool::version);
            table.push([name, version.unwrap_or("missing"), purpose]);
            if version.is_none() {
                let _ = writeln!(remedies, "  {name}: {remedy}");
            }
            let path = found.map(|tool| tool.program.display().to_string());
            tools.push(json!({
                "name": name,
                "version": version,
                "path": path,
                "purpose": purpose,
                "remedy": remedy,
            }));
        }
        let mut text = table.text();
        if !remedies.is_empty() {
            let _ = write!(text, "\nTo get what is missing run scripts/setup, or\n{remedies}");
        }
        Ok(Summary::note(text, json!({ "tools": tools })))
    }
}
