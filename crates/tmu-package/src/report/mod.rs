//! One HTML page about a configuration's hardware: no script, nothing from elsewhere, light and dark, wide and narrow.
//!
//! What it says comes from the manifest, the register table and `tmu-spec`; area, pictures and rates come from whoever has
//! synthesised, drawn and measured: [`Findings`].

mod diagram;
mod streams;
mod summary;
mod tables;
mod waves;

use crate::header;
use crate::xml::{Element, fragment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;

const STYLE: &str = include_str!("style.css");

/// Area as somebody has estimated it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// What the figures come from.
    pub source: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// The figures.
    pub rows: Vec<Vec<String>>,
}

/// A picture or plot that goes into the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// What it shows, in a sentence.
    pub caption: String,
    /// Its media type: `image/png`.
    pub media_type: &'static str,
    /// The file.
    pub content: Vec<u8>,
}

/// What has been found out about the hardware besides what it is; anything may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What it draws.
    pub pictures: Vec<Figure>,
    /// How fast it is.
    pub rates: Vec<Figure>,
    /// How large it is.
    pub area: Option<Area>,
}

fn element(name: &str) -> Element {
    Element::new(name)
}

fn text(name: &str, text: impl ToString) -> Element {
    Element::text(name, text)
}

/// How a cell is set: figures and ranges of bits right, hexadecimal numbers and names of the hardware in a fixed width.
fn class(value: &str) -> Option<&'static str> {
    let is_name = |value: &str| {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_/.".contains(letter);
        value.contains(['_', '/']) && value.chars().all(is_part)
    };
    if value.starts_with("0x") {
        Some("figure code")
    } else if value.split(':').all(|bit| bit.parse::<f64>().is_ok()) {
        Some("figure")
    } else if is_name(value) {
        Some("code")
    } else {
        None
    }
}

/// A table that scrolls by itself where the page is narrow.
fn table<T: ToString>(header: &[T], rows: impl IntoIterator<Item = Vec<String>>) -> Element {
    let head = element("tr").children(header.iter().map(|name| text("th", name.to_string())));
    let cell = |value: &String| {
        let cell = text("td", value);
        match class(value) {
            Some(class) => cell.with("class", class),
            None => cell,
        }
    };
    let rows = rows.into_iter().map(|row| element("tr").children(row.iter().map(cell)));
    let table = element("table").child(element("thead").child(head)).child(element("tbody").children(rows));
    element("div").with("class", "scroll").child(table)
}

/// A part of the page with its heading.
fn section(id: &str, heading: &str, children: impl IntoIterator<Item = Element>) -> Element {
    element("section").with("id", id).child(text("h2", heading)).children(children)
}

/// Something that is long and seldom wanted, behind a line that opens it.
fn folded(heading: &str, children: impl IntoIterator<Item = Element>) -> Element {
    element("details").child(text("summary", heading)).children(children)
}

/// Figures with their captions, side by side where there is room.
fn figures(figures: &[Figure]) -> Element {
    let figure = |Figure { caption, media_type, content }: &Figure| {
        let data = format!("data:{media_type};base64,{}", STANDARD.encode(content));
        let image = element("img").with("src", data).with("alt", caption);
        element("figure").child(image).child(text("figcaption", caption))
    };
    element("div").with("class", "figures").children(figures.iter().map(figure))
}

