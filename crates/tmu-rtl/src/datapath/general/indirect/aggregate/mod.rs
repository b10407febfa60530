//! `aggregate`: values of indirect look-ups put together, channel by channel, or handed on one by one.
//!
//! Values come as quads of samples, those of a quad one behind the other, and wait in a FIFO until the last one of their quad is there:
//! only then is it known whether one of them failed, in which case all results of the quad do. What the components of a result show is
//! chosen in front of the FIFO, so that constants count as values.
//!
//! Values that go on alone (`none`, or one value) and sums, averages, least and largest of unsigned numbers take a value a clock.
//! Floats, products and thirds go through `walk`, which takes a channel a clock.
//!
//! Contract: a value comes only while `has_room` was high at most so many values before as the margin says, less four, which are on
//! their way to the FIFO. The operation and the number
//! of values are the same for all values of a quad. What leaves, a clock after `out_ready` was high at the soonest, is a quad of samples
//! whose components show what they are. Nothing here waits for anything but the last value of a quad and `out_ready`.
//!
//! Cost, of n values: alone n clocks; put together n + 1. By `walk` `17n − 2` clocks, an average 29 more. Three DSP slices, one
//! without floats. The FIFO is in block RAM. 3940 LUTs with floats, 935 without and with channels of 8 bits, as Yosys 0.70 estimates
//! them for UltraScale+. With floats there were 6 LUT levels between registers, in the multiplier, whose
//! classes of factors have registers of their own since; that has not been measured again.

mod shown;
mod straight;
mod walk;

use crate::datapath::general::result::{QuadSample, lane_bits};
use crate::datapath::general::words::{PIXELS, general};
use shown::{SampleMarks, Shown};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::general::indirect::{Aggregate as Operation, OPERATION, VALUES};
use walk::{Factors, Walk};

/// Channels of a pixel.
const CHANNELS: usize = 4;
/// Channels of a quad.
const ALL_CHANNELS: usize = PIXELS * CHANNELS;
/// Bits of the number of a channel of a quad.
const NUMBER_BITS: usize = ALL_CHANNELS.ilog2() as usize;
/// Bits of an operation.
const OPERATION_BITS: usize = OPERATION.bits as usize;
/// Bits of the number of values less one.
const MORE_BITS: usize = VALUES.bits as usize;
/// Bits that a sum of values has above theirs.
const CARRY_BITS: usize = MORE_BITS;
/// Values that wait: those that are on their way when there is no more room, and as many as come until that is seen.
const FIFO_DEPTH: usize = 128;

/// What becomes of the values of a quad.
#[derive(Clone, Debug, Record)]
pub struct Marks<T = Bits> {
    /// The number of an [`Operation`].
    pub operation: T,
    /// Values less one.
    pub more: T,
}

impl Marks<Width> {
    /// Its shape.
    pub fn shape() -> Marks<Width> {
        Marks { operation: Width::bits(OPERATION_BITS), more: Width::bits(MORE_BITS) }
    }
}

/// What that means for a value.
#[derive(Clone, Debug, Record)]
struct Manner<T = Bits> {
    /// Values do not go on alone.
    puts_together: T,
    /// Unsigned numbers are added.
    is_sum: T,
    /// What is added to their sum, so that what is cut off rounds.
    half: T,
    /// Of two numbers the larger one is taken.
    is_max: T,
    /// Values go through the walk.
    walks: T,
    /// What it means for its quad.
    quad: QuadManner<T>,
}

/// What that means for a quad.
#[derive(Clone, Debug, Record)]
struct QuadManner<T = Bits> {
    /// What is held at the end goes through the walk, to be divided.
    divides: T,
    /// What is held is limited.
    is_limited: T,
    /// Its lowest bits are cut off: one, or two.
    cuts: [T; 2],
}

impl QuadManner<Width> {
    fn shape() -> QuadManner<Width> {
        let bit = Width::bits(1);
        QuadManner { divides: bit, is_limited: bit, cuts: [bit, bit] }
    }
}

impl Manner<Width> {
    fn shape() -> Manner<Width> {
        let bit = Width::bits(1);
        Manner {
            puts_together: bit,
            is_sum: bit,
            half: Width::bits(2),
            is_max: bit,
            walks: bit,
            quad: QuadManner::shape(),
        }
    }
}

