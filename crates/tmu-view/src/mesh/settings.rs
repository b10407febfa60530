//! What the page of a mesh has chosen: JSON to a step with other registers and points.

use crate::problem::{Refusal, Rule};
use crate::settings::{RELOAD, parse};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use tmu_problem::{Problem, Problems};
use tmu_scene::{MeshStep, from_565, parse_565};

/// Everything that can be chosen on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshSettings {
    /// Fade.
    pub brightness: i64,
    /// Share of the new colour.
    pub alpha: i64,
    /// Colours are added to those of the frame.
    pub additive: bool,
    /// ANDed to columns in the texture.
    pub mask_x: i64,
    /// ANDed to rows.
    pub mask_y: i64,
    /// Column of the mesh's first pixel in the frame.
    pub x_offset: i64,
    /// Its row.
    pub y_offset: i64,
    /// Pixels of the key's colour are left out.
    pub chroma_key_enable: bool,
    /// The key as `#RRGGBB`; it is rounded to 565.
    pub chroma_key: String,
    /// Column and row in the texture of each point, row by row.
    pub points: Vec<[i32; 2]>,
}

impl MeshSettings {
    /// Those of a step.
    pub(crate) fn of(step: &MeshStep) -> Self {
        let job = step.job();
        let [red, green, blue] = from_565(job.chroma_key);
        MeshSettings {
            brightness: job.brightness.into(),
            alpha: job.alpha.into(),
            additive: job.additive,
            mask_x: job.mask_x.into(),
            mask_y: job.mask_y.into(),
            x_offset: job.x_offset.into(),
            y_offset: job.y_offset.into(),
            chroma_key_enable: job.chroma_key_enable,
            chroma_key: format!("#{red:02x}{green:02x}{blue:02x}"),
            points: step.points().to_vec(),
        }
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Rule::Request`] if it is not the JSON that the page sends, and a [`Rule::Setting`] for each value out of range.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let settings: MeshSettings = parse(body)?;
        Problems::check(settings.problems())?;
        Ok(settings)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut within = |key: &str, value: i64, range: RangeInclusive<i64>| {
            if !range.contains(&value) {
                let help = format!("use {} to {}", range.start(), range.end());
                problems.push(Problem::new(Rule::Setting, format!("{key} is {value}"), help));
            }
        };
        within("brightness", self.brightness, 0..=63);
        within("alpha", self.alpha, 0..=63);
        within("mask_x", self.mask_x, 0..=0x3_ffff);
        within("mask_y", self.mask_y, 0..=0x3_ffff);
        within("x_offset", self.x_offset, i32::MIN.into()..=i32::MAX.into());
        within("y_offset", self.y_offset, i32::MIN.into()..=i32::MAX.into());
        if self.key().is_none() {
            let message = format!("chroma_key is {:?}", self.chroma_key);
            problems.push(Problem::new(Rule::Setting, message, "use # and six digits, as in #00ff00"));
        }
        problems
    }

    /// The key as a 565 colour.
    fn key(&self) -> Option<u16> {
        parse_565(self.chroma_key.strip_prefix('#')?)
    }

    /// A step with these settings, which have been read.
    ///
    /// # Errors
    /// [`Rule::Request`] if these are the points of another mesh.
    pub(crate) fn changed(&self, step: &MeshStep) -> Result<MeshStep, Refusal> {
        let (is, most) = (self.points.len(), step.points().len());
        if is != most {
            let message = format!("the mesh has {most} points, and {is} were sent");
            return Err(Refusal::new(Rule::Request, message, RELOAD));
        }
        let mut job = step.job().clone();
        job.brightness = self.brightness as u32;
        job.alpha = self.alpha as u32;
        job.additive = self.additive;
        job.mask_x = self.mask_x as u32;
        job.mask_y = self.mask_y as u32;
        job.x_offset = self.x_offset as i32;
        job.y_offset = self.y_offset as i32;
        job.chroma_key_enable = self.chroma_key_enable;
        job.chroma_key = self.key().unwrap_or_default();
        Ok(step.with(job, self.points.clone()))
    }
}
