//! Texels of 8 and 16 bytes, out of both columns of banks. Part of `decode`.
//!
//! An item brings one for each column of places, whichever row of banks it stands in, see [`tile`](crate::datapath::general::tile). A
//! line has all of a texel, so that its first word tells whether it could not be read.

use super::{Decode, Stage};
use crate::datapath::general::tile::part_bits;
use crate::datapath::general::words::{ProbeTap, TAPS};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// Bytes of the largest texels.
const SIXTEEN: u32 = 16;

const fn is_wide(format: Format) -> bool {
    format.bytes_per_texel() > 4
}

const fn is_sixteen(format: Format) -> bool {
    format.bytes_per_texel() == SIXTEEN
}

/// The texels of an item.
pub(super) struct Wide {
    /// They are wide, at [`Stage::Texel`].
    pub(super) is_wide: Bits,
    /// The lowest four bytes of the one in each column of places, at [`Stage::Texel`].
    pub(super) low: [Bits; 2],
    /// What is above, at [`Stage::Route`].
    rest: [Bits; 2],
}

impl Wide {
    /// What is above the lowest four bytes in a column of places.
    #[kernel]
    pub(super) fn rest_of(&self, column: Bits) -> Bits {
        if column { self.rest[1] } else { self.rest[0] }
    }
}

/// Wide texels.
impl Decode {
    /// The texels of an item, if any format has wide ones; slots as they are at [`Stage::Texel`].
    #[kernel]
    pub(super) fn wide(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, ProbeTap>,
        slots: &[[Bits; 2]; TAPS],
    ) -> Option<Wide> {
        let parts = part_bits(&self._config);
        if parts == 0 {
            return None;
        }
        /// # Wide texels
        let format = tap.at(self.entry()).format;
        let wide = pipe.put(self.entry(), "is_wide", self.is_format(format, is_wide));
        let sixteen = pipe.put(self.entry(), "is_sixteen", self.is_format(format, is_sixteen));
        let sixteen = sixteen.at(Stage::Texel);
        let column_bit1 = tap.at(Stage::Texel).column_bit1;
        /// Of 8 bytes: half a row of banks, which one tells the column.
        let half = |column: usize, word: usize| {
            if column_bit1[column] { slots[2 + word][column] } else { slots[word][column] }
        };
        let low = |column: usize| if sixteen { slots[2 * column][0] } else { half(column, 0) };
        let rest = |column: usize| {
            let second = if sixteen { slots[2 * column + 1][0] } else { half(column, 1) };
            let [first_row, second_row] = [slots[2 * column][1], slots[2 * column + 1][1]];
            let all = if parts > 1 { cat(&[second_row, first_row, second]) } else { second };
            pipe.put(Stage::Texel, ["even_rest", "odd_rest"][column], all).at(Stage::Route)
        };
        Some(Wide { is_wide: wide.at(Stage::Texel), low: [low(0), low(1)], rest: [rest(0), rest(1)] })
    }

    /// What goes for the texel in a column of places: that of a bank where it is wide, else its own.
    #[kernel]
    pub(super) fn wide_or(
        &self,
        tap: &ProbeTap,
        column: usize,
        own: Bits,
        of_bank: impl Fn(usize) -> Bits,
    ) -> Bits {
        if part_bits(&self._config) == 0 {
            return own;
        }
        let of_eight = if tap.column_bit1[column] { of_bank(2) } else { of_bank(0) };
        let sixteen = self.is_format(tap.format, is_sixteen);
        let wide = if sixteen { of_bank(2 * column) } else { of_eight };
        if self.is_format(tap.format, is_wide) { wide } else { own }
    }
}
