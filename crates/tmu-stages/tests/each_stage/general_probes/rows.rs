//! Rows of four probes against the rule by which parts, pixels and levels fill them.

use super::{ProbeWord, configs, item, levels, no_probe, pixels, probe, probe_word};
use crate::general_support::in_four_lanes;
use crate::support::{any_bits, is_high, number};
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::general::probes::rows::ProbeRows;
use tmu_rtl::datapath::general::words::{LeveledItem, NUMBER_BITS, PIXELS, Probe, has_parts};
use tmu_spec::Config;
use tmu_stages::{Check, Flow, Rig};

const ITEMS: usize = 3000;
const LANES: usize = 4;

/// The probes of a row, by lane, and what is the same for all lanes: that of any probe.
#[derive(Debug)]
struct Row {
    lanes: [Option<Value>; LANES],
    common: Value,
}

/// The configurations with four lanes, by name.
pub(crate) fn row_configs() -> Vec<(String, Config)> {
    let of_rows = |(name, config): (&str, Config)| {
        (name.replace("general_probes", "general_rows"), in_four_lanes(&config))
    };
    configs().into_iter().map(of_rows).collect()
}

/// The rows of an item. Each lane of a list of pixels and parts is one of the row.
fn expected(config: &Config, item: &LeveledItem) -> Vec<Row> {
    let shape = Probe::of(config);
    let flag = |flag: bool| number(1, u64::from(flag));
    let valid = pixels(item);
    if valid.is_empty() {
        let only = shape.pack(&no_probe(config, item)).value();
        let is_binding = is_high(item.head.is_binding);
        let lanes = std::array::from_fn(|lane| (lane == 0 || is_binding).then_some(only));
        return vec![Row { lanes, common: only }];
    }
    let parts = 1usize << item.parts_log2.to_u64();
    // Pixel and part of each lane, whether or not the pixel is valid.
    let (spread, rows): (u64, Vec<[[usize; 2]; LANES]>) = match parts {
        1 => (0, vec![[[0, 0], [1, 0], [2, 0], [3, 0]]]),
        2 => (1, vec![[[0, 0], [0, 1], [1, 0], [1, 1]], [[2, 0], [2, 1], [3, 0], [3, 1]]]),
        _ => {
            let fours = |first| (0..PIXELS).map(move |pixel| [0, 1, 2, 3].map(|lane| [pixel, first + lane]));
            (2, (0..parts).step_by(4).flat_map(fours).collect())
        }
    };
    let has_valid = |row: &[[usize; 2]; LANES]| row.iter().any(|[pixel, _]| valid.contains(pixel));
    let rows: Vec<_> = rows.into_iter().filter(has_valid).collect();
    let levels = levels(item);
    let mut all = vec![];
    for (number_of_level, level) in levels.iter().enumerate() {
        for (number_of_row, row) in rows.iter().enumerate() {
            let is_last_level = number_of_level + 1 == levels.len();
            let ends_pixel = is_last_level && (spread < 2 || row[LANES - 1][1] + 1 == parts);
            let ends_quad = is_last_level && number_of_row + 1 == rows.len();
            let own = |[pixel, part]: [usize; 2]| {
                let probe = probe(config, item, pixel, part as i64, *level);
                let (ends_pixel, ends_quad) = (flag(ends_pixel), flag(ends_quad));
                shape.pack(&Probe { ends_pixel, ends_quad, spread: number(2, spread), ..probe }).value()
            };
            let lane = |[pixel, part]: [usize; 2]| valid.contains(&pixel).then(|| own([pixel, part]));
            all.push(Row { lanes: row.map(lane), common: own(row[0]) });
        }
    }
    all
}

