//! Ports, registers, memory layout, latencies and resources as tables.

use super::{element, folded, table, text};
use crate::interfaces::{Interface, interfaces};
use crate::xml::Element;
use tmu_hdl::manifest::Manifest;
use tmu_rtl::system::registers;
use tmu_spec::general::features::Sizes;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{self, General, Kind, Swizzle};
use tmu_spec::{Config, Format, Texture};

/// Ports by interface, alike ones together.
pub(super) fn ports(manifest: &Manifest) -> Vec<Element> {
    let mut groups: Vec<(Vec<String>, Vec<Interface<'_>>)> = Vec::new();
    for interface in interfaces(manifest) {
        let signals = interface.signals.iter();
        let shape: Vec<_> = signals
            .map(|(signal, port)| {
                format!("{signal} {} {} {}", port.direction, port.width_bits, interface.clock)
            })
            .collect();
        // Clocks and resets are one port each and stand together.
        let shape = if interface.signals.len() == 1 { Vec::new() } else { shape };
        match groups.iter_mut().find(|(found, _)| *found == shape) {
            Some((_, alike)) => alike.push(interface),
            None => groups.push((shape, vec![interface])),
        }
    }
    groups.iter().map(|(_, alike)| ports_of(alike)).collect()
}

/// The ports of interfaces that are alike, behind a line that names them.
fn ports_of(alike: &[Interface<'_>]) -> Element {
    let names = list(alike.iter().map(|interface| interface.name.as_str()));
    let rows = alike.iter().flat_map(|interface| {
        interface.signals.iter().map(|(_, port)| {
            vec![
                port.name.clone(),
                port.direction.to_owned(),
                port.width_bits.to_string(),
                interface.clock.clone(),
            ]
        })
    });
    folded(&names, [table(&["port", "direction", "bits", "clock"], rows)])
}

/// Names one after the other; of many the first and the last.
fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    match names.as_slice() {
        [first, _, .., last] if names.len() > 4 => format!("{first} to {last}"),
        _ => names.join(", "),
    }
}

/// Rows whose first cell is an instance, by the part of the hardware that it stands in: behind a line that names it. Parts with
/// the same rows, such as units, are shown once.
fn by_part(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<Element> {
    let mut parts: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for mut row in rows {
        let (part, rest) = row[0].split_once('/').unwrap_or((&row[0], ""));
        let (part, rest) = (part.to_owned(), rest.to_owned());
        row[0] = rest;
        match parts.iter_mut().find(|(found, _)| *found == part) {
            Some((_, rows)) => rows.push(row),
            None => parts.push((part, vec![row])),
        }
    }
    let mut alike: Vec<(Vec<String>, Vec<Vec<String>>)> = Vec::new();
    for (part, rows) in parts {
        match alike.iter_mut().find(|(_, found)| *found == rows) {
            Some((names, _)) => names.push(part),
            None => alike.push((vec![part], rows)),
        }
    }
    let shown = |(names, rows): (Vec<String>, Vec<Vec<String>>)| {
        let heading = format!("{} ({})", list(names.iter().map(String::as_str)), counted(rows.len(), "line"));
        folded(&heading, [table(header, rows)])
    };
    alike.into_iter().map(shown).collect()
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A sentence of the table without its marks for code.
fn plain(doc: &str) -> String {
    doc.replace('`', "")
}

/// The register map with the fields of each register.
pub(super) fn registers(config: &Config) -> Vec<Element> {
    let mut rows = Vec::new();
    for placed in registers::map(config) {
        let register = placed.register;
        rows.push(vec![
            format!("0x{:03x}", placed.address),
            placed.full_name(),
            register.access.abbreviation().to_owned(),
            format!("0x{:08x}", placed.reset_value),
            plain(register.doc),
        ]);
    }
    let mut fields = Vec::new();
    for placed in registers::map(config).iter().filter(|placed| placed.unit.is_none()) {
        for field in placed.register.fields.iter().rev() {
            let last = field.shift + field.width_bits - 1;
            let bits =
                if field.width_bits == 1 { last.to_string() } else { format!("{last}:{}", field.shift) };
            fields.push(vec![placed.full_name(), bits, field.name.to_owned(), plain(field.doc)]);
        }
    }
    let access = "RO reads; RW reads and writes; W1S starts something where a 1 is written; W1C clears the bits where a 1 is \
                  written. An address without a register answers SLVERR.";
    vec![
        text("p", access),
        table(&["address", "register", "access", "reset", "meaning"], rows),
        folded("Fields of the registers", [table(&["register", "bits", "field", "meaning"], fields)]),
    ]
}

/// Longest side of the example texture, log2.
const EXAMPLE_LOG2: u32 = 6;

/// Levels of an example in each format, and the order of texels in a tile.
pub(super) fn memory(config: &Config) -> Vec<Element> {
    let features = config.features();
    if let Some(general) = features.general() {
        return general_memory(config, general);
    }
    let size_log2 = features.max_size_log2().min(EXAMPLE_LOG2);
    let mut parts = vec![text(
        "p",
        "The colour table comes first, if the format has one; then the levels, smallest first, each in tiles of 4 x 4 texels, row by \
         row. A level is stored with at least one tile.",
    )];
    for format in features.formats() {
        let Ok(texture) = Texture::new(format, size_log2, size_log2, size_log2) else { continue };
        let row = |level: u32| {
            let stored = [texture.stored_width_log2(level), texture.stored_height_log2(level)];
            let side = |log2: u32| 1u32 << log2;
            vec![
                level.to_string(),
                format!("{} x {}", texture.width(level), texture.height(level)),
                format!("{} x {}", side(stored[0]), side(stored[1])),
                format!("0x{:x}", texture.level_byte_offset(level)),
                texture.level_bytes(level).to_string(),
            ]
        };
        let sides = 1u32 << size_log2;
        let heading = format!("{format}, {sides} x {sides} texels: {} bytes", texture.bytes());
        let levels = (0..texture.levels()).rev().map(row);
        parts.push(folded(&heading, [table(&["level", "size", "stored", "offset", "bytes"], levels)]));
    }
    parts.push(text("h3", "Order of texels in a level of 8 x 8"));
    parts.extend(tiles(features.max_size_log2().min(3)));
    parts
}

/// Sides of the example texture of the general numerics.
const GENERAL_EXAMPLE: [u32; 2] = [50, 30];

/// The same of the general numerics.
fn general_memory(config: &Config, general: &General) -> Vec<Element> {
    let features = config.features();
    let kind = general.kinds().next().unwrap_or_default();
    let most = 1 << features.max_size_log2();
    let fits =
        |side: u32| if general.sizes == Sizes::Any { side } else { side.next_power_of_two() }.min(most);
    let [width, height] = GENERAL_EXAMPLE.map(fits);
    let height = match kind {
        Kind::Cube => width,
        Kind::D1 => 1,
        _ => height,
    };
    let mut parts = vec![text(
        "p",
        "Levels lie where a binding says, each at a multiple of 16 bytes from the base; tmugen pack writes them one behind the other, as \
         below. A level is its slices (a cube's six faces), each in tiles of 4 x 4 texels, row by row, and filled up to 16 bytes. The \
         tile of a block format is its block.",
    )];
    for format in features.formats() {
        let mut shape = Shape { kind, width, height, depth: 1, levels: 1, format };
        shape.levels = shape.most_levels();
        let Ok(texture) = general::Texture::packed(shape, Swizzle::NONE, false) else { continue };
        let row = |level: u32| {
            let ([width, height, _], [columns, rows]) = (shape.level_size(level), shape.level_tiles(level));
            let offset = texture.level_offsets().get(level as usize).copied().unwrap_or_default();
            vec![
                level.to_string(),
                format!("{width} x {height}"),
                format!("{columns} x {rows}"),
                format!("0x{offset:x}"),
                shape.level_bytes(level).to_string(),
            ]
        };
        let heading = format!("{format}, {kind}, {width} x {height} texels: {} bytes", texture.bytes());
        let header = ["level", "size", "tiles of a slice", "offset", "bytes"];
        parts.push(folded(&heading, [table(&header, (0..shape.levels).map(row))]));
    }
    parts.push(text("h3", "Order of texels in a slice of 8 x 8"));
    parts.extend(tiles(features.max_size_log2().min(3)));
    parts
}

/// The number of each texel in its level.
fn tiles(size_log2: u32) -> Option<Element> {
    const CELL: u32 = 34;
    let texture = Texture::new(Format::Rgba8, size_log2, size_log2, 0).ok()?;
    let sides = 1u32 << size_log2;
    let mut svg = element("svg")
        .with("viewBox", format!("0 0 {0} {0}", sides * CELL + 2))
        .with("width", sides * CELL + 2)
        .with("height", sides * CELL + 2)
        .with("role", "img")
        .with("aria-label", "order of texels");
    let first = texture.texel_index(0, 0, 0);
    for (x, y) in (0..sides).flat_map(|y| (0..sides).map(move |x| (x, y))) {
        let class = if (x / 4 + y / 4) % 2 == 0 { "core" } else { "tmu" };
        let cell = element("rect").with("x", 1 + x * CELL).with("y", 1 + y * CELL).with("width", CELL);
        let number = text("text", texture.texel_index(0, x, y) - first);
        svg = svg
            .child(cell.with("height", CELL).with("class", class))
            .child(number.with("x", 1 + x * CELL + CELL / 2).with("y", 6 + y * CELL + CELL / 2));
    }
    Some(element("div").with("class", "scroll").child(svg))
}

/// What blocks declare of their timing.
pub(super) fn latencies(manifest: &Manifest) -> Vec<Element> {
    let rows = manifest.latencies.iter().map(|latency| {
        let interval = latency.initiation_interval_clocks.map_or(String::new(), |clocks| clocks.to_string());
        vec![latency.instance.clone(), latency.module.clone(), latency.latency_clocks.to_string(), interval]
    });
    let words = "Clocks from an accepted input to its output, and between two accepted inputs, as each block declares them and its tests \
                 hold it to.";
    let mut parts = vec![text("p", words)];
    parts.extend(by_part(&["instance", "module", "latency", "interval"], rows));
    parts
}

/// Memories and multipliers.
pub(super) fn resources(manifest: &Manifest) -> Vec<Element> {
    let entries = manifest.rams.iter().chain(&manifest.multipliers.instances);
    let rows = entries.map(|entry| {
        let kind = serde_json::to_value(entry.resource.kind).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default().replace('_', " ");
        let resource = &entry.resource;
        vec![entry.instance.clone(), kind, resource.depth.to_string(), resource.width.to_string()]
    });
    let words =
        format!("{} flip-flops beside those inside memories and multipliers.", manifest.register_bits);
    let mut parts = vec![text("p", words)];
    parts.extend(by_part(&["instance", "kind", "words", "bits"], rows));
    parts
}

/// Where data changes clocks, and what the design says about it that no check has shown.
pub(super) fn crossings(manifest: &Manifest) -> Vec<Element> {
    let rows = manifest.crossings.iter().map(|crossing| {
        let kind = serde_json::to_value(crossing.kind).unwrap_or_default();
        vec![
            crossing.instance.clone(),
            kind.as_str().unwrap_or_default().replace('_', " "),
            crossing.from_clock.clone(),
            crossing.to_clock.clone(),
            crossing.width_bits.to_string(),
        ]
    });
    let declarations = manifest.crossing_declarations.iter().map(|declaration| {
        vec![
            declaration.module.clone(),
            declaration.net.clone(),
            declaration.rule.clone(),
            declaration.reason.clone(),
            declaration.instances.len().to_string(),
        ]
    });
    let words = "The checks of crossings see every path between clocks. What they cannot see the source declares, with a reason: a reviewer \
                 of the crossings reads these lines.";
    let mut parts = by_part(&["instance", "kind", "from", "to", "bits"], rows);
    parts.push(text("h3", "Declared by the source"));
    parts.push(text("p", words));
    let header = ["module", "net", "rule", "reason", "instances"];
    parts.push(folded("Declarations and their reasons", [table(&header, declarations)]));
    parts
}
