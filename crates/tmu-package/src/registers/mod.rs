//! The register map in the languages of those who use it.
//!
//! All are views of the one table in `tmu_rtl::system::registers`. The map of a configuration is written beside its Verilog:
//! SystemRDL and Rust here; Markdown, C and IP-XACT by `tmu-rtl`. The map without a configuration is what drivers are
//! compiled with, since it is the same for every core, and what `docs/reference/registers.md` shows.

mod driver;
mod page;
mod rust;
mod systemrdl;

pub use driver::c_header as driver_c_header;
pub use page::{engine_page, page};
pub use rust::{formats as driver_rust_formats, module_of_any as driver_rust_module};

use crate::header;
use tmu_rtl::outputs::OutputFile;
use tmu_rtl::system::registers::Field;
use tmu_spec::Config;

/// What is written for a configuration: nothing, if it has no control port.
#[must_use]
pub fn files(config: &Config) -> Vec<OutputFile> {
    if !config.control().port() {
        return Vec::new();
    }
    let (name, header) = (config.name(), header(config));
    vec![
        OutputFile { name: format!("{name}_registers.rdl"), text: systemrdl::addrmap(config, &header) },
        OutputFile { name: format!("{name}_registers.rs"), text: rust::module_of(config, &header) },
    ]
}

/// Bits of a field as people write them: `7:4`, or `3`.
fn bits(field: &Field) -> String {
    match field.width_bits {
        1 => field.shift.to_string(),
        width => format!("{}:{}", field.shift + width - 1, field.shift),
    }
}
