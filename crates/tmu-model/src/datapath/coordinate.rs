//! Texture coordinates: from u or v to the texels of one axis and their weight.
//!
//! Each axis is treated alike and by itself. Constant time, integers only.

use tmu_spec::fixed::{ADDRESSED, HALF_TEXEL, POSITION, WEIGHT};
use tmu_spec::{AddressMode, Sampler};

/// The two texels of an axis between which a bilinear sample lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisTaps {
    /// The nearer to the origin, before its edge is applied.
    pub first: u32,
    /// The one after it.
    pub second: u32,
    /// Weight of the second, of 256.
    pub weight: u32,
}

/// Applies an address mode: a coordinate in s16.16 becomes a place within the texture, 0 to 65536.
#[inline]
#[must_use]
pub const fn addressed(coordinate: i32, mode: AddressMode) -> u32 {
    let one = ADDRESSED.one() as u32;
    let fraction = coordinate as u32 & (one - 1);
    match mode {
        AddressMode::Wrap => fraction,
        AddressMode::Clamp if coordinate < 0 => 0,
        AddressMode::Clamp if coordinate as u32 > one => one,
        AddressMode::Clamp => coordinate as u32,
        AddressMode::Mirror if coordinate as u32 & one != 0 => one - fraction,
        AddressMode::Mirror => fraction,
        AddressMode::Border | AddressMode::MirrorOnce => panic!("no classic binding has this mode"),
    }
}

/// The texel in which a place lies, of an axis of `2^size_log2` texels.
#[inline]
#[must_use]
pub const fn nearest(place: u32, size_log2: u32) -> u32 {
    let texel = (place << size_log2) >> POSITION.frac_bits();
    let last = (1 << size_log2) - 1;
    if texel < last { texel } else { last }
}

/// The texels around a place, of an axis of `2^size_log2` texels: those whose centres lie on either side.
#[inline]
#[must_use]
pub const fn bilinear(place: u32, size_log2: u32, mode: AddressMode) -> AxisTaps {
    let position = (place << size_log2) as i32 - HALF_TEXEL as i32;
    let first = position >> POSITION.frac_bits();
    let weight = (position as u32 >> (POSITION.frac_bits() - WEIGHT.frac_bits())) & WEIGHT.max() as u32;
    AxisTaps { first: edge(first, size_log2, mode), second: edge(first + 1, size_log2, mode), weight }
}

/// Where u and v lie within the texture.
#[inline]
#[must_use]
pub const fn places([u, v]: [i32; 2], sampler: Sampler) -> [u32; 2] {
    [addressed(u, sampler.address_u), addressed(v, sampler.address_v)]
}

/// The taps of both axes, of a level of `2^sizes_log2` texels.
#[inline]
#[must_use]
pub const fn taps([u, v]: [u32; 2], sizes_log2: [u32; 2], sampler: Sampler) -> [AxisTaps; 2] {
    let [width_log2, height_log2] = sizes_log2;
    [bilinear(u, width_log2, sampler.address_u), bilinear(v, height_log2, sampler.address_v)]
}

/// Column and row of the texel in which two places lie.
#[inline]
#[must_use]
pub const fn nearest_texels([u, v]: [u32; 2], [width_log2, height_log2]: [u32; 2]) -> [u32; 2] {
    [nearest(u, width_log2), nearest(v, height_log2)]
}

