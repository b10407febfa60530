//! How many samples a second a core gives, and how much memory it reads for them.

use super::device::DeviceArgs;
use crate::console::Verbosity;
use crate::engine::{built, simulation_failure};
use crate::problem::Failure;
use serde::Serialize;
use tmu_sim::engines::sampler::general::rates::{self, Memory, Walk};
use tmu_sim::engines::sampler::throughput::{
    Conditions, MEMORY_BYTES_PER_CLOCK, Pattern, estimate, issue_rate, measure,
};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::config::CacheKind;
use tmu_spec::{Config, Format};
use tmu_verilate::ModelOptions;

/// Side of the pictures, as log2: 256 pixels, as those of `tmugen bench`.
const SIDE_LOG2: u32 = 8;

/// Patterns that stand for what is drawn: everything hits, 1:1, seen from afar, and next to no hits.
const PATTERNS: [Pattern; 4] = [Pattern::Hits, Pattern::Scan, Pattern::Floor, Pattern::Random];

/// The same for the general numerics.
const WALKS: [Walk; 4] = [Walk::Hits, Walk::Straight, Walk::Trilinear, Walk::Cube];

/// How a rate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// The hardware in simulation.
    Measured,
    /// The cache model, close to what is measured.
    Model,
    /// No more than that.
    Bound,
}

/// One way of drawing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Rate {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) origin: Origin,
    /// Samples a clock of the units while memory gives 16 bytes a clock.
    pub(super) samples_per_clock: f64,
    /// Bytes read for a sample; none where nothing says so.
    pub(super) bytes_per_sample: Option<f64>,
}

/// The rates of a configuration; none for one without texture units.
pub(super) fn rates(config: &Config, args: &DeviceArgs, verbosity: Verbosity) -> Result<Vec<Rate>, Failure> {
    match config.features().general() {
        _ if config.units() == 0 => Ok(Vec::new()),
        Some(_) if args.measure => of_walks(config, args.latency, verbosity),
        Some(_) => Ok(vec![Rate {
            name: "at best",
            about: "everything hits, one footprint a pixel",
            origin: Origin::Bound,
            samples_per_clock: issue_rate(config),
            bytes_per_sample: None,
        }]),
        None => of_patterns(config, args, verbosity),
    }
}

fn of_patterns(config: &Config, args: &DeviceArgs, verbosity: Verbosity) -> Result<Vec<Rate>, Failure> {
    let hardware = match args.measure {
        true => Some(built(config, &ModelOptions::default(), verbosity)?),
        false => None,
    };
    let format = config.features().formats().find(|format| *format == Format::Rgba8);
    let Some(format) = format.or_else(|| config.features().formats().next()) else { return Ok(Vec::new()) };
    let rate = |pattern: Pattern| {
        let workload = pattern.workload(config, format, SIDE_LOG2);
        let (origin, samples_per_clock, bytes_per_sample) = match &hardware {
            Some((rtl, model)) => {
                let conditions = Conditions { latency_clocks: args.latency, pauses: Pauses::NONE };
                let measured =
                    measure(model, rtl, &workload, conditions, |_| ()).map_err(simulation_failure)?;
                (Origin::Measured, measured.samples_per_clock(), measured.bytes_per_sample())
            }
            None => {
                let estimate = estimate(config, &workload, args.latency);
                let origin = match config.cache().kind() {
                    CacheKind::Blocking => Origin::Bound,
                    CacheKind::Prefetch => Origin::Model,
                };
                (origin, estimate.samples_per_clock, estimate.bytes_per_sample)
            }
        };
        let (name, about) = (pattern.name(), pattern.about());
        Ok(Rate { name, about, origin, samples_per_clock, bytes_per_sample: Some(bytes_per_sample) })
    };
    let is_built = |pattern: &Pattern| config.features().mipmaps() || !pattern.is_mipmapped();
    PATTERNS.into_iter().filter(is_built).map(rate).collect()
}

