//! Shapes of the drawings.

use super::super::{element, text};
use crate::xml::Element;

/// A drawing of this size in pixels, never shown larger, with what it shows in words.
pub(super) fn drawing([width, height]: [usize; 2], shows: &str) -> Element {
    element("svg")
        .with("viewBox", format!("0 0 {width} {height}"))
        .with("width", width)
        .with("height", height)
        .with("role", "img")
        .with("aria-label", shows)
}

pub(super) fn rectangle([x, y]: [usize; 2], [width, height]: [usize; 2], class: &str) -> Element {
    let place = element("rect").with("x", x).with("y", y).with("width", width).with("height", height);
    place.with("rx", 6).with("class", class)
}

pub(super) fn label([x, y]: [usize; 2], words: &str, class: &str) -> Element {
    text("text", words).with("x", x).with("y", y).with("class", class)
}

/// Where an arrow's head points.
#[derive(Debug, Clone, Copy)]
pub(super) enum Towards {
    Right,
    Left,
    Up,
    Down,
}

/// A line along a path, with a head at its end.
pub(super) fn arrow(path: &str, towards: Towards) -> Element {
    let head = match towards {
        Towards::Right => "m-6 -4l6 4l-6 4",
        Towards::Left => "m6 -4l-6 4l6 4",
        Towards::Up => "m-4 6l4 -6l4 6",
        Towards::Down => "m-4 -6l4 6l4 -6",
    };
    element("path").with("d", format!("{path}{head}"))
}
