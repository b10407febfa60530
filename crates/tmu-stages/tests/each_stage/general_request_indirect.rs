//! `request` with indirect look-ups: bindings of both textures, and what quads ask for that name their set-up.

use crate::general_request::{any_words, beat_bits, extras_of, sent};
use crate::general_support::changed;
use crate::support::{configs, is_high};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::request::indirect::Asked;
use tmu_rtl::datapath::general::request::{Request, VERDICT_REGISTER};
use tmu_rtl::datapath::general::words::{FIRST_SECONDARY_REGISTER, OTHER_SECONDARY_REGISTER, RequestItem};
use tmu_spec::choice::Choice;
use tmu_spec::general::field::{REGISTERS, SECONDARY};
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Part, Rule, Setup, has_bytes};
use tmu_spec::general::packet::{INDIRECT, SETUP_SHIFT, of_binding, of_indirect, of_quad};
use tmu_spec::general::{Binding, Operation, Quad, binding as fields};
use tmu_spec::{Config, RequestBeat};
use tmu_stages::{Check, Flow, Rig};

/// What is sent for a quad.
#[derive(Debug)]
enum Item {
    Register { number: u32 },
    Direct { is_failed: bool },
    Indirect { quad: IndirectQuad, setup: Setup, can: bool, are_bytes: bool },
}

/// What is bound.
#[derive(Default)]
struct Bound {
    primary: Option<Binding>,
    secondary: Option<Binding>,
}

impl Bound {
    fn bind(&mut self, config: &Config, words: &fields::Words) -> bool {
        let general = config.features().general().expect("it is general");
        let is_second = fields::is_secondary(words, general);
        let place = if is_second { &mut self.secondary } else { &mut self.primary };
        *place = Binding::decode_for(words, config.features()).ok();
        is_second
    }

    fn can(&self, config: &Config, setup: &Setup) -> bool {
        let (Some(primary), Some(secondary)) = (&self.primary, &self.secondary) else { return false };
        Rule::broken(setup, &primary.texture, &secondary.texture, config.features()).is_empty()
    }
}

pub(crate) fn any_setup(check: &mut Check) -> Setup {
    let mut offset = || check.rng.random();
    let (offset_u, offset_v) = (offset(), offset());
    Setup {
        operation: check.pick(Aggregate::CHOICES),
        values: check.rng.random_range(1..=MAX_VALUES),
        offset_u,
        offset_v,
        u_field: check.pick(&[Part::R, Part::R, Part::G, Part::B, Part::A]),
        v_field: check.pick(&[Part::R, Part::G, Part::G, Part::B, Part::A]),
    }
}

/// The packet of an indirect quad whose operation on values is one of the codes that mean nothing.
fn with_no_operation(beats: &[RequestBeat], config: &Config) -> Vec<RequestBeat> {
    let tdata_bytes = config.request_tdata_bits() as usize / 8;
    let extras = extras_of(config);
    let word = extras.words() - 1;
    let at = SETUP_SHIFT as usize / 8 + if beats.len() == 1 { 16 * word } else { 0 };
    let last = beats.len() - 1;
    let beat = |(number, beat): (usize, &RequestBeat)| {
        let mut bytes = beat.low_bytes(tdata_bytes).to_vec();
        if number == last {
            bytes[at] = bytes[at] & !7 | 6;
        }
        RequestBeat::new(&bytes, false, beat.last())
    };
    beats.iter().enumerate().map(beat).collect()
}

/// A packet and the items that it makes.
fn any_packet(check: &mut Check, config: &Config, bound: &mut Bound) -> (Vec<RequestBeat>, Vec<Item>) {
    let (extras, beats_per_quad) = (extras_of(config), config.request().beats_per_quad());
    match check.rng.random_range(0..10) {
        0..2 => {
            let words = any_words(check, config);
            let words = if check.one_in(2) { fields::with(words, SECONDARY, 1) } else { words };
            let is_second = bound.bind(config, &words);
            let number = |register: u32| match (is_second, register) {
                (false, _) => register,
                (true, 0..8) => FIRST_SECONDARY_REGISTER + register,
                (true, _) => OTHER_SECONDARY_REGISTER,
            };
            let registers = (0..REGISTERS).map(number).chain([VERDICT_REGISTER]);
            (of_binding(&words), registers.map(|number| Item::Register { number }).collect())
        }
        2..4 => {
            let quad = Quad { valid: 5, operation: Operation::Fetch, ..Quad::default() };
            let item = Item::Direct { is_failed: bound.primary.is_none() };
            (of_quad(&quad, extras, beats_per_quad), vec![item])
        }
        _ => {
            let places = std::array::from_fn(|_| [check.rng.random(), check.rng.random()]);
            let quad = IndirectQuad { places, valid: check.rng.random_range(0..16) };
            let setup = any_setup(check);
            let beats = of_indirect(&quad, &setup, extras, beats_per_quad);
            let has_none = check.one_in(12);
            let beats = if has_none { with_no_operation(&beats, config) } else { beats };
            let can = !has_none && bound.can(config, &setup);
            let are_bytes = bound.primary.is_some_and(|primary| has_bytes(primary.texture.format()));
            (beats, vec![Item::Indirect { quad, setup, can, are_bytes }])
        }
    }
}

