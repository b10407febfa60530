//! `row`: the probes of a row to items, all lanes in step.
//!
//! Each lane has a [`FootprintStage`], which deals its probe out. What the lanes have in a clock is a *step*: up to an item of each
//! lane. A lane that is done with its probe has none in later steps of its row, and the next row begins in all lanes at once. Where
//! a probe of any lane has a second slice, all lanes have two turns: the first slices, then the second ones.
//!
//! Contract: an item counts where `out_valid` has its lane's bit. What is the same for a row is right in the first lane without
//! it too. A footprint that empties the cache comes in all lanes and leaves in the first one, in a step by itself.
//!
//! Latency: that of the stages, initiation interval one step. With everything about 700 LUTs and four multipliers.

use super::{FootprintStage, InRow, TapItem};
use crate::datapath::general::coordinate::Footprint;
use crate::datapath::general::words::lanes;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct FootprintRow {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items behind move on at the next edge.
    pub advance: Net<In>,
    /// All probes in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There are footprints, a bit for each lane.
    pub in_valid: Net<In>,
    /// The footprint of each lane, see [`Footprint`].
    pub texels: Vec<Net<In>>,
    /// There are items, a bit for each lane.
    pub out_valid: Net<Out>,
    /// The item of each lane, see [`TapItem`].
    pub items: Vec<Net<Out>>,
    /// It is the last step of its row.
    pub ends_row: Net<Out>,
    lanes: Vec<FootprintStage>,
    _config: Config,
}

impl FootprintRow {
    /// The stages for a configuration with several lanes.
    pub fn new(config: &Config) -> FootprintRow {
        let lanes = lanes(config);
        FootprintRow {
            clocks: Clocks::new(),
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::new(lanes),
            texels: (0..lanes).map(|_| Net::new(Footprint::of(config).width())).collect(),
            out_valid: Net::new(lanes),
            items: (0..lanes).map(|_| Net::new(TapItem::of(config).width())).collect(),
            ends_row: Net::bit(),
            lanes: (0..lanes).map(|_| FootprintStage::of_lane(config)).collect(),
            _config: config.clone(),
        }
    }
}

/// Rows of probes to steps.
#[kernel]
impl FootprintRow {
    fn module_name(&self) -> String {
        "footprint_row".into()
    }

    fn logic(&self) {
        /// # Lanes
        let shape = Footprint::of(&self._config);
        for (number, lane) in self.lanes.iter().enumerate() {
            lane.clocks.follow(&self.clocks);
            lane.advance.next = self.advance.val();
            let footprint = shape.unpack(self.texels[number].val());
            let in_valid = self.in_valid.val().bit(number);
            if number == 0 {
                lane.in_valid.next = in_valid;
                lane.texels.next = self.texels[number].val();
            } else {
                lane.in_valid.next = in_valid && !footprint.invalidates;
                lane.texels.next = shape.pack(&Footprint { invalidates: lit(1, 0u32), ..footprint });
            }
            self.items[number].next = lane.item.val();
        }
        self.out_valid.next = stack(self.lanes.iter().map(|lane| lane.out_valid.val()));
        /// The stages move together, so that the first one tells for all.
        let first = &self.lanes[0];
        self.upstream_advance.next = first.upstream_advance.val();
        /// # Steps
        let rows: Vec<&InRow> = self.lanes.iter().filter_map(|lane| lane.in_row.as_ref()).collect();
        let all_are_last = stack(rows.iter().map(|row| row.is_last.val())).all();
        for row in &rows {
            row.all_are_last.next = all_are_last;
        }
        self.ends_row.next = rows[0].ends_row.val();
        let seconds = rows.iter().filter_map(|row| row.has_second.as_ref()).map(|own| own.val());
        let seconds: Vec<Bits> = seconds.collect();
        if !seconds.is_empty() {
            let any_has_second = stack(seconds).any();
            for any in rows.iter().filter_map(|row| row.any_has_second.as_ref()) {
                any.next = any_has_second;
            }
        }
    }
}