/// The page.
#[must_use]
pub fn html(hardware: &Hardware, findings: &Findings) -> String {
    let (config, manifest) = (hardware.config(), hardware.manifest());
    let has_units = config.units() > 0;
    let shown = waves::waves(hardware);
    let mut parts = vec![
        section("summary", "In short", summary::summary(config, manifest, shown.measured.as_ref(), findings)),
        section("diagram", "Blocks", diagram::blocks(hardware, manifest)),
        section("waves", "Waveforms", shown.parts),
        section("ports", "Ports", tables::ports(manifest)),
    ];
    let streams = streams::streams(config);
    if !streams.is_empty() {
        parts.push(section("streams", "Streams, bit by bit", streams));
    }
    if config.control().port() {
        parts.push(section("registers", "Registers", tables::registers(config)));
    }
    if has_units {
        parts.push(section("memory", "Textures in memory", tables::memory(config)));
    }
    parts.push(section("latency", "Latency", tables::latencies(manifest)));
    parts.push(section("resources", "Memories and multipliers", tables::resources(manifest)));
    parts.push(section("crossings", "Clock crossings", tables::crossings(manifest)));
    if !findings.pictures.is_empty() {
        let source = text("p", "Drawn by the golden model, which the hardware equals bit by bit.");
        parts.push(section("pictures", "What it draws", [source, figures(&findings.pictures)]));
    }
    if !findings.rates.is_empty() {
        let source = text("p", "Measured on the hardware in simulation, memory of 16 bytes a clock.");
        parts.push(section("rates", "How fast it is", [source, figures(&findings.rates)]));
    }
    if let Some(area) = &findings.area {
        let source =
            text("p", format!("Estimated by {}; not the figures of the vendor's tools.", area.source));
        parts.push(section("area", "Area and depth", [source, table(&area.header, area.rows.clone())]));
    }
    parts.push(section("configuration", "Configuration", [text("pre", config.canonical_toml())]));
    page(config, parts)
}

