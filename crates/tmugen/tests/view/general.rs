//! The page of a scene of the general numerics, as a user of a browser finds it, and what it is refused.

use crate::shown::Shown;
use crate::support::Workshop;
use tmu_verilate::Tools;

const SKY_LAKE: &str = "scenes/sky-lake.toml";

#[test]
fn the_frame_is_that_of_render_and_its_samples_are_told() {
    let Some(mut shown) = Shown::open("scenes/anisotropic-floor.toml", &[]) else { return };
    shown.choose("size", "160 x 120");
    shown.workshop.succeed(
        "tmugen render scenes/anisotropic-floor.toml -o view.png --preset multi --size 160x120 --quiet",
    );
    shown.assert_shows("view.png");
    // Every map is another picture over the frame, and there is none at first.
    assert_eq!(shown.browser.evaluate("at('scale').hidden"), true);
    let mut seen = vec![shown.browser.pixels("marks").0];
    for map in ["levels", "probes"] {
        shown.set("map", map);
        let pixels = shown.browser.pixels("marks").0;
        assert!(!seen.contains(&pixels), "{map} shows what another map does");
        seen.push(pixels);
    }
    let most = |shown: &mut Shown| shown.browser.evaluate("Math.max(...mapped())").as_u64().unwrap();
    assert!(most(&mut shown) > 8, "the floor is seen at a flat angle");
    shown.screenshot("general.png", 1280, "light");
    shown.set("map", "none");
    let mut frames = vec![shown.golden()];
    for (id, value) in [
        ("anisotropy", "1"),
        ("mip", "nearest"),
        ("min", "nearest"),
        ("bias", "-4"),
        ("mag", "nearest"),
        ("right", "20"),
        ("up", "-5"),
        ("zoom", "1"),
    ] {
        shown.choose(id, value);
        let golden = shown.golden();
        assert!(!frames.contains(&golden), "{id} changes nothing");
        frames.push(golden);
    }
    shown.set("map", "probes");
    assert_eq!(most(&mut shown), 1, "one level, without anisotropy");
    shown.assert_fits("general");
    shown.finish();
}

#[test]
fn a_pixel_tells_its_probes_and_texels() {
    let Some(mut shown) = Shown::open(SKY_LAKE, &[]) else { return };
    shown.choose("size", "160 x 120");
    // The paving under its light, the sphere, the sky.
    for (place, layers) in [([80, 100], 2), ([52, 62], 1), ([5, 5], 1)] {
        shown.look(place);
        assert_eq!(shown.browser.evaluate("told.layers.length"), layers, "{place:?}");
        let [x, y] = place.map(|at| at as usize);
        let golden = shown.golden();
        let color: Vec<u8> = serde_json::from_value(shown.browser.evaluate("told.color")).unwrap();
        assert_eq!(color, golden[3 * (y * 160 + x)..][..3], "{place:?}");
        let (probes, texels) = (shown.cells("probes"), shown.cells("texels"));
        assert!(!probes.is_empty() && texels.len() >= probes.len(), "{probes:?} {texels:?}");
        assert!(texels.iter().all(|cells| cells.len() == 9), "{texels:?}");
        let weight: f64 = probes.iter().map(|cells| cells[1].parse::<f64>().unwrap()).sum();
        assert!((weight - 1.0).abs() < 1e-3, "{probes:?}");
        assert_eq!(shown.cells("quad").len(), 4);
    }
    assert_eq!(shown.cells("textures").len(), 3);
    shown.screenshot("general-told.png", 1280, "light");
    // Clicked, and moved by keys.
    let answers = shown.browser.evaluate("answers").as_u64().unwrap();
    shown.browser.drag("marks", [0.0, 0.0]);
    shown.browser.wait_for(&format!("!asking && answers > {answers}"));
    let clicked: Vec<u64> = serde_json::from_value(shown.browser.evaluate("told.pixel")).unwrap();
    assert!(clicked[0].abs_diff(80) <= 1 && clicked[1].abs_diff(60) <= 1, "{clicked:?}");
    shown.browser.press("marks", "ArrowLeft");
    shown.browser.press_shifted("marks", "ArrowUp");
    shown.browser.wait_for(&format!(
        "!asking && told.pixel[0] === {} && told.pixel[1] === {}",
        clicked[0] - 1,
        clicked[1] - 16
    ));
    shown.finish();
}

#[test]
fn the_hardware_draws_the_same() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let Some(mut shown) = Shown::open(&format!("{SKY_LAKE} --preset multi-lite"), &[]) else { return };
    shown.choose("size", "160 x 120");
    shown.browser.evaluate("at('draw-hardware').click()");
    shown.browser.wait_for("compared !== null && !at('draw-hardware').disabled");
    assert_eq!(shown.text("difference-state"), "of golden model and hardware: none");
    assert!(shown.browser.pixels("hardware").0 == shown.golden());
    assert!(shown.text("hardware-figures").contains("of the texture unit"));
    shown.finish();
}

#[test]
fn scenes_that_cannot_be_shown_are_refused_before_anything_is_served() {
    let workshop = Workshop::new();
    workshop.write("bad.toml", "[image]\nwidth = 0\n");
    let cases: [(&str, &[&str]); 4] = [
        ("tmugen view bad.toml", &["bad.toml", "error["]),
        ("tmugen view scenes/sky-lake.toml --preset fury", &["E0205", "fury follows the classic numerics"]),
        ("tmugen view scenes/sky-lake.toml --preset mesh", &["E0205", "builds no texture unit"]),
        ("tmugen view scenes/solid-stone.toml --preset multi-lite", &["E0205", "multi-lite does not build"]),
    ];
    for (command, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
    }
    // A scene of the classic numerics is shown by a unit of the general ones.
    let said = workshop.succeed("tmugen view scenes/cube-photo.toml --measure");
    assert!(said.starts_with("scene ") && said.contains("ms a frame"), "{said}");
}
