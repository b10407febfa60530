//! Scenes of the pixel pipeline: those that are shipped, what is wrong with others, what a frame costs.

use std::path::Path;

use tmu_assets::{Picture, encode_rgb};
use tmu_model::pixel::Build;
use tmu_problem::Problem;
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
        (
            planes("constants = [[9, 0, 0, 0]]", ""),
            ["E0305", "`constants` is 9; it lies within -8 and 7.999755859375"],
        ),
        (planes("constants = [[7.9999, 0, 0, 0]]", ""), ["E0305", "`constants` is 7.9999"]),
        (planes("bump = [8, 0, 0, 0]", ""), ["E0305", "`bump` is 8; it lies within -8 and 7.999755859375"]),
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

/// A scene of two textures and a sampler, in a directory with programs that sample some stages; all is wrong from line 17 on.
fn textured(directory: &Path, mesh: &str) -> String {
    let programs = [
        ("plain.psh", "mov r0, v0"),
        ("first.psh", "texld r0, t0"),
        ("fourth.psh", "texld r3, t0\nmov r0, r3"),
        ("both.psh", "texld r0, t0\ntexld r1, t1\nmul r0, r0, r1"),
    ];
    for (name, lines) in programs {
        std::fs::write(directory.join(name), format!("ps_1_4\n{lines}\n")).expect("a program for the test");
    }
    let scene = "[image]\nwidth = 16\nheight = 8\n[camera]\nposition = [0, 0, 5]\ntarget = [0, 0, 0]\n\
                 [[texture]]\nname = \"a\"\npattern = \"checker\"\nsize = [8, 8]\n\
                 [[texture]]\nname = \"b\"\npattern = \"marble\"\nsize = [8, 8]\n\
                 [[sampler]]\nname = \"s\"\n";
    let text = format!("{scene}[[mesh]]\n{mesh}");
    let prefix = format!("{}/", directory.display());
    match PixelScene::parse(&directory.join("s.toml"), &text) {
        Ok(scene) => {
            render_pixel(&scene, scene.size()).unwrap_or_else(|error| panic!("{mesh}: {error}"));
            String::new()
        }
        Err(problems) => {
            let line = |p: &Problem| format!("{}: {}: {}; {}", p.place, p.code, p.message, p.help);
            problems.as_slice().iter().map(line).collect::<Vec<_>>().join("\n").replace(&prefix, "")
        }
    }
}

