//! What a sample of the general numerics is, to the last bit: one file a stage, and [`sample`](mod@sample), which takes a quad
//! through them.
//!
//! A sample is a weighted sum of **probes**. A probe is one footprint of at most four taps in one level and slice. Stages stand in
//! the order in which a quad passes them:
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`store`] | an entry of the parameter store | a binding |
//! | [`request`] | a texture and a sampler | what the stages behind look at as at a constant |
//! | [`projection`] | numbers of a pixel | coordinates with 20 bits behind the point; the face of a cube |
//! | [`lod`] | coordinates of a quad | level of detail, number of anisotropic probes |
//! | `length` | edges of a footprint | texels, half the logarithm of their square |
//! | `ripmap` | edges of a quad of a ripmap | its level along u and along v |
//! | [`probes`] | a pixel and the quad's level of detail | its probes and their weights |
//! | [`coordinate`] | a coordinate | texels of one axis and their weight |
//! | [`cube`] | a texel one step outside a face | the texel across the edge |
//! | [`decode`] | bytes | channels |
//! | [`compare`] | a depth and a reference | true or false as a channel |
//! | [`filter`] | four taps and two weights; probes and their weights | channels |
//! | [`result`](mod@result) | channels | the form of the unit's results |
//!
//! [`trace`] tells what happens to a quad on the way. [`indirect`] takes a quad of an indirect look-up through those of them that it needs.
//!
//! Contract: the written numerics and nothing else, as [`crate::datapath`]. Taps and probes without weight are not read.
//!
//! Cost: a quad allocates nothing.

pub mod channels;
pub mod compare;
pub mod coordinate;
pub mod cube;
pub mod decode;
pub mod filter;
pub mod indirect;
mod length;
pub mod lod;
pub mod probes;
pub mod projection;
pub mod request;
pub mod result;
mod ripmap;
pub mod sample;
pub mod store;
mod tap;
pub mod trace;
pub mod unit;

pub use channels::Channels;
pub use sample::sample;
