//! `level`: from half the logarithm of the longer edge to what is chosen.

use super::edges::Measured;
use super::{Entering, Marks, Passes, Wide};
use crate::datapath::general::lod::bias::SUM_BITS;
use crate::datapath::general::lod::component::SHIFT_BITS;
use crate::datapath::general::lod::length::LOGARITHM_BITS;
use crate::datapath::general::lod::level::{self, LIMIT_BITS, Levels, Reads, Special, Within};
use crate::datapath::general::lod::steps::Step;
use crate::datapath::general::lod::{parts, sides};
use crate::datapath::general::words::{FRACTION_BITS, PARTS_LOG2_BITS};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Parts are doubled at most so often.
const MOST_LOG2: usize = 4;

/// A quad's level of detail.
struct Detail<'a> {
    /// With all biases.
    lod: Payload<'a, Step, Bits>,
    /// Before any bias: levels, and below them what is behind the point.
    of_edge: [Bits; 2],
}

/// Parts of a footprint.
struct Cut<'a> {
    /// The level of detail from which they have taken levels.
    left: Bits,
    parts_log2: Payload<'a, Step, Bits>,
    deltas: Payload<'a, Step, [Bits; 2]>,
}

/// What is chosen, at [`Step::Exit`].
#[kernel]
pub(super) fn choose<'a>(
    wide: &Wide,
    steps: &Run<'a, Step>,
    item: &Entering,
    (bias, measured, marks): (&Payload<'a, Step, Bits>, &Measured<'a>, &Marks<'a>),
    passes: Passes<'_>,
    config: &Config,
) -> Levels {
    let limits = &wide.limits;
    let detail = detail(steps, bias, measured, marks);
    let cut = wide.most_parts.as_ref().map(|most_of_binding| {
        let flat_edges = item.edges.map(|[u, v, _]| [u, v]);
        let edges = steps.put(Step::Entry, "edges", flat_edges).at(Step::Longer);
        let may_be_cut = sides::may_have_parts(&wide.edges.sides)
            && !marks.is_explicit.at(Step::Entry)
            && !marks.is_gather.at(Step::Entry);
        let may_be_cut = steps.put(Step::Entry, "may_be_cut", may_be_cut).at(Step::Parts);
        parts::keep_most(most_of_binding, passes(Step::Parts));
        let most = most_of_binding.val() & may_be_cut.repeat(PARTS_LOG2_BITS);
        cut(steps, &detail, measured, edges, most)
    });
    let lod = cut.as_ref().map_or_else(|| detail.lod.at(Step::Compare), |cut| cut.left);
    /// # Binding
    level::keep_limits(limits, &passes(Step::Compare));
    level::keep_filters(limits, &passes(Step::Level));
    let is_behind = marks.is_behind.at(Step::Compare);
    let special = Special {
        is_least: measured.is_point.at(Step::Compare) && !is_behind,
        is_most: is_behind && !marks.is_explicit.at(Step::Compare),
        is_fetch: marks.is_fetch.at(Step::Compare),
    };
    let compared = level::within(limits, lod);
    let taken = Within { lod: lod.low(LIMIT_BITS), ..compared.clone() };
    let taken = steps.put(Step::Compare, "within", taken).at(Step::Limit);
    let limited = level::limited(steps, &compared, &taken, &special);
    let reads =
        Reads { is_fetch: marks.is_fetch.at(Step::Level), is_gather: marks.is_gather.at(Step::Level) };
    let levels = level::levels(limits, config, limited, &reads);
    let levels = match cut {
        Some(Cut { parts_log2, deltas, .. }) => {
            Levels { parts_log2: parts_log2.at(Step::Level), deltas: deltas.at(Step::Level), ..levels }
        }
        None => levels,
    };
    steps.put(Step::Level, "levels", levels).at(Step::Exit)
}

/// Adds all that makes up a level of detail. The logarithm of an explicit one does not count, nor does its shift.
#[kernel]
fn detail<'a>(
    steps: &Run<'a, Step>,
    bias: &Payload<'a, Step, Bits>,
    measured: &Measured<'a>,
    marks: &Marks<'a>,
) -> Detail<'a> {
    /// # Level of detail
    let of_shift = cat(&[measured.shift.at(Step::Read), lit(FRACTION_BITS, 0u32)]).sign_extend(SUM_BITS);
    let terms = steps.put(Step::Read, "terms", bias.at(Step::Read) + of_shift).at(Step::Logarithm);
    let counts = !marks.is_explicit.at(Step::Logarithm);
    let logarithm = measured.logarithm.at(Step::Logarithm) & counts.repeat(LOGARITHM_BITS);
    let [whole, fraction] = [logarithm.high(LOGARITHM_BITS - FRACTION_BITS), logarithm.low(FRACTION_BITS)];
    let levels = measured.shift.at(Step::Logarithm) + whole.zero_extend(SHIFT_BITS);
    Detail {
        lod: steps.put(Step::Logarithm, "lod", terms + logarithm.zero_extend(SUM_BITS)),
        of_edge: [levels, fraction],
    }
}

/// Cuts a footprint. The longer edge is compared with all multiples of the other one at once; that it is longer than one of them, that the
/// level of detail is above as many levels, and that the binding lets it: each holds for the fewer ones too.
#[kernel]
fn cut<'a>(
    steps: &Run<'a, Step>,
    detail: &Detail<'a>,
    measured: &Measured<'a>,
    [row, column]: [[Bits; 2]; 2],
    most: Bits,
) -> Cut<'a> {
    /// # Parts
    let Some(lengths) = measured.lengths.as_ref() else { unreachable!("lengths are kept for parts") };
    let [long, short] = lengths.at(Step::Read);
    let mut long = cat(&[long, lit(1, 0u32)]);
    let mut is_shorter = vec![];
    for _ in 0..MOST_LOG2 {
        is_shorter.push(parts::is_shorter(short, long));
        long = parts::fourth(long);
    }
    let is_shorter = steps.put(Step::Read, "is_shorter", stack(is_shorter)).at(Step::Parts);
    let [levels, fraction] = steps.put(Step::Logarithm, "of_edge", detail.of_edge).at(Step::Parts);
    let (is_positive, has_more) = (!levels.high(1), fraction.any());
    let magnitude = levels.low(SHIFT_BITS - 1);
    let takes = stack((0..MOST_LOG2).map(|log2: usize| {
        let is_above = magnitude > log2 as u64 || (magnitude == log2 as u64 && has_more);
        is_shorter.bit(log2) && is_positive && is_above && most > log2 as u64
    }));
    let parts_log2 = steps.put(Step::Parts, "takes", takes).at(Step::Taken).count_ones();
    let lod = detail.lod.at(Step::Taken);
    let whole = lod.high(SUM_BITS - FRACTION_BITS);
    let left = cat(&[whole - parts_log2.zero_extend(whole.width()), lod.low(FRACTION_BITS)]);
    let deltas = parts::longer([row, column], measured.is_row.at(Step::Longer));
    Cut {
        left: steps.put(Step::Taken, "left", left).at(Step::Compare),
        parts_log2: steps.put(Step::Taken, "parts_log2", parts_log2),
        deltas: steps.put(Step::Longer, "deltas", deltas),
    }
}
