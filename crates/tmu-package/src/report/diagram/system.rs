//! The core with its ports: engines, streams, memory, registers.

use super::graph::{Engine, Stream};
use super::svg::{Towards, arrow, drawing as empty, label, rectangle};
use crate::interfaces::{Interface, Kind, interfaces};
use crate::xml::Element;
use tmu_hdl::manifest::Manifest;
use tmu_rtl::outputs::Hardware;

const WIDTH: usize = 358;
const MARGIN: usize = 10;
/// From the edge to the engines: names of streams stand there.
const LEFT: usize = 118;
const BOX: [usize; 2] = [118, 92];
const STEP: usize = BOX[1] + 20;
const CONTROL_HEIGHT: usize = 46;
/// Where memory stands.
const MEMORY: usize = 290;
/// Between engines and memory: the line from the control port to the engines.
const CONTROL_LINE: usize = LEFT + BOX[0] + 14;

/// The drawing.
pub(super) fn drawing(hardware: &Hardware, manifest: &Manifest, engines: &[Engine]) -> Element {
    let all = interfaces(manifest);
    let of_kind = |kind| all.iter().find(|interface| interface.kind == kind);
    let below = MARGIN + STEP * engines.len();
    let mut parts = Vec::new();
    for (number, engine) in engines.iter().enumerate() {
        parts.extend(of_engine(engine, MARGIN + STEP * number));
    }
    if engines.iter().any(|engine| engine.reads || engine.writes)
        && let Some(memory) = of_kind(Kind::Memory)
    {
        parts.extend(of_memory(memory, engines.iter().any(|engine| engine.writes), below));
    }
    if let Some(control) = of_kind(Kind::Control) {
        parts.extend(of_control(control, engines, below));
    }
    empty([WIDTH, below + 64], &format!("engines, streams, memory and registers of {}", hardware.top()))
        .children(parts)
}

/// An engine with its streams on the left and memory on the right.
fn of_engine(engine: &Engine, top: usize) -> Vec<Element> {
    let middle = LEFT + BOX[0] / 2;
    let mut parts = vec![rectangle([LEFT, top], BOX, "tmu"), label([middle, top + 42], &engine.name, "name")];
    let count = if engine.count > 1 { format!("{} of them", engine.count) } else { String::new() };
    parts.push(label([middle, top + 60], &count, "small"));
    for (number, stream) in engine.streams.iter().enumerate() {
        let y = top + 30 + number * (BOX[1] - 42) / (engine.streams.len() - 1).max(1);
        let (from, to, towards) =
            if stream.is_input { (4, LEFT, Towards::Right) } else { (LEFT, 4, Towards::Left) };
        parts.push(arrow(&format!("M{from} {y}H{to}"), towards));
        parts.push(label([4, y - 6], &names(stream, engine.count), "small left"));
        parts.push(label([4, y + 14], &format!("{} bits", stream.width_bits), "small left"));
    }
    let right = LEFT + BOX[0];
    if engine.reads {
        parts.push(arrow(&format!("M{MEMORY} {}H{right}", top + 24), Towards::Left));
        parts.push(label([right + 27, top + 19], "reads", "small"));
    }
    if engine.writes {
        parts.push(arrow(&format!("M{right} {}H{MEMORY}", top + 52), Towards::Right));
        parts.push(label([right + 27, top + 47], "writes", "small"));
    }
    parts
}

/// The name of a stream, or the first and the last one.
fn names(stream: &Stream, count: usize) -> String {
    match stream.name.strip_suffix('0') {
        Some(start) if count > 1 => format!("{start}0…{}", count - 1),
        _ => stream.name.clone(),
    }
}

/// The memory port, beside all engines.
fn of_memory(memory: &Interface<'_>, is_written: bool, below: usize) -> Vec<Element> {
    let width = WIDTH - MARGIN - MEMORY;
    let (middle, bottom) = (MEMORY + width / 2, below - 20);
    let mut parts = vec![rectangle([MEMORY, MARGIN], [width, bottom - MARGIN], "memory")];
    for (line, word) in ["memory", "port"].into_iter().enumerate() {
        parts.push(label([middle, (MARGIN + bottom) / 2 - 4 + 16 * line], word, "name"));
    }
    parts.push(arrow(&format!("M{middle} {}V{bottom}", bottom + 20), Towards::Up));
    parts.push(arrow(&format!("M{middle} {bottom}V{}", bottom + 20), Towards::Down));
    let kinds = if is_written { "reads, writes" } else { "reads" };
    let bits = format!("{} bits", memory.width_bits("rdata"));
    for (line, words) in [memory.name.as_str(), &bits, kinds].into_iter().enumerate() {
        parts.push(label([WIDTH - 4, bottom + 36 + 15 * line], words, "small right"));
    }
    parts
}

/// The control port below the engines, with a line to those that have registers.
fn of_control(control: &Interface<'_>, engines: &[Engine], below: usize) -> Vec<Element> {
    let middle = LEFT + BOX[0] / 2;
    let mut parts = vec![
        rectangle([LEFT, below], [BOX[0], CONTROL_HEIGHT], "core"),
        label([middle, below + 28], "control port", "name"),
    ];
    let y = below + CONTROL_HEIGHT / 2;
    parts.push(arrow(&format!("M4 {y}H{LEFT}"), Towards::Right));
    parts.push(arrow(&format!("M{LEFT} {y}H4"), Towards::Left));
    parts.push(label([12, y - 6], &control.name, "small left"));
    parts.push(label([12, y + 16], &format!("{} bits", control.width_bits("wdata")), "small left"));
    for (number, _) in engines.iter().enumerate().filter(|(_, engine)| engine.has_registers) {
        let (to, x) = (MARGIN + STEP * number + BOX[1] - 14, LEFT + BOX[0]);
        parts.push(
            arrow(&format!("M{x} {y}H{CONTROL_LINE}V{to}H{x}"), Towards::Left).with("class", "control"),
        );
    }
    parts
}
