//! What `#[kernel]` turns Rust into.
//!
//! The attribute rewrites the few forms whose meaning Rust fixes for itself; everything else in a kernel is
//! plain Rust that runs as it stands:
//!
//! | written | becomes | for hardware values |
//! | --- | --- | --- |
//! | `a == b`, `a < b` … | [`HwEq`], [`HwOrd`] | one bit |
//! | `a && b`, `a \|\| b` | [`HwAnd`], [`HwOr`] | one bit |
//! | `if c { … } else { … }` | [`Branch`] | both sides recorded under the condition |
//! | `let x = if c { a } else { b };` | [`Select`] | a multiplexer |
//! | `match value { State::Idle => …, … }` | [`MatchEnum`] | every arm recorded under the codes that take it |
//! | `match bits { 0 => …, 1 \| 2 => …, _ => … }` | [`MatchNumbers`] | the same |
//! | `net.next = value;` | `net.drive(value)` | one driver of the net |
//! | `let sum = a + b;` | [`NameBits`] | a wire called `sum` |
//! | `let red = blend(a, b);`, `for lane in …`, `\|lane\| …` | [`scope`](scope()), [`round`] | where wires of one name differ, they are called `red_sum`, `lane_2_sum` |
//! | `/// text` before a statement | [`comment`] | a comment; `/// # text` is a stage banner |
//!
//! Numbers, `bool`s and everything else known at elaboration keep their Rust meaning, so an `if` on a
//! configuration switch leaves no hardware behind. A Rust variable that changes under a hardware condition has no
//! meaning in hardware once something else depends on it: that is refused, however it changes, since every kernel is
//! run again on single sides of its `if`s and compared with its graph.

mod branch;
mod choice;
mod operators;
mod scope;

pub use branch::{Branch, Mux, OpenBranch, Select, SelectBits, assign_local};
pub use choice::{MatchEnum, MatchNumbers, MatchOther};
pub use operators::{HwAnd, HwEq, HwOr, HwOrd};
pub use scope::{OpenScope, RoundNumber, RoundOther, round, scope};

use crate::bits::Bits;
use crate::record::scope::POSITION_MARK;
use crate::record::{self, Statement};
use crate::signed::Signed;
use std::panic::Location;

/// Gives hardware values the name of their `let`.
pub trait NameBits {
    /// Names the wire that holds the value.
    fn name_value(&self, name: &str);
}

impl NameBits for Bits {
    fn name_value(&self, name: &str) {
        if let Some(node) = self.node {
            record::name_node(node, name);
        }
    }
}

impl NameBits for Signed {
    fn name_value(&self, name: &str) {
        self.0.name_value(name);
    }
}

impl NameBits for Vec<Bits> {
    fn name_value(&self, name: &str) {
        for (i, bits) in self.iter().enumerate() {
            bits.name_value(&format!("{name}{POSITION_MARK}{i}"));
        }
    }
}

impl<const N: usize> NameBits for [Bits; N] {
    fn name_value(&self, name: &str) {
        for (i, bits) in self.iter().enumerate() {
            bits.name_value(&format!("{name}{POSITION_MARK}{i}"));
        }
    }
}

/// The fallback for everything that is not a hardware value: method lookup finds it one reference later.
pub trait NameOther {
    /// Does nothing.
    fn name_value(&self, _: &str) {}
}

impl<T> NameOther for &T {}

/// Keeps a comment of the source in the Verilog.
pub fn comment(text: &str) {
    if record::is_recording() {
        record::statement(Statement::Comment(text.into()));
    }
}

/// Starts a stage of the kernel: a banner in the Verilog.
pub fn banner(text: &str) {
    if record::is_recording() {
        record::statement(Statement::Banner(text.into()));
    }
}

/// States that `value` is deliberately not used, and why; keeps lint quiet about it.
#[track_caller]
pub fn discard(value: Bits, reason: &str) {
    if record::is_recording()
        && let Some(value) = value.as_node(Location::caller())
    {
        record::statement(Statement::Discard { value, reason: reason.into() });
    }
}

/// Declares the latency and the initiation interval of the block, in clocks, for the manifest.
pub fn timing(latency_clocks: u32, initiation_interval_clocks: u32) {
    record::with_body(|body| {
        body.latency_clocks = Some(latency_clocks);
        body.initiation_interval_clocks = Some(initiation_interval_clocks);
    });
}

/// Lays the type and the docs of a kernel beside what it records. Called by the code that `#[kernel]` writes.
pub fn describe(type_name: &str, docs: &str) {
    record::with_body(|body| {
        body.type_name = type_name.into();
        body.docs = docs.into();
    });
}
