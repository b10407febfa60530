//! Every kind of mistake in a scene file, with the exact words that the user reads.

use std::path::Path;

use proptest::prelude::*;
use tmu_problem::{Problem, RuleCode};
use tmu_scene::{AnyScene, Rule, Scene};

/// A scene that is right but for the picture it names: lines 1 to 13.
const SCENE: &str = r##"[image]
width = 64
height = 32
background = "#102030"
[camera]
position = [0, 1, 5]
target = [0, 0, 0]
[[texture]]
name = "picture"
file = "picture.png"
[[sampler]]
name = "smooth"
[[mesh]]
shape = "cube"
texture = "picture"
sampler = "smooth"
"##;

/// A directory with a small picture and mesh files for the scenes of these tests.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let texels = (0..=255).map(|value| [value, 0, 255 - value, 255]).collect();
    let picture = tmu_assets::Picture::from_texels(16, 16, texels);
    let odd = tmu_assets::Picture::from_texels(3, 1, vec![[0; 4]; 3]);
    let files: [(&str, Vec<u8>); 5] = [
        ("picture.png", picture.encode(Path::new("a.png")).expect("a picture")),
        ("odd.png", odd.encode(Path::new("a.png")).expect("a picture")),
        ("no-uv.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec()),
        ("empty.obj", b"# nothing\n".to_vec()),
        ("mesh.stl", b"solid\n".to_vec()),
    ];
    for (name, bytes) in files {
        std::fs::write(directory.path().join(name), bytes).expect("a file for the test");
    }
    directory
}

/// What is wrong with a scene, one problem a line, without the directory of the test.
fn problems(directory: &Path, text: &str) -> String {
    let prefix = format!("{}/", directory.display());
    match AnyScene::parse(&directory.join("s.toml"), text) {
        Ok(_) => String::new(),
        Err(problems) => {
            let line = |p: &Problem| format!("{}: {}: {}; {}", p.place, p.code, p.message, p.help);
            let lines: Vec<_> = problems.as_slice().iter().map(line).collect();
            lines.join("\n").replace(&prefix, "")
        }
    }
}

#[test]
fn the_scene_of_these_tests_is_right() {
    let directory = directory();
    assert_eq!(problems(directory.path(), SCENE), "");
    assert_eq!(
        problems(directory.path(), &SCENE.replace("picture.png\"", "odd.png\"\nresize = \"pow2\"")),
        ""
    );
}

