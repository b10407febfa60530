//! What the drawings show: engines and their ways to streams, memory and registers, and the stages of an engine.
//!
//! All of it is read off the design: who drives whom ([`connections`]) under the names of ports that every core has.

use crate::interfaces::{Interface, Kind, interfaces};
use std::collections::{BTreeMap, BTreeSet};
use tmu_hdl::connections::{Connection, End, connections};
use tmu_hdl::design::Design;
use tmu_hdl::manifest::Manifest;
use tmu_rtl::outputs::Hardware;

/// Nets of fewer bits are handshakes, flags and counts beside the data.
const LEAST_BITS: usize = 4;

/// Of what comes into a stage, an arrow stands for the widest and for what has at least this part of its bits.
const LEAST_PART: f64 = 0.4;

/// A stream of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stream {
    pub(super) name: String,
    pub(super) width_bits: usize,
    pub(super) clock: String,
    pub(super) is_input: bool,
}

/// Engines of one kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Engine {
    /// Its name, without a number.
    pub(super) name: String,
    /// How many there are.
    pub(super) count: usize,
    /// The first one in the design.
    pub(super) block: usize,
    /// Streams of the first one.
    pub(super) streams: Vec<Stream>,
    /// Its ports that memory gives something.
    pub(super) from_memory: BTreeSet<String>,
    /// Its ports that ask memory for something or give it something.
    pub(super) to_memory: BTreeSet<String>,
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) has_registers: bool,
}

/// All engines, in the order of the design.
pub(super) fn engines(hardware: &Hardware, manifest: &Manifest) -> Vec<Engine> {
    let design = hardware.design();
    let all = connections(design, 0, LEAST_BITS);
    let driver = |port: &str| {
        let drives = |c: &&Connection| c.to == End::Outside && c.to_ports.contains(port);
        all.iter().find(drives).map(|connection| connection.from)
    };
    let [reader, writer] = ["m_axi_araddr", "m_axi_awaddr"].map(driver);
    let is_shared = |block: usize| {
        let name = &design.blocks[block].name;
        name == "reset" || name.starts_with("control") || [reader, writer].contains(&Some(End::Block(block)))
    };
    let is_control =
        |end: End| matches!(end, End::Block(block) if design.blocks[block].name.starts_with("control"));
    let streams = interfaces(manifest);
    let mut engines: Vec<Engine> = Vec::new();
    for &block in design.blocks[0].children.iter().filter(|block| !is_shared(**block)) {
        let name = kind_name(design, block);
        if let Some(engine) = engines.iter_mut().find(|engine| engine.name == name) {
            engine.count += 1;
            continue;
        }
        let mut engine = Engine { name, count: 1, block, ..Engine::default() };
        for connection in &all {
            if connection.to == End::Block(block) {
                engine.streams.extend(streams_of(&streams, &connection.from_ports, connection.from));
                engine.has_registers |= is_control(connection.from);
                if Some(connection.from) == reader || Some(connection.from) == writer {
                    engine.from_memory.extend(connection.to_ports.iter().cloned());
                }
            }
            if connection.from == End::Block(block) {
                engine.streams.extend(streams_of(&streams, &connection.to_ports, connection.to));
                engine.has_registers |= is_control(connection.to);
                engine.reads |= Some(connection.to) == reader;
                engine.writes |= Some(connection.to) == writer;
                if Some(connection.to) == reader || Some(connection.to) == writer {
                    engine.to_memory.extend(connection.from_ports.iter().cloned());
                }
            }
        }
        engines.push(engine);
    }
    engines
}

/// The name of a block without its position in an array.
fn kind_name(design: &Design, block: usize) -> String {
    let block = &design.blocks[block];
    let number = block.position.map(|position| format!("_{position}")).unwrap_or_default();
    block.name.strip_suffix(&number).unwrap_or(&block.name).to_owned()
}

/// The streams whose data are among ports of the top.
fn streams_of<'a>(
    streams: &'a [Interface<'a>],
    ports: &'a BTreeSet<String>,
    end: End,
) -> impl Iterator<Item = Stream> + 'a {
    let of = move |interface: &&Interface<'_>| {
        let is_stream = matches!(interface.kind, Kind::StreamIn | Kind::StreamOut);
        end == End::Outside && is_stream && ports.contains(&format!("{}_tdata", interface.name))
    };
    streams.iter().filter(of).map(|interface| Stream {
        name: interface.name.clone(),
        width_bits: interface.width_bits("tdata"),
        clock: interface.clock.clone(),
        is_input: interface.kind == Kind::StreamIn,
    })
}

/// What stands in the column of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    /// Where requests come from.
    Requests,
    /// The registers, where what an engine does comes from.
    Registers,
    /// A stage, by its position in the design.
    Stage(usize),
    /// Where results go.
    Results,
}

/// An arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) width_bits: usize,
}

