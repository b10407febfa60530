//! Which texels of an axis make each texel of the next level, and how much each counts.
//!
//! Contract: the weights of a texel add up to 1. Only additions, multiplications and divisions are rounded, and the sines of one kernel.

use super::MipFilter;
use std::f64::consts::PI;

impl MipFilter {
    /// Weights of the source texels `2x + 1 - n/2 …` of an even side that make texel `x`; their sum is 1.
    pub(super) fn taps(self) -> Vec<f32> {
        match self {
            MipFilter::Box | MipFilter::BoxEncoded | MipFilter::Exact => vec![0.5, 0.5],
            MipFilter::Triangle => sampled_kernel(1, tent),
            MipFilter::Lanczos3 => sampled_kernel(3, windowed_sinc),
            MipFilter::Point => vec![1.0, 0.0],
        }
    }
}

/// `kernel(distance)` at the centres of the source texels within `radius` target texels, made to sum to 1.
fn sampled_kernel(radius: usize, kernel: impl Fn(f64) -> f64) -> Vec<f32> {
    let taps = 4 * radius;
    let centre = (taps - 1) as f64 / 2.0;
    let weights: Vec<f64> = (0..taps).map(|tap| kernel((tap as f64 - centre).abs() / 2.0)).collect();
    summing_to_one(&weights)
}

fn summing_to_one(weights: &[f64]) -> Vec<f32> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| (weight / sum) as f32).collect()
}

fn tent(distance: f64) -> f64 {
    1.0 - distance
}

fn windowed_sinc(distance: f64) -> f64 {
    sinc(distance) * sinc(distance / 3.0)
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// Source texels and their weights.
type Taps = Vec<(usize, f32)>;

/// What makes each texel of an axis that had `size` texels, more than one.
pub(super) fn axis_taps(filter: MipFilter, size: usize) -> Vec<Taps> {
    let targets = 0..size / 2;
    if size.is_multiple_of(2) {
        let weights = filter.taps();
        let source = |target, tap| tap_source(target, tap, weights.len(), size);
        let taps = |target| (0..).zip(&weights).map(|(tap, &weight)| (source(target, tap), weight)).collect();
        return targets.map(taps).collect();
    }
    let half = size / 2;
    let taps = |target: usize| match filter {
        MipFilter::Box | MipFilter::BoxEncoded | MipFilter::Exact => {
            let covered = [half - target, half, target + 1];
            (2 * target..).zip(covered).map(|(source, part)| (source, part as f32 / size as f32)).collect()
        }
        MipFilter::Triangle => widened_kernel(target, size, 1.0, tent),
        MipFilter::Lanczos3 => widened_kernel(target, size, 3.0, windowed_sinc),
        MipFilter::Point => vec![(2 * target, 1.0)],
    };
    targets.map(taps).collect()
}

/// `kernel(distance)` at the centres of the source texels of an odd side within `radius` target texels.
fn widened_kernel(target: usize, size: usize, radius: f64, kernel: impl Fn(f64) -> f64) -> Taps {
    let scale = size as f64 / (size / 2) as f64;
    let centre = (target as f64 + 0.5) * scale - 0.5;
    let (first, last) = ((centre - radius * scale).ceil() as i64, (centre + radius * scale).floor() as i64);
    let weights: Vec<_> =
        (first..=last).map(|source| kernel((source as f64 - centre).abs() / scale)).collect();
    let sources = (first..=last).map(|source| source.clamp(0, size as i64 - 1) as usize);
    sources.zip(summing_to_one(&weights)).collect()
}

/// The source texel of a tap of an even side, with the edge texel repeated beyond the edge.
fn tap_source(target: usize, tap: usize, taps: usize, size: usize) -> usize {
    (2 * target + 1 + tap).saturating_sub(taps / 2).min(size - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first half of the taps of each filter: the second is its mirror image, but for `point`.
    #[test]
    fn taps_are_those_of_the_textbook() {
        // sinc(d) · sinc(d / 3) at d = 2.75, 2.25 … 0.25, over twice its sum.
        const LANCZOS3: [f32; 6] =
            [0.003_689_1, 0.015_056_1, -0.033_998_6, -0.066_637_3, 0.135_505_3, 0.446_385_4];
        let cases: [(MipFilter, &[f32]); 5] = [
            (MipFilter::Box, &[0.5]),
            (MipFilter::BoxEncoded, &[0.5]),
            (MipFilter::Triangle, &[0.125, 0.375]),
            (MipFilter::Lanczos3, &LANCZOS3),
            (MipFilter::Point, &[1.0]),
        ];
        for (filter, expected) in cases {
            let taps = filter.taps();
            assert_eq!(taps.len(), 2 * expected.len(), "{filter}");
            for (tap, (got, expected)) in taps.iter().zip(expected).enumerate() {
                assert!((got - expected).abs() < 1e-6, "{filter}: tap {tap} is {got}, not {expected}");
            }
            let mirrored: Vec<f32> = taps.iter().rev().copied().collect();
            assert!(filter == MipFilter::Point || mirrored == taps, "{filter}: {taps:?}");
            let sum: f32 = taps.iter().sum();
            assert!((sum - 1.0).abs() < 1e-6, "{filter}: {sum}");
        }
    }

    /// Odd sides: each source texel counts as much as any other in the level as a whole, and the weights of a texel are one.
    #[test]
    fn odd_sides_are_weighed_by_area() {
        assert_eq!(
            axis_taps(MipFilter::Box, 5),
            [[(0, 0.4), (1, 0.4), (2, 0.2)], [(2, 0.2), (3, 0.4), (4, 0.4)]]
        );
        assert_eq!(axis_taps(MipFilter::Point, 5), [[(0, 1.0)], [(2, 1.0)]]);
        for filter in MipFilter::ALL {
            for size in [3, 5, 7, 33, 101] {
                let taps = axis_taps(filter, size);
                assert_eq!(taps.len(), size / 2);
                let mut shares = vec![0.0; size];
                for (source, weight) in taps.iter().flatten() {
                    shares[*source] += weight;
                }
                for taps in &taps {
                    let sum: f32 = taps.iter().map(|(_, weight)| weight).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{filter} of {size}: {sum}");
                }
                let share = (size / 2) as f32 / size as f32;
                let is_even = shares.iter().all(|got: &f32| (got - share).abs() < 1e-5);
                assert!(filter != MipFilter::Box || is_even, "{size}: {shares:?}");
            }
        }
        // The tent over three texels that become one reaches three to each side; those beyond the edge are the edge's.
        let taps = axis_taps(MipFilter::Triangle, 3);
        let weights: Vec<_> =
            taps[0].iter().map(|(source, weight)| (*source, (weight * 9.0).round())).collect();
        assert_eq!(weights, [(0, 0.0), (0, 1.0), (0, 2.0), (1, 3.0), (2, 2.0), (2, 1.0), (2, 0.0)]);
    }
}
