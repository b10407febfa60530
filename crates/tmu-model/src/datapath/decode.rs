//! Texel decoding: from stored bytes to a colour, by way of the colour table if there is one.
//!
//! A colour is an `u32` with R in the lowest byte and A in the highest. The colour table is read whole when a
//! texture is bound: 48 or 64 lines.

use crate::datapath::address::{line_of, texture_address};
use crate::memory::{LineError, Memory};
use tmu_spec::format::{Channel, Packing};
use tmu_spec::{Binding, Format, LINE_BYTES};

/// Alpha of a colour stored without one.
const OPAQUE: u32 = 0xff00_0000;

/// The colour of an `rgba8` texel.
#[inline]
#[must_use]
pub const fn rgba8(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

/// The colour of an `rgb8` texel.
#[inline]
#[must_use]
pub const fn rgb8([r, g, b]: [u8; 3]) -> u32 {
    r as u32 | (g as u32) << 8 | (b as u32) << 16 | OPAQUE
}

/// The colour of a texel of two bytes whose channels are packed. A channel v of n bits becomes `round(255 * v / (2^n - 1))`.
#[inline]
#[must_use]
pub fn packed(packing: &Packing, bytes: [u8; 2]) -> u32 {
    let texel = u32::from(u16::from_le_bytes(bytes));
    let channel = |number: usize| {
        let Channel { lo, bits } = packing.channels[number];
        let most = (1 << bits) - 1;
        let value = texel >> lo & most;
        // The nearest, with one division; none of the sizes has a tie.
        (255 * value + most / 2).checked_div(most)
    };
    let [r, g, b] = [0, 1, 2].map(|number| channel(number).unwrap_or(0));
    r | g << 8 | b << 16 | channel(3).unwrap_or(255) << 24
}

/// How the bytes of a texel become a colour.
#[derive(Debug, Clone)]
pub enum Texels {
    /// [`rgba8`].
    Rgba8,
    /// [`rgb8`].
    Rgb8,
    /// [`packed`].
    Packed(&'static Packing),
    /// By way of the colour table.
    Indexed(Box<ColorTable>),
}

impl Texels {
    /// Those of a binding's format; reads the colour table.
    #[must_use]
    pub fn new<M: Memory>(memory: &M, binding: &Binding) -> Self {
        let colors = binding.texture().format().colors();
        match (ColorTable::read(memory, binding), colors) {
            (Some(table), _) => Self::Indexed(table),
            (None, Packing { bytes: 4, .. }) => Self::Rgba8,
            (None, Packing { bytes: 3, .. }) => Self::Rgb8,
            (None, packing) => Self::Packed(packing),
        }
    }
}

/// The colour table of a bound texture.
#[derive(Debug, Clone)]
pub struct ColorTable {
    colors: [u32; Format::COLOR_TABLE_ENTRIES as usize],
    failed: [bool; Format::COLOR_TABLE_ENTRIES as usize],
}

impl ColorTable {
    /// Reads the colour table of a binding; none if its format has none.
    ///
    /// A line that cannot be read spoils the entries that lie in it, wholly or in part, until the texture is
    /// bound again.
    #[must_use]
    pub fn read<M: Memory>(memory: &M, binding: &Binding) -> Option<Box<Self>> {
        let format = binding.texture().format();
        let entry_bytes = format.color_table_entry_bytes() as usize;
        if entry_bytes == 0 {
            return None;
        }
        let mut bytes = Vec::new();
        let mut failed = Vec::new();
        for offset in (0..format.color_table_bytes()).step_by(LINE_BYTES as usize) {
            let line = memory.read_line(line_of(texture_address(binding.base(), offset)));
            failed.extend([line.is_err(); LINE_BYTES as usize]);
            bytes.extend(line.unwrap_or_default());
        }
        let mut table = Box::new(Self { colors: [0; 256], failed: [false; 256] });
        for (index, entry) in bytes.chunks_exact(entry_bytes).enumerate() {
            let alpha = entry.get(3).copied().unwrap_or(u8::MAX);
            table.colors[index] = rgba8([entry[0], entry[1], entry[2], alpha]);
            table.failed[index] = failed[index * entry_bytes..][..entry_bytes].contains(&true);
        }
        Some(table)
    }

    /// The colour of an index.
    ///
    /// # Errors
    /// [`LineError`] if the entry could not be read.
    #[inline]
    pub const fn color(&self, index: u8) -> Result<u32, LineError> {
        if self.failed[index as usize] { Err(LineError) } else { Ok(self.colors[index as usize]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryImage;
    use tmu_spec::{Sampler, Texture};

    fn binding(format: Format) -> Binding {
        Binding::new(64, Texture::new(format, 0, 0, 0).unwrap(), Sampler::default()).unwrap()
    }

    #[test]
    fn colours_by_hand() {
        assert_eq!(rgba8([1, 2, 3, 4]), 0x0403_0201);
        assert_eq!(rgb8([1, 2, 3]), 0xff03_0201);
    }

    #[test]
    fn packed_colours_by_hand() {
        let color = |texel: u16| packed(Format::Rgb565.colors(), texel.to_le_bytes()).to_le_bytes();
        assert_eq!(color(0), [0, 0, 0, 255]);
        assert_eq!(color(0xffff), [255, 255, 255, 255]);
        // 3 of 31 is 24.7 of 255, where repeating its bits would give 24.
        assert_eq!(color(3 << 11), [25, 0, 0, 255]);
        assert_eq!(color(1 << 5), [0, 4, 0, 255]);
        assert_eq!(color(16), [0, 0, 132, 255]);
    }

    #[test]
    fn tables_by_hand() {
        let bytes: Vec<u8> = (0..1024u32).map(|byte| (byte % 251) as u8).collect();
        let image = MemoryImage::new(64, bytes);
        let table = ColorTable::read(&image, &binding(Format::I8Rgba8)).unwrap();
        assert_eq!(table.color(2), Ok(0x0b0a_0908));
        // Entry 255 is bytes 1020 to 1023: 1020 % 251 = 16.
        assert_eq!(table.color(255), Ok(0x1312_1110));
        let table = ColorTable::read(&image, &binding(Format::I8Rgb8)).unwrap();
        assert_eq!(table.color(2), Ok(0xff08_0706));
        // Entry 255 is bytes 765 to 767: 765 % 251 = 12.
        assert_eq!(table.color(255), Ok(0xff0e_0d0c));
        assert!((0..=255).all(|index| table.color(index).is_ok()));
        assert!(ColorTable::read(&image, &binding(Format::Rgb8)).is_none());
    }

    /// Memory of zeros in which one line fails.
    struct OneBadLine(u32);

    impl Memory for OneBadLine {
        fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
            if line == self.0 { Err(LineError) } else { Ok([0; 16]) }
        }
    }

    #[test]
    fn a_bad_line_spoils_the_entries_that_touch_it() {
        // The second line of the table holds bytes 16 to 31.
        let failed = |format| {
            let table = ColorTable::read(&OneBadLine(4 + 1), &binding(format)).unwrap();
            (0..=255).filter(|index| table.color(*index).is_err()).collect::<Vec<u8>>()
        };
        assert_eq!(failed(Format::I8Rgba8), [4, 5, 6, 7]);
        // Entry 5 is bytes 15 to 17, entry 10 bytes 30 to 32.
        assert_eq!(failed(Format::I8Rgb8), [5, 6, 7, 8, 9, 10]);
    }
}
