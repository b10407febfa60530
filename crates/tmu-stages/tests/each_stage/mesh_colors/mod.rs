//! The stages of the mesh engine that work on colours, against the formulas of one pixel as they are written down, in integers.

pub(crate) mod blend;
pub(crate) mod filter;
pub(crate) mod frame_reader;
mod rate;
pub(crate) mod shade;
mod synthesis;
pub(crate) mod write_combiner;

use crate::support::is_high;
use rand::Rng;
use std::collections::VecDeque;
use std::fmt::Debug;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::colors::{ShadedWord, shaded_word};
use tmu_rtl::engines::mesh::words::{COLOR_BITS, PLACE_BITS};
use tmu_stages::{Check, Flow, Rig};

/// The largest blue, green and red.
const LARGEST: [u64; 3] = [31, 63, 31];

/// Bits of a line's number at the memory port: more than the engine has.
const LINE_BITS: usize = 30;

/// Blue, green and red of a colour.
fn parts(color: u64) -> [u64; 3] {
    [color & 31, color >> 5 & 63, color >> 11]
}

/// A colour of blue, green and red.
fn joined([blue, green, red]: [u64; 3]) -> u64 {
    red << 11 | green << 5 | blue
}

/// `sum / 2^bits`, to the nearest, ties to even.
fn half_even(sum: u64, bits: u32) -> u64 {
    let (whole, rest, half) = (sum >> bits, sum % (1 << bits), 1 << (bits - 1));
    whole + u64::from(rest > half || (rest == half && whole % 2 == 1))
}

/// Any colour, often one of the corners.
fn any_color(check: &mut Check) -> u64 {
    if check.one_in(3) {
        check.pick(&[0, 0xffff, 0xf800, 0x07e0, 0x001f])
    } else {
        check.rng.random_range(0..1 << 16)
    }
}

/// Any place in memory; its line is any.
fn any_place(check: &mut Check) -> u64 {
    check.rng.random_range(0..1 << PLACE_BITS)
}

/// A pixel, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pixel {
    color: u64,
    place: u64,
    opens_line: bool,
    is_drawn: bool,
    is_end: bool,
}

impl Pixel {
    fn end() -> Pixel {
        Pixel { color: 0, place: 0, opens_line: false, is_drawn: false, is_end: true }
    }

    fn word(self) -> Bits {
        let flag = |flag: bool| lit(1, u64::from(flag));
        shaded_word().pack(&ShadedWord {
            color: lit(COLOR_BITS, self.color),
            place: lit(PLACE_BITS, self.place),
            opens_line: flag(self.opens_line),
            is_drawn: flag(self.is_drawn),
            is_end: flag(self.is_end),
        })
    }

    fn of(word: Bits) -> Pixel {
        let word = shaded_word().unpack(word);
        Pixel {
            color: word.color.to_u64(),
            place: word.place.to_u64(),
            opens_line: is_high(word.opens_line),
            is_drawn: is_high(word.is_drawn),
            is_end: is_high(word.is_end),
        }
    }
}

/// Sends items through a stage with pauses on both sides, and has each that comes compared with what is expected of it. `around`
/// drives what else the stage has before it settles (`false`), and looks at it then (`true`). Gives the clocks that it took.
fn send<B: Block, E: Debug>(
    check: &mut Check,
    rig: &mut Rig<B>,
    ports: fn(&B) -> (&StreamIn, &StreamOut),
    items: Vec<(Bits, E)>,
    mut around: impl FnMut(&mut Check, &Rig<B>, bool),
    mut compare: impl FnMut(&mut Check, Bits, E),
) -> usize {
    let most = 40 * items.len() + 4000;
    let mut items = VecDeque::from(items);
    let mut owed = Flow::default();
    let (mut is_offered, mut clocks) = (false, 0);
    while !items.is_empty() || !owed.is_empty() {
        is_offered = !items.is_empty() && (is_offered || !check.one_in(5));
        let ready = !check.one_in(4);
        let (input, output) = ports(rig);
        input.valid.drive(is_offered);
        if let Some((word, _)) = items.front() {
            input.data.drive(*word);
        }
        output.ready.drive(ready);
        around(check, rig, false);
        rig.settle();
        around(check, rig, true);
        let (input, output) = ports(rig);
        if ready && is_high(output.valid.val()) {
            let expected = owed.next(check);
            compare(check, output.data.val(), expected);
        }
        if is_offered
            && is_high(input.ready.val())
            && let Some((_, expected)) = items.pop_front()
        {
            owed.put(expected);
            is_offered = false;
        }
        rig.tick();
        clocks += 1;
        check.holds(clocks < most, format_args!("{} items never come", owed.len()));
    }
    clocks
}
