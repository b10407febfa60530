//! `result`: components in their places, and channels in the form of the unit's results.

use super::channels::Channels;
use super::request::Bound;
use tmu_spec::general::{Component, ResultNumbers};

/// Channels with the components that the texture's swizzle puts there.
#[inline]
pub(super) fn swizzled(bound: &Bound, channels: Channels, are_floats: bool) -> Channels {
    if bound.shows_all() {
        return channels;
    }
    let one = if are_floats { 1.0f32.to_bits() } else { (1 << bound.general().channel_bits) - 1 };
    bound.texture().swizzle().0.map(|component| match component {
        Component::Zero => 0,
        Component::One => one,
        place => channels[place as usize],
    })
}

/// Channels as bits of a result.
#[inline]
pub(super) fn of_channels(bound: &Bound, channels: Channels, are_floats: bool) -> Channels {
    let (numbers, bits) = (bound.general().result, bound.general().channel_bits);
    if are_floats {
        return channels.map(|channel| of_float(channel, numbers));
    }
    match numbers {
        // The form that they have.
        ResultNumbers::Unorm16 if bits == 16 => channels,
        _ => channels.map(|channel| of_unorm(channel, bits, numbers)),
    }
}

/// A float as a channel of a result.
#[must_use]
pub fn of_float(bits: u32, numbers: ResultNumbers) -> u32 {
    let most = match numbers {
        ResultNumbers::Fp32 => return bits,
        ResultNumbers::Unorm8 => 255.0,
        ResultNumbers::Unorm16 => 65535.0,
    };
    // NaN limits to NaN, which casts to 0. A double holds the product and the half exactly.
    (f64::from(f32::from_bits(bits)).clamp(0.0, 1.0) * most + 0.5).floor() as u32
}

/// An unsigned number of `bits` bits as a channel of a result.
#[inline]
#[must_use]
pub fn of_unorm(value: u32, bits: u32, numbers: ResultNumbers) -> u32 {
    let most = (1 << bits) - 1;
    let to = |wanted: u32| {
        if wanted == most {
            value
        } else {
            ((2 * u64::from(value) * u64::from(wanted) + u64::from(most)) / u64::from(2 * most)) as u32
        }
    };
    match numbers {
        ResultNumbers::Unorm8 => to(0xff),
        ResultNumbers::Unorm16 => to(0xffff),
        // Both are exact as singles, so that the quotient is rounded once.
        ResultNumbers::Fp32 => (value as f32 / most as f32).to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_by_hand() {
        use ResultNumbers::{Fp32, Unorm8, Unorm16};
        let table = [
            (255, 8, Unorm8, 255),
            (128, 8, Unorm16, 128 * 257),
            (65535, 16, Unorm8, 255),
            (128, 16, Unorm8, 0),
            (129, 16, Unorm8, 1),
            (65535, 16, Fp32, 0x3f80_0000),
            (255, 8, Fp32, 0x3f80_0000),
            // 1 / 65535 = 2^-16 (1 + 2^-16 + …).
            (1, 16, Fp32, 0x3780_0080),
            (0, 16, Fp32, 0),
        ];
        for (value, bits, numbers, expected) in table {
            assert_eq!(of_unorm(value, bits, numbers), expected, "{value} of {bits} as {numbers}");
        }
        let floats = [
            (1.0, Unorm8, 255),
            (0.5, Unorm8, 128),
            (0.5, Unorm16, 32768),
            (-1.0, Unorm8, 0),
            (7.0, Unorm16, 65535),
            (f32::NAN, Unorm8, 0),
            (-0.0, Fp32, 0x8000_0000),
        ];
        for (value, numbers, expected) in floats {
            assert_eq!(of_float(value.to_bits(), numbers), expected, "{value} as {numbers}");
        }
    }
}
