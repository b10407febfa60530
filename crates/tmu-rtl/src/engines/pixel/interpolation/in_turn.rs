//! A unit that the four values of a quad go through one after the other. What it gives is kept until the next quad's is there.
//!
//! Contract: quads begin [`PIXELS`] clocks apart or more, in clocks in which the pipe moves.
//!
//! Latency: [`clocks`]; two registers for each result, but one for the last.

use crate::engines::pixel::step::Step;
use crate::engines::pixel::words::PIXELS;
use crate::system::memory_port::select;
use tmu_hdl::prelude::*;

/// Clocks from the first value to the one in which all results are kept, for a unit of so many clocks. The values are chosen, and the last result
/// comes behind the others.
pub(super) const fn clocks(unit_clocks: usize) -> usize {
    1 + unit_clocks + PIXELS
}

/// See the module's documentation.
#[derive(Bundle)]
pub(super) struct InTurn {
    chosen: Reg,
    /// Results of the quad under way, but for the last one.
    came: Vec<Reg>,
    kept: Vec<Reg>,
}

/// What goes through a unit in turn.
pub(super) struct Turns<'p, 'a, V> {
    /// One bit: a quad begins.
    pub(super) begins: &'p Payload<'a, Step, Bits>,
    /// Where its first value goes in.
    pub(super) start: Step,
    /// The value of a number, at a step.
    pub(super) value: V,
}

impl InTurn {
    pub(super) fn new(clocks: &Clocks, value_bits: usize, result_bits: usize) -> InTurn {
        InTurn {
            chosen: Reg::new(clocks, value_bits),
            came: Reg::array(PIXELS - 1, clocks, result_bits),
            kept: Reg::array(PIXELS, clocks, result_bits),
        }
    }
}

/// What is kept of the quad that began last, [`clocks`] behind its start. `unit` takes a value and gives the result of so many clocks before.
#[kernel]
pub(super) fn run(
    registers: &InTurn,
    turns: &Turns<'_, '_, impl Fn(usize, Step) -> Bits>,
    advance: Bits,
    unit_clocks: usize,
    unit: impl FnOnce(Bits) -> Bits,
) -> [Bits; PIXELS] {
    let own = |clocks: usize| turns.begins.at(turns.start.after(clocks));
    let values = [0, 1, 2, 3].map(|number: usize| (turns.value)(number, turns.start.after(number)));
    let number = cat(&[own(2) || own(3), own(1) || own(3)]);
    let result = unit(registers.chosen.val());
    if advance {
        registers.chosen.next = select(&values, number);
        for (number, register) in registers.came.iter().enumerate() {
            if own(1 + unit_clocks + number) {
                register.next = result;
            }
        }
        if own(unit_clocks + PIXELS) {
            for (kept, came) in registers.kept.iter().zip(&registers.came) {
                kept.next = came.val();
            }
            registers.kept[PIXELS - 1].next = result;
        }
    }
    [0, 1, 2, 3].map(|number: usize| registers.kept[number].val())
}
