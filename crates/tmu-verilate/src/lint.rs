//! What four independent readers say about a source: Verilator, Icarus, Yosys and slang.
//!
//! Each check writes the source into a directory of its own, runs the tool with all its warnings, and returns
//! what it said, parsed. Text that the tool could not read at all is part of the list, as an error. A tool that
//! is missing is an [`Error::MissingTool`](crate::Error::MissingTool).

use std::fmt;
use std::process::Command;

use tempfile::TempDir;

use crate::error::{Error, IoContext as _, Result};
use crate::source::{ModelSource, SourceFile};
use crate::tools::{Finished, Tool, Tools};

/// The waivers that hold for everything the generator emits, with their reasons, in Verilator's format.
pub const WAIVERS: &str = include_str!("../../../sim/verilator_waivers.vlt");

const WAIVERS_FILE: &str = "tmuv_waivers.vlt";

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The tool goes on.
    Warning,
    /// The tool refuses the source.
    Error,
}

/// One thing that a tool found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Name of the tool.
    pub tool: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The tool's name for this kind of finding, such as `WIDTH`; empty if it has none.
    pub code: String,
    /// File and line as the tool names them, such as `counter.v:4`; empty for findings without a place.
    pub place: String,
    /// The text.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, severity, code, place, message } = self;
        let severity = if *severity == Severity::Error { "error" } else { "warning" };
        let code = if code.is_empty() { String::new() } else { format!(" [{code}]") };
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        write!(f, "{tool}: {place}{severity}: {message}{code}")
    }
}

/// `verilator --lint-only -Wall`, with the waivers in the text `waivers` (see [`WAIVERS`]).
///
/// # Errors
/// If Verilator is missing or cannot be run, or the source is not [valid](ModelSource::validate).
pub fn verilator_lint(source: &ModelSource, waivers: &str) -> Result<Vec<Diagnostic>> {
    source.validate()?;
    let tool = Tools::verilator()?;
    let mut waived = source.clone();
    waived.files.insert(0, SourceFile::new(WAIVERS_FILE, waivers));
    let done = run(tool, &waived, |command| {
        command.args(["--lint-only", "-Wall", "-Wno-fatal", "--top-module", &source.top, WAIVERS_FILE]);
        command.args(source.verilog_names());
    })?;
    complete(done.output().lines().filter_map(parse_verilator).collect(), "Verilator", done, source)
}

/// `iverilog -g2001 -Wall`.
///
/// # Errors
/// If Icarus is missing or cannot be run, or the source is not [valid](ModelSource::validate).
pub fn icarus_lint(source: &ModelSource) -> Result<Vec<Diagnostic>> {
    source.validate()?;
    let done = run(Tools::iverilog()?, source, |command| {
        command.args(["-g2001", "-Wall", "-s", &source.top, "-o", "/dev/null"]).args(source.verilog_names());
    })?;
    let found = done.output().lines().filter_map(|line| parse_placed("Icarus Verilog", line)).collect();
    complete(found, "Icarus Verilog", done, source)
}

/// Yosys: reading, elaboration, processes to registers, and its own `check`. An inferred latch is a warning.
///
/// # Errors
/// If Yosys is missing or cannot be run, or the source is not [valid](ModelSource::validate).
pub fn yosys_lint(source: &ModelSource) -> Result<Vec<Diagnostic>> {
    source.validate()?;
    let names: Vec<_> = source.verilog_names().collect();
    let names = names.join(" ");
    // What is written for ECP5 has cells of the device, whose ports Yosys knows.
    let names_cell = |text: &str| ["MULT18X18D", "DP16KD"].iter().any(|cell| text.contains(cell));
    let has_cells = source.files.iter().any(|file| names_cell(&file.text));
    let cells = if has_cells { "read_verilog -lib +/ecp5/cells_sim.v +/ecp5/cells_bb.v; " } else { "" };
    let script = format!("{cells}read_verilog {names}; hierarchy -check -top {}; proc; check", source.top);
    let done = run(Tools::yosys()?, source, |command| {
        command.args(["-p", &script]);
    })?;
    complete(done.output().lines().filter_map(parse_yosys).collect(), "Yosys", done, source)
}

/// slang with every warning that it has, as Verilog-2005, including its analysis of drivers and unused objects.
///
/// # Errors
/// If Python's `pyslang` is missing or cannot be run, or the source is not [valid](ModelSource::validate).
pub fn slang_lint(source: &ModelSource) -> Result<Vec<Diagnostic>> {
    source.validate()?;
    let done = run(Tools::slang()?, source, |command| {
        command.args(["-c", SLANG_SCRIPT, "-Weverything", "--std", "1364-2005", "--top", &source.top]);
        command.args(source.verilog_names());
    })?;
    complete(
        done.output().lines().filter_map(|line| parse_placed("slang", line)).collect(),
        "slang",
        done,
        source,
    )
}

/// Versions of the package before 9 have these classes at the top.
const SLANG_SCRIPT: &str = "
import pyslang, sys
api = getattr(pyslang, 'driver', pyslang)
driver = api.Driver()
driver.addStandardArgs()
good = driver.parseCommandLine(' '.join(['slang'] + sys.argv[1:]), api.CommandLineOptions())
good = good and driver.processOptions() and driver.parseAllSources()
sys.exit(0 if good and driver.runFullCompilation(True) else 1)
";

fn run(tool: &Tool, source: &ModelSource, arguments: impl FnOnce(&mut Command)) -> Result<Finished> {
    let directory =
        TempDir::with_prefix("tmuv-lint-").context("create a directory in", std::env::temp_dir())?;
    source.write_files(directory.path())?;
    let mut command = tool.command();
    arguments(&mut command);
    tool.finish(&mut command, directory.path())
}

