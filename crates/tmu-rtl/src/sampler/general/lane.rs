//! `lane`: the stages of a unit that takes a probe a clock, in front of the tags and behind the texels. Wires only.

use super::GeneralSampler;
use crate::cache::prefetch::data_stage::DataStage;
use crate::datapath::general::color_table::ColorTable;
use crate::datapath::general::compare::{self, Compare};
use crate::datapath::general::coordinate::Coordinate;
use crate::datapath::general::decode::Decode;
use crate::datapath::general::filter::Filter;
use crate::datapath::general::footprint::FootprintStage;
use crate::datapath::general::probes::Probes;
use crate::datapath::general::result::{self, ResultStage};
use crate::datapath::general::words::Probe;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// The stages.
#[derive(Bundle)]
pub(super) struct Lane {
    probes: Probes,
    color_table: Optional<ColorTable>,
    coordinate: Coordinate,
    footprint: FootprintStage,
    decode: Decode,
    compare: Optional<Compare>,
    filter: Filter,
    result: Optional<ResultStage>,
}

impl Lane {
    pub(super) fn new(config: &Config) -> Lane {
        Lane {
            probes: Probes::new(config),
            color_table: Optional::new(config.features().has_color_table(), || ColorTable::new(config)),
            coordinate: Coordinate::new(config),
            footprint: FootprintStage::new(config),
            decode: Decode::new(config),
            compare: Optional::new(compare::is_built(config), || Compare::new(config)),
            filter: Filter::new(config),
            result: Optional::new(result::is_built(config), || ResultStage::new(config)),
        }
    }

    /// Their clocks, and so their resets.
    pub(super) fn clocks(&self) -> Vec<&Clocks> {
        let own = [
            Some(&self.probes.clocks),
            self.color_table.as_ref().map(|table| &table.clocks),
            Some(&self.coordinate.clocks),
            Some(&self.footprint.clocks),
            Some(&self.decode.clocks),
            self.compare.as_ref().map(|compare| &compare.clocks),
            Some(&self.filter.clocks),
            self.result.as_ref().map(|result| &result.clocks),
        ];
        own.into_iter().flatten().collect()
    }

    /// What takes quads.
    pub(super) fn input(&self) -> &StreamIn {
        &self.probes.input
    }

    /// Clocks of the stages that only some configurations have, from texels to results.
    pub(super) fn more_clocks(&self) -> u32 {
        let compare = self.compare.as_ref().map_or(0, |compare| compare.latency_clocks());
        compare + self.result.as_ref().map_or(0, |result| result.latency_clocks())
    }
}

/// From probes to what `address` takes.
#[kernel]
pub(super) fn probes(lane: &Lane, sampler: &GeneralSampler) {
    /// # Probes and their items
    let Lane { probes, coordinate, footprint, .. } = lane;
    footprint.advance.next = sampler.tag_stage.advance.val();
    let upstream_advance = footprint.upstream_advance.val();
    coordinate.advance.next = upstream_advance;
    let probe = Probe::of(&sampler._config).pack(&probes.probe.val());
    if let Some(table) = lane.color_table.as_ref() {
        table.advance.next = upstream_advance;
        probes.advance.next = table.upstream_advance.val();
        table.in_valid.next = probes.out_valid.val();
        table.probe[0].next = probe;
        coordinate.in_valid.next = table.out_valid.val();
        coordinate.probe.next = table.out_probe[0].val();
    } else {
        probes.advance.next = upstream_advance;
        coordinate.in_valid.next = probes.out_valid.val();
        coordinate.probe.next = probe;
    }
    footprint.in_valid.next = coordinate.out_valid.val();
    footprint.texels.next = coordinate.footprint.val();
    sampler.address.in_valid.next = footprint.out_valid.val();
    sampler.address.item.next = footprint.item.val();
}

/// From texels to a result, and whether there is one.
#[kernel]
pub(super) fn texels(lane: &Lane, data_stage: &DataStage) -> [Bits; 2] {
    let Lane { decode, filter, .. } = lane;
    /// # Texels
    decode.in_valid.next = data_stage.out_valid.val();
    decode.tap.next = data_stage.tap.val();
    for (to, from) in decode.words.iter().zip(&data_stage.words) {
        to.next = from.val();
    }
    let (valid, tap, error, colors) = match lane.compare.as_ref() {
        None => (&decode.out_valid, &decode.out_tap, &decode.error, &decode.colors),
        Some(compare) => {
            compare.in_valid.next = decode.out_valid.val();
            compare.tap.next = decode.out_tap.val();
            compare.error.next = decode.error.val();
            for (to, from) in compare.texels.iter().zip(&decode.colors) {
                to.next = from.val();
            }
            (&compare.out_valid, &compare.out_tap, &compare.out_error, &compare.out_texels)
        }
    };
    filter.in_valid.next = valid.val();
    filter.tap.next = tap.val();
    filter.error.next = error.val();
    for (to, from) in filter.colors.iter().zip(colors) {
        to.next = from.val();
    }
    /// # Results
    match (lane.result.as_ref(), filter.sample.as_ref(), filter.result.as_ref()) {
        (Some(result), Some(sample), _) => {
            result.in_valid.next = filter.done.val();
            result.sample.next = sample.val();
            [result.done.val(), result.quad_result.val()]
        }
        (_, _, Some(result)) => [filter.done.val(), result.val()],
        _ => unreachable!("the filter hands on a sample or a result"),
    }
}
