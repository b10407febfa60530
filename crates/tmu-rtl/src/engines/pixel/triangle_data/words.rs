//! What passes through `triangle_data`.

use crate::engines::pixel::interpolation::QUAD_BITS;
use crate::engines::pixel::tile_fetch::words::OrderWord;
use crate::engines::pixel::triangle_setup::TAG_BITS;
use crate::engines::pixel::words::{QuadWord, TileShape};
use tmu_hdl::prelude::*;

/// Bits of the number of the values of a triangle.
pub const COUNT_BITS: usize = 6;
/// Values of a triangle at most: RHW, six sets of four components, two colours of four channels.
pub const MOST_VALUES: usize = 1 + 6 * 4 + 2 * 4;
/// Bits of a blend mode.
pub const BLEND_BITS: usize = 3;
/// Bits of a comparison.
pub const COMPARE_BITS: usize = 3;
/// Bits of what alpha is compared with.
pub const REFERENCE_BITS: usize = 8;

const _: () =
    assert!(MOST_VALUES < 1 << COUNT_BITS && TAG_BITS == COUNT_BITS, "tags have a bit for the last value");

/// A quad, or an order that passes in its turn.
#[derive(Clone, Debug, Record)]
pub struct ItemWord<T = Bits> {
    /// There is a quad.
    pub is_quad: T,
    /// Of an order, its number.
    pub order: T,
    /// The part of the list.
    pub part: T,
    /// The quad is the first one of its triangle.
    pub starts: T,
    /// Its column in the frame, in quads.
    pub column: T,
    /// Its row.
    pub row: T,
    /// Which pixels of it are seen.
    pub mask: T,
}

impl ItemWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> ItemWord<Width> {
        let OrderWord { order, part, .. } = OrderWord::of(shape);
        let QuadWord { mask, starts, .. } = QuadWord::of(shape);
        let quad = Width::bits(QUAD_BITS);
        ItemWord { is_quad: Width::bits(1), order, part, starts, column: quad, row: quad, mask }
    }
}

/// What of a state goes along with quads.
#[derive(Clone, Debug, Record)]
pub struct TestWord<T = Bits> {
    /// The number of a [`Blend`](tmu_spec::pixel::Blend).
    pub blend: T,
    /// The number of a [`CompareOp`](tmu_spec::general::CompareOp).
    pub alpha_compare: T,
    /// What alpha is compared with.
    pub alpha_reference: T,
}

impl TestWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> TestWord<Width> {
        TestWord {
            blend: Width::bits(BLEND_BITS),
            alpha_compare: Width::bits(COMPARE_BITS),
            alpha_reference: Width::bits(REFERENCE_BITS),
        }
    }
}

/// What goes along with a quad through `shade`, or an order.
#[derive(Clone, Debug, Record)]
pub struct AlongWord<T = Bits> {
    /// Of an order, its number.
    pub order: T,
    /// The part of the list.
    pub part: T,
    /// Row and column of the quad in its tile, in quads, the column below.
    pub place: T,
    /// Which pixels of it are seen.
    pub mask: T,
    /// How its pixels are tested and blended.
    pub test: TestWord<T>,
}

impl AlongWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> AlongWord<Width> {
        let ItemWord { order, part, mask, .. } = ItemWord::of(shape);
        let place = Width::bits(shape.width_log2 + shape.height_log2 - 2);
        AlongWord { order, part, place, mask, test: TestWord::shape() }
    }
}

/// What a triangle's state says of it.
#[derive(Clone, Debug, Record)]
pub struct StateWord<T = Bits> {
    /// What programs read of a pixel, as their first word has it, as far as vertices have it.
    pub reads: T,
    /// Coordinate sets of a vertex.
    pub sets: T,
    /// Vertices have colours.
    pub has_colors: T,
    /// See there.
    pub test: TestWord<T>,
}

impl StateWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> StateWord<Width> {
        StateWord {
            reads: Width::bits(32),
            sets: Width::bits(3),
            has_colors: Width::bits(1),
            test: TestWord::shape(),
        }
    }
}

/// A triangle that may be shaded: its planes stand in their bank.
#[derive(Clone, Debug, Record)]
pub struct DataWord<T = Bits> {
    /// There is a fault instead.
    pub fails: T,
    /// Where its state is loaded.
    pub slot: T,
    /// Planes, RHW among them.
    pub count: T,
    /// The first one is that of RHW.
    pub has_rhw: T,
    /// See there.
    pub test: TestWord<T>,
}

impl DataWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(slot_bits: usize) -> DataWord<Width> {
        let bit = Width::bits(1);
        DataWord {
            fails: bit,
            slot: Width::bits(slot_bits),
            count: Width::bits(COUNT_BITS),
            has_rhw: bit,
            test: TestWord::shape(),
        }
    }
}
