//! `tmugen generate`: everything that is written for a configuration.

use crate::args::{ConfigArgs, load_config};
use crate::console::{Summary, Verbosity};
use crate::files::kind::{Kind, MANIFEST_BYTES};
use crate::files::{Files, ForceArgs};
use crate::hardware::hardware;
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{read_start, read_text};
use tmu_problem::{Problem, Problems};
use tmu_rtl::outputs::OutputFile;
use tmu_spec::Config;

/// Write the hardware of a texture unit: Verilog, constraints, register map, manifest
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Into the folder go the Verilog and the contents of its ROMs, timing constraints (NAME.xdc, and NAME_ooc.xdc for \
synthesis of the core by itself), the register map (NAME_registers.md, .h, .rs, .rdl and .xml), an IP for Vivado \
(component.xml) with scripts that synthesise it and build an example design (vivado_synth.tcl, vivado_example.tcl), \
a FuseSoC package (NAME.core), templates of the core's instance in Verilog and VHDL (NAME_inst.v, NAME_inst.vhd), \
the configuration with every key (NAME.toml), and manifest.json, which lists them and says what the hardware is made of. All are written or none.

Examples:
  tmugen generate --preset fury --out hdl-out/fury
  tmugen generate my_tmu.toml --out hdl
  tmugen generate my_tmu.toml --out hdl --check
  tmugen generate my_tmu.toml --out hdl-to-read --source-places")]
pub(crate) struct Args {
    /// A configuration file; the same as --config; - is standard input
    #[arg(value_name = "CONFIG", conflicts_with_all = ["preset", "config"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// The folder to write to; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Write nothing; fail if any file in the folder is not what would be written
    #[arg(long)]
    check: bool,
    /// Put behind each assignment in the Verilog the place in tmugen's source that it comes from, as a comment:
    /// `// crates/tmu-rtl/src/lod.rs:81`. The places are those of this version of tmugen
    #[arg(long)]
    source_places: bool,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let file = self.file.as_deref().or(self.config.file());
        let config = match &self.file {
            Some(path) => load_config(path)?,
            None => self.config.load()?,
        };
        let files = files(&config, self.source_places)?;
        let stale = stale_files(&self.out, &files);
        let folder = self.out.display();
        let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
        let data = json!({ "folder": folder.to_string(), "top": config.name(), "files": names });
        if self.check {
            self.compare(&files, &stale)?;
            return Ok(Summary::note(format!("{folder}: {} files are up to date\n", files.len()), data));
        }
        self.write(&files, &stale, file)?;
        Ok(Summary::note(
            format!("{folder}: {} files written, top module {}\n", files.len(), config.name()),
            data,
        ))
    }

    /// Reports every file that is not what would be written.
    fn compare(&self, files: &[OutputFile], stale: &[String]) -> Result<(), Failure> {
        let outdated = |name: &str, message: &str| {
            let help = format!("run the command without --check to write {} anew", self.out.display());
            Problem::new(Rule::OutOfDate, message, help).in_file(&self.out.join(name))
        };
        let mut problems = Vec::new();
        for file in files {
            // One byte more than it may have tells a longer file.
            match read_start(&self.out.join(&file.name), file.text.len() as u64 + 1) {
                Ok(bytes) if bytes == file.text.as_bytes() => {}
                Ok(_) => problems.push(outdated(&file.name, "the file is not what is written now")),
                Err(_) => problems.push(outdated(&file.name, "the file is missing")),
            }
        }
        problems.extend(stale.iter().map(|name| outdated(name, "the file is not written any more")));
        Ok(Problems::check(problems)?)
    }

    /// Writes all files, then removes those that an earlier run wrote and this one does not.
    fn write(&self, files: &[OutputFile], stale: &[String], config: Option<&Path>) -> Result<(), Failure> {
        let mut declared = Files::new(self.force);
        declared.read_all(config, "the configuration");
        let texts = files.iter().map(|file| (self.out.join(&file.name), file.text.as_bytes()));
        let paths: Vec<_> = texts.collect();
        for (file, (path, _)) in files.iter().zip(&paths) {
            declared.write_in_folder(path, "--out", Self::kind(&file.name));
        }
        for name in stale {
            let role = "--out, which removes what is not generated any more,";
            declared.write_in_folder(&self.out.join(name), role, Self::kind(name));
        }
        let pairs: Vec<_> = paths.iter().map(|(path, text)| (path.as_path(), *text)).collect();
        declared.put_in_folder(&self.out, &pairs)?;
        // What cannot be removed is reported by --check.
        declared.remove(&stale.iter().map(|name| self.out.join(name)).collect::<Vec<_>>())
    }

    fn kind(name: &str) -> Kind {
        match Path::new(name).extension() {
            Some(ending) if ending == "toml" => Kind::Configuration,
            Some(ending) if ending == "json" => Kind::Manifest,
            _ => Kind::Hardware,
        }
    }
}

/// Everything that is written for a configuration.
fn files(config: &Config, source_places: bool) -> Result<Vec<OutputFile>, Failure> {
    let hardware = hardware(config)?;
    let hardware = if source_places { hardware.with_source_places() } else { hardware };
    Ok(tmu_package::files(&hardware))
}

/// Files in the folder that its manifest lists and that are not written any more.
fn stale_files(folder: &Path, files: &[OutputFile]) -> Vec<String> {
    let manifest = read_text(&folder.join("manifest.json"), MANIFEST_BYTES).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or_default();
    let lists = ["files", "templates"].into_iter().filter_map(|list| manifest[list].as_array());
    let listed = lists.flatten().filter_map(|name| name.as_str());
    let is_plain = |name: &&str| Path::new(name).file_name().is_some_and(|plain| plain == *name);
    let is_stale = |name: &&str| files.iter().all(|file| file.name != **name) && folder.join(name).is_file();
    listed.filter(is_plain).filter(is_stale).map(str::to_owned).collect()
}
