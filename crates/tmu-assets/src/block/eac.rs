//! EAC: one channel of a block as a base value, a multiplier and a table of eight modifiers.
//!
//! No kept crate writes EAC in Rust, so this does: for each of the 16 tables it tries the multipliers and bases around those that
//! cover the range of the block, and takes the one of least squared error. Reading is here too, with all 11 bits.

use super::TEXELS;
use tmu_spec::blocks::EAC_MODIFIERS;

/// What a block's values are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Alpha of 8 bits.
    Alpha,
    /// A colour of 11 bits.
    Color,
}

impl Channel {
    /// What a step of the base is worth.
    fn base_step(self) -> i32 {
        match self {
            Channel::Alpha => 1,
            Channel::Color => 8,
        }
    }

    /// The value of a base and a modifier times its scale.
    fn value(self, base: i32, scaled_modifier: i32) -> i32 {
        match self {
            Channel::Alpha => (base + scaled_modifier).clamp(0, 255),
            Channel::Color => (8 * base + 4 + scaled_modifier).clamp(0, 2047),
        }
    }

    /// What a modifier is multiplied by.
    fn scale(self, multiplier: i32) -> i32 {
        match (self, multiplier) {
            (Channel::Alpha, _) => multiplier,
            (Channel::Color, 0) => 1,
            (Channel::Color, _) => 8 * multiplier,
        }
    }
}

/// The place of a texel in the order of a block: column by column.
fn place(texel: usize) -> usize {
    4 * (texel % 4) + texel / 4
}

/// The values of a block, row by row.
pub(super) fn decode(channel: Channel, block: [u8; 8]) -> [u16; TEXELS] {
    let bits = u64::from_be_bytes(block);
    let modifiers = EAC_MODIFIERS[(bits >> 48 & 15) as usize];
    let scale = channel.scale((bits >> 52 & 15) as i32);
    let base = (bits >> 56) as i32;
    std::array::from_fn(|texel| {
        let index = (bits >> (45 - 3 * place(texel)) & 7) as usize;
        channel.value(base, modifiers[index] * scale) as u16
    })
}

/// A block of values, row by row.
pub(super) fn encode(channel: Channel, values: &[u16; TEXELS]) -> [u8; 8] {
    let values = values.map(i32::from);
    let (low, high) = values.iter().fold((i32::MAX, 0), |(low, high), &v| (low.min(v), high.max(v)));
    let step = channel.base_step();
    let least_multiplier = if channel == Channel::Alpha { 1 } else { 0 };
    let mut best = (i32::MAX, 0, 0, 0);
    for (table, modifiers) in EAC_MODIFIERS.iter().enumerate() {
        // The fourth is the lowest, the eighth the highest.
        let (least, most) = (modifiers[3], modifiers[7]);
        let fitting = (high - low + (most - least) * step - 1) / ((most - least) * step);
        for multiplier in (fitting - 1).max(least_multiplier)..=(fitting + 1).clamp(least_multiplier, 15) {
            let centre = (low + high - (least + most) * channel.scale(multiplier)) / 2 / step;
            for base in centre - 1..=centre + 1 {
                let base = base.clamp(0, 255);
                let palette =
                    modifiers.map(|modifier| channel.value(base, modifier * channel.scale(multiplier)));
                let error = values.iter().map(|&value| nearest(&palette, value).1).sum();
                if error < best.0 {
                    best = (error, table, multiplier, base);
                }
            }
        }
    }
    let (_, table, multiplier, base) = best;
    let palette =
        EAC_MODIFIERS[table].map(|modifier| channel.value(base, modifier * channel.scale(multiplier)));
    let head = (base as u64) << 56 | (multiplier as u64) << 52 | (table as u64) << 48;
    let index = |texel: usize| (nearest(&palette, values[texel]).0 as u64) << (45 - 3 * place(texel));
    (0..TEXELS).map(index).fold(head, |bits, index| bits | index).to_be_bytes()
}

/// The entry nearest to a value, and its squared error.
fn nearest(palette: &[i32; 8], value: i32) -> (usize, i32) {
    let errors = palette.iter().map(|entry| (entry - value).pow(2)).enumerate();
    errors.min_by_key(|(_, error)| *error).expect("eight entries")
}
