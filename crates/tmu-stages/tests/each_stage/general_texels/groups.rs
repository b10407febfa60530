//! Rows of four lanes: `group` and `address` behind the items of four probes of one level. Each lane's taps must lie where the golden
//! model has them, whatever lanes go together, and what `address` says of tiles that come again must follow from what left before.

use super::expected::{Asked, Probe as Wanted, asked, asked_in, wanted};
use super::{EVERYTHING, Seen, bring, probe_word, registers, same, use_of_texels};
use crate::general_support::{binding, lanes_with};
use crate::general_tags::Memory;
use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use std::mem;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::footprint::{FootprintStage, TapItem};
use tmu_rtl::datapath::general::group::GroupStage;
use tmu_rtl::datapath::general::words::{Probe, ProbeTap, RowTap, WordSelect};
use tmu_rtl::datapath::words::TileRequest;
use tmu_spec::Config;
use tmu_spec::general::Binding;
use tmu_stages::{Check, Rig};

const LANES: usize = 4;

/// A lane in front of groups.
#[derive(LogicBlock)]
struct Items {
    clocks: Clocks,
    in_valid: Net<In>,
    probe: Net<In>,
    upstream_advance: Net<Out>,
    out_valid: Net<Out>,
    item: Net<Out>,
    coordinate: Coordinate,
    footprint: FootprintStage,
}

#[kernel]
impl Items {
    fn logic(&self) {
        let (coordinate, footprint) = (&self.coordinate, &self.footprint);
        coordinate.clocks.follow(&self.clocks);
        footprint.clocks.follow(&self.clocks);
        self.upstream_advance.next = footprint.upstream_advance.val();
        coordinate.advance.next = footprint.upstream_advance.val();
        footprint.advance.next = 1;
        coordinate.in_valid.next = self.in_valid.val();
        coordinate.probe.next = self.probe.val();
        footprint.in_valid.next = coordinate.out_valid.val();
        footprint.texels.next = coordinate.footprint.val();
        self.out_valid.next = footprint.out_valid.val();
        self.item.next = footprint.item.val();
    }
}

impl Items {
    fn new(config: &Config) -> Items {
        Items {
            clocks: Clocks::new(),
            in_valid: Net::bit(),
            probe: Net::new(Probe::of(config).width()),
            upstream_advance: Net::bit(),
            out_valid: Net::bit(),
            item: Net::new(TapItem::of(config).width()),
            coordinate: Coordinate::new(config),
            footprint: FootprintStage::new(config),
        }
    }
}

/// The items of some probes, of each so many slices.
fn items_of(
    config: &Config,
    rig: &mut Rig<Items>,
    words: Vec<Bits>,
    slices: Vec<usize>,
) -> VecDeque<Vec<Bits>> {
    let (mut all, mut own, mut ended) = (VecDeque::new(), vec![], 0);
    let mut left = VecDeque::from(words);
    while all.len() < slices.len() {
        rig.in_valid.drive(!left.is_empty());
        if let Some(word) = left.front() {
            rig.probe.drive(*word);
        }
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let word = Bits::constant(rig.item.val().value());
            own.push(word);
            ended += usize::from(is_high(TapItem::of(config).unpack(word).ends_probe));
            if ended == slices[all.len()] {
                ended = 0;
                all.push_back(std::mem::take(&mut own));
            }
        }
        let advance = is_high(rig.upstream_advance.val());
        rig.tick();
        if advance {
            left.pop_front();
        }
    }
    all
}

/// `group` and `address`.
#[derive(LogicBlock)]
struct Rows {
    clocks: Clocks,
    advance: Net<In>,
    upstream_advance: Net<Out>,
    in_valid: Net<In>,
    items: Vec<Net<In>>,
    ends_row: Net<In>,
    tiles: TileRequest<Field<Out>>,
    group: GroupStage,
    address: Address,
}

#[kernel]
impl Rows {
    fn logic(&self) {
        let (group, address) = (&self.group, &self.address);
        group.clocks.follow(&self.clocks);
        address.clocks.follow(&self.clocks);
        group.advance.next = self.advance.val();
        address.advance.next = self.advance.val();
        group.in_valid.next = self.in_valid.val();
        for (to, from) in group.items.iter().zip(&self.items) {
            to.next = from.val();
        }
        group.ends_row.next = self.ends_row.val();
        self.upstream_advance.next = group.upstream_advance.val();
        address.in_valid.next = group.out_valid.val();
        address.item.next = group.out_group.val();
        address.invalidating.next = 0;
        self.tiles.next = address.tiles.val();
    }
}

/// Up to an item of each lane.
struct Step {
    in_valid: u64,
    items: [Bits; LANES],
    ends_row: bool,
}

