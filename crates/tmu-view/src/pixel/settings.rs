//! What the page of a frame of the pixel pipeline has chosen.

use crate::problem::{Refusal, Rule};
use crate::settings::{MAX_SIDE, parse};
use serde::{Deserialize, Serialize};
use tmu_problem::Problem;
use tmu_scene::ImageSize;
use tmu_spec::pixel::TileSize;

/// Everything that can be chosen on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelSettings {
    /// Width of the frame in pixels.
    pub width: u32,
    /// Height of the frame in pixels.
    pub height: u32,
    /// Size of the tiles, by name.
    pub tile: String,
}

/// Settings that were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) size: ImageSize,
    pub(crate) tile: TileSize,
}

impl PixelSettings {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Rule::Request`] if it is not the JSON that the page sends.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        parse(body)
    }

    /// Checks them.
    ///
    /// # Errors
    /// A [`Rule::Setting`] for each value out of range.
    pub(crate) fn chosen(&self) -> Result<Chosen, Refusal> {
        let mut problems = Vec::new();
        let mut add =
            |message: String, help: String| problems.push(Problem::new(Rule::Setting, message, help));
        let size = ImageSize::new(self.width, self.height)
            .filter(|size| size.width().max(size.height()) <= MAX_SIDE);
        if size.is_none() {
            let message = format!("the size is {} x {} pixels", self.width, self.height);
            add(message, format!("use sides of 1 to {MAX_SIDE} pixels"));
        }
        let tile = self.tile.parse::<TileSize>();
        if let Err(error) = &tile {
            add(format!("tile: {error}"), "choose one that is listed".to_owned());
        }
        match (size, tile) {
            (Some(size), Ok(tile)) => Ok(Chosen { size, tile }),
            _ => Err(Refusal::input(problems)),
        }
    }
}
