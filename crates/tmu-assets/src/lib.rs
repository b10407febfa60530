//! Pictures to texture memory and back: mip chain, tiling, palettes.
//!
//! Data flows through the modules in this order:
//!
//! | module | does |
//! | --- | --- |
//! | `picture` | PNG, JPEG, TGA and BMP to texels and back ([`Picture`]) |
//! | `resize` | sides to powers of two |
//! | `transfer`, `light` | colour codes to linear light weighted by alpha, and back |
//! | `mip` | the chain of levels ([`MipFilter`]) |
//! | `metric`, `cluster`, `palette` | one colour table for the chain ([`quantise`]) |
//! | `texture_image` | the bytes that the hardware reads ([`pack`], [`TextureImage`]) |
//! | `descriptor` | texture files ([`load`], [`descriptor()`]) |
//!
//! Nothing here prints or writes files, and the results do not depend on the number of threads.
//!
//! ```
//! use std::path::Path;
//! use tmu_assets::{MipFilter, PackOptions, Picture, pack};
//! use tmu_spec::Format;
//!
//! let picture = Picture::from_texels(2, 1, vec![[255, 0, 0, 255], [0, 0, 255, 255]]);
//! let options = PackOptions { format: Format::Rgb8, mip_filter: MipFilter::Box, mipmaps: true, dither: false };
//! let image = pack(&picture, &options, Path::new("flag.png"))?;
//! assert_eq!(image.texel(0, 1, 0), [0, 0, 255, 255]);
//! assert_eq!(image.level(1, Path::new("flag.png"))?.texels(), [[188, 0, 188, 255]]);
//! # Ok::<(), tmu_assets::Problems>(())
//! ```

mod cluster;
mod color;
mod descriptor;
mod jpeg;
mod light;
mod metric;
mod mip;
mod palette;
mod picture;
mod problem;
mod read;
mod resize;
#[cfg(test)]
mod testing;
mod texture_image;
mod transfer;

pub use color::Ignored;
pub use descriptor::{descriptor, load, memory_path, parse as parse_descriptor};
pub use mip::{MipFilter, mip_chain};
pub use palette::{IndexedChain, TABLE_ENTRIES, quantise};
pub use picture::{
    Decoded, MAX_DECODE_BYTES, MAX_DECODE_SIDE, Picture, check_picture_name, encode_rgb, is_decoding, psnr_db,
};
pub use problem::{Problem, Problems, Report, Rule, RuleCode};
pub use read::{read_start, read_text, read_whole};
pub use resize::{MAX_SIDE, nearest_power_of_two, resize_to_powers_of_two};
pub use texture_image::{PackOptions, TextureImage, pack};
