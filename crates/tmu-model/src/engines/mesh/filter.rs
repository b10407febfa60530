//! From four texels and two weights to a colour.

use super::round::{color, components, nearest_even};

/// Weighs four texels: upper left, upper right, lower left, lower right. The right ones count `fx` of 64, the lower ones `fy`.
#[must_use]
pub fn filter(texels: [u16; 4], fx: u32, fy: u32) -> u16 {
    let weights = [(64 - fx) * (64 - fy), fx * (64 - fy), (64 - fx) * fy, fx * fy];
    let texels = texels.map(components);
    color([0, 1, 2].map(|of| {
        let sum = texels.iter().zip(weights).map(|(texel, weight)| texel[of] * weight).sum();
        nearest_even(sum, 12)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_texel_alone_is_itself() {
        for texel in 0..=u16::MAX {
            assert_eq!(filter([texel, 1, 2, 3], 0, 0), texel);
        }
        assert_eq!(filter([7, 7, 7, 7], 33, 50), 7);
    }

    #[test]
    fn halves_go_to_the_even_one() {
        for (left, right, expected) in [(0, 1, 0), (1, 2, 2), (2, 3, 2), (30, 31, 30)] {
            assert_eq!(filter([left, right, 0, 0], 32, 0), expected);
            assert_eq!(filter([left, 0, right, 0], 0, 32), expected);
        }
    }

    proptest! {
        /// In real numbers, exact for 53 bits.
        #[test]
        fn is_the_nearest_to_the_weighted_mean(texels: [u16; 4], fx in 0..64_u32, fy in 0..64_u32) {
            let (x, y) = (f64::from(fx) / 64.0, f64::from(fy) / 64.0);
            let got = components(filter(texels, fx, fy));
            for (of, got) in got.into_iter().enumerate() {
                let [a, b, c, d] = texels.map(|texel| f64::from(components(texel)[of]));
                let mean = (a * (1.0 - x) + b * x) * (1.0 - y) + (c * (1.0 - x) + d * x) * y;
                prop_assert_eq!(f64::from(got), mean.round_ties_even());
            }
        }
    }
}
