//! Pictures filtered by indirect look-ups: what a window of texels makes together is the new texel. An average blurs, the largest
//! dilates, the least erodes.
//!
//! The primary texture is a map that says of each place which texel of the picture stands there, here each its own. A window goes
//! along x in one pass and along y in a second one, since values lie in a row: two look-ups a pixel, where a program
//! without aggregates fetches a texel for each place of the window. Beyond an edge the picture goes on with its last texel.
//!
//! Cost: two passes by the golden model.

use crate::texel::put;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Setup};
use tmu_spec::general::texture::{MAX_SIZE, Shape};
use tmu_spec::general::{Binding, General, Kind, ResultNumbers, Sampler, Swizzle, Texture};
use tmu_spec::{AddressMode, Features, Format, LINE_BYTES};

/// Longest side of a picture and of a window.
pub const MAX_PICTURE: u32 = MAX_SIZE;
/// Most texels along a side of a window.
pub const MAX_WINDOW: u32 = MAX_VALUES;

/// A picture of R, G, B, A, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texels {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The texels.
    pub rgba: Vec<[u8; 4]>,
}

/// A picture whose texels are what windows of `side` x `side` texels make together; none if a side is 0 or over its limit, or
/// the texels are not as many as the sides say. Windows of an even side reach farther to the right and down.
#[must_use]
pub fn filtered(picture: &Texels, operation: Aggregate, side: u32) -> Option<Texels> {
    let sides = [picture.width, picture.height];
    let fits = sides.iter().all(|side| (1..=MAX_PICTURE).contains(side));
    let is_whole = picture.rgba.len() == sides.iter().map(|side| *side as usize).product::<usize>();
    if !fits || !is_whole || !(1..=MAX_WINDOW).contains(&side) {
        return None;
    }
    let along = |axis: usize| {
        let offset = |of: usize| i16::from(of == axis);
        Setup { operation, values: side, offset_u: offset(0), offset_v: offset(1), ..Setup::default() }
    };
    Some(pass(&pass(picture, &along(0)), &along(1)))
}

/// One pass. `setup` keeps the rules.
fn pass(picture: &Texels, setup: &Setup) -> Texels {
    let Texels { width, height, .. } = *picture;
    let binding = |format, base| {
        let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
        let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the picture keeps the limits");
        let sampler = Sampler { address: [AddressMode::Clamp; 3], ..Sampler::default() };
        Binding { base, texture, sampler, drop_cache: false }
    };
    let map = binding(Format::Rg16, 0);
    let texels = binding(Format::Rgba8, map.texture.bytes().next_multiple_of(LINE_BYTES));
    let mut memory = vec![0; (texels.base + texels.texture.bytes()) as usize];
    let places = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
    for (at, texel) in places.zip(&picture.rgba) {
        put(&mut memory, &map, at, &at, |place| (place as u16).to_le_bytes());
        put(&mut memory, &texels, at, texel, |byte| [byte]);
    }
    let mut general = General::ALL;
    (general.channel_bits, general.result) = (8, ResultNumbers::Unorm8);
    let features = Features::GENERAL.with_general(general, MAX_SIZE.ilog2());
    let mut unit = Unit::new(MemoryImage::new(0, memory), features);
    unit.bind_indirect(setup, &map, &texels).expect("the set-up keeps the rules");
    let before = ((setup.values - 1) / 2) as i32;
    let [before_x, before_y] = [setup.offset_u, setup.offset_v].map(|offset| before * i32::from(offset));
    let mut result = Texels { width, height, rgba: vec![[0; 4]; picture.rgba.len()] };
    for (y, x) in (0..height).step_by(2).flat_map(|y| (0..width).step_by(2).map(move |x| (y, x))) {
        let pixels = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
        let is_inside = |[x, y]: [u32; 2]| x < width && y < height;
        let quad = IndirectQuad {
            places: pixels.map(|[x, y]| [x as i32 - before_x, y as i32 - before_y]),
            valid: (0..4)
                .filter(|pixel| is_inside(pixels[*pixel]))
                .fold(0, |valid, pixel| valid | 1 << pixel),
        };
        let results = unit.look_up(&quad);
        for (number, [x, y]) in pixels.into_iter().enumerate().filter(|(_, at)| is_inside(*at)) {
            let channels = results.as_slice()[0].channels[number];
            result.rgba[(y * width + x) as usize] = channels.map(|channel| channel as u8);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A window along one axis as plainly as it can be said.
    fn plain_pass(picture: &Texels, operation: Aggregate, side: u32, axis: usize) -> Texels {
        let sides = [picture.width, picture.height].map(i64::from);
        let texel = |at: [i64; 2]| {
            let [x, y] = [0, 1].map(|axis: usize| at[axis].max(0).min(sides[axis] - 1));
            picture.rgba[(y * sides[0] + x) as usize]
        };
        let of = |x: i64, y: i64, channel: usize| {
            let values = (0..i64::from(side)).map(|number| {
                let mut at = [x, y];
                at[axis] += number - i64::from((side - 1) / 2);
                u32::from(texel(at)[channel])
            });
            let put = match operation {
                Aggregate::Average => (values.sum::<u32>() as f64 / f64::from(side) + 0.5).floor() as u32,
                Aggregate::Max => values.max().unwrap(),
                _ => values.min().unwrap(),
            };
            put as u8
        };
        let places = (0..sides[1]).flat_map(|y| (0..sides[0]).map(move |x| (x, y)));
        let rgba = places.map(|(x, y)| std::array::from_fn(|channel| of(x, y, channel))).collect();
        Texels { rgba, ..*picture }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn windows_are_those_of_plain_loops(
            (width, height, rgba) in (1..20u32, 1..20u32).prop_flat_map(|(width, height)| {
                let texels = prop::collection::vec(any::<[u8; 4]>(), (width * height) as usize);
                (Just(width), Just(height), texels)
            }),
            operation in prop::sample::select(vec![Aggregate::Average, Aggregate::Min, Aggregate::Max]),
            side in 1..=MAX_WINDOW,
        ) {
            let picture = Texels { width, height, rgba };
            let expected = plain_pass(&plain_pass(&picture, operation, side, 0), operation, side, 1);
            prop_assert_eq!(filtered(&picture, operation, side), Some(expected));
        }
    }

    #[test]
    fn what_cannot_be_filtered_is_none() {
        let of = |width, height, texels| Texels { width, height, rgba: vec![[0; 4]; texels] };
        let cases =
            [(of(0, 1, 0), 3), (of(2, 2, 3), 3), (of(4097, 1, 4097), 3), (of(2, 2, 4), 0), (of(2, 2, 4), 5)];
        for (picture, side) in cases {
            assert_eq!(filtered(&picture, Aggregate::Max, side), None, "{} {side}", picture.width);
        }
    }
}
