//! `filter` of the general numerics against `tmu_model::general::filter`: probes in one item or in several, corners, any number of
//! probes a pixel, floats and gathers, quads of any pixels, some of them failed, with and without clocks between.

pub(crate) mod lanes;

use crate::filter::{of_quad, result};
use crate::support::{configs, is_high, noise, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::general::filter::{Sum, WHOLE, bilinear};
use tmu_rtl::datapath::general::decode::FilterTap;
use tmu_rtl::datapath::general::filter::Filter;
use tmu_rtl::datapath::general::result::{Sample, Shown};
use tmu_rtl::datapath::general::words::{PIXELS, TAPS, TexelUse, channels_bits};
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::{Component, General, Kind};
use tmu_spec::{Config, Format, QuadResult};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 2500;

#[test]
pub(crate) fn multi_lite() {
    filter("general_filter", &configs::multi_lite());
}

#[test]
pub(crate) fn everything() {
    filter("general_filter everything", &configs::multi_pixel(&[]));
}

#[test]
fn less() {
    for changes in without() {
        filter(&format!("{changes:?}"), &configs::multi_lite_with(&changes));
    }
}

/// Changes with less than the preset has.
fn without() -> Vec<Changes> {
    let (kinds, linear) = (("[\"2d\", \"cube\"]", "[\"2d\"]"), ("bilinear = true", "bilinear = false"));
    let one_level = ("trilinear = true", "trilinear = false");
    vec![vec![kinds], vec![one_level], vec![kinds, one_level], vec![linear], vec![linear, one_level]]
}

/// Each feature beside those of the preset.
#[test]
fn more() {
    for changes in features() {
        filter(&format!("{changes:?}"), &configs::multi_lite_with(&changes));
    }
}

/// Changes of the preset.
type Changes = Vec<(&'static str, &'static str)>;

/// Those with more than it has.
fn features() -> Vec<Changes> {
    let wide = ("[cache]\n", "[filter]\nchannel_bits = 16\n\n[cache]\n");
    let long = ("bilinear = true", "bilinear = true\nmax_anisotropy = 16");
    let volumes = ("[\"2d\", \"cube\"]", "[\"2d\", \"3d\"]");
    let swizzle = ("bilinear = true", "bilinear = true\nswizzle = true");
    let gather = ("\"bias\"]", "\"bias\", \"gather\"]");
    let fetch = ("\"bias\"]", "\"bias\", \"fetch\"]");
    let floats = ("[\"rgba8\",", "[\"rgba8\", \"rgba32f\",");
    let compare = ("[\"rgba8\",", "[\"rgba8\", \"d32f\",");
    let nearest = ("bilinear = true", "bilinear = false");
    vec![
        vec![wide],
        vec![long],
        vec![wide, long],
        vec![volumes],
        vec![wide, volumes],
        vec![swizzle],
        vec![gather],
        vec![wide, gather],
        vec![fetch],
        vec![floats],
        vec![floats, gather],
        vec![wide, floats, gather],
        vec![compare, gather],
        vec![nearest, floats, wide],
    ]
}

/// What a configuration lets come.
struct Has {
    general: General,
    bilinear: bool,
    floats: Option<Format>,
    gather: bool,
    fetch: bool,
    channel_bits: u32,
    /// The shape of a tap, which is asked for at every clock.
    tap: FilterTap<Width>,
}

impl Has {
    fn of(config: &Config) -> Has {
        let features = config.features();
        let general = *features.general().expect("it is general");
        Has {
            bilinear: features.bilinear(),
            floats: features.formats().find(|format| format.is_float()),
            gather: general.has_operation(OperationName::Gather),
            fetch: general.has_operation(OperationName::Fetch),
            channel_bits: general.channel_bits,
            general,
            tap: FilterTap::of(config),
        }
    }

    fn cubes(&self) -> bool {
        self.general.has_kind(Kind::Cube)
    }

    /// A pixel may have more than two probes.
    fn sums(&self) -> bool {
        self.general.max_anisotropy > 1 || self.general.has_kind(Kind::D3) && self.bilinear
    }

    /// Samples go on to `result`.
    fn result(&self) -> bool {
        self.channel_bits > 8 || self.general.swizzle || self.gather || self.fetch || self.floats.is_some()
    }
}

/// The taps of a probe by place, those that are brought, and its weights.
#[derive(Clone, Debug)]
struct Probe {
    colors: [[u32; 4]; TAPS],
    brings: u64,
    odd_weights: [u64; 2],
    first_is_odd: [bool; 2],
    has_corner: bool,
    weight: u32,
    filtered: [u32; 4],
    /// The taps (x0, y0), (x1, y0), (x0, y1), (x1, y1).
    footprint: [[u32; 4]; TAPS],
}

/// What a pixel is, in which all its probes agree.
#[derive(Clone, Copy, Debug)]
struct Use {
    are_floats: bool,
    gathers: Option<usize>,
    is_void: bool,
    swizzle: [Component; 4],
    format: Format,
}

impl Use {
    fn any(check: &mut Check, has: &Has) -> Use {
        let are_floats = has.floats.is_some() && check.one_in(2);
        let component = check.rng.random_range(0..4);
        let shows = |check: &mut Check, place: usize| {
            let own = Component::CHOICES[place];
            if has.general.swizzle { check.pick(Component::CHOICES) } else { own }
        };
        let swizzle = [0, 1, 2, 3].map(|place| shows(check, place));
        let gathers = (has.gather && check.one_in(2)).then_some(component);
        Use {
            are_floats,
            gathers,
            is_void: has.fetch && gathers.is_none() && check.one_in(4),
            swizzle,
            format: has.floats.filter(|_| are_floats).unwrap_or(Format::Rgba8),
        }
    }
}

impl Probe {
    fn any(check: &mut Check, has: &Has, of: Use, weight: u32) -> Probe {
        let gathers = of.gathers.is_some();
        let is_linear = has.bilinear && !gathers && !of.are_floats && !check.one_in(4);
        let can_be_corner = is_linear || gathers && !of.are_floats && has.bilinear;
        let has_corner = can_be_corner && has.cubes() && check.one_in(3);
        // The parities of the first column and row.
        let first: [usize; 2] = std::array::from_fn(|_| check.rng.random_range(0..2));
        let weights: [u32; 2] = std::array::from_fn(|_| match check.rng.random_range(0..4) {
            _ if !is_linear => 0,
            0 => 0,
            _ => check.rng.random_range(0..256),
        });
        let bits = if of.are_floats { 32 } else { has.channel_bits };
        let mut colors = [(); TAPS].map(|()| color(check, bits));
        if has_corner {
            colors[3] = std::array::from_fn(|channel| {
                (colors[..3].iter().map(|color| color[channel]).sum::<u32>() + 1) / 3
            });
        }
        // The taps (x0, y0), (x1, y0), (x0, y1), (x1, y1) by their places.
        let places: [usize; TAPS] =
            std::array::from_fn(|tap| (first[1] ^ tap >> 1) << 1 | (first[0] ^ tap & 1));
        let footprint = places.map(|place| colors[place]);
        let filtered = if of.are_floats { footprint[0] } else { bilinear(footprint, weights[0], weights[1]) };
        let has_weight =
            |tap: usize| gathers || (0..2).all(|axis| weights[axis] != 0 || tap >> axis & 1 == 0);
        let needed = (0..TAPS).filter(|tap| has_weight(*tap)).fold(0, |mask, tap| mask | 1 << places[tap]);
        Probe {
            colors,
            brings: if has_corner { 0b111 } else { needed },
            odd_weights: std::array::from_fn(|axis| {
                let weight = u64::from(weights[axis]);
                if first[axis] == 0 { weight } else { 256 - weight }
            }),
            first_is_odd: first.map(|parity| parity == 1),
            has_corner,
            weight,
            filtered,
            footprint,
        }
    }

    /// The places that each of its items brings.
    fn items(&self, check: &mut Check) -> Vec<u64> {
        let mut items = vec![0; check.rng.random_range(1..=self.brings.count_ones() as usize)];
        for place in (0..TAPS).filter(|place| self.brings >> place & 1 == 1) {
            let item = check.rng.random_range(0..items.len());
            items[item] |= 1 << place;
        }
        items
    }
}

fn color(check: &mut Check, bits: u32) -> [u32; 4] {
    let most = u32::MAX >> (32 - bits);
    match check.rng.random_range(0..4) {
        0 => [0; 4],
        1 => [most; 4],
        _ => std::array::from_fn(|_| check.rng.random_range(0..=most)),
    }
}

/// Weights of the probes of a pixel, which are [`WHOLE`] together.
fn weights(check: &mut Check, has: &Has) -> Vec<u32> {
    if has.sums() {
        let count = check.pick(&[1, 1, 2, 3, 4, 8, 32]);
        let mut rest = WHOLE;
        let mut weights: Vec<u32> = (1..count)
            .map(|_| {
                let weight = check.rng.random_range(0..=rest);
                rest -= weight;
                weight
            })
            .collect();
        weights.push(rest);
        return weights;
    }
    let fraction = if has.general.trilinear && check.one_in(2) { check.rng.random_range(1..256) } else { 0 };
    if fraction == 0 { vec![WHOLE] } else { vec![WHOLE - 256 * fraction, 256 * fraction] }
}

/// An item on its way to the filter.
#[derive(Clone, Debug)]
struct Item {
    pixel: usize,
    is_valid: bool,
    is_failed: bool,
    /// It is the first one and the last one of its probe, the last one of its pixel and of its quad.
    marks: [bool; 4],
    brings: u64,
    probe: Probe,
    of: Use,
    error: bool,
}

/// A channel of a sample as it is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Zero,
    One,
    Value(u32),
}

