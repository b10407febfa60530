//! How often a core fits a device, and which of the device's sites runs out first.

use crate::table::Table;
use serde::Serialize;
use tmu_spec::Device;
use tmu_spec::device::DeviceFamily;

/// What one core takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Needs {
    /// LUTs, those used as memory included; none where nobody has synthesised the core.
    pub(super) lut: Option<u64>,
    /// Flip-flops, likewise.
    pub(super) ff: Option<u64>,
    /// Block RAMs of 18 Kb.
    pub(super) bram18: u64,
    /// UltraRAMs.
    pub(super) uram: u64,
    /// Multipliers.
    pub(super) dsp: u64,
}

/// One kind of site.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Row {
    /// The kind.
    pub(super) kind: &'static str,
    /// What one core takes; none where it is not known.
    pub(super) core: Option<u64>,
    /// What the device has.
    pub(super) device: u64,
    /// For how many cores that is enough; none where that is not known or they take nothing of it.
    pub(super) cores: Option<u64>,
}

impl Row {
    fn new(kind: &'static str, core: Option<u64>, device: u64) -> Self {
        Row { kind, core, device, cores: core.and_then(|core| device.checked_div(core)) }
    }

    /// The share of the device that one core takes.
    fn share(&self) -> Option<String> {
        let core = self.core?;
        match (core, self.device) {
            (0, _) => Some("0 %".to_owned()),
            (_, 0) => None,
            (core, device) => Some(format!("{:.1} %", 100.0 * core as f64 / device as f64)),
        }
    }
}

/// How often a core fits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Fit {
    pub(super) rows: Vec<Row>,
    /// How many cores the device holds, as far as the rows are known.
    pub(super) cores: u64,
    /// The kinds that are used up first.
    pub(super) first: Vec<&'static str>,
    /// Whether LUTs and flip-flops are among what is known.
    pub(super) has_logic: bool,
}

impl Fit {
    pub(super) fn new(needs: &Needs, device: &Device) -> Self {
        let sites = &device.sites;
        let [lut, bram, dsp] = kinds(device.family);
        let mut rows = vec![
            Row::new(lut, needs.lut, sites.lut.into()),
            Row::new("FF", needs.ff, sites.ff.into()),
            Row::new(bram, Some(needs.bram18), sites.bram18.into()),
            Row::new("URAM", Some(needs.uram), sites.uram.into()),
            Row::new(dsp, Some(needs.dsp), sites.dsp.into()),
        ];
        rows.extend(device.memory.map(|memory| Row::new("memory port", Some(1), memory.ports.into())));
        let cores = rows.iter().filter_map(|row| row.cores).min().unwrap_or(0);
        let first = rows.iter().filter(|row| row.cores == Some(cores)).map(|row| row.kind).collect();
        Fit { rows, cores, first, has_logic: needs.lut.is_some() && needs.ff.is_some() }
    }

    pub(super) fn table(&self) -> String {
        let mut table = Table::new(1, ["site", "one core", "device", "share", "cores"]);
        let shown = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        for row in &self.rows {
            let share = row.share().unwrap_or_else(|| "-".to_owned());
            table.push([
                row.kind.to_owned(),
                shown(row.core),
                row.device.to_string(),
                share,
                shown(row.cores),
            ]);
        }
        table.text()
    }
}

/// What sites are called: LUTs, block RAMs of 18 Kb, multipliers.
const fn kinds(family: DeviceFamily) -> [&'static str; 3] {
    match family {
        DeviceFamily::ZynqMp | DeviceFamily::UltraScalePlus => ["LUT", "BRAM18", "DSP"],
        DeviceFamily::Ecp5 => ["LUT4", "EBR", "MULT18"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str) -> &'static Device {
        Device::find(name).unwrap().1
    }

    const FURY: Needs = Needs { lut: Some(7_621), ff: Some(18_298), bram18: 36, uram: 8, dsp: 20 };

    #[test]
    fn what_runs_out_first_is_named() {
        let fit = Fit::new(&FURY, device("ZU3EG"));
        assert_eq!((fit.cores, fit.first), (0, vec!["URAM"]));
        let fit = Fit::new(&FURY, device("K26"));
        // 64 UltraRAMs for 8 each, 12 times the flip-flops, and six memory ports.
        assert_eq!((fit.cores, fit.first), (6, vec!["memory port"]));
        let fit = Fit::new(&FURY, device("KU3P"));
        assert_eq!((fit.cores, fit.first), (6, vec!["URAM"]));
    }

    #[test]
    fn what_is_not_known_does_not_count_and_what_is_not_used_does_not_limit() {
        let needs = Needs { lut: None, ff: None, uram: 0, ..FURY };
        let fit = Fit::new(&needs, device("LFE5U-25F"));
        assert_eq!((fit.cores, fit.has_logic), (1, false));
        assert_eq!(fit.first, ["EBR", "MULT18"]);
        let text = fit.table();
        assert!(text.contains("LUT4           -   24288       -      -"), "{text}");
        assert!(text.contains("EBR           36      56  64.3 %      1"), "{text}");
        assert!(text.contains("URAM           0       0     0 %      -"), "{text}");
    }
}
