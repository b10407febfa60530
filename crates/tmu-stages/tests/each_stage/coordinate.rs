//! `coordinate` and its `axis` against `tmu_model::datapath::coordinate`: mirrors at exactly 1.0, the far edge, both sides of each texel.

use crate::support::{
    Bound, any_bits, binding_of, configs, drive_binding, is_high, is_rgb, number, quad_bits,
};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::datapath::coordinate::{AxisTaps, addressed, bilinear, nearest};
use tmu_rtl::datapath::bundles;
use tmu_rtl::datapath::coordinate::axis::Axis;
use tmu_rtl::datapath::coordinate::{blocking, pipelined};
use tmu_rtl::datapath::words::{
    BindingPlace, PIXEL_BITS, binding_pixel, footprint_layout, item_layout, items_of_quad, lanes, taps_layout,
};
use tmu_spec::fixed::ADDRESSED;
use tmu_spec::quad::PIXELS;
use tmu_spec::{AddressMode, Config, Quad};
use tmu_stages::{Check, Flow, Rig};

/// A coordinate: near whole textures, near the edges and middles of texels, or anywhere.
fn coordinate(check: &mut Check, size_log2: u32) -> i32 {
    let one = ADDRESSED.one() as i64;
    let near = check.rng.random_range(-2..=2i64);
    let at = match check.rng.random_range(0..4) {
        0 => one * check.rng.random_range(-3..=3i64) + near,
        1 => {
            let half_texels = 2i64 << size_log2;
            one * check.rng.random_range(-half_texels..=half_texels) / half_texels + near
        }
        2 => check.pick(&[i64::from(i32::MIN), i64::from(i32::MAX)]),
        _ => i64::from(check.rng.random::<i32>() >> check.rng.random_range(0..24)),
    };
    at.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The taps of an axis; one is the first of two, and the second has no weight.
fn taps(coordinate: i32, size_log2: u32, mode: AddressMode, is_bilinear: bool) -> AxisTaps {
    let place = addressed(coordinate, mode);
    if is_bilinear {
        return bilinear(place, size_log2, mode);
    }
    let first = nearest(place, size_log2);
    AxisTaps { first, second: first, weight: 0 }
}

/// The texel of a tap without weight does not matter.
fn same_taps(check: &mut Check, what: &str, got: [u64; 3], expected: AxisTaps) {
    let AxisTaps { first, second, weight } = expected;
    let second = if weight == 0 { got[1] } else { second.into() };
    check.same(what, got, [first.into(), second, weight.into()]);
}

#[test]
pub(crate) fn axis() {
    const CASES: usize = 4000;
    let config = configs::pixel();
    let mut check = Check::new("coordinate::axis");
    let mut rig = Rig::new("axis", Axis::new(&config));
    let mut owed = Flow::default();
    let mut steps = 0;
    // As many steps more as it takes for all to come out.
    while steps < CASES + pipeline_steps() {
        let (size, mode) = (check.rng.random_range(0..=11), check.pick(&AddressMode::CLASSIC));
        let (at, is_bilinear) = (coordinate(&mut check, size), !check.one_in(4));
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.coordinate.drive(number(32, at.cast_unsigned()));
        rig.size_log2.drive(u64::from(size));
        rig.mode.drive(u64::from(mode.code()));
        rig.is_bilinear.drive(is_bilinear);
        rig.tick();
        rig.settle();
        if advance {
            owed.put((at, size, mode, is_bilinear));
            steps += 1;
        }
        if advance && owed.len() == pipeline_steps() {
            let (at, size, mode, is_bilinear) = owed.next(&mut check);
            let of = |net: &Option<Net<Out>>| net.as_ref().map_or(0, |net| net.val().to_u64());
            let got = [rig.low.val().to_u64(), of(&rig.high), of(&rig.weight)];
            let said = format!("taps at {at:#x} of 2^{size} texels, {mode:?}, bilinear {is_bilinear}");
            same_taps(&mut check, &said, got, taps(at, size, mode, is_bilinear));
        }
    }
    check.at_least(CASES as u64);
}

/// Steps that an axis takes, as a pipe plans them.
fn pipeline_steps() -> usize {
    use tmu_hdl::pipe::Registered;
    Axis::new(&configs::pixel()).moves()
}

fn quad(check: &mut Check, bound: &Bound) -> Quad {
    let (width, height) = (bound.texture.width_log2(), bound.texture.height_log2());
    let uv = std::array::from_fn(|_| [coordinate(check, width), coordinate(check, height)]);
    Quad::new(uv, check.rng.random_range(0..16))
}

/// The taps of both axes of a pixel.
fn pixel_taps(bound: &Bound, [u, v]: [i32; 2], level: u32) -> [AxisTaps; 2] {
    let (texture, sampler) = (&bound.texture, &bound.sampler);
    let [width, height] =
        [texture.width_log2(), texture.height_log2()].map(|size| size.saturating_sub(level));
    [
        taps(u, width, sampler.address_u, sampler.bilinear),
        taps(v, height, sampler.address_v, sampler.bilinear),
    ]
}

#[test]
pub(crate) fn blocking() {
    const QUADS: usize = 700;
    let config = configs::blocking();
    let layout = bundles::footprint_layout(&config);
    let mut check = Check::new("coordinate::blocking");
    let mut rig = Rig::new("coordinate_blocking", blocking::Coordinate::new(&config));
    for _ in 0..QUADS {
        let bound = binding_of(&mut check, &config);
        drive_binding(&rig.binding, &bound);
        let (quad, level) = (quad(&mut check, &bound), check.rng.random_range(0..=bound.texture.max_lod()));
        let mut expected: Vec<Option<usize>> =
            (0..PIXELS).filter(|pixel| quad.is_valid(*pixel)).map(Some).collect();
        expected.push(None);
        let mut offers = true;
        let mut clocks = 0;
        let mut left = expected.into_iter().peekable();
        while left.peek().is_some() {
            let ready = !check.one_in(4);
            rig.input.valid.drive(offers);
            rig.input.data.drive(cat(&[number(4, level), quad_bits(&quad)]));
            rig.output.ready.drive(ready);
            rig.settle();
            let taken = offers && is_high(rig.input.ready.val());
            if ready && is_high(rig.output.valid.val()) {
                let word = rig.output.data.val();
                let field = |name: &str| layout.get(word, name).to_u64();
                let pixel = left.next().flatten();
                check.same("end of a quad", field("is_end"), u64::from(pixel.is_none()));
                if let Some(pixel) = pixel {
                    check.same("pixel", field("pixel"), pixel as u64);
                    let uv = quad.uv()[pixel];
                    let [x, y] = pixel_taps(&bound, uv, level);
                    let said = format!(
                        "pixel {pixel} at {uv:x?}, level {level} of {:?}, {:?}",
                        bound.texture, bound.sampler
                    );
                    same_taps(
                        &mut check,
                        &format!("columns of {said}"),
                        ["x0", "x1", "weight_x"].map(field),
                        x,
                    );
                    same_taps(&mut check, &format!("rows of {said}"), ["y0", "y1", "weight_y"].map(field), y);
                    let texture = &bound.texture;
                    let place = [texture.level_offset(level), texture.stored_width_log2(level) - 2];
                    check.same(
                        format_args!("tiles in front, and log2 of those in a row, {said}"),
                        ["level_offset", "tiles_log2"].map(field),
                        place.map(u64::from),
                    );
                } else {
                    check.same("valid bits", field("valid_pixels"), quad.valid().into());
                }
            }
            rig.tick();
            offers &= !taken;
            clocks += 1;
            check.holds(clocks < 200, "a quad comes to its end");
        }
    }
    check.at_least(QUADS as u64);
}

#[test]
pub(crate) fn pipelined_pixel() {
    pipelined("coordinate_pixel", &configs::pixel());
}

#[test]
pub(crate) fn pipelined_quad() {
    pipelined("coordinate_quad", &configs::quad());
}

/// What an item holds.
#[derive(Clone, Debug)]
enum Holds {
    Binding { is_legal: bool },
    Quad { quad: Quad, level: u32, is_legal: bool },
}

struct Expected {
    bound: Bound,
    holds: Holds,
    number: usize,
    item: Bits,
}

impl std::fmt::Debug for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "item {} of {:?} with {:?}", self.number, self.holds, self.bound)
    }
}

