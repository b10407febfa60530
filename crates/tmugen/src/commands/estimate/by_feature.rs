//! What each feature of a configuration costs: the hardware is synthesised whole, and once without each of them.
//!
//! A feature is what a configuration can do without and stay legal: a switch that is on, a setting of what is sampled
//! that is not its default, an entry of a list, a family of formats.

use super::emitted;
use crate::console::Verbosity;
use crate::engine::synthesis_failure;
use crate::estimate::{Figures, estimate, version};
use crate::problem::Failure;
use crate::progress;
use crate::table::Table as Figured;
use rayon::prelude::*;
use serde::Serialize;
use tmu_spec::Config;
use tmu_spec::Format::{self, *};
use tmu_spec::choice::Choice;
use tmu_verilate::Family;
use toml::{Table, Value};

/// The tables whose keys say what is sampled; of the others only switches are features.
const OF_SAMPLING: [&str; 2] = ["texture", "filter"];

/// Tables that have features at all. The others say how the same is done.
const TABLES: [&str; 5] = ["texture", "filter", "request", "result", "control"];

/// Formats that share most of what they cost. One that stands nowhere is a feature by itself.
const FAMILIES: &[(&str, &[Format])] = &[
    ("colour tables", &[I8Rgba8, I8Rgb8]),
    ("one and two channels", &[R8, Rg8]),
    ("16 bits a texel", &[Rgb565, Rgba5551, Rgba4444]),
    ("16 bits a channel", &[R16, Rg16, Rgba16]),
    ("BC1, BC2, BC3", &[Bc1, Bc2, Bc3]),
    ("BC4, BC5", &[Bc4, Bc5]),
    ("ETC2", &[Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8]),
    ("EAC", &[EacR11, EacRg11]),
    ("depth", &[D16, D24, D32f]),
    ("single floats", &[R32f, Rg32f, Rgba32f]),
    ("half floats", &[R16f, Rg16f, Rgba16f]),
];

/// A configuration that lacks one feature.
struct Without {
    feature: String,
    config: Config,
}

/// What a design takes, and by how much less without each feature.
#[derive(Debug, Serialize)]
pub(super) struct ByFeature {
    yosys: String,
    whole: Figures,
    without: Vec<Lacking>,
}

/// The figures without a feature.
#[derive(Debug, Serialize)]
struct Lacking {
    feature: String,
    figures: Figures,
}

impl ByFeature {
    /// Synthesises the hardware of a configuration, and that without each of its features: minutes each.
    pub(super) fn measure(config: &Config, family: Family, verbosity: Verbosity) -> Result<Self, Failure> {
        let lacking = lacking(config);
        let bar = progress::bar(verbosity, lacking.len() as u64 + 1, "configurations");
        bar.set_message("synthesising");
        let synthesised = |config: &Config| {
            let source = emitted(config)?.source;
            let (estimate, _) = estimate(&source, &[], family).map_err(|error| synthesis_failure(&error))?;
            bar.inc(1);
            Ok::<_, Failure>(estimate)
        };
        let whole = synthesised(config)?;
        let without = lacking.par_iter().map(|Without { feature, config }| {
            Ok(Lacking { feature: feature.clone(), figures: synthesised(config)?.total })
        });
        let without = without.collect::<Result<_, Failure>>()?;
        Ok(Self { yosys: whole.yosys, whole: whole.total, without })
    }

    /// A table: the whole, then what each feature adds to it.
    pub(super) fn text(&self) -> String {
        let names = self.whole.columns().map(|(name, _)| name);
        let mut table = Figured::new(1, ["feature"].into_iter().chain(names));
        let whole = self.whole.columns().map(|(_, figure)| figure.to_string());
        table.push(["everything".to_owned()].into_iter().chain(whole));
        for Lacking { feature, figures } in &self.without {
            let added = self.whole.columns().into_iter().zip(figures.columns());
            let added = added.map(|((_, whole), (_, without))| format!("{:+}", whole - without));
            table.push([feature.clone()].into_iter().chain(added));
        }
        format!(
            "{}\n{}each row is what the whole takes more than the same without that feature\n",
            version(&self.yosys),
            table.text()
        )
    }
}

