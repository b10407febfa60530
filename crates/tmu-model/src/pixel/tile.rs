//! A tile through the stages.

use super::counts::Counts;
use super::fault::Fault;
use super::grouping::{self, NONE, Quad};
use super::hidden_surfaces::{Area, Coverage, passing};
use super::interpolation::{self, Planes};
use super::shade::shade;
use super::tile_buffer::{TileBuffer, blend, stays};
use super::tile_fetch::{TileFetch, Triangle};
use crate::memory::Memory;
use tmu_spec::pixel::{Frame, Part};

/// A tile that was drawn, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Its colours and depths.
    pub buffer: TileBuffer,
    /// What it took.
    pub counts: Counts,
}

/// The pixels of a tile inside its frame.
fn area(frame: &Frame, number: u32) -> Area {
    let [across, _] = frame.tiles_across();
    let size = [frame.tile.width(), frame.tile.height()];
    let start = [number % across * size[0], number / across * size[1]];
    let end = [0, 1].map(|axis| (start[axis] + size[axis]).min(frame.size()[axis]));
    Area { start, end }
}

/// A tile while it is drawn.
struct Drawing<'m, M> {
    memory: &'m M,
    buffer: TileBuffer,
    counts: Counts,
}

/// Draws a tile by its number, row by row.
///
/// # Errors
/// The first thing that keeps it from being drawn.
pub fn tile<M: Memory>(fetch: &mut TileFetch<'_, M>, number: u32) -> Result<Tile, Fault> {
    let frame = *fetch.frame();
    let lines = fetch.lines();
    let triangles = fetch.triangles(number)?;
    let opaque = triangles.partition_point(|triangle| triangle.part == Part::Opaque);
    let mut drawing = Drawing {
        memory: fetch.memory(),
        buffer: TileBuffer::new(area(&frame, number), &frame),
        counts: Counts::default(),
    };
    let (opaque, others) = triangles.split_at(opaque);
    drawing.opaque(opaque)?;
    for triangle in others {
        drawing.one(triangle)?;
    }
    let Drawing { buffer, mut counts, .. } = drawing;
    counts.tiles = 1;
    counts.triangles = triangles.len() as u64;
    counts.most_triangles = counts.triangles;
    counts.lines_read = fetch.lines() - lines;
    Ok(Tile { buffer, counts })
}

impl<M: Memory> Drawing<'_, M> {
    /// All opaque triangles: first which of them is seen where, then their colours.
    fn opaque(&mut self, triangles: &[Triangle]) -> Result<(), Fault> {
        let mut seen = vec![NONE; self.buffer.depths.len()];
        for (number, triangle) in (0..).zip(triangles) {
            let TileBuffer { area, depths, .. } = &mut self.buffer;
            let Some(coverage) = Coverage::new(&triangle.places(), triangle.record.cull) else { continue };
            let z = interpolation::depth(triangle);
            let mut passed = 0;
            self.counts.covered +=
                passing(&coverage, &z, triangle.record.compare, area, depths, |index, depth, there| {
                    *there = depth;
                    seen[index] = number;
                    passed += 1;
                });
            self.counts.passed += passed;
        }
        for (number, quads) in grouping::group(&self.buffer.area, &seen, triangles.len()) {
            let triangle = &triangles[number as usize];
            let Self { buffer: TileBuffer { area, colors, .. }, counts, memory } = self;
            let sampled = shade(*memory, &triangle.state, &Planes::new(triangle), &quads, |quad, shaded| {
                for (number, [x, y]) in quad.seen() {
                    colors[area.index(x, y)] = shaded[number].color;
                    counts.shaded += 1;
                }
            })?;
            counts.quads += quads.len() as u64;
            counts.sampled_quads += sampled;
        }
        Ok(())
    }

    /// A triangle of another part: tested, shaded, and then written.
    fn one(&mut self, triangle: &Triangle) -> Result<(), Fault> {
        let Some(coverage) = Coverage::new(&triangle.places(), triangle.record.cull) else { return Ok(()) };
        let Self { buffer: TileBuffer { area, colors, depths }, counts, memory } = self;
        let z = interpolation::depth(triangle);
        let mut seen = vec![NONE; depths.len()];
        let mut found = vec![0.0; depths.len()];
        let mut passed = 0;
        counts.covered += passing(&coverage, &z, triangle.record.compare, area, depths, |index, depth, _| {
            seen[index] = 0;
            found[index] = depth;
            passed += 1;
        });
        counts.passed += passed;
        let quads: Vec<Quad> =
            grouping::group(area, &seen, 1).into_iter().flat_map(|(_, quads)| quads).collect();
        let state = &triangle.state;
        counts.sampled_quads += shade(*memory, state, &Planes::new(triangle), &quads, |quad, shaded| {
            for (number, [x, y]) in quad.seen() {
                let (index, shaded) = (area.index(x, y), &shaded[number]);
                counts.shaded += 1;
                if !stays(shaded, &state.record) {
                    continue;
                }
                if triangle.part == Part::Translucent {
                    colors[index] = blend(state.record.blend, shaded.color, colors[index]);
                } else {
                    colors[index] = shaded.color;
                    depths[index] = shaded.depth.unwrap_or(found[index]);
                }
            }
        })?;
        counts.quads += quads.len() as u64;
        Ok(())
    }
}
