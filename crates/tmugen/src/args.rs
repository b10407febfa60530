//! Arguments that several commands share.

use crate::files::standard;
use crate::problem::{Failure, Rule};
use clap::builder::PossibleValuesParser;
use std::io;
use std::path::{Path, PathBuf};
use tmu_problem::Problem;
use tmu_spec::config::EngineKind;
use tmu_spec::{Config, Preset};

/// What to do about a configuration that is no text.
const NOT_UTF_8: &str = "check that this is a configuration, and save it as UTF-8 (not UTF-16 or Latin-1); `tmugen new` \
                         writes one to start from";

/// What to do about a configuration that is far longer than any.
const TOO_LONG: &str = "check that this is the configuration that you mean; one has a few kilobytes";

/// The longest text file that is read whole, in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Which texture unit is meant.
#[derive(Debug, Clone, clap::Args)]
pub struct ConfigArgs {
    /// A configuration that ships with tmugen (see `tmugen presets`) [default: fury-single]
    #[arg(long, value_name = "P", value_parser = preset_parser())]
    preset: Option<String>,
    /// A configuration file (see `tmugen new`); - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
}

/// The configuration where none is named.
const USUAL_PRESET: &str = "fury-single";

/// The configuration with the engine `mesh` where none is named.
pub(crate) const MESH_PRESET: &str = "mesh";

/// The configuration with the engine `loader` where none is named.
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "commands of the full program use it"))]
pub(crate) const LOADER_PRESET: &str = "loader";

impl ConfigArgs {
    fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or(USUAL_PRESET)
    }

    /// Reads and validates a configuration with the engine `mesh`: see [`load_mesh`].
    ///
    /// # Errors
    /// As there.
    pub fn load_mesh(&self) -> Result<Config, Failure> {
        load_mesh(self.preset.as_deref().unwrap_or(MESH_PRESET), self.config.as_deref())
    }

    /// Reads and validates the configuration.
    ///
    /// # Errors
    /// [`Rule::Read`], and everything that is wrong with the configuration.
    pub fn load(&self) -> Result<Config, Failure> {
        match &self.config {
            Some(path) => load_config(path),
            None => load_preset(self.preset()),
        }
    }

    /// Reads and validates a configuration with texture units of which there is hardware.
    ///
    /// # Errors
    /// As [`ConfigArgs::load`], [`with_units`] and [`check_hardware`].
    pub fn load_units(&self) -> Result<Config, Failure> {
        let config = with_units(self.load()?, &self.name())?;
        check_hardware(&config)?;
        Ok(config)
    }

    /// Reads and validates a configuration with texture units of the classic numerics.
    ///
    /// # Errors
    /// As [`ConfigArgs::load`] and [`with_classic_units`].
    pub fn load_classic(&self) -> Result<Config, Failure> {
        with_classic_units(self.load()?, &self.name())
    }

    /// The arguments that name the configuration again.
    pub fn arguments(&self) -> String {
        match &self.config {
            Some(path) => format!("--config {}", path.display()),
            None => format!("--preset {}", self.preset()),
        }
    }

    /// Whether a configuration was named at all.
    pub fn is_named(&self) -> bool {
        self.preset.is_some() || self.config.is_some()
    }

    /// The configuration file, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// How the user names the configuration.
    pub fn name(&self) -> String {
        self.config.as_ref().map_or_else(|| self.preset().to_owned(), |path| path.display().to_string())
    }
}

/// The configuration of a preset that the parser has let pass.
///
/// # Errors
/// What is wrong with it; a test reads all presets.
pub fn load_preset(name: &str) -> Result<Config, Failure> {
    let preset = Preset::find(name).expect("the parser lets only presets pass");
    preset.config().map_err(|problems| problems.in_file(Path::new(preset.name())).into())
}

/// Reads and validates a configuration file.
///
/// # Errors
/// [`Rule::Read`], everything that is wrong with the configuration, and [`Rule::Keyword`].
pub fn load_config(path: &Path) -> Result<Config, Failure> {
    let text = read_text(path)?;
    let config = Config::from_toml(&text).map_err(|problems| problems.in_file(path))?;
    let name = config.name();
    if tmu_rtl::outputs::is_keyword(name) {
        let message = format!("name = \"{name}\": is a keyword of Verilog or SystemVerilog");
        let help = format!("choose another name, like \"{name}_tmu\"");
        return Err(Failure::in_file(Rule::Keyword, path, message, help));
    }
    Ok(config)
}

