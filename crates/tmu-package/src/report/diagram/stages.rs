//! The stages of an engine in a column, memory beside it.

use super::graph::{Arrow, Engine, Node, Stages, Stream};
use super::name;
use super::svg::{Towards, arrow, drawing as empty, label, rectangle};
use crate::xml::Element;
use tmu_hdl::design::Design;
use tmu_hdl::manifest::Manifest;

const BOX: [usize; 2] = [190, 42];
/// From one stage to the next.
const STEP: usize = BOX[1] + 22;
const MARGIN: usize = 10;
/// From one line beside the column to the next.
const LANE: usize = 10;
/// From the column to memory.
const GAP: usize = 58;
const MEMORY: usize = 62;

/// The drawing.
pub(super) fn drawing(design: &Design, manifest: &Manifest, engine: &Engine, stages: &Stages) -> Element {
    let place = |node: Node| stages.nodes.iter().position(|found| *found == node).unwrap_or(0);
    let around: Vec<_> =
        stages.arrows.iter().filter(|arrow| place(arrow.to) != place(arrow.from) + 1).collect();
    let lanes = lanes(&around, place);
    let left = MARGIN + LANE * lanes.iter().map(|lane| lane + 1).max().unwrap_or(0) + 2;
    let size =
        [left + BOX[0] + GAP + MEMORY + MARGIN, 2 * MARGIN + stages.nodes.len() * STEP - (STEP - BOX[1])];
    let top = |node: Node| MARGIN + STEP * place(node);
    let mut parts = memory(stages, left + BOX[0], top);
    for next in stages.arrows.iter().filter(|arrow| place(arrow.to) == place(arrow.from) + 1) {
        let (x, from) = (left + BOX[0] / 2, top(next.from) + BOX[1]);
        parts.push(arrow(&format!("M{x} {from}V{}", top(next.to)), Towards::Down));
        parts.push(label([x + 8, from + 15], &next.width_bits.to_string(), "small left"));
    }
    for (around, lane) in around.iter().zip(&lanes) {
        let x = left - LANE * (lane + 1);
        let (from, to) = (top(around.from) + 28, top(around.to) + 14);
        parts.push(arrow(&format!("M{left} {from}H{x}V{to}H{left}"), Towards::Right));
    }
    for &node in &stages.nodes {
        parts.extend(stage(design, manifest, engine, node, [left, top(node)]));
    }
    empty(size, &format!("stages of {} with what flows between them", engine.name)).children(parts)
}

/// Which line beside the column each arrow takes, so that none lies on another: the shortest ones next to the column.
fn lanes(arrows: &[&Arrow], place: impl Fn(Node) -> usize) -> Vec<usize> {
    let span = |arrow: &Arrow| {
        let (from, to) = (place(arrow.from), place(arrow.to));
        (from.min(to), from.max(to))
    };
    let mut shortest: Vec<usize> = (0..arrows.len()).collect();
    shortest.sort_by_key(|&index| {
        let (from, to) = span(arrows[index]);
        to - from
    });
    let mut lanes = vec![0; arrows.len()];
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    for index in shortest {
        let (from, to) = span(arrows[index]);
        let is_free =
            |lane: &Vec<(usize, usize)>| lane.iter().all(|(first, last)| to < *first || from > *last);
        let lane = taken.iter().position(is_free).unwrap_or(taken.len());
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane].push((from, to));
        lanes[index] = lane;
    }
    lanes
}

/// The memory port beside the stages that use it, with the bits that go there and come back.
fn memory(stages: &Stages, right: usize, top: impl Fn(Node) -> usize) -> Vec<Element> {
    let users = || {
        stages
            .nodes
            .iter()
            .filter(|node| stages.to_memory.contains_key(node) || stages.from_memory.contains_key(node))
    };
    let (Some(first), Some(last)) = (users().next(), users().next_back()) else { return Vec::new() };
    let (x, y) = (right + GAP, top(*first));
    let height = top(*last) + BOX[1] - y;
    let mut parts = vec![rectangle([x, y], [MEMORY, height], "memory")];
    for (line, word) in ["memory", "port"].into_iter().enumerate() {
        parts.push(label([x + MEMORY / 2, y + height / 2 - 4 + 16 * line], word, "name"));
    }
    for node in users() {
        let y = top(*node);
        let (to, from) = (stages.to_memory.get(node), stages.from_memory.get(node));
        let both = to.is_some() && from.is_some();
        if let Some(bits) = to {
            let y = if both { y + 14 } else { y + BOX[1] / 2 };
            parts.push(arrow(&format!("M{right} {y}H{x}"), Towards::Right));
            parts.push(label([right + GAP / 2, y - 3], &bits.to_string(), "small"));
        }
        if let Some(bits) = from {
            let y = if both { y + 34 } else { y + BOX[1] / 2 };
            parts.push(arrow(&format!("M{x} {y}H{right}"), Towards::Left));
            parts.push(label([right + GAP / 2, y - 3], &bits.to_string(), "small"));
        }
    }
    parts
}

/// A stage with what it holds and how long it takes, or an end of the column with the names of its streams.
fn stage(
    design: &Design,
    manifest: &Manifest,
    engine: &Engine,
    node: Node,
    [x, y]: [usize; 2],
) -> Vec<Element> {
    let streams = |is_input: bool| {
        let of = engine.streams.iter().filter(move |stream| stream.is_input == is_input);
        let shown = |stream: &Stream| format!("{}, {} bits", stream.name, stream.width_bits);
        of.map(shown).collect::<Vec<_>>().join("; ")
    };
    let title = name(design, node);
    let (note, class) = match node {
        Node::Requests => (streams(true), "core"),
        Node::Results => (streams(false), "core"),
        Node::Registers => ("s_axil".to_owned(), "core"),
        Node::Stage(_) => {
            let instance = format!("{}/{title}", design.blocks[engine.block].name);
            let is_crossing =
                manifest.crossings.iter().any(|crossing| is_below(&crossing.instance, &instance));
            (notes(manifest, &instance), if is_crossing { "core" } else { "tmu" })
        }
    };
    let middle = x + BOX[0] / 2;
    let mut parts = vec![rectangle([x, y], BOX, class)];
    let title_line = if note.is_empty() { y + 26 } else { y + 18 };
    parts.push(label([middle, title_line], &title, "name"));
    if !note.is_empty() {
        parts.push(label([middle, y + 34], &note, "small"));
    }
    parts
}

fn is_below(instance: &str, above: &str) -> bool {
    instance.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Latency, memories and multipliers of a stage.
fn notes(manifest: &Manifest, instance: &str) -> String {
    let latency = manifest.latencies.iter().find(|latency| latency.instance == instance);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(latency.map(|latency| counted(latency.latency_clocks as usize, "clock")));
    for (entries, name) in [(&manifest.rams, "RAM"), (&manifest.multipliers.instances, "multiplier")] {
        let count = entries.iter().filter(|entry| is_below(&entry.instance, instance)).count();
        if count > 0 {
            notes.push(counted(count, name));
        }
    }
    notes.join(", ")
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
