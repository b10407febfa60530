//! Scenes through the pixel pipeline: the driver puts a frame into memory, the golden model draws its tiles on all threads.
//!
//! | module | does |
//! | --- | --- |
//! | `host` | meshes to a frame in memory, by the driver ([`put_pixel`]) |
//! | `render` | the frame to a picture ([`draw_pixel`]), or both in one ([`render_pixel`]); what happens at a pixel ([`trace_pixel`]) |
//! | `statistics` | what it cost, beside an immediate renderer ([`PixelStatistics`]) |

mod host;
mod render;
mod statistics;

use tmu_spec::pixel::TileSize;

pub use host::{PixelFrame, put_pixel};
pub use render::{PixelDrawn, PixelError, draw_pixel, render_pixel, trace_pixel};
pub use statistics::PixelStatistics;
pub use tmu_driver::pixel::TileSize as PixelTile;

/// Tiles of a frame's record as the driver names them.
#[must_use]
pub const fn pixel_tile(tile: TileSize) -> PixelTile {
    match tile {
        TileSize::Square16 => PixelTile::Square16,
        TileSize::Square32 => PixelTile::Square32,
        TileSize::Square64 => PixelTile::Square64,
        TileSize::Row32 => PixelTile::Row32,
    }
}
