//! `check --device`: how often a configuration fits a device, what it reads and how fast it is there.

use super::fit::{Fit, Needs};
use super::rates::{Origin, Rate, Supply, rates};
use crate::args::check_hardware;
use crate::commands::estimate::{emitted, read_estimate};
use crate::console::Verbosity;
use crate::engine::{setup_failure, synthesis_failure};
use crate::estimate::{Estimate, estimate, version};
use crate::problem::{Failure, Rule};
use crate::table::Table;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use tmu_sim::engines::sampler::throughput::{Cost, MEMORY_BYTES_PER_CLOCK};
use tmu_spec::device::{Check, DeviceFamily};
use tmu_spec::{Config, Device, Preset};
use tmu_verilate::Family;

/// What is asked about a device.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DeviceArgs {
    /// A device (ZU3EG, K26, LFE5U-85F …): how often the core fits, and how fast it is there
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Clock of the units there in MHz [default: clock.tmu_mhz]
    #[arg(long, value_name = "MHZ", requires = "device", value_parser = clap::value_parser!(u32).range(1..=2000))]
    tmu_mhz: Option<u32>,
    /// What memory gives in megabytes a second, all ports together [default: the most of the device's controller]
    #[arg(long, value_name = "MB/S", requires = "device", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    memory_mb_s: Option<u32>,
    /// Clocks of the units from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 60, requires = "device", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(super) latency: u32,
    /// Measure the rates on the hardware in simulation, instead of by the cache model; needs Verilator
    #[arg(long, requires = "device")]
    pub(super) measure: bool,
    /// Count LUTs and flip-flops with Yosys, which takes from seconds to minutes
    #[arg(long, requires = "device", conflicts_with = "area")]
    luts: bool,
    /// Take LUTs and flip-flops from what `tmugen estimate --json` has printed
    #[arg(long, value_name = "FILE", requires = "device")]
    area: Option<PathBuf>,
}

/// LUTs and flip-flops of a core, and who says so.
struct Logic {
    lut: u64,
    ff: u64,
    origin: String,
}

/// LUTs and flip-flops of the presets, as Yosys has found them.
const PRESET_AREAS: &str = include_str!("../../../data/preset_areas.json");

/// What [`PRESET_AREAS`] holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetAreas {
    yosys: String,
    presets: BTreeMap<String, PresetArea>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetArea {
    lut: u64,
    ff: u64,
}

fn preset_areas() -> PresetAreas {
    serde_json::from_str(PRESET_AREAS).unwrap_or_else(|error| unreachable!("a test reads the areas: {error}"))
}

impl Logic {
    /// From the table, if the configuration is a preset.
    fn of_preset(config: &Config) -> Option<Self> {
        let is_same = |preset: &&Preset| {
            preset.config().is_ok_and(|preset| preset.canonical_toml() == config.canonical_toml())
        };
        let preset = Preset::all().find(is_same)?;
        let areas = preset_areas();
        let PresetArea { lut, ff } = areas.presets.get(preset.name())?;
        let origin = format!("of the preset, {}, xcup", areas.yosys);
        Some(Logic { lut: *lut, ff: *ff, origin })
    }

    fn of_estimate(estimate: &Estimate) -> Self {
        let total = &estimate.total;
        Logic {
            lut: (total.lut + total.lut_memory) as u64,
            ff: total.flip_flops as u64,
            origin: format!("{}, {}", version(&estimate.yosys), estimate.family),
        }
    }
}

/// Everything that is said of one configuration and one device.
struct Answer<'a> {
    config: &'a Config,
    name: &'static str,
    device: &'static Device,
    logic: Option<Logic>,
    fit: Fit,
    supply: Supply,
    rates: Vec<Rate>,
}

impl DeviceArgs {
    /// The file that is read.
    pub(super) fn area(&self) -> Option<&PathBuf> {
        self.area.as_ref()
    }

    /// The device that is asked about.
    ///
    /// # Errors
    /// [`Rule::Device`] with the nearest names.
    pub(super) fn find(&self) -> Result<Option<(&'static str, &'static Device)>, Failure> {
        let Some(asked) = &self.device else { return Ok(None) };
        let found = Device::find(asked).map_err(|near| {
            let message = format!("--device {asked}: there is no such device in the table");
            let help = format!(
                "near it are {}; docs/reference/devices.md lists all, and ordering codes like xczu3eg-sbva484-1-e are \
                 understood",
                near.join(", ")
            );
            Failure::new(Rule::Device, message, help)
        })?;
        Ok(Some(found))
    }

