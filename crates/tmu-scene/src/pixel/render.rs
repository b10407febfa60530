//! A frame to a picture: tiles on all threads, put together in their order.

use rayon::prelude::*;
use tmu_driver::pixel::{Error, TileSize};
use tmu_model::MemoryImage;
use tmu_model::pixel::{Build, Counts, Fault, PixelTrace, Tile, Tiles, UsedBefore, tile_fetch, write_back};

use super::host::{PixelFrame, put_pixel};
use super::statistics::PixelStatistics;
use crate::frame::Frame;
use crate::scene::{ImageSize, PixelScene};

/// Tiles that a thread takes at least: it reads states for itself.
const TILES_PER_JOB: usize = 8;

/// Why a scene could not be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PixelError {
    /// The driver could not put the frame into memory.
    #[error("{0}")]
    Driver(Error),
    /// The pipeline has ended the frame.
    #[error("{0}")]
    Fault(#[from] Fault),
}

/// A frame that was drawn.
#[derive(Debug, Clone)]
pub struct PixelDrawn {
    /// The picture's bytes.
    pub picture: Vec<u8>,
    /// What they cost.
    pub statistics: PixelStatistics,
    /// What each tile took, row by row.
    pub tiles: Vec<Counts>,
}

/// Draws a scene through the golden model of the pixel pipeline. `size` may differ from the scene's own; the vertical field of view
/// stays.
///
/// # Errors
/// If the frame does not fit memory or ends with a fault.
pub fn render_pixel(scene: &PixelScene, size: ImageSize) -> Result<(Frame, PixelStatistics), PixelError> {
    let frame = put_pixel(scene, size, TileSize::default()).map_err(PixelError::Driver)?;
    let drawn = draw_pixel(&frame, &Build::preset())?;
    Ok((frame.rgb(&drawn.picture), drawn.statistics))
}

/// Draws what was put, on all threads.
///
/// # Errors
/// Why the frame has ended.
pub fn draw_pixel(put: &PixelFrame, build: &Build) -> Result<PixelDrawn, PixelError> {
    let image = MemoryImage::new(0, &put.memory[..]);
    let frame = tile_fetch::frame(&image, put.address)?;
    let [across, down] = frame.tiles_across();
    let tiles: Vec<Result<Tile, Fault>> = (0..across * down)
        .into_par_iter()
        .with_min_len(TILES_PER_JOB)
        .map_init(|| Tiles::new(&image, frame, build), Tiles::tile)
        .collect();
    let mut picture = vec![0; put.picture_bytes()];
    let mut counts = Vec::with_capacity(tiles.len());
    let mut before = UsedBefore::default();
    for drawn in tiles {
        let drawn = drawn?;
        let mut of_tile = before.count(&drawn);
        write_back::write_back(&frame, &drawn.buffer, |address, bytes| {
            let start = (address - put.picture) as usize;
            picture[start..start + bytes.len()].copy_from_slice(bytes);
            of_tile.bytes_written += bytes.len() as u64;
            Ok::<_, Fault>(())
        })?;
        counts.push(of_tile);
    }
    let mut all = Counts::default();
    counts.iter().for_each(|of_tile| all += *of_tile);
    Ok(PixelDrawn { picture, statistics: PixelStatistics::new(put, &all), tiles: counts })
}

/// What happens at a pixel of what was put, which is inside of the picture.
///
/// # Errors
/// Why the pixel's tile cannot be drawn.
pub fn trace_pixel(put: &PixelFrame, build: &Build, pixel: [u32; 2]) -> Result<PixelTrace, PixelError> {
    let image = MemoryImage::new(0, &put.memory[..]);
    let frame = tile_fetch::frame(&image, put.address)?;
    Ok(Tiles::new(&image, frame, build).trace(pixel)?)
}
