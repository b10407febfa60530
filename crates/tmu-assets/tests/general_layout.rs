//! Textures of every kind: what is packed can be fetched from where the contract says, worked out here without the crate's layout.

use std::path::PathBuf;
use tmu_assets::{GeneralOptions, MipFilter, Picture, Raster, pack_general};
use tmu_spec::Format;
use tmu_spec::general::{Kind, Pyramid, Swizzle};

fn picture(width: usize, height: usize, slice: usize) -> Raster {
    let texel = |number: usize| {
        let hash = (number + 1).wrapping_mul(2_654_435_761) ^ (slice + 1).wrapping_mul(40_503);
        [hash, hash >> 5, hash >> 11, hash >> 16].map(|byte| byte as u8)
    };
    Raster::from(&Picture::from_texels(width, height, (0..width * height).map(texel).collect()))
}

/// Where a texel of `rgba8` starts, after the page: level by level, slices of whole lines, tiles row by row.
fn place(kind: Kind, size: [usize; 3], level: usize, [x, y, slice]: [usize; 3]) -> usize {
    let slices = |level: usize| match kind {
        Kind::D3 => (size[2] >> level).max(1),
        _ => size[2],
    };
    let side = |axis: usize, level: usize| (size[axis] >> level).max(1);
    let tiles = |level: usize| match kind {
        Kind::D1 => (side(0, level).div_ceil(16), 1),
        _ => (side(0, level).div_ceil(4), side(1, level).div_ceil(4)),
    };
    let slice_bytes = |level: usize| tiles(level).0 * tiles(level).1 * 64;
    let before: usize = (0..level).map(|level| slice_bytes(level) * slices(level)).sum();
    let (tile, column, row) = match kind {
        Kind::D1 => (x / 16, x % 4, x / 4 % 4),
        _ => (y / 4 * tiles(level).0 + x / 4, x % 4, y % 4),
    };
    before + slice * slice_bytes(level) + tile * 64 + 16 * row + 4 * column
}

#[test]
fn texels_of_every_level_and_slice_stand_in_their_place() {
    for (kind, width, height, slices) in [
        (Kind::D1, 1, 1, 1),
        (Kind::D1, 77, 1, 1),
        (Kind::D2, 13, 31, 1),
        (Kind::D2, 64, 3, 1),
        (Kind::D3, 9, 6, 11),
        (Kind::Cube, 10, 10, 6),
        (Kind::D2Array, 5, 18, 7),
    ] {
        let pictures: Vec<_> = (0..slices).map(|slice| picture(width, height, slice)).collect();
        let options = GeneralOptions {
            kind,
            format: Format::Rgba8,
            levels: None,
            swizzle: Swizzle::NONE,
            is_srgb: false,
            pyramid: Pyramid::Mipmap,
            mip_filter: MipFilter::Box,
            dither: false,
        };
        let paths = vec![PathBuf::from("a.png"); slices];
        let image = pack_general(&pictures, &options, &paths).unwrap();
        for level in 0..image.texture().levels() {
            let raster = image.level(level, &paths[0]).unwrap();
            let [columns, rows, depth] = raster.size();
            for (number, texel) in raster.texels().iter().enumerate() {
                let at = [number % columns, number / columns % rows, number / columns / rows];
                let start = place(kind, [width, height, slices], level as usize, at);
                let stored = &image.memory()[start..start + 4];
                assert!(
                    stored.iter().zip(texel).all(|(&a, &b)| u16::from(a) == b),
                    "{kind} level {level} {at:?}"
                );
            }
            if level == 0 {
                assert_eq!(raster, Raster::stacked(&pictures), "{kind}");
            }
            assert_eq!(depth, if kind == Kind::D3 { (slices >> level).max(1) } else { slices });
        }
    }
}
