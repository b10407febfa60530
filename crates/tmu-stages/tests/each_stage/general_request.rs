//! `request` of the general numerics: packets of every length, bindings that break rules, and quads behind them.

use crate::general_support::{binding, changed, config};
use crate::readers::assert_no_reader_warns;
use crate::support::is_high;
use rand::Rng;
use std::collections::VecDeque;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::general::request::{Request, VERDICT_REGISTER};
use tmu_rtl::datapath::general::words::{PixelNumbers, RequestItem};
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::WORD_BITS;
use tmu_spec::general::binding::Words;
use tmu_spec::general::field::{ALL, LEVEL_OFFSETS, REGISTERS, WORDS};
use tmu_spec::general::packet::{Extras, of_binding, of_quad};
use tmu_spec::general::{Binding, Kind, Operation, Pixel, Quad, binding as fields};
use tmu_spec::quad::{BeatsPerQuad, MOST_TDATA_BYTES};
use tmu_spec::{Config, LINE_BYTES, RequestBeat};
use tmu_stages::{Check, Flow, Rig};
use tmu_verilate::{Family, ModelSource, Synthesis, Tools, synthesize};

/// Everything that there is but colour tables.
const EVERYTHING: &str = r#"
[texture]
kinds = ["1d", "2d", "3d", "cube", "2d_array"]
formats = ["rgba8", "rgb8", "r8", "rg8", "rgb565", "rgba5551", "rgba4444", "rgb10a2", "r16", "rg16", "bc1", "bc5", "bc7", "d16", "d24", "d32f", "r32f", "rg16f", "rgba16", "rgba32f"]
address_modes = ["wrap", "clamp", "mirror", "border", "mirror_once"]
max_anisotropy = 8
compare = true
srgb = true
swizzle = true

[request]
projective = true
operations = ["sample", "lod", "bias", "fetch", "gather"]

[filter]
channel_bits = 16

[result]
numbers = "fp32"
"#;

/// What a packet is.
#[derive(Clone, Debug)]
enum Packet {
    Quad(Quad),
    Binding { words: Words, broken: Vec<BindingRule> },
    WrongLength,
}

pub(crate) fn any_quad(check: &mut Check, extras: Extras) -> Quad {
    let has = [extras.third, extras.divisor, extras.reference].map(|has| has && check.one_in(2));
    let mut number = |is_there: bool, else_: u32| if is_there { check.rng.random() } else { else_ };
    let one = if extras.divisor { extras.numbers.one() } else { 0 };
    let pixels = std::array::from_fn(|_| Pixel {
        u: number(true, 0),
        v: number(true, 0),
        w: number(has[0], 0),
        q: number(has[1], one),
        d: number(has[2], 0),
    });
    let operations =
        [Operation::Sample, Operation::Lod, Operation::Bias, Operation::Fetch, Operation::Gather(2)];
    let operation = if extras.operation { check.pick(&operations) } else { Operation::Sample };
    let lod = if operation == Operation::Sample { 0 } else { check.rng.random() };
    Quad { pixels, valid: check.rng.random_range(0..16), lod, operation }
}

pub(crate) fn extras_of(config: &Config) -> Extras {
    Extras::of(config.features().general().expect("it is general"))
}

/// A packet, with anything above the words of a binding where nobody looks at it.
pub(crate) fn sent(check: &mut Check, config: &Config, beats: Vec<RequestBeat>) -> Vec<RequestBeat> {
    if config.request().beats_per_quad() == BeatsPerQuad::Two {
        return beats;
    }
    let tdata_bytes = config.request_tdata_bits() as usize / 8;
    let above = |beat: &RequestBeat| {
        let rest = (WORD_BITS as usize / 8..tdata_bytes).map(|_| check.rng.random());
        let tdata: Vec<u8> = beat.low_bytes(16).iter().copied().chain(rest).collect();
        if beat.is_binding() { RequestBeat::new(&tdata, true, beat.last()) } else { *beat }
    };
    beats.iter().map(above).collect()
}

/// A packet of the wrong length, or a binding one of whose beats says that it is none.
fn broken(check: &mut Check, config: &Config, quad: Vec<RequestBeat>) -> Vec<RequestBeat> {
    let most =
        if config.request().beats_per_quad() == BeatsPerQuad::One { 1 } else { extras_of(config).words() };
    let is_binding = check.one_in(2);
    let legal = if is_binding { WORDS..=WORDS } else { most.min(2)..=most };
    let lengths: Vec<usize> = (1..12).filter(|length| !legal.contains(length)).collect();
    let length = if is_binding && check.one_in(4) { WORDS } else { check.pick(&lengths) };
    let from = if is_binding { of_binding(&any_words(check, config)) } else { quad };
    let odd = (length == WORDS).then(|| check.rng.random_range(0..WORDS));
    let beat = |at: usize| {
        let data = from[at % from.len()].low_bytes(MOST_TDATA_BYTES);
        RequestBeat::new(data, is_binding && odd != Some(at), at + 1 == length)
    };
    (0..length).map(beat).collect()
}

