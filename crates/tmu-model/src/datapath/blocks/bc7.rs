//! BC7: eight modes, with one to three pairs of end points, each for some of the texels.

use super::{Rgba, TEXELS, replicate};
use tmu_spec::blocks::{
    ANCHOR_OF_TWO, ANCHORS_OF_THREE, BC7_MODES, Bc7Mode, SUBSETS_OF_THREE, SUBSETS_OF_TWO,
};

/// Weights of the second end point in 64ths, by index.
const WEIGHTS_OF_2_BITS: [u32; 4] = [0, 21, 43, 64];
const WEIGHTS_OF_3_BITS: [u32; 8] = [0, 9, 18, 27, 37, 46, 55, 64];
const WEIGHTS_OF_4_BITS: [u32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

fn weight(index: u32, bits: u32) -> u32 {
    let weights: &[u32] = match bits {
        2 => &WEIGHTS_OF_2_BITS,
        3 => &WEIGHTS_OF_3_BITS,
        _ => &WEIGHTS_OF_4_BITS,
    };
    weights[index as usize]
}

/// A block's bits, from the lowest on.
struct Reader(u128);

impl Reader {
    fn take(&mut self, bits: u32) -> u32 {
        let value = self.0 as u32 & ((1 << bits) - 1);
        self.0 >>= bits;
        value
    }
}

/// A mode by its layout.
struct Mode(&'static Bc7Mode);

impl Mode {
    /// The subset of a texel.
    fn subset(&self, partition: usize, texel: usize) -> usize {
        match self.0.subsets {
            1 => 0,
            2 => usize::from(SUBSETS_OF_TWO[partition] >> texel & 1),
            _ => (SUBSETS_OF_THREE[partition] >> (2 * texel) & 3) as usize,
        }
    }

    /// Whether the texel's index has a bit less.
    fn is_anchor(&self, partition: usize, texel: usize) -> bool {
        let anchors: &[u8] = match self.0.subsets {
            1 => &[0],
            2 => &[0, ANCHOR_OF_TWO[partition]],
            _ => &[0, ANCHORS_OF_THREE[0][partition], ANCHORS_OF_THREE[1][partition]],
        };
        anchors.contains(&(texel as u8))
    }

    /// The end points, two for each subset.
    fn end_points(&self, reader: &mut Reader) -> [Rgba; 6] {
        let points = 2 * self.0.subsets;
        let bits = [self.0.color_bits, self.0.color_bits, self.0.color_bits, self.0.alpha_bits];
        let mut channels = [[0; 4]; 6];
        for (channel, bits) in bits.into_iter().enumerate() {
            for point in &mut channels[..points] {
                point[channel] = reader.take(bits);
            }
        }
        let mut lowest = [0; 6];
        if self.0.shared_by > 0 {
            for both in lowest[..points].chunks_mut(self.0.shared_by) {
                both.fill(reader.take(1));
            }
        }
        let shared_bits = u32::from(self.0.shared_by > 0);
        std::array::from_fn(|point| {
            std::array::from_fn(|channel| match bits[channel] {
                0 => 255,
                bits => {
                    let value = channels[point][channel] << shared_bits | lowest[point] & shared_bits;
                    replicate(value, bits + shared_bits)
                }
            })
        })
    }

    /// The weights of all texels by one set of indices; those of anchors have a bit less.
    fn weights(&self, reader: &mut Reader, bits: u32, is_anchor: impl Fn(usize) -> bool) -> [u32; TEXELS] {
        std::array::from_fn(|texel| weight(reader.take(bits - u32::from(is_anchor(texel))), bits))
    }

    fn decode(&self, mut reader: Reader) -> [Rgba; TEXELS] {
        let partition = reader.take(self.0.partition_bits) as usize;
        let rotation = reader.take(self.0.rotation_bits) as usize;
        let selects_second = reader.take(self.0.selection_bits) == 1;
        let points = self.end_points(&mut reader);
        let [first_bits, second_bits] = self.0.index_bits;
        let first = self.weights(&mut reader, first_bits, |texel| self.is_anchor(partition, texel));
        let second =
            if second_bits == 0 { first } else { self.weights(&mut reader, second_bits, |texel| texel == 0) };
        let (of_color, of_alpha) = if selects_second { (second, first) } else { (first, second) };
        std::array::from_fn(|texel| {
            let subset = self.subset(partition, texel);
            let mix = |channel: usize| {
                let [from, to] = [0, 1].map(|end| u32::from(points[2 * subset + end][channel]));
                let weight = if channel == 3 { of_alpha[texel] } else { of_color[texel] };
                (((64 - weight) * from + weight * to + 32) >> 6) as u8
            };
            let mut color = std::array::from_fn(mix);
            if rotation > 0 {
                color.swap(rotation - 1, 3);
            }
            color
        })
    }
}

/// Texels of a BC7 block. One of the reserved mode is 0 in all channels.
#[must_use]
pub fn bc7(block: [u8; 16]) -> [Rgba; TEXELS] {
    let bits = u128::from_le_bytes(block);
    let number = bits.trailing_zeros();
    match BC7_MODES.get(number as usize) {
        Some(mode) => Mode(mode).decode(Reader(bits >> (number + 1))),
        None => [[0; 4]; TEXELS],
    }
}
