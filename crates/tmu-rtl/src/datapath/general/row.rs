//! The row of a quad's samples: each has a place, where pixels that are not valid are zero, and they leave together.
//!
//! The last stage of a unit has it: [`result`](super::result) where results are more than the channels of samples, else
//! [`filter`](super::filter).

use super::words::PIXELS;
use tmu_hdl::prelude::*;

/// Places of samples.
#[derive(Bundle)]
pub(super) struct Row {
    /// Those of a quad.
    pub(super) samples: Vec<Reg>,
    /// The next one is the first one of its quad.
    pub(super) is_first: Reg,
}

impl Row {
    /// A row of samples of so many bits.
    pub(super) fn new(clocks: &Clocks, sample_bits: usize) -> Row {
        Row { samples: Reg::array(PIXELS, clocks, sample_bits), is_first: Reg::with_reset(clocks, 1, 1) }
    }
}

/// What becomes of a sample.
pub(super) struct Marks {
    /// Its pixel.
    pub(super) pixel: Bits,
    /// It counts.
    pub(super) is_valid: Bits,
    /// It is the last one of its quad.
    pub(super) ends_quad: Bits,
    /// Its quad has failed up to it.
    pub(super) fails: Bits,
}

/// Takes a sample to its place. One bit: it is the last one of its quad, which leaves a clock later.
#[kernel]
pub(super) fn place(row: &Row, marks: &Marks, is_sample: Bits, sample: Bits) -> Bits {
    if is_sample {
        row.is_first.next = marks.ends_quad;
    }
    let is_last = is_sample && marks.ends_quad;
    for (place, held) in row.samples.iter().enumerate() {
        let is_own = marks.is_valid && marks.pixel == place as u64;
        /// Pixels without a sample, and all of a quad that failed, are zero.
        if (is_last && marks.fails) || (is_sample && row.is_first.val() && !is_own) {
            held.next = 0;
        } else if is_sample && is_own {
            held.next = sample;
        }
    }
    is_last
}

/// The samples of a quad, that of pixel 0 lowest.
#[kernel]
pub(super) fn samples(row: &Row) -> Bits {
    let samples: Vec<Bits> = row.samples.iter().rev().map(|reg| reg.val()).collect();
    cat(&samples)
}
