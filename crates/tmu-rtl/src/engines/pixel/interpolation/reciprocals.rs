//! The reciprocals of RHW at the pixels of a quad, by one unit, a pixel a clock. They are kept until those of the next quad are there.
//!
//! Contract: RHW comes every [`PIXELS`] clocks at most, in clocks in which the pipe moves.
//!
//! Latency: from RHW to what is kept [`CLOCKS`] for the item behind it.

use crate::engines::pixel::reciprocal::{LATENCY_CLOCKS, Reciprocal};
use crate::engines::pixel::step::Step;
use crate::engines::pixel::words::{PIXELS, SINGLE_BITS};
use crate::system::memory_port::select;
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;

/// The reciprocal of the last pixel comes as many clocks behind RHW. It is kept in the next one, when the item behind is as far.
pub(super) const CLOCKS: usize = LATENCY_CLOCKS as usize + PIXELS - 1;

/// See the module's documentation.
#[derive(Bundle)]
pub(super) struct Reciprocals {
    /// The pixel whose RHW goes in.
    pixel: Reg,
    unit: Reciprocal,
    /// Those of the quad under way, but for the last one.
    came: Vec<Reg>,
    kept: Vec<Reg>,
}

impl Reciprocals {
    pub(super) fn new(clocks: &Clocks) -> Reciprocals {
        Reciprocals {
            pixel: Reg::new(clocks, PIXELS.ilog2() as usize),
            unit: Reciprocal::new(),
            came: Reg::array(PIXELS - 1, clocks, SINGLE_BITS),
            kept: Reg::array(PIXELS, clocks, SINGLE_BITS),
        }
    }
}

/// Reciprocals for the item that is [`CLOCKS`] behind `first`, from which step on values are there. Where `is_rhw` says so they are RHW.
#[kernel]
pub(super) fn kept(
    reciprocals: &Reciprocals,
    (clocks, advance): (&Clocks, Bits),
    is_rhw: &Payload<'_, Step, Bits>,
    values: &Payload<'_, Step, [Bits; PIXELS]>,
    first: Step,
) -> [Bits; PIXELS] {
    let Reciprocals { pixel, unit, came, kept } = reciprocals;
    // The number is found in the clock before, since what follows the choice is deep.
    let next = |number: usize| is_rhw.at(first.after(number - 1));
    let rhw = [0, 1, 2, 3].map(|number: usize| values.at(first.after(number))[number]);
    let result = unit.connect(clocks, advance, select(&rhw, pixel.val()));
    let comes = |number: usize| is_rhw.at(first.after(unit.moves() + number));
    if advance {
        pixel.next = cat(&[next(2) || next(3), next(1) || next(3)]);
        for (number, register) in came.iter().enumerate() {
            if comes(number) {
                register.next = result;
            }
        }
        if comes(PIXELS - 1) {
            for (kept, came) in kept.iter().zip(came) {
                kept.next = came.val();
            }
            kept[PIXELS - 1].next = result;
        }
    }
    [0, 1, 2, 3].map(|number: usize| kept[number].val())
}
