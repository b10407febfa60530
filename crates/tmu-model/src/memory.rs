//! Texture memory as a unit sees it: lines of 16 bytes that can be read or fail.

use tmu_spec::LINE_BYTES;

/// A line could not be read: on the bus, an answer of SLVERR or DECERR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the memory line cannot be read")]
pub struct LineError;

/// Memory that textures are read from.
pub trait Memory {
    /// Reads a line by its number, texture address / 16.
    ///
    /// # Errors
    /// [`LineError`] if the line cannot be read.
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES as usize], LineError>;

    /// The memory from a texture address on, if that many bytes of it stand together and none can fail.
    /// Makes sampling many times faster.
    fn contiguous(&self, address: u32, bytes: u32) -> Option<&[u8]> {
        let _ = (address, bytes);
        None
    }
}

impl<M: Memory + ?Sized> Memory for &M {
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES as usize], LineError> {
        (**self).read_line(line)
    }

    fn contiguous(&self, address: u32, bytes: u32) -> Option<&[u8]> {
        (**self).contiguous(address, bytes)
    }
}

/// Bytes that stand at an address of the texture window; everything else fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryImage<B> {
    base: u32,
    bytes: B,
}

impl<B: AsRef<[u8]>> MemoryImage<B> {
    /// Places `bytes` at texture address `base`.
    pub const fn new(base: u32, bytes: B) -> Self {
        Self { base, bytes }
    }

    /// The bytes from an address on.
    fn get(&self, address: u32, bytes: usize) -> Option<&[u8]> {
        let start = address.checked_sub(self.base)? as usize;
        self.bytes.as_ref().get(start..start.checked_add(bytes)?)
    }
}

impl<B: AsRef<[u8]>> Memory for MemoryImage<B> {
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES as usize], LineError> {
        let bytes = line.checked_mul(LINE_BYTES).and_then(|address| self.get(address, LINE_BYTES as usize));
        bytes.and_then(|bytes| bytes.try_into().ok()).ok_or(LineError)
    }

    #[inline]
    fn contiguous(&self, address: u32, bytes: u32) -> Option<&[u8]> {
        self.get(address, bytes as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_outside_the_image_fail() {
        let image = MemoryImage::new(32, (0..40).collect::<Vec<u8>>());
        let first = std::array::from_fn(|byte| byte as u8);
        assert_eq!(image.read_line(2), Ok(first));
        assert_eq!(image.read_line(3), Ok(first.map(|byte| byte + 16)));
        // Line 4 is there by half, line 1 not at all, and no number is too large to be asked for.
        for line in [0, 1, 4, 5, u32::MAX] {
            assert_eq!(image.read_line(line), Err(LineError), "line {line}");
        }
        assert_eq!(image.contiguous(40, 32), Some(&image.bytes[8..]));
        assert_eq!(image.contiguous(40, 33), None);
        assert_eq!(image.contiguous(0, 8), None);
    }

    #[test]
    fn a_reference_reads_what_it_refers_to() {
        fn read(memory: impl Memory, line: u32) -> (Result<[u8; 16], LineError>, Option<Vec<u8>>) {
            (memory.read_line(line), memory.contiguous(line * 16, 5).map(<[u8]>::to_vec))
        }
        let image = MemoryImage::new(32, (0..40).collect::<Vec<u8>>());
        let line = std::array::from_fn(|byte| 16 + byte as u8);
        assert_eq!(read(&image, 3), (Ok(line), Some(vec![16, 17, 18, 19, 20])));
        assert_eq!(read(&image, 5), (Err(LineError), None));
        assert_eq!(image.read_line(5), Err(LineError));
    }
}
