//! ETC2 colours: two base colours and a step of brightness a texel, or a plane.
//!
//! No kept crate writes ETC2 in Rust without C++, so this does, plainly: for both directions of the halves and both ways to store
//! their colours it fits, for each table of steps, a base colour to the texels, once refined; and a plane by least squares. The
//! one of least squared error is taken. The modes T and H are never written, so blocks of two colours that differ in hue
//! lose most.

use super::TEXELS;
use tmu_spec::blocks::ETC2_STEPS;

type Color = [i32; 3];

/// One of the steps of a table by index, or none for the index that is transparent.
type Steps = [Option<i32>; 4];

fn steps(table: usize, has_holes: bool) -> Steps {
    let [small, large] = ETC2_STEPS[table];
    if has_holes {
        [Some(0), Some(large), None, Some(-large)]
    } else {
        [Some(small), Some(large), Some(-small), Some(-large)]
    }
}

/// A value of so many bits at 8 bits, its upper bits repeated below.
fn expanded(value: i32, bits: u32) -> i32 {
    let shifted = value << (8 - bits);
    shifted | shifted >> bits
}

/// The nearest value of so many bits.
fn quantised(value: i32, bits: u32) -> i32 {
    let most = (1 << bits) - 1;
    ((value.clamp(0, 255) * most + 127) / 255).clamp(0, most)
}

/// The square of the distance of two colours.
fn distance(a: Color, b: Color) -> i32 {
    (0..3).map(|channel| (a[channel] - b[channel]).pow(2)).sum()
}

fn shifted(color: Color, step: i32) -> Color {
    color.map(|channel| (channel + step).clamp(0, 255))
}

/// Sixteen texels; those that are not there are transparent.
pub(super) struct Texels([Option<Color>; TEXELS]);

impl Texels {
    /// All are there.
    pub(super) fn opaque(texels: &[[u8; 4]; TEXELS]) -> Self {
        Texels(texels.map(|[r, g, b, _]| Some([r, g, b].map(i32::from))))
    }

    /// Those of alpha below a half are not.
    pub(super) fn punched(texels: &[[u8; 4]; TEXELS]) -> Self {
        Texels(texels.map(|[r, g, b, a]| (a >= 128).then(|| [r, g, b].map(i32::from))))
    }

    fn has_holes(&self) -> bool {
        self.0.iter().any(Option::is_none)
    }
}

/// A half of a block with its base colour as it is stored.
#[derive(Clone, Copy)]
struct Half {
    base: Color,
    table: usize,
    error: i32,
}

/// The half in which a texel stands.
fn half_of(texel: usize, is_flipped: bool) -> usize {
    usize::from(if is_flipped { texel / 4 >= 2 } else { texel % 4 >= 2 })
}

/// The index of the step that brings a base nearest to a texel, and the squared error.
fn best_index(base: Color, steps: &Steps, texel: Color) -> (usize, i32) {
    let errors = steps
        .iter()
        .enumerate()
        .filter_map(|(index, step)| step.map(|step| (index, distance(shifted(base, step), texel))));
    errors.min_by_key(|(_, error)| *error).expect("a step")
}

fn error_of(base: Color, steps: &Steps, texels: &[Color]) -> i32 {
    texels.iter().map(|&texel| best_index(base, steps, texel).1).sum()
}

fn mean(texels: impl Iterator<Item = Color>) -> Color {
    let (mut sum, mut count) = ([0; 3], 0);
    for texel in texels {
        (0..3).for_each(|channel| sum[channel] += texel[channel]);
        count += 1;
    }
    sum.map(|channel| if count == 0 { 0 } else { (channel + count / 2) / count })
}

/// The best half of which `store` makes a base colour that can be stored.
fn fit_half(texels: &[Color], bits: u32, has_holes: bool, store: impl Fn(Color) -> Color) -> Half {
    let start = mean(texels.iter().copied());
    let mut best = Half { base: store(start), table: 0, error: i32::MAX };
    for table in 0..ETC2_STEPS.len() {
        let steps = steps(table, has_holes);
        let mut center = start;
        for _ in 0..2 {
            let base = store(center);
            let shown = base.map(|channel| expanded(channel, bits));
            let error = error_of(shown, &steps, texels);
            if error < best.error {
                best = Half { base, table, error };
            }
            // Where each texel would want the base to be.
            center = mean(texels.iter().map(|&texel| {
                let step = steps[best_index(shown, &steps, texel).0].unwrap_or(0);
                texel.map(|channel| channel - step)
            }));
        }
    }
    best
}