/// A binding that is legal, or of which a bit or a field is wrong.
pub(crate) fn any_words(check: &mut Check, config: &Config) -> Words {
    let words = binding(check, config).words();
    match check.rng.random_range(0..4) {
        0 => {
            let field = check.pick(&ALL);
            let value = if check.one_in(2) { check.rng.random() } else { check.rng.random_range(0..20) };
            fields::with(words, field, value)
        }
        1 => {
            let mut words = words;
            words[check.rng.random_range(0..WORDS)] ^= 1 << check.rng.random_range(0..WORD_BITS);
            words
        }
        // A level begins where a colour table may be, or just behind.
        2 => {
            let level = check.pick(&LEVEL_OFFSETS[..3]);
            fields::with(words, level, LINE_BYTES * check.rng.random_range(0..80))
        }
        _ => words,
    }
}

impl Packet {
    fn any(check: &mut Check, config: &Config) -> (Packet, Vec<RequestBeat>) {
        let extras = extras_of(config);
        let quad = any_quad(check, extras);
        let good = of_quad(&quad, extras, config.request().beats_per_quad());
        let (packet, beats) = match check.rng.random_range(0..8) {
            0..=2 => {
                let words = any_words(check, config);
                let broken = Binding::decode_for(&words, config.features()).err().unwrap_or_default();
                (Packet::Binding { words, broken }, of_binding(&words))
            }
            3 => (Packet::WrongLength, broken(check, config, good)),
            _ => (Packet::Quad(quad), good),
        };
        (packet, sent(check, config, beats))
    }
}

/// The bits of a beat, of so many bytes of `tdata`.
pub(crate) fn beat_bits(beat: &RequestBeat, tdata_bytes: usize) -> Bits {
    let flags = u8::from(beat.is_binding()) | u8::from(beat.last()) << 1;
    let bytes: Vec<u8> = beat.low_bytes(tdata_bytes).iter().copied().chain([flags]).collect();
    let limbs =
        bytes.chunks(8).map(|bytes| bytes.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte)));
    Bits::constant(Value::from_limbs(8 * tdata_bytes + 2, &limbs.collect::<Vec<_>>()))
}

/// What must leave.
#[derive(Debug)]
enum Item {
    Register { number: u32, data: u32 },
    Quad { quad: Quad, is_failed: bool },
}

#[test]
pub(crate) fn general_request() {
    of(&config(), "general::request");
}

/// All kinds and operations, divisors, references; whatever a binding may ask for but colour tables.
#[test]
pub(crate) fn general_request_of_everything() {
    of(&changed("everything", EVERYTHING), "general::request of everything");
}

