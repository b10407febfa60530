//! `coordinate`, `footprint` and `address` of the general numerics one behind the other: whatever items a probe becomes, its taps must
//! lie where the golden model has them. Stands on what the cache keeps to: a bank of tags serves one tile an item, a bank of texels one
//! texel.

use crate::general_support::{binding, config};
use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::general::coordinate::{AxisTaps, addressed, axis};
use tmu_model::general::cube;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::footprint::FootprintStage;
use tmu_rtl::datapath::general::request::VERDICT_REGISTER;
use tmu_rtl::datapath::general::words::{ItemHead, Probe, ProbeTap, WordSelect};
use tmu_rtl::datapath::words::TileRequest;
use tmu_spec::general::field::REGISTERS;
use tmu_spec::general::{Binding, Filter, Kind};
use tmu_spec::{AddressMode, Config};
use tmu_stages::{Check, Flow, Rig};

const ONE: i64 = 1 << 20;

/// The three stages.
#[derive(LogicBlock)]
struct Texels {
    clocks: Clocks,
    advance: Net<In>,
    upstream_advance: Net<Out>,
    in_valid: Net<In>,
    probe: Net<In>,
    tiles: TileRequest<Field<Out>>,
    coordinate: Coordinate,
    footprint: FootprintStage,
    address: Address,
}

impl Texels {
    fn new(config: &Config) -> Texels {
        Texels {
            clocks: Clocks::new(),
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::bit(),
            probe: Net::new(Probe::of(config).width()),
            tiles: TileRequest::of(config).nets(),
            coordinate: Coordinate::new(config),
            footprint: FootprintStage::new(config),
            address: Address::new(config),
        }
    }
}

#[kernel]
impl Texels {
    fn logic(&self) {
        let (coordinate, footprint, address) = (&self.coordinate, &self.footprint, &self.address);
        for clocks in [&coordinate.clocks, &footprint.clocks, &address.clocks] {
            clocks.follow(&self.clocks);
        }
        self.upstream_advance.next = footprint.upstream_advance.val();
        coordinate.advance.next = footprint.upstream_advance.val();
        footprint.advance.next = self.advance.val();
        address.advance.next = self.advance.val();
        coordinate.in_valid.next = self.in_valid.val();
        coordinate.probe.next = self.probe.val();
        footprint.in_valid.next = coordinate.out_valid.val();
        footprint.texels.next = coordinate.footprint.val();
        address.in_valid.next = footprint.out_valid.val();
        address.item.next = footprint.item.val();
        address.invalidating.next = 0;
        self.tiles.next = address.tiles.val();
    }
}

/// A tap: the half line that its tile starts with, and the texel in it.
type Tap = (u64, u64);

/// What a probe must become.
#[derive(Debug, Clone)]
enum Wanted {
    /// The cache is emptied.
    Empties,
    /// Taps by first and second column, then row; none where a tap has no weight or is the mean of the others. The weights of the
    /// second ones, and the tap that is the mean of the others.
    Probe { said: String, taps: [Option<Tap>; 4], weights: [u32; 2], corner: Option<usize>, is_valid: bool },
}

/// A probe: its level, face, coordinates and filter.
#[derive(Debug, Clone, Copy)]
struct Asked {
    level: u32,
    face: u32,
    uv: [i64; 2],
    filter: Filter,
    is_valid: bool,
}

fn asked(check: &mut Check, binding: &Binding) -> Asked {
    let shape = binding.texture.shape();
    let is_cube = shape.kind == Kind::Cube;
    let level = check.rng.random_range(0..shape.levels);
    let size = shape.level_size(level);
    let mut coordinate = |size: u32| {
        let near = check.rng.random_range(-2..=2i64);
        let of_texels = ONE * check.rng.random_range(0..=i64::from(size) * 2) / (i64::from(size) * 2) + near;
        let coordinate = match check.rng.random_range(0..4) {
            0 | 1 => of_texels,
            2 => ONE * check.rng.random_range(-2..=2i64) + near,
            _ => check.rng.random::<i64>() >> (27 + check.rng.random_range(0..20)),
        };
        if is_cube { coordinate.clamp(0, ONE) } else { coordinate }
    };
    let uv = [coordinate(size[0]), coordinate(size[1])];
    let face = if is_cube { check.rng.random_range(0..6) } else { 0 };
    let filter = if check.one_in(4) { Filter::Nearest } else { Filter::Linear };
    Asked { level, face, uv, filter, is_valid: !check.one_in(8) }
}

