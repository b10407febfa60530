//! Several engines as one part of a block.

use super::memory::{ReadChannel, WriteChannel};
use super::{Engine, RegisterBlock};
use crate::sampler::ports::UnitControl;
use tmu_hdl::prelude::*;
use tmu_hdl::rust_hdl::core::prelude::Atom;

/// The engines of a system. Their fields are named as if they were those of the block that holds them.
pub struct Engines(pub Vec<Box<dyn Engine>>);

impl Engines {
    /// Channels for reads, in the order of the engines: their position is their ID.
    pub fn reads(&self) -> Vec<ReadChannel<'_>> {
        self.0.iter().flat_map(|engine| engine.reads()).collect()
    }

    /// Channels for writes, in the order of the engines: their position is their ID.
    pub fn writes(&self) -> Vec<WriteChannel<'_>> {
        self.0.iter().flat_map(|engine| engine.writes()).collect()
    }

    /// Blocks of registers.
    pub fn registers(&self) -> Vec<RegisterBlock<'_>> {
        self.0.iter().filter_map(|engine| engine.registers()).collect()
    }

    /// Texture units.
    pub fn units(&self) -> Vec<UnitControl<'_>> {
        self.0.iter().flat_map(|engine| engine.units()).collect()
    }

    /// Where FIFOs between the clocks say that they are being emptied.
    pub fn stopped(&self) -> Vec<&Net<Out>> {
        self.0.iter().flat_map(|engine| engine.stopped()).collect()
    }
}

impl Logic for Engines {
    fn update(&mut self) {}
}

impl Block for Engines {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.iter_mut().for_each(|engine| engine.update_all());
    }

    fn has_changed(&self) -> bool {
        self.0.iter().any(|engine| engine.has_changed())
    }

    fn accept(&self, _: &str, probe: &mut dyn Probe) {
        for engine in &self.0 {
            engine.accept("", &mut WithoutOutermost { probe, depth: 0 });
        }
    }
}

/// Leaves out the name space around what is visited.
struct WithoutOutermost<'a> {
    probe: &'a mut dyn Probe,
    depth: usize,
}

impl Probe for WithoutOutermost<'_> {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.depth += 1;
        self.probe.visit_start_scope(name, node);
    }

    fn visit_end_scope(&mut self, name: &str, node: &dyn Block) {
        self.depth -= 1;
        self.probe.visit_end_scope(name, node);
    }

    fn visit_start_namespace(&mut self, name: &str, node: &dyn Block) {
        if self.depth > 0 {
            self.probe.visit_start_namespace(name, node);
        }
        self.depth += 1;
    }

    fn visit_end_namespace(&mut self, name: &str, node: &dyn Block) {
        self.depth -= 1;
        if self.depth > 0 {
            self.probe.visit_end_namespace(name, node);
        }
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        self.probe.visit_atom(name, atom);
    }
}
