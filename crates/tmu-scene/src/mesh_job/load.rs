//! A job as a whole: its file, and what that names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keys::Keys;
use super::picture::Picture565;
use super::points::{self, Points};
use crate::document::{Document, Value};
use crate::problem::Rule;
use tmu_assets::{Ignored, read_text};
use tmu_model::engines::mesh::Job;
use tmu_problem::Problems;

/// The longest file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Most steps that a file lists.
const MAX_STEPS: usize = 10_000;
/// Most bytes of all pictures of a series.
const MAX_SERIES_BYTES: u64 = 1 << 30;
/// From one picture of an animation to the next, where the file does not say it.
const DELAY_MS: u32 = 40;

/// A job of the engine `mesh`: one step, or several, each with a picture of its own.
#[derive(Debug)]
pub struct MeshJob {
    pub(super) steps: Vec<Step>,
    delay_ms: u16,
    files: Vec<PathBuf>,
    ignored: Vec<(PathBuf, Ignored)>,
}

/// One step.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Its registers; addresses and the size of the texture follow when it is done.
    pub(super) job: Job,
    /// None where the picture of the step before always takes its place.
    pub(super) texture: Option<Arc<Picture565>>,
    /// As the job names it.
    pub(super) texture_name: Option<String>,
    pub(super) texture_is_previous: bool,
    /// None for a black one.
    pub(super) frame: Option<Arc<Picture565>>,
    pub(super) frame_name: Option<String>,
    pub(super) frame_is_previous: bool,
    pub(super) points: Arc<Points>,
    pub(super) is_output: bool,
    pub(super) repeat: u32,
}

impl MeshJob {
    /// Reads a job and all that it names.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn load(path: &Path) -> Result<Self, Problems> {
        let text = read_text(path, MAX_BYTES).map_err(|error| {
            let message = format!("the job cannot be read: {error}");
            Problems::one(Rule::File, path, message, "check the path")
        })?;
        let (mut document, mut root) = Document::parse(path, &text)?;
        root.label = "the job".to_owned();
        let keys = Keys::read(&mut document, &mut root, false);
        let mut steps = Vec::new();
        for mut section in document.tables(&mut root, "step", MAX_STEPS) {
            let of_step = Keys::read(&mut document, &mut section, true);
            steps.push((section.line, of_step.over(&keys)));
            document.finish(section);
        }
        document.finish(root);
        let delay_ms = keys.number("delay_ms").unwrap_or(DELAY_MS) as u16;
        if steps.is_empty() {
            steps.push((1, keys));
        }
        let mut loader = Loader {
            document,
            folder: path.parent().unwrap_or(Path::new("")),
            pictures: HashMap::new(),
            meshes: HashMap::new(),
            files: Vec::new(),
            ignored: Vec::new(),
            previous: None,
        };
        let steps: Vec<_> = steps.into_iter().filter_map(|(line, keys)| loader.step(&keys, line)).collect();
        loader.check_series(&steps);
        let Loader { document, files, ignored, .. } = loader;
        document.report.finish(Self { steps, delay_ms, files, ignored })
    }

    /// Pictures that are written.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.steps.iter().filter(|step| step.is_output).map(|step| step.repeat as usize).sum()
    }

    /// Runs of the engine.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.steps.iter().map(|step| u64::from(step.repeat)).sum()
    }

    /// From one picture of an animation to the next.
    #[must_use]
    pub const fn delay_ms(&self) -> u16 {
        self.delay_ms
    }

    /// Files that the job names.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What pictures say of their colours and is passed over.
    #[must_use]
    pub fn ignored(&self) -> &[(PathBuf, Ignored)] {
        &self.ignored
    }
}

/// Width and height, as far as a job says them.
type AskedSize = [Option<u32>; 2];

/// The path of a mesh, and the rectangles across and down, where they are known.
type MeshName = (PathBuf, Option<[u32; 2]>);

/// What is read once, however often it is named.
struct Loader<'t> {
    document: Document<'t>,
    folder: &'t Path,
    /// By path and the size that is asked for; none of those that are wrong.
    pictures: HashMap<(PathBuf, AskedSize), Option<Arc<Picture565>>>,
    /// None of those that are wrong.
    meshes: HashMap<MeshName, Option<Arc<Points>>>,
    files: Vec<PathBuf>,
    ignored: Vec<(PathBuf, Ignored)>,
    /// Size of the frame buffer of the step before.
    previous: Option<[u32; 2]>,
}

