//! ETC2: two base colours and a step of brightness a texel, or, where the second colour would overflow, one of three other modes.

use super::bc::halves;
use super::{Rgba, TEXELS, eac, replicate, with_alpha};
use tmu_spec::blocks::{ETC2_DISTANCES, ETC2_STEPS};

/// Whether a block may have texels that are not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alpha {
    /// All are opaque; blocks may have two colours of four bits each.
    Opaque,
    /// A bit of the block says whether index 2 is transparent black.
    Punched,
}

/// A color of three channels of 8 bits, or more and less while it is added to.
type Color = [i32; 3];

/// A block's 64 bits, the first byte on top.
#[derive(Clone, Copy)]
struct Block(u64);

impl Block {
    /// The bits `high` to `low`.
    fn bits(self, high: u32, low: u32) -> u32 {
        (self.0 >> low) as u32 & ((1 << (high - low + 1)) - 1)
    }

    fn bit(self, number: u32) -> bool {
        self.bits(number, number) == 1
    }

    /// The index of a texel, 0 to 3. Texels go column by column.
    fn index(self, texel: usize) -> usize {
        let place = 4 * (texel as u32 % 4) + texel as u32 / 4;
        (self.bits(16 + place, 16 + place) << 1 | self.bits(place, place)) as usize
    }
}

fn expanded(color: [u32; 3], bits: u32) -> Color {
    color.map(|channel| i32::from(replicate(channel, bits)))
}

fn shifted(color: Color, by: i32) -> Color {
    color.map(|channel| channel + by)
}

fn opaque(color: Color) -> Rgba {
    let [r, g, b] = color.map(|channel| channel.clamp(0, 255) as u8);
    [r, g, b, 255]
}

/// The second colour of a block with a base and a difference, none where a channel overflows: the first such channel.
fn second_color(block: Block) -> Result<[u32; 3], usize> {
    let mut color = [0; 3];
    for (channel, value) in color.iter_mut().enumerate() {
        let low = 56 - 8 * channel as u32;
        let difference = block.bits(low + 2, low) as i32;
        let sum = block.bits(low + 7, low + 3) as i32 + (difference ^ 4) - 4;
        *value = u32::try_from(sum).ok().filter(|sum| *sum < 32).ok_or(channel)?;
    }
    Ok(color)
}

fn decode(bytes: [u8; 8], alpha: Alpha) -> [Rgba; TEXELS] {
    let block = Block(u64::from_be_bytes(bytes));
    let mode_bit = block.bit(33);
    let is_punched = alpha == Alpha::Punched && !mode_bit;
    if alpha == Alpha::Opaque && !mode_bit {
        let color = |first: u32| [first, first - 8, first - 16].map(|low| block.bits(low + 3, low));
        return halves_of_texels(block, [60, 56].map(|low| expanded(color(low), 4)), false);
    }
    match second_color(block) {
        Ok(second) => {
            let first = [59, 51, 43].map(|low| block.bits(low + 4, low));
            halves_of_texels(block, [first, second].map(|color| expanded(color, 5)), is_punched)
        }
        Err(0) => painted(block, paint_t(block), is_punched),
        Err(1) => painted(block, paint_h(block), is_punched),
        Err(_) => plane(block),
    }
}

/// A colour for each half of the block, left and right or above each other, made brighter or darker.
fn halves_of_texels(block: Block, colors: [Color; 2], is_punched: bool) -> [Rgba; TEXELS] {
    let tables = [block.bits(39, 37), block.bits(36, 34)].map(|table| ETC2_STEPS[table as usize]);
    let is_flipped = block.bit(32);
    std::array::from_fn(|texel| {
        let (x, y) = (texel % 4, texel / 4);
        let half = usize::from(if is_flipped { y >= 2 } else { x >= 2 });
        let [small, large] = tables[half];
        let step = match block.index(texel) {
            0 if is_punched => 0,
            0 => small,
            1 => large,
            2 if is_punched => return [0; 4],
            2 => -small,
            _ => -large,
        };
        opaque(shifted(colors[half], step))
    })
}

/// One of four colours for each texel.
fn painted(block: Block, paint: [Color; 4], is_punched: bool) -> [Rgba; TEXELS] {
    std::array::from_fn(|texel| match block.index(texel) {
        2 if is_punched => [0; 4],
        index => opaque(paint[index]),
    })
}

/// Mode T: one colour, and a second one with its two neighbours in brightness.
fn paint_t(block: Block) -> [Color; 4] {
    let red = block.bits(60, 59) << 2 | block.bits(57, 56);
    let first = expanded([red, block.bits(55, 52), block.bits(51, 48)], 4);
    let second = expanded([block.bits(47, 44), block.bits(43, 40), block.bits(39, 36)], 4);
    let distance = ETC2_DISTANCES[(block.bits(35, 34) << 1 | block.bits(32, 32)) as usize];
    [first, shifted(second, distance), second, shifted(second, -distance)]
}

/// Mode H: two colours, each made brighter and darker. Which one is the larger is a bit of the distance.
fn paint_h(block: Block) -> [Color; 4] {
    let first = [
        block.bits(62, 59),
        block.bits(58, 56) << 1 | block.bits(52, 52),
        block.bits(51, 51) << 3 | block.bits(49, 47),
    ];
    let second = [block.bits(46, 43), block.bits(42, 39), block.bits(38, 35)];
    let index = block.bits(34, 34) << 2 | block.bits(32, 32) << 1 | u32::from(first >= second);
    let distance = ETC2_DISTANCES[index as usize];
    let [first, second] = [first, second].map(|color| expanded(color, 4));
    [
        shifted(first, distance),
        shifted(first, -distance),
        shifted(second, distance),
        shifted(second, -distance),
    ]
}

/// Planar mode: the colours at the origin, to the right and below; all others lie in their plane.
fn plane(block: Block) -> [Rgba; TEXELS] {
    let color = |[r, g, b]: [u32; 3]| [replicate(r, 6), replicate(g, 7), replicate(b, 6)].map(i32::from);
    let origin = color([
        block.bits(62, 57),
        block.bits(56, 56) << 6 | block.bits(54, 49),
        block.bits(48, 48) << 5 | block.bits(44, 43) << 3 | block.bits(41, 39),
    ]);
    let right = color([block.bits(38, 34) << 1 | block.bits(32, 32), block.bits(31, 25), block.bits(24, 19)]);
    let below = color([block.bits(18, 13), block.bits(12, 6), block.bits(5, 0)]);
    std::array::from_fn(|texel| {
        let (x, y) = ((texel % 4) as i32, (texel / 4) as i32);
        let channel = |number: usize| {
            let from = origin[number];
            (x * (right[number] - from) + y * (below[number] - from) + 4 * from + 2) >> 2
        };
        opaque([channel(0), channel(1), channel(2)])
    })
}

/// Texels of an ETC2 block without alpha.
#[must_use]
pub fn rgb8(block: [u8; 8]) -> [Rgba; TEXELS] {
    decode(block, Alpha::Opaque)
}

/// Texels of an ETC2 block with one bit of alpha: a transparent texel is 0 in all channels.
#[must_use]
pub fn rgb8a1(block: [u8; 8]) -> [Rgba; TEXELS] {
    decode(block, Alpha::Punched)
}

/// Texels of an ETC2 block with eight bits of alpha.
#[must_use]
pub fn rgba8(block: [u8; 16]) -> [Rgba; TEXELS] {
    let [alpha, color] = halves(block);
    with_alpha(decode(color, Alpha::Opaque), eac::alpha(alpha))
}
