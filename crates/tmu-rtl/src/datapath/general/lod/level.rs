//! `level`: from a level of detail to levels, filter, and the weight of the smaller level.

use super::bias::SUM_BITS;
use super::component::SHIFT_BITS;
use super::edges::Logarithms;
use super::length::LOGARITHM_BITS;
use super::parts::{self, Cut};
use super::steps::Step;
use super::turns::Moves;
use crate::datapath::general::words::{
    EDGE_BITS, FRACTION_BITS, ItemHead, LEVEL_BITS, LeveledItem, LookUp, PARTS_LOG2_BITS, Pass, field_of,
    general, has_field, has_levels, has_parts, lanes,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::MipFilter;
use tmu_spec::general::field::{LEVELS, LOD_BIAS, MAG, MAX_LOD, MIN, MIN_LOD, MIP};

/// Bits of a limit: a level of detail in 1/256 of a level.
pub(super) const LIMIT_BITS: usize = MIN_LOD.bits as usize;

/// What a binding says.
#[derive(Bundle)]
pub(super) struct Limits {
    pub(super) bias: Reg,
    least: Reg,
    most: Reg,
    min_is_linear: Optional<Reg>,
    mag_is_linear: Optional<Reg>,
    mip: Optional<Reg>,
    last_level: Optional<Reg>,
    /// Only in one lane: with several the level of detail moves on each clock.
    pub(super) sum: Optional<Sum>,
}

/// The level of detail, and what is added to the logarithm of an edge for it. That of the row is there two clocks before that of the
/// column, while the quad is about to go on to the next place.
#[derive(Bundle)]
pub(super) struct Sum {
    /// The bias with the shift.
    terms: Reg,
    /// The shift, where parts look at the level without biases.
    shift: Optional<Reg>,
    is_explicit: Reg,
    pub(super) lod: Reg,
}

/// A quad whose level of detail is that of a limit, or that has none.
pub(super) struct Special {
    /// The least one.
    pub(super) is_least: Bits,
    /// The most. Not together with `is_least`.
    pub(super) is_most: Bits,
    /// A level without limits.
    pub(super) is_fetch: Bits,
}

/// Where a level is read without a filter of the binding.
pub(super) struct Reads {
    /// A level without a filter.
    pub(super) is_fetch: Bits,
    /// Level 0, with a linear filter.
    pub(super) is_gather: Bits,
}

/// A level of detail, and the limits of its binding.
#[derive(Clone, Debug, Record)]
pub(super) struct Within<T = Bits> {
    pub(super) lod: T,
    pub(super) least: T,
    pub(super) most: T,
}

/// What is chosen.
#[derive(Clone, Debug, Record)]
pub(super) struct Levels<T = Bits> {
    pub(super) is_linear: T,
    pub(super) level: T,
    pub(super) fraction: T,
    /// Without the component and the pass.
    pub(super) look_up: LookUp<T>,
    pub(super) parts_log2: T,
    pub(super) deltas: [T; 2],
}

impl Levels<Width> {
    /// The shape of a configuration.
    pub(super) fn of(config: &Config) -> Levels<Width> {
        let LeveledItem { is_linear, level, fraction, look_up, parts_log2, deltas, .. } =
            LeveledItem::of(config);
        let none = Width::bits(1).when(false);
        let pass = Pass { is_first: none, is_second: none };
        let look_up = LookUp { component: look_up.component.when(false), pass, ripmap: [none; 2], ..look_up };
        Levels { is_linear, level, fraction, look_up, parts_log2, deltas }
    }
}

impl Limits {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Limits {
        let features = config.features();
        let optional = |is_there, bits| Optional::new(is_there, || Reg::new(clocks, bits));
        Limits {
            bias: Reg::new(clocks, LOD_BIAS.bits as usize),
            least: Reg::new(clocks, LIMIT_BITS),
            most: Reg::new(clocks, LIMIT_BITS),
            min_is_linear: optional(features.bilinear(), 1),
            mag_is_linear: optional(features.bilinear(), 1),
            mip: optional(features.mipmaps(), MIP.bits as usize),
            last_level: optional(has_levels(config), LEVEL_BITS),
            sum: Optional::new(lanes(config) == 1, || Sum {
                terms: Reg::new(clocks, SUM_BITS),
                shift: Optional::new(has_parts(config), || Reg::new(clocks, SHIFT_BITS)),
                is_explicit: Reg::new(clocks, 1),
                lod: Reg::new(clocks, SUM_BITS),
            }),
        }
    }
}

/// Keeps what a register of a binding has.
#[kernel]
pub(super) fn keep_binding(limits: &Limits, passing: &(ItemHead, Bits)) {
    keep_limits(limits, passing);
    keep_filters(limits, passing);
}

/// Keeps what it has of the limits.
#[kernel]
pub(super) fn keep_limits(limits: &Limits, (head, register): &(ItemHead, Bits)) {
    /// # Binding
    if has_field(head, MIN_LOD) {
        limits.least.next = field_of(*register, MIN_LOD);
        limits.most.next = field_of(*register, MAX_LOD);
    }
}

/// Keeps what it has of filters and levels.
#[kernel]
pub(super) fn keep_filters(limits: &Limits, (head, register): &(ItemHead, Bits)) {
    let optional = [
        (&limits.min_is_linear, MIN),
        (&limits.mag_is_linear, MAG),
        (&limits.mip, MIP),
        (&limits.last_level, LEVELS),
    ];
    for (kept, field) in optional {
        let Some(kept) = kept.as_ref() else { continue };
        if has_field(head, field) {
            kept.next = field_of(*register, field);
        }
    }
}

/// What is added to half the logarithm of an edge.
pub(super) struct Terms {
    /// Biases, in 1/256 of a level.
    pub(super) bias: Bits,
    /// Levels.
    pub(super) shift: Bits,
    /// The logarithm does not count.
    pub(super) is_explicit: Bits,
}

/// The level of detail of the longer edge, with its biases. `terms` are those of the quad in [`Place::Square`](super::Place::Square).
/// Where footprints are cut into parts these take levels from it, see [`parts`](super::parts).
#[kernel]
pub(super) fn sum(
    sum: &Sum,
    terms: Terms,
    logarithms: &Logarithms,
    moves: &Moves,
    cut: Option<&Cut<'_, '_>>,
) {
    /// # Level of detail
    let phase = moves.phase;
    let Sum { terms: sum_of_terms, shift, is_explicit, lod } = sum;
    if phase == 1 {
        let of_shift = cat(&[terms.shift, lit(FRACTION_BITS, 0u32)]).sign_extend(SUM_BITS);
        sum_of_terms.next = terms.bias + of_shift;
        is_explicit.next = terms.is_explicit;
    }
    let logarithm = longer(logarithms, cut) & (!is_explicit.val()).repeat(LOGARITHM_BITS);
    if let (Some(cut), Some(shift)) = (cut, shift.as_ref()) {
        if phase == 1 {
            shift.next = terms.shift;
        }
        let levels = shift.val() + logarithm.high(LOGARITHM_BITS - FRACTION_BITS).zero_extend(SHIFT_BITS);
        let lod = parts::add(cut, sum_of_terms.val(), logarithm, phase);
        parts::take_levels(cut, &sum.lod, (cat(&[levels, logarithm.low(FRACTION_BITS)]), lod), moves);
        return;
    }
    let is_row = phase == 2;
    let is_longer_column = phase == 0 && logarithms.this > logarithms.before;
    if is_row || is_longer_column {
        lod.next = sum_of_terms.val() + logarithm.zero_extend(SUM_BITS);
    }
}

/// The logarithm to which biases are added: that of the longer edge, where it is known before; else that which comes.
#[kernel]
fn longer(logarithms: &Logarithms, cut: Option<&Cut<'_, '_>>) -> Bits {
    match cut {
        Some(cut) => {
            if parts::is_row(cut.parts) {
                logarithms.before
            } else {
                logarithms.this
            }
        }
        None => logarithms.this,
    }
}

/// A level of detail with the limits of the binding.
#[kernel]
pub(super) fn within(limits: &Limits, lod: Bits) -> Within {
    Within { lod, least: limits.least.val(), most: limits.most.val() }
}

/// A level of detail within its limits, at [`Step::Level`]: it comes as it is at [`Step::Compare`] and at [`Step::Limit`].
#[kernel]
pub(super) fn limited(steps: &Run<'_, Step>, compared: &Within, taken: &Within, special: &Special) -> Bits {
    /// # Limits
    let is_fetch = special.is_fetch;
    let Within { lod, least, most } = *compared;
    let is_below = lod.signed() < least.sign_extend(SUM_BITS).signed();
    let is_above = lod.signed() > most.sign_extend(SUM_BITS).signed();
    let takes_least = (special.is_least || (is_below && !special.is_most)) && !is_fetch;
    let takes_least = steps.put(Step::Compare, "takes_least", takes_least).at(Step::Limit);
    let takes_most = steps.put(Step::Compare, "takes_most", (special.is_most || is_above) && !is_fetch);
    let takes_most = takes_most.at(Step::Limit);
    let Within { lod, least, most } = *taken;
    /// Between the limits the highest bit says what the one below says.
    let between = if takes_most { most } else { lod.low(LIMIT_BITS) };
    let limited = if takes_least { least } else { between };
    steps.put(Step::Limit, "limited", limited).at(Step::Level)
}

/// What is chosen for a level of detail.
#[kernel]
pub(super) fn levels(limits: &Limits, config: &Config, limited: Bits, reads: &Reads) -> Levels {
    /// # Levels
    let Reads { is_fetch, is_gather } = *reads;
    let is_magnified = limited.high(1) || !limited.any();
    let shape = LeveledItem::of(config);
    let nothing = |width: Width| lit(width.value_bits(), 0u32);
    let is_linear = match (limits.min_is_linear.as_ref(), limits.mag_is_linear.as_ref()) {
        (Some(min), Some(mag)) => {
            ((if is_magnified { mag.val() } else { min.val() }) && !is_fetch) || is_gather
        }
        _ => is_gather,
    };
    let is_none = lit(1, 0u32);
    let look_up = LookUp { is_fetch, is_outside: is_none, is_gather, ..LookUp::sample() };
    let levels = Levels {
        is_linear,
        level: nothing(shape.level),
        fraction: nothing(shape.fraction),
        look_up,
        parts_log2: lit(PARTS_LOG2_BITS, 0u32),
        deltas: [lit(EDGE_BITS, 0u32); 2],
    };
    let Some(last) = limits.last_level.as_ref() else {
        if !config.features().bilinear() {
            discard(limited, "there is one level and one filter");
        }
        return levels;
    };
    let last = last.val();
    let mip_is = |filter: MipFilter| match limits.mip.as_ref() {
        Some(mip) => mip.val() == filter as u64,
        None => lit(1, u32::from(matches!(filter, MipFilter::None))),
    };
    let whole = limited.slice(FRACTION_BITS, LIMIT_BITS - 1 - FRACTION_BITS);
    let is_ripmap = if general(config).ripmaps { mip_is(MipFilter::Ripmap) } else { lit(1, 0u32) };
    let rounds_up = (mip_is(MipFilter::Nearest) || is_ripmap) && limited.bit(FRACTION_BITS - 1) && !is_fetch;
    let level = whole.low(LEVEL_BITS);
    // Of other textures the last level is past then.
    let steps = if general(config).ripmaps { rounds_up && !level.all() } else { rounds_up };
    let near = level + steps.zero_extend(LEVEL_BITS);
    /// Both that may be are compared, so that neither waits for the rounding.
    let is_too_high = whole.high(whole.width() - LEVEL_BITS).any();
    let next_is_last = level.zero_extend(LEVEL_BITS + 1) + 1 == last.zero_extend(LEVEL_BITS + 1);
    let is_past_last = level >= last || (rounds_up && next_is_last);
    // The levels of a ripmap are limited behind, along each axis.
    let is_limited_behind = is_ripmap && !is_fetch;
    let most = last | is_limited_behind.repeat(LEVEL_BITS);
    let is_past = is_too_high || (is_past_last && !is_limited_behind);
    let is_beyond = limited.high(1) || is_too_high || level > last;
    let level = if is_past { most } else { near };
    let is_first = is_magnified || (mip_is(MipFilter::None) && !is_fetch) || is_gather;
    let has_next = mip_is(MipFilter::Linear) && !is_magnified && !is_past && !is_fetch && !is_gather;
    Levels {
        level: level & (!is_first).repeat(LEVEL_BITS),
        fraction: limited.low(FRACTION_BITS) & has_next.repeat(FRACTION_BITS),
        look_up: LookUp { is_outside: is_fetch && is_beyond, ..levels.look_up },
        ..levels
    }
}
