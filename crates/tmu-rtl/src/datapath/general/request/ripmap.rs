//! What a binding must keep to that is read as a ripmap: its picture is of kind `2d` and has one level, and sides of two texels or more
//! that are powers of two.
//!
//! Cost: a flip-flop and about 15 LUTs.

use crate::datapath::general::words::field_of;
use tmu_hdl::prelude::*;
use tmu_spec::general::Kind;
use tmu_spec::general::field::{ANISOTROPY, HEIGHT, KIND, LEVELS, MIP, WIDTH, place};
use tmu_spec::general::sampler::MipFilter;

const _: () = assert!(place(WIDTH).0 == place(KIND).0 && place(WIDTH).0 == place(LEVELS).0);
const _: () = assert!(place(MIP).0 == place(ANISOTROPY).0 && place(MIP).0 > place(WIDTH).0);

/// One bit, of the register that has the sides: the texture may be a ripmap.
#[kernel]
pub(super) fn may_be(register: Bits) -> Bits {
    let is_side = |less_one: Bits| {
        let runs = (1..less_one.width()).map(|bit| !less_one.bit(bit) || less_one.bit(bit - 1));
        less_one.bit(0) && stack(runs).all()
    };
    let is_flat = field_of(register, KIND) == u64::from(Kind::D2.code());
    is_flat
        && !field_of(register, LEVELS).any()
        && is_side(field_of(register, WIDTH))
        && is_side(field_of(register, HEIGHT))
}

/// One bit, of the register that has the filters: the texture, which may be a ripmap or not, must not be read so.
#[kernel]
pub(super) fn is_misread(register: Bits, may_be: Bits) -> Bits {
    let is_ripmap = field_of(register, MIP) == MipFilter::Ripmap as u64;
    is_ripmap && (!may_be || field_of(register, ANISOTROPY).any())
}