/// What leaves for a quad.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expected {
    Result(QuadResult),
    /// Pixel, whether it is the last one of its quad, whether this failed, channels of one that counts, and whether they are floats.
    Sample(usize, bool, Option<bool>, u8, Option<[Channel; 4]>, bool),
}

fn shown(of: Use, channels: [u32; 4]) -> [Channel; 4] {
    of.swizzle.map(|component| match component {
        Component::Zero => Channel::Zero,
        Component::One => Channel::One,
        _ if of.is_void => Channel::Zero,
        place => Channel::Value(channels[place as usize]),
    })
}

/// The channels of a pixel.
fn channels(of: Use, probe: &Probe, filtered: [u32; 4]) -> [Channel; 4] {
    match of.gathers {
        Some(component) => [2, 3, 1, 0].map(|tap: usize| shown(of, probe.footprint[tap])[component]),
        None => shown(of, filtered),
    }
}

/// The items of a quad, and what becomes of it.
fn quad(check: &mut Check, has: &Has) -> (u8, Vec<Item>, Vec<Expected>) {
    let valid = check.rng.random_range(0..16u8);
    let is_failed = check.one_in(12);
    let fails_often = check.one_in(8);
    let of = Use::any(check, has);
    let is_plain = of.gathers.is_none() && !of.are_floats && !of.is_void;
    let mut items = vec![];
    let mut of_pixels = [None; PIXELS];
    let pixels = (0..PIXELS).filter(|pixel| valid >> pixel & 1 == 1 && !is_failed);
    for pixel in pixels {
        let mut sum = Sum::default();
        let weights = if is_plain { weights(check, has) } else { vec![WHOLE] };
        let count = weights.len();
        for (number, weight) in weights.into_iter().enumerate() {
            let probe = Probe::any(check, has, of, weight);
            sum.add(weight, probe.filtered);
            let parts = probe.items(check);
            of_pixels[pixel] = Some(channels(of, &probe, sum.total()));
            for (part, brings) in parts.iter().enumerate() {
                let (starts, ends) = (part == 0, part + 1 == parts.len());
                items.push((
                    number,
                    Item {
                        pixel,
                        is_valid: true,
                        is_failed: false,
                        marks: [starts, ends, ends && number + 1 == count, false],
                        brings: *brings,
                        probe: probe.clone(),
                        of,
                        error: fails_often && check.one_in(6),
                    },
                ));
            }
        }
    }
    if check.one_in(2) || !has.sums() {
        // Smaller levels come behind those of all pixels.
        items.sort_by_key(|(level, _)| *level);
    }
    let mut items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
    if items.is_empty() {
        let probe = Probe::any(check, has, of, WHOLE);
        let (pixel, brings) = (check.rng.random_range(0..PIXELS), check.rng.random_range(0..16));
        items.push(Item {
            pixel,
            is_valid: false,
            is_failed,
            marks: [true; 4],
            brings,
            probe,
            of,
            error: false,
        });
    }
    items.last_mut().expect("there is one").marks[3] = true;
    let fails = is_failed || items.iter().any(|item| item.error);
    if has.result() {
        let ends = items.iter().filter(|item| item.marks[2]);
        let sample = |item: &Item| {
            let is_last = item.marks[3];
            let channels = if item.is_valid { of_pixels[item.pixel] } else { None };
            Expected::Sample(item.pixel, is_last, is_last.then_some(fails), valid, channels, of.are_floats)
        };
        let expected = ends.map(sample).collect();
        return (valid, items, expected);
    }
    (valid, items, vec![Expected::Result(plain_result(of_pixels, valid, fails))])
}

