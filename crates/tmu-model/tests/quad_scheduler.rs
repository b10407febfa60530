//! In which items quads pass the prefetching cache, and what each looks up: by hand.

use tmu_model::{MemoryImage, TextureUnit, UnitCache};
use tmu_spec::binding::field::FORMAT;
use tmu_spec::{AddressMode, Binding, Config, Format, Quad, Record, Sampler, Texture};

const BILINEAR: Sampler =
    Sampler { bilinear: true, mipmapped: false, address_u: AddressMode::Wrap, address_v: AddressMode::Wrap };

/// A unit as it stands behind a prefetching cache, with a square texture bound.
fn unit(size_log2: u32, sampler: Sampler) -> TextureUnit<MemoryImage<Vec<u8>>> {
    let mut unit = TextureUnit::new(MemoryImage::new(0, Vec::new())).dropping_weightless_taps(true);
    let texture = Texture::new(Format::Rgba8, size_log2, size_log2, size_log2).unwrap();
    unit.bind(&Binding::new(0, texture, sampler).unwrap()).unwrap();
    unit
}

/// A quad by the places of its pixels in hundredths of a texel, counted from the centre of texel 0: the fraction
/// is the weight of the second tap.
fn quad(size_log2: u32, places: [[i32; 2]; 4], valid: u8) -> Quad {
    Quad::new(places.map(|place| place.map(|at| (((at + 50) << 16) >> size_log2) / 100)), valid)
}

/// A quad with pixel 0 at a place and the others to its right and below, so many hundredths of a texel away.
fn upright([x, y]: [i32; 2], step: i32) -> [[i32; 2]; 4] {
    [[x, y], [x + step, y], [x, y + step], [x + step, y + step]]
}

/// Column and row of the tiles of each item.
fn slots_of(size_log2: u32, sampler: Sampler, quad: &Quad, takes_quads: bool) -> Vec<Vec<[u32; 2]>> {
    let mut items = Vec::new();
    unit(size_log2, sampler).items(quad, takes_quads, |tiles| {
        items.push(tiles.iter().map(|tile| [tile.column, tile.row]).collect());
    });
    items
}

/// The same of a texture of 64 x 64 texels, all pixels valid.
fn items(places: [[i32; 2]; 4]) -> Vec<Vec<[u32; 2]>> {
    slots_of(6, BILINEAR, &quad(6, places, 15), true)
}

#[test]
fn upright_quads_at_1_to_1_are_one_slot() {
    assert_eq!(items(upright([110, 120], 100)), [[[0, 0]]]);
    assert_eq!(items(upright([350, 110], 100)), [[[0, 0], [1, 0]]]);
    assert_eq!(items(upright([350, 350], 100)), [[[0, 0], [1, 0], [0, 1], [1, 1]]]);
    // By rising bank: the even column and the even row first, wherever they stand.
    assert_eq!(items(upright([750, 750], 100)), [[[2, 2], [1, 2], [2, 1], [1, 1]]]);
    // One pixel an item: what each of them needs.
    let of_pixels = slots_of(6, BILINEAR, &quad(6, upright([350, 350], 100), 15), false);
    let all = vec![[0, 0], [1, 0], [0, 1], [1, 1]];
    assert_eq!(of_pixels, [all, vec![[1, 0], [1, 1]], vec![[0, 1], [1, 1]], vec![[1, 1]]]);
}

#[test]
fn tiles_stand_row_by_row_behind_the_smaller_levels() {
    let texture = Texture::new(Format::Rgb8, 6, 5, 6).unwrap();
    let mut unit = TextureUnit::new(MemoryImage::new(0, Vec::new()));
    unit.bind(&Binding::new(0x1230, texture, Sampler::default()).unwrap()).unwrap();
    // Texel (42, 23) of 64 x 32 is in column 10 and row 5 of 16 columns, behind 32 + 8 + 2 + 1 + 1 + 1 tiles of the smaller
    // levels; tiles of three bytes a texel have three lines.
    let pixel = [(42 << 16) / 64 + 1, (23 << 16) / 32 + 1];
    let mut lines = Vec::new();
    unit.items(&Quad::new([pixel; 4], 15), true, |tiles| {
        lines.extend(tiles.iter().map(|tile| (tile.column, tile.row, tile.first_line)));
    });
    assert_eq!(lines, [(10, 5, 0x123 + 3 * (45 + 16 * 5 + 10))]);
}

#[test]
fn a_quad_on_its_corner_leaves_out_the_bank_that_no_pixel_needs() {
    // Columns 3 to 5 and rows 1 to 4, but no pixel has column 3 and row 4.
    let places = [[425, 185], [496, 256], [354, 256], [425, 326]];
    assert_eq!(items(places), [[[0, 0], [1, 0], [1, 1]]]);
}

