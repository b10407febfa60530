//! `tile_buffer` and `write_back` of the pixel pipeline against their counterparts in the golden model: any quads, blending and tests, and
//! any frame that a tile may be written into.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::pixel::hidden_surfaces::Area;
use tmu_model::pixel::tile_buffer::{TileBuffer as Model, blend, stays};
use tmu_model::pixel::write_back::write_back as model;
use tmu_model::shader::Shaded;
use tmu_rtl::engines::pixel::tile_buffer::{ShadedWord, TileBuffer};
use tmu_rtl::engines::pixel::words::{LINE_NUMBER_BITS, TileShape};
use tmu_rtl::engines::pixel::write_back::{LineWord, WriteBack, WriteSettings};
use tmu_spec::choice::Choice;
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::record::FRAME_MAGIC;
use tmu_spec::pixel::{Blend, Frame, OutputFormat, State, TileSize};
use tmu_stages::{Check, Flow, Rig};

type Color = [u8; 4];

fn color(check: &mut Check) -> Color {
    [(); 4]
        .map(|()| if check.one_in(3) { check.pick(&[0, 1, 127, 128, 254, 255]) } else { check.rng.random() })
}

fn color_bits(color: Color) -> Bits {
    number(32, u32::from_le_bytes(color))
}

/// The colours of a quad, in the order of its pixels.
fn colors_of(bits: Bits) -> [Color; 4] {
    [0, 1, 2, 3].map(|pixel: usize| (bits.slice(32 * pixel, 32).to_u64() as u32).to_le_bytes())
}

/// A state with a test and a way to blend.
fn state(blend: Blend, alpha_compare: CompareOp, alpha_reference: u8) -> State {
    State {
        program: 0,
        blend,
        alpha_compare,
        alpha_reference,
        sets: 0,
        has_colors: false,
        textures: [0; 6],
        bump: [0; 24],
        constants: [0; 32],
    }
}

/// The stage, what it draws, and what it owes: where, and which pixels stay.
struct Bench {
    rig: Rig<TileBuffer>,
    shape: TileShape,
    quads: Vec<[Color; 4]>,
    owed: Flow<(u64, u64)>,
}

impl Bench {
    fn clock(&mut self, check: &mut Check) -> bool {
        self.rig.settle();
        let is_taken = is_high(self.rig.quads.ready.val());
        if is_high(self.rig.drawn.val()) {
            let expected = self.owed.next(check);
            let got = (self.rig.drawn_place.val().to_u64(), self.rig.drawn_mask.val().to_u64());
            check.same("pixels that stay", got, expected);
        }
        self.rig.tick();
        is_taken
    }

    /// Clears the bank that is not drawn into. Gives the colour.
    fn clear(&mut self, check: &mut Check) -> Color {
        let clear = color(check);
        self.rig.clear.drive(true);
        self.rig.clear_color.drive(color_bits(clear));
        self.clock(check);
        self.rig.clear.drive(false);
        clear
    }

    fn is_clear(&mut self, check: &mut Check) {
        self.rig.settle();
        while is_high(self.rig.is_clearing.val()) {
            self.clock(check);
            self.rig.settle();
        }
    }

    fn draw(&mut self, check: &mut Check, place: usize) {
        let is_tested = !check.one_in(3);
        let mode = if is_tested { check.pick(Blend::CHOICES) } else { Blend::None };
        let (compare, reference) = (check.pick(CompareOp::CHOICES), check.pick(&[0, 128, 255]));
        let colors = [(); 4].map(|()| color(check));
        let (mask, killed) = (check.rng.random_range(1..16u64), check.rng.random_range(0..16u64));
        let killed = if is_tested && check.one_in(3) { killed } else { 0 };
        let state = state(mode, compare, reference);
        let mut stay = 0;
        for pixel in (0..4).filter(|pixel| mask >> pixel & 1 == 1) {
            let shaded = Shaded { color: colors[pixel], depth: None, is_killed: killed >> pixel & 1 == 1 };
            if !is_tested || stays(&shaded, &state) {
                stay |= 1 << pixel;
                let there = &mut self.quads[place][pixel];
                *there = blend(mode, colors[pixel], *there);
            }
        }
        let word = ShadedWord::of(&self.shape);
        self.rig.quads.valid.drive(true);
        self.rig.quads.data.drive(word.pack(&ShadedWord {
            place: number(word.place.value_bits(), place as u64),
            mask: number(4, mask),
            is_tested: number(1, is_tested),
            blend: number(3, mode as u64),
            alpha_compare: number(3, compare as u64),
            alpha_reference: number(8, reference),
            killed: number(4, killed),
            colors: colors.map(color_bits),
        }));
        while !self.clock(check) {}
        self.owed.put((place as u64, stay));
        self.rig.quads.valid.drive(false);
    }

