//! The filter `exact` against the golden model of the loader engine: the same bytes, whatever the format, the kind and the sides.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use tmu_assets::{
    GeneralOptions, LinearPicture, MipFilter, PackOptions, Picture, Raster, pack, pack_general,
};
use tmu_model::engines::loader::Job;
use tmu_spec::Format;
use tmu_spec::general::{Kind, Swizzle};
use tmu_spec::loader::{has_means, loads};

const BASE: u32 = 0x4000;

fn pictures(random: &mut ChaCha8Rng, [width, height]: [usize; 2], count: usize) -> Vec<Raster> {
    let mut raster = || {
        let texels = (0..width * height).map(|_| std::array::from_fn(|_| random.random())).collect();
        Raster::new([width, height, 1], 16, texels)
    };
    (0..count).map(|_| raster()).collect()
}

/// What the engine makes of pictures as the packer lays them out for it.
fn loaded(pictures: &[Raster], image: &tmu_assets::GeneralImage) -> Vec<u8> {
    let texture = image.texture();
    let picture = LinearPicture::new(pictures, texture.format()).unwrap();
    let start = BASE + picture.bytes.len() as u32;
    let job = Job {
        picture: BASE,
        pitch: picture.pitch,
        slice_pitch: picture.slice_pitch,
        texture: start,
        shape: *texture.shape(),
        is_srgb: texture.is_srgb(),
    };
    let mut memory = picture.bytes;
    memory.resize(memory.len() + image.memory().len(), 0);
    assert_eq!(job.settings().job(), Ok(job));
    let bytes = job.run(BASE, &mut memory);
    assert_eq!(bytes, image.memory().len() as u64);
    memory.split_off((start - BASE) as usize)
}

#[test]
fn the_packer_makes_the_bytes_of_the_loader() {
    let mut random = ChaCha8Rng::seed_from_u64(17);
    for format in Format::ALL.into_iter().filter(|format| loads(*format)) {
        for (kind, size, count) in [
            (Kind::D2, [37, 22], 1),
            (Kind::D2, [16, 64], 1),
            (Kind::D3, [9, 6], 5),
            (Kind::Cube, [7, 7], 6),
            (Kind::D2Array, [5, 12], 3),
        ] {
            for is_srgb in [false, true] {
                if is_srgb && !format.can_be_srgb() {
                    continue;
                }
                let pictures = pictures(&mut random, size, count);
                let levels = if has_means(format) { None } else { Some(1) };
                let options = GeneralOptions {
                    kind,
                    format,
                    levels,
                    swizzle: Swizzle::NONE,
                    is_srgb,
                    mip_filter: MipFilter::Exact,
                    dither: false,
                };
                let paths: Vec<_> = (0..count).map(|number| PathBuf::from(format!("{number}"))).collect();
                let image = pack_general(&pictures, &options, &paths).unwrap();
                assert!(loaded(&pictures, &image) == image.memory(), "{format} {kind} {size:?} {is_srgb}");
            }
        }
    }
}

#[test]
fn textures_of_powers_of_two_have_the_same_bytes() {
    let mut random = ChaCha8Rng::seed_from_u64(18);
    for format in [Format::Rgba8, Format::Rgb8, Format::Rgb565] {
        let texels = (0..32 * 8).map(|_| random.random()).collect();
        let picture = Picture::from_texels(32, 8, texels);
        let options = PackOptions { format, mip_filter: MipFilter::Exact, mipmaps: true, dither: false };
        let image = pack(&picture, &options, &PathBuf::from("a.png")).unwrap();
        let bytes = image.memory().to_vec();
        assert!(loaded(&[Raster::from(&picture)], &image.into()) == bytes, "{format}");
    }
}

#[test]
fn what_has_no_exact_levels_is_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(19);
    for (format, levels, is_refused) in [
        (Format::R32f, None, true),
        (Format::R32f, Some(1), false),
        (Format::D16, None, true),
        (Format::Bc1, Some(1), true),
        (Format::I8Rgba8, None, true),
    ] {
        let options = GeneralOptions {
            kind: Kind::D2,
            format,
            levels,
            swizzle: Swizzle::NONE,
            is_srgb: false,
            mip_filter: MipFilter::Exact,
            dither: false,
        };
        let pictures = pictures(&mut random, [8, 8], 1);
        let packed = pack_general(&pictures, &options, &[PathBuf::from("a.png")]);
        assert_eq!(packed.is_err(), is_refused, "{format}");
        let said = packed.err().map_or_else(String::new, |problems| problems.to_string());
        assert!(!is_refused || said.contains("mip filter exact"), "{format}: {said}");
    }
    assert!(LinearPicture::new(&pictures(&mut random, [8, 8], 1), Format::Bc7).is_none());
}