fn of_walks(config: &Config, latency_clocks: u32, verbosity: Verbosity) -> Result<Vec<Rate>, Failure> {
    let (rtl, model) = built(config, &ModelOptions::default(), verbosity)?;
    let memory = Memory { latency_clocks, bytes_per_clock: MEMORY_BYTES_PER_CLOCK, pauses: Pauses::NONE };
    let rate = |walk: Walk| {
        let measured = rates::measure(&model, &rtl, walk, memory).map_err(simulation_failure)?;
        Ok(Rate {
            name: walk.name(),
            about: walk.about(),
            origin: Origin::Measured,
            samples_per_clock: measured.samples_per_clock,
            bytes_per_sample: Some(measured.bytes_per_sample),
        })
    };
    WALKS.into_iter().filter(|walk| walk.is_built(config)).map(rate).collect()
}

/// A rate at given clocks, with the memory that there is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Speed {
    /// Millions of samples a second of one core.
    pub(super) msamples_per_s: f64,
    /// Megabytes a second that these read.
    pub(super) memory_mb_s: Option<f64>,
    /// Whether memory is what limits them.
    pub(super) is_memory_bound: bool,
    /// How many such cores memory feeds; none where that is not known or nothing is read.
    pub(super) cores: Option<u64>,
}

/// Clocks and memory of one core: megahertz, and megabytes a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Supply {
    pub(super) tmu_mhz: u32,
    /// What the core's own port carries.
    pub(super) port_mb_s: f64,
    /// What the memory of the device or board gives at best; none where that is not known.
    pub(super) memory_mb_s: Option<f64>,
}

impl Rate {
    /// The speed of this rate.
    pub(super) fn speed(&self, supply: &Supply) -> Speed {
        let wanted = self.samples_per_clock * f64::from(supply.tmu_mhz);
        let least = supply.memory_mb_s.map_or(supply.port_mb_s, |memory| memory.min(supply.port_mb_s));
        let fed = self.bytes_per_sample.filter(|bytes| *bytes > 0.0).map(|bytes| least / bytes);
        let msamples_per_s = fed.map_or(wanted, |fed| fed.min(wanted));
        let memory_mb_s = self.bytes_per_sample.map(|bytes| bytes * msamples_per_s);
        let needed = memory_mb_s.filter(|needed| *needed >= 1.0);
        // A hundredth of a core is rounding.
        let cores = supply.memory_mb_s.zip(needed).map(|(memory, needed)| (memory / needed + 0.01) as u64);
        let port_is_full = self
            .bytes_per_sample
            .is_some_and(|bytes| bytes * self.samples_per_clock > 0.99 * f64::from(MEMORY_BYTES_PER_CLOCK));
        let is_memory_bound = fed.is_some_and(|fed| fed < wanted) || port_is_full;
        Speed { msamples_per_s, memory_mb_s, is_memory_bound, cores }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        name: "scan",
        about: "",
        origin: Origin::Model,
        samples_per_clock: 1.0,
        bytes_per_sample: Some(4.0),
    };

    #[test]
    fn memory_limits_what_it_does_not_feed() {
        let supply = |memory_mb_s| Supply { tmu_mhz: 300, port_mb_s: 4_800.0, memory_mb_s };
        let speed = RATE.speed(&supply(Some(19_200.0)));
        assert_eq!((speed.msamples_per_s, speed.memory_mb_s, speed.cores), (300.0, Some(1_200.0), Some(16)));
        assert!(!speed.is_memory_bound);
        let speed = RATE.speed(&supply(Some(600.0)));
        assert_eq!((speed.msamples_per_s, speed.is_memory_bound, speed.cores), (150.0, true, Some(1)));
        assert_eq!(RATE.speed(&supply(None)).cores, None);
        let rate = Rate { samples_per_clock: 4.0, ..RATE };
        assert!(rate.speed(&supply(None)).is_memory_bound);
        let slow = Supply { port_mb_s: 400.0, ..supply(Some(19_200.0)) };
        assert_eq!(RATE.speed(&slow).msamples_per_s, 100.0);
    }
}
