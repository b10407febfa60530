//! BC1 to BC5: end points and what lies between them, by divisions that truncate.
//!
//! A palette has four entries, so all of them are computed, once a tile. Values have eight, and a texel computes the one that it
//! needs: `base + k * step / n`, from the lower end point up. `n` is 7, or 5 with two values of their own.
//!
//! | | LUTs | levels |
//! | --- | --- | --- |
//! | palette of a tile | 200 | 4 |
//! | end points of values of a tile | 35 | 3 |

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

/// The colours of the eight bytes that BC1, BC2 and BC3 have in common. Only BC1 has three and transparent black.
#[kernel]
pub(super) fn palette(pipe: &Run<'_, Stage>, [half, may_have_three]: [Bits; 2], index_bits: usize) -> Colors {
    /// # Palette
    let ends = [half.low(16), half.slice(16, 16)];
    let [first, second] = ends.map(channels);
    let join = |of: &dyn Fn(usize) -> Bits| stack((0..3).map(of));
    let thirds = [
        join(&|channel| third(first[channel], second[channel])),
        join(&|channel| third(second[channel], first[channel])),
    ];
    let middle = join(&|channel| first[channel].add_wide(second[channel]).high(8));
    let has_three = may_have_three && ends[0] <= ends[1];
    let entries =
        pipe.put(Stage::Parts, "entries", [join(&|at| first[at]), join(&|at| second[at])]).at(Stage::Ends);
    let thirds = pipe.put(Stage::Parts, "thirds", thirds).at(Stage::Ends);
    let middle = pipe.put(Stage::Parts, "middle", middle).at(Stage::Ends);
    let has_three = pipe.put(Stage::Parts, "has_three", has_three).at(Stage::Ends);
    let indices = pipe.put(Stage::Parts, "palette_indices", half.high(32)).at(Stage::Ends);
    let third_entry = if has_three { middle } else { thirds[0] };
    Colors {
        ends: [entries.map(Some), [Some(third_entry), Some(thirds[1])]],
        indices: for_texels(index_bits, |texel| indices.slice(2 * texel, 2)),
        has_holes: has_three,
    }
}

/// The end points of the eight bytes that BC3's alpha, BC4 and BC5 have in common.
#[kernel]
pub(super) fn between(pipe: &Run<'_, Stage>, name: &str, half: Bits) -> ValueEnds {
    /// # End points of values
    let ends = [half.low(8), half.slice(8, 8)];
    let wide = ends.map(|end| end.zero_extend(9));
    let falls = (wide[0] - wide[1]).low(8);
    let falls = pipe.put(Stage::Parts, &format!("{name}_falls"), falls).at(Stage::Ends);
    let rises = pipe.put(Stage::Parts, &format!("{name}_rises"), wide[1] - wide[0]).at(Stage::Ends);
    let ends = pipe.put(Stage::Parts, &format!("{name}_ends"), ends).at(Stage::Ends);
    let is_falling = rises.bit(8);
    ValueEnds {
        base: if is_falling { ends[1] } else { ends[0] },
        step: if is_falling { falls } else { rises.low(8) },
        is_falling,
    }
}
