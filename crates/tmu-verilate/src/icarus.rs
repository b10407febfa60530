//! The same rows through Icarus Verilog, an event-driven simulator with four-valued bits.
//!
//! A generated test bench reads rows of hexadecimal values, applies them, and writes the outputs in binary, so
//! that X and Z stay visible. Compiled once for a schedule; each run starts the simulator anew. Some hundred
//! times slower than a verilated model.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::error::{Error, IoContext as _, Result};
use crate::rows::{FourStateRows, RowLayout, Rows, Schedule, hex_digits};
use crate::source::{Direction, ModelSource, Port};
use crate::tools::Tools;

const BENCH: &str = "tmuv_bench";
const INPUT_FILE: &str = "tmuv_in.txt";
const OUTPUT_FILE: &str = "tmuv_out.txt";
/// Values in one call of a system task.
const VALUES_PER_CALL: usize = 64;

/// A source compiled for Icarus under one schedule.
#[derive(Debug)]
pub struct IcarusModel {
    source: ModelSource,
    schedule: Schedule,
    directory: TempDir,
    warnings: String,
}

impl IcarusModel {
    /// Compiles `source` as Verilog-2001 with a test bench around it.
    ///
    /// # Errors
    /// [`Error::Source`], [`Error::Tool`] with Icarus's text, [`Error::MissingTool`].
    pub fn build(source: &ModelSource, schedule: Schedule) -> Result<Self> {
        source.validate()?;
        let tool = Tools::iverilog()?;
        let directory =
            TempDir::with_prefix("tmuv-icarus-").context("create a directory in", std::env::temp_dir())?;
        source.write_files(directory.path())?;
        let bench = directory.path().join(format!("{BENCH}.v"));
        fs::write(&bench, test_bench(source, schedule)).context("write", bench)?;

        let mut command = tool.command();
        command.args(["-g2001", "-Wall", "-s", BENCH, "-o", "model.vvp"]);
        command.args(source.verilog_names()).arg(format!("{BENCH}.v"));
        let done = tool.finish(&mut command, directory.path())?;
        if !done.success {
            return Err(done.into_error("Icarus Verilog", &source.top));
        }
        Ok(Self { source: source.clone(), schedule, directory, warnings: done.output() })
    }

    /// What Icarus warned of, as it wrote it; empty for clean Verilog.
    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// Runs the rows from time 0, with every register X that has no initial value.
    ///
    /// # Errors
    /// [`Error::Usage`] if the rows are not laid out for this source and schedule; [`Error::Tool`] if the
    /// simulator fails or the Verilog stops it early.
    pub fn run(&self, inputs: &Rows) -> Result<FourStateRows> {
        let Self { source, schedule, .. } = self;
        if *inputs.layout() != RowLayout::inputs(source, *schedule) {
            let top = &source.top;
            return Err(Error::Usage(format!(
                "the rows are not laid out for the inputs of `{top}` under {schedule:?}"
            )));
        }
        let tool = Tools::vvp()?;
        // Each run in a directory of its own, beside the files that the Verilog reads by relative name.
        let work =
            TempDir::with_prefix("tmuv-vvp-").context("create a directory in", std::env::temp_dir())?;
        for file in source.files.iter().filter(|file| !file.is_verilog()) {
            let one = ModelSource { top: String::new(), files: vec![file.clone()], ports: Vec::new() };
            one.write_files(work.path())?;
        }
        let input = work.path().join(INPUT_FILE);
        fs::write(&input, input_text(inputs)).context("write", input)?;
        let mut command = tool.command();
        command.arg("-n").arg(self.directory.path().join("model.vvp"));
        let done = tool.finish(&mut command, work.path())?;
        if !done.success {
            return Err(done.into_error("vvp", &source.top));
        }
        let rows = read_output(&work.path().join(OUTPUT_FILE), RowLayout::outputs(source))?;
        if rows.value.len() != inputs.len() {
            let status = format!("after {} of {} rows", rows.value.len(), inputs.len());
            return Err(Error::Tool { tool: "vvp", top: source.top.clone(), output: done.output(), status });
        }
        Ok(rows)
    }
}

/// One line of hexadecimal values for each row.
fn input_text(inputs: &Rows) -> String {
    let mut text = String::new();
    for row in 0..inputs.len() {
        for column in inputs.layout().columns() {
            let _ = write!(text, "{} ", hex_digits(inputs.value(row, column), column.width_bits));
        }
        // A row without columns still counts: the bench reads lines by this mark.
        text.push_str("1\n");
    }
    text
}

