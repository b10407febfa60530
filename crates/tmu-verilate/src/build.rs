//! From Verilog to a shared library: Verilator, then one C++ compilation.
//!
//! The generated C++ and the shim are one translation unit, which costs a fifth of compiling the files one by
//! one; the Verilator runtime, and the headers that every model includes, are compiled once per version and set of flags. All of it stands in the
//! [cache](crate::cache) under a digest of everything that can change the result.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::cache::{self, Entry, Key};
use crate::error::{Error, IoContext as _, Result};
use crate::source::{Direction, ModelSource, SourceFile};
use crate::tools::{Tool, Tools};

/// The wrapper that Verilator gets as top, and its file.
const WRAPPER: &str = "tmuv_top";
const WRAPPER_FILE: &str = "tmuv_top.v";
/// Where the cached entry keeps what Verilator warned of.
const WARNINGS_FILE: &str = "tmuv_warnings.log";
/// The compiled model in its entry.
pub(crate) const LIBRARY_FILE: &str = "tmuv_model.so";

/// What every model includes first, in its entry.
const HEADER_FILE: &str = "model_header.h";

const RUNTIME_HEADER: &str = include_str!("../../../sim/model_runtime.h");
const RUNTIME_CODE: &str = include_str!("../../../sim/model_runtime.cpp");
const WORKAROUNDS: &str = include_str!("../../../sim/model_workarounds.h");
const SHIM: &str = include_str!("../../../sim/model_shim.cpp");

/// What a model is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptimizeFor {
    /// Clocks per second: C++ at -O3, but for what runs once. For millions of clocks.
    Speed,
    /// The shortest time for both together where some hundred thousand clocks are run: C++ at -Og. That of the preset `han` takes 20 s of
    /// processor time, 29 s at -O1, 59 s at -O3.
    #[default]
    Both,
    /// The shortest time from Verilog to the first result: C++ at -O0, by Clang where that is installed. For many small modules that run a few
    /// hundred clocks.
    BuildTime,
}

/// What is compiled into a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelOptions {
    /// Waveforms in FST format can be written.
    pub fst: bool,
    /// Coverage of lines and of branches is counted.
    pub line_coverage: bool,
    /// Toggle coverage is counted; the model then runs ten to fifty times slower, and C++ stays at -O1: it has a
    /// function of ten thousand statements for each thousand nets.
    pub toggle_coverage: bool,
    /// Assertions are checked.
    pub assertions: bool,
    /// Speed of the model against the time to build it.
    pub optimize: OptimizeFor,
    /// The build is kept in the cache. Switch it off for modules that are never seen again, such as random ones.
    pub keep: bool,
    /// Arguments added to Verilator's command line.
    pub verilator_arguments: Vec<String>,
}

impl Default for ModelOptions {
    /// Assertions, built for some hundred thousand clocks and kept; no waveforms or coverage.
    fn default() -> Self {
        Self {
            fst: false,
            line_coverage: false,
            toggle_coverage: false,
            assertions: true,
            optimize: OptimizeFor::Both,
            keep: true,
            verilator_arguments: Vec::new(),
        }
    }
}

impl ModelOptions {
    pub(crate) fn coverage(&self) -> bool {
        self.line_coverage || self.toggle_coverage
    }

