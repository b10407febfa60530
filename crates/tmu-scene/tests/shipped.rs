//! The scenes that are shipped, and the page that describes scene files.

use std::path::Path;

use tmu_assets::Picture;
use tmu_scene::{GoldenEngine, Scene, render};
use tmu_spec::Config;
use tmu_testing::repository;

/// Renders a scene at its own size by the golden model.
fn picture(path: &Path) -> Picture {
    let scene = Scene::load(path).unwrap_or_else(|problems| panic!("{problems}"));
    let config = Config::from_toml("").expect("the default configuration");
    let mut engine = GoldenEngine::new(scene.memory(), &config);
    let (frame, statistics) =
        render(&scene, scene.size(), &mut engine, &mut |_, _| {}).expect("golden never breaks");
    assert_eq!(statistics.requests.errors, 0, "{}", path.display());
    let texels = frame.rgb().as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    Picture::from_texels(frame.size().width() as usize, frame.size().height() as usize, texels)
}

#[test]
fn every_scene_gives_its_picture_in_the_docs() {
    let mut count = 0;
    for entry in std::fs::read_dir(repository().join("scenes")).expect("the scenes") {
        let path = entry.expect("a directory entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        count += 1;
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let image = repository().join(format!("docs/images/{name}.png"));
        let expected = Picture::open(&image).unwrap_or_else(|problems| panic!("{problems}"));
        let repeat = format!("cargo run --release -- render scenes/{name}.toml -o docs/images/{name}.png");
        assert!(picture(&path) == expected, "{name} differs; look at the new picture, then `{repeat}`");
    }
    assert_eq!(count, 6, "scenes");
}

#[test]
fn one_texel_a_pixel_gives_the_photograph_back() {
    let photograph = Picture::open(&repository().join("assets/coffee.jpg")).expect("a photograph");
    let drawn = picture(&repository().join("scenes/rectangle-photo.toml"));
    assert_eq!((drawn.width(), drawn.height()), (360, 300));
    // The rectangle's corner is at (-60, -90).
    for (x, y) in (0..300).flat_map(|y| (0..360).map(move |x| (x, y))) {
        assert_eq!(drawn.texel(x, y), photograph.texel(x + 60, y + 90), "pixel ({x}, {y})");
    }
}

/// The mean difference of horizontal neighbours in a row of a picture: 0 where it is flat, large where it aliases.
fn contrast(picture: &Picture, row: usize) -> f64 {
    let red = |x: usize| f64::from(picture.texel(x, row)[0]);
    (1..picture.width()).map(|x| (red(x) - red(x - 1)).abs()).sum::<f64>() / (picture.width() - 1) as f64
}

#[test]
fn the_far_floor_is_calm_with_mipmaps_and_aliases_without() {
    let calm = picture(&repository().join("scenes/horizon-floor.toml"));
    let aliased = picture(&repository().join("scenes/horizon-floor-aliased.toml"));
    // The horizon is above row 94; the next rows see some hundred repeats each.
    for row in 95..110 {
        assert!(contrast(&calm, row) < 1.0, "row {row}: {}", contrast(&calm, row));
        assert!(contrast(&aliased, row) > 20.0, "row {row}: {}", contrast(&aliased, row));
    }
}

#[test]
fn the_example_of_the_reference_page_is_a_scene() {
    let page = std::fs::read_to_string(repository().join("docs/reference/scene.md")).expect("the page");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    if let Err(problems) = Scene::parse(&repository().join("scenes/example.toml"), example) {
        panic!("{problems}");
    }
}
