//! `lanes`: the stages of a unit that takes a row of probes a clock, in front of the tags and behind the texels. Wires only.
//!
//! What a lane does by itself stands there four times, as in a unit of one lane; `probes`, `footprint`, `group` and `filter` keep the
//! lanes in step.

use super::{GeneralSampler, indirect};
use crate::datapath::general::color_table::ColorTable;
use crate::datapath::general::compare::{self, Compare};
use crate::datapath::general::coordinate::Coordinate;
use crate::datapath::general::decode::Decode;
use crate::datapath::general::filter::lanes::FilterLanes;
use crate::datapath::general::footprint::row::FootprintRow;
use crate::datapath::general::group::GroupStage;
use crate::datapath::general::probes::rows::ProbeRows;
use crate::datapath::general::result;
use crate::datapath::general::result::lanes::ResultLanes;
use crate::datapath::general::words::{Probe, ProbeTap, RowTap, TAPS, lanes};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
use tmu_spec::Config;

/// The stages.
#[derive(Bundle)]
pub(super) struct Lanes {
    probes: ProbeRows,
    color_table: Optional<ColorTable>,
    /// Behind it all moves in step up to the tags: what they can take does not reach into `color_table`, `probes` and what is in front.
    between: SkidBuffer,
    coordinate: Vec<Coordinate>,
    footprint: FootprintRow,
    group: GroupStage,
    decode: Vec<Decode>,
    compare: Vec<Compare>,
    filter: FilterLanes,
    result: Optional<ResultLanes>,
}

impl Lanes {
    pub(super) fn new(config: &Config) -> Lanes {
        let lanes = 0..lanes(config);
        let compares = if compare::is_built(config) { lanes.clone() } else { 0..0 };
        Lanes {
            probes: ProbeRows::new(config),
            between: SkidBuffer::new(lanes.len() * (1 + Probe::of(config).width())),
            color_table: Optional::new(config.features().has_color_table(), || ColorTable::new(config)),
            coordinate: lanes.clone().map(|_| Coordinate::new(config)).collect(),
            footprint: FootprintRow::new(config),
            group: GroupStage::new(config),
            decode: lanes.map(|_| Decode::new(config)).collect(),
            compare: compares.map(|_| Compare::new(config)).collect(),
            filter: FilterLanes::new(config),
            result: Optional::new(result::is_built(config), || ResultLanes::new(config)),
        }
    }

    /// Their clocks, and so their resets.
    pub(super) fn clocks(&self) -> Vec<&Clocks> {
        let mut clocks = vec![&self.probes.clocks, &self.between.clocks];
        clocks.extend(self.color_table.as_ref().map(|table| &table.clocks));
        clocks.extend(self.coordinate.iter().map(|lane| &lane.clocks));
        clocks.extend([&self.footprint.clocks, &self.group.clocks]);
        clocks.extend(self.decode.iter().map(|lane| &lane.clocks));
        clocks.extend(self.compare.iter().map(|lane| &lane.clocks));
        clocks.push(&self.filter.clocks);
        clocks.extend(self.result.as_ref().map(|result| &result.clocks));
        clocks
    }

    /// What takes quads.
    pub(super) fn input(&self) -> &StreamIn {
        &self.probes.input
    }

    /// Clocks of the comparison.
    pub(super) fn compare_clocks(&self) -> u32 {
        self.compare.first().map_or(0, |compare| compare.latency_clocks())
    }

    /// Clocks of the stages that only some configurations have, from texels to results.
    pub(super) fn more_clocks(&self) -> u32 {
        self.compare_clocks() + self.result.as_ref().map_or(0, |result| result.latency_clocks())
    }
}

/// From probes to what `address` takes.
#[kernel]
pub(super) fn probes(of: &Lanes, sampler: &GeneralSampler) {
    let Lanes { probes, between, footprint, group, .. } = of;
    /// # Rows of probes
    let front = footprint.upstream_advance.val();
    let table = of.color_table.as_ref();
    let (shape, lanes) = (Probe::of(&sampler._config), of.coordinate.len());
    let (row, row_valid) = match table {
        Some(table) => {
            probes.advance.next = table.upstream_advance.val();
            table.advance.next = between.input.ready.val();
            table.in_valid.next = probes.out_valid.val();
            for (to, from) in table.probe.iter().zip(&probes.probe) {
                to.next = shape.pack(&from.val());
            }
            (table.out_probe.iter().map(|probe| probe.val()).collect::<Vec<_>>(), table.out_valid.val())
        }
        None => {
            probes.advance.next = between.input.ready.val();
            (probes.probe.iter().map(|probe| shape.pack(&probe.val())).collect(), probes.out_valid.val())
        }
    };
    between.input.valid.next = row_valid.any();
    between.input.data.next = stack(row.into_iter().chain([row_valid]));
    between.output.ready.next = front;
    let row = between.output.data.val();
    let in_valid = row.high(lanes) & between.output.valid.val().repeat(lanes);
    for (number, coordinate) in of.coordinate.iter().enumerate() {
        coordinate.advance.next = front;
        coordinate.in_valid.next = in_valid.bit(number);
        coordinate.probe.next = row.slice(number * shape.width(), shape.width());
        footprint.texels[number].next = coordinate.footprint.val();
    }
    footprint.in_valid.next = stack(of.coordinate.iter().map(|coordinate| coordinate.out_valid.val()));
    /// # Groups
    footprint.advance.next = group.upstream_advance.val();
    group.in_valid.next = footprint.out_valid.val();
    group.ends_row.next = footprint.ends_row.val();
    for (to, from) in group.items.iter().zip(&footprint.items) {
        to.next = from.val();
    }
    group.advance.next = sampler.tag_stage.advance.val();
    sampler.address.in_valid.next = group.out_valid.val();
    sampler.address.item.next = group.out_group.val();
}

/// From texels to a result, and whether there is one.
#[kernel]
pub(super) fn texels(of: &Lanes, sampler: &GeneralSampler) -> [Bits; 2] {
    let (filter, config, data_stage) = (&of.filter, &sampler._config, &sampler.data_stage);
    /// # Texels
    let row = RowTap::of(config).unpack(data_stage.tap.val());
    let mut errors = vec![];
    for (number, decode) in of.decode.iter().enumerate() {
        decode.in_valid.next = data_stage.out_valid.val();
        decode.tap.next = ProbeTap::of(config).pack(&row.of_lane(number));
        for (to, from) in decode.words.iter().zip(&data_stage.words[TAPS * number..]) {
            to.next = from.val();
        }
        let (valid, tap, error, colors) = match of.compare.get(number) {
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
        if number == 0 {
            filter.in_valid.next = valid.val();
        } else {
            discard(valid.val(), "lanes move in step");
        }
        filter.taps[number].next = tap.val();
        for (to, from) in filter.colors[TAPS * number..].iter().zip(colors) {
            to.next = from.val();
        }
        errors.push(error.val());
    }
    filter.errors.next = stack(errors);
    /// # Results
    match (of.result.as_ref(), filter.sample.as_ref(), filter.result.as_ref()) {
        (Some(result), Some(sample), _) => {
            let (done, sample) = (filter.done.val(), sample.val());
            let [done, sample] = match sampler.indirect.as_ref() {
                Some(own) => indirect::values(own, sampler, done, sample),
                None => [done, sample],
            };
            result.in_valid.next = done;
            result.sample.next = sample;
            [result.done.val(), result.quad_result.val()]
        }
        (_, _, Some(result)) => [filter.done.val(), result.val()],
        _ => unreachable!("the filter hands on samples or a result"),
    }
}
