//! `request` with a parameter store: bindings that are kept, uses of what was written, broken or never written, and what the stages
//! behind know when a quad leaves.

use crate::general_request::{YOSYS, any_quad, any_words, beat_bits, extras_of, sent, verilog};
use crate::general_request_indirect::any_setup;
use crate::general_support::{binding, changed};
use crate::readers::assert_no_reader_warns;
use crate::support::is_high;
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_model::general::store::{Found, Store};
use tmu_rtl::datapath::general::request::indirect::Asked;
use tmu_rtl::datapath::general::request::{Request, VERDICT_REGISTER};
use tmu_rtl::datapath::general::words::{FIRST_SECONDARY_REGISTER, OTHER_SECONDARY_REGISTER, RequestItem};
use tmu_spec::binding::BindingRule;
use tmu_spec::binding::field::{DROP_CACHE, FORMAT};
use tmu_spec::general::binding::{Words, get, is_secondary};
use tmu_spec::general::field::{FIRST_OFFSET_REGISTER, LEVELS, REGISTERS, SECONDARY, WORD_REGISTERS, place};
use tmu_spec::general::indirect::{IndirectQuad, Rule, Setup};
use tmu_spec::general::packet::{of_binding, of_indirect, of_quad};
use tmu_spec::general::store::{Use, enables_of, is_stored, stored, target};
use tmu_spec::general::{Binding, General, Kind, Operation, Quad, binding as fields};
use tmu_spec::{BeatsPerQuad, Config, RequestBeat};
use tmu_stages::{Check, Flow, Rig};
use tmu_verilate::{Family, Synthesis, Tools, synthesize};

/// Kinds with a footprint and without, quads of several beats.
const SOME: &str = "[texture]\nkinds = [\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]\nstore_entries = 64\n\
                    [request]\noperations = [\"sample\", \"lod\", \"fetch\", \"gather\"]";
/// Quads of one beat and of two textures, colour tables.
const INDIRECT: &str = "[texture]\nkinds = [\"1d\", \"2d\", \"cube\"]\nindirect = true\nstore_entries = 128\n\
                        formats = [\"rgba8\", \"i8_rgba8\", \"rg16\", \"bc1\"]\n\
                        [request]\nbeats_per_quad = 1\noperations = [\"sample\", \"fetch\"]\n\
                        [datapath]\npixels_per_clock = 4";
/// Quads of one beat of one texture.
const ONE_BEAT: &str =
    "[texture]\nstore_entries = 64\n[request]\nbeats_per_quad = 1\n[datapath]\npixels_per_clock = 4";

const CONFIGS: [(&str, &str); 3] = [("some", SOME), ("indirect", INDIRECT), ("one_beat", ONE_BEAT)];

/// What a quad finds bound, of the texture and of the secondary one.
#[derive(Clone, Debug, Default)]
struct Bound {
    words: [Option<Words>; 2],
    is_off: [bool; 2],
}

/// What is asked for.
#[derive(Clone, Debug)]
enum Asks {
    Direct(Quad),
    Indirect(IndirectQuad, Setup),
}

/// What a unit is told, and what it makes of that.
struct Golden {
    config: Config,
    general: General,
    store: Store,
    bound: Bound,
}

impl Golden {
    /// A binding; the rules that it breaks.
    fn bind(&mut self, words: &Words) -> Vec<BindingRule> {
        let decoded = Binding::decode_for(words, self.config.features());
        if is_stored(words, &self.general) {
            self.store.write(words, decoded.is_ok());
        } else {
            self.put(words, decoded.is_ok().then_some(*words), false);
        }
        decoded.err().unwrap_or_default()
    }

    /// A use; the rule that it breaks.
    fn take_use(&mut self, word: u128) -> Vec<BindingRule> {
        let words = [word, 0, 0, 0, 0];
        let found = Use::from_word(word, &self.general).and_then(|of| self.store.find(&of));
        let kept = if let Ok(Found::Kept(kept)) = found { Some(kept) } else { None };
        self.put(&words, kept, found == Ok(Found::Nothing));
        found.err().into_iter().collect()
    }

