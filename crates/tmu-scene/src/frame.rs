//! A frame: triangles to tiles, tiles to batches of quads, results to pixels.
//!
//! Tiles are walked row by row, and in each tile the triangles in the order of the scene file, as a tile renderer
//! does. Walking is sequential, so the request stream is the same whatever engine answers it and on however many
//! threads. Kept at a time: the primitives, one batch, and two frame buffers (colour, and depth for pixels that only
//! the sample shows to be transparent).

use glam::DVec3;

use crate::camera::Projection;
use crate::engine::{Batch, Engine, EngineError, Run};
use crate::numerics::Numerics;
use crate::raster::{Primitive, PrimitiveList, TILE_PIXELS, Tile, VisibleQuad};
use crate::scene::{Blend, Draw, ImageSize, Scene, Space};
use crate::setup;
use crate::statistics::{RequestCounts, Statistics};

/// Quads after which a batch is handed to the engine.
const BATCH_QUADS: usize = 1 << 16;

/// A drawn picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    size: ImageSize,
    rgb: Vec<u8>,
}

impl Frame {
    /// A picture of this size from R, G, B of each pixel.
    pub(crate) fn new(size: ImageSize, rgb: Vec<u8>) -> Self {
        Self { size, rgb }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> ImageSize {
        self.size
    }

    /// R, G, B of each pixel, row by row from the top.
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// The same, taken out.
    pub fn into_rgb(self) -> Vec<u8> {
        self.rgb
    }
}

/// Draws a scene through a texture unit.
///
/// `size` may differ from the scene's own; the vertical field of view stays. `progress` is told after each row of
/// tiles how many of how many are done.
///
/// # Errors
/// Only if the engine breaks.
pub fn render<N: Numerics>(
    scene: &Scene<N>,
    size: ImageSize,
    engine: &mut dyn Engine<N>,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<(Frame, Statistics), EngineError> {
    render_counting(scene, size, engine, progress, None)
}

/// The same, and which quad each pixel shows: its number in the stream of requests, or [`NO_QUAD`].
///
/// # Errors
/// Only if the engine breaks.
pub fn render_seen<N: Numerics>(
    scene: &Scene<N>,
    size: ImageSize,
    engine: &mut dyn Engine<N>,
) -> Result<(Frame, Statistics, Vec<u32>), EngineError> {
    let mut seen = vec![NO_QUAD; size.width() as usize * size.height() as usize];
    let (frame, statistics) = render_counting(scene, size, engine, &mut |_, _| {}, Some(&mut seen))?;
    Ok((frame, statistics, seen))
}

/// What a pixel shows that no quad covers.
pub const NO_QUAD: u32 = u32::MAX;

fn render_counting<N: Numerics>(
    scene: &Scene<N>,
    size: ImageSize,
    engine: &mut dyn Engine<N>,
    progress: &mut dyn FnMut(u32, u32),
    seen: Option<&mut [u32]>,
) -> Result<(Frame, Statistics), EngineError> {
    let primitives = set_up(scene, size);
    let mut frame = FrameInProgress::new(scene, size, engine, seen);
    let columns = size.width().div_ceil(TILE_PIXELS);
    let rows = size.height().div_ceil(TILE_PIXELS);
    for row in 0..rows {
        let in_row: Vec<_> =
            primitives.iter().filter(|primitive| primitive.bounds.touches_tile_row(row)).collect();
        for column in 0..columns {
            let mut tile = Tile::new(column, row);
            for primitive in in_row.iter().filter(|primitive| primitive.bounds.touches_tile_column(column)) {
                draw_primitive(scene, &primitives, primitive, &mut tile, |request, quad| {
                    frame.push(primitive.draw, request, quad);
                });
                if frame.pending.quads.len() >= BATCH_QUADS {
                    frame.flush()?;
                }
            }
        }
        progress(row + 1, rows);
    }
    frame.flush()?;
    let statistics =
        Statistics::new(scene, size, primitives.triangles(), &frame.counts, &frame.engine.statistics());
    Ok((Frame { size, rgb: frame.rgb }, statistics))
}

/// Walks a primitive over a tile, and hands out its visible quads with their requests.
fn draw_primitive<N: Numerics>(
    scene: &Scene<N>,
    primitives: &PrimitiveList,
    primitive: &Primitive,
    tile: &mut Tile,
    mut emit: impl FnMut(N::Quad, VisibleQuad),
) {
    let draw = &scene.draws()[primitive.draw as usize];
    let binding = scene.binding(draw.binding);
    tile.draw(primitive, primitives.edges(primitive), draw.alpha_threshold.is_none(), |quad| {
        let reference = quad.first_valid();
        let values = primitives.quad_values(primitive, quad.x.into(), quad.y.into(), reference);
        let pixels = values.map(|values| draw.mapping.coordinates(values));
        emit(scene.numerics().quad(binding, &pixels, quad.valid, reference), quad);
    });
}

/// A quad that covers a pixel, and what becomes of the pixel.
#[derive(Debug, Clone)]
pub struct Layer<N: Numerics> {
    /// Number of its mesh in the scene.
    pub mesh: usize,
    /// Number of its binding.
    pub binding: usize,
    /// Column and row of its upper left pixel.
    pub place: [u32; 2],
    /// Number of the pixel in it.
    pub number: usize,
    /// What was asked.
    pub quad: N::Quad,
    /// The answer.
    pub result: N::QuadResult,
    /// R, G, B, A of the answer as a picture shows them.
    pub rgba: [u8; 4],
    /// R, G, B that the picture holds then; none where the pixel stays as it was.
    pub drawn: Option<[u8; 3]>,
}

/// The quads that cover a pixel of a frame, in the order in which they are drawn. What is hidden when it comes is not among them.
///
/// # Errors
/// Only if the engine breaks.
///
/// # Panics
/// If the pixel is outside the frame.
pub fn layers_at<N: Numerics>(
    scene: &Scene<N>,
    size: ImageSize,
    [x, y]: [u32; 2],
    engine: &mut dyn Engine<N>,
) -> Result<Vec<Layer<N>>, EngineError> {
    assert!(x < size.width() && y < size.height(), "a pixel of the frame");
    let primitives = set_up(scene, size);
    let mut tile = Tile::new(x / TILE_PIXELS, y / TILE_PIXELS);
    let mut covering = Vec::new();
    for primitive in primitives.iter().filter(|primitive| primitive.bounds.touches_tile_row(y / TILE_PIXELS))
    {
        draw_primitive(scene, &primitives, primitive, &mut tile, |request, quad| {
            let number = (0..4).find(|number| quad.draws(*number) && quad.pixel(*number) == (x, y));
            covering.extend(number.map(|number| (primitive.draw, request, quad, number)));
        });
    }
    let mut frame = FrameInProgress::new(scene, size, engine, None);
    let mut layers = Vec::new();
    for (mesh, quad, place, number) in covering {
        let draw = &scene.draws()[mesh as usize];
        frame.push(mesh, quad, place);
        let drawn = frame.flush()?;
        let at = 3 * (y as usize * frame.width + x as usize);
        let result = frame.results[0];
        layers.push(Layer {
            mesh: mesh as usize,
            binding: draw.binding,
            place: [place.x, place.y],
            number,
            quad,
            result,
            rgba: scene.numerics().rgba(&result)[number],
            drawn: (drawn >> number & 1 == 1).then(|| [0, 1, 2].map(|channel| frame.rgb[at + channel])),
        });
    }
    Ok(layers)
}

/// Projects, clips and sets up every triangle of the scene.
fn set_up<N: Numerics>(scene: &Scene<N>, size: ImageSize) -> PrimitiveList {
    let mut primitives = PrimitiveList::new(size.width(), size.height());
    for (number, draw) in (0..).zip(scene.draws()) {
        let (projection, eye, near) = match (draw.space, scene.camera()) {
            (Space::World(_), Some(camera)) => {
                (camera.projection(size.width(), size.height()), camera.position, Some(camera.near))
            }
            // A scene with shapes in the world has a camera.
            (Space::World(_), None) => continue,
            (Space::Screen { distance }, _) => (Projection::screen(distance), DVec3::ZERO, None),
        };
        setup::add(&mut primitives, number, draw, &projection, eye, near);
    }
    primitives
}

/// The two frame buffers, and the batch that is on its way.
struct FrameInProgress<'a, N: Numerics> {
    scene: &'a Scene<N>,
    bindings: Vec<N::Binding>,
    engine: &'a mut dyn Engine<N>,
    width: usize,
    rgb: Vec<u8>,
    /// 1 / distance of what each pixel shows, 0 for the background.
    nearness: Vec<f32>,
    pending: PendingBatch<N>,
    results: Vec<N::QuadResult>,
    /// By binding.
    counts: Vec<RequestCounts>,
    /// The number of the quad that each pixel shows, for who asks.
    seen: Option<&'a mut [u32]>,
    /// Quads that are sampled.
    sampled: u32,
}

/// Quads that are not yet sampled.
struct PendingBatch<N: Numerics> {
    quads: Vec<N::Quad>,
    /// Where each quad goes.
    places: Vec<VisibleQuad>,
    runs: Vec<Run>,
    /// The draw that each run belongs to.
    run_draws: Vec<u32>,
}

impl<'a, N: Numerics> FrameInProgress<'a, N> {
    fn new(
        scene: &'a Scene<N>,
        size: ImageSize,
        engine: &'a mut dyn Engine<N>,
        seen: Option<&'a mut [u32]>,
    ) -> Self {
        let pixels = size.width() as usize * size.height() as usize;
        Self {
            scene,
            bindings: scene.bindings().copied().collect(),
            engine,
            width: size.width() as usize,
            rgb: scene.background().repeat(pixels),
            nearness: vec![0.0; pixels],
            pending: PendingBatch::default(),
            results: Vec::new(),
            counts: vec![RequestCounts::default(); scene.bindings().len()],
            seen,
            sampled: 0,
        }
    }

