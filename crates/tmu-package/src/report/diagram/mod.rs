//! The blocks of the hardware as drawings: the system around its engines, and the stages of each engine.
//!
//! Both are as wide as a phone, so that they are read as they are. What they show is read off the design ([`graph`]).

mod graph;
mod stages;
mod svg;
mod system;

use super::{element, table, text};
use crate::xml::Element;
use graph::{Engine, Node, Stages};
use tmu_hdl::design::Design;
use tmu_hdl::manifest::Manifest;
use tmu_rtl::outputs::Hardware;

/// The drawings, each with its heading.
pub(super) fn blocks(hardware: &Hardware, manifest: &Manifest) -> Vec<Element> {
    let engines = graph::engines(hardware, manifest);
    let figure =
        |heading: &str, drawing: Element| element("figure").child(text("figcaption", heading)).child(drawing);
    let mut figures = vec![figure("The core and its ports", system::drawing(hardware, manifest, &engines))];
    let mut tables = Vec::new();
    for engine in &engines {
        let stages = graph::stages(hardware.design(), engine);
        let heading = match engine.count {
            1 => format!("Stages of {}", engine.name),
            count => format!("Stages of {}, one of {count}", engine.name),
        };
        figures.push(figure(&heading, stages::drawing(hardware.design(), manifest, engine, &stages)));
        tables.push(connections(hardware.design(), engine, &stages));
    }
    let words = "Arrows are data with their bits, as the design connects them: from top to bottom, memory on the right. Blue is on \
                 core_aclk, green on tmu_aclk, orange is memory.";
    let mut parts = vec![text("p", words), element("div").with("class", "figures").children(figures)];
    parts.extend(tables);
    parts
}

/// The arrows of an engine's drawing as a table, for those who do not see it.
fn connections(design: &Design, engine: &Engine, stages: &Stages) -> Element {
    let bits = |width: usize| width.to_string();
    let mut rows: Vec<_> = stages
        .arrows
        .iter()
        .map(|arrow| vec![name(design, arrow.from), name(design, arrow.to), bits(arrow.width_bits)])
        .collect();
    let memory = || "memory port".to_owned();
    rows.extend(
        stages.to_memory.iter().map(|(node, width)| vec![name(design, *node), memory(), bits(*width)]),
    );
    rows.extend(
        stages.from_memory.iter().map(|(node, width)| vec![memory(), name(design, *node), bits(*width)]),
    );
    super::folded(&format!("Arrows of {} as a table", engine.name), [table(&["from", "to", "bits"], rows)])
}

fn name(design: &Design, node: Node) -> String {
    match node {
        Node::Requests => "requests".to_owned(),
        Node::Registers => "registers".to_owned(),
        Node::Results => "results".to_owned(),
        Node::Stage(block) => design.blocks[block].name.clone(),
    }
}
