//! What the page of a scene of the general numerics has chosen.

use crate::problem::{Refusal, Rule};
use crate::settings::{MAX_SIDE, parse};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use tmu_problem::Problem;
use tmu_scene::ImageSize;
use tmu_spec::choice::Choice;
use tmu_spec::general::sampler::{ANISOTROPIES, LOD_STEPS, MAX_LOD, lod_steps};
use tmu_spec::general::{Filter, Kind, MipFilter, Sampler, Texture};

/// Everything that can be chosen on the page. What is none stays as the scene has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneralSettings {
    /// Width of the frame in pixels.
    pub width: u32,
    /// Height of the frame in pixels.
    pub height: u32,
    /// Filter of all samplers where a texel covers less than a pixel, by name.
    pub min: Option<String>,
    /// Filter where a texel covers more than a pixel, by name.
    pub mag: Option<String>,
    /// Levels that are taken, by name. A ripmap keeps its own.
    pub mip: Option<String>,
    /// Most probes along a long footprint.
    pub anisotropy: Option<u32>,
    /// Added to the level of detail, in levels.
    pub lod_bias: f64,
    /// The camera is turned to the right, in degrees.
    pub right_degrees: f64,
    /// And up.
    pub up_degrees: f64,
    /// What it sees is so many times larger.
    pub zoom: f64,
}

/// Settings that were checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) size: ImageSize,
    min: Option<Filter>,
    mag: Option<Filter>,
    mip: Option<MipFilter>,
    anisotropy: Option<u32>,
    lod_bias: i32,
    pub(crate) right_degrees: f64,
    pub(crate) up_degrees: f64,
    pub(crate) zoom: f64,
}

/// Filters of levels that the page offers.
pub(crate) const MIP_FILTERS: [MipFilter; 3] = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear];

/// What is wrong with settings.
#[derive(Default)]
struct Report(Vec<Problem>);

impl Report {
    fn add(&mut self, message: String, help: String) {
        self.0.push(Problem::new(Rule::Setting, message, help));
    }

    fn within(&mut self, key: &str, value: f64, range: RangeInclusive<f64>) {
        if !range.contains(&value) {
            self.add(format!("{key} is {value}"), format!("use {} to {}", range.start(), range.end()));
        }
    }

    /// What is named, if it is one of these.
    fn named<T: Choice + Copy + PartialEq>(&mut self, key: &str, name: Option<&str>, of: &[T]) -> Option<T> {
        let name = name?;
        let found = of.iter().copied().find(|one| one.name() == name);
        if found.is_none() {
            let names: Vec<_> = of.iter().map(|one| one.name()).collect();
            self.add(format!("{key} is {name:?}"), format!("use one of {}", names.join(", ")));
        }
        found
    }
}

impl GeneralSettings {
    /// Those that change nothing.
    pub(crate) fn of(size: ImageSize) -> Self {
        GeneralSettings {
            width: size.width(),
            height: size.height(),
            min: None,
            mag: None,
            mip: None,
            anisotropy: None,
            lod_bias: 0.0,
            right_degrees: 0.0,
            up_degrees: 0.0,
            zoom: 1.0,
        }
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Rule::Request`] if it is not the JSON that the page sends.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        parse(body)
    }

    /// Checks them.
    ///
    /// # Errors
    /// A [`Rule::Setting`] for each value out of range.
    pub(crate) fn chosen(&self) -> Result<Chosen, Refusal> {
        let mut report = Report::default();
        let size = ImageSize::new(self.width, self.height)
            .filter(|size| size.width().max(size.height()) <= MAX_SIDE);
        if size.is_none() {
            let message = format!("the size is {} x {} pixels", self.width, self.height);
            report.add(message, format!("use sides of 1 to {MAX_SIDE} pixels"));
        }
        let min = report.named("min", self.min.as_deref(), Filter::CHOICES);
        let mag = report.named("mag", self.mag.as_deref(), Filter::CHOICES);
        let mip = report.named("mip", self.mip.as_deref(), &MIP_FILTERS);
        if let Some(anisotropy) = self.anisotropy.filter(|ratio| !ANISOTROPIES.contains(ratio)) {
            let ratios = ANISOTROPIES.map(|ratio| ratio.to_string()).join(", ");
            report.add(format!("anisotropy is {anisotropy}"), format!("use one of {ratios}"));
        }
        report.within("lod_bias", self.lod_bias, -f64::from(MAX_LOD)..=f64::from(MAX_LOD));
        report.within("right_degrees", self.right_degrees, -36_000.0..=36_000.0);
        report.within("up_degrees", self.up_degrees, -360.0..=360.0);
        report.within("zoom", self.zoom, 0.125..=64.0);
        match size {
            Some(size) if report.0.is_empty() => Ok(Chosen {
                size,
                min,
                mag,
                mip,
                anisotropy: self.anisotropy,
                lod_bias: lod_steps(self.lod_bias as f32),
                right_degrees: self.right_degrees,
                up_degrees: self.up_degrees,
                zoom: self.zoom,
            }),
            _ => Err(Refusal::input(report.0)),
        }
    }
}

impl Chosen {
    /// Changes a sampler that reads this texture.
    pub(crate) fn change(&self, texture: &Texture, sampler: &mut Sampler) {
        let most = MAX_LOD * LOD_STEPS;
        sampler.min = self.min.unwrap_or(sampler.min);
        sampler.mag = self.mag.unwrap_or(sampler.mag);
        sampler.lod_bias = (sampler.lod_bias + self.lod_bias).clamp(-most, most);
        if sampler.mip == MipFilter::Ripmap {
            return;
        }
        sampler.mip = self.mip.unwrap_or(sampler.mip);
        // Volumes and cubes have no long footprints.
        if !matches!(texture.kind(), Kind::D3 | Kind::Cube) {
            sampler.max_anisotropy = self.anisotropy.unwrap_or(sampler.max_anisotropy);
        }
    }
}
