//! A pixel of a frame that is asked about.

use crate::problem::{Refusal, Rule};
use tmu_scene::ImageSize;

/// The pixel, if the frame has it.
///
/// # Errors
/// [`Rule::Setting`] if it is outside.
pub(crate) fn inside(size: ImageSize, [x, y]: [u32; 2]) -> Result<[u32; 2], Refusal> {
    if x < size.width() && y < size.height() {
        return Ok([x, y]);
    }
    let message = format!("the frame of {size} has no pixel ({x}, {y})");
    let help = format!("use columns of 0 to {} and rows of 0 to {}", size.width() - 1, size.height() - 1);
    Err(Refusal::new(Rule::Setting, message, help))
}
