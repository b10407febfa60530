//! `lod` against `tmu_model::datapath::lod`: edges of exactly the lengths at which the level changes, and any others.

use crate::support::{Bound, binding_of, configs, drive_binding, quad_bits, turns};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::datapath::lod;
use tmu_rtl::datapath::lod::{blocking, pipelined};
use tmu_rtl::datapath::words::{LANES_OF_QUAD, item_layout, lanes};
use tmu_spec::fixed::{COORDINATE, FOOTPRINT};
use tmu_spec::{Config, Quad};
use tmu_stages::{Check, Flow, Rig};

const QUADS: usize = 1500;

/// Lengths of an edge in units of a footprint: on either side of where a level begins, along one axis and along two.
fn edge_lengths() -> Vec<u32> {
    let steps = (0..FOOTPRINT.bits()).map(|bit| 1u64 << bit);
    let lengths = steps.flat_map(|side| [side, (2 * side * side).isqrt()]);
    let near = lengths.flat_map(|length| [length - 1, length, length + 1]);
    near.map(|length| length.min(FOOTPRINT.max()) as u32).collect()
}

/// A difference of coordinates: none, an edge, a power of two, or anything.
fn difference(check: &mut Check, size_log2: u32) -> i64 {
    let below = COORDINATE.frac_bits() - FOOTPRINT.frac_bits();
    let size = match check.rng.random_range(0..6) {
        0 => 0,
        1 | 2 => {
            (i64::from(check.pick(&edge_lengths())) << below >> size_log2) + check.rng.random_range(-1..=1)
        }
        3 | 4 => (1i64 << check.rng.random_range(0..=31)) + check.rng.random_range(-1..=1),
        _ => i64::from(check.rng.random::<u32>() >> check.rng.random_range(0..32)),
    };
    if check.one_in(2) { -size } else { size }
}

fn quad(check: &mut Check, bound: &Bound) -> Quad {
    let sizes = [bound.texture.width_log2(), bound.texture.height_log2()];
    let mut uv = [[0i32; 2]; LANES_OF_QUAD];
    for axis in 0..2 {
        let start = check.pick(&[i64::from(i32::MIN), -70_000, 0, 12_345, i64::from(i32::MAX)]);
        let (right, down) = (difference(check, sizes[axis]), difference(check, sizes[axis]));
        let twist = if check.one_in(3) { difference(check, sizes[axis]) } else { 0 };
        let pixels = [start, start + right, start + down, start + right + down + twist];
        for (pixel, at) in uv.iter_mut().zip(pixels) {
            pixel[axis] = at.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        }
    }
    Quad::new(uv, check.rng.random_range(0..16))
}

fn expected(bound: &Bound, quad: &Quad) -> u64 {
    let texture = &bound.texture;
    let squared = lod::footprint_squared(quad, texture.width_log2(), texture.height_log2());
    let level = lod::level(squared, texture.max_lod());
    if bound.sampler.mipmapped { level.into() } else { 0 }
}

fn said(bound: &Bound, quad: &Quad) -> String {
    format!("level of {quad:?} of {:?}, {:?}", bound.texture, bound.sampler)
}

#[test]
pub(crate) fn blocking() {
    let config = configs::blocking();
    let mut check = Check::new("lod::blocking");
    let mut rig = Rig::new("lod_blocking", blocking::Lod::new(&config));
    rig.output.ready.drive(true);
    for _ in 0..QUADS {
        let bound = binding_of(&mut check, &config);
        drive_binding(&rig.binding, &bound);
        let quad = quad(&mut check, &bound);
        rig.input.valid.drive(true);
        rig.input.data.drive(quad_bits(&quad));
        rig.settle();
        check.holds(rig.input.ready.val().value().bit(0), "a quad is taken when none is there");
        rig.tick();
        rig.input.valid.drive(check.one_in(2));
        let mut clocks = 0;
        loop {
            let ready = !check.one_in(3);
            rig.output.ready.drive(ready);
            rig.input.data.drive(Bits::constant(crate::support::noise(&mut check, rig.input.data.width())));
            rig.settle();
            check.holds(!rig.input.ready.val().value().bit(0), "no other quad is taken meanwhile");
            let leaves = rig.output.valid.val().value().bit(0) && ready;
            if leaves {
                let out = rig.output.data.val();
                let own = quad_bits(&quad);
                check.same(
                    said(&bound, &quad),
                    out.high(out.width() - own.width()).to_u64(),
                    expected(&bound, &quad),
                );
                check.same("the quad itself", out.low(own.width()).value(), own.value());
            }
            rig.input.valid.drive(!leaves && check.one_in(2));
            rig.tick();
            clocks += 1;
            check.holds(clocks < 100, "a level comes");
            if leaves {
                break;
            }
        }
    }
    check.at_least(QUADS as u64);
}

#[test]
pub(crate) fn pipelined_pixel() {
    pipelined("lod_pixel", &configs::pixel());
}

#[test]
fn pipelined_pixel_of_beats() {
    pipelined("lod_pixel_of_beats", &configs::pixel_of_beats());
}

#[test]
pub(crate) fn pipelined_quad() {
    pipelined("lod_quad", &configs::quad());
}

fn pipelined(name: &str, config: &Config) {
    let layout = item_layout(config);
    let lanes = lanes(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Lod::new(config));
    let mut owed: Flow<(Bound, Quad, Value)> = Flow::default();
    let mut bound = binding_of(&mut check, config);
    let mut now: Option<(Quad, usize)> = None;
    let mut quads = 0;
    while quads < QUADS || !owed.is_empty() || now.is_some() {
        if now.is_none() && quads < QUADS && !check.one_in(5) {
            if check.one_in(4) {
                bound = binding_of(&mut check, config);
            }
            now = Some((quad(&mut check, &bound), 0));
            quads += 1;
        }
        drive_binding(&rig.binding, &bound);
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.in_valid.drive(now.is_some());
        let own_turns = now.as_ref().map_or(vec![], |(quad, _)| turns(config, quad.valid()));
        let number = now.as_ref().map_or(0, |(_, number)| *number);
        let item = layout.pack(&[
            ("is_binding", lit(1, 0u32)),
            ("is_table", lit(1, 0u32)),
            ("pixel", lit(2, own_turns.get(number).map_or(0, |pixel| *pixel as u32))),
            ("is_last", lit(1, u32::from(number + 1 == own_turns.len()))),
            ("is_valid", Bits::constant(crate::support::noise(&mut check, lanes))),
            ("pixels", Bits::constant(crate::support::noise(&mut check, layout.bits("pixels").len()))),
        ]);
        rig.in_item.drive(item);
        if let Some((quad, _)) = &now {
            let bits = quad_bits(quad);
            rig.quad.drive(bits.low(rig.quad.width()));
            rig.valid_pixels.drive(bits.high(LANES_OF_QUAD));
        }
        rig.settle();
        if advance && rig.out_valid.val().value().bit(0) {
            let (bound, quad, item) = owed.next(&mut check);
            // A quad without valid pixels may have no level.
            if quad.valid() != 0 {
                check.same(said(&bound, &quad), rig.level.val().to_u64(), expected(&bound, &quad));
            }
            check.same("the item itself", rig.out_item.val().value(), item);
        }
        rig.tick();
        if advance && let Some((quad, number)) = now.take() {
            now = (number + 1 < own_turns.len()).then(|| (quad, number + 1));
            owed.put((bound.clone(), quad, item.value()));
        }
    }
    check.at_least(QUADS as u64);
}