/// From, to, and what is then said.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("width = 64", "width 64", "s.toml:2: E0301: key with no value, expected `=`; correct the TOML syntax"),
    ("width = 64\n", "", "s.toml:1: E0303: [image] has no `width`; add `width = 640`"),
    (
        "width = 64",
        "width = 0",
        "s.toml:2: E0305: [image] `width` is 0; it lies within 1 and 8192; give a value within the limits",
    ),
    (
        "width = 64",
        "width = 99999999999",
        "s.toml:2: E0305: [image] `width` is 99999999999; it lies within 1 and 8192; give a value within the limits",
    ),
    (
        "width = 64",
        "width = \"64\"",
        "s.toml:2: E0304: [image] `width`: invalid type: string \"64\", expected i64; give a value of the type that is expected",
    ),
    (
        "width = 64",
        "width = 64\nwidht = 64",
        "s.toml:3: E0302: [image] has no key `widht`; the keys here are width, height, background",
    ),
    (
        "\"#102030\"",
        "\"blue\"",
        "s.toml:4: E0305: [image] `background`: \"blue\" is not a colour; write \"#rrggbb\"",
    ),
    (
        "[image]",
        "[picture]",
        "s.toml: E0303: the scene has no [image]; add [image] with `width = 640` and `height = 360`\n\
         s.toml:1: E0302: the scene has no key `picture`; the keys here are numerics, image, camera, texture, sampler, mesh",
    ),
    (
        "[[texture]]",
        "[texture]",
        "s.toml:8: E0304: `texture` is not a list of tables; write [[texture]] above each entry\n\
         s.toml:15: E0306: [[mesh]] 1 `texture`: no [[texture]] has the name \"picture\"; add a [[texture]] with this name",
    ),
    (
        "[0, 1, 5]",
        "[0, 1]",
        "s.toml:6: E0304: [camera] `position` has 2 numbers, not 3; give 3 numbers in brackets",
    ),
    (
        "[0, 1, 5]",
        "[0, nan, -inf]",
        "s.toml:6: E0305: [camera] `position` is NaN; it lies within -1000000 and 1000000; give a value within the limits\n\
         s.toml:6: E0305: [camera] `position` is -inf; it lies within -1000000 and 1000000; give a value within the limits",
    ),
    (
        "position = [0, 1, 5]",
        "position = [0, 0, 0]",
        "s.toml:5: E0308: [camera] `position` and `target` are the same place; move the target to where the camera looks",
    ),
    (
        "target = [0, 0, 0]",
        "target = [0, 9, 5]",
        "s.toml:5: E0308: [camera] `up` is [0, 1, 0], along the line of sight or zero; give an `up` across the line of sight",
    ),
    (
        "[camera]\nposition = [0, 1, 5]\ntarget = [0, 0, 0]\n",
        "",
        "s.toml: E0303: the scene has no [camera], and shapes in it that are not on the screen; \
         add [camera] with `position = [x, y, z]` and `target = [x, y, z]`",
    ),
    (
        "target = [0, 0, 0]",
        "target = [0, 0, 0]\nnear = 0",
        "s.toml:8: E0305: [camera] `near` is 0; it lies within 0.0001 and 10000; give a value within the limits",
    ),
    (
        "picture.png",
        "none.png",
        "s.toml:10: E0312: [[texture]] 1 names the file \"none.png\", which cannot be used; see the problems of that file below; sizes are mended by `resize = \"pow2\"` here\n\
         none.png: E0101: the picture cannot be read: No such file or directory (os error 2); check the path",
    ),
    (
        "picture.png",
        "odd.png",
        "s.toml:10: E0312: [[texture]] 1 names the file \"odd.png\", which cannot be used; see the problems of that file below; sizes are mended by `resize = \"pow2\"` here\n\
         odd.png: E0106: the width is 3 texels, not a power of two; `--resize pow2` makes the picture 4 x 1; \
         `--kind 2d` packs any size, for units that have it",
    ),
    (
        "file = \"picture.png\"",
        "file = \"picture.png\"\nformat = \"rgb666\"",
        "s.toml:11: E0305: [[texture]] 1 `format`: \"rgb666\" is not a texture format; use one of rgba8, rgb8, i8_rgba8, i8_rgb8, rgb565",
    ),
    (
        "[[sampler]]",
        "[[texture]]\nname = \"picture\"\nfile = \"picture.png\"\n[[sampler]]",
        "s.toml:12: E0307: [[texture]] 2 has the name \"picture\", which an earlier one has; give it another name",
    ),
    (
        "name = \"smooth\"",
        "name = \"smooth\"\nfilter = \"cubic\"\naddress_u = \"border\"\nmax_lod = 12\nmipmaps = 1",
        "s.toml:13: E0305: [[sampler]] 1 `filter`: \"cubic\" is not a filter; use one of nearest, bilinear\n\
         s.toml:16: E0304: [[sampler]] 1 `mipmaps`: invalid type: integer `1`, expected a boolean; give a value of the type that is expected\n\
         s.toml:14: E0305: [[sampler]] 1 `address_u`: \"border\" is not an address mode; use one of wrap, clamp, mirror\n\
         s.toml:15: E0305: [[sampler]] 1 `max_lod` is 12; it lies within 0 and 11; give a value within the limits",
    ),
    (
        "sampler = \"smooth\"",
        "sampler = \"sharp\"",
        "s.toml:16: E0306: [[mesh]] 1 `sampler`: no [[sampler]] has the name \"sharp\"; use one of smooth",
    ),
    (
        "sampler = \"smooth\"\n",
        "",
        "s.toml:13: E0303: [[mesh]] 1 has no `sampler`; add `sampler = \"…\" with the name of a [[sampler]]`",
    ),
    (
        "shape = \"cube\"\n",
        "",
        "s.toml:13: E0303: [[mesh]] 1 has neither `shape` nor `file`; give it either `shape = \"cube\"` or `file = \"mesh.obj\"`",
    ),
    (
        "shape = \"cube\"",
        "shape = \"cube\"\nfile = \"no-uv.obj\"",
        "s.toml:13: E0308: [[mesh]] 1 has both `shape` and `file`; give it either `shape = \"cube\"` or `file = \"mesh.obj\"`",
    ),
    (
        "shape = \"cube\"",
        "shape = \"teapot\"",
        "s.toml:14: E0305: [[mesh]] 1 `shape`: \"teapot\" is not a shape; use one of floor, cube, sphere, rectangle",
    ),
    (
        "shape = \"cube\"",
        "shape = \"ball\"\nsegments = 8",
        "s.toml:14: E0305: [[mesh]] 1 `shape`: \"ball\" is not a shape; use one of floor, cube, sphere, rectangle",
    ),
    (
        "shape = \"cube\"",
        "shape = \"cube\"\nsegments = 8",
        "s.toml:15: E0302: [[mesh]] 1 has no key `segments`; the keys here are texture, sampler, uv_scale, alpha_threshold, \
         cull, shape, file, scale, rotate_degrees, translate",
    ),
    (
        "shape = \"cube\"",
        "shape = \"cube\"\nscale = [1, 0, 1]",
        "s.toml:13: E0305: [[mesh]] 1 `scale` has a part that is nearer to 0 than 0.000001; give a larger scale",
    ),
    (
        "shape = \"cube\"",
        "shape = \"sphere\"\nsegments = 3\ncull = \"front\"\nalpha_threshold = 256",
        "s.toml:17: E0305: [[mesh]] 1 `alpha_threshold` is 256; it lies within 0 and 255; give a value within the limits\n\
         s.toml:16: E0305: [[mesh]] 1 `cull`: \"front\" is not a way to cull; use one of back, none\n\
         s.toml:15: E0305: [[mesh]] 1 `segments` is 3; it lies within 4 and 256; give a value within the limits",
    ),
    (
        "shape = \"cube\"",
        "file = \"no-uv.obj\"",
        "s.toml:14: E0311: [[mesh]] 1 names the file \"no-uv.obj\", which cannot be used; see the problems of that file below\n\
         no-uv.obj:4: E0311: the corner \"1\" has no texture coordinate; export the mesh with texture coordinates, or correct the face",
    ),
    (
        "shape = \"cube\"",
        "file = \"empty.obj\"",
        "s.toml:14: E0311: [[mesh]] 1 names the file \"empty.obj\", which cannot be used; see the problems of that file below\n\
         empty.obj: E0311: the file holds no triangles; export the mesh with its faces",
    ),
    (
        "shape = \"cube\"",
        "file = \"mesh.stl\"",
        "s.toml:14: E0311: [[mesh]] 1 names the file \"mesh.stl\", which cannot be used; see the problems of that file below\n\
         mesh.stl: E0311: a mesh file ends in .obj, .gltf or .glb; convert the mesh to one of these formats",
    ),
];