fn page(config: &Config, parts: Vec<Element>) -> String {
    let title = match config.units() {
        0 => format!("Hardware {}", config.name()),
        1 => format!("Texture unit {}", config.name()),
        _ => format!("Texture units {}", config.name()),
    };
    let head = element("head")
        .child(element("meta").with("charset", "utf-8"))
        .child(
            element("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"),
        )
        .child(element("meta").with("name", "color-scheme").with("content", "light dark"))
        .child(text("title", &title))
        .child(text("style", STYLE));
    let links = parts.iter().filter_map(|part| {
        let (id, heading) = (part.attribute("id")?, part.first_text()?);
        Some(text("a", heading).with("href", format!("#{id}")))
    });
    let body = element("body")
        .child(text("h1", &title))
        .child(text("p", header(config)).with("class", "soft"))
        .child(element("nav").children(links.collect::<Vec<_>>()))
        .children(parts);
    let root = element("html").with("lang", "en").child(head).child(body);
    format!("<!DOCTYPE html>\n{}", fragment(&root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(toml: &str) -> String {
        html(&Hardware::new(&Config::from_toml(toml).unwrap()).unwrap(), &Findings::default())
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let page = page_of("name = \"t\"\nunits = 2");
        for part in ["http:", "https:", "src=", "<script", "<link", "@import", "url("] {
            assert!(!page.contains(part), "{part}");
        }
        for link in page.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
        }
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"));
    }

    #[test]
    fn every_port_register_and_crossing_is_on_the_page() {
        let config = Config::from_toml("name = \"t\"\nunits = 2").unwrap();
        let hardware = Hardware::new(&config).unwrap();
        let page = html(&hardware, &Findings::default());
        let manifest = hardware.manifest();
        let ports = manifest.ports.iter().map(|port| port.name.as_str());
        // Instances stand below the part of the hardware that they are in.
        let crossings = manifest.crossings.iter().filter_map(|crossing| crossing.instance.split_once('/'));
        let declared = manifest.crossing_declarations.iter().map(|declaration| declaration.net.as_str());
        assert!(!manifest.crossing_declarations.is_empty());
        for name in ports.chain(crossings.clone().map(|(_, name)| name)).chain(declared) {
            assert!(page.contains(&format!(">{name}</td>")), "{name}");
        }
        let headings: Vec<_> =
            page.split("<summary>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
        for (part, _) in crossings {
            assert!(headings.iter().any(|heading| heading.contains(part)), "{part} in {headings:?}");
        }
        for placed in tmu_rtl::system::registers::map(&config) {
            assert!(page.contains(&format!(">0x{:03x}</td>", placed.address)), "{}", placed.register.name);
        }
        assert!(
            !page_of("name = \"t\"\n[control]\nport = false\ncounters = false").contains("id=\"registers\"")
        );
    }

    /// What a drawing of stages must show, by configuration: the blocks that talk to memory among its arrows.
    #[test]
    fn drawings_show_who_uses_memory_and_leave_nothing_hanging() {
        let copy = "name = \"t\"\nengines = [\"copy\"]";
        let quad = tmu_spec::Preset::find("quad").unwrap().config().unwrap();
        for (toml, rows) in [
            ("name = \"t\"", vec!["cache|memory port|27", "memory port|cache|128", "decode|filter|57"]),
            (
                quad.canonical_toml(),
                vec!["miss_queue|memory port|29", "memory port|fill|128", "tag_stage|data_stage|"],
            ),
            (copy, vec!["memory port|lines|128", "lines|memory port|", "guard|bank|"]),
        ] {
            let page = page_of(toml);
            let diagram =
                page.split("id=\"diagram\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
            let cells = diagram.split("<tr>").map(|row| {
                let cells = row.split("<td").skip(1).filter_map(|cell| cell.split(['>', '<']).nth(1));
                cells.collect::<Vec<_>>().join("|")
            });
            let found: Vec<_> = cells.filter(|row| !row.is_empty()).collect();
            for row in rows {
                assert!(found.iter().any(|found| found.starts_with(row)), "{row} in {found:#?}");
            }
            // Every block of the column has an arrow in and one out, and stands there once.
            let named = |cell: usize| {
                found
                    .iter()
                    .filter_map(move |row| row.split('|').nth(cell))
                    .collect::<std::collections::BTreeSet<_>>()
            };
            let (from, to) = (named(0), named(1));
            let ends = ["requests", "registers", "results"];
            let hanging: Vec<_> =
                from.symmetric_difference(&to).filter(|name| !ends.contains(*name)).collect();
            assert!(hanging.is_empty(), "{hanging:?} in {found:#?}");
        }
    }

    /// The waveforms come from a simulation, the same each time, in which requests are answered without an error.
    #[test]
    fn waveforms_show_a_run() {
        for name in ["fury-single", "stream", "multi-lite"] {
            let config = tmu_spec::Preset::find(name).unwrap().config().unwrap();
            let hardware = Hardware::new(&config).unwrap();
            let shown = waves::waves(&hardware);
            let measured = shown.measured.unwrap();
            // Sixteen by sixteen texels of four bytes are read once each.
            assert!((measured.bytes_per_sample - 4.0).abs() < 1e-9, "{name}: {measured:?}");
            let expected = if name == "fury-single" { 0.05..0.1 } else { 0.95..1.01 };
            assert!(expected.contains(&measured.samples_per_clock), "{name}: {measured:?}");
            let page = html(&hardware, &Findings::default());
            for part in
                ["A binding and the first quad", ">q0.0</text>", ">r0</text>", ">r3</text>", "s_axil_rdata"]
            {
                assert!(page.contains(part), "{part} on the page of {name}");
            }
            assert_eq!(page, html(&hardware, &Findings::default()));
        }
    }

    #[test]
    fn area_stands_there_when_somebody_has_it() {
        let hardware = Hardware::new(&Config::from_toml("").unwrap()).unwrap();
        let area = Area {
            source: "Yosys 0.70".to_owned(),
            header: vec!["module".to_owned(), "LUT".to_owned()],
            rows: vec![vec!["tmu".to_owned(), "1234".to_owned()]],
        };
        let page = html(&hardware, &Findings { area: Some(area), ..Findings::default() });
        assert!(page.contains("<td class=\"figure\">1234</td>"));
        let bare = html(&hardware, &Findings::default());
        for id in ["area", "pictures", "rates"] {
            assert!(!bare.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }

    #[test]
    fn pictures_are_inside_the_page() {
        let hardware = Hardware::new(&Config::from_toml("").unwrap()).unwrap();
        let picture =
            Figure { caption: "a < b".to_owned(), media_type: "image/png", content: b"any".to_vec() };
        let page = html(&hardware, &Findings { pictures: vec![picture], ..Findings::default() });
        assert!(page.contains("src=\"data:image/png;base64,YW55\""));
        assert!(page.contains("<figcaption>a &lt; b</figcaption>"));
    }
}
