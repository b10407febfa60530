//! BC7: eight modes, with one to three pairs of end points, each for some of the texels.

use super::{Rgba, TEXELS, replicate};

/// How a mode's block is laid out.
struct Mode {
    /// Pairs of end points.
    subsets: usize,
    /// Bits of the number that says which texels belong to which pair.
    partition_bits: u32,
    /// Bits that say with which channel alpha is exchanged.
    rotation_bits: u32,
    /// Bits that say which indices are the colour's.
    selection_bits: u32,
    /// Bits of a colour channel of an end point.
    color_bits: u32,
    /// Bits of its alpha; without any all is opaque.
    alpha_bits: u32,
    /// End points that have a lowest bit in common for all of their channels: 0 without such bits, 1 or both of a pair.
    shared_by: usize,
    /// Bits of an index, and of a second one.
    index_bits: [u32; 2],
}

const fn mode(layout: [u32; 6], shared_by: usize, index_bits: [u32; 2]) -> Mode {
    let [subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits] = layout;
    Mode {
        subsets: subsets as usize,
        partition_bits,
        rotation_bits,
        selection_bits,
        color_bits,
        alpha_bits,
        shared_by,
        index_bits,
    }
}

const MODES: [Mode; 8] = [
    mode([3, 4, 0, 0, 4, 0], 1, [3, 0]),
    mode([2, 6, 0, 0, 6, 0], 2, [3, 0]),
    mode([3, 6, 0, 0, 5, 0], 0, [2, 0]),
    mode([2, 6, 0, 0, 7, 0], 1, [2, 0]),
    mode([1, 0, 2, 1, 5, 6], 0, [2, 3]),
    mode([1, 0, 2, 0, 7, 8], 0, [2, 2]),
    mode([1, 0, 0, 0, 7, 7], 1, [4, 0]),
    mode([2, 6, 0, 0, 5, 5], 1, [2, 0]),
];

/// Subset of each texel with two of them, a bit each, by partition.
const OF_TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// Subset of each texel with three of them, two bits each, by partition.
const OF_THREE: [u32; 64] = [
    0xaa68_5050,
    0x6a5a_5040,
    0x5a5a_4200,
    0x5450_a0a8,
    0xa5a5_0000,
    0xa0a0_5050,
    0x5555_a0a0,
    0x5a5a_5050,
    0xaa55_0000,
    0xaa55_5500,
    0xaaaa_5500,
    0x9090_9090,
    0x9494_9494,
    0xa4a4_a4a4,
    0xa9a5_9450,
    0x2a0a_4250,
    0xa594_5040,
    0x0a42_5054,
    0xa5a5_a500,
    0x55a0_a0a0,
    0xa8a8_5454,
    0x6a6a_4040,
    0xa4a4_5000,
    0x1a1a_0500,
    0x0050_a4a4,
    0xaaa5_9090,
    0x1469_6914,
    0x6969_1400,
    0xa085_85a0,
    0xaa82_1414,
    0x50a4_a450,
    0x6a5a_0200,
    0xa9a5_8000,
    0x5090_a0a8,
    0xa8a0_9050,
    0x2424_2424,
    0x00aa_5500,
    0x2492_4924,
    0x2449_9224,
    0x50a5_0a50,
    0x500a_a550,
    0xaaaa_4444,
    0x6666_0000,
    0xa5a0_a5a0,
    0x50a0_50a0,
    0x6928_6928,
    0x44aa_aa44,
    0x6666_6600,
    0xaa44_4444,
    0x54a8_54a8,
    0x9580_9580,
    0x9696_9600,
    0xa854_54a8,
    0x8095_9580,
    0xaa14_1414,
    0x9696_0000,
    0xaaaa_1414,
    0xa050_50a0,
    0xa0a5_a5a0,
    0x9600_0000,
    0x4080_4080,
    0xa9a8_a9a8,
    0xaaaa_aa44,
    0x2a4a_5254,
];

/// The texel of the second of two subsets whose index has a bit less, by partition. Of the first subset it is texel 0.
const ANCHOR_OF_TWO: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8,
    8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15,
    15, 2, 2, 15,
];

/// The same of the second and the third of three subsets.
const ANCHORS_OF_THREE: [[u8; 64]; 2] = [
    [
        3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15,
        15, 8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13,
        15, 12, 3, 3,
    ],
    [
        15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10,
        15, 15, 10, 8, 15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15,
        15, 15, 15, 15, 3, 15, 15, 8,
    ],
];

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

impl Mode {
    /// The subset of a texel.
    fn subset(&self, partition: usize, texel: usize) -> usize {
        match self.subsets {
            1 => 0,
            2 => usize::from(OF_TWO[partition] >> texel & 1),
            _ => (OF_THREE[partition] >> (2 * texel) & 3) as usize,
        }
    }

    /// Whether the texel's index has a bit less.
    fn is_anchor(&self, partition: usize, texel: usize) -> bool {
        let anchors: &[u8] = match self.subsets {
            1 => &[0],
            2 => &[0, ANCHOR_OF_TWO[partition]],
            _ => &[0, ANCHORS_OF_THREE[0][partition], ANCHORS_OF_THREE[1][partition]],
        };
        anchors.contains(&(texel as u8))
    }

    /// The end points, two for each subset.
    fn end_points(&self, reader: &mut Reader) -> [Rgba; 6] {
        let points = 2 * self.subsets;
        let bits = [self.color_bits, self.color_bits, self.color_bits, self.alpha_bits];
        let mut channels = [[0; 4]; 6];
        for (channel, bits) in bits.into_iter().enumerate() {
            for point in &mut channels[..points] {
                point[channel] = reader.take(bits);
            }
        }
        let mut lowest = [0; 6];
        if self.shared_by > 0 {
            for both in lowest[..points].chunks_mut(self.shared_by) {
                both.fill(reader.take(1));
            }
        }
        let shared_bits = u32::from(self.shared_by > 0);
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
        let partition = reader.take(self.partition_bits) as usize;
        let rotation = reader.take(self.rotation_bits) as usize;
        let selects_second = reader.take(self.selection_bits) == 1;
        let points = self.end_points(&mut reader);
        let [first_bits, second_bits] = self.index_bits;
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
    match MODES.get(number as usize) {
        Some(mode) => mode.decode(Reader(bits >> (number + 1))),
        None => [[0; 4]; TEXELS],
    }
}