#[test]
fn minified_quads_fall_into_pixels() {
    // Columns 0, 1 and 3, 4: of 0 and 4 a bank of texels could give one.
    let places = upright([50, 50], 300);
    let expected =
        [vec![[0, 0]], vec![[0, 0], [1, 0]], vec![[0, 0], [0, 1]], vec![[0, 0], [1, 0], [0, 1], [1, 1]]];
    assert_eq!(items(places), expected);
    // On the centres the second column and row have no weight: 0 and 3.
    assert_eq!(items(upright([0, 0], 300)), [[[0, 0]]]);
    // Nearest needs one of each, too: 0 and 3, but 0 and 8 are two even columns of tiles.
    let nearest = |step| {
        let sampler = Sampler { bilinear: false, ..BILINEAR };
        slots_of(6, sampler, &quad(6, upright([20, 20], step), 15), true).len()
    };
    assert_eq!([nearest(300), nearest(400), nearest(500), nearest(800)], [1, 4, 1, 4]);
    // Mipmaps bring the pixels back together: in level 2 they lie three quarters of a texel apart.
    let mipmapped = Sampler { mipmapped: true, ..BILINEAR };
    let below = |sampler| slots_of(6, sampler, &quad(6, upright([450, 450], 300), 15), true);
    assert_eq!((below(BILINEAR).len(), below(mipmapped)), (4, vec![vec![[0, 0]]]));
}

#[test]
fn edges_of_small_levels() {
    // Levels of 1, 2 and 4 texels are one tile, wherever the quad lies.
    for size_log2 in 0..3 {
        for at in [-350, -80, 20, 390, 1000] {
            let quad = quad(size_log2, upright([at, at], 100), 15);
            assert_eq!(slots_of(size_log2, BILINEAR, &quad, true), [[[0, 0]]], "{size_log2}, {at}");
        }
    }
    // Around the edge of 8 texels: columns 6, 7 and 7, 0; then 7, 0 and 0, 1.
    for at in [650, 750] {
        let quad = quad(3, upright([at, 10], 100), 15);
        assert_eq!(slots_of(3, BILINEAR, &quad, true), [[[0, 0], [1, 0]]]);
    }
    // The same of 64 texels, with tiles 15 and 0.
    assert_eq!(items(upright([6350, 10], 100)), [[[0, 0], [15, 0]]]);
}

#[test]
fn mirrored_and_clamped_edges_stay_on_their_side() {
    let edge = |mode, places| {
        let sampler = Sampler { address_u: mode, ..BILINEAR };
        slots_of(6, sampler, &quad(6, places, 15), true)
    };
    for at in [6250, 6310, 6350] {
        assert_eq!(edge(AddressMode::Mirror, upright([at, 110], 100)), [[[15, 0]]]);
        assert_eq!(edge(AddressMode::Clamp, upright([at, 110], 100)), [[[15, 0]]]);
    }
    // The mirror lies within the quad: 62, 63 and, five texels on, 59, 60, which is in the tile before.
    assert_eq!(edge(AddressMode::Mirror, upright([6250, 110], 500)).len(), 4);
    assert_eq!(edge(AddressMode::Mirror, [[6250, 110], [6650, 110], [6250, 210], [6650, 210]]), [[[15, 0]]]);
}

#[test]
fn pixels_that_are_not_valid_count_for_nothing() {
    let items =
        |valid, takes_quads| slots_of(6, BILINEAR, &quad(6, upright([50, 150], 300), valid), takes_quads);
    assert_eq!(items(0b0001, true), [[[0, 0]]]);
    // A column of the quad: rows 1, 2 and 4, 5.
    assert_eq!(items(0b0101, true), [vec![[0, 0]], vec![[0, 1]]]);
    // A row of it: columns 0, 1 and 3, 4.
    assert_eq!(items(0b0011, true), [vec![[0, 0]], vec![[0, 0], [1, 0]]]);
    assert_eq!(items(0b1011, true).len(), 3);
    assert_eq!(items(0, true), [Vec::<[u32; 2]>::new()]);
    // One pixel an item: the valid ones, and two items at least.
    assert_eq!(items(0b0101, false), [[[0, 0]], [[0, 1]]]);
    assert_eq!(items(0b0100, false), [vec![[0, 1]], vec![]]);
    assert_eq!(items(0, false), [Vec::<[u32; 2]>::new(), vec![]]);
    let mut refused = unit(6, BILINEAR);
    refused.bind_record(Record::default().with(FORMAT, 0xff)).unwrap_err();
    refused.items(&quad(6, upright([0, 0], 100), 15), true, |tiles| panic!("looks up {tiles:?}"));
}

#[test]
fn counts_are_of_slots_and_tiles() {
    let counts = |pixels_per_clock: u32, places: [[i32; 2]; 4]| {
        let toml = format!(
            "request = {{ beats_per_quad = 1 }}\nresult = {{ fifo_depth = 32 }}\n\
             datapath = {{ pixels_per_clock = {pixels_per_clock} }}\n\
             cache = {{ kind = \"prefetch\", replacement = \"round_robin\" }}\naxi = {{ outstanding_reads = 4 }}"
        );
        let mut cache = UnitCache::new(&Config::from_toml(&toml).unwrap());
        let unit = unit(6, BILINEAR);
        for _ in 0..2 {
            cache.follow(&unit, &quad(6, places, 15));
        }
        let counts = cache.counts();
        [counts.lookups, counts.repeats, counts.hits, counts.misses]
    };
    // Four tiles, each once a quad; or four, two, two and one a pixel.
    assert_eq!(counts(4, upright([350, 350], 100)), [8, 4, 0, 4]);
    assert_eq!(counts(1, upright([350, 350], 100)), [18, 14, 0, 4]);
    // A quad that falls into pixels is looked up as by pixels.
    assert_eq!(counts(4, upright([50, 50], 300)), counts(1, upright([50, 50], 300)));
}
