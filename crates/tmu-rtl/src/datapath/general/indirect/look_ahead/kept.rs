//! `kept`: places that have come back, until their quad's turn comes. Part of `look_ahead`.
//!
//! They come as rows of values or of pixels, and leave as rows of values. So four RAMs hold them askew: that of value v of pixel p is in
//! RAM (p + v) mod 4, at its quad and p. Either sort of row is in four different ones, and comes askew, so that each RAM keeps what its
//! lane has.
//!
//! Contract: places come in the order of their quads, and a quad has room before they do. Rows are offered in order, behind the last
//! places of their quad.
//!
//! Cost: latency 6 clocks, initiation interval 1; a quad takes two clocks at least. Four RAMs of 256 x 32 bits, two RAMB36E2.

use super::row::NUMBER_BITS;
use super::{AXES, Back, QUADS};
use crate::datapath::general::indirect::FIELD_BITS;
use crate::datapath::general::words::PIXELS;
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle, SyncFifo};

/// Bits of the number of a quad that waits.
const QUAD_BITS: usize = QUADS.ilog2() as usize;
/// Bits of the places of a pixel.
const PLACE_BITS: usize = AXES * FIELD_BITS;

/// Places that have come back.
#[derive(Bundle)]
pub(super) struct Kept {
    rams: Vec<RamSimpleDualPort>,
    /// The quad whose places come.
    coming: Reg,
    has_failed: Reg,
    /// Of each quad whose places are all there the number of its values less one, and whether one of its places failed.
    verdicts: SyncFifo,
    /// There is a quad to be read, and its verdict; the same of the one behind it.
    has_quad: Reg,
    verdict: Reg,
    has_next: Reg,
    next_verdict: Reg,
    /// The quad and the value to be read next.
    quad: Reg,
    value: Reg,
    /// What is in the RAMs' latches and in their output registers.
    is_read: Reg,
    read: Read<FieldReg>,
    is_offered: Reg,
    offered: Read<FieldReg>,
    /// There is something in both.
    are_both: Reg,
}

/// What goes along with a row that is read.
#[derive(Clone, Debug, Record)]
struct Read<T = Bits> {
    value: T,
    fails: T,
}

impl Read<Width> {
    fn shape() -> Read<Width> {
        Read { value: Width::bits(NUMBER_BITS), fails: Width::bits(1) }
    }
}

/// A row of values.
pub(super) struct Found {
    pub(super) is_there: Bits,
    pub(super) places: [[Bits; AXES]; PIXELS],
    /// The quad has failed.
    pub(super) fails: Bits,
}

impl Kept {
    pub(super) fn new(clocks: &Clocks) -> Kept {
        let shape = || RamShape::new(PIXELS * QUADS, PLACE_BITS).style(RamStyle::Block).output_register(true);
        let zero = |bits: usize| Reg::with_reset(clocks, bits, 0);
        Kept {
            rams: (0..PIXELS).map(|_| RamSimpleDualPort::new(shape())).collect(),
            coming: zero(QUAD_BITS),
            has_failed: zero(1),
            verdicts: SyncFifo::new(QUADS, NUMBER_BITS + 1),
            has_quad: zero(1),
            verdict: Reg::new(clocks, NUMBER_BITS + 1),
            has_next: zero(1),
            next_verdict: Reg::new(clocks, NUMBER_BITS + 1),
            quad: zero(QUAD_BITS),
            value: zero(NUMBER_BITS),
            is_read: zero(1),
            read: Read::shape().registers(clocks),
            is_offered: zero(1),
            offered: Read::shape().registers(clocks),
            are_both: zero(1),
        }
    }
}

/// Keeps what comes back.
#[kernel]
pub(super) fn keep(kept: &Kept, clocks: &Clocks, comes: Bits, back: &Back) {
    /// # Places
    let Kept { rams, coming, has_failed, verdicts, .. } = kept;
    let fails = back.fails || has_failed.val();
    let ends = comes && back.ends_pass;
    if comes {
        has_failed.next = fails && !back.ends_pass;
    }
    if ends {
        coming.next = coming.val() + 1;
    }
    let (number, is_of_pixel) = (back.row.number, back.row.is_of_pixel);
    for (bank, ram) in rams.iter().enumerate() {
        let from = lit(NUMBER_BITS, bank as u32) - number;
        ram.clocks.follow(clocks);
        ram.write_enable.next = comes;
        ram.write_address.next = cat(&[coming.val(), if is_of_pixel { number } else { from }]);
        ram.write_data.next = stack(back.fields[bank]);
    }
    verdicts.clocks.follow(clocks);
    verdicts.input.valid.next = ends;
    verdicts.input.data.next = cat(&[fails, back.more]);
    discard(verdicts.input.ready.val(), "quads that wait have room for what comes back");
    discard(verdicts.level.val(), "as above");
}

/// The next row of values.
#[kernel]
pub(super) fn found(kept: &Kept, is_taken: Bits) -> Found {
    /// # Rows of values
    let Kept { rams, verdicts, has_quad, quad, value, is_read, read, is_offered, offered, are_both, .. } =
        kept;
    let verdict = kept.verdict.val();
    let moves_offered = !is_offered.val() || is_taken;
    let moves_read = !are_both.val() || is_taken;
    let stays = is_offered.val() && !is_taken;
    are_both.next = if moves_read { has_quad.val() && (is_read.val() || stays) } else { lit(1, 1u32) };
    let reads = has_quad.val() && moves_read;
    let is_last = value.val() == verdict.low(NUMBER_BITS);
    let has_next = kept.has_next.val();
    let passes = !has_quad.val() || (reads && is_last);
    // One comes every other clock, so that the FIFO does not wait for what is taken.
    verdicts.output.ready.next = !has_next;
    kept.has_next.next = if has_next { !passes } else { verdicts.output.valid.val() };
    if !has_next {
        kept.next_verdict.next = verdicts.output.data.val();
    }
    if passes {
        has_quad.next = has_next;
        kept.verdict.next = kept.next_verdict.val();
    }
    if reads {
        value.next = if is_last { lit(NUMBER_BITS, 0u32) } else { value.val() + 1 };
    }
    if reads && is_last {
        quad.next = quad.val() + 1;
    }
    if moves_read {
        is_read.next = has_quad.val();
        read.next = Read { value: value.val(), fails: verdict.high(1) };
    }
    if moves_offered {
        is_offered.next = is_read.val();
        offered.next = read.val();
    }
    for (bank, ram) in rams.iter().enumerate() {
        ram.read_enable.next = moves_read;
        ram.read_address.next = cat(&[quad.val(), lit(NUMBER_BITS, bank as u32) - value.val()]);
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = moves_offered;
        }
    }
    let Read { value, fails } = offered.val();
    let words: Vec<Bits> = rams.iter().map(|ram| ram.read_data.val()).collect();
    let place = |pixel: usize| {
        let word = turned(lit(NUMBER_BITS, pixel as u32) + value, &words);
        [word.low(FIELD_BITS), word.high(FIELD_BITS)]
    };
    Found { is_there: is_offered.val(), places: std::array::from_fn(place), fails }
}

/// One of four words.
#[kernel]
fn turned(number: Bits, words: &[Bits]) -> Bits {
    by_parity(number.bit(0), number.bit(1), words)
}
