//! The scenes that are shipped, and the page that describes scene files.

use std::path::Path;

use tmu_assets::Picture;
use tmu_scene::{AnyScene, GeneralGoldenEngine, GoldenEngine, render};
use tmu_spec::{Config, Preset};
use tmu_testing::repository;

/// Renders a scene at its own size by the golden model: of the default configuration, or of the preset `multi` for what needs
/// the general numerics.
fn picture(path: &Path) -> Picture {
    let scene = AnyScene::load(path).unwrap_or_else(|problems| panic!("{problems}"));
    let drawn = match scene {
        AnyScene::Classic(scene) => {
            let config = Config::from_toml("").expect("the default configuration");
            let mut engine = GoldenEngine::new(scene.memory(), &config);
            render(&scene, scene.size(), &mut engine, &mut |_, _| {})
        }
        scene @ AnyScene::General(_) => {
            let config = preset("multi");
            let scene = scene.into_general(config.features().general().expect("general numerics"));
            let mut engine = GeneralGoldenEngine::new(scene.memory(), &config);
            render(&scene, scene.size(), &mut engine, &mut |_, _| {})
        }
    };
    let (frame, statistics) = drawn.expect("golden never breaks");
    assert_eq!(statistics.requests.errors, 0, "{}", path.display());
    let texels = frame.rgb().as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    Picture::from_texels(frame.size().width() as usize, frame.size().height() as usize, texels)
}

fn preset(name: &str) -> Config {
    Preset::find(name).and_then(|preset| preset.config().ok()).expect("a preset")
}

/// Scenes that need the general numerics.
fn needs_general(path: &Path) -> bool {
    matches!(AnyScene::load(path), Ok(AnyScene::General(_)))
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
        let preset = if needs_general(&path) { " --preset multi" } else { "" };
        let repeat =
            format!("cargo run --release -- render scenes/{name}.toml -o docs/images/{name}.png{preset}");
        assert!(picture(&path) == expected, "{name} differs; look at the new picture, then `{repeat}`");
    }
    assert_eq!(count, 15, "scenes");
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

/// What anisotropic probes are for: far rows keep the boards that two levels blend into grey.
#[test]
fn anisotropic_probes_keep_what_trilinear_filtering_blurs() {
    let picture = picture(&repository().join("scenes/anisotropic-floor.toml"));
    // Fields alternate along the rows; each half by itself.
    let half = |row: usize, columns: std::ops::Range<usize>| {
        let red = |x: usize| f64::from(picture.texel(x, row)[0]);
        let steps = columns.len() as f64;
        columns.map(|x| (red(x + 1) - red(x)).abs()).sum::<f64>() / steps
    };
    let contrast = |columns: std::ops::Range<usize>| -> f64 {
        (110..140).map(|row| half(row, columns.clone())).sum::<f64>() / 30.0
    };
    let (left, right) = (contrast(20..300), contrast(340..620));
    assert!(right > 1.5 * left, "trilinear {left}, anisotropic {right}");
}

/// A ripmap keeps the edges that run towards the horizon, where a mipmap has blurred all of them.
#[test]
fn ripmaps_keep_what_mipmaps_blur() {
    let picture = picture(&repository().join("scenes/ripmap-floor.toml"));
    let contrast = |columns: std::ops::Range<usize>| -> f64 {
        let red = |x: usize, row: usize| f64::from(picture.texel(x, row)[0]);
        let steps = columns.len() as f64;
        let row =
            |row: usize| columns.clone().map(|x| (red(x + 1, row) - red(x, row)).abs()).sum::<f64>() / steps;
        (128..134).map(row).sum::<f64>() / 6.0
    };
    // The strip in the middle is 20 columns wide there.
    let (mipmapped, ripmapped) = (contrast(270..300), contrast(313..327));
    assert!(ripmapped > 5.0 * mipmapped && ripmapped > 0.5, "mipmapped {mipmapped}, ripmap {ripmapped}");
}

/// The shadow lies where the lamp does not reach: behind the torus as the lamp sees it.
#[test]
fn shadows_lie_behind_what_casts_them() {
    let path = repository().join("scenes/shadow-map.toml");
    let text = std::fs::read_to_string(&path).expect("the scene");
    let of = |text: &str| {
        let scene = AnyScene::parse(&path, text).unwrap_or_else(|problems| panic!("{problems}"));
        let config = preset("multi");
        let scene = scene.into_general(config.features().general().expect("general numerics"));
        let mut engine = GeneralGoldenEngine::new(scene.memory(), &config);
        let size = "160x90".parse().expect("a size");
        render(&scene, size, &mut engine, &mut |_, _| {}).expect("golden never breaks").0.into_rgb()
    };
    let (shadowed, lit) = (of(&text), of(&text.replace("compare = \"lequal\"", "compare = \"always\"")));
    let darker = |(a, b): (&u8, &u8)| a < b;
    let pairs = || std::iter::zip(&shadowed, &lit);
    assert!(pairs().all(|(a, b)| a <= b), "a shadow brightens nothing");
    let part = pairs().filter(|pair| darker(*pair)).count() as f64 / shadowed.len() as f64;
    assert!((0.03..0.3).contains(&part), "{part} of the picture lies in shadow");
}

#[test]
fn examples_of_the_reference_page_are_scenes() {
    let page = std::fs::read_to_string(repository().join("docs/reference/scene.md")).expect("the page");
    let examples: Vec<_> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().expect("an example")).collect();
    assert_eq!(examples.len(), 2);
    for (number, example) in examples.iter().enumerate() {
        match AnyScene::parse(&repository().join("scenes/example.toml"), example) {
            Ok(scene) => assert_eq!(matches!(scene, AnyScene::General(_)), number == 1),
            Err(problems) => panic!("{problems}"),
        }
    }
}
