//! `sampling` of the pixel pipeline between requests, memory that takes its time and fails, and a texture unit that is played here: one that keeps
//! what is stored in it and says of each quad which binding it has. What must come follows from the requests and from memory alone.

use crate::support::{configs, is_high, number};
use rand::Rng;
use std::collections::{BTreeMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::engines::pixel::reads::AskWord;
use tmu_rtl::engines::pixel::sampling::Sampling;
use tmu_rtl::engines::pixel::shade::words::{ORDER_BITS, TextureRequestWord};
use tmu_rtl::engines::pixel::words::LINE_NUMBER_BITS;
use tmu_spec::Config;
use tmu_spec::binding::field::{BASE, DROP_CACHE, FORMAT, Field as BindingField};
use tmu_spec::general::Kind;
use tmu_spec::general::binding::{Words, get, with};
use tmu_spec::general::field::{ENABLES, ENTRY, KIND, SECONDARY, SETS_ENABLES, STORES, WORDS};
use tmu_spec::general::packet::Extras;
use tmu_spec::pixel::FaultCode;
use tmu_stages::{Check, Flow, Rig};

/// Orders of quads.
const ORDERS: u64 = 1 << ORDER_BITS;
/// Bits of a line.
const LINE_BITS: usize = 128;
/// Bits of the channels of a quad.
const CHANNELS_BITS: usize = 4 * 4 * 16;
/// Some textures, of which several share an entry of the unit's store.
const TEXTURES: [u64; 8] = [0, 3, 67, 131, 195, 64, 77, 255];

/// Fields that only the unit's store has: in memory they are 0.
const OF_UNIT: [BindingField; 5] = [ENTRY, STORES, ENABLES, SETS_ENABLES, SECONDARY];

/// A line so many behind another one; numbers wrap.
fn line_behind(line: u64, lines: u64) -> u64 {
    (line + lines) & ((1 << LINE_NUMBER_BITS) - 1)
}

/// The first line of a texture's binding.
fn binding_line(textures: u64, texture: u64) -> u64 {
    line_behind(textures, texture * WORDS as u64)
}

/// What the unit is to be told of a binding that stands in memory.
fn stored(lines: Words, entry: u64) -> Words {
    let is_refused = OF_UNIT.iter().any(|field| get(&lines, *field) != 0);
    let kind = match get(&lines, KIND) {
        kind if kind == Kind::D1 as u32 => 1,
        kind if kind == Kind::D3 as u32 => 4,
        kind if kind == Kind::Cube as u32 => 8,
        _ => 2,
    };
    let format = if is_refused { u32::MAX } else { get(&lines, FORMAT) };
    let told = [
        (ENTRY, entry as u32),
        (STORES, 1),
        (ENABLES, kind),
        (SETS_ENABLES, 1),
        (SECONDARY, 0),
        (FORMAT, format),
    ];
    told.into_iter().fold(lines, |lines, (field, value)| with(lines, field, value))
}

/// A request.
#[derive(Clone, Debug)]
struct Request {
    texture: u64,
    /// The number of its quad among those of the frame.
    quad: u64,
    places: [[u32; 3]; 4],
}

/// What the unit holds of a texture.
#[derive(Clone, Debug)]
struct Bound {
    lines: Words,
    /// It breaks a rule: all quads fail.
    is_broken: bool,
}

/// A result that is to come.
struct Due {
    clock: u64,
    channels: Value,
    error: bool,
    texture: u64,
    quad: u64,
    is_broken: bool,
}

/// A read under way: its first line, how many have come, which of them fails, the clock of the next one.
struct Read {
    first: u64,
    next: u64,
    fails_at: Option<u64>,
    clock: u64,
}

struct Bench {
    rig: Rig<Sampling>,
    config: Config,
    entries_of_unit: u64,
    clock: u64,
    textures: u64,
    memory: BTreeMap<u64, u128>,
    offered: Option<Request>,
    /// The first quad that may still ask.
    first_quad: u64,
    last_texture: u64,
    read: Option<Read>,
    /// Memory has answered out of step: all is answered with errors.
    is_out_of_step: bool,
    /// The texture whose binding could not be read, until its request is answered.
    lacks: Option<u64>,
    packet: Vec<u128>,
    entries: BTreeMap<u64, Bound>,
    named: Option<u64>,
    was_used: bool,
    /// A pulse is to say that a rule is broken, in this clock.
    breaks_at: Option<u64>,
    due: VecDeque<Due>,
    answers: Flow<(Value, bool)>,
    /// The quad of the fault that counts, and what it is.
    fault: Option<(u64, (u64, u64))>,
    /// The same a clock ago.
    told: Option<(u64, (u64, u64))>,
    stops: bool,
}

/// How often things pause, once in so many clocks, or never.
#[derive(Clone, Copy)]
struct Pauses {
    requests: u32,
    answers: u32,
    unit: u32,
    memory: u32,
}

impl Bench {
    fn new(check: &mut Check) -> Bench {
        let config = configs::sampler_of_pixels();
        Bench {
            rig: Rig::new("sampling", Sampling::new(&config)),
            entries_of_unit: config.features().general().map_or(1, |general| general.store_entries.into()),
            config,
            clock: 0,
            textures: check.rng.random_range(0..1 << LINE_NUMBER_BITS),
            memory: BTreeMap::new(),
            offered: None,
            first_quad: check.rng.random_range(0..ORDERS),
            last_texture: 0,
            read: None,
            is_out_of_step: false,
            lacks: None,
            packet: vec![],
            entries: BTreeMap::new(),
            named: None,
            was_used: false,
            breaks_at: None,
            due: VecDeque::new(),
            answers: Flow::default(),
            fault: None,
            told: None,
            stops: false,
        }
    }

    /// What stands in memory: anything, and mostly nothing that only the unit's store has.
    fn line(&mut self, check: &mut Check, line: u64) -> u128 {
        *self.memory.entry(line).or_insert_with(|| {
            let word: u128 = check.rng.random();
            let cleared: u128 =
                if check.one_in(4) { 0 } else { OF_UNIT.iter().fold(0, |all, field| all | field.mask()) };
            word & !cleared
        })
    }

    fn binding(&mut self, check: &mut Check, texture: u64) -> Words {
        let first = binding_line(self.textures, texture);
        [0, 1, 2, 3, 4].map(|line| self.line(check, line_behind(first, line)))
    }

    fn step(&mut self, check: &mut Check, offers: bool, pauses: Pauses) {
        let goes = |check: &mut Check, pause: u32| pause == 0 || !check.one_in(pause);
        if self.offered.is_none() && offers && goes(check, pauses.requests) {
            if check.one_in(12) {
                self.last_texture = check.pick(&TEXTURES);
            }
            let places = [(); 4].map(|()| [(); 3].map(|()| check.rng.random()));
            // Quads leave when they are answered, and none behind one that has failed.
            if self.due.is_empty() && self.fault.is_none() {
                self.first_quad += check.rng.random_range(0..ORDERS / 2);
            }
            let quad = self.first_quad + check.rng.random_range(0..ORDERS / 2);
            self.offered = Some(Request { texture: self.last_texture, quad, places });
        }
        self.drive_request();
        let takes = [pauses.answers, pauses.unit, pauses.memory].map(|pause| goes(check, pause));
        self.rig.answer.ready.drive(takes[0]);
        self.rig.beat.ready.drive(takes[1]);
        self.rig.ask.ready.drive(takes[2]);
        self.rig.stops.drive(self.stops);
        self.rig.breaks_rule.drive(self.breaks_at == Some(self.clock));
        self.drive_line(check, pauses.memory);
        let result = self.drive_result();
        self.rig.settle();
        if result && is_high(self.rig.result.ready.val()) {
            self.take_result(check);
        }
        self.take_answer(check, takes[0]);
        if takes[2] && is_high(self.rig.ask.valid.val()) {
            self.ask(check);
        }
        let is_taken = is_high(self.rig.request.ready.val()) && self.offered.is_some();
        if takes[1] && is_high(self.rig.beat.valid.val()) {
            self.beat(check, is_taken);
        }
        if is_taken {
            self.offered = None;
        }
        self.rig.tick();
        self.clock += 1;
        self.fault(check);
    }

    fn drive_request(&mut self) {
        self.rig.request.valid.drive(self.offered.is_some());
        if let Some(Request { texture, quad, places }) = &self.offered {
            self.rig.request.data.drive(TextureRequestWord::shape().pack(&TextureRequestWord {
                texture: number(8, *texture),
                order: number(ORDER_BITS, quad % ORDERS),
                places: places.map(|place| place.map(|single| number(32, single))),
            }));
        }
        self.rig.textures.drive(number(LINE_NUMBER_BITS, self.textures));
    }

    /// A line of the binding that is read, when it is its time.
    fn drive_line(&mut self, check: &mut Check, pause: u32) {
        let comes = self.read.as_ref().is_some_and(|read| read.clock <= self.clock);
        let mut word = (0u128, false, false, 0u64);
        let mut breaks = false;
        if comes && let Some(mut read) = self.read.take() {
            let own = line_behind(read.first, read.next);
            breaks = self.is_out_of_step;
            let fails = breaks || read.fails_at == Some(read.next);
            let ends = read.next + 1 == WORDS as u64;
            word = (self.line(check, own), ends, fails, own);
            read.next += 1;
            read.clock =
                self.clock + 1 + if pause == 0 { 0 } else { check.rng.random_range(0..u64::from(pause)) };
            if fails {
                let quad = self.offered.as_ref().map_or(0, |request| request.quad);
                self.fail(quad, (FaultCode::Read as u64, own * 16));
            }
            if !ends && !breaks {
                self.read = Some(read);
            }
        }
        let (line, ends, fails, own) = word;
        self.rig.came.valid.drive(comes && !breaks);
        self.rig.came.line.drive(Bits::constant(Value::from_u128(LINE_BITS, line)));
        self.rig.came.ends.drive(ends);
        self.rig.read_fails.drive(fails);
        self.rig.read_breaks.drive(breaks);
        self.rig.failed_line.drive(number(LINE_NUMBER_BITS, own));
    }

    /// Whether a result is offered.
    fn drive_result(&mut self) -> bool {
        let due = self.due.front().filter(|due| due.clock <= self.clock);
        self.rig.result.valid.drive(due.is_some());
        if let Some(due) = due {
            let channels = Bits::constant(due.channels);
            self.rig.result.data.drive(cat(&[number(1, due.error), number(4, 15u64), channels]));
        }
        due.is_some()
    }

    fn take_result(&mut self, check: &mut Check) {
        let Some(due) = self.due.pop_front() else { return };
        if due.error {
            let binding = self.binding(check, due.texture);
            let fault = if due.is_broken {
                (FaultCode::Texture as u64, binding_line(self.textures, due.texture) * 16)
            } else {
                (FaultCode::Texels as u64, get(&binding, BASE).into())
            };
            self.fail(due.quad, fault);
        }
        if !self.stops {
            self.answers.put((due.channels, due.error));
        }
    }

    fn take_answer(&mut self, check: &mut Check, takes: bool) {
        let is_there = is_high(self.rig.answer.valid.val());
        check.holds(!(is_there && self.stops), "an answer comes though all stops");
        if !is_there || !takes {
            return;
        }
        let error = is_high(self.rig.answer.data.val().high(1));
        let is_taken = is_high(self.rig.request.ready.val()) && self.offered.is_some();
        if is_taken && !is_high(self.rig.beat.valid.val()) {
            // The request is answered without the unit.
            check.holds(self.due.is_empty(), "what failed is answered before quads in front of it");
            let texture = self.offered.as_ref().map(|request| request.texture);
            check.holds(
                self.is_out_of_step || self.lacks == texture,
                "a request fails whose binding was read",
            );
            check.holds(error, "what could not be read is answered without an error");
            self.lacks = None;
            return;
        }
        let got = self.rig.answer.data.val().low(CHANNELS_BITS).value();
        let expected = self.answers.next(check);
        check.same("channels and error", (got, error), expected);
    }

    fn ask(&mut self, check: &mut Check) {
        let AskWord { line, more } = AskWord::shape().unpack(self.rig.ask.data.val());
        let texture = self.offered.as_ref().map_or(0, |request| request.texture);
        check.same("the line of a binding", line.to_u64(), binding_line(self.textures, texture));
        check.same("lines less one", more.to_u64(), WORDS as u64 - 1);
        check.holds(
            self.due.is_empty() && self.answers.is_empty(),
            "a binding is read before quads are answered",
        );
        self.is_out_of_step |= self.stops_in_step(check);
        let fails_at = check.one_in(10).then(|| check.rng.random_range(0..WORDS as u64));
        self.lacks = fails_at.map(|_| texture);
        self.read = Some(Read {
            first: line.to_u64(),
            next: 0,
            fails_at,
            clock: self.clock + check.rng.random_range(1..20u64),
        });
    }

    /// Seldom memory answers out of step.
    fn stops_in_step(&self, check: &mut Check) -> bool {
        self.entries.len() > 5 && check.one_in(40)
    }

    /// A beat goes to the unit.
    fn beat(&mut self, check: &mut Check, is_taken: bool) {
        let bits = self.config.request_tdata_bits() as usize;
        let beat = self.rig.beat.data.val();
        let (is_end, is_command) = (is_high(beat.high(1)), is_high(beat.bit(bits)));
        check.same("a request goes with its quad", is_taken, !is_command);
        if !is_command {
            check.holds(is_end, "a quad has one beat");
            self.quad(check, beat.low(bits));
            return;
        }
        self.packet.push(beat.low(LINE_BITS).value().low_u128());
        if is_end {
            let packet = std::mem::take(&mut self.packet);
            self.command(check, &packet);
        }
    }

    /// A binding is stored, or one is named.
    fn command(&mut self, check: &mut Check, packet: &[u128]) {
        let texture = self.offered.as_ref().map_or(0, |request| request.texture);
        let entry = texture % self.entries_of_unit;
        if packet.len() == 1 {
            let named = with([0; WORDS], ENTRY, entry as u32);
            let [expected, ..] = with(named, DROP_CACHE, u32::from(!self.was_used));
            check.same("which entry is named", packet[0], expected);
            self.was_used = true;
            self.named = Some(entry);
            return;
        }
        let expected = stored(self.binding(check, texture), entry);
        check.same("the words of a binding", packet, &expected[..]);
        check.holds(self.lacks.is_none(), "a binding is stored that could not be read");
        let is_broken = check.one_in(8);
        if is_broken {
            self.breaks_at = Some(self.clock + check.rng.random_range(1..6u64));
        }
        self.entries.insert(entry, Bound { lines: expected, is_broken });
    }

    fn quad(&mut self, check: &mut Check, data: Bits) {
        let Some(Request { texture, quad, places }) = self.offered.clone() else {
            check.fail("nobody asked")
        };
        let general = self.config.features().general().expect("the unit is a general one");
        let extras = Extras::of(general);
        let mut limbs = vec![];
        for pair in [[0, 1], [2, 3]] {
            limbs.extend(
                pair.map(|pixel: usize| u64::from(places[pixel][0]) | u64::from(places[pixel][1]) << 32),
            );
        }
        if extras.third {
            let third = [0, 1, 2, 3].map(|pixel: usize| u64::from(places[pixel][2]));
            limbs.extend([third[0] | third[1] << 32, third[2] | third[3] << 32]);
        }
        if extras.reference {
            limbs.extend([0, 0]);
        }
        limbs.push(15);
        limbs.resize(data.width().div_ceil(64), 0);
        check.same("the beat of a quad", data.value(), Value::from_limbs(data.width(), &limbs));
        let expected = self.binding(check, texture);
        let entry = texture % self.entries_of_unit;
        check.same("the entry in use", self.named, Some(entry));
        let Some(bound) = self.entries.get(&entry) else {
            check.fail(format!("entry {entry} holds nothing"))
        };
        check.same("the binding in use", bound.lines, stored(expected, entry));
        let channels = [(); 4].map(|()| check.rng.random());
        let is_broken = bound.is_broken;
        let last = self.due.back().map_or(0, |due| due.clock);
        let clock = last.max(self.clock + check.rng.random_range(8..40u64));
        self.due.push_back(Due {
            clock,
            channels: Value::from_limbs(CHANNELS_BITS, &channels),
            error: is_broken || check.one_in(300),
            texture,
            quad,
            is_broken,
        });
    }

    /// A request of a quad fails.
    fn fail(&mut self, quad: u64, fault: (u64, u64)) {
        if self.fault.is_none_or(|(first, _)| quad < first) {
            self.fault = Some((quad, fault));
        }
    }

    fn fault(&mut self, check: &mut Check) {
        self.rig.settle();
        let told = std::mem::replace(&mut self.told, self.fault);
        if let Some((_, expected)) = told {
            let fault = self.rig.fault.val();
            check.same("code and address", (fault.code.to_u64(), fault.address.to_u64()), expected);
        }
    }

    /// All stops: nothing is answered any more, and quiet comes when the unit has answered all.
    fn stop(&mut self, check: &mut Check, pauses: Pauses) {
        self.stops = true;
        self.answers = Flow::default();
        for _ in 0..200 {
            self.step(check, true, pauses);
        }
        check.holds(self.due.is_empty(), "the unit has answered");
        check.holds(is_high(self.rig.is_quiet.val()), "all is quiet");
    }
}

#[test]
pub(crate) fn sampling() {
    let mut check = Check::new("pixel_sampling");
    for round in 0..24u32 {
        let mut bench = Bench::new(&mut check);
        let pauses = |requests, answers, unit, memory| Pauses { requests, answers, unit, memory };
        let pauses = [pauses(0, 0, 0, 0), pauses(3, 2, 2, 4), pauses(0, 0, 3, 0), pauses(0, 4, 0, 9)]
            [round as usize % 4];
        for _ in 0..1500 {
            bench.step(&mut check, true, pauses);
        }
        if round % 3 == 0 {
            bench.stop(&mut check, pauses);
        } else {
            for _ in 0..600 {
                bench.step(&mut check, false, Pauses { requests: 0, answers: 0, unit: 0, memory: 0 });
            }
            check.holds(bench.due.is_empty(), "the unit has answered");
            bench.answers.is_done(&mut check);
        }
    }
    check.at_least(20_000);
}