/// A tool that failed without a finding that can be parsed has failed for a reason of its own.
fn complete(
    found: Vec<Diagnostic>,
    tool: &'static str,
    done: Finished,
    source: &ModelSource,
) -> Result<Vec<Diagnostic>> {
    if !done.success && !found.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(done.into_error(tool, &source.top));
    }
    Ok(found)
}

/// `%Warning-WIDTH: counter.v:4:3: text` and `%Error: counter.v:4:3: text`.
fn parse_verilator(line: &str) -> Option<Diagnostic> {
    let (kind, rest) = line.strip_prefix('%')?.split_once(": ")?;
    let (severity, code) = match kind.split_once('-').unwrap_or((kind, "")) {
        ("Warning", code) => (Severity::Warning, code),
        ("Error", code) => (Severity::Error, code),
        _ => return None,
    };
    let (place, message) = split_place(rest).unwrap_or(("", rest));
    Some(Diagnostic {
        tool: "Verilator",
        severity,
        code: code.to_owned(),
        place: place.to_owned(),
        message: message.to_owned(),
    })
}

/// `counter.v:4: warning: text` as Icarus writes it, `counter.v:4:3: warning: text [-Wcode]` as slang does, and
/// slang's findings without a place.
fn parse_placed(tool: &'static str, line: &str) -> Option<Diagnostic> {
    let (place, rest) = split_place(line).unwrap_or(("", line));
    let (severity, message) = if let Some(message) = rest.strip_prefix("warning: ") {
        (Severity::Warning, message)
    } else if let Some(message) = rest.strip_prefix("error: ") {
        (Severity::Error, message)
    } else if !place.is_empty() && rest.starts_with("syntax error") {
        (Severity::Error, rest)
    } else {
        return None;
    };
    let (message, code) = match message.strip_suffix(']').and_then(|message| message.rsplit_once(" [-W")) {
        Some((message, code)) => (message, code),
        None => (message, ""),
    };
    let (code, place, message) = (code.to_owned(), place.to_owned(), message.to_owned());
    Some(Diagnostic { tool, severity, code, place, message })
}

/// `Warning: text`, `ERROR: text`, with the file in front for syntax errors, and latches, which some versions do
/// not count as warnings.
fn parse_yosys(line: &str) -> Option<Diagnostic> {
    let (place, rest) = split_place(line).unwrap_or(("", line));
    let (severity, message) = if let Some(message) = rest.strip_prefix("Warning: ") {
        (Severity::Warning, message)
    } else if let Some(message) = rest.strip_prefix("ERROR: ") {
        (Severity::Error, message)
    } else if rest.starts_with("Latch inferred for signal") {
        (Severity::Warning, rest)
    } else {
        return None;
    };
    let (place, message) = (place.to_owned(), message.to_owned());
    Some(Diagnostic { tool: "Yosys", severity, code: String::new(), place, message })
}

/// Splits `file:line:` or `file:line:column:` off a line.
fn split_place(line: &str) -> Option<(&str, &str)> {
    let (place, rest) = line.split_once(": ")?;
    let mut parts = place.split(':');
    let (file, number) = (parts.next()?, parts.next()?);
    let plain = !file.is_empty() && !file.contains(' ') && number.bytes().all(|byte| byte.is_ascii_digit());
    (plain && !number.is_empty()).then(|| (&place[..file.len() + 1 + number.len()], rest))
}

/// All four checks, for a caller that wants every reader's opinion.
///
/// # Errors
/// If one of the tools is missing or cannot be run.
pub fn lint_with_all(source: &ModelSource) -> Result<Vec<Diagnostic>, Error> {
    let checks =
        [verilator_lint(source, WAIVERS)?, icarus_lint(source)?, yosys_lint(source)?, slang_lint(source)?];
    Ok(checks.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_from_the_tools_lines() {
        let icarus = |line: &str| parse_placed("Icarus Verilog", line);
        let slang = |line: &str| parse_placed("slang", line);
        let table: [(Option<Diagnostic>, Option<&str>); 10] = [
            (
                parse_verilator("%Warning-WIDTH: a.v:2:25: Operator ADD expects 8 bits"),
                Some("Verilator: a.v:2: warning: Operator ADD expects 8 bits [WIDTH]"),
            ),
            (parse_verilator("%Error: a.v:2:3: syntax error"), Some("Verilator: a.v:2: error: syntax error")),
            (parse_verilator("%Error: Cannot find file"), Some("Verilator: error: Cannot find file")),
            (parse_verilator("    2 |   wire [7:0] unused = a + b;"), None),
            (
                icarus("a.v:3: warning: Port 3 expects 4"),
                Some("Icarus Verilog: a.v:3: warning: Port 3 expects 4"),
            ),
            (icarus("a.v:2: syntax error"), Some("Icarus Verilog: a.v:2: error: syntax error")),
            (
                slang("a.v:5:30: warning: truncates [7:0] [-Wwidth-trunc]"),
                Some("slang: a.v:5: warning: truncates [7:0] [width-trunc]"),
            ),
            (slang("  wire [7:0] a = b ? 1: 2;"), None),
            (parse_yosys("Warning: wire \\a is used"), Some("Yosys: warning: wire \\a is used")),
            (parse_yosys("a.v:2: ERROR: syntax error"), Some("Yosys: a.v:2: error: syntax error")),
        ];
        for (found, expected) in table {
            assert_eq!(found.map(|one| one.to_string()).as_deref(), expected);
        }
    }
}
