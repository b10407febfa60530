//! Entries of the parameter store and indirect look-ups through both drivers: packets are the specification's, and what cannot be is
//! refused.

use super::random::{binding, told};
use super::{Pair, status_of, with_library};
use crate::{Format, Refusal};
use rand::Rng;
use tmu_driver::general::{self as driver, Use, enables};
use tmu_driver::{BEAT_BYTES, Beat, Error};
use tmu_spec::choice::Choice;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, Part, Setup};
use tmu_spec::general::packet::{Extras, of_binding, of_indirect};
use tmu_spec::general::store::{self, enables_of, stored};
use tmu_spec::general::{General, Kind};
use tmu_spec::{BeatsPerQuad, Features, RequestBeat};

/// Random packets.
const CASES: usize = 2000;

type Seen = Vec<(Vec<u8>, bool, bool)>;

fn seen(sent: &[Beat]) -> Seen {
    sent.iter().map(|beat| (beat.tdata.to_vec(), beat.is_binding, beat.last)).collect()
}

fn wanted(beats: &[RequestBeat]) -> Seen {
    beats.iter().map(|beat| (beat.low_bytes(BEAT_BYTES).to_vec(), beat.is_binding(), beat.last())).collect()
}

#[test]
fn packets_of_entries_are_those_of_the_specification() {
    with_library(|library, rng| {
        let mut pair = Pair::open(library, &Features::GENERAL);
        for _ in 0..CASES {
            let (binding, entry) = (binding(rng), rng.random_range(0..128));
            let enables = rng.random::<bool>().then(|| rng.random_range(0..16));
            let (texture, sampler) = told(&binding);
            assert_eq!(pair.rust.store_general(0, entry, enables, &texture, &sampler), Ok(true));
            let words = stored(binding.words(), entry, enables);
            assert_eq!(seen(&pair.rust.bus().sent), wanted(&of_binding(&words)), "{binding:?}");
            if let Some(c) = &mut pair.c {
                assert_eq!(c.store_general(0, entry, enables, &texture, &sampler), 0);
                assert_eq!(c.platform().sent, pair.rust.bus().sent);
            }
            let (drop_cache, is_secondary) = (rng.random(), rng.random());
            let of = Use { entry, enables, drop_cache, is_secondary };
            assert_eq!(pair.rust.use_entry(0, &of), Ok(true));
            let expected = store::Use { entry, enables, drop_cache, is_secondary }.packet();
            assert_eq!(seen(&pair.rust.bus().sent), wanted(&[expected]), "{of:?}");
            if let Some(c) = &mut pair.c {
                assert_eq!(c.use_entry(0, &of), 0);
                assert_eq!(c.platform().sent, pair.rust.bus().sent);
            }
        }
        for (kind, own) in Kind::CHOICES.iter().zip(driver::Kind::ALL) {
            assert_eq!(enables(&[own]), enables_of(*kind));
        }
        assert_eq!(enables(&driver::Kind::ALL), 15);
    });
}

#[test]
fn entries_that_are_not_there_are_refused() {
    with_library(|library, _| {
        let texture = driver::Texture::new(Format::Rgba8, [8, 8]).packed();
        let sampler = driver::Sampler::default();
        for (entries, first) in [(0, 0), (64, 64), (128, 128)] {
            let general = General::ALL.with_store(entries).with_indirect(false);
            let mut pair = Pair::open(library, &Features::GENERAL.with_general(general, 12));
            let refused = Err(Error::Refused(Refusal::Entry));
            assert_eq!(pair.rust.store_general(0, first, None, &texture, &sampler), refused);
            assert_eq!(pair.rust.use_entry(0, &Use::new(first)), refused);
            assert_eq!(pair.rust.use_entry(1, &Use::new(0)), Err(Error::Unit(1)));
            let secondary = Use { is_secondary: true, ..Use::new(0) };
            let not_indirect = if entries == 0 { Refusal::Entry } else { Refusal::Indirect };
            assert_eq!(pair.rust.use_entry(0, &secondary), Err(Error::Refused(not_indirect)));
            let wrong = driver::Texture { base: 8, ..texture };
            let by_base = if entries == 0 { Refusal::Entry } else { Refusal::Base };
            assert_eq!(pair.rust.store_general(0, 0, None, &wrong, &sampler), Err(Error::Refused(by_base)));
            assert!(pair.rust.bus().sent.is_empty());
            let Some(c) = &mut pair.c else { continue };
            assert_eq!(c.store_general(0, first, None, &texture, &sampler), status_of(Refusal::Entry));
            assert_eq!(c.use_entry(0, &Use::new(first)), status_of(Refusal::Entry));
            assert_eq!(c.use_entry(1, &Use::new(0)), -3);
            assert_eq!(c.use_entry(0, &secondary), status_of(not_indirect));
            assert_eq!(c.store_general(0, 0, None, &wrong, &sampler), status_of(by_base));
            assert!(c.platform().sent.is_empty());
        }
    });
}

