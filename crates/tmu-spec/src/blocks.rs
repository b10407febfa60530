//! Tables of the compressed formats, as their specifications have them. What is computed from them is the decoders' own matter.

/// How a mode's block is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Bc7Mode {
    /// Pairs of end points.
    pub subsets: usize,
    /// Bits of the number that says which texels belong to which pair.
    pub partition_bits: u32,
    /// Bits that say with which channel alpha is exchanged.
    pub rotation_bits: u32,
    /// Bits that say which indices are the colour's.
    pub selection_bits: u32,
    /// Bits of a colour channel of an end point.
    pub color_bits: u32,
    /// Bits of its alpha; without any all is opaque.
    pub alpha_bits: u32,
    /// End points that have a lowest bit in common for all of their channels: 0 without such bits, 1 or both of a pair.
    pub shared_by: usize,
    /// Bits of an index, and of a second one.
    pub index_bits: [u32; 2],
}

const fn mode(layout: [u32; 6], shared_by: usize, index_bits: [u32; 2]) -> Bc7Mode {
    let [subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits] = layout;
    Bc7Mode {
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

/// The layouts by mode.
pub const BC7_MODES: [Bc7Mode; 8] = [
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
pub const SUBSETS_OF_TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// Subset of each texel with three of them, two bits each, by partition.
pub const SUBSETS_OF_THREE: [u32; 64] = [
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
pub const ANCHOR_OF_TWO: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8,
    8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15,
    15, 2, 2, 15,
];

/// The same of the second and the third of three subsets.
pub const ANCHORS_OF_THREE: [[u8; 64]; 2] = [
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

/// Modifiers of EAC by table and index (Khronos Data Format Specification 1.3, table 21.17).
pub const EAC_MODIFIERS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Steps of brightness of ETC2 by table: the small one and the large one (the same, table 21.4).
pub const ETC2_STEPS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
/// Distances of its modes T and H.
pub const ETC2_DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];