/// A block of two halves with a colour each.
fn two_halves(texels: &Texels, is_flipped: bool, is_differential: bool) -> (i32, u64) {
    let bits = if is_differential { 5 } else { 4 };
    let has_holes = texels.has_holes();
    let of_half = |half: usize| -> Vec<Color> {
        let there = texels.0.iter().enumerate().filter(|(texel, _)| half_of(*texel, is_flipped) == half);
        there.filter_map(|(_, texel)| *texel).collect()
    };
    let quantise = |color: Color| color.map(|channel| quantised(channel, bits));
    let first = fit_half(&of_half(0), bits, has_holes, quantise);
    let second = fit_half(&of_half(1), bits, has_holes, |color| {
        let mut stored = quantise(color);
        if is_differential {
            for (channel, base) in stored.iter_mut().zip(first.base) {
                *channel = (*channel).clamp(base - 4, base + 3).clamp(0, 31);
            }
        }
        stored
    });
    let halves = [first, second];
    let color = (0..3).fold(0, |color, channel| {
        let [a, b] = halves.map(|half| half.base[channel] as u64);
        let byte = if is_differential { a << 3 | (b.wrapping_sub(a) & 7) } else { a << 4 | b };
        color << 8 | byte
    });
    // The bit says in one format that there are two colours of four bits, in the other that there are holes.
    let mode = u64::from(is_differential && !has_holes);
    let head = (first.table as u64) << 5 | (second.table as u64) << 2 | mode << 1 | u64::from(is_flipped);
    let indices = (0..TEXELS).fold(0, |indices, texel| {
        let half = halves[half_of(texel, is_flipped)];
        let base = half.base.map(|channel| expanded(channel, bits));
        let index = match texels.0[texel] {
            Some(color) => best_index(base, &steps(half.table, has_holes), color).0 as u64,
            None => 2,
        };
        let place = 4 * (texel % 4) + texel / 4;
        indices | (index >> 1) << (16 + place) | (index & 1) << place
    });
    (first.error.saturating_add(second.error), color << 40 | head << 32 | indices)
}

/// Bits of a channel of a plane's colours.
const PLANE_BITS: [u32; 3] = [6, 7, 6];

/// A block whose colours lie in a plane.
fn plane(texels: &[Color; TEXELS]) -> (i32, u64) {
    let mut corners = [[0; 3]; 3];
    for channel in 0..3 {
        let at = |texel: usize| texels[texel][channel];
        let sum: i32 = (0..TEXELS).map(at).sum();
        // Slopes times 40, the mean times 16.
        let slope = |axis: &dyn Fn(usize) -> usize| -> i32 {
            (0..TEXELS).map(|texel| (2 * axis(texel) as i32 - 3) * at(texel)).sum()
        };
        let (right, down) = (slope(&|texel| texel % 4), slope(&|texel| texel / 4));
        let origin = (5 * sum - 3 * (right + down)) as f32 / 80.0;
        let ends = [origin, origin + right as f32 / 10.0, origin + down as f32 / 10.0];
        for (corner, end) in corners.iter_mut().zip(ends) {
            corner[channel] = quantised(end.round() as i32, PLANE_BITS[channel]);
        }
    }
    let shown = corners.map(|corner| -> Color {
        std::array::from_fn(|channel| expanded(corner[channel], PLANE_BITS[channel]))
    });
    let error = (0..TEXELS).map(|texel| {
        let (x, y) = ((texel % 4) as i32, (texel / 4) as i32);
        let color = std::array::from_fn(|channel| {
            let [origin, right, down] = shown.map(|corner| corner[channel]);
            ((x * (right - origin) + y * (down - origin) + 4 * origin + 2) >> 2).clamp(0, 255)
        });
        distance(color, texels[texel])
    });
    (error.sum(), plane_bits(corners.map(|corner| corner.map(|channel| channel as u64))))
}

/// A plane is known by a second blue that overflows where red and green do not: the bits that are free see to that.
fn plane_bits([origin, right, down]: [[u64; 3]; 3]) -> u64 {
    let [r, g, b] = origin;
    let mut bits = r << 57 | (g >> 6) << 56 | (g & 63) << 49 | (b >> 5) << 48;
    bits |= (b >> 3 & 3) << 43 | (b & 7) << 39 | (right[0] >> 1) << 34 | 1 << 33 | (right[0] & 1) << 32;
    bits |= right[1] << 25 | right[2] << 19 | down[0] << 13 | down[1] << 6 | down[2];
    for low in [56, 48] {
        let (base, difference) = ((bits >> (low + 3) & 15) as i32, (bits >> low & 7) as i32);
        if base + (difference ^ 4) - 4 < 0 {
            bits |= 1 << (low + 7);
        }
    }
    let (base, difference) = (bits >> 43 & 3, bits >> 40 & 3);
    bits | if base + difference < 4 { 1 << 42 } else { 7 << 45 }
}

/// A block of colours, of the format with holes if `is_punched`.
pub(super) fn encode(texels: &Texels, is_punched: bool) -> [u8; 8] {
    let mut candidates = Vec::with_capacity(5);
    for is_flipped in [false, true] {
        candidates.push(two_halves(texels, is_flipped, true));
        if !is_punched {
            candidates.push(two_halves(texels, is_flipped, false));
        }
    }
    if !texels.has_holes() {
        candidates.push(plane(&texels.0.map(|texel| texel.unwrap_or_default())));
    }
    let (_, bits) = candidates.into_iter().min_by_key(|(error, _)| *error).expect("a candidate");
    bits.to_be_bytes()
}
