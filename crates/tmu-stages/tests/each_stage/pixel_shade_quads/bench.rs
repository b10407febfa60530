//! `shade` on its bench: what goes into its streams, textures that answer by what they are asked, and what must come.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::{BTreeSet, VecDeque};
use tmu_hdl::prelude::*;
use tmu_model::shader::{self, Constants, Pixel, Shaded, Textures};
use tmu_rtl::engines::pixel::interpolation::PixelsWord;
use tmu_rtl::engines::pixel::shade::Shade;
use tmu_rtl::engines::pixel::shade::words::{
    LineKind, LoadWord, ShadeQuadWord, ShadeShape, ShadedQuadWord, TextureAnswerWord, TextureRequestWord,
};
use tmu_shader::{HEADER_BYTES, LAYOUT, Program, WORD_BYTES};
use tmu_spec::pixel::{Blend, State};
use tmu_stages::{Check, Rig};

/// Bits of what goes along.
pub(crate) const ALONG_BITS: usize = 20;

/// A program and its state, as they stand in memory.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// None where its bits were damaged.
    pub(crate) program: Option<Program>,
    pub(crate) code: Vec<u8>,
    pub(crate) constants: Constants,
    pub(crate) textures: [u8; 6],
}

impl Loaded {
    pub(crate) fn any(check: &mut Check, program: Program) -> Loaded {
        let mut value = || check.rng.random_range(-9000..9000);
        let mut channels = || [(); 4].map(|()| value());
        let constants =
            Constants { registers: [(); 8].map(|()| channels()), bump: [(); 6].map(|()| channels()) };
        let mut code = program.encode();
        // The check at the end stays with who reads memory.
        code.truncate(code.len() - WORD_BYTES);
        Loaded { program: Some(program), code, constants, textures: [(); 6].map(|()| check.rng.random()) }
    }

    /// The lines that are loaded: kind, number, enables, bytes.
    fn lines(&self) -> Vec<(LineKind, usize, u8, [u8; 16])> {
        let state = State {
            program: 0,
            blend: Blend::None,
            alpha_compare: tmu_spec::general::CompareOp::Always,
            alpha_reference: 0,
            sets: 0,
            has_colors: false,
            textures: self.textures,
            bump: std::array::from_fn(|at| self.constants.bump[at / 4][at % 4]),
            constants: std::array::from_fn(|at| self.constants.registers[at / 4][at % 4]),
        };
        let bytes = state.write();
        let line = |bytes: &[u8], number: usize| *bytes[16 * number..].first_chunk().expect("a whole line");
        let defined = LAYOUT.iter().find(|field| field.name == "header.defined").expect("it is there");
        let defined = self.code[4 * defined.part + defined.bit as usize / 8];
        let mut lines = vec![(LineKind::State, 0, 0, line(&bytes, 0))];
        for pair in 0..4 {
            let own = defined >> (2 * pair) & 3;
            lines.push((LineKind::Constants, pair, 3 & !own, line(&bytes, 4 + pair)));
            lines.push((LineKind::Constants, pair, own, line(&self.code, 1 + pair)));
        }
        lines.extend((0..3).map(|pair| (LineKind::Bump, pair, 0, line(&bytes, 1 + pair))));
        lines.push((LineKind::Header, 0, 0, line(&self.code, 0)));
        let words = (self.code.len() - HEADER_BYTES) / WORD_BYTES;
        lines.extend((0..words).map(|at| (LineKind::Instruction, at, 0, line(&self.code, 5 + at))));
        lines
    }
}