/// The stages of an engine in the order in which data pass them.
#[derive(Debug, Clone, Default)]
pub(super) struct Stages {
    pub(super) nodes: Vec<Node>,
    pub(super) arrows: Vec<Arrow>,
    /// Stages that memory gives something, and bits of it.
    pub(super) from_memory: BTreeMap<Node, usize>,
    /// Stages that ask memory or give it something.
    pub(super) to_memory: BTreeMap<Node, usize>,
}

/// Where a connection of an engine leads outside.
#[derive(PartialEq, Eq)]
enum Outside {
    Memory,
    Stream,
    Registers,
}

/// The stages of an engine.
pub(super) fn stages(design: &Design, engine: &Engine) -> Stages {
    let all = connections(design, engine.block, LEAST_BITS);
    let outside = |ports: &BTreeSet<String>, memory: &BTreeSet<String>| {
        if !ports.is_disjoint(memory) {
            Outside::Memory
        } else if ports.iter().any(|port| port.contains("_axis_")) {
            Outside::Stream
        } else {
            Outside::Registers
        }
    };
    let mut stages = Stages::default();
    let mut arrows: Vec<Arrow> = Vec::new();
    for Connection { from, to, from_ports, to_ports, width_bits } in &all {
        let width_bits = *width_bits;
        let arrow = match (*from, *to) {
            (End::Outside, End::Outside) => continue,
            (End::Block(from), End::Block(to)) => {
                Arrow { from: Node::Stage(from), to: Node::Stage(to), width_bits }
            }
            (End::Outside, End::Block(to)) => {
                let to = Node::Stage(to);
                let from = match outside(from_ports, &engine.from_memory) {
                    Outside::Memory => {
                        stages.from_memory.insert(to, width_bits);
                        continue;
                    }
                    Outside::Stream => Node::Requests,
                    Outside::Registers => Node::Registers,
                };
                Arrow { from, to, width_bits }
            }
            (End::Block(from), End::Outside) => {
                let from = Node::Stage(from);
                match outside(to_ports, &engine.to_memory) {
                    Outside::Memory => drop(stages.to_memory.insert(from, width_bits)),
                    Outside::Stream => arrows.push(Arrow { from, to: Node::Results, width_bits }),
                    // What an engine reports goes beside its data.
                    Outside::Registers => {}
                }
                continue;
            }
        };
        arrows.push(arrow);
    }
    // What gives nothing to a stream or to memory, such as counters, only watches.
    let ends = stages.to_memory.keys().copied().chain([Node::Results]);
    let useful = leading_to(&arrows, ends);
    arrows.retain(|arrow| useful.contains(&arrow.to));
    stages.from_memory.retain(|node, _| useful.contains(node));
    stages.arrows = main(&arrows);
    stages.nodes = order(&stages);
    stages
}

/// Everything from which an arrow leads, by others, to one of the ends; and the ends.
fn leading_to(arrows: &[Arrow], ends: impl Iterator<Item = Node>) -> BTreeSet<Node> {
    let mut found: BTreeSet<Node> = ends.collect();
    let mut before = 0;
    while found.len() > before {
        before = found.len();
        let more: Vec<_> = arrows.iter().filter(|arrow| found.contains(&arrow.to)).collect();
        found.extend(more.into_iter().map(|arrow| arrow.from));
    }
    found
}

/// The widest arrow into each stage and those that are about as wide, and the widest one out of each that has none of these.
fn main(arrows: &[Arrow]) -> Vec<Arrow> {
    let widest = |of: &dyn Fn(&Arrow) -> bool| {
        arrows.iter().filter(|arrow| of(arrow)).map(|arrow| arrow.width_bits).max().unwrap_or(0)
    };
    let is_main =
        |arrow: &Arrow| arrow.width_bits as f64 >= LEAST_PART * widest(&|a: &Arrow| a.to == arrow.to) as f64;
    let has_main = |node: Node| arrows.iter().any(|arrow| arrow.from == node && is_main(arrow));
    let is_only = |arrow: &Arrow| {
        !has_main(arrow.from) && arrow.width_bits == widest(&|a: &Arrow| a.from == arrow.from)
    };
    arrows.iter().filter(|arrow| is_main(arrow) || is_only(arrow)).copied().collect()
}

/// Everything that an arrow or memory touches, each behind what its arrows come from; where arrows go round, as the design has it.
fn order(stages: &Stages) -> Vec<Node> {
    let mut waiting: BTreeSet<Node> = stages.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]).collect();
    waiting.extend(stages.from_memory.keys().chain(stages.to_memory.keys()));
    let mut nodes = Vec::new();
    while let Some(&first) = waiting.first() {
        let is_free = |node: &Node| {
            stages.arrows.iter().all(|arrow| arrow.to != *node || !waiting.contains(&arrow.from))
        };
        let next = waiting.iter().copied().find(is_free).unwrap_or(first);
        waiting.remove(&next);
        nodes.push(next);
    }
    nodes
}