    fn put(&mut self, packet: &Words, words: Option<Words>, is_off: bool) {
        let role = usize::from(is_secondary(packet, &self.general));
        self.bound.words[role] = words;
        self.bound.is_off[role] = is_off;
    }
}

/// A packet, and the quad that it is.
type Sent = (Vec<RequestBeat>, Option<(Asks, Bound)>);

/// Entries that are written, but the last one, which is only used.
fn entries(general: &General) -> [u32; 6] {
    [0, 1, 2, 33, general.store_entries - 1, general.store_entries - 2]
}

fn any_packet(check: &mut Check, golden: &mut Golden, rules: &mut Flow<u64>, dropped: &mut u32) -> Sent {
    let (config, general) = (golden.config.clone(), golden.general);
    let (extras, beats_per_quad) = (extras_of(&config), config.request().beats_per_quad());
    let entries = entries(&general);
    let entry = check.pick(&entries);
    let enables = (!check.one_in(3)).then(|| check.rng.random_range(0..16));
    let broken = match check.rng.random_range(0..16) {
        0..=2 => {
            // Some differ in a field or two only.
            let words = match golden.bound.words[0] {
                Some(words) if check.one_in(2) => {
                    fields::with(words, fields_of(check), check.rng.random_range(0..4))
                }
                _ if check.one_in(3) => any_words(check, &config),
                _ => binding(check, &config).words(),
            };
            let entry = if entry == entries[5] { 0 } else { entry };
            let words = stored(words, entry, enables);
            let broken = golden.bind(&words);
            return told(check, rules, of_binding(&words), &broken, &config);
        }
        3 => {
            let any =
                if check.one_in(2) { any_words(check, &config) } else { binding(check, &config).words() };
            let words = fields::with(any, tmu_spec::general::field::STORES, 0);
            let is_second = general.indirect && check.one_in(2);
            let words = if is_second { fields::with(words, SECONDARY, 1) } else { words };
            let broken = golden.bind(&words);
            return told(check, rules, of_binding(&words), &broken, &config);
        }
        4..=8 => {
            let is_secondary = general.indirect && check.one_in(3);
            let of = Use { entry, enables, drop_cache: check.one_in(4), is_secondary };
            let word =
                if check.one_in(12) { of.word() ^ 1 << check.rng.random_range(0..128) } else { of.word() };
            let broken = golden.take_use(word);
            let beat = RequestBeat::new(&word.to_le_bytes(), true, true);
            return told(check, rules, vec![beat], &broken, &config);
        }
        9 => {
            *dropped += 1;
            let length = check.pick(&[2, 3, 4, 6, 9]);
            let words = stored(binding(check, &config).words(), entry, enables);
            let beats = of_binding(&words);
            (0..length)
                .map(|at| RequestBeat::new(beats[at % 5].low_bytes(16), true, at + 1 == length))
                .collect()
        }
        _ => vec![],
    };
    if !broken.is_empty() {
        return (sent(check, &config, broken), None);
    }
    if general.indirect && check.one_in(2) {
        let places = std::array::from_fn(|_| [check.rng.random(), check.rng.random()]);
        let quad = IndirectQuad { places, valid: check.rng.random_range(0..16) };
        let setup = any_setup(check);
        let beats = of_indirect(&quad, &setup, extras, beats_per_quad);
        return (beats, Some((Asks::Indirect(quad, setup), golden.bound.clone())));
    }
    let quad = any_quad(check, extras);
    (of_quad(&quad, extras, beats_per_quad), Some((Asks::Direct(quad), golden.bound.clone())))
}

