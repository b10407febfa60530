//! What is counted: crosses of axes, and which of their bins a configuration can reach.

use crate::engines::sampler::lengths::can_meet;
use crate::engines::sampler::streams::request::Breakage;
use crate::kit::memory::LengthFault;
use tmu_spec::config::CacheKind;
use tmu_spec::{AddressMode, BeatsPerQuad, BindingRule, Config, Format};

/// Most levels and sizes: log2 of 1 to 2048 texels.
const SIZES: usize = 12;

/// A quantity with a few values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Format,
    /// The format of the binding before.
    FormatBefore,
    Filter,
    Mipmaps,
    ModeU,
    ModeV,
    Mode,
    /// u or v.
    Direction,
    /// Where a coordinate lies.
    Place,
    Level,
    Width,
    Height,
    Valid,
    /// What the columns of a pixel's footprint span.
    Columns,
    Rows,
    Lookup,
    /// The same, without where a miss goes.
    Found,
    /// Of a texel's first byte in its line.
    Byte,
    ValidPixels,
    Items,
    Answer,
    Rule,
    End,
    Breakage,
    Length,
    Disturbance,
    Load,
}

const FILTERS: [&str; 2] = ["nearest", "bilinear"];
const MIPMAPS: [&str; 2] = ["no mipmaps", "mipmaps"];
const DIRECTIONS: [&str; 2] = ["u", "v"];
const PLACES: [&str; 3] = ["below 0", "in the texture", "at 1 or above"];
const SPANS: [&str; 4] = ["one", "two of a tile", "two tiles", "around the edge"];
const ITEMS: [&str; 2] = ["one item", "pixel by pixel"];
const LOADS: [&str; 2] = ["no reads under way", "reads under way"];

/// What becomes of a look-up in the cache, by the cycle-free model of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookupKind {
    Repeat,
    Hit,
    Fill,
    Replace,
}

/// Among look-ups without the way that a miss goes into.
const FOUND: [&str; 3] = ["repeat", "hit", "miss"];

const LOOKUPS: [&str; 4] = ["repeat", "hit", "miss into a free way", "miss that replaces"];

/// Where the texels lie that an axis of a footprint needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    One,
    InTile,
    TwoTiles,
    Around,
}

/// How a quad is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Sampled,
    TexelFailed,
    TableFailed,
}

const ANSWERS: [&str; 3] = ["sampled", "a texel's read failed", "a colour table's read failed"];

/// Where a texture ends; behind the window it breaks a rule.
const ENDS: [&str; 2] = ["in the texture window", "with the texture window"];

/// What is done to the hardware apart from requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disturbance {
    CoreReset,
    TmuReset,
    MemoryReset,
    SoftReset,
    Invalidation,
}

const DISTURBANCES: [&str; 5] =
    ["reset of core_aclk", "reset of tmu_aclk", "reset of m_axi_aclk", "soft reset", "invalidation"];

impl Axis {
    pub(super) const fn values(self) -> usize {
        match self {
            Axis::Format | Axis::FormatBefore => Format::CLASSIC.len(),
            Axis::Filter | Axis::Mipmaps | Axis::Direction | Axis::Items | Axis::Load => 2,
            Axis::End => ENDS.len(),
            Axis::ModeU | Axis::ModeV | Axis::Mode => AddressMode::CLASSIC.len(),
            Axis::Place => PLACES.len(),
            Axis::Level | Axis::Width | Axis::Height => SIZES,
            Axis::Valid | Axis::Byte => 16,
            Axis::Columns | Axis::Rows => SPANS.len(),
            Axis::Lookup => LOOKUPS.len(),
            Axis::Found => FOUND.len(),
            Axis::ValidPixels => 4,
            Axis::Answer => ANSWERS.len(),
            Axis::Rule => BindingRule::ALL.len(),
            Axis::Breakage => Breakage::CLASSIC.len(),
            Axis::Length => LengthFault::KINDS.len(),
            Axis::Disturbance => DISTURBANCES.len(),
        }
    }

