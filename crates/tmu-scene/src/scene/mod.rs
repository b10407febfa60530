//! A scene: what its file says, checked, with its textures packed and its meshes read.
//!
//! | module | reads |
//! | --- | --- |
//! | `view` | `[image]` and `[camera]` |
//! | `definition` | names, the one texture memory, bindings |
//! | `texture` | `[[texture]]` and `[[sampler]]` of the classic numerics |
//! | `general` | those of the general numerics, and `[[projector]]` |
//! | `draw` | `[[mesh]]` |
//! | `pixel` | scenes of the pixel pipeline |

mod any;
mod definition;
mod draw;
mod general;
mod one_picture;
mod pixel;
mod texture;
mod view;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tmu_assets::Ignored;

use crate::camera::Camera;
use crate::numerics::{Classic, General, Numerics};
pub use any::{AnyScene, MAX_SCENE_BYTES};
use definition::Bound;
pub(crate) use draw::{Blend, Draw, Space};
pub(crate) use general::Projector;
pub use one_picture::OnePicture;
pub(crate) use pixel::{Facing, Light, PixelDraw};
pub use pixel::{PixelBinding, PixelScene};
pub use texture::Pictures;
use tmu_problem::Problems;
use tmu_spec::general::{Sampler, Texture};
pub(crate) use view::MAX_PLACE;

/// Longest side of a picture in pixels: what the edge functions and the guard band are made for.
pub const MAX_IMAGE_SIDE: u32 = 8192;

/// Width and height of a picture in pixels, each 1 … [`MAX_IMAGE_SIDE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageSize {
    width: u32,
    height: u32,
}

impl ImageSize {
    /// A size, or none where a side is 0 or over [`MAX_IMAGE_SIDE`].
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let fits = |side: u32| (1..=MAX_IMAGE_SIDE).contains(&side);
        (fits(width) && fits(height)).then_some(Self { width, height })
    }

    /// Pixels in a row.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(self) -> u32 {
        self.height
    }
}

impl fmt::Display for ImageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for ImageSize {
    type Err = String;

    /// Reads `WIDTHxHEIGHT`, such as `1920x1080`.
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        sides.and_then(|(width, height)| Self::new(width, height)).ok_or_else(|| {
            format!("give WIDTHxHEIGHT with sides of 1 to {MAX_IMAGE_SIDE} pixels, such as 1920x1080")
        })
    }
}

/// A scene that can be drawn.
#[derive(Debug, Clone)]
pub struct Scene<N: Numerics = Classic> {
    numerics: N,
    size: ImageSize,
    background: [u8; 3],
    /// None where everything lives on the screen.
    camera: Option<Camera>,
    memory: Vec<u8>,
    texture_names: Vec<String>,
    bindings: Vec<Bound<N::Binding>>,
    draws: Vec<Draw>,
    /// Files that were read beside the scene's own.
    files: Vec<PathBuf>,
    ignored: Vec<(PathBuf, Ignored)>,
}

impl Scene {
    /// Reads a scene file of the classic numerics and every file that it names.
    ///
    /// # Errors
    /// Everything that is wrong with any of them. Nothing is drawn from a scene with problems.
    pub fn load(path: &Path) -> Result<Self, Problems> {
        AnyScene::load(path)?.into_classic(path)
    }

    /// Reads a scene from its text; `path` says where it stands, for messages and for the files it names.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problems> {
        Self::parse_with(path, text, &texture::Files)
    }

    /// The same, with pictures from elsewhere than files.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn parse_with(path: &Path, text: &str, pictures: &dyn Pictures) -> Result<Self, Problems> {
        any::parse_with(path, text, pictures)?.into_classic(path)
    }
}

impl Scene<General> {
    /// The scene with its samplers changed; each is told with the texture that it reads.
    #[must_use]
    pub fn with_samplers(mut self, mut change: impl FnMut(&Texture, &mut Sampler)) -> Self {
        for Bound { binding, .. } in &mut self.bindings {
            change(&binding.texture, &mut binding.sampler);
        }
        self
    }
}

impl<N: Numerics> Scene<N> {
    /// What its quads and results are.
    pub fn numerics(&self) -> &N {
        &self.numerics
    }

    /// The files that the scene names and that were read: pictures, textures with their memory, meshes with their buffers.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Pictures of the scene that say something of their colours that is passed over.
    pub fn ignored(&self) -> &[(PathBuf, Ignored)] {
        &self.ignored
    }

    /// The size of the picture that the scene file asks for.
    pub fn size(&self) -> ImageSize {
        self.size
    }

    /// R, G, B of pixels that nothing covers.
    pub fn background(&self) -> [u8; 3] {
        self.background
    }

    /// The texture memory that the bindings point into, from address 0.
    pub fn memory(&self) -> &[u8] {
        &self.memory
    }

    /// What is bound while the scene is drawn: one for each texture and sampler that are used together.
    pub fn bindings(&self) -> impl ExactSizeIterator<Item = &N::Binding> {
        self.bindings.iter().map(|bound| &bound.binding)
    }

    /// One of them.
    pub(crate) fn binding(&self, number: usize) -> &N::Binding {
        &self.bindings[number].binding
    }

    /// The names of the textures, in the order of the scene file.
    pub fn texture_names(&self) -> &[String] {
        &self.texture_names
    }

    /// The texture that a binding reads, as an index of the names.
    ///
    /// # Panics
    /// If there is no binding with this number.
    pub fn texture_of(&self, binding: usize) -> usize {
        self.bindings[binding].texture
    }

    /// The name of the sampler by which a binding reads.
    ///
    /// # Panics
    /// If there is no binding with this number.
    pub fn sampler_of(&self, binding: usize) -> &str {
        &self.bindings[binding].sampler
    }

    /// The scene from where it is looked at, but turned to the right and up by some degrees, and with a field of view that is so many
    /// times smaller. The camera never looks straight up or down.
    #[must_use]
    pub fn looking(self, right_degrees: f64, up_degrees: f64, zoom: f64) -> Self {
        let camera = self.camera.map(|camera| camera.turned(right_degrees, up_degrees).zoomed(zoom));
        Self { camera, ..self }
    }

    pub(crate) fn camera(&self) -> Option<&Camera> {
        self.camera.as_ref()
    }

    pub(crate) fn draws(&self) -> &[Draw] {
        &self.draws
    }
}
