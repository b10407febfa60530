//! What the page has chosen: JSON to checked values, and to the scene file that draws the same.

use crate::problem::{Refusal, Rule};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use tmu_problem::{Problem, Problems};
use tmu_scene::ImageSize;
use tmu_spec::level_offset::MAX_SIZE_LOG2;
use tmu_spec::{AddressMode, Format};

/// Longest side of a frame in pixels.
pub const MAX_SIDE: u32 = 2048;

/// Background of a frame.
const BACKGROUND: &str = "#20242c";

/// Longest side of the picture in the scene; the camera turns around its middle.
const PICTURE_SIDE: f64 = 1.6;

/// Thickness of the picture in the scene.
const PICTURE_THICKNESS: f64 = 0.001;

/// Height of the floor below what the camera turns around.
const FLOOR_HEIGHT: f64 = -0.5;

/// Segments around the sphere.
const SPHERE_SEGMENTS: u32 = 64;

/// What shows the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A flat picture, in its own proportions.
    Picture,
    /// A floor to the horizon.
    Floor,
    /// A cube, the picture on each face.
    Cube,
    /// A sphere.
    Sphere,
}

impl Shape {
    /// Every shape, in the order in which the page lists them.
    pub const ALL: [Shape; 4] = [Shape::Picture, Shape::Floor, Shape::Cube, Shape::Sphere];
}

/// Where the camera stands, around the middle of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Orbit {
    /// To the east of the front, in degrees.
    pub yaw_degrees: f64,
    /// Above the horizon, in degrees.
    pub pitch_degrees: f64,
    /// From the middle.
    pub distance: f64,
}

impl Orbit {
    fn position(&self) -> [f64; 3] {
        let (yaw_sine, yaw_cosine) = self.yaw_degrees.to_radians().sin_cos();
        let (pitch_sine, pitch_cosine) = self.pitch_degrees.to_radians().sin_cos();
        let direction = [pitch_cosine * yaw_sine, pitch_sine, pitch_cosine * yaw_cosine];
        direction.map(|part| part * self.distance)
    }
}

/// Everything that can be chosen on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Name of the configuration.
    pub config: String,
    /// How texels are stored, by name.
    pub format: String,
    /// Weigh four texels, or take the nearest.
    pub bilinear: bool,
    /// Choose the level by the footprint, or always level 0.
    pub mipmaps: bool,
    /// The smallest level that is sampled; those that a texture does not have count as its last.
    pub max_lod: u32,
    /// What happens to u outside the texture, by name.
    pub address_u: String,
    /// The same for v.
    pub address_v: String,
    /// What shows the texture.
    pub shape: Shape,
    /// How often the picture stands side by side on the shape.
    pub repeats: f64,
    /// Width of the frame in pixels.
    pub width: u32,
    /// Height of the frame in pixels.
    pub height: u32,
    /// Where the camera stands.
    pub camera: Orbit,
}