    /// What the axis is.
    const fn name(self) -> &'static str {
        match self {
            Axis::Format => "format",
            Axis::FormatBefore => "format before",
            Axis::Filter => "filter",
            Axis::Mipmaps => "mipmaps",
            Axis::ModeU => "mode of u",
            Axis::ModeV => "mode of v",
            Axis::Mode => "address mode",
            Axis::Direction => "direction",
            Axis::Place => "coordinate",
            Axis::Level => "level",
            Axis::Width => "width",
            Axis::Height => "height",
            Axis::Valid => "valid bits",
            Axis::Columns => "columns of a footprint",
            Axis::Rows => "rows of a footprint",
            Axis::Lookup | Axis::Found => "look-up",
            Axis::Byte => "first byte of a texel in its line",
            Axis::ValidPixels => "valid pixels",
            Axis::Items => "items",
            Axis::Answer => "answer",
            Axis::Rule => "rule that a binding breaks",
            Axis::End => "end of a texture",
            Axis::Breakage => "packet of the wrong length",
            Axis::Length => "answer of memory of the wrong length",
            Axis::Disturbance => "disturbance",
            Axis::Load => "memory",
        }
    }

    /// One of its values in words.
    fn value(self, number: usize) -> String {
        match self {
            Axis::Format | Axis::FormatBefore => Format::CLASSIC[number].to_string(),
            Axis::Filter => FILTERS[number].to_owned(),
            Axis::Mipmaps => MIPMAPS[number].to_owned(),
            Axis::ModeU | Axis::ModeV | Axis::Mode => AddressMode::CLASSIC[number].to_string(),
            Axis::Direction => DIRECTIONS[number].to_owned(),
            Axis::Place => PLACES[number].to_owned(),
            Axis::Level => format!("level {number}"),
            Axis::Width => format!("width 2^{number}"),
            Axis::Height => format!("height 2^{number}"),
            Axis::Valid => format!("valid bits {number:04b}"),
            Axis::Columns => format!("columns: {}", SPANS[number]),
            Axis::Rows => format!("rows: {}", SPANS[number]),
            Axis::Lookup => LOOKUPS[number].to_owned(),
            Axis::Found => FOUND[number].to_owned(),
            Axis::Byte => format!("byte {number}"),
            Axis::ValidPixels => format!("{} valid pixels", number + 1),
            Axis::Items => ITEMS[number].to_owned(),
            Axis::Answer => ANSWERS[number].to_owned(),
            Axis::Rule => BindingRule::ALL[number].to_string(),
            Axis::End => ENDS[number].to_owned(),
            Axis::Breakage => Breakage::CLASSIC[number].name().to_owned(),
            Axis::Length => LengthFault::KINDS[number].name().to_owned(),
            Axis::Disturbance => DISTURBANCES[number].to_owned(),
            Axis::Load => LOADS[number].to_owned(),
        }
    }

    /// Whether a configuration has this value.
    fn is_built(self, config: &Config, number: usize) -> bool {
        let features = config.features();
        match self {
            Axis::Format | Axis::FormatBefore => features.has_format(Format::CLASSIC[number]),
            Axis::Filter => number == 0 || features.bilinear(),
            Axis::Mipmaps => number == 0 || features.mipmaps(),
            Axis::ModeU | Axis::ModeV | Axis::Mode => features.has_address_mode(AddressMode::CLASSIC[number]),
            Axis::Level | Axis::Width | Axis::Height => number <= features.max_size_log2() as usize,
            Axis::Columns | Axis::Rows => match number {
                number if number == Reach::One as usize => true,
                number if number == Reach::InTile as usize => features.bilinear(),
                number if number == Reach::TwoTiles as usize => {
                    features.bilinear() && features.max_size_log2() > 2
                }
                _ => features.bilinear() && features.has_address_mode(AddressMode::Wrap),
            },
            Axis::Items => number == 0 || config.datapath().takes_quads(),
            // With every feature built, nothing can be asked for that is not.
            Axis::Rule => {
                BindingRule::ALL[number] != BindingRule::Feature
                    || !features.bilinear()
                    || !features.mipmaps()
            }
            Axis::Breakage => {
                Breakage::CLASSIC[number] != Breakage::QuadTooShort
                    || config.request().beats_per_quad() == BeatsPerQuad::Two
            }
            Axis::Length => can_meet(LengthFault::KINDS[number], config),
            Axis::Disturbance => match number {
                number if number == Disturbance::MemoryReset as usize => {
                    config.clocks().memory_mhz().is_some()
                }
                number if number > Disturbance::MemoryReset as usize => config.control().port(),
                _ => true,
            },
            _ => true,
        }
    }
}