fn pipelined(name: &str, config: &Config) {
    const QUADS: usize = 700;
    let layout = item_layout(config);
    let lanes = lanes(config);
    let mut check = Check::new(name);
    let mut rig = Rig::new(name, pipelined::Coordinate::new(config));
    let mut owed: Flow<Expected> = Flow::default();
    let mut bound = binding_of(&mut check, config);
    let mut now: Option<(Holds, usize)> = Some((Holds::Binding { is_legal: true }, 0));
    let (mut is_bound_legal, mut quads) = (true, 0);
    while now.is_some() || quads < QUADS || !owed.is_empty() {
        if now.is_none() && quads < QUADS && !check.one_in(6) {
            now = Some(if check.one_in(5) {
                bound = binding_of(&mut check, config);
                is_bound_legal = !check.one_in(5);
                (Holds::Binding { is_legal: is_bound_legal }, 0)
            } else {
                quads += 1;
                let level = check.rng.random_range(0..=bound.texture.max_lod());
                (Holds::Quad { quad: quad(&mut check, &bound), level, is_legal: is_bound_legal }, 0)
            });
        }
        let advance = !check.one_in(4);
        rig.advance.drive(advance);
        rig.in_valid.drive(now.is_some());
        let item = now.as_ref().map(|(holds, number)| item_of(&mut check, config, &bound, holds, *number));
        rig.in_item.drive(item.unwrap_or_else(|| any_bits(&mut check, layout.width())));
        rig.level.drive(match &now {
            Some((Holds::Quad { level, .. }, _)) => u64::from(*level),
            _ => 0,
        });
        rig.settle();
        if advance && is_high(rig.out_valid.val()) {
            let expected = owed.next(&mut check);
            check_item(&mut check, config, rig.footprint.val(), &expected);
        }
        rig.tick();
        if advance && let (Some((holds, number)), Some(item)) = (now.take(), item) {
            let items = if let Holds::Quad { .. } = holds { items_of_quad(lanes) } else { 1 };
            now = (number + 1 < items).then(|| (holds.clone(), number + 1));
            owed.put(Expected { bound: bound.clone(), holds, number, item });
        }
    }
    check.at_least((QUADS * lanes) as u64);
}

