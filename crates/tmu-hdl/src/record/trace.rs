//! The tree of hardware branches that one run of a kernel went through, and which sides a run takes.
//!
//! A branch is known by its place in the tree: the side of the branch around it, and its number among the
//! branches there. So the same branch is found in every run, as long as the kernel's course does not depend on the
//! sides that were taken.

use super::NodeId;
use crate::diagnostic::Source;
use std::rc::Rc;

/// A stretch of a kernel that runs or does not run as a whole: one side of a branch, or what is outside of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Outside of all branches.
    Top,
    /// A side of a branch: the occurrence, and whether it is the `then` side.
    Side(usize, bool),
}

/// What a branch depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A bit of hardware.
    Node(NodeId),
    /// A constant bit: one side does not exist.
    Constant(bool),
}

/// One branch of a run. A branch of a loop occurs once for each round.
#[derive(Debug)]
pub(crate) struct Occurrence {
    /// Where it stands.
    pub(crate) region: Region,
    /// What it depends on.
    pub(crate) condition: Condition,
    /// Where it was written.
    pub(crate) source: Source,
    /// The side that ran; `None` for both.
    pub(crate) taken: Option<bool>,
    /// The branches inside its sides, `otherwise` first.
    pub(crate) inside: [Vec<usize>; 2],
    /// True when a side did more than compute: it drove something or stated something.
    pub(crate) has_statements: bool,
    /// True for the right side of `&&` and `||`.
    pub(crate) is_operator: bool,
    /// What `&&` or `||` became, where it is no operator of its own.
    pub(crate) shortcut: Option<Shortcut>,
}

/// What `&&` and `||` become where their right side is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortcut {
    /// A constant.
    Constant(bool),
    /// Their left side.
    Left,
}

/// A change of a Rust variable that the macro saw under a hardware condition: a hint for messages.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The variable.
    pub(crate) name: String,
    /// Where it changes.
    pub(crate) source: Source,
    /// The side of a branch in which it changes.
    pub(crate) region: Region,
}

/// The branches of a run, in the order in which they were opened.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) occurrences: Vec<Occurrence>,
    /// Those outside of all others.
    pub(crate) top: Vec<usize>,
    pub(crate) changes: Vec<Change>,
}

impl Trace {
    /// The branches that stand directly in a region.
    pub(crate) fn inside(&self, region: Region) -> &[usize] {
        match region {
            Region::Top => &self.top,
            Region::Side(occurrence, then) => &self.occurrences[occurrence].inside[usize::from(then)],
        }
    }

    pub(crate) fn open(
        &mut self,
        region: Region,
        condition: Condition,
        source: Source,
        taken: Option<bool>,
    ) -> usize {
        let index = self.occurrences.len();
        match region {
            Region::Top => self.top.push(index),
            Region::Side(around, then) => self.occurrences[around].inside[usize::from(then)].push(index),
        }
        self.occurrences.push(Occurrence {
            region,
            condition,
            source,
            taken,
            inside: [vec![], vec![]],
            has_statements: false,
            is_operator: false,
            shortcut: None,
        });
        index
    }

    /// True where the region lies inside `around`, or is it.
    pub(crate) fn is_inside(&self, mut region: Region, around: Region) -> bool {
        loop {
            match region {
                _ if region == around => return true,
                Region::Top => return false,
                Region::Side(occurrence, _) => region = self.occurrences[occurrence].region,
            }
        }
    }
}

/// Which sides of hardware branches a run takes.
#[derive(Debug)]
pub(crate) enum Sides {
    /// Both, one after the other: the run that hardware is made from.
    Both,
    /// One of each, as in simulation.
    One {
        /// The run whose branches the choices speak of, and the side of each.
        chosen: (Rc<Trace>, Vec<bool>),
        /// How much more the run may record: a run may loop for ever where a side that ends the loop is not taken.
        steps_left: usize,
    },
}

/// Carried by the panic that ends a run which records without end.
pub(crate) struct Endless;

impl Sides {
    /// Counts one thing recorded, and ends a run that does not end by itself.
    pub(crate) fn count_step(&mut self) {
        if let Sides::One { steps_left, .. } = self {
            if *steps_left == 0 {
                std::panic::resume_unwind(Box::new(Endless));
            }
            *steps_left -= 1;
        }
    }
}