/// What must leave.
enum Leaves {
    Empties,
    /// The slices of each lane's probe, and what the row ends.
    Row([VecDeque<Wanted>; LANES], [bool; 2]),
}

#[test]
pub(crate) fn general_texels_of_rows_of_lanes() {
    const VOLUMES: &str = "[texture]\nkinds = [\"2d\", \"3d\", \"cube\"]";
    let configs =
        [("rows_of_all", EVERYTHING, 260), ("rows_of_volumes", VOLUMES, 160), ("rows_of_few", "", 160)];
    for (name, changes, bindings) in configs {
        of(&lanes_with(name, changes), &format!("general::texels of {name}"), bindings);
    }
}

fn of(config: &Config, stage: &str, bindings: usize) {
    let mut check = Check::new(stage);
    let mut front = Rig::new("items", Items::new(config));
    let mut rig = Rig::new(
        "rows",
        Rows {
            clocks: Clocks::new(),
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::new(LANES),
            items: Net::array(LANES, TapItem::of(config).width()),
            ends_row: Net::bit(),
            tiles: TileRequest::of(config).nets(),
            group: GroupStage::new(config),
            address: Address::new(config),
        },
    );
    let mut seen: [Seen; LANES] = Default::default();
    let (mut memory, mut groups, mut rows) = (Memory::new(config), 0, 0);
    let mut steps: VecDeque<Step> = VecDeque::new();
    let mut owed: VecDeque<Leaves> = VecDeque::new();
    let (mut bound, mut waited) = (0, 0);
    while bound < bindings || !owed.is_empty() {
        if steps.is_empty() && bound < bindings {
            (steps, rows) = rows_of_binding(&mut check, config, &mut front, &mut owed, rows);
            bound += 1;
        }
        let step = steps.front().filter(|_| !check.one_in(6));
        rig.in_valid.drive(step.map_or(0, |step| step.in_valid));
        if let Some(step) = step {
            rig.items.iter().zip(step.items).for_each(|(net, item)| net.drive(item));
            rig.ends_row.drive(step.ends_row);
        }
        let comes = step.is_some();
        rig.settle();
        let waits = is_high(rig.tiles.val().waits.any());
        waited += u32::from(waits);
        let advance = !waits && !check.one_in(5);
        rig.advance.drive(advance);
        rig.settle();
        if advance {
            let tiles = rig.tiles.val();
            marks(&mut check, &tiles, &mut memory, mem::take(&mut waited));
            groups += u64::from(is_high(tiles.valid));
            leave(&mut check, config, &tiles, &mut owed, &mut seen);
        }
        if comes && is_high(rig.upstream_advance.val()) {
            steps.pop_front();
        }
        rig.tick();
    }
    check.holds(groups > rows, "some rows take several groups");
    check.at_least(1000);
}

/// Rows of probes of a binding, each in its steps.
fn rows_of_binding(
    check: &mut Check,
    config: &Config,
    front: &mut Rig<Items>,
    owed: &mut VecDeque<Leaves>,
    rows: u64,
) -> (VecDeque<Step>, u64) {
    let bound = binding(check, config);
    let mut words = registers(config, &bound);
    let mut slices = vec![];
    if bound.drop_cache {
        slices.push(1);
        owed.push_back(Leaves::Empties);
    }
    let count = check.rng.random_range(1..12);
    let all: Vec<[Asked; LANES]> = (0..count).map(|_| row(check, config, &bound)).collect();
    for asked in all.iter().flatten() {
        words.push(probe_word(config, asked));
        slices.push(wanted(&bound, asked).len());
    }
    let mut items = items_of(config, front, words, slices);
    let mut steps = VecDeque::new();
    if bound.drop_cache {
        let item = items.pop_front().expect("it empties the cache")[0];
        steps.push_back(Step { in_valid: 1, items: [item; LANES], ends_row: true });
    }
    for asked in &all {
        let own: [Vec<Bits>; LANES] = std::array::from_fn(|_| items.pop_front().expect("a probe has items"));
        let is_empty = !asked.iter().any(|asked| asked.is_valid);
        // No lane for what does not count; where nothing does, the first one goes on.
        let is_there = |lane: usize| asked[lane].is_valid || (is_empty && lane == 0);
        let of =
            |lane: usize| if is_there(lane) { wanted(&bound, &asked[lane]).into() } else { VecDeque::new() };
        owed.push_back(Leaves::Row(std::array::from_fn(of), asked[0].ends));
        let length = |lane: usize| if is_there(lane) { own[lane].len() } else { 0 };
        let count = (0..LANES).map(length).max().unwrap_or(0);
        for number in 0..count {
            steps.push_back(Step {
                in_valid: (0..LANES).map(|lane| u64::from(number < length(lane)) << lane).sum(),
                items: std::array::from_fn(|lane| own[lane][number.min(own[lane].len() - 1)]),
                ends_row: number + 1 == count,
            });
        }
    }
    (steps, rows + count)
}

