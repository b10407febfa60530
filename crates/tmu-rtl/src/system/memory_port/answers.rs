//! The answers of memory: to whom they go, what is still owed to whom, and which have failed.

use super::{MemoryPort, select};
use crate::engine::memory::FAULT_BITS;
use tmu_hdl::prelude::*;

/// Hands answers out.
#[kernel]
pub(super) fn answers(port: &MemoryPort) {
    /// # Answers
    let id = port.came_id.val();
    let unit = if port._unit_bits > 0 { id.low(port._unit_bits) } else { lit(1, 0u32) };
    if port._unit_bits < id.width() {
        discard(id.high(id.width() - port._unit_bits), "bits of ARID that are always 0");
    }
    for (number, reg) in port.answer_valid.iter().enumerate() {
        let stale = &port.stale[number];
        let answers = port.came.val() && unit == number as u64;
        let is_wanted = answers && !stale.val() && !port.flush.val();
        let is_outstanding = is_outstanding(port, number);
        reg.next = is_wanted && is_outstanding;
        port.line_valid[number].next = reg.val();
        keep_count(port, number, answers);
        if let (Some(seen), Some(unexpected), Some(outstanding)) = (
            port.of_bursts(&port.unexpected_seen, number),
            port.of_bursts(&port.unexpected, number),
            port.of_bursts(&port.outstanding, number),
        ) {
            seen.next = is_wanted && !is_outstanding;
            unexpected.next = seen.val();
            outstanding.next = is_outstanding || port.has_read(number);
        }
    }
    port.answer_data.next = port.came_data.val();
    port.answer_response.next = port.came_response.val();
    port.line_data.next = port.answer_data.val();
    port.answer_last.next = port.came_last.val();
    let response = port.answer_response.val();
    if let Some(line_last) = port.line_last.as_ref() {
        port.line_response.next = response;
        line_last.next = port.answer_last.val();
        if let Some(line_error) = port.line_error.as_ref() {
            line_error.next = response.bit(1) || !port.answer_last.val();
        }
    } else {
        port.line_response.next = response.bit(1) || !port.answer_last.val();
    }
    if let Some(answer_unit) = port.answer_unit.as_ref() {
        answer_unit.next = unit;
    }
    if let (Some(quiet), Some(wrong_length)) = (port.quiet.as_ref(), port.wrong_length.as_ref()) {
        keep_lost(port, unit, quiet, wrong_length);
    }
    faults(port);
    port.fault.next = port.fault_seen.val();
    port.fault_line.next = port.fault_line_seen.val();
}

/// Notes faults, those that the port finds before those that engines report.
#[kernel]
fn faults(port: &MemoryPort) {
    let Some(wrong_length) = port.wrong_length.as_ref() else {
        let (fault, line) = unit_faults(port);
        port.fault_seen.next = fault;
        port.fault_line_seen.next = line;
        return;
    };
    let (mut fault, mut line) = line_faults(port, wrong_length.val());
    if !port.unit_faults.is_empty() {
        let (reported, reported_line) = unit_faults(port);
        line = if fault.any() { line } else { reported_line };
        fault = fault | reported;
    }
    port.fault_seen.next = fault;
    port.fault_line_seen.next = line;
}

/// One bit: there are lines that the unit has asked for and that have not come.
#[kernel]
fn is_outstanding(port: &MemoryPort, number: usize) -> Bits {
    let lines = port.in_flight[number].val().any();
    port.of_bursts(&port.bursts, number).map_or(lines, |bursts| lines && bursts.val().any())
}

/// Notes units that were given an answer of the wrong length, or one to no read, until it has been quiet.
#[kernel]
fn keep_lost(port: &MemoryPort, unit: Bits, quiet: &Reg, wrong_length: &Reg) {
    let mut any_wrong = lit(1, 0u32);
    let mut any_lost = lit(1, 0u32);
    for number in 0..port.reads.len() {
        let Some(lost) = port.of_waits(&port.lost, number) else { continue };
        let answers = port.came.val() && unit == number as u64;
        let is_wrong = answers && !(port.came_last.val() && is_outstanding(port, number));
        if is_wrong {
            lost.next = 1;
        } else if quiet.val().all() {
            lost.next = 0;
        }
        any_wrong = any_wrong || is_wrong;
        any_lost = any_lost || lost.val();
    }
    wrong_length.next = any_wrong;
    if any_wrong {
        quiet.next = 0;
    } else if any_lost {
        quiet.next = quiet.val() + 1;
    }
}

