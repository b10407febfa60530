//! `look_ahead` of indirect look-ups against a list: what is direct and second passes in order, first passes in theirs and behind
//! their bindings only, under any pauses and with places that come back after any time; and how many clocks quads take.

use crate::support::{any_bits, is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::indirect::aggregate::Marks;
use tmu_rtl::datapath::general::indirect::fields::Choice;
use tmu_rtl::datapath::general::indirect::look_ahead::{
    Back, Coming, Going, LookAhead, Row, are_near, first_row,
};
use tmu_rtl::datapath::general::words::{PIXELS, PLACE_BITS};
use tmu_spec::general::indirect::MAX_VALUES;
use tmu_stages::{Check, Flow, Rig};

const ITEMS: usize = 2500;
const REST_BITS: usize = 11;

/// Where the pixels of a quad are.
type Places = [[u32; 2]; PIXELS];

/// What comes.
#[derive(Clone, Debug)]
struct Item {
    is_binding: bool,
    is_indirect: bool,
    operation: u32,
    more: u32,
    offsets: [i16; 2],
    valid: u32,
    /// Components that are places, and whether they are bytes.
    choice: [u32; 3],
    places: Places,
    /// Which rows of its first pass cannot be read.
    fail: [bool; PIXELS],
    rest: u64,
}

impl Item {
    /// One item in so many is a register of a binding.
    fn any(check: &mut Check, bindings: u32) -> Item {
        let is_binding = check.one_in(bindings);
        let more = check.rng.random_range(0..MAX_VALUES);
        let (fails, is_near) = (check.one_in(6), check.one_in(2));
        let mut offset = || if is_near { check.rng.random_range(-1..=1) } else { check.rng.random::<i16>() };
        let offsets = [offset(), offset()];
        Item {
            is_binding,
            is_indirect: !is_binding && !check.one_in(3),
            operation: check.rng.random_range(0..6),
            more,
            offsets,
            valid: check.rng.random_range(0..1 << PIXELS),
            choice: [4, 4, 2].map(|most: u32| check.rng.random_range(0..most)),
            places: std::array::from_fn(|_| [check.rng.random(), check.rng.random()]),
            fail: std::array::from_fn(|_| fails && check.one_in(2)),
            rest: check.rng.random_range(0..1 << REST_BITS),
        }
    }

    /// Where value `number` is found.
    fn moved(&self, number: u32) -> Places {
        let moved = |start: u32, axis: usize| {
            start.wrapping_add((i32::from(self.offsets[axis]).wrapping_mul(number as i32)).cast_unsigned())
        };
        self.places.map(|[x, y]| [moved(x, 0), moved(y, 1)])
    }

    /// The rows of the first pass: a value each, or a valid pixel each.
    fn first_pass(&self) -> Vec<Seen> {
        let values = 0..=self.more;
        let row = |is_of_pixel, number, valid, places| {
            Seen {
                pass: 1,
                ends_pass: false,
                row: (is_of_pixel, number),
                choice: self.choice,
                valid,
                places,
                ..self.direct()
            }
            .askew()
            .counted()
        };
        let mut rows: Vec<Seen> = if is_by_pixel(self.valid, self.more, self.offsets) {
            let all: [Places; PIXELS] = std::array::from_fn(|value| self.moved(value as u32));
            let pixels = (0..PIXELS as u32).filter(|pixel| self.valid >> pixel & 1 == 1);
            let of_pixel =
                |pixel: u32| row(true, pixel, (2 << self.more) - 1, all.map(|at| at[pixel as usize]));
            pixels.map(of_pixel).collect()
        } else {
            values.map(|value| row(false, value, self.valid, self.moved(value))).collect()
        };
        if rows.is_empty() {
            rows.push(row(true, 0, 0, self.places));
        }
        rows.last_mut().expect("there is one").ends_pass = true;
        rows
    }

    fn second_pass(&self, number: u32) -> Seen {
        let rows = self.first_pass().len();
        Seen {
            pass: 2,
            ends_pass: number == self.more,
            is_failed: self.fail[..rows].contains(&true),
            places: self.moved(number).map(|place| stored(place).map(u32::from)),
            ..self.direct()
        }
        .counted()
    }

    fn direct(&self) -> Seen {
        Seen {
            is_binding: self.is_binding,
            pass: 0,
            ends_pass: true,
            is_failed: false,
            operation: self.operation,
            more: self.more,
            row: (false, 0),
            choice: [0; 3],
            valid: self.valid,
            places: self.places,
            rest: self.rest,
        }
    }

    fn drive(&self, rig: &Rig<LookAhead>) {
        rig.input.valid.drive(true);
        rig.input.data.drive(Coming::of(REST_BITS).pack(&Coming {
            is_binding: number(1, self.is_binding),
            is_indirect: number(1, self.is_indirect),
            marks: Marks { operation: number(3, self.operation), more: number(2, self.more) },
            offsets: self.offsets.map(|offset| number(16, offset.cast_unsigned())),
            valid: number(PIXELS, self.valid),
            row: first_row_of(self.valid, self.more, self.offsets),
            choice: Choice {
                components: [0, 1].map(|axis: usize| number(2, self.choice[axis])),
                are_bytes: number(1, self.choice[2]),
            },
            places: self.places.map(|place| place.map(|place| number(PLACE_BITS, place))),
            rest: number(REST_BITS, self.rest),
        }));
    }
}

/// Whether a first pass goes by pixels: values lie side by side, and there are no more pixels than values.
fn is_by_pixel(valid: u32, more: u32, offsets: [i16; 2]) -> bool {
    offsets.iter().all(|offset| offset.abs_diff(0) <= 1) && valid.count_ones() <= more + 1
}

/// What the stage is told of that.
pub(crate) fn first_row_of(valid: u32, more: u32, offsets: [i16; 2]) -> Row {
    let offsets = offsets.map(|offset| number(16, offset.cast_unsigned()));
    first_row(number(PIXELS, valid), number(2, more), are_near(&offsets))
}

/// What is stored at a place: two integers that tell it from others.
fn stored([x, y]: [u32; 2]) -> [u16; 2] {
    let mixed = |of: u32, with: u32| (of.wrapping_mul(0x9e37_79b1) ^ with.rotate_left(7)) >> 16;
    [mixed(x, y) as u16, mixed(y, x) as u16]
}

/// What leaves: directly, or in the first or second pass.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    is_binding: bool,
    pass: u8,
    ends_pass: bool,
    is_failed: bool,
    operation: u32,
    more: u32,
    /// Of a first pass whether its row is one of a pixel, and the number of the pixel or value.
    row: (bool, u32),
    choice: [u32; 3],
    valid: u32,
    places: Places,
    rest: u64,
}

