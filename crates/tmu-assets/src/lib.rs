//! Pictures to texture memory and back: mip chain, tiling, palettes.
//!
//! Data flows through the modules in this order:
//!
//! | module | does |
//! | --- | --- |
//! | `picture` | PNG, JPEG, TGA and BMP to texels and back ([`Picture`]) |
//! | `animation` | pictures one after the other to an animated PNG ([`encode_animation`]) |
//! | `resize` | sides to powers of two |
//! | `transfer`, `light` | colour codes to linear light weighted by alpha, and back |
//! | `mip` | the chain of levels ([`MipFilter`]) |
//! | `metric`, `cluster`, `palette` | one colour table for the chain ([`quantise`]) |
//! | `texture_image` | the bytes that the hardware reads, of a picture of powers of two ([`pack`], [`TextureImage`]) |
//! | `raster` | texels of slices, faces and layers, of 8 or 16 bits ([`Raster`]) |
//! | `texel`, `block` | formats: texels by themselves, and in compressed blocks |
//! | `general_pack`, `general_image` | the bytes of a texture of any kind ([`pack_general`], [`GeneralImage`]) |
//! | `container` | .dds and .ktx2 files ([`Container`], [`write_ktx2`]) |
//! | `descriptor`, `load` | texture files ([`load_any`], [`AnyTexture`]) |
//!
//! Without the feature `pictures` the crate is descriptors, problems and the reading of files.
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
//! # Ok::<(), tmu_problem::Problems>(())
//! ```

#[cfg(feature = "pictures")]
mod animation;
#[cfg(feature = "pictures")]
mod block;
#[cfg(feature = "pictures")]
mod cluster;
#[cfg(feature = "pictures")]
mod color;
#[cfg(feature = "pictures")]
mod container;
mod descriptor;
#[cfg(feature = "pictures")]
mod general_image;
#[cfg(feature = "pictures")]
mod general_pack;
#[cfg(feature = "pictures")]
mod jpeg;
#[cfg(feature = "pictures")]
mod light;
#[cfg(feature = "pictures")]
mod load;
#[cfg(feature = "pictures")]
mod metric;
#[cfg(feature = "pictures")]
mod mip;
#[cfg(feature = "pictures")]
mod palette;
#[cfg(feature = "pictures")]
mod picture;
mod problem;
#[cfg(feature = "pictures")]
mod quality;
#[cfg(feature = "pictures")]
mod raster;
mod read;
#[cfg(feature = "pictures")]
mod resize;
#[cfg(all(test, feature = "pictures"))]
mod testing;
#[cfg(feature = "pictures")]
mod texel;
#[cfg(feature = "pictures")]
mod texture_image;
#[cfg(feature = "pictures")]
mod transfer;

#[cfg(feature = "pictures")]
pub use animation::encode_animation;
#[cfg(feature = "pictures")]
pub use color::Ignored;
#[cfg(feature = "pictures")]
pub use container::{Container, ContainerOptions, is_container, is_container_file, write_ktx2};
pub use descriptor::{
    AnyTexture, descriptor, general_descriptor, memory_path, parse as parse_descriptor,
    parse_any as parse_any_descriptor,
};
#[cfg(feature = "pictures")]
pub use general_image::GeneralImage;
#[cfg(feature = "pictures")]
pub use general_pack::{GeneralOptions, LinearPicture, pack_general};
#[cfg(feature = "pictures")]
pub use load::{AnyImage, load, load_any};
#[cfg(feature = "pictures")]
pub use mip::{MipFilter, mip_chain};
#[cfg(feature = "pictures")]
pub use palette::{IndexedChain, TABLE_ENTRIES, quantise};
#[cfg(feature = "pictures")]
pub use picture::{
    Decoded, MAX_DECODE_BYTES, MAX_DECODE_SIDE, Picture, check_picture_name, encode_rgb, is_decoding,
};
pub use problem::Rule;
#[cfg(feature = "pictures")]
pub use quality::{psnr_db, stored_psnr_db};
#[cfg(feature = "pictures")]
pub use raster::Raster;
pub use read::{is_rgb565, read_start, read_text, read_whole};
#[cfg(feature = "pictures")]
pub use resize::{MAX_SIDE, nearest_power_of_two, resize_to_powers_of_two};
#[cfg(feature = "pictures")]
pub use texel::{raster_bits, stored_channels};
#[cfg(feature = "pictures")]
pub use texture_image::{PackOptions, TextureImage, pack};
