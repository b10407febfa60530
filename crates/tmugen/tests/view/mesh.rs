//! The page of a mesh: what is dragged and chosen on it is what `tmugen mesh` draws of the files that it offers.

use crate::shown::Shown;
use crate::support::Workshop;
use serde_json::Value;
use tmu_verilate::Tools;

impl Shown {
    /// Fails unless the golden frame is what `tmugen mesh` draws of the files that the page offers.
    fn assert_drawn_by_mesh(&mut self) {
        let script = "ask('/files', JSON.stringify(settings())).then((answer) => answer.json())";
        let files = self.browser.evaluate(script);
        for (key, name) in [("points", "view.csv"), ("job", "view.toml")] {
            self.workshop.write(&format!("scenes/mesh/{name}"), files[key].as_str().unwrap());
        }
        self.workshop.succeed("tmugen mesh scenes/mesh/view.toml -o view.png --quiet");
        self.assert_shows("view.png");
    }

    /// Points that are not those of the file.
    fn moved(&mut self) -> Vec<u64> {
        let script =
            "points.flatMap((place, at) => String(place) === String(mesh.settings.points[at]) ? [] : [at])";
        let Value::Array(moved) = self.browser.evaluate(script) else { panic!("{script}") };
        moved.iter().map(|at| at.as_u64().unwrap()).collect()
    }
}

/// Point (20, 15) of 41 a row, which lies in the middle of the frame.
const MIDDLE: u64 = 15 * 41 + 20;

#[test]
fn points_that_are_dragged_move_the_picture_as_mesh_draws_it() {
    let Some(mut shown) = Shown::open("scenes/mesh/warp.toml", &[]) else { return };
    shown.workshop.succeed("tmugen mesh scenes/mesh/warp.toml -o first.png --quiet");
    shown.assert_shows("first.png");
    let first = shown.golden();
    shown.browser.evaluate("at('reach').value = 0");
    shown.after(|browser| browser.drag("points", [23.0, -11.0]));
    shown.browser.wait_for("held === null && !drawing");
    assert_eq!(shown.moved(), [MIDDLE]);
    let dragged = shown.golden();
    assert!(dragged != first, "dragging a point changes nothing");
    shown.assert_drawn_by_mesh();
    // Keys choose the next point and move it, and those within reach with it.
    shown.choose("reach", "2");
    shown.browser.press("points", "ArrowRight");
    shown.after(|browser| browser.press_shifted("points", "ArrowDown"));
    assert_eq!(shown.browser.evaluate("chosen"), MIDDLE + 1);
    let moved = shown.moved();
    assert!(moved.len() > 20 && moved.contains(&(MIDDLE + 1 + 2 * 41)), "{moved:?}");
    shown.assert_drawn_by_mesh();
    shown.screenshot("mesh.png", 1280, "light");
    shown.choose("column", "12345");
    assert_eq!(shown.browser.evaluate("points[chosen][0]"), 12345);
    shown.assert_drawn_by_mesh();
    shown.after(|browser| drop(browser.evaluate("at('restore').click()")));
    assert!(shown.golden() == first, "the points of the file draw another frame");
    shown.finish();
}

#[test]
fn a_finger_drags_points_and_moves_the_page_elsewhere() {
    let Some(mut shown) = Shown::open("scenes/mesh/zoom-out.toml", &[]) else { return };
    shown.browser.screenshot(390, "light");
    shown.browser.swipe("points", [0.0, 0.0], [-20.0, 10.0]);
    shown.browser.wait_for("held === null && !drawing");
    assert!(!shown.moved().is_empty(), "a finger on a point moves nothing");
    shown.assert_drawn_by_mesh();
    shown.after(|browser| drop(browser.evaluate("at('restore').click()")));
    shown.browser.swipe("points", [8.0, 8.0], [0.0, -40.0]);
    shown.browser.wait_for("held === null && !drawing");
    assert_eq!(shown.moved(), [] as [u64; 0]);
    shown.finish();
}

#[test]
fn colours_and_coordinates_are_drawn_as_mesh_draws_them() {
    let Some(mut shown) = Shown::open("scenes/mesh/sprite.toml", &[]) else { return };
    let mut before = shown.golden();
    let steps = [
        ("brightness", "40"),
        ("alpha", "20"),
        ("additive", "on"),
        ("chroma_key_enable", "off"),
        ("chroma_key_enable", "on"),
        ("chroma_key", "#f8f800"),
        ("mask_x", "0x1fff"),
        ("mask_y", "4095"),
        ("x_offset", "-30"),
        ("y_offset", "7"),
    ];
    for (id, value) in steps {
        shown.choose(id, value);
        let after = shown.golden();
        assert!(after != before, "{id} = {value} changes nothing");
        before = after;
    }
    shown.assert_drawn_by_mesh();
    for (id, value, part) in [
        ("mask_x", "0x40000", "E0405 mask_x is 262144; use 0 to 262143"),
        ("mask_x", "wide", "E0405 mask_x is \"wide\"; write a whole number"),
        ("mask_x", "", "E0405 mask_x is \"\"; write a whole number"),
    ] {
        shown.choose(id, value);
        let said = shown.text("problems");
        assert!(said.starts_with(part), "{said}");
        assert!(shown.golden() == before, "the frame has changed");
    }
    shown.choose("mask_x", "0x1fff");
    assert_eq!(shown.text("problems"), "");
    shown.assert_fits("mesh");
    shown.finish();
}

#[test]
fn the_hardware_draws_the_mesh_on_demand() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let Some(mut shown) = Shown::open("scenes/mesh/sprite.toml", &[]) else { return };
    shown.after(|browser| browser.drag("points", [9.0, 5.0]));
    shown.browser.wait_for("held === null && !drawing");
    shown.browser.evaluate("at('draw-hardware').click()");
    shown.browser.wait_for("at('hardware-state').textContent === 'of this view' || !at('problems').hidden");
    assert_eq!(shown.text("problems"), "");
    assert_eq!(shown.text("difference-state"), "of golden model and hardware: none");
    let golden = shown.golden();
    assert!(golden == shown.browser.pixels("hardware").0, "the frames differ");
    assert!(shown.browser.pixels("difference").0.iter().all(|code| *code == 0));
    let figures = shown.text("hardware-figures");
    assert!(figures.contains("Clocks") && figures.contains("lines read"), "{figures}");
    shown.screenshot("mesh-hardware.png", 1280, "light");
    shown.choose("brightness", "9");
    assert_eq!(shown.text("hardware-state"), "of an earlier view");
    let said = shown.text("difference-state");
    assert!(said.contains("of an earlier view, not of what is shown now"), "{said}");
    shown.finish();
}

#[test]
fn jobs_that_cannot_be_shown_are_refused_before_anything_is_served() {
    let workshop = Workshop::new();
    workshop.write("bad.toml", "texture = \"coffee.jpg\"\nalpha = 64\n");
    let cases: [(&str, &[&str]); 3] = [
        ("tmugen view bad.toml", &["bad.toml:2: error[E0305]", "the job has no `vertices`"]),
        ("tmugen view nothing.toml", &["E0310", "nothing.toml"]),
        ("tmugen view scenes/mesh/copy.toml --preset fury", &["E0205", "fury builds no engine \"mesh\""]),
    ];
    for (command, parts) in cases {
        let run = workshop.run(command);
        assert_eq!((run.exit, run.out.as_str()), (1, ""), "{run}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {run}");
        }
    }
    let said = workshop.succeed("tmugen view scenes/mesh/copy.toml --measure");
    assert!(said.starts_with("mesh ") && said.contains("ms a frame"), "{said}");
}