    fn push(&mut self, draw: u32, quad: N::Quad, place: VisibleQuad) {
        let binding = self.scene.draws()[draw as usize].binding;
        let pending = &mut self.pending;
        let first = pending.quads.len();
        if pending.run_draws.last() != Some(&draw) {
            pending.runs.push(Run { binding, quads: first..first });
            pending.run_draws.push(draw);
        }
        if let Some(run) = pending.runs.last_mut() {
            run.quads.end = first + 1;
        }
        pending.quads.push(quad);
        pending.places.push(place);
        self.counts[binding].add(N::valid(&quad));
    }

    /// Samples what is pending and puts it into the picture. Bit i of what it gives: pixel i of the last quad was drawn.
    fn flush(&mut self) -> Result<u8, EngineError> {
        let mut pending = std::mem::take(&mut self.pending);
        let mut drawn = 0;
        if pending.quads.is_empty() {
            return Ok(drawn);
        }
        let batch = Batch { bindings: &self.bindings, runs: &pending.runs, quads: &pending.quads };
        self.results.clear();
        self.engine.sample(&batch, &mut self.results)?;
        if self.results.len() != pending.quads.len() {
            let (got, expected) = (self.results.len(), pending.quads.len());
            return Err(format!("the engine gave {got} results for {expected} quads").into());
        }
        for (run, &draw) in pending.runs.iter().zip(&pending.run_draws) {
            let draw = &self.scene.draws()[draw as usize];
            for index in run.quads.clone() {
                let result = self.results[index];
                self.counts[draw.binding].errors += u64::from(N::is_error(&result));
                drawn = self.resolve(&pending.places[index], &result, draw);
                self.sampled += 1;
            }
        }
        pending.clear();
        self.pending = pending;
        Ok(drawn)
    }