/// Counts the lines that a unit waits for, and notes those that it does not want any more.
#[kernel]
fn keep_count(port: &MemoryPort, number: usize, answers: Bits) {
    let (in_flight, stale) = (&port.in_flight[number], &port.stale[number]);
    let (Some(bursts), Some(none_outstanding)) =
        (port.of_bursts(&port.bursts, number), port.of_bursts(&port.none_outstanding, number))
    else {
        /// Where the port's clock is reset, or drains, no answer comes.
        if answers || port.is_emptied() {
            in_flight.next = 0;
            stale.next = 0;
        } else if port.flush.val() {
            stale.next = in_flight.val();
        } else if port.leaves(number) {
            in_flight.next = 1;
        }
        return;
    };
    let width = in_flight.width();
    let length = port.next_read(number).high(port._shapes[number].length_bits);
    let asks = port.leaves(number) && !port.flush.val();
    let is_outstanding = is_outstanding(port, number);
    none_outstanding.next = !is_outstanding && !asks;
    if port.is_emptied() {
        in_flight.next = 0;
        bursts.next = 0;
    } else {
        /// Where one count is zero nothing more comes, whatever the other one says. What is forgotten is taken out in
        /// front of the sums, which is faster than a choice behind them; whether the channel asks comes last of all, and chooses between two sums.
        let keeps = !none_outstanding.val();
        let kept = keeps.repeat(width);
        let answered = answers.repeat(width) & kept;
        let lines = in_flight.val() & kept;
        let asked = length.zero_extend(width) + 1;
        in_flight.next = if asks { lines + asked + answered } else { lines + answered };
        let kept = keeps.repeat(bursts.width());
        let ended = (answers && port.came_last.val()).repeat(bursts.width()) & kept;
        let reads = bursts.val() & kept;
        bursts.next = if asks { reads + 1 + ended } else { reads + ended };
    }
    if port.is_emptied() {
        stale.next = 0;
    } else if port.flush.val() {
        stale.next = 1;
    } else if !is_outstanding {
        stale.next = 0;
    }
}

/// Faults that engines have seen, the lowest channel's first, and their line.
#[kernel]
fn unit_faults(port: &MemoryPort) -> (Bits, Bits) {
    let memory_line_bits = port.fault_line_seen.width();
    let mut fault = lit(FAULT_BITS, 0u32);
    let mut line = None;
    let reports = port.unit_faults.iter().zip(&port.unit_fault_lines).zip(port.reporting());
    for ((own, own_line), number) in reports.collect::<Vec<_>>().into_iter().rev() {
        let fails = own.val().any();
        fault = if fails { own.val() } else { fault };
        let own_line = own_line.val().zero_extend(memory_line_bits);
        let own_line = if port.all_windowed() { own_line } else { port.placed(number, own_line) };
        line = Some(line.map_or(own_line, |line| if fails { own_line } else { line }));
    }
    let line = line.unwrap_or_else(|| lit(memory_line_bits, 0u32));
    match port.window_line.as_ref() {
        Some(window) if port.all_windowed() => (fault, line + window.val()),
        _ => (fault, line),
    }
}

/// Faults of channels that wait for their line, which is kept for the status register.
#[kernel]
fn line_faults(port: &MemoryPort, wrong_length: Bits) -> (Bits, Bits) {
    /// The line that each unit waits for is kept for the status register.
    let response = port.answer_response.val();
    let waits = |number: &usize| !port._shapes[*number].bursts();
    let answers: Vec<Bits> =
        (0..port.reads.len()).rev().filter(waits).map(|number| port.answer_valid[number].val()).collect();
    let failed = cat(&answers).any() && response.bit(1);
    let mut line = port.asked_line[0].val();
    if let Some(answer_unit) = port.answer_unit.as_ref() {
        // A channel that reads bursts is never the one: any line will do for it.
        let asked: Vec<Bits> = (0..port.reads.len())
            .map(|number| port.of_waits(&port.asked_line, number).unwrap_or(&port.asked_line[0]).val())
            .collect();
        line = select(&asked, answer_unit.val());
    }
    (cat(&[wrong_length, failed && response.bit(0), failed && !response.bit(0)]), line)
}
