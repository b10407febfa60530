//! Devices that a core may go to: how many sites of each kind they have, and how they reach memory.
//!
//! A device is one row here and nowhere else. The figures are meant to be those of the vendors' product tables; each row says which of them
//! have been held against what others have published, and docs/reference/devices.md what that is.

use Check::{All, Nothing, Part};
use DeviceFamily::{Ecp5, UltraScalePlus, ZynqMp};
use serde::Serialize;

/// Devices whose sites are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceFamily {
    /// Zynq UltraScale+ MPSoC, Kria among them.
    ZynqMp,
    /// Artix, Kintex and Virtex UltraScale+.
    UltraScalePlus,
    /// Lattice ECP5.
    Ecp5,
}

impl DeviceFamily {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DeviceFamily::ZynqMp => "Zynq UltraScale+ MPSoC",
            DeviceFamily::UltraScalePlus => "UltraScale+",
            DeviceFamily::Ecp5 => "ECP5",
        }
    }

    /// The family as `tmugen estimate` names the target of a synthesis.
    #[must_use]
    pub const fn synthesis_name(self) -> &'static str {
        match self {
            DeviceFamily::ZynqMp | DeviceFamily::UltraScalePlus => "xcup",
            DeviceFamily::Ecp5 => "ecp5",
        }
    }
}

/// Sites of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sites {
    /// Look-up tables: of six inputs, in ECP5 of four.
    pub lut: u32,
    /// Flip-flops.
    pub ff: u32,
    /// Block RAMs of 18 Kb: half a RAMB36E2, an EBR of ECP5.
    pub bram18: u32,
    /// UltraRAMs of 288 Kb.
    pub uram: u32,
    /// DSP slices: 27 x 18 bits, in ECP5 multipliers of 18 x 18 bits.
    pub dsp: u32,
}

/// The way to memory beside a processor: ports of 128 bits, and what the memory behind them gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ProcessorMemory {
    /// `S_AXI_HP` and `S_AXI_HPC` ports, a core each.
    pub ports: u32,
    /// Megabytes a second of the fastest memory that the controller takes, at best.
    pub peak_mb_s: u32,
}

/// What the figures of a device have been held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// All of them against what others have published of the device, flip-flops at least by their number a LUT.
    All,
    /// Some of them; the text says which.
    Part(&'static str),
    /// None.
    Nothing,
}

/// A device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// The names that it goes by; the first is the one that is shown.
    pub names: &'static [&'static str],
    /// Its family.
    pub family: DeviceFamily,
    /// What it has.
    pub sites: Sites,
    /// The processor's memory; none where memory is the board's matter.
    pub memory: Option<ProcessorMemory>,
    /// How far its figures have been checked.
    pub check: Check,
}

/// Four HP and two HPC ports; DDR4 of 2400 megatransfers a second, 64 bits wide.
const ZYNQ_MEMORY: ProcessorMemory = ProcessorMemory { ports: 6, peak_mb_s: 19_200 };

const fn device(
    names: &'static [&'static str],
    family: DeviceFamily,
    sites: [u32; 5],
    check: Check,
) -> Device {
    let [lut, ff, bram18, uram, dsp] = sites;
    let memory = match family {
        DeviceFamily::ZynqMp => Some(ZYNQ_MEMORY),
        DeviceFamily::UltraScalePlus | DeviceFamily::Ecp5 => None,
    };
    Device { names, family, sites: Sites { lut, ff, bram18, uram, dsp }, memory, check }
}

