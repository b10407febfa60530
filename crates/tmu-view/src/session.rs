//! The picture that is looked at, and frames of it by the golden model.
//!
//! Contract: a frame is that of `tmugen render` of the scene file in [`Drawn::scene`], bit for bit; pictures whose sides are
//! no powers of two are resampled as there.
//!
//! Cost: packing once for each format that is looked at; then a copy of the texture and the frame itself.

use crate::heat::{HeatMap, heat_map};
use crate::problem::{Refusal, Rule};
use crate::settings::Settings;
use crate::workbench::Workbench;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tmu_assets::{Decoded, Ignored, Picture};
use tmu_problem::Problems;
use tmu_scene::{Frame, GoldenEngine, OnePicture, Scene, Statistics, render};
use tmu_spec::Config;

/// The name of the scene file, for messages.
const SCENE_NAME: &str = "view.toml";

/// Side of the picture that the page starts with.
const FIRST_SIDE: usize = 256;

/// The longest name of a picture in bytes.
const MAX_NAME_BYTES: usize = 255;

/// A configuration that can be chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// How the user names it.
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// The configuration.
    pub config: Config,
}

/// What may be loaded.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a picture's file.
    pub upload_bytes: usize,
    /// Texels of a picture.
    pub texels: u64,
}

/// The picture of the page.
pub(crate) struct Loaded {
    name: String,
    /// Width and height before it was resampled.
    size: [usize; 2],
    picture: OnePicture,
}

impl Loaded {
    fn new(name: String, decoded: &Decoded) -> Self {
        let size = [decoded.picture.width(), decoded.picture.height()];
        Loaded { name, size, picture: OnePicture::new(decoded) }
    }

    /// The picture of a page that has just been opened: a board with a cross-fade over it, so that filters, levels and
    /// address modes show.
    fn first() -> Self {
        let texel = |index: usize| {
            let [x, y] = [index % FIRST_SIDE, index / FIRST_SIDE];
            let is_light = (x / 32 + y / 32) % 2 == 0;
            let shade = |code: usize| if is_light { code as u8 } else { (code / 3) as u8 };
            [shade(255 - y / 2), shade(120 + x / 2), shade(100 + (x + y) / 4), 255]
        };
        let texels = (0..FIRST_SIDE * FIRST_SIDE).map(texel).collect();
        let picture = Picture::from_texels(FIRST_SIDE, FIRST_SIDE, texels);
        Loaded::new("board.png".to_owned(), &Decoded { picture, ignored: Ignored::default() })
    }

    /// What the page says of the picture.
    pub(crate) fn data(&self) -> Value {
        let (texture, ignored) = (self.picture.picture(), self.picture.ignored());
        json!({
            "name": self.name,
            "width": self.size[0],
            "height": self.size[1],
            "texture_width": texture.width(),
            "texture_height": texture.height(),
            "ignored": (!ignored.is_empty()).then(|| ignored.to_string()),
        })
    }
}

/// What all requests share.
pub struct Session {
    choices: Vec<Choice>,
    limits: Limits,
    workbench: Arc<dyn Workbench>,
    loaded: RwLock<Arc<Loaded>>,
}

/// A frame by the golden model.
#[derive(Debug)]
pub struct Drawn {
    /// The frame.
    pub frame: Frame,
    /// What it cost.
    pub statistics: Statistics,
    /// The scene file that draws it.
    pub scene: String,
    /// The lines that were looked up.
    pub(crate) heat: HeatMap,
    /// What it took, the heat map included.
    pub elapsed: Duration,
}

/// What is needed to draw.
pub(crate) struct Prepared {
    pub(crate) scene: Scene,
    pub(crate) text: String,
    pub(crate) config: Config,
    loaded: Arc<Loaded>,
}

impl Session {
    /// A session with configurations to choose from.
    pub fn new(choices: Vec<Choice>, limits: Limits, workbench: Arc<dyn Workbench>) -> Self {
        Session { choices, limits, workbench, loaded: RwLock::new(Arc::new(Loaded::first())) }
    }

