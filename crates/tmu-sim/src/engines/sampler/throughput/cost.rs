//! What a configuration occupies, from the RAMs and multipliers that its hardware is made of: no synthesis.

use tmu_hdl::diagnostic::Problems;
use tmu_hdl::primitive::{Resource, ResourceKind};
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;

/// Kilobits of half a block RAM, RAMB18E2.
const HALF_BLOCK_RAM_KB: u32 = 18;

/// Kilobits of an UltraRAM, URAM288.
const ULTRA_RAM_KB: u32 = 288;

/// Words and bits that half a block RAM can be divided into.
const HALF_BLOCK_RAM_SHAPES: [(usize, usize); 6] =
    [(512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16_384, 1)];

/// Words and bits of an UltraRAM.
const ULTRA_RAM_SHAPE: (usize, usize) = (4096, 72);

/// Sites of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// RAMB18E2; two make a RAMB36E2.
    pub half_block_rams: u32,
    /// URAM288.
    pub ultra_rams: u32,
    /// Bits kept in LUTs used as RAM.
    pub lut_ram_bits: u64,
    /// DSP48E2.
    pub multipliers: u32,
}

impl Cost {
    /// What the hardware of a configuration occupies.
    ///
    /// # Errors
    /// What the design checks found; a legal configuration has none.
    pub fn of(config: &Config) -> Result<Self, Problems> {
        let mut cost = Self::default();
        let hardware = Hardware::new(config)?;
        let manifest = hardware.manifest();
        manifest
            .rams
            .iter()
            .chain(&manifest.multipliers.instances)
            .for_each(|entry| cost.add(&entry.resource));
        Ok(cost)
    }

    fn add(&mut self, &Resource { kind, depth, width }: &Resource) {
        match kind {
            ResourceKind::BlockRam | ResourceKind::Rom => {
                let fewest =
                    HALF_BLOCK_RAM_SHAPES.map(|shape| sites((depth, width), shape)).into_iter().min();
                self.half_block_rams += fewest.unwrap_or_default();
            }
            ResourceKind::UltraRam => self.ultra_rams += sites((depth, width), ULTRA_RAM_SHAPE),
            ResourceKind::DistributedRam => self.lut_ram_bits += depth as u64 * width as u64,
            ResourceKind::Multiplier => self.multipliers += 1,
        }
    }

    /// Kilobits of all RAM sites, used whole or in part, and of LUTs used as RAM.
    #[must_use]
    pub fn memory_kb(&self) -> f64 {
        let sites = self.half_block_rams * HALF_BLOCK_RAM_KB + self.ultra_rams * ULTRA_RAM_KB;
        f64::from(sites) + self.lut_ram_bits as f64 / 1024.0
    }
}

/// Sites of a shape that a memory takes.
fn sites((depth, width): (usize, usize), (words, bits): (usize, usize)) -> u32 {
    (depth.div_ceil(words) * width.div_ceil(bits)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ram_sites_are_those_that_synthesis_finds() {
        // The README's table, made by Yosys: 18 block RAMs, 8 UltraRAMs, 20 DSP slices.
        let fury = Cost::of(&tmu_spec::Preset::find("fury").unwrap().config().unwrap()).unwrap();
        assert_eq!((fury.half_block_rams, fury.ultra_rams, fury.multipliers), (36, 8, 20));
        assert!(fury.memory_kb() > f64::from(36 * 18 + 8 * 288));
    }

    #[test]
    fn memories_take_the_shape_that_fits_best() {
        let halves = |depth, width| {
            let mut cost = Cost::default();
            cost.add(&Resource { kind: ResourceKind::BlockRam, depth, width });
            cost.half_block_rams
        };
        assert_eq!([halves(512, 36), halves(512, 37), halves(1024, 18), halves(4096, 9)], [1, 2, 1, 2]);
        assert_eq!(sites((4097, 128), ULTRA_RAM_SHAPE), 4);
    }
}
