//! What readers of Verilog say of a stage.

use tmu_testing::setting;
use tmu_verilate::{ModelSource, Tools, WAIVERS, lint_with_all, verilator_lint};

/// Nobody has anything to say of these stages, each of a configuration of this name, whatever is left out of it.
///
/// A stage is read by Verilator alone, which takes a fifth of the time of all four; in the long run by Icarus, Yosys and slang, too.
pub(crate) fn assert_no_reader_warns<N: AsRef<str>>(stages: impl IntoIterator<Item = (N, ModelSource)>) {
    if Tools::are_missing() {
        return;
    }
    let asks_all = setting("TMUGEN_ALL_READERS").is_some();
    let mut said = vec![];
    for (name, stage) in stages {
        let found = if asks_all { lint_with_all(&stage) } else { verilator_lint(&stage, WAIVERS) };
        let found = found.unwrap_or_else(|refused| panic!("{refused}"));
        said.extend(found.into_iter().map(|found| format!("{} {}: {found}", name.as_ref(), stage.top)));
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}
