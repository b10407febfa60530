//! A scene of either numerics, from its file.

use std::io;
use std::path::Path;

use tmu_problem::Problems;
use tmu_spec::general::{self, Filter, MipFilter};

use super::definition::{Bindings, Bound, Definitions, Samplers, Textures};
use super::draw::{Surroundings, draws};
use super::general::{KEYS, Projectors, projectors};
use super::view::Image;
use super::{MAX_IMAGE_SIDE, Pictures, Scene, Space, texture, view};
use crate::camera::Camera;
use crate::document::{Document, Section};
use crate::numerics::{Classic, General};
use crate::problem::Rule;

/// The most bytes of a scene file.
pub const MAX_SCENE_BYTES: u64 = 1 << 20;

/// A scene of the numerics that its file names.
#[derive(Debug)]
pub enum AnyScene {
    /// Of the classic numerics.
    Classic(Scene),
    /// Of the general numerics.
    General(Scene<General>),
}

impl AnyScene {
    /// Reads a scene file and every file that it names.
    ///
    /// # Errors
    /// Everything that is wrong with any of them. Nothing is drawn from a scene with problems.
    pub fn load(path: &Path) -> Result<Self, Problems> {
        let text = tmu_assets::read_text(path, MAX_SCENE_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                let message = format!("the file is over {MAX_SCENE_BYTES} bytes, the most a scene may have");
                let remedy = "put meshes and textures into files of their own";
                Problems::one(Rule::Limit, path, message, remedy)
            }
            kind => {
                let remedy = match kind {
                    io::ErrorKind::InvalidData => {
                        "name a scene, and save it as UTF-8 (not UTF-16 or Latin-1)"
                    }
                    _ => "check the path",
                };
                Problems::one(Rule::File, path, format!("the scene cannot be read: {error}"), remedy)
            }
        })?;
        Self::parse(path, &text)
    }

    /// Reads a scene from its text; `path` says where it stands, for messages and for the files it names.
    ///
    /// # Errors
    /// As [`AnyScene::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, Problems> {
        parse_with(path, text, &texture::Files)
    }

    /// The scene as one of the classic numerics; `path` is for the message.
    ///
    /// # Errors
    /// [`Rule::Numerics`] if it is one of the general numerics.
    pub fn into_classic(self, path: &Path) -> Result<Scene, Problems> {
        match self {
            AnyScene::Classic(scene) => Ok(scene),
            AnyScene::General(_) => {
                let message = "`numerics` is \"general\": the scene needs a unit of the general numerics";
                let remedy = "draw it with `tmugen render` and a configuration of them, like --preset multi";
                Err(Problems::one(Rule::Numerics, path, message, remedy))
            }
        }
    }

    /// The scene as a unit of the general numerics draws it. Those of the classic numerics it draws too.
    #[must_use]
    pub fn into_general(self, unit: &general::General) -> Scene<General> {
        match self {
            AnyScene::General(scene) => Scene { numerics: scene.numerics.of_unit(unit), ..scene },
            AnyScene::Classic(scene) => {
                let bindings = scene.bindings.into_iter().map(|Bound { binding, texture, sampler }| Bound {
                    binding: generalised(&binding),
                    texture,
                    sampler,
                });
                Scene {
                    numerics: General::default().of_unit(unit),
                    bindings: bindings.collect(),
                    size: scene.size,
                    background: scene.background,
                    camera: scene.camera,
                    memory: scene.memory,
                    texture_names: scene.texture_names,
                    draws: scene.draws,
                    files: scene.files,
                    ignored: scene.ignored,
                }
            }
        }
    }

    /// The files that the scene names and that were read.
    pub fn files(&self) -> &[std::path::PathBuf] {
        match self {
            AnyScene::Classic(scene) => scene.files(),
            AnyScene::General(scene) => scene.files(),
        }
    }
}

