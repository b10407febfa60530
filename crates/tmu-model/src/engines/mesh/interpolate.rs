//! From the corners of a rectangle to the position of a pixel in the texture.

use super::vertices::Point;

/// Bits to which a difference is taken.
const DIFFERENCE_BITS: u32 = 17;

/// The `k`th of `n` steps from `a` to `b`, to the nearest; a half goes towards `a`.
#[must_use]
pub fn step(a: i32, b: i32, n: u32, k: u32) -> i32 {
    let difference = u64::from(b.abs_diff(a)) & ((1 << DIFFERENCE_BITS) - 1);
    let n = u64::from(n);
    let by = ((2 * u64::from(k) * difference + n - 1) / (2 * n)) as i32;
    if b > a { a + by } else { a - by }
}

/// Both coordinates of [`step`].
#[must_use]
pub fn step_point(a: Point, b: Point, n: u32, k: u32) -> Point {
    [0, 1].map(|axis| step(a[axis], b[axis], n, k))
}

/// A rectangle: its corners upper left, upper right, lower left, lower right, and its size in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// Its corners.
    pub corners: [Point; 4],
    /// Its width and height.
    pub size: [u32; 2],
}

impl Rectangle {
    /// Both ends of a row: the positions that its pixels lie between.
    #[must_use]
    pub fn row(&self, y: u32) -> [Point; 2] {
        let [a, b, c, d] = self.corners;
        [step_point(a, c, self.size[1], y), step_point(b, d, self.size[1], y)]
    }

    /// The position of a pixel.
    #[must_use]
    pub fn position(&self, x: u32, y: u32) -> Point {
        let [left, right] = self.row(y);
        step_point(left, right, self.size[0], x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_integer::Integer as _;
    use proptest::prelude::*;

    const LOWEST: i32 = -(1 << 17);
    const HIGHEST: i32 = (1 << 17) - 1;

    /// The nearest integer to `a + (b - a) k / n`; of two the one nearer to `a`. Differences of 18 bits are not for it.
    fn nearest(a: i32, b: i32, n: u32, k: u32) -> BigInt {
        let [n, k] = [n, k].map(BigInt::from);
        let (a, b) = (BigInt::from(a), BigInt::from(b));
        let exact = (&b - &a) * k; // over n
        let below = exact.div_floor(&n);
        let [low, high] = [below.clone(), below + 1];
        let distances = [&exact - &low * &n, &high * &n - &exact];
        let takes_low = match distances[0].cmp(&distances[1]) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => b > a,
        };
        a + if takes_low { low } else { high }
    }

    #[test]
    fn small_steps_are_the_nearest_one_by_one() {
        for n in 1..=9 {
            for k in 0..n {
                for difference in -40..=40 {
                    let got = step(3, 3 + difference, n, k);
                    assert_eq!(
                        BigInt::from(got),
                        nearest(3, 3 + difference, n, k),
                        "{difference} * {k} / {n}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn steps_are_the_nearest(a in LOWEST..=HIGHEST, b in LOWEST..=HIGHEST, n in 1..2048_u32, k in 0..2048_u32) {
            prop_assume!(a.abs_diff(b) < 1 << 17);
            let k = k % n;
            let got = step(a, b, n, k);
            prop_assert_eq!(BigInt::from(got), nearest(a, b, n, k));
            prop_assert!(got >= a.min(b) && got <= a.max(b));
        }

        #[test]
        fn differences_are_taken_to_17_bits(a in LOWEST..=HIGHEST, b in LOWEST..=HIGHEST, n in 1..2048_u32, k in 0..2048_u32) {
            prop_assume!(a.abs_diff(b) >= 1 << 17);
            let nearer = if b > a { b - (1 << 17) } else { b + (1 << 17) };
            // With nothing left of it nothing moves; the direction stays.
            prop_assert_eq!(step(a, b, n, k % n), step(a, nearer, n, k % n));
        }
    }

    #[test]
    fn a_rectangle_steps_down_and_then_across() {
        let corners = [[0, 0], [64, 0], [0, 64], [256, 128]];
        let rectangle = Rectangle { corners, size: [4, 2] };
        assert_eq!(rectangle.position(0, 0), [0, 0]);
        assert_eq!(rectangle.position(1, 0), [16, 0]);
        assert_eq!(rectangle.row(1), [[0, 32], [160, 64]]);
        assert_eq!(rectangle.position(3, 1), [120, 56]);
    }
}
