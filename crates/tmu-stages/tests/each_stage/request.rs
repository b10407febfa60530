//! `request`: packets of every length, bindings of every kind, and the entries of colour tables between them.

use crate::support::{any_bits, binding_of, configs, is_high, is_rgb, number, quad_bits, turns};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::bundles::{BindingField, BindingState};
use tmu_rtl::datapath::request::{blocking, pipelined};
use tmu_rtl::datapath::words::{PIXEL_BITS, binding_pixel, item_layout, items_of_quad, lanes};
use tmu_spec::quad::{BeatsPerQuad, PIXELS};
use tmu_spec::{Binding, BindingRule, Config, Format, Quad, Record, RequestBeat};
use tmu_stages::{Check, Flow, Rig};

/// What a packet is.
#[derive(Clone, Debug, PartialEq)]
enum Packet {
    Quad(Quad),
    Binding { bits: u64, broken: Vec<BindingRule> },
    WrongLength,
}

impl Packet {
    /// A packet and its beats.
    fn any(check: &mut Check, config: &Config) -> (Packet, Vec<RequestBeat>) {
        let beats_per_quad = config.request().beats_per_quad();
        let uv = std::array::from_fn(|_| [check.rng.random(), check.rng.random()]);
        let quad = Quad::new(uv, check.rng.random_range(0..16));
        let good = quad.to_beats(beats_per_quad);
        match check.rng.random_range(0..12) {
            0 | 1 => {
                let bound = binding_of(check, config);
                let drops = u64::from(check.one_in(2)) << 62;
                let wrong = if check.one_in(3) { 1 << check.rng.random_range(0..64) } else { 0 };
                let bits = (bound.bits() | drops) ^ wrong;
                let record = Record::from_first_word(bits.into());
                let broken = Binding::decode_for(record, config.features()).err().unwrap_or_default();
                (Packet::Binding { bits, broken }, record.to_beats())
            }
            2 => {
                // Too short, or too long by any number of beats.
                let (right, is_binding) = (good.len(), check.one_in(4));
                let length = check.rng.random_range(1..=right + 8);
                let is_right = length == right || (is_binding && length == 1);
                let length = if is_right { right + 1 } else { length };
                let beats = (0..length).map(|at| beat_like(&good[at % right], is_binding, at + 1 == length));
                (Packet::WrongLength, beats.collect())
            }
            _ => (Packet::Quad(quad), good),
        }
    }
}

fn beat_like(beat: &RequestBeat, is_binding: bool, last: bool) -> RequestBeat {
    RequestBeat::new(beat.tdata(BeatsPerQuad::One), is_binding, last)
}

/// A beat as it leaves the FIFO: `tdata`, whether it is a binding, whether it is the last.
fn beat_bits(beat: &RequestBeat, config: &Config) -> Bits {
    let tdata = beat.tdata(config.request().beats_per_quad()).iter().map(|byte| number(8, *byte));
    stack(tdata.chain([number(1, beat.is_binding()), number(1, beat.last())]))
}

/// A rule is a bit.
fn mask(broken: &[BindingRule]) -> u64 {
    broken.iter().map(|rule| u64::from(rule.mask())).sum()
}

/// What comes, beat by beat.
struct Source {
    config: Config,
    left: usize,
    beats: VecDeque<(RequestBeat, Option<Packet>)>,
    offers: bool,
}

impl Source {
    fn new(config: &Config, packets: usize) -> Source {
        Source { config: config.clone(), left: packets, beats: VecDeque::new(), offers: false }
    }

    fn drive(&mut self, check: &mut Check, to: &StreamIn) {
        if self.beats.is_empty() && self.left > 0 {
            self.left -= 1;
            let (packet, beats) = Packet::any(check, &self.config);
            let last = beats.len() - 1;
            let beats = beats.into_iter().enumerate();
            self.beats.extend(beats.map(|(at, beat)| (beat, (at == last).then(|| packet.clone()))));
        }
        self.offers = !self.beats.is_empty() && (self.offers || !check.one_in(4));
        to.valid.drive(self.offers);
        match self.beats.front() {
            Some((beat, _)) if self.offers => to.data.drive(beat_bits(beat, &self.config)),
            _ => to.data.drive(any_bits(check, to.data.width())),
        }
    }