/// Single kinds beside pictures.
#[test]
pub(crate) fn general_request_of_few() {
    for (name, kinds) in [("row", r#""1d""#), ("volume", r#""3d""#), ("layers", r#""2d", "2d_array""#)] {
        let changes =
            format!("[texture]\nkinds = [{kinds}]\ncompare = true\nformats = [\"bc1\", \"rgba8\", \"d32f\"]");
        of(&changed(name, &changes), "general::request of few");
    }
}

/// Formats with colour tables of both sizes, and others.
const TABLES: &str = r#""i8_rgb8", "i8_rgba8", "bc1""#;

/// Colour tables of one size and of both, in front of the levels.
#[test]
pub(crate) fn general_request_of_tables() {
    for (name, formats) in [("large", r#""i8_rgba8", "rgba8""#), ("small", r#""i8_rgb8""#), ("both", TABLES)]
    {
        let changes = format!("[texture]\nformats = [{formats}]");
        of(&changed(name, &changes), "general::request of tables");
    }
}

/// Most LUTs of the configurations with quads in one beat, and most LUTs and carry chains in a row between two registers. The rules of a
/// binding that may ask for everything have 6, however a quad comes.
const MOST_OF_ONE_BEAT: [[usize; 2]; 5] = [[470, 5], [490, 6], [410, 5], [430, 5], [480, 5]];
/// The version that the limits were measured with.
pub(crate) const YOSYS: &str = "Yosys 0.70";

/// The preset with quads in one beat.
const ONE_BEAT: &str = "[request]\nbeats_per_quad = 1";

/// Configurations with quads in one beat: of `multi-lite`, with all words that there are, without any, with some, and with colour
/// tables.
fn in_one_beat() -> [Config; 5] {
    let most = EVERYTHING.replace("[request]", ONE_BEAT);
    let least = format!("[texture]\nkinds = [\"2d\"]\n{ONE_BEAT}\noperations = [\"sample\"]");
    let some = format!(
        "[texture]\nkinds = [\"2d\"]\nformats = [\"d16\", \"rgba8\"]\ncompare = true\n{ONE_BEAT}\noperations = [\"sample\", \"gather\"]"
    );
    let tables = format!("[texture]\nformats = [{TABLES}]\n{ONE_BEAT}");
    [("one", ONE_BEAT), ("most", &most), ("least", &least), ("some", &some), ("tables", &tables)]
        .map(|(name, changes)| changed(name, changes))
}

#[test]
pub(crate) fn general_request_in_one_beat() {
    in_one_beat().iter().for_each(|config| of(config, "general::request in one beat"));
}

pub(crate) fn verilog(config: &Config) -> ModelSource {
    let design = elaborate("general_request", &Request::new(config));
    source(&design.unwrap_or_else(|refused| panic!("{refused}")), &["clk"])
}

/// No reader has anything to say of quads in one beat.
#[test]
fn no_linter_warns_of_quads_in_one_beat() {
    assert_no_reader_warns(in_one_beat().iter().map(|config| (config.name(), verilog(config))));
}

/// LUTs and levels of quads in one beat.
#[test]
#[ignore = "a minute of synthesis"]
fn quads_in_one_beat_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    for (config, [most, most_levels]) in in_one_beat().iter().zip(MOST_OF_ONE_BEAT) {
        let Synthesis { counts, depth, .. } = synthesize(&verilog(config), Family::UltraScalePlus)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let (luts, faults) = (counts.lut_total(), depth.loops_cut + counts.latches);
        let paths = (&depth.register_to_register, &depth.input_to_register);
        let within = luts <= most && (levels as usize) <= most_levels && faults == 0;
        assert!(
            within,
            "{}: {luts} LUTs of {most}, {levels} levels of {most_levels}, {faults} faults: {paths:?}",
            config.name()
        );
    }
}

/// Quads come without a pause, and nothing holds them back.
#[test]
pub(crate) fn general_request_takes_a_quad_a_clock() {
    const QUADS: u32 = 500;
    let config = changed("one", ONE_BEAT);
    let (extras, tdata_bytes) = (extras_of(&config), config.request_tdata_bits() as usize / 8);
    let mut check = Check::new("general::request, rate");
    let mut rig = Rig::new("request", Request::new(&config));
    let (mut taken, mut left) = (0, 0);
    rig.item.ready.drive(true);
    for _ in 0..QUADS {
        let quad = any_quad(&mut check, extras);
        let [beat] = of_quad(&quad, extras, BeatsPerQuad::One)[..] else { panic!("a quad is one beat") };
        rig.beat.valid.drive(true);
        rig.beat.data.drive(beat_bits(&beat, tdata_bytes));
        rig.settle();
        taken += u32::from(is_high(rig.beat.moves()));
        left += u32::from(is_high(rig.item.moves()));
        rig.tick();
    }
    check.same("quads that are taken and that leave", [taken, left], [QUADS, QUADS - 1]);
}

fn of(config: &Config, stage: &'static str) {
    const PACKETS: usize = 2500;
    let general = *config.features().general().expect("it is general");
    let mut check = Check::new(stage);
    let mut rig = Rig::new("request", Request::new(config));
    let mut beats: VecDeque<(RequestBeat, Option<Packet>)> = VecDeque::new();
    let mut owed: Flow<Item> = Flow::default();
    let mut rules: Flow<u64> = Flow::default();
    let (extras, tdata_bytes) = (extras_of(config), config.request_tdata_bits() as usize / 8);
    let (mut left, mut idle, mut offers) = (PACKETS, 0, false);
    let mut has_no_footprint = false;
    let (mut is_good, mut dropped, mut dropped_seen, mut counted, mut seen) = (false, 0, 0, [0; 2], [0; 2]);
    while idle < 60 {
        if beats.is_empty() && left > 0 {
            left -= 1;
            let (packet, own) = Packet::any(&mut check, config);
            let last = own.len() - 1;
            let own = own.into_iter().enumerate();
            beats.extend(own.map(|(at, beat)| (beat, (at == last).then(|| packet.clone()))));
        }
        offers = !beats.is_empty() && (offers || !check.one_in(5));
        rig.beat.valid.drive(offers);
        if let Some((beat, _)) = beats.front() {
            rig.beat.data.drive(beat_bits(beat, tdata_bytes));
        }
        rig.item.ready.drive(!check.one_in(4));
        rig.settle();
        dropped_seen += u32::from(is_high(rig.packet_dropped.val()));
        seen[0] += rig.quad_enters.val().to_u64();
        seen[1] += rig.pixels_leave.val().to_u64();
        if is_high(rig.broken_rules.val().any()) {
            let expected = rules.next(&mut check);
            check.same("rules that a binding breaks", rig.broken_rules.val().to_u64(), expected);
        }
        if is_high(rig.item.moves()) {
            let item = RequestItem::of(config).unpack(rig.item.data.val());
            let expected = owed.next(&mut check);
            same(&mut check, &item, &expected, extras);
            if let Item::Quad { quad, .. } = expected {
                counted[0] += 1;
                counted[1] += u64::from(quad.valid.count_ones());
            }
        }
        if is_high(rig.beat.moves()) {
            offers = false;
            match beats.pop_front().and_then(|(_, packet)| packet) {
                None => {}
                Some(Packet::WrongLength) => dropped += 1,
                Some(Packet::Quad(quad)) => {
                    let cannot = matches!(quad.operation, Operation::Gather(_)) && has_no_footprint;
                    let is_failed = !is_good || !general.has_operation(quad.operation) || cannot;
                    owed.put(Item::Quad { quad, is_failed });
                }
                Some(Packet::Binding { words, broken }) => {
                    is_good = broken.is_empty();
                    let kind = fields::get(&words, tmu_spec::general::field::KIND);
                    has_no_footprint = [Kind::D1, Kind::D3].iter().any(|own| u32::from(own.code()) == kind);
                    for number in 0..REGISTERS {
                        let data = (words[number as usize / 4] >> (number % 4 * 32)) as u32;
                        owed.put(Item::Register { number, data });
                    }
                    let drops = is_good && fields::get(&words, tmu_spec::binding::field::DROP_CACHE) == 1;
                    let data = u32::from(is_good) | u32::from(drops) << 1;
                    owed.put(Item::Register { number: VERDICT_REGISTER, data });
                    if !is_good {
                        rules.put(broken.iter().map(|rule| u64::from(rule.mask())).sum());
                    }
                }
            }
        }
        rig.tick();
        idle = if left == 0 && beats.is_empty() && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    rules.is_done(&mut check);
    check.same("packets of the wrong length", dropped_seen, dropped);
    check.same("quads that enter and their valid pixels", seen, counted);
    check.at_least(PACKETS as u64);
}

fn same(check: &mut Check, item: &RequestItem, expected: &Item, extras: Extras) {
    let first = |check: &mut Check| {
        check.same(
            "it is a binding",
            is_high(item.head.is_binding),
            matches!(expected, Item::Register { .. }),
        );
    };
    first(check);
    match expected {
        Item::Register { number, data } => {
            check.same("register", item.head.register.to_u64(), u64::from(*number));
            check.same(format_args!("register {number}"), item.pixels[0].u.to_u64(), u64::from(*data));
        }
        Item::Quad { quad, is_failed } => {
            let has = [true, true, extras.third, extras.divisor, extras.reference];
            let present = |numbers: [u64; 5]| {
                numbers.into_iter().zip(has).map(|(number, has)| number * u64::from(has)).collect::<Vec<_>>()
            };
            let numbers = item.pixels.each_ref().map(|pixel| {
                let PixelNumbers { u, v, w, q, reference } = pixel;
                present([u, v, w, q, reference].map(|number| number.to_u64()))
            });
            let wanted = quad.pixels.map(|Pixel { u, v, w, q, d }| present([u, v, w, q, d].map(u64::from)));
            check.same("pixels", numbers, wanted);
            check.same("valid", item.marks.valid.to_u64(), quad.valid.into());
            check.same(format_args!("it has failed: {quad:?}"), is_high(item.marks.is_failed), *is_failed);
            let operation = tmu_spec::general::features::OperationName::from(quad.operation) as u64;
            check.same("operation", item.marks.operation.to_u64(), operation);
            if quad.operation != Operation::Sample {
                check.same("level of detail", item.marks.lod.to_u64(), quad.lod.into());
            }
            if let Operation::Gather(component) = quad.operation {
                check.same(
                    "component",
                    item.marks.component.to_u64() * u64::from(!is_failed),
                    u64::from(component) * u64::from(!is_failed),
                );
            }
        }
    }
}
