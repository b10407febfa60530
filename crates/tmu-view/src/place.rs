//! A pixel of a frame that is asked about.

use crate::problem::{Refusal, Rule};
use crate::settings::parse;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tmu_scene::ImageSize;

/// The pixel, and the settings of the frame.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question<S> {
    settings: S,
    x: u32,
    y: u32,
}

impl<S: DeserializeOwned> Question<S> {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Rule::Request`] if it is not the JSON that the page sends.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        parse(body)
    }

    /// The settings of the frame.
    pub(crate) fn settings(&self) -> &S {
        &self.settings
    }

    /// The pixel, if the frame has it.
    ///
    /// # Errors
    /// [`Rule::Setting`] if it is outside.
    pub(crate) fn place(&self, size: ImageSize) -> Result<[u32; 2], Refusal> {
        let Self { x, y, .. } = *self;
        if x < size.width() && y < size.height() {
            return Ok([x, y]);
        }
        let message = format!("the frame of {size} has no pixel ({x}, {y})");
        let help = format!("use columns of 0 to {} and rows of 0 to {}", size.width() - 1, size.height() - 1);
        Err(Refusal::new(Rule::Setting, message, help))
    }
}
