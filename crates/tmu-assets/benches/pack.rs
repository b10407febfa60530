//! Time from a decoded picture to the memory image, 2048 × 2048 texels with all levels.

use std::path::Path;
use tmu_assets::{MipFilter, PackOptions, Picture, pack};
use tmu_spec::Format;

fn main() {
    divan::main();
}

/// A photograph, repeated mirrored until it fills the largest texture, with a slow brightness ramp across it: that
/// gives the number of distinct colours of a large photograph, which is what quantisation costs by.
fn photograph() -> Picture {
    const SIDE: usize = 2048;
    let path = tmu_testing::repository().join("assets/coffee.jpg");
    let photo = Picture::open(&path).expect("the example picture");
    let mirrored = |at: usize, side: usize| {
        let within = at % side;
        if (at / side).is_multiple_of(2) { within } else { side - 1 - within }
    };
    let texels = (0..SIDE * SIDE).map(|index| {
        let (x, y) = (index % SIDE, index / SIDE);
        let [r, g, b, _] = photo.texel(mirrored(x, photo.width()), mirrored(y, photo.height()));
        let dimmed = |code: u8| (usize::from(code) * (SIDE + x + y) / (3 * SIDE)) as u8;
        [dimmed(r), dimmed(g), dimmed(b), 255]
    });
    Picture::from_texels(SIDE, SIDE, texels.collect())
}

#[divan::bench(args = Format::CLASSIC, sample_count = 5)]
fn format(bencher: divan::Bencher, format: Format) {
    run(bencher, format, MipFilter::Box, false);
}

#[divan::bench(args = MipFilter::ALL, sample_count = 5)]
fn mip_filter(bencher: divan::Bencher, filter: MipFilter) {
    run(bencher, Format::Rgba8, filter, false);
}

#[divan::bench(sample_count = 5)]
fn dithered(bencher: divan::Bencher) {
    run(bencher, Format::I8Rgba8, MipFilter::Box, true);
}

fn run(bencher: divan::Bencher, format: Format, mip_filter: MipFilter, dither: bool) {
    let picture = photograph();
    let options = PackOptions { format, mip_filter, mipmaps: true, dither };
    bencher.bench(|| pack(&picture, &options, Path::new("photograph")).expect("a texture's size"));
}