/// A scene of the general numerics that is right.
const GENERAL: &str = r##"numerics = "general"
[image]
width = 64
height = 32
[camera]
position = [0, 1, 5]
target = [0, 0, 0]
[[projector]]
name = "lamp"
position = [0, 5, 1]
target = [0, 0, 0]
[[texture]]
name = "stone"
pattern = "marble"
kind = "3d"
size = [8, 8, 8]
[[texture]]
name = "shadow"
shadow_of = "lamp"
size = [16]
[[sampler]]
name = "smooth"
[[mesh]]
shape = "cube"
texture = "stone"
sampler = "smooth"
coordinates = "position"
[[mesh]]
shape = "floor"
texture = "shadow"
sampler = "smooth"
coordinates = "projected"
projector = "lamp"
"##;

/// From, to, and what is then said, of a scene of the general numerics.
const GENERAL_MISTAKES: &[(&str, &str, &str)] = &[
    (
        "\"general\"",
        "\"exact\"",
        "s.toml:1: E0305: the scene `numerics`: \"exact\" are no numerics; use one of classic, general",
    ),
    (
        "target = [0, 0, 0]\n[[texture]]",
        "target = [0, 5, 1]\nfar = 0.05\n[[texture]]",
        "s.toml:8: E0308: [[projector]] 1 `position` and `target` are the same place; move the target to where the projector looks\n\
         s.toml:8: E0308: [[projector]] 1 `far` is 0.05, not beyond `near`, which is 0.1; raise `far` or lower `near`",
    ),
    (
        "pattern = \"marble\"",
        "pattern = \"granite\"",
        "s.toml:14: E0305: [[texture]] 1 `pattern`: \"granite\" is not a pattern; \
         use one of checker, marble, wood, strata, sky, light, sunset",
    ),
    (
        "pattern = \"marble\"\n",
        "",
        "s.toml:12: E0303: [[texture]] 1 has none of `file`, `files`, `pattern` and `shadow_of`; give it one of \
         `file = \"picture.png\"`, `files = [\"a.png\", \"b.png\"]`, `pattern = \"marble\"` and `shadow_of = \"lamp\"`",
    ),
    (
        "pattern = \"marble\"",
        "pattern = \"marble\"\nfile = \"picture.png\"",
        "s.toml:12: E0308: [[texture]] 1 has `file` and `pattern`; give it one of \
         `file = \"picture.png\"`, `files = [\"a.png\", \"b.png\"]`, `pattern = \"marble\"` and `shadow_of = \"lamp\"`",
    ),
    (
        "size = [8, 8, 8]",
        "size = [8, 8]",
        "s.toml:16: E0304: [[texture]] 1 `size` has 2 numbers; a texture of kind 3d has 3; write it like `size = [64, 64, 64]`",
    ),
    (
        "size = [8, 8, 8]",
        "size = [8, 0, 8]",
        "s.toml:16: E0305: [[texture]] 1 `size` is 0; it lies within 1 and 4096; give a value within the limits",
    ),
    (
        "size = [8, 8, 8]",
        "size = [512, 512, 512]",
        "s.toml:12: E0309: [[texture]] 1 `size` asks for 134217728 texels; a pattern has at most 4194304 texels; make it smaller",
    ),
    (
        "size = [8, 8, 8]",
        "size = [8, 8, 8]\nformat = \"bc1\"\nlevels = 9\nswizzle = \"rgbz\"",
        "s.toml:19: E0305: [[texture]] 1 `swizzle`: \"rgbz\" is not a swizzle; use four of r, g, b, a, 0, 1, like \"rrr1\"\n\
         s.toml:12: E0312: [[texture]] 1 cannot be made: levels is 9, but must be 1 to 4 for this size; leave `levels` out for all levels\n\
         s.toml:12: E0312: [[texture]] 1 cannot be made: format is bc1, but a texture of kind 3d has no block formats; \
         use kind 2d, cube or 2d_array, or another format",
    ),
    (
        "pattern = \"marble\"\nkind = \"3d\"\nsize = [8, 8, 8]",
        "files = [\"picture.png\", \"odd.png\"]\nkind = \"cube\"",
        "s.toml:12: E0308: [[texture]] 1 names 2 pictures; a texture of kind cube is made of 6; \
         name its faces with `files`, in the order +x -x +y -y +z -z",
    ),
    (
        "pattern = \"marble\"\nkind = \"3d\"\nsize = [8, 8, 8]",
        "files = [\"picture.png\", \"none.png\"]\nkind = \"3d\"",
        "s.toml:14: E0312: [[texture]] 1 names the file \"none.png\", which cannot be used; see the problems of that file below\n\
         none.png: E0101: the picture cannot be read: No such file or directory (os error 2); check the path",
    ),
    (
        "pattern = \"marble\"\nkind = \"3d\"\nsize = [8, 8, 8]",
        "file = \"picture.png\"\nformat = \"r8\"\nsrgb = true",
        "s.toml:12: E0312: [[texture]] 1 cannot be made: srgb is true, but texels of format r8 are not sRGB-coded; \
         leave `srgb` out, or use one of rgba8, rgb8, i8_rgba8, i8_rgb8, bc1, bc2, bc3, bc7 and etc2_*",
    ),
    (
        "shadow_of = \"lamp\"\nsize = [16]",
        "shadow_of = \"moon\"\nsize = [16, 16]\nformat = \"r8\"",
        "s.toml:19: E0306: [[texture]] 2 `shadow_of`: no [[projector]] has the name \"moon\"; use one of lamp\n\
         s.toml:21: E0305: [[texture]] 2 `format`: \"r8\" is not a format of depths; use one of d16, d24, d32f\n\
         s.toml:20: E0304: [[texture]] 2 `size` has 2 numbers; a depth map is square; write it like `size = [512]`",
    ),
    (
        "name = \"smooth\"",
        "name = \"smooth\"\nmin = \"cubic\"\nlod_bias = 99\nmin_lod = 3\nmax_lod = 2.5\nanisotropy = 3\nborder = \"#fff\"\n\
         compare = \"below\"\naddress_w = \"around\"\nfilter = \"bilinear\"",
        "s.toml:23: E0305: [[sampler]] 1 `min`: \"cubic\" is not a filter; use one of nearest, linear\n\
         s.toml:24: E0305: [[sampler]] 1 `lod_bias` is 99; it lies within -32 and 32; give a value within the limits\n\
         s.toml:21: E0308: [[sampler]] 1 `min_lod` is 3, over `max_lod`, which is 2.5; raise the one or lower the other\n\
         s.toml:27: E0305: [[sampler]] 1 `anisotropy` is 3; use one of 1, 2, 4, 8, 16\n\
         s.toml:30: E0305: [[sampler]] 1 `address_w`: \"around\" is not an address mode; use one of wrap, clamp, mirror, border, mirror_once\n\
         s.toml:28: E0305: [[sampler]] 1 `border`: \"#fff\" is not a colour with alpha; write \"#rrggbbaa\"\n\
         s.toml:29: E0305: [[sampler]] 1 `compare`: \"below\" is not a comparison; \
         use one of never, less, equal, lequal, greater, notequal, gequal, always\n\
         s.toml:31: E0302: [[sampler]] 1 has no key `filter`; the keys here are name, min, mag, mip, pyramid, lod_bias, min_lod, max_lod, \
         anisotropy, cube_seamless, address_u, address_v, address_w, border, compare",
    ),
    (
        "coordinates = \"position\"",
        "coordinates = \"place\"\nblend = \"add\"",
        "s.toml:27: E0305: [[mesh]] 1 `coordinates`: \"place\" is nothing that coordinates come from; \
         use one of uv, position, direction, normal, reflection, projected\n\
         s.toml:28: E0305: [[mesh]] 1 `blend`: \"add\" is not a way to blend; use one of replace, multiply",
    ),
    (
        "shape = \"cube\"",
        "shape = \"rectangle\"",
        "s.toml:23: E0308: [[mesh]] 1 has `coordinates` other than \"uv\", but lies on the screen; \
         leave `coordinates` out, or use a shape in the scene",
    ),
    (
        "projector = \"lamp\"",
        "",
        "s.toml:28: E0303: [[mesh]] 2 has no `projector`; add `projector = \"…\" with the name of a [[projector]]`",
    ),
    (
        "shape = \"cube\"",
        "shape = \"teapot\"",
        "s.toml:24: E0305: [[mesh]] 1 `shape`: \"teapot\" is not a shape; use one of floor, cube, sphere, rectangle, sky",
    ),
];

