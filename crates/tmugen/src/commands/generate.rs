//! `tmugen generate`: the hardware of a configuration as files.

use crate::args::{load_config, preset_parser};
use crate::console::{Summary, Verbosity};
use crate::output::write_files;
use crate::problem::{Failure, Problem, Rule};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tmu_rtl::outputs::{Hardware, OutputFile};
use tmu_spec::{Config, Preset};

/// Write the Verilog of a texture unit, with ROM contents, constraints, register map and manifest
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen generate --preset fury --out hdl/
  tmugen generate my_tmu.toml --out hdl/
  tmugen generate --preset fury-single --out hdl/ --check")]
pub(crate) struct Args {
    /// A configuration file (see `tmugen new`); the preset fury-single without one
    #[arg(value_name = "CONFIG", conflicts_with = "preset")]
    config: Option<PathBuf>,
    /// A configuration that ships with tmugen (see `tmugen presets`)
    #[arg(long, value_name = "P", value_parser = preset_parser())]
    preset: Option<String>,
    /// The folder to write to; it is made where it is missing
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    /// Write nothing; say whether the folder holds what would be written
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let config = self.load()?;
        let hardware = Hardware::new(&config)
            .map_err(|errors| Failure::new(Rule::Elaboration, errors.to_string(), "please report it"))?;
        let files = hardware.files();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let data = json!({
            "top": hardware.top(),
            "configuration": config.short_hash(),
            "out": self.out.display().to_string(),
            "files": names,
        });
        let (top, out) = (hardware.top(), self.out.display());
        if self.check {
            check(&self.out, &files)?;
            return Ok(Summary::note(format!("{out} is up to date with {top}\n"), data));
        }
        fs::create_dir_all(&self.out).map_err(|error| {
            Failure::in_file(Rule::Write, &self.out, &error.to_string(), "choose a folder that can be made")
        })?;
        let paths: Vec<PathBuf> = files.iter().map(|file| self.out.join(&file.name)).collect();
        let pairs: Vec<(&Path, &[u8])> =
            paths.iter().zip(&files).map(|(path, file)| (path.as_path(), file.text.as_bytes())).collect();
        write_files(&pairs)?;
        Ok(Summary::note(format!("wrote {} files of {top} to {out}\n", files.len()), data))
    }

    fn load(&self) -> Result<Config, Failure> {
        if let Some(path) = &self.config {
            return load_config(path);
        }
        let name = self.preset.as_deref().unwrap_or("fury-single");
        let preset = Preset::find(name).expect("the parser lets only presets pass");
        preset.config().map_err(|errors| Failure::config(&errors, Path::new(preset.name())))
    }
}

/// Compares a folder with what would be written to it.
fn check(folder: &Path, files: &[OutputFile]) -> Result<(), Failure> {
    let differs = |file: &&OutputFile| fs::read(folder.join(&file.name)).ok().as_deref() != Some(file.text.as_bytes());
    let problem = |file: &OutputFile| {
        let path = folder.join(&file.name);
        let what = if path.exists() { "differs from what would be written" } else { "is missing" };
        Problem::new(Rule::Outdated, format!("{} {what}", file.name), "write it with `tmugen generate`").in_file(&path)
    };
    let problems: Vec<Problem> = files.iter().filter(differs).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(Failure { exit: Rule::Outdated.exit(), problems, omitted: 0 }) }
}
