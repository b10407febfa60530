//! `decode` of the general numerics against the decoders of blocks of `tmu_model`: texels of every place, lines side by side and on
//! top of one another, lines that cannot be read, taps that come from other banks, corners.

use crate::blocks::{directed, expected};
use crate::support::{configs, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::cache::prefetch::fill::block_half;
use tmu_rtl::datapath::general::decode::{Decode, FilterTap};
use tmu_rtl::datapath::general::words::{BLOCKS, ProbeTap, TAPS, TexelUse};
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn multi_lite() {
    decode("general_decode", &configs::multi_lite(), 6000);
}

/// Without compressed formats, and with those whose decoders have no place for other colours.
#[test]
fn other_formats() {
    for formats in [
        "\"rgba8\", \"rgb565\"",
        "\"rgba8\", \"bc1\"",
        "\"rgba8\", \"bc2\"",
        "\"rgb565\", \"bc4\", \"bc7\"",
        "\"rgba8\", \"bc1\", \"bc3\", \"bc4\", \"etc2_rgba8\", \"bc7\"",
    ] {
        decode(formats, &configs::multi_lite_of(formats), 1200);
    }
}

/// A line of compressed tiles, or texels that are not compressed: of each bank two, with whether they failed.
#[derive(Clone, Debug)]
enum Words {
    Lines([([u8; 16], bool); BLOCKS]),
    Texels([[(u32, bool); 2]; TAPS]),
}

/// What goes in.
#[derive(Clone, Debug)]
struct Case {
    format: Format,
    words: Words,
    is_valid: bool,
    brings: u64,
    source: Option<u64>,
    column_bit1: [u64; 2],
    row_bit1: [u64; 2],
    weights: [u64; 2],
    corner: Option<u64>,
    blocks_by_row: bool,
    upper_half: [u64; BLOCKS],
    /// What goes along as it is.
    rest: [u64; 9],
}

/// Lines of blocks that are made for something.
type Lines = Vec<(Format, Vec<[u8; 16]>)>;

impl Case {
    fn any(check: &mut Check, config: &Config, lines: &Lines) -> Case {
        let formats: Vec<Format> = config.features().formats().collect();
        let format = check.pick(&formats);
        let words = match lines.iter().find(|(own, _)| *own == format) {
            Some((_, blocks)) => {
                Words::Lines([(); BLOCKS].map(|()| (line(check, format, blocks), check.one_in(8))))
            }
            None => {
                Words::Texels([(); TAPS].map(|()| [(); 2].map(|()| (check.rng.random(), check.one_in(8)))))
            }
        };
        let source = check.one_in(3).then(|| check.rng.random_range(0..4));
        let brings =
            if source.is_some() { 1 << check.rng.random_range(0..4) } else { check.rng.random_range(0..16) };
        let mut bits = || [check.rng.random_range(0..2), check.rng.random_range(0..2)];
        let (column_bit1, row_bit1, upper_half) = (bits(), bits(), bits());
        let weights = [(); 2].map(|()| match check.rng.random_range(0..4) {
            0 => check.pick(&[0, 256]),
            _ => check.rng.random_range(0..=256),
        });
        let corner = check.one_in(3).then(|| check.rng.random_range(0..4));
        let rest = check.rng.random();
        let (is_valid, blocks_by_row) = (!check.one_in(6), check.one_in(2));
        Case {
            format,
            words,
            is_valid,
            brings,
            source,
            column_bit1,
            row_bit1,
            weights,
            corner,
            blocks_by_row,
            upper_half,
            rest,
        }
    }

    fn tap(&self, config: &Config) -> ProbeTap {
        let shape = ProbeTap::of(config);
        let of = |width: Width, value: u64| number(width.value_bits(), value);
        let bit = |value: u64| number(1, value);
        let [pixel, is_failed, starts_probe, ends_probe, ends_pixel, ends_quad, valid, any_corner, weight] =
            self.rest;
        ProbeTap {
            pixel: of(shape.pixel, pixel & 3),
            is_valid: bit(self.is_valid.into()),
            is_failed: bit(is_failed & 1),
            starts_probe: bit(starts_probe & 1),
            ends_probe: bit(ends_probe & 1),
            ends_pixel: bit(ends_pixel & 1),
            ends_quad: bit(ends_quad & 1),
            valid: of(shape.valid, valid & 15),
            brings: of(shape.brings, self.brings),
            is_single: bit(self.source.is_some().into()),
            source: of(shape.source, self.source.unwrap_or(any_corner & 3)),
            column_bit1: self.column_bit1.map(bit),
            row_bit1: self.row_bit1.map(bit),
            odd_weight_x: of(shape.odd_weight_x, self.weights[0]),
            odd_weight_y: of(shape.odd_weight_y, self.weights[1]),
            has_corner: bit(self.corner.is_some().into()),
            corner: of(shape.corner, self.corner.unwrap_or(any_corner >> 2 & 3)),
            weight: of(shape.weight, weight & 0x1_ffff),
            texels: TexelUse::plain(),
            format: of(shape.format, self.format.code().into()),
            is_block: bit(self.format.is_block().into()),
            blocks_by_row: bit(self.blocks_by_row.into()),
            upper_half: self.upper_half.map(bit),
        }
    }

    /// The words of the banks.
    fn banks(&self) -> [Bits; TAPS] {
        let texel = |(bits, failed): (u32, bool)| cat(&[number(1, failed), number(32, bits)]);
        std::array::from_fn(|bank| match &self.words {
            Words::Texels(texels) => stack(texels[bank].map(texel)),
            Words::Lines(lines) => {
                let (row, column) = (bank >> 1, bank & 1);
                let (line, failed) = lines[column];
                let part =
                    |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| line[8 * row + 4 * at + byte]));
                let half = u64::from(part(1)) << 32 | u64::from(part(0));
                let words = [[0, 1], [1, 0]].map(|order| stack(order.map(|at| texel((part(at), failed)))));
                let is_own = |word: &&Bits| block_half(**word, row, column).to_u64() == half;
                *words.iter().find(is_own).expect("a word that has the half")
            }
        })
    }

    /// The colour of a bank, and whether it failed.
    fn bank(&self, bank: usize) -> (u32, bool) {
        let (row, column) = (bank >> 1, bank & 1);
        match &self.words {
            Words::Texels(texels) => texels[bank][self.column_bit1[column] as usize],
            Words::Lines(lines) => {
                let number = if self.blocks_by_row { row } else { column };
                let (mut line, failed) = lines[number];
                if self.format.tile_bytes() == 8 && self.upper_half[number] == 1 {
                    line.copy_within(8.., 0);
                }
                let texel = [self.row_bit1[row] as usize, row, self.column_bit1[column] as usize, column];
                let texel = texel.into_iter().fold(0, |number, bit| number << 1 | bit);
                let (channels, _) = expected((self.format, line))[texel];
                (u32::from_le_bytes(channels.map(|channel| channel as u8)), failed)
            }
        }
    }

    /// How places are exchanged.
    fn turn(&self) -> usize {
        self.corner.map_or(0, |corner| 3 ^ corner as usize)
    }

    fn colors(&self) -> [u32; TAPS] {
        std::array::from_fn(|place| {
            let own = place ^ self.turn();
            let bank = self.source.map_or(own, |source| source as usize);
            if self.brings >> own & 1 == 1 { self.bank(bank).0 } else { 0 }
        })
    }

    fn fails(&self) -> bool {
        let brought = (0..TAPS).filter(|place| self.brings >> place & 1 == 1);
        self.is_valid
            && brought
                .map(|place| self.source.map_or(place, |source| source as usize))
                .any(|bank| self.bank(bank).1)
    }

    fn out_tap(&self, config: &Config) -> Bits {
        let tap = self.tap(config);
        let turn = self.turn();
        let brings = (0..TAPS).map(|place| self.brings >> (place ^ turn) & 1);
        let weight =
            |axis: usize| if turn >> axis & 1 == 1 { 256 - self.weights[axis] } else { self.weights[axis] };
        let shape = FilterTap::of(config);
        shape.pack(&FilterTap {
            pixel: tap.pixel,
            is_valid: tap.is_valid,
            is_failed: tap.is_failed,
            starts_probe: tap.starts_probe,
            ends_probe: tap.ends_probe,
            ends_pixel: tap.ends_pixel,
            ends_quad: tap.ends_quad,
            valid: tap.valid,
            brings: stack(brings.map(|bit| number(1, bit))),
            odd_weight_x: number(shape.odd_weight_x.value_bits(), weight(0)),
            odd_weight_y: number(shape.odd_weight_y.value_bits(), weight(1)),
            has_corner: tap.has_corner,
            weight: tap.weight,
            texels: tap.texels,
            format: tap.format,
        })
    }
}