#[test]
fn each_mistake_of_the_general_numerics_is_named() {
    let directory = directory();
    assert_eq!(problems(directory.path(), GENERAL), "");
    let mut wrong = Vec::new();
    for (from, to, expected) in GENERAL_MISTAKES {
        assert!(GENERAL.contains(from), "{from:?} is not in the scene");
        let got = problems(directory.path(), &GENERAL.replacen(from, to, 1));
        if got != *expected {
            wrong.push(format!("{from:?} -> {to:?}:\n{got}\nand not\n{expected}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keys_of_the_other_numerics_say_what_they_need() {
    let directory = directory();
    let text = SCENE.replace("sampler = \"smooth\"", "sampler = \"smooth\"\ncoordinates = \"position\"");
    assert_eq!(
        problems(directory.path(), &text),
        "s.toml:17: E0302: [[mesh]] 1 has no key `coordinates`; \
         write `numerics = \"general\"` at the top of the scene, or leave it out"
    );
    let refused = Scene::parse(&directory.path().join("s.toml"), GENERAL).unwrap_err();
    assert_eq!(refused.as_slice()[0].code, Rule::Numerics.code());
}

#[test]
fn each_mistake_is_named_with_its_line_rule_and_remedy() {
    let directory = directory();
    for (from, to, expected) in MISTAKES {
        assert!(SCENE.contains(from), "{from:?} is not in the scene");
        let got = problems(directory.path(), &SCENE.replacen(from, to, 1));
        assert_eq!(got, *expected, "{from:?} -> {to:?}");
    }
}

#[test]
fn all_mistakes_are_listed_at_once() {
    let directory = directory();
    let text =
        SCENE.replace("width = 64", "width = -1").replace("[0, 1, 5]", "5").replace("\"cube\"", "\"ball\"");
    let got = problems(directory.path(), &text);
    assert_eq!(got.lines().count(), 3, "{got}");
}

#[test]
fn a_scene_that_cannot_be_read_is_a_problem_too() {
    let problems = Scene::load(Path::new("no/such/scene.toml")).unwrap_err();
    assert_eq!(problems.as_slice()[0].code, Rule::File.code());
}

#[test]
fn counts_are_limited() {
    let directory = directory();
    let sampler = "[[sampler]]\nname = \"smooth\"\n";
    let many: String = (0..65).map(|number| format!("[[sampler]]\nname = \"{number}\"\n")).collect();
    assert_eq!(
        problems(directory.path(), &SCENE.replace(sampler, &many)).lines().next(),
        Some("s.toml:11: E0309: the scene has 65 [[sampler]] tables; 64 are the most; leave some out"),
    );
    let sphere =
        "[[mesh]]\nshape = \"sphere\"\nsegments = 256\ntexture = \"picture\"\nsampler = \"smooth\"\n";
    let too_many = format!("{SCENE}{}", sphere.repeat(3));
    assert_eq!(
        problems(directory.path(), &too_many),
        "s.toml:27: E0309: the scene has over 131072 triangles with [[mesh]] 4; leave out or simplify meshes",
    );
}

#[test]
fn every_rule_has_a_code_of_its_own_and_an_explanation() {
    let mut codes: Vec<_> = Rule::ALL.iter().map(|rule| rule.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert!(rule.explanation().len() > 40, "{}", rule.code());
    }
}

proptest! {
    /// No text makes the parser panic: neither noise nor a scene with a stretch replaced.
    #[test]
    fn no_text_panics(noise in ".{0,200}") {
        let _ = Scene::parse(Path::new("s.toml"), &noise);
    }

    #[test]
    fn no_damaged_general_scene_panics(start in 0..GENERAL.len(), length in 0_usize..20, noise in "[-a-z0-9.#\\[\\]\"=, \n]{0,12}") {
        let mut text = GENERAL.to_owned();
        text.replace_range(start..(start + length).min(GENERAL.len()), &noise);
        let _ = AnyScene::parse(Path::new("s.toml"), &text);
    }

    #[test]
    fn no_damaged_scene_panics(start in 0..SCENE.len(), length in 0_usize..20, noise in "[-a-z0-9.#\\[\\]\"=, \n]{0,12}") {
        let mut text = SCENE.to_owned();
        text.replace_range(start..(start + length).min(SCENE.len()), &noise);
        let _ = Scene::parse(Path::new("s.toml"), &text);
    }

    /// Values of any type and size at any key end in a scene or in problems.
    #[test]
    fn no_value_panics(
        key in prop::sample::select(vec!["width", "position", "near", "up", "name", "shape", "texture", "scale", "uv_scale"]),
        value in prop_oneof![
            any::<i64>().prop_map(|value| value.to_string()),
            any::<f64>().prop_map(|value| format!("{value:?}")),
            prop::collection::vec(any::<f64>(), 0..4).prop_map(|values| format!("{values:?}").replace("NaN", "nan")),
            ".{0,8}".prop_map(|text| format!("{text:?}")),
            Just("{ a = [[]] }".to_owned()),
        ],
    ) {
        let lines: Vec<String> = SCENE
            .lines()
            .map(|line| if line.starts_with(key) { format!("{key} = {value}") } else { line.to_owned() })
            .collect();
        let _ = Scene::parse(Path::new("s.toml"), &lines.join("\n"));
    }
}
