//! From triangles to visible quads.
//!
//! `clip` cuts triangles to what can be seen, `primitive` sets them up, `tile` walks them over 8 × 8 pixels and
//! tests depth, `coordinate` brings texture coordinates into the unit's format. All arithmetic is `f64` in a fixed
//! order or integer, so that a picture is the same on every machine.

mod clip;
mod coordinate;
mod primitive;
mod tile;

pub(crate) use clip::Corner;
pub(crate) use coordinate::{MOST_REPEATS, reduced, to_fixed};
pub(crate) use primitive::{Cull, MORE, Primitive, PrimitiveList, ShadedCorner, Values};
pub(crate) use tile::{TILE_PIXELS, Tile, VisibleQuad};

#[cfg(test)]
mod tests;
