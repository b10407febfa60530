//! Says which stage would explain a wrong result.
//!
//! The golden stages are run again for each pixel, with one of them made to err in the ways in which hardware
//! errs: a level beside the right one, another address mode, taps or weights exchanged, a channel one off. The
//! first that gives what the hardware gave is the suspect. What each stage should have made follows.

use crate::engines::sampler::contents::SharedMemory;
use crate::engines::sampler::streams::result::ResultBeat;
use std::fmt::Write as _;
use tmu_model::datapath::address::{Level, line_of, texture_address};
use tmu_model::datapath::decode::{ColorTable, packed, rgb8, rgba8};
use tmu_model::datapath::{coordinate, filter};
use tmu_model::{Memory as _, TextureUnit};
use tmu_spec::{AddressMode, Binding, LINE_BYTES, Quad, QuadResult, Sampler};

/// The taps of one pixel, and what they amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taps {
    /// Column and row of s0 to s3; one texel four times if nearest.
    texels: [[u32; 2]; 4],
    weights: [u32; 2],
    colors: [u32; 4],
}

impl Taps {
    fn filtered(&self) -> u32 {
        filter::bilinear(self.colors, self.weights[0], self.weights[1])
    }
}

/// What the stages read.
struct Source<'a> {
    memory: &'a SharedMemory,
    binding: &'a Binding,
    table: Option<Box<ColorTable>>,
}

impl Source<'_> {
    fn byte(&self, offset: u32) -> u8 {
        let address = texture_address(self.binding.base(), offset);
        let line = self.memory.read_line(line_of(address)).unwrap_or_default();
        line[(address % LINE_BYTES) as usize]
    }

    fn color(&self, level: u32, [x, y]: [u32; 2]) -> u32 {
        let offset = self.binding.texture().texel_byte_offset(level, x, y);
        let byte = |at| self.byte(offset + at);
        let colors = self.binding.texture().format().colors();
        match (&self.table, colors.bytes) {
            (Some(table), _) => table.color(byte(0)).unwrap_or_default(),
            (None, 4) => rgba8([byte(0), byte(1), byte(2), byte(3)]),
            (None, 3) => rgb8([byte(0), byte(1), byte(2)]),
            (None, _) => packed(colors, [byte(0), byte(1)]),
        }
    }

    fn taps(&self, level_number: u32, uv: [i32; 2], sampler: Sampler) -> Taps {
        let sizes_log2 = Level::new(self.binding.texture(), level_number).sizes_log2();
        let places = coordinate::places(uv, sampler);
        let (texels, weights) = if sampler.bilinear {
            let [x, y] = coordinate::taps(places, sizes_log2, sampler);
            let texels = [[x.first, y.first], [x.second, y.first], [x.first, y.second], [x.second, y.second]];
            (texels, [x.weight, y.weight])
        } else {
            ([coordinate::nearest_texels(places, sizes_log2); 4], [0, 0])
        };
        Taps { texels, weights, colors: texels.map(|texel| self.color(level_number, texel)) }
    }

    /// The mistake of one stage that makes `got` of a pixel, if there is one.
    fn suspect(&self, lod: u32, uv: [i32; 2], got: u32) -> Option<String> {
        let sampler = self.binding.sampler();
        let taps = self.taps(lod, uv, sampler);
        let gives = |taps: Taps| taps.filtered() == got;
        for level in (0..self.binding.texture().levels()).filter(|level| *level != lod) {
            if gives(self.taps(level, uv, sampler)) {
                return Some(format!("lod: level {level} was sampled instead of {lod}"));
            }
        }
        if gives(self.taps(lod, uv, Sampler { bilinear: !sampler.bilinear, ..sampler })) {
            return Some("coordinate: the other filter's texels were taken".to_owned());
        }
        for (address_u, address_v) in
            AddressMode::CLASSIC.into_iter().flat_map(|u| AddressMode::CLASSIC.map(|v| (u, v)))
        {
            if gives(self.taps(lod, uv, Sampler { address_u, address_v, ..sampler })) {
                return Some(format!("coordinate: address modes {address_u}, {address_v} were used"));
            }
        }
        let [s0, s1, s2, s3] = taps.colors;
        let [along_x, along_y] = taps.weights;
        let mistakes = [
            ("coordinate: the weights are exchanged", [s0, s1, s2, s3], [along_y, along_x]),
            ("address: columns are exchanged", [s1, s0, s3, s2], taps.weights),
            ("address: rows are exchanged", [s2, s3, s0, s1], taps.weights),
            ("address: columns and rows are exchanged", [s0, s2, s1, s3], taps.weights),
            ("filter: the weights are not applied", [s0, s1, s2, s3], [0, 0]),
        ];
        for (mistake, colors, weights) in mistakes {
            if gives(Taps { colors, weights, ..taps }) {
                return Some(mistake.to_owned());
            }
        }
        if taps.colors.contains(&got) {
            return Some("filter: one tap came out as it was".to_owned());
        }
        let expected = taps.filtered().to_le_bytes();
        let near = expected.iter().zip(got.to_le_bytes()).all(|(a, b)| a.abs_diff(b) <= 2);
        near.then(|| "filter: channels are off by 1 or 2, which is rounding".to_owned())
    }
}

