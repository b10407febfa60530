//! Properties in kernels: what must hold, what may be relied on, what must be possible.
//!
//! ```
//! use tmu_hdl::prelude::*;
//!
//! /// Counts up to a limit and no further.
//! #[derive(LogicBlock)]
//! struct UpTo {
//!     clocks: Clocks,
//!     step: Net<In>,
//!     count: Net<Out>,
//!     number: Reg,
//! }
//!
//! #[kernel]
//! impl UpTo {
//!     fn logic(&self) {
//!         let number = self.number.val();
//!         if self.step.val() && number < 9 {
//!             self.number.next = number + 1;
//!         }
//!         self.count.next = number;
//!         assert(number <= 9, "the limit is kept");
//!         if self.step.val() {
//!             cover(number == 9, "a step at the limit");
//!         }
//!     }
//! }
//! # let clocks = Clocks::new();
//! # let number = Reg::with_reset(&clocks, 4, 0);
//! # let block = UpTo { clocks, step: Net::bit(), count: Net::new(4), number };
//! # assert!(tmu_hdl::elaborate::elaborate("up_to", &block).is_ok());
//! ```
//!
//! A property is sampled at each rising edge of the clock of its block, with the values before the edge, and counts
//! where every hardware `if` around it is taken and the reset of that clock is low. A block of several clocks says
//! which: [`assert_on`], [`assume_on`], [`cover_on`].
//!
//! The interpreter ([`crate::simulate`]) checks assertions and assumptions and counts covers. The Verilog has them
//! under `` `ifdef FORMAL `` as `assert`, `assume` and `cover` for provers, and under `` `ifdef TMUGEN_ASSERT `` for
//! simulators; synthesis sees neither.

use crate::bits::Bits;
use crate::clock::Clocks;
use crate::design::Design;
use crate::diagnostic::{Problem, Rule, Source, bits, refusal};
use crate::record::{self, AtomId, NodeId, Statement};
use crate::value::Value;
use std::panic::Location;

/// What a property states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// It must always hold.
    Assert,
    /// It always holds, because of what the block is connected to.
    Assume,
    /// It must be possible.
    Cover,
}

impl PropertyKind {
    /// The keyword, here and in Verilog.
    pub fn keyword(self) -> &'static str {
        match self {
            PropertyKind::Assert => "assert",
            PropertyKind::Assume => "assume",
            PropertyKind::Cover => "cover",
        }
    }
}

/// A property that a kernel recorded.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it states.
    pub kind: PropertyKind,
    /// One bit.
    pub condition: NodeId,
    /// What it means, in words.
    pub text: String,
    /// Clock and reset; the only ones of the block where there are none.
    pub clocks: Option<(AtomId, Option<AtomId>)>,
    /// Where it was written.
    pub source: Source,
}

/// A condition of a property: one bit, or what elaboration knows.
pub trait Condition {
    /// As one bit.
    fn into_condition(self) -> Bits;
}

impl Condition for Bits {
    fn into_condition(self) -> Bits {
        self
    }
}

impl Condition for bool {
    fn into_condition(self) -> Bits {
        Bits::constant(Value::from_bool(self))
    }
}

macro_rules! properties {
    ($($name:ident, $on:ident, $kind:ident, $docs:literal;)*) => {$(
        #[doc = $docs]
        #[track_caller]
        pub fn $name(condition: impl Condition, text: &str) {
            add(PropertyKind::$kind, None, condition.into_condition(), text, Location::caller());
        }

        #[doc = $docs]
        ///
        /// Sampled on these clocks, in a block that has several.
        #[track_caller]
        pub fn $on(clocks: &Clocks, condition: impl Condition, text: &str) {
            let clocks = (clocks.clk.id(), clocks.rst.as_ref().map(crate::net::Net::id));
            add(PropertyKind::$kind, Some(clocks), condition.into_condition(), text, Location::caller());
        }
    )*};
}
properties! {
    assert, assert_on, Assert, "States that `condition` holds at every edge that reaches this place.";
    assume, assume_on, Assume, "States that whatever drives the block keeps `condition`.";
    cover, cover_on, Cover, "States that `condition` can be met here.";
}

fn add(
    kind: PropertyKind,
    clocks: Option<(AtomId, Option<AtomId>)>,
    condition: Bits,
    text: &str,
    source: Source,
) {
    if !record::is_recording() {
        return;
    }
    if condition.width() != 1 {
        record::refuse(
            Rule::Width,
            format!("`{}` takes one bit, not {}", kind.keyword(), bits(condition.width())),
            vec![("written".into(), source), condition.describe("condition", source)],
            "compare with a number, or reduce with any() or all()",
        );
    } else if let Some(condition) = condition.as_node(source) {
        let text = text.to_string();
        record::statement(Statement::Property(Property { kind, condition, text, clocks, source }));
    }
}

/// The clock on which a property is sampled, and its reset.
pub(crate) fn clock(design: &Design, block: usize, property: &Property) -> Option<(AtomId, Option<AtomId>)> {
    property.clocks.or_else(|| {
        let mut clocks = clocks_of(design, block).into_iter();
        clocks.next().filter(|_| clocks.next().is_none())
    })
}

/// Clock ports of a block with their resets.
fn clocks_of(design: &Design, block: usize) -> Vec<(AtomId, Option<AtomId>)> {
    let nets = &design.blocks[block].nets;
    let clock = |net: &crate::design::NetDesign| {
        let prefix = net.name.strip_suffix("clk")?;
        let reset = nets.iter().find(|n| n.is_port() && n.name.strip_suffix("rst") == Some(prefix));
        net.is_port().then_some((net.id, reset.map(|n| n.id)))
    };
    nets.iter().filter_map(clock).collect()
}

/// Properties whose clock is not known.
pub(crate) fn check(design: &Design) -> Vec<Problem> {
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        for_each(&block.body.statements, &mut |property| {
            if clock(design, index, property).is_none() {
                let count = clocks_of(design, index).len();
                found.push(refusal(
                    Rule::Unsupported,
                    &block.path,
                    format!(
                        "`{}` of a block with {count} clocks does not say on which it is sampled: \"{}\"",
                        property.kind.keyword(),
                        property.text
                    ),
                    [("written".into(), property.source)],
                    "give the block one `Clocks`, or name them: assert_on(&self.clocks, …)",
                ));
            }
        });
    }
    found
}

/// Calls `f` for every property among `statements`.
pub(crate) fn for_each(statements: &[Statement], f: &mut impl FnMut(&Property)) {
    for statement in statements {
        match statement {
            Statement::Property(property) => f(property),
            Statement::If { then, otherwise, .. } => {
                for_each(then, f);
                for_each(otherwise, f);
            }
            _ => {}
        }
    }
}
