//! What a unit does around sampling: bindings one after another, refused bindings, quads without pixels, order
//! of lookups, changing memory.

use tmu_model::{CacheModel, Lookup, MemoryImage, TextureUnit};
use tmu_spec::binding::field;
use tmu_spec::{
    AddressMode, Binding, BindingRule, Config, Features, Format, Quad, QuadResult, Sampler, Texture,
};

const BASE: u32 = 0x400;

/// Memory whose byte at offset n from [`BASE`] is n modulo 256.
fn counting_memory() -> MemoryImage<Vec<u8>> {
    MemoryImage::new(BASE, (0..8192u32).map(|byte| byte as u8).collect())
}

fn binding(format: Format, size_log2: u32, sampler: Sampler) -> Binding {
    Binding::new(BASE, Texture::new(format, size_log2, size_log2, size_log2).unwrap(), sampler).unwrap()
}

/// All pixels at the same place, in 1/8 of the texture.
fn quad_at(u: i32, v: i32, valid: u8) -> Quad {
    Quad::new([[u * 8192, v * 8192]; 4], valid)
}

const FAILED: QuadResult = QuadResult::new([[0; 4]; 4], 0b0110, true);

#[test]
fn nothing_bound_or_a_refused_binding_answers_with_errors() {
    let mut unit = TextureUnit::new(counting_memory());
    let quad = quad_at(1, 1, 0b0110);
    assert_eq!(unit.sample(&quad), FAILED);
    let good = binding(Format::Rgba8, 3, Sampler::default());
    unit.bind(&good).unwrap();
    assert!(!unit.sample(&quad).error());
    // One bit too many, and what was bound before holds no longer.
    let refused = unit.bind_record(good.record().with_word(0, |word| word | 1 << 54));
    assert_eq!(refused, Err(vec![BindingRule::ReservedBits]));
    assert_eq!((unit.sample(&quad), unit.binding(), unit.lod(&quad)), (FAILED, None, None));
    unit.lookups(&quad, |line| panic!("a refused binding looks up line {line}"));
    unit.bind(&good).unwrap();
    assert_eq!(unit.binding(), Some(&good));
    assert!(!unit.sample(&quad).error());
}

#[test]
fn what_is_not_built_is_refused() {
    let config = Config::from_toml("[texture]\nformats = [\"rgb8\"]\nbilinear = false").unwrap();
    let mut unit = TextureUnit::with_features(counting_memory(), *config.features());
    let bilinear = Sampler { bilinear: true, ..Sampler::default() };
    let expected = vec![BindingRule::Format, BindingRule::Feature];
    assert_eq!(unit.bind(&binding(Format::Rgba8, 3, bilinear)), Err(expected));
    assert_eq!(unit.bind(&binding(Format::Rgb8, 3, Sampler::default())), Ok(()));
    assert_ne!(*config.features(), Features::ALL);
}

#[test]
fn a_quad_without_pixels_is_answered_with_none() {
    let mut unit = TextureUnit::new(counting_memory());
    unit.bind(&binding(Format::Rgba8, 3, Sampler::default())).unwrap();
    assert_eq!(unit.sample(&quad_at(1, 1, 0)), QuadResult::new([[0; 4]; 4], 0, false));
    unit.lookups(&quad_at(1, 1, 0), |line| panic!("line {line} is looked up for nothing"));
}

