//! What Vivado needs: a packaged IP and scripts.
//!
//! | file | what it is |
//! | --- | --- |
//! | `component.xml` | the IP in the folder, in the namespaces of IEEE 1685-2009; the folder is an IP repository |
//! | `vivado_synth.tcl` | synthesis of the core by itself, with timing and utilisation |
//! | `vivado_example.tcl` | a design for Kria KV260 or ZCU104: processor, clocks, DMA, the core; for texture units alone |
//!
//! Vivado has not run any of them: `docs/reference/vivado.md` says what has been checked and how.

mod component;
mod tcl;

use crate::header;
use tmu_rtl::outputs::{Hardware, OutputFile};
use tmu_spec::config::EngineKind;

/// What is written for Vivado, given the files that are written before it.
#[must_use]
pub fn files(hardware: &Hardware, before: &[OutputFile]) -> Vec<OutputFile> {
    let (config, manifest) = (hardware.config(), hardware.manifest());
    let header = header(config);
    let names: Vec<_> = before.iter().map(|file| file.name.as_str()).collect();
    let file = |name: &str, text| OutputFile { name: name.to_owned(), text };
    let mut files = vec![
        file("component.xml", component::component(config, manifest, &names, &header)),
        file("vivado_synth.tcl", tcl::synthesis(config, manifest, &names, &header)),
    ];
    if config.engines() == [EngineKind::Sampler] {
        files.push(file("vivado_example.tcl", tcl::example(config, manifest, &header)));
    }
    files
}
