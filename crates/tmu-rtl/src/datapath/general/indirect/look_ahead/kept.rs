//! `kept`: places that have come back, until their quad's turn comes. Part of `look_ahead`.
//!
//! They come as rows of values or of pixels, and leave as rows of values, one behind the other. So four RAMs hold them askew: that of value
//! v of pixel p is in RAM (p + v) mod 4, in the row of its value. Either sort of row is in four different ones, and comes askew, so that
//! each RAM keeps what its lane has.
//!
//! Contract: places come in the order of their quads, and a quad has room before they do. Rows are offered in order, behind the last
//! places of their quad.
//!
//! Cost: latency 4 clocks, initiation interval 1. Four RAMs of 256 x 32 bits, two RAMB36E2.

use super::row::NUMBER_BITS;
use super::{AXES, Back, QUADS};
use crate::datapath::general::indirect::FIELD_BITS;
use crate::datapath::general::words::PIXELS;
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::general::indirect::MAX_VALUES;

/// Bits of the number of a quad that waits.
const QUAD_BITS: usize = QUADS.ilog2() as usize;
/// Rows of values: those of all quads that wait.
const ROWS: usize = MAX_VALUES as usize * QUADS;
/// Bits of the number of a row, and of how often all have been used.
const ROW_BITS: usize = ROWS.ilog2() as usize + 1;
/// Bits of the places of a pixel.
const PLACE_BITS: usize = AXES * FIELD_BITS;

/// Places that have come back.
#[derive(Bundle)]
pub(super) struct Kept {
    rams: Vec<RamSimpleDualPort>,
    /// The quad whose places come, and the row of its first value.
    coming: Reg,
    first_row: Reg,
    has_failed: Reg,
    /// Which quads failed.
    fails: DistributedRam,
    /// The quad whose turn it is.
    quad: Reg,
    /// The row to be read next.
    row: Reg,
    /// There is one in the RAMs' latches, in their output registers, and in both.
    is_read: Reg,
    is_offered: Reg,
    are_both: Reg,
}

/// A row of values.
pub(super) struct Found {
    pub(super) places: [[Bits; AXES]; PIXELS],
    /// The quad has failed.
    pub(super) fails: Bits,
}

impl Kept {
    pub(super) fn new(clocks: &Clocks) -> Kept {
        let shape = || RamShape::new(ROWS, PLACE_BITS).style(RamStyle::Block).output_register(true);
        let zero = |bits: usize| Reg::with_reset(clocks, bits, 0);
        Kept {
            rams: (0..PIXELS).map(|_| RamSimpleDualPort::new(shape())).collect(),
            coming: zero(QUAD_BITS),
            first_row: zero(ROW_BITS),
            has_failed: zero(1),
            fails: DistributedRam::new(QUADS, 1),
            quad: zero(QUAD_BITS),
            row: zero(ROW_BITS),
            is_read: zero(1),
            is_offered: zero(1),
            are_both: zero(1),
        }
    }

    /// One bit: a row is offered.
    pub(super) fn is_there(&self) -> Bits {
        self.is_offered.val()
    }
}

/// Keeps what comes back.
#[kernel]
pub(super) fn keep(kept: &Kept, clocks: &Clocks, comes: Bits, back: &Back) {
    /// # Places
    let Kept { rams, coming, first_row, has_failed, .. } = kept;
    let fails = back.fails || has_failed.val();
    let ends = comes && back.ends_pass;
    if comes {
        has_failed.next = fails && !back.ends_pass;
    }
    let first = first_row.val();
    if ends {
        coming.next = coming.val() + 1;
        first_row.next = first + back.more.zero_extend(ROW_BITS) + 1;
    }
    let (number, is_of_pixel) = (back.row.number, back.row.is_of_pixel);
    for (bank, ram) in rams.iter().enumerate() {
        let of_pixel = lit(NUMBER_BITS, bank as u32) - number;
        let value = if is_of_pixel { of_pixel } else { number };
        ram.clocks.follow(clocks);
        ram.write_enable.next = comes;
        ram.write_address.next = first.low(ROW_BITS - 1) + value.zero_extend(ROW_BITS - 1);
        ram.write_data.next = stack(back.fields[bank]);
    }
    kept.fails.clocks.follow(clocks);
    kept.fails.write_enable.next = ends;
    kept.fails.write_address.next = coming.val();
    kept.fails.write_data.next = fails;
}

/// The next row, which is that of value `number`. `ends`: it is taken, as the last one of its quad.
#[kernel]
pub(super) fn found(kept: &Kept, is_taken: Bits, ends: Bits, number: Bits) -> Found {
    /// # Rows of values
    let Kept { rams, first_row, quad, row, is_read, is_offered, are_both, .. } = kept;
    let is_there = first_row.val() != row.val();
    let moves_offered = !is_offered.val() || is_taken;
    let moves_read = !are_both.val() || is_taken;
    let stays = is_offered.val() && !is_taken;
    are_both.next = if moves_read { is_there && (is_read.val() || stays) } else { lit(1, 1u32) };
    if moves_read && is_there {
        row.next = row.val() + 1;
    }
    if moves_read {
        is_read.next = is_there;
    }
    if moves_offered {
        is_offered.next = is_read.val();
    }
    if ends {
        quad.next = quad.val() + 1;
    }
    for ram in rams {
        ram.read_enable.next = moves_read;
        ram.read_address.next = row.val().low(ROW_BITS - 1);
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = moves_offered;
        }
    }
    kept.fails.read_address.next = quad.val();
    let words: Vec<Bits> = rams.iter().map(|ram| ram.read_data.val()).collect();
    let place = |pixel: usize| {
        let bank = lit(NUMBER_BITS, pixel as u32) + number;
        let word = by_parity(bank.bit(0), bank.bit(1), &words);
        [word.low(FIELD_BITS), word.high(FIELD_BITS)]
    };
    Found { places: std::array::from_fn(place), fails: kept.fails.read_data.val() }
}