/// Four probes of a level, often near each other.
fn row(check: &mut Check, config: &Config, bound: &Binding) -> [Asked; LANES] {
    let first = asked(check, config, bound);
    let is_near = check.one_in(2);
    let other = |check: &mut Check| {
        let own = asked_in(check, config, bound, first.way, (first.level, first.ripmap));
        let near = first.uvw.map(|at| at + check.rng.random_range(-3000..=3000));
        let is_cube = bound.texture.shape().kind == tmu_spec::general::Kind::Cube;
        let near = if is_cube { near.map(|at| at.clamp(0, 1 << 20)) } else { near };
        let is_near = is_near && !matches!(first.way, super::Way::Fetch { .. });
        let bits = 1i64 << 35;
        let uvw = if is_near { near.map(|at| at.clamp(-bits, bits - 1)) } else { own.uvw };
        let face = if is_near { first.face } else { own.face };
        Asked { filter: first.filter, component: first.component, ends: first.ends, uvw, face, ..own }
    };
    [first, other(check), other(check), other(check)]
}

/// What is said of tiles that come again.
fn marks(check: &mut Check, tiles: &TileRequest, memory: &mut Memory, waited: u32) {
    if is_high(tiles.invalidates) {
        memory.forget();
    }
    let ask = |bank: usize| {
        let key = (tiles.set[bank].to_u64(), tiles.line[bank].to_u64(), tiles.kind.to_u64());
        let needed = is_high(tiles.valid) && is_high(tiles.needed.bit(bank));
        needed.then_some(key)
    };
    let asks = std::array::from_fn(ask);
    let expected = memory.step(&asks);
    check.same("clocks that it has waited", waited, u64::BITS - expected.waits.leading_zeros());
    for (bank, _) in asks.iter().enumerate().filter(|(_, ask)| ask.is_some()) {
        let is_same = is_high(tiles.same_tile.bit(bank));
        check.same("tile remembered", is_same, expected.same_tile >> bank & 1 == 1);
        check.same(
            "which of its last tiles, or which stays",
            tiles.remembered[bank].to_u64(),
            expected.remembered[bank],
        );
    }
}

/// A group that leaves adds its lanes' taps to those of their probes.
fn leave(
    check: &mut Check,
    config: &Config,
    tiles: &TileRequest,
    owed: &mut VecDeque<Leaves>,
    seen: &mut [Seen; LANES],
) {
    if is_high(tiles.invalidates) {
        check.holds(matches!(owed.pop_front(), Some(Leaves::Empties)), "the cache is emptied when asked for");
    }
    if !is_high(tiles.valid) {
        return;
    }
    let Some(Leaves::Row(lanes, ends)) = owed.front_mut() else { check.fail("a group comes out of place") };
    let row = RowTap::of(config).unpack(tiles.tap);
    let bits = WordSelect::shape().width();
    let mut brings_any = false;
    for (lane, own) in row.lanes.iter().enumerate() {
        let goes = is_high(own.is_valid) || is_high(own.starts_probe) || is_high(own.ends_probe);
        if !goes {
            check.same("what a lane brings that is not there", own.brings.to_u64(), 0);
            continue;
        }
        let Some(wanted) = lanes[lane].front().cloned() else { check.fail("a lane goes that has no probe") };
        let with_row = row.of_lane(lane);
        let of_slice = wanted.asked.ends.map(|ends| number(1, ends && wanted.is_last));
        let tap = ProbeTap { ends_pixel: of_slice[0], ends_quad: of_slice[1], ..with_row };
        let words = WordSelect::shape().unpack(tiles.word_selects.slice(lane * bits, bits));
        brings_any |= own.brings.to_u64() != 0;
        let of_lane = TileRequest {
            needed: if is_high(own.is_valid) { tiles.needed } else { number(4, 0u32) },
            ..tiles.clone()
        };
        bring(check, config, &of_lane, &tap, &words, &mut seen[lane]);
        if is_high(own.ends_probe) {
            let seen = std::mem::take(&mut seen[lane]);
            lanes[lane].pop_front();
            use_of_texels(check, config, &tap, &wanted);
            same(check, config, &tap, &seen, &wanted);
        }
    }
    check.same("banks are asked for where taps are brought", tiles.needed.to_u64() != 0, brings_any);
    let is_over = lanes.iter().all(VecDeque::is_empty);
    let first = &row.lanes[0];
    let got = [first.ends_pixel, first.ends_quad].map(is_high);
    check.same("ends of the row", got, ends.map(|ends| ends && is_over));
    if is_over {
        owed.pop_front();
    }
}
