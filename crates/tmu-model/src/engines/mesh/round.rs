//! What stages share: colours of 16 bits, and rounding.

/// Red, green and blue of a colour.
pub(super) const fn components(color: u16) -> [u32; 3] {
    let color = color as u32;
    [color >> 11, color >> 5 & 63, color & 31]
}

/// Largest value of each component.
pub(super) const LARGEST: [u32; 3] = [31, 63, 31];

/// The colour of its components.
pub(super) const fn color([red, green, blue]: [u32; 3]) -> u16 {
    (red << 11 | green << 5 | blue) as u16
}

/// Divides by `2^bits` to the nearest, of two to the even one.
pub(super) const fn nearest_even(value: u32, bits: u32) -> u32 {
    let (whole, rest, half) = (value >> bits, value & ((1 << bits) - 1), 1 << (bits - 1));
    whole + (rest > half || rest == half && whole & 1 == 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_goes_to_the_nearest() {
        for bits in [6, 12] {
            let unit = 1_i64 << bits;
            for value in 0..130 * unit {
                let got = i64::from(nearest_even(value as u32, bits));
                let distance = (got * unit - value).abs();
                assert!(2 * distance <= unit, "{value} / {unit} is not {got}");
                assert!(2 * distance < unit || got % 2 == 0, "{value} / {unit} goes to the odd {got}");
            }
        }
    }

    #[test]
    fn colours_are_their_components() {
        for value in 0..=u16::MAX {
            assert_eq!(color(components(value)), value);
        }
        assert_eq!(components(0xf800), [31, 0, 0]);
    }
}
