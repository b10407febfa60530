//! Random textures and samplers that OpenGL has too, and places to look up.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use tmu_spec::choice::Choice;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{CompareOp, Filter, Kind, MipFilter, Sampler, Swizzle, Texture};
use tmu_spec::{AddressMode, Format};

/// How near to a line at which two texels, levels or faces are equally near a place may be, in texels, levels or parts of a
/// direction: there the two renderers round differently.
const TIE: f64 = 1.0 / 256.0;

/// A texture with its bytes, and how it is read.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) texture: Texture,
    pub(crate) sampler: Sampler,
    pub(crate) memory: Vec<u8>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{:?}, sRGB {}, {:?}", self.texture.shape(), self.texture.is_srgb(), self.sampler)
    }
}

/// Where is looked, at which level, and what depths are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) at: [f32; 3],
    pub(crate) lod: f32,
    pub(crate) depth: f32,
}

impl Case {
    /// A texture of noise of a kind, compared or not.
    pub(crate) fn random(random: &mut ChaCha8Rng, kind: Kind, compares: bool) -> Case {
        let unorms = [Format::Rgba8, Format::R8, Format::Rg8, Format::Rgba16, Format::Rgba32f];
        let depths = [Format::D16, Format::D32f];
        let format = *(if compares { &depths[..] } else { &unorms }).choose(random).expect("formats");
        let most = if kind == Kind::D3 { 20 } else { 70 };
        let (width, height) = (random.random_range(1..=most), random.random_range(1..=most));
        let shape = Shape {
            kind,
            width,
            height: match kind {
                Kind::D1 => 1,
                Kind::Cube => width,
                _ => height,
            },
            depth: if matches!(kind, Kind::D3 | Kind::D2Array) { random.random_range(1..=9) } else { 1 },
            levels: 1,
            format,
        };
        let shape = Shape { levels: random.random_range(1..=shape.most_levels()), ..shape };
        let is_srgb = format == Format::Rgba8 && random.random_bool(0.2);
        let texture = Texture::packed(shape, Swizzle::NONE, is_srgb).expect("a sound texture");
        let filter = |random: &mut ChaCha8Rng| *Filter::CHOICES.choose(random).expect("filters");
        let is_float = format == Format::Rgba32f;
        let (min, mag) = if is_float { Default::default() } else { (filter(random), filter(random)) };
        let mips = if is_float { &MipFilter::CHOICES[..2] } else { &MipFilter::CHOICES[..3] };
        let sampler = Sampler {
            min,
            mag,
            mip: *mips.choose(random).expect("filters"),
            cube_seamless: random.random(),
            address: [(); 3].map(|()| *AddressMode::CHOICES.choose(random).expect("modes")),
            border: random.random(),
            compare: compares.then(|| *CompareOp::CHOICES.choose(random).expect("comparisons")),
            ..Sampler::default()
        };
        let memory = memory(random, &texture);
        Case { texture, sampler, memory }
    }

