//! `footprint` of rows against four stages by themselves: each lane has the items of its probe in their order, in step with the
//! others.

use crate::general_support::{config, in_four_lanes};
use crate::general_texels::{everything, features};
use crate::support::{any_bits, is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::records::LayoutRow;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::general::axis::AxisTaps;
use tmu_rtl::datapath::general::coordinate::Footprint;
use tmu_rtl::datapath::general::footprint::row::FootprintRow;
use tmu_rtl::datapath::general::footprint::{FootprintStage, TapItem};
use tmu_spec::Config;
use tmu_stages::{Check, Flow, Rig};

const LANES: usize = 4;

/// What the lanes get in a clock. Without a probe a lane has noise, but for what is the same for the row.
struct Row {
    is_there: [bool; LANES],
    footprints: [Footprint; LANES],
}

/// What the lanes have in a clock: an item each, or what the first lane says of the row.
#[derive(Debug)]
struct Step {
    items: [Option<Value>; LANES],
    row: Value,
    ends_row: bool,
}

/// Two texels of an axis: neighbours, the same, round the end, or outside.
fn taps(check: &mut Check) -> AxisTaps {
    let first = check.rng.random_range(0..4095u64);
    let second = check.pick(&[first + 1, first + 1, first + 1, first, 0]);
    AxisTaps {
        first: number(12, first),
        second: number(12, second),
        weight: number(8, check.pick(&[0, 1, 77, 255u64])),
        first_is_outside: number(1, u64::from(check.one_in(8))),
        second_is_outside: number(1, u64::from(check.one_in(8))),
    }
}

/// A bit that the configuration may do without.
fn bit(shape: Width, is_set: bool) -> Bits {
    number(1, u64::from(shape.packed_bits() > 0 && is_set))
}

fn footprint(check: &mut Check, config: &Config) -> Footprint {
    let shape = Footprint::of(config);
    let any = shape.unpack(any_bits(check, shape.width()));
    let weight = if check.one_in(2) { lit(8, 0u32) } else { any.slice_weight };
    let mut footprint = Footprint {
        invalidates: number(1, 0u64),
        x: taps(check),
        y: taps(check),
        slice_weight: if shape.slice_weight.packed_bits() > 0 { weight } else { lit(8, 0u32) },
        is_row: bit(shape.is_row, check.one_in(8)),
        is_void: bit(shape.is_void, check.one_in(16)),
        ..any
    };
    footprint.ends.is_valid = number(1, u64::from(!check.one_in(8)));
    footprint
}

/// What is the same for a row comes from one of its probes.
fn in_row(own: Footprint, row: &Footprint) -> Footprint {
    let (mut ends, of_row) = (own.ends, row.ends.clone());
    (ends.is_failed, ends.ends_pixel, ends.ends_quad) =
        (of_row.is_failed, of_row.ends_pixel, of_row.ends_quad);
    (ends.spread, ends.valid) = (of_row.spread, of_row.valid);
    (ends.is_gather, ends.component) = (of_row.is_gather, of_row.component);
    Footprint {
        invalidates: row.invalidates,
        ends,
        last: row.last,
        is_cube: row.is_cube,
        is_row: row.is_row,
        are_floats: row.are_floats,
        texels: row.texels.clone(),
        level: row.level.clone(),
        ..own
    }
}

fn row(check: &mut Check, config: &Config) -> Row {
    let mut of_row = footprint(check, config);
    of_row.invalidates = number(1, u64::from(check.one_in(16)));
    let empties = is_high(of_row.invalidates);
    let footprints = [(); LANES].map(|()| in_row(footprint(check, config), &of_row));
    let mut is_there = [(); LANES].map(|()| empties || !check.one_in(3));
    if is_there == [false; LANES] {
        is_there[check.rng.random_range(0..LANES)] = true;
    }
    Row { is_there, footprints }
}

/// The slices of a probe.
fn slices(footprint: &Footprint) -> usize {
    let reads = is_high(footprint.ends.is_valid) && !is_high(footprint.invalidates);
    if reads && is_high(footprint.slice_weight.any()) { 2 } else { 1 }
}

/// Items of probes, as the stage of a single lane has them: of each probe its slices, of each slice its items.
fn alone(config: &Config, probes: &[Footprint]) -> Vec<Vec<Vec<Value>>> {
    let mut rig = Rig::new("footprint", FootprintStage::new(config));
    rig.advance.drive(true);
    let mut waiting = probes.iter().peekable();
    let mut all: Vec<Vec<Value>> = vec![];
    let total: usize = probes.iter().map(slices).sum();
    let mut done = 0;
    while done < total {
        rig.in_valid.drive(waiting.peek().is_some());
        if let Some(probe) = waiting.peek() {
            rig.texels.drive(Footprint::of(config).pack(probe));
        }
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let item = TapItem::of(config).unpack(rig.item.val());
            if is_high(item.starts_probe) {
                all.push(vec![]);
            }
            all.last_mut().expect("a first item").push(rig.item.val().value());
            done += usize::from(is_high(item.ends_probe));
        }
        if is_high(rig.upstream_advance.val()) {
            waiting.next();
        }
        rig.tick();
    }
    let mut all = all.into_iter();
    probes.iter().map(|probe| all.by_ref().take(slices(probe)).collect()).collect()
}

/// The lanes whose items come out: of what empties the cache only the first.
fn deals(row: &Row, lane: usize) -> bool {
    row.is_there[lane] && (lane == 0 || !is_high(row.footprints[lane].invalidates))
}

