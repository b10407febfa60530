//! Where in a kernel a value was named: the `let`s, calls and rounds of loops around it.
//!
//! One Rust name often stands for many wires: a function is called twice, a loop goes round. What tells them apart is
//! where they come from, so every node knows its scope, and the Verilog prints as much of it as is needed.
//!
//! Scopes are kept in the run that hardware is made from, and cost an entry of a list each; other runs keep none.

use super::{Recorder, Sides, is_recording, with};

/// Stands before the position of an item in the name of an array: `places$3`. rust-hdl writes the same for nets.
pub(crate) const POSITION_MARK: char = '$';

/// A name as Verilog has it.
pub(crate) fn plain_name(marked: &str) -> String {
    marked.replace(POSITION_MARK, "_")
}

/// The position at the end of a name.
pub(crate) fn position_at_end(marked: &str) -> Option<usize> {
    marked.rsplit_once(POSITION_MARK).and_then(|(_, position)| position.parse().ok())
}

/// A stretch of a kernel that has a name: what a `let` is made from, one call of a function, one round of a loop.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The scope around it.
    pub(crate) parent: ScopeId,
    /// The variable or function.
    pub(crate) name: &'static str,
    /// Which round of a loop it is, where the loop counts.
    pub(crate) number: Option<usize>,
}

/// A scope of a body; the first stands for the whole kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScopeId(u32);

impl ScopeId {
    /// Position in [`super::Body::scopes`], for all but that of the whole kernel.
    pub(crate) fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

/// Opens a scope; returns the one around it, which [`close`] goes back to.
pub(crate) fn open(name: &'static str, number: Option<usize>) -> Option<ScopeId> {
    if !is_recording() {
        return None;
    }
    with(|r| {
        let keeps = matches!(r.sides, Sides::Both);
        keeps.then(|| {
            let parent = r.scope;
            r.body.scopes.push(Scope { parent, name, number });
            r.scope = ScopeId(u32::try_from(r.body.scopes.len()).unwrap_or(u32::MAX));
            parent
        })
    })
    .flatten()
}

/// Ends a scope.
pub(crate) fn close(around: ScopeId) {
    with(|r: &mut Recorder| r.scope = around);
}
