//! Block decompression.

mod bc;
mod bc7;
mod bc7_indices;
mod blend;
mod eac;
mod etc2;
mod formats;
pub mod header;
pub mod record;
mod select;
pub mod texel;
mod values;

pub use formats::{BlockFormat, BlockFormats, CODE_BITS};
pub use header::BlockHeader;
pub use record::{BlockColor, Header};
pub use texel::BlockTexel;

/// Texels of a tile.
pub const TEXELS: usize = 16;
