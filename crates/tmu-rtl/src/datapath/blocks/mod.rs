//! Block decompression: from compressed tiles, as memory and the cache have them, to the texels of taps.
//!
//! A block of 8 or 16 bytes is a tile of 4 x 4 texels. Two stages share the work: [`block_header`](header) does once a tile what
//! its texels have in common, [`block_texel`](texel) once a tap what is left. Both flow freely, take a block or a texel each clock
//! and have a latency that does not depend on formats. What passes between them is a [`Header`]; what leaves is a [`BlockColor`].
//! Any bytes are a block.
//!
//! | module | holds |
//! | --- | --- |
//! | `formats` | the formats, and which of them are built |
//! | [`record`] | the words |
//! | [`header`] | `block_header`: puts together what the families say |
//! | [`texel`] | `block_texel`: picks indices, puts channels in their places |
//! | `blend` | colours: a base and a distance from it |
//! | `values` | channels of values: BC4, BC5, EAC, and alpha of other formats |
//! | `bc`, `bc7`, `bc7_indices`, `etc2`, `eac` | what only a family has |
//! | `select` | choices, tables, division: what all are made of |
//!
//! # What is done where
//!
//! | | once a tile | once a texel |
//! | --- | --- | --- |
//! | BC1 to BC3, colours | all four, the two between by exact division | one is chosen |
//! | values of BC3, BC4, BC5 | end points are ordered and subtracted | `base + index * step / 7` or `/ 5`, exactly |
//! | EAC | taken apart | `base + modifier * multiplier`, limited |
//! | BC2, alpha | taken apart | four bits as eight |
//! | ETC2, colours | mode, base colours, differences down a plane | base and step of brightness; in a plane two products |
//! | BC7 | end points at 8 bits, indices in their places, numbers of end points | end points are chosen and blended |
//!
//! Wires from headers to texels cost as much as LUTs do, where a texel chooses among several tiles: so a header has end points and
//! no table of what lies between, but for the colours of BC1, which take fewer LUTs to choose than to make: 65 bits for BC4,
//! 129 for BC1, 211 for BC1 to BC3, 273 for BC7, 353 for all. A texel decoder that
//! serves one place of a tile only may tie `texel` to it: then the choice among indices costs nothing.
//!
//! # Channels
//!
//! BC1 to BC3, BC7 and ETC2 have 8 bits a channel, BC4 and BC5 8 bits in R, or R and G, EAC 11 bits there, which
//! [`BlockColor::is_eleven`] tells. All stand in the low bits. A colour that the format has not is 0, alpha that it has not is 255.
//! Transparent texels of BC1 and ETC2, and those of a BC7 block of the reserved mode, are 0 in all channels.
//!
//! # Cost
//!
//! Latency [`BlockHeader::LATENCY_CLOCKS`] and [`BlockTexel::LATENCY_CLOCKS`], 3 and 7 clocks; initiation interval 1; no
//! multiplier and no memory. LUTs, flip-flops and levels in front of registers as Yosys 0.70 estimates them for UltraScale+, of
//! a header and of a texel built for these formats alone:
//!
//! | formats | header: LUTs | flip-flops | levels | texel: LUTs | flip-flops | levels |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | BC1 | 143 | 314 | 4 | 39 | 249 | 3 |
//! | BC1 to BC3 | 282 | 546 | 4 | 140 | 390 | 3 |
//! | BC4 and BC5 | 50 | 423 | 2 | 160 | 262 | 4 |
//! | EAC | 2 | 389 | 1 | 160 | 286 | 3 |
//! | BC1 to BC5 and EAC | 364 | 743 | 4 | 296 | 600 | 5 |
//! | ETC2 without 8 bits of alpha | 151 | 293 | 4 | 239 | 523 | 4 |
//! | ETC2 | 215 | 487 | 4 | 307 | 643 | 4 |
//! | BC7 | 737 | 709 | 4 | 379 | 705 | 4 |
//! | BC1 to BC5 and BC7 | 1162 | 1068 | 5 | 546 | 971 | 4 |
//! | all | 1403 | 1148 | 5 | 719 | 1161 | 4 |
//!
//! What is not built leaves nothing behind: words get narrower, and ways shorter.
//!
//! [`BlockHeader::of_lines`] takes lines of 16 bytes, with blocks of 8 bytes in either half. Colours that are not compressed go through
//! [`BlockTexel::with_plain`] as well.

mod bc;
mod bc7;
mod bc7_indices;
mod blend;
mod eac;
mod etc2;
mod formats;
pub mod header;
pub mod record;
pub(super) mod select;
pub mod texel;
mod values;

pub use formats::{BlockFormats, CODE_BITS, Compressed};
pub use header::BlockHeader;
pub use record::{BlockColor, Header};
pub use texel::BlockTexel;

/// Texels of a tile.
pub const TEXELS: usize = 16;