/// Brings a texel number of -1 to `2^size_log2` into the axis.
#[inline]
const fn edge(texel: i32, size_log2: u32, mode: AddressMode) -> u32 {
    let last = (1 << size_log2) - 1;
    match mode {
        AddressMode::Wrap => (texel & last) as u32,
        _ if texel < 0 => 0,
        _ if texel > last => last as u32,
        _ => texel as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AddressMode::{Clamp, Mirror, Wrap};
    use proptest::prelude::*;

    const ONE: i32 = 65_536;

    #[test]
    fn places_by_hand() {
        let table = [
            (Wrap, 0, 0),
            (Wrap, ONE, 0),
            (Wrap, -1, 65_535),
            (Wrap, 5 * ONE / 4, 16_384),
            (Wrap, i32::MIN, 0),
            (Wrap, i32::MAX, 65_535),
            (Clamp, -1, 0),
            (Clamp, i32::MIN, 0),
            (Clamp, 0, 0),
            (Clamp, 65_535, 65_535),
            (Clamp, ONE, 65_536),
            (Clamp, ONE + 1, 65_536),
            (Clamp, i32::MAX, 65_536),
            (Mirror, 0, 0),
            (Mirror, 65_535, 65_535),
            (Mirror, ONE, 65_536),
            (Mirror, ONE + 1, 65_535),
            (Mirror, 2 * ONE, 0),
            (Mirror, -1, 1),
            (Mirror, -ONE, 65_536),
            (Mirror, i32::MIN, 0),
            (Mirror, i32::MAX, 1),
        ];
        for (mode, coordinate, expected) in table {
            assert_eq!(addressed(coordinate, mode), expected, "{mode} of {coordinate}");
        }
    }

    #[test]
    fn nearest_by_hand() {
        let table = [
            (0, 3, 0),
            (8_191, 3, 0),
            (8_192, 3, 1),
            (65_535, 3, 7),
            (65_536, 3, 7),
            (65_536, 0, 0),
            (65_536, 11, 2047),
            (31, 11, 0),
            (32, 11, 1),
        ];
        for (place, size_log2, expected) in table {
            assert_eq!(nearest(place, size_log2), expected, "place {place}, size 2^{size_log2}");
        }
    }

    #[test]
    fn bilinear_by_hand() {
        let table = [
            // 8 texels, place 0: half a texel before the centre of texel 0.
            (Wrap, 0, 3, [7, 0, 128]),
            (Clamp, 0, 3, [0, 0, 128]),
            (Mirror, 0, 3, [0, 0, 128]),
            // At the centre of texel 0 and a quarter texel behind it.
            (Wrap, 4096, 3, [0, 1, 0]),
            (Wrap, 4096 + 2048, 3, [0, 1, 64]),
            // The far end.
            (Wrap, 65_535, 3, [7, 0, 127]),
            (Clamp, 65_536, 3, [7, 7, 128]),
            (Mirror, 65_536, 3, [7, 7, 128]),
            // One texel: always itself.
            (Wrap, 100, 0, [0, 0, 128]),
            (Wrap, 40_000, 0, [0, 0, 28]),
            (Clamp, 65_536, 0, [0, 0, 128]),
            // 2048 texels: the weight's lowest bits come from nothing.
            (Clamp, 17, 11, [0, 1, 8]),
        ];
        for (mode, place, size_log2, [first, second, weight]) in table {
            let expected = AxisTaps { first, second, weight };
            assert_eq!(bilinear(place, size_log2, mode), expected, "{mode}, place {place}, 2^{size_log2}");
        }
    }

    fn any_mode() -> impl Strategy<Value = AddressMode> {
        prop_oneof![Just(Wrap), Just(Clamp), Just(Mirror)]
    }

    proptest! {
        #[test]
        fn wrap_is_periodic(coordinate in any::<i32>(), turns in any::<i16>()) {
            let moved = coordinate.wrapping_add(i32::from(turns) << 16);
            prop_assert_eq!(addressed(coordinate, Wrap), addressed(moved, Wrap));
        }

        #[test]
        fn mirror_is_even_and_periodic(coordinate in -(1 << 30)..1 << 30, turns in -1000..1000) {
            let place = addressed(coordinate, Mirror);
            prop_assert_eq!(place, addressed(-coordinate, Mirror));
            prop_assert_eq!(place, addressed(coordinate + turns * 2 * ONE, Mirror));
            prop_assert_eq!(place, addressed(2 * ONE - coordinate, Mirror));
        }

        #[test]
        fn clamp_is_constant_outside(below in i32::MIN..=0, above in ONE..=i32::MAX, size_log2 in 0..12u32) {
            for (coordinate, end) in [(below, 0), (above, ONE)] {
                let taps = |coordinate| bilinear(addressed(coordinate, Clamp), size_log2, Clamp);
                prop_assert_eq!(taps(coordinate), taps(end));
                prop_assert_eq!(taps(coordinate).first, taps(coordinate).second);
            }
        }

        #[test]
        fn at_texel_centres_bilinear_is_nearest(texel in 0..2048u32, size_log2 in 0..12u32, mode in any_mode()) {
            let texel = texel % (1 << size_log2);
            let place = (2 * texel + 1) << (15 - size_log2);
            let taps = bilinear(place, size_log2, mode);
            prop_assert_eq!((taps.first, taps.weight), (texel, 0));
            prop_assert_eq!(nearest(place, size_log2), texel);
        }

        #[test]
        fn texels_lie_in_the_axis(coordinate in any::<i32>(), size_log2 in 0..12u32, mode in any_mode()) {
            let place = addressed(coordinate, mode);
            prop_assert!(place <= 65_536);
            let taps = bilinear(place, size_log2, mode);
            for texel in [nearest(place, size_log2), taps.first, taps.second] {
                prop_assert!(texel < 1 << size_log2, "texel {texel}");
            }
            prop_assert!(taps.weight < 256);
        }
    }
}
