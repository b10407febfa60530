//! What a server shows: the page of a picture, of a scene of the general numerics, of a mesh, or of a frame of the pixel pipeline.

use crate::answer::{Answer, shown};
use crate::general::{ComparedScene, GeneralSession, GeneralSettings};
use crate::hardware::{ComparedFrame, drawing};
use crate::job::{Job, Jobs};
use crate::mesh::{ComparedMesh, MeshSession, MeshSettings};
use crate::page;
use crate::pixel::{ComparedPixels, PixelSession, PixelSettings};
use crate::place::Question;
use crate::problem::{Refusal, Rule};
use crate::session::Session;
use crate::settings::{MAX_SIDE, Settings, Shape};
use serde_json::{Value, json};
use std::sync::Arc;
use tmu_problem::Problem;
use tmu_spec::{AddressMode, Format};

/// Bytes that settings of a picture may have.
const MAX_SETTINGS_BYTES: usize = 16 << 10;

/// Bytes that those of a mesh may have: the largest one has 128 x 128 points of up to 20 characters.
const MAX_MESH_SETTINGS_BYTES: usize = 512 << 10;

/// What is served.
pub struct Site(pub(crate) Arc<dyn Shown>);

impl From<Session> for Site {
    fn from(session: Session) -> Self {
        Site(Arc::new(PictureSite { session, job: Arc::new(Job::new()) }))
    }
}

impl From<GeneralSession> for Site {
    fn from(session: GeneralSession) -> Self {
        Site(Arc::new(GeneralSite { session, job: Arc::new(Job::new()) }))
    }
}

impl From<MeshSession> for Site {
    fn from(session: MeshSession) -> Self {
        Site(Arc::new(MeshSite { session, job: Arc::new(Job::new()) }))
    }
}

impl From<PixelSession> for Site {
    fn from(session: PixelSession) -> Self {
        Site(Arc::new(PixelSite { session, job: Arc::new(Job::new()) }))
    }
}

/// Answers of a page's requests.
pub(crate) trait Shown: Send + Sync {
    /// The page.
    fn page(&self) -> &'static str;

    /// What can be chosen, limits, and what is missing for simulation.
    fn options(&self) -> Value;

    /// Bytes that settings may have.
    fn settings_bytes(&self) -> usize;

    /// Bytes that a picture's file may have.
    fn upload_bytes(&self) -> usize {
        0
    }

    /// Takes a picture file, and says what it is.
    fn load(&self, _name: &str, _body: &[u8]) -> Result<Value, Refusal> {
        let help = "start tmugen view with another file";
        Err(Refusal::new(Rule::Request, "this page takes no pictures", help))
    }

    /// A frame by the golden model.
    fn draw(&self, body: &[u8]) -> Result<Answer, Refusal>;

    /// Files that draw the same.
    fn files(&self, _body: &[u8]) -> Result<Value, Refusal> {
        let help = "take the scene that is sent with each frame";
        Err(Refusal::new(Rule::Request, "this page has no files", help))
    }

    /// What happens at a pixel.
    fn pixel(&self, _body: &[u8]) -> Result<Value, Refusal> {
        let help = "start tmugen view with a scene";
        Err(Refusal::new(Rule::Request, "this page tells nothing of single pixels", help))
    }

    /// Begins a frame by both engines.
    fn begin_hardware(&self, body: &[u8]) -> Result<u64, Refusal>;

    /// Frames by both engines.
    fn jobs(&self) -> &dyn Jobs;
}

/// Options, with the tool without which nothing can be simulated here.
fn with_missing(mut options: Value, missing: Option<Problem>) -> Value {
    options["hardware_missing"] = json!(missing.as_ref().map(shown));
    options
}

/// The page of a picture.
struct PictureSite {
    session: Session,
    job: Arc<Job<ComparedFrame>>,
}

impl Shown for PictureSite {
    fn page(&self) -> &'static str {
        page::picture()
    }

    fn options(&self) -> Value {
        options(&self.session)
    }

    fn settings_bytes(&self) -> usize {
        MAX_SETTINGS_BYTES
    }

    fn upload_bytes(&self) -> usize {
        self.session.limits().upload_bytes
    }

    fn load(&self, name: &str, body: &[u8]) -> Result<Value, Refusal> {
        self.session.load(name, body)?;
        Ok(self.session.loaded().data())
    }

    fn draw(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let drawn = self.session.draw(&Settings::read(body)?)?;
        let data = json!({
            "statistics": drawn.statistics,
            "scene": drawn.scene,
            "heat": drawn.heat,
            "milliseconds": drawn.elapsed.as_secs_f64() * 1000.0,
        });
        Ok(Answer::frame(&data, [drawn.frame.rgb(), &drawn.heat.rgb]))
    }

    fn begin_hardware(&self, body: &[u8]) -> Result<u64, Refusal> {
        let settings = Settings::read(body)?;
        self.job.begin(self.session.workbench().missing(), || drawing(&self.session, &settings))
    }

    fn jobs(&self) -> &dyn Jobs {
        &*self.job
    }
}

fn options(session: &Session) -> Value {
    let choices: Vec<_> = session
        .choices()
        .iter()
        .map(|choice| json!({ "name": choice.name, "about": choice.about }))
        .collect();
    let first = session.choices().first().map_or("", |choice| &choice.name);
    let limits = session.limits();
    let options = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "configs": choices,
        "formats": Format::CLASSIC.map(Format::name),
        "address_modes": AddressMode::CLASSIC.map(AddressMode::name),
        "shapes": Shape::ALL,
        "max_lod": tmu_spec::level_offset::MAX_SIZE_LOG2,
        "max_side": MAX_SIDE,
        "max_upload_bytes": limits.upload_bytes,
        "max_texels": limits.texels,
        "picture": session.loaded().data(),
        "settings": Settings::first(first),
    });
    with_missing(options, session.workbench().missing())
}

