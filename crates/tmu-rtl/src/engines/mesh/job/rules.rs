//! The rules of a job.

use super::Job;
use crate::engines::mesh::registers::{SIZE_FIELD_BITS, code};
use crate::engines::mesh::words::{MESH_BITS, SIZE_BITS};
use tmu_hdl::prelude::*;

/// Rules: rule n has code n + 1.
pub(super) const RULES: usize = code::ALIGNMENT as usize;

/// One bit: a number is 0, or has more bits than it may.
#[kernel]
fn is_wrong(number: Bits, bits: usize) -> Bits {
    number.high(SIZE_FIELD_BITS - bits).any() || !number.low(bits).any()
}

/// Looks at the registers, all the time; what it finds counts in the state that checks.
#[kernel]
pub(super) fn look(job: &Job) {
    /// # Rules
    let mesh = |register| is_wrong(job.setting(register, "COUNT"), MESH_BITS);
    let size = |register| is_wrong(job.setting(register, "PIXELS"), SIZE_BITS);
    let address = |register| job.setting(register, "ADDRESS");
    let is_unaligned =
        address("VERTICES").low(3).any() || address("TEXTURE").bit(0) || address("FRAME").bit(0);
    job.broken.next = cat(&[
        is_unaligned,
        size("RECTANGLE_WIDTH") || size("RECTANGLE_HEIGHT"),
        size("FRAME_WIDTH") || size("FRAME_HEIGHT"),
        size("TEXTURE_WIDTH") || size("TEXTURE_HEIGHT"),
        mesh("HMESHLAST") || mesh("VMESHLAST"),
    ]);
}

/// The code of the first rule that is broken; 0 where none is.
#[kernel]
pub(super) fn refusal(job: &Job) -> Bits {
    let mut code = lit(super::CODE_BITS, code::OK);
    for rule in (0..RULES).rev() {
        code = if job.broken.val().bit(rule) { lit(super::CODE_BITS, rule as u32 + 1) } else { code };
    }
    code
}