/// Keys of a mesh, and all that is then said: one mistake is one problem, and stages that nothing samples need no texture.
#[test]
fn what_is_wrong_with_textures_is_said_once() {
    const SHAPE: &str = "shape = \"plane\"\n";
    let table = [
        ("program = \"plain.psh\"", ""),
        ("program = \"first.psh\"\ntextures = [\"a\"]\nsamplers = [\"s\"]", ""),
        ("program = \"first.psh\"\ntextures = [\"a\", \"b\"]\nsamplers = [\"s\"]", ""),
        ("program = \"plain.psh\"\ntextures = [\"a\"]\nsamplers = [\"s\"]", ""),
        ("program = \"fourth.psh\"\ntextures = [\"b\", \"b\", \"b\", \"a\"]\nsamplers = [\"s\"]", ""),
        (
            "program = \"first.psh\"",
            "s.toml:17: E0308: [[mesh]] 1 has no texture for stage 0, which its program \"first.psh\" samples with texld to r0; \
             name a texture for stage 0 in `textures`, which has 0 names, for stages from 0 on",
        ),
        (
            "program = \"first.psh\"\nsamplers = [\"s\"]",
            "s.toml:17: E0308: [[mesh]] 1 has no texture for stage 0, which its program \"first.psh\" samples with texld to r0; \
             name a texture for stage 0 in `textures`, which has 0 names, for stages from 0 on",
        ),
        (
            "program = \"fourth.psh\"\ntextures = [\"a\"]\nsamplers = [\"s\"]",
            "s.toml:20: E0308: [[mesh]] 1 has no texture for stage 3, which its program \"fourth.psh\" samples with texld to r3; \
             name a texture for stage 3 in `textures`, which has 1 names, for stages from 0 on",
        ),
        (
            "program = \"first.psh\"\ntextures = [\"a\"]\nsamplers = [\"s\"]\n\
             [[mesh]]\nshape = \"plane\"\nprogram = \"both.psh\"",
            "s.toml:22: E0308: [[mesh]] 2 has no texture for stage 0, which its program \"both.psh\" samples with texld to r0; \
             name a texture for stage 0 in `textures`, which has 0 names, for stages from 0 on\n\
             s.toml:22: E0308: [[mesh]] 2 has no texture for stage 1, which its program \"both.psh\" samples with texld to r1; \
             name a texture for stage 1 in `textures`, which has 0 names, for stages from 0 on",
        ),
        (
            "program = \"first.psh\"\ntextures = [\"c\"]\nsamplers = [\"s\"]",
            "s.toml:20: E0306: [[mesh]] 1 `textures`: nothing has the name \"c\"; use one of a, b",
        ),
        (
            "program = \"first.psh\"\ntextures = [\"a\", \"a\", \"a\", \"a\", \"a\", \"a\", \"a\"]\nsamplers = [\"s\"]",
            "s.toml:20: E0309: [[mesh]] 1 `textures` has 7 names; 6 are the most; leave some out",
        ),
        (
            "program = \"first.psh\"\ntextures = 5\nsamplers = [\"s\"]",
            "s.toml:20: E0304: [[mesh]] 1 `textures`: invalid type: integer `5`, expected a sequence; \
             give a value of the type that is expected",
        ),
        (
            "program = \"first.psh\"\ntextures = [\"a\"]\nsamplers = [\"s\", \"s\"]",
            "s.toml:21: E0308: [[mesh]] 1 has 1 textures and 2 samplers; give one sampler, or one for each texture",
        ),
        (
            "program = \"plain.psh\"\nsamplers = [\"s\"]",
            "s.toml:20: E0308: [[mesh]] 1 has 0 textures and 1 samplers; name textures in `textures`, or leave `samplers` out",
        ),
        (
            "program = \"plain.psh\"\nuv_scales = [[1, 1], [2, 2]]",
            "s.toml:20: E0308: [[mesh]] 1 has 2 `uv_scales`, and 1 coordinate sets for them; \
             give at most one for each set of `coordinates`, which is [\"uv\"] where it is left out",
        ),
        ("program = \"plain.psh\"\ncoordinates = [\"direction\", \"uv\"]\nuv_scales = [[1, 1], [2, 2]]", ""),
        (
            "program = \"plain.psh\"\ncoordinates = [\"sideways\"]\nuv_scales = [[2, 2]]",
            "s.toml:20: E0306: [[mesh]] 1 `coordinates`: nothing has the name \"sideways\"; \
             use one of uv, position, direction, normal, reflection",
        ),
        ("program = \"plain.psh\"\nbump = [7.9995, -8, 7.999755859375, 0]", ""),
        ("program = \"plain.psh\"\nconstants = [[7.9995, -8, 7.999755859375, 0]]", ""),
        (
            "program = \"plain.psh\"\nconstants = [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]",
            "s.toml:20: E0309: [[mesh]] 1 `constants` has 9 of them; 8 are the most; leave some out",
        ),
        (
            "program = \"plain.psh\"\ntexture = \"a\"",
            "s.toml:20: E0302: [[mesh]] 1 has no key `texture`; the keys here are program, textures, samplers, coordinates, \
             uv_scales, color, alpha, blend, alpha_test, alpha_reference, depth, cull, bump, constants, shape, file, scale, \
             rotate_degrees, translate",
        ),
    ];
    let directory = tempfile::tempdir().expect("a directory for the test");
    for (keys, expected) in table {
        assert_eq!(textured(directory.path(), &format!("{SHAPE}{keys}\n")), expected, "{keys}");
    }
    for shape in ["ball", "rectangle"] {
        let keys = format!("program = \"plain.psh\"\nshape = {shape:?}\nsegments = 16\n");
        let said = format!(
            "s.toml:19: E0305: [[mesh]] 1 `shape`: {shape:?} is not a shape; use one of plane, cube, sphere, sky"
        );
        assert_eq!(textured(directory.path(), &keys), said);
    }
    let said = "s.toml:17: E0303: [[mesh]] 1 has neither `shape` nor `file`; \
                give it either `shape = \"cube\"` or `file = \"mesh.obj\"`";
    assert_eq!(textured(directory.path(), "program = \"plain.psh\"\nsegments = 8\n"), said);
}

/// A side of a frame has at most 4096 pixels, which a scene file is told by its line.
#[test]
fn sides_are_those_of_frames() {
    let text = planes("", "").replace("width = 64", "width = 4097");
    let said = parse(&text).expect_err("it is too wide");
    assert!(
        said.contains("scene.toml:3: error[E0305]") && said.contains("it lies within 1 and 4096"),
        "{said}"
    );
    assert!(parse(&text.replace("4097", "4096")).is_ok());
}

/// The store is told with the line of the first mesh whose program samples an entry.
#[test]
fn the_store_says_where_it_is_sampled() {
    let scene = shipped("ripmap-floor");
    let store: Vec<_> = scene.bindings().iter().map(|of| (&*of.texture, &*of.sampler, of.line)).collect();
    let expected = [("boards", "mipmapped"), ("boards-ripmap", "ripmapped"), ("boards", "anisotropic")];
    assert!(store.iter().map(|of| (of.0, of.1)).eq(expected), "{store:?}");
    let path = repository().join("scenes/pixel/ripmap-floor.toml");
    let text = std::fs::read_to_string(path).expect("the scene");
    for (texture, _, line) in store {
        let line = text.lines().nth(line.expect("all are sampled") - 1).expect("a line");
        assert_eq!(line, format!("textures = [{texture:?}]"));
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
