//! Picks the colours of a palette: splits the texels where they vary most, then refines by k-means.
//!
//! Contract: at most `entries` colours, each the mean of the texels nearest to it; deterministic, whatever the number
//! of threads (the parallel k-means of `quantette` is not, so its serial one is used).
//! Cost: splitting and k-means look at `MAX_SAMPLES` texels at most, the last step once at every distinct colour.

use crate::metric::{Point, colour_weight, point};
use quantette::PaletteBuf;
use quantette::color_map::{IndexedColorMap, NearestNeighborColorMap};
use quantette::kmeans::{Kmeans, KmeansOptions};
use rayon::prelude::*;

/// Texels that splitting and k-means look at: more do not move the result by a measurable amount.
const MAX_SAMPLES: usize = 1 << 18;

/// A colour and the number of texels that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColourCount {
    pub(crate) colour: [u8; 4],
    pub(crate) texels: u32,
}

/// At most `entries` (0 … 256) colours that stand for `counts` with small squared error.
pub(crate) fn cluster(counts: &[ColourCount], entries: usize) -> Vec<[u8; 4]> {
    if counts.len() <= entries {
        return counts.iter().map(|count| count.colour).collect();
    }
    if entries == 0 {
        return Vec::new();
    }
    let samples = sample(counts);
    let seeds = PaletteBuf::new(split(samples.clone(), entries)).expect("1 … 256 seeds");
    let options = KmeansOptions::new().max_samples(MAX_SAMPLES as u32).sampling_factor(f32::INFINITY);
    let centres = Kmeans::run_slice(&samples, seeds, options).expect("samples fit u32").into_color_map();
    means(counts, &centres)
}

/// Texels at equal distances in the list of all texels, sorted by colour.
fn sample(counts: &[ColourCount]) -> Vec<Point> {
    let total: u64 = counts.iter().map(|count| u64::from(count.texels)).sum();
    let samples = total.min(MAX_SAMPLES as u64);
    let mut texels_before = 0;
    let mut points = Vec::with_capacity(samples as usize);
    for count in counts {
        texels_before += u64::from(count.texels);
        // Sample i is texel number i · total / samples.
        let samples_before = (texels_before * samples).div_ceil(total) as usize;
        points.resize(samples_before, point(count.colour));
    }
    points
}

/// Texels that will share an entry, and what splitting them would gain.
struct Cell {
    points: Vec<Point>,
    axis: usize,
    mean: [f64; 4],
    /// Squared error along `axis`.
    error: f64,
}

impl Cell {
    fn new(points: Vec<Point>) -> Self {
        let (mut sum, mut squares) = ([0.0; 4], [0.0; 4]);
        for point in &points {
            for axis in 0..4 {
                let value = f64::from(point.color[axis]);
                sum[axis] += value;
                squares[axis] += value * value;
            }
        }
        let count = points.len() as f64;
        let error: [f64; 4] = std::array::from_fn(|axis| squares[axis] - sum[axis] * sum[axis] / count);
        let axis = (0..4).max_by(|&a, &b| error[a].total_cmp(&error[b])).unwrap_or(0);
        Cell { points, axis, mean: sum.map(|sum| sum / count), error: error[axis] }
    }
}

/// The means of `cells` cells, made by cutting the one with the largest error at its mean again and again.
fn split(points: Vec<Point>, cells: usize) -> Vec<Point> {
    let mut parts = vec![Cell::new(points)];
    while parts.len() < cells {
        let Some(worst) = (0..parts.len()).max_by(|&a, &b| parts[a].error.total_cmp(&parts[b].error)) else {
            break;
        };
        let Cell { points, axis, mean, .. } = parts.swap_remove(worst);
        let (low, high): (Vec<_>, Vec<_>) =
            points.into_iter().partition(|point| f64::from(point.color[axis]) < mean[axis]);
        let in_one_place = low.is_empty() || high.is_empty();
        parts.extend([low, high].into_iter().filter(|points| !points.is_empty()).map(Cell::new));
        if in_one_place {
            break;
        }
    }
    parts.iter().map(|part| Point::from(part.mean.map(|mean| mean as f32))).collect()
}

/// Sums over the texels of one entry: exact, so the order of addition does not matter.
#[derive(Clone, Copy, Default)]
struct Sums {
    texels: u64,
    alpha: u64,
    weight: u64,
    weighted: [u64; 3],
}

impl Sums {
    fn add(&mut self, ColourCount { colour: [r, g, b, a], texels }: ColourCount) {
        let texels = u64::from(texels);
        let weight = texels * u64::from(colour_weight(a));
        self.texels += texels;
        self.alpha += texels * u64::from(a);
        self.weight += weight;
        for (sum, code) in self.weighted.iter_mut().zip([r, g, b]) {
            *sum += weight * u64::from(code);
        }
    }

    /// The rounded mean, if any texel was added.
    fn mean(&self) -> Option<[u8; 4]> {
        let rounded = |sum: u64, count: u64| ((sum + count / 2) / count) as u8;
        let [r, g, b] = self.weighted;
        (self.texels > 0).then(|| {
            [
                rounded(r, self.weight),
                rounded(g, self.weight),
                rounded(b, self.weight),
                rounded(self.alpha, self.texels),
            ]
        })
    }
}

/// The mean colour of the texels nearest to each centre; centres without texels fall away.
fn means(counts: &[ColourCount], centres: &NearestNeighborColorMap<Point, f32, 4>) -> Vec<[u8; 4]> {
    let nearest: Vec<u8> =
        counts.par_iter().map(|count| centres.palette_index(&point(count.colour))).collect();
    let mut sums = vec![Sums::default(); centres.palette().len()];
    for (&count, &entry) in counts.iter().zip(&nearest) {
        sums[usize::from(entry)].add(count);
    }
    sums.iter().filter_map(Sums::mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_on_the_mean_belongs_above_it() {
        let greys: Vec<Point> = [1, 2, 3].map(|grey| point([grey, 0, 0, 255])).to_vec();
        let reds: Vec<f32> = split(greys, 2).iter().map(|mean| mean.color[0]).collect();
        assert_eq!(reds, [1.0, 2.5]);
    }

    #[test]
    fn rare_colours_that_no_sample_has_do_not_hang_it() {
        let count = |colour, texels| ColourCount { colour, texels };
        let often = 2 * MAX_SAMPLES as u32;
        let counts = [count([9, 9, 9, 255], often), count([80, 0, 0, 255], 1), count([0, 80, 0, 255], 1)];
        assert_eq!(cluster(&counts, 2), [[9, 9, 9, 255]]);
    }

    #[test]
    fn an_entry_is_the_mean_by_texels_and_weight() {
        let mut sums = Sums::default();
        assert_eq!(sums.mean(), None);
        sums.add(ColourCount { colour: [10, 20, 30, 255], texels: 3 });
        sums.add(ColourCount { colour: [57, 60, 70, 0], texels: 1 });
        // Weights of 340 thrice and 85 once: (1020 · 10 + 85 · 57) / 1105 = 13.6.
        assert_eq!(sums.mean(), Some([14, 23, 33, 191]));
    }
}
