//! `order` of `aggregate`: which value is read next, and whether it leaves or is put to others.
//!
//! Quads that are whole are looked at in order. Of one whose values are put together these are read as tasks; then it stands in line to
//! leave with all others. What is put together leaves when its result has been written, from the place of its last value. What leaves
//! is read before any task. Values that are put together a channel a clock are under way for long: of two quads of them at most, and of no
//! other ones meanwhile, so that results are written in order.

mod words;

pub(super) use words::{Leaving, Task};

use super::shown::{PutHead, Shown};
use super::{DEPTH, MORE_BITS, Marks, NUMBER_BITS, OPERATION_BITS, Operation, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SkidBuffer, SyncFifo};
use tmu_spec::Config;
use words::{Asked, InLine, Looked, Quad, Read};

/// Quads in line to leave.
const LINE_DEPTH: usize = 32;
/// Quads that come into it until it is seen that there is no more room.
const LATE_QUADS: usize = 4;
/// Bits of the number of results that are written and wait.
const MADE_BITS: usize = LINE_DEPTH.ilog2() as usize + 2;
/// Quads that go a channel a clock, at most.
const WALKS: u64 = 2;

/// The order.
#[derive(Bundle)]
pub(super) struct Order {
    quads: SyncFifo,
    has_failed: Reg,
    /// One is looked at.
    has_quad: Reg,
    looked: Looked<FieldReg>,
    /// The place of the next value of the quad that is looked at, and its number; whether it is the first one, how many follow, and whether nothing does.
    task_place: Reg,
    task_number: Reg,
    begins: Reg,
    left: Reg,
    is_last: Reg,
    /// Quads under way that go a channel a clock; whether there are any, or as many as there may be.
    walks: Reg,
    has_walks: Reg,
    is_full: Reg,
    line: SyncFifo,
    /// One comes into it, and others may.
    joins: Reg,
    joiner: InLine<FieldReg>,
    line_has_room: Reg,
    /// Results that are written and wait; whether there are any; whether one has been written, or has left.
    made: Reg,
    has_made: Reg,
    is_made: Reg,
    has_left: Reg,
    /// The place of the next value that leaves, and its number.
    leave_place: Reg,
    leave_number: Reg,
    /// What is to be read next.
    asked: SkidBuffer,
    /// What is in the RAMs' latches, and in their output registers.
    read: Read<FieldReg>,
    read_is_task: Reg,
    read_leaves: Reg,
    offered: Read<FieldReg>,
    offered_is_task: Reg,
    offered_leaves: Reg,
    /// There is something in both.
    are_both: Reg,
}

impl Order {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Order {
        let zero = |bits: usize| Reg::with_reset(clocks, bits, 0);
        Order {
            quads: SyncFifo::with_style(DEPTH, Quad::of(config).width(), RamStyle::Block),
            has_failed: zero(1),
            has_quad: zero(1),
            looked: Looked::of(config).registers(clocks),
            task_place: zero(PLACE_BITS),
            task_number: zero(MORE_BITS),
            begins: zero(1),
            left: zero(MORE_BITS),
            is_last: zero(1),
            walks: zero(2),
            has_walks: zero(1),
            is_full: zero(1),
            line: SyncFifo::new(LINE_DEPTH, InLine::of(config).width()).with_late_level(),
            joins: zero(1),
            joiner: InLine::of(config).registers(clocks),
            line_has_room: zero(1),
            made: zero(MADE_BITS),
            has_made: zero(1),
            is_made: zero(1),
            has_left: zero(1),
            leave_place: zero(PLACE_BITS),
            leave_number: zero(MORE_BITS),
            asked: SkidBuffer::new(Asked::of(config).width()),
            read: Read::of(config).registers(clocks),
            read_is_task: zero(1),
            read_leaves: zero(1),
            offered: Read::of(config).registers(clocks),
            offered_is_task: zero(1),
            offered_leaves: zero(1),
            are_both: zero(1),
        }
    }
}

/// One bit: the value in the RAMs' output registers is put to others.
#[kernel]
pub(super) fn is_task(order: &Order) -> Bits {
    order.offered_is_task.val()
}

/// How.
#[kernel]
pub(super) fn task(order: &Order) -> Task {
    order.offered.val().task
}

/// The place of that value.
#[kernel]
pub(super) fn task_place(order: &Order) -> Bits {
    order.offered.val().place
}

/// One bit: it leaves.
#[kernel]
pub(super) fn leaves(order: &Order) -> Bits {
    order.offered_leaves.val()
}

/// What it leaves with.
#[kernel]
pub(super) fn leaving(order: &Order) -> Leaving {
    order.offered.val().leaving
}

/// The first place that is not free.
#[kernel]
pub(super) fn first_place(order: &Order) -> Bits {
    order.leave_place.val()
}

