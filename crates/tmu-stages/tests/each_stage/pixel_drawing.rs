//! All stages of the pixel pipeline together against `tmu_model::pixel::draw`: any frames, whole and damaged, with textures that the golden model samples.

use crate::pixel_frames::{Answers, LINE_BYTES, Put};
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::{BTreeMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::pixel::texture::{Sampling, Textures};
use tmu_model::pixel::{Build, Fault, draw, tile_fetch};
use tmu_model::shader::Textures as _;
use tmu_rtl::engine::read_ports::LinePorts;
use tmu_rtl::engines::pixel::drawing::{Drawing, DrawingShape};
use tmu_rtl::engines::pixel::shade::words::{ORDER_BITS, ShadeShape, TextureAnswerWord, TextureRequestWord};
use tmu_rtl::engines::pixel::triangle_data::words::AlongWord;
use tmu_rtl::engines::pixel::words::TileShape;
use tmu_rtl::engines::pixel::write_back::LineWord;
use tmu_spec::pixel::Frame;
use tmu_stages::{Check, Rig};

/// Bits of the number of a line of memory.
const LINE_BITS: usize = 28;

/// Bytes that were written, by address.
type Picture = BTreeMap<u32, u8>;

/// What the stages are built for.
fn build(shape: &DrawingShape) -> Build {
    Build::preset().with_tile(shape.tile.size())
}

/// What a frame leaves, and how it ends.
fn expected(put: &Put, shape: &DrawingShape) -> (Picture, Result<(), Fault>) {
    let mut picture = Picture::new();
    let drawn = draw(put, put.address, &build(shape), |address, bytes| {
        picture.extend(bytes.iter().enumerate().map(|(at, byte)| (address.wrapping_add(at as u32), *byte)));
        Ok(())
    });
    (picture, drawn.map(|_| ()))
}

/// A channel for reads and what is under way on it.
struct Channel {
    answers: Answers,
}

impl Channel {
    fn drive(&mut self, check: &mut Check, put: &Put, ports: &LinePorts) {
        let came = self.answers.come(check, put);
        ports.read.ready.drive(!check.one_in(4));
        ports.line_valid.drive(came.is_some());
        if let Some(came) = came {
            let bytes = came.bytes.unwrap_or([0xa5; LINE_BYTES]);
            ports.line_data.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(bytes))));
            ports.line_response.drive(number(2, if came.bytes.is_ok() { 0u64 } else { 2 }));
            ports.line_last.drive(came.ends);
        }
    }

    fn look(&mut self, check: &mut Check, ports: &LinePorts) {
        if is_high(ports.read.valid.val()) && is_high(ports.read.ready.val()) {
            let read = ports.read.data.val();
            let line = read.low(LINE_BITS).to_u64() as u32;
            let count = read.high(read.width() - LINE_BITS).to_u64() as u32 + 1;
            check.holds(line / 256 == (line + count - 1) / 256, "a read does not cross 4 KiB");
            self.answers.ask(check, line, count);
        }
    }
}

struct Bench {
    rig: Rig<Drawing>,
    channels: [Channel; 2],
    /// Answers of textures, and when they come.
    answers: VecDeque<(u64, Bits)>,
    clock: u64,
    picture: Picture,
    /// That of the quad that is drawn first, and its order.
    texture_fault: Option<(u64, Fault)>,
    waits: u32,
}

impl Bench {
    /// A clock; true if the frame has ended in it.
    fn clock(&mut self, check: &mut Check, put: &Put, textures: &mut Option<Textures>) -> bool {
        self.clock += 1;
        let [lists, data] = &mut self.channels;
        lists.drive(check, put, &self.rig.list_memory);
        data.drive(check, put, &self.rig.data_memory);
        let rig = &self.rig;
        rig.lines.ready.drive(!check.one_in(self.waits));
        rig.texture_request.ready.drive(!check.one_in(4));
        let answer = self.answers.front().filter(|(when, _)| *when <= self.clock);
        rig.texture_answer.valid.drive(answer.is_some());
        if let Some((_, bits)) = answer {
            rig.texture_answer.data.drive(*bits);
        }
        if let Some((_, Fault { code, address })) = self.texture_fault {
            rig.texture_fault.code.drive(number(4, code as u64));
            rig.texture_fault.address.drive(number(32, u64::from(address)));
        }
        self.rig.settle();
        let [lists, data] = &mut self.channels;
        lists.look(check, &self.rig.list_memory);
        data.look(check, &self.rig.data_memory);
        self.look(check, put, textures);
        let ends = is_high(self.rig.finished.val());
        self.rig.tick();
        ends
    }

