//! What hardware there is for configurations of the general numerics.

use super::{CacheKind, Config, ErrorCode};
use crate::features::Features;
use crate::format::Format;
use crate::general::ResultNumbers;
use crate::general::features::{General, OperationName, Sizes};
use crate::texture::AddressMode;
use tmu_problem::{Problem, Problems};

/// Places of the result FIFO behind a unit of the general numerics: a quad may be a single item, and more than half as many are on
/// their way.
pub const GENERAL_RESULTS: u32 = 64;

/// A rule: whether it holds, the key, what it asks for otherwise, and what to do.
type Rule = (bool, &'static str, &'static str, String);

/// Whether texels become results in few clocks: channels of 8 bits that are shown as they are.
fn has_short_way(features: &Features, general: &General) -> bool {
    let is_plain = |format: Format| {
        let is_wide = format.packing().is_some_and(|packing| packing.channels.iter().any(|own| own.bits > 8));
        !is_wide && (format.is_block() || format.packing().is_some_and(|packing| packing.bytes > 1))
    };
    let operations = [OperationName::Fetch, OperationName::Gather];
    general.channel_bits == 8
        && general.result == ResultNumbers::Unorm8
        && !general.compare
        && !general.swizzle
        && !operations.iter().any(|operation| general.has_operation(*operation))
        && !features.has_address_mode(AddressMode::Border)
        && !features.has_color_table()
        && features.formats().all(is_plain)
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
        let least_results =
            if has_short_way(features, general) { GENERAL_RESULTS } else { 2 * GENERAL_RESULTS };
        let rules = [
            (
                general.sizes == Sizes::Any,
                "texture.sizes",
                "sizes of powers of two only",
                "use \"any\"".into(),
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
                self.result.fifo_depth() >= least_results,
                "result.fifo_depth",
                "so short a result FIFO",
                format!("use {least_results} or more"),
            ),
        ];
        let rules = rules.into_iter().chain(self.rules_of_indirect(general));
        let problem = |(_, key, what, remedy): Rule| {
            let rule = format!(
                "{key} of {} asks for {what}, of which there is no hardware yet in the general numerics",
                self.name
            );
            Problem::new(ErrorCode::NotBuilt, rule, remedy)
        };
        let problems: Vec<Problem> = rules.filter(|(holds, ..)| !holds).map(problem).collect();
        Problems::check(problems)
    }

    /// What a unit with indirect look-ups must have, or must not have.
    fn rules_of_indirect(&self, general: &General) -> Vec<Rule> {
        if !general.indirect {
            return vec![];
        }
        let name = |what: &str| format!("use {what}, or false for texture.indirect");
        vec![
            (
                self.datapath.pixels_per_clock() == 4,
                "datapath.pixels_per_clock",
                "indirect look-ups in one lane",
                name("4"),
            ),
            (
                general.channel_bits == 16,
                "filter.channel_bits",
                "indirect look-ups with channels of 8 bits",
                name("16"),
            ),
            (
                general.has_operation(OperationName::Fetch),
                "request.operations",
                "indirect look-ups without fetches",
                name("\"fetch\" too"),
            ),
            (
                !self.control.bring_up(),
                "control.bring_up",
                "indirect look-ups beside the bring-up kit",
                name("false"),
            ),
        ]
    }
}