#[kernel]
fn manner(marks: &Marks, are_floats: Bits) -> Manner {
    let is = |operation: Operation| marks.operation == operation as u64;
    let (is_sum, is_average) = (is(Operation::Sum) && !are_floats, is(Operation::Average) && !are_floats);
    Manner {
        puts_together: marks.operation.any() && marks.more.any(),
        is_sum: is_sum || is_average,
        // Half of two and of three is one, of four two.
        half: cat(&[is_average && marks.more.all(), is_average && !marks.more.all()]),
        is_max: is(Operation::Max),
        walks: are_floats || is(Operation::Product),
        quad: QuadManner {
            divides: is(Operation::Average) && (are_floats || marks.more == 2),
            is_limited: is_sum,
            cuts: [is_average && marks.more == 1, is_average && marks.more.all()],
        },
    }
}

/// A value that waits.
#[derive(Clone, Debug, Record)]
struct Value<T = Bits> {
    marks: Marks<T>,
    manner: Manner<T>,
    /// It is the last one of its quad.
    ends_quad: T,
    /// The valid bits of the quad.
    valid: T,
    are_floats: T,
    channels: [T; ALL_CHANNELS],
}

impl Value<Width> {
    fn of(config: &Config) -> Value<Width> {
        let QuadSample { valid, are_floats, .. } = QuadSample::of(config);
        Value {
            marks: Marks::shape(),
            manner: Manner::shape(),
            ends_quad: Width::bits(1),
            valid,
            are_floats,
            channels: [Width::bits(lane_bits(config)); ALL_CHANNELS],
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Aggregate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A value comes.
    pub in_valid: Net<In>,
    /// The value, see [`QuadSample`].
    pub sample: Net<In>,
    /// What becomes of it.
    pub marks: Marks<Field<In>>,
    /// It is the last one of its quad.
    pub ends_quad: Net<In>,
    /// Values may be on their way.
    pub has_room: Net<Out>,
    /// What leaves finds room.
    pub out_ready: Net<In>,
    /// A quad of samples, for one clock.
    pub done: Net<Out>,
    /// The samples, see [`QuadSample`].
    pub out_sample: Net<Out>,
    shown: Shown,
    values: SyncFifo,
    verdicts: SyncFifo,
    has_failed: Reg,
    ends: Reg,
    fails: Reg,
    room: Reg,
    turn: Turn,
    held: Vec<Reg>,
    walk: Walk,
    leaves: Reg,
    out: QuadSample<FieldReg>,
    _margin: usize,
    _config: Config,
}

/// Whose turn it is.
#[derive(Bundle)]
struct Turn {
    /// Not the next value's: one of `walks`, `divides`, `settles` and `gives` is set.
    is_busy: Reg,
    /// The next value is the first one of its quad.
    is_first: Reg,
    /// It does not go through the walk, or is the first one of its quad.
    may_put: Reg,
    /// What the first one brought.
    marks: Marks<FieldReg>,
    manner: QuadManner<FieldReg>,
    valid: Reg,
    are_floats: Reg,
    /// The next value goes through the walk, a channel a clock.
    walks: Reg,
    /// What is held goes through the walk, to be divided.
    divides: Reg,
    /// It was.
    is_divided: Reg,
    /// The next channel.
    number: Reg,
    /// It is the last one.
    is_last: Reg,
    /// Channels are on their way through the walk.
    settles: Reg,
    /// What is held leaves.
    gives: Reg,
}

impl Turn {
    fn new(clocks: &Clocks) -> Turn {
        let low = || Reg::with_reset(clocks, 1, 0);
        Turn {
            is_busy: low(),
            is_first: Reg::with_reset(clocks, 1, 1),
            may_put: Reg::with_reset(clocks, 1, 1),
            marks: Marks::shape().registers(clocks),
            manner: QuadManner::shape().registers(clocks),
            valid: Reg::new(clocks, PIXELS),
            are_floats: Reg::new(clocks, 1),
            walks: low(),
            divides: low(),
            is_divided: low(),
            number: Reg::with_reset(clocks, NUMBER_BITS, 0),
            is_last: low(),
            settles: low(),
            gives: low(),
        }
    }
}

impl Aggregate {
    /// The stage for a configuration of several lanes. `margin`: values that may be on their way.
    pub fn new(config: &Config, margin: usize) -> Aggregate {
        assert!(margin < FIFO_DEPTH - 8, "{margin} values find no room");
        let clocks = Clocks::new();
        let held_bits = held_bits(config);
        Aggregate {
            in_valid: Net::bit(),
            sample: Net::new(QuadSample::of(config).width()),
            marks: Marks::shape().nets(),
            ends_quad: Net::bit(),
            has_room: Net::bit(),
            out_ready: Net::bit(),
            done: Net::bit(),
            out_sample: Net::new(QuadSample::of(config).width()),
            shown: Shown::new(config),
            values: SyncFifo::with_style(FIFO_DEPTH, Value::of(config).width(), RamStyle::Block)
                .with_late_level(),
            verdicts: SyncFifo::new(FIFO_DEPTH, 1).with_late_level(),
            has_failed: Reg::with_reset(&clocks, 1, 0),
            ends: Reg::with_reset(&clocks, 1, 0),
            fails: Reg::new(&clocks, 1),
            room: Reg::with_reset(&clocks, 1, 0),
            turn: Turn::new(&clocks),
            held: Reg::array(ALL_CHANNELS, &clocks, held_bits),
            walk: Walk::new(config),
            leaves: Reg::with_reset(&clocks, 1, 0),
            out: QuadSample::of(config).registers(&clocks),
            clocks,
            _margin: margin,
            _config: config.clone(),
        }
    }
}

/// Bits of what is held of a channel: a float, or a sum.
fn held_bits(config: &Config) -> usize {
    lane_bits(config).max(general(config).channel_bits as usize + CARRY_BITS)
}

/// What happens in a clock.
struct Steps {
    /// The value goes on alone.
    alone: Bits,
    /// It is held as the first one of its quad.
    starts: Bits,
    /// It is put to what is held.
    grows: Bits,
    /// Its last channel goes into the walk.
    walked: Bits,
    /// What is held leaves.
    gives: Bits,
}

/// Values to samples.
#[kernel]
impl Aggregate {
    fn logic(&self) {
        self.arrive();
        let value = Value::of(&self._config).unpack(self.values.output.data.val());
        let steps = self.steps(&value);
        self.turns(&value, &steps);
        self.hold(&value, &steps);
        self.leave(&value, &steps);
    }

    fn arrive(&self) {
        /// # Values that wait
        let (shown, values, verdicts) = (&self.shown, &self.values, &self.verdicts);
        shown.clocks.follow(&self.clocks);
        shown.in_valid.next = self.in_valid.val();
        shown.sample.next = self.sample.val();
        shown.marks.next = self.marks.val();
        shown.ends_quad.next = self.ends_quad.val();
        let value = shown.out_value.val();
        values.clocks.follow(&self.clocks);
        values.input.valid.next = shown.out_valid.val();
        values.input.data.next = Value::of(&self._config).pack(&value);
        /// A quad fails where one of its values does.
        let fails = shown.out_fails.val() || self.has_failed.val();
        let ends_quad = value.ends_quad;
        if shown.out_valid.val() {
            self.has_failed.next = fails && !ends_quad;
        }
        /// A verdict comes a clock later than the last value, so that while it stands there a value of its quad does.
        self.ends.next = shown.out_valid.val() && ends_quad;
        self.fails.next = fails;
        verdicts.clocks.follow(&self.clocks);
        verdicts.input.valid.next = self.ends.val();
        verdicts.input.data.next = self.fails.val();
        discard(values.output.valid.val(), "a verdict says so");
        discard(values.input.ready.val(), "what comes has room");
        discard(verdicts.input.ready.val(), "as above");
        discard(verdicts.level.val(), "as above");
        self.room.next = values.level.val() < (FIFO_DEPTH - self._margin) as u64;
        self.has_room.next = self.room.val();
    }

    /// One bit: a value waits whose quad is all there.
    fn has_whole_quad(&self) -> Bits {
        self.verdicts.output.valid.val()
    }

    fn steps(&self, value: &Value) -> Steps {
        /// # Whose turn it is
        let Turn { is_busy, is_first, may_put, walks, is_last, gives, .. } = &self.turn;
        let takes = !is_busy.val() && self.has_whole_quad();
        let puts_together = value.manner.puts_together;
        Steps {
            alone: takes && !puts_together && self.out_ready.val(),
            starts: takes && puts_together && is_first.val(),
            grows: takes && puts_together && !is_first.val() && may_put.val(),
            walked: walks.val() && is_last.val(),
            gives: gives.val() && self.out_ready.val(),
        }
    }

    fn turns(&self, value: &Value, steps: &Steps) {
        let Turn { is_first, may_put, marks, manner, valid, are_floats, .. } = &self.turn;
        let Turn { is_busy, walks, divides, is_divided, number, is_last, settles, gives, .. } = &self.turn;
        let Steps { alone, starts, grows, walked, gives: given } = steps;
        let (alone, starts, grows, walked, given) = (*alone, *starts, *grows, *walked, *given);
        /// Whether a value goes is `alone || starts || grows || walked`, in few levels.
        let goes = if value.manner.puts_together { may_put.val() } else { self.out_ready.val() };
        self.values.output.ready.next = walked || (!is_busy.val() && self.has_whole_quad() && goes);
        self.verdicts.output.ready.next = given || (alone && value.ends_quad);
        if starts {
            is_first.next = 0;
            may_put.next = !value.manner.walks;
            marks.next = &value.marks;
            manner.next = &value.manner.quad;
            valid.next = value.valid;
            are_floats.next = value.are_floats;
            is_divided.next = 0;
        } else if given {
            is_first.next = 1;
            may_put.next = 1;
        }
        let own = manner.val();
        let begins = !is_busy.val() && self.has_whole_quad() && !may_put.val();
        walks.next = (walks.val() && !walked) || begins;
        let divided = divides.val() && is_last.val();
        let to_divide = own.divides && !is_divided.val();
        let settled = settles.val() && self.walk.ends.val();
        let grown = grows && value.ends_quad;
        divides.next = (divides.val() && !divided) || ((settled || grown) && to_divide);
        if divided {
            is_divided.next = 1;
        }
        settles.next = (settles.val() && !settled) || (walked && value.ends_quad) || divided;
        gives.next = (gives.val() && !given) || ((settled || grown) && !to_divide);
        let is_over = given || (walked && !value.ends_quad);
        is_busy.next = (is_busy.val() && !is_over) || begins || grown;
        if walks.val() || divides.val() {
            number.next = number.val() + 1;
            is_last.next = number.val() == (ALL_CHANNELS - 2) as u64;
        }
    }

    fn hold(&self, value: &Value, steps: &Steps) {
        /// # What is held
        let Turn { is_first, marks, are_floats, walks, divides, number, .. } = &self.turn;
        let channel_bits = general(&self._config).channel_bits as usize;
        let walk = &self.walk;
        walk.clocks.follow(&self.clocks);
        walk.in_valid.next = walks.val() || divides.val();
        walk.factors.next = Factors {
            number: number.val(),
            marks: marks.val(),
            are_floats: are_floats.val(),
            divides: divides.val(),
            held: walk::chosen(number.val(), self.held.iter().map(|held| held.val())),
            value: walk::chosen(number.val(), value.channels.iter().copied()),
        };
        let puts = steps.starts || steps.grows;
        let (written, place, put) = (walk.out_valid.val(), walk.out_number.val(), walk.put.val());
        for (number, held) in self.held.iter().enumerate() {
            let of = straight::Grows { is_first: is_first.val(), manner: &value.manner, channel_bits };
            let grown = straight::grown(&of, held.val(), value.channels[number]);
            if puts {
                held.next = grown;
            } else if written && place == number as u64 {
                held.next = put;
            }
        }
    }

    fn leave(&self, value: &Value, steps: &Steps) {
        /// # Samples
        let Turn { manner, valid, are_floats, .. } = &self.turn;
        let bits = general(&self._config).channel_bits as usize;
        let (own, of_floats) = (manner.val(), are_floats.val());
        let fails = self.verdicts.output.data.val();
        let channel = |number: usize| {
            let held = straight::settled(&own, of_floats, self.held[number].val(), bits);
            let held = held.low(lane_bits(&self._config));
            if steps.gives { held } else { value.channels[number] }
        };
        let channels: Vec<Bits> = (0..ALL_CHANNELS).map(channel).collect();
        self.leaves.next = steps.alone || steps.gives;
        self.out.next = shown::sample(
            &channels,
            &SampleMarks {
                valid: if steps.gives { valid.val() } else { value.valid },
                fails,
                are_floats: if steps.gives { of_floats } else { value.are_floats },
                is_last: steps.gives || value.ends_quad,
            },
        );
        self.done.next = self.leaves.val();
        self.out_sample.next = QuadSample::of(&self._config).pack(&self.out.val());
    }
}
