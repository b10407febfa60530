//! Every setting, documented where it is defined. The reference page is made from this file.

use super::choice::{AxiClock, CacheKind, Family, RamStyle, Replacement};
use super::engines::{EngineSet, EngineSettings};
use super::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use super::value::{Limit, Value};
use crate::general::features::{OperationName, Sizes};
use crate::general::field::STORE_ENTRIES;
use crate::general::texture::MAX_SIZE;
use crate::general::{Kind, Numbers, ResultNumbers};
use crate::level_offset::MAX_SIZE_LOG2;
use crate::{AddressMode, Format};
use toml::de::DeTable;

group! {
    /// The whole of the hardware.
    WholeSettings, "", "" {
        /// Names the emitted hardware: the top module and its files start with it.
        name: String = "tmu".to_owned(), Limit::Any;
        /// Texture units. Each has its own request and result stream and its own cache; all share the memory
        /// port and the control port.
        units: u64 = 1, Limit::Range(1, 16);
        /// What is built: texture units, other engines, or several of them. They share memory port, control port and resets.
        /// Each engine but `sampler` has a table of its own; without `sampler` there are no texture units, and what is set for
        /// them is without effect.
        engines: EngineSet = EngineSet::default(), Limit::Any;
    }
}

group! {
    /// Clock frequencies, for the timing constraints. The clocks have no relation to each other.
    ClockSettings, "clock", "clock." {
        /// Clock of the request and result streams and of the control port, in MHz.
        core_mhz: u64 = 400, Limit::Range(1, 1000);
        /// Clock of everything between the FIFOs, in MHz.
        tmu_mhz: u64 = 480, Limit::Range(1, 1000);
        /// Clock of the memory port, in MHz: needed with `axi.clock = "own"`, refused otherwise.
        memory_mhz: Option<u64> = None, Limit::Range(1, 1000);
    }
}

group! {
    /// What can be sampled. Whatever is left out leaves no logic behind, and a binding that asks for it is an
    /// error. A configuration that asks for more than the classic numerics have (two dimensions, powers of two up to 2048, the
    /// formats `rgba8`, `rgb8`, `i8_rgba8`, `i8_rgb8` and `rgb565`, the modes wrap, clamp and mirror, bilinear filtering of one
    /// level, 8 bits in, through and out) follows the [general numerics](general.md) for everything.
    TextureSettings, "texture", "texture." {
        /// Formats of textures.
        formats: Vec<Format> = Format::DEFAULT.to_vec(), Limit::Any;
        /// What happens to coordinates outside the texture.
        address_modes: Vec<AddressMode> = AddressMode::CLASSIC.to_vec(), Limit::Any;
        /// Bilinear filtering: four weighted taps a pixel.
        bilinear: bool = true, Limit::Any;
        /// Choice of the level by the pixel's footprint.
        mipmaps: bool = true, Limit::Any;
        /// Log2 of the longest side of a texture in texels.
        max_size_log2: u64 = u64::from(MAX_SIZE_LOG2), Limit::Range(2, MAX_SIZE.ilog2() as u64);
        /// Kinds of textures.
        kinds: Vec<Kind> = vec![Kind::D2], Limit::Any, later;
        /// Sides of textures: powers of two, or any.
        sizes: Sizes = Sizes::PowerOfTwo, Limit::Any, later;
        /// Weighting of two levels. Needs `mipmaps`.
        trilinear: bool = false, Limit::Any, later;
        /// [Ripmaps](general.md#ripmaps): levels along u and v are chosen each by itself. Needs `mipmaps` and the kind `2d`.
        ripmaps: bool = false, Limit::Any, later;
        /// Most probes along the longer axis of a footprint; 1 for none.
        max_anisotropy: u64 = 1, Limit::OneOf(&[1, 2, 4, 8, 16]), later;
        /// Comparison of depths with a reference, each tap before it is weighted.
        compare: bool = false, Limit::Any, later;
        /// Decoding of sRGB-coded colours before they are weighted. Needs `filter.channel_bits = 16`.
        srgb: bool = false, Limit::Any, later;
        /// Channels of a result that show other components of the texel.
        swizzle: bool = false, Limit::Any, later;
        /// [Indirect look-ups](general.md#indirect-look-ups): one to four texels of a texture are the places of texels in a second
        /// one, which come back one by one or as one. Needs a kind `1d` or `2d`, and a format of whole numbers whose components can
        /// be places.
        indirect: bool = false, Limit::Any, later;
        /// Entries of the [parameter store](general.md#parameter-store): textures with their samplers that are kept in each unit, so
        /// that a packet of one beat takes the place of a binding. 0 for none.
        store_entries: u64 = 0, Limit::OneOf(&STORE_ENTRIES), later;
    }
}

