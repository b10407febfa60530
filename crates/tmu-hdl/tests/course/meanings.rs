//! What the twelve blocks mean, in plain Rust numbers: each function gives the outputs of a clock for its inputs, and then
//! takes the clock's edge.

use crate::harness::Row;
use crate::row;
use std::collections::VecDeque;

pub(crate) fn mux_meaning(given: &Row) -> Row {
    row([("out", given[&format!("inputs_{}", given["select"])])])
}

pub(crate) fn decoder_meaning(given: &Row) -> Row {
    row([("lines", given["enable"] << given["select"])])
}

pub(crate) fn adder_meaning(given: &Row) -> Row {
    let (a, b) = (given["a"] as u8, given["b"] as u8);
    let (sum, carry, overflow) = match given["subtract"] {
        0 => (a.wrapping_add(b), a.checked_add(b).is_none(), (a as i8).checked_add(b as i8).is_none()),
        // No borrow is a carry, as in every adder.
        _ => (a.wrapping_sub(b), a >= b, (a as i8).checked_sub(b as i8).is_none()),
    };
    row([("sum", sum.into()), ("carry", carry.into()), ("overflow", overflow.into())])
}

pub(crate) fn alu_meaning(given: &Row) -> Row {
    let (a, b) = (given["a"] as u8, given["b"] as u8);
    let result = match given["operation"] {
        0 => a & b,
        1 => a | b,
        2 => a ^ b,
        3 => a.wrapping_add(b),
        4 => a.wrapping_sub(b),
        5 => u8::from((a as i8) < b as i8),
        _ => a,
    };
    row([("result", result.into()), ("zero", u64::from(result == 0))])
}

pub(crate) fn register_meaning() -> impl FnMut(&Row) -> Row {
    let mut value = 0;
    move |given| {
        let outputs = row([("out", value)]);
        value = match (given["rst"], given["load"]) {
            (1, _) => 0,
            (_, 1) => given["data"],
            _ => value,
        };
        outputs
    }
}

pub(crate) fn counter_meaning() -> impl FnMut(&Row) -> Row {
    let mut count = 0;
    move |given| {
        let outputs = row([("count", count)]);
        count = match (given["rst"], given["enable"], given["down"]) {
            (1, ..) => 0,
            (_, 0, _) => count,
            (_, _, 0) => (count + 1) % 10,
            _ => (count + 9) % 10,
        };
        outputs
    }
}

pub(crate) fn lfsr_meaning() -> impl FnMut(&Row) -> Row {
    let mut bits = 1u16;
    move |given| {
        let outputs = row([("noise", bits.into())]);
        if given["rst"] == 1 {
            bits = 1;
        } else if given["enable"] == 1 {
            let feedback = (bits & 0b10_1101).count_ones() % 2;
            bits = bits >> 1 | (feedback as u16) << 15;
        }
        outputs
    }
}

pub(crate) fn button_meaning() -> impl FnMut(&Row) -> Row {
    let (mut stages, mut wait, mut stable, mut before) = ([0, 0], 0, 0, 0);
    move |given| {
        let outputs = row([("down", stable), ("pressed", stable & !before & 1)]);
        let seen = stages[1];
        stages = [given["button"], stages[0]];
        before = stable;
        if seen == stable {
            wait = 0;
        } else if wait == 3 {
            (stable, wait) = (seen, 0);
        } else {
            wait += 1;
        }
        if given["rst"] == 1 {
            (wait, stable, before) = (0, 0, 0);
        }
        outputs
    }
}

pub(crate) fn traffic_meaning() -> impl FnMut(&Row) -> Row {
    let (mut state, mut left) = ("green", 0);
    move |given| {
        let outputs = row([
            ("green", u64::from(state == "green")),
            ("yellow", u64::from(state.contains("yellow"))),
            ("red", u64::from(state.contains("red"))),
        ]);
        (state, left) = match state {
            "green" if given["request"] == 0 => ("green", 0),
            "green" => ("yellow", 0),
            "yellow" => ("red", 5),
            "red" if left > 1 => ("red", left - 1),
            "red" => ("red and yellow", 0),
            _ => ("green", 0),
        };
        if given["rst"] == 1 {
            (state, left) = ("green", 0);
        }
        outputs
    }
}

pub(crate) fn pwm_meaning() -> impl FnMut(&Row) -> Row {
    let (mut phase, mut level) = (0, 0);
    move |given| {
        let outputs = row([("out", level)]);
        level = u64::from(phase < given["duty"]);
        phase = (phase + 1) % 16;
        if given["rst"] == 1 {
            (phase, level) = (0, 0);
        }
        outputs
    }
}

/// The line, clock by clock, is a queue that a byte is put into.
pub(crate) fn uart_meaning() -> impl FnMut(&Row) -> Row {
    let mut line: VecDeque<u64> = VecDeque::new();
    move |given| {
        let ready = line.is_empty();
        let outputs = row([("input_ready", ready.into()), ("line", line.pop_front().unwrap_or(1))]);
        if given["rst"] == 1 {
            line.clear();
        } else if ready && given["input_valid"] == 1 {
            let bits = (0..8).map(|bit| given["input_data"] >> bit & 1);
            let frame = [0].into_iter().chain(bits).chain([1]);
            line.extend(frame.flat_map(|bit| [bit; 3]));
        }
        outputs
    }
}

pub(crate) fn fifo_meaning() -> impl FnMut(&Row) -> Row {
    let mut words: VecDeque<u64> = VecDeque::new();
    move |given| {
        let (ready, valid) = (words.len() < 4, !words.is_empty());
        let mut outputs = row([("input_ready", ready.into()), ("output_valid", valid.into())]);
        // What stands there while nothing is valid, nobody may look at.
        outputs.extend(words.front().map(|&word| ("output_data".to_string(), word)));
        if valid && given["output_ready"] == 1 {
            words.pop_front();
        }
        if ready && given["input_valid"] == 1 {
            words.push_back(given["input_data"]);
        }
        if given["rst"] == 1 {
            words.clear();
        }
        outputs
    }
}
