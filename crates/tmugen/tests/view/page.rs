//! The page in a browser: what it shows is what the program draws, and what is wrong is named.

use crate::shown::Shown;
use crate::support::with_gamma_1;
use std::fs;
use std::path::Path;
use tmu_assets::Picture;
use tmu_verilate::Tools;

impl Shown {
    fn load(&mut self, path: &Path) {
        self.after(|browser| browser.choose_file("#file", path));
    }

    /// Loads a file that is refused.
    fn refused(&mut self, path: &Path) -> String {
        let loads = self.browser.evaluate("Number(document.body.dataset.loads || 0)").as_u64().unwrap();
        self.browser.choose_file("#file", path);
        self.browser.wait_for(&format!("document.body.dataset.loads > {loads} && !at('problems').hidden"));
        self.text("problems")
    }

    /// Fails unless the golden frame is what `tmugen render` draws of the scene file that the page offers.
    fn assert_rendered(&mut self, preset: &str) {
        let scene = self.browser.evaluate("scene");
        self.workshop.write("view.toml", scene.as_str().unwrap());
        self.workshop.succeed(&format!("tmugen render view.toml -o view.png --preset {preset} --quiet"));
        self.assert_shows("view.png");
    }
}

#[test]
fn what_is_chosen_is_drawn_as_render_draws_it() {
    let Some(mut shown) = Shown::open("--preset fury-single", &[]) else { return };
    shown.choose("size", "160 x 120");
    let first = shown.golden();
    let picture = shown.workshop.path("chelsea.png");
    shown.load(&picture);
    assert_eq!(shown.text("picture"), "chelsea.png: 451 x 300, resampled to 512 x 256");
    assert_ne!(shown.golden(), first);
    shown.assert_rendered("fury-single");
    shown.choose("repeats", "3");
    let mut before = shown.golden();
    let steps = [
        ("filter", "nearest"),
        ("format", "i8_rgba8"),
        ("address_u", "mirror"),
        ("address_v", "clamp"),
        ("max_lod", "1"),
        ("mipmaps", "off"),
        ("shape", "cube"),
        ("yaw", "70"),
        ("pitch", "40"),
        ("distance", "0.9"),
    ];
    for (id, value) in steps {
        shown.choose(id, value);
        let after = shown.golden();
        assert!(after != before, "{id} = {value} changes nothing");
        before = after;
    }
    shown.assert_rendered("fury-single");
    shown.after(|browser| browser.drag("golden", [60.0, -20.0]));
    let dragged = shown.golden();
    assert!(dragged != before, "dragging does not move the camera");
    shown.after(|browser| browser.press("golden", "ArrowLeft"));
    assert!(shown.golden() != dragged, "keys do not move the camera");
    shown.assert_rendered("fury-single");
    shown.choose("format", "rgba8");
    let (heat, _) = shown.browser.pixels("heat");
    let rate = shown.browser.evaluate("document.querySelector('[data-name=\"Hit rate\"]').textContent");
    shown.choose("config", "stream");
    assert!(
        shown.browser.pixels("heat").0 != heat,
        "whole tiles are looked up, but the map of lines is the same"
    );
    let other = shown.browser.evaluate("document.querySelector('[data-name=\"Hit rate\"]').textContent");
    assert!(rate != other && other.as_str().unwrap().ends_with(" %"), "{rate} and {other}");
    shown.assert_rendered("stream");
    shown.finish();
}

#[test]
fn colours_that_are_not_applied_are_named_on_the_page() {
    let Some(mut shown) = Shown::open("", &[]) else { return };
    let is_hidden = "at('picture-note').hidden";
    assert_eq!(shown.browser.evaluate(is_hidden), true);
    let [plain, linear] = ["emblem.png", "linear.png"].map(|name| shown.workshop.path(name));
    fs::write(&linear, with_gamma_1(&fs::read(&plain).unwrap())).unwrap();
    shown.load(&linear);
    let said = shown.text("picture-note");
    assert!(said.starts_with("linear.png: its gamma of 1.00000 (gAMA) is not applied"), "{said}");
    shown.load(&plain);
    assert_eq!(shown.browser.evaluate(is_hidden), true);
    shown.finish();
}