/// A classic binding as one of the general numerics.
fn generalised(binding: &tmu_spec::Binding) -> general::Binding {
    let tmu_spec::Sampler { bilinear, mipmapped, address_u, address_v } = binding.sampler();
    let filter = if bilinear { Filter::Linear } else { Filter::Nearest };
    let usual = general::Sampler::default();
    let sampler = general::Sampler {
        min: filter,
        mag: filter,
        mip: if mipmapped { MipFilter::Nearest } else { MipFilter::None },
        address: [address_u, address_v, usual.address[2]],
        ..usual
    };
    let texture = general::Texture::from(*binding.texture());
    general::Binding { base: binding.base(), texture, sampler, drop_cache: false }
}

/// Reads a scene from its text; those of the classic numerics have pictures from `pictures`.
pub(super) fn parse_with(path: &Path, text: &str, pictures: &dyn Pictures) -> Result<AnyScene, Problems> {
    let (mut document, mut root) = Document::parse(path, text)?;
    let is_named = root.has("numerics");
    let is_general = document.choice(&mut root, "numerics", |name| match name {
        "classic" => Ok(false),
        "general" => Ok(true),
        _ => Err(format!("{name:?} are no numerics; use one of classic, general")),
    });
    if is_named && is_general.is_none() {
        // Which keys the tables have is not known then.
        return Err(document.report.finish(()).expect_err("the name is wrong"));
    }
    let is_general = is_general.unwrap_or(false);
    if !is_general {
        document.other_keys = KEYS;
    }
    let image = view::image(&mut document, &mut root, MAX_IMAGE_SIDE, is_general);
    let camera = view::camera(&mut document, &mut root);
    let reader = Reader { document, root, path, image, camera };
    if is_general {
        reader.general().map(AnyScene::General)
    } else {
        reader.classic(pictures).map(AnyScene::Classic)
    }
}

/// A scene of which picture and camera are read.
struct Reader<'t, 'p> {
    document: Document<'t>,
    root: Section<'t>,
    path: &'p Path,
    image: Image,
    camera: Option<Camera>,
}

impl Reader<'_, '_> {
    fn classic(mut self, pictures: &dyn Pictures) -> Result<Scene, Problems> {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        let textures = texture::textures(&mut self.document, &mut self.root, directory, pictures);
        let samplers = texture::samplers(&mut self.document, &mut self.root);
        self.finish(Classic, textures, &samplers, None, |_, _| ())
    }

    fn general(mut self) -> Result<Scene<General>, Problems> {
        let projectors = projectors(&mut self.document, &mut self.root);
        let (textures, shadows) =
            super::general::textures(&mut self.document, &mut self.root, self.path, &projectors);
        let samplers = super::general::samplers(&mut self.document, &mut self.root);
        let numerics = General { encodes_srgb: self.image.encodes_srgb, ..General::default() };
        self.finish(numerics, textures, &samplers, Some(&projectors), |textures, draws| {
            shadows.draw(textures, &projectors, draws);
        })
    }

    /// Reads the meshes and puts all together; `complete` draws what follows from the meshes into textures.
    fn finish<N: Definitions>(
        self,
        numerics: N,
        mut textures: Textures<N::Texture>,
        samplers: &Samplers<N::Sampler>,
        projectors: Option<&Projectors>,
        complete: impl FnOnce(&mut Textures<N::Texture>, &[super::Draw]),
    ) -> Result<Scene<N>, Problems> {
        let Self { mut document, mut root, path, image, camera } = self;
        let directory = path.parent().unwrap_or(Path::new(""));
        let surroundings = Surroundings { directory, camera: camera.as_ref(), projectors };
        let mut bindings = Bindings::new(&textures, samplers);
        let draws = draws::<N>(&mut document, &mut root, &surroundings, &mut bindings);
        if camera.is_none() && draws.iter().any(|draw| matches!(draw.space, Space::World(_))) {
            document.report.add(
                Rule::MissingKey,
                None,
                "the scene has no [camera], and shapes in it that are not on the screen",
                "add [camera] with `position = [x, y, z]` and `target = [x, y, z]`",
            );
        }
        document.finish(root);
        let bindings = bindings.into_list();
        if document.report.is_empty() {
            complete(&mut textures, &draws);
        }
        let (memory, texture_names) = textures.into_memory();
        document.report.finish(Scene {
            numerics,
            size: image.size,
            background: image.background,
            camera,
            memory,
            texture_names,
            bindings,
            draws,
            files: document.files,
            ignored: document.ignored,
        })
    }
}
