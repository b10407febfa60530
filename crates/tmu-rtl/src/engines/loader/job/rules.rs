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

/// What is found of single registers.
#[derive(Clone, Debug, Record)]
pub struct Looked<T = Bits> {
    /// A side is none, or there are too many layers.
    wrong: [T; 4],
    /// The kind, with what its sides must be.
    kinds: [T; 4],
    /// Levels are as many as there are, one bit for each number of them.
    levels: T,
    /// The format is loaded, is averaged, may be sRGB-coded.
    formats: [T; 3],
    /// Levels are more than one.
    many: T,
    /// Colours are sRGB-coded.
    srgb: T,
    /// An address or a pitch is no multiple of 16.
    unaligned: T,
    /// Rows overlap.
    overlaps: T,
}

/// Shape of [`Looked`].
pub(super) fn looked() -> Looked<Width> {
    let bit = || Width::bits(1);
    Looked {
        wrong: [bit(); 4],
        kinds: [bit(); 4],
        levels: Width::bits(MAX_LEVELS as usize),
        formats: [bit(); 3],
        many: bit(),
        srgb: bit(),
        unaligned: bit(),
        overlaps: bit(),
    }
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
    let levels = job.setting("LEVELS", "COUNT");
    let volume_depth = depth.low(SIDE_BITS) & is_kind(Kind::D3).repeat(SIDE_BITS);
    job.any_side.next = width.low(SIDE_BITS) | height.low(SIDE_BITS) | volume_depth;
    /// A level less one is reached where a side has a one at its bit or above.
    let or_above =
        |sides: Bits, distance: usize| sides | sides.high(SIDE_BITS - distance).zero_extend(SIDE_BITS);
    job.reaches_near.next = or_above(or_above(job.any_side.val(), 1), 2);
    job.reaches.next = or_above(or_above(job.reaches_near.val(), 4), 8);
    let has = |count: usize| levels == count as u64 && job.reaches.val().bit(count - 1);
    let address = |register, field| job.setting(register, field);
    let pitch = address("PITCH", "BYTES");
    let places = [
        address("PICTURE", "ADDRESS"),
        pitch,
        address("SLICE_PITCH", "BYTES"),
        address("TEXTURE", "ADDRESS"),
    ];
    job.looked.next = Looked {
        wrong: [
            is_wrong(width),
            is_wrong(height),
            is_wrong(depth),
            is_kind(Kind::D2Array) && depth > u64::from(MAX_LAYERS),
        ],
        kinds: [
            is_kind(Kind::D2) && depth == 1,
            is_kind(Kind::D3),
            is_kind(Kind::Cube) && depth == u64::from(FACES) && width == height,
            is_kind(Kind::D2Array),
        ],
        levels: stack((1..=MAX_LEVELS as usize).map(has)),
        formats: [
            is_one_of(format, |_| true),
            is_averaged(format),
            is_one_of(format, tmu_spec::Format::can_be_srgb),
        ],
        many: levels != lit(LEVELS_FIELD_BITS, 1u32),
        srgb: job.setting("FORMAT", "SRGB"),
        unaligned: places.iter().fold(lit(4, 0u32), |all, place| all | place.low(4)).any(),
        overlaps: pitch < job.prepared.row_bytes.val().zero_extend(32),
    };
    let looked = job.looked.val();
    let [is_loaded, is_averaged, can_be_srgb] = looked.formats;
    job.broken.next = stack([
        cat(&looked.wrong).any(),
        !cat(&looked.kinds).any(),
        !is_loaded,
        !looked.levels.any(),
        looked.many && !is_averaged,
        looked.srgb && !can_be_srgb,
        looked.unaligned,
        looked.overlaps,
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
