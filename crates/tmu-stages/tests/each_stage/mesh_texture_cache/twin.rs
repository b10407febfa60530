//! What the cache must do, in a few lines: which lines it asks for, in which order, and which texels it gives.

use crate::mesh_address::{Pixel, Texture, footprint};

/// The texel at a place in memory during a job.
pub(crate) fn texel(job: u64, place: u64) -> u64 {
    let mixed = (place + (job << 40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 48
}

/// The four taps of a pixel, nothing for those without weight.
pub(crate) fn taps(job: u64, texture: &Texture, pixel: Pixel) -> [Option<u64>; 4] {
    let ([column, row], [fx, fy]) = (pixel.texel(), pixel.weights());
    std::array::from_fn(|tap| {
        let (right, lower) = (tap as u64 & 1, tap as u64 >> 1);
        let has_weight = (right == 0 || fx > 0) && (lower == 0 || fy > 0) && !pixel.is_end;
        let place = texture.base + texture.width * (row + lower) + column + right;
        has_weight.then(|| texel(job, place))
    })
}

/// The lines that are there: of each bank and set the row and the number of the line in it.
#[derive(Debug)]
pub(crate) struct Tags {
    set_bits: u32,
    held: Vec<Option<[u64; 2]>>,
    pub(crate) look_ups: u64,
}

impl Tags {
    pub(crate) fn new(kib: u64) -> Tags {
        let lines = kib * 1024 / 16;
        Tags { set_bits: (lines / 4).ilog2(), held: vec![None; lines as usize], look_ups: 0 }
    }

    /// The lines that a pixel lacks, in the order in which they are asked for.
    pub(crate) fn misses(&mut self, texture: &Texture, pixel: Pixel) -> Vec<u64> {
        let [fx, fy] = pixel.weights();
        let mut wanted = vec![];
        for (lower, [row, number, line, in_line]) in footprint(texture, pixel).into_iter().enumerate() {
            if pixel.is_end || (lower == 1 && fy == 0) {
                continue;
            }
            let lines = 1 + u64::from(in_line == 7 && fx > 0);
            wanted.extend((0..lines).map(|next| (row, number + next, line + next)));
        }
        wanted.sort_by_key(|(row, number, _)| (row % 2, number % 2));
        self.look_ups += wanted.len() as u64;
        let lacks = |(row, number, line): &(u64, u64, u64)| {
            let reversed = (0..8u32).filter(|bit| (number / 2) >> bit & 1 == 1 && *bit < self.set_bits);
            let reversed: u64 = reversed.map(|bit| 1 << (self.set_bits - 1 - bit)).sum();
            let set = ((row / 2) ^ reversed) % (1 << self.set_bits);
            let bank = row % 2 * 2 + number % 2;
            let held = &mut self.held[(bank << self.set_bits | set) as usize];
            (held.replace([*row, *number]) != Some([*row, *number])).then_some(*line)
        };
        wanted.iter().filter_map(lacks).collect()
    }

    /// Empties them.
    pub(crate) fn clear(&mut self) {
        self.held.fill(None);
    }
}
