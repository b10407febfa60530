//! Scenes of the pixel pipeline: meshes with programs, several textures and lights.

mod mesh;
mod stages;
mod store;

use std::io;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tmu_problem::Problems;
use tmu_spec::pixel::MAX_FRAME_SIDE;

use super::definition::MAX_DEFINITIONS;
use super::general::{Projectors, samplers, textures};
use super::{ImageSize, MAX_SCENE_BYTES, view};
use crate::camera::Camera;
use crate::document::{Document, Section};
use crate::problem::Rule;
pub(crate) use mesh::{Facing, PixelDraw};
pub use store::PixelBinding;
use store::Store;

/// A light far away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Light {
    /// Where it lies, of length 1.
    pub(crate) direction: DVec3,
    /// Red, green and blue.
    pub(crate) color: [f64; 3],
}

/// A scene that the pixel pipeline can draw.
#[derive(Debug)]
pub struct PixelScene {
    pub(crate) size: ImageSize,
    pub(crate) background: [u8; 3],
    pub(crate) camera: Camera,
    pub(crate) ambient: [f64; 3],
    pub(crate) lights: Vec<Light>,
    /// Textures, from address 0.
    pub(crate) memory: Vec<u8>,
    /// The store of textures.
    pub(crate) store: Vec<PixelBinding>,
    pub(crate) draws: Vec<PixelDraw>,
    files: Vec<PathBuf>,
}

impl PixelScene {
    /// Reads a scene file and every file that it names.
    ///
    /// # Errors
    /// Everything that is wrong with any of them.
    pub fn load(path: &Path) -> Result<Self, Problems> {
        let text = tmu_assets::read_text(path, MAX_SCENE_BYTES).map_err(|error| {
            let rule = if error.kind() == io::ErrorKind::FileTooLarge { Rule::Limit } else { Rule::File };
            Problems::one(
                rule,
                path,
                format!("the scene cannot be read: {error}"),
                "check the path, and that it is a scene",
            )
        })?;
        Self::parse(path, &text)
    }

    /// Reads a scene from its text; `path` says where it stands, for messages and for the files it names.
    ///
    /// # Errors
    /// As [`PixelScene::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problems> {
        let (mut document, mut root) = Document::parse(path, text)?;
        let image = view::image(&mut document, &mut root, MAX_FRAME_SIDE, false);
        let camera = view::camera(&mut document, &mut root);
        let ambient = document.vector::<3>(&mut root, "ambient", 0.0..=1.0).unwrap_or([1.0; 3]);
        let lights = lights(&mut document, &mut root);
        let (textures, _) = textures(&mut document, &mut root, path, &Projectors::default());
        let samplers = samplers(&mut document, &mut root);
        let mut store = Store::new(&textures, &samplers);
        let draws = mesh::draws(&mut document, &mut root, path, &mut store);
        let store = store.into_entries();
        if camera.is_none() {
            let remedy = "add [camera] with `position = [x, y, z]` and `target = [x, y, z]`";
            document.report.add(Rule::MissingKey, None, "the scene has no [camera]", remedy);
        }
        document.finish(root);
        let (memory, _) = textures.into_memory();
        // One that is not there is in the report.
        let camera = camera.unwrap_or(Camera {
            position: DVec3::Z,
            target: DVec3::ZERO,
            up: DVec3::Y,
            vertical_fov: 1.0,
            near: view::DEFAULT_NEAR,
        });
        document.report.finish(Self {
            size: image.size,
            background: image.background,
            camera,
            ambient,
            lights,
            memory,
            store,
            draws,
            files: document.files,
        })
    }

    /// The files that the scene names and that were read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The store: textures with the samplers that meshes read them with, each pair once.
    pub fn bindings(&self) -> &[PixelBinding] {
        &self.store
    }

    /// The size of the picture that the scene file asks for.
    pub fn size(&self) -> ImageSize {
        self.size
    }
}

/// Reads all `[[light]]` tables.
fn lights<'t>(document: &mut Document<'t>, root: &mut Section<'t>) -> Vec<Light> {
    let mut lights = Vec::new();
    for mut section in document.tables(root, "light", MAX_DEFINITIONS) {
        document.require(&section, "direction", "[0.3, 1, 0.5]");
        let direction = document.vector::<3>(&mut section, "direction", -1.0e6..=1.0e6);
        let color = document.vector::<3>(&mut section, "color", 0.0..=1.0).unwrap_or([1.0; 3]);
        if let Some(direction) = direction {
            match DVec3::from_array(direction).try_normalize() {
                Some(direction) => lights.push(Light { direction, color }),
                None => {
                    let message = format!("{} `direction` has no length", section.label);
                    document.report.add(Rule::Conflict, section.line, message, "say where the light lies");
                }
            }
        }
        document.finish(section);
    }
    lights
}
