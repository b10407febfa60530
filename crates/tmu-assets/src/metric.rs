//! How far apart two colours are, for the quantiser.
//!
//! A colour is the point `[r·w, g·w, b·w, a]` with `w = (alpha + 85) / 340`, in units of a colour code: a colour
//! counts fully where it is opaque and a quarter where it is transparent. It must count there, because the hardware
//! filters straight (not premultiplied) colours and so a transparent texel tints the edge next to it.
//! Contract: distinct colours are distinct points. On opaque pictures the distance is that of the RGB codes.

use quantette::deps::palette::cast::Packed;
use quantette::deps::palette::rgb::channels::Rgba;

/// A point of the metric, in the form that `quantette` takes.
pub(crate) type Point = Packed<Rgba, [f32; 4]>;

/// Added to alpha to make the weight of a colour.
const ALPHA_BIAS: u8 = 85;

/// The weight of a colour of this alpha, in units of 1 / 340.
pub(crate) fn colour_weight(alpha: u8) -> u16 {
    u16::from(alpha) + u16::from(ALPHA_BIAS)
}

/// The point of a colour.
pub(crate) fn point([r, g, b, a]: [u8; 4]) -> Point {
    let weight = f32::from(colour_weight(a)) / f32::from(colour_weight(255));
    let color = [f32::from(r) * weight, f32::from(g) * weight, f32::from(b) * weight, f32::from(a)];
    Packed { color, channel_order: std::marker::PhantomData }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_counts_by_its_alpha() {
        for (colour, expected) in [
            ([200, 100, 40, 255], [200.0, 100.0, 40.0, 255.0]),
            ([200, 100, 40, 85], [100.0, 50.0, 20.0, 85.0]),
            ([200, 100, 40, 0], [50.0, 25.0, 10.0, 0.0]),
        ] {
            assert_eq!(point(colour).color, expected, "{colour:?}");
        }
    }
}
