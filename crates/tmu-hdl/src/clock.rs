//! [`Clocks`]: the clock and the synchronous reset of a block, and how registers watch them.

use crate::atom::take_details;
use crate::bits::Bits;
use crate::check;
use crate::crossing::Belongs;
use crate::design::Design;
use crate::net::Net;
use crate::record::AtomId;
use rust_hdl_core::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// The level of a clock or reset net as its registers see it.
///
/// A register must see the clock as soon as it is driven, and the reset as it was before: then the order of
/// fields in a block does not matter, since a clock edge always outruns the data that it moves.
#[derive(Debug, Default)]
pub(crate) struct Level {
    driven: AtomicBool,
    settled: AtomicBool,
    /// The clock that this one follows through whatever wires: its edge is theirs, at the same time.
    root: OnceLock<Arc<Level>>,
}

impl Level {
    pub(crate) fn drive(&self, level: bool) {
        self.driven.store(level, Relaxed);
    }

    pub(crate) fn settle(&self, level: bool) {
        self.settled.store(level, Relaxed);
    }

    pub(crate) fn driven(&self) -> bool {
        self.root.get().map_or(&self.driven, |root| &root.driven).load(Relaxed)
    }

    pub(crate) fn settled(&self) -> bool {
        self.settled.load(Relaxed)
    }
}

/// Lets every clock of `top` that is only passed on, be it through wires, have its edge together with the clock that it
/// comes from: a wire takes a round to settle, in which registers behind it would see what the edge has changed.
pub(crate) fn join_clocks(design: &Design, top: &dyn Block) {
    #[derive(Default)]
    struct Levels(FxHashMap<AtomId, Arc<Level>>);
    impl Probe for Levels {
        fn visit_atom(&mut self, _: &str, atom: &dyn Atom) {
            if let Some(level) = take_details().and_then(|details| details.level) {
                self.0.insert(atom.id(), level);
            }
        }
    }
    let mut levels = Levels::default();
    top.accept("top", &mut levels);
    let clocks = check::clock_crossing::Clocks::new(design);
    for (&net, level) in &levels.0 {
        let root = clocks.root(net);
        if let Some(root) = levels.0.get(&root).filter(|_| root != net) {
            // A second simulation of the same block finds what the first one has set.
            let _ = level.root.set(root.clone());
        }
    }
}

/// A clock port and, where the block has registers with a reset value, an active-high synchronous reset port.
///
/// The ports are called `clk` and `rst`, or `NAME_clk` and `NAME_rst` for [`Clocks::named`].
#[derive(Debug)]
pub struct Clocks {
    /// The clock.
    pub clk: Net<In>,
    /// The reset, high to reset.
    pub rst: Option<Net<In>>,
    prefix: &'static str,
    clock_level: Arc<Level>,
    reset_level: Option<Arc<Level>>,
}

impl Clocks {
    /// Clock and reset, `clk` and `rst`.
    #[track_caller]
    pub fn new() -> Clocks {
        Clocks::named("")
    }

    /// Clock and reset, `NAME_clk` and `NAME_rst`.
    #[track_caller]
    pub fn named(prefix: &'static str) -> Clocks {
        let level = Arc::new(Level::default());
        let clocks = Clocks::named_without_reset(prefix);
        let rst =
            Net::bit().watched_by(level.clone()).belonging(Belongs::To(clocks.clk.id())).marked_as_reset();
        Clocks { rst: Some(rst), reset_level: Some(level), ..clocks }
    }

    /// A clock for registers that have no reset.
    #[track_caller]
    pub fn without_reset() -> Clocks {
        Clocks::named_without_reset("")
    }

    /// A named clock for registers that have no reset.
    #[track_caller]
    pub fn named_without_reset(prefix: &'static str) -> Clocks {
        let level = Arc::new(Level::default());
        let clk = Net::bit().watched_by(level.clone()).belonging(Belongs::IsClock);
        Clocks { clk, rst: None, prefix, clock_level: level, reset_level: None }
    }

    /// Drives these clocks, of a sub-block, from the clocks of the block around it.
    ///
    /// # Panics
    /// When these have a reset and `outer` has none: a fault of the kernel, whatever the configuration.
    #[track_caller]
    pub fn follow(&self, outer: &Clocks) {
        self.clk.drive(outer.clk.val());
        if let Some(rst) = &self.rst {
            let Some(outer) = &outer.rst else { panic!("a block with reset follows clocks without one") };
            rst.drive(outer.val());
        }
    }

    /// Drives these clocks from a clock and a reset of their own.
    #[track_caller]
    pub fn follow_with(&self, clk: Bits, reset: Bits) {
        self.clk.drive(clk);
        if let Some(rst) = &self.rst {
            rst.drive(reset);
        }
    }

    /// The reset as data: high while it resets.
    ///
    /// # Panics
    /// When these clocks have no reset: a fault of the block's constructor.
    #[track_caller]
    pub fn reset(&self) -> Bits {
        let Some(rst) = &self.rst else { panic!("clocks without reset have no reset to read") };
        rst.val()
    }

    pub(crate) fn clock_level(&self) -> Arc<Level> {
        self.clock_level.clone()
    }

    pub(crate) fn reset_level(&self) -> Option<Arc<Level>> {
        self.reset_level.clone()
    }

    fn name(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.into() } else { format!("{}_{name}", self.prefix) }
    }
}

impl Default for Clocks {
    #[track_caller]
    fn default() -> Self {
        Clocks::new()
    }
}

impl Logic for Clocks {
    fn update(&mut self) {}
}

impl Block for Clocks {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.clk.update_all();
        if let Some(rst) = &mut self.rst {
            rst.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.clk.has_changed() || self.rst.as_ref().is_some_and(Block::has_changed)
    }

    fn accept(&self, _: &str, probe: &mut dyn Probe) {
        self.clk.accept(&self.name("clk"), probe);
        if let Some(rst) = &self.rst {
            rst.accept(&self.name("rst"), probe);
        }
    }
}