#[test]
fn packets_of_indirect_look_ups_are_those_of_the_specification() {
    with_library(|library, rng| {
        for beats_per_quad in [BeatsPerQuad::One, BeatsPerQuad::Two] {
            let mut pair = Pair::with_beats(library, &Features::GENERAL, beats_per_quad);
            for _ in 0..CASES {
                let mut part = || Part::CHOICES[rng.random_range(0..4)];
                let (u_field, v_field) = (part(), part());
                let setup = Setup {
                    operation: Aggregate::CHOICES[rng.random_range(0..6)],
                    values: rng.random_range(1..=4),
                    offset_u: rng.random(),
                    offset_v: rng.random(),
                    u_field,
                    v_field,
                };
                let quad = IndirectQuad { places: rng.random(), valid: rng.random_range(0..16) };
                let expected = of_indirect(&quad, &setup, Extras::of(&General::ALL), beats_per_quad);
                let (setup, quad) = told_look_up(&setup, &quad);
                assert_eq!(pair.rust.request_indirect(0, &setup, &quad), Ok(true));
                assert_eq!(seen(&pair.rust.bus().sent), wanted(&expected), "{setup:?} {quad:?}");
                let Some(c) = &mut pair.c else { continue };
                assert_eq!(c.request_indirect(0, &setup, &quad), 0);
                assert_eq!(c.platform().sent, pair.rust.bus().sent);
            }
        }
    });
}

/// A set-up and a quad for the drivers.
pub(super) fn told_look_up(setup: &Setup, quad: &IndirectQuad) -> (driver::Setup, driver::IndirectQuad) {
    let component = |part: Part| driver::Component::ALL[part as usize];
    let Setup { operation, values, offset_u, offset_v, u_field, v_field } = *setup;
    let operations = driver::Aggregate::ALL;
    let setup = driver::Setup {
        operation: operations[operation as usize],
        values,
        offset_u,
        offset_v,
        u_field: component(u_field),
        v_field: component(v_field),
    };
    (setup, driver::IndirectQuad { places: quad.places, valid: quad.valid })
}

#[test]
fn indirect_look_ups_that_cannot_be_are_refused() {
    use driver::{Component, Indirect, Sampler, Texture};
    with_library(|library, _| {
        let places = Texture::new(Format::Rg16, [8, 8]).packed();
        let values = Texture::new(Format::Rgba8, [8, 8]).packed();
        let volume = Texture { kind: driver::Kind::D3, ..values };
        let row = Texture { kind: driver::Kind::D1, height: 1, ..values };
        let (plain, setup) = (Sampler::default(), driver::Setup::default());
        let none = |general: General| general.with_indirect(false);
        let in_b = driver::Setup { u_field: Component::B, ..setup };
        let of_b = driver::Setup { v_field: Component::B, ..setup };
        let no_values = driver::Setup { values: 0, ..setup };
        let many = driver::Setup { values: 5, ..setup };
        let constant = driver::Setup { v_field: Component::One, ..setup };
        let wrong = Texture { base: 8, ..values };
        let cases = [
            (General::ALL, &places, &values, setup, None),
            (General::ALL, &places, &row, of_b, None),
            (none(General::ALL), &places, &values, setup, Some(Refusal::Indirect)),
            (General::ALL, &places, &volume, setup, Some(Refusal::Indirect)),
            (General::ALL, &volume, &values, setup, Some(Refusal::Indirect)),
            (General::ALL, &places, &values, in_b, Some(Refusal::Indirect)),
            (General::ALL, &places, &values, of_b, Some(Refusal::Indirect)),
            (General::ALL, &places, &values, no_values, Some(Refusal::Indirect)),
            (General::ALL, &places, &values, many, Some(Refusal::Indirect)),
            (General::ALL, &places, &row, constant, Some(Refusal::Indirect)),
            (General::ALL, &places, &wrong, setup, Some(Refusal::Base)),
        ];
        for (number, (general, primary, secondary, setup, refusal)) in cases.into_iter().enumerate() {
            let mut pair = Pair::open(library, &Features::GENERAL.with_general(general, 12));
            let mut look_up = Indirect::new((primary, &plain), (secondary, &plain), setup);
            let expected = refusal.map_or(Ok(true), |refusal| Err(Error::Refused(refusal)));
            assert_eq!(pair.rust.set_up_indirect(0, &mut look_up), expected, "case {number}");
            if let Some(c) = &mut pair.c {
                let status = c.set_up_indirect(0, &look_up);
                assert_eq!(status, refusal.map_or(0, status_of), "case {number}");
                assert_eq!(c.platform().sent, pair.rust.bus().sent, "case {number}");
            }
        }
        let mut pair = Pair::open(library, &Features::GENERAL);
        let quad = driver::IndirectQuad::default();
        for setup in [no_values, many, constant] {
            let refused = Err(Error::Refused(Refusal::Indirect));
            assert_eq!(pair.rust.request_indirect(0, &setup, &quad), refused);
            let Some(c) = &mut pair.c else { continue };
            assert_eq!(c.request_indirect(0, &setup, &quad), status_of(Refusal::Indirect));
        }
    });
}
