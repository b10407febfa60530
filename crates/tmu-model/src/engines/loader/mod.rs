//! The engine `loader`: what a job leaves in memory. The definition of a smaller level stands in [`tmu_spec::loader`].
//!
//! [`job`] has a job's numbers and rules, [`average`] a level from the one above it, [`tiles`] a level as it stands in memory.

pub mod average;
pub mod job;
pub mod tiles;

pub use job::{Job, Settings};

use average::smaller;
use tiles::store;
use tmu_spec::Format;
use tmu_spec::general::Kind;

/// Bytes of the longest texel.
pub const MOST_BYTES: usize = 16;

/// The stored texels of a level: rows from the top, slices one behind the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Columns, rows and slices.
    pub size: [usize; 3],
    /// Texels; bytes that the format does not have are 0.
    pub texels: Vec<[u8; MOST_BYTES]>,
}

impl Level {
    /// The texel at a place.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn at(&self, [x, y, z]: [usize; 3]) -> [u8; MOST_BYTES] {
        let [width, height, _] = self.size;
        self.texels[(z * height + y) * width + x]
    }
}

impl Job {
    /// Does the job in a memory that begins at an address. Gives the bytes of the texture.
    ///
    /// # Panics
    /// If the job leaves the memory.
    pub fn run(&self, base: u32, memory: &mut [u8]) -> u64 {
        let at = |address: u64| (address - u64::from(base)) as usize;
        let mut level = self.picture(|address| memory[at(address)]);
        let mut address = u64::from(self.texture);
        for number in 0..self.shape.levels {
            if number > 0 {
                level = smaller(&level, self.shape.format, self.is_srgb, self.shape.kind == Kind::D3);
            }
            let bytes = store(&level, bytes_of(self.shape.format));
            memory[at(address)..][..bytes.len()].copy_from_slice(&bytes);
            address += bytes.len() as u64;
        }
        address - u64::from(self.texture)
    }

    /// Level 0: the texels of the picture.
    fn picture(&self, byte: impl Fn(u64) -> u8) -> Level {
        let [width, height, slices] = self.shape.level_size(0).map(|side| side as usize);
        let bytes = bytes_of(self.shape.format);
        let mut texels = Vec::with_capacity(width * height * slices);
        for slice in 0..slices as u64 {
            for row in 0..height as u64 {
                let start = u64::from(self.picture)
                    + slice * u64::from(self.slice_pitch)
                    + row * u64::from(self.pitch);
                for column in 0..width {
                    let mut texel = [0; MOST_BYTES];
                    for (number, stored) in texel[..bytes].iter_mut().enumerate() {
                        *stored = byte(start + (column * bytes + number) as u64);
                    }
                    texels.push(texel);
                }
            }
        }
        Level { size: [width, height, slices], texels }
    }
}

/// Bytes of a texel.
fn bytes_of(format: Format) -> usize {
    format.bytes_per_texel() as usize
}