/// Every device that is known, by family and size: LUT, FF, block RAM of 18 Kb, UltraRAM, DSP.
pub const DEVICES: &[Device] = &[
    device(&["ZU1EG", "ZU1CG"], ZynqMp, [37_440, 74_880, 216, 0, 216], Nothing),
    device(&["ZU2EG", "ZU2CG"], ZynqMp, [47_232, 94_464, 300, 0, 240], Nothing),
    device(&["ZU3EG", "ZU3CG"], ZynqMp, [70_560, 141_120, 432, 0, 360], All),
    device(&["ZU4EV", "ZU4EG", "ZU4CG"], ZynqMp, [87_840, 175_680, 256, 48, 728], Part("LUT, FF, BRAM")),
    device(&["ZU5EV", "ZU5EG", "ZU5CG"], ZynqMp, [117_120, 234_240, 288, 64, 1_248], All),
    device(&["K26", "KV260", "KR260"], ZynqMp, [117_120, 234_240, 288, 64, 1_248], All),
    device(&["ZU6EG", "ZU6CG"], ZynqMp, [214_604, 429_208, 1_428, 0, 1_973], Nothing),
    device(&["ZU7EV", "ZU7EG", "ZU7CG"], ZynqMp, [230_400, 460_800, 624, 96, 1_728], All),
    device(&["ZU9EG", "ZU9CG"], ZynqMp, [274_080, 548_160, 1_824, 0, 2_520], All),
    device(&["ZU11EG"], ZynqMp, [298_560, 597_120, 1_200, 80, 2_928], Nothing),
    device(&["ZU15EG"], ZynqMp, [341_280, 682_560, 1_488, 112, 3_528], All),
    device(&["ZU17EG"], ZynqMp, [423_403, 846_806, 1_592, 102, 1_590], Nothing),
    device(&["ZU19EG"], ZynqMp, [522_720, 1_045_440, 1_968, 128, 1_968], All),
    device(&["AU7P"], UltraScalePlus, [37_440, 74_880, 216, 0, 216], Nothing),
    device(&["AU10P"], UltraScalePlus, [44_000, 88_000, 200, 0, 400], Nothing),
    device(&["AU15P"], UltraScalePlus, [77_760, 155_520, 288, 0, 576], Nothing),
    device(&["AU25P"], UltraScalePlus, [141_000, 282_000, 600, 0, 1_200], Part("LUT")),
    device(&["KU3P"], UltraScalePlus, [162_720, 325_440, 720, 48, 1_368], Nothing),
    device(&["KU5P"], UltraScalePlus, [216_960, 433_920, 960, 64, 1_824], Part("LUT, BRAM, UltraRAM")),
    device(&["KU9P"], UltraScalePlus, [274_080, 548_160, 1_824, 0, 2_520], Nothing),
    device(&["KU11P"], UltraScalePlus, [298_560, 597_120, 1_200, 80, 2_928], Nothing),
    device(&["KU13P"], UltraScalePlus, [341_280, 682_560, 1_488, 112, 3_528], Nothing),
    device(&["KU15P"], UltraScalePlus, [522_720, 1_045_440, 1_968, 128, 1_968], Nothing),
    device(&["VU3P"], UltraScalePlus, [394_080, 788_160, 1_440, 320, 2_280], All),
    device(&["VU9P"], UltraScalePlus, [1_182_240, 2_364_480, 4_320, 960, 6_840], All),
    device(&["LFE5U-25F", "LFE5UM-25F"], Ecp5, [24_288, 24_288, 56, 0, 28], All),
    device(&["LFE5U-45F", "LFE5UM-45F"], Ecp5, [43_848, 43_848, 108, 0, 72], All),
    device(&["LFE5U-85F", "LFE5UM-85F"], Ecp5, [83_640, 83_640, 208, 0, 156], All),
];

/// A name as it is looked up: capitals, without the vendor's `XC` and without package, speed and grade.
fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_uppercase();
    name.strip_prefix("XC").unwrap_or(&name).to_owned()
}

impl Device {
    /// The name that is shown.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.names[0]
    }

    /// The device with a name, short (`ZU3EG`) or as it is ordered (`xczu3eg-sbva484-1-e`).
    ///
    /// # Errors
    /// The names that are nearest to it, the likeliest first.
    pub fn find(name: &str) -> Result<(&'static str, &'static Device), Vec<&'static str>> {
        let asked = plain(name);
        let all = || DEVICES.iter().flat_map(|device| device.names.iter().map(move |name| (*name, device)));
        let is_asked = |name: &str| {
            asked.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        all().find(|(name, _)| is_asked(name)).ok_or_else(|| {
            let likeness = |name: &str| strsim::jaro_winkler(name, &asked);
            let mut names: Vec<_> = all().map(|(name, _)| name).collect();
            names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
            names.truncate(NEAR_NAMES);
            names
        })
    }
}

