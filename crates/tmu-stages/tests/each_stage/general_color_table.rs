//! `color_table`: what passes stays as it is and in order, and behind a binding of a texture of indices comes each entry once.

use crate::general_support::{changed, lanes_with};
use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::general::color_table::ColorTable;
use tmu_rtl::datapath::general::request::VERDICT_REGISTER;
use tmu_rtl::datapath::general::words::{FIRST_SECONDARY_REGISTER, ItemHead, Probe, has_indirect, lanes};
use tmu_spec::binding::field::FORMAT;
use tmu_spec::general::field;
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

const ITEMS: usize = 6000;
const CHANGES: &str = "[texture]\nformats = [\"rgba8\", \"i8_rgb8\", \"i8_rgba8\"]";

#[test]
pub(crate) fn color_table() {
    of(&changed("tables", CHANGES), "general::color_table");
}

#[test]
fn in_lanes() {
    of(&lanes_with("tables_in_lanes", CHANGES), "general::color_table in lanes");
}

/// The secondary texture of indirect look-ups has a table of its own.
#[test]
fn of_two_textures() {
    let changes = CHANGES.replace("formats", "indirect = true\nformats");
    of(&lanes_with("tables_of_two", &changes), "general::color_table of two textures");
}

/// What leaves: what passed, or an entry in all lanes.
#[derive(Debug)]
enum Leaves {
    Passed(Vec<Option<Value>>),
    Entry { number: u64, is_secondary: bool },
}

/// A register of a binding.
fn register(config: &Config, number_of: u32, data: u64) -> Bits {
    let shape = Probe::of(config);
    let none = shape.unpack(lit(shape.width(), 0u32));
    let head = ItemHead { is_binding: number(1, 1u32), register: number(5, number_of) };
    shape.pack(&Probe { head, u: number(37, data), ..none })
}

/// Any probe.
fn probe(check: &mut Check, config: &Config) -> Bits {
    let shape = Probe::of(config);
    let none = shape.unpack(lit(shape.width(), 0u32));
    let (u, v) = (check.rng.random::<u64>() >> 27, check.rng.random::<u64>() >> 27);
    shape.pack(&Probe { is_valid: number(1, 1u32), u: number(37, u), v: number(37, v), ..none })
}

fn of(config: &Config, stage: &str) {
    let mut check = Check::new(stage);
    let mut rig = Rig::new("color_table", ColorTable::new(config));
    let (lanes, formats) = (lanes(config), config.features().formats().collect::<Vec<Format>>());
    let (of_format, shift) = field::place(FORMAT);
    let mut owed: Flow<Leaves> = Flow::default();
    // The words of the lanes, and how many entries follow.
    let mut waiting: Vec<(Vec<Option<Bits>>, u64)> = vec![];
    let mut is_secondary = false;
    let mut sent = 0;
    while sent < ITEMS || !owed.is_empty() {
        if waiting.is_empty() && sent < ITEMS && check.one_in(40) {
            let (format, is_good) = (check.pick(&formats), !check.one_in(4));
            let has_table = format.has_color_table() && is_good;
            let verdict = register(config, VERDICT_REGISTER, is_good.into());
            waiting.push((vec![Some(verdict); lanes], if has_table { 256 } else { 0 }));
            is_secondary = has_indirect(config) && check.one_in(2);
            let of_format = if is_secondary { FIRST_SECONDARY_REGISTER + of_format } else { of_format };
            let code = register(config, of_format, u64::from(format.code()) << shift);
            waiting.push((vec![Some(code); lanes], 0));
        } else if waiting.is_empty() && sent < ITEMS && !check.one_in(6) {
            let mut any = || (!check.one_in(3)).then(|| probe(&mut check, config));
            waiting.push(((0..lanes).map(|_| any()).collect(), 0));
        }
        let advance = !check.one_in(5);
        rig.advance.drive(advance);
        let present = waiting.last().map_or(0, |(words, _)| {
            words.iter().enumerate().map(|(lane, word)| u64::from(word.is_some()) << lane).sum()
        });
        rig.in_valid.drive(present);
        if let Some((words, _)) = waiting.last() {
            for (net, word) in rig.probe.iter().zip(words).filter_map(|(net, word)| Some((net, (*word)?))) {
                net.drive(word);
            }
        }
        rig.settle();
        if advance && rig.out_valid.val().to_u64() > 0 {
            leave(&mut check, config, &rig, &mut owed);
        }
        let moves = is_high(rig.upstream_advance.val());
        rig.tick();
        if moves && let Some((words, entries)) = waiting.pop() {
            sent += 1;
            let words: Vec<_> = words.into_iter().map(|word| word.map(|word| word.value())).collect();
            if words.iter().any(Option::is_some) {
                owed.put(Leaves::Passed(words));
            }
            (0..entries).for_each(|number| owed.put(Leaves::Entry { number, is_secondary }));
        }
    }
    owed.is_done(&mut check);
    check.at_least(ITEMS as u64);
}

fn leave(check: &mut Check, config: &Config, rig: &Rig<ColorTable>, owed: &mut Flow<Leaves>) {
    let wanted = owed.next(check);
    let valid = rig.out_valid.val();
    for (lane, out) in rig.out_probe.iter().enumerate() {
        let (word, is_there) = (out.val(), is_high(valid.bit(lane)));
        match &wanted {
            Leaves::Passed(words) => {
                check.same("what passes", is_there.then(|| word.value()), words[lane]);
            }
            Leaves::Entry { number, is_secondary } => {
                let probe = Probe::of(config).unpack(word);
                check.holds(is_there && is_high(probe.is_valid), "an entry is in all lanes");
                check.holds(is_high(probe.is_table), "it is an entry");
                // Texels of a texture of 4 columns and 64 rows, from the coordinates of their middle.
                let of = |coordinate: Bits, side: u64| coordinate.to_u64() * side;
                let middle = [(number & 3) << 20 | 1 << 19, (number >> 2) << 20 | 1 << 19];
                check.same("its texture", is_high(probe.look_up.pass.is_second), *is_secondary);
                check.same("where it stands", [of(probe.u, 4), of(probe.v, 64)], middle);
            }
        }
    }
}
