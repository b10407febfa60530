//! `fill`: what memory answers, as rows of texels in their places; never over texels that are still needed, and never waiting for
//! ever.

use crate::address::{kind_bits, kind_fields, kinds};
use crate::miss_queue::reads_of;
use crate::support::{configs, is_high, number};
use rand::Rng;
use std::collections::{HashMap, VecDeque};
use tmu_hdl::prelude::*;
use tmu_model::general::decode::widened;
use tmu_rtl::cache::prefetch::fill::{Fill, TEXEL_BITS, block_half};
use tmu_rtl::cache::prefetch::words::{AGE_BITS, fill_layout, place_bits};
use tmu_rtl::datapath::general::words::has_stored_texels;
use tmu_rtl::datapath::words::bank_columns;
use tmu_spec::format::Channel;
use tmu_spec::{Config, Format, LINE_BYTES};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn pixel() {
    fill("fill_pixel", &configs::pixel());
}

#[test]
pub(crate) fn quad() {
    fill("fill_quad", &configs::quad());
}

#[test]
pub(crate) fn blocks() {
    fill("fill_blocks", &configs::multi_lite());
}

/// Texels stay as they are in memory.
#[test]
pub(crate) fn stored() {
    fill("fill_stored", &configs::multi_lite_stored());
    fill("fill_bytes", &configs::multi_lite_of("\"r8\""));
    fill("fill_pairs", &configs::multi_lite_of("\"rg8\", \"d24\""));
}

/// A line that memory gives.
#[derive(Clone, Debug)]
struct Line {
    bytes: [u8; LINE_BYTES as usize],
    response: u64,
    is_last: bool,
}

/// A tile that is asked for.
#[derive(Debug)]
struct Tile {
    kind: Format,
    bank: u64,
    place: u64,
    /// The item that asked.
    item: u64,
    /// The item that must have been read before, if it is not the one that asked.
    reader: u64,
    lines: Vec<Line>,
}

impl Tile {
    fn any(check: &mut Check, config: &Config, item: u64, read: u64) -> (Tile, u64) {
        let kind = check.pick(&kinds(config));
        let page = check.rng.random_range(1..1u64 << 16) << 8;
        let line = if check.one_in(4) { page - check.rng.random_range(1..4) } else { page };
        let reads = reads_of(line, kind);
        let lines = reads.iter().flat_map(|&(_, lines)| (1..=lines).map(move |number| number == lines));
        let lines = lines.map(|is_last| {
            let response = if check.one_in(8) { check.pick(&[1, 2, 3]) } else { 0 };
            Line { bytes: check.rng.random(), response, is_last }
        });
        let lines = lines.collect();
        // One of the items before, or one that is numbered as the item itself: the tags were emptied just before.
        let reader =
            if check.one_in(3) { item } else { check.rng.random_range(read.saturating_sub(20)..=item) };
        let place = check.rng.random_range(0..1u64 << place_bits(config).min(3));
        (Tile { kind, bank: check.rng.random_range(0..4), place, item, reader, lines }, line)
    }

    /// What each row of the tile must be: texels of four bytes with whether they failed.
    fn rows(&self, config: &Config) -> [[(u32, bool); 4]; 4] {
        let is_stored = has_stored_texels(config);
        let bytes: Vec<u8> = self.lines.iter().flat_map(|line| line.bytes).collect();
        let failed = |byte: usize| self.lines[byte / LINE_BYTES as usize].response & 2 != 0;
        std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let size = if self.kind.has_color_table() { 4 } else { self.kind.bytes_per_texel() as usize };
                // A line of indices goes into all rows.
                let first = size * if self.kind.has_color_table() { column } else { 4 * row + column };
                let byte = |at: usize| {
                    if at < size {
                        bytes[first + at]
                    } else if size < 3 {
                        0
                    } else {
                        u8::MAX
                    }
                };
                let stored = u32::from_le_bytes([0, 1, 2, 3].map(byte));
                let texel = if size == 2 && !is_stored { unpacked(self.kind, stored) } else { stored };
                (texel, (0..size).any(|at| failed(first + at)))
            })
        })
    }
}

/// The channels of a packed colour.
fn unpacked(format: Format, stored: u32) -> u32 {
    let channel = |(number, place): (usize, &Channel)| match place.bits {
        0 => {
            if number == 3 {
                u8::MAX
            } else {
                0
            }
        }
        bits => widened(stored >> place.lo & ((1 << bits) - 1), bits, 8) as u8,
    };
    let channels: Vec<u8> = format.colors().channels.iter().enumerate().map(channel).collect();
    u32::from_le_bytes([channels[0], channels[1], channels[2], channels[3]])
}

/// Rows that were written, by row of banks and address.
type Written = HashMap<(usize, u64), [(u32, bool); 4]>;