/// What must be right in a lane.
fn same(check: &mut Check, (shape, layout): &ProbeWord, got: &[Probe], out_valid: Bits, row: &Row) {
    let present = row.lanes.iter().rev().fold(0, |mask, lane| mask << 1 | u64::from(lane.is_some()));
    check.same(format_args!("lanes of {row:?}"), out_valid.to_u64(), present);
    for (lane, got) in got.iter().enumerate() {
        let expected = Bits::constant(row.lanes[lane].unwrap_or(row.common));
        let probe = shape.unpack(expected);
        let is_binding = is_high(probe.head.is_binding);
        let is_valid = is_high(probe.is_valid) && row.lanes[lane].is_some();
        check.same(format_args!("lane {lane} is valid in {row:?}"), is_high(got.is_valid), is_valid);
        let has_common = is_high(probe.is_valid);
        let counts = |name: &str| match name {
            "head_is_binding" | "ends_pixel" | "ends_quad" => true,
            "head_register" => is_binding,
            "is_failed" | "valid" => !is_binding,
            "spread" => !is_binding,
            "is_linear" | "level" => has_common,
            name if name.starts_with("look_up") => has_common,
            "is_valid" => false,
            _ => is_valid,
        };
        let what = format_args!("in lane {lane} of {row:?}");
        check.same_parts(layout, [shape.pack(got), expected], counts, what);
        if is_binding {
            check.same("data", got.u.low(NUMBER_BITS).to_u64(), probe.u.low(NUMBER_BITS).to_u64());
        }
    }
}

fn run(name: &str, config: &Config) {
    let mut check = Check::new(name);
    let (probe_word, item_shape) = (probe_word(config), LeveledItem::of(config));
    let mut rig = Rig::new(name, ProbeRows::new(config));
    let mut owed: Flow<Row> = Flow::default();
    let mut offered: Option<LeveledItem> = None;
    let mut items = 0;
    let mut pace = [1, 1];
    while items < ITEMS || offered.is_some() || !owed.is_empty() {
        if check.one_in(200) {
            pace = [(); 2].map(|()| check.pick(&[1, 1, 2, 6]));
        }
        if offered.is_none() && items < ITEMS && check.one_in(pace[0]) {
            offered = Some(item(&mut check, config));
            items += 1;
        }
        let advance = check.one_in(pace[1]);
        rig.advance.drive(advance);
        rig.input.valid.drive(offered.is_some());
        let data = match &offered {
            Some(item) => item_shape.pack(item),
            None => any_bits(&mut check, item_shape.width()),
        };
        rig.input.data.drive(data);
        rig.settle();
        let out_valid = rig.out_valid.val();
        if advance && is_high(out_valid.any()) {
            let expected = owed.next(&mut check);
            let got: Vec<Probe> = rig.probe.iter().map(|probe| probe.val()).collect();
            same(&mut check, &probe_word, &got, out_valid, &expected);
        }
        let takes = is_high(rig.input.ready.val()) && offered.is_some();
        rig.tick();
        if takes && let Some(item) = offered.take() {
            expected(config, &item).into_iter().for_each(|row| owed.put(row));
        }
    }
    owed.is_done(&mut check);
    check.at_least(10 * ITEMS as u64);
}

fn run_one(number: usize) {
    let (name, config) = &row_configs()[number];
    run(name, config);
}

#[test]
pub(crate) fn general_rows() {
    run_one(0);
}

#[test]
fn without_trilinear() {
    run_one(1);
}

#[test]
fn without_mipmaps_and_cubes() {
    run_one(2);
}

#[test]
fn with_parts() {
    run_one(3);
}

#[test]
fn with_parts_alone() {
    run_one(4);
}

#[test]
pub(crate) fn with_everything() {
    run_one(5);
}

/// While items come and rows leave in each clock, so does a row.
#[test]
fn no_bubble() {
    for (name, config) in row_configs() {
        let first = if has_parts(&config) { 3 } else { 2 };
        let mut check = Check::new(&name);
        let mut rig = Rig::new(&name, ProbeRows::new(&config));
        let mut next = item(&mut check, &config);
        rig.advance.drive(true);
        rig.input.valid.drive(true);
        for clock in 0..1500 {
            rig.input.data.drive(LeveledItem::of(&config).pack(&next));
            rig.settle();
            let has_row = is_high(rig.out_valid.val().any());
            check.holds(clock < first || has_row, format_args!("a row in clock {clock}"));
            let takes = is_high(rig.input.ready.val());
            rig.tick();
            if takes {
                next = item(&mut check, &config);
            }
        }
    }
}
