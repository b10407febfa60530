//! `tile_fetch`: the frame, the lists of its tiles, and triangles with all that they point at, out of memory.
//!
//! What a frame's triangles share, states with programs and textures, is read once by each [`TileFetch`] and kept.
//!
//! Cost: the entries of a list and the records of its triangles.

use super::fault::Fault;
use super::texture::{features, sampler};
use crate::general::request::Bound;
use crate::memory::Memory;
use crate::shader::Constants;
use std::collections::HashMap;
use std::rc::Rc;
use tmu_shader::{HEADER_BYTES, Program, WORD_BYTES};
use tmu_spec::Features;
use tmu_spec::general::{Binding, CompareOp, General};
use tmu_spec::pixel::record::{self, FRAME_MAGIC};
use tmu_spec::pixel::{
    Entry, FaultCode, Frame, LINE_BYTES, Part, Position, SETS, TEXTURE_BYTES, VertexColors, VertexCoordinates,
};

/// Textures that a store has at most.
const MOST_TEXTURES: u32 = 256;
/// Channels of a register, or numbers of a matrix.
const FOUR: usize = 4;

/// A vertex with all that its state says it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// Its place, depth and RHW.
    pub position: Position,
    /// v0 and v1.
    pub colors: [[u8; 4]; 2],
    /// Coordinate sets, multiplied by RHW; those that it does not have are 0.
    pub coordinates: [[f32; 4]; SETS],
}

/// A state with its program and textures.
#[derive(Debug, Clone)]
pub struct State {
    /// Its record.
    pub record: record::State,
    /// Its program.
    pub program: Program,
    /// The program's constants and matrices.
    pub constants: Constants,
    /// By stage, the textures that the program samples.
    pub textures: [Option<Rc<Bound>>; SETS],
}

impl State {
    /// Whether pixels may go or change their depth behind the test.
    #[must_use]
    pub fn is_punch_through(&self) -> bool {
        self.program.is_punch_through() || self.record.alpha_compare != CompareOp::Always
    }
}

/// A triangle of a tile's list.
#[derive(Debug, Clone)]
pub struct Triangle {
    /// Its part of the list.
    pub part: Part,
    /// Its record.
    pub record: record::Triangle,
    /// Its vertices.
    pub vertices: [Vertex; 3],
    /// What it is drawn with.
    pub state: Rc<State>,
}

impl Triangle {
    /// The places of its vertices.
    #[must_use]
    pub fn places(&self) -> [Position; 3] {
        self.vertices.each_ref().map(|vertex| vertex.position)
    }
}

/// Reads one frame's tiles.
#[derive(Debug)]
pub struct TileFetch<'m, M> {
    memory: &'m M,
    frame: Frame,
    features: Features,
    sampler: General,
    states: HashMap<u32, Rc<State>>,
    textures: HashMap<u8, Rc<Bound>>,
    lines: u64,
}

/// Reads whole lines from an address, which is a multiple of 16.
fn read<const BYTES: usize>(
    memory: &impl Memory,
    address: u32,
    lines: &mut u64,
) -> Result<[u8; BYTES], Fault> {
    let mut bytes = [0; BYTES];
    for (number, part) in (0..).zip(bytes.chunks_exact_mut(LINE_BYTES)) {
        let line = address / LINE_BYTES as u32 + number;
        let fault = |_| Fault::new(FaultCode::Read, line.wrapping_mul(LINE_BYTES as u32));
        part.copy_from_slice(&memory.read_line(line).map_err(fault)?);
        *lines += 1;
    }
    Ok(bytes)
}

/// Whether a record may stand at an address.
const fn is_aligned(address: u32) -> bool {
    address.is_multiple_of(LINE_BYTES as u32)
}

/// Reads a frame's record.
///
/// # Errors
/// If it cannot be read or breaks a rule.
pub fn frame(memory: &impl Memory, address: u32) -> Result<Frame, Fault> {
    let refused = Fault::new(FaultCode::Frame, address);
    if !is_aligned(address) {
        return Err(refused);
    }
    let frame = Frame::read(&read(memory, address, &mut 0)?).map_err(|_| refused)?;
    let [width, _] = frame.size();
    let fits = |base: u32, pitch: u32, pixel_bytes: u32| {
        is_aligned(base) && is_aligned(pitch) && u64::from(pitch) >= u64::from(width * pixel_bytes)
    };
    let keeps_rules = frame.magic == FRAME_MAGIC
        && is_aligned(frame.tiles)
        && is_aligned(frame.textures)
        && frame.texture_count <= MOST_TEXTURES
        && fits(frame.picture, frame.picture_pitch, frame.output.pixel_bytes())
        && (!frame.writes_depth || fits(frame.depth, frame.depth_pitch, 4));
    if keeps_rules { Ok(frame) } else { Err(refused) }
}

impl<'m, M: Memory> TileFetch<'m, M> {
    /// For a frame that was read from this memory.
    #[must_use]
    pub fn new(memory: &'m M, frame: Frame) -> Self {
        let (states, textures) = (HashMap::new(), HashMap::new());
        Self { memory, frame, features: features(), sampler: sampler(), states, textures, lines: 0 }
    }