/// The configurations that lack one feature each, in the order of the keys.
fn lacking(config: &Config) -> Vec<Without> {
    let whole: Table = config.canonical_toml().parse().expect("the canonical text is TOML");
    let default = Config::from_toml("").expect("an empty configuration is legal").canonical_toml().to_owned();
    let default: Table = default.parse().expect("the canonical text is TOML");
    let mut found = Vec::new();
    for name in TABLES {
        let keys = whole.get(name).and_then(Value::as_table).into_iter().flatten();
        for (key, value) in keys {
            let least = default.get(name).and_then(|table| table.get(key));
            for (feature, value) in reductions(name, key, value, least) {
                let mut table = whole.clone();
                table[name].as_table_mut().expect("it is one above").insert(key.clone(), value);
                // What cannot be left out by itself is no feature.
                if let Ok(config) = Config::from_toml(&table.to_string())
                    && config.check_hardware().is_ok()
                {
                    found.push(Without { feature, config });
                }
            }
        }
    }
    found
}

/// The values of a key that lack something, each with the name of what it lacks.
fn reductions(table: &str, key: &str, value: &Value, least: Option<&Value>) -> Vec<(String, Value)> {
    let name = format!("{table}.{key}");
    match value {
        Value::Boolean(true) => vec![(name, Value::Boolean(false))],
        Value::Boolean(false) => Vec::new(),
        Value::Array(entries) => fewer(&name, entries),
        Value::Integer(_) if !OF_SAMPLING.contains(&table) => Vec::new(),
        _ => match least {
            Some(least) if least != value => vec![(format!("{name} = {value}, not {least}"), least.clone())],
            _ => Vec::new(),
        },
    }
}

/// Lists that lack an entry, or a family of formats.
fn fewer(name: &str, entries: &[Value]) -> Vec<(String, Value)> {
    let family = |entry: &Value| {
        let format = entry
            .as_str()
            .filter(|_| name == "texture.formats")
            .and_then(|name| Format::from_name(name).ok());
        FAMILIES.iter().find(|(_, formats)| format.is_some_and(|format| formats.contains(&format)))
    };
    let mut lists: Vec<(String, Vec<Value>)> = Vec::new();
    for entry in entries {
        let lacks = family(entry).map_or_else(
            || entry.as_str().map_or_else(|| entry.to_string(), str::to_owned),
            |(name, _)| (*name).to_owned(),
        );
        let feature = format!("{name}: {lacks}");
        match lists.iter_mut().find(|(known, _)| *known == feature) {
            Some((_, gone)) => gone.push(entry.clone()),
            None => lists.push((feature, vec![entry.clone()])),
        }
    }
    let kept = |gone: &[Value]| {
        Value::Array(entries.iter().filter(|entry| !gone.contains(entry)).cloned().collect())
    };
    lists.into_iter().map(|(feature, gone)| (feature, kept(&gone))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(toml: &str) -> Vec<String> {
        lacking(&Config::from_toml(toml).unwrap()).into_iter().map(|without| without.feature).collect()
    }

    #[test]
    fn features_are_what_can_be_left_out() {
        let toml =
            "[texture]\nformats = [\"rgba8\", \"i8_rgba8\", \"i8_rgb8\"]\naddress_modes = [\"wrap\"]\n";
        let expected = [
            "texture.bilinear",
            "texture.formats: colour tables",
            "texture.formats: rgba8",
            "texture.mipmaps",
            // The counters are read through the port, which cannot go before them.
            "control.counters",
        ];
        let mut got = features(&format!("{toml}[control]\nport = true\ncounters = true\n"));
        let mut expected = expected.map(str::to_owned).to_vec();
        got.sort();
        expected.sort();
        assert_eq!(got, expected);
    }

    #[test]
    fn no_format_is_of_two_families() {
        for format in Format::ALL {
            assert!(
                FAMILIES.iter().filter(|(_, formats)| formats.contains(&format)).count() <= 1,
                "{format}"
            );
        }
    }

    #[test]
    fn a_row_is_what_a_feature_adds() {
        let figures = |lut| Figures {
            module: "top".to_owned(),
            instances: 1,
            lut,
            lut_memory: 0,
            flip_flops: 0,
            flip_flops_in_dsp: 0,
            bram36: 1.5,
            uram: 0,
            dsp: 0,
            depth: 5,
        };
        let without = vec![Lacking { feature: "texture.srgb".to_owned(), figures: figures(90) }];
        let table = ByFeature { yosys: "Yosys 0.70 (git)".to_owned(), whole: figures(100), without }.text();
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[0] == "Yosys 0.70" && lines[2].starts_with("everything    100"), "{table}");
        assert!(lines[3].starts_with("texture.srgb  +10") && lines[3].contains("+0"), "{table}");
    }
}
