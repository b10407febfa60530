//! `shade`: the program of a triangle for its quads.

use super::fault::Fault;
use super::grouping::Quad;
use super::interpolation::Planes;
use super::texture::{Sampling, Textures};
use super::triangle_data::State;
use crate::memory::Memory;
use crate::shader::{self, Shaded};

/// Shades quads of a triangle one after the other; gives each with its colours, and how many quads were sampled.
///
/// # Errors
/// A texture that cannot be read.
pub fn shade<M: Memory>(
    memory: &M,
    textures: &mut Textures,
    state: &State,
    planes: &Planes,
    quads: &[Quad],
    mut found: impl FnMut(&Quad, &[Shaded; 4]),
) -> Result<u64, Fault> {
    let numbers = &state.record.textures;
    let mut sampling = Sampling { memory, textures, numbers, quads: 0, fault: None };
    for quad in quads {
        let shaded = shader::shade(&state.program, &state.constants, &planes.pixels(quad), &mut sampling);
        if let Some(fault) = sampling.fault {
            return Err(fault);
        }
        found(quad, &shaded);
    }
    Ok(sampling.quads)
}
