//! `coordinate`, `footprint` and `address` of the general numerics one behind the other: whatever items a probe becomes, its taps must
//! lie where the golden model has them. Stands on what the cache keeps to: a bank of tags serves one tile an item, a bank of texels one
//! texel.

mod expected;
mod groups;
pub(crate) mod rows;
mod verilog;

use crate::general_support::{binding, changed, config, lanes_with};
use crate::support::{is_high, number};
use expected::{Asked, Probe as Wanted, Shown, Tap, Way, asked, wanted};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::footprint::FootprintStage;
use tmu_rtl::datapath::general::request::VERDICT_REGISTER;
use tmu_rtl::datapath::general::words::{
    ItemHead, LookUp, PLACE_BITS, Pass, Probe, ProbeTap, TexelUse, WordSelect, has_border, has_gather,
    has_pairs, needs_format,
};
use tmu_rtl::datapath::words::TileRequest;
use tmu_spec::general::field::REGISTERS;
use tmu_spec::general::{Binding, Filter};
use tmu_spec::{Config, Format};
use tmu_stages::{Check, Flow, Rig};

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

/// What must leave.
#[derive(Debug, Clone)]
enum Leaves {
    /// The cache is emptied.
    Empties,
    /// A slice of a probe.
    Probe(Box<Wanted>),
}

