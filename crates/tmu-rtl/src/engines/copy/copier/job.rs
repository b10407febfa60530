//! A job of the copier: its rules, its states and its bursts.

use super::lines::{fails, fills, gives, is_wrong};
use super::{BYTE_BITS, Copier, LINES_BITS, PAGE_BITS};
use crate::engine::memory::LINE_BYTES;
use crate::engines::copy::registers::LENGTH_BITS;
use tmu_hdl::prelude::*;

/// Jobs that are refused, as `STATUS` shows them.
const LENGTH_OF_ZERO: u32 = 1;
const DIFFERENT_PLACES: u32 = 2;
const PAST_THE_END: u32 = 3;

/// What becomes of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
pub(super) enum State {
    /// There is none.
    Idle,
    /// Its ends are being found out.
    Measure,
    /// Its rules are looked at.
    Check,
    /// The limits of a burst are found out.
    Limit,
    /// The smallest of them is.
    Plan,
    /// The burst is to be read.
    Ask,
    /// Its lines come.
    Fill,
    /// It is to be written.
    Offer,
    /// Its lines are given.
    Give,
    /// Nothing more of a broken answer must come.
    Drain,
    /// Writes are to be answered.
    Await,
    /// The end is made known.
    Finish,
}

/// An address from its registers.
#[kernel]
fn address(copier: &Copier, low: &str, high: &str) -> Bits {
    let output = &copier.bank.output;
    let bits = copier._config.axi().address_bits() as usize;
    let (low, high) = (output.of(low, "ADDRESS").val(), output.of(high, "ADDRESS").val());
    // An address has 32 bits at least.
    match bits - 32 {
        0 => {
            discard(high, "the memory port has no such bits");
            low
        }
        32 => cat(&[high, low]),
        more => {
            discard(high.high(32 - more), "the memory port has no such bits");
            cat(&[high.low(more), low])
        }
    }
}

/// One bit: so many bytes from an address on end past the address space.
#[kernel]
fn is_past(address: Bits, length: Bits) -> Bits {
    let bits = address.width();
    let end = address.zero_extend(bits + 1) + length.zero_extend(bits + 1);
    end.high(1) && end.low(bits).any()
}

/// The rules of a job, and what becomes of it.
#[kernel]
pub(super) fn job(copier: &Copier) {
    /// # Job
    let source = address(copier, "SOURCE_LOW", "SOURCE_HIGH");
    let destination = address(copier, "DESTINATION_LOW", "DESTINATION_HIGH");
    let length = copier.bank.output.of("LENGTH", "BYTES").val();
    let line_bits = copier.source.width();
    let (first, same) = (source.low(BYTE_BITS), source.low(BYTE_BITS) == destination.low(BYTE_BITS));
    copier.source_past.next = is_past(source, length);
    copier.destination_past.next = is_past(destination, length);
    copier.end.next = first.zero_extend(LENGTH_BITS + 1) + length.zero_extend(LENGTH_BITS + 1);
    let last = copier.end.val().low(BYTE_BITS);
    let has_part = last.any();
    let is_refused = !length.any() || !same || copier.source_past.val() || copier.destination_past.val();
    let refusal = if !length.any() {
        lit(4, LENGTH_OF_ZERO)
    } else if !same {
        lit(4, DIFFERENT_PLACES)
    } else {
        lit(4, PAST_THE_END)
    };
    if copier.state.val() == State::Check {
        copier.source.next = source.high(line_bits);
        copier.destination.next = destination.high(line_bits);
        let whole = copier.end.val().high(LINES_BITS);
        copier.left.next = whole + has_part.zero_extend(LINES_BITS);
        let bytes = || (0..LINE_BYTES as u64).rev();
        copier.head.next = cat(&bytes().map(|byte| first <= byte).collect::<Vec<_>>());
        copier.tail.next = cat(&bytes().map(|byte| !has_part || last > byte).collect::<Vec<_>>());
        copier.is_first.next = 1;
        copier.is_broken.next = 0;
        copier.code.next = if is_refused { refusal } else { lit(4, 0u32) };
    }
    states(copier, is_refused);
}