/// How many names stand in for one that is not known.
const NEAR_NAMES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_found_as_they_are_written_and_ordered() {
        for (asked, name) in [
            ("ZU3EG", "ZU3EG"),
            ("zu3cg", "ZU3CG"),
            ("xczu3eg-sbva484-1-e", "ZU3EG"),
            ("XCK26-SFVC784-2LV-C", "K26"),
            ("kv260", "KV260"),
            ("lfe5u-85f-6bg381c", "LFE5U-85F"),
            ("xcku5p-ffvb676-2-i", "KU5P"),
        ] {
            assert_eq!(Device::find(asked).map(|(found, _)| found), Ok(name), "{asked}");
        }
        let near = Device::find("ZU3").unwrap_err();
        assert!(near.contains(&"ZU3EG") && near.contains(&"ZU3CG"), "{near:?}");
        assert!(Device::find("LFE5U-58F").unwrap_err().contains(&"LFE5U-85F"));
        assert!(Device::find("").is_err());
    }

    /// What stands above and below the table of the page.
    const ABOVE: &str = "<!-- Made from the table of devices. UPDATE_DOCS=1 cargo test -p tmu-spec writes it anew. -->

# Devices

Devices that `tmugen check --device` knows ([how to](../book/how-to/device.md)), by any of their names or as they are ordered \
(`xczu3eg-sbva484-1-e`). Block RAM is counted in units of 18 Kb, of which a RAMB36E2 has two; ECP5 calls them EBR. A LUT has six \
inputs, in ECP5 four; a DSP slice multiplies 27 x 18 bits, in ECP5 18 x 18. Kits with a core's device on it go by the device's name.

";
    const BELOW: &str = "
The figures are meant to be those of the vendors' product tables (AMD: DS891, DS890, DS931 and DS987; Lattice: FPGA-DS-02012). Those were \
not at hand when the table was written. The last column says which figures have been held against what others have published of the \
device: utilisation reports of Vivado, Vitis HLS, Diamond and nextpnr, which name the sites that are available, and tables in public \
repositories; ZU5EV is the chip of K26. **Where it says `none`, no figure of the row has been confirmed**, and `tmugen check` notes it. The vendor's own tables decide.

Memory of a Zynq UltraScale+ is reached by four `S_AXI_HP` and two `S_AXI_HPC` ports of 128 bits (UG1085), a core each, and gives at \
most what DDR4 of 2400 MT/s at 64 bits does: 19200 MB/s. Boards with slower or narrower memory are told by `--memory-mb-s`, as are \
those of the other devices, where memory is not the device's matter.
";

    fn page() -> String {
        let mut page = ABOVE.to_owned();
        page += "| names | family | LUT | FF | BRAM 18 Kb | UltraRAM | DSP | checked |\n";
        page += "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n";
        for Device { names, family, sites, check, .. } in DEVICES {
            let checked = match check {
                All => "all".to_owned(),
                Part(what) => (*what).to_owned(),
                Nothing => "none".to_owned(),
            };
            let Sites { lut, ff, bram18, uram, dsp } = sites;
            let names = names.join(", ");
            let family = family.name();
            page +=
                &format!("| {names} | {family} | {lut} | {ff} | {bram18} | {uram} | {dsp} | {checked} |\n");
        }
        page + BELOW
    }

    #[test]
    fn the_page_of_devices_is_the_table() {
        let command = "cargo test -p tmu-spec";
        tmu_testing::check_committed("docs/reference/devices.md", &page(), "UPDATE_DOCS", command);
    }

    #[test]
    fn every_name_stands_once_and_every_figure_is_one_of_its_family() {
        let names: Vec<_> = DEVICES.iter().flat_map(|device| device.names).collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
        for Device { names, family, sites, memory, .. } in DEVICES {
            // A LUT has two flip-flops beside it, in ECP5 one.
            let registers = if *family == DeviceFamily::Ecp5 { sites.lut } else { 2 * sites.lut };
            assert_eq!(sites.ff, registers, "{names:?}");
            assert!(sites.lut > 0 && sites.bram18 > 0 && sites.dsp > 0, "{names:?}");
            assert_eq!(memory.is_some(), *family == DeviceFamily::ZynqMp, "{names:?}");
        }
    }
}