    /// Text and data about a configuration on a device.
    pub(super) fn describe(
        &self,
        config: &Config,
        (name, device): (&'static str, &'static Device),
        verbosity: Verbosity,
    ) -> Result<(String, Value), Failure> {
        check_hardware(config)?;
        let logic = self.logic(config, device.family)?;
        let cost = Cost::of(config).map_err(|error| setup_failure(&error.into()))?;
        let needs = Needs {
            lut: logic.as_ref().map(|logic| logic.lut),
            ff: logic.as_ref().map(|logic| logic.ff),
            bram18: cost.half_block_rams.into(),
            uram: cost.ultra_rams.into(),
            dsp: cost.multipliers.into(),
        };
        let tmu_mhz = self.tmu_mhz.unwrap_or_else(|| config.clocks().tmu_mhz());
        let memory_mhz = config.clocks().memory_mhz().unwrap_or(tmu_mhz);
        let given = self.memory_mb_s.or_else(|| device.memory.map(|memory| memory.peak_mb_s));
        let supply = Supply {
            tmu_mhz,
            port_mb_s: f64::from(memory_mhz) * f64::from(MEMORY_BYTES_PER_CLOCK),
            memory_mb_s: given.map(f64::from),
        };
        let (fit, rates) = (Fit::new(&needs, device), rates(config, self, verbosity)?);
        let answer = Answer { config, name, device, logic, fit, supply, rates };
        Ok((answer.text(self), answer.data(self)))
    }

    /// LUTs and flip-flops, where somebody knows them.
    fn logic(&self, config: &Config, family: DeviceFamily) -> Result<Option<Logic>, Failure> {
        if let Some(path) = &self.area {
            let estimate = read_estimate(path)?;
            if estimate.family != family.synthesis_name() {
                let message = format!(
                    "the estimate is for {}, and the device is of {}: their LUTs do not compare",
                    estimate.family,
                    family.name()
                );
                let help = "name a device of the family that was synthesised for, or leave --area out";
                return Err(Failure::in_file(Rule::Device, path, message, help));
            }
            return Ok(Some(Logic::of_estimate(&estimate)));
        }
        // A LUT of four inputs holds less than one of six, and this command does not synthesise for ECP5.
        if family == DeviceFamily::Ecp5 {
            return Ok(None);
        }
        if self.luts {
            let emitted = emitted(config)?;
            let (estimate, _) = estimate(&emitted.source, &[], Family::UltraScalePlus)
                .map_err(|error| synthesis_failure(&error))?;
            return Ok(Some(Logic::of_estimate(&estimate)));
        }
        Ok(Logic::of_preset(config))
    }
}

