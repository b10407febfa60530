//! A job in memory: the picture, then level after level.

use super::average::smaller;
use super::job::Job;
use super::level::{Level, MOST_BYTES};
use super::tiles::store;
use tmu_spec::Format;
use tmu_spec::general::Kind;

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