fn fill(name: &str, config: &Config) {
    const TILES: u64 = 900;
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, Fill::new(config));
    let mut owed: Flow<Tile> = Flow::default();
    let mut lines: VecDeque<Line> = VecDeque::new();
    let mut written = Written::new();
    let (mut asked, mut done, mut item, mut read, mut clocks) = (0, 0, 0u64, 0u64, 0u64);
    let mut waits = 0;
    let mut items_of: VecDeque<u64> = VecDeque::new();
    while done < TILES {
        let asks = asked < TILES && is_high(rig.may_fetch.val()) && check.one_in(3);
        rig.asks.drive(asks);
        rig.splits.drive(false);
        if asks {
            item += check.pick(&[0, 1, 1, 3]);
            let (tile, line) = Tile::any(&mut check, config, item, read);
            rig.tile.drive(word(config, &tile, line));
            rig.splits.drive(tile.lines.iter().filter(|line| line.is_last).count() > 1);
            lines.extend(tile.lines.iter().cloned());
            items_of.push_back(tile.item);
            owed.put(tile);
            asked += 1;
        }
        let line = if lines.is_empty() || check.one_in(3) { None } else { lines.pop_front() };
        rig.line_valid.drive(line.is_some());
        if let Some(Line { bytes, response, is_last }) = line {
            rig.line_data.drive(stack(bytes.map(|byte| number(8, byte))));
            rig.line_response.drive(response);
            rig.line_last.drive(is_last);
        }
        rig.outstanding.drive(!lines.is_empty());
        // The item whose turn it is goes when its tiles are there.
        let is_waiting = items_of.front().is_some_and(|front| *front <= read);
        if !is_waiting && read <= item && check.one_in(4) {
            read += 1;
        }
        rig.next_read.drive(read % (1 << rig.next_read.width()));
        rig.last_read.drive(read.wrapping_sub(1) % (1 << AGE_BITS));
        rig.settle();
        let fills = rig.fills.val().to_u64();
        if fills != done % (1 << rig.fills.width()) {
            let tile = owed.next(&mut check);
            items_of.pop_front();
            done += 1;
            waits = 0;
            check.same("tiles that are there", fills, done % (1 << rig.fills.width()));
            let may = tile.reader < read || tile.item <= read;
            check.holds(
                may,
                format_args!("item {read} is next: {tile:?} is written over texels that are needed"),
            );
            check_tile(&mut check, config, &written, &tile);
        }
        // What is written in this clock is of the tile behind.
        keep(config, &rig, &mut written);
        rig.tick();
        clocks += 1;
        waits += 1;
        check.holds(
            waits < 600,
            format_args!("tile {done} is written some time: {clocks} clocks, item {read} is next"),
        );
    }
    owed.is_done(&mut check);
    check.at_least(TILES);
}

fn word(config: &Config, tile: &Tile, line: u64) -> Bits {
    let layout = fill_layout(config);
    let own = [
        ("bank", tile.bank),
        ("place", tile.place),
        ("line", line),
        ("sequence", tile.item),
        ("last_reader", tile.reader),
    ];
    let fields = own.into_iter().chain(kind_fields(config, tile.kind));
    let fields = fields.map(|(name, value)| (name, number(layout.bits(name).len().max(1), value)));
    layout.pack(&fields.collect::<Vec<_>>())
}

fn keep(config: &Config, rig: &Rig<Fill>, written: &mut Written) {
    for row in (0..bank_columns(config)).filter(|row| rig.writes.val().value().bit(*row)) {
        let word = if row % 2 == 1 { rig.odd.val() } else { rig.even.val() };
        let texels = std::array::from_fn(|column| {
            let texel = word.slice(TEXEL_BITS * column, TEXEL_BITS);
            (texel.low(TEXEL_BITS - 1).to_u64() as u32, is_high(texel.high(1)))
        });
        written.insert((row, rig.write_address.val().to_u64()), texels);
    }
}

fn check_tile(check: &mut Check, config: &Config, written: &Written, tile: &Tile) {
    let columns = bank_columns(config);
    let place = tile.bank << place_bits(config) | tile.place;
    let [_, is_indexed] = kind_bits(tile.kind);
    if tile.kind.is_block() {
        return check_line(check, written, place, tile);
    }
    for (row, expected) in tile.rows(config).into_iter().enumerate() {
        // Where there are two rows of banks each has two rows of a tile, but one of indices.
        let address = match (columns, is_indexed) {
            (2, true) => place << 1,
            (2, false) => place << 1 | row as u64 >> 1,
            _ => place,
        };
        let got = written.get(&(row % columns, address));
        check.same(format_args!("row {row} at {address:#x} of {tile:?}"), got, Some(&expected));
    }
}

/// A line of compressed tiles: in each column of banks the low half in the even row, the high half in the odd row.
fn check_line(check: &mut Check, written: &Written, place: u64, tile: &Tile) {
    let line = &tile.lines[0];
    for row in 0..2 {
        let Some(texels) = written.get(&(row, place << 1)) else {
            check.fail(format!("no row {row} of {tile:?}"))
        };
        let half: [u8; 8] = std::array::from_fn(|byte| line.bytes[8 * row + byte]);
        for column in 0..2 {
            let texel = |at: usize| {
                let (bits, failed) = texels[at];
                cat(&[number(1, failed), number(TEXEL_BITS - 1, bits)])
            };
            let word = stack([column, column + 2].map(texel));
            let said = format!("row {row}, column {column} of {tile:?}");
            check.same(&said, block_half(word, row, column).to_u64(), u64::from_le_bytes(half));
        }
        let failed = texels.map(|(_, failed)| failed);
        check.same(format_args!("row {row} of {tile:?} failed"), failed, [line.response & 2 != 0; 4]);
    }
}
