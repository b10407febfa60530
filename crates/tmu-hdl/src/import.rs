//! Import of blocks written in rust-hdl's own kernel language, `#[hdl_gen]`.

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

/// Turns the block's rust-hdl syntax tree into a recorded body.
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
