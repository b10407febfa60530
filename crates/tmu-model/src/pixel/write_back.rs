//! `write_back`: from the colours and depths of a tile to bytes of the picture and of depth.

use super::tile_buffer::TileBuffer;
use tmu_spec::pixel::{DITHER, Frame, OutputFormat};

/// The bits of a depth: no number has one form.
fn depth_bits(depth: f32) -> u32 {
    if depth.is_nan() { 0x7fc0_0000 } else { depth.to_bits() }
}

/// A colour as RGB565, at a place of the picture.
#[must_use]
pub fn rgb565([r, g, b, _]: [u8; 4], [x, y]: [u32; 2], dithers: bool) -> u16 {
    let noise = if dithers { DITHER[(y % 4) as usize][(x % 4) as usize] } else { 0 };
    let cut = |channel: u8, noise: u8, bits: u32| u16::from(channel.saturating_add(noise) >> (8 - bits));
    cut(r, noise >> 1, 5) << 11 | cut(g, noise >> 2, 6) << 5 | cut(b, noise >> 1, 5)
}

/// Gives what a tile writes, row by row: an address and bytes. Nothing outside the frame is among it.
///
/// # Errors
/// The first that `write` gives.
pub fn write_back<E>(
    frame: &Frame,
    tile: &TileBuffer,
    mut write: impl FnMut(u32, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let width = tile.area.width() as usize;
    let mut bytes = Vec::with_capacity(4 * width);
    let rows = tile.colors.chunks(width).zip(tile.depths.chunks(width));
    for (y, (colors, depths)) in (tile.area.start[1]..).zip(rows) {
        let start = |base: u32, pitch: u32, pixel_bytes: u32| {
            base.wrapping_add(y.wrapping_mul(pitch)).wrapping_add(tile.area.start[0] * pixel_bytes)
        };
        bytes.clear();
        for (x, color) in (tile.area.start[0]..).zip(colors) {
            let [r, g, b, a] = *color;
            match frame.output {
                OutputFormat::Rgba8 => bytes.extend(color),
                OutputFormat::Bgra8 => bytes.extend([b, g, r, a]),
                OutputFormat::Rgb565 => bytes.extend(rgb565(*color, [x, y], frame.dithers).to_le_bytes()),
            }
        }
        write(start(frame.picture, frame.picture_pitch, frame.output.pixel_bytes()), &bytes)?;
        if frame.writes_depth {
            bytes.clear();
            bytes.extend(depths.iter().flat_map(|depth| depth_bits(*depth).to_le_bytes()));
            write(start(frame.depth, frame.depth_pitch, 4), &bytes)?;
        }
    }
    Ok(())
}