/// What the RAMs do in a clock.
pub(super) struct Reads {
    pub(super) place: Bits,
    pub(super) moves_read: Bits,
    pub(super) moves_offered: Bits,
}

/// What is read. `takes`: what is there is taken to be put to others.
#[kernel]
pub(super) fn reads(
    order: &Order,
    config: &Config,
    clocks: &Clocks,
    shown: &Shown,
    [out_ready, takes]: [Bits; 2],
) -> Reads {
    arrive(order, config, clocks, shown);
    /// # What is read
    let asked = &order.asked;
    asked.clocks.follow(clocks);
    let has_room = asked.input.ready.val();
    let leaver = next_leaver(order, config, out_ready);
    let leaves = leaver.leaves;
    let asker = next_task(order, config, has_room && !leaves);
    leave(order, &leaver, leaves && has_room);
    count(order, shown, leaves && has_room && leaver.is_one, asker.begins_walk);
    asked.input.valid.next = leaves || asker.is_there;
    asked.input.data.next = Asked::of(config).pack(&Asked {
        is_task: !leaves,
        read: Read {
            place: if leaves { leaver.place } else { asker.place },
            task: asker.task,
            leaving: leaver.leaving,
        },
    });
    let Asked { is_task, read: next } = Asked::of(config).unpack(asked.output.data.val());
    let comes = asked.output.valid.val();
    let moves_offered = !order.offered_is_task.val() || takes;
    let moves_read = !order.are_both.val() || moves_offered;
    let read_is_there = order.read_is_task.val() || order.read_leaves.val();
    asked.output.ready.next = moves_read;
    order.are_both.next = if moves_read { comes && (read_is_there || !moves_offered) } else { lit(1, 1u32) };
    if moves_read {
        order.read_is_task.next = comes && is_task;
        order.read_leaves.next = comes && !is_task;
        order.read.next = &next;
    }
    if moves_offered {
        order.offered_is_task.next = order.read_is_task.val();
        order.offered_leaves.next = order.read_leaves.val();
        order.offered.next = order.read.val();
    }
    Reads { place: next.place, moves_read, moves_offered }
}

/// Quads that are whole.
#[kernel]
fn arrive(order: &Order, config: &Config, clocks: &Clocks, shown: &Shown) {
    /// # Quads
    let value = shown.out_value.val();
    let (comes, ends_quad) = (shown.out_valid.val(), value.ends_quad);
    /// A quad fails where one of its values does.
    let fails = value.fails || order.has_failed.val();
    if comes {
        order.has_failed.next = fails && !ends_quad;
    }
    let quads = &order.quads;
    quads.clocks.follow(clocks);
    order.line.clocks.follow(clocks);
    quads.input.valid.next = comes && ends_quad;
    let quad = Quad { marks: value.marks, valid: value.valid, fails, are_floats: value.are_floats };
    quads.input.data.next = Quad::of(config).pack(&quad);
    discard(
        quads.input.ready.val(),
        "each value that waits has room in the RAMs, and a quad has one at least",
    );
    discard(quads.level.val(), "as above");
}

/// The next value that is put to others.
struct Asker {
    is_there: Bits,
    /// It is the first one of a quad that goes a channel a clock, and is read.
    begins_walk: Bits,
    place: Bits,
    task: Task,
}

/// Looks at the next quad; `may_read`: a task may be read.
#[kernel]
fn next_task(order: &Order, config: &Config, may_read: Bits) -> Asker {
    /// # Values that are put together
    let line = &order.line;
    let Looked { quad, is_one, walks, is_sum, is_average, is_divided } = order.looked.val();
    let Quad { marks: Marks { operation, more }, valid, fails, are_floats } = quad;
    let has_quad = order.has_quad.val();
    let (number, is_first, left) = (order.task_number.val(), order.begins.val(), order.left.val());
    let is_last = order.is_last.val();
    let divides = is_divided && is_last;
    let may_begin = if walks { !order.is_full.val() } else { !order.has_walks.val() };
    let has_room = order.line_has_room.val();
    let is_there = has_quad && is_one && (may_begin || !is_first) && (has_room || !is_last);
    let reads = is_there && may_read;
    let goes_on = has_quad && !is_one && has_room;
    let ends = reads && is_last;
    look(order, config, goes_on, reads, is_last);
    order.joins.next = goes_on || ends;
    order.joiner.next = InLine { is_one, more, valid, fails, are_floats };
    line.input.valid.next = order.joins.val();
    line.input.data.next = InLine::of(config).pack(&order.joiner.val());
    discard(line.input.ready.val(), "none comes without room");
    order.line_has_room.next = line.level.val() < (LINE_DEPTH - LATE_QUADS) as u64;
    let place = order.task_place.val();
    let passes = if is_one { lit(MORE_BITS, 0u32) } else { more };
    // What is divided is where its last value is.
    let is_last_value = !left.any() && !is_last;
    if goes_on || (reads && !(is_divided && is_last_value)) {
        order.task_place.next = place + passes.zero_extend(PLACE_BITS) + 1;
    }
    let half_of_two = number == 1;
    let task = Task {
        walks,
        operation,
        are_floats,
        is_first,
        ends: is_last && !walks,
        is_last,
        divides,
        more,
        is_sum,
        // Half of two is one, of four two.
        rounds: is_average && (half_of_two || number == 2),
        compares: !is_sum && !is_first,
    };
    Asker { is_there, begins_walk: reads && walks && is_first, place, task }
}

