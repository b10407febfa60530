//! A block in Rust against its Verilog under Verilator and Icarus, in one call.
//!
//! ```no_run
//! use tmu_cosim::{Stimulus, compare};
//! use tmu_hdl::prelude::*;
//! use tmu_hdl::primitives::SkidBuffer;
//!
//! // Inputs at random for 1000 clocks. A difference comes back as the shortest stimulus that shows it.
//! compare("skid", || SkidBuffer::new(8), &Stimulus::random(1000)).unwrap_or_else(|failure| panic!("{failure}"));
//! ```
//!
//! Four readings of one block run the same rows of inputs: the interpreter of the recorded graph, the kernels
//! themselves on numbers (for the first [`KERNEL_ROWS`] rows, since they are slow), and the emitted Verilog in Verilator
//! and in Icarus. The interpreter knows which bits nobody has defined yet; those are compared with nothing, all others
//! bit by bit, and a bit that it knows must be known to Icarus.
//!
//! Where something differs, the stimulus is made shorter and emptier for as long as the same output still differs
//! in the same reading, and what is left is shown as a table with the seed that repeats it.
//!
//! A block costs a second or two for the first build of its model; later runs take it from the cache. [`Members`] holds
//! many small blocks, with rows and results that are there already, to both tools in one build.

mod batch;
mod run;
mod shrink;
mod source;
mod stimulus;

pub use batch::{Differences, Member, Members};
pub use run::{Engines, Reading, from_value, to_value};
pub use source::{ports, source};
pub use stimulus::{Bursts, Fix, Stimulus, generator, random_value};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use tmu_hdl::diagnostic::Problems;
use tmu_hdl::rust_hdl::core::prelude::Block;
use tmu_verilate::{FourStateRows, Rows};

/// Rows that the kernels run along.
pub const KERNEL_ROWS: usize = 200;

/// What was compared.
#[derive(Clone, Debug)]
pub struct Report {
    /// Rows of inputs.
    pub rows: usize,
    /// Readings that ran beside the interpreter.
    pub readings: Vec<Reading>,
    /// Tools that are not installed, and so compared nothing.
    pub missing_tools: Vec<String>,
    /// Bits of outputs that were defined and compared, in each reading that ran all rows.
    pub compared_bits: u64,
}

/// Why a comparison failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The block keeps not every rule.
    #[error("{0}")]
    Design(#[from] Problems),
    /// A tool refused the Verilog.
    #[error("{0}")]
    Tool(#[from] tmu_verilate::Error),
    /// A property of a kernel does not hold.
    #[error("{0}")]
    Property(#[from] tmu_hdl::simulate::Failure),
    /// Two readings differ.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
}

/// The shortest stimulus that was found to make two readings differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Name of the block.
    pub name: String,
    /// Which reading differs from the interpreter.
    pub reading: Reading,
    /// The output.
    pub port: String,
    /// Inputs; the last row shows the difference.
    pub inputs: Rows,
    /// What the interpreter says.
    pub expected: FourStateRows,
    /// What the other reading says.
    pub got: FourStateRows,
    /// Rows of the stimulus before it was made shorter.
    pub rows_before: usize,
    /// The seed of the stimulus.
    pub seed: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { name, reading, port, rows_before, seed, inputs, .. } = self;
        let rows = inputs.len();
        writeln!(f, "{name}: {reading} differs from Rust in `{port}` ({rows} rows left of {rows_before})")?;
        let Some(column) = self.expected.value.layout().column(port) else { return Ok(()) };
        let mut table = vec![vec!["row".to_string()]];
        table[0].extend(inputs.layout().columns().iter().map(|c| c.name.clone()));
        table[0].extend([format!("{port} expected"), "got".to_string()]);
        for row in 0..rows {
            let mut line = vec![row.to_string()];
            line.extend(inputs.layout().columns().iter().map(|c| hexadecimal(inputs.value(row, c))));
            line.extend([self.expected.digits(row, column), self.got.digits(row, column)]);
            table.push(line);
        }
        let widths: Vec<usize> =
            (0..table[0].len()).map(|i| table.iter().map(|line| line[i].len()).max().unwrap_or(0)).collect();
        for line in &table {
            let cells: Vec<String> =
                line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
            writeln!(f, "  {}", cells.join("  "))?;
        }
        write!(f, "repeat with the seed {seed}: Stimulus::random(…).seed({seed})")
    }
}

fn hexadecimal(words: &[u32]) -> String {
    let text: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
    let digits = text.trim_start_matches('0');
    if digits.is_empty() { "0".into() } else { digits.into() }
}

/// Compares the readings of the block that `make` makes under a stimulus. Without Verilator or Icarus those readings are
/// left out, which [`Report::missing_tools`] says.
///
/// # Errors
/// What elaboration or a tool refuses, a property that does not hold, or the shortest stimulus that shows a difference.
pub fn compare<B: Block>(name: &str, make: impl Fn() -> B, stimulus: &Stimulus) -> Result<Report, Error> {
    compare_changed(name, make, stimulus, |text| text)
}

/// As [`compare`], with the Verilog changed on its way to the tools: how a test plants a fault that must be found.
///
/// # Errors
/// As [`compare`].
pub fn compare_changed<B: Block>(
    name: &str,
    make: impl Fn() -> B,
    stimulus: &Stimulus,
    change: impl Fn(String) -> String,
) -> Result<Report, Error> {
    let mut engines = Engines::new(name, make, change)?;
    let mut rng = ChaCha8Rng::seed_from_u64(stimulus.seed_value());
    let inputs = stimulus.make(&engines.input_layout(), &mut rng);
    let expected = engines.interpreter(&inputs)?;
    let mut report = Report {
        rows: inputs.len(),
        readings: vec![],
        missing_tools: engines.missing_tools(),
        compared_bits: run::defined_bits(&expected),
    };
    for reading in engines.readings() {
        let got = engines.run(reading, &inputs)?;
        report.readings.push(reading);
        if let Some(difference) = run::difference(&expected, &got) {
            let mismatch =
                shrink::shrink(&mut engines, reading, &inputs, &difference, stimulus.seed_value())?;
            return Err(Error::Mismatch(Box::new(mismatch)));
        }
    }
    Ok(report)
}
