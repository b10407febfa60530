//! The pipelined `decode`: words of banks to the colours of taps.

use super::{Table, entry, number_of};
use crate::address::kind_bits;
use crate::support::{any_bits, configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::datapath::decode::rgba8;
use tmu_rtl::cache::prefetch::fill::TEXEL_BITS;
use tmu_rtl::cache::prefetch::words::{texel_banks, word_bits};
use tmu_rtl::datapath::decode::pipelined;
use tmu_rtl::datapath::words::{lane_layout, lanes, odd_weight_bits, tap_layout};
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn pixel() {
    decode("decode_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    decode("decode_quad", &configs::quad());
}

/// Taps of a pixel.
const TAPS: usize = 4;

/// A pixel's place: bits 1 of its columns and rows by parity, and the weights of the odd ones.
#[derive(Clone, Copy, Debug)]
struct Lane {
    column_bit1: [u64; 2],
    row_bit1: [u64; 2],
    weights: [u64; 2],
}

impl Lane {
    fn any(check: &mut Check, config: &Config) -> Lane {
        let full = 1u64 << (odd_weight_bits(config) - 1);
        let mut weight = || match check.rng.random_range(0..4) {
            0 => 0,
            1 => full,
            _ => check.rng.random_range(0..=full),
        };
        let weights = [weight(), weight()];
        let mut bits = || [check.rng.random_range(0..2), check.rng.random_range(0..2)];
        Lane { column_bit1: bits(), row_bit1: bits(), weights }
    }

    fn word(&self, config: &Config) -> Bits {
        let layout = lane_layout(config);
        let pair = |[even, odd]: [u64; 2]| even | odd << 1;
        let of = |name: &str, value: u64| number(layout.bits(name).len().max(1), value);
        layout.pack(&[
            ("column_bit1", of("column_bit1", pair(self.column_bit1))),
            ("row_bit1", of("row_bit1", pair(self.row_bit1))),
            ("odd_weight_x", of("odd_weight_x", self.weights[0])),
            ("odd_weight_y", of("odd_weight_y", self.weights[1])),
        ])
    }

    /// The tap of these parities has weight.
    fn has_weight(&self, config: &Config, tap: usize) -> bool {
        let full = 1u64 << (odd_weight_bits(config) - 1);
        let has = |weight: u64, parity: usize| if parity == 1 { weight > 0 } else { weight < full };
        has(self.weights[0], tap & 1) && has(self.weights[1], tap >> 1)
    }
}

/// Texels of the tiles under an item, by the lowest two bits of column and row: four bytes, and whether they failed.
type Texels = [[([u8; 4], bool); 4]; 4];

/// The words of the banks, and the texel that each tap finds.
///
/// Of colours a bank has the texels of its columns and rows. Of indices a row is the four bytes of a texel, in the banks of what
/// would be its column, so that columns and rows of banks change places.
struct Banks {
    words: Vec<Bits>,
}

impl Banks {
    fn of(
        config: &Config,
        check: &mut Check,
        lanes: &[Lane],
        is_indexed: bool,
        texels: &mut Texels,
    ) -> Banks {
        let columns = texel_banks(config).isqrt();
        let texel = |(bytes, failed): ([u8; 4], bool)| cat(&[number(1, failed), number_of(&bytes)]);
        let words = (0..columns * columns).map(|bank| {
            let (first, second) = (bank % columns, bank / columns);
            if columns == 4 {
                // One texel each; of indices its four bytes are the columns, one of them in use.
                let (column, row) = if is_indexed { (second, first) } else { (first, second) };
                if !is_indexed {
                    return texel(texels[row][column]);
                }
                let mut bytes: [u8; 4] = check.rng.random();
                bytes[column] = texels[row][column].0[0];
                return texel((bytes, texels[row][column].1));
            }
            // Two texels each, of one row. The row that the one pixel needs is known for each parity.
            let lane = &lanes[0];
            if !is_indexed {
                let row = second + 2 * lane.row_bit1[second] as usize;
                return stack([first, first + 2].map(|column| texel(texels[row][column])));
            }
            // The bank of an index has its row's parity first; its two texels are two rows, its bytes columns.
            let (row_parity, column_parity) = (first, second);
            let failed = texels[row_parity + 2 * lane.row_bit1[row_parity] as usize]
                [column_parity + 2 * lane.column_bit1[column_parity] as usize]
                .1;
            stack(
                [row_parity, row_parity + 2]
                    .map(|row| texel((texels[row].map(|(bytes, _)| bytes[0]), failed))),
            )
        });
        Banks { words: words.collect() }
    }
}

/// What must leave: the colours of the taps with weight, and whether a valid pixel failed.
#[derive(Debug)]
struct Item {
    said: String,
    colors: Vec<Option<u32>>,
    failed: bool,
}

fn decode(name: &str, config: &Config) {
    const ITEMS: usize = 1500;
    let tap = tap_layout(config);
    let lanes = lanes(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Decode::new(config));
    check.same("bits of a word", word_bits(config) % TEXEL_BITS, 0);
    let kinds = [Format::Rgba8, Format::I8Rgba8];
    let mut table: Table = vec![(0, false); 256];
    let mut owed: Flow<Item> = Flow::default();
    for item in 0..ITEMS + 256 {
        let is_table = item < 256;
        let kind = if is_table { Format::Rgba8 } else { check.pick(&kinds) };
        let [_, is_indexed] = kind_bits(kind);
        let own: Vec<Lane> = (0..lanes).map(|_| Lane::any(&mut check, config)).collect();
        let own = if is_table { vec![table_lane(config, item); lanes] } else { own };
        let mut texels: Texels =
            std::array::from_fn(|_| std::array::from_fn(|_| (check.rng.random(), false)));
        texels
            .as_flattened_mut()
            .iter_mut()
            .for_each(|(_, failed)| *failed = check.rng.random_range(0..8) == 0);
        let banks = Banks::of(config, &mut check, &own, is_indexed, &mut texels);
        if lanes == 1 && is_indexed {
            spread_errors(&own[0], &mut texels);
        }
        let (valid, mask) =
            (check.rng.random_range(0..1u64 << lanes), check.rng.random_range(0..1u64 << lanes));
        let counts = if lanes == 1 { valid } else { valid & mask };
        if is_table {
            let (bytes, failed) = texels[item / 4 % 4][item % 4];
            table[item] = (rgba8(bytes), failed);
        } else {
            owed.put(expected(config, &own, &texels, is_indexed.then_some(&table), counts));
        }
        rig.in_valid.drive(true);
        rig.tap.drive(tap.pack(&[
            ("is_table", number(1, is_table)),
            ("pixel", any_bits(&mut check, 2)),
            ("is_last", any_bits(&mut check, 1)),
            ("pixel_mask", number(lanes, mask)),
            ("is_valid", number(lanes, valid)),
            ("is_failed", number(1, 0u32)),
            ("lanes", stack(own.iter().map(|lane| lane.word(config)))),
            ("is_indexed", number(1, is_indexed)),
        ]));
        rig.words.iter().zip(&banks.words).for_each(|(net, word)| net.drive(*word));
        clock(&mut rig, &mut check, &mut owed);
        rig.in_valid.drive(false);
        // The table is written some clocks before anything looks into it.
        let pause = if item == 255 { 8 } else { usize::from(check.one_in(4)) };
        (0..pause).for_each(|_| clock(&mut rig, &mut check, &mut owed));
    }
    (0..10).for_each(|_| clock(&mut rig, &mut check, &mut owed));
    owed.is_done(&mut check);
    check.at_least(ITEMS as u64);
}

/// The two rows of a word of indices come from one line, and fail together.
fn spread_errors(lane: &Lane, texels: &mut Texels) {
    for tap in 0..TAPS {
        let (column, row) = (tap & 1, tap >> 1);
        let failed =
            texels[row + 2 * lane.row_bit1[row] as usize][column + 2 * lane.column_bit1[column] as usize].1;
        (0..4).for_each(|at| texels[row + 2 * (at >> 1)][column + 2 * (at & 1)].1 = failed);
    }
}

/// The entry of a colour table is the only texel of its tile that is needed.
fn table_lane(config: &Config, entry: usize) -> Lane {
    let full = 1u64 << (odd_weight_bits(config) - 1);
    let (column, row) = (entry % 4, entry / 4 % 4);
    let bit1 = |at: usize| [at as u64 >> 1; 2];
    let weights = [column, row].map(|at| if at & 1 == 1 { full } else { 0 });
    Lane { column_bit1: bit1(column), row_bit1: bit1(row), weights }
}

fn expected(config: &Config, lanes: &[Lane], texels: &Texels, table: Option<&Table>, counts: u64) -> Item {
    let mut item =
        Item { said: format!("{lanes:x?}, indexed {}", table.is_some()), colors: vec![], failed: false };
    for (number, lane) in lanes.iter().enumerate() {
        for tap in 0..TAPS {
            let (column, row) = (tap & 1, tap >> 1);
            let (bytes, failed) =
                texels[row + 2 * lane.row_bit1[row] as usize][column + 2 * lane.column_bit1[column] as usize];
            let (color, spoilt) = table.map_or((rgba8(bytes), false), |table| entry(table, bytes[0]));
            let has_weight = lane.has_weight(config, tap);
            let fails = has_weight && (failed || spoilt);
            item.failed |= fails && counts >> number & 1 == 1;
            item.colors.push(if has_weight { (!fails).then_some(color) } else { Some(0) });
        }
    }
    item
}

fn clock(rig: &mut Rig<pipelined::Decode>, check: &mut Check, owed: &mut Flow<Item>) {
    rig.settle();
    if is_high(rig.out_valid.val()) {
        let item = owed.next(check);
        check.same(format_args!("error of {}", item.said), is_high(rig.error.val()), item.failed);
        for (tap, color) in item.colors.iter().enumerate() {
            let Some(color) = color else { continue };
            let got = rig.colors[tap].val().to_u64() as u32;
            check.same(format_args!("lane {}, tap {} of {}", tap / TAPS, tap % TAPS, item.said), got, *color);
        }
    }
    rig.tick();
}