impl Loader<'_> {
    fn picture(&mut self, name: &Value<String>, asked: [Option<u32>; 2]) -> Option<Arc<Picture565>> {
        let path = self.folder.join(&name.value);
        if let Some(known) = self.pictures.get(&(path.clone(), asked)) {
            return known.clone();
        }
        self.add_file(&path);
        let read = match Picture565::open(&path, asked) {
            Ok((picture, ignored)) => {
                let ignored =
                    ignored.filter(|ignored| !ignored.is_empty()).map(|ignored| (path.clone(), ignored));
                self.ignored.extend(ignored);
                Some(Arc::new(picture))
            }
            Err(problems) => {
                self.document.report.absorb(problems);
                None
            }
        };
        self.pictures.insert((path, asked), read.clone());
        read
    }

    /// The points of a mesh, of so many rectangles across and down where that is known.
    fn points(&mut self, name: &Value<String>, size: Option<[u32; 2]>) -> Option<Arc<Points>> {
        let path = self.folder.join(&name.value);
        if let Some(known) = self.meshes.get(&(path.clone(), size)) {
            return known.clone();
        }
        self.add_file(&path);
        let read = match points::open(&path, size) {
            Ok(points) => Some(Arc::new(points)),
            Err(problems) => {
                self.document.report.absorb(problems);
                None
            }
        };
        self.meshes.insert((path, size), read.clone());
        read
    }

    fn add_file(&mut self, path: &Path) {
        if !self.files.iter().any(|file| file == path) {
            self.files.push(path.to_path_buf());
        }
    }

    /// A step, unless something is wrong with it.
    fn step(&mut self, keys: &Keys, line: usize) -> Option<Step> {
        let mut job = keys.job();
        let is_first = self.previous.is_none();
        let [texture_is_previous, frame_is_previous] =
            ["texture_is_previous", "frame_is_previous"].map(|key| keys.switch(key, false));
        let points = self.required(keys, "vertices", "\"mesh.csv\"", line);
        let has_size = !keys.is_refused(&["hmeshlast", "vmeshlast"]);
        let size = has_size.then_some([job.hmeshlast, job.vmeshlast]);
        let points = points.and_then(|name| self.points(&name, size));

        let frame_keys = ["frame_width", "frame_height"];
        let asked = keys.size(frame_keys);
        let takes_frame = !frame_is_previous || is_first;
        let frame = match keys.files.get("frame").filter(|_| takes_frame) {
            // Its size is refused already.
            Some(_) if keys.is_refused(&frame_keys) => return None,
            Some(name) => Some(self.picture(name, asked)?),
            None => None,
        };
        let size = match (&frame, self.previous) {
            (Some(frame), _) => frame.size(),
            (None, Some(previous)) if frame_is_previous => {
                self.agreed(previous, asked, "frame buffer", line)?
            }
            (None, _) => [job.frame_width, job.frame_height],
        };
        [job.frame_width, job.frame_height] = size;

        let texture_keys = ["texture_width", "texture_height"];
        let asked = keys.size(texture_keys);
        let takes_texture = !texture_is_previous || is_first;
        let texture = match takes_texture {
            true => {
                let name = self.required(keys, "texture", "\"picture.png\"", line)?;
                if keys.is_refused(&texture_keys) {
                    return None;
                }
                Some(self.picture(&name, asked)?)
            }
            false => None,
        };
        if let Some(previous) = self.previous.filter(|_| texture_is_previous) {
            self.agreed(previous, asked, "texture", line)?;
        }
        self.previous = Some(size);
        Some(Step {
            job,
            texture,
            texture_name: keys.files.get("texture").map(|name| name.value.clone()),
            texture_is_previous,
            frame,
            frame_name: keys.files.get("frame").map(|name| name.value.clone()),
            frame_is_previous,
            points: points?,
            is_output: keys.switch("output", true),
            repeat: keys.number("repeat").unwrap_or(1),
        })
    }

    /// The file that a key names, which must be there.
    fn required(&mut self, keys: &Keys, key: &str, example: &str, line: usize) -> Option<Value<String>> {
        let value = keys.files.get(key);
        if value.is_none() && !keys.is_refused(&[key]) {
            let message = format!("the job has no `{key}`");
            self.document.report.add(Rule::MissingKey, line, message, format!("add `{key} = {example}`"));
        }
        value.cloned()
    }

    /// The size of the picture of the step before, where the job does not say another.
    fn agreed(
        &mut self,
        previous: [u32; 2],
        asked: [Option<u32>; 2],
        what: &str,
        line: usize,
    ) -> Option<[u32; 2]> {
        if asked.iter().zip(previous).all(|(asked, is)| asked.is_none_or(|asked| asked == is)) {
            return Some(previous);
        }
        let [width, height] = previous;
        let message =
            format!("the {what} is the picture of the step before, which has {width} x {height} pixels");
        self.document.report.add(Rule::MeshPicture, line, message, "leave its width and height out");
        None
    }

    /// Refuses a series that takes more memory than there may be, or that gives nothing.
    fn check_series(&mut self, steps: &[Step]) {
        let bytes = |step: &Step| {
            u64::from(step.repeat) * 3 * u64::from(step.job.frame_width) * u64::from(step.job.frame_height)
        };
        let outputs: Vec<_> = steps.iter().filter(|step| step.is_output).collect();
        let total: u64 = outputs.iter().map(|step| bytes(step)).sum();
        if total > MAX_SERIES_BYTES {
            let message = format!("the pictures of all steps take {} MiB", total >> 20);
            let help = format!("leave some out; {} MiB are the most", MAX_SERIES_BYTES >> 20);
            self.document.report.add(Rule::Limit, None, message, help);
        }
        if outputs.is_empty() && !steps.is_empty() {
            let help = "leave `output = false` out of the last step";
            self.document.report.add(Rule::Conflict, None, "no step has an output", help);
        }
    }
}
