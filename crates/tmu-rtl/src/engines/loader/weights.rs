//! `weights`: how much a pair of texels counts along its row, and the row and its slice in the texel that is made.
//!
//! On an odd axis the first, second and third texel under texel i of n count a, 256 - a - c and c of 256, with
//! `a = ((n - i)·R + 2048) >> 12`, `c = ((i + 1)·R + 2048) >> 12`; on an even one 128 each; where there is one it counts 256. The third one
//! of a row has no partner.
//!
//! Weights along the row are there 6 clocks after the pair came, those of rows and slices 10. Four DSP slices.

use super::words::{AXES, PLACE_BITS, RECIPROCAL_BITS, WEIGHT_BITS};
use Stage::{Entry, Exit, Factor, Line, Made, Rest, Shares};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Bits behind the point of a share.
const FRACTION_BITS: usize = 12;
/// Bits of a product with a place that matter: shares are of 2^20.
const SHARE_BITS: usize = 20;

/// Where a pair's weights are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Its place comes in.
    Entry,
    /// It is in the multiplier.
    PlaceIn,
    /// It is multiplied.
    PlaceMade,
    /// The product is there.
    Shares,
    /// Shares are rounded.
    Made,
    /// The rest of them is known.
    Rest,
    /// Weights are chosen.
    Factor,
    /// They are in the multiplier.
    FactorIn,
    /// They are multiplied.
    FactorMade,
    /// The product is there.
    Line,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Weights {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Place of the texel that is made, on each axis.
    pub place: [Net<In>; AXES],
    /// Which of the texels under it: of a row which pair.
    pub number: [Net<In>; AXES],
    /// R of an odd axis.
    pub reciprocal: [Net<In>; AXES],
    /// `n·R`.
    pub whole: [Net<In>; AXES],
    /// The axis is odd.
    pub is_odd: [Net<In>; AXES],
    /// It has one texel, or is not halved.
    pub is_single: [Net<In>; AXES],
    /// What the texels of the pair count.
    pub across: [Net<Out>; 2],
    /// What the row and its slice count together, of 65536.
    pub line: Net<Out>,
    pipe: Pipe<Stage>,
    shares: [Multiplier; AXES],
    product: Multiplier,
}

impl Weights {
    /// The block.
    #[must_use]
    pub fn new() -> Weights {
        let unsigned = Operand::unsigned;
        let bits = |bits: usize| [Net::new(bits), Net::new(bits), Net::new(bits)];
        let weights = Weights {
            clocks: Clocks::new(),
            place: bits(PLACE_BITS),
            number: bits(2),
            reciprocal: [(); AXES].map(|()| Net::new(RECIPROCAL_BITS)),
            whole: [(); AXES].map(|()| Net::new(RECIPROCAL_BITS)),
            is_odd: [(); AXES].map(|()| Net::bit()),
            is_single: [(); AXES].map(|()| Net::bit()),
            across: [Net::new(WEIGHT_BITS), Net::new(WEIGHT_BITS)],
            line: Net::new(2 * WEIGHT_BITS - 1),
            pipe: Pipe::new(),
            shares: [(); AXES].map(|()| Multiplier::new(unsigned(RECIPROCAL_BITS), unsigned(PLACE_BITS))),
            product: Multiplier::new(unsigned(WEIGHT_BITS), unsigned(WEIGHT_BITS)),
        };
        weights.pipe.plan(&weights.clocks, || weights.logic());
        weights
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::new()
    }
}

/// A share in 256 parts.
#[kernel]
fn rounded(share: Bits) -> Bits {
    let rounded = share + lit(SHARE_BITS, 1u32 << (FRACTION_BITS - 1));
    discard(rounded.low(FRACTION_BITS), "rounded off");
    rounded.high(SHARE_BITS - FRACTION_BITS).zero_extend(WEIGHT_BITS)
}

/// What a pair of texels counts.
#[kernel]
impl Weights {
    fn module_name(&self) -> String {
        "loader_weights".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let places = self.place.each_ref().map(|place| place.val());
        let factors: [(Bits, Bits); AXES] =
            std::array::from_fn(|axis| (self.reciprocal[axis].val(), places[axis]));
        let numbers = self.number.each_ref().map(|number| number.val());
        let numbers = pipe.put(Entry, "numbers", numbers).at(Rest);
        let products = pipe.through(Entry, "products", &self.shares, factors).at(Shares);
        let ends: [[Bits; 2]; AXES] = std::array::from_fn(|axis| {
            let product = products[axis];
            discard(product.high(product.width() - SHARE_BITS), "a share is below 2^20");
            let in_front = product.low(SHARE_BITS);
            let (whole, reciprocal) = (self.whole[axis].val(), self.reciprocal[axis].val());
            [rounded(whole - in_front), rounded(in_front + reciprocal)]
        });
        let ends = pipe.put(Shares, "ends", ends);
        let all = lit(WEIGHT_BITS, 256u32);
        let half = lit(WEIGHT_BITS, 128u32);
        let none = lit(WEIGHT_BITS, 0u32);
        let middles = ends.at(Made).map(|[first, last]| all - first - last);
        let middles = pipe.put(Made, "middles", middles).at(Rest);
        let ends = ends.at(Rest);
        let is_last = numbers[0].any();
        let [first, last] = ends[0];
        let left = if is_last { last } else { first };
        let right = if is_last { none } else { middles[0] };
        let (even_left, even_right) = if self.is_single[0].val() { (all, none) } else { (half, half) };
        let is_odd = self.is_odd[0].val();
        let across = [if is_odd { left } else { even_left }, if is_odd { right } else { even_right }];
        let across = pipe.put(Rest, "across", across).at(Factor);
        for (to, weight) in self.across.iter().zip(across) {
            to.next = weight;
        }
        let lines: [Bits; 2] = std::array::from_fn(|number| {
            let axis = number + 1;
            let [first, last] = ends[axis];
            let early = if numbers[axis].bit(0) { middles[axis] } else { first };
            let odd = if numbers[axis].bit(1) { last } else { early };
            let even = if self.is_single[axis].val() { all } else { half };
            if self.is_odd[axis].val() { odd } else { even }
        });
        let lines = pipe.put(Rest, "lines", lines).at(Factor);
        let line = pipe.through(Factor, "line", &self.product, (lines[0], lines[1])).at(Line);
        discard(line.high(1), "a weight is at most 256");
        self.line.next = pipe.put(Line, "line_weight", line.low(2 * WEIGHT_BITS - 1)).at(Exit);
    }
}