/// Axes that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cross {
    /// How a texture is sampled.
    Sampler,
    /// Levels that were sampled with mipmaps.
    Level,
    /// Sizes of textures.
    Size,
    /// Quads of which not all pixels are valid.
    Partial,
    /// Where a footprint lies among tiles, and what the cache makes of its quad.
    Footprint,
    /// What the cache makes of look-ups.
    Lookup,
    /// Where coordinates lie.
    Coordinate,
    /// Texels of three bytes, which may lie across two lines.
    Byte,
    /// Quads that pass as one item or not.
    Item,
    /// Bindings while quads of the one before are under way.
    Rebinding,
    /// What becomes of reads that fail.
    Answer,
    /// Textures up to the end of the texture window.
    End,
    /// Bindings that are refused.
    Rule,
    /// Packets of the wrong length.
    Packet,
    /// Answers of memory of the wrong length.
    Length,
    /// Resets and commands.
    Disturbance,
}

impl Cross {
    /// All of them.
    pub const ALL: [Cross; 16] = [
        Cross::Sampler,
        Cross::Level,
        Cross::Size,
        Cross::Partial,
        Cross::Footprint,
        Cross::Lookup,
        Cross::Coordinate,
        Cross::Byte,
        Cross::Item,
        Cross::Rebinding,
        Cross::Answer,
        Cross::End,
        Cross::Rule,
        Cross::Packet,
        Cross::Length,
        Cross::Disturbance,
    ];

    pub(super) const fn axes(self) -> &'static [Axis] {
        match self {
            Cross::Sampler => &[Axis::Format, Axis::Filter, Axis::Mipmaps, Axis::ModeU, Axis::ModeV],
            Cross::Level => &[Axis::Format, Axis::Filter, Axis::Level],
            Cross::Size => &[Axis::Width, Axis::Height, Axis::Mipmaps],
            Cross::Partial => &[Axis::Format, Axis::Filter, Axis::Valid],
            Cross::Footprint => &[Axis::Format, Axis::Columns, Axis::Rows, Axis::Found],
            Cross::Lookup => &[Axis::Format, Axis::Filter, Axis::Lookup],
            Cross::Coordinate => &[Axis::Mode, Axis::Direction, Axis::Filter, Axis::Place],
            Cross::Byte => &[Axis::Byte],
            Cross::Item => &[Axis::ValidPixels, Axis::Items],
            Cross::Rebinding => &[Axis::FormatBefore, Axis::Format],
            Cross::Answer => &[Axis::Format, Axis::Filter, Axis::Answer],
            Cross::End => &[Axis::Format, Axis::End],
            Cross::Rule => &[Axis::Rule],
            Cross::Packet => &[Axis::Breakage],
            Cross::Length => &[Axis::Length],
            Cross::Disturbance => &[Axis::Disturbance, Axis::Load],
        }
    }

    /// Its axes in words: `format x filter`.
    #[must_use]
    pub fn name(self) -> String {
        self.axes().iter().map(|axis| axis.name()).collect::<Vec<_>>().join(" x ")
    }

    /// Number of bins, reachable or not.
    pub(super) fn bins(self) -> usize {
        self.axes().iter().map(|axis| axis.values()).product()
    }

    /// The number of a bin.
    pub(super) fn bin(self, values: &[usize]) -> usize {
        debug_assert_eq!(values.len(), self.axes().len());
        self.axes().iter().zip(values).fold(0, |bin, (axis, value)| bin * axis.values() + value)
    }

    /// The values of a bin.
    fn values(self, mut bin: usize) -> Vec<usize> {
        let mut values: Vec<_> = self
            .axes()
            .iter()
            .rev()
            .map(|axis| {
                let value = bin % axis.values();
                bin /= axis.values();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// A bin in words.
    pub(super) fn bin_name(self, bin: usize) -> String {
        let values = self.values(bin);
        let words: Vec<_> = self.axes().iter().zip(values).map(|(axis, value)| axis.value(value)).collect();
        words.join(", ")
    }

    /// Whether a configuration can reach a bin.
    pub(super) fn is_reachable(self, config: &Config, bin: usize) -> bool {
        let values = self.values(bin);
        let is_built = self.axes().iter().zip(&values).all(|(axis, value)| axis.is_built(config, *value));
        is_built
            && match self {
                Cross::Level => config.features().mipmaps(),
                Cross::Byte => config.features().formats().any(|format| format.bytes_per_texel() == 3),
                // One pixel is one item, and with a pixel a clock there is nothing to choose.
                Cross::Item => {
                    config.cache().kind() == CacheKind::Prefetch
                        && config.datapath().takes_quads()
                        && !(values[0] == 0 && values[1] == 1)
                }
                Cross::Answer => {
                    let is_indexed = Format::CLASSIC[values[0]].color_table_bytes() > 0;
                    is_indexed || values[2] != Answer::TableFailed as usize
                }
                _ => true,
            }
    }
}