/// A field that often says something else.
fn fields_of(check: &mut Check) -> tmu_spec::binding::field::Field {
    use tmu_spec::general::field::{ADDRESS, BORDER, LEVEL_OFFSETS, WIDTH};
    let [u, v, _] = ADDRESS;
    check.pick(&[tmu_spec::binding::field::BASE, WIDTH, LEVELS, u, v, BORDER, LEVEL_OFFSETS[1]])
}

fn told(
    check: &mut Check,
    rules: &mut Flow<u64>,
    beats: Vec<RequestBeat>,
    broken: &[BindingRule],
    config: &Config,
) -> Sent {
    if !broken.is_empty() {
        rules.put(broken.iter().map(|rule| u64::from(rule.mask())).sum());
    }
    (sent(check, config, beats), None)
}

/// What the stages behind were told of each register, of the texture and of the secondary one.
type Told = [[Option<u32>; REGISTERS as usize]; 2];

fn keep(told: &mut Told, item: &RequestItem) {
    let number = item.head.register.to_u64() as u32;
    let data = item.pixels[0].u.to_u64() as u32;
    match number {
        0..REGISTERS => told[0][number as usize] = Some(data),
        OTHER_SECONDARY_REGISTER | VERDICT_REGISTER => {}
        _ => told[1][(number - FIRST_SECONDARY_REGISTER) as usize] = Some(data),
    }
}

/// They must know what is bound.
fn same_registers(check: &mut Check, told: &Told, bound: &Bound, role: usize) {
    let Some(words) = bound.words[role] else { return };
    let last = [FIRST_OFFSET_REGISTER + get(&words, LEVELS), place(LEVELS).0][role];
    for number in 0..=last {
        // What stands beside the format is for `request`.
        let mask = if number == place(FORMAT).0 { (FORMAT.mask() >> 32) as u32 } else { u32::MAX };
        let word = words[(number / WORD_REGISTERS) as usize];
        let expected = (word >> (number % WORD_REGISTERS * 32)) as u32 & mask;
        let known = told[role][number as usize].map(|data| data & mask);
        check.same(format_args!("register {number} of texture {role}"), known, Some(expected));
    }
}

#[test]
fn general_request_with_a_store() {
    for (name, changes) in CONFIGS {
        of(&changed(name, changes));
    }
}

#[derive(Default, Debug)]
struct Seen {
    good: u32,
    off: u32,
    failed: u32,
    indirect: u32,
}

fn same_quad(
    check: &mut Check,
    config: &Config,
    rig: &Rig<Request>,
    told: &Told,
    (asks, bound): &(Asks, Bound),
    seen: &mut Seen,
) {
    let item = RequestItem::of(config).unpack(rig.item.data.val());
    let general = config.features().general().expect("it is general");
    let is_off = is_high(rig.is_off.as_ref().expect("there is a store").val());
    let is_failed = is_high(item.marks.is_failed);
    let kind = |words: Words| get(&words, tmu_spec::general::field::KIND);
    let (valid, expected_off, can) = match asks {
        Asks::Direct(quad) => {
            let is_flat =
                |words: Words| ![Kind::D1, Kind::D3].iter().any(|own| u32::from(own.code()) == kind(words));
            let gathers = matches!(quad.operation, Operation::Gather(_));
            let can = bound.words[0].is_some_and(|words| !gathers || is_flat(words));
            (quad.valid, bound.is_off[0], can && general.has_operation(quad.operation))
        }
        Asks::Indirect(quad, setup) => {
            let decoded = bound
                .words
                .map(|words| words.and_then(|words| Binding::decode_for(&words, config.features()).ok()));
            let can = match decoded {
                [Some(first), Some(second)] => {
                    Rule::broken(setup, &first.texture, &second.texture, config.features()).is_empty()
                }
                _ => false,
            };
            let asked = Asked::shape().unpack(rig.asked.as_ref().expect("there are indirect look-ups").val());
            check.same("it can be made", is_high(asked.is_indirect), can);
            if can {
                same_registers(check, told, bound, 1);
                seen.indirect += 1;
            }
            (quad.valid, bound.is_off[0] || bound.is_off[1], can)
        }
    };
    check.same("valid", item.marks.valid.to_u64(), valid.into());
    check.same(format_args!("nothing is enabled: {asks:?}"), is_off, expected_off);
    check.same(format_args!("it has failed: {asks:?}, {bound:x?}"), is_failed, !can);
    if can {
        same_registers(check, told, bound, 0);
    }
    seen.good += u32::from(can);
    seen.off += u32::from(expected_off);
    seen.failed += u32::from(!can && !expected_off);
}