impl Seen {
    /// Row n stands askew.
    fn askew(mut self) -> Seen {
        let turned = |lane: usize| (lane + PIXELS - self.row.1 as usize) % PIXELS;
        let (valid, places) = (self.valid, self.places);
        self.valid = (0..PIXELS).map(|lane| (valid >> turned(lane) & 1) << lane).sum();
        self.places = std::array::from_fn(|lane| places[turned(lane)]);
        self
    }

    /// Only first passes have rows, and are values alone; lanes of a pass that do not count may be anywhere.
    fn counted(mut self) -> Seen {
        if self.pass == 1 {
            (self.operation, self.rest) = (0, 0);
        } else {
            (self.row, self.choice) = ((false, 0), [0; 3]);
        }
        if self.pass != 0 {
            for (pixel, place) in self.places.iter_mut().enumerate() {
                *place = if self.valid >> pixel & 1 == 1 { *place } else { [0; 2] };
            }
        }
        self
    }
}

/// A first pass that is owed: registers of bindings in front of it, and what leaves.
#[derive(Debug)]
struct Owed {
    bindings: u32,
    seen: Seen,
    fails: bool,
}

/// The stage, what it owes, and places on their way back.
struct Bench {
    rig: Rig<LookAhead>,
    in_order: Flow<Seen>,
    first_passes: Flow<Owed>,
    bindings_in: u32,
    bindings_out: u32,
    clock: u64,
    back: VecDeque<(u64, Seen, bool)>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            rig: Rig::new("look_ahead", LookAhead::new(REST_BITS)),
            in_order: Flow::default(),
            first_passes: Flow::default(),
            bindings_in: 0,
            bindings_out: 0,
            clock: 0,
            back: VecDeque::new(),
        }
    }

    fn owe(&mut self, item: &Item) {
        if !item.is_indirect {
            self.in_order.put(item.direct());
            self.bindings_in += u32::from(item.is_binding);
            return;
        }
        for (seen, fails) in item.first_pass().into_iter().zip(item.fail) {
            self.first_passes.put(Owed { bindings: self.bindings_in, seen, fails });
        }
        (0..=item.more).for_each(|value| self.in_order.put(item.second_pass(value)));
    }

    fn seen(&self) -> Seen {
        let going = Going::of(REST_BITS).unpack(self.rig.output.data.val());
        Seen {
            is_binding: is_high(going.is_binding),
            pass: u8::from(is_high(going.is_first_pass)) + 2 * u8::from(is_high(going.is_second_pass)),
            ends_pass: is_high(going.ends_pass),
            is_failed: is_high(going.is_failed),
            operation: going.marks.operation.to_u64() as u32,
            more: going.marks.more.to_u64() as u32,
            row: (is_high(going.row.is_of_pixel), going.row.number.to_u64() as u32),
            choice: [going.choice.components[0], going.choice.components[1], going.choice.are_bytes]
                .map(|bits| bits.to_u64() as u32),
            valid: going.valid.to_u64() as u32,
            places: going.places.map(|place| place.map(|place| place.low(32).to_u64() as u32)),
            rest: going.rest.to_u64(),
        }
        .counted()
    }

    fn drive_back(&mut self, check: &mut Check) {
        let comes = self.back.front().is_some_and(|(due, ..)| *due <= self.clock);
        self.rig.back_valid.drive(comes);
        if !comes {
            let noise = any_bits(check, Back::shape().width());
            let back = Back::shape().unpack(noise);
            self.rig.back.fields.iter().flatten().zip(back.fields.as_flattened()).for_each(|(to, from)| {
                to.drive(*from);
            });
            return;
        }
        let (_, seen, fails) = self.back.pop_front().expect("it comes");
        self.rig.back.fails.drive(fails);
        self.rig.back.ends_pass.drive(seen.ends_pass);
        self.rig.back.row.is_of_pixel.drive(seen.row.0);
        self.rig.back.row.number.drive(number(2, seen.row.1));
        self.rig.back.more.drive(number(2, seen.more));
        for (to, place) in self.rig.back.fields.iter().zip(seen.places) {
            to.iter().zip(stored(place)).for_each(|(to, stored)| to.drive(number(16, stored)));
        }
    }

    /// A clock; whether the stage takes what comes. First passes come back after so many clocks.
    fn clock(&mut self, check: &mut Check, ready: bool, latency: u64) -> bool {
        self.drive_back(check);
        self.rig.output.ready.drive(ready);
        self.rig.settle();
        if is_high(self.rig.output.valid.val()) && ready {
            let seen = self.seen();
            if seen.pass == 1 {
                let owed = self.first_passes.next(check);
                check.same("first pass", seen.clone(), owed.seen);
                check.same("registers of bindings in front of it", self.bindings_out, owed.bindings);
                self.back.push_back((self.clock + latency, seen, owed.fails));
            } else {
                let expected = self.in_order.next(check);
                self.bindings_out += u32::from(seen.is_binding);
                check.same("what is in order", seen, expected);
            }
        }
        let takes = is_high(self.rig.input.ready.val()) && is_high(self.rig.input.valid.val());
        self.rig.tick();
        self.clock += 1;
        takes
    }

    fn is_done(&self) -> bool {
        self.in_order.is_empty() && self.first_passes.is_empty()
    }
}