/// The result where it is just the channels of samples.
fn plain_result(of_pixels: [Option<[Channel; 4]>; PIXELS], valid: u8, fails: bool) -> QuadResult {
    let colors = of_pixels.map(|channels| {
        let byte = |channel| match channel {
            Channel::Value(value) => value as u8,
            other => panic!("{other:?} without a swizzle"),
        };
        channels.map_or(0, |channels| u32::from_le_bytes(channels.map(byte)))
    });
    of_quad(colors, valid, fails)
}

/// A texel as `decode` makes it.
fn texel(config: &Config, has: &Has, of: Use, color: [u32; 4]) -> Bits {
    let bits = if of.are_floats { 32 } else { has.channel_bits };
    let word = color.iter().rev().fold(0u128, |word, channel| word << bits | u128::from(*channel));
    Bits::constant(Value::from_u128(channels_bits(config), word))
}

/// What belongs to an item.
fn tap_of(shape: &FilterTap<Width>, item: &Item, valid: u8) -> FilterTap {
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    let [starts_probe, ends_probe, ends_pixel, ends_quad] = item.marks.map(|mark| number(1, mark));
    let Probe { odd_weights, first_is_odd, has_corner, weight, .. } = &item.probe;
    let used = item.of;
    let swizzle = used.swizzle.iter().rev().fold(0u64, |word, shown| word << 3 | *shown as u64);
    FilterTap {
        pixel: of(shape.pixel, item.pixel as u64),
        is_valid: number(1, item.is_valid),
        is_failed: number(1, item.is_failed),
        starts_probe,
        ends_probe,
        ends_pixel,
        ends_quad,
        spread: of(shape.spread, 0),
        valid: of(shape.valid, valid.into()),
        brings: of(shape.brings, item.brings),
        odd_weight_x: of(shape.odd_weight_x, odd_weights[0]),
        odd_weight_y: of(shape.odd_weight_y, odd_weights[1]),
        has_corner: number(1, *has_corner),
        weight: of(shape.weight, (*weight).into()),
        texels: TexelUse {
            is_void: number(1, used.is_void),
            swizzle: of(shape.texels.swizzle, swizzle),
            is_gather: number(1, used.gathers.is_some()),
            component: of(shape.texels.component, used.gathers.unwrap_or_default() as u64),
            first_is_odd: first_is_odd.map(|odd| number(1, odd)),
            ..TexelUse::plain()
        },
        format: of(shape.format, used.format.code().into()),
    }
}

