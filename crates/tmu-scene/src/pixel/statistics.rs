//! What a frame of the pixel pipeline cost.

use serde::Serialize;
use tmu_model::pixel::Counts;
use tmu_spec::LINE_BYTES;

use super::host::PixelFrame;

/// Bytes of a colour, and of a depth.
const COLOR_BYTES: u64 = 4;
const DEPTH_BYTES: u64 = 4;

/// The costs of a frame, and those of a renderer that draws triangles one after the other into memory.
///
/// The immediate renderer reads triangles and vertices once, depth for every pixel that a triangle covers, writes depth and colour
/// where it passes, reads the colour that it blends over, and clears both before; nothing of it stays on chip. Texels are in neither, since a cache decides
/// on them; how often either samples is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PixelStatistics {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// Triangles in front of the eye, pieces of clipped ones each.
    pub triangles: u32,
    /// Tiles.
    pub tiles: u64,
    /// Triangles in the list of a tile, on average.
    pub triangles_per_tile: f64,
    /// Triangles in the longest list.
    pub most_triangles_per_tile: u64,
    /// Triangles that cover a pixel, on average over the frame.
    pub overdraw_before: f64,
    /// How often a pixel was shaded, on average over the frame.
    pub overdraw_after: f64,
    /// Pixels that were shaded.
    pub shaded_pixels: u64,
    /// Pixels that an immediate renderer shades: those whose depth passes when they are drawn.
    pub immediate_shaded_pixels: u64,
    /// Quads that were sampled.
    pub sampled_quads: u64,
    /// Bytes read: lists, triangles, vertices, states.
    pub bytes_read: u64,
    /// Bytes written: the picture.
    pub bytes_written: u64,
    /// Bytes that the immediate renderer reads and writes.
    pub immediate_bytes: u64,
    /// The pipeline's bytes over the immediate renderer's.
    pub bytes_ratio: f64,
}

impl PixelStatistics {
    pub(super) fn new(put: &PixelFrame, counts: &Counts) -> Self {
        let size = put.size;
        let pixels = f64::from(size.width()) * f64::from(size.height());
        let bytes_read = counts.lines_read * u64::from(LINE_BYTES);
        let immediate_bytes = put.geometry_bytes
            + counts.covered * DEPTH_BYTES
            // A translucent pixel reads a colour in place of the depth that it does not write.
            + counts.passed * (DEPTH_BYTES + COLOR_BYTES)
            + pixels as u64 * (DEPTH_BYTES + COLOR_BYTES);
        Self {
            width: size.width(),
            height: size.height(),
            triangles: put.triangles,
            tiles: counts.tiles,
            triangles_per_tile: counts.triangles as f64 / counts.tiles as f64,
            most_triangles_per_tile: counts.most_triangles,
            overdraw_before: counts.covered as f64 / pixels,
            overdraw_after: counts.shaded as f64 / pixels,
            shaded_pixels: counts.shaded,
            immediate_shaded_pixels: counts.passed,
            sampled_quads: counts.sampled_quads,
            bytes_read,
            bytes_written: counts.bytes_written,
            immediate_bytes,
            bytes_ratio: (bytes_read + counts.bytes_written) as f64 / immediate_bytes.max(1) as f64,
        }
    }
}
