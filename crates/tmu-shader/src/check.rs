//! The rules of a program as a whole: order, slots, pairs, what is written before it is read, what comes out.
//!
//! Contract: the only way to a [`Program`]. Every rule that is broken is reported, each instruction by itself: one that is
//! refused still writes its destination, so that what follows is not refused for it.

mod operands;

use crate::program::{Destination, Instruction, Mask, Operation, Program, Selector};
use crate::statement::{Statement, Statements, Where};
use crate::{Problem, Rule};
use tmu_problem::Problems;

/// Slots of a phase.
const TEXTURE_SLOTS: usize = 6;
const ARITHMETIC_SLOTS: usize = 8;

/// The least and the greatest constant that a register holds.
const CONSTANT_RANGE: std::ops::RangeInclusive<f32> = -8.0..=32767.0 / 4096.0;

/// Reads of `_dz` that a program may have.
const MOST_DZ: usize = 2;

/// What is known in front of a statement.
#[derive(Debug, Default)]
struct State {
    /// Whether this is the second phase.
    is_second: bool,
    /// Whether there is a phase marker.
    has_marker: bool,
    /// Channels of r that hold a value.
    written: [u8; 6],
    /// Channels of r as they were in front of the instruction, or of the pair that it is part of.
    before: [u8; 6],
    /// Alpha channels that were lost between the phases.
    lost: [bool; 6],
    /// Channels of r that were written since the second phase began.
    since: [u8; 6],
    /// Slots that the phase has taken.
    texture_slots: usize,
    arithmetic_slots: usize,
    /// How t registers are read.
    coordinates: [Option<Selector>; 6],
    divisions: usize,
    has_bump: bool,
    has_depth: bool,
    found: Vec<Problem>,
}

/// The program of these statements; `found` is what was wrong with others.
///
/// # Errors
/// `found`, and everything that is wrong with the statements.
pub(crate) fn check(statements: &Statements, found: Vec<Problem>) -> Result<Program, Problems> {
    let has_marker = statements.iter().any(|(_, one)| *one == Statement::Phase);
    let is_readable = found.is_empty();
    let mut state = State { has_marker, is_second: !has_marker, found, ..State::default() };
    let mut program = Program { constants: [None; 8], phases: [Vec::new(), Vec::new()], has_marker };
    let (mut has_instruction, mut has_phase) = (false, false);
    for (place, statement) in statements {
        match statement {
            Statement::Constant(number, values) => {
                if has_instruction || has_phase {
                    state.refuse(
                        *place,
                        Rule::Order,
                        "def stands behind instructions",
                        "move it to the front",
                    );
                }
                state.constant(*place, *number, *values, &mut program);
            }
            Statement::Phase => {
                if has_phase {
                    state.refuse(*place, Rule::Order, "there is a phase already", "leave one of them out");
                } else {
                    state.begin_second();
                }
                has_phase = true;
            }
            Statement::Instruction(one) => {
                has_instruction = true;
                let one = normal(one);
                let phase = &mut program.phases[usize::from(state.is_second)];
                state.instruction(*place, &one, phase.last());
                phase.push(one);
            }
        }
    }
    // A line that could not be read may be the one that writes r0.
    if is_readable {
        let place = statements.last().map_or(Where::Line(1), |(place, _)| *place);
        state.output(place);
    }
    state.found.sort_by_key(|problem| problem.place.line);
    Problems::check(state.found)?;
    Ok(program)
}

/// Coordinates without a selector are the first three.
fn normal(one: &Instruction) -> Instruction {
    let mut one = one.clone();
    if one.operation.is_texture() {
        for source in one.sources.iter_mut().filter(|source| source.selector == Selector::All) {
            source.selector = Selector::Xyz;
        }
    }
    one
}

impl State {
    fn refuse(&mut self, place: Where, rule: Rule, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(place.problem(rule, message, help));
    }

    fn constant(&mut self, place: Where, number: u8, values: [f32; 4], program: &mut Program) {
        let Some(constant) = program.constants.get_mut(usize::from(number)) else {
            return self.refuse(place, Rule::Register, format!("there is no c{number}"), "use c0 to c7");
        };
        // Of several the last one holds, as the reference says.
        *constant = Some(values);
        // Not in the range either: what is no number.
        if let Some(value) = values.iter().find(|value| !CONSTANT_RANGE.contains(value)) {
            let message = format!("{value} of c{number} is out of the range of a register");
            self.refuse(place, Rule::Constant, message, "use -8 to 7.999755859375");
        }
    }

    fn begin_second(&mut self) {
        self.is_second = true;
        for (written, lost) in self.written.iter_mut().zip(&mut self.lost) {
            *lost = *written & Mask::ALPHA.0 != 0;
            *written &= Mask::COLOR.0;
        }
        (self.texture_slots, self.arithmetic_slots) = (0, 0);
    }

    fn instruction(&mut self, place: Where, one: &Instruction, previous: Option<&Instruction>) {
        if one.is_paired {
            self.pair(place, one, previous);
        } else {
            self.slots(place, one);
            self.before = self.written;
        }
        self.operands(place, one);
        self.reads(place, one);
        self.writes(one);
    }

