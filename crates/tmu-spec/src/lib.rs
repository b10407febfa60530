//! Configuration, formats, fixed-point types, memory layout and presets of a texture unit.
//!
//! Pure integer arithmetic, no I/O, no hardware. Everything that the generator, the golden model, the packer
//! and the simulation must agree on lives here, once, in the order in which data meets it:
//!
//! | module | holds |
//! | --- | --- |
//! | [`choice`] | values that go by one of a few names |
//! | [`format`](mod@format) | how texels are stored |
//! | [`blocks`] | tables of the compressed formats |
//! | [`texture`] | address modes, and where each texel of a texture stands in memory |
//! | [`level_offset`] | the ROM that finds a level |
//! | [`features`] | which of them a unit was built with |
//! | [`binding`] | texture and sampler state as the bits of a request |
//! | [`general`] | textures, samplers and requests of the general numerics |
//! | [`quad`] | four pixels as request beats and result beat |
//! | [`fixed`] | the named fixed-point formats between the stages |
//! | [`config`] | the configuration of a generated unit, its rules and the widths that follow from it |
//! | [`device`] | the devices that a core may go to, and what they have |
//! | [`tile`] | tiles and banks of the prefetching cache |
//! | [`latency`] | which latency of memory the prefetching cache hides |
//! | [`loader`] | what a job of the loader engine keeps to, and how its smaller levels are made |
//! | [`bring_up`] | the walks that the bring-up kit sends |
//! | [`pixel`] | what the pixel pipeline finds in memory |
//! | [`presets`] | the configurations that ship |
//! | [`mod@reference`] | the reference page of the configuration |

pub mod binding;
pub mod blocks;
pub mod bring_up;
pub mod choice;
pub mod config;
pub mod device;
pub mod features;
pub mod fixed;
pub mod format;
pub mod general;
pub mod latency;
pub mod level_offset;
pub mod loader;
pub mod pixel;
pub mod presets;
pub mod quad;
pub mod reference;
pub mod texture;
pub mod tile;

pub use binding::{Binding, BindingRule, Record, Sampler};
pub use config::Config;
pub use device::Device;
pub use features::Features;
pub use format::Format;
pub use presets::Preset;
pub use quad::{BeatsPerQuad, Quad, QuadResult, RequestBeat};
pub use texture::{AddressMode, Texture};

/// Width of an address inside the texture window in bits: bindings carry it, caches tag it. Addresses wrap at
/// its end; the memory port adds the window base afterwards.
pub const TEXTURE_ADDRESS_BITS: u32 = 31;

/// Bytes of one line: the unit in which memory is read, cached and reported as failing.
pub const LINE_BYTES: u32 = 16;
