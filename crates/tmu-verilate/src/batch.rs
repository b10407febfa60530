//! Many independent modules as one model.
//!
//! Compiling dominates when small modules are run for a few hundred clocks, so thousands of them are put under
//! one generated top, a hundred or so at a time (see [`Batch::MEMBERS`]), which instantiates each and shows its
//! ports as `m<i>_<port>`.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::rows::{FourStateRows, RowLayout, Rows, Schedule};
use crate::source::{ModelSource, Port, SourceFile};

/// Name of the generated top module and its file.
const TOP: &str = "batched_modules";

/// Modules joined under one top.
#[derive(Debug)]
pub struct Batch {
    source: ModelSource,
    members: Vec<ModelSource>,
}

impl Batch {
    /// How many members build fastest for each, measured with random modules of 20 to 40 lines and up to 300 bits
    /// under [`OptimizeFor::BuildTime`](crate::OptimizeFor): 30 ms of processor time each at 50 members, 26 ms at 100
    /// to 200, 35 ms at 400, where Verilator's own time grows faster than the design. Icarus takes 4 ms with 64 rows.
    pub const MEMBERS: usize = 100;

    /// Joins `members`. Files of the same name and text are taken once.
    ///
    /// # Errors
    /// [`Error::Source`] if two members have different files of one name, or define a module of one name in
    /// different files.
    pub fn new(members: Vec<ModelSource>) -> Result<Self> {
        members.iter().try_for_each(ModelSource::validate)?;
        let top = SourceFile::new(format!("{TOP}.v"), top_module(&members));
        let files = joined_files(members.iter().flat_map(|member| &member.files).chain([&top]))?;
        let ports = members.iter().enumerate().flat_map(|(i, member)| {
            member.ports.iter().map(move |port| Port { name: format!("m{i}_{}", port.name), ..port.clone() })
        });
        let source = ModelSource { top: TOP.to_owned(), ports: ports.collect(), files };
        Ok(Self { source, members })
    }

    /// The joined source: port `a` of member 17 is `m17_a`.
    pub fn source(&self) -> &ModelSource {
        &self.source
    }

    /// The members in order.
    pub fn members(&self) -> &[ModelSource] {
        &self.members
    }

    /// Puts the members' input rows side by side.
    ///
    /// # Errors
    /// If there is not one set of rows for each member, laid out for it, all with the same number of rows.
    pub fn join(&self, schedule: Schedule, rows: &[Rows]) -> Result<Rows> {
        let count = rows.first().map_or(0, Rows::len);
        let fits = |member: &ModelSource, rows: &Rows| {
            rows.len() == count && *rows.layout() == RowLayout::inputs(member, schedule)
        };
        let expected = self.members.len();
        if rows.len() != expected || !self.members.iter().zip(rows).all(|(member, rows)| fits(member, rows)) {
            let rule = "one set of input rows for each, all of the same length and under the same schedule";
            return Err(Error::Usage(format!("a batch of {expected} members needs {rule}")));
        }
        let mut joined = Rows::zeros(RowLayout::inputs(&self.source, schedule), count);
        for row in 0..count {
            let mut to = joined.row_mut(row);
            for from in rows.iter().map(|rows| rows.row(row)) {
                let (head, rest) = to.split_at_mut(from.len());
                head.copy_from_slice(from);
                to = rest;
            }
        }
        Ok(joined)
    }

    /// Takes the outputs of a run apart again, by member.
    ///
    /// # Panics
    /// If `outputs` are not those of this batch.
    pub fn split(&self, outputs: &Rows) -> Vec<Rows> {
        assert_eq!(*outputs.layout(), RowLayout::outputs(&self.source), "the outputs of another model");
        let mut start = 0;
        let parts = self.members.iter().map(|member| {
            let layout = RowLayout::outputs(member);
            let words = layout.words();
            let mut part = Rows::zeros(layout, outputs.len());
            for row in 0..outputs.len() {
                part.row_mut(row).copy_from_slice(&outputs.row(row)[start..][..words]);
            }
            start += words;
            part
        });
        parts.collect()
    }

    /// [`Batch::split`] for four-valued outputs.
    ///
    /// # Panics
    /// If `outputs` are not those of this batch.
    pub fn split_four_state(&self, outputs: &FourStateRows) -> Vec<FourStateRows> {
        let (values, unknowns) = (self.split(&outputs.value), self.split(&outputs.unknown));
        values.into_iter().zip(unknowns).map(|(value, unknown)| FourStateRows { value, unknown }).collect()
    }
}

/// Each file once, with no module defined twice.
fn joined_files<'a>(all: impl Iterator<Item = &'a SourceFile>) -> Result<Vec<SourceFile>> {
    let mut faults = Vec::new();
    let mut texts: HashMap<&str, &str> = HashMap::new();
    let mut modules: HashMap<&str, &str> = HashMap::new();
    let mut files = Vec::new();
    for file in all {
        match texts.insert(&file.name, &file.text) {
            Some(known) if known == file.text => continue,
            Some(_) => faults.push(format!("two members have different files called `{}`", file.name)),
            None => {}
        }
        for module in file.is_verilog().then(|| module_names(&file.text)).into_iter().flatten() {
            if let Some(other) = modules.insert(module, &file.name) {
                faults.push(format!("module `{module}` is defined in `{other}` and in `{}`", file.name));
            }
        }
        files.push(file.clone());
    }
    if faults.is_empty() { Ok(files) } else { Err(Error::Source { top: TOP.to_owned(), faults }) }
}

fn top_module(members: &[ModelSource]) -> String {
    let all = || members.iter().enumerate();
    let ports: Vec<_> = all()
        .flat_map(|(i, member)| {
            member.ports.iter().map(move |port| port.declaration("wire", &format!("m{i}_{}", port.name)))
        })
        .collect();
    let mut text = format!("module {TOP} (\n  {}\n);\n", ports.join(",\n  "));
    for (i, member) in all() {
        let pins: Vec<_> = member.ports.iter().map(|port| format!(".{0}(m{i}_{0})", port.name)).collect();
        let _ = writeln!(text, "  {} m{i} (\n    {}\n  );", member.top, pins.join(",\n    "));
    }
    text + "endmodule\n"
}

/// Names of the modules that a Verilog text defines.
fn module_names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let starts = words.filter_map(|line| line.trim_start().strip_prefix("module "));
    let identifier = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    starts.map(move |rest| {
        let rest = rest.trim_start();
        &rest[..rest.find(|c| !identifier(c)).unwrap_or(rest.len())]
    })
}