/// Takes the next quad as one goes on, or a clock after the last task of one has been read.
#[kernel]
fn look(order: &Order, config: &Config, goes_on: Bits, reads: Bits, is_last: Bits) {
    /// # The quad that is looked at
    let quads = &order.quads;
    let is_free = !order.has_quad.val() || goes_on;
    let quad = Quad::of(config).unpack(quads.output.data.val());
    let Marks { operation, more } = quad.marks;
    let is = |of: Operation| operation == of as u64;
    let is_average = is(Operation::Average);
    let is_divided = is_average && quad.are_floats;
    quads.output.ready.next = is_free;
    if is_free {
        order.has_quad.next = quads.output.valid.val();
        order.begins.next = 1;
        // One whose values are put together has two of them at least.
        order.is_last.next = 0;
        order.task_number.next = 0;
        order.left.next = more;
        order.looked.next = Looked {
            is_one: operation.any() && more.any(),
            walks: quad.are_floats || is(Operation::Product) || (is_average && more == 2),
            is_sum: is(Operation::Sum) || is_average,
            is_average,
            is_divided,
            quad,
        };
    } else if reads {
        order.has_quad.next = !is_last;
        order.begins.next = 0;
        order.task_number.next = order.task_number.val() + 1;
        let left = order.left.val();
        order.left.next = left - 1;
        order.is_last.next = if order.looked.val().is_divided { !left.any() } else { left == 1 };
    }
}

/// What leaves next.
struct Leaver {
    leaves: Bits,
    is_one: Bits,
    place: Bits,
    is_last: Bits,
    leaving: Leaving,
}

#[kernel]
fn next_leaver(order: &Order, config: &Config, out_ready: Bits) -> Leaver {
    /// # What leaves
    let line = &order.line;
    let InLine { is_one, more, valid, fails, are_floats } = InLine::of(config).unpack(line.output.data.val());
    let is_last = is_one || order.leave_number.val() == more;
    let ahead = if is_one { more } else { lit(MORE_BITS, 0u32) };
    let leaves = line.output.valid.val() && out_ready && (!is_one || order.has_made.val());
    Leaver {
        leaves,
        is_one,
        place: order.leave_place.val() + ahead.zero_extend(PLACE_BITS),
        is_last,
        leaving: Leaving { valid, fails, are_floats, is_last },
    }
}

#[kernel]
fn leave(order: &Order, leaver: &Leaver, goes: Bits) {
    order.line.output.ready.next = goes && leaver.is_last;
    if goes {
        order.leave_place.next = leaver.place + 1;
        order.leave_number.next =
            if leaver.is_last { lit(MORE_BITS, 0u32) } else { order.leave_number.val() + 1 };
    }
}

/// Counts results and walks.
#[kernel]
fn count(order: &Order, shown: &Shown, goes: Bits, begins_walk: Bits) {
    /// # Results that are written
    let PutHead { is_whole, number, .. } = shown.out_head.val();
    let is_put = shown.out_put.val();
    let ends_walk = is_put && !is_whole && number.all();
    let ends = (is_put && is_whole) || ends_walk;
    order.is_made.next = ends;
    order.has_left.next = goes;
    let (made, is_made, has_left) = (order.made.val(), order.is_made.val(), order.has_left.val());
    if is_made && !has_left {
        order.made.next = made + 1;
    } else if has_left && !is_made {
        order.made.next = made - 1;
    }
    /// Behind one that leaves it is two clocks until the next one is known.
    order.has_made.next = !goes && !has_left && made.any();
    let walks = order.walks.val();
    if begins_walk && !ends_walk {
        order.walks.next = walks + 1;
    } else if ends_walk && !begins_walk {
        order.walks.next = walks - 1;
    }
    /// Known a clock later, in which no other quad can begin.
    order.has_walks.next = walks.any();
    order.is_full.next = walks >= WALKS;
}

const _: () = assert!(NUMBER_BITS == 4, "the last channel has all bits");