    /// Reads the bank that was drawn into, with pauses.
    fn read(&mut self, check: &mut Check) {
        let mut places: VecDeque<usize> = VecDeque::new();
        let mut next = 0;
        while next < self.quads.len() + 2 {
            let moves = !check.one_in(3);
            self.rig.read_enable.drive(moves);
            self.rig.read_place.drive(number(self.rig.read_place.width(), (next % self.quads.len()) as u64));
            if places.len() == 2 {
                self.rig.settle();
                let got = colors_of(self.rig.read_colors.val());
                check.same(format_args!("quad {}", places[0]), got, self.quads[places[0]]);
            }
            self.clock(check);
            if moves {
                places.push_back(next % self.quads.len());
                next += 1;
                if places.len() > 2 {
                    places.pop_front();
                }
            }
        }
        self.rig.read_enable.drive(false);
    }
}

#[test]
pub(crate) fn tile_buffer() {
    const TILES: usize = 12;
    const QUADS: usize = 400;
    let shape = TileShape::LITE;
    let mut check = Check::new("pixel_tile_buffer");
    let count = shape.width() * shape.height() / 4;
    let mut bench = Bench {
        rig: Rig::new("tile_buffer", TileBuffer::new(&shape)),
        shape,
        quads: vec![[[0; 4]; 4]; count],
        owed: Flow::default(),
    };
    bench.rig.bank.drive(true);
    let mut cleared = bench.clear(&mut check);
    bench.is_clear(&mut check);
    for tile in 0..TILES {
        bench.quads.fill([cleared; 4]);
        bench.rig.bank.drive(tile % 2 == 1);
        cleared = bench.clear(&mut check);
        for turn in 0..QUADS {
            // Often the same place again.
            let few = if turn / 50 % 2 == 0 { 3 } else { count };
            let place = check.rng.random_range(0..few);
            bench.draw(&mut check, place);
            while check.one_in(4) {
                bench.clock(&mut check);
            }
        }
        (0..30).for_each(|_| {
            bench.clock(&mut check);
        });
        bench.owed.is_done(&mut check);
        bench.is_clear(&mut check);
        bench.rig.bank.drive(tile % 2 == 0);
        bench.read(&mut check);
    }
    check.at_least((TILES * QUADS) as u64);
}

/// A line: its number, its strobes and its bytes.
type Line = (u32, u16, [u8; 16]);

/// A frame that a tile is written into.
fn frame(check: &mut Check) -> Frame {
    let mut line = || 16 * check.rng.random_range(0..1u32 << LINE_NUMBER_BITS);
    let (picture, picture_pitch, depth, depth_pitch) = (line(), line(), line(), line());
    Frame {
        magic: FRAME_MAGIC,
        width_less_one: 0,
        height_less_one: 0,
        tile: TileSize::Square32,
        output: check.pick(OutputFormat::CHOICES),
        dithers: check.one_in(2),
        writes_depth: check.one_in(2),
        list_limit: 0,
        clear_color: [0; 4],
        clear_depth: 0.0,
        tiles: 0,
        textures: 0,
        picture,
        picture_pitch,
        depth,
        depth_pitch,
        texture_count: 0,
    }
}

/// The lines that the golden model writes.
fn expected(frame: &Frame, tile: &Model) -> Vec<Line> {
    let mut lines = vec![];
    let written = model(frame, tile, |address, bytes| {
        for (place, part) in (0..).zip(bytes.chunks(16)) {
            let mut line = [0; 16];
            line[..part.len()].copy_from_slice(part);
            let strobes = (1u32 << part.len()) - 1;
            lines.push(((address / 16 + place) & ((1 << LINE_NUMBER_BITS) - 1), strobes as u16, line));
        }
        Ok::<(), ()>(())
    });
    written.expect("nothing fails");
    lines
}

fn line_of(data: Bits) -> Line {
    let word = LineWord::shape().unpack(data);
    let strobes = word.strobes.to_u64() as u16;
    let byte = |at: usize| {
        let is_written = strobes >> at & 1 == 1;
        if is_written { word.bytes.slice(8 * at, 8).to_u64() as u8 } else { 0 }
    };
    (word.line.to_u64() as u32, strobes, std::array::from_fn(byte))
}