/// What is wrong with `got`, by stage. The binding of `model` is legal.
pub(crate) fn diagnose(
    model: &TextureUnit<SharedMemory>,
    quad: &Quad,
    expected: &QuadResult,
    got: ResultBeat,
) -> String {
    let (Some(binding), Some(lod)) = (model.binding(), model.lod(quad)) else { return String::new() };
    let table = ColorTable::read(model.memory(), binding);
    let source = Source { memory: model.memory(), binding, table };
    let mut text = format!("suspect: {}\n", suspect(&source, lod, quad, expected, got));
    let _ = writeln!(text, "lod: level {lod}");
    for pixel in (0..4).filter(|pixel| quad.is_valid(*pixel)) {
        let taps = source.taps(lod, quad.uv()[pixel], binding.sampler());
        let offset = |[x, y]: [u32; 2]| binding.texture().texel_byte_offset(lod, x, y);
        let addresses = taps.texels.map(|texel| texture_address(binding.base(), offset(texel)));
        let colors = taps.colors.map(|color| format!("{:08x}", color.swap_bytes()));
        let _ = writeln!(text, "pixel {pixel}: texels {:?}, weights {:?}", taps.texels, taps.weights);
        let _ = writeln!(text, "  addresses {addresses:x?}, colours RGBA {}", colors.join(" "));
    }
    text.trim_end().to_owned()
}

/// The stage whose mistake explains the first wrong pixel.
fn suspect(source: &Source<'_>, lod: u32, quad: &Quad, expected: &QuadResult, got: ResultBeat) -> String {
    if got.tuser & 15 != expected.valid() {
        return "request or result FIFO: the valid bits are those of another quad".to_owned();
    }
    if got.tuser >> 4 != u8::from(expected.error()) {
        return "cache or memory port: the error bit is wrong".to_owned();
    }
    let color = |tdata: u128, pixel: usize| (tdata >> (32 * pixel)) as u32;
    let wrong = (0..4).find(|pixel| color(expected.tdata(), *pixel) != color(got.tdata, *pixel));
    let Some(pixel) = wrong else { return "none: all pixels agree".to_owned() };
    if !quad.is_valid(pixel) {
        return format!("filter: pixel {pixel} is not valid and must be 0");
    }
    let got = color(got.tdata, pixel);
    if let Some(other) = (0..4).find(|other| *other != pixel && color(expected.tdata(), *other) == got) {
        return format!("filter: pixel {pixel} has the colour of pixel {other}");
    }
    let found = source.suspect(lod, quad.uv()[pixel], got);
    found.unwrap_or_else(|| format!("cache, decode or several: no single mistake gives pixel {pixel}"))
}
