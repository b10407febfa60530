//! Quads that wait for `shade_texture`, in three queues: from arithmetic, new ones, and those that have had one texture instruction and go on
//! with another one.
//!
//! A queue is served until it is empty, then the next one that is not. So the quads of a triangle read its first texture one behind the
//! other, and then its second one: another texture costs a sampler more than a quad of the same one. A quad waits for at most what is under way with
//! it.

use super::super::way::WayWord;
use super::super::words::ShadeShape;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// From arithmetic, with an operand; new; again.
const QUEUES: usize = 3;
/// Of those, which has operands, and which has quads that have had an instruction.
const FROM_ARITHMETIC: usize = 0;
const AGAIN: usize = 2;

/// See the module's documentation.
#[derive(Bundle)]
pub(super) struct Waiting {
    ways: SyncFifo,
    entries: SyncFifo,
    again: SyncFifo,
    /// The queue that is served, a bit for each.
    served: Reg,
}

/// The quad that is next.
pub(super) struct Next {
    pub(super) comes: Bits,
    pub(super) has_operand: Bits,
    /// It has had an instruction.
    pub(super) goes_on: Bits,
    pub(super) way: Bits,
}

impl Waiting {
    pub(super) fn new(shape: &ShadeShape, clocks: &Clocks) -> Waiting {
        let queue = || SyncFifo::new(shape.quads(), WayWord::of(shape).width());
        Waiting {
            ways: queue(),
            entries: queue(),
            again: queue(),
            served: Reg::with_reset(clocks, QUEUES, 1),
        }
    }
}

/// What comes: from arithmetic, new, and again.
#[kernel]
pub(super) fn wait(
    of: &Waiting,
    clocks: &Clocks,
    passed: (Bits, Bits),
    entered: &StreamIn,
    again: (Bits, Bits),
) {
    /// # Quads that wait
    for fifo in [&of.ways, &of.entries, &of.again] {
        fifo.clocks.follow(clocks);
        discard(fifo.level.val(), "all quads have room");
    }
    of.entries.input.forward(entered);
    for (fifo, (comes, way)) in [(&of.ways, passed), (&of.again, again)] {
        fifo.input.valid.next = comes;
        fifo.input.data.next = way;
        discard(fifo.input.ready.val(), "all quads have room");
    }
}

/// The quad that is next; it goes if it is taken.
#[kernel]
pub(super) fn next(of: &Waiting, takes: Bits) -> Next {
    /// # The quad that is next
    let queues = [&of.ways, &of.entries, &of.again].map(|fifo: &SyncFifo| &fifo.output);
    let waits = queues.map(|queue| queue.valid.val());
    let served = of.served.val();
    /// The served one, or the next one behind it.
    let turn = |number: usize| {
        let (behind, last) = ((number + 2) % QUEUES, (number + 1) % QUEUES);
        let after_one = served.bit(behind) && !waits[behind];
        let after_two = served.bit(last) && !waits[last] && !waits[behind];
        waits[number] && (served.bit(number) || after_one || after_two)
    };
    let turns = [0, 1, 2].map(turn);
    let comes = stack(waits).any();
    for number in 0..QUEUES {
        queues[number].ready.next = takes && turns[number];
    }
    if takes && comes {
        of.served.next = stack(turns);
    }
    let data = |number: usize| queues[number].data.val() & turns[number].repeat(queues[number].data.width());
    Next {
        comes,
        has_operand: turns[FROM_ARITHMETIC],
        goes_on: turns[AGAIN],
        way: data(0) | data(1) | data(2),
    }
}
