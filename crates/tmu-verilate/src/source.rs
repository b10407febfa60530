//! The Verilog to be simulated or checked: files, top module and its ports.
//!
//! A [`ModelSource`] is the input of every tool in this crate. It is plain data; [`ModelSource::validate`]
//! checks what can be checked without a tool and is called by all of them.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::error::{Error, IoContext as _, Result};

/// The widest port that is accepted, in bits: Verilog tools need not support wider vectors.
pub const MAX_PORT_WIDTH_BITS: u32 = 65_536;

/// Modules with this prefix are written by this crate around the user's.
const RESERVED_PREFIX: &str = "tmuv_";

/// Which way a port points, and whether it clocks registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// An input, one bit wide, whose edges clock registers. In a run over rows it changes only after the other
    /// inputs of its row have settled, and in cycle runs the run drives it.
    Clock,
    /// Any other input.
    Input,
    /// An output.
    Output,
}

/// One port of the top module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Port {
    /// Name as written in the Verilog.
    pub name: String,
    /// Width in bits, at least 1.
    pub width_bits: u32,
    /// Which way it points.
    pub direction: Direction,
}

impl Port {
    /// A clock.
    pub fn clock(name: impl Into<String>) -> Self {
        Self { name: name.into(), width_bits: 1, direction: Direction::Clock }
    }

    /// An input that is not a clock.
    pub fn input(name: impl Into<String>, width_bits: u32) -> Self {
        Self { name: name.into(), width_bits, direction: Direction::Input }
    }

    /// An output.
    pub fn output(name: impl Into<String>, width_bits: u32) -> Self {
        Self { name: name.into(), width_bits, direction: Direction::Output }
    }

    /// 32-bit words that a value of the port takes up, low word first.
    pub fn words(&self) -> usize {
        self.width_bits.div_ceil(32) as usize
    }

    /// The declaration in a Verilog port list, without a comma.
    pub(crate) fn declaration(&self, net: &str, name: &str) -> String {
        let direction = if self.direction == Direction::Output { "output" } else { "input" };
        match self.width_bits {
            1 => format!("{direction} {net} {name}"),
            width => format!("{direction} {net} [{}:0] {name}", width - 1),
        }
    }
}

/// One file of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// Relative name. `.v` and `.sv` are compiled; any other file is there for the Verilog to read by that
    /// name, as `$readmemh` does.
    pub name: String,
    /// Its contents.
    pub text: String,
}

impl SourceFile {
    /// A file from its name and contents.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Whether a Verilog compiler reads it, by its extension.
    pub fn is_verilog(&self) -> bool {
        matches!(Path::new(&self.name).extension().and_then(|e| e.to_str()), Some("v" | "sv"))
    }
}

/// Verilog and memory files with the interface of their top module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelSource {
    /// Name of the top module.
    pub top: String,
    /// Verilog and memory files; the compilers read them in this order.
    pub files: Vec<SourceFile>,
    /// All ports of the top module, in any order.
    pub ports: Vec<Port>,
}

impl ModelSource {
    /// A source of one Verilog file, `<top>.v`.
    pub fn single(top: &str, verilog: impl Into<String>, ports: Vec<Port>) -> Self {
        let files = vec![SourceFile::new(format!("{top}.v"), verilog)];
        Self { top: top.to_owned(), files, ports }
    }

    /// Checks names, widths and directions.
    ///
    /// # Errors
    /// [`Error::Source`] with every fault found.
    pub fn validate(&self) -> Result<()> {
        let mut faults = Vec::new();
        if !is_identifier(&self.top) {
            faults.push(format!("the top module's name `{}` is not a plain Verilog identifier", self.top));
        }
        if self.top.starts_with(RESERVED_PREFIX) {
            faults.push(format!(
                "the top module's name `{}` begins with the reserved `{RESERVED_PREFIX}`",
                self.top
            ));
        }
        if !self.files.iter().any(SourceFile::is_verilog) {
            faults.push("no file ends in .v or .sv".to_owned());
        }
        self.file_faults(&mut faults);
        self.port_faults(&mut faults);
        if faults.is_empty() { Ok(()) } else { Err(Error::Source { top: self.top.clone(), faults }) }
    }

    fn file_faults(&self, faults: &mut Vec<String>) {
        let mut seen = HashSet::new();
        for SourceFile { name, .. } in &self.files {
            let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            if name.is_empty() || !plain || name.contains(|c: char| c.is_whitespace() || ";\"'#".contains(c))
            {
                faults.push(format!(
                    "the file name `{name}` is not a relative name without `..`, blanks and quotes"
                ));
            }
            if name.starts_with(RESERVED_PREFIX) {
                faults.push(format!("the file name `{name}` begins with the reserved `{RESERVED_PREFIX}`"));
            }
            if !seen.insert(name) {
                faults.push(format!("two files are called `{name}`"));
            }
        }
    }

    fn port_faults(&self, faults: &mut Vec<String>) {
        let mut seen = HashSet::new();
        for Port { name, width_bits, direction } in &self.ports {
            if !is_identifier(name) {
                faults.push(format!("the port name `{name}` is not a plain Verilog identifier"));
            }
            if !seen.insert(name) {
                faults.push(format!("two ports are called `{name}`"));
            }
            if !(1..=MAX_PORT_WIDTH_BITS).contains(width_bits) {
                faults.push(format!(
                    "port `{name}` is {width_bits} bits wide; 1 to {MAX_PORT_WIDTH_BITS} is allowed"
                ));
            }
            if *direction == Direction::Clock && *width_bits != 1 {
                faults.push(format!("clock `{name}` is {width_bits} bits wide; a clock has 1"));
            }
        }
    }

    /// Writes all files under `directory`.
    pub(crate) fn write_files(&self, directory: &Path) -> Result<()> {
        for file in &self.files {
            let path = directory.join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).context("create", parent)?;
            }
            fs::write(&path, &file.text).context("write", path)?;
        }
        Ok(())
    }

    /// Names of the files that a compiler reads.
    pub(crate) fn verilog_names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| file.is_verilog()).map(|file| file.name.as_str())
    }

    /// A module around the top that calls port *i* `p<i>`, so that no tool mangles a name.
    pub(crate) fn wrapper(&self, name: &str) -> String {
        let declarations: Vec<_> = self
            .ports
            .iter()
            .enumerate()
            .map(|(i, port)| port.declaration("wire", &format!("p{i}")))
            .collect();
        let connections: Vec<_> =
            self.ports.iter().enumerate().map(|(i, port)| format!(".{}(p{i})", port.name)).collect();
        let mut text = String::new();
        let _ = writeln!(text, "module {name} (\n  {}\n);", declarations.join(",\n  "));
        let _ = writeln!(
            text,
            "  {} {} (\n    {}\n  );\nendmodule",
            self.top,
            self.top,
            connections.join(",\n    ")
        );
        text
    }
}

/// Whether `name` can stand in Verilog without escaping.
fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
}
