//! Bytes from an address on, to be read and written.

use crate::kit::memory::contents::{Contents, Fault, Line};
use std::ops::Range;
use tmu_spec::LINE_BYTES;

/// How accesses to a range fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Addresses.
    pub addresses: Range<u64>,
    /// How.
    pub fault: Fault,
    /// Whether reads do.
    pub reads: bool,
    /// Whether writes do.
    pub writes: bool,
}

/// Bytes from a base on. What lies elsewhere fails to decode.
#[derive(Debug, Clone)]
pub struct Bytes {
    base: u64,
    bytes: Vec<u8>,
    answers: Vec<Answer>,
}

impl Bytes {
    /// These bytes from `base` on, a multiple of 16.
    #[must_use]
    pub const fn new(base: u64, bytes: Vec<u8>) -> Self {
        Self { base, bytes, answers: Vec::new() }
    }

    /// All of them.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// Lets accesses fail so from now on, and no others.
    pub fn answer(&mut self, answers: Vec<Answer>) {
        self.answers = answers;
    }

    /// Bytes of the line at an address.
    fn place(&self, address: u64, is_write: bool) -> Result<Range<usize>, Fault> {
        let found = self.answers.iter().find(|answer| {
            answer.addresses.contains(&address) && if is_write { answer.writes } else { answer.reads }
        });
        if let Some(answer) = found {
            return Err(answer.fault);
        }
        let start = address.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
        let place = start.map(|start| start..start + LINE_BYTES as usize);
        place.filter(|place| place.end <= self.bytes.len()).ok_or(Fault::Decode)
    }
}

impl Contents for Bytes {
    fn read(&self, address: u64) -> Result<Line, Fault> {
        let place = self.place(address, false)?;
        self.bytes[place].first_chunk().copied().ok_or(Fault::Decode)
    }

    fn write(&mut self, address: u64, data: &Line, strobes: u16) -> Result<(), Fault> {
        let place = self.place(address, true)?;
        for (number, (to, from)) in self.bytes[place].iter_mut().zip(data).enumerate() {
            if strobes >> number & 1 == 1 {
                *to = *from;
            }
        }
        Ok(())
    }
}