    /// The packet that ends with the beat that moves, if any does.
    fn moves(&mut self, to: &StreamIn) -> Option<Packet> {
        if !is_high(to.moves()) {
            return None;
        }
        self.offers = false;
        self.beats.pop_front()?.1
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.beats.is_empty()
    }
}

/// The fields that follow from a binding's bits at sight.
fn check_state(check: &mut Check, state: &BindingState<Out>, bits: u64, line: u64) {
    let field = |shift: u32, width: u32| bits >> shift & ((1 << width) - 1);
    let expected = |of: BindingField| match of {
        BindingField::Good => 1,
        BindingField::IsRgb => field(44, 1),
        BindingField::IsIndexed => field(45, 1),
        BindingField::Packing => 0,
        BindingField::IsBilinear => field(52, 1),
        BindingField::IsMipmapped => field(53, 1),
        BindingField::WidthLog2 => field(32, 4),
        BindingField::HeightLog2 => field(36, 4),
        BindingField::MaxLod => field(40, 4),
        BindingField::ModeU => field(56, 2),
        BindingField::ModeV => field(58, 2),
        BindingField::FirstLine => line,
    };
    for of in BindingField::ALL {
        let Some(net) = state.net(of) else { continue };
        check.same(format_args!("{of:?} of {bits:#x}"), net.val().to_u64(), expected(of));
    }
}

/// Lines of a binding's colour table.
fn table_lines(bits: u64) -> u64 {
    let format = Format::from_code((bits >> 44) as u8).filter(|format| format.has_color_table());
    format.map_or(0, |format| if is_rgb(format) { 48 } else { 64 })
}

/// First line of a binding.
fn first_line(bits: u64) -> u64 {
    (bits & 0x7fff_ffff) >> 4
}

#[test]
pub(crate) fn blocking() {
    const PACKETS: usize = 3000;
    let config = configs::blocking();
    let mut check = Check::new("request::blocking");
    let mut rig = Rig::new("request_blocking", blocking::Request::new(&config));
    let mut source = Source::new(&config, PACKETS);
    let mut owed: Flow<(Quad, Option<u64>)> = Flow::default();
    let mut rules: Flow<u64> = Flow::default();
    let (mut bound, mut dropped, mut dropped_seen, mut in_flight) = (None, 0, 0, 0);
    let (mut emptying, mut loading, mut idle) = (0u32, 0, 0);
    while idle < 40 {
        source.drive(&mut check, &rig.beat);
        rig.quad.ready.drive(!check.one_in(3));
        let done = in_flight > 0 && check.one_in(3);
        rig.quad_done.drive(done);
        rig.invalidating.drive(emptying > 0);
        let load = rig.table_load.as_ref().is_some_and(|load| is_high(load.val()));
        loading = if load { loading + 1 } else { 0 };
        rig.table_done.iter().for_each(|net| net.drive(loading == 20));
        rig.settle();
        check.holds(!(load && emptying > 0), "no table is loaded while the cache is emptied");
        if is_high(rig.quad.moves()) {
            // A quad passes on with its last beat.
            let Some((_, Some(Packet::Quad(quad)))) = source.beats.front() else {
                check.fail("a quad enters that is none")
            };
            owed.put((*quad, bound));
            let (quad, bound) = owed.next(&mut check);
            check_quad(&mut check, &rig, &quad, bound);
            in_flight += 1;
            check.holds(
                in_flight <= blocking::MAX_IN_FLIGHT as u32,
                "no more quads are in flight than there may be",
            );
        }
        if is_high(rig.broken_rules.val().any()) {
            let expected = rules.next(&mut check);
            check.same("rules that a binding breaks", rig.broken_rules.val().to_u64(), expected);
        }
        dropped_seen += u32::from(is_high(rig.packet_dropped.val()));
        match source.moves(&rig.beat) {
            Some(Packet::WrongLength) => dropped += 1,
            Some(Packet::Binding { bits, broken }) => {
                check.same("quads that a binding meets in the unit", in_flight, 0);
                bound = broken.is_empty().then_some(bits);
                if !broken.is_empty() {
                    rules.put(mask(&broken));
                }
            }
            Some(Packet::Quad(_)) => check.holds(is_high(rig.quad.moves()), "a quad that is taken passes on"),
            None => {}
        }
        let empties = is_high(rig.invalidate_cache.val());
        rig.tick();
        in_flight -= u32::from(done);
        emptying = if empties { 5 } else { emptying.saturating_sub(1) };
        idle = if source.is_over() { idle + 1 } else { 0 };
    }
    rules.is_done(&mut check);
    check.same("packets of the wrong length", dropped_seen, dropped);
    check.at_least(PACKETS as u64);
}

