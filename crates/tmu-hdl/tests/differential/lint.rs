//! What four independent readers say about the Verilog of random kernels: nothing, but for what random ones cannot
//! help.

use crate::generate::program;
use crate::harness::source;
use crate::program::Machine;
use tmu_hdl::elaborate::elaborate;
use tmu_verilate::{Batch, Diagnostic, Tools, lint_with_all};

/// Kernels that every reader sees.
const KERNELS: u64 = 200;

/// Findings that say something about the kernels, not about how they are printed.
const WAIVERS: [(&str, &str, &str); 4] = [
    ("Verilator", "UNUSEDSIGNAL", "random kernels leave inputs and bits of sums unused"),
    ("Verilator", "UNSIGNED", "random kernels compare with what is always zero, such as `a - a`"),
    ("Verilator", "CMPCONST", "random kernels compare with what is always one, such as `a == a`"),
    ("slang", "unused-port", "random kernels leave inputs unused"),
];

fn is_waived(found: &Diagnostic) -> bool {
    WAIVERS.iter().any(|&(tool, code, _reason)| found.tool == tool && found.code == code)
}

#[test]
fn no_reader_warns_of_random_kernels() {
    if Tools::are_missing() {
        return;
    }
    let sources = (0..KERNELS).map(|number| {
        let program = program(1, number);
        source(&elaborate(&program.name, &Machine::new(&program)).unwrap_or_else(|e| panic!("{e}")))
    });
    let batch = Batch::new(sources.collect()).unwrap_or_else(|e| panic!("{e}"));
    let found = lint_with_all(batch.source()).unwrap_or_else(|e| panic!("{e}"));
    let files = &batch.source().files;
    let line = |found: &Diagnostic| {
        let (file, number) = found.place.split_once(':')?;
        let text = &files.iter().find(|f| f.name == file)?.text;
        text.lines().nth(number.parse::<usize>().ok()?.checked_sub(1)?)
    };
    let text = |found: &Diagnostic| format!("{found}\n{}", line(found).unwrap_or_default());
    let found: Vec<String> = found.iter().filter(|one| !is_waived(one)).map(text).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
