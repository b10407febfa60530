//! `quad_generator`: a binding and quads of a pattern, as beats of a request stream.
//!
//! Rows of quads whose coordinates change by fixed steps, so that the registers choose a constant, a scan, a turned or a rotated
//! one; or quads whose first pixel lies anywhere, u and v each from a shift register with linear feedback (Marsaglia's xorshift with
//! the shifts 13, 17, 5), the others at the same steps from it.
//!
//! Latency 3 clocks from `start` to the first beat. Initiation interval one beat.

use super::Walk;
use super::registers::binding_beats;
use crate::system::memory_port::select;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::packet::Extras;
use tmu_spec::quad::{BeatsPerQuad, PIXELS};

/// Bits of a coordinate.
pub(super) const NUMBER_BITS: usize = 32;
/// Bits of a word of a binding.
const WORD_BITS: usize = 128;
/// Bits of the number of quads of a row.
pub(super) const ROW_BITS: usize = 16;
/// Bits of the number of a beat of a binding.
const BEAT_BITS: usize = 3;

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum Sending {
    /// Nothing.
    Nothing,
    /// The beats of the binding.
    Binding,
    /// Quads.
    Quads,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct QuadGenerator {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Begins.
    pub start: Net<In>,
    /// Ends after the quad under way.
    pub stop: Net<In>,
    /// Words of the binding.
    pub binding: Vec<Net<In>>,
    /// Which quads.
    pub walk: Walk<In>,
    /// Beats: `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub beat: StreamOut,
    /// There are beats to come.
    pub running: Net<Out>,
    sending: EnumReg<Sending>,
    number: Reg,
    left: Reg,
    any_left: Reg,
    column: Reg,
    ends_row: Reg,
    first: Vec<Reg>,
    row: Vec<Reg>,
    both: Vec<Reg>,
    quad: Vec<Reg>,
    has_quad: Reg,
    is_second: Optional<Reg>,
    _config: Config,
}

impl QuadGenerator {
    /// For a configuration.
    pub fn new(config: &Config) -> QuadGenerator {
        let clocks = Clocks::new();
        let two_beats = config.request().beats_per_quad() == BeatsPerQuad::Two;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        QuadGenerator {
            start: Net::bit(),
            stop: Net::bit(),
            binding: Net::array(binding_beats(config), WORD_BITS),
            walk: Walk::new(),
            beat: StreamOut::new(config.request_tdata_bits() as usize + 2),
            running: Net::bit(),
            sending: EnumReg::with_reset(&clocks, Sending::Nothing),
            number: Reg::with_reset(&clocks, BEAT_BITS, 0),
            left: Reg::new(&clocks, 32),
            any_left: flag(),
            column: Reg::new(&clocks, ROW_BITS),
            ends_row: Reg::new(&clocks, 1),
            first: Reg::array(2, &clocks, NUMBER_BITS),
            row: Reg::array(2, &clocks, NUMBER_BITS),
            both: Reg::array(2, &clocks, NUMBER_BITS),
            quad: Reg::array(2 * PIXELS, &clocks, NUMBER_BITS),
            has_quad: flag(),
            is_second: Optional::new(two_beats, flag),
            clocks,
            _config: config.clone(),
        }
    }
}

/// The next state of a shift register with linear feedback.
#[kernel]
fn shifted(state: Bits) -> Bits {
    let one = state ^ cat(&[state.low(NUMBER_BITS - 13), lit(13, 0u32)]);
    let two = one ^ cat(&[lit(17, 0u32), one.high(NUMBER_BITS - 17)]);
    two ^ cat(&[two.low(NUMBER_BITS - 5), lit(5, 0u32)])
}

/// Twice a number.
#[kernel]
fn twice(number: Bits) -> Bits {
    cat(&[number.low(NUMBER_BITS - 1), lit(1, 0u32)])
}

/// Sends a binding and quads of a pattern.
#[kernel]
impl QuadGenerator {
    fn logic(&self) {
        timing(3, 1);
        self.order();
        self.steps();
        self.beats();
    }

    fn order(&self) {
        /// # Order
        let (sending, free) = (self.sending.val(), self.beat.ready.val());
        let number = self.number.val();
        let last_beat = number == (self.binding.len() - 1) as u64;
        match sending {
            Sending::Nothing => {
                if self.start.val() {
                    self.sending.next = Sending::Binding;
                }
            }
            Sending::Binding => {
                if free {
                    self.number.next = if last_beat { lit(BEAT_BITS, 0u32) } else { number + 1 };
                }
                if free && last_beat {
                    self.sending.next = Sending::Quads;
                }
            }
            Sending::Quads => {
                if !self.any_left.val() && !self.has_quad.val() {
                    self.sending.next = Sending::Nothing;
                }
            }
        }
        self.running.next = sending != Sending::Nothing;
    }

    fn steps(&self) {
        /// # Coordinates
        let walk = &self.walk;
        let (across, down) =
            ([walk.u_across.val(), walk.v_across.val()], [walk.u_down.val(), walk.v_down.val()]);
        let starts = [walk.u.val(), walk.v.val()];
        /// A quad is made as the one in front of it leaves.
        let leaves = self.has_quad.val() && self.beat.ready.val() && self.is_last_beat();
        let free = !self.has_quad.val() || leaves;
        let makes = self.sending.val() == Sending::Quads && self.any_left.val() && free;
        if makes {
            self.has_quad.next = 1;
        } else if leaves {
            self.has_quad.next = 0;
        }
        let row_quads = walk.row_quads.val();
        if self.start.val() {
            self.left.next = walk.quads.val();
            self.any_left.next = walk.quads.val().any();
            self.column.next = row_quads;
            self.ends_row.next = row_quads == 1;
        } else if self.stop.val() {
            self.any_left.next = 0;
        } else if makes {
            self.left.next = self.left.val() - 1;
            self.any_left.next = self.left.val() != 1;
            self.column.next = if self.ends_row.val() { row_quads } else { self.column.val() - 1 };
            self.ends_row.next = if self.ends_row.val() { row_quads == 1 } else { self.column.val() == 2 };
        }
        for axis in 0..2 {
            let (first, row, both) = (&self.first[axis], &self.row[axis], &self.both[axis]);
            both.next = across[axis] + down[axis];
            let beside = first.val() + twice(across[axis]);
            let below = row.val() + twice(down[axis]);
            if self.start.val() {
                first.next = starts[axis];
                row.next = starts[axis];
            } else if makes {
                if walk.is_random.val() {
                    first.next = shifted(first.val());
                } else if self.ends_row.val() {
                    first.next = below;
                    row.next = below;
                } else {
                    first.next = beside;
                }
            }
            if makes {
                self.quad[axis].next = first.val();
                self.quad[2 + axis].next = first.val() + across[axis];
                self.quad[4 + axis].next = first.val() + down[axis];
                self.quad[6 + axis].next = first.val() + both.val();
            }
        }
    }

    /// One bit: the beat that is offered is the last one of its quad.
    fn is_last_beat(&self) -> Bits {
        self.is_second.as_ref().map_or_else(|| lit(1, 1u32), |second| second.val())
    }

    /// The words above the coordinates where a quad is one beat: divisors of one, and 0 for everything else; none where there are none.
    fn extra_words(&self) -> Option<Bits> {
        let extras = Extras::of(self._config.features().general()?);
        let divisor = lit(NUMBER_BITS, extras.numbers.one()).repeat(PIXELS);
        let zero = lit(WORD_BITS, 0u32);
        let words = [
            (extras.operation, zero),
            (extras.reference, zero),
            (extras.divisor, divisor),
            (extras.third, zero),
        ];
        let built: Vec<Bits> =
            words.into_iter().filter(|(is_built, _)| *is_built).map(|(_, word)| word).collect();
        (!built.is_empty()).then(|| cat(&built))
    }

    fn beats(&self) {
        /// # Beats
        let tdata_bits = self.beat.data.width() - 2;
        let numbers: Vec<Bits> = self.quad.iter().rev().map(|number| number.val()).collect();
        let valid = self.walk.valid.val();
        let quad = match self.is_second.as_ref() {
            Some(second) => {
                let (upper, lower) = (cat(&numbers[4..]), cat(&numbers[..4]));
                let pixels = if second.val() { lower } else { upper };
                if self.has_quad.val() && self.beat.ready.val() {
                    second.next = !second.val();
                }
                cat(&[valid, pixels])
            }
            None => match self.extra_words() {
                Some(extra) => cat(&[valid, extra, cat(&numbers)]),
                None => cat(&[valid, cat(&numbers)]),
            },
        };
        let is_binding = self.sending.val() == Sending::Binding;
        let words: Vec<Bits> = self.binding.iter().map(|word| word.val()).collect();
        let word = select(&words, self.number.val());
        let last_word = self.number.val() == (words.len() - 1) as u64;
        let tdata = if is_binding { word.zero_extend(tdata_bits) } else { quad.zero_extend(tdata_bits) };
        let last = if is_binding { last_word } else { self.is_last_beat() };
        self.beat.valid.next = is_binding || self.has_quad.val();
        self.beat.data.next = cat(&[last, is_binding, tdata]);
    }
}