    fn verilator_flags(&self) -> Vec<&str> {
        let mut flags = vec!["--cc", "-O3", "--no-timing", "--threads", "1", "-Wno-fatal", "-Wwarn-UNDRIVEN"];
        // In 5.006 the data-flow pass refuses valid Verilog ("Unsupported: 4-state numbers in this context").
        flags.push("-fno-dfg");
        // With `fast`, random initial values are all zero.
        flags.extend(["--x-assign", "unique", "--x-initial", "unique"]);
        flags.extend(["--prefix", "Vtmuv", "--Mdir", ".", "--top-module", WRAPPER]);
        let switches = [
            (self.assertions, "--assert"),
            // Later versions check them unless told not to.
            (!self.assertions, "--no-assert"),
            (self.fst, "--trace-fst"),
            (self.line_coverage, "--coverage-line"),
            (self.toggle_coverage, "--coverage-toggle"),
            // Operations on wide values stay calls instead of becoming code for each word.
            (self.optimize == OptimizeFor::BuildTime, "-fno-expand"),
            // Instances of a module share its code instead of each having its own: a third less to compile of a unit with four lanes.
            (self.optimize == OptimizeFor::BuildTime, "-fno-inline"),
        ];
        flags.extend(switches.iter().filter(|(on, _)| *on).map(|(_, flag)| flag));
        flags.extend(self.verilator_arguments.iter().map(String::as_str));
        flags
    }

    fn cxx_flags(&self) -> Vec<&'static str> {
        let mut flags = vec![
            match self.optimize {
                OptimizeFor::Speed if self.toggle_coverage => "-O1",
                OptimizeFor::Speed => "-O3",
                OptimizeFor::Both => "-Og",
                OptimizeFor::BuildTime => "-O0",
            },
            "-std=c++17",
            "-fPIC",
            "-fcf-protection=none",
            "-w",
            // A model keeps its symbols to itself: several models live in one process.
            "-fvisibility=hidden",
            "-DVL_TIME_CONTEXT",
            "-DVL_USER_FATAL",
            "-DVL_PRINTF=tmuv_printf",
        ];
        if self.fst {
            flags.extend(["-DVM_TRACE=1", "-DVM_TRACE_FST=1"]);
        }
        if self.coverage() {
            flags.push("-DVM_COVERAGE=1");
        }
        flags
    }
}

/// What is said to GCC alone.
const GCC_FLAGS: [&str; 3] = [
    // Who else writes to a variable is hardly asked for: with GCC's own limits that is half of the time, of functions of thousands of lines,
    // and the code is as large without it.
    "--param=dse-max-alias-queries-per-store=2",
    "--param=sccvn-max-alias-queries-per-access=4",
    // As above: what only it would share between libraries.
    "-fno-gnu-unique",
];

/// What is said to Clang alone where it compiles a header: that keeps the text, since the directory is called otherwise when it is done.
const CLANG_HEADER_FLAGS: [&str; 2] = ["-Xclang", "-fmodules-embed-all-files"];

/// The tools of a build and where the runtime's sources stand.
struct Toolchain {
    verilator: &'static Tool,
    /// Compiles the runtime.
    cxx: &'static Tool,
    /// Compiles models.
    model_cxx: &'static Tool,
    include: PathBuf,
}

impl Toolchain {
    fn find(optimize: OptimizeFor) -> Result<Self> {
        let (verilator, cxx) = (Tools::verilator()?, Tools::cxx()?);
        let model_cxx = match optimize {
            OptimizeFor::BuildTime => Tools::quick_cxx().unwrap_or(cxx),
            OptimizeFor::Both | OptimizeFor::Speed => cxx,
        };
        let done =
            verilator.finish(verilator.command().args(["--getenv", "VERILATOR_ROOT"]), Path::new("."))?;
        let include = Path::new(done.stdout.trim()).join("include");
        if !include.join("verilated.h").is_file() {
            let reason =
                format!("there is no verilated.h in {}, the directory that it names", include.display());
            return Err(Error::Output { tool: "Verilator", reason });
        }
        Ok(Self { verilator, cxx, model_cxx, include })
    }

    /// A command of a compiler with the flags of a model or of the runtime.
    fn command(&self, cxx: &Tool, flags: &[&str]) -> Command {
        let mut command = cxx.command();
        command.args(flags);
        if self.is_gcc(cxx) {
            command.args(GCC_FLAGS);
        }
        command
    }

    /// Whether a compiler is the runtime's.
    fn is_gcc(&self, cxx: &Tool) -> bool {
        std::ptr::eq(cxx, self.cxx)
    }

