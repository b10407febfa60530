//! Golden model of the texture unit: one file per stage, bit-exact.
//!
//! [`datapath`] says what a sample is, to the last bit, as the written numerics do, and knows nothing else. Its stages stand in the
//! order in which a quad passes them and have the names of the hardware's; the hardware is written separately and compared with
//! this.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`datapath::request`] | the bits of a binding | a binding that holds, or the rules that it breaks |
//! | [`datapath::lod`] | a quad | the level to read from |
//! | [`datapath::coordinate`] | u or v | texels of one axis and their weight |
//! | [`datapath::address`] | texels of a level | bytes and lines of memory |
//! | [`datapath::fetch`] | where a texel starts | its bytes |
//! | [`datapath::blocks`] | a compressed block | the texels of its tile; no unit has such a format yet |
//! | [`datapath::decode`] | bytes | colours |
//! | [`datapath::filter`] | four colours and two weights | one colour |
//!
//! [`cache`] says what the hardware's caches do with it, for planning and for checking counters. It holds no data and no clocks.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`cache::blocking`] | lines | hits and misses of the blocking cache |
//! | [`cache::prefetch::quad_scheduler`] | texels of a quad's pixels | which of them pass the prefetching cache together |
//! | [`cache::prefetch::tag_stage`] | tiles | hits and misses of the prefetching cache |
//!
//! [`general`] says what a sample is in the units of the general numerics: every kind of texture, every filter and format.
//!
//! [`unit`](mod@unit) is both in one: bindings and quads to results and lookups. [`unit_cache`] puts its lookups to the cache of a
//! configuration.
//!
//! [`bring_up`] is what the bring-up kit sends, and its CRC of results.
//!
//! [`shader`] is what a pixel shader computes, [`pixel`] the pipeline that draws triangles with them, tile by tile; there is no
//! hardware of either yet.
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

pub mod bring_up;
pub mod cache;
pub mod datapath;
pub mod engines;
pub mod general;
pub mod memory;
pub mod pixel;
pub mod shader;
mod single;
pub mod unit;
pub mod unit_cache;

pub use cache::blocking::CacheModel;
pub use cache::lookup::{CacheCounts, Lookup};
pub use cache::prefetch::tag_stage::TileCacheModel;
pub use cache::prefetch::tile::Tile;
pub use memory::{LineError, Memory, MemoryImage};
pub use unit::TextureUnit;
pub use unit_cache::UnitCache;