fn check_quad(check: &mut Check, rig: &Rig<blocking::Request>, quad: &Quad, bound: Option<u64>) {
    check.same("a quad", rig.quad.data.val().value(), quad_bits(quad).value());
    match bound {
        Some(bits) => check_state(check, &rig.binding, bits, first_line(bits) + table_lines(bits)),
        None => rig.binding.net(BindingField::Good).into_iter().for_each(|net| {
            check.same("whether there is a good binding", is_high(net.val()), false);
        }),
    }
}

#[test]
pub(crate) fn pipelined_pixel() {
    pipelined("request_pixel", &configs::pixel());
}

#[test]
fn pipelined_pixel_of_beats() {
    pipelined("request_pixel_of_beats", &configs::pixel_of_beats());
}

#[test]
fn pipelined_pixel_of_one_level() {
    pipelined("request_pixel_of_one_level", &configs::pixel_of_one_level());
}

#[test]
pub(crate) fn pipelined_quad() {
    pipelined("request_quad", &configs::quad());
}

/// A quad of items.
#[derive(Clone, Debug)]
enum Holds {
    /// With what `lod` needs of its binding.
    Quad {
        quad: Quad,
        bound: Option<u64>,
    },
    Binding {
        bits: u64,
        is_legal: bool,
    },
    Entries,
}

/// What a packet becomes: a binding with a colour table comes twice, with the entries of the table between.
fn becomes(config: &Config, packet: &Packet, bound: &mut Option<u64>) -> Vec<Holds> {
    match packet {
        Packet::Quad(quad) => vec![Holds::Quad { quad: *quad, bound: *bound }],
        Packet::WrongLength => vec![],
        Packet::Binding { bits, broken } => {
            let (bits, is_legal) = (*bits, broken.is_empty());
            *bound = is_legal.then_some(bits);
            if !is_legal || table_lines(bits) == 0 {
                return vec![Holds::Binding { bits, is_legal }];
            }
            let rows = Format::COLOR_TABLE_ENTRIES as usize / items_of_quad(lanes(config));
            let table = Holds::Binding { bits: bits & !(1 << 45), is_legal };
            let behind = (bits & !(0x7fff_ffff | 1 << 62)) | (first_line(bits) + table_lines(bits)) << 4;
            let entries = std::iter::repeat_n(Holds::Entries, rows);
            [table].into_iter().chain(entries).chain([Holds::Binding { bits: behind, is_legal }]).collect()
        }
    }
}

