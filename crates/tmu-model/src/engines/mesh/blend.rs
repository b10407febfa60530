//! From a colour and what is in the frame buffer to the pixel.

use super::round::{LARGEST, color, components, nearest_even};

/// Gives the colour `alpha` plus 1, of 64, and the frame buffer's the rest; or, additive, all of it.
#[must_use]
pub fn blend(new: u16, old: u16, alpha: u32, additive: bool) -> u16 {
    let rest = if additive { 64 } else { 63 - alpha };
    let [new, old] = [new, old].map(components);
    color([0, 1, 2].map(|of| nearest_even((alpha + 1) * new[of] + rest * old[of], 6).min(LARGEST[of])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every alpha and every pair of values of the widest component, in real numbers.
    #[test]
    fn is_the_nearest_to_the_sum() {
        for additive in [false, true] {
            for alpha in 0..64 {
                for new in 0..64_u16 {
                    for old in 0..64_u16 {
                        let share = f64::from(alpha + 1) / 64.0;
                        let rest = if additive { 1.0 } else { 1.0 - share };
                        let sum = share * f64::from(new) + rest * f64::from(old);
                        let expected = sum.round_ties_even().min(63.0) as u16;
                        assert_eq!(blend(new << 5, old << 5, alpha, additive), expected << 5);
                    }
                }
            }
        }
    }

    #[test]
    fn each_component_has_its_own_limit() {
        assert_eq!(blend(0xffff, 0x0861, 63, true), 0xffff);
        assert_eq!(blend(0x0861, 0x0861, 63, true), 0x10c2);
        assert_eq!(blend(0x1234, 0xffff, 63, false), 0x1234);
    }
}
