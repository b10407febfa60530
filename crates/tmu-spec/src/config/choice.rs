//! Settings that are one of a few names.

use crate::choice::impl_choice;

/// What the cache does on a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CacheKind {
    /// Stops until the line has come: FuryGpu's cache.
    Blocking,
    /// Looks tags up ahead of the data and keeps many misses in flight.
    Prefetch,
}

impl_choice!(CacheKind, "a cache kind", Blocking = "blocking", Prefetch = "prefetch");

/// Which way of a full set gives up its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// One bit a set names the half of the ways used less recently; free-running bits choose within it.
    PlruRandom,
    /// Free-running bits choose.
    Random,
    /// Each set has a counter that names the way filled longest ago.
    RoundRobin,
}

impl_choice!(
    Replacement,
    "a replacement policy",
    PlruRandom = "plru_random",
    Random = "random",
    RoundRobin = "round_robin",
);

/// The memory that a RAM is built of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RamStyle {
    /// Block RAM: 36 Kb each, two ports.
    Block,
    /// LUTs used as RAM.
    Distributed,
    /// UltraRAM: 288 Kb each, 4096 words of 72 bits.
    Ultra,
}

impl_choice!(RamStyle, "a RAM style", Block = "block", Distributed = "distributed", Ultra = "ultra");

/// The clock of the memory port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AxiClock {
    /// The texture units' clock.
    Tmu,
    /// `m_axi_aclk`, which has no relation to the others.
    Own,
}

impl_choice!(AxiClock, "a clock of the memory port", Tmu = "tmu", Own = "own");

/// The devices that the output is written for: what their sites are decides the form of multipliers and memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Kintex and Virtex UltraScale+.
    UltraScalePlus,
    /// Zynq UltraScale+ MPSoC.
    ZynqMp,
    /// Artix-7, Kintex-7, Virtex-7 and Zynq-7000.
    Series7,
    /// Lattice ECP5.
    Ecp5,
}

impl_choice!(
    Family,
    "a device family",
    UltraScalePlus = "ultrascale+",
    ZynqMp = "zynqmp",
    Series7 = "series7",
    Ecp5 = "ecp5",
);

impl Family {
    /// Whether its devices have UltraRAM; none of the smallest has, of any family.
    #[must_use]
    pub const fn has_ultra_ram(self) -> bool {
        matches!(self, Family::UltraScalePlus | Family::ZynqMp)
    }

    /// Whether handshakes are cut by more registers than elsewhere: LUTs have four inputs instead of six, and wires are slow.
    #[must_use]
    pub const fn wants_short_paths(self) -> bool {
        matches!(self, Family::Ecp5)
    }

    /// Whether Vivado reads its constraints and packages.
    #[must_use]
    pub const fn is_of_vivado(self) -> bool {
        !matches!(self, Family::Ecp5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    fn names_round_trip<T: Choice + std::fmt::Debug>() {
        for choice in T::CHOICES {
            assert_eq!(T::from_name(choice.name()), Ok(*choice));
        }
        let unknown = T::from_name("none of them").unwrap_err();
        assert!(T::CHOICES.iter().all(|choice| unknown.to_string().contains(choice.name())), "{unknown}");
    }

    #[test]
    fn every_name_finds_its_value() {
        names_round_trip::<CacheKind>();
        names_round_trip::<Replacement>();
        names_round_trip::<RamStyle>();
        names_round_trip::<AxiClock>();
        names_round_trip::<Family>();
        names_round_trip::<crate::Format>();
        names_round_trip::<crate::AddressMode>();
    }
}