    /// The texels of slices of a level, row by row, as OpenGL takes them.
    pub(crate) fn picture(&self, level: u32, slices: Range<u32>) -> Vec<u8> {
        let [width, height, _] = self.texture.shape().level_size(level);
        let bytes = self.texture.format().tile_bytes() / 16;
        let places =
            slices.flat_map(|slice| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, slice])));
        let texel = |place| {
            let (tile, texel) = self.texture.tile_of(level, place);
            let start = (tile + texel * bytes) as usize;
            &self.memory[start..start + bytes as usize]
        };
        places.flat_map(|place| texel(place).iter().copied()).collect()
    }

    /// A place anywhere in the texture and around it, and a level.
    pub(crate) fn look(&self, random: &mut ChaCha8Rng) -> Look {
        let shape = self.texture.shape();
        let mut at = [(); 3].map(|()| random.random_range(-1.9..2.9f32));
        if shape.kind == Kind::D2Array {
            at[2] = random.random_range(-1.0..shape.depth as f32);
        }
        let lod = random.random_range(-1.0..shape.levels as f32 + 0.5);
        let depth = self.reference(random);
        Look { at, lod, depth }
    }

    /// A depth to compare with: of 16 bits an odd one, where texels are even, since OpenGL compares with what was not rounded; of
    /// floats now and then that of a texel.
    fn reference(&self, random: &mut ChaCha8Rng) -> f32 {
        match self.texture.format() {
            Format::D32f if random.random_bool(0.3) => {
                let texel = 4 * random.random_range(0..self.memory.len() / 4);
                f32::from_le_bytes(self.memory[texel..texel + 4].try_into().expect("four bytes"))
            }
            Format::D32f => random.random_range(-0.2..1.2),
            _ => f32::from(random.random::<u16>() | 1) / 65535.0,
        }
    }

    /// Whether a look-up is so near to a tie that either of two texels, levels or faces is right.
    pub(crate) fn is_tie(&self, look: &Look) -> bool {
        let lod = f64::from(look.lod);
        // OpenGL lets the switch from one filter to the other lie anywhere up to here.
        let switches = lod.abs() < TIE || (0.0..0.5 + TIE).contains(&lod);
        if switches && (self.sampler.min, self.sampler.mip) != (self.sampler.mag, MipFilter::None) {
            return true;
        }
        let is_near = |place: f64| (place - place.round()).abs() < TIE;
        if self.sampler.mip == MipFilter::Nearest && is_near(lod + 0.5) {
            return true;
        }
        let filter = if lod <= 0.0 { self.sampler.mag } else { self.sampler.min };
        let Some((places, axes)) = self.places(look) else { return true };
        if self.texture.kind() == Kind::D2Array && is_near(f64::from(look.at[2]) + 0.5) {
            return true;
        }
        let most = if self.sampler.mip == MipFilter::None { 0 } else { self.texture.levels() - 1 };
        let first = (lod.max(0.0) as u32).min(most);
        filter == Filter::Nearest
            && [first, (first + 1).min(most)].into_iter().any(|level| {
                let size = self.texture.shape().level_size(level);
                (0..axes).any(|axis| is_near(places[axis] * f64::from(size[axis])))
            })
    }

    /// Where it lies in the texture or on a face, and along how many axes; none where two faces meet.
    fn places(&self, look: &Look) -> Option<([f64; 3], usize)> {
        let at = look.at.map(f64::from);
        match self.texture.kind() {
            Kind::D1 => Some((at, 1)),
            Kind::D2 | Kind::D2Array => Some((at, 2)),
            Kind::D3 => Some((at, 3)),
            Kind::Cube => {
                let major = (0..3).max_by(|a, b| at[*a].abs().total_cmp(&at[*b].abs())).expect("three axes");
                let [a, b] = [[1, 2], [0, 2], [0, 1]][major].map(|axis: usize| at[axis] / at[major].abs());
                let is_inside = a.abs().max(b.abs()) < 1.0 - TIE;
                is_inside.then_some(([(a + 1.0) / 2.0, (b + 1.0) / 2.0, 0.0], 2))
            }
        }
    }
}

/// Bytes of a texture: noise, or floats of moderate size.
fn memory(random: &mut ChaCha8Rng, texture: &Texture) -> Vec<u8> {
    let bytes = texture.bytes() as usize;
    match texture.format() {
        Format::Rgba32f => {
            (0..bytes / 4).flat_map(|_| random.random_range(-4.0..4.0f32).to_le_bytes()).collect()
        }
        Format::D32f => (0..bytes / 4).flat_map(|_| random.random::<f32>().to_le_bytes()).collect(),
        Format::D16 => (0..bytes / 2).flat_map(|_| (random.random::<u16>() & !1).to_le_bytes()).collect(),
        _ => (0..bytes).map(|_| random.random()).collect(),
    }
}
