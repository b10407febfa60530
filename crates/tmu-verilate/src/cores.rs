//! Verilated cores for a crate's build script: from the folder that `tmugen generate` wrote to a Rust type with the core's
//! ports and clocks.
//!
//! [`CoreBuild::run`] is the whole of a `build.rs`. It compiles the model as [`Model::build`](crate::Model::build) does, with
//! the same flags and shim and out of the same cache, and leaves in `OUT_DIR`
//!
//! - `NAME/`: the model, as [`Model::open`](crate::Model::open) takes it;
//! - `NAME.rs`: a type with a method for each port, and a record of the clocks that rise.
//!
//! The crate includes the latter, and depends on `tmu-verilate` twice: to build, and to run.
//!
//! ```ignore
//! // build.rs
//! fn main() {
//!     tmu_verilate::CoreBuild::new("hdl/fury-single").run();
//! }
//!
//! // src/main.rs
//! mod core {
//!     include!(concat!(env!("OUT_DIR"), "/fury_single.rs"));
//! }
//! ```
//!
//! Contract: the model is loaded from `OUT_DIR`, so that any number of cores can live in one program, and the program
//! belongs to the machine and the target directory that it was built in. Cost: nothing at run time; at build time the
//! model's, once.

mod typed;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::exit;

use serde::{Deserialize, Serialize};

use crate::build::{self, LIBRARY_FILE, ModelOptions};
use crate::cache::CACHE_VARIABLE;
use crate::error::{Error, IoContext as _, Result};
use crate::source::{ModelSource, Port, SourceFile};

/// What is known of a model, beside it.
const DESCRIPTION_FILE: &str = "tmuv_model.json";

/// The list of what a core consists of, in the folder of the core.
const MANIFEST_FILE: &str = "manifest.json";

/// A compiled model as it lies in a folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) top: String,
    pub(crate) ports: Vec<Port>,
    /// Names of the files of the Verilog, which lie in the folder, too.
    pub(crate) files: Vec<String>,
    pub(crate) fst: bool,
    pub(crate) coverage: bool,
    pub(crate) warnings: String,
}

impl Description {
    /// Reads it from the folder of a model.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(DESCRIPTION_FILE);
        let text = fs::read_to_string(&path).context("read", &path)?;
        serde_json::from_str(&text).map_err(|error| unreadable(&path, &error))
    }

    /// The source that the model was built from.
    pub(crate) fn source(&self, folder: &Path) -> Result<ModelSource> {
        let read = |name: &String| {
            let path = folder.join(name);
            Ok(SourceFile::new(name, fs::read_to_string(&path).context("read", path)?))
        };
        let files = self.files.iter().map(read).collect::<Result<_>>()?;
        Ok(ModelSource { top: self.top.clone(), files, ports: self.ports.clone() })
    }
}

/// What the manifest of a core says, as far as a model needs it.
#[derive(Deserialize)]
struct Manifest {
    top: String,
    files: Vec<String>,
    clocks: Vec<Clock>,
    ports: Vec<ManifestPort>,
}

/// A clock of a core, with the frequency that it was generated for.
#[derive(Deserialize)]
struct Clock {
    port: String,
    mhz: u32,
}

#[derive(Deserialize)]
struct ManifestPort {
    name: String,
    direction: String,
    width_bits: u32,
}

impl Manifest {
    fn port(&self, port: &ManifestPort) -> Port {
        let is_clock = self.clocks.iter().any(|clock| clock.port == port.name);
        match port.direction.as_str() {
            _ if is_clock => Port::clock(&port.name),
            "in" => Port::input(&port.name, port.width_bits),
            _ => Port::output(&port.name, port.width_bits),
        }
    }
}

/// An emitted core that is to be verilated by a build script.
#[derive(Clone, Debug)]
#[must_use]
pub struct CoreBuild {
    folder: PathBuf,
    options: ModelOptions,
}

/// What a build has left.
#[derive(Debug)]
pub struct BuiltCore {
    /// The model, for [`Model::open`](crate::Model::open).
    pub model: PathBuf,
    /// The Rust source with the typed ports.
    pub rust: PathBuf,
    /// The files of the core that it depends on.
    pub inputs: Vec<PathBuf>,
    /// Verilator's warnings, empty for a core as it was emitted.
    pub warnings: String,
}