/// The steps of rows, and how many probes had so many items of a first slice, and of a second one.
fn expected(config: &Config, rows: &[Row]) -> (Vec<Step>, [[u32; 5]; 2]) {
    let mut lanes: Vec<_> = (0..LANES)
        .map(|lane| {
            let own = rows.iter().filter(|row| deals(row, lane));
            let probes: Vec<Footprint> = own.map(|row| row.footprints[lane].clone()).collect();
            alone(config, &probes).into_iter()
        })
        .collect();
    let shape = TapItem::of(config);
    let (mut steps, mut met) = (vec![], [[0; 5]; 2]);
    for row in rows {
        let next =
            |lane: usize| if deals(row, lane) { lanes[lane].next().expect("its items") } else { vec![] };
        let own: Vec<Vec<Vec<Value>>> = (0..LANES).map(next).collect();
        let turns = own.iter().map(Vec::len).max().unwrap_or(0);
        for (turn, met) in met.iter_mut().enumerate().take(turns) {
            let own: Vec<&[Value]> = own.iter().map(|own| own.get(turn).map_or(&[][..], |own| own)).collect();
            let most = own.iter().map(|items| items.len()).max().unwrap_or(0);
            own.iter().for_each(|items| met[items.len()] += 1);
            let ends_turns = number(1, u64::from(turn + 1 == turns));
            let ended = |item: TapItem| {
                let mut ends = item.ends;
                ends.ends_pixel = row.footprints[0].ends.ends_pixel & ends_turns;
                ends.ends_quad = row.footprints[0].ends.ends_quad & ends_turns;
                shape.pack(&TapItem { ends, ..item }).value()
            };
            for step in 0..most {
                let item = |lane: usize| own[lane].get(step).copied();
                let item = |lane: usize| item(lane).map(|item| ended(shape.unpack(Bits::constant(item))));
                let items: [Option<Value>; LANES] = std::array::from_fn(item);
                let any = items.iter().flatten().next().expect("an item");
                let ends_row = turn + 1 == turns && step + 1 == most;
                steps.push(Step { items, row: *any, ends_row });
            }
        }
    }
    (steps, met)
}

/// What the first lane says of the row whether or not it has an item.
fn is_of_row(field: &str) -> bool {
    let of_ends = ["is_failed", "ends_pixel", "ends_quad", "spread", "valid", "is_gather", "component"];
    let ends = field.strip_prefix("ends_").is_some_and(|name| of_ends.contains(&name));
    ends || field == "last"
        || field == "invalidates"
        || field.starts_with("texels_")
        || field.starts_with("level_")
}

fn same(check: &mut Check, layout: &[LayoutRow], rig: &FootprintRow, step: &Step) {
    let present = step.items.iter().rev().fold(0, |mask, item| mask << 1 | u64::from(item.is_some()));
    check.same(format_args!("lanes of {step:?}"), rig.out_valid.val().to_u64(), present);
    check.same(format_args!("it ends its row: {step:?}"), is_high(rig.ends_row.val()), step.ends_row);
    for (lane, (item, wanted)) in rig.items.iter().zip(&step.items).enumerate() {
        let counts = |name: &str| wanted.is_some() || lane == 0 && is_of_row(name);
        let wanted = Bits::constant(wanted.unwrap_or(step.row));
        check.same_parts(layout, [item.val(), wanted], counts, format_args!("in lane {lane} of {step:?}"));
    }
}

/// How many probes had so many items: of a first slice, and of a second one.
fn run(name: &str, config: &Config, rows_wanted: usize) -> [[u32; 5]; 2] {
    let config = in_four_lanes(config);
    let mut check = Check::new(name);
    let rows: Vec<Row> = (0..rows_wanted).map(|_| row(&mut check, &config)).collect();
    let mut owed: Flow<Step> = Flow::default();
    let (steps, met) = expected(&config, &rows);
    let most = steps.len();
    steps.into_iter().for_each(|step| owed.put(step));
    let mut rig = Rig::new("footprint_row", FootprintRow::new(&config));
    let mut waiting = rows.iter().peekable();
    let (shape, layout) = (Footprint::of(&config), TapItem::of(&config).layout());
    let (mut pace, mut clocks) = ([1, 1], 0);
    while !owed.is_empty() && clocks < 20 * most + 1000 {
        clocks += 1;
        if check.one_in(100) {
            pace = [(); 2].map(|()| check.pick(&[1, 1, 2, 5]));
        }
        let comes = waiting.peek().filter(|_| check.one_in(pace[0]));
        let is_there = comes.map_or([false; LANES], |row| row.is_there);
        rig.in_valid.drive(stack(is_there.map(|is_there| number(1, u64::from(is_there)))));
        for lane in 0..LANES {
            let noise = || any_bits(&mut check, shape.width());
            rig.texels[lane].drive(comes.map_or_else(noise, |row| shape.pack(&row.footprints[lane])));
        }
        let comes = comes.is_some();
        let advance = check.one_in(pace[1]);
        rig.advance.drive(advance);
        rig.settle();
        if advance && is_high(rig.out_valid.val().any()) {
            let step = owed.next(&mut check);
            same(&mut check, &layout, &rig, &step);
        }
        if comes && is_high(rig.upstream_advance.val()) {
            waiting.next();
        }
        rig.tick();
    }
    owed.is_done(&mut check);
    check.at_least(20 * rows_wanted as u64);
    met
}

#[test]
fn rows_of_everything() {
    let met = run("general::footprint: rows of everything", &everything(), 1500);
    assert!(met.as_flattened().iter().all(|times| *times > 3), "probes of all lengths: {met:?}");
}

#[test]
fn rows_of_multi_lite() {
    run("general::footprint: rows", &config(), 1500);
}

#[test]
fn rows_of_features() {
    for (name, config) in features() {
        run(&format!("general::footprint: rows of {name}"), &config, 300);
    }
}