fn same(check: &mut Check, item: &RequestItem, asked: &Asked, expected: &Item) -> bool {
    let is_register = matches!(expected, Item::Register { .. });
    check.same("it is a binding", is_high(item.head.is_binding), is_register);
    match expected {
        Item::Register { number } => {
            check.same("register", item.head.register.to_u64(), u64::from(*number));
            false
        }
        Item::Direct { is_failed } => {
            check.same("it has failed", is_high(item.marks.is_failed), *is_failed);
            check.same("it is indirect", is_high(asked.is_indirect), false);
            false
        }
        Item::Indirect { quad, setup, can, are_bytes } => {
            check.same(format_args!("it can be made: {setup:?}"), is_high(asked.is_indirect), *can);
            check.same("it has failed", is_high(item.marks.is_failed), !can);
            check.same("operation", item.marks.operation.to_u64(), u64::from(INDIRECT));
            check.same("valid", item.marks.valid.to_u64(), quad.valid.into());
            let places =
                item.pixels.each_ref().map(|pixel| [pixel.u.to_u64() as i32, pixel.v.to_u64() as i32]);
            check.same("places", places, quad.places);
            if *can {
                let offsets = asked.offsets.map(|offset| offset.to_u64() as u16 as i16);
                check.same("offsets", offsets, [setup.offset_u, setup.offset_v]);
                let components = asked.choice.components.map(|component| component.to_u64());
                check.same("fields", components, [setup.u_field as u64, setup.v_field as u64]);
                check.same("fields are bytes", is_high(asked.choice.are_bytes), *are_bytes);
                let marks = [asked.marks.operation.to_u64(), asked.marks.more.to_u64()];
                check.same("operation", marks, [setup.operation as u64, u64::from(setup.values - 1)]);
            }
            *can
        }
    }
}

#[test]
fn general_request_of_indirect_look_ups() {
    let preset = configs::indirect();
    // Textures that have no places, and such as have none of four texels to gather.
    let kinds = "[texture]\nkinds = [\"1d\", \"2d\", \"3d\", \"cube\"]\nindirect = true\n\
                 formats = [\"rgba8\", \"r8\", \"rg16\", \"d16\", \"rgb565\"]\n\
                 [request]\nbeats_per_quad = 1\noperations = [\"sample\", \"fetch\", \"gather\"]\n\
                 [datapath]\npixels_per_clock = 4";
    for config in [preset, changed("kinds", kinds)] {
        of(&config);
    }
}

fn of(config: &Config) {
    const PACKETS: usize = 1500;
    let mut check = Check::new("general::request of indirect look-ups");
    let mut rig = Rig::new("request", Request::new(config));
    let tdata_bytes = config.request_tdata_bits() as usize / 8;
    let (mut bound, mut owed) = (Bound::default(), Flow::<Item>::default());
    let mut beats: VecDeque<RequestBeat> = VecDeque::new();
    let (mut left, mut idle, mut made, mut asked_for) = (PACKETS, 0, 0, 0);
    while idle < 80 {
        if beats.is_empty() && left > 0 {
            left -= 1;
            let (packet, items) = any_packet(&mut check, config, &mut bound);
            beats.extend(sent(&mut check, config, packet));
            for item in items {
                asked_for += usize::from(matches!(item, Item::Indirect { .. }));
                owed.put(item);
            }
        }
        let offers = !beats.is_empty();
        rig.beat.valid.drive(offers);
        if let Some(beat) = beats.front() {
            rig.beat.data.drive(beat_bits(beat, tdata_bytes));
        }
        rig.item.ready.drive(!check.one_in(4));
        rig.settle();
        if is_high(rig.item.moves()) {
            let item = RequestItem::of(config).unpack(rig.item.data.val());
            let asked = rig.asked.as_ref().expect("it has indirect look-ups").val();
            let expected = owed.next(&mut check);
            made += usize::from(same(&mut check, &item, &Asked::shape().unpack(asked), &expected));
        }
        if is_high(rig.beat.moves()) {
            beats.pop_front();
        }
        rig.tick();
        idle = if left == 0 && beats.is_empty() && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    assert!((asked_for / 100..asked_for).contains(&made), "{made} of {asked_for} can be made");
    check.at_least(PACKETS as u64);
}
