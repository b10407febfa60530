//! Golden model of the texture unit: one file per stage, bit-exact.
//!
//! What a sample is, to the last bit. The stages stand in the order in which a quad passes them and have the
//! names of the hardware's; the hardware is written separately and compared with this.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`lod`] | a quad | the level to read from |
//! | [`coordinate`] | u or v | texels of one axis and their weight |
//! | [`address`] | texels of a level | bytes and lines of memory |
//! | [`cache`] | lines | hits and misses (for planning; it holds no data) |
//! | [`quad_scheduler`] | texels of a quad's pixels | which of them pass the prefetching cache together |
//! | [`tile_cache`] | tiles | hits and misses of the prefetching cache |
//! | [`decode`] | bytes | colours |
//! | [`filter`] | four colours and two weights | one colour |
//! | [`unit`](mod@unit) | bindings and quads | results: all of the above |
//!
//! [`memory`] is what a unit reads from. [`engines`] has the engines that are no texture units.
//!
//! ```
//! use tmu_model::{MemoryImage, TextureUnit};
//! use tmu_spec::{Binding, Format, Quad, Sampler, Texture};
//!
//! // One red texel and the rest of its tile, at address 0x1000.
//! let texture = Texture::new(Format::Rgb8, 0, 0, 0).unwrap();
//! let mut bytes = vec![0; texture.bytes() as usize];
//! bytes[0] = 255;
//! let mut unit = TextureUnit::new(MemoryImage::new(0x1000, bytes));
//! unit.bind(&Binding::new(0x1000, texture, Sampler::default()).unwrap()).unwrap();
//! let result = unit.sample(&Quad::new([[0; 2]; 4], 0b0001));
//! assert_eq!(result.rgba()[0], [255, 0, 0, 255]);
//! assert_eq!(result.rgba()[1], [0; 4]);
//! ```

pub mod address;
pub mod cache;
pub mod coordinate;
pub mod decode;
pub mod engines;
pub mod filter;
pub mod lod;
pub mod memory;
pub mod quad_scheduler;
pub mod tile_cache;
pub mod unit;

pub use cache::{CacheCounts, CacheModel, Lookup};
pub use memory::{LineError, Memory, MemoryImage};
pub use tile_cache::{Tile, TileCacheModel, UnitCache};
pub use unit::TextureUnit;
