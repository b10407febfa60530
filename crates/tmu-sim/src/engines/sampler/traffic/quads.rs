//! Random quads: walks across the texture as a rasteriser makes them, and every kind of awkward place.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tmu_spec::{Binding, Quad};

/// 1.0 in s16.16: the full extent of a texture.
const ONE: i32 = 1 << 16;

/// Where a quad is and how it lies: all in s16.16, as u and v.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    origin: [i32; 2],
    /// From a pixel to the one on its right.
    dx: [i32; 2],
    /// From a pixel to the one below.
    dy: [i32; 2],
}

/// A source of quads for one binding after another.
#[derive(Debug, Default)]
pub(super) struct QuadSource {
    sizes_log2: [u32; 2],
    place: Place,
    /// Quads before the walk goes somewhere else.
    left: u32,
}

impl QuadSource {
    /// Quads from now on are for this binding.
    pub(super) fn bind(&mut self, binding: &Binding) {
        let texture = binding.texture();
        self.sizes_log2 = [texture.width_log2(), texture.height_log2()];
        self.left = 0;
    }

    /// The next quad.
    pub(super) fn quad(&mut self, random: &mut ChaCha8Rng) -> Quad {
        match random.random_range(0..32) {
            0 => return wild(random),
            1 => return self.one_long_edge(random),
            _ => {}
        }
        if self.left == 0 {
            self.left = random.random_range(1..24);
            self.place = self.somewhere(random);
        }
        self.left -= 1;
        let Place { origin, dx, dy } = self.place;
        let at = |x: i32, y: i32| {
            [0, 1].map(|axis| {
                let [dx, dy] = [dx[axis].wrapping_mul(x), dy[axis].wrapping_mul(y)];
                origin[axis].wrapping_add(dx).wrapping_add(dy)
            })
        };
        let quad = Quad::new([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], valid(random));
        self.place.origin = at(2, 0);
        quad
    }

    /// One pixel apart from the others along one axis, by a distance that has one high bit and some low ones. The high bit is
    /// about that from which on a footprint saturates, so that some of these have just the bit that decides.
    fn one_long_edge(&self, random: &mut ChaCha8Rng) -> Quad {
        let [pixel, axis] = [random.random_range(0..4), random.random_range(0..2)];
        let mut uv = [[0, 1].map(|axis| self.coordinate(random, axis, 0)); 4];
        // A footprint of 2^12 texels is too wide to be held.
        let limit = ONE.ilog2() + 12 - self.sizes_log2[axis];
        let high_bit = random.random_range(limit - 2..=limit + 3).min(31);
        let low_bits = random.random_range(0..high_bit - 3);
        let distance = 1 << high_bit | random.random_range(0..1u32 << low_bits);
        let away = |from: i32| [from.wrapping_add_unsigned(distance), from.wrapping_sub_unsigned(distance)];
        uv[pixel][axis] = away(uv[pixel][axis])[random.random_range(0..2)];
        Quad::new(uv, valid(random))
    }

    fn somewhere(&self, random: &mut ChaCha8Rng) -> Place {
        let kind = random.random_range(0..10);
        let origin = [0, 1].map(|axis| self.coordinate(random, axis, kind));
        let [dx, dy] = self.steps(random);
        Place { origin, dx, dy }
    }

    /// A coordinate of one axis.
    fn coordinate(&self, random: &mut ChaCha8Rng, axis: usize, kind: u32) -> i32 {
        let size_log2 = self.sizes_log2[axis];
        let texel = random.random_range(0..1i32 << size_log2);
        let edge = (i64::from(texel) << 16 >> size_log2) as i32;
        match kind {
            0..3 => random.random_range(0..ONE),
            3 => edge + (ONE >> size_log2 >> 1),
            4 => edge + random.random_range(-1..=1),
            // The texture's own edges and their repetitions.
            5 => random.random_range(-3..=3) * ONE + random.random_range(-2..=2),
            6 => random.random_range(-4 * ONE..0),
            7 => random.random_range(-ONE / 4..ONE + ONE / 4),
            8 => random.random_range(0..4) * ONE / 2 + random.random_range(-ONE / 8..ONE / 8),
            _ => random.random(),
        }
    }

    /// Steps from pixel to pixel along x and y.
    fn steps(&self, random: &mut ChaCha8Rng) -> [[i32; 2]; 2] {
        // Steps of 2^-3 to 2^(size) texels; most between a half and two.
        let largest = self.sizes_log2[0].max(self.sizes_log2[1]) as i32;
        let scale_log2 = if random.random_ratio(1, 2) {
            random.random_range(-1..=1)
        } else {
            random.random_range(-3..=largest)
        };
        let mut along = |axis: usize| {
            let texel = i64::from(ONE) << 8 >> self.sizes_log2[axis];
            let step = (texel << (scale_log2 + 3) >> 11) as i32;
            // Up to a half more or less, so that footprints lie on both sides of a level's limit.
            step + random.random_range(-(step / 2)..=step / 2)
        };
        let (along_u, along_v) = (along(0), along(1));
        match random.random_range(0..10) {
            0..4 => [[along_u, 0], [0, along_v]],
            4 => [[0, along_v], [along_u, 0]],
            5 => [[along_u / 2, along_v / 2], [-along_u / 2, along_v / 2]],
            6 => [[-along_u, 3], [-2, -along_v]],
            7 => [[0; 2]; 2],
            8 => [(); 2].map(|()| [(); 2].map(|()| random.random_range(-8..=8))),
            _ => {
                // Of one size, or each of its own: levels of detail from any bit of any edge.
                let shared = random.random_range(0..32);
                let is_shared = random.random_ratio(1, 2);
                let mut shift = || if is_shared { shared } else { random.random_range(0..32) };
                let shifts = [[shift(), shift()], [shift(), shift()]];
                shifts.map(|pair| pair.map(|shift| random.random::<i32>() >> shift))
            }
        }
    }
}

/// Valid bits: all more often than any others.
fn valid(random: &mut ChaCha8Rng) -> u8 {
    if random.random_ratio(1, 2) { 15 } else { random.random_range(0..16) }
}

/// Four places that have nothing to do with each other.
fn wild(random: &mut ChaCha8Rng) -> Quad {
    let coordinate = |random: &mut ChaCha8Rng| match random.random_range(0..4) {
        0 => random.random(),
        1 => [i32::MIN, i32::MAX, -1, 0, ONE, ONE - 1, ONE + 1, -ONE][random.random_range(0..8)],
        _ => random.random_range(-2 * ONE..2 * ONE),
    };
    let uv = [(); 4].map(|()| [(); 2].map(|()| coordinate(random)));
    Quad::new(uv, valid(random))
}
