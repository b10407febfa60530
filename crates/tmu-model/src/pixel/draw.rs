//! A frame, tile by tile.

use super::counts::Counts;
use super::fault::Fault;
use super::texture::Build;
use super::tile::{Tile, Tiles};
use super::tile_fetch;
use super::write_back::write_back;
use crate::memory::{LineError, Memory};
use std::collections::HashSet;
use tmu_spec::pixel::{FaultCode, LINE_BYTES};

/// What the tiles of a frame have used so far of all that is read once.
#[derive(Debug, Default)]
pub struct UsedBefore([HashSet<u32>; 2]);

impl UsedBefore {
    /// What the next tile, row by row, took, with what no tile before it has used.
    pub fn count(&mut self, tile: &Tile) -> Counts {
        let mut counts = tile.counts;
        for (before, used) in self.0.iter_mut().zip(&tile.used) {
            let new = used.iter().filter(|(address, _)| before.insert(*address));
            counts.lines_read += new.map(|(_, lines)| lines).sum::<u64>();
        }
        counts
    }
}

/// Draws the frame whose record stands at an address, as far as the pipeline is built to; `write` takes what is written, and fails where memory does.
///
/// # Errors
/// Why the frame ended before its last tile.
pub fn draw<M: Memory>(
    memory: &M,
    address: u32,
    build: &Build,
    mut write: impl FnMut(u32, &[u8]) -> Result<(), LineError>,
) -> Result<Counts, Fault> {
    let frame = tile_fetch::frame(memory, address)?;
    if build.tile.is_some_and(|tile| tile != frame.tile) {
        return Err(Fault::new(FaultCode::Frame, address));
    }
    let mut tiles = Tiles::new(memory, frame, build);
    let mut counts = Counts::default();
    let mut before = UsedBefore::default();
    let [across, down] = frame.tiles_across();
    for number in 0..across * down {
        let drawn = tiles.tile(number)?;
        counts += before.count(&drawn);
        write_back(&frame, &drawn.buffer, |address, bytes| {
            counts.bytes_written += bytes.len() as u64;
            let line = address - address % LINE_BYTES as u32;
            write(address, bytes).map_err(|_| Fault::new(FaultCode::Write, line))
        })?;
    }
    Ok(counts)
}
