//! `sides`: what of a binding's texture counts for the edges of its footprints: its sides and its kind.

use super::component::SIDE_BITS;
use super::steps::{INTERVAL_CLOCKS, has_volumes};
use crate::datapath::general::words::{ProjectedItem, field_of, general, has_field, has_parts};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::field::{DEPTH, HEIGHT, KIND, MIP, REGISTER_BITS, WIDTH, place};
use tmu_spec::general::{Kind, MipFilter};

/// Sides of level 0, and the kind.
#[derive(Bundle)]
pub(super) struct Sides {
    pub(super) sides_less_one: Vec<Reg>,
    pub(super) sides: Vec<Reg>,
    kinds: Kinds,
}

/// The kind of the texture, where there are several that count.
#[derive(Bundle)]
struct Kinds {
    /// It has no v.
    is_line: Optional<Reg>,
    is_volume: Optional<Reg>,
    /// Its footprints may be cut into parts.
    may_have_parts: Optional<Reg>,
}

impl Sides {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Sides {
        let axes = if has_volumes(config) { 3 } else { 2 };
        let sides = |bits| (0..axes).map(|_| Reg::new(clocks, bits)).collect();
        Sides {
            sides_less_one: sides(SIDE_BITS),
            sides: sides(SIDE_BITS + 1),
            kinds: Kinds::new(clocks, config),
        }
    }
}

impl Kinds {
    fn new(clocks: &Clocks, config: &Config) -> Kinds {
        let bit = |is_there| Optional::new(is_there, || Reg::new(clocks, 1));
        let has_kind = |kind| general(config).has_kind(kind);
        let has_others = has_kind(Kind::D3) || has_kind(Kind::Cube);
        Kinds {
            is_line: bit(has_kind(Kind::D1)),
            is_volume: bit(has_kind(Kind::D3)),
            may_have_parts: bit(has_parts(config) && has_others),
        }
    }
}

/// Keeps the sides of a binding that stands in front of the stage: the width in the first phase, the height in the last one, and of
/// the register behind the depth in the first one. One adder does for all.
#[kernel]
pub(super) fn keep_sides(sides: &Sides, item: &ProjectedItem, in_valid: Bits, phase: Bits) {
    /// # Sides of level 0
    // Slices of the item, not of a net between, whose unread bits would be in the Verilog.
    let less_one = [WIDTH, HEIGHT].map(|of| field_of(item.places[0].u.low(REGISTER_BITS as usize), of));
    let one_of_them = if phase.bit(1) { less_one[1] } else { less_one[0] };
    let side = one_of_them.zero_extend(SIDE_BITS + 1) + 1;
    let keeps = in_valid && has_field(&item.head, WIDTH);
    for (axis, in_phase) in [0, INTERVAL_CLOCKS - 1].into_iter().enumerate() {
        if keeps && phase == in_phase as u64 {
            sides.sides_less_one[axis].next = less_one[axis];
            sides.sides[axis].next = side;
        }
    }
    let is_first = phase == 0;
    if let (Some(depth_less_one), Some(depth)) = (sides.sides_less_one.get(2), sides.sides.get(2)) {
        // The depth lies in its register where the width lies.
        const _: () = assert!(place(DEPTH).1 == place(WIDTH).1 && DEPTH.bits == WIDTH.bits);
        if in_valid && has_field(&item.head, DEPTH) && is_first {
            depth_less_one.next = less_one[0];
            depth.next = side;
        }
    }
    keep_kind(sides, field_of(item.places[0].u.low(REGISTER_BITS as usize), KIND), keeps);
}

/// The same where an item stands in front of the stage for a clock: an adder for each side.
#[kernel]
pub(super) fn keep_sides_at_once(sides: &Sides, item: &ProjectedItem, comes: Bits) {
    /// # Sides of level 0
    // Slices of the item, as above.
    let field = |of| field_of(item.places[0].u.low(REGISTER_BITS as usize), of);
    for (axis, of) in [WIDTH, HEIGHT, DEPTH].into_iter().enumerate() {
        let Some(side) = sides.sides.get(axis) else { continue };
        let less_one = field(of);
        if comes && has_field(&item.head, of) {
            sides.sides_less_one[axis].next = less_one;
            side.next = less_one.zero_extend(SIDE_BITS + 1) + 1;
        }
    }
    keep_kind(sides, field(KIND), comes && has_field(&item.head, KIND));
}

/// Halves the sides where a binding says, for one clock, that it is read as a ripmap: its picture has twice the sides of its largest
/// level. The register that says so comes behind that of the sides.
#[kernel]
pub(super) fn halve(sides: &Sides, config: &Config, item: &ProjectedItem, comes: Bits) {
    if !general(config).ripmaps {
        return;
    }
    /// # Sides of a ripmap
    let mip = field_of(item.places[0].u.low(REGISTER_BITS as usize), MIP);
    if comes && has_field(&item.head, MIP) && mip == MipFilter::Ripmap as u64 {
        for (less_one, side) in sides.sides_less_one.iter().zip(&sides.sides) {
            less_one.next = less_one.val().high(SIDE_BITS - 1).zero_extend(SIDE_BITS);
            side.next = side.val().high(SIDE_BITS).zero_extend(SIDE_BITS + 1);
        }
    }
}

const _: () = assert!(place(MIP).0 > place(WIDTH).0);

/// Keeps what of the kind counts.
#[kernel]
fn keep_kind(sides: &Sides, kind: Bits, keeps: Bits) {
    let Kinds { is_line, is_volume, may_have_parts } = &sides.kinds;
    let is = |of: Kind| kind == u64::from(of.code());
    if let Some(is_line) = is_line.as_ref() {
        if keeps {
            is_line.next = is(Kind::D1);
        }
    }
    if let Some(is_volume) = is_volume.as_ref() {
        if keeps {
            is_volume.next = is(Kind::D3);
        }
    }
    if let Some(may_have_parts) = may_have_parts.as_ref() {
        if keeps {
            may_have_parts.next = !is(Kind::D3) && !is(Kind::Cube);
        }
    }
}

/// One bit: quads in front of the stage look at a volume.
#[kernel]
pub(super) fn is_volume(sides: &Sides) -> Bits {
    sides.kinds.is_volume.as_ref().map_or(lit(1, 0u32), |is_volume| is_volume.val())
}

/// One bit: the footprints of quads in front of the stage may be cut into parts.
#[kernel]
pub(super) fn may_have_parts(sides: &Sides) -> Bits {
    sides.kinds.may_have_parts.as_ref().map_or(lit(1, 1u32), |may| may.val())
}

/// One bit: the texture of quads in front of the stage has no v.
#[kernel]
pub(super) fn is_line(sides: &Sides) -> Bits {
    sides.kinds.is_line.as_ref().map_or(lit(1, 0u32), |is_line| is_line.val())
}
