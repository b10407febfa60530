//! `data_stage`: no item is lost, none goes before its tiles are there, and each finds its texels.

use crate::general_support::lanes_with;
use crate::support::{any_bits, configs, is_high, noise, number};
use rand::Rng;
use std::collections::{HashMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::cache::prefetch::data_stage::DataStage;
use tmu_rtl::cache::prefetch::fill::{ROW_BITS, TEXEL_BITS};
use tmu_rtl::cache::prefetch::words::{place_bits, queue_layout, texel_banks, word_address_bits};
use tmu_rtl::datapath::general::words::{WordSelect, has_rows};
use tmu_rtl::datapath::words::{bank_columns, lanes};
use tmu_spec::Config;
use tmu_stages::{Check, Flow, Rig};

/// Clocks from what the queue says of its room to the last item that did not hear of it.
const DEAF_CLOCKS: usize = 6;

/// Words that are written and read: few, so that each is met often.
const WORDS: u64 = 8;

/// Places of tiles in their banks, where rows of lanes tell them.
const PLACES: u64 = 3;

#[test]
pub(crate) fn pixel() {
    data_stage("data_stage_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    data_stage("data_stage_quad", &configs::quad());
}

#[test]
pub(crate) fn blocks() {
    data_stage("data_stage_blocks", &configs::multi_lite());
}

#[test]
pub(crate) fn rows_of_lanes() {
    data_stage("data_stage_lanes", &lanes_with("data_stage_lanes", ""));
}

#[derive(Debug)]
struct Item {
    number: u64,
    fills: u64,
    addresses: Vec<u64>,
    tap: Value,
}

fn data_stage(name: &str, config: &Config) {
    const CLOCKS: usize = 7000;
    let layout = queue_layout(config);
    let fill_bits = layout.bits("fills").len();
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, DataStage::new(config));
    let held = write(&mut check, config, &mut rig);
    let mut owed: Flow<Item> = Flow::default();
    let mut room: VecDeque<bool> = VecDeque::from([false; DEAF_CLOCKS]);
    let (mut number_of_item, mut asked, mut filled) = (0, 0, 0u64);
    for clock in 0..CLOCKS {
        // Long stretches in which nothing leaves fill the queue.
        let (stalls, is_over) = (clock / 900 % 2 == 0, clock > CLOCKS - 1500);
        let ready = is_over || (!stalls && !check.one_in(4));
        rig.out_ready.drive(ready);
        if filled < asked && (is_over || check.one_in(3)) {
            filled += 1;
        }
        rig.fills.drive(filled % (1 << fill_bits));
        rig.settle();
        room.push_back(is_high(rig.has_room.val()));
        let comes = room.pop_front() == Some(true) && !is_over && (stalls || !check.one_in(3));
        rig.in_valid.drive(comes);
        if comes {
            asked += if check.one_in(3) { check.rng.random_range(0..=4) } else { 0 };
            let tap = noise(&mut check, layout.bits("tap").len());
            let fills = number(fill_bits, asked % (1 << fill_bits));
            let (addresses, mut entry) = words_to_read(&mut check, config);
            entry.extend([("fills", fills), ("tap", Bits::constant(tap))]);
            rig.queue_entry.drive(layout.pack(&entry));
            owed.put(Item { number: number_of_item, fills: asked, addresses, tap });
            number_of_item += 1;
        }
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let item = owed.next(&mut check);
            check.same(
                format_args!("what goes along with item {}", item.number),
                rig.tap.val().value(),
                item.tap,
            );
            check.holds(
                item.fills <= filled,
                format_args!("item {} of {} tiles goes when {filled} are there", item.number, item.fills),
            );
            for (bank, address) in item.addresses.iter().enumerate() {
                let said = format!("word {address} of bank {bank} for item {}", item.number);
                check.same(said, rig.words[bank].val().value(), held[&(bank, *address)]);
            }
        }
        rig.tick();
    }
    owed.is_done(&mut check);
    check.same(
        "number of the next item to be read",
        rig.next_read.val().to_u64(),
        number_of_item % (1 << rig.next_read.width()),
    );
    check.at_least(1000);
}

/// The address of a word in each bank of each lane, and the fields that tell it.
fn words_to_read(check: &mut Check, config: &Config) -> (Vec<u64>, Vec<(&'static str, Bits)>) {
    let bits = word_address_bits(config);
    if !has_rows(config) {
        let addresses: Vec<u64> =
            (0..texel_banks(config)).map(|_| check.rng.random_range(0..WORDS)).collect();
        let words = stack(addresses.iter().map(|address| number(bits, *address)));
        return (addresses, vec![("words", words)]);
    }
    let place_bits = place_bits(config);
    let places: [u64; 4] = std::array::from_fn(|_| check.rng.random_range(0..PLACES));
    let shape = WordSelect::shape();
    let selects: Vec<Bits> = (0..lanes(config)).map(|_| any_bits(check, shape.width())).collect();
    let of_lane = |select: &Bits| {
        let WordSelect { banks, upper_row } = shape.unpack(*select);
        [0, 1, 2, 3].map(|bank: usize| {
            let tile = banks[bank].to_u64();
            (tile << place_bits | places[tile as usize]) << 1 | upper_row[bank / 2].to_u64()
        })
    };
    let addresses = selects.iter().flat_map(of_lane).collect();
    let places = stack(places.map(|place| number(place_bits, place)));
    (addresses, vec![("places", places), ("word_selects", stack(selects))])
}

/// The addresses that are read.
fn addresses(config: &Config) -> Vec<u64> {
    if !has_rows(config) {
        return (0..WORDS).collect();
    }
    let of_tile = |tile: u64| (0..2 * PLACES).map(move |place| (tile, place));
    (0..4).flat_map(of_tile).map(|(tile, place)| tile << (place_bits(config) + 1) | place).collect()
}

/// Writes rows, and says what each bank has then.
fn write(check: &mut Check, config: &Config, rig: &mut Rig<DataStage>) -> HashMap<(usize, u64), Value> {
    let columns = bank_columns(config);
    let mut held = HashMap::new();
    let copies = if has_rows(config) { lanes(config) } else { 1 };
    for address in addresses(config) {
        for row in 0..columns {
            let [even, odd] = [(); 2].map(|()| any_bits(check, ROW_BITS));
            rig.writes.drive(1u64 << row);
            rig.write_address.drive(address);
            rig.even.drive(even);
            rig.odd.drive(odd);
            rig.tick();
            let written = if row % 2 == 1 { odd } else { even };
            for column in 0..columns {
                let texels = (column..ROW_BITS / TEXEL_BITS).step_by(columns);
                let word = stack(texels.map(|texel| written.slice(TEXEL_BITS * texel, TEXEL_BITS)));
                for copy in 0..copies {
                    held.insert(((copy * columns + row) * columns + column, address), word.value());
                }
            }
        }
    }
    rig.writes.drive(0);
    held
}