    /// What may be loaded.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The configurations.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub(crate) fn workbench(&self) -> &Arc<dyn Workbench> {
        &self.workbench
    }

    /// The picture that is looked at.
    pub(crate) fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(&self.loaded.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at another picture from now on, and says what its file says of colours and is passed over. Where it cannot be
    /// used the one before stays.
    ///
    /// # Errors
    /// What is wrong with the name or the picture.
    pub fn load(&self, name: &str, bytes: &[u8]) -> Result<Ignored, Refusal> {
        check_name(name)?;
        let decoded = Decoded::decode_up_to(self.limits.texels, bytes, Path::new(name))?;
        let loaded = Arc::new(Loaded::new(name.to_owned(), &decoded));
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(decoded.ignored)
    }

    /// Draws by the golden model.
    ///
    /// # Errors
    /// What the configuration does not build, and settings that are not there.
    pub fn draw(&self, settings: &Settings) -> Result<Drawn, Refusal> {
        let begin = Instant::now();
        let Prepared { scene, text, config, loaded } = self.prepare(settings)?;
        let mut engine = GoldenEngine::new(scene.memory(), &config).counting_lines();
        let (frame, statistics) =
            render(&scene, scene.size(), &mut engine, &mut |_, _| {}).map_err(Refusal::internal)?;
        let counts = engine.into_line_counts();
        // The scene has one texture, from address 0 on.
        let binding = scene.bindings().next().ok_or_else(|| Refusal::internal("the scene has no texture"))?;
        let image = loaded.picture.packed(binding.texture().format());
        let heat = heat_map(image.as_deref(), *binding.texture(), &counts);
        Ok(Drawn { frame, statistics, scene: text, heat, elapsed: begin.elapsed() })
    }

    /// Makes a scene of settings and checks that the configuration builds what it needs.
    pub(crate) fn prepare(&self, settings: &Settings) -> Result<Prepared, Refusal> {
        let Some(choice) = self.choices.iter().find(|choice| choice.name == settings.config) else {
            let message = format!("there is no configuration {:?} here", settings.config);
            return Err(Refusal::new(Rule::Setting, message, "choose one that is listed"));
        };
        let loaded = self.loaded();
        let text = settings.scene(&loaded.name, loaded.size);
        let scene = Scene::parse_with(Path::new(SCENE_NAME), &text, &loaded.picture)?;
        let refused = |binding| self.workbench.not_built(binding, &choice.config, &choice.name);
        Problems::check(scene.bindings().flat_map(refused).collect())?;
        Ok(Prepared { scene, text, config: choice.config.clone(), loaded })
    }
}