/// From state to state.
#[kernel]
fn states(copier: &Copier, is_refused: Bits) {
    match copier.state.val() {
        State::Idle => {
            if copier.bank.output.of("CONTROL", "START").val() {
                copier.busy.next = 1;
                copier.state.next = State::Measure;
            }
        }
        State::Measure => copier.state.next = State::Check,
        State::Check => {
            if is_refused {
                copier.state.next = State::Finish;
            } else {
                copier.state.next = State::Limit;
            }
        }
        State::Limit => copier.state.next = State::Plan,
        State::Plan => copier.state.next = State::Ask,
        State::Ask => {
            if copier.read.ready.val() {
                copier.state.next = State::Fill;
            }
        }
        State::Fill => {
            if is_wrong(copier) || copier.is_broken.val() {
                copier.state.next = State::Drain;
            } else if fills(copier) {
                if copier.code.val().any() || fails(copier) {
                    copier.state.next = State::Await;
                } else {
                    copier.state.next = State::Offer;
                }
            }
        }
        State::Offer => {
            if copier.write.ready.val() {
                copier.state.next = State::Give;
            }
        }
        State::Give => {
            if gives(copier) {
                if copier.is_broken.val() {
                    copier.state.next = State::Drain;
                } else if is_last_burst(copier) || copier.code.val().any() {
                    copier.state.next = State::Await;
                } else {
                    copier.state.next = State::Limit;
                }
            }
        }
        State::Drain => {
            if copier.quiet.val().all() {
                copier.state.next = State::Await;
            }
        }
        State::Await => {
            if !copier.unanswered.val().any() && !copier.lines.level.val().any() {
                copier.state.next = State::Finish;
            }
        }
        State::Finish => {
            copier.busy.next = 0;
            copier.state.next = State::Idle;
        }
    }
}

/// One bit: what goes wrong counts for the job. Until its rules have been looked at it has asked for nothing, and what
/// comes is not its own.
#[kernel]
pub(super) fn is_at_work(copier: &Copier) -> Bits {
    copier.busy.val() && copier.state.val() != State::Check
}

/// How long the next burst is, and where it lies.
#[kernel]
pub(super) fn burst(copier: &Copier) {
    /// # Burst
    let (source, destination) = (copier.source.val(), copier.destination.val());
    let length_bits = copier.burst.width();
    let left = copier.left.val() - 1;
    let has_more = left.high(LINES_BITS - length_bits).any();
    copier.longest.next = left.low(length_bits) | has_more.repeat(length_bits);
    let (ahead, behind) = (!source.low(PAGE_BITS), !destination.low(PAGE_BITS));
    copier.in_page.next = if ahead < behind { ahead } else { behind };
    let longest = copier.longest.val().zero_extend(PAGE_BITS);
    let in_page = copier.in_page.val();
    let burst = if longest < in_page { longest } else { in_page };
    discard(burst.high(PAGE_BITS - length_bits), "a burst is as long as it may be");
    if copier.state.val() == State::Plan {
        copier.burst.next = burst.low(length_bits);
    }
    copier.read.valid.next = copier.state.val() == State::Ask;
    copier.read.data.next = cat(&[copier.burst.val(), source]);
    copier.write.valid.next = copier.state.val() == State::Offer;
    copier.write.data.next = cat(&[copier.burst.val(), destination]);
    let count = copier.burst.val().zero_extend(copier.source.width()) + 1;
    if gives(copier) {
        copier.source.next = source + count;
        copier.destination.next = destination + count;
        copier.left.next = copier.left.val() - (copier.burst.val().zero_extend(LINES_BITS) + 1);
        copier.is_first.next = 0;
    }
}

/// One bit: the burst is the job's last one.
#[kernel]
pub(super) fn is_last_burst(copier: &Copier) -> Bits {
    copier.left.val() == copier.burst.val().zero_extend(LINES_BITS) + 1
}
