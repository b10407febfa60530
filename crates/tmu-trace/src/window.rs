//! Pictures filtered by indirect look-ups: what a window of texels makes together is the new texel. An average blurs, the largest
//! dilates, the least erodes.
//!
//! The primary texture is a map that says of each place which texel of the picture stands there, here each its own. A window goes
//! along x in one pass and along y in a second one, since values lie in a row: two look-ups a pixel, where a program
//! without aggregates fetches a texel for each place of the window. Beyond an edge the picture goes on with its last texel.
//!
//! Cost: two passes of a quad for each four pixels, by whatever looks quads up.

use crate::texel::put;
use tmu_model::MemoryImage;
use tmu_model::general::indirect::Broken;
use tmu_model::general::unit::Unit;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Setup};
use tmu_spec::general::texture::{MAX_SIZE, Shape};
use tmu_spec::general::{Binding, Kind, QuadResult, ResultNumbers, Sampler, Swizzle, Texture};
use tmu_spec::{AddressMode, Features, Format, LINE_BYTES};

/// Longest side of a picture.
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

impl Texels {
    /// Whether each side is 1 to [`MAX_PICTURE`] and the texels are as many as the sides say.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        let sides = [self.width, self.height];
        sides.iter().all(|side| (1..=MAX_PICTURE).contains(side))
            && self.rgba.len() == sides.iter().map(|side| *side as usize).product::<usize>()
    }
}

/// A pass over a picture along one of its axes: two textures in memory, how they are looked up, and a quad for each four pixels.
#[derive(Debug, Clone)]
pub struct Pass {
    /// The bytes of both textures, from address 0 on.
    pub memory: Vec<u8>,
    /// The map, which is the primary texture.
    pub map: Binding,
    /// The picture, which is the secondary one.
    pub picture: Binding,
    /// How they are looked up.
    pub setup: Setup,
    /// What is looked up, row by row of quads.
    pub quads: Vec<IndirectQuad>,
}

impl Pass {
    /// A pass over a legal picture that puts `side` texels along an axis together, 1 to [`MAX_WINDOW`].
    fn new(picture: &Texels, operation: Aggregate, side: u32, axis: usize) -> Self {
        let Texels { width, height, .. } = *picture;
        let offset = |of: usize| i16::from(of == axis);
        let setup =
            Setup { operation, values: side, offset_u: offset(0), offset_v: offset(1), ..Setup::default() };
        let binding = |format, base| {
            let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
            let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the picture keeps the limits");
            let sampler = Sampler { address: [AddressMode::Clamp; 3], ..Sampler::default() };
            Binding { base, texture, sampler, drop_cache: true }
        };
        let map = binding(Format::Rg16, 0);
        let texels = binding(Format::Rgba8, map.texture.bytes().next_multiple_of(LINE_BYTES));
        let mut memory = vec![0; (texels.base + texels.texture.bytes()) as usize];
        let places = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        for (at, texel) in places.zip(&picture.rgba) {
            put(&mut memory, &map, at, &at, |place| (place as u16).to_le_bytes());
            put(&mut memory, &texels, at, texel, |byte| [byte]);
        }
        let before = ((side - 1) / 2) as i32;
        let [before_x, before_y] = [0, 1].map(|of| before * i32::from(offset(of)));
        let quad = |first: [u32; 2]| {
            let pixels = pixels(first);
            let valid = (0..4).filter(|pixel| pixels[*pixel][0] < width && pixels[*pixel][1] < height);
            IndirectQuad {
                places: pixels.map(|[x, y]| [x as i32 - before_x, y as i32 - before_y]),
                valid: valid.fold(0, |valid, pixel| valid | 1 << pixel),
            }
        };
        let quads = quads(width, height).map(quad).collect();
        Self { memory, map, picture: texels, setup, quads }
    }

