//! A page in a browser, with its server.
//!
//! `TMUGEN_SCREENSHOTS=folder cargo test -p tmugen --test view` leaves pictures of the pages there.

use crate::browser::Browser;
use crate::support::{Served, Workshop};
use std::fs;
use std::path::{Path, PathBuf};
use tmu_assets::Picture;

/// A page with its server.
pub(crate) struct Shown {
    pub(crate) workshop: Workshop,
    served: Served,
    pub(crate) browser: Browser,
}

impl Shown {
    /// None where there is no browser.
    pub(crate) fn open(arguments: &str, environment: &[(&str, &Path)]) -> Option<Self> {
        let mut browser = Browser::start()?;
        let workshop = Workshop::new();
        let served = workshop.serve(&format!("tmugen view {arguments}"), environment);
        browser.open(&served.url);
        Some(Shown { workshop, served, browser })
    }

    /// Does something and waits until the page has drawn again.
    pub(crate) fn after(&mut self, act: impl FnOnce(&mut Browser)) {
        let frames = self.browser.evaluate("frames").as_u64().unwrap();
        act(&mut self.browser);
        self.browser.wait_for(&format!("!drawing && frames > {frames}"));
    }

    /// Gives a control a value.
    pub(crate) fn choose(&mut self, id: &str, value: &str) {
        let script = format!(
            "at({id:?}).value = {value:?}; at({id:?}).dispatchEvent(new Event('input', {{ bubbles: true }}))"
        );
        self.after(|browser| drop(browser.evaluate(&script)));
        assert_eq!(self.browser.evaluate(&format!("at({id:?}).value")), value, "{id}");
    }

    /// Looks at a pixel by its fields.
    pub(crate) fn look(&mut self, [x, y]: [u32; 2]) {
        let answers = self.browser.evaluate("answers").as_u64().unwrap();
        let script = format!(
            "at('column').value = {x}; at('row').value = {y}; at('row').dispatchEvent(new Event('input', {{ bubbles: true }}))"
        );
        self.browser.evaluate(&script);
        self.browser.wait_for(&format!("!asking && answers > {answers}"));
        assert_eq!(self.text("problems"), "");
    }

    /// Gives a control that draws no frame a value.
    pub(crate) fn set(&mut self, id: &str, value: &str) {
        let script = format!(
            "at({id:?}).value = {value:?}; at({id:?}).dispatchEvent(new Event('input', {{ bubbles: true }}))"
        );
        self.browser.evaluate(&script);
    }

    /// The cells of a table.
    pub(crate) fn cells(&mut self, id: &str) -> Vec<Vec<String>> {
        let script =
            format!("[...at({id:?}).rows].map((row) => [...row.cells].map((cell) => cell.textContent))");
        serde_json::from_value(self.browser.evaluate(&script)).unwrap()
    }

    /// What an element says.
    pub(crate) fn text(&mut self, id: &str) -> String {
        self.browser.evaluate(&format!("at({id:?}).innerText")).as_str().unwrap().to_owned()
    }

    /// The golden frame on the page.
    pub(crate) fn golden(&mut self) -> Vec<u8> {
        self.browser.pixels("golden").0
    }

    /// Fails unless the golden frame is the picture in a file.
    pub(crate) fn assert_shows(&mut self, name: &str) {
        let picture = Picture::open(&self.workshop.path(name)).unwrap();
        let rgb: Vec<u8> = picture.texels().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        let (golden, sides) = self.browser.pixels("golden");
        assert_eq!(sides, [picture.width(), picture.height()].map(|side| side as u64));
        assert!(golden == rgb, "the page shows another frame than the one in {name}");
    }

    /// A picture of the page, left in the folder that `TMUGEN_SCREENSHOTS` names.
    pub(crate) fn screenshot(&mut self, name: &str, width: u32, scheme: &str) {
        let picture = self.browser.screenshot(width, scheme);
        if let Some(folder) = std::env::var_os("TMUGEN_SCREENSHOTS") {
            fs::write(PathBuf::from(folder).join(name), picture).unwrap();
        }
    }

    /// Fails unless the page fits screens of any width and is dark where the dark is asked for.
    pub(crate) fn assert_fits(&mut self, name: &str) {
        for (width, scheme) in
            [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (320, "light")]
        {
            self.screenshot(&format!("{name}-{width}-{scheme}.png"), width, scheme);
            let scrolled = self.browser.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(scrolled.as_i64().unwrap() <= 0, "{width} pixels wide: {scrolled} too many");
            let brightness = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).reduce((sum, code) => sum + +code, 0)";
            let brightness = self.browser.evaluate(brightness).as_u64().unwrap();
            assert_eq!(brightness < 200, scheme == "dark", "{scheme}: {brightness}");
        }
    }

    /// Ends both, and fails if the page's script has failed.
    pub(crate) fn finish(mut self) {
        assert_eq!(self.browser.faults(), &[] as &[String]);
        assert_eq!(self.served.interrupt().0, 130);
    }
}