/// The texel at a place, of those that an item brings.
fn brought(config: &Config, has: &Has, item: &Item, place: usize) -> Bits {
    let is_brought = item.brings >> place & 1 == 1;
    let color = if is_brought { item.probe.colors[place] } else { [0; 4] };
    texel(config, has, item.of, color)
}

fn drive(rig: &Rig<Filter>, config: &Config, has: &Has, item: &Item, valid: u8) {
    rig.in_valid.drive(true);
    rig.error.drive(item.error);
    rig.tap.drive(has.tap.pack(&tap_of(&has.tap, item, valid)));
    for (place, net) in rig.colors.iter().enumerate() {
        net.drive(brought(config, has, item, place));
    }
}

/// The channels of a result, as a sample shows them.
fn as_shown(config: &Config, channels: &[Bits; 4], shown: &[Shown; 4], are_floats: bool) -> [Channel; 4] {
    let general = config.features().general().expect("it is general");
    let bits = if are_floats { 32 } else { general.channel_bits };
    let has_choice = Sample::of(config).shown[0].channel.packed_bits() > 0;
    [0, 1, 2, 3].map(|number: usize| {
        let shown = &shown[number];
        let channel = if has_choice { shown.channel.to_u64() as usize } else { number };
        match (is_high(shown.is_constant), is_high(shown.is_one)) {
            (true, true) => Channel::One,
            (true, false) => Channel::Zero,
            _ => Channel::Value((channels[channel].to_u64() & ((1 << bits) - 1)) as u32),
        }
    })
}

