//! `filter`: `Σ w·c` out of 4096, whatever taps without weight hold.

use super::{any_color, any_place, half_even, joined, parts, send};
use crate::support::is_high;
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::colors::filtered_word;
use tmu_rtl::engines::mesh::filter::Filter;
use tmu_rtl::engines::mesh::words::{COLOR_BITS, FRACTION_BITS, PLACE_BITS, TapsWord, taps_word};
use tmu_stages::{Check, Rig};

#[test]
pub(crate) fn filter() {
    const RANDOM: u64 = 2000;
    let mut check = Check::new("mesh_filter");
    let mut rig = Rig::new("mesh_filter", Filter::new());
    // All weights, then some again.
    let weights: Vec<[u64; 2]> = (0..64 * 64 + RANDOM).map(|n| [n % 64, n / 64 % 64]).collect();
    let items = weights.into_iter().map(|weights| item(&mut check, weights)).collect();
    send(&mut check, &mut rig, |stage| (&stage.input, &stage.output), items, |_, _, _| (), compare);
    check.at_least(RANDOM);
}

/// Place, whether it opens a line, end, colour.
type Expected = (u64, bool, bool, u64);

fn compare(check: &mut Check, word: Bits, expected: Expected) {
    let word = filtered_word().unpack(word);
    let [opens_line, is_end] = [word.opens_line, word.is_end].map(is_high);
    let got = (word.place.to_u64(), opens_line, is_end, word.color.to_u64());
    check.same("place, line, end and colour", got, expected);
}

fn item(check: &mut Check, [fx, fy]: [u64; 2]) -> (Bits, Expected) {
    let texels = [(); 4].map(|()| any_color(check));
    let weights = [(64 - fx) * (64 - fy), fx * (64 - fy), (64 - fx) * fy, fx * fy];
    let part = |number: usize| {
        let sum = texels.iter().zip(weights).map(|(texel, weight)| parts(*texel)[number] * weight).sum();
        half_even(sum, 12)
    };
    let color = joined([part(0), part(1), part(2)]);
    let (place, is_end) = (any_place(check), check.rng.random_range(0..50) == 0);
    let opens_line = check.one_in(3);
    let word = taps_word().pack(&TapsWord {
        texels: texels.map(|texel| lit(COLOR_BITS, texel)),
        fx: lit(FRACTION_BITS, fx),
        fy: lit(FRACTION_BITS, fy),
        place: lit(PLACE_BITS, place),
        opens_line: lit(1, u64::from(opens_line)),
        is_end: lit(1, u64::from(is_end)),
    });
    (word, (place, opens_line, is_end, color))
}