/// Reads and validates a configuration with the engine `mesh`.
///
/// # Errors
/// As [`load_config`], and [`Rule::NotBuilt`] where the engine is not built.
pub fn load_mesh(preset: &str, config: Option<&Path>) -> Result<Config, Failure> {
    load_with_engine(EngineKind::Mesh, preset, config)
}

/// Reads and validates a configuration with an engine.
///
/// # Errors
/// As [`load_config`], and [`Rule::NotBuilt`] where the engine is not built.
pub fn load_with_engine(kind: EngineKind, preset: &str, config: Option<&Path>) -> Result<Config, Failure> {
    let (config, name) = load_named(preset, config)?;
    with_engine(kind, config, &name)
}

/// Reads and validates a configuration with texture units; gives how the user names it, too.
///
/// # Errors
/// As [`load_config`] and [`with_units`].
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "commands of the full program use it"))]
pub fn load_with_units(preset: &str, config: Option<&Path>) -> Result<(Config, String), Failure> {
    let (config, name) = load_named(preset, config)?;
    Ok((with_units(config, &name)?, name))
}

/// Reads and validates a configuration; gives how the user names it, too.
fn load_named(preset: &str, config: Option<&Path>) -> Result<(Config, String), Failure> {
    Ok(match config {
        Some(path) => (load_config(path)?, path.display().to_string()),
        None => (load_preset(preset)?, preset.to_owned()),
    })
}

/// Passes a configuration on that has an engine.
///
/// # Errors
/// [`Rule::NotBuilt`] if it has not.
pub fn with_engine(kind: EngineKind, config: Config, name: &str) -> Result<Config, Failure> {
    if config.engines().contains(&kind) {
        return Ok(config);
    }
    let message = format!("{name} builds no engine \"{kind}\", which this command needs");
    Err(Failure::new(Rule::NotBuilt, message, format!("add \"{kind}\" to engines")))
}

/// Passes a configuration on whose texture units follow the classic numerics: those that have workloads.
///
/// # Errors
/// As [`with_units`], and [`Rule::NotBuilt`] where they follow the general numerics.
pub fn with_classic_units(config: Config, name: &str) -> Result<Config, Failure> {
    let config = with_units(config, name)?;
    match not_classic(&config, name) {
        Some(problem) => Err(Failure::input(vec![problem])),
        None => Ok(config),
    }
}

/// Why a configuration has no workloads, if it follows the general numerics.
pub(crate) fn not_classic(config: &Config, name: &str) -> Option<Problem> {
    config.features().general()?;
    let message = format!("{name} follows the general numerics, for which this command has no workloads yet");
    let help = "use `sample`, `sim` or `render`, or a classic preset like fury-single";
    Some(Problem::new(Rule::NotBuilt, message, help))
}

/// Passes a configuration on that has texture units, with hardware or without.
///
/// # Errors
/// [`Rule::NotBuilt`] where there are other engines only.
pub fn with_units(config: Config, name: &str) -> Result<Config, Failure> {
    if config.units() > 0 {
        return Ok(config);
    }
    let engines: Vec<_> = config.engines().iter().map(|kind| format!("\"{kind}\"")).collect();
    let engines = engines.join(", ");
    let message = format!("engines = [{engines}]: {name} builds no texture unit, which this command needs");
    let help = "add \"sampler\" to engines; `generate`, `check` and `estimate` take any engines";
    Err(Failure::new(Rule::NotBuilt, message, help))
}

/// Refuses a configuration of which there is no hardware.
///
/// # Errors
/// [`Rule::NotBuilt`] for each key that asks for more than there is.
pub fn check_hardware(config: &Config) -> Result<(), Failure> {
    config.check_hardware().map_err(|problems| {
        let of_each = problems.into_iter();
        Failure::input(of_each.map(|found| Problem::new(Rule::NotBuilt, found.message, found.help)).collect())
    })
}

/// Reads a text file of moderate size.
fn read_text(path: &Path) -> Result<String, Failure> {
    standard::read_text(path, MAX_TEXT_BYTES).map_err(|error| {
        let help = match error.kind() {
            io::ErrorKind::InvalidData => NOT_UTF_8,
            io::ErrorKind::FileTooLarge => TOO_LONG,
            _ => "check the path",
        };
        Failure::in_file(Rule::Read, path, format!("the file cannot be read: {error}"), help)
    })
}

/// Accepts the names of presets.
pub fn preset_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Preset::all().map(Preset::name))
}
