//! Texture memory that grows with what is written, a page at a time.
//!
//! A line of 16 bytes can be read once a byte of it was written, and until it is made to fail. All others fail: a bench that
//! forgot its texture sees the error bit, not zeros.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use tmu_model::{LineError, Memory};
use tmu_spec::LINE_BYTES;

/// A line of memory.
pub type Line = [u8; LINE_BYTES as usize];

/// Lines of a page.
const PAGE_LINES: u32 = 256;

/// The first address behind the texture window.
pub const WINDOW_BYTES: u64 = 1 << 31;

#[derive(Debug)]
struct Page {
    lines: Box<[Line; PAGE_LINES as usize]>,
    readable: [bool; PAGE_LINES as usize],
}

impl Page {
    fn new() -> Self {
        let lines = Box::new([[0; LINE_BYTES as usize]; PAGE_LINES as usize]);
        Self { lines, readable: [false; PAGE_LINES as usize] }
    }
}

/// Memory that the unit and its owner share.
#[derive(Debug, Clone, Default)]
pub struct SharedMemory {
    pages: Rc<RefCell<HashMap<u32, Page>>>,
}

impl SharedMemory {
    /// Whether so many bytes from an address on lie in the texture window.
    #[must_use]
    pub fn has(address: u32, bytes: usize) -> bool {
        u64::try_from(bytes)
            .ok()
            .and_then(|bytes| bytes.checked_add(address.into()))
            .is_some_and(|end| end <= WINDOW_BYTES)
    }

    /// Writes bytes, which makes their lines readable.
    ///
    /// # Panics
    /// If they do not lie in the texture window.
    pub fn write(&self, address: u32, bytes: &[u8]) {
        assert!(Self::has(address, bytes.len()), "the caller has checked the window");
        let mut pages = self.pages.borrow_mut();
        let mut at = address;
        let mut left = bytes;
        while !left.is_empty() {
            let (line, byte) = (at / LINE_BYTES, (at % LINE_BYTES) as usize);
            let (now, later) = left.split_at(left.len().min(LINE_BYTES as usize - byte));
            let page = pages.entry(line / PAGE_LINES).or_insert_with(Page::new);
            let own = (line % PAGE_LINES) as usize;
            page.lines[own][byte..byte + now.len()].copy_from_slice(now);
            page.readable[own] = true;
            // The end of the window is no address of 31 bits, but one of 32.
            at += now.len() as u32;
            left = later;
        }
    }

    /// Makes the line of an address fail until it is written again.
    pub fn fail(&self, address: u32) {
        let line = address / LINE_BYTES;
        if let Some(page) = self.pages.borrow_mut().get_mut(&(line / PAGE_LINES)) {
            page.readable[(line % PAGE_LINES) as usize] = false;
        }
    }
}

impl Memory for SharedMemory {
    fn read_line(&self, line: u32) -> Result<Line, LineError> {
        let pages = self.pages.borrow();
        let page = pages.get(&(line / PAGE_LINES)).ok_or(LineError)?;
        let own = (line % PAGE_LINES) as usize;
        if page.readable[own] { Ok(page.lines[own]) } else { Err(LineError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let memory = SharedMemory::default();
        // Across lines and pages.
        let bytes: Vec<u8> = (0..40).collect();
        let start = PAGE_LINES * LINE_BYTES - 20;
        memory.write(start, &bytes);
        let first = start / LINE_BYTES;
        let expected: Vec<u8> = [0; 12].into_iter().chain(0..4).collect();
        assert_eq!(memory.read_line(first).unwrap()[..], expected);
        assert_eq!(memory.read_line(first + 1).unwrap()[..], bytes[4..20]);
        assert_eq!(memory.read_line(first + 2).unwrap()[..], bytes[20..36]);
        assert_eq!(memory.read_line(first + 3).unwrap()[..4], bytes[36..]);
        assert_eq!(memory.read_line(first - 1), Err(LineError));
        assert_eq!(memory.read_line(first + 4), Err(LineError));
        memory.fail(start);
        assert_eq!(memory.read_line(first), Err(LineError));
        memory.write(start, &[7]);
        assert_eq!(memory.read_line(first).unwrap()[12..], [7, 1, 2, 3]);
    }

    #[test]
    fn the_window_ends() {
        assert!(SharedMemory::has(0x7fff_ffff, 1) && !SharedMemory::has(0x7fff_ffff, 2));
        assert!(!SharedMemory::has(u32::MAX, 1) && !SharedMemory::has(0, usize::MAX));
        let memory = SharedMemory::default();
        memory.write(0x7fff_fff0, &[1; 16]);
        assert_eq!(memory.read_line(0x7ff_ffff), Ok([1; 16]));
    }
}