/// The page of a scene of the general numerics.
struct GeneralSite {
    session: GeneralSession,
    job: Arc<Job<ComparedScene>>,
}

impl Shown for GeneralSite {
    fn page(&self) -> &'static str {
        page::general()
    }

    fn options(&self) -> Value {
        with_missing(self.session.options(), self.session.workbench().missing())
    }

    fn settings_bytes(&self) -> usize {
        MAX_SETTINGS_BYTES
    }

    fn draw(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let drawn = self.session.draw(&GeneralSettings::read(body)?)?;
        Ok(Answer::frame(&drawn.data(), [drawn.frame.rgb(), &drawn.pixels]))
    }

    fn pixel(&self, body: &[u8]) -> Result<Value, Refusal> {
        self.session.pixel(&Question::read(body)?)
    }

    fn begin_hardware(&self, body: &[u8]) -> Result<u64, Refusal> {
        let settings = GeneralSettings::read(body)?;
        self.job.begin(self.session.workbench().missing(), || self.session.drawing(&settings))
    }

    fn jobs(&self) -> &dyn Jobs {
        &*self.job
    }
}

/// The page of a mesh.
struct MeshSite {
    session: MeshSession,
    job: Arc<Job<ComparedMesh>>,
}

impl Shown for MeshSite {
    fn page(&self) -> &'static str {
        page::mesh()
    }

    fn options(&self) -> Value {
        with_missing(self.session.options(), self.session.workbench().missing())
    }

    fn settings_bytes(&self) -> usize {
        MAX_MESH_SETTINGS_BYTES
    }

    fn draw(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let drawn = self.session.draw(&MeshSettings::read(body)?)?;
        let data = json!({
            "width": drawn.picture.width(),
            "height": drawn.picture.height(),
            "counts": drawn.counts,
            "milliseconds": drawn.elapsed.as_secs_f64() * 1000.0,
        });
        Ok(Answer::frame(&data, [&drawn.picture.rgb(), &[]]))
    }

    fn files(&self, body: &[u8]) -> Result<Value, Refusal> {
        self.session.files(&MeshSettings::read(body)?)
    }

    fn begin_hardware(&self, body: &[u8]) -> Result<u64, Refusal> {
        let settings = MeshSettings::read(body)?;
        self.job.begin(self.session.workbench().missing(), || self.session.drawing(&settings))
    }

    fn jobs(&self) -> &dyn Jobs {
        &*self.job
    }
}

/// The page of a frame of the pixel pipeline.
struct PixelSite {
    session: PixelSession,
    job: Arc<Job<ComparedPixels>>,
}

impl Shown for PixelSite {
    fn page(&self) -> &'static str {
        page::pixel()
    }

    fn options(&self) -> Value {
        with_missing(self.session.options(), self.session.workbench().missing())
    }

    fn settings_bytes(&self) -> usize {
        MAX_SETTINGS_BYTES
    }

    fn draw(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let drawn = self.session.draw(&PixelSettings::read(body)?)?;
        Ok(Answer::frame(&drawn.data(), [drawn.frame.rgb(), &[]]))
    }

    fn pixel(&self, body: &[u8]) -> Result<Value, Refusal> {
        self.session.pixel(&Question::read(body)?)
    }

    fn begin_hardware(&self, body: &[u8]) -> Result<u64, Refusal> {
        let settings = PixelSettings::read(body)?;
        self.job.begin(self.session.workbench().missing(), || self.session.drawing(&settings))
    }

    fn jobs(&self) -> &dyn Jobs {
        &*self.job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::{png, session, small};

    #[test]
    fn a_frame_is_its_data_and_two_pictures() {
        let site = PictureSite { session: session(), job: Arc::new(Job::new()) };
        site.load("p.png", &png()).unwrap();
        let settings = small("quad");
        let body = serde_json::to_vec(&settings).unwrap();
        let answer = site.draw(&body).unwrap_or_else(|_| panic!("draws")).body;
        let length = u32::from_le_bytes(*answer.first_chunk().unwrap()) as usize;
        let data: Value = serde_json::from_slice(&answer[4..4 + length]).unwrap();
        let pictures = &answer[4 + length..];
        let heat =
            [&data["heat"]["width"], &data["heat"]["height"]].map(|side| side.as_u64().unwrap() as usize);
        // A column of levels from 16 x 16 to 1 x 1 stands beside level 0.
        assert_eq!(heat, [32 + 2 + 16, 16 + 8 + 4 + 2 + 1 + 4 * 2]);
        assert_eq!(pictures.len(), 3 * (64 * 48 + heat[0] * heat[1]));
        assert_eq!(&pictures[..3 * 64 * 48], site.session.draw(&settings).unwrap().frame.rgb());
        assert_eq!(data["statistics"]["width"], 64);
        assert!(data["statistics"]["hit_rate"].as_f64().unwrap() > 0.5, "{data}");
    }

    #[test]
    fn options_say_what_can_be_chosen_and_what_is_missing() {
        let options = options(&session());
        assert_eq!(options["configs"][1]["name"], "stream");
        assert_eq!(options["formats"].as_array().unwrap().len(), Format::CLASSIC.len());
        assert_eq!(options["shapes"], json!(["picture", "floor", "cube", "sphere"]));
        assert_eq!(options["hardware_missing"]["help"], "get one");
        let settings = serde_json::to_vec(&options["settings"]).unwrap();
        assert_eq!(Settings::read(&settings).unwrap().config, "fury-single");
    }
}
