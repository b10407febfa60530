//! How a job ends: what has failed first. What stages report is chosen from in one clock and kept in the next.

use super::{CODE_BITS, Job, State, rules};
use crate::engines::mesh::registers::code;
use crate::engines::mesh::words::RESPONSE_BITS;
use tmu_hdl::prelude::*;

/// What may end a job before its last pixel.
pub(super) const CAUSES: usize = 5;

/// Keeps the first fault of a job.
#[kernel]
pub(super) fn keep(job: &Job) {
    /// # Faults
    let faults = [
        (job.vertices_fault.val(), code::VERTICES_FAULT),
        (job.texture_fault.val(), code::TEXTURE_FAULT),
        (job.frame_fault.val(), code::FRAME_FAULT),
        (job.write_fault.val(), code::WRITE_FAULT),
    ];
    let mut found = lit(CODE_BITS, code::RESET);
    let mut response = lit(RESPONSE_BITS, 0u32);
    let happened = faults.iter().map(|(fault, _)| fault.happened);
    job.happened.next = stack(happened.chain([job.setting("RESET", "END")]));
    for (fault, number) in faults.iter().rev() {
        found = if fault.happened { lit(CODE_BITS, *number) } else { found };
        response = if fault.happened { fault.response } else { response };
    }
    /// Which of the four is first as two bits, so that a bit of the line is one LUT.
    let [vertices, texture, frame, write] = faults.map(|(fault, _)| fault);
    let is_late = !(vertices.happened || texture.happened);
    let is_other = if is_late { !frame.happened } else { !vertices.happened };
    let early = if is_other { texture.line } else { vertices.line };
    let late = if is_other { write.line } else { frame.line };
    let line = if is_late { late } else { early };
    job.ends_early.next = job.happened.val().any();
    job.found.next = found;
    job.found_response.next = response;
    job.found_line.next = line;
    let happened = job.state.val() == State::Run && job.ends_early.val();
    if job.state.val() == State::Check {
        job.code.next = rules::refusal(job);
        job.response.next = 0;
        job.fault_line.next = 0;
    } else if happened && !job.is_cancelled.val() {
        job.code.next = job.found.val();
        job.response.next = job.found_response.val();
        job.fault_line.next = job.found_line.val();
    }
    if job.state.val() == State::Finish {
        job.is_cancelled.next = 0;
    } else if happened {
        job.is_cancelled.next = 1;
    }
    job.cancelled.next = job.is_cancelled.val();
}
