//! A tile through the stages.

use super::counts::Counts;
use super::fault::Fault;
use super::grouping::{self, NONE, Quad};
use super::hidden_surfaces::{Area, Coverage, passing};
use super::interpolation::{self, Planes};
use super::kept::Used;
use super::shade::shade;
use super::texture::{Build, Textures};
use super::tile_buffer::{TileBuffer, blend, stays};
use super::tile_fetch::{TileFetch, Triangle};
use super::triangle_data::{States, TriangleData, triangle_data};
use super::watch::Watch;
use crate::memory::Memory;
use tmu_spec::pixel::{BATCH_TRIANGLES, Frame, Part};

/// A tile that was drawn, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Its colours and depths.
    pub buffer: TileBuffer,
    /// What it took, without what is read once for a frame.
    pub counts: Counts,
    /// What it has used of that: states whose triangles it has looked at, and states that it was shaded with.
    pub(super) used: [Used; 2],
}

/// The pixels of a tile inside its frame.
fn area(frame: &Frame, number: u32) -> Area {
    let [across, _] = frame.tiles_across();
    let size = [frame.tile.width(), frame.tile.height()];
    let start = [number % across * size[0], number / across * size[1]];
    let end = [0, 1].map(|axis| (start[axis] + size[axis]).min(frame.size()[axis]));
    Area { start, end }
}

/// Draws the tiles of a frame.
#[derive(Debug)]
pub struct Tiles<'m, M> {
    fetch: TileFetch<'m, M>,
    states: States,
    textures: Textures,
}

/// A tile while it is drawn.
struct Drawing<'t, 'm, M, W> {
    tiles: &'t mut Tiles<'m, M>,
    buffer: TileBuffer,
    counts: Counts,
    watch: &'t mut W,
}

impl<'m, M: Memory> Tiles<'m, M> {
    /// For a frame that was read from this memory.
    #[must_use]
    pub fn new(memory: &'m M, frame: Frame, build: &Build) -> Self {
        Self {
            fetch: TileFetch::new(memory, frame),
            states: States::default(),
            textures: Textures::new(&frame, build),
        }
    }

    /// The frame.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        self.fetch.frame()
    }

    /// Draws a tile by its number, row by row.
    ///
    /// # Errors
    /// The first thing that keeps it from being drawn.
    pub fn tile(&mut self, number: u32) -> Result<Tile, Fault> {
        self.watched_tile(number, &mut ())
    }

    /// The same while somebody looks on.
    ///
    /// Opaque triangles are shaded together, [`BATCH_TRIANGLES`] at most, each other triangle by itself; the list is read on
    /// when they are.
    ///
    /// # Errors
    /// The first thing that keeps it from being drawn.
    pub fn watched_tile<W: Watch>(&mut self, number: u32, watch: &mut W) -> Result<Tile, Fault> {
        let frame = *self.fetch.frame();
        let lines = self.fetch.records.lines;
        let mut list = self.fetch.list(number);
        let mut drawing = Drawing {
            tiles: self,
            buffer: TileBuffer::new(area(&frame, number), &frame),
            counts: Counts::default(),
            watch,
        };
        let mut batch = Vec::new();
        while let Some(listed) = drawing.tiles.fetch.next(&mut list)? {
            if listed.part != Part::Opaque || batch.len() == BATCH_TRIANGLES {
                drawing.opaque(&batch)?;
                batch.clear();
            }
            let triangle = drawing.tiles.fetch.triangle(listed)?;
            drawing.counts.triangles += 1;
            match listed.part {
                Part::Opaque => batch.push(triangle),
                Part::PunchThrough | Part::Translucent => drawing.one(&triangle)?,
            }
        }
        drawing.opaque(&batch)?;
        let Drawing { buffer, mut counts, .. } = drawing;
        counts.tiles = 1;
        counts.most_triangles = counts.triangles;
        counts.lines_read = self.fetch.records.lines - lines;
        let used = [self.fetch.states.take_used(), self.states.take_used()];
        Ok(Tile { buffer, counts, used })
    }
}

