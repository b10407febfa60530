//! `decode` against `tmu_model::datapath::decode`: texels in one line and in two, entries and indices that could not be read.

pub(crate) mod pipelined;

use crate::support::{Bound, any_bits, binding_of, configs, drive_binding, is_high, is_rgb, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::datapath::decode;
use tmu_rtl::datapath::bundles::{sideband_layout, tap_layout};
use tmu_rtl::datapath::decode::blocking;
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

/// Entries of a colour table: the colour, and whether it could not be read.
type Table = Vec<(u32, bool)>;

/// The colour of a texel's bytes as they are stored.
fn stored(kind: Format, bytes: [u8; 4]) -> u32 {
    match kind {
        Format::Rgb8 => decode::rgb8([bytes[0], bytes[1], bytes[2]]),
        _ => decode::rgba8(bytes),
    }
}

fn entry(table: &Table, index: u8) -> (u32, bool) {
    table[usize::from(index)]
}

/// What leaves `decode`: the tap, its colour, whether it could not be read; the end of a quad has only the first.
type Texel = (u64, Option<(u32, bool)>);

/// A look-up: its fields by name, its line, whether that could not be read.
type LookUp<'a> = (&'a [(&'a str, u64)], [u8; 16], bool);

/// The blocking stage on its bench.
struct Bench {
    rig: Rig<blocking::Decode>,
    config: Config,
    check: Check,
    owed: Flow<Texel>,
    table: Table,
}

impl Bench {
    /// A clock, with a line for a look-up where there is one.
    fn clock(&mut self, look_up: Option<LookUp<'_>>) {
        let layout = sideband_layout(&self.config);
        let rig = &self.rig;
        rig.in_valid.drive(look_up.is_some());
        let is_fetched = self.check.one_in(2);
        rig.is_fetched.drive(is_fetched);
        let (fields, line, error) = look_up.unwrap_or((&[], [0; 16], false));
        let line = number_of(&line);
        let other = any_bits(&mut self.check, 128);
        rig.held_line.drive(if is_fetched { other } else { line });
        rig.fetched_line.drive(if is_fetched { line } else { other });
        rig.error.drive(error);
        let names = [
            "byte",
            "is_rest",
            "completes",
            "is_table",
            "is_end",
            "valid_pixels",
            "pixel",
            "tap",
            "weight_x",
            "weight_y",
        ];
        let value = |name: &str| fields.iter().find(|(own, _)| *own == name).map_or(0, |(_, value)| *value);
        let parts = names.map(|name| (name, number(layout.bits(name).len().max(1), value(name))));
        rig.sideband.drive(layout.pack(&parts));
        self.rig.settle();
        if is_high(self.rig.out_valid.val()) {
            let tap = tap_layout(&self.config);
            let (number, texel) = self.owed.next(&mut self.check);
            self.check.same("number of the texel", tap.get(self.rig.tap.val(), "weight_x").to_u64(), number);
            if let Some((color, failed)) = texel {
                self.check.same(
                    format_args!("error of texel {number}"),
                    is_high(self.rig.tap_error.val()),
                    failed,
                );
                if !failed {
                    self.check.same(
                        format_args!("colour of texel {number}"),
                        self.rig.color.val().to_u64() as u32,
                        color,
                    );
                }
            }
        }
        self.rig.tick();
    }

    fn idle(&mut self, clocks: usize) {
        (0..clocks).for_each(|_| self.clock(None));
    }

    /// A texel of so many bytes, across two lines where it does not fit one; with its bytes and whether it failed.
    fn texel(&mut self, bytes: usize, number: u64, is_table: bool, good: bool) -> ([u8; 4], bool) {
        let step = if bytes == 3 { 1 } else { bytes };
        let byte = self.check.rng.random_range(0..16 / step) * step;
        let lines: [[u8; 16]; 2] = std::array::from_fn(|_| self.check.rng.random());
        let errors = [(); 2].map(|()| !good && self.check.one_in(6));
        let is_split = byte + bytes > 16;
        let base = [("byte", byte as u64), ("is_table", is_table.into()), ("weight_x", number)];
        let with = |more: [(&'static str, u64); 2]| base.into_iter().chain(more).collect::<Vec<_>>();
        self.clock(Some((&with([("is_rest", 0), ("completes", u64::from(!is_split))]), lines[0], errors[0])));
        if is_split {
            if self.check.one_in(3) {
                self.idle(1);
            }
            self.clock(Some((&with([("is_rest", 1), ("completes", 1)]), lines[1], errors[1])));
        }
        let whole = lines.concat();
        let own = std::array::from_fn(|at| if at < bytes { whole[byte + at] } else { 0 });
        (own, errors[0] || (is_split && errors[1]))
    }

    fn fill_table(&mut self, kind: Format) {
        let bytes = if kind == Format::Rgb8 { 3 } else { 4 };
        let mut table = vec![];
        for _ in 0..Format::COLOR_TABLE_ENTRIES {
            let (own, failed) = self.texel(bytes, 0, true, false);
            table.push((stored(kind, own), failed));
        }
        self.table = table;
        let mut clocks = 0;
        while !self.rig.table_done.as_ref().is_some_and(|done| is_high(done.val())) {
            self.idle(1);
            self.rig.settle();
            clocks += 1;
            self.check.holds(clocks < 20, "the table is done");
        }
    }
}

fn number_of(bytes: &[u8]) -> Bits {
    stack(bytes.iter().map(|byte| number(8, *byte)))
}

#[test]
pub(crate) fn blocking() {
    let config = configs::blocking();
    let rig = Rig::new("decode_blocking", blocking::Decode::new(&config));
    let check = Check::new("decode::blocking");
    let mut bench = Bench { rig, config, check, owed: Flow::default(), table: vec![] };
    for _ in 0..12 {
        let bound = binding_of(&mut bench.check, &bench.config);
        let format = bound.texture.format();
        if format.has_color_table() {
            // The table comes as colours.
            let kind = format.of_colors();
            drive_table(&bench.rig, &bound);
            bench.fill_table(kind);
        }
        drive_binding(&bench.rig.binding, &bound);
        for texel in 0..400 {
            let number = texel % 256;
            if bench.check.one_in(4) {
                bench.idle(1);
            }
            if bench.check.one_in(5) {
                bench.clock(Some((&[("is_end", 1), ("weight_x", number), ("completes", 1)], [7; 16], false)));
                bench.owed.put((number, None));
                continue;
            }
            let bytes = format.bytes_per_texel() as usize;
            // The look-ups go in before what they come to is owed, which is later than two clocks.
            let (own, failed) = bench.texel(bytes, number, false, false);
            let color = if format.has_color_table() {
                let (color, spoilt) = entry(&bench.table, own[0]);
                (color, failed || spoilt)
            } else {
                (stored(format, own), failed)
            };
            bench.owed.put((number, Some(color)));
        }
        bench.idle(8);
        bench.owed.is_done(&mut bench.check);
    }
    bench.check.at_least(4000);
}

/// The binding while its colour table is loaded.
fn drive_table(rig: &Rig<blocking::Decode>, bound: &Bound) {
    use tmu_rtl::datapath::bundles::BindingField::{IsIndexed, IsRgb};
    let drive = |field, value: bool| rig.binding.net(field).into_iter().for_each(|net| net.drive(value));
    drive(IsRgb, is_rgb(bound.texture.format()));
    drive(IsIndexed, false);
}
