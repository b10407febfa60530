//! The keys of a job: those of the file, and those of a step, which stand over them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::picture::parse_565;
use crate::document::{Document, Section, Value};
use crate::problem::Rule;
use tmu_model::engines::mesh::Job;
use tmu_model::engines::mesh::job::{MOST_PIXELS, MOST_RECTANGLES};

/// Most times that a step is done.
pub(super) const MOST_REPEATS: u32 = 10_000;

/// What a job and each of its steps may say.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// By the names of the registers.
    pub(super) numbers: BTreeMap<&'static str, i64>,
    pub(super) switches: BTreeMap<&'static str, bool>,
    pub(super) chroma_key: Option<u16>,
    /// Names of files.
    pub(super) files: BTreeMap<&'static str, Value<String>>,
    /// Keys that are there with a value that is refused: what follows from them is not looked at.
    refused: BTreeSet<&'static str>,
}

/// Registers that are numbers, and what they may hold.
fn numbers() -> [(&'static str, RangeInclusive<i64>); 16] {
    let size = || 1..=i64::from(MOST_PIXELS);
    let rectangles = || 1..=i64::from(MOST_RECTANGLES);
    let offset = || i64::from(i32::MIN)..=i64::from(i32::MAX);
    [
        ("hmeshlast", rectangles()),
        ("vmeshlast", rectangles()),
        ("brightness", 0..=63),
        ("texture_width", size()),
        ("texture_height", size()),
        ("mask_x", 0..=0x3_ffff),
        ("mask_y", 0..=0x3_ffff),
        ("frame_width", size()),
        ("frame_height", size()),
        ("x_offset", offset()),
        ("y_offset", offset()),
        ("rectangle_width", size()),
        ("rectangle_height", size()),
        ("alpha", 0..=63),
        ("repeat", 1..=i64::from(MOST_REPEATS)),
        ("delay_ms", 1..=60_000),
    ]
}

/// Switches: registers, what a step takes from the one before it, and whether its picture is written.
const SWITCHES: [&str; 5] =
    ["chroma_key_enable", "additive", "texture_is_previous", "frame_is_previous", "output"];

/// Files: pictures, and the points of the mesh.
const FILES: [&str; 3] = ["texture", "frame", "vertices"];

impl Keys {
    /// Takes the keys of the file, or of a step; `delay_ms` is of the file alone.
    pub(super) fn read<'t>(document: &mut Document<'t>, section: &mut Section<'t>, is_step: bool) -> Self {
        let mut keys = Self::default();
        for (key, range) in numbers().into_iter().filter(|(key, _)| !(is_step && *key == "delay_ms")) {
            let is_there = section.has(key);
            keys.numbers.extend(document.signed(section, key, range).map(|value| (key, value)));
            if is_there && !keys.numbers.contains_key(key) {
                keys.refused.insert(key);
            }
        }
        for key in SWITCHES {
            keys.switches.extend(document.flag(section, key).map(|value| (key, value)));
        }
        keys.chroma_key = color(document, section);
        for key in FILES {
            let is_there = section.has(key);
            keys.files.extend(document.optional(section, key).map(|name| (key, name)));
            if is_there && !keys.files.contains_key(key) {
                keys.refused.insert(key);
            }
        }
        keys
    }

    /// These keys, where they do not say something the others.
    pub(super) fn over(self, others: &Self) -> Self {
        let mut keys = others.clone();
        keys.refused.retain(|key| !self.numbers.contains_key(key));
        keys.refused.extend(self.refused);
        keys.numbers.extend(self.numbers);
        keys.switches.extend(self.switches);
        keys.chroma_key = self.chroma_key.or(keys.chroma_key);
        keys.files.extend(self.files);
        keys
    }

    /// A number that fits 32 bits.
    pub(super) fn number(&self, key: &str) -> Option<u32> {
        self.numbers.get(key).map(|value| *value as u32)
    }

    /// Whether one of these keys has a value that is refused.
    pub(super) fn is_refused(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.refused.contains(key))
    }

    /// A switch, or what it is where nothing is said.
    pub(super) fn switch(&self, key: &str, usual: bool) -> bool {
        self.switches.get(key).copied().unwrap_or(usual)
    }

    /// A width and a height.
    pub(super) fn size(&self, keys: [&str; 2]) -> [Option<u32>; 2] {
        keys.map(|key| self.number(key))
    }

    /// The registers, but for addresses; what is not said is what they hold behind a reset.
    pub(super) fn job(&self) -> Job {
        let reset = Job::default();
        let number = |key: &str, reset: u32| self.number(key).unwrap_or(reset);
        let offset = |key: &str| self.numbers.get(key).map_or(0, |value| *value as i32);
        Job {
            chroma_key_enable: self.switch("chroma_key_enable", false),
            additive: self.switch("additive", false),
            hmeshlast: number("hmeshlast", reset.hmeshlast),
            vmeshlast: number("vmeshlast", reset.vmeshlast),
            brightness: number("brightness", reset.brightness),
            chroma_key: self.chroma_key.unwrap_or(reset.chroma_key),
            texture_width: number("texture_width", reset.texture_width),
            texture_height: number("texture_height", reset.texture_height),
            mask_x: number("mask_x", reset.mask_x),
            mask_y: number("mask_y", reset.mask_y),
            frame_width: number("frame_width", reset.frame_width),
            frame_height: number("frame_height", reset.frame_height),
            x_offset: offset("x_offset"),
            y_offset: offset("y_offset"),
            rectangle_width: number("rectangle_width", reset.rectangle_width),
            rectangle_height: number("rectangle_height", reset.rectangle_height),
            alpha: number("alpha", reset.alpha),
            ..reset
        }
    }
}

/// Takes a colour: `"RRGGBB"`, rounded to 565, or the 565 colour as a number.
fn color<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Option<u16> {
    let Value { value, line } = document.optional::<toml::Value>(section, "chroma_key")?;
    let found = match &value {
        toml::Value::String(text) => parse_565(text),
        toml::Value::Integer(number) => u16::try_from(*number).ok(),
        _ => None,
    };
    if found.is_none() {
        let message = format!("{} `chroma_key` is {value}, which is no colour", section.label);
        let help = "write \"RRGGBB\" in hexadecimal, or the 565 colour as a number of 0 to 65535";
        document.report.add(Rule::OutOfRange, line, message, help);
    }
    found
}