    fn look(&mut self, check: &mut Check, put: &Put, textures: &mut Option<Textures>) {
        let rig = &self.rig;
        let goes = |stream: &StreamOut| is_high(stream.valid.val()) && is_high(stream.ready.val());
        if is_high(rig.texture_answer.valid.val()) && is_high(rig.texture_answer.ready.val()) {
            self.answers.pop_front();
        }
        if goes(&rig.texture_request) {
            let word = TextureRequestWord::shape().unpack(rig.texture_request.data.val());
            let places = word.places.map(|place| place.map(|single| f32::from_bits(single.to_u64() as u32)));
            let numbers = [word.texture.to_u64() as u8; 6];
            let Some(textures) = textures else { check.fail("a frame without a record has no textures") };
            let (numbers, watch) = (&numbers, &mut ());
            let mut sampling = Sampling { memory: put, textures, numbers, quads: 0, fault: None, watch };
            let colors = sampling.sample(0, places);
            let answer = TextureAnswerWord {
                channels: colors.map(|color| color.map(|channel| number(16, channel))),
                error: number(1, sampling.fault.is_some()),
            };
            let when = self.clock + check.rng.random_range(1..60);
            self.answers.push_back((when, TextureAnswerWord::shape().pack(&answer)));
            let order = word.order.to_u64();
            let is_before = |kept: u64| order.wrapping_sub(kept) >> (ORDER_BITS - 1) & 1 == 1;
            if let Some(fault) = sampling.fault
                && self.texture_fault.is_none_or(|(kept, _)| is_before(kept))
            {
                self.texture_fault = Some((order, fault));
            }
        }
        if goes(&rig.lines) {
            let word = LineWord::shape().unpack(rig.lines.data.val());
            let start = (word.line.to_u64() as u32) << 4;
            let bytes = word.bytes.value().low_u128().to_le_bytes();
            let strobes = word.strobes.to_u64();
            let written = (0..).zip(bytes).filter(|(at, _)| strobes >> at & 1 == 1);
            self.picture.extend(written.map(|(at, byte): (u32, u8)| (start.wrapping_add(at), byte)));
        }
    }

    /// Draws a frame and compares.
    fn frame(&mut self, check: &mut Check, put: &Put, shape: &DrawingShape) -> u64 {
        let (picture, ends) = expected(put, shape);
        let frame: Option<Frame> = tile_fetch::frame(put, put.address).ok();
        let mut textures = frame.as_ref().map(|frame| Textures::new(frame, &build(shape)));
        self.rig.address.drive(number(LINE_BITS, u64::from(put.address / 16)));
        self.rig.start.drive(true);
        self.clock(check, put, &mut textures);
        self.rig.start.drive(false);
        let mut clocks = 0;
        while !self.clock(check, put, &mut textures) {
            clocks += 1;
            if clocks > 400_000 {
                check.fail(format!("the frame does not end; it should with {ends:?}"));
            }
        }
        let failed = is_high(self.rig.has_failed.val());
        let fault = self.rig.fault.val();
        let got = failed.then(|| (fault.code.to_u64() as u8, fault.address.to_u64() as u32));
        check.same("end", got, ends.err().map(|fault| (fault.code as u8, fault.address)));
        // The last lines leave behind the end.
        for _ in 0..100 {
            self.clock(check, put, &mut textures);
        }
        let differs = picture.iter().find(|(address, byte)| self.picture.get(address) != Some(byte));
        let got = differs.map(|(address, byte)| (*address, *byte, self.picture.get(address)));
        check.same("first byte that differs", got, None);
        check.same("bytes", self.picture.len(), picture.len());
        clocks
    }
}

fn frames_of(name: &str, shape: &DrawingShape, any: fn(&mut Check, &DrawingShape) -> Put, count: u64) {
    let mut check = Check::new(name);
    let mut bench = Bench {
        rig: Rig::new("drawing", Drawing::new(shape, LINE_BITS)),
        channels: [(); 2].map(|()| Channel { answers: Answers::default() }),
        answers: VecDeque::new(),
        clock: 0,
        picture: Picture::new(),
        texture_fault: None,
        waits: 3,
    };
    for _ in 0..count {
        let put = any(&mut check, shape);
        bench.frame(&mut check, &put, shape);
        bench.rig.reset();
        bench = Bench {
            channels: [(); 2].map(|()| Channel { answers: Answers::default() }),
            answers: VecDeque::new(),
            picture: Picture::new(),
            texture_fault: None,
            waits: check.pick(&[2, 5, 1000]),
            ..bench
        };
    }
    check.at_least(3 * count);
}

#[test]
pub(crate) fn lite() {
    let any = |check: &mut Check, shape: &DrawingShape| Put::any(check, shape.tile.size());
    frames_of("pixel_drawing", &DrawingShape::lite(), any, 30);
}

#[test]
fn damaged_frames() {
    let any = |check: &mut Check, shape: &DrawingShape| Put::damaged(check, shape.tile.size());
    frames_of("pixel_drawing of damaged frames", &DrawingShape::lite(), any, 50);
}

#[test]
fn full() {
    let any = |check: &mut Check, shape: &DrawingShape| Put::any(check, shape.tile.size());
    frames_of("pixel_drawing of large tiles", &DrawingShape::full(), any, 6);
}

#[test]
fn other_tiles() {
    let any = |check: &mut Check, shape: &DrawingShape| Put::any(check, shape.tile.size());
    for tile in [TileShape::LARGE, TileShape::ROWS] {
        let shade = ShadeShape::lite(AlongWord::of(&tile).width());
        frames_of("pixel_drawing of other tiles", &DrawingShape { tile, shade }, any, 6);
    }
}
