//! What a probe must become, as the golden model has it.

use rand::Rng;
use tmu_model::general::coordinate::{AxisTaps, addressed, axis};
use tmu_model::general::cube;
use tmu_spec::general::{Binding, Filter, Kind, MipFilter};
use tmu_spec::{AddressMode, Config};
use tmu_stages::Check;

const ONE: i64 = 1 << 20;

/// A tap: the half line that its tile starts with, and the texel in it.
pub(super) type Tap = (u64, u64);

/// What a tap shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// A texel.
    Texel(Tap),
    /// The colour around the texture.
    Border,
}

/// How texels are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Sample,
    Gather,
    /// The level may be one that the texture does not have.
    Fetch {
        has_level: bool,
    },
}

/// A probe: its level, face, coordinates and filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) way: Way,
    pub(super) level: u32,
    /// Of a ripmap its level along u and along v.
    pub(super) ripmap: Option<[u32; 2]>,
    pub(super) face: u32,
    pub(super) uvw: [i64; 3],
    pub(super) filter: Filter,
    pub(super) is_valid: bool,
    /// Of 256.
    pub(super) weight: u32,
    pub(super) reference: u32,
    pub(super) component: u32,
    pub(super) ends: [bool; 2],
}

/// What a slice of a probe must become: taps by first and second column, then row; none where a tap has no weight or is the mean of
/// the others.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) said: String,
    pub(super) asked: Asked,
    pub(super) binding: Binding,
    pub(super) taps: [Option<Shown>; 4],
    /// The weights of the second column and row.
    pub(super) weights: [u32; 2],
    /// The tap that is the mean of the others.
    pub(super) corner: Option<usize>,
    /// A tap over a corner is the texel at the corner.
    pub(super) has_own_corner: bool,
    /// There is no texel.
    pub(super) is_void: bool,
    /// Its part of the sample.
    pub(super) weight: u32,
    /// It is the last slice of its probe.
    pub(super) is_last: bool,
    /// Its probe has two.
    pub(super) has_two_slices: bool,
}

/// A coordinate near a texel's edge, near a whole number, or anywhere.
fn coordinate(check: &mut Check, size: u32) -> i64 {
    let near = check.rng.random_range(-2..=2i64);
    let half_texels = i64::from(size) * 2;
    match check.rng.random_range(0..4) {
        0 | 1 => ONE * check.rng.random_range(0..=half_texels) / half_texels + near,
        2 => ONE * check.rng.random_range(-2..=2i64) + near,
        _ => check.rng.random::<i64>() >> (27 + check.rng.random_range(0..20)),
    }
}

/// The number of a texel, mostly one of a side.
fn whole(check: &mut Check, size: u32) -> i64 {
    let size = i64::from(size);
    match check.rng.random_range(0..16) {
        0 => check.pick(&[-1, size, i64::from(i32::MIN), i64::from(i32::MAX), 4096, 1 << 20, -4096]),
        1 => i64::from(check.rng.random::<i32>()),
        2 => check.pick(&[0, size - 1]),
        _ => check.rng.random_range(0..size),
    }
}

fn way(check: &mut Check, config: &Config, kind: Kind) -> Way {
    use tmu_spec::general::Operation;
    let general = config.features().general().expect("it is general");
    let can_gather = matches!(kind, Kind::D2 | Kind::Cube | Kind::D2Array);
    if general.has_operation(Operation::Gather(0)) && can_gather && check.one_in(3) {
        return Way::Gather;
    }
    if general.has_operation(Operation::Fetch) && check.one_in(3) {
        return Way::Fetch { has_level: !check.one_in(10) };
    }
    Way::Sample
}

pub(super) fn asked(check: &mut Check, config: &Config, binding: &Binding) -> Asked {
    let shape = binding.texture.shape();
    let way = way(check, config, shape.kind);
    let level = check.rng.random_range(0..shape.levels);
    let is_ripmap = binding.sampler.mip == MipFilter::Ripmap;
    let mut along =
        |side: u32| if way == Way::Gather { 0 } else { check.rng.random_range(0..side.ilog2().max(1)) };
    let ripmap = [along(shape.width), along(shape.height)];
    let ripmap = (is_ripmap && !matches!(way, Way::Fetch { .. })).then_some(ripmap);
    asked_in(check, config, binding, way, (level, ripmap))
}

