//! What hardware there is for configurations of the general numerics.

use super::{CacheKind, Config, ErrorCode};
use crate::format::Format;
use crate::general::features::{OperationName, Sizes};
use crate::quad::BeatsPerQuad;
use tmu_problem::{Problem, Problems};

/// Places of the result FIFO behind a unit of the general numerics: a quad may be a single item, and more than half as many are on
/// their way.
pub const GENERAL_RESULTS: u32 = 64;

/// Whether a unit of the general numerics decodes a format: texels of at most 32 bits, and blocks.
const fn is_decoded(format: Format) -> bool {
    format.is_block() || (format.tile_bytes() <= 64 && !format.has_color_table())
}

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
        let formats = features.formats().all(is_decoded);
        let format_names: Vec<&str> =
            features.formats().filter(|format| !is_decoded(*format)).map(Format::name).collect();
        let in_names = names(&format_names);
        let rules = [
            (
                general.sizes == Sizes::Any,
                "texture.sizes",
                "sizes of powers of two only",
                "use \"any\"".into(),
            ),
            (
                formats,
                "texture.formats",
                "formats of more than 32 bits a texel, or with a colour table",
                format!("leave out {in_names}"),
            ),
            (
                self.datapath.pixels_per_clock() == 1,
                "datapath.pixels_per_clock",
                "more than a pixel a clock",
                "use 1".into(),
            ),
            (
                features.bilinear() || !general.has_operation(OperationName::Gather),
                "texture.bilinear",
                "gather without linear filters",
                "use true, or leave \"gather\" out of request.operations".into(),
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