#[test]
fn samples_by_hand() {
    // 8 x 8 rgba8: levels 3, 2, 1 take a tile of 64 bytes each, level 0 starts at 192.
    let mut unit = TextureUnit::new(counting_memory());
    unit.bind(&binding(Format::Rgba8, 3, Sampler::default())).unwrap();
    // Texel (5, 2): tile 1, row 2, column 1: 192 + (16 + 8 + 1) * 4 = 292 = 36 modulo 256.
    let colors = [[36, 37, 38, 39]; 4];
    assert_eq!(unit.sample(&quad_at(5, 2, 15)), QuadResult::new(colors, 15, false));
    // The same place in rgb8: levels of 48 bytes, 144 + 25 * 3 = 219.
    unit.bind(&binding(Format::Rgb8, 3, Sampler::default())).unwrap();
    assert_eq!(unit.sample(&quad_at(5, 2, 1)).rgba()[0], [219, 220, 221, 255]);
    // Indexed: 1024 + 48 + 25 = 1097, index 73, entry at 292.
    unit.bind(&binding(Format::I8Rgba8, 3, Sampler::default())).unwrap();
    assert_eq!(unit.sample(&quad_at(5, 2, 8)).rgba()[3], [36, 37, 38, 39]);
    // 768 + 48 + 25 = 841, index 73, entry at 219.
    unit.bind(&binding(Format::I8Rgb8, 3, Sampler::default())).unwrap();
    assert_eq!(unit.sample(&quad_at(5, 2, 8)).rgba()[3], [219, 220, 221, 255]);
    // Halfway between texels (4, 2) and (5, 2), and at the centre along v: 32 + (36 - 32) / 2.
    let bilinear = Sampler { bilinear: true, ..Sampler::default() };
    unit.bind(&binding(Format::Rgba8, 3, bilinear)).unwrap();
    let quad = Quad::new([[5 * 8192, 2 * 8192 + 4096]; 4], 1);
    assert_eq!(unit.sample(&quad).rgba()[0], [34, 35, 36, 37]);
}

#[test]
fn levels_by_hand() {
    let mipmapped = Sampler { mipmapped: true, ..Sampler::default() };
    let mut unit = TextureUnit::new(counting_memory());
    unit.bind(&binding(Format::Rgba8, 3, mipmapped)).unwrap();
    // Pixels 1, 2, 4 and 8 texels apart: levels 0 to 3, whose first bytes are at 192, 128, 64 and 0.
    for (level, first) in [(0, 192), (1, 128), (2, 64), (3, 0)] {
        let step = 8192 << level;
        let quad = Quad::new([[0, 0], [step, 0], [0, step], [step, step]], 15);
        assert_eq!(unit.lod(&quad), Some(level));
        assert_eq!(unit.sample(&quad).rgba()[0][0], first, "level {level}");
    }
}

#[test]
fn lookups_come_by_pixel_and_tap() {
    let wrap = Sampler { bilinear: true, ..Sampler::default() };
    let clamp = Sampler { address_u: AddressMode::Clamp, address_v: AddressMode::Clamp, ..wrap };
    let lookups = |binding: &Binding, quad: &Quad| {
        let mut unit = TextureUnit::new(counting_memory());
        unit.bind(binding).unwrap();
        let mut lines = Vec::new();
        unit.lookups(quad, |line| lines.push(line - BASE / 16));
        lines
    };
    // rgba8, 8 x 8: a line is a row of a tile, level 0 starts at line 12, tile n at 12 + 4 n.
    // At (4, 4) the taps are (3, 3), (4, 3), (3, 4), (4, 4), one in each tile.
    let four = [12 + 3, 16 + 3, 20, 24];
    assert_eq!(lookups(&binding(Format::Rgba8, 3, wrap), &quad_at(4, 4, 0b1000)), four);
    assert_eq!(lookups(&binding(Format::Rgba8, 3, wrap), &quad_at(4, 4, 0b0101)), [four, four].concat());
    // At the corner wrap goes round and clamp stays.
    let corner = quad_at(0, 0, 1);
    assert_eq!(lookups(&binding(Format::Rgba8, 3, wrap), &corner), [24 + 3, 20 + 3, 16, 12]);
    assert_eq!(lookups(&binding(Format::Rgba8, 3, clamp), &corner), [12; 4]);
    // rgb8, 8 x 8, nearest (5, 2): byte 219 to 221 is within line 13; (6, 2) is 222 to 224, lines 13 and 14.
    let nearest = Sampler::default();
    assert_eq!(lookups(&binding(Format::Rgb8, 3, nearest), &quad_at(5, 2, 1)), [13]);
    assert_eq!(lookups(&binding(Format::Rgb8, 3, nearest), &quad_at(6, 2, 1)), [13, 14]);
    // Indexed: the colour table is not looked up; 1024 + 48 + 25 = 1097 is in line 68.
    assert_eq!(lookups(&binding(Format::I8Rgba8, 3, nearest), &quad_at(5, 2, 1)), [68]);
}