fn item_of(check: &mut Check, config: &Config, bound: &Bound, holds: &Holds, at: usize) -> Bits {
    let (lanes, layout) = (lanes(config), item_layout(config));
    let whole = match holds {
        Holds::Binding { .. } => {
            let place = binding_pixel(config);
            stack((0..PIXELS).map(|pixel| {
                if pixel == place { number(64, bound.bits()) } else { any_bits(check, PIXEL_BITS) }
            }))
        }
        Holds::Quad { quad, .. } => quad_bits(quad).low(PIXELS * PIXEL_BITS),
    };
    let valid = match holds {
        Holds::Binding { is_legal } => u64::from(*is_legal),
        Holds::Quad { quad, .. } if lanes == 1 => quad.is_valid(at).into(),
        Holds::Quad { quad, .. } => quad.valid().into(),
    };
    let first = match holds {
        Holds::Binding { .. } if lanes == 1 => binding_pixel(config),
        _ => at * lanes,
    };
    layout.pack(&[
        ("is_binding", number(1, matches!(holds, Holds::Binding { .. }))),
        ("is_table", number(1, 0u32)),
        ("pixel", number(2, first as u64)),
        ("is_last", any_bits(check, 1)),
        ("is_valid", number(lanes, valid)),
        ("pixels", whole.slice(first * PIXEL_BITS, lanes * PIXEL_BITS)),
    ])
}

fn check_item(check: &mut Check, config: &Config, word: Bits, expected: &Expected) {
    let (lanes, layout, taps) = (lanes(config), footprint_layout(config), taps_layout(config));
    let Expected { bound, holds, number, item } = expected;
    let field = |name: &str| layout.get(word, name).to_u64();
    let own = |name: &str| item_layout(config).get(*item, name).to_u64();
    for name in ["is_binding", "is_table", "pixel", "is_last", "is_valid"] {
        check.same(format_args!("`{name}` of {expected:?}"), field(name), own(name));
    }
    let texture = &bound.texture;
    match holds {
        Holds::Binding { is_legal } => {
            if *is_legal {
                let place = BindingPlace::of(config).unpack(layout.get(word, "place"));
                let of = [place.line, place.kind.is_rgb, place.kind.is_indexed, place.invalidates]
                    .map(Bits::to_u64);
                let is_indexed = texture.format().has_color_table();
                let must = [(bound.base / 16).into(), is_rgb(texture.format()).into(), is_indexed.into(), 0];
                check.same(format_args!("line and kind of {bound:?}"), of, must);
            }
        }
        Holds::Quad { quad, level, is_legal } => {
            check.same("whether the binding broke a rule", field("is_failed"), u64::from(!is_legal));
            if !is_legal {
                return;
            }
            let lines = texture.level_offset(*level) * bound.kind().lines_per_tile();
            let place = [lines, texture.stored_width_log2(*level) - 2];
            let said = format!("level {level} of {texture:?}");
            check.same(
                format_args!("lines in front of {said}, tiles of a row"),
                ["level_lines", "tiles_log2"].map(field),
                place.map(u64::from),
            );
            for lane in 0..lanes {
                let tap = layout.get(word, "taps").slice(lane * taps.width(), taps.width());
                let of = |name: &str| taps.get(tap, name).to_u64();
                let uv = quad.uv()[number * lanes + lane];
                let [x, y] = pixel_taps(bound, uv, *level);
                let said = format!("lane {lane} at {uv:x?}, {said}, {:?}", bound.sampler);
                same_taps(check, &format!("columns of {said}"), ["x0", "x1", "weight_x"].map(of), x);
                same_taps(check, &format!("rows of {said}"), ["y0", "y1", "weight_y"].map(of), y);
            }
        }
    }
}