/// The settings that a page starts with, for a configuration.
impl Settings {
    /// What the page shows first.
    pub fn first(config: &str) -> Self {
        Settings {
            config: config.to_owned(),
            format: Format::Rgba8.to_string(),
            bilinear: true,
            mipmaps: true,
            max_lod: MAX_SIZE_LOG2,
            address_u: AddressMode::Wrap.to_string(),
            address_v: AddressMode::Wrap.to_string(),
            shape: Shape::Picture,
            repeats: 1.0,
            width: 640,
            height: 480,
            camera: Orbit { yaw_degrees: 25.0, pitch_degrees: 15.0, distance: 2.2 },
        }
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Rule::Request`] if it is not the JSON that the page sends, and a [`Rule::Setting`] for each value out of range.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let settings: Settings = parse(body)?;
        Problems::check(settings.problems())?;
        Ok(settings)
    }

    /// The size of the frame.
    pub(crate) fn size(&self) -> Option<ImageSize> {
        ImageSize::new(self.width, self.height).filter(|size| size.width().max(size.height()) <= MAX_SIDE)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut add =
            |message: String, help: String| problems.push(Problem::new(Rule::Setting, message, help));
        if let Err(error) = self.format.parse::<Format>() {
            add(format!("format: {error}"), "choose one that is listed".to_owned());
        }
        for (key, mode) in [("address_u", &self.address_u), ("address_v", &self.address_v)] {
            if let Err(error) = mode.parse::<AddressMode>() {
                add(format!("{key}: {error}"), "choose one that is listed".to_owned());
            }
        }
        if self.size().is_none() {
            let message = format!("the size is {} x {} pixels", self.width, self.height);
            add(message, format!("use sides of 1 to {MAX_SIDE} pixels"));
        }
        let mut within = |key: &str, value: f64, range: RangeInclusive<f64>| {
            if !range.contains(&value) {
                let help = format!("use {} to {}", range.start(), range.end());
                add(format!("{key} is {value}"), help);
            }
        };
        within("max_lod", self.max_lod.into(), 0.0..=MAX_SIZE_LOG2.into());
        within("repeats", self.repeats, 0.01..=64.0);
        within("yaw_degrees", self.camera.yaw_degrees, -36_000.0..=36_000.0);
        within("pitch_degrees", self.camera.pitch_degrees, -89.0..=89.0);
        within("distance", self.camera.distance, 0.05..=1000.0);
        problems
    }

    /// The scene file that draws this, of a picture with this file name and these proportions.
    pub(crate) fn scene(&self, picture: &str, [width, height]: [usize; 2]) -> String {
        let longest = width.max(height) as f64;
        let side = |texels: usize| PICTURE_SIDE * texels as f64 / longest;
        let (shape, scale, translate) = match self.shape {
            Shape::Picture => ("cube", Some([side(width), side(height), PICTURE_THICKNESS]), None),
            Shape::Floor => ("floor", None, Some([0.0, FLOOR_HEIGHT, 0.0])),
            Shape::Cube => ("cube", None, None),
            Shape::Sphere => ("sphere", None, None),
        };
        let file = SceneFile {
            image: Image { width: self.width, height: self.height, background: BACKGROUND },
            camera: Camera { position: self.camera.position(), target: [0.0; 3] },
            texture: [Texture { name: "picture", file: picture, format: &self.format, resize: "pow2" }],
            sampler: [Sampler {
                name: "sampler",
                filter: if self.bilinear { "bilinear" } else { "nearest" },
                mipmaps: self.mipmaps,
                max_lod: self.max_lod,
                address_u: &self.address_u,
                address_v: &self.address_v,
            }],
            mesh: [Mesh {
                shape,
                segments: (self.shape == Shape::Sphere).then_some(SPHERE_SEGMENTS),
                texture: "picture",
                sampler: "sampler",
                uv_scale: [self.repeats; 2],
                scale,
                translate,
            }],
        };
        let tables = toml::to_string(&file).expect("names and numbers");
        format!("# As drawn by `tmugen view`; the picture stands beside this file.\n\n{tables}")
    }
}

/// Settings out of the body of a request.
///
/// # Errors
/// [`Rule::Request`] if it is not the JSON that the page sends.
pub(crate) fn parse<S: DeserializeOwned>(body: &[u8]) -> Result<S, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        Refusal::new(Rule::Request, format!("the settings are not as the page sends them: {error}"), RELOAD)
    })
}

/// What to do where a request is not the page's.
pub(crate) const RELOAD: &str = "load the page again";

#[derive(Serialize)]
struct SceneFile<'a> {
    image: Image<'a>,
    camera: Camera,
    texture: [Texture<'a>; 1],
    sampler: [Sampler<'a>; 1],
    mesh: [Mesh<'a>; 1],
}

#[derive(Serialize)]
struct Image<'a> {
    width: u32,
    height: u32,
    background: &'a str,
}

#[derive(Serialize)]
struct Camera {
    position: [f64; 3],
    target: [f64; 3],
}

#[derive(Serialize)]
struct Texture<'a> {
    name: &'a str,
    file: &'a str,
    format: &'a str,
    resize: &'a str,
}

#[derive(Serialize)]
struct Sampler<'a> {
    name: &'a str,
    filter: &'a str,
    mipmaps: bool,
    max_lod: u32,
    address_u: &'a str,
    address_v: &'a str,
}

#[derive(Serialize)]
struct Mesh<'a> {
    shape: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<u32>,
    texture: &'a str,
    sampler: &'a str,
    uv_scale: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    translate: Option<[f64; 3]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
        let mut value = serde_json::to_value(Settings::first("fury")).unwrap();
        change(&mut value);
        value.to_string().into_bytes()
    }

    #[test]
    fn settings_come_back_as_they_were_sent() {
        assert_eq!(Settings::read(&json(|_| ())).unwrap(), Settings::first("fury"));
    }

    #[test]
    fn everything_that_is_out_of_range_is_named() {
        let body = json(|value| {
            value["format"] = "rgb666".into();
            value["address_v"] = "bounce".into();
            value["width"] = 0.into();
            value["max_lod"] = 12.into();
            value["repeats"] = 0.into();
            value["camera"]["pitch_degrees"] = 90.into();
            value["camera"]["distance"] = 1e300.into();
        });
        let refusal = Settings::read(&body).unwrap_err();
        assert_eq!(refusal.status, 422);
        let texts: Vec<_> = refusal.problems.iter().map(ToString::to_string).collect();
        for part in [
            "rgb666",
            "address_v",
            "0 x 480",
            "max_lod is 12",
            "repeats is 0",
            "pitch_degrees is 90",
            "distance is 1",
        ] {
            assert_eq!(texts.iter().filter(|text| text.contains(part)).count(), 1, "{part} in {texts:#?}");
        }
        assert_eq!(texts.len(), 7);
        assert!(texts.iter().all(|text| text.starts_with("error[E0405]: ")));
    }

    #[test]
    fn what_is_not_the_pages_json_is_refused() {
        let bodies = [
            b"".to_vec(),
            b"\xff\xfe".to_vec(),
            b"[]".to_vec(),
            b"[".repeat(100_000),
            json(|value| value["colour"] = 1.into()),
            json(|value| value["width"] = (-1).into()),
            json(|value| value["shape"] = "torus".into()),
            json(|value| drop(value.as_object_mut().unwrap().remove("camera"))),
        ];
        for body in bodies {
            let refusal = Settings::read(&body).unwrap_err();
            assert_eq!((refusal.status, refusal.problems[0].code), (400, "E0404"));
        }
    }

    #[test]
    fn the_camera_goes_round_the_middle() {
        let at = |yaw_degrees, pitch_degrees| {
            let position = Orbit { yaw_degrees, pitch_degrees, distance: 2.0 }.position();
            position.map(|part| (part * 1000.0).round() / 1000.0 + 0.0)
        };
        assert_eq!(at(0.0, 0.0), [0.0, 0.0, 2.0]);
        assert_eq!(at(90.0, 0.0), [2.0, 0.0, 0.0]);
        assert_eq!(at(0.0, 30.0), [0.0, 1.0, 1.732]);
    }
}