    /// Runs a C++ compiler.
    fn compile(&self, cxx: &Tool, command: &mut Command, directory: &Path, top: &str) -> Result<()> {
        let mut done = cxx.finish(command, directory)?;
        if done.success {
            return Ok(());
        }
        if ["zlib.h", "lz4.h", "find -lz", "find -llz4"].iter().any(|text| done.stderr.contains(text)) {
            done.stderr += "Waveforms need the libraries named: `apt-get install zlib1g-dev liblz4-dev`.\n";
        }
        Err(done.into_error(cxx.name, top))
    }

    /// What the FST writer is linked with. It brought its own LZ4 before it was rewritten in Verilator 5.04x.
    fn waveform_libraries(&self) -> Result<&'static [&'static str]> {
        let path = self.include.join("verilated.mk");
        let text = fs::read_to_string(&path).context("read", path)?;
        Ok(if text.contains("-llz4") { &["-llz4", "-lz"] } else { &["-lz"] })
    }

    fn key(&self, kind: &str) -> Key {
        Key::new(kind)
            .field(self.verilator.version())
            .field(self.cxx.version())
            .fields(GCC_FLAGS)
            .field(self.include.as_os_str().as_encoded_bytes())
    }
}

/// A compiled model: the directory with the library and the files that the Verilog reads.
pub(crate) struct Built {
    pub(crate) directory: PathBuf,
    /// Verilator's warnings about the source.
    pub(crate) warnings: String,
    pub(crate) from_cache: bool,
    /// What was wrong with the one in the cache.
    pub(crate) repaired: Option<String>,
    /// Removes the directory of a build that is not kept.
    pub(crate) temporary: Option<TempDir>,
}

/// Compiles a validated source, or finds it in the cache.
pub(crate) fn build(source: &ModelSource, options: &ModelOptions) -> Result<Built> {
    let toolchain = Toolchain::find(options.optimize)?;
    let root = cache::cache_directory()?;
    let compile = |directory: &Path| compile(&toolchain, source, options, &root, directory);
    let (Entry { directory, found, repaired }, temporary) = if options.keep {
        (cache::entry(&root.join("model"), &model_key(&toolchain, source, options), compile)?, None)
    } else {
        let temporary =
            TempDir::with_prefix("tmuv-model-").context("create a directory in", std::env::temp_dir())?;
        compile(temporary.path())?;
        (Entry { directory: temporary.path().to_owned(), found: false, repaired: None }, Some(temporary))
    };
    let warnings = directory.join(WARNINGS_FILE);
    let warnings = fs::read_to_string(&warnings).context("read", warnings)?;
    Ok(Built { directory, warnings, from_cache: found, repaired, temporary })
}

fn model_key(toolchain: &Toolchain, source: &ModelSource, options: &ModelOptions) -> String {
    toolchain
        .key("model")
        .field(toolchain.model_cxx.version())
        .fields([RUNTIME_HEADER, RUNTIME_CODE, WORKAROUNDS, SHIM])
        .fields(options.verilator_flags())
        .fields(options.cxx_flags())
        .field(&source.top)
        .fields(source.ports.iter().map(|port| format!("{port:?}")))
        .fields(source.files.iter().flat_map(|file| [&file.name, &file.text]))
        .finish()
}

