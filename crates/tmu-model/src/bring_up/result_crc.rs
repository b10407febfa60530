//! `result_crc`: CRC-32 of results, as Ethernet, zlib and PNG have it.
//!
//! Of each result the bytes of `tdata` from bit 0 up, then a byte with `tuser`.

use tmu_spec::QuadResult;
use tmu_spec::general::{QuadResult as GeneralResult, ResultNumbers};

/// CRC of the results so far, and how many they were and failed.
#[derive(Debug, Clone, Default)]
pub struct ResultCrc {
    hasher: crc32fast::Hasher,
    results: u32,
    failed: u32,
}

impl ResultCrc {
    /// A result of a classic unit.
    pub fn add(&mut self, result: &QuadResult) {
        self.add_bytes(&result.tdata().to_le_bytes(), result.tuser());
    }

    /// One of a unit of the general numerics.
    pub fn add_general(&mut self, numbers: ResultNumbers, result: &GeneralResult) {
        let bytes = numbers.channel_bits() as usize / 8;
        let channels = result.channels.as_flattened().iter();
        let tdata: Vec<u8> = channels.flat_map(|channel| channel.to_le_bytes()[..bytes].to_vec()).collect();
        self.add_bytes(&tdata, result.valid | u8::from(result.error) << 4);
    }

    fn add_bytes(&mut self, tdata: &[u8], tuser: u8) {
        self.hasher.update(tdata);
        self.hasher.update(&[tuser]);
        self.results += 1;
        self.failed += u32::from(tuser >> 4 & 1);
    }

    /// The CRC.
    #[must_use]
    pub fn crc(&self) -> u32 {
        self.hasher.clone().finalize()
    }

    /// Results so far.
    #[must_use]
    pub const fn results(&self) -> u32 {
        self.results
    }

    /// Those that have the error bit.
    #[must_use]
    pub const fn failed(&self) -> u32 {
        self.failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numerics_have_the_same_bytes() {
        let mut crcs = [ResultCrc::default(), ResultCrc::default()];
        let rgba = [[1, 2, 3, 4], [5, 6, 7, 8], [0; 4], [250, 251, 252, 253]];
        crcs[0].add(&QuadResult::new(rgba, 0b1011, false));
        let channels = rgba.map(|pixel| pixel.map(u32::from));
        crcs[1].add_general(ResultNumbers::Unorm8, &GeneralResult { channels, valid: 0b1011, error: false });
        assert_eq!(crcs[0].crc(), crcs[1].crc());
        // `zlib.crc32(bytes([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 250, 251, 252, 253, 11]))` of Python.
        assert_eq!(crcs[0].crc(), CRC_BY_ZLIB);
        assert_eq!(ResultCrc::default().crc(), 0);
    }

    const CRC_BY_ZLIB: u32 = 0xd03b_aced;
}
