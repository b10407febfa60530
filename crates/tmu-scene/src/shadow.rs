//! Depth maps: how far away what a projector sees is, a texel a ray.
//!
//! Contract: a depth is 0 at the projector's near plane and 1 at its far plane, and grows evenly with the distance along
//! its axis; 1 where nothing is met. Cost: the tile walk of one frame, without textures.

use crate::raster::{PrimitiveList, TILE_PIXELS, Tile};
use crate::scene::{Draw, Projector, Space};
use crate::setup;

/// The depths before a projector in 1/65535, row by row. What lies on the screen, and what casts no shadow, is not there.
pub(crate) fn depth_map(draws: &[Draw], projector: &Projector, [width, height]: [u32; 2]) -> Vec<u16> {
    let camera = &projector.camera;
    let projection = camera.projection(width, height);
    let mut primitives = PrimitiveList::new(width, height);
    for (number, draw) in (0..).zip(draws) {
        if draw.casts_shadow && matches!(draw.space, Space::World(_)) {
            setup::add(&mut primitives, number, draw, &projection, camera.position, Some(camera.near));
        }
    }
    let mut nearness = vec![0.0_f32; width as usize * height as usize];
    for row in 0..height.div_ceil(TILE_PIXELS) {
        let in_row: Vec<_> =
            primitives.iter().filter(|primitive| primitive.bounds.touches_tile_row(row)).collect();
        for column in 0..width.div_ceil(TILE_PIXELS) {
            let mut tile = Tile::new(column, row);
            for primitive in in_row.iter().filter(|primitive| primitive.bounds.touches_tile_column(column)) {
                // What is drawn later is never farther away.
                tile.draw(primitive, primitives.edges(primitive), true, |quad| {
                    for index in (0..4).filter(|index| quad.valid >> index & 1 == 1) {
                        let (x, y) = quad.pixel(index);
                        nearness[y as usize * width as usize + x as usize] = quad.nearness[index];
                    }
                });
            }
        }
    }
    let depth = |nearness: f32| match nearness {
        0.0 => u16::MAX,
        nearness => (projector.depth(1.0 / f64::from(nearness)).clamp(0.0, 1.0) * 65535.0).round() as u16,
    };
    nearness.into_iter().map(depth).collect()
}