fn pipelined(name: &str, config: &Config) {
    const PACKETS: usize = 2500;
    let layout = item_layout(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Request::new(config));
    let mut source = Source::new(config, PACKETS);
    let mut owed: Flow<Holds> = Flow::default();
    let mut rules: Flow<u64> = Flow::default();
    let mut now: Option<(Holds, usize)> = None;
    let (mut bound, mut dropped, mut dropped_seen, mut entered, mut entered_seen) =
        (None, 0, 0, [0; 2], [0; 2]);
    let mut idle = 0;
    while idle < 60 {
        source.drive(&mut check, &rig.beat);
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.settle();
        if advance && is_high(rig.out_valid.val()) {
            let (holds, at) = now.take().unwrap_or_else(|| (owed.next(&mut check), 0));
            check_item(&mut check, config, &rig, &holds, at);
            now = (at + 1 < items(config, &holds).len()).then_some((holds, at + 1));
            check.same("bits of an item", rig.out_item.width(), layout.width());
        } else if advance {
            check.holds(now.is_none(), format_args!("the items of a quad follow each other: {now:?}"));
        }
        if is_high(rig.broken_rules.val().any()) {
            let expected = rules.next(&mut check);
            check.same("rules that a binding breaks", rig.broken_rules.val().to_u64(), expected);
        }
        dropped_seen += u32::from(is_high(rig.packet_dropped.val()));
        entered_seen[0] += rig.quad_enters.val().to_u64();
        entered_seen[1] += rig.pixels_leave.val().to_u64();
        if let Some(packet) = source.moves(&rig.beat) {
            match &packet {
                Packet::WrongLength => dropped += 1,
                Packet::Binding { broken, .. } if !broken.is_empty() => rules.put(mask(broken)),
                Packet::Quad(quad) => {
                    entered[0] += 1;
                    entered[1] += u64::from(quad.valid().count_ones());
                }
                Packet::Binding { .. } => {}
            }
            becomes(config, &packet, &mut bound).into_iter().for_each(|holds| owed.put(holds));
        }
        rig.tick();
        idle = if source.is_over() && owed.is_empty() { idle + 1 } else { 0 };
    }
    rules.is_done(&mut check);
    check.same("packets of the wrong length", dropped_seen, dropped);
    check.same("quads that enter and valid pixels that leave", entered_seen, entered);
    check.at_least(PACKETS as u64);
}

/// The pixels of the items of what an item holds; of the first of four.
fn items(config: &Config, holds: &Holds) -> Vec<usize> {
    match holds {
        Holds::Quad { quad, .. } => turns(config, quad.valid()),
        Holds::Binding { .. } if lanes(config) == 1 => vec![binding_pixel(config)],
        Holds::Binding { .. } => vec![0],
        Holds::Entries => (0..items_of_quad(lanes(config))).collect(),
    }
}

fn check_item(check: &mut Check, config: &Config, rig: &Rig<pipelined::Request>, holds: &Holds, at: usize) {
    let (layout, lanes) = (item_layout(config), lanes(config));
    let word = rig.out_item.val();
    let said = |what: &str| format!("{what} of item {at} of {holds:x?}");
    let field = |name: &str| layout.get(word, name).to_u64();
    let marks = match holds {
        Holds::Quad { .. } => [0, 0],
        Holds::Binding { .. } => [1, 0],
        Holds::Entries => [0, 1],
    };
    check.same(said("kind"), ["is_binding", "is_table"].map(field), marks);
    let items = items(config, holds);
    let first = items[at];
    if lanes == 1 {
        let place = [first as u64, u64::from(at + 1 == items.len())];
        check.same(said("pixel, and whether it is the last one"), ["pixel", "is_last"].map(field), place);
    }
    match holds {
        Holds::Quad { quad, bound } => {
            let whole = quad_bits(quad);
            let own = whole.slice(first * PIXEL_BITS, lanes * PIXEL_BITS);
            check.same(said("coordinates"), layout.get(word, "pixels").value(), own.value());
            let valid = u64::from(quad.valid()) >> first & ((1 << lanes) - 1);
            check.same(said("valid pixels"), field("is_valid"), valid);
            check.same(said("the quad"), rig.quad.val().value(), whole.low(PIXELS * PIXEL_BITS).value());
            check.same(said("its valid bits"), rig.valid_pixels.val().to_u64(), quad.valid().into());
            if let Some(bits) = bound {
                check_state(check, &rig.binding, *bits, 0);
            }
        }
        Holds::Binding { bits, is_legal } => {
            check.same(said("whether it broke no rule"), field("is_valid") & 1, u64::from(*is_legal));
            let lane = if lanes == 1 { 0 } else { binding_pixel(config) };
            if *is_legal {
                let got = layout.get(word, "pixels").slice(lane * PIXEL_BITS, PIXEL_BITS).to_u64();
                check.same(said("bits"), got, *bits);
            }
        }
        Holds::Entries => {}
    }
}
