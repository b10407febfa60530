//! Four taps to a probe: the corner of a cube, then interpolation along the rows and between them.

use super::colors::{CHANNELS, Lerp, between, color};
use super::{Parts, Stage};
use crate::datapath::blocks::select::divide;
use crate::datapath::general::decode::FilterTap;
use tmu_hdl::prelude::*;

/// Four taps to a probe.
#[derive(Bundle)]
pub(super) struct Bilinear {
    rows: Vec<Lerp>,
    column: Lerp,
}

impl Bilinear {
    pub(super) fn new(channel_bits: usize) -> Bilinear {
        Bilinear { rows: (0..2).map(|_| Lerp::new(channel_bits)).collect(), column: Lerp::new(channel_bits) }
    }
}

/// The probe of four taps, and the last one of these where all are there.
#[kernel]
pub(super) fn bilinear(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    bilinear: &Bilinear,
    tap: &Payload<'_, Stage, FilterTap>,
    taps: &[Bits],
) -> (Bits, Bits) {
    let weight = tap.at(Stage::Gathered).odd_weight_x;
    let even = between(pipe, Stage::Gathered, "even_row", &bilinear.rows[0], [taps[0], taps[1]], weight);
    let lower = lower_taps(pipe, parts, tap, taps);
    let weight = tap.at(parts.rows()).odd_weight_x;
    let odd = between(pipe, parts.rows(), "odd_row", &bilinear.rows[1], lower, weight);
    /// # Between the rows
    let rows = [even, odd].map(|row| color(&row, Stage::Column));
    let weight = tap.at(Stage::Column).odd_weight_y;
    let column = between(pipe, Stage::Column, "probe", &bilinear.column, rows, weight);
    (color(&column, parts.probe()), lower[1])
}

/// The taps of the odd row, where the last one may be the mean of the others.
#[kernel]
fn lower_taps(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    tap: &Payload<'_, Stage, FilterTap>,
    taps: &[Bits],
) -> [Bits; 2] {
    let lower = [taps[2], taps[3]];
    if !parts.corner {
        return lower;
    }
    /// # Corner
    let bits = parts.channel_bits;
    let lower = pipe.put(Stage::Gathered, "lower", lower);
    let channel = |color: Bits, number: usize| color.slice(bits * number, bits);
    let of_channel = |number: usize| {
        /// Less what is missing to all ones: two channels and one.
        let two =
            channel(taps[0], number).zero_extend(bits + 1) - !channel(taps[1], number).zero_extend(bits + 1);
        let name = |part: &str| format!("{}_{part}", CHANNELS[number]);
        let two = pipe.put(Stage::Gathered, &name("of_two"), two).at(Stage::Sum);
        let third = channel(lower.at(Stage::Sum)[0], number);
        let three = two.zero_extend(bits + 2) + third.zero_extend(bits + 2);
        divide(pipe.put(Stage::Sum, &name("of_three"), three).at(Stage::Third), &[3], None)
    };
    let mean = stack((0..4).map(of_channel));
    let [first, last] = lower.at(Stage::Third);
    let last = if tap.at(Stage::Third).has_corner { mean } else { last };
    pipe.put(Stage::Third, "lower_taps", [first, last]).at(Stage::Rows)
}