/// The sides of a probe's level, and where it begins in its picture.
fn sides(binding: &Binding, level: u32, ripmap: Option<[u32; 2]>) -> ([u32; 3], [u32; 2]) {
    let [width, height, slices] = binding.texture.shape().level_size(level);
    match ripmap {
        None => ([width, height, slices], [0; 2]),
        Some([u, v]) => {
            let before = |side: u32, level: u32| (0..level).map(|larger| (side / 2) >> larger).sum();
            let size = [(width / 2) >> u, (height / 2) >> v, slices];
            (size, [before(width, u), before(height, v)])
        }
    }
}

/// A probe of a level.
pub(super) fn asked_in(
    check: &mut Check,
    config: &Config,
    binding: &Binding,
    way: Way,
    (level, ripmap): (u32, Option<[u32; 2]>),
) -> Asked {
    let shape = binding.texture.shape();
    let is_cube = shape.kind == Kind::Cube;
    let (size, _) = sides(binding, level, ripmap);
    let uvw = if let Way::Fetch { .. } = way {
        size.map(|size| whole(check, size))
    } else {
        let third = match shape.kind {
            Kind::D2Array => {
                let halves = check.rng.random_range(-4..=i64::from(size[2]) * 2 + 4);
                let layer = halves * ONE / 2 + check.rng.random_range(-1..=1);
                if check.one_in(8) { check.pick(&[-(1 << 35), (1 << 35) - 1]) } else { layer }
            }
            _ => coordinate(check, size[2]).clamp(-(1 << 35), (1 << 35) - 1),
        };
        let [u, v] = [0, 1].map(|axis| coordinate(check, size[axis]));
        let within = |at: i64| if is_cube { at.clamp(0, ONE) } else { at };
        [within(u), within(v), third]
    };
    let is_float = shape.format.is_float() && binding.sampler.compare.is_none();
    let is_nearest = is_float || check.one_in(4) || !config.features().bilinear();
    let is_volume = shape.kind == Kind::D3;
    let weight =
        if is_volume { 256 * check.rng.random_range(0..=256) } else { check.rng.random_range(0..=65536) };
    Asked {
        way,
        level,
        ripmap,
        face: if is_cube { check.rng.random_range(0..6) } else { 0 },
        uvw,
        filter: if is_nearest { Filter::Nearest } else { Filter::Linear },
        is_valid: !check.one_in(8),
        weight,
        reference: check.rng.random(),
        component: check.rng.random_range(0..4),
        ends: check.rng.random(),
    }
}

/// Of each slice what it must become.
pub(super) fn wanted(binding: &Binding, asked: &Asked) -> Vec<Probe> {
    let shape = binding.texture.shape();
    let of = |slice: i32, weight: u32, is_last: bool| of_slice(binding, asked, slice, weight, is_last);
    if let Way::Fetch { .. } = asked.way {
        return vec![fetched(binding, asked)];
    }
    let size = shape.level_size(asked.level);
    match shape.kind {
        Kind::D3 if asked.is_valid => {
            let z = along(binding, asked, 2, size[2]);
            let [first, second] = z.texels;
            let weights = [256 - z.weight, z.weight].map(|of_slice| (asked.weight >> 8) * of_slice);
            let mut probes = vec![of(first, weights[0], z.weight == 0)];
            if z.weight != 0 {
                probes.push(Probe { has_two_slices: true, ..of(second, weights[1], true) });
            }
            probes
        }
        Kind::D2Array => {
            let layer = ((asked.uvw[2] + ONE / 2) >> 20).clamp(0, i64::from(shape.depth) - 1);
            vec![of(layer as i32, asked.weight, true)]
        }
        _ => vec![of(asked.face as i32, asked.weight, true)],
    }
}

/// Texels of an axis.
fn along(binding: &Binding, asked: &Asked, number: usize, size: u32) -> AxisTaps {
    let sampler = &binding.sampler;
    let is_cube = binding.texture.shape().kind == Kind::Cube;
    let mode = if is_cube { AddressMode::Clamp } else { sampler.address[number] };
    let goes_on = if is_cube { sampler.cube_seamless } else { mode == AddressMode::Border };
    let filter = if asked.way == Way::Gather { Filter::Linear } else { asked.filter };
    axis(mode, goes_on, addressed(mode, asked.uvw[number]), size, filter)
}