group! {
    /// The request stream of each unit.
    RequestSettings, "request", "request." {
        /// Beats that carry one quad: 2 with 136 bits of `tdata`, or 1 with 264 bits, in the general numerics up to 776. Four pixels a
        /// clock need 1.
        beats_per_quad: u64 = 2, Limit::OneOf(&[1, 2]);
        /// Depth of the FIFO between the clocks, in beats.
        fifo_depth: u64 = 16, Limit::PowerOfTwo(4, 4096);
        /// Form of coordinates: two's complement with 16 bits behind the point, or IEEE singles.
        numbers: Numbers = Numbers::S16p16, Limit::Any, later;
        /// Division of coordinates by a fourth number, q.
        projective: bool = false, Limit::Any, later;
        /// What a request may ask for: a sample, one at an explicit level of detail, one with a bias, a texel by its integer
        /// coordinates, or one component of the four texels under a footprint.
        operations: Vec<OperationName> = vec![OperationName::Sample], Limit::Any, later;
    }
}

group! {
    /// The result stream of each unit.
    ResultSettings, "result", "result." {
        /// Depth of the FIFO between the clocks, in quads.
        fifo_depth: u64 = 16, Limit::PowerOfTwo(4, 4096);
        /// Form of the channels of a result.
        numbers: ResultNumbers = ResultNumbers::Unorm8, Limit::Any, later;
    }
}

group! {
    /// The filter.
    FilterSettings, "filter", "filter." {
        /// Bits of a channel from the decoded texel to the sample.
        channel_bits: u64 = 8, Limit::OneOf(&[8, 16]), later;
    }
}

group! {
    /// How much of a unit there is.
    DatapathSettings, "datapath", "datapath." {
        /// Pixels that enter each clock, with `cache.kind = "prefetch"`: 1, or 4, a quad whose texels lie close enough
        /// together. `blocking` takes several clocks a pixel, whatever this says, and refuses 4.
        pixels_per_clock: u64 = 1, Limit::OneOf(&[1, 4]);
    }
}

group! {
    /// The texture cache of each unit.
    CacheSettings, "cache", "cache." {
        /// What the cache does on a miss, and with it how the unit works. `blocking` looks up one tap a clock,
        /// holds lines, and stops until a missing line has come. `prefetch` looks up whole footprints, holds 4 x 4
        /// tiles, reads ahead, and takes `datapath.pixels_per_clock` pixels a clock.
        kind: CacheKind = CacheKind::Blocking, Limit::Any;
        /// Lines (`blocking`) or tiles (`prefetch`) that a set holds.
        ways: u64 = 4, Limit::OneOf(&[1, 2, 4, 8]);
        /// Number of sets; set and way together name a line or tile. `prefetch` divides them over four banks.
        sets: u64 = 1024, Limit::PowerOfTwo(16, 4096);
        /// Pixels, or quads where four pixels enter in a clock, that may wait between their tags and their texels, with
        /// `prefetch`: to hide memory altogether, its latency in clocks and 64 more. Without effect on `blocking`.
        queue_depth: u64 = 512, Limit::PowerOfTwo(64, 4096);
        /// Size of a line in bits: that of one transfer on the memory port.
        line_bits: u64 = 128, Limit::OneOf(&[128]);
        /// Which way of a full set gives up its line; ways that hold none are filled first. `plru_random`: one
        /// bit a set names the half of the ways used less recently, and free-running bits choose within it.
        /// `random`: free-running bits choose. `round_robin`: the way filled longest ago. Without effect on one way.
        replacement: Replacement = Replacement::PlruRandom, Limit::Any;
        /// What tags are kept in. UltraRAM would be wasted on them: its 4096 words of 72 bits cannot be made smaller.
        tag_ram: RamStyle = RamStyle::Block, Limit::Names(&["block", "distributed"]);
        /// What lines are kept in. Families without UltraRAM refuse `ultra`; there `block` is the default.
        data_ram: RamStyle = RamStyle::Ultra, Limit::Any;
        /// Lines of a fully associative cache, of four tiles each, one in each bank: a tile may stand in any of them. A bank gives
        /// up the tile that it has held longest. 0: `ways` and `sets` say where a tile may stand; otherwise they, `replacement` and
        /// `tag_ram` are without effect. For `prefetch` in the general numerics.
        associative_lines: u64 = 0, Limit::OneOf(&[0, 16, 32, 64]), later;
    }
}