fn compile(
    toolchain: &Toolchain,
    source: &ModelSource,
    options: &ModelOptions,
    cache_root: &Path,
    directory: &Path,
) -> Result<()> {
    source.write_files(directory)?;
    let warnings = verilate(toolchain, source, options, directory)?;
    let classes = Classes::read(directory)?;
    let runtime = runtime(toolchain, options, &classes, &cache_root.join("runtime"))?;
    let header = header(toolchain, options, &cache_root.join("header"))?;
    let unit = "tmuv_unit.cpp";
    write(directory, unit, &translation_unit(source, options, &classes))?;

    let cxx = toolchain.model_cxx;
    let mut command = toolchain.command(cxx, &options.cxx_flags());
    command.arg("-include").arg(header.join(HEADER_FILE)).arg("-I.");
    command.arg("-I").arg(&toolchain.include).arg("-I").arg(toolchain.include.join("vltstd"));
    command.args(["-shared", "-Wl,-Bsymbolic", "-Wl,--wrap=fopen", "-o", LIBRARY_FILE, unit]);
    command.args(classes.runtime_objects().map(|object| runtime.join(object)));
    command.arg("-pthread");
    if options.fst {
        command.args(toolchain.waveform_libraries()?);
    }
    toolchain.compile(cxx, &mut command, directory, &source.top)?;
    sweep(directory, &source.files)?;
    write(directory, WARNINGS_FILE, &warnings)
}

/// Runs Verilator inside the directory with relative names, so that nothing in its output depends on the place.
fn verilate(
    toolchain: &Toolchain,
    source: &ModelSource,
    options: &ModelOptions,
    directory: &Path,
) -> Result<String> {
    let wrapper = format!("/* verilator coverage_off */\n{}", source.wrapper(WRAPPER));
    write(directory, WRAPPER_FILE, &wrapper)?;
    let mut command = toolchain.verilator.command();
    command.args(options.verilator_flags()).args(source.verilog_names()).arg(WRAPPER_FILE);
    let done = toolchain.verilator.finish(&mut command, directory)?;
    if !done.success {
        return Err(done.into_error("Verilator", &source.top));
    }
    // What Verilator says where the wrapper meets the module: the port list is not the module's.
    let codes = ["%Warning-WIDTH", "%Warning-PIN", "%Warning-UNDRIVEN"];
    let meets = |line: &&str| codes.iter().any(|code| line.starts_with(code)) && line.contains(WRAPPER_FILE);
    let faults: Vec<_> = done.stderr.lines().filter(meets).collect();
    if faults.is_empty() {
        return Ok(done.stderr);
    }
    let faults = faults.iter().map(|line| format!("the port list is not the module's: {line}")).collect();
    Err(Error::Source { top: source.top.clone(), faults })
}

/// What Verilator wrote, from its own list.
struct Classes {
    /// Files of the model, to be compiled with it.
    model: Vec<String>,
    /// Files of the runtime.
    runtime: Vec<String>,
}

impl Classes {
    fn read(directory: &Path) -> Result<Self> {
        let path = directory.join("Vtmuv_classes.mk");
        let text = fs::read_to_string(&path).context("read", path)?.replace("\\\n", " ");
        let (mut model, mut runtime) = (Vec::new(), Vec::new());
        for (variable, names) in text.lines().filter_map(|line| line.split_once("+=")) {
            let names = names.split_whitespace().map(str::to_owned);
            match variable.trim() {
                "VM_CLASSES_FAST" | "VM_CLASSES_SLOW" | "VM_SUPPORT_FAST" | "VM_SUPPORT_SLOW" => {
                    model.extend(names)
                }
                "VM_GLOBAL_FAST" | "VM_GLOBAL_SLOW" => runtime.extend(names),
                _ => {}
            }
        }
        Ok(Self { model, runtime })
    }

    fn runtime_objects(&self) -> impl Iterator<Item = String> {
        self.runtime.iter().map(String::as_str).chain(["model_runtime"]).map(|name| format!("{name}.o"))
    }
}

