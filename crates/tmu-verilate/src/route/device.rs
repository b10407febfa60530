//! Devices of ECP5: how nextpnr is told, and what they have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A device with its package and speed grade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteDevice {
    /// LFE5U-85F in CABGA756, grade 8, the fastest one.
    #[default]
    Ecp5Large,
}

/// Sites of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteUse {
    /// What they are, in plain words.
    pub site: String,
    /// How many the design takes.
    pub used: usize,
    /// How many the device has.
    pub available: usize,
}

/// Sites that are too few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// What is too few.
    pub sites: SiteUse,
    /// By how much.
    pub by: usize,
}

impl SiteUse {
    /// By how much they are too few.
    pub(crate) fn over(&self) -> Option<Over> {
        let by = self.used.checked_sub(self.available).filter(|by| *by > 0)?;
        Some(Over { sites: self.clone(), by })
    }
}

impl RouteDevice {
    /// The name by which it is ordered.
    pub fn name(self) -> &'static str {
        "LFE5U-85F"
    }

    /// Its speed grade.
    pub fn grade(self) -> u32 {
        8
    }

    pub(crate) fn nextpnr_arguments(self) -> [&'static str; 5] {
        ["--85k", "--package", "CABGA756", "--speed", "8"]
    }

    /// What a netlist takes of it, from its cells by kind. A carry cell and a block of LUT RAM take several LUTs.
    pub(crate) fn sites(self, cells: &BTreeMap<String, usize>) -> Vec<SiteUse> {
        let count = |kind: &str| cells.get(kind).copied().unwrap_or(0);
        let luts = count("LUT4") + 2 * count("CCU2C") + 4 * count("TRELLIS_DPR16X4");
        let site = |site: &str, used, available| SiteUse { site: site.to_owned(), used, available };
        vec![
            site("LUT4", luts, 83_640),
            site("flip-flops", count("TRELLIS_FF"), 83_640),
            site("LUT RAM of 16 x 4 bits", count("TRELLIS_DPR16X4"), 10_455),
            site("block RAM of 18 Kb", count("DP16KD"), 208),
            site("multipliers of 18 x 18 bits", count("MULT18X18D"), 156),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_is_named_with_its_number() {
        let cells =
            [("LUT4", 10), ("CCU2C", 3), ("TRELLIS_DPR16X4", 2), ("DP16KD", 211), ("MULT18X18D", 156)];
        let cells = cells.map(|(kind, count)| (kind.to_owned(), count)).into();
        let sites = RouteDevice::default().sites(&cells);
        assert_eq!(sites[0].used, 10 + 2 * 3 + 4 * 2);
        let over: Vec<_> = sites.iter().filter_map(SiteUse::over).collect();
        assert_eq!(over.len(), 1);
        assert_eq!((over[0].sites.site.as_str(), over[0].by), ("block RAM of 18 Kb", 3));
    }
}
