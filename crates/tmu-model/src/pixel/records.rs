//! Records out of memory, and how many lines of them were read.

use super::fault::Fault;
use crate::memory::Memory;
use tmu_spec::pixel::{FaultCode, LINE_BYTES};

/// Reads records.
#[derive(Debug)]
pub(super) struct Records<'m, M> {
    /// Memory.
    pub(super) memory: &'m M,
    /// Lines that were read.
    pub(super) lines: u64,
}

impl<'m, M: Memory> Records<'m, M> {
    pub(super) const fn new(memory: &'m M) -> Self {
        Self { memory, lines: 0 }
    }

    /// Reads whole lines from an address, which is a multiple of 16.
    pub(super) fn read<const BYTES: usize>(&mut self, address: u32) -> Result<[u8; BYTES], Fault> {
        let mut bytes = [0; BYTES];
        for (at, part) in (address..).step_by(LINE_BYTES).zip(bytes.chunks_exact_mut(LINE_BYTES)) {
            part.copy_from_slice(&self.line(at)?);
        }
        Ok(bytes)
    }

    /// The same, so many bytes.
    pub(super) fn read_all(&mut self, address: u32, bytes: usize) -> Result<Vec<u8>, Fault> {
        let lines = (0..bytes / LINE_BYTES).map(|line| {
            let at = address.wrapping_add((line * LINE_BYTES) as u32);
            self.line(at)
        });
        Ok(lines.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn line(&mut self, address: u32) -> Result<[u8; LINE_BYTES], Fault> {
        self.lines += 1;
        let line = self.memory.read_line(address / LINE_BYTES as u32);
        line.map_err(|_| Fault::new(FaultCode::Read, address))
    }
}

/// Whether a record may stand at an address.
pub(super) const fn is_aligned(address: u32) -> bool {
    address.is_multiple_of(LINE_BYTES as u32)
}
