//! `trace`: what happens to a quad: its level of detail, the probes of its pixels, and the texels that they take.
//!
//! Contract: of probes and texels the stages themselves tell while they sample ([`TexelSource`]); positions and level of detail they
//! are asked for once more. Fetching and gathering take texels without probes, of which only the result is told.
//!
//! Cost: the quad, and its positions and texels once more.

use super::channels::Channels;
use super::decode::BlockMemo;
use super::lod::{self, Lod};
use super::projection::Position;
use super::request::{Bound, Place, Texel};
use super::sample::sample;
use crate::datapath::fetch::{Footprint, TexelSource};
use crate::memory::LineError;
use tmu_spec::general::{Operation, Quad, QuadResult};

/// What happens to a quad.
#[derive(Debug, Clone)]
pub struct QuadTrace {
    /// Where its pixels are.
    pub positions: [Position; 4],
    /// Which texels of which levels they take; none where no level is chosen.
    pub lod: Option<Lod>,
    /// The probes of each pixel, in their order.
    pub probes: [Vec<Probe>; 4],
    /// The answer.
    pub result: QuadResult,
}

/// A probe of a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Its columns and rows.
    pub footprint: Footprint,
    /// Its part of the sample, of 65536.
    pub weight: u32,
    /// What it takes, in this order as far as it has a weight: upper left, upper right, lower left, lower right.
    pub taps: Vec<Tap>,
}

/// A texel of a probe, or what stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tap {
    /// Its column and row, which may be beyond the level.
    pub place: [i32; 2],
    /// Its weight in the probe, of 65536.
    pub weight: u32,
    /// What is taken.
    pub taken: Taken,
}

/// What a probe takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// A texel.
    Texel(TexelTaken),
    /// The border.
    Border,
    /// At a corner of a cube, the mean of the others.
    Mean,
}

/// A texel that a probe takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexelTaken {
    /// Which one it is.
    pub texel: Texel,
    /// Texture address of its tile.
    pub tile: u32,
    /// Its number in the tile.
    pub number: u32,
    /// What it holds; none if it cannot be read.
    pub channels: Option<Channels>,
    /// Whether its depth passes the comparison, where depths are compared.
    pub passes: Option<bool>,
}

/// Takes a quad through the stages, looking on.
pub(super) fn trace(bound: &Bound, quad: &Quad, source: &mut impl TexelSource) -> QuadTrace {
    let mut recorder =
        Recorder { bound, quad, source, pixel: 0, places: Vec::new(), probes: Default::default() };
    let result = sample(bound, quad, &mut recorder);
    let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
    let has_lod = !matches!(quad.operation, Operation::Fetch | Operation::Gather(_));
    let lod = has_lod.then(|| lod::of_quad(bound, quad, &positions));
    QuadTrace { positions, lod, probes: recorder.probes, result }
}

/// Looks on while texels are taken.
struct Recorder<'a, S> {
    bound: &'a Bound,
    quad: &'a Quad,
    source: &'a mut S,
    pixel: usize,
    /// Column, row and weight of the taps of the probe that are still to come, the last one first.
    places: Vec<([i32; 2], u32)>,
    probes: [Vec<Probe>; 4],
}

impl<S: TexelSource> Recorder<'_, S> {
    fn take(&mut self, taken: Taken) {
        let Some((place, weight)) = self.places.pop() else { return };
        let probe = self.probes[self.pixel].last_mut().expect("a probe has begun");
        probe.taps.push(Tap { place, weight, taken });
    }

    /// Whether a depth passes the comparison, if there is one.
    fn passes(&mut self, place: Place) -> Option<bool> {
        let (op, decoder) = (self.bound.sampler().compare?, self.bound.decoder());
        let depth = decoder.depth(self.source, place.tile, place.texel).ok()?;
        Some(decoder.compared(op, self.quad.pixels[self.pixel].d, depth)[0] != 0)
    }
}

impl<S: TexelSource> TexelSource for Recorder<'_, S> {
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        self.source.bytes(offset)
    }

    fn begin_pixel(&mut self, number: usize) {
        self.pixel = number;
    }

    fn begin_probe(&mut self, footprint: &Footprint, weight: u32) {
        let parts = footprint.weights.map(|second| [256 - second, second]);
        let taps = [[0, 0], [1, 0], [0, 1], [1, 1]]
            .map(|[x, y]: [usize; 2]| ([footprint.columns[x], footprint.rows[y]], parts[0][x] * parts[1][y]));
        self.places = taps.into_iter().filter(|(_, weight)| *weight != 0).rev().collect();
        self.probes[self.pixel].push(Probe { footprint: *footprint, weight, taps: Vec::new() });
    }

    fn take_texel(&mut self, tile: u32, texel: u32) {
        let place = Place { tile, texel };
        let channels = self.bound.decoder().texel(self.source, &mut BlockMemo::default(), tile, texel).ok();
        let passes = self.passes(place);
        let (address, of) = (self.bound.base().wrapping_add(tile), self.bound.texel_at(place));
        self.take(Taken::Texel(TexelTaken { texel: of, tile: address, number: texel, channels, passes }));
    }

    fn take_border(&mut self) {
        self.take(Taken::Border);
    }

    fn take_mean(&mut self, tap: usize) {
        // Where a corner has a weight, all four taps have one.
        if let Some(probe) = self.probes[self.pixel].last_mut() {
            probe.taps[tap].taken = Taken::Mean;
        }
    }
}