    /// Looks the quads up by the golden model of a unit with these features.
    ///
    /// # Errors
    /// What the unit does not build.
    pub fn golden(&self, features: &Features) -> Result<Vec<QuadResult>, Broken> {
        let mut unit = Unit::new(MemoryImage::new(0, self.memory.as_slice()), *features);
        unit.bind_indirect(&self.setup, &self.map, &self.picture)?;
        Ok(self.quads.iter().map(|quad| unit.look_up(quad).as_slice()[0]).collect())
    }
}

/// The first pixels of all quads of a picture.
fn quads(width: u32, height: u32) -> impl Iterator<Item = [u32; 2]> {
    (0..height).step_by(2).flat_map(move |y| (0..width).step_by(2).map(move |x| [x, y]))
}

/// The pixels of a quad.
fn pixels([x, y]: [u32; 2]) -> [[u32; 2]; 4] {
    [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]
}

/// A channel of a result as a byte, rounded to the nearest.
fn byte(channel: u32, numbers: ResultNumbers) -> u8 {
    match numbers {
        ResultNumbers::Unorm8 => channel as u8,
        ResultNumbers::Unorm16 => ((channel * 255 + 32767) / 65535) as u8,
        ResultNumbers::Fp32 => (f64::from(f32::from_bits(channel)) * 255.0).round() as u8,
    }
}

/// A picture whose texels are what windows of `side` x `side` texels make together, looked up by `look_up`, which gives a result a
/// quad, with channels of these numbers. Windows of an even side reach farther to the right and down.
///
/// # Errors
/// Those of `look_up`.
///
/// # Panics
/// If the picture is not legal, `side` is not 1 to [`MAX_WINDOW`], or the operation is [`Aggregate::None`], which gives several results.
pub fn filtered<E>(
    picture: &Texels,
    operation: Aggregate,
    side: u32,
    numbers: ResultNumbers,
    mut look_up: impl FnMut(&Pass) -> Result<Vec<QuadResult>, E>,
) -> Result<Texels, E> {
    assert!(picture.is_legal() && (1..=MAX_WINDOW).contains(&side) && operation != Aggregate::None);
    let Texels { width, height, .. } = *picture;
    let mut texels = picture.clone();
    for axis in [0, 1] {
        let results = look_up(&Pass::new(&texels, operation, side, axis))?;
        for (first, result) in quads(width, height).zip(results) {
            let inside =
                pixels(first).into_iter().enumerate().filter(|(_, [x, y])| *x < width && *y < height);
            for (pixel, [x, y]) in inside {
                let channels = result.channels[pixel].map(|channel| byte(channel, numbers));
                texels.rgba[(y * width + x) as usize] = channels;
            }
        }
    }
    Ok(texels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmu_spec::general::General;

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
            // Of 8 bits a channel, of 16, and in floats: the same bytes.
            for (channel_bits, numbers) in
                [(8, ResultNumbers::Unorm8), (16, ResultNumbers::Unorm16), (16, ResultNumbers::Fp32)]
            {
                let mut general = General::ALL;
                (general.channel_bits, general.result) = (channel_bits, numbers);
                let features = Features::GENERAL.with_general(general, MAX_SIZE.ilog2());
                let drawn = filtered(&picture, operation, side, numbers, |pass| pass.golden(&features));
                prop_assert_eq!(drawn.as_ref(), Ok(&expected), "{} bits, {:?}", channel_bits, numbers);
            }
        }
    }

    #[test]
    fn what_cannot_be_filtered_is_not_legal() {
        let is_legal =
            |width, height, texels| Texels { width, height, rgba: vec![[0; 4]; texels] }.is_legal();
        let cases =
            [((0, 1, 0), false), ((2, 2, 3), false), ((4097, 1, 4097), false), ((4096, 1, 4096), true)];
        for ((width, height, texels), expected) in cases {
            assert_eq!(is_legal(width, height, texels), expected, "{width} x {height}");
        }
    }
}
