//! The blocks of the hardware as a drawing.
//!
//! Units, the stages within one and their order come from the instances that the manifest names; what a stage holds and how
//! long it takes stands below its name.

use super::{element, text};
use crate::interfaces::{Kind, interfaces};
use crate::xml::Element;
use tmu_hdl::manifest::Manifest;
use tmu_spec::Config;

const BOX: [usize; 2] = [108, 80];
const GAP: usize = 24;
const MARGIN: usize = 16;
/// Blocks beside each other, so that a row fits on a page.
const PER_ROW: usize = 6;
/// From one row of blocks to the next.
const ROW_STEP: usize = BOX[1] + 28;

/// A block of the drawing.
struct Block {
    name: String,
    notes: Vec<String>,
    class: &'static str,
}

/// The drawing with a sentence.
pub(super) fn blocks(config: &Config, manifest: &Manifest) -> Vec<Element> {
    let unit = first_unit(manifest);
    let stages = stages(manifest, &unit);
    let outside = outside(config, manifest);
    let width = 2 * MARGIN + PER_ROW * (BOX[0] + GAP) + GAP;
    let rows = stages.len().div_ceil(PER_ROW);
    let below = 60 + rows * ROW_STEP;
    let units = match config.units() {
        1 => "one unit".to_owned(),
        units => format!("one of {units} units"),
    };
    let height = below + 40 + BOX[1] + MARGIN;
    let mut svg = element("svg")
        .with("viewBox", format!("0 0 {width} {height}"))
        .with("width", width)
        .with("height", height)
        .with("role", "img")
        .with("aria-label", "blocks of the hardware")
        .child(rectangle([MARGIN, 34], [width - 2 * MARGIN, below - 34], "group"))
        .child(label([MARGIN + 8, 26], &units, "small left"));
    for (number, blocks) in stages.chunks(PER_ROW).enumerate() {
        svg = svg.children(row(blocks, [MARGIN + GAP, 60 + number * ROW_STEP], number > 0));
    }
    svg = svg.children(
        outside
            .iter()
            .enumerate()
            .flat_map(|(number, block)| drawn(block, [MARGIN + GAP + number * (BOX[0] + GAP), below + 40])),
    );
    let words = "Requests enter the first block and results leave the last, both on core_aclk; what lies between the two FIFOs \
                 is on tmu_aclk. Below: what all units share.";
    vec![text("p", words), element("div").with("class", "scroll").child(svg)]
}

/// The name of the first unit's instance.
fn first_unit(manifest: &Manifest) -> String {
    let instances = manifest.latencies.iter().map(|latency| latency.instance.as_str());
    let unit =
        instances.filter_map(|instance| instance.split_once("/request_fifo")).map(|(unit, _)| unit).next();
    unit.unwrap_or_default().to_owned()
}

fn stages(manifest: &Manifest, unit: &str) -> Vec<Block> {
    let mut names: Vec<&str> = Vec::new();
    for latency in &manifest.latencies {
        let stage = latency.instance.strip_prefix(unit).and_then(|rest| rest.strip_prefix('/'));
        if let Some(stage) = stage.and_then(|stage| stage.split('/').next())
            && !names.contains(&stage)
        {
            names.push(stage);
        }
    }
    let block = |name: &&str| {
        let instance = format!("{unit}/{name}");
        let mut notes = Vec::new();
        let of_stage = manifest.latencies.iter().find(|latency| latency.instance == instance);
        notes.extend(of_stage.map(|latency| format!("{} clocks", latency.latency_clocks)));
        notes.extend(holds(manifest, &format!("{instance}/")));
        let class = if name.ends_with("_fifo") { "core" } else { "tmu" };
        Block { name: (*name).to_owned(), notes, class }
    };
    names.iter().map(block).collect()
}

/// Memories and multipliers below an instance, a note each.
fn holds(manifest: &Manifest, prefix: &str) -> Vec<String> {
    let notes =
        [(&manifest.rams, "RAM"), (&manifest.multipliers.instances, "multiplier")].map(|(entries, name)| {
            match entries.iter().filter(|entry| entry.instance.starts_with(prefix)).count() {
                0 => None,
                1 => Some(format!("1 {name}")),
                count => Some(format!("{count} {name}s")),
            }
        });
    notes.into_iter().flatten().collect()
}

/// What all units share.
fn outside(config: &Config, manifest: &Manifest) -> Vec<Block> {
    let all = interfaces(manifest);
    let memory_clock = all.iter().find(|interface| interface.kind == Kind::Memory);
    let memory_clock = memory_clock.map_or("", |interface| &interface.clock);
    let block = |name: &str, notes: &[&str], class| Block {
        name: name.to_owned(),
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
        class,
    };
    let mut blocks = vec![block("memory port", &["m_axi, AXI4 reads", memory_clock], "memory")];
    if config.control().port() {
        blocks.push(block("control port", &["s_axil, AXI4-Lite", "core_aclk"], "core"));
    }
    blocks
}

fn rectangle([x, y]: [usize; 2], [width, height]: [usize; 2], class: &str) -> Element {
    let place = element("rect").with("x", x).with("y", y).with("width", width).with("height", height);
    place.with("rx", 6).with("class", class)
}

fn label([x, y]: [usize; 2], words: &str, class: &str) -> Element {
    text("text", words).with("x", x).with("y", y).with("class", class)
}

/// A block with its notes.
fn drawn(block: &Block, [x, y]: [usize; 2]) -> Vec<Element> {
    let middle = x + BOX[0] / 2;
    let mut parts = vec![rectangle([x, y], BOX, block.class), label([middle, y + 22], &block.name, "name")];
    for (line, note) in block.notes.iter().enumerate() {
        parts.push(label([middle, y + 38 + 15 * line], note, "small"));
    }
    parts
}

/// Blocks beside each other with arrows between them, and one into the first if a row comes before.
fn row(blocks: &[Block], [left, top]: [usize; 2], goes_on: bool) -> Vec<Element> {
    let mut parts = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let x = left + number * (BOX[0] + GAP);
        if goes_on || number > 0 {
            let (from, to, y) = (x - GAP, x - 2, top + BOX[1] / 2);
            parts.push(element("path").with("d", format!("M{from} {y}H{to}m-6 -4l6 4l-6 4")));
        }
        parts.extend(drawn(block, [x, top]));
    }
    parts
}