fn probe_word(config: &Config, asked: &Asked) -> Bits {
    let shape = Probe::of(config);
    let bit = |value: bool| number(1, value);
    let [u, v, w] = asked.uvw;
    let signed = |bits: usize, value: i64| number(bits, value as u64 & ((1 << bits) - 1));
    shape.pack(&Probe {
        head: ItemHead { is_binding: bit(false), register: number(5, 0u32) },
        pixel: number(2, 1u32),
        is_valid: bit(asked.is_valid),
        is_failed: bit(false),
        is_table: bit(false),
        ends_pixel: bit(asked.ends[0]),
        ends_quad: bit(asked.ends[1]),
        spread: number(2, 0u32),
        valid: number(4, 2u32),
        u: signed(37, u),
        v: signed(37, v),
        w: signed(PLACE_BITS, w),
        face: number(3, asked.face),
        reference: number(32, asked.reference),
        look_up: LookUp {
            is_fetch: bit(matches!(asked.way, Way::Fetch { .. })),
            is_outside: bit(asked.way == Way::Fetch { has_level: false }),
            is_gather: bit(asked.way == Way::Gather),
            component: number(2, asked.component),
            pass: Pass { is_first: bit(false), is_second: bit(false) },
            ripmap: [0, 1].map(|axis: usize| number(4, asked.ripmap.map_or(0, |levels| levels[axis] + 1))),
        },
        is_linear: bit(asked.filter == Filter::Linear),
        level: number(4, asked.level),
        weight: number(17, asked.weight),
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

/// The registers of a binding, with the verdict behind them.
fn registers(config: &Config, bound: &Binding) -> Vec<Bits> {
    let words = bound.words();
    let register = |number: u32| (words[number as usize / 4] >> (number % 4 * 32)) as u32;
    let verdict = register_word(config, VERDICT_REGISTER, 1 | u32::from(bound.drop_cache) << 1);
    (0..REGISTERS).map(|number| register_word(config, number, register(number))).chain([verdict]).collect()
}

/// How often probes were met that show nothing but the border, some of it, the texel at a corner, the mean of three, no texel, a second
/// slice with weight, and a texel that is gathered twice.
type Met = [u32; 7];

fn meet(met: &mut Met, wanted: &Wanted) {
    let shown = wanted.taps.iter().flatten();
    let borders = shown.clone().filter(|tap| **tap == Shown::Border).count();
    let is_twice = wanted.taps[0].is_some() && wanted.taps[0] == wanted.taps[1] && borders == 0;
    let is_so = [
        borders > 0 && borders == shown.clone().count(),
        borders > 0 && borders < shown.count(),
        wanted.has_own_corner,
        wanted.corner.is_some(),
        wanted.is_void,
        wanted.is_last && wanted.has_two_slices,
        wanted.asked.way == Way::Gather && is_twice,
    ];
    for (times, is_so) in met.iter_mut().zip(is_so) {
        *times += u32::from(is_so);
    }
}

/// What has been seen of the probe whose items come.
#[derive(Debug, Default, Clone)]
struct Seen {
    taps: [Option<Tap>; 4],
    items: u32,
    /// What every item says of the probe as a whole.
    common: Vec<u64>,
}

#[test]
pub(crate) fn general_texels() {
    of(&config(), "general::texels", 12_000);
}

const MODES: &str = r#"address_modes = ["wrap", "clamp", "mirror", "border", "mirror_once"]"#;
const FETCH: &str = "[request]\noperations = [\"sample\", \"fetch\"]";
const FETCH_AND_GATHER: &str = "[request]\noperations = [\"sample\", \"fetch\", \"gather\"]";
const GATHER: &str = "[request]\noperations = [\"sample\", \"gather\"]";

/// Each feature by itself.
pub(crate) fn features() -> Vec<(&'static str, Config)> {
    let kinds = |name, kinds: &str, more: &str| {
        (name, changed(name, &format!("[texture]\nkinds = [{kinds}]\n{more}")))
    };
    let floats = "[texture]\nformats = [\"rgba8\", \"r32f\", \"bc1\", \"d32f\", \"rgba32f\"]\ncompare = true";
    let wide = |formats: &str, kinds: &str| {
        format!("[texture]\nkinds = [{kinds}]\nformats = [{formats}]\n{MODES}\n{GATHER}")
    };
    let numbers = "[filter]\nchannel_bits = 16\n[result]\nnumbers = \"fp32\"";
    vec![
        kinds("arrays", r#""2d_array""#, ""),
        kinds("arrays_and_cubes", r#""2d", "cube", "2d_array""#, ""),
        kinds("rows", r#""1d", "2d""#, ""),
        kinds("borders", r#""2d""#, MODES),
        kinds("borders_and_all", r#""1d", "cube", "3d""#, MODES),
        kinds("volumes", r#""3d""#, "trilinear = false"),
        kinds("fetch", r#""2d""#, FETCH),
        kinds("fetch_of_cubes", r#""2d", "cube""#, FETCH),
        kinds("fetch_of_rows", r#""1d", "3d""#, FETCH),
        ("gather", changed("gather", GATHER)),
        kinds("ripmaps", r#""2d""#, "ripmaps = true"),
        kinds(
            "ripmaps_and_all",
            r#""1d", "2d", "3d""#,
            &format!("ripmaps = true\n{MODES}\n{FETCH_AND_GATHER}"),
        ),
        ("gather_floats", changed("gather_floats", &format!("{floats}\n{GATHER}\n{numbers}"))),
        ("wide_colors", changed("wide_colors", &wide(r#""rgba16""#, r#""1d", "2d", "cube""#))),
        (
            "wide_and_others",
            changed("wide_and_others", &wide(r#""rgba8", "rgba16", "bc1""#, r#""2d", "3d""#)),
        ),
    ]
}

fn of_features(named: &str) {
    const PROBES: usize = 6000;
    for (name, config) in features().into_iter().filter(|(name, _)| name.starts_with(named)) {
        of(&config, &format!("general::texels of {name}"), PROBES);
    }
}

#[test]
pub(crate) fn general_texels_of_arrays() {
    of_features("arrays");
}

#[test]
pub(crate) fn general_texels_of_rows() {
    of_features("rows");
}

#[test]
pub(crate) fn general_texels_over_borders() {
    of_features("borders");
}

#[test]
pub(crate) fn general_texels_of_volumes() {
    of_features("volumes");
}

#[test]
pub(crate) fn general_texels_by_number() {
    of_features("fetch");
}

#[test]
pub(crate) fn general_texels_of_gathers() {
    of_features("gather");
}

#[test]
pub(crate) fn general_texels_of_ripmaps() {
    of_features("ripmaps");
}

#[test]
pub(crate) fn general_texels_of_eight_bytes() {
    of_features("wide");
}

/// All kinds, modes and operations, and nearly all formats.
const EVERYTHING: &str = r#"
[texture]
kinds = ["1d", "2d", "3d", "cube", "2d_array"]
formats = [
    "rgba8", "rgb8", "r8", "rg8", "rgb565", "rgba5551", "rgba4444", "rgb10a2", "r16", "rg16",
    "bc1", "bc2", "bc3", "bc4", "bc5", "d16", "d24", "d32f", "r32f", "r16f", "rg16f", "rgba16", "rg32f", "rgba32f", "rgba16f",
]
address_modes = ["wrap", "clamp", "mirror", "border", "mirror_once"]
max_anisotropy = 16
ripmaps = true
compare = true
srgb = true
swizzle = true
[request]
operations = ["sample", "lod", "bias", "fetch", "gather"]
[filter]
channel_bits = 16
[result]
numbers = "fp32"
"#;

pub(crate) fn everything() -> Config {
    changed("everything", EVERYTHING)
}

#[test]
pub(crate) fn general_texels_of_everything() {
    let met = of(&everything(), "general::texels of everything", 20_000);
    assert!(met.iter().all(|times| *times > 10), "what is rare is met too: {met:?}");
}

/// The same in four lanes.
pub(crate) fn in_lanes() -> Config {
    lanes_with("everything_in_lanes", EVERYTHING)
}

fn of(config: &Config, stage: &str, probes_wanted: usize) -> Met {
    let mut check = Check::new(stage);
    let mut rig = Rig::new("texels", Texels::new(config));
    let mut owed: Flow<Leaves> = Flow::default();
    let mut waiting: Vec<Bits> = vec![];
    let mut bound = binding(&mut check, config);
    let (mut probes, mut idle, mut seen) = (0, 0, Seen::default());
    let mut left_of_binding = 0;
    let mut met = Met::default();
    while idle < 80 {
        if waiting.is_empty() && probes < probes_wanted && left_of_binding == 0 {
            bound = binding(&mut check, config);
            left_of_binding = check.rng.random_range(1..60);
            waiting = registers(config, &bound);
            waiting.reverse();
        }
        let asks = (waiting.is_empty() && left_of_binding > 0).then(|| asked(&mut check, config, &bound));
        let word = waiting.last().copied().or_else(|| asks.map(|asked| probe_word(config, &asked)));
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
            leave(&mut check, config, &rig.tiles.val(), &mut owed, &mut seen);
        }
        if comes && is_high(rig.upstream_advance.val()) {
            match asks {
                Some(asked) => {
                    for slice in wanted(&bound, &asked) {
                        meet(&mut met, &slice);
                        owed.put(Leaves::Probe(Box::new(slice)));
                    }
                    left_of_binding -= 1;
                    probes += 1;
                }
                None => {
                    waiting.pop();
                    if waiting.is_empty() && bound.drop_cache {
                        owed.put(Leaves::Empties);
                    }
                }
            }
        }
        rig.tick();
        idle = if probes >= probes_wanted && left_of_binding == 0 && owed.is_empty() { idle + 1 } else { 0 };
    }
    owed.is_done(&mut check);
    check.at_least(probes_wanted as u64);
    met
}

/// An item that leaves adds its taps to those of its probe.
fn leave(check: &mut Check, config: &Config, tiles: &TileRequest, owed: &mut Flow<Leaves>, seen: &mut Seen) {
    if is_high(tiles.invalidates) {
        let wanted = owed.next(check);
        check.holds(matches!(wanted, Leaves::Empties), "the cache is emptied when it is asked for");
    }
    if !is_high(tiles.valid) {
        return;
    }
    let tap = ProbeTap::of(config).unpack(tiles.tap);
    let words = WordSelect::shape().unpack(tiles.word_selects);
    bring(check, config, tiles, &tap, &words, seen);
    if is_high(tap.ends_probe) {
        let seen = std::mem::take(seen);
        let Leaves::Probe(wanted) = owed.next(check) else {
            check.fail("a probe comes where the cache is to be emptied")
        };
        use_of_texels(check, config, &tap, &wanted);
        same(check, config, &tap, &seen, &wanted);
    }
}

/// The taps of an item among those of its probe.
fn bring(
    check: &mut Check,
    config: &Config,
    tiles: &TileRequest,
    tap: &ProbeTap,
    words: &WordSelect,
    seen: &mut Seen,
) {
    check.same("it is the first item", is_high(tap.starts_probe), seen.items == 0);
    let common = common(config, tap);
    if seen.items > 0 {
        check.same("what all items say", &common, &seen.common);
    }
    seen.common = common;
    seen.items += 1;
    for place in 0..4 {
        if !is_high(tap.brings.bit(place)) {
            continue;
        }
        let of_place = tap.sources[if has_pairs(config) { (place ^ place >> 1) & 1 } else { 0 }];
        let source = if is_high(tap.is_by_place) { of_place.to_u64() as usize } else { place };
        let (column, row) = (source & 1, source >> 1);
        let texel = |bits: &[Bits; 2], parity: usize| bits[parity].to_u64() << 1 | parity as u64;
        let texel = texel(&tap.row_bit1, row) << 2 | texel(&tap.column_bit1, column);
        if let Some(log2) = parts_log2(config, tap) {
            let own = wide_tap(check, tiles, words, texel, log2);
            check.holds(seen.taps[place].is_none(), "a tap comes once");
            seen.taps[place] = Some(own);
            continue;
        }
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
    if tiles.needed.to_u64() != 0 {
        check.holds(is_high(tap.is_valid), "what does not count reads nothing");
    }
}

/// log2 of the parts of a tile, where texels have more than four bytes.
fn parts_log2(config: &Config, tap: &ProbeTap) -> Option<u64> {
    let bytes =
        needs_format(config).then(|| Format::from_code(tap.format.to_u64() as u8))??.bytes_per_texel();
    (bytes > 4).then(|| (bytes / 4).ilog2().into())
}

/// The tap of a texel in a tile of parts, of which it stands in both columns of a row of banks.
fn wide_tap(check: &mut Check, tiles: &TileRequest, words: &WordSelect, texel: u64, parts_log2: u64) -> Tap {
    let (x, y) = (texel & 3, texel >> 2);
    let (banks_row, upper, part) = if parts_log2 == 1 { (x >> 1, y & 1, y >> 1) } else { (x & 1, x >> 1, y) };
    let banks_row = banks_row as usize;
    check.same("upper row of a wide texel", words.upper_row[banks_row].to_u64(), upper);
    let [bank, other] = [0, 1].map(|column: usize| words.banks[2 * banks_row + column].to_u64());
    check.same("banks of both columns", bank, other);
    check.holds(is_high(tiles.needed.bit(bank as usize)), "the part of a tap is asked for");
    // The tile begins so many lines in front of the part.
    ((tiles.line[bank as usize].to_u64() - 4 * part) * 2, texel)
}

/// What all items of a probe must say alike.
fn common(config: &Config, tap: &ProbeTap) -> Vec<u64> {
    let shape = TexelUse::of(config);
    let low =
        |bits: Bits| (0..bits.width()).fold(0u64, |sum, bit| sum.rotate_left(7) ^ bits.bit(bit).to_u64());
    let parts = [tap.odd_weight_x, tap.odd_weight_y, tap.has_corner, tap.corner, tap.is_valid, tap.format];
    let numbers = parts.into_iter().map(|part| part.to_u64());
    let texels = (shape.width() > 0).then(|| low(shape.pack(&tap.texels)));
    numbers.chain(texels).chain([tap.weight.to_u64()]).collect()
}

/// What the binding and the request say of texels.
fn use_of_texels(check: &mut Check, config: &Config, tap: &ProbeTap, wanted: &Wanted) {
    let (texture, sampler) = (&wanted.binding.texture, &wanted.binding.sampler);
    let general = config.features().general().expect("it is general");
    let asked = &wanted.asked;
    let ends = [tap.ends_pixel, tap.ends_quad].map(is_high);
    check.same("ends", ends, asked.ends.map(|ends| ends && wanted.is_last));
    check.same("it counts", is_high(tap.is_valid), asked.is_valid);
    if !asked.is_valid {
        return;
    }
    let has_weights = general.trilinear || general.max_anisotropy > 1 || wanted.said.contains("D3");
    if has_weights {
        check.same(format_args!("weight: {}", wanted.said), tap.weight.to_u64(), wanted.weight.into());
    }
    if needs_format(config) {
        check.same("format", tap.format.to_u64(), texture.format().code().into());
    }
    let texels = &tap.texels;
    check.same("sRGB-coded", is_high(texels.is_srgb), texture.is_srgb());
    let compare = sampler.compare.filter(|_| !matches!(asked.way, Way::Fetch { .. }));
    check.same("compares", is_high(texels.compares), compare.is_some());
    if let Some(op) = compare {
        check.same("comparison", texels.compare.to_u64(), op as u64);
        check.same("reference", texels.reference.to_u64(), asked.reference.into());
    }
    if general.swizzle {
        let shown = texture.swizzle().0.iter().rev().fold(0, |word, shown| word << 3 | *shown as u64);
        check.same("swizzle", texels.swizzle.to_u64(), shown);
    }
    check.same("it is a gather", is_high(texels.is_gather), asked.way == Way::Gather);
    if has_gather(config) {
        check.same("component", texels.component.to_u64(), asked.component.into());
    }
    if has_border(config) {
        check.same("border", texels.border.to_u64(), u32::from_le_bytes(sampler.border).into());
    }
    check.same(format_args!("there is no texel: {}", wanted.said), is_high(texels.is_void), wanted.is_void);
}

/// The taps and their weights.
fn same(check: &mut Check, config: &Config, tap: &ProbeTap, seen: &Seen, wanted: &Wanted) {
    let Wanted { said, taps, weights, corner, asked, .. } = wanted;
    check.same("a corner", is_high(tap.has_corner).then(|| tap.corner.to_u64() as usize), *corner);
    if !asked.is_valid || wanted.is_void {
        check.same(format_args!("taps of what reads nothing: {said}"), seen.taps, [None; 4]);
        return;
    }
    let border = if has_border(config) { tap.texels.border_taps.to_u64() } else { 0 };
    let is_short = wanted.binding.texture.format().tile_bytes() == 8;
    // The half of a line counts for tiles of half a line only.
    let exact = |tap: Tap| if is_short { tap } else { (tap.0 & !1, tap.1) };
    let shown = |tap: Shown| match tap {
        Shown::Texel(tap) => Shown::Texel(exact(tap)),
        Shown::Border => Shown::Border,
    };
    let expected = taps.map(|tap| tap.map(shown));
    let mut got = seen.taps.map(|tap| tap.map(|tap| Shown::Texel(exact(tap))));
    for place in (0..4).filter(|place| border >> place & 1 == 1) {
        check.same(format_args!("what the border shows is not read: {said}"), got[place], None);
        got[place] = Some(Shown::Border);
    }
    if asked.way == Way::Gather {
        let [x, y] = tap.texels.first_is_odd.map(|is_odd| is_odd.to_u64() as usize);
        let placed = [0, 1, 2, 3].map(|number: usize| number ^ (y << 1 | x));
        check.same(format_args!("gathered: {said}"), placed.map(|place| got[place]), expected);
        return;
    }
    // What each texel weighs, wherever it has its place.
    let weigh = |taps: &[Option<Shown>; 4], column: [u32; 2], row: [u32; 2], skips: Option<usize>| {
        let mut all: Vec<(Shown, u32)> = vec![];
        for (place, tap) in taps.iter().enumerate() {
            let weight = column[place & 1] * row[place >> 1];
            let Some(tap) = tap else {
                assert!(weight == 0 || skips == Some(place), "a tap with weight is missing: {taps:?} {said}");
                continue;
            };
            match all.iter_mut().find(|(own, _)| own == tap) {
                Some((_, sum)) => *sum += weight,
                None => all.push((*tap, weight)),
            }
        }
        all.retain(|(_, weight)| *weight > 0);
        all.sort_unstable();
        all
    };
    let [x, y] = weights.map(|weight| [256 - weight, weight]);
    let expected = weigh(&expected, x, y, *corner);
    let odd = [tap.odd_weight_x.to_u64() as u32, tap.odd_weight_y.to_u64() as u32];
    let [x, y] = odd.map(|weight| [256 - weight, weight]);
    check.same(format_args!("taps and weights: {said}"), weigh(&got, x, y, *corner), expected);
}