impl CoreBuild {
    /// The core in a folder that `tmugen generate` wrote. A relative one is found from the crate that is built.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), options: ModelOptions::default() }
    }

    /// What is compiled into the model: waveforms, coverage, assertions.
    pub fn options(self, options: ModelOptions) -> Self {
        Self { options, ..self }
    }

    /// Does all that a build script has to: builds into `OUT_DIR` and tells cargo what the result depends on. Where that
    /// does not work it ends the build with the reason, among them how to install Verilator.
    pub fn run(self) {
        let Some(out) = std::env::var_os("OUT_DIR") else {
            fail(
                "OUT_DIR is not set: `CoreBuild::run` is for build scripts, `CoreBuild::build` for all else",
            );
        };
        say(&format!("rerun-if-changed={}", self.folder.join(MANIFEST_FILE).display()));
        for variable in ["PATH", CACHE_VARIABLE] {
            say(&format!("rerun-if-env-changed={variable}"));
        }
        match self.build(Path::new(&out)) {
            Ok(built) => {
                built.inputs.iter().for_each(|path| say(&format!("rerun-if-changed={}", path.display())));
                built.warnings.lines().for_each(|line| say(&format!("warning={line}")));
            }
            Err(error) => fail(&format!("{} cannot be verilated: {error}", self.folder.display())),
        }
    }

    /// The same without a word, into any folder: for programs that build models while they run.
    ///
    /// # Errors
    /// If the folder holds no core, and as [`Model::build`](crate::Model::build).
    pub fn build(&self, out: &Path) -> Result<BuiltCore> {
        let (source, clocks) = self.read()?;
        source.validate()?;
        let built = build::build(&source, &self.options)?;
        let model = out.join(&source.top);
        let description = Description {
            top: source.top.clone(),
            ports: source.ports.clone(),
            files: source.files.iter().map(|file| file.name.clone()).collect(),
            fst: self.options.fst,
            coverage: self.options.coverage(),
            warnings: built.warnings.clone(),
        };
        fs::create_dir_all(&model).context("create", &model)?;
        source.write_files(&model)?;
        copy_library(&built.directory, &model)?;
        let path = model.join(DESCRIPTION_FILE);
        let text = serde_json::to_string_pretty(&description).map_err(|error| unreadable(&path, &error))?;
        fs::write(&path, text).context("write", path)?;
        let rust = out.join(format!("{}.rs", source.top));
        let clocks: Vec<_> = clocks.iter().map(|clock| (clock.port.as_str(), clock.mhz)).collect();
        fs::write(&rust, typed::rust(&source, &clocks)).context("write", &rust)?;
        let inputs = source.files.iter().map(|file| self.folder.join(&file.name)).collect();
        Ok(BuiltCore { model, rust, inputs, warnings: built.warnings })
    }

    /// The source of the core, with its clocks.
    fn read(&self) -> Result<(ModelSource, Vec<Clock>)> {
        let path = self.folder.join(MANIFEST_FILE);
        let text = fs::read_to_string(&path).map_err(|error| {
            let reason = format!(
                "there is no core in {}: {MANIFEST_FILE} cannot be read ({error}); `tmugen generate --preset \
                 fury-single --out {}` writes one",
                self.folder.display(),
                self.folder.display()
            );
            Error::Usage(reason)
        })?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| unreadable(&path, &error))?;
        // The hardware is the Verilog and what it reads; a test bench beside it is SystemVerilog.
        let is_hardware = |name: &&String| name.ends_with(".v") || name.ends_with(".mem");
        let read = |name: &String| {
            let path = self.folder.join(name);
            Ok(SourceFile::new(name, fs::read_to_string(&path).context("read", path)?))
        };
        let files = manifest.files.iter().filter(is_hardware).map(read).collect::<Result<_>>()?;
        let ports = manifest.ports.iter().map(|port| manifest.port(port)).collect();
        Ok((ModelSource { top: manifest.top, files, ports }, manifest.clocks))
    }
}

/// Puts the library in its place. One that a program has loaded stays what it is: the new file takes its name only.
fn copy_library(from: &Path, to: &Path) -> Result<()> {
    let (new, place) = (to.join("tmuv_model.new"), to.join(LIBRARY_FILE));
    fs::copy(from.join(LIBRARY_FILE), &new).context("write", &new)?;
    fs::rename(&new, &place).context("write", place)
}

fn unreadable(path: &Path, error: &serde_json::Error) -> Error {
    Error::Usage(format!("{} is not what tmugen writes: {error}", path.display()))
}

/// Tells cargo; nobody else reads what a build script prints.
fn say(instruction: &str) {
    // Cargo that does not listen is no reason to fail.
    let _ = writeln!(io::stdout(), "cargo::{instruction}");
}

fn fail(reason: &str) -> ! {
    reason.lines().for_each(|line| say(&format!("error={line}")));
    exit(1)
}