/// Refuses names that are not the last part of a path.
fn check_name(name: &str) -> Result<(), Refusal> {
    let is_part = !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && !name.contains(['/', '\\', ':'])
        && !name.chars().any(char::is_control)
        && !["..", "."].contains(&name);
    let refusal = || {
        let message = format!("{name:?} is not a file's name alone");
        Refusal::new(
            Rule::FileName,
            message,
            "name it without folders, in at most 255 bytes, such as picture.png",
        )
    };
    if is_part { Ok(()) } else { Err(refusal()) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::no_hardware::NoHardware;
    use crate::settings::Shape;
    use tmu_spec::Preset;

    pub(crate) fn session() -> Session {
        let choice = |name: &str| Choice {
            name: name.to_owned(),
            about: String::new(),
            config: Preset::find(name).unwrap().config().unwrap(),
        };
        let choices = ["fury-single", "stream", "quad"].map(choice).to_vec();
        Session::new(choices, Limits { upload_bytes: 1 << 20, texels: 1 << 20 }, Arc::new(NoHardware))
    }

    pub(crate) fn small(config: &str) -> Settings {
        Settings { width: 64, height: 48, ..Settings::first(config) }
    }

    /// A picture whose sides are no powers of two.
    pub(crate) fn picture() -> Picture {
        let texels = (0..45 * 30).map(|at| [at as u8, (at / 7) as u8, (at * 3) as u8, 255]).collect();
        Picture::from_texels(45, 30, texels)
    }

    pub(crate) fn png() -> Vec<u8> {
        picture().encode(Path::new("a.png")).unwrap()
    }

    /// The picture in a file beside the scene file that is offered gives the same frame and the same counts.
    #[test]
    fn the_scene_file_draws_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let session = session();
        session.load("näme \"7\".png", &png()).unwrap();
        std::fs::write(folder.path().join("näme \"7\".png"), png()).unwrap();
        for shape in Shape::ALL {
            let settings = Settings {
                shape,
                format: "i8_rgb8".to_owned(),
                max_lod: 2,
                repeats: 2.5,
                address_u: "mirror".to_owned(),
                ..small("stream")
            };
            let drawn = session.draw(&settings).unwrap();
            let scene = Scene::parse(&folder.path().join("view.toml"), &drawn.scene).unwrap();
            let config = Preset::find("stream").unwrap().config().unwrap();
            let mut engine = GoldenEngine::new(scene.memory(), &config);
            let (frame, statistics) = render(&scene, scene.size(), &mut engine, &mut |_, _| {}).unwrap();
            assert_eq!(frame, drawn.frame, "{shape:?}");
            assert_eq!(statistics, drawn.statistics, "{shape:?}");
            assert!(statistics.requests.samples > 300, "{shape:?}: {statistics:?}");
        }
    }

    #[test]
    fn each_setting_changes_the_frame() {
        let session = session();
        session.load("p.png", &png()).unwrap();
        let first = Settings { repeats: 3.0, ..small("fury-single") };
        let of = |change: &dyn Fn(&mut Settings)| {
            let mut settings = first.clone();
            change(&mut settings);
            session.draw(&settings).unwrap().frame.into_rgb()
        };
        let frames = [
            of(&|_| ()),
            of(&|settings| settings.bilinear = false),
            of(&|settings| settings.mipmaps = false),
            of(&|settings| settings.max_lod = 1),
            of(&|settings| settings.address_u = "clamp".to_owned()),
            of(&|settings| settings.address_v = "mirror".to_owned()),
            of(&|settings| settings.format = "i8_rgba8".to_owned()),
            of(&|settings| settings.shape = Shape::Cube),
            of(&|settings| settings.repeats = 2.0),
            of(&|settings| settings.camera.yaw_degrees += 3.0),
            of(&|settings| settings.camera.pitch_degrees += 3.0),
            of(&|settings| settings.camera.distance += 0.2),
        ];
        for (at, frame) in frames.iter().enumerate() {
            let same = frames.iter().position(|other| other == frame);
            assert_eq!(same, Some(at), "frame {at} is that of other settings");
        }
    }

    #[test]
    fn a_bad_picture_leaves_the_one_before() {
        let session = session();
        session.load("p.png", &png()).unwrap();
        let before = session.loaded().data();
        let code = |name: &str, bytes: &[u8]| session.load(name, bytes).unwrap_err().problems[0].code;
        let large =
            Picture::from_texels(1025, 1024, vec![[1; 4]; 1025 * 1024]).encode(Path::new("l.png")).unwrap();
        assert_eq!(code("q.txt", b"no picture"), "E0102");
        assert_eq!(code("q.png", &png()[..200]), "E0103");
        assert_eq!(code("l.png", &large), "E0104");
        for name in
            ["", ".", "..", "a/b.png", "..\\b.png", "c:b.png", "a\nb.png", "a\0.png", &"x".repeat(256)]
        {
            assert_eq!(code(name, &png()), "E0407", "{name:?}");
        }
        assert_eq!(session.loaded().data(), before);
    }

    /// A gamma of 1.0 behind the header of a PNG file, with its CRC; what it says goes with the picture to the page.
    #[test]
    fn colours_that_are_not_applied_are_part_of_what_the_picture_is() {
        let session = session();
        assert!(session.loaded().data()["ignored"].is_null());
        let gamma = [&4u32.to_be_bytes(), &b"gAMA"[..], &100_000u32.to_be_bytes(), &[0x31, 0xe8, 0x96, 0x5f]];
        let linear = [&png()[..33], &gamma.concat(), &png()[33..]].concat();
        let ignored = session.load("linear.png", &linear).unwrap();
        assert_eq!(session.loaded().data()["ignored"], ignored.to_string());
        assert!(ignored.to_string().contains("gamma of 1.00000 (gAMA) is not applied"), "{ignored}");
        session.load("p.png", &png()).unwrap();
        assert!(session.loaded().data()["ignored"].is_null());
    }

    #[test]
    fn a_configuration_that_is_not_listed_is_refused() {
        let refusal = session().draw(&small("fury")).unwrap_err();
        assert_eq!(refusal.problems[0].code, "E0405");
        assert!(refusal.problems[0].message.contains("\"fury\""), "{refusal:?}");
    }
}
