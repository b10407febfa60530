//! `[image]` and `[camera]`: the picture and the point of view.

use glam::DVec3;

use super::ImageSize;
use crate::camera::Camera;
use crate::document::{Document, Section};
use crate::problem::Rule;

/// Distance of the near plane where the scene names none.
pub(super) const DEFAULT_NEAR: f64 = 0.1;

/// Largest coordinate of a place in the scene.
pub(crate) const MAX_PLACE: f64 = 1.0e6;

/// Square of the sine of the smallest angle between the camera's axis and up.
const MIN_UP_SINE_SQUARED: f64 = 1.0e-12;

/// What `[image]` says.
pub(super) struct Image {
    pub(super) size: ImageSize,
    pub(super) background: [u8; 3],
    /// What is sampled is linear light, which the picture shows sRGB-coded.
    pub(super) encodes_srgb: bool,
}

/// Reads `[image]`, whose sides have so many pixels at most. Where it is wrong the values stand in for what it should say.
pub(super) fn image<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    most_pixels: u32,
    is_general: bool,
) -> Image {
    let size = ImageSize { width: 640, height: 360 };
    let mut image = Image { size, background: [0; 3], encodes_srgb: false };
    let Some(mut section) = document.table(root, "image") else {
        document.report.add(
            Rule::MissingKey,
            None,
            "the scene has no [image]",
            "add [image] with `width = 640` and `height = 360`",
        );
        return image;
    };
    let mut side = |key: &'static str| {
        let example = if key == "width" { "640" } else { "360" };
        document.require(&section, key, example);
        document.integer(&mut section, key, 1..=most_pixels)
    };
    if let (Some(width), Some(height)) = (side("width"), side("height")) {
        image.size = ImageSize { width, height };
    }
    if let Some(color) = document.choice(&mut section, "background", parse_color) {
        image.background = color;
    }
    if is_general {
        image.encodes_srgb = document.flag(&mut section, "srgb").unwrap_or(false);
    }
    document.finish(section);
    image
}

/// Reads `#rrggbb`.
pub(super) fn parse_color(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, r, g, b] =
        code.ok_or_else(|| format!("{text:?} is not a colour; write \"#rrggbb\""))?.to_be_bytes();
    Ok([r, g, b])
}

/// Reads `[camera]`, which a scene may do without.
pub(super) fn camera<'t>(document: &mut Document<'t>, root: &mut Section<'t>) -> Option<Camera> {
    let mut section = document.table(root, "camera")?;
    let camera = point_of_view(document, &mut section, "the camera");
    document.finish(section);
    Some(camera)
}

/// The keys of a point of view, that of `whom`.
pub(super) fn point_of_view<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    whom: &str,
) -> Camera {
    for (key, example) in [("position", "[0, 1, 5]"), ("target", "[0, 0, 0]")] {
        document.require(section, key, example);
    }
    let mut place = |key: &'static str, section: &mut Section<'t>| {
        document.vector::<3>(section, key, -MAX_PLACE..=MAX_PLACE).map(DVec3::from_array)
    };
    let position = place("position", section);
    let target = place("target", section);
    let up = place("up", section).unwrap_or(DVec3::Y);
    let fov_degrees = document.number(section, "vertical_fov_degrees", 1.0..=170.0).unwrap_or(50.0);
    let near = document.number(section, "near", 1.0e-4..=1.0e4).unwrap_or(DEFAULT_NEAR);
    // A stand-in keeps the rest of the scene from complaining about a camera that is there but wrong.
    let (position, target) = position.zip(target).unwrap_or((DVec3::Z, DVec3::ZERO));
    let ahead = target - position;
    if ahead == DVec3::ZERO {
        let message = format!("{} `position` and `target` are the same place", section.label);
        let remedy = format!("move the target to where {whom} looks");
        document.report.add(Rule::Conflict, section.line, message, remedy);
    } else if ahead.cross(up).length_squared()
        <= MIN_UP_SINE_SQUARED * ahead.length_squared() * up.length_squared()
    {
        let message = format!("{} `up` is {up}, along the line of sight or zero", section.label);
        document.report.add(Rule::Conflict, section.line, message, "give an `up` across the line of sight");
    }
    Camera { position, target, up, vertical_fov: fov_degrees.to_radians(), near }
}
