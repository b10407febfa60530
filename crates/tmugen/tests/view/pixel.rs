//! The page of a frame of the pixel pipeline, as a user of a browser finds it, and what it is refused.

use crate::shown::Shown;
use crate::support::Workshop;
use serde_json::Value;

const COURTYARD: &str = "scenes/pixel/courtyard.toml";

#[test]
fn the_frame_is_that_of_render_and_its_tiles_are_told() {
    let Some(mut shown) = Shown::open(&format!("{COURTYARD} --pipeline pixel"), &[]) else { return };
    shown.choose("size", "160 x 120");
    let said = shown
        .workshop
        .succeed(&format!("tmugen render {COURTYARD} -o view.png --pipeline pixel --size 160x120 --json"));
    let said: Value = serde_json::from_str(&said).unwrap();
    shown.assert_shows("view.png");
    let overdraw = said["statistics"]["overdraw_before"].as_f64().unwrap();
    assert_eq!(shown.browser.evaluate("frame.statistics.overdraw_before").as_f64(), Some(overdraw));
    let figures = shown.text("golden-figures");
    assert!(figures.contains("20 of 32 x 32 pixels"), "{figures}");
    // Every map is another picture over the frame, and there is none at first.
    let bare = shown.browser.pixels("marks").0;
    assert_eq!(shown.browser.evaluate("at('scale').hidden"), true);
    let mut seen = vec![bare];
    for map in ["before", "after", "triangles", "instructions", "look_ups", "bytes"] {
        shown.set("map", map);
        let pixels = shown.browser.pixels("marks").0;
        assert!(!seen.contains(&pixels), "{map} shows what another map does");
        seen.push(pixels);
        let most = shown.browser.evaluate("Math.max(...mapped())").as_f64().unwrap();
        assert!(most > 0.0, "{map}");
    }
    let golden = shown.golden();
    shown.choose("tile", "16x16");
    assert!(shown.golden() == golden, "tiles are seen");
    assert!(shown.text("golden-figures").contains("80 of 16 x 16 pixels"));
    shown.assert_fits("pixel");
    shown.finish();
}

#[test]
fn a_pixel_tells_its_triangle_program_and_texels() {
    let Some(mut shown) = Shown::open(&format!("{COURTYARD} --pipeline pixel"), &[]) else { return };
    shown.choose("size", "160 x 120");
    // Column and row of a pixel of the glass ball, and of the sky.
    let layers = "told.layers.length";
    let mut most = 0;
    for place in [[110, 60], [5, 5], [80, 115]] {
        shown.look(place);
        let count = shown.browser.evaluate(layers).as_u64().unwrap();
        assert!(count > 0, "{place:?}");
        most = most.max(count);
        let [x, y] = place.map(|at| at as usize);
        let golden = shown.golden();
        let color: Vec<u8> = serde_json::from_value(shown.browser.evaluate("told.color")).unwrap();
        assert_eq!(color[..3], golden[3 * (y * 160 + x)..][..3], "{place:?}");
        let steps = shown.cells("steps");
        let expected = shown.browser.evaluate("told.layers[Number(at('layer').value)].steps.length");
        assert!(steps.len() as u64 >= expected.as_u64().unwrap(), "{steps:?}");
        assert!(!shown.cells("values").is_empty() && shown.cells("vertices").len() == 3);
    }
    assert!(most > 1, "glass is drawn over something");
    shown.look([5, 5]);
    assert!(shown.cells("texels").iter().all(|cells| cells.len() == 8));
    assert!(!shown.cells("texels").is_empty(), "the sky has texels");
    assert_eq!(shown.browser.evaluate("at('no-texels').hidden"), true);
    // Clicked, and moved by keys.
    let answers = shown.browser.evaluate("answers").as_u64().unwrap();
    shown.browser.drag("marks", [0.0, 0.0]);
    shown.browser.wait_for(&format!("!asking && answers > {answers}"));
    let clicked: Vec<u64> = serde_json::from_value(shown.browser.evaluate("told.pixel")).unwrap();
    assert!(clicked[0].abs_diff(80) <= 1 && clicked[1].abs_diff(60) <= 1, "{clicked:?}");
    shown.browser.press("marks", "ArrowRight");
    shown.browser.press_shifted("marks", "ArrowDown");
    shown.browser.wait_for(&format!(
        "!asking && told.pixel[0] === {} && told.pixel[1] === {}",
        clicked[0] + 1,
        clicked[1] + 32
    ));
    shown.finish();
}

#[test]
fn the_page_works_without_hardware() {
    let nothing = tempfile::tempdir().unwrap();
    let environment = [("PATH", nothing.path()), ("TMUGEN_CACHE_DIR", nothing.path())];
    let Some(mut shown) = Shown::open("scenes/pixel/ripmap-floor.toml --pipeline pixel", &environment) else {
        return;
    };
    let said = shown.text("hardware-missing");
    assert!(said.starts_with("E0210 Verilator 5 is not installed"), "{said}");
    assert_eq!(shown.browser.evaluate("at('draw-hardware').disabled"), true);
    assert!(shown.browser.evaluate("told.layers.length").as_u64().is_some());
    shown.finish();
}

#[test]
fn scenes_that_cannot_be_shown_are_refused_before_anything_is_served() {
    let workshop = Workshop::new();
    workshop.write("bad.toml", "[image]\nwidth = 0\n");
    let cases: [(&str, i32, &[&str]); 5] = [
        ("tmugen view --pipeline pixel", 2, &["--pipeline pixel shows a scene"]),
        ("tmugen view bad.toml --pipeline pixel", 1, &["bad.toml", "error["]),
        ("tmugen view nothing.toml --pipeline pixel", 1, &["E0310", "nothing.toml"]),
        (
            "tmugen view scenes/pixel/courtyard.toml --pipeline pixel --preset fury",
            1,
            &["E0205", "fury builds no engine \"pixel\""],
        ),
        ("tmugen view --pipeline texel", 2, &["texel", "pixel"]),
    ];
    for (command, exit, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (exit, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
    }
    let said = workshop.succeed("tmugen view scenes/pixel/ripmap-floor.toml --pipeline pixel --measure");
    assert!(said.starts_with("pixel ") && said.contains("ms a frame"), "{said}");
}
