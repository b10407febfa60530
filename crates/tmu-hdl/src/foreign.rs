//! Blocks that have no kernel of this crate are refused by name.
//!
//! That concerns above all blocks in rust-hdl's own kernel language, `#[hdl_gen]`: the syntax tree that it leaves
//! behind has no widths and no places in the source, so nothing that could be trusted can be printed from it. For
//! the same reason no adapter takes rust-hdl's widgets in: what a widget means stands in that tree and in Verilog text of
//! its own, and an adapter would have to guess widths, clocks and resets that our checks rely on. Each is refused by its
//! name, with the part that takes its place.

mod widgets;

use crate::diagnostic::{self, Problem, Rule};
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::prelude::Block;

/// The refusal of `block` at `path`, which returned `verilog` as its hardware.
pub(crate) fn refusal(path: &str, block: &dyn Block, verilog: &Verilog) -> Problem {
    let (message, remedy) = match verilog {
        Verilog::Combinatorial(_) => (
            "the block is written in rust-hdl's own kernel language, `#[hdl_gen]`, which has no widths",
            "write its kernel with #[kernel]: `fn logic(&self)` in an impl block, nets from tmu_hdl::prelude",
        ),
        Verilog::Custom(_) | Verilog::Blackbox(_) | Verilog::Wrapper(_) => (
            "the block brings Verilog that nothing is known of",
            "describe it with tmu_hdl::primitive::describe, which takes its text, timing and cost",
        ),
        Verilog::Empty => (
            "the block has neither a kernel nor a primitive's description",
            "write its kernel with #[kernel], or make a struct that only holds nets a bundle: #[derive(Bundle)]",
        ),
    };
    let (message, remedy) = match widgets::widget(block) {
        Some(widget) => {
            let why = message.strip_prefix("the block ").unwrap_or(message);
            (format!("the block is rust-hdl's widget {}: it {why}", widget.name), widget.remedy)
        }
        None => (message.into(), remedy),
    };
    diagnostic::refusal(Rule::Unsupported, path, message, [], remedy)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::testing::refusals;
    use rust_hdl_core::prelude::{Bit, Bits as StockBits, Signal, ast, hdl_gen};

    /// What rust-hdl's own printer turns into `a & (b == c)`.
    #[derive(LogicBlock, Default)]
    struct Hazard {
        a: Signal<In, StockBits<8>>,
        b: Signal<In, StockBits<8>>,
        c: Signal<In, StockBits<8>>,
        equal: Signal<Out, Bit>,
    }

    impl Logic for Hazard {
        #[hdl_gen]
        fn update(&mut self) {
            self.equal.next = self.a.val() & self.b.val() == self.c.val();
        }
    }

    /// Verilog of its own.
    #[derive(LogicBlock)]
    struct Text {
        a: Net<In>,
    }

    impl Logic for Text {
        fn update(&mut self) {}
        fn hdl(&self) -> Verilog {
            Verilog::Custom("assign b = a;".into())
        }
    }

    #[derive(LogicBlock)]
    struct Nothing {
        a: Net<In>,
    }

    impl Logic for Nothing {
        fn update(&mut self) {}
    }

    #[derive(LogicBlock)]
    struct Around {
        hazard: Hazard,
        text: Text,
        nothing: Nothing,
    }

    #[kernel]
    impl Around {
        fn logic(&self) {}
    }

    #[test]
    fn blocks_without_a_kernel_are_refused_by_name() {
        let block = Around {
            hazard: Hazard::default(),
            text: Text { a: Net::bit() },
            nothing: Nothing { a: Net::bit() },
        };
        let expected = "\
error[H008]: the block is written in rust-hdl's own kernel language, `#[hdl_gen]`, which has no widths
  in top.hazard
  help: write its kernel with #[kernel]: `fn logic(&self)` in an impl block, nets from tmu_hdl::prelude
error[H008]: the block brings Verilog that nothing is known of
  in top.text
  help: describe it with tmu_hdl::primitive::describe, which takes its text, timing and cost
error[H008]: the block has neither a kernel nor a primitive's description
  in top.nothing
  help: write its kernel with #[kernel], or make a struct that only holds nets a bundle: #[derive(Bundle)]";
        assert_eq!(refusals("top", &block), expected);
    }
}