fn test_bench(source: &ModelSource, schedule: Schedule) -> String {
    let ports = || source.ports.iter().enumerate();
    let names = |take: &dyn Fn(&Port) -> bool| -> Vec<String> {
        ports().filter(|(_, port)| take(port)).map(|(i, _)| format!("p{i}")).collect()
    };
    let clocks = names(&|port| port.direction == Direction::Clock);
    let outputs = names(&|port| port.direction == Direction::Output);
    // What is read goes to `n<i>` first and is applied in order: data, then clocks.
    let rows = RowLayout::inputs(source, schedule);
    let read: Vec<_> = rows.columns().iter().map(|column| format!("n{}", column.port)).collect();
    let data: Vec<_> = names(&|port| port.direction == Direction::Input);

    let mut text = format!("module {BENCH};\n");
    for (i, port) in ports() {
        let range =
            if port.width_bits == 1 { String::new() } else { format!(" [{}:0]", port.width_bits - 1) };
        let _ = match port.direction {
            Direction::Output => writeln!(text, "  wire{range} p{i};"),
            _ => writeln!(text, "  reg{range} p{i} = 0, n{i} = 0;"),
        };
    }
    let connections: Vec<_> = ports().map(|(i, port)| format!(".{}(p{i})", port.name)).collect();
    let _ = writeln!(text, "  integer in, out, got;\n  reg mark;");
    let _ = writeln!(text, "  {} {} (\n    {}\n  );", source.top, source.top, connections.join(",\n    "));
    let _ = writeln!(text, "  initial begin\n    in = $fopen(\"{INPUT_FILE}\", \"r\");");
    let _ = writeln!(
        text,
        "    out = $fopen(\"{OUTPUT_FILE}\", \"w\");\n    got = 1;\n    while (got == 1) begin"
    );
    for call in read.chunks(VALUES_PER_CALL) {
        let _ =
            writeln!(text, "      got = $fscanf(in, \"{}\", {});", "%h ".repeat(call.len()), call.join(", "));
    }
    let _ = writeln!(text, "      got = $fscanf(in, \"%b\\n\", mark);\n      if (got == 1) begin");
    let assign = |text: &mut String, names: &[String], value: &dyn Fn(&str) -> String| {
        for name in names {
            let _ = writeln!(text, "        {name} = {};", value(&name[1..]));
        }
    };
    assign(&mut text, &data, &|index| format!("n{index}"));
    let _ = writeln!(text, "        #1;");
    match schedule {
        Schedule::Evaluations => assign(&mut text, &clocks, &|index| format!("n{index}")),
        Schedule::Cycles => assign(&mut text, &clocks, &|_| "1'b0".to_owned()),
    }
    let _ = writeln!(text, "        #1;");
    for call in outputs.chunks(VALUES_PER_CALL) {
        let _ =
            writeln!(text, "        $fwrite(out, \"{}\", {});", "%b ".repeat(call.len()), call.join(", "));
    }
    let _ = writeln!(text, "        $fwrite(out, \"\\n\");");
    if schedule == Schedule::Cycles {
        assign(&mut text, &clocks, &|_| "1'b1".to_owned());
        let _ = writeln!(text, "        #1;");
    }
    text + "      end\n    end\n    $fclose(out);\n    $finish;\n  end\nendmodule\n"
}

fn read_output(path: &Path, layout: RowLayout) -> Result<FourStateRows> {
    let text = fs::read_to_string(path).context("read", path)?;
    let rows = text.lines().count();
    let mut read = FourStateRows {
        value: Rows::zeros(layout.clone(), rows),
        unknown: Rows::zeros(layout.clone(), rows),
    };
    for (row, line) in text.lines().enumerate() {
        let mut values = line.split_whitespace();
        for column in layout.columns() {
            let digits = values.next().unwrap_or_default();
            if digits.len() != column.width_bits as usize {
                let reason =
                    format!("row {row}: `{}` has {} bits, found `{digits}`", column.name, column.width_bits);
                return Err(Error::Output { tool: "vvp", reason });
            }
            for (bit, digit) in digits.bytes().rev().enumerate() {
                let (value, unknown) = match digit {
                    b'0' => (0, 0),
                    b'1' => (1, 0),
                    b'z' => (0, 1),
                    _ => (1, 1),
                };
                read.value.value_mut(row, column)[bit / 32] |= value << (bit % 32);
                read.unknown.value_mut(row, column)[bit / 32] |= unknown << (bit % 32);
            }
        }
    }
    Ok(read)
}