    fn slots(&mut self, place: Where, one: &Instruction) {
        let (taken, most, kind) = if one.operation.is_texture() {
            if self.arithmetic_slots > 0 {
                let message = format!("{} stands behind arithmetic", one.operation.mnemonic());
                self.refuse(place, Rule::Order, message, "move it to the front of its phase");
            }
            (&mut self.texture_slots, TEXTURE_SLOTS, "texture")
        } else {
            (&mut self.arithmetic_slots, ARITHMETIC_SLOTS, "arithmetic")
        };
        let free = most.saturating_sub(*taken);
        *taken += one.operation.slots();
        if free < one.operation.slots() {
            let message =
                format!("{} goes beyond the {most} {kind} slots of the phase", one.operation.mnemonic());
            self.refuse(
                place,
                Rule::Slots,
                message,
                "move instructions to the other phase, or pair them with +",
            );
        }
    }

    fn pair(&mut self, place: Where, one: &Instruction, previous: Option<&Instruction>) {
        let Some(previous) = previous.filter(|previous| !previous.is_paired) else {
            let message = "there is no single instruction in front of it in its phase";
            return self.refuse(place, Rule::Pair, message, "leave the + out");
        };
        let both = [previous, one];
        let whole = |one: &&Instruction| {
            one.operation.is_texture() || matches!(one.operation, Operation::Dp4 | Operation::Bem)
        };
        if let Some(one) = both.into_iter().find(whole) {
            let message = format!("{} cannot be one of a pair", one.operation.mnemonic());
            return self.refuse(place, Rule::Pair, message, "leave the + out");
        }
        let masks = both.map(|one| one.destination.mask.0);
        let [colors, alphas] = [Mask::COLOR, Mask::ALPHA].map(|half| masks.map(|mask| mask & !half.0 == 0));
        let fits = (colors[0] && alphas[1]) || (colors[1] && alphas[0]);
        if !fits {
            let message = "one of a pair must write only channels of the colour, the other only alpha";
            self.refuse(place, Rule::Pair, message, "give them masks like .rgb and .a");
        } else if both
            .iter()
            .any(|one| one.operation == Operation::Dp3 && one.destination.mask == Mask::ALPHA)
        {
            let message = "dp3 needs the half of a pair that writes the colour";
            self.refuse(place, Rule::Pair, message, "let it run alone");
        }
    }

    /// Refuses reads of what holds no value.
    fn reads(&mut self, place: Where, one: &Instruction) {
        let Destination { register, mask, .. } = one.destination;
        match (one.operation, register.temporary()) {
            (Operation::Texkill, Some(index)) => self.read(place, index, Mask::COLOR.0),
            (Operation::Texdepth, Some(index)) => self.read(place, index, Mask::RED_GREEN.0),
            _ => {}
        }
        for source in &one.sources {
            let Some(index) = source.register.temporary() else { continue };
            let lanes = match one.operation {
                Operation::Dp3 | Operation::Texld | Operation::Texcrd => Mask::COLOR.0,
                Operation::Dp4 => Mask::ALL.0,
                Operation::Bem => Mask::RED_GREEN.0,
                _ => mask.0,
            };
            let channels = match source.selector {
                Selector::Replicate(channel) => 1 << channel,
                _ => lanes,
            };
            if one.operation == Operation::Texld && self.since[index] & channels != 0 {
                let message =
                    format!("r{index} was written in this phase, and texld reads what phase 1 has left");
                self.refuse(place, Rule::Unwritten, message, "write the coordinates in phase 1");
            } else {
                self.read(place, index, channels);
            }
        }
    }

    /// Refuses the read of channels of an r register that hold no value.
    fn read(&mut self, place: Where, index: usize, channels: u8) {
        if self.has_depth && index == 5 {
            let message = "r5 is read behind texdepth";
            return self.refuse(place, Rule::Depth, message, "copy it to another register first");
        }
        let missing = channels & !self.before[index];
        if missing == Mask::ALPHA.0 && self.lost[index] {
            let message = format!("r{index}.a was lost at the phase marker");
            self.refuse(
                place,
                Rule::LostAlpha,
                message,
                "write it in this phase, or keep it in a channel of a colour",
            );
        } else if missing != 0 {
            let message = format!("r{index}{} is read and has not been written", Mask(missing));
            self.refuse(place, Rule::Unwritten, message, "write it first");
        }
    }

    fn writes(&mut self, one: &Instruction) {
        let Destination { register, mask, .. } = one.destination;
        self.has_depth |= one.operation == Operation::Texdepth;
        let is_read = matches!(one.operation, Operation::Texkill | Operation::Texdepth);
        let Some(index) = register.temporary().filter(|_| !is_read) else { return };
        // texcrd leaves channels that it does not write without a value.
        let kept = if one.operation == Operation::Texcrd { 0 } else { self.written[index] };
        self.written[index] = kept | mask.0;
        self.since[index] |= if self.is_second { mask.0 } else { 0 };
    }

    fn output(&mut self, place: Where) {
        let missing = Mask::ALL.0 & !self.written[0];
        if missing != 0 {
            let message = format!("r0{} is not written at the end of the program", Mask(missing));
            self.refuse(place, Rule::Output, message, "write the pixel's colour to r0, its alpha in phase 2");
        }
    }
}

#[cfg(test)]
mod tests;
