//! The lines of a burst: how they come, how they are given, and what fails.

use super::Copier;
use super::job::{State, is_at_work, is_last_burst};
use crate::engine::memory::LINE_BYTES;
use tmu_hdl::prelude::*;

/// Jobs that fail, as `STATUS` shows them.
const READ_FAILED: u32 = 4;
const WRITE_FAILED: u32 = 5;
const WRONG_LENGTH: u32 = 6;

/// One bit: a line comes that belongs to the burst.
#[kernel]
pub(super) fn comes(copier: &Copier) -> Bits {
    copier.line_valid.val() && copier.state.val() == State::Fill
}

/// One bit: the last line of the burst comes.
#[kernel]
pub(super) fn fills(copier: &Copier) -> Bits {
    comes(copier) && copier.place.val() == copier.burst.val()
}

/// One bit: a line comes that could not be read.
#[kernel]
pub(super) fn fails(copier: &Copier) -> Bits {
    comes(copier) && copier.line_response.val().bit(1)
}

/// One bit: an answer ends too early or too late.
#[kernel]
pub(super) fn is_wrong(copier: &Copier) -> Bits {
    comes(copier) && (copier.line_last.val() ^ fills(copier))
}

/// One bit: the last line of the burst is given.
#[kernel]
pub(super) fn gives(copier: &Copier) -> Bits {
    copier.line.moves() && copier.place.val() == copier.burst.val()
}

/// Takes lines into the FIFO.
#[kernel]
pub(super) fn fill(copier: &Copier) {
    /// # Lines that come
    let lines = &copier.lines;
    lines.clocks.follow(&copier.clocks);
    lines.input.valid.next = comes(copier);
    lines.input.data.next = copier.line_data.val();
    discard(lines.input.ready.val(), "there is room for a burst");
    if fills(copier) || gives(copier) || copier.state.val() == State::Drain {
        copier.place.next = 0;
    } else if comes(copier) || copier.line.moves() {
        copier.place.next = copier.place.val() + 1;
    }
    if copier.unexpected.val() && is_at_work(copier) {
        copier.is_broken.next = 1;
    }
    let is_quiet = !copier.outstanding.val() && !copier.line_valid.val() && !copier.unexpected.val();
    if is_quiet && copier.state.val() == State::Drain {
        copier.quiet.next = copier.quiet.val() + 1;
    } else {
        copier.quiet.next = 0;
    }
}

/// Gives lines out of the FIFO, and counts writes without an answer.
#[kernel]
pub(super) fn give(copier: &Copier) {
    /// # Lines that are given
    let output = &copier.lines.output;
    let gives = copier.state.val() == State::Give;
    let drops = copier.state.val() == State::Drain || copier.state.val() == State::Await;
    output.ready.next = (gives && copier.line.ready.val()) || drops;
    copier.line.valid.next = gives && output.valid.val();
    let is_head = copier.is_first.val() && !copier.place.val().any();
    let is_tail = is_last_burst(copier) && copier.place.val() == copier.burst.val();
    let head = copier.head.val() | (!is_head).repeat(LINE_BYTES);
    let tail = copier.tail.val() | (!is_tail).repeat(LINE_BYTES);
    copier.line.data.next = cat(&[head & tail, output.data.val()]);
    let starts = copier.write.moves();
    let width = copier.unanswered.width();
    let ends = copier.write_done.val();
    let change = cat(&[(ends && !starts).repeat(width - 1), ends ^ starts]);
    copier.unanswered.next = copier.unanswered.val() + change;
}

/// Tells the first failure, and every one to the memory port.
#[kernel]
pub(super) fn faults(copier: &Copier) {
    /// # Faults
    let response = copier.line_response.val();
    let is_wrong = is_wrong(copier) || copier.unexpected.val();
    copier.fault_seen.next =
        cat(&[is_wrong, fails(copier) && response.bit(0), fails(copier) && !response.bit(0)]);
    copier.fault_line_seen.next = copier.source.val() + copier.place.val().zero_extend(copier.source.width());
    copier.fault.next = copier.fault_seen.val();
    copier.fault_line.next = copier.fault_line_seen.val();
    /// What has failed first is told.
    let write_fails = copier.write_done.val() && copier.write_response.val().bit(1);
    discard(copier.write_response.val().bit(0), "the port tells one failure from the other");
    if is_at_work(copier) && !copier.code.val().any() {
        if is_wrong {
            copier.code.next = u64::from(WRONG_LENGTH);
        } else if fails(copier) {
            copier.code.next = u64::from(READ_FAILED);
        } else if write_fails {
            copier.code.next = u64::from(WRITE_FAILED);
        }
    }
}