/// The directory with the compiled Verilator runtime for these options.
fn runtime(toolchain: &Toolchain, options: &ModelOptions, classes: &Classes, root: &Path) -> Result<PathBuf> {
    // Whatever the model is built for, the runtime is built once and for speed.
    let flags = ModelOptions { optimize: OptimizeFor::Speed, ..options.clone() }.cxx_flags();
    let key = toolchain
        .key("runtime")
        .fields([RUNTIME_HEADER, RUNTIME_CODE])
        .fields(&flags)
        .fields(&classes.runtime)
        .finish();
    let entry = cache::entry(root, &key, |directory| {
        write(directory, "model_runtime.h", RUNTIME_HEADER)?;
        write(directory, "model_runtime.cpp", RUNTIME_CODE)?;
        let mut command = toolchain.command(toolchain.cxx, &flags);
        command.args(["-include", "model_runtime.h", "-c", "model_runtime.cpp"]);
        command.args(classes.runtime.iter().map(|name| toolchain.include.join(format!("{name}.cpp"))));
        command.arg("-I").arg(&toolchain.include).arg("-I").arg(toolchain.include.join("vltstd"));
        toolchain.compile(toolchain.cxx, &mut command, directory, "the Verilator runtime")
    })?;
    Ok(entry.directory)
}

/// The directory with what every model includes first, compiled for these options: a second of every build.
fn header(toolchain: &Toolchain, options: &ModelOptions, root: &Path) -> Result<PathBuf> {
    let flags = options.cxx_flags();
    let key = toolchain.key("header").field(toolchain.model_cxx.version()).fields(CLANG_HEADER_FLAGS);
    let key = key.fields([RUNTIME_HEADER, WORKAROUNDS]).fields(&flags).finish();
    let entry = cache::entry(root, &key, |directory| {
        let text = format!("{RUNTIME_HEADER}#include \"verilated.h\"\n{WORKAROUNDS}");
        write(directory, HEADER_FILE, &text)?;
        let mut command = toolchain.command(toolchain.model_cxx, &flags);
        if !toolchain.is_gcc(toolchain.model_cxx) {
            command.args(CLANG_HEADER_FLAGS);
        }
        // As the model is compiled: Clang does not use a header that differs in that.
        command.args(["-pthread", "-x", "c++-header", HEADER_FILE]);
        command.arg("-I").arg(&toolchain.include).arg("-I").arg(toolchain.include.join("vltstd"));
        // The name under which compilers look for it. What they cannot use they read as text.
        command.args(["-o", &format!("{HEADER_FILE}.gch")]);
        toolchain.compile(toolchain.model_cxx, &mut command, directory, "the header of all models")
    })?;
    Ok(entry.directory)
}

fn translation_unit(source: &ModelSource, options: &ModelOptions, classes: &Classes) -> String {
    let mut text = String::new();
    text.extend(classes.model.iter().map(String::as_str).map(include));
    text += &format!("#define TMUV_FST {}\n", u8::from(options.fst));
    text += &format!("#define TMUV_COVERAGE {}\n", u8::from(options.coverage()));
    let ports = source.ports.iter().enumerate();
    let ports = ports.map(|(i, port)| {
        let clock = port.direction == Direction::Clock;
        format!(" \\\n  X({i}, {}, {clock})", port.width_bits)
    });
    let ports: String = ports.collect();
    text + &format!("#define TMUV_PORTS(X){ports}\n") + SHIM
}

/// One of the model's files. What runs once, before the first clock, is a third of a large model and costs minutes to optimise.
fn include(name: &str) -> String {
    let line = format!("#include \"{name}.cpp\"\n");
    if name.ends_with("__Slow") {
        format!("#pragma GCC push_options\n#pragma GCC optimize (\"O0\")\n{line}#pragma GCC pop_options\n")
    } else {
        line
    }
}

/// Leaves the library and the source's files; the generated C++ is ten times their size.
fn sweep(directory: &Path, keep: &[SourceFile]) -> Result<()> {
    for found in fs::read_dir(directory).context("read", directory)? {
        let path = found.context("read", directory)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kept = name == LIBRARY_FILE || keep.iter().any(|file| file.name == name);
        if path.is_file() && !kept {
            fs::remove_file(&path).context("remove", path)?;
        }
    }
    Ok(())
}

fn write(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = directory.join(name);
    fs::write(&path, text).context("write", path)
}