/// What has left, where `expected` says what counts.
fn left(rig: &Rig<Filter>, config: &Config, expected: &Expected) -> Expected {
    let Expected::Sample(_, _, fails, _, channels, _) = expected else {
        return Expected::Result(result(rig.result.as_ref().expect("it has one").val()));
    };
    let word = rig.sample.as_ref().expect("it has one").val();
    let sample = Sample::of(config).unpack(word);
    let are_floats = is_high(sample.are_floats);
    let shows = as_shown(config, &sample.channels, &sample.shown, are_floats);
    let is_last = is_high(sample.ends_quad);
    Expected::Sample(
        sample.pixel.to_u64() as usize,
        is_last,
        fails.map(|_| is_high(sample.fails)),
        sample.valid.to_u64() as u8,
        is_high(sample.is_valid).then_some(shows).filter(|_| channels.is_some()),
        are_floats,
    )
}

fn clock(rig: &mut Rig<Filter>, config: &Config, check: &mut Check, owed: &mut Flow<(Vec<Item>, Expected)>) {
    rig.settle();
    if is_high(rig.done.val()) {
        let (items, expected) = owed.next(check);
        check.same(format_args!("result of {items:#?}"), left(rig, config, &expected), expected);
    }
    rig.tick();
}

fn filter(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let has = Has::of(config);
    let mut rig = Rig::new(if has.result() { "filter_of_samples" } else { "filter" }, Filter::new(config));
    let mut owed = Flow::default();
    let quads = if has.sums() { QUADS / 4 } else { QUADS };
    for number in 0..quads {
        let (valid, items, expected) = quad(&mut check, &has);
        expected.into_iter().for_each(|expected| owed.put((items.clone(), expected)));
        // Stretches without a bubble.
        let is_dense = number / 50 % 2 == 0;
        for item in &items {
            drive(&rig, config, &has, item, valid);
            clock(&mut rig, config, &mut check, &mut owed);
            if is_dense {
                continue;
            }
            rig.in_valid.drive(false);
            let width = rig.tap.width();
            rig.tap.drive(Bits::constant(noise(&mut check, width)));
            rig.error.drive(check.one_in(2));
            for _ in 0..check.rng.random_range(0..3) {
                clock(&mut rig, config, &mut check, &mut owed);
            }
        }
    }
    rig.in_valid.drive(false);
    (0..24).for_each(|_| clock(&mut rig, config, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(quads as u64);
}
