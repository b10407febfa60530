//! The engine `mesh`: textured meshes of rectangles from memory into a frame buffer in memory. Wires only; [`mesher`] holds the stages.

pub mod address;
pub mod blend;
pub mod colors;
pub mod coordinate;
pub mod filter;
pub mod frame_reader;
pub mod interpolate;
pub mod job;
pub mod mesher;
pub mod registers;
pub mod shade;
pub mod texture_cache;
pub mod vertices;
pub mod words;
pub mod write_combiner;

use crate::engine::memory::{ReadChannel, ReadShape, WriteChannel, line_bits};
use crate::engine::{Engine, RegisterBlock, SystemClocks};
use mesher::{Mesher, RegisterBus, wishbone_slave};
use tmu_hdl::bus::{Wishbone, WishboneMaster, WishboneMasterPort};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use vertices::words::{WORD_ADDRESS_BITS, pass_bus};

/// Channel for reads of the texture.
fn texture_shape(config: &Config) -> ReadShape {
    ReadShape { line_bits: line_bits(config), ..texture_cache::read_shape() }
}

/// Channel for reads of the frame buffer.
fn frame_shape(config: &Config) -> ReadShape {
    frame_reader::read_shape(line_bits(config))
}

/// The engine: its interrupt, its own buses and its hardware.
#[derive(Bundle)]
pub struct Mesh {
    /// A job has ended: high for a clock.
    pub mesh_interrupt: Net<Out>,
    /// The registers over Wishbone, where they are not behind the control port.
    pub mesh_slave: Optional<Wishbone>,
    /// The points of the mesh over Wishbone, where they are not behind the memory port.
    pub mesh_master: Optional<WishboneMasterPort>,
    mesh: Mesher,
}

impl Mesh {
    /// The engine of a configuration.
    pub fn new(config: &Config) -> Mesh {
        let is_wishbone = config.engine_configs().mesh().is_wishbone();
        Mesh {
            mesh_interrupt: Net::bit(),
            mesh_slave: Optional::new(is_wishbone, || wishbone_slave().wishbone),
            mesh_master: Optional::new(is_wishbone, || WishboneMaster::new(WORD_ADDRESS_BITS).wishbone),
            mesh: Mesher::new(config),
        }
    }
}

impl Engine for Mesh {
    fn connect(&self, clocks: SystemClocks) {
        let mesh = &self.mesh;
        mesh.clocks.follow_with(clocks.tmu, clocks.flush);
        self.mesh_interrupt.drive(mesh.interrupt.val());
        if let (Some(outer), RegisterBus::Wishbone(inner)) = (self.mesh_slave.as_ref(), &mesh.registers) {
            mesher::pass_slave(outer, inner);
        }
        if let (Some(outer), Some(inner)) = (self.mesh_master.as_ref(), mesh.vertices_bus.as_ref()) {
            pass_bus(outer, inner);
        }
    }

    fn reads(&self) -> Vec<ReadChannel<'_>> {
        let mesh = &self.mesh;
        let vertices = mesh.vertices_memory.as_ref();
        let vertices = vertices.map(|ports| ports.channel(vertices::lines::read_shape(&mesh._config)));
        let pictures = [
            mesh.texture_memory.channel(texture_shape(&mesh._config)),
            mesh.frame_memory.channel(frame_shape(&mesh._config)),
        ];
        vertices.into_iter().chain(pictures).collect()
    }

    fn writes(&self) -> Vec<WriteChannel<'_>> {
        let mesh = &self.mesh;
        vec![WriteChannel {
            shape: write_combiner::write_shape(),
            write: &mesh.write,
            line: &mesh.line,
            done: &mesh.write_done,
            response: &mesh.write_response,
        }]
    }

    fn registers(&self) -> Option<RegisterBlock<'_>> {
        match &self.mesh.registers {
            RegisterBus::Control(port) => Some(RegisterBlock::of(port, EngineKind::Mesh)),
            RegisterBus::Wishbone(_) => None,
        }
    }
}
