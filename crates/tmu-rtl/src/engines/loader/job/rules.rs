//! The rules of a job.

use super::Job;
use crate::engines::loader::registers::{LEVELS_FIELD_BITS, SIZE_FIELD_BITS};
use crate::engines::loader::words::{SIDE_BITS, is_averaged, is_one_of};
use tmu_hdl::prelude::*;
use tmu_spec::general::Kind;
use tmu_spec::general::texture::{FACES, MAX_LAYERS, MAX_LEVELS};
use tmu_spec::loader::Refusal;

/// Rules: rule n has code n + 1.
pub(super) const RULES: usize = Refusal::ALL.len();

/// One bit: a side is 0, or more than 4096.
#[kernel]
fn is_wrong(side: Bits) -> Bits {
    let is_most = side.bit(SIDE_BITS - 1);
    let rest = side.low(SIDE_BITS - 1).any();
    side.high(SIZE_FIELD_BITS - SIDE_BITS).any() || (is_most && rest) || !(is_most || rest)
}

/// Looks at the registers, all the time; what it finds counts in the state that checks.
#[kernel]
pub(super) fn look(job: &Job) {
    /// # Rules
    let side = |register| job.setting(register, "TEXELS");
    let (width, height, depth) = (side("WIDTH"), side("HEIGHT"), side("DEPTH"));
    let kind = job.setting("FORMAT", "KIND");
    let format = job.setting("FORMAT", "FORMAT");
    let is_kind = |of: Kind| kind == u64::from(of.code());
    let is_volume = is_kind(Kind::D3);
    let has_layers = is_kind(Kind::D2Array);
    let many_layers = has_layers && depth > u64::from(MAX_LAYERS);
    let is_flat = is_kind(Kind::D2) && depth == 1;
    let is_cube = is_kind(Kind::Cube) && depth == u64::from(FACES) && width == height;
    let levels = job.setting("LEVELS", "COUNT");
    let volume_depth = depth.low(SIDE_BITS) & is_volume.repeat(SIDE_BITS);
    job.any_side.next = width.low(SIDE_BITS) | height.low(SIDE_BITS) | volume_depth;
    let has = |count: usize| levels == count as u64 && job.any_side.val().high(SIDE_BITS + 1 - count).any();
    let mut has_levels = lit(1, 0u32);
    for count in 1..=MAX_LEVELS as usize {
        has_levels = has_levels || has(count);
    }
    let address = |register, field| job.setting(register, field);
    let places = [
        address("PICTURE", "ADDRESS"),
        address("PITCH", "BYTES"),
        address("SLICE_PITCH", "BYTES"),
        address("TEXTURE", "ADDRESS"),
    ];
    let unaligned = places.iter().fold(lit(4, 0u32), |all, place| all | place.low(4)).any();
    job.broken.next = stack([
        is_wrong(width) || is_wrong(height) || is_wrong(depth) || many_layers,
        !(is_flat || is_volume || is_cube || has_layers),
        !is_one_of(format, |_| true),
        !has_levels,
        levels != lit(LEVELS_FIELD_BITS, 1u32) && !is_averaged(format),
        job.setting("FORMAT", "SRGB") && !is_one_of(format, tmu_spec::Format::can_be_srgb),
        unaligned,
        address("PITCH", "BYTES") < job.prepared.row_bytes.val().zero_extend(32),
    ]);
}

/// The code of the first rule that is broken; 0 where none is.
#[kernel]
pub(super) fn refusal(job: &Job) -> Bits {
    let mut code = lit(super::CODE_BITS, super::code::OK);
    for rule in (0..RULES).rev() {
        code = if job.broken.val().bit(rule) { lit(super::CODE_BITS, rule as u32 + 1) } else { code };
    }
    code
}
