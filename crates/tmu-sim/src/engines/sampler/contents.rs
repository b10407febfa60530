//! What memory holds: texture images at their addresses, noise elsewhere, and lines that fail.
//!
//! Noise is computed from the line's number, so the whole window of 2 GiB is there and costs nothing. The bus
//! model and the golden model read the same contents.

use crate::kit::memory::{Contents, Fault, Line};
use std::collections::HashMap;
use std::sync::Arc;
use tmu_model::{LineError, Memory};
use tmu_spec::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bytes at an address.
#[derive(Debug, Clone)]
struct Region {
    base: u32,
    bytes: Arc<Vec<u8>>,
}

impl Region {
    fn get(&self, address: u32, bytes: usize) -> Option<&[u8]> {
        let start = address.checked_sub(self.base)? as usize;
        self.bytes.get(start..start.checked_add(bytes)?)
    }
}

/// Contents of the texture window.
#[derive(Debug, Clone)]
pub struct TextureMemory {
    regions: Vec<Region>,
    /// What lines outside all regions hold; none: they fail to decode.
    noise: Option<u64>,
    faults: HashMap<u32, Fault>,
    /// One line in this many fails by chance; 0 for none.
    fault_rate: u32,
}

impl TextureMemory {
    /// Memory in which every read fails.
    #[must_use]
    pub fn empty() -> Self {
        Self { regions: Vec::new(), noise: None, faults: HashMap::new(), fault_rate: 0 }
    }

    /// Memory full of bytes that follow from `seed` and their address.
    #[must_use]
    pub fn noise(seed: u64) -> Self {
        Self { noise: Some(seed), ..Self::empty() }
    }

    /// Places bytes at a texture address.
    pub fn place(&mut self, base: u32, bytes: Vec<u8>) {
        self.regions.push(Region { base, bytes: Arc::new(bytes) });
    }

    /// Makes reads of a line fail.
    pub fn fail(&mut self, line: u32, fault: Fault) {
        self.faults.insert(line, fault);
    }

    /// Lets reads of a line succeed again.
    pub fn heal(&mut self, line: u32) {
        self.faults.remove(&line);
    }

    /// Makes one line in `rate` fail, chosen by the noise; 0 for none.
    pub const fn fail_one_in(&mut self, rate: u32) {
        self.fault_rate = rate;
    }

    /// A line, by number from the start of the window.
    ///
    /// # Errors
    /// How its read fails.
    pub fn line(&self, line: u32) -> Result<Line, Fault> {
        if let Some(fault) = self.fault(line) {
            return Err(fault);
        }
        let in_region = |region: &Region| {
            region.get(line.checked_mul(LINE_BYTES)?, LINE_BYTES as usize)?.first_chunk().copied()
        };
        let found = self.regions.iter().find_map(in_region);
        found.or_else(|| self.noise.map(|seed| noise_line(seed, line))).ok_or(Fault::Decode)
    }

    fn fault(&self, line: u32) -> Option<Fault> {
        if !self.faults.is_empty()
            && let Some(fault) = self.faults.get(&line)
        {
            return Some(*fault);
        }
        if self.fault_rate == 0 {
            return None;
        }
        let drawn = mix(self.noise.unwrap_or_default() ^ 0xfa17 ^ u64::from(line) << 20);
        let fault = if drawn >> 63 == 0 { Fault::Subordinate } else { Fault::Decode };
        ((drawn as u32).is_multiple_of(self.fault_rate)).then_some(fault)
    }
}

fn noise_line(seed: u64, line: u32) -> Line {
    let low = mix(seed ^ u64::from(line) << 1);
    let high = mix(low ^ u64::from(line));
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `value`.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// Contents that a golden model reads; clones share them.
#[derive(Debug, Clone)]
pub struct SharedMemory(pub Arc<TextureMemory>);

impl Memory for SharedMemory {
    fn read_line(&self, line: u32) -> Result<Line, LineError> {
        self.0.line(line).map_err(|_| LineError)
    }

    fn contiguous(&self, address: u32, bytes: u32) -> Option<&[u8]> {
        if !self.0.faults.is_empty() || self.0.fault_rate != 0 {
            return None;
        }
        self.0.regions.iter().find_map(|region| region.get(address, bytes as usize))
    }
}

/// The texture window at its place in memory; what lies elsewhere fails to decode.
#[derive(Debug, Clone)]
pub struct TextureWindow {
    base: u64,
    memory: Arc<TextureMemory>,
}

impl TextureWindow {
    pub(crate) const fn new(base: u64, memory: Arc<TextureMemory>) -> Self {
        Self { base, memory }
    }

    /// Moves the window.
    pub(crate) const fn set_base(&mut self, base: u64) {
        self.base = base;
    }

    /// Puts other contents in place.
    pub(crate) fn set_memory(&mut self, memory: Arc<TextureMemory>) {
        self.memory = memory;
    }

    /// Number of the line of the window that a bus address lies in; none outside.
    pub(crate) const fn line_at(&self, address: u64) -> Option<u32> {
        let offset = address.wrapping_sub(self.base);
        if offset >> TEXTURE_ADDRESS_BITS == 0 { Some((offset / LINE_BYTES as u64) as u32) } else { None }
    }
}

impl Contents for TextureWindow {
    fn read(&self, address: u64) -> Result<Line, Fault> {
        self.line_at(address).map_or(Err(Fault::Decode), |line| self.memory.line(line))
    }

    /// Units do not write.
    fn write(&mut self, _: u64, _: &Line, _: u16) -> Result<(), Fault> {
        Err(Fault::Decode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_stand_before_noise_and_faults_before_both() {
        let mut memory = TextureMemory::noise(1);
        memory.place(32, (0..48).collect());
        memory.fail(3, Fault::Decode);
        assert_eq!(memory.line(2), Ok(std::array::from_fn(|byte| byte as u8)));
        assert_eq!(memory.line(3), Err(Fault::Decode));
        assert_eq!(memory.line(5), TextureMemory::noise(1).line(5));
        assert_ne!(memory.line(5), memory.line(6));
        assert_ne!(memory.line(5), TextureMemory::noise(2).line(5));
        assert_eq!(SharedMemory(Arc::new(memory.clone())).contiguous(32, 16), None);
        memory.heal(3);
        assert_eq!(memory.line(3).unwrap()[0], 16);
        assert_eq!(SharedMemory(Arc::new(memory)).contiguous(40, 40).unwrap().len(), 40);
        assert_eq!(TextureMemory::empty().line(0), Err(Fault::Decode));
    }

    #[test]
    fn faults_by_chance_are_as_frequent_as_asked_for() {
        let mut memory = TextureMemory::noise(1);
        memory.fail_one_in(50);
        let faults: Vec<_> = (0..100_000).filter_map(|line| memory.line(line).err()).collect();
        assert!((1800..2200).contains(&faults.len()), "{}", faults.len());
        let decode = faults.iter().filter(|fault| **fault == Fault::Decode).count();
        assert!(decode > 800 && decode < faults.len() - 800, "{decode}");
    }

    #[test]
    fn noise_has_every_byte() {
        let mut seen = [0u32; 256];
        for line in 0..16_384 {
            for byte in noise_line(3, line) {
                seen[usize::from(byte)] += 1;
            }
        }
        assert!(seen.iter().all(|count| (800..1250).contains(count)), "{seen:?}");
    }
}