/// What stands at a quad, or at four depths.
fn words_of(
    tile: &Model,
    pixels: impl Iterator<Item = [u32; 2]>,
    word: impl Fn(&Model, usize) -> u32,
) -> Bits {
    let words = pixels.map(|[x, y]| {
        let is_there = x < tile.area.end[0] && y < tile.area.end[1];
        if is_there { word(tile, tile.area.index(x, y)) } else { 0xdead_beef }
    });
    let words: Vec<u32> = words.collect();
    let limbs =
        [[0, 1], [2, 3]].map(|[low, high]: [usize; 2]| u64::from(words[low]) | u64::from(words[high]) << 32);
    Bits::constant(Value::from_limbs(128, &limbs))
}

/// What stands where the stage reads.
fn answers(rig: &Rig<WriteBack>, tile: &Model) -> [Bits; 2] {
    let start = tile.area.start;
    let quad = rig.color_place.val().to_u64() as u32;
    let corner = [start[0] + quad % 8 * 2, start[1] + quad / 8 * 2];
    let of_quad = (0..4).map(|pixel| [corner[0] + pixel % 2, corner[1] + pixel / 2]);
    let colors = words_of(tile, of_quad, |tile, at| u32::from_le_bytes(tile.colors[at]));
    let four = rig.depth_place.val().to_u64() as u32;
    let of_four = (0..4).map(|at| [start[0] + four % 4 * 4 + at, start[1] + four / 4]);
    [colors, words_of(tile, of_four, |tile, at| tile.depths[at].to_bits())]
}

/// The settings of a tile of a frame. Where the tile begins is the engine's to say.
fn settings(shape: &TileShape, frame: &Frame, area: &Area) -> WriteSettings {
    let of = WriteSettings::of(shape);
    let begin = |base: u32, pitch: u32, bytes: u32| {
        base.wrapping_add(area.start[1].wrapping_mul(pitch)).wrapping_add(area.start[0] * bytes) / 16
    };
    let line = |value: u32| number(LINE_NUMBER_BITS, value);
    WriteSettings {
        output: number(of.output.value_bits(), frame.output as u64),
        dithers: number(1, frame.dithers),
        writes_depth: number(1, frame.writes_depth),
        last_column: number(shape.width_log2, area.width() - 1),
        last_row: number(shape.height_log2, area.height() - 1),
        picture: line(begin(frame.picture, frame.picture_pitch, frame.output.pixel_bytes())),
        picture_pitch: line(frame.picture_pitch / 16),
        depth: line(begin(frame.depth, frame.depth_pitch, 4)),
        depth_pitch: line(frame.depth_pitch / 16),
    }
}

#[test]
pub(crate) fn write_back() {
    const TILES: usize = 40;
    let shape = TileShape::LITE;
    let mut check = Check::new("pixel_write_back");
    let mut rig = Rig::new("write_back", WriteBack::new(&shape));
    let mut owed: Flow<Line> = Flow::default();
    for turn in 0..TILES {
        let frame = frame(&mut check);
        let start = [(); 2].map(|()| 16 * check.rng.random_range(0..256u32));
        let size = [(); 2].map(|()| if check.one_in(2) { 16 } else { check.rng.random_range(1..=16) });
        let area = Area { start, end: [start[0] + size[0], start[1] + size[1]] };
        let pixels = (size[0] * size[1]) as usize;
        let colors = (0..pixels).map(|_| color(&mut check)).collect();
        let depths = (0..pixels).map(|_| check.rng.random_range(-2f32..2.0)).collect();
        let tile = Model { area, colors, depths };
        expected(&frame, &tile).into_iter().for_each(|line| owed.put(line));
        rig.settings.drive(settings(&shape, &frame, &area));
        rig.start.drive(true);
        let pause = [1000, 2, 4][turn % 3];
        let mut latch: Option<[Bits; 2]> = None;
        let mut clocks = 0;
        while !owed.is_empty() || clocks < 2 {
            let ready = !check.one_in(pause);
            rig.lines.ready.drive(ready);
            rig.settle();
            if ready && is_high(rig.lines.valid.val()) {
                let expected = owed.next(&mut check);
                check.same("line", line_of(rig.lines.data.val()), expected);
            }
            let moves = is_high(rig.read_enable.val());
            let [colors, depths] = answers(&rig, &tile);
            rig.tick();
            rig.start.drive(false);
            if moves {
                if let Some([colors, depths]) = latch {
                    rig.colors.drive(colors);
                    rig.depths.drive(depths);
                }
                latch = Some([colors, depths]);
            }
            clocks += 1;
            check.holds(clocks < 10_000, "a tile ends");
        }
        rig.settle();
        check.holds(!is_high(rig.is_busy.val()), "a tile has ended");
    }
    check.at_least(TILES as u64 * 8);
}
