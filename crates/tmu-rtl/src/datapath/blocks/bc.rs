//! BC1 to BC5: end points and what lies between them, by divisions that truncate.
//!
//! A palette has four entries, so all of them are computed, once a tile. Values have eight, and a texel computes the one that it
//! needs: `base + k * step / n`, from the lower end point up. `n` is 7, or 5 with two values of their own.

use super::header::{Colors, Stage, ValueEnds};
use super::select::{divide, expand, for_texels};
use tmu_hdl::prelude::*;

/// R, G and B of a colour of 16 bits: R in bits 15:11, G in 10:5, B in 4:0.
#[kernel]
fn channels(color: Bits) -> [Bits; 3] {
    [(11, 5), (5, 6), (0, 5)].map(|(low, width)| expand(color.slice(low, width)))
}

/// A third of the way from one channel to another, `(2 * near + far) / 3`.
#[kernel]
fn third(near: Bits, far: Bits) -> Bits {
    let sum = cat(&[lit(1, 0u32), near, lit(1, 0u32)]) + far.zero_extend(10);
    divide(sum, &[3], None)
}

/// Half of the way, `(one + other) / 2`.
#[kernel]
fn half(one: Bits, other: Bits) -> Bits {
    let sum = one.add_wide(other);
    discard(sum.low(1), "a half is cut off");
    sum.high(8)
}

/// The colours of the eight bytes that BC1, BC2 and BC3 have in common. Only BC1, if it is built, has three and transparent black.
#[kernel]
pub(super) fn palette(
    pipe: &Run<'_, Stage>,
    bytes: Bits,
    may_have_three: Option<Bits>,
    index_bits: usize,
) -> Colors {
    /// # Palette
    let ends = [bytes.low(16), bytes.slice(16, 16)];
    let [first, second] = ends.map(channels);
    let join = |of: &dyn Fn(usize) -> Bits| stack((0..3).map(of));
    let thirds = [
        join(&|channel| third(first[channel], second[channel])),
        join(&|channel| third(second[channel], first[channel])),
    ];
    let entries = [stack(first), stack(second)];
    let entries = pipe.put(Stage::Parts, "entries", entries).at(Stage::Ends);
    let thirds = pipe.put(Stage::Parts, "thirds", thirds).at(Stage::Ends);
    let indices = pipe.put(Stage::Parts, "palette_indices", bytes.high(32)).at(Stage::Ends);
    let three = may_have_three.map(|may_have_three| {
        let middle = join(&|channel| half(first[channel], second[channel]));
        let has_three = may_have_three && ends[0] <= ends[1];
        let middle = pipe.put(Stage::Parts, "middle", middle).at(Stage::Ends);
        (pipe.put(Stage::Parts, "has_three", has_three).at(Stage::Ends), middle)
    });
    let third_entry = match three {
        Some((has_three, middle)) => has_three.mux(middle, thirds[0]),
        None => thirds[0],
    };
    Colors {
        ends: [entries.map(Some), [Some(third_entry), Some(thirds[1])]],
        indices: for_texels(index_bits, |texel| indices.slice(2 * texel, 2)),
        has_holes: three.map_or_else(|| lit(1, 0u32), |(has_three, _)| has_three),
    }
}

/// The end points of the eight bytes that BC3's alpha, BC4 and BC5 have in common.
#[kernel]
pub(super) fn between(pipe: &Run<'_, Stage>, name: &str, half: Bits) -> ValueEnds {
    /// # End points of values
    let ends = [half.low(8), half.slice(8, 8)];
    let falls = ends[0] - ends[1];
    let rises = ends[1].zero_extend(9) - ends[0].zero_extend(9);
    let falls = pipe.put(Stage::Parts, &format!("{name}_falls"), falls).at(Stage::Ends);
    let rises = pipe.put(Stage::Parts, &format!("{name}_rises"), rises).at(Stage::Ends);
    let ends = pipe.put(Stage::Parts, &format!("{name}_ends"), ends).at(Stage::Ends);
    let is_falling = rises.bit(8);
    ValueEnds {
        base: if is_falling { ends[1] } else { ends[0] },
        step: if is_falling { falls } else { rises.low(8) },
        is_falling,
    }
}
