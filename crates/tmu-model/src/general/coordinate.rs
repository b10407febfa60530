//! `coordinate`: from a coordinate to the texels of one axis of a level, and the weight between them.

use super::projection::{COORDINATE_FRAC_BITS, ONE};
use tmu_spec::AddressMode;
use tmu_spec::general::Filter;

/// Texels of one axis and the weight of the second one, of 256. A texel outside the level is beyond its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisTaps {
    /// The first and the second.
    pub texels: [i32; 2],
    /// The weight of the second.
    pub weight: u32,
}

impl AxisTaps {
    /// The only texel of an axis that a texture does not have.
    pub const FIRST: AxisTaps = AxisTaps { texels: [0; 2], weight: 0 };
}

/// A coordinate after its address mode, with 20 bits behind the point. It is negative only with the border.
#[inline]
#[must_use]
pub fn addressed(mode: AddressMode, coordinate: i64) -> i64 {
    let fraction = coordinate & (ONE - 1);
    match mode {
        AddressMode::Wrap => fraction,
        AddressMode::Clamp => coordinate.clamp(0, ONE),
        AddressMode::Mirror if coordinate & ONE != 0 => ONE - fraction,
        AddressMode::Mirror => fraction,
        AddressMode::Border => coordinate.clamp(-ONE, 2 * ONE),
        AddressMode::MirrorOnce => coordinate.abs().min(ONE),
    }
}

/// The texels of an axis of `size` texels, for a coordinate that is [`addressed`]. Those outside are limited to it or wrap round
/// unless it `goes_on` there.
#[inline]
#[must_use]
pub fn axis(mode: AddressMode, goes_on: bool, addressed: i64, size: u32, filter: Filter) -> AxisTaps {
    let position = addressed * i64::from(size);
    let last = size as i32 - 1;
    match filter {
        Filter::Nearest => {
            let texel = (position >> COORDINATE_FRAC_BITS) as i32;
            let is_border = mode == AddressMode::Border;
            AxisTaps { texels: [if is_border { texel } else { texel.min(last) }; 2], weight: 0 }
        }
        Filter::Linear => {
            let position = position - ONE / 2;
            let first = (position >> COORDINATE_FRAC_BITS) as i32;
            let texels = [first, first + 1].map(|texel| match mode {
                _ if goes_on => texel,
                AddressMode::Wrap if texel < 0 => last,
                AddressMode::Wrap if texel > last => 0,
                _ => texel.clamp(0, last),
            });
            AxisTaps { texels, weight: (position >> (COORDINATE_FRAC_BITS - 8) & 0xff) as u32 }
        }
    }
}

/// The texel of an axis of `size` texels at an integer place; none beyond an edge that has a border.
#[must_use]
pub fn texel_at(mode: AddressMode, place: i32, size: u32) -> Option<u32> {
    let (place, size) = (i64::from(place), i64::from(size));
    let last = size - 1;
    let texel = match mode {
        AddressMode::Wrap => place.rem_euclid(size),
        AddressMode::Clamp => place.clamp(0, last),
        AddressMode::Mirror => {
            let folded = place.rem_euclid(2 * size);
            folded.min(2 * size - 1 - folded)
        }
        AddressMode::Border => Some(place).filter(|place| (0..size).contains(place))?,
        AddressMode::MirrorOnce => (if place < 0 { -1 - place } else { place }).min(last),
    };
    Some(texel as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mode, coordinate in 1/8, and what is left of it in 1/8.
    #[test]
    fn modes_by_hand() {
        let table = [
            (AddressMode::Wrap, 9, 1),
            (AddressMode::Wrap, -1, 7),
            (AddressMode::Wrap, 8, 0),
            (AddressMode::Clamp, 9, 8),
            (AddressMode::Clamp, -1, 0),
            (AddressMode::Clamp, 8, 8),
            (AddressMode::Mirror, 8, 8),
            (AddressMode::Mirror, 9, 7),
            (AddressMode::Mirror, 16, 0),
            (AddressMode::Mirror, -1, 1),
            (AddressMode::Border, -9, -8),
            (AddressMode::Border, 15, 15),
            (AddressMode::Border, 17, 16),
            (AddressMode::MirrorOnce, -3, 3),
            (AddressMode::MirrorOnce, -9, 8),
            (AddressMode::MirrorOnce, 9, 8),
        ];
        for (mode, coordinate, expected) in table {
            assert_eq!(addressed(mode, coordinate * ONE / 8), expected * ONE / 8, "{mode} {coordinate}");
        }
    }

    /// The texels at places -6 to 6 of an axis of 3; -1 for none.
    #[test]
    fn integer_places_by_hand() {
        let table = [
            (AddressMode::Wrap, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]),
            (AddressMode::Clamp, [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]),
            (AddressMode::Mirror, [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]),
            (AddressMode::Border, [-1, -1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1]),
            (AddressMode::MirrorOnce, [2, 2, 2, 2, 1, 0, 0, 1, 2, 2, 2, 2, 2]),
        ];
        for (mode, expected) in table {
            let found = std::array::from_fn(|number| {
                texel_at(mode, number as i32 - 6, 3).map_or(-1, |texel| texel as i32)
            });
            assert_eq!(found, expected, "{mode}");
        }
        let far = [i32::MIN, i32::MAX];
        assert_eq!(far.map(|place| texel_at(AddressMode::Wrap, place, 4096)), [Some(0), Some(4095)]);
        assert_eq!(far.map(|place| texel_at(AddressMode::Mirror, place, 1)), [Some(0); 2]);
        assert_eq!(far.map(|place| texel_at(AddressMode::MirrorOnce, place, 5)), [Some(4); 2]);
    }

    /// Mode, coordinate in 1/16 of an axis of 4 texels: texels and weight of linear filtering, texel of nearest.
    #[test]
    fn texels_by_hand() {
        let table = [
            (AddressMode::Wrap, 2, [0, 1], 0, 0),
            (AddressMode::Wrap, 1, [3, 0], 192, 0),
            (AddressMode::Wrap, 15, [3, 0], 64, 3),
            (AddressMode::Wrap, 16, [3, 0], 128, 0),
            (AddressMode::Clamp, 1, [0, 0], 192, 0),
            (AddressMode::Clamp, 16, [3, 3], 128, 3),
            (AddressMode::Mirror, 17, [3, 3], 64, 3),
            (AddressMode::Mirror, 18, [3, 3], 0, 3),
            (AddressMode::Border, 1, [-1, 0], 192, 0),
            (AddressMode::Border, 16, [3, 4], 128, 4),
            (AddressMode::Border, -4, [-2, -1], 128, -1),
            (AddressMode::MirrorOnce, -5, [0, 1], 192, 1),
        ];
        for (mode, sixteenths, texels, weight, nearest) in table {
            let addressed = addressed(mode, sixteenths * ONE / 16);
            let of = |filter| axis(mode, mode == AddressMode::Border, addressed, 4, filter);
            let linear = of(Filter::Linear);
            assert_eq!((linear.texels, linear.weight), (texels, weight), "{mode} {sixteenths}");
            assert_eq!(of(Filter::Nearest).texels, [nearest; 2], "{mode} {sixteenths}");
        }
    }
}
