//! `group`: every item of a step goes once, lanes that go together need one tile in each bank of tags at most, no lane is left that would
//! have gone with those chosen, and steps keep their order.

use crate::general_support::lanes_with;
use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::datapath::general::footprint::TapItem;
use tmu_rtl::datapath::general::group::{Group, GroupStage};
use tmu_rtl::datapath::general::words::QuadEnds;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;
use tmu_stages::{Check, Flow, Rig};

const LANES: usize = 4;
const BANK_COUNT: usize = BANKS as usize;
/// Moves from a step to its first group, at most.
const LATENCY: u32 = 12;

/// A tile: column, row, slice.
type Tile = (u32, u32, u32);

/// What a lane has in a step.
#[derive(Debug, Clone, Default)]
struct Lane {
    is_there: bool,
    is_valid: bool,
    x: [u32; 2],
    y: [u32; 2],
    uses_second: [bool; 2],
    slice: u32,
    marks: [bool; 2],
    id: u32,
}

/// A step: its lanes, and what goes for all of them.
#[derive(Debug, Clone)]
struct Step {
    lanes: [Lane; LANES],
    invalidates: bool,
    /// Two tiles share a line; rows have an odd number of tiles.
    is_half: bool,
    is_odd: bool,
    ends_row: bool,
    ends: [bool; 2],
}

/// A group that must leave.
#[derive(Debug, Clone)]
struct Wanted {
    step: Step,
    goes: [bool; LANES],
    tiles: [Option<Tile>; BANK_COUNT],
    is_last: bool,
}

fn make_step(check: &mut Check, next_id: &mut u32) -> Step {
    let invalidates = check.one_in(60);
    let is_empty = check.one_in(20);
    let spread = check.pick(&[3, 8, 20, 60, 4000]);
    let base = check.rng.random_range(0..4096 - spread);
    let slices = check.pick(&[1, 1, 2, 3]);
    let is_dense = check.one_in(2);
    let mut lane = |check: &mut Check, lane: usize| {
        let texel = |check: &mut Check| base + check.rng.random_range(0..spread);
        let [x, y] = [texel(check), texel(check)];
        *next_id = (*next_id + 1) % (1 << 16);
        Lane {
            is_there: if invalidates || is_empty { lane == 0 } else { is_dense || !check.one_in(3) },
            is_valid: !invalidates && !is_empty && !check.one_in(8),
            x: [x, (x + 1).min(4095)],
            y: [y, (y + 1).min(4095)],
            uses_second: check.rng.random(),
            slice: check.rng.random_range(0..slices),
            marks: check.rng.random(),
            id: *next_id,
        }
    };
    let mut lanes: [Lane; LANES] = std::array::from_fn(|number| lane(check, number));
    if !lanes.iter().any(|lane| lane.is_there) {
        lanes[3].is_there = true;
    }
    Step {
        lanes,
        invalidates,
        is_half: check.one_in(3),
        is_odd: check.one_in(2),
        ends_row: check.one_in(2),
        ends: check.rng.random(),
    }
}

/// The tiles of a lane, by their banks.
fn tiles(step: &Step, lane: &Lane) -> [Option<Tile>; BANK_COUNT] {
    let mut tiles = [None; BANK_COUNT];
    if !lane.is_there || !lane.is_valid || step.invalidates {
        return tiles;
    }
    for y in &lane.y[..1 + usize::from(lane.uses_second[1])] {
        for x in &lane.x[..1 + usize::from(lane.uses_second[0])] {
            let (column, row) = (x >> 2, y >> 2);
            let of_line = (column >> 1 & 1) ^ (column & row & u32::from(step.is_odd));
            let parity = if step.is_half { of_line } else { column & 1 };
            let bank = (2 * (row & 1) + parity) as usize;
            tiles[bank].get_or_insert((column, row, lane.slice));
        }
    }
    tiles
}

/// The same, as far as the bank does not tell it; of two tiles in a line either will do.
fn is_one((column, row, slice): Tile, other: Tile) -> bool {
    (column >> 1, row, slice) == (other.0 >> 1, other.1, other.2)
}

/// The groups of a step.
fn groups(step: &Step) -> Vec<Wanted> {
    let own: Vec<_> = step.lanes.iter().map(|lane| tiles(step, lane)).collect();
    let mut left: Vec<usize> = (0..LANES).filter(|lane| step.lanes[*lane].is_there).collect();
    let mut groups = vec![];
    while !left.is_empty() {
        let (mut goes, mut taken) = ([false; LANES], [None::<Tile>; BANK_COUNT]);
        left.retain(|lane| {
            let fits = taken.iter().zip(&own[*lane]).all(|pair| match pair {
                (Some(taken), Some(own)) => is_one(*taken, *own),
                _ => true,
            });
            if fits {
                goes[*lane] = true;
                for (taken, own) in taken.iter_mut().zip(&own[*lane]) {
                    *taken = taken.or(*own);
                }
            }
            !fits
        });
        groups.push(Wanted { step: step.clone(), goes, tiles: taken, is_last: left.is_empty() });
    }
    groups
}

