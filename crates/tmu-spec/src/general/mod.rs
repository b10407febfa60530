//! The general numerics: textures of every kind and size, and everything that a sample of one may be made of.
//!
//! The classic numerics ([`crate::Texture`], [`crate::Quad`]) have two dimensions, powers of two and bilinear filtering. A unit whose
//! configuration asks for more than they have follows these for everything. Types and limits only, in the order in which data
//! meets them:
//!
//! | module | holds |
//! | --- | --- |
//! | [`texture`] | kinds, sizes, and where each texel stands in memory |
//! | [`sampler`] | how a texture is read |
//! | [`request`] | operations, and the four pixels of a quad |
//! | [`result`](mod@result) | the answer to a quad |
//! | [`indirect`] | texels of one texture as places in another |
//! | [`features`] | which of them a unit was built with |
//! | [`built`] | the same as a word for drivers |
//! | [`tables`] | tables that model and hardware share |
//! | [`field`], [`binding`] | a binding: its bits, and what they say |
//! | [`store`] | bindings that are kept in a unit, and packets that name them |
//! | [`packet`] | quads and bindings as packets |
//! | [`rule`] | what a texture and a sampler must keep to together |

pub mod binding;
pub mod built;
pub mod features;
pub mod field;
pub mod indirect;
pub mod packet;
pub mod request;
pub mod result;
pub mod rule;
pub mod sampler;
pub mod store;
pub mod tables;
pub mod texture;

pub use binding::Binding;
pub use features::{General, OperationName};
pub use request::{Numbers, Operation, Pixel, Quad};
pub use result::{QuadResult, ResultNumbers};
pub use rule::Rule;
pub use sampler::{CompareOp, Filter, MipFilter, Pyramid, Sampler};
pub use texture::{Component, Kind, Swizzle, Texture};
