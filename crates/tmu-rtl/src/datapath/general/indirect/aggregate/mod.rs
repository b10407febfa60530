//! `aggregate`: values of indirect look-ups put together, channel by channel, or handed on one by one.
//!
//! Values come as quads of samples, those of a quad one behind the other, and wait in RAMs, one for each channel, until the last one of
//! their quad is there: only then is it known whether one of them failed, in which case all results of the quad do. What the
//! components of a result show is chosen in front of the RAMs (`shown`), so that constants count as values.
//!
//! Values that go on alone (`none`, or one value) leave as they wait. Of those that are put together the result is written to the place of
//! the last one, in a clock in which no value comes, and leaves in its turn (`order`). Sums, averages, least and largest of unsigned
//! numbers take a value a clock or two (`straight`); floats, products and thirds go a channel a clock through one adder and one
//! multiplier (`walk`).
//!
//! Contract: a value comes only while `has_room` was high at most so many values before as the margin says. The operation and the number
//! of values are the same for all values of a quad. What leaves is a quad of samples whose components show what they are; after `out_ready`
//! fell [`LATE_RESULTS`] more may leave. Nothing here waits for anything but the last value of a
//! quad and `out_ready`.
//!
//! Cost, of n values: alone n clocks; sums and averages n, least and largest 2n - 1. By `walk` 16n clocks, an average of floats 16 more.
//! Three DSP slices, one without floats. The values are in block RAM. 2818 LUTs with floats, as Yosys 0.70 estimates them for UltraScale+.

mod order;
mod shown;
mod straight;
mod walk;

use crate::datapath::general::result::{QuadSample, lane_bits};
use crate::datapath::general::words::{PIXELS, general};
use order::{Order, Task};
use shown::{PutHead, SampleMarks, Shown};
use straight::Straight;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;
use tmu_spec::general::indirect::{Aggregate as Operation, OPERATION, VALUES};
use walk::Walk;

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
const DEPTH: usize = 128;
/// Bits of the place of one that waits.
const PLACE_BITS: usize = DEPTH.ilog2() as usize;
/// Values that come until it is seen that there is no more room.
const LATE_VALUES: usize = 8;
/// Results that may leave after `out_ready` fell.
pub const LATE_RESULTS: usize = 4;

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
    rams: Vec<RamSimpleDualPort>,
    /// The place of the next value that comes.
    next_place: Reg,
    room: Reg,
    order: Order,
    /// A value that is put to others.
    taken: Taken,
    straight: Straight,
    walk: Walk,
    _margin: usize,
    _config: Config,
}

/// A value that is put to others, until that is done.
#[derive(Bundle)]
struct Taken {
    is_there: Reg,
    /// There is none, or it is over in this clock.
    is_free: Reg,
    task: Task<FieldReg>,
    place: Reg,
    channels: Vec<Reg>,
}

impl Aggregate {
    /// The stage for a configuration of several lanes. `margin`: values that may be on their way.
    pub fn new(config: &Config, margin: usize) -> Aggregate {
        assert!(margin + LATE_VALUES < DEPTH, "{margin} values find no room");
        let clocks = Clocks::new();
        let bits = lane_bits(config);
        let ram = || {
            let shape = RamShape::new(DEPTH, bits).style(RamStyle::Block).output_register(true);
            RamSimpleDualPort::new(shape.reads_apart())
        };
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
            rams: (0..ALL_CHANNELS).map(|_| ram()).collect(),
            next_place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            room: Reg::with_reset(&clocks, 1, 0),
            order: Order::new(&clocks, config),
            taken: Taken {
                is_there: Reg::with_reset(&clocks, 1, 0),
                is_free: Reg::with_reset(&clocks, 1, 1),
                task: Task::of(config).registers(&clocks),
                place: Reg::new(&clocks, PLACE_BITS),
                channels: Reg::array(ALL_CHANNELS, &clocks, bits),
            },
            straight: Straight::new(&clocks, config),
            walk: Walk::new(config),
            clocks,
            _margin: margin,
            _config: config.clone(),
        }
    }
}

/// Bits of what is held of a channel in the walk: a float, or a sum.
fn held_bits(config: &Config) -> usize {
    lane_bits(config).max(general(config).channel_bits as usize + CARRY_BITS)
}