/// A line with one block or two.
fn line(check: &mut Check, format: Format, blocks: &[[u8; 16]]) -> [u8; 16] {
    let (first, second) = (check.pick(blocks), check.pick(blocks));
    match check.rng.random_range(0..3) {
        0 => check.rng.random(),
        _ if format.tile_bytes() == 8 => {
            std::array::from_fn(|byte| if byte < 8 { first[byte] } else { second[byte - 8] })
        }
        _ => first,
    }
}

fn decode(name: &str, config: &Config, items: usize) {
    let mut check = Check::new(name);
    let mut rig = Rig::new("decode", Decode::new(config));
    let blocks = config.features().formats().filter(|format| format.is_block());
    let lines: Lines = blocks.map(|format| (format, directed::blocks(format, &mut check))).collect();
    let mut owed: Flow<Case> = Flow::default();
    for item in 0..items + 20 {
        let comes = item < items && !check.one_in(5);
        let case = Case::any(&mut check, config, &lines);
        rig.in_valid.drive(comes);
        rig.tap.drive(ProbeTap::of(config).pack(&case.tap(config)));
        rig.words.iter().zip(case.banks()).for_each(|(net, word)| net.drive(word));
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let case = owed.next(&mut check);
            check.same(
                format!("what goes along with {case:x?}"),
                rig.out_tap.val().value(),
                case.out_tap(config).value(),
            );
            check.same(format!("error of {case:x?}"), is_high(rig.error.val()), case.fails());
            let got: Vec<u32> = rig.colors.iter().map(|color| color.val().to_u64() as u32).collect();
            check.same(format!("colours of {case:x?}"), got, case.colors().to_vec());
        }
        rig.tick();
        if comes {
            owed.put(case);
        }
    }
    owed.is_done(&mut check);
    check.at_least(items as u64);
}