fn place(binding: &Binding, asked: &Asked, [x, y, slice]: [u32; 3]) -> Shown {
    let (_, [left, top]) = sides(binding, asked.level, asked.ripmap);
    let (tile, texel) = binding.texture.tile_of(asked.level, [left + x, top + y, slice]);
    Shown::Texel((u64::from((binding.base + tile) / 8), u64::from(texel)))
}

fn of_slice(binding: &Binding, asked: &Asked, slice: i32, weight: u32, is_last: bool) -> Probe {
    let shape = binding.texture.shape();
    let (size, _) = sides(binding, asked.level, asked.ripmap);
    let is_cube = shape.kind == Kind::Cube;
    let x = along(binding, asked, 0, size[0]);
    let y = if shape.kind == Kind::D1 { AxisTaps::FIRST } else { along(binding, asked, 1, size[1]) };
    let needs_all = asked.way == Way::Gather;
    let takes_corner = shape.format.is_float() && binding.sampler.compare.is_none();
    let is_outside = |texel: i32, axis: usize| !(0..size[axis] as i32).contains(&texel);
    let tap = |number: usize| {
        let (column, row) = (number & 1, number >> 1);
        let has_weight = |of: &AxisTaps, second: usize| second == 0 || of.weight != 0 || needs_all;
        if !asked.is_valid || !has_weight(&x, column) || !has_weight(&y, row) {
            return (None, false);
        }
        let (i, j) = (x.texels[column], y.texels[row]);
        let is_beyond = is_outside(i, 0) || is_outside(j, 1) || is_outside(slice, 2);
        let texel = match (is_cube, is_outside(i, 0), is_outside(j, 1)) {
            (true, true, true) if takes_corner => {
                let last = size[0] as i32 - 1;
                [i.clamp(0, last) as u32, j.clamp(0, last) as u32, slice as u32]
            }
            (true, true, true) => return (None, true),
            (true, true, _) | (true, _, true) => {
                let (face, s, t) = cube::across(slice as u32, i, j, size[0]);
                [s, t, face]
            }
            _ if is_beyond => return (Some(Shown::Border), false),
            _ => [i, j, slice].map(|axis| axis as u32),
        };
        (Some(place(binding, asked, texel)), false)
    };
    let of = [0, 1, 2, 3].map(tap);
    let is_over = |taps: &AxisTaps, axis: usize| {
        taps.texels.iter().any(|texel| is_outside(*texel, axis)) && (taps.weight != 0 || needs_all)
    };
    let is_over_corner = is_cube && is_over(&x, 0) && is_over(&y, 1);
    Probe {
        said: format!("slice {slice} of {asked:?} of {shape:?} with {:?}", binding.sampler.address),
        asked: *asked,
        binding: *binding,
        taps: of.map(|(tap, _)| tap),
        weights: [x.weight, y.weight],
        corner: of.iter().position(|(_, is_corner)| *is_corner),
        has_own_corner: asked.is_valid && takes_corner && is_over_corner,
        is_void: false,
        weight,
        is_last,
        has_two_slices: false,
    }
}

/// The texel with these numbers, if there is one.
fn fetched(binding: &Binding, asked: &Asked) -> Probe {
    let shape = binding.texture.shape();
    let size = shape.level_size(asked.level);
    let used = match shape.kind {
        Kind::D1 => [true, false, false],
        Kind::D2 => [true, true, false],
        Kind::D3 | Kind::Cube | Kind::D2Array => [true; 3],
    };
    let texel: [i64; 3] = std::array::from_fn(|axis| if used[axis] { asked.uvw[axis] } else { 0 });
    let is_inside = texel.iter().zip(size).all(|(texel, size)| (0..i64::from(size)).contains(texel));
    let is_there = is_inside && asked.way == (Way::Fetch { has_level: true });
    let shown = (is_there && asked.is_valid).then(|| place(binding, asked, texel.map(|axis| axis as u32)));
    Probe {
        said: format!("{asked:?} of {shape:?}"),
        asked: *asked,
        binding: *binding,
        taps: [shown, None, None, None],
        weights: [0; 2],
        corner: None,
        has_own_corner: false,
        is_void: !is_there,
        weight: asked.weight,
        is_last: true,
        has_two_slices: false,
    }
}
