//! Scenes of the pixel pipeline: those that are shipped, what is wrong with others, what a frame costs.

use std::path::Path;

use tmu_assets::{Picture, encode_rgb};
use tmu_model::pixel::Build;
use tmu_scene::{ImageSize, PixelScene, PixelTile, draw_pixel, put_pixel, render_pixel};
use tmu_testing::repository;

fn shipped(name: &str) -> PixelScene {
    let path = repository().join(format!("scenes/pixel/{name}.toml"));
    PixelScene::load(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn every_scene_gives_its_picture_in_the_docs() {
    let mut count = 0;
    for entry in std::fs::read_dir(repository().join("scenes/pixel")).expect("the scenes") {
        let path = entry.expect("a directory entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let scene = shipped(&name);
        let (frame, _) = render_pixel(&scene, scene.size()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let image = repository().join(format!("docs/images/pixel-{name}.png"));
        let size = frame.size();
        if tmu_testing::is_set("UPDATE_DOCS") {
            let picture = encode_rgb(size.width(), size.height(), frame.rgb().to_vec(), &image);
            std::fs::write(&image, picture.expect("a picture")).expect("the page's folder");
        }
        let texels = frame.rgb().as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
        let got = Picture::from_texels(size.width() as usize, size.height() as usize, texels);
        let expected = Picture::open(&image).unwrap_or_else(|problems| panic!("{problems}"));
        let repeat = format!(
            "cargo run --release -- render scenes/pixel/{name}.toml -o docs/images/pixel-{name}.png --pipeline pixel"
        );
        assert!(got == expected, "{name} differs; look at the new picture, then `{repeat}`");
        count += 1;
    }
    assert_eq!(count, 4, "scenes");
}

/// A scene of a plane across the screen, a second one behind it and a third before it, with keys added to the third.
fn planes(keys: &str, more: &str) -> String {
    let program = repository().join("scenes/programs/plain.psh");
    let plane = |z: f64, color: &str, keys: &str| {
        format!(
            "[[mesh]]\nshape = \"plane\"\nprogram = {program:?}\ncolor = {color:?}\nscale = [9, 1, 9]\n\
             rotate_degrees = [90, 0, 0]\ntranslate = [0, 0, {z}]\n{keys}\n"
        )
    };
    format!(
        "{more}\n[image]\nwidth = 64\nheight = 48\n[camera]\nposition = [0, 0, 5]\ntarget = [0, 0, 0]\n{}{}{}",
        plane(0.0, "#ff0000", ""),
        plane(-1.0, "#00ff00", ""),
        plane(1.0, "#0000ff", keys)
    )
}

fn parse(text: &str) -> Result<PixelScene, String> {
    PixelScene::parse(Path::new("scene.toml"), text).map_err(|problems| problems.to_string())
}

#[test]
fn planes_by_hand() {
    // Keys of the nearest plane, of the scene; the colour in the middle; how often a pixel is shaded.
    let table = [
        ("", "", [0, 0, 255], 1.0),
        ("blend = \"additive\"", "", [255, 0, 255], 2.0),
        ("blend = \"alpha\"\nalpha = 0.2", "", [204, 0, 51], 2.0),
        ("alpha = 0.2\nalpha_test = \"gequal\"\nalpha_reference = 52", "", [255, 0, 0], 2.0),
        ("alpha = 0.2\nalpha_test = \"gequal\"\nalpha_reference = 51", "", [0, 0, 255], 2.0),
        ("depth = \"greater\"", "", [255, 0, 0], 1.0),
        ("cull = \"front\"", "", [255, 0, 0], 1.0),
        // A light from above lights none of them, one from behind the camera all of them.
        ("", "ambient = [0.2, 0.2, 0.2]\n[[light]]\ndirection = [0, 1, 0]", [0, 0, 51], 1.0),
        ("", "ambient = [0, 0, 0]\n[[light]]\ndirection = [0, 0, 3]\ncolor = [0, 0, 0.5]", [0, 0, 128], 1.0),
    ];
    for (keys, more, expected, shaded) in table {
        let text = planes(keys, more);
        let scene = parse(&text).unwrap_or_else(|problems| panic!("{problems}"));
        let (frame, statistics) = render_pixel(&scene, scene.size()).unwrap();
        let middle = (24 * 64 + 32) * 3;
        assert_eq!(frame.rgb()[middle..middle + 3], expected, "{keys} {more}");
        assert_eq!(statistics.overdraw_after, shaded, "{keys} {more}");
        assert!(statistics.overdraw_before <= 3.0, "{keys} {more}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let missing = "[[mesh]]\nshape = \"plane\"\n";
    let table = [
        (planes("textures = [\"x\"]", ""), ["E0306", "nothing has the name \"x\""]),
        (planes("blend = \"half\"", ""), ["E0305", "none, alpha, premultiplied"]),
        (planes("bump = [1, 2, 3]", ""), ["E0304", "has 3 numbers, not 4"]),
        (planes("constants = [[9, 0, 0, 0]]", ""), ["E0305", "-8 to 7.999"]),
        (planes("strength = 1", ""), ["E0302", "no key `strength`"]),
        (planes("", "ambient = [2, 0, 0]"), ["E0305", "lies within 0 and 1"]),
        (planes("", "[[light]]\ndirection = [0, 0, 0]"), ["E0308", "has no length"]),
        (planes("", missing), ["E0303", "has no `program`"]),
        (planes("", "[[mesh]]\nshape = \"plane\"\nprogram = \"none.psh\"\n"), ["E0310", "none.psh"]),
        (planes("", "[[mesh]]\nshape = \"plane\"\nprogram = \"Cargo.toml\"\n"), ["E0317", "E0501"]),
        (
            planes("", "[[mesh]]\nshape = \"plane\"\nprogram = \"/dev/zero\"\n"),
            ["E0310", "longer than 1048576"],
        ),
        (planes("", "[[mesh]]\nshape = \"floor\"\nprogram = \"none.psh\"\n"), ["E0305", "use a plane"]),
        ("[image]\nwidth = 8\nheight = 8\n".to_owned(), ["E0303", "no [camera]"]),
    ];
    for (text, parts) in table {
        // Paths are relative to the crate, where tests run.
        let said = parse(&text).expect_err(&text);
        for part in parts {
            assert!(said.contains(part), "no {part:?}: {said}");
        }
    }
}

/// The wanted half of an immediate renderer's bytes, and each pixel shaded about once.
#[test]
fn a_level_costs_less_than_an_immediate_renderer() {
    let scene = shipped("light-mapped-level");
    let (_, statistics) = render_pixel(&scene, ImageSize::new(640, 480).unwrap()).unwrap();
    assert!(statistics.overdraw_after <= 1.0, "{statistics:?}");
    assert!(statistics.overdraw_before > statistics.overdraw_after, "{statistics:?}");
    assert!(statistics.bytes_ratio <= 0.5, "{statistics:?}");
}

#[test]
fn the_example_of_the_page_is_a_scene() {
    let page = std::fs::read_to_string(repository().join("docs/reference/pixel-scene.md")).expect("the page");
    let mut parts = page.split("```toml\n").skip(1);
    let example = parts.next().and_then(|rest| rest.split("```").next()).expect("an example");
    assert_eq!(parts.next(), None);
    let path = repository().join("scenes/example.toml");
    let scene = PixelScene::parse(&path, example).unwrap_or_else(|problems| panic!("{problems}"));
    render_pixel(&scene, ImageSize::new(64, 48).unwrap()).unwrap();
}

#[test]
fn what_a_frame_costs_does_not_depend_on_the_number_of_threads() {
    let scene = shipped("courtyard");
    let frame = put_pixel(&scene, ImageSize::new(320, 240).unwrap(), PixelTile::Square16).unwrap();
    let [one, many] = [1, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| draw_pixel(&frame, &Build::preset())).unwrap()
    });
    assert!(one.picture == many.picture);
    assert_eq!((one.tiles, one.statistics), (many.tiles, many.statistics));
}