    /// The frame.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The memory.
    #[must_use]
    pub const fn memory(&self) -> &'m M {
        self.memory
    }

    /// Lines that were read so far.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    fn read<const BYTES: usize>(&mut self, address: u32) -> Result<[u8; BYTES], Fault> {
        read(self.memory, address, &mut self.lines)
    }

    /// The triangles of a tile's list, by the tile's number.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn triangles(&mut self, tile: u32) -> Result<Vec<Triangle>, Fault> {
        let mut triangles: Vec<Triangle> = Vec::new();
        let mut address = self.frame.tiles.wrapping_add(4 * tile);
        let mut line = (None, [0; LINE_BYTES]);
        let mut last = Part::Opaque;
        // The tile's entry of the table is not one of its list.
        for number in 0..=u64::from(self.frame.list_limit) {
            let start = address - address % LINE_BYTES as u32;
            if line.0 != Some(start) {
                line = (Some(start), self.read(start)?);
            }
            let word = line.1[(address - start) as usize..]
                .first_chunk()
                .map_or(0, |word| u32::from_le_bytes(*word));
            let misplaced = Fault::new(FaultCode::Entry, address);
            address = match Entry::from_word(word) {
                Some(Entry::End) => return Ok(triangles),
                Some(Entry::Jump(to)) => to,
                Some(Entry::Triangle(part, of)) if number > 0 && part >= last => {
                    last = part;
                    triangles.push(self.triangle(part, of)?);
                    address.wrapping_add(4)
                }
                _ => return Err(misplaced),
            };
        }
        Err(Fault::new(FaultCode::Endless, address))
    }

    fn triangle(&mut self, part: Part, address: u32) -> Result<Triangle, Fault> {
        let refused = Fault::new(FaultCode::Triangle, address);
        let record = record::Triangle::read(&self.read(address)?).map_err(|_| refused)?;
        if !record.vertices.iter().chain([&record.state]).all(|address| is_aligned(*address)) {
            return Err(refused);
        }
        let state = self.state(record.state)?;
        if part == Part::Opaque && state.is_punch_through() {
            return Err(Fault::new(FaultCode::Part, address));
        }
        let [a, b, c] = record.vertices;
        let mut vertex = |address| self.vertex(address, &state.record);
        let vertices = [vertex(a)?, vertex(b)?, vertex(c)?];
        Ok(Triangle { part, record, vertices, state })
    }

    fn vertex(&mut self, address: u32, state: &record::State) -> Result<Vertex, Fault> {
        let refused = |_| Fault::new(FaultCode::Vertex, address);
        let position = Position::read(&self.read(address)?).map_err(refused)?;
        let mut next = address;
        let mut line = || {
            next = next.wrapping_add(LINE_BYTES as u32);
            next
        };
        let mut vertex = Vertex { position, colors: [[255; 4], [0; 4]], coordinates: [[0.0; 4]; SETS] };
        if state.has_colors {
            let colors = VertexColors::read(&self.read(line())?).map_err(refused)?;
            vertex.colors = [colors.first, colors.second];
        }
        for set in vertex.coordinates.iter_mut().take(state.sets as usize) {
            *set = VertexCoordinates::read(&self.read(line())?).map_err(refused)?.components;
        }
        Ok(vertex)
    }

    fn state(&mut self, address: u32) -> Result<Rc<State>, Fault> {
        if let Some(state) = self.states.get(&address) {
            return Ok(state.clone());
        }
        let refused = Fault::new(FaultCode::State, address);
        let record = record::State::read(&self.read(address)?).map_err(|_| refused)?;
        if record.sets as usize > SETS || !is_aligned(record.program) {
            return Err(refused);
        }
        let program = self.program(record.program)?;
        let mut textures = [const { None }; SETS];
        for (stage, texture) in textures.iter_mut().enumerate() {
            if program.textures() >> stage & 1 == 1 {
                *texture = Some(self.texture(record.textures[stage], refused)?);
            }
        }
        let four = |values: &[i16], number: usize| std::array::from_fn(|at| values[FOUR * number + at]);
        let constants = Constants {
            registers: std::array::from_fn(|number| four(&record.constants, number)),
            bump: std::array::from_fn(|stage| four(&record.bump, stage)),
        };
        let state = Rc::new(State { record, program, constants, textures });
        self.states.insert(address, state.clone());
        Ok(state)
    }

    /// A program, if it is one that was checked.
    fn program(&mut self, address: u32) -> Result<Program, Fault> {
        let refused = Fault::new(FaultCode::Program, address);
        let header = self.read::<HEADER_BYTES>(address)?;
        let count = tmu_shader::encoded_instructions(&header).ok_or(refused)?;
        let mut bytes = header.to_vec();
        for number in 0..count {
            let offset = HEADER_BYTES + number * WORD_BYTES;
            bytes.extend(self.read::<WORD_BYTES>(address.wrapping_add(offset as u32))?);
        }
        tmu_shader::read_bytes(&bytes).map_err(|_| refused)
    }

    fn texture(&mut self, number: u8, beyond: Fault) -> Result<Rc<Bound>, Fault> {
        if let Some(texture) = self.textures.get(&number) {
            return Ok(texture.clone());
        }
        if u32::from(number) >= self.frame.texture_count {
            return Err(beyond);
        }
        let address = self.frame.textures.wrapping_add(u32::from(number) * TEXTURE_BYTES as u32);
        let refused = Fault::new(FaultCode::Texture, address);
        let bytes = self.read::<TEXTURE_BYTES>(address)?;
        let word = |number: usize| {
            bytes[LINE_BYTES * number..].first_chunk().map_or(0, |word| u128::from_le_bytes(*word))
        };
        let binding = Binding::decode_for(&std::array::from_fn(word), &self.features).map_err(|_| refused)?;
        let bound = Bound::new(
            &binding.texture,
            binding.base,
            &binding.sampler,
            &self.features,
            &self.sampler,
            self.memory,
        );
        let bound = Rc::new(bound.map_err(|_| refused)?);
        self.textures.insert(number, bound.clone());
        Ok(bound)
    }
}