fn wanted(binding: &Binding, asked: &Asked) -> Wanted {
    let (texture, sampler) = (&binding.texture, &binding.sampler);
    let shape = texture.shape();
    let size = shape.level_size(asked.level);
    let is_cube = shape.kind == Kind::Cube;
    let [x, y] = [0, 1].map(|number: usize| {
        let mode = if is_cube { AddressMode::Clamp } else { sampler.address[number] };
        let goes_on = is_cube && sampler.cube_seamless;
        axis(mode, goes_on, addressed(mode, asked.uv[number]), size[number], asked.filter)
    });
    let is_outside = |texel: i32| !(0..size[0] as i32).contains(&texel);
    let tap = |number: usize| {
        let (column, row) = (number & 1, number >> 1);
        let has_weight = |of: &AxisTaps, second: usize| second == 0 || of.weight != 0;
        if !asked.is_valid || !has_weight(&x, column) || !has_weight(&y, row) {
            return (None, false);
        }
        let (i, j) = (x.texels[column], y.texels[row]);
        let (mut face, mut texel) = (asked.face, [i as u32, j as u32]);
        if is_cube && (is_outside(i) || is_outside(j)) {
            if is_outside(i) && is_outside(j) {
                return (None, true);
            }
            let (other, s, t) = cube::across(face, i, j, size[0]);
            (face, texel) = (other, [s, t]);
        }
        let (tile, texel) = texture.tile_of(asked.level, [texel[0], texel[1], face]);
        (Some((u64::from((binding.base + tile) / 8), u64::from(texel))), false)
    };
    let of = [0, 1, 2, 3].map(tap);
    Wanted::Probe {
        said: format!("{asked:?} of {:?} with {:?}", shape, sampler.address),
        taps: of.map(|(tap, _)| tap),
        weights: [x.weight, y.weight],
        corner: of.iter().position(|(_, is_corner)| *is_corner),
        is_valid: asked.is_valid,
    }
}

fn probe_word(config: &Config, asked: &Asked) -> Bits {
    let shape = Probe::of(config);
    let bit = |value: bool| number(1, value);
    shape.pack(&Probe {
        head: ItemHead { is_binding: bit(false), register: number(5, 0u32) },
        pixel: number(2, 1u32),
        is_valid: bit(asked.is_valid),
        is_failed: bit(false),
        ends_pixel: bit(true),
        ends_quad: bit(true),
        valid: number(4, 2u32),
        u: number(37, asked.uv[0] as u64 & ((1 << 37) - 1)),
        v: number(37, asked.uv[1] as u64 & ((1 << 37) - 1)),
        face: number(3, asked.face),
        is_linear: bit(asked.filter == Filter::Linear),
        level: number(4, asked.level),
        weight: number(17, 1u32 << 16),
        ..shape.unpack(lit(shape.width(), 0u32))
    })
}

fn register_word(config: &Config, register: u32, data: u32) -> Bits {
    let zero = Probe::of(config).unpack(lit(Probe::of(config).width(), 0u32));
    Probe::of(config).pack(&Probe {
        head: ItemHead { is_binding: number(1, true), register: number(5, register) },
        u: number(37, data),
        ..zero
    })
}

/// What has been seen of the probe whose items come.
#[derive(Debug, Default, Clone)]
struct Seen {
    taps: [Option<Tap>; 4],
    items: u32,
}