/// The instructions that quads of a triangle take.
fn instructions(data: &TriangleData, quads: &[Quad]) -> u64 {
    (data.state.program.instructions().count() * quads.len()) as u64
}

impl<M: Memory, W: Watch> Drawing<'_, '_, M, W> {
    /// All opaque triangles: first which of them is seen where, then their colours.
    fn opaque(&mut self, triangles: &[Triangle]) -> Result<(), Fault> {
        if triangles.is_empty() {
            return Ok(());
        }
        let mut seen = vec![NONE; self.buffer.depths.len()];
        for (number, triangle) in (0..).zip(triangles) {
            let TileBuffer { area, depths, .. } = &mut self.buffer;
            let Some(coverage) = Coverage::new(&triangle.positions, triangle.record.cull) else { continue };
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
            let Self { buffer: TileBuffer { area, colors, .. }, counts, tiles, watch } = self;
            let Tiles { fetch, states, textures } = &mut **tiles;
            let data = triangle_data(&mut fetch.records, states, &triangles[number as usize])?;
            let (memory, planes) = (fetch.records.memory, Planes::new(&data));
            let sampled = shade(memory, textures, &data, &planes, &quads, *watch, |quad, shaded, watch| {
                for (number, [x, y]) in quad.seen() {
                    let color = shaded[number].color;
                    colors[area.index(x, y)] = color;
                    counts.shaded += 1;
                    watch.end([x, y], &shaded[number], Some(color));
                }
            })?;
            counts.quads += quads.len() as u64;
            counts.instructions += instructions(&data, &quads);
            counts.sampled_quads += sampled;
        }
        Ok(())
    }

    /// A triangle of another part: tested, shaded, and then written.
    fn one(&mut self, triangle: &Triangle) -> Result<(), Fault> {
        let Some(coverage) = Coverage::new(&triangle.positions, triangle.record.cull) else { return Ok(()) };
        let Self { buffer: TileBuffer { area, colors, depths }, counts, tiles, watch } = self;
        let z = interpolation::depth(triangle);
        // Most are small, so only their bounds are looked at; quads begin where numbers are even.
        let bounds = coverage.bounds(area);
        let bounds = Area { start: bounds.start.map(|first| first & !1), ..bounds };
        let mut seen = vec![NONE; (bounds.width() * bounds.height()) as usize];
        let mut found = vec![0.0; seen.len()];
        let mut passed = 0;
        counts.covered += passing(&coverage, &z, triangle.record.compare, area, depths, |index, depth, _| {
            let [x, y] = area.place(index);
            seen[bounds.index(x, y)] = 0;
            found[bounds.index(x, y)] = depth;
            passed += 1;
        });
        counts.passed += passed;
        if passed == 0 {
            return Ok(());
        }
        let quads: Vec<Quad> =
            grouping::group(&bounds, &seen, 1).into_iter().flat_map(|(_, quads)| quads).collect();
        let Tiles { fetch, states, textures } = &mut **tiles;
        let data = triangle_data(&mut fetch.records, states, triangle)?;
        let (state, planes) = (&data.state, Planes::new(&data));
        counts.sampled_quads +=
            shade(fetch.records.memory, textures, &data, &planes, &quads, *watch, |quad, shaded, watch| {
                for (number, [x, y]) in quad.seen() {
                    let (index, shaded) = (area.index(x, y), &shaded[number]);
                    counts.shaded += 1;
                    if !stays(shaded, &state.record) {
                        watch.end([x, y], shaded, None);
                        continue;
                    }
                    if triangle.part == Part::Translucent {
                        colors[index] = blend(state.record.blend, shaded.color, colors[index]);
                    } else {
                        colors[index] = shaded.color;
                        depths[index] = shaded.depth.unwrap_or(found[bounds.index(x, y)]);
                    }
                    watch.end([x, y], shaded, Some(colors[index]));
                }
            })?;
        counts.quads += quads.len() as u64;
        counts.instructions += instructions(&data, &quads);
        Ok(())
    }
}