group! {
    /// The memory port: AXI4, 128 bits of data, shared by all units; write channels only where an engine writes.
    AxiSettings, "axi", "axi." {
        /// Width of an address in bits.
        address_bits: u64 = 40, Limit::Range(32, 64);
        /// Width of an ID in bits. The ID tells the units apart.
        id_bits: u64 = 4, Limit::Range(1, 16);
        /// Lines (`blocking`) or tiles (`prefetch`) that each unit may have in flight. The blocking cache has one.
        outstanding_reads: u64 = 1, Limit::Range(1, 256);
        /// Clock of the port: `tmu` for the units' clock, `own` for a clock of its own.
        clock: AxiClock = AxiClock::Tmu, Limit::Any;
        /// Byte address of the texture window of 2 GiB, to which texture addresses are added.
        /// With a control port it is the reset value of a register.
        window_base: u64 = 0, Limit::MultipleOf(4096);
        /// Value of `ARCACHE` of every read, and of `AWCACHE` of every write.
        arcache: u64 = 3, Limit::Range(0, 15);
        /// Value of `ARPROT` of every read, and of `AWPROT` of every write.
        arprot: u64 = 0, Limit::Range(0, 7);
        /// Value of `ARQOS` of every read, and of `AWQOS` of every write.
        arqos: u64 = 0, Limit::Range(0, 15);
    }
}

group! {
    /// The control port: AXI4-Lite, 32 bits, on the core clock.
    ControlSettings, "control", "control." {
        /// Whether there is a control port.
        port: bool = true, Limit::Any;
        /// Whether each unit counts quads, pixels, lookups, hits, misses and stalls. Needs the control port.
        counters: bool = true, Limit::Any;
        /// Whether there is a [bring-up kit](../book/how-to/first-light.md) behind the control port: a generator of quads, a
        /// CRC of results, a probe of the memory port and a capture of requests. Needs the control port and texture units.
        bring_up: bool = false, Limit::Any, later;
        /// Whether entries of the [parameter store](general.md#written-over-the-control-port) are written over the control port, beside packets of the
        /// request stream. Needs the control port and `texture.store_entries`.
        store_port: bool = false, Limit::Any, later;
        /// Whether they are loaded [from a table in memory](general.md#loaded-from-memory), too. Needs `control.store_port`. It is one more channel
        /// to memory, whose number stands in `ARID` behind those of the texture units.
        store_table: bool = false, Limit::Any, later;
    }
}

group! {
    /// The device that the output is written for.
    DeviceSettings, "device", "device." {
        /// Device family. `ultrascale+` and `zynqmp` differ in constraints alone. `series7` has no UltraRAM. `ecp5` has none either, and
        /// multipliers of 18 x 18 bits, which are instantiated with their registers; what is emitted for it computes the same, bit for bit, and
        /// classic units that prefetch have more registers, so that results come some clocks later. Vivado's files are left out.
        family: Family = Family::ZynqMp, Limit::Any;
    }
}

/// All groups, in the order in which they are read, written and documented.
macro_rules! groups {
    ($($field:ident: $group:ident),*) => {
        /// A configuration as it was read, each key legal by itself or reported.
        #[derive(Debug, Clone)]
        pub(super) struct Settings {
            pub(super) whole: WholeSettings,
            $( pub(super) $field: $group, )*
            pub(super) engines: EngineSettings,
        }

        impl Settings {
            /// Reads every group; what is wrong goes to the reader.
            pub(super) fn read(reader: &mut Reader<'_>, file: &mut DeTable<'_>) -> Self {
                let of_engines = EngineSettings::known();
                let known = [&[$( stringify!($field) ),*], WholeSettings::KEYS, $( $group::KEYS, )* &of_engines].concat();
                let engines = EngineSettings::read(reader, file, &known);
                $(
                    let mut table = reader.take_table(file, stringify!($field));
                    let $field = $group::read(reader, &mut table, &known);
                )*
                // The known tables have been taken, so what is left here is a key or unknown.
                let whole = WholeSettings::read(reader, file, &known);
                Self { whole, $($field,)* engines }
            }

            /// Every key with its value as TOML, in a fixed order and form.
            pub(super) fn to_toml(&self) -> String {
                let mut out = String::new();
                self.whole.write(&mut out);
                $( self.$field.write(&mut out); )*
                self.engines.write(&self.whole.engines.value, &mut out);
                out
            }

            /// What the reference page says about every group.
            pub(super) fn docs() -> Vec<GroupDoc> {
                vec![WholeSettings::doc(), $( $group::doc() ),*]
            }
        }
    };
}

groups! {
    clock: ClockSettings,
    texture: TextureSettings,
    request: RequestSettings,
    result: ResultSettings,
    datapath: DatapathSettings,
    filter: FilterSettings,
    cache: CacheSettings,
    axi: AxiSettings,
    control: ControlSettings,
    device: DeviceSettings
}

impl Settings {
    /// Gives keys that are absent the defaults of the device family, where those are other than everywhere else.
    pub(super) fn fit_defaults_to_family(&mut self) {
        let data = &mut self.cache.data_ram;
        if data.span.is_none() && !self.device.family.value.has_ultra_ram() {
            data.value = RamStyle::Block;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_meaning() {
        for group in Settings::docs() {
            assert!(!group.text.is_empty(), "[{}] has no doc comment", group.table);
            for key in group.keys {
                assert!(key.text.concat().trim().len() > 10, "{} has no doc comment", key.key);
            }
        }
    }
}
