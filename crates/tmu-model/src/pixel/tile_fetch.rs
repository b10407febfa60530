//! `tile_fetch`: the frame, the lists of its tiles, and of triangles what hidden surfaces need, out of memory.
//!
//! Of a state and its program the first line is looked at: whether pixels may go, and whether the textures are there. The rest is read
//! when pixels of the triangle are shaded ([`triangle_data`](super::triangle_data)).
//!
//! Cost: the entries of a list, of each triangle its record and three lines.

use super::fault::Fault;
use super::kept::Kept;
use super::records::{Records, is_aligned};
use crate::memory::Memory;
use tmu_shader::{Header, WORD_BYTES};
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::record::{self, FRAME_MAGIC};
use tmu_spec::pixel::{Entry, FaultCode, Frame, LINE_BYTES, Part, Position, SETS};

/// Textures that a store has at most.
const MOST_TEXTURES: u32 = 256;

/// A triangle of a tile's list.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    /// Its part of the list.
    pub part: Part,
    /// Where its record stands.
    pub address: u32,
    /// Its record.
    pub record: record::Triangle,
    /// The places of its vertices.
    pub positions: [Position; 3],
}

/// An entry of a tile's list: where a triangle stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its part.
    pub part: Part,
    /// Its address.
    pub address: u32,
}

/// Where a list is read.
#[derive(Debug, Clone)]
pub struct List {
    address: u32,
    /// Entries that were read.
    entries: u64,
    line: Option<(u32, [u8; LINE_BYTES])>,
    last: Part,
}

/// Reads one frame's lists.
#[derive(Debug)]
pub struct TileFetch<'m, M> {
    pub(super) records: Records<'m, M>,
    frame: Frame,
    /// Of states that were looked at, whether pixels may go.
    pub(super) states: Kept<bool>,
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
    let frame = Frame::read(&Records::new(memory).read(address)?).map_err(|_| refused)?;
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
        Self { records: Records::new(memory), frame, states: Kept::default() }
    }

    /// The frame.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The list of a tile, by the tile's number.
    #[must_use]
    pub const fn list(&self, tile: u32) -> List {
        let address = self.frame.tiles.wrapping_add(4 * tile);
        List { address, entries: 0, line: None, last: Part::Opaque }
    }

    /// The next triangle of a list; none at its end.
    ///
    /// # Errors
    /// What is wrong with the entry.
    pub fn next(&mut self, list: &mut List) -> Result<Option<Listed>, Fault> {
        // The tile's entry of the table is not one of its list.
        while list.entries <= u64::from(self.frame.list_limit) {
            let start = list.address - list.address % LINE_BYTES as u32;
            let line = match list.line {
                Some((of, line)) if of == start => line,
                _ => self.records.read(start)?,
            };
            list.line = Some((start, line));
            let word = line[(list.address - start) as usize..].first_chunk();
            let entry = Entry::from_word(word.map_or(0, |word| u32::from_le_bytes(*word)));
            let misplaced = Fault::new(FaultCode::Entry, list.address);
            let is_of_table = list.entries == 0;
            list.entries += 1;
            match entry {
                Some(Entry::End) => return Ok(None),
                Some(Entry::Jump(to)) => list.address = to,
                Some(Entry::Triangle(part, address)) if !is_of_table && part >= list.last => {
                    list.last = part;
                    list.address = list.address.wrapping_add(4);
                    return Ok(Some(Listed { part, address }));
                }
                _ => return Err(misplaced),
            }
        }
        Err(Fault::new(FaultCode::Endless, list.address))
    }

    /// Reads a triangle of a list.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn triangle(&mut self, Listed { part, address }: Listed) -> Result<Triangle, Fault> {
        let refused = Fault::new(FaultCode::Triangle, address);
        let record = record::Triangle::read(&self.records.read(address)?).map_err(|_| refused)?;
        if !record.vertices.iter().chain([&record.state]).all(|address| is_aligned(*address)) {
            return Err(refused);
        }
        if self.may_let_go(record.state)? && part == Part::Opaque {
            return Err(Fault::new(FaultCode::Part, address));
        }
        let mut position = |address| {
            let line = self.records.read(address)?;
            Position::read(&line).map_err(|_| Fault::new(FaultCode::Vertex, address))
        };
        let [a, b, c] = record.vertices;
        let positions = [position(a)?, position(b)?, position(c)?];
        Ok(Triangle { part, address, record, positions })
    }

    /// Whether pixels of a state may go or change their depth behind the test.
    fn may_let_go(&mut self, address: u32) -> Result<bool, Fault> {
        let count = self.frame.texture_count;
        self.states.get(self.records.memory, address, |records| may_let_go(records, address, count))
    }
}

fn may_let_go<M: Memory>(
    records: &mut Records<'_, M>,
    address: u32,
    texture_count: u32,
) -> Result<bool, Fault> {
    let refused = Fault::new(FaultCode::State, address);
    let mut bytes = [0; record::State::BYTES];
    let head: [u8; LINE_BYTES] = records.read(address)?;
    bytes[..LINE_BYTES].copy_from_slice(&head);
    let state = record::State::read(&bytes).map_err(|_| refused)?;
    if state.sets as usize > SETS || !is_aligned(state.program) {
        return Err(refused);
    }
    let word: [u8; WORD_BYTES] = records.read(state.program)?;
    let program = Header::read(&word).ok_or(Fault::new(FaultCode::Program, state.program))?;
    let sampled = (0..).zip(state.textures).filter(|(stage, _)| program.textures >> stage & 1 == 1);
    if sampled.into_iter().any(|(_, texture)| u32::from(texture) >= texture_count) {
        return Err(refused);
    }
    Ok(program.is_punch_through || state.alpha_compare != CompareOp::Always)
}
