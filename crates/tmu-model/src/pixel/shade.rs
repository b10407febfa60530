//! `shade`: the program of a triangle for its quads.

use super::fault::Fault;
use super::grouping::Quad;
use super::interpolation::Planes;
use super::texture::{Sampling, Textures};
use super::triangle_data::TriangleData;
use super::watch::Watch;
use crate::memory::Memory;
use crate::shader::{self, Shaded};

/// Shades quads of a triangle one after the other; gives each with its colours, and how many quads were sampled.
///
/// # Errors
/// A texture that cannot be read.
pub fn shade<M: Memory, W: Watch>(
    memory: &M,
    textures: &mut Textures,
    data: &TriangleData,
    planes: &Planes,
    quads: &[Quad],
    watch: &mut W,
    mut found: impl FnMut(&Quad, &[Shaded; 4], &mut W),
) -> Result<u64, Fault> {
    let state = &data.state;
    let numbers = &state.record.textures;
    let constants = state.constants.of_program(&state.program);
    let mut sampling = Sampling { memory, textures, numbers, quads: 0, fault: None, watch };
    for quad in quads {
        let pixels = planes.pixels(quad);
        sampling.watch.begin(data, planes, quad, &pixels);
        let shaded = shader::shade(&state.program, &constants, &pixels, &mut sampling);
        if let Some(fault) = sampling.fault {
            return Err(fault);
        }
        found(quad, &shaded, sampling.watch);
    }
    Ok(sampling.quads)
}