#[test]
fn the_hardware_draws_the_same_on_demand() {
    if Tools::verilator().is_err() || Tools::cxx().is_err() {
        return;
    }
    let Some(mut shown) = Shown::open("coffee.jpg", &[]) else { return };
    shown.choose("size", "160 x 120");
    shown.browser.evaluate("at('draw-hardware').click()");
    shown.browser.wait_for("at('hardware-state').textContent === 'of this view' || !at('problems').hidden");
    assert_eq!(shown.text("problems"), "");
    assert_eq!(shown.text("difference-state"), "of golden model and hardware: none");
    let golden = shown.golden();
    let (hardware, sides) = shown.browser.pixels("hardware");
    assert_eq!(sides, [160, 120]);
    assert!(golden == hardware, "the frames differ");
    assert!(shown.browser.pixels("difference").0.iter().all(|code| *code == 0));
    let figures = shown.text("hardware-figures");
    let figure = |name: &str| {
        let (_, rest) = figures.split_once(name).unwrap_or_else(|| panic!("no {name} in {figures}"));
        let digits: String =
            rest.trim_start().chars().take_while(|c| c.is_ascii_digit() || ",.".contains(*c)).collect();
        digits.replace(',', "").parse::<f64>().unwrap_or_else(|_| panic!("{name} in {figures}"))
    };
    // A blocking unit takes some ten clocks a sample, and most look-ups hit.
    assert!(figure("Clocks") > 160.0 * 120.0 / 2.0, "{figures}");
    assert!((50.0..100.0).contains(&figure("Hit rate")), "{figures}");
    // No line is read twice here, so that it makes no difference which ways the two chose.
    let line = |text: &str| text.split_once("Look-ups").unwrap().1.trim().lines().next().unwrap().to_owned();
    assert_eq!(line(&figures), line(&shown.text("golden-figures")));
    shown.screenshot("desktop-light.png", 1400, "light");
    shown.screenshot("desktop-dark.png", 1400, "dark");
    shown.screenshot("phone-light.png", 390, "light");
    shown.screenshot("phone-dark.png", 390, "dark");
    shown.choose("filter", "nearest");
    assert_eq!(shown.text("hardware-state"), "of an earlier view");
    shown.finish();
}

#[test]
fn files_that_cannot_be_used_are_named_and_the_picture_stays() {
    let Some(mut shown) = Shown::open("coffee.jpg --max-upload-mib 1 --max-megapixels 1", &[]) else {
        return;
    };
    let (before, picture) = (shown.golden(), shown.text("picture"));
    let big = Picture::from_texels(1100, 1000, vec![[7; 4]; 1_100_000]);
    let files = [
        ("large.png", vec![0; (1 << 20) + 1], "E0406"),
        ("text.txt", b"no picture".to_vec(), "E0102"),
        ("damaged.png", fs::read(shown.workshop.path("chelsea.png")).unwrap()[..9999].to_vec(), "E0103"),
        ("big.png", big.encode("big.png".as_ref()).unwrap(), "E0104"),
        ("empty.png", Vec::new(), "E0103"),
    ];
    for (name, bytes, code) in files {
        let path = shown.workshop.path(name);
        fs::write(&path, bytes).unwrap();
        let said = shown.refused(&path);
        assert!(said.starts_with(code), "{name}: {said}");
        assert!(said.contains("; "), "{name}: no remedy in {said}");
        assert_eq!(shown.text("picture"), picture);
    }
    shown.screenshot("refused.png", 390, "light");
    shown.choose("yaw", "26");
    shown.choose("yaw", "25");
    assert_eq!(shown.text("problems"), "");
    assert!(shown.golden() == before, "the picture has changed");
    // A value that is out of its range is named, too, and the frame stays.
    shown.choose("repeats", "99");
    assert!(shown.text("problems").starts_with("E0405 repeats is 99"), "{}", shown.text("problems"));
    assert!(shown.golden() == before, "the frame has changed");
    shown.finish();
}

#[test]
fn a_machine_without_verilator_is_told_how_to_get_it() {
    let nothing = tempfile::tempdir().unwrap();
    let environment = [("PATH", nothing.path()), ("TMUGEN_CACHE_DIR", nothing.path())];
    let Some(mut shown) = Shown::open("", &environment) else { return };
    let said = shown.text("hardware-missing");
    assert!(
        said.starts_with("E0210 Verilator 5 is not installed") && said.contains("apt-get install"),
        "{said}"
    );
    assert_eq!(shown.browser.evaluate("at('draw-hardware').disabled"), true);
    shown.finish();
}

#[test]
fn the_page_fits_phones_and_keeps_to_the_dark() {
    let Some(mut shown) = Shown::open("", &[]) else { return };
    shown.assert_fits("picture");
    shown.finish();
}
