//! A frame to a picture: tiles on all threads, put together in their order.

use rayon::prelude::*;
use tmu_driver::pixel::Error;
use tmu_model::MemoryImage;
use tmu_model::pixel::{Counts, Fault, Tile, Tiles, tile_fetch, write_back};

use super::host::{PICTURE, Put, put};
use super::statistics::PixelStatistics;
use crate::frame::Frame;
use crate::scene::{ImageSize, PixelScene};

/// Tiles that a thread takes at least: it reads states for itself.
const TILES_PER_JOB: usize = 8;
/// Bytes of a pixel of the frame's picture.
const PIXEL_BYTES: usize = 4;

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

/// Draws a scene through the golden model of the pixel pipeline. `size` may differ from the scene's own; the vertical field of view
/// stays.
///
/// # Errors
/// If the frame does not fit memory or ends with a fault.
pub fn render_pixel(scene: &PixelScene, size: ImageSize) -> Result<(Frame, PixelStatistics), PixelError> {
    let put = put(scene, size).map_err(PixelError::Driver)?;
    let (picture, counts) = draw(&put)?;
    let [width, height] = [size.width(), size.height()].map(|side| side as usize);
    let pitch = (PIXEL_BYTES * width).next_multiple_of(16);
    let rows = picture.chunks(pitch).take(height);
    let rgb =
        rows.flat_map(|row| row[..PIXEL_BYTES * width].chunks(PIXEL_BYTES)).flat_map(|color| &color[..3]);
    let frame = Frame::new(size, rgb.copied().collect());
    Ok((frame, PixelStatistics::new(size, &put, &counts)))
}

/// Draws what was put: the picture's bytes, and what they cost.
fn draw(put: &Put) -> Result<(Vec<u8>, Counts), Fault> {
    let image = MemoryImage::new(0, &put.memory[..]);
    let frame = tile_fetch::frame(&image, put.address)?;
    let [across, down] = frame.tiles_across();
    let tiles: Vec<Result<Tile, Fault>> = (0..across * down)
        .into_par_iter()
        .with_min_len(TILES_PER_JOB)
        .map_init(|| Tiles::new(&image, frame), Tiles::tile)
        .collect();
    let mut picture = vec![0; (frame.picture_pitch * frame.size()[1]) as usize];
    let mut counts = Counts::default();
    for drawn in tiles {
        let Tile { buffer, counts: of_tile } = drawn?;
        counts += of_tile;
        write_back::write_back(&frame, &buffer, |address, bytes| {
            let start = (address - PICTURE) as usize;
            picture[start..start + bytes.len()].copy_from_slice(bytes);
            counts.bytes_written += bytes.len() as u64;
            Ok::<_, Fault>(())
        })?;
    }
    Ok((picture, counts))
}