/// Values to samples.
#[kernel]
impl Aggregate {
    fn logic(&self) {
        let channels: Vec<Bits> = self.rams.iter().map(|ram| ram.read_data.val()).collect();
        let takes = self.put_together(&channels);
        self.wait(takes);
        self.leave(&channels);
    }

    /// One bit: the value that is read goes on to be put to others.
    fn put_together(&self, channels: &[Bits]) -> Bits {
        /// # Values that are put together
        let Taken { is_there, is_free, task, place, channels: values } = &self.taken;
        let own = task.val();
        let values: Vec<Bits> = values.iter().map(|value| value.val()).collect();
        let is_straight = is_there.val() && !own.walks;
        let is_walking = is_there.val() && own.walks;
        let is_put = self.shown.put_ready.val();
        let straight = straight::put(&self.straight, (&own, place.val()), &values, is_straight, is_put);
        let walk = &self.walk;
        walk.clocks.follow(&self.clocks);
        walk.in_valid.next = is_walking;
        walk.task.next = &own;
        walk.place.next = place.val();
        walk.values.next = stack(values);
        walk.put_ready.next = straight.takes_walk;
        let next = order::task(&self.order);
        let takes =
            order::is_task(&self.order) && is_free.val() && (!next.ends || straight::may_end(&self.straight));
        let is_over = if own.walks { walk.is_over.val() } else { straight.is_over };
        is_there.next = takes || (is_there.val() && !is_over);
        let will_be_over = if own.walks { walk.will_be_over.val() } else { lit(1, 1u32) };
        let stays = is_there.val() && !is_free.val() && !will_be_over;
        is_free.next = if takes { !(next.walks || next.compares) } else { !stays };
        let ends = next.ends;
        if takes {
            task.next = next;
            place.next = order::task_place(&self.order);
        }
        for (value, read) in self.taken.channels.iter().zip(channels) {
            if takes {
                value.next = *read;
            }
        }
        let behind = [self.in_valid.val(), takes && ends];
        straight::finish(&self.straight, &walk.put.val(), walk.put_valid.val(), straight, behind);
        takes
    }

    /// Values come and wait; results are written where values were. `takes`: what is read is taken.
    fn wait(&self, takes: Bits) {
        /// # Values that come
        let shown = &self.shown;
        shown.clocks.follow(&self.clocks);
        shown.in_valid.next = self.in_valid.val();
        shown.sample.next = self.sample.val();
        shown.marks.next = self.marks.val();
        shown.ends_quad.next = self.ends_quad.val();
        shown.put_valid.next = straight::has_put(&self.straight);
        shown.put.next = straight::put_of(&self.straight);
        let (comes, is_put) = (shown.out_valid.val(), shown.out_put.val());
        let PutHead { place, is_whole, number } = shown.out_head.val();
        let next_place = self.next_place.val();
        if comes {
            self.next_place.next = next_place + 1;
        }
        let lane_bits = lane_bits(&self._config);
        let read =
            order::reads(&self.order, &self._config, &self.clocks, shown, [self.out_ready.val(), takes]);
        for (channel, ram) in self.rams.iter().enumerate() {
            let is_own = is_whole || number == channel as u64;
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = comes || (is_put && is_own);
            ram.write_address.next = if is_put { place } else { next_place };
            ram.write_data.next = shown.out_channels.val().slice(channel * lane_bits, lane_bits);
            ram.read_enable.next = read.moves_read;
            ram.read_address.next = read.place;
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = read.moves_offered;
            }
        }
        let level = next_place - order::first_place(&self.order);
        self.room.next = level < (DEPTH - self._margin - LATE_VALUES) as u64;
        self.has_room.next = self.room.val();
    }

    fn leave(&self, channels: &[Bits]) {
        /// # Samples
        let marks = order::leaving(&self.order);
        self.done.next = order::leaves(&self.order);
        let sample = shown::sample(
            channels,
            &SampleMarks {
                valid: marks.valid,
                fails: marks.fails,
                are_floats: marks.are_floats,
                is_last: marks.is_last,
            },
        );
        self.out_sample.next = QuadSample::of(&self._config).pack(&sample);
    }
}
