//! What a job has done, in numbers.

use super::{HITS_BITS, Job, State};
use tmu_hdl::prelude::*;

/// Registers of counters, in their order.
const COUNTERS: [&str; 5] =
    ["PIXELS_DRAWN", "PIXELS_LEFT_OUT", "TEXTURE_LINES", "TEXTURE_HITS", "CLOCKS_STALLED"];
/// Bits of a counter.
const COUNTER_BITS: usize = 32;

/// A register for each.
pub(super) fn registers(clocks: &Clocks) -> Vec<Reg> {
    COUNTERS.iter().map(|_| Reg::with_reset(clocks, COUNTER_BITS, 0)).collect()
}

/// Counts. A counter stops where the largest event might take it past its end.
#[kernel]
pub(super) fn count(job: &Job) {
    /// # Counters
    let events = job.events.val();
    let wide = |bit: Bits| bit.zero_extend(HITS_BITS);
    let by = [
        wide(events.drawn),
        wide(events.outside) + wide(events.dropped),
        wide(events.texture_line),
        events.hits,
        wide(events.stalled),
    ];
    for (number, counter) in job.counters.iter().enumerate() {
        let value = counter.val();
        job.bank.input.of(COUNTERS[number], "COUNT").next = value;
        if job.state.val() == State::Start {
            counter.next = 0;
        } else if !value.high(COUNTER_BITS - HITS_BITS).all() {
            counter.next = value + by[number].zero_extend(COUNTER_BITS);
        }
    }
}