#[test]
pub(crate) fn general_texels() {
    const PROBES: usize = 12_000;
    let config = config();
    let mut check = Check::new("general::texels");
    let mut rig = Rig::new("texels", Texels::new(&config));
    let mut owed: Flow<(Wanted, bool)> = Flow::default();
    let mut waiting: Vec<Bits> = vec![];
    let mut bound = binding(&mut check, &config);
    let (mut probes, mut idle, mut seen) = (0, 0, Seen::default());
    let mut left_of_binding = 0;
    while idle < 80 {
        if waiting.is_empty() && probes < PROBES && left_of_binding == 0 {
            bound = binding(&mut check, &config);
            left_of_binding = check.rng.random_range(1..60);
            let words = bound.words();
            let register = |number: u32| (words[number as usize / 4] >> (number % 4 * 32)) as u32;
            waiting.extend((0..REGISTERS).map(|number| register_word(&config, number, register(number))));
            waiting.push(register_word(&config, VERDICT_REGISTER, 1 | u32::from(bound.drop_cache) << 1));
            waiting.reverse();
        }
        let asks = (waiting.is_empty() && left_of_binding > 0).then(|| asked(&mut check, &bound));
        let word = waiting.last().copied().or_else(|| asks.map(|asked| probe_word(&config, &asked)));
        let comes = word.is_some() && !check.one_in(6);
        rig.in_valid.drive(comes);
        if let Some(word) = word {
            rig.probe.drive(word);
        }
        rig.settle();
        let may_move = !is_high(rig.tiles.waits.val().any());
        let advance = may_move && !check.one_in(5);
        rig.advance.drive(advance);
        rig.settle();
        if advance {
            let is_block = bound.texture.format().is_block();
            leave(&mut check, &config, &rig, &mut owed, &mut seen, is_block);
        }
        if comes && is_high(rig.upstream_advance.val()) {
            match asks {
                Some(asked) => {
                    owed.put((wanted(&bound, &asked), bound.texture.format().tile_bytes() == 8));
                    left_of_binding -= 1;
                    probes += 1;
                }
                None => {
                    waiting.pop();
                    if waiting.is_empty() && bound.drop_cache {
                        owed.put((Wanted::Empties, false));
                    }
                }
            }
        }
        rig.tick();
        idle = if probes >= PROBES && left_of_binding == 0 && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    check.at_least(PROBES as u64);
}

/// An item that leaves adds its taps to those of its probe.
fn leave(
    check: &mut Check,
    config: &Config,
    rig: &Texels,
    owed: &mut Flow<(Wanted, bool)>,
    seen: &mut Seen,
    _is_block: bool,
) {
    let tiles = rig.tiles.val();
    if is_high(tiles.invalidates) {
        let (wanted, _) = owed.next(check);
        check.holds(matches!(wanted, Wanted::Empties), "the cache is emptied when it is asked for");
    }
    if !is_high(tiles.valid) {
        return;
    }
    let tap = ProbeTap::of(config).unpack(tiles.tap);
    let words = WordSelect::shape().unpack(tiles.word_selects);
    check.same("it is the first item", is_high(tap.starts_probe), seen.items == 0);
    seen.items += 1;
    for place in 0..4 {
        if !is_high(tap.brings.bit(place)) {
            continue;
        }
        let source = if is_high(tap.is_single) { tap.source.to_u64() as usize } else { place };
        let (column, row) = (source & 1, source >> 1);
        let texel = |bits: &[Bits; 2], parity: usize| bits[parity].to_u64() << 1 | parity as u64;
        let texel = texel(&tap.row_bit1, row) << 2 | texel(&tap.column_bit1, column);
        let is_block = is_high(tap.is_block);
        let slot = if is_high(tap.blocks_by_row) { row } else { column };
        // Both rows of a column of banks read the same tile.
        let bank = words.banks[if is_block { slot } else { source }].to_u64() as usize;
        if is_block {
            check.same("banks of a column", words.banks[slot + 2].to_u64(), bank as u64);
        } else {
            check.same("upper row", words.upper_row[row].to_u64(), texel >> 3);
        }
        check.holds(is_high(tiles.needed.bit(bank)), "the tile of a tap is asked for");
        let half = if is_block { tap.upper_half[slot].to_u64() } else { 0 };
        check.holds(seen.taps[place].is_none(), "a tap comes once");
        seen.taps[place] = Some((tiles.line[bank].to_u64() * 2 + half, texel));
    }
    if is_high(tap.ends_probe) {
        let seen = std::mem::take(seen);
        let (wanted, is_short) = owed.next(check);
        same(check, &tap, &seen, &wanted, is_short);
    }
}

/// The weight of the tap at a place, and whether it must come from somewhere.
fn same(check: &mut Check, tap: &ProbeTap, seen: &Seen, wanted: &Wanted, is_short: bool) {
    let Wanted::Probe { said, taps, weights, corner, is_valid } = wanted else {
        check.fail("a probe comes where the cache is to be emptied")
    };
    check.same(format!("it counts: {said}"), is_high(tap.is_valid), *is_valid);
    check.same("a corner", is_high(tap.has_corner).then(|| tap.corner.to_u64() as usize), *corner);
    if !is_valid {
        check.same("taps of what does not count", seen.taps, [None; 4]);
        return;
    }
    // The half of a line counts for tiles of half a line only.
    let exact = |tap: Tap| if is_short { tap } else { (tap.0 & !1, tap.1) };
    let odd = [tap.odd_weight_x.to_u64() as u32, tap.odd_weight_y.to_u64() as u32];
    // What each texel weighs, wherever it has its place.
    let weigh = |taps: &[Option<Tap>; 4], column: [u32; 2], row: [u32; 2], skips: Option<usize>| {
        let mut all: Vec<(Tap, u32)> = vec![];
        for (place, tap) in taps.iter().enumerate() {
            let weight = column[place & 1] * row[place >> 1];
            let Some(tap) = tap else {
                assert!(weight == 0 || skips == Some(place), "a tap with weight is missing: {taps:?} {said}");
                continue;
            };
            match all.iter_mut().find(|(own, _)| *own == exact(*tap)) {
                Some((_, sum)) => *sum += weight,
                None => all.push((exact(*tap), weight)),
            }
        }
        all.retain(|(_, weight)| *weight > 0);
        all.sort_unstable();
        all
    };
    let [x, y] = weights.map(|weight| [256 - weight, weight]);
    let expected = weigh(taps, x, y, *corner);
    let [x, y] = odd.map(|weight| [256 - weight, weight]);
    check.same(format!("taps and weights: {said}"), weigh(&seen.taps, x, y, *corner), expected);
}