    /// Puts the pixels of a quad into the picture that are opaque enough and not behind what is there, and says which.
    fn resolve(&mut self, place: &VisibleQuad, result: &N::QuadResult, draw: &Draw) -> u8 {
        let colors = self.scene.numerics().rgba(result);
        let mut drawn = 0;
        let alpha_threshold = draw.alpha_threshold.unwrap_or(0);
        for index in (0..4).filter(|index| place.draws(*index)) {
            let (x, y) = place.pixel(index);
            let pixel = y as usize * self.width + x as usize;
            let [r, g, b, alpha] = colors[index];
            if alpha >= alpha_threshold && place.nearness[index] >= self.nearness[pixel] {
                self.nearness[pixel] = place.nearness[index];
                drawn |= 1 << index;
                if let Some(seen) = &mut self.seen {
                    seen[pixel] = self.sampled;
                }
                let shown = &mut self.rgb[pixel * 3..][..3];
                match draw.blend {
                    Blend::Replace => shown.copy_from_slice(&[r, g, b]),
                    Blend::Multiply { strength } => {
                        std::iter::zip(shown, [r, g, b]).for_each(|(shown, sampled)| {
                            let factor = u8::MAX - multiplied(u8::MAX - sampled, strength);
                            *shown = multiplied(*shown, factor);
                        })
                    }
                }
            }
        }
        drawn
    }
}

/// The product of two bytes that stand for 0 … 1.
fn multiplied(one: u8, other: u8) -> u8 {
    ((u32::from(one) * u32::from(other) + 127) / 255) as u8
}

impl<N: Numerics> Default for PendingBatch<N> {
    fn default() -> Self {
        Self { quads: Vec::new(), places: Vec::new(), runs: Vec::new(), run_draws: Vec::new() }
    }
}

impl<N: Numerics> PendingBatch<N> {
    fn clear(&mut self) {
        self.quads.clear();
        self.places.clear();
        self.runs.clear();
        self.run_draws.clear();
    }
}
