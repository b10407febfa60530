//! What hardware there is for configurations of the general numerics.

use super::{CacheKind, Config, ErrorCode};
use crate::choice::Choice;
use crate::format::Format;
use crate::general::features::{OperationName, Sizes};
use crate::general::{Kind, Numbers, ResultNumbers};
use crate::quad::BeatsPerQuad;
use crate::texture::AddressMode;
use tmu_problem::{Problem, Problems};

/// Places of the result FIFO behind a unit of the general numerics: a quad may be a single item, and more than half as many are on
/// their way.
pub const GENERAL_RESULTS: u32 = 64;

/// Formats that a unit of the general numerics decodes.
const FORMATS: [Format; 8] = [
    Format::Rgba8,
    Format::Rgb8,
    Format::Rgb565,
    Format::Rgba5551,
    Format::Rgba4444,
    Format::Bc1,
    Format::Bc2,
    Format::Bc3,
];

impl Config {
    /// Whether there is hardware for the configuration: for all classic ones, and for those of the general numerics that ask for no
    /// more than is built.
    ///
    /// # Errors
    /// Each key that asks for more.
    pub fn check_hardware(&self) -> Result<(), Problems> {
        let Some(general) = self.features.general() else { return Ok(()) };
        let features = &self.features;
        let names =
            |of: &[&'static str]| of.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let kinds = general.kinds().all(|kind| matches!(kind, Kind::D2 | Kind::Cube));
        let formats = features.formats().all(|format| FORMATS.contains(&format));
        let format_names = FORMATS.map(|format| format.name());
        let modes = features.address_modes().all(|mode| mode != AddressMode::Border);
        let built = [OperationName::Sample, OperationName::Lod, OperationName::Bias];
        let operations =
            OperationName::CHOICES.iter().all(|name| built.contains(name) || !general.has_operation(*name));
        let is_plain = general.numbers == Numbers::S16p16 && !general.projective;
        let rules = [
            (
                kinds,
                "texture.kinds",
                "kinds other than 2d and cube",
                "use [\"2d\", \"cube\"] or one of them".to_owned(),
            ),
            (
                general.sizes == Sizes::Any,
                "texture.sizes",
                "sizes of powers of two only",
                "use \"any\"".into(),
            ),
            (
                formats,
                "texture.formats",
                "some of these formats",
                format!("use some of {}", names(&format_names)),
            ),
            (modes, "texture.address_modes", "the address mode border", "leave \"border\" out".into()),
            (general.max_anisotropy == 1, "texture.max_anisotropy", "anisotropic filtering", "use 1".into()),
            (!general.compare, "texture.compare", "comparison", "use false".into()),
            (!general.srgb, "texture.srgb", "sRGB decoding", "use false".into()),
            (!general.swizzle, "texture.swizzle", "swizzles", "use false".into()),
            (
                operations,
                "request.operations",
                "fetch and gather",
                "use some of \"sample\", \"lod\", \"bias\"".into(),
            ),
            (
                is_plain,
                "request.numbers",
                "floats and divisors in requests",
                "use \"s16.16\", and projective = false".into(),
            ),
            (general.channel_bits == 8, "filter.channel_bits", "16 bits a channel", "use 8".into()),
            (
                general.result == ResultNumbers::Unorm8,
                "result.numbers",
                "results other than unorm8",
                "use \"unorm8\"".into(),
            ),
            (
                self.datapath.pixels_per_clock() == 1,
                "datapath.pixels_per_clock",
                "more than a pixel a clock",
                "use 1".into(),
            ),
            (
                self.cache.kind() == CacheKind::Prefetch,
                "cache.kind",
                "a blocking cache",
                "use \"prefetch\"".into(),
            ),
            (
                self.request.beats_per_quad() == BeatsPerQuad::Two,
                "request.beats_per_quad",
                "quads in one beat",
                "use 2".into(),
            ),
            (
                self.result.fifo_depth() >= GENERAL_RESULTS,
                "result.fifo_depth",
                "so short a result FIFO",
                format!("use {GENERAL_RESULTS} or more"),
            ),
        ];
        let problem = |(_, key, what, remedy): (bool, &str, &str, String)| {
            let rule = format!(
                "{key} of {} asks for {what}, of which there is no hardware yet in the general numerics",
                self.name
            );
            Problem::new(ErrorCode::NotBuilt, rule, remedy)
        };
        let problems: Vec<Problem> = rules.into_iter().filter(|(holds, ..)| !holds).map(problem).collect();
        Problems::check(problems)
    }
}