fn of(config: &Config) {
    const PACKETS: usize = 3000;
    let general = *config.features().general().expect("it is general");
    let mut check = Check::new("general::request with a store");
    let mut rig = Rig::new("request", Request::new(config));
    let tdata_bytes = config.request_tdata_bits() as usize / 8;
    let mut golden =
        Golden { config: config.clone(), general, store: Store::default(), bound: Bound::default() };
    let mut beats: VecDeque<RequestBeat> = VecDeque::new();
    let (mut owed, mut rules) = (Flow::<(Asks, Bound)>::default(), Flow::<u64>::default());
    let (mut told, mut seen) = (Told::default(), Seen::default());
    let (mut left, mut idle, mut dropped, mut dropped_seen) = (PACKETS, 0, 0, 0);
    while idle < 80 {
        if beats.is_empty() && left > 0 {
            left -= 1;
            let (packet, quad) = any_packet(&mut check, &mut golden, &mut rules, &mut dropped);
            beats.extend(packet);
            if let Some(quad) = quad {
                owed.put(quad);
            }
        }
        rig.beat.valid.drive(!beats.is_empty());
        if let Some(beat) = beats.front() {
            rig.beat.data.drive(beat_bits(beat, tdata_bytes));
        }
        rig.item.ready.drive(!check.one_in(4));
        rig.settle();
        dropped_seen += u32::from(is_high(rig.packet_dropped.val()));
        if is_high(rig.broken_rules.val().any()) {
            let expected = rules.next(&mut check);
            check.same("rules that are broken", rig.broken_rules.val().to_u64(), expected);
        }
        if is_high(rig.item.moves()) {
            let item = RequestItem::of(config).unpack(rig.item.data.val());
            if is_high(item.head.is_binding) {
                keep(&mut told, &item);
            } else {
                let expected = owed.next(&mut check);
                same_quad(&mut check, config, &rig, &told, &expected, &mut seen);
            }
        }
        if is_high(rig.beat.moves()) {
            beats.pop_front();
        }
        rig.tick();
        idle = if left == 0 && beats.is_empty() && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    rules.is_done(&mut check);
    check.same("packets of the wrong length", dropped_seen, dropped);
    let least = PACKETS as u32 / 100;
    let is_indirect = !general.indirect || seen.indirect > least / 4;
    assert!(seen.good > least && seen.off > least && seen.failed > least && is_indirect, "{seen:?}");
    check.at_least(PACKETS as u64);
}

/// Most LUTs and most levels in a row of the three configurations, and most LUTs of the store alone.
const MOST: [[usize; 3]; 3] = [[1100, 6, 650], [1300, 6, 850], [1100, 7, 650]];

/// No reader has anything to say of a store.
#[test]
fn no_linter_warns_of_a_store() {
    assert_no_reader_warns(CONFIGS.map(|(name, changes)| (name, verilog(&changed(name, changes)))));
}

/// LUTs and levels with a store, and without.
#[test]
#[ignore = "a minute of synthesis"]
fn a_store_stays_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let of = |config: &Config| {
        let Synthesis { counts, depth, .. } = synthesize(&verilog(config), Family::UltraScalePlus)
            .unwrap_or_else(|refused| panic!("{refused}"));
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        assert_eq!(depth.loops_cut + counts.latches, 0, "{}", config.name());
        let levels = depth.depth().max(from_inputs) as usize;
        let paths = (depth.register_to_register, depth.input_to_register);
        ([counts.lut_total(), levels], paths)
    };
    let mut found = vec![];
    for ((name, changes), [most, most_levels, of_store]) in CONFIGS.into_iter().zip(MOST) {
        let without = changes.replace("store_entries = 64", "").replace("store_entries = 128", "");
        let ([luts, levels], paths) = of(&changed(name, changes));
        let more = luts - of(&changed(name, &without)).0[0];
        if luts > most || levels > most_levels || more > of_store {
            found.push(format!("{name}: {luts} LUTs, {levels} levels, {more} LUTs of the store: {paths:?}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Quads of one beat of two entries in turn, and nothing holds them back: clocks from one to the next, and registers sent for each.
fn change(changes: &str, second: impl Fn(Binding) -> Binding) -> (u32, u32) {
    const QUADS: u32 = 20;
    let config = changed("change", changes);
    let (extras, tdata_bytes) = (extras_of(&config), config.request_tdata_bits() as usize / 8);
    let mut check = Check::new("general::request with a store, change");
    let kept = loop {
        let kept = binding(&mut check, &config);
        let shape = kept.texture.shape();
        if shape.levels == 3 && shape.kind == Kind::D2 && !kept.drop_cache && !shape.format.has_color_table()
        {
            break kept;
        }
    };
    let mut rig = Rig::new("request", Request::new(&config));
    let enables = Some(enables_of(Kind::D2));
    assert_eq!(target(Kind::D2), 1);
    let kept = [kept, second(kept)].map(|binding| Binding { drop_cache: false, ..binding });
    let mut beats: VecDeque<RequestBeat> =
        (0..2).flat_map(|at| of_binding(&stored(kept[at].words(), at as u32, enables))).collect();
    assert_eq!(get(&kept[0].words(), DROP_CACHE), 0);
    for number in 0..QUADS {
        beats.push_back(Use { entry: number % 2, ..Use::default() }.packet());
        beats.extend(of_quad(&any_quad(&mut check, extras), extras, BeatsPerQuad::One));
    }
    rig.item.ready.drive(true);
    let (mut clock, mut registers, mut left, mut at) = (0u32, 0, 0, [0; 2]);
    while left < QUADS {
        rig.beat.valid.drive(!beats.is_empty());
        if let Some(beat) = beats.front() {
            rig.beat.data.drive(beat_bits(beat, tdata_bytes));
        }
        rig.settle();
        if is_high(rig.item.moves()) {
            let item = RequestItem::of(&config).unpack(rig.item.data.val());
            if is_high(item.head.is_binding) {
                registers += 1;
            } else {
                left += 1;
                // The first two uses say everything.
                if left == 4 {
                    (at[0], registers) = (clock, 0);
                }
                at[1] = clock;
            }
        }
        if is_high(rig.beat.moves()) {
            beats.pop_front();
        }
        clock += 1;
        rig.tick();
    }
    let changes = QUADS - 4;
    ((at[1] - at[0]) / changes, registers / changes)
}

/// A use of three levels and its quad take 7 clocks, and one more for each register of a word but the first.
#[test]
fn general_request_changes_entries_in_few_clocks() {
    let moved = |of: Binding| Binding { base: of.base ^ 0x1_0000, ..of };
    let same = |of: Binding| of;
    let other = |of: Binding| {
        let sampler =
            tmu_spec::general::Sampler { lod_bias: of.sampler.lod_bias ^ 1, min_lod: -9000, ..of.sampler };
        Binding { base: of.base ^ 0x1_0000, sampler, ..of }
    };
    let cases = [
        ("the same", change(ONE_BEAT, same), (7, 0)),
        ("another base", change(ONE_BEAT, moved), (7, 1)),
        ("another base and sampler", change(ONE_BEAT, other), (8, 3)),
    ];
    for (name, got, expected) in cases {
        assert_eq!(got, expected, "{name}: clocks and registers of a change");
    }
}
