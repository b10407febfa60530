//! Waveforms as drawings.

use super::super::{element, text};
use super::bench::Trace;
use crate::xml::Element;
use std::fmt::Write;

/// Width of a clock in pixels.
const CLOCK: usize = 32;
/// From one signal to the next.
const ROW: usize = 30;
/// Height of a signal.
const HEIGHT: usize = 16;
/// Height of the line of clock numbers.
const TOP: usize = 24;
/// Pixels that a letter of a name takes.
const LETTER: usize = 7;
/// Clocks of rest that are shown before something happens, and after.
const REST: usize = 2;

/// A stretch of clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Shown(usize),
    /// So many clocks in which nothing changes.
    Left(usize),
}

/// The waveforms of signals, one under the other. Where nothing changes for long, a gap says for how many clocks.
pub(super) fn waves(traces: &[Trace], first_clock: usize, shows: &str) -> Element {
    let parts = parts(traces);
    let left = traces.iter().map(|trace| trace.name.chars().count()).max().unwrap_or(0) * LETTER + 14;
    let width = left + parts.len() * CLOCK + 6;
    let height = TOP + traces.len() * ROW;
    let mut svg = element("svg")
        .with("viewBox", format!("0 0 {width} {height}"))
        .with("width", width)
        .with("height", height)
        .with("class", "waves")
        .with("role", "img")
        .with("aria-label", shows);
    for (column, part) in parts.iter().enumerate() {
        let x = left + column * CLOCK;
        let (words, class) = match part {
            // Every fourth, and what comes after a gap: there is room for no more.
            Part::Shown(clock) if is_counted(&parts, column) => ((first_clock + clock).to_string(), "small"),
            Part::Shown(_) => (String::new(), "small"),
            Part::Left(clocks) => (format!("+{clocks}"), "small gap"),
        };
        svg = svg.child(text("text", words).with("x", x + CLOCK / 2).with("y", 14).with("class", class));
        if matches!(part, Part::Shown(_)) {
            let line = format!("M{x} {TOP}V{height}");
            svg = svg.child(element("path").with("d", line).with("class", "grid"));
        }
    }
    for (row, trace) in traces.iter().enumerate() {
        let y = TOP + row * ROW + 6;
        svg = svg.child(text("text", &trace.name).with("x", 2).with("y", y + 13).with("class", "code left"));
        let shapes =
            if trace.width_bits == 1 { bit(trace, &parts, [left, y]) } else { bus(trace, &parts, [left, y]) };
        svg = svg.children(shapes);
    }
    element("div").with("class", "scroll").child(svg)
}

/// Whether a clock stands alone enough to have its number above it.
fn is_counted(parts: &[Part], column: usize) -> bool {
    let before = parts[..column].iter().rev().take_while(|part| matches!(part, Part::Shown(_))).count();
    before % 4 == usize::from(before < column)
}

/// Which clocks are shown: those around a change.
fn parts(traces: &[Trace]) -> Vec<Part> {
    let clocks = traces.iter().map(|trace| trace.values.len()).max().unwrap_or(0);
    let changes = |clock: usize| {
        clock == 0
            || traces.iter().any(|trace| {
                trace.values[clock] != trace.values[clock - 1]
                    || trace.labels[clock] != trace.labels[clock - 1]
            })
    };
    let is_shown: Vec<bool> = (0..clocks)
        .map(|clock| (clock.saturating_sub(REST)..=(clock + REST).min(clocks - 1)).any(changes))
        .collect();
    let mut parts = Vec::new();
    let mut clock = 0;
    while clock < clocks {
        let left = is_shown[clock..].iter().take_while(|is_shown| !**is_shown).count();
        match left {
            0 => parts.push(Part::Shown(clock)),
            // A gap is as wide as a clock: one that leaves out a single clock tells less than it.
            1 => parts.push(Part::Shown(clock)),
            _ => parts.push(Part::Left(left)),
        }
        clock += left.max(1);
    }
    parts
}

/// A signal of one bit: a line that is high or low.
fn bit(trace: &Trace, parts: &[Part], [left, y]: [usize; 2]) -> Vec<Element> {
    let mut path = String::new();
    let mut last = false;
    for (column, part) in parts.iter().enumerate() {
        let x = left + column * CLOCK;
        let is_high = match part {
            Part::Shown(clock) => trace.values[*clock].bit(0),
            Part::Left(_) => last,
        };
        let level = if is_high { y } else { y + HEIGHT };
        let _ = if column == 0 { write!(path, "M{x} {level}") } else { write!(path, "V{level}") };
        let _ = write!(path, "h{CLOCK}");
        last = is_high;
    }
    vec![element("path").with("d", path).with("class", "signal")]
}

/// A signal of several bits: a box for as long as it stays, with what it means or its lowest digits in it.
fn bus(trace: &Trace, parts: &[Part], [left, y]: [usize; 2]) -> Vec<Element> {
    let shown = |part: &Part| match part {
        Part::Shown(clock) => Some((trace.values[*clock], trace.labels[*clock].clone())),
        Part::Left(_) => None,
    };
    let mut shapes = Vec::new();
    let mut column = 0;
    while column < parts.len() {
        let now = shown(&parts[column]);
        let rest = &parts[column..];
        let columns = rest.iter().take_while(|part| {
            let there = shown(part);
            there.is_none() || there == now || now.is_none()
        });
        let columns = columns.count().max(1);
        let (x, width) = (left + column * CLOCK, columns * CLOCK);
        if let Some((value, label)) = now {
            let words = label.clone().unwrap_or_else(|| digits(&value, width));
            let class = if label.is_some() { "bus named" } else { "bus" };
            let place =
                element("rect").with("x", x + 1).with("y", y).with("width", width - 2).with("height", HEIGHT);
            shapes.push(place.with("rx", 4).with("class", class));
            shapes.push(
                text("text", words).with("x", x + width / 2).with("y", y + 12).with("class", "code small"),
            );
        }
        column += columns;
    }
    shapes
}

/// As many of the lowest hexadecimal digits as there is room for; none of a zero.
fn digits(value: &tmu_hdl::value::Value, width: usize) -> String {
    if value.is_zero() {
        return "0".to_owned();
    }
    let all = format!("{value:x}");
    let room = (width - 6) / LETTER;
    if all.len() <= room { all } else { all[all.len() - room.min(all.len())..].to_owned() }
}
