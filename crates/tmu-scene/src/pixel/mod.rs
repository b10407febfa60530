//! Scenes through the pixel pipeline: the driver puts a frame into memory, the golden model draws its tiles on all threads.
//!
//! | module | does |
//! | --- | --- |
//! | `host` | meshes to a frame in memory, by the driver |
//! | `render` | the frame to a picture ([`render_pixel`]) |
//! | `statistics` | what it cost, beside an immediate renderer ([`PixelStatistics`]) |

mod host;
mod render;
mod statistics;

pub use render::{PixelError, render_pixel};
pub use statistics::PixelStatistics;