#[test]
fn a_walk_through_the_cache_counts_repeats_hits_and_misses() {
    let mut unit = TextureUnit::new(counting_memory());
    unit.bind(&binding(Format::Rgba8, 3, Sampler::default())).unwrap();
    let mut cache = CacheModel::new(Config::from_toml("").unwrap().cache());
    let mut got = Vec::new();
    for x in [0, 1, 4, 3] {
        unit.lookups(&quad_at(x, 0, 1), |line| got.push(cache.lookup(line, 0)));
    }
    // Texels 0 and 1 share a line, 4 begins the next tile, 3 goes back to the first line.
    let miss = Lookup::Miss { way: 0, evicted: None };
    assert_eq!(got, [miss, Lookup::Repeat, miss, Lookup::Hit { way: 0 }]);
    assert_eq!(cache.lines_touched(), 2);
}

#[test]
fn texels_follow_memory_and_colours_the_binding() {
    let mut unit = TextureUnit::new(MemoryImage::new(BASE, vec![0u8; 8192]));
    let indexed = binding(Format::I8Rgb8, 2, Sampler::default());
    unit.bind(&indexed).unwrap();
    let quad = quad_at(0, 0, 1);
    assert_eq!(unit.sample(&quad).rgba()[0], [0, 0, 0, 255]);
    *unit.memory_mut() = MemoryImage::new(BASE, vec![9u8; 8192]);
    // Index 9 now, of the table as it was.
    assert_eq!(unit.sample(&quad).rgba()[0], [0, 0, 0, 255]);
    unit.bind(&indexed).unwrap();
    assert_eq!(unit.sample(&quad).rgba()[0], [9, 9, 9, 255]);
    unit.bind(&binding(Format::Rgb8, 2, Sampler::default())).unwrap();
    *unit.memory_mut() = MemoryImage::new(BASE, vec![7u8; 8192]);
    assert_eq!(unit.sample(&quad).rgba()[0], [7, 7, 7, 255]);
}

/// The largest base that fits samples the window's last bytes; the next one breaks a rule, and nothing is read.
#[test]
fn a_texture_may_end_with_the_window_and_not_behind_it() {
    // 4 x 4 rgba8: three levels of a tile each, level 0 last.
    let texture = Texture::new(Format::Rgba8, 2, 2, 2).unwrap();
    let mut unit = TextureUnit::new(MemoryImage::new(0x7fff_ffc0, (0..64).collect::<Vec<u8>>()));
    let last = Binding::new(0x7fff_ff40, texture, Sampler::default()).unwrap();
    unit.bind(&last).unwrap();
    assert_eq!(unit.sample(&quad_at(2, 0, 1)).rgba()[0], [4, 5, 6, 7]);
    let past = last.record().with(field::BASE, last.base() + 16);
    assert_eq!(unit.bind_record(past), Err(vec![BindingRule::Window]));
    assert_eq!(unit.sample(&quad_at(2, 0, 1)), QuadResult::failed(1));
    // 256 x 256 from a place where not even its first level fits.
    let large =
        [(field::WIDTH_LOG2, 8), (field::HEIGHT_LOG2, 8), (field::MAX_LOD, 8), (field::BASE, 0x7fff_fc00)]
            .into_iter()
            .fold(last.record(), |record, (field, value)| record.with(field, value));
    assert_eq!(unit.bind_record(large), Err(vec![BindingRule::Window]));
}