/// The bits of a single; what is no number has one form.
pub(crate) fn bits_of(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// Noise that follows from a number.
fn mixed(mut value: u64) -> u64 {
    for _ in 0..3 {
        value = (value ^ value >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    value ^ value >> 29
}

/// What a texture of the store has there, and whether it can be read.
fn sample(texture: u8, places: [[u32; 3]; 4]) -> ([[u16; 4]; 4], bool) {
    let all = places.as_flattened().iter().fold(u64::from(texture), |all, own| mixed(all ^ u64::from(*own)));
    let channels = std::array::from_fn(|pixel| {
        std::array::from_fn(|channel| {
            let noise = mixed(all + 4 * pixel as u64 + channel as u64);
            if noise >> 60 == 0 {
                [0, 1, 7, 8, 9, 65527, 65528, 65535][noise as usize & 7]
            } else {
                noise as u16
            }
        })
    });
    (channels, all % 23 == 0)
}

/// Textures as a program's stages have them.
struct Store {
    textures: [u8; 6],
    error: bool,
}

impl Textures for Store {
    fn sample(&mut self, texture: u8, coordinates: [[f32; 3]; 4]) -> [[u16; 4]; 4] {
        let places = coordinates.map(|place| place.map(bits_of));
        let (channels, error) = sample(self.textures[usize::from(texture)], places);
        self.error |= error;
        channels
    }
}

/// What must leave.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) along: u64,
    pub(crate) is_end: bool,
    pub(crate) slot: usize,
    /// None for a program that was not checked.
    pub(crate) shaded: Option<([Shaded; 4], bool)>,
    pub(crate) text: String,
}

/// A stream into the block. An item stays until it is taken; between items there may be pauses.
#[derive(Default)]
struct Feed {
    items: VecDeque<Bits>,
    is_offered: bool,
}

impl Feed {
    fn drive(&mut self, check: &mut Check, pause: u32, port: &StreamIn) {
        if !self.is_offered {
            self.is_offered = !self.items.is_empty() && (pause == 0 || !check.one_in(pause));
        }
        let noise = || Bits::constant(tmu_hdl::value::Value::zero(port.data.width()));
        port.valid.drive(self.is_offered);
        port.data.drive(self.items.front().filter(|_| self.is_offered).copied().unwrap_or_else(noise));
    }

    /// Whether the item is taken.
    fn moves(&mut self, port: &StreamIn) -> bool {
        let moves = self.is_offered && is_high(port.ready.val());
        if moves {
            self.items.pop_front();
            self.is_offered = false;
        }
        moves
    }
}

/// See the module's documentation.
pub(crate) struct Bench {
    pub(crate) rig: Rig<Shade>,
    shape: ShadeShape,
    /// Pauses come once in so many clocks; never if 0.
    pub(crate) pause: u32,
    /// Clocks from a request to its answer at least.
    pub(crate) wait_clocks: u64,
    /// Clocks in which nothing is taken in front of a request for another texture.
    pub(crate) change_clocks: u64,
    pub(crate) clock: u64,
    load: Feed,
    quads: Feed,
    values: Feed,
    answers: Feed,
    asked: VecDeque<(u64, Bits)>,
    /// The texture that was asked for last, and since when requests for it are taken.
    bound: Option<(u64, u64)>,
    /// Requests for another texture than the one before, where that takes clocks.
    pub(crate) changes: u64,
    /// The orders of requests.
    pub(crate) orders: Vec<u64>,
    pub(crate) expected: VecDeque<Expected>,
    slots: Vec<Option<Loaded>>,
    /// Quads of each slot that have not left.
    on_way: Vec<usize>,
    pub(crate) left: u64,
    pub(crate) seen: Seen,
}

/// What was compared and is not there in every quad.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) colors: BTreeSet<[u8; 4]>,
    pub(crate) kills: u64,
    pub(crate) depths: u64,
    pub(crate) errors: u64,
    pub(crate) programs: String,
}

impl Bench {
    pub(crate) fn new(name: &str, shape: ShadeShape, pause: u32) -> Bench {
        Bench {
            rig: Rig::new(name, Shade::new(&shape)),
            shape,
            pause,
            wait_clocks: 40,
            change_clocks: 0,
            clock: 0,
            load: Feed::default(),
            quads: Feed::default(),
            values: Feed::default(),
            answers: Feed::default(),
            asked: VecDeque::new(),
            bound: None,
            changes: 0,
            orders: vec![],
            expected: VecDeque::new(),
            slots: vec![None; shape.slots()],
            on_way: vec![0; shape.slots()],
            left: 0,
            seen: Seen::default(),
        }
    }

    /// Loads a program when no quad of the slot is on its way.
    pub(crate) fn load(&mut self, check: &mut Check, slot: usize, loaded: &Loaded) {
        self.run_until(check, |bench| bench.on_way[slot] == 0);
        self.rig.settle();
        let used = self.rig.slot_is_used.val().to_u64() >> slot & 1;
        check.same(format_args!("use of slot {slot} without quads"), used, 0);
        for (kind, at, enables, line) in loaded.lines() {
            let word = LoadWord {
                slot: number(self.shape.slots_log2, slot as u64),
                kind: number(3, kind as u64),
                number: number(6, (at & 63) as u64),
                enables: number(2, enables),
                line: Bits::constant(tmu_hdl::value::Value::from_u128(128, u128::from_le_bytes(line))),
            };
            self.load.items.push_back(LoadWord::of(&self.shape).pack(&word));
        }
        self.run_until(check, |bench| bench.load.items.is_empty());
        self.slots[slot] = Some(loaded.clone());
        self.seen.programs += &loaded.program.as_ref().map_or_else(String::new, ToString::to_string);
    }

    /// Sends a quad with its values: numbers and four pixels each.
    pub(crate) fn quad(&mut self, slot: usize, along: u64, pixels: &[Pixel; 4], came: &[u8]) {
        let loaded = self.slots[slot].as_ref().expect("the slot is loaded");
        let word = ShadeQuadWord {
            is_end: number(1, false),
            slot: number(self.shape.slots_log2, slot as u64),
            has_values: number(1, !came.is_empty()),
            along: number(ALONG_BITS, along),
        };
        self.quads.items.push_back(ShadeQuadWord::of(&self.shape).pack(&word));
        for (at, own) in came.iter().enumerate() {
            let value = |pixel: &Pixel| {
                let (set, component) = (usize::from(own / 4), usize::from(own % 4));
                match set {
                    0..6 => number(32, pixel.coordinates[set][component].to_bits()),
                    _ => number(32, pixel.colors[set - 6][component].cast_unsigned()),
                }
            };
            let tag = u64::from(*own) | u64::from(at + 1 == came.len()) << 5;
            let word = PixelsWord { tag: number(6, tag), pixels: pixels.each_ref().map(value) };
            self.values.items.push_back(PixelsWord::shape().pack(&word));
        }
        let mut store = Store { textures: loaded.textures, error: false };
        let shaded = loaded.program.as_ref().map(|program| {
            let constants = loaded.constants.of_program(program);
            let shaded = shader::shade(program, &constants, pixels, &mut store);
            (shaded, store.error)
        });
        let text = loaded.program.as_ref().map_or_else(|| "damaged".into(), ToString::to_string);
        self.on_way[slot] += 1;
        self.expected.push_back(Expected { along, is_end: false, slot, shaded, text });
    }

    /// Sends an end.
    pub(crate) fn end(&mut self, along: u64) {
        let word = ShadeQuadWord {
            is_end: number(1, true),
            slot: number(self.shape.slots_log2, 0u8),
            has_values: number(1, false),
            along: number(ALONG_BITS, along),
        };
        self.quads.items.push_back(ShadeQuadWord::of(&self.shape).pack(&word));
        self.expected.push_back(Expected { along, is_end: true, slot: 0, shaded: None, text: "end".into() });
    }

    /// Runs until all has left.
    pub(crate) fn finish(&mut self, check: &mut Check) {
        self.run_until(check, |bench| bench.expected.is_empty());
        self.rig.settle();
        check.same("use of slots at the end", self.rig.slot_is_used.val().to_u64(), 0);
    }

    /// How many quads and ends have not left.
    pub(crate) fn waiting(&self) -> usize {
        self.expected.len()
    }

    pub(crate) fn run_until(&mut self, check: &mut Check, is_done: impl Fn(&Bench) -> bool) {
        let (mut quiet, mut left) = (0, self.left);
        while !is_done(self) {
            self.tick(check);
            quiet = if self.left == left && self.load.items.is_empty() { quiet + 1 } else { 0 };
            left = self.left;
            if quiet > 20_000 {
                check.fail(format!("nothing leaves; the next one would be {:?}", self.expected.front()));
            }
        }
    }

    /// A clock.
    pub(crate) fn tick(&mut self, check: &mut Check) {
        let pause = self.pause;
        while self.asked.front().is_some_and(|(clock, _)| *clock <= self.clock) {
            self.answers.items.extend(self.asked.pop_front().map(|(_, answer)| answer));
        }
        self.load.drive(check, pause, &self.rig.load);
        self.quads.drive(check, pause, &self.rig.quads);
        self.values.drive(check, pause, &self.rig.values);
        self.answers.drive(check, pause, &self.rig.texture_answer);
        let mut is_ready = || pause == 0 || !check.one_in(pause);
        let (takes_request, takes_shaded) = (is_ready() && self.is_bound(), is_ready());
        self.rig.texture_request.ready.drive(takes_request);
        self.rig.shaded.ready.drive(takes_shaded);
        self.rig.settle();
        self.load.moves(&self.rig.load);
        self.quads.moves(&self.rig.quads);
        self.values.moves(&self.rig.values);
        self.answers.moves(&self.rig.texture_answer);
        if takes_request && is_high(self.rig.texture_request.valid.val()) {
            self.asked.push_back((self.clock + self.wait_clocks, self.answer()));
            self.orders.push(self.request().order.to_u64());
        }
        if takes_shaded && is_high(self.rig.shaded.valid.val()) {
            let got = ShadedQuadWord::of(&self.shape).unpack(self.rig.shaded.data.val());
            self.compare(check, &got);
        }
        self.rig.tick();
        self.clock += 1;
    }

    /// Whether what is asked may be taken: another texture takes its time.
    fn is_bound(&mut self) -> bool {
        if self.change_clocks == 0 {
            return true;
        }
        self.rig.settle();
        if !is_high(self.rig.texture_request.valid.val()) {
            return true;
        }
        let texture = self.request().texture.to_u64();
        let since = match self.bound {
            Some((bound, since)) if bound == texture => since,
            _ => {
                self.changes += 1;
                self.clock + self.change_clocks
            }
        };
        self.bound = Some((texture, since));
        self.clock >= since
    }

    /// What is asked.
    fn request(&self) -> TextureRequestWord {
        TextureRequestWord::shape().unpack(self.rig.texture_request.data.val())
    }

    fn answer(&self) -> Bits {
        let asked = self.request();
        let places = asked.places.map(|place| place.map(|own| bits_of(f32::from_bits(own.to_u64() as u32))));
        let (channels, error) = sample(asked.texture.to_u64() as u8, places);
        TextureAnswerWord::shape().pack(&TextureAnswerWord {
            channels: channels.map(|pixel| pixel.map(|channel| number(16, channel))),
            error: number(1, error),
        })
    }

    fn compare(&mut self, check: &mut Check, got: &ShadedQuadWord) {
        let Some(expected) = self.expected.pop_front() else { check.fail("a quad comes, and none is owed") };
        self.left += 1;
        let Expected { along, is_end, slot, shaded, text } = expected;
        check.same(format_args!("what goes along with {text}"), got.along.to_u64(), along);
        check.same(format_args!("whether {text} is an end"), is_high(got.is_end), is_end);
        if !is_end {
            self.on_way[slot] -= 1;
        }
        let Some((shaded, error)) = shaded else { return };
        check.same(format_args!("error of {text}"), is_high(got.error), error);
        let seen = &mut self.seen;
        seen.errors += u64::from(error);
        for (pixel, shaded) in shaded.iter().enumerate() {
            let color = got.colors[pixel].to_u64() as u32;
            seen.colors.insert(shaded.color);
            seen.kills += u64::from(shaded.is_killed);
            seen.depths += u64::from(shaded.depth.is_some());
            check.same(format_args!("colour of {pixel} by {text}"), color.to_le_bytes(), shaded.color);
            let killed = got.killed.to_u64() >> pixel & 1 == 1;
            check.same(format_args!("kill of {pixel} by {text}"), killed, shaded.is_killed);
            let depth = f32::from_bits(got.depths[pixel].to_u64() as u32);
            let depth = is_high(got.has_depth).then(|| bits_of(depth));
            check.same(format_args!("depth of {pixel} by {text}"), depth, shaded.depth.map(bits_of));
        }
    }
}