#[test]
pub(crate) fn general_look_ahead() {
    let mut check = Check::new("general_look_ahead");
    let mut bench = Bench::new();
    for at in 0..ITEMS {
        // Stretches with many bindings and few, without a bubble, and in which places are long on their way.
        let item = Item::any(&mut check, if at / 300 % 2 == 0 { 12 } else { 60 });
        let is_dense = at / 75 % 2 == 0;
        let most = if at / 150 % 2 == 0 { 6 } else { 200 };
        bench.owe(&item);
        if !is_dense {
            bench.rig.input.valid.drive(false);
            for _ in 0..check.rng.random_range(0..3) {
                let (ready, latency) = (check.one_in(2), check.rng.random_range(1..most));
                bench.clock(&mut check, ready, latency);
            }
        }
        item.drive(&bench.rig);
        while {
            let (ready, latency) = (!check.one_in(4), check.rng.random_range(1..most));
            !bench.clock(&mut check, ready, latency)
        } {}
    }
    bench.rig.input.valid.drive(false);
    for _ in 0..1500 {
        bench.clock(&mut check, true, 5);
    }
    bench.in_order.is_done(&mut check);
    bench.first_passes.is_done(&mut check);
    check.at_least(ITEMS as u64);
}

/// The output is never idle for long: neither where all quads are direct, nor where places come back late.
#[test]
fn clocks_of_quads() {
    const QUADS: usize = 200;
    // Values of quads, where none are direct; one in so many is indirect; clocks until places come back.
    let table = [(0, 1, 60), (1, 1, 60), (2, 1, 150), (4, 1, 60), (4, 1, 400), (4, 2, 60), (1, 8, 20)];
    for (values, one_in, latency) in table {
        let mut check = Check::new("general_look_ahead clocks");
        let mut bench = Bench::new();
        let (mut clocks, mut owed) = (0, 0);
        for at in 0..QUADS {
            let is_indirect = values > 0 && at % one_in == 0;
            let more = if is_indirect { values - 1 } else { 0 };
            let item = Item {
                is_binding: false,
                is_indirect,
                more,
                fail: [false; PIXELS],
                ..Item::any(&mut check, 2)
            };
            owed += if is_indirect { item.first_pass().len() as u32 + values } else { 1 };
            bench.owe(&item);
            item.drive(&bench.rig);
            while {
                clocks += 1;
                !bench.clock(&mut check, true, latency)
            } {}
        }
        bench.rig.input.valid.drive(false);
        while !bench.is_done() {
            clocks += 1;
            bench.clock(&mut check, true, latency);
        }
        let most = owed + latency as u32 + 12;
        let what = format!("{values} values, one in {one_in}, {latency} clocks: {clocks} of {most}");
        check.holds((owed..=most).contains(&clocks), what);
    }
}
