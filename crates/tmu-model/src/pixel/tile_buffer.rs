//! `tile_buffer`: the colours and depths of a tile while it is drawn: alpha test and blending.

use super::hidden_surfaces::Area;
use crate::general::compare::holds;
use crate::shader::Shaded;
use crate::single::flush;
use tmu_spec::pixel::record::State;
use tmu_spec::pixel::{Blend, Frame};

/// Colours and depths of an area, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct TileBuffer {
    /// Which pixels.
    pub area: Area,
    /// Red, green, blue and alpha.
    pub colors: Vec<[u8; 4]>,
    /// Depths.
    pub depths: Vec<f32>,
}

impl TileBuffer {
    /// An area where nothing is drawn.
    #[must_use]
    pub fn new(area: Area, frame: &Frame) -> Self {
        let pixels = (area.width() * area.height()) as usize;
        let (colors, depths) = (vec![frame.clear_color; pixels], vec![flush(frame.clear_depth); pixels]);
        Self { area, colors, depths }
    }
}

/// Whether a shaded pixel stays.
#[must_use]
pub fn stays(shaded: &Shaded, state: &State) -> bool {
    !shaded.is_killed && holds(state.alpha_compare, Some(shaded.color[3]), Some(state.alpha_reference))
}

/// A product of two channels over 255, rounded.
const fn product(a: u8, b: u8) -> u32 {
    (a as u32 * b as u32 + 127) / 255
}

/// A colour over one that is there.
#[must_use]
pub fn blend(mode: Blend, source: [u8; 4], there: [u8; 4]) -> [u8; 4] {
    let alpha = source[3];
    std::array::from_fn(|channel| {
        let (s, d) = (source[channel], there[channel]);
        let value = match mode {
            Blend::None => u32::from(s),
            Blend::Alpha => {
                (u32::from(s) * u32::from(alpha) + u32::from(d) * (255 - u32::from(alpha)) + 127) / 255
            }
            Blend::Premultiplied => u32::from(s) + product(d, 255 - alpha),
            Blend::Additive => u32::from(s) + u32::from(d),
            Blend::Multiply => product(s, d),
        };
        value.min(255) as u8
    })
}
