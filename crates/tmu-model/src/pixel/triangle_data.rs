//! `triangle_data`: all that a triangle's pixels are shaded with, out of memory: its state, the program, colours and coordinates of its
//! vertices.
//!
//! Contract: the triangle passed [`tile_fetch`](super::tile_fetch). Nothing is read of triangles that are seen nowhere.
//!
//! Cost: the lines of its vertices; states with their programs are read once and kept.

use super::fault::Fault;
use super::kept::Kept;
use super::records::Records;
use super::tile_fetch::Triangle;
use crate::memory::Memory;
use crate::shader::Constants;
use std::rc::Rc;
use tmu_shader::{Header, Program, WORD_BYTES};
use tmu_spec::pixel::record;
use tmu_spec::pixel::{FaultCode, LINE_BYTES, SETS, VertexColors, VertexCoordinates};

/// Channels of a register, or numbers of a matrix.
const FOUR: usize = 4;

/// What a vertex has beside its position, as far as its state says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// v0 and v1.
    pub colors: [[u8; 4]; 2],
    /// Coordinate sets, multiplied by RHW; those that it does not have are 0.
    pub coordinates: [[f32; 4]; SETS],
}

/// A state with its program.
#[derive(Debug, Clone)]
pub struct State {
    /// Its record.
    pub record: record::State,
    /// Its program.
    pub program: Program,
    /// What of a pixel is worked out for it; bits as of [`Program::reads`].
    pub reads: u32,
    /// The program's constants and matrices.
    pub constants: Constants,
}

/// What a triangle's pixels are shaded with.
#[derive(Debug, Clone)]
pub struct TriangleData {
    /// The triangle.
    pub triangle: Triangle,
    /// The rest of its vertices.
    pub vertices: [Vertex; 3],
    /// What it is drawn with.
    pub state: Rc<State>,
}

/// The states of a frame that were read.
pub(super) type States = Kept<Rc<State>>;

/// Reads the data of a triangle by itself.
///
/// # Errors
/// The first thing that is wrong with them.
pub fn read<M: Memory>(memory: &M, triangle: &Triangle) -> Result<TriangleData, Fault> {
    triangle_data(&mut Records::new(memory), &mut States::default(), triangle)
}

/// Reads the data of a triangle of a frame.
///
/// # Errors
/// The first thing that is wrong with them.
pub(super) fn triangle_data<M: Memory>(
    records: &mut Records<'_, M>,
    states: &mut States,
    triangle: &Triangle,
) -> Result<TriangleData, Fault> {
    let address = triangle.record.state;
    let state = states.get(records.memory, address, |records| state(records, address))?;
    let [a, b, c] = triangle.record.vertices;
    let mut vertex = |address| vertex(records, address, &state.record);
    let vertices = [vertex(a)?, vertex(b)?, vertex(c)?];
    Ok(TriangleData { triangle: *triangle, vertices, state })
}

fn vertex<M: Memory>(
    records: &mut Records<'_, M>,
    address: u32,
    state: &record::State,
) -> Result<Vertex, Fault> {
    let refused = |_| Fault::new(FaultCode::Vertex, address);
    // Behind the line with its position.
    let mut lines = (1..).map(|line: u32| address.wrapping_add(line * LINE_BYTES as u32));
    let mut line = || lines.next().unwrap_or_default();
    let mut vertex = Vertex { colors: [[255; 4], [0; 4]], coordinates: [[0.0; 4]; SETS] };
    if state.has_colors {
        let colors = VertexColors::read(&records.read(line())?).map_err(refused)?;
        vertex.colors = [colors.first, colors.second];
    }
    for set in vertex.coordinates.iter_mut().take(state.sets as usize) {
        *set = VertexCoordinates::read(&records.read(line())?).map_err(refused)?.components;
    }
    Ok(vertex)
}

fn state<M: Memory>(records: &mut Records<'_, M>, address: u32) -> Result<Rc<State>, Fault> {
    let record = record::State::read(&records.read(address)?);
    let record = record.map_err(|_| Fault::new(FaultCode::State, address))?;
    let (program, reads) = program(records, record.program)?;
    let four = |values: &[i16], number: usize| std::array::from_fn(|at| values[FOUR * number + at]);
    let constants = Constants {
        registers: std::array::from_fn(|number| four(&record.constants, number)),
        bump: std::array::from_fn(|stage| four(&record.bump, stage)),
    };
    Ok(Rc::new(State { record, program, reads, constants }))
}

/// A program, if it is one that was checked, and what of a pixel is worked out for it.
fn program<M: Memory>(records: &mut Records<'_, M>, address: u32) -> Result<(Program, u32), Fault> {
    let refused = Fault::new(FaultCode::Program, address);
    let head: [u8; WORD_BYTES] = records.read(address)?;
    let header = Header::read(&head).ok_or(refused)?;
    let rest = address.wrapping_add(WORD_BYTES as u32);
    let mut bytes = head.to_vec();
    bytes.extend(records.read_all(rest, header.bytes - WORD_BYTES)?);
    Ok((tmu_shader::read_bytes(&bytes).map_err(|_| refused)?, header.reads))
}