impl Answer<'_> {
    fn text(&self, args: &DeviceArgs) -> String {
        let Answer { config, name, device, fit, .. } = self;
        let indented = |table: String| table.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let mut text = format!("{} on {name} ({})\n", config.name(), device.family.name());
        text += &indented(fit.table());
        let logic = match (&self.logic, device.family) {
            (Some(logic), _) => format!("LUT and FF {}; RAM and multipliers exactly as emitted", logic.origin),
            (None, DeviceFamily::Ecp5) => {
                "LUT4 and FF are not known: no synthesis for ECP5; a multiplier of more than 18 x 18 bits takes two"
                    .to_owned()
            }
            (None, _) => "LUT and FF are not known: --luts asks Yosys, --area reads an estimate".to_owned(),
        };
        let _ = writeln!(text, "  area     {logic}");
        let limits = fit.first.join(", ");
        let known = if fit.has_logic { "" } else { ", as far as is known" };
        let _ = match fit.cores {
            0 => writeln!(text, "  fits     not at all: too few {limits}"),
            1 => writeln!(text, "  fits     once{known}; {limits} would be the first to run out"),
            cores => {
                writeln!(text, "  fits     {cores} times{known}; {limits} would be the first to run out")
            }
        };
        for note in self.notes() {
            let _ = writeln!(text, "  note     {note}");
        }
        text += &self.memory_text();
        if !self.rates.is_empty() {
            text += &indented(self.rate_table());
            text += &format!("  rates    {}\n", self.origin(args));
        }
        text
    }

    fn memory_text(&self) -> String {
        let Supply { tmu_mhz, port_mb_s, memory_mb_s } = self.supply;
        let memory = match memory_mb_s {
            Some(most) => format!("all memory at most {most:.0} MB/s"),
            None => "what memory gives is the board's matter: say it with --memory-mb-s".to_owned(),
        };
        format!("  memory   units at {tmu_mhz} MHz; a core's port carries {port_mb_s:.0} MB/s; {memory}\n")
    }

    /// Who says how fast it is.
    fn origin(&self, args: &DeviceArgs) -> String {
        let latency = args.latency;
        let who = match self.rates[0].origin {
            Origin::Measured => format!("measured in simulation with memory of {latency} clocks"),
            Origin::Model => {
                format!("by the cache model with memory of {latency} clocks; --measure simulates")
            }
            Origin::Bound => {
                "at most that: --measure simulates the hardware and says how much less it is".to_owned()
            }
        };
        format!("of one core, {who}")
    }

    fn rate_table(&self) -> String {
        let mut table =
            Table::new(2, ["drawing", "", "samples/clock", "Msamples/s", "MB/s", "limit", "cores fed"]);
        for rate in &self.rates {
            let speed = rate.speed(&self.supply);
            let shown = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            table.push([
                rate.name.to_owned(),
                rate.about.to_owned(),
                format!("{:.3}", rate.samples_per_clock),
                format!("{:.0}", speed.msamples_per_s),
                shown(speed.memory_mb_s.map(|memory| format!("{memory:.0}"))),
                if speed.is_memory_bound { "memory" } else { "core" }.to_owned(),
                shown(speed.cores.map(|cores| cores.to_string())),
            ]);
        }
        table.text()
    }

    /// What does not match between the configuration and the device, and what to do about it.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let lacks_ultra_ram = self.device.sites.uram == 0;
        let uses_ultra_ram = self.fit.rows.iter().any(|row| row.kind == "URAM" && row.core > Some(0));
        if lacks_ultra_ram && uses_ultra_ram {
            notes.push(format!("{} has no UltraRAM: set cache.data_ram = \"block\"", self.name));
        }
        match (self.device.family, self.config.family()) {
            (DeviceFamily::Ecp5, tmu_spec::config::Family::Ecp5) => {}
            (DeviceFamily::Ecp5, family) => notes.push(format!(
                "the configuration is for {family}: its constraints and IP are Vivado's; ECP5 takes the Verilog alone"
            )),
            (DeviceFamily::ZynqMp, tmu_spec::config::Family::UltraScalePlus)
            | (DeviceFamily::UltraScalePlus, tmu_spec::config::Family::ZynqMp) => {
                let right = if self.device.family == DeviceFamily::ZynqMp { "zynqmp" } else { "ultrascale+" };
                notes.push(format!("set device.family = \"{right}\" for this device"));
            }
            _ => {}
        }
        match self.device.check {
            Check::All => {}
            Check::Part(which) => {
                notes.push(format!("of what {} has, only this is confirmed: {which}", self.name))
            }
            Check::Nothing => {
                notes.push(format!("what {} has is not confirmed: see the vendor's table", self.name));
            }
        }
        notes
    }

    fn data(&self, args: &DeviceArgs) -> Value {
        let rate = |rate: &Rate| {
            json!({
                "name": rate.name,
                "about": rate.about,
                "origin": rate.origin,
                "samples_per_clock": rate.samples_per_clock,
                "bytes_per_sample": rate.bytes_per_sample,
                "speed": rate.speed(&self.supply),
            })
        };
        json!({
            "name": self.name,
            "family": self.device.family,
            "fit": self.fit,
            "logic_origin": self.logic.as_ref().map(|logic| &logic.origin),
            "supply": self.supply,
            "latency_clocks": args.latency,
            "rates": self.rates.iter().map(rate).collect::<Vec<_>>(),
            "notes": self.notes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_with_hardware_has_its_area() {
        let areas = preset_areas();
        for preset in tmu_spec::presets::PRESETS {
            let logic = Logic::of_preset(&preset.config().unwrap());
            let logic = logic.unwrap_or_else(|| panic!("data/preset_areas.json has no {}", preset.name()));
            assert!(logic.lut > 0 && logic.ff > 0, "{}", preset.name());
        }
        assert_eq!(areas.presets.len(), tmu_spec::presets::PRESETS.len());
        // Another configuration of the same name is not the preset.
        let other = Preset::find("stream")
            .unwrap()
            .toml()
            .replace("outstanding_reads = 64", "outstanding_reads = 32");
        assert!(Logic::of_preset(&Config::from_toml(&other).unwrap()).is_none());
    }

    /// The long run holds the table to what Yosys finds now.
    #[test]
    #[ignore = "synthesises every preset, which takes minutes"]
    fn preset_areas_are_what_yosys_finds() {
        let areas = preset_areas();
        for (name, PresetArea { lut, ff }) in &areas.presets {
            let config = Preset::find(name).unwrap().config().unwrap();
            let source = emitted(&config).unwrap().source;
            let found = match estimate(&source, &[], Family::UltraScalePlus) {
                Ok((found, _)) => found,
                Err(error) => panic!("{name}: {error}"),
            };
            if !found.yosys.starts_with(&areas.yosys) {
                return;
            }
            let Logic { lut: now_lut, ff: now_ff, .. } = Logic::of_estimate(&found);
            for (what, kept, now) in [("LUT", *lut, now_lut), ("FF", *ff, now_ff)] {
                let off = kept.abs_diff(now) as f64 / now as f64;
                assert!(off <= 0.02, "{name}: {what} {now}, data/preset_areas.json says {kept}");
            }
        }
    }
}
