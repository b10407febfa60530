//! `compare` of the general numerics against `tmu_model::general::compare`: all comparisons of all depths, with references at, above
//! and below them, and texels that are not compared.

use crate::support::{configs, is_high, noise, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::general::compare::{holds, reference};
use tmu_rtl::datapath::general::compare::Compare;
use tmu_rtl::datapath::general::decode::FilterTap;
use tmu_rtl::datapath::general::words::{TAPS, TexelUse, channels_bits};
use tmu_spec::choice::Choice;
use tmu_spec::format::Texel;
use tmu_spec::general::CompareOp;
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

const ITEMS: usize = 20_000;

#[test]
pub(crate) fn everything() {
    compare("general_compare", &configs::multi_pixel(&[]));
}

/// Some of the formats, and channels of 8 bits.
#[test]
fn some() {
    let on = ("bilinear = true", "bilinear = true\ncompare = true");
    let formats =
        ["\"d16\"", "\"d24\"", "\"d32f\"", "\"d16\", \"d24\"", "\"d16\", \"d32f\"", "\"d24\", \"d32f\""];
    for some in formats {
        let with = format!("[\"rgba8\", {some},");
        compare(some, &configs::multi_lite_with(&[on, ("[\"rgba8\",", &with)]));
    }
}

/// An item.
#[derive(Clone, Debug)]
struct Item {
    format: Format,
    compare: Option<CompareOp>,
    reference: u32,
    texels: [u128; TAPS],
    brings: u64,
    error: bool,
}

/// A single: often 0 to 1, and whatever else there is.
fn single(check: &mut Check) -> u32 {
    match check.rng.random_range(0..8) {
        0 => check.rng.random(),
        1 => check.pick(&[0, 1 << 31, 1, 0x8000_0001, 0x3f80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000]),
        2 => check.pick(&[0xff80_0001, 0x3f7f_ffff, 0x3f80_0001, 0xbf80_0000, 0x007f_ffff, 0x0080_0000]),
        3 => {
            let exponent = check.rng.random_range(98..=128u32);
            exponent << 23 | check.rng.random_range(0..1 << 23)
        }
        _ => (check.rng.random_range(0..1 << 24) as f32 / 16_777_216.0).to_bits(),
    }
}

/// A single at which a number of so many bits rounds, or one beside it.
fn edge(check: &mut Check, bits: u32) -> u32 {
    let most = (1u64 << bits) - 1;
    let number = check.rng.random_range(0..=most) >> check.rng.random_range(0..bits);
    let half = check.pick(&[0.0, 0.5]);
    let near = ((number as f64 + half) / most as f64) as f32;
    near.to_bits().wrapping_add(check.rng.random_range(0..5)).wrapping_sub(2)
}

impl Item {
    fn any(check: &mut Check, config: &Config) -> Item {
        let depths: Vec<Format> = config.features().formats().filter(|format| format.is_depth()).collect();
        let is_compared = !check.one_in(5);
        let format = if is_compared { check.pick(&depths) } else { Format::Rgba8 };
        let bits = match format.texel() {
            Texel::Depth { bits, .. } => Some(bits),
            _ => None,
        };
        let given = match bits {
            Some(bits) if check.one_in(2) => edge(check, bits),
            _ => single(check),
        };
        let texel = |check: &mut Check| -> u128 {
            if !is_compared {
                let width = channels_bits(config);
                return noise(check, width).low_u128();
            }
            let own = bits.map_or(given, |bits| reference(given, bits).unwrap_or(7));
            let depth = match check.rng.random_range(0..6) {
                0 if bits.is_none() => single(check),
                1 if bits.is_none() => own ^ 1 << 31,
                0 | 1 => check.rng.random(),
                2 => own.wrapping_add(1),
                3 => own.wrapping_sub(1),
                _ => own,
            };
            u128::from(bits.map_or(depth, |bits| depth & ((1 << bits) - 1)))
        };
        let brings = check.rng.random_range(0..16);
        let texels = [0, 1, 2, 3].map(|place| if brings >> place & 1 == 1 { texel(check) } else { 0 });
        let compare = is_compared.then(|| check.pick(CompareOp::CHOICES));
        Item { format, compare, reference: given, texels, brings, error: check.one_in(7) }
    }

    /// The channels of a texel that leaves, as far as they count.
    fn expected(&self, config: &Config, place: usize) -> u128 {
        let Some(op) = self.compare else { return self.texels[place] };
        if self.brings >> place & 1 == 0 {
            return 0;
        }
        let depth = self.texels[place] as u32;
        let holds = match self.format.texel() {
            Texel::Depth { bits, .. } => holds(op, reference(self.reference, bits), Some(depth)),
            _ => holds(op, Some(f32::from_bits(self.reference)), Some(f32::from_bits(depth))),
        };
        let channel_bits = channel_bits(config);
        let one = (1u128 << channel_bits) - 1;
        one << (3 * channel_bits) | if holds { one } else { 0 }
    }
}

fn channel_bits(config: &Config) -> usize {
    config.features().general().map_or(8, |general| general.channel_bits as usize)
}

fn drive(rig: &Rig<Compare>, config: &Config, item: &Item, rest: &FilterTap) {
    let shape = FilterTap::of(config);
    let of = |width: Width, value: u64| number(width.value_bits(), value);
    rig.in_valid.drive(true);
    rig.error.drive(item.error);
    rig.tap.drive(shape.pack(&FilterTap {
        brings: of(shape.brings, item.brings),
        texels: TexelUse {
            compares: number(1, item.compare.is_some()),
            compare: of(shape.texels.compare, item.compare.map_or(0, |op| op as u64)),
            reference: of(shape.texels.reference, item.reference.into()),
            ..rest.texels.clone()
        },
        format: of(shape.format, item.format.code().into()),
        ..rest.clone()
    }));
    for (net, texel) in rig.texels.iter().zip(item.texels) {
        net.drive(Bits::constant(Value::from_u128(net.width(), texel)));
    }
}

type Owed = Flow<(Item, Value)>;

fn clock(rig: &mut Rig<Compare>, config: &Config, check: &mut Check, owed: &mut Owed) {
    rig.settle();
    if is_high(rig.out_valid.val()) {
        let (item, tap) = owed.next(check);
        check.same(format_args!("tap of {item:x?}"), rig.out_tap.val().value(), tap);
        check.same(format_args!("error of {item:x?}"), is_high(rig.out_error.val()), item.error);
        for place in 0..TAPS {
            let bits = if item.compare.is_some() { 4 * channel_bits(config) } else { channels_bits(config) };
            let got = rig.out_texels[place].val().low(bits).value().low_u128();
            check.same(format_args!("texel {place} of {item:x?}"), got, item.expected(config, place));
        }
    }
    rig.tick();
}

fn compare(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("compare", Compare::new(config));
    let mut owed = Flow::default();
    for number in 0..ITEMS {
        let item = Item::any(&mut check, config);
        let width = rig.tap.width();
        let rest = FilterTap::of(config).unpack(Bits::constant(noise(&mut check, width)));
        drive(&rig, config, &item, &rest);
        owed.put((item, rig.tap.val().value()));
        clock(&mut rig, config, &mut check, &mut owed);
        // Stretches without a bubble.
        if number / 100 % 2 == 0 {
            continue;
        }
        rig.in_valid.drive(false);
        rig.tap.drive(Bits::constant(noise(&mut check, width)));
        for _ in 0..check.rng.random_range(0..3) {
            clock(&mut rig, config, &mut check, &mut owed);
        }
    }
    rig.in_valid.drive(false);
    (0..12).for_each(|_| clock(&mut rig, config, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(ITEMS as u64);
}