fn item(config: &Config, step: &Step, lane: &Lane, number_of_lane: usize) -> Bits {
    let shape = TapItem::of(config);
    let zeros = shape.unpack(Bits::constant(Value::zero(shape.width())));
    let bit = |value: bool| number(1, value);
    let ends = QuadEnds {
        is_valid: bit(lane.is_valid),
        weight: number(17, lane.id),
        ends_pixel: bit(step.ends[0]),
        ends_quad: bit(step.ends[1]),
        ..zeros.ends.clone()
    };
    let mut level = zeros.level.clone();
    level.tile_halves = number(4, if step.is_half { 1u32 } else { 4u32 });
    level.is_odd = bit(step.is_odd);
    let texel = |texel: u32| number(12, texel);
    shape.pack(&TapItem {
        invalidates: bit(step.invalidates && number_of_lane == 0),
        ends,
        starts_probe: bit(lane.marks[0]),
        ends_probe: bit(lane.marks[1]),
        x: lane.x.map(texel),
        y: lane.y.map(texel),
        uses_second_x: bit(lane.uses_second[0]),
        uses_second_y: bit(lane.uses_second[1]),
        slice: number(zeros.slice.width(), lane.slice),
        level,
        ..zeros
    })
}

fn leave(check: &mut Check, config: &Config, word: Bits, wanted: &Wanted) {
    let Wanted { step, goes, tiles, is_last } = wanted;
    let group = Group::of(config).unpack(word);
    check.same("the cache is emptied", is_high(group.invalidates), step.invalidates);
    let needed = (0..).zip(tiles).map(|(bank, tile)| u64::from(tile.is_some()) << bank).sum::<u64>();
    check.same(format_args!("banks of {wanted:?}"), group.needed.to_u64(), needed);
    for (bank, tile) in tiles.iter().enumerate() {
        let Some(tile) = *tile else { continue };
        let of = |values: &[Bits; BANK_COUNT]| values[bank].to_u64() as u32;
        let got = (of(&group.column), of(&group.row), of(&group.slice));
        let is_it = if step.is_half { is_one(got, tile) } else { got == tile };
        check.holds(is_it, format_args!("tile {got:?} of bank {bank} of {wanted:?}"));
    }
    for (number, (tap, lane)) in group.tap.lanes.iter().zip(&step.lanes).enumerate() {
        let goes = goes[number];
        let got = [tap.is_valid, tap.starts_probe, tap.ends_probe].map(is_high);
        let own = [lane.is_valid, lane.marks[0], lane.marks[1]].map(|mark| mark && goes);
        check.same(format_args!("marks of lane {number} of {wanted:?}"), got, own);
        if goes {
            check.same("the lane's own", tap.weight.to_u64(), lane.id.into());
        } else {
            check.same("what a lane brings that does not go", tap.brings.to_u64(), 0);
        }
    }
    let first = &group.tap.lanes[0];
    let ends = step.ends.map(|ends| ends && step.ends_row && *is_last);
    check.same(format_args!("ends of {wanted:?}"), [first.ends_pixel, first.ends_quad].map(is_high), ends);
}

#[test]
pub(crate) fn general_group() {
    const BLOCKS: &str = "[texture]\nkinds = [\"2d\", \"3d\"]";
    for (name, changes) in [("group_with_cubes", ""), ("group_with_slices", BLOCKS)] {
        of(name, &lanes_with(name, changes));
    }
}

fn of(name: &str, config: &Config) {
    const STEPS: u32 = 4000;
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, GroupStage::new(config));
    let mut owed: Flow<Wanted> = Flow::default();
    let (mut steps, mut next_id, mut moves_without_gap) = (0, 0, 0);
    let mut counts = [0; LANES + 1];
    let mut offered: Option<Step> = None;
    while steps < STEPS || !owed.is_empty() {
        let is_dense = steps / 200 % 2 == 0;
        if offered.is_none() && steps < STEPS && (is_dense || !check.one_in(4)) {
            offered = Some(make_step(&mut check, &mut next_id));
        }
        let advance = (is_dense && steps % 200 > 100) || !check.one_in(4);
        rig.advance.drive(advance);
        rig.in_valid.drive(0u64);
        if let Some(step) = &offered {
            let there = |lane: usize| u64::from(step.lanes[lane].is_there) << lane;
            rig.in_valid.drive((0..LANES).map(there).sum::<u64>());
            rig.ends_row.drive(step.ends_row);
            for (number, net) in rig.items.iter().enumerate() {
                net.drive(item(config, step, &step.lanes[number], number));
            }
        }
        rig.settle();
        let leaves = is_high(rig.out_valid.val());
        if advance && leaves {
            let wanted = owed.next(&mut check);
            leave(&mut check, config, rig.out_group.val(), &wanted);
        }
        check.holds(leaves || moves_without_gap < LATENCY, "a group leaves every clock");
        if is_high(rig.upstream_advance.val()) {
            moves_without_gap = if offered.is_some() { moves_without_gap + 1 } else { 0 };
            if let Some(step) = offered.take() {
                let groups = groups(&step);
                counts[groups.len()] += 1;
                groups.into_iter().for_each(|group| owed.put(group));
                steps += 1;
            }
        }
        rig.tick();
    }
    owed.is_done(&mut check);
    check.holds(
        counts[1..].iter().all(|count| *count > 10),
        format_args!("steps of so many groups: {counts:?}"),
    );
    check.at_least(u64::from(STEPS));
}
