//! `trace`: what happens at one pixel of a frame: each triangle that is shaded there, its program step by step, the texels that it takes.
//!
//! Contract: the stages themselves tell ([`Watch`]); nothing is worked out a second time.
//!
//! Cost: the pixel's tile.

use super::fault::Fault;
use super::grouping::Quad;
use super::hidden_surfaces::centre;
use super::interpolation::{self, Planes};
use super::tile::Tiles;
use super::triangle_data::TriangleData;
use super::watch::Watch;
use crate::datapath::fetch::TexelSource;
use crate::general::Channels;
use crate::general::decode::BlockMemo;
use crate::general::request::{Bound, Place, Texel};
use crate::memory::Memory;
use crate::shader::{Pixel, Registers, Shaded};

/// What happens at a pixel.
#[derive(Debug, Clone)]
pub struct PixelTrace {
    /// The triangles that are shaded there, in their order.
    pub layers: Vec<Layer>,
    /// Its colour in the end.
    pub color: [u8; 4],
    /// Its depth in the end.
    pub depth: f32,
    /// The number of its tile.
    pub tile: u32,
}

impl PixelTrace {
    /// Which of the triangles is seen: the last one that was drawn.
    #[must_use]
    pub fn seen(&self) -> Option<usize> {
        self.layers.iter().rposition(|layer| layer.drawn.is_some())
    }
}

/// A triangle that is shaded at a pixel.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The triangle, its vertices, its state and program.
    pub data: TriangleData,
    /// Its depth.
    pub z: f32,
    /// RHW.
    pub rhw: f32,
    /// What the program begins with.
    pub pixel: Pixel,
    /// What each instruction has left, in their order.
    pub steps: Vec<Step>,
    /// What came out.
    pub shaded: Shaded,
    /// The colour of the tile behind it; none if the pixel was let go.
    pub drawn: Option<[u8; 4]>,
}

/// An instruction that was run.
#[derive(Debug, Clone)]
pub struct Step {
    /// What the registers hold.
    pub registers: Registers,
    /// Where a texld has looked.
    pub look_up: Option<LookUp>,
}

/// A look into a texture.
#[derive(Debug, Clone)]
pub struct LookUp {
    /// Its place in the store.
    pub texture: u8,
    /// Where.
    pub coordinates: [f32; 3],
    /// The texels that it took, each with its channels if they can be read.
    pub texels: Vec<(Texel, Option<Channels>)>,
}

impl<M: Memory> Tiles<'_, M> {
    /// What happens at a pixel of the frame.
    ///
    /// # Errors
    /// The first thing that keeps its tile from being drawn.
    ///
    /// # Panics
    /// If the pixel is outside the frame.
    pub fn trace(&mut self, pixel: [u32; 2]) -> Result<PixelTrace, Fault> {
        let frame = self.frame();
        assert!(pixel.iter().zip(frame.size()).all(|(at, size)| *at < size), "a pixel of the frame");
        let [column, row] = [pixel[0] / frame.tile.width(), pixel[1] / frame.tile.height()];
        let tile = row * frame.tiles_across()[0] + column;
        let mut recorder = Recorder { pixel, ..Recorder::default() };
        let drawn = self.watched_tile(tile, &mut recorder)?;
        let index = drawn.buffer.area.index(pixel[0], pixel[1]);
        Ok(PixelTrace {
            layers: recorder.layers,
            color: drawn.buffer.colors[index],
            depth: drawn.buffer.depths[index],
            tile,
        })
    }
}

/// Looks on for one pixel.
#[derive(Debug, Default)]
struct Recorder {
    pixel: [u32; 2],
    /// Its number in the quad that is shaded, if it is seen there.
    number: Option<usize>,
    look_up: Option<LookUp>,
    /// The texels that are taken are the pixel's.
    is_taking: bool,
    layers: Vec<Layer>,
}

impl Watch for Recorder {
    fn begin(&mut self, data: &TriangleData, planes: &Planes, quad: &Quad, pixels: &[Pixel; 4]) {
        self.number = quad.seen().find(|(_, place)| *place == self.pixel).map(|(number, _)| number);
        let Some(number) = self.number else { return };
        let [x, y] = self.pixel;
        let z = interpolation::depth(&data.triangle);
        self.layers.push(Layer {
            data: data.clone(),
            z: z.at(centre(x), z.row(centre(y))),
            rhw: planes.rhw(self.pixel),
            pixel: pixels[number],
            steps: Vec::new(),
            shaded: Shaded { color: [0; 4], depth: None, is_killed: false },
            drawn: None,
        });
    }

    fn look_up(&mut self, texture: u8, coordinates: &[[f32; 3]; 4]) {
        self.look_up = self.number.map(|number| LookUp {
            texture,
            coordinates: coordinates[number],
            texels: Vec::new(),
        });
    }

    fn begin_pixel(&mut self, number: usize) {
        self.is_taking = self.number == Some(number);
    }

    fn take_texel<S: TexelSource>(&mut self, bound: &Bound, place: Place, source: &mut S) {
        if let Some(look_up) = self.look_up.as_mut().filter(|_| self.is_taking) {
            let Place { tile, texel } = place;
            let channels = bound.decoder().texel(source, &mut BlockMemo::default(), tile, texel);
            look_up.texels.push((bound.texel_at(place), channels.ok()));
        }
    }

    fn after(&mut self, registers: impl FnOnce() -> [Registers; 4]) {
        if let (Some(number), Some(layer)) = (self.number, self.layers.last_mut()) {
            layer.steps.push(Step { registers: registers()[number], look_up: self.look_up.take() });
        }
    }

    fn end(&mut self, place: [u32; 2], shaded: &Shaded, drawn: Option<[u8; 4]>) {
        if let Some(layer) = self.layers.last_mut().filter(|_| place == self.pixel) {
            (layer.shaded, layer.drawn) = (*shaded, drawn);
        }
    }
}
