//! Blocks written in rust-hdl's own kernel language, `#[hdl_gen]`, are refused by name: their syntax tree has no
//! widths, so nothing that could be trusted can be printed from it.

use crate::design::BlockDesign;
use crate::diagnostic::{Diagnostic, Rule};
use rust_hdl::core::ast::Verilog;
use rust_hdl::core::prelude::Atom;

/// A rust-hdl block until all of its signals are known.
pub(crate) struct Foreign {
    verilog: Verilog,
}

impl Foreign {
    pub(crate) fn new(verilog: Verilog) -> Foreign {
        Foreign { verilog }
    }

    /// Notes a signal of the block.
    pub(crate) fn atom(&mut self, _: &str, _: &dyn Atom) {}
}

/// Refuses a block that recorded no kernel of this crate.
pub(crate) fn import(blocks: &mut [BlockDesign], index: usize, foreign: Foreign) -> Vec<Diagnostic> {
    let _ = foreign.verilog;
    vec![Diagnostic {
        rule: Rule::Unsupported,
        block: blocks[index].path.clone(),
        message: "the block has no kernel of this crate".into(),
        places: vec![],
        remedy: "write it with #[kernel]",
    }]
}
