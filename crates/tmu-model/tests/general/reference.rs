//! The numerics, said once more: fractions of whole numbers of any length, one tap at a time, nothing left out.

use super::cases::{Case, noise};
use num_bigint::BigInt;
use num_integer::Integer;
use tmu_spec::general::{
    CompareOp, Component, Filter, Kind, MipFilter, Numbers, Operation, Pixel, ResultNumbers,
};
use tmu_spec::{AddressMode, Format};

/// A fraction whose denominator is above zero.
#[derive(Clone, PartialEq)]
struct Fraction(BigInt, BigInt);

impl Fraction {
    fn of_single(bits: u32) -> Self {
        let single = f32::from_bits(bits);
        let power = |exponent: u32| BigInt::from(1) << exponent;
        if single.is_nan() || single.is_subnormal() || single == 0.0 {
            return Fraction(0.into(), 1.into());
        }
        if single.is_infinite() {
            return Fraction(if single > 0.0 { power(128) } else { -power(128) }, 1.into());
        }
        // Every single is a multiple of 2^-149.
        let magnitude = BigInt::from((bits & 0x7f_ffff) | 1 << 23) << (((bits >> 23) & 0xff) - 1);
        Fraction(if single < 0.0 { -magnitude } else { magnitude }, power(149))
    }

    fn of(bits: u32, numbers: Numbers) -> Self {
        match numbers {
            Numbers::S16p16 => Fraction((bits as i32).into(), 65536.into()),
            Numbers::Fp32 => Self::of_single(bits),
        }
    }

    fn abs(&self) -> Self {
        Fraction(self.0.magnitude().clone().into(), self.1.clone())
    }

    fn negative(&self) -> Self {
        Fraction(-&self.0, self.1.clone())
    }

    fn plus(&self, other: &Self) -> Self {
        Fraction(&self.0 * &other.1 + &other.0 * &self.1, &self.1 * &other.1)
    }

    fn over(&self, other: &Self) -> Self {
        let (above, below) = (&self.0 * &other.1, &self.1 * &other.0);
        if below < BigInt::from(0) { Fraction(-above, -below) } else { Fraction(above, below) }
    }

    fn is_at_least(&self, other: &Self) -> bool {
        &self.0 * &other.1 >= &other.0 * &self.1
    }

    fn is_zero(&self) -> bool {
        self.0 == BigInt::from(0)
    }

    /// As s16.20, rounded down and limited.
    fn coordinate(&self) -> i128 {
        let steps = (&self.0 * BigInt::from(1 << 20)).div_floor(&self.1);
        let steps = steps.clamp(BigInt::from(-(1i64 << 35)), BigInt::from((1i64 << 35) - 1));
        i128::try_from(steps).unwrap()
    }
}

const ONE: i128 = 1 << 20;

type Color = [i128; 4];

pub(crate) struct Reference<'a> {
    case: &'a Case,
}

/// Level and its weight of 256, filter, number of probes, and the axis that they lie along.
struct Chosen {
    filter: Filter,
    levels: Vec<(u32, i128)>,
    probes: i128,
    axis: [i128; 2],
}

impl<'a> Reference<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        Self { case }
    }

    pub(crate) fn sample(&self) -> [[u32; 4]; 4] {
        let quad = &self.case.quad;
        std::array::from_fn(|number| {
            if quad.valid >> number & 1 == 0 {
                return [0; 4];
            }
            let pixel = &quad.pixels[number];
            let color = match quad.operation {
                Operation::Fetch => self.swizzle(self.fetch(pixel)),
                Operation::Gather(component) => self.gather(pixel, component),
                _ => self.swizzle(self.filtered(pixel)),
            };
            color.map(|channel| self.result(channel))
        })
    }

    fn kind(&self) -> Kind {
        self.case.texture.kind()
    }

    /// Levels are pairs of those along u and along v, 4 bits each, in one picture. Texels by number are those of the picture.
    fn is_ripmap(&self) -> bool {
        self.case.sampler.mip == MipFilter::Ripmap && self.case.quad.operation != Operation::Fetch
    }

    fn is_comparing(&self) -> bool {
        self.case.sampler.compare.is_some() && self.case.quad.operation != Operation::Fetch
    }

    fn has_floats(&self) -> bool {
        self.case.texture.format().is_float() && !self.is_comparing()
    }

    fn full(&self) -> i128 {
        (1 << self.case.general.channel_bits) - 1
    }

    fn one(&self) -> i128 {
        if self.has_floats() { 1.0f32.to_bits().into() } else { self.full() }
    }

    fn result(&self, channel: i128) -> u32 {
        let to = |most: i128| {
            if self.has_floats() {
                let single = f32::from_bits(channel as u32);
                if single.is_nan() {
                    0
                } else {
                    (f64::from(single.clamp(0.0, 1.0)) * most as f64 + 0.5).floor() as u32
                }
            } else {
                // The nearest; there are no ties.
                ((channel * most * 2 + self.full()) / (2 * self.full())) as u32
            }
        };
        match self.case.general.result {
            ResultNumbers::Unorm8 => to(255),
            ResultNumbers::Unorm16 => to(65535),
            ResultNumbers::Fp32 if self.has_floats() => channel as u32,
            ResultNumbers::Fp32 => (channel as f32 / self.full() as f32).to_bits(),
        }
    }

    fn swizzle(&self, color: Color) -> Color {
        self.case.texture.swizzle().0.map(|component| match component {
            Component::R => color[0],
            Component::G => color[1],
            Component::B => color[2],
            Component::A => color[3],
            Component::Zero => 0,
            Component::One => self.one(),
        })
    }

    fn size(&self, level: u32) -> [i128; 3] {
        if self.is_ripmap() {
            let [width, height, _] = self.case.texture.shape().level_size(0).map(i128::from);
            return [(width / 2) >> (level >> 4), (height / 2) >> (level & 15), 1];
        }
        self.case.texture.shape().level_size(level).map(i128::from)
    }

    // Coordinates.

    fn number(&self, bits: u32) -> Fraction {
        Fraction::of(bits, self.case.general.numbers)
    }

    fn divided(&self, bits: u32, pixel: &Pixel) -> i128 {
        let mut q =
            self.number(if self.case.general.projective { pixel.q } else { self.case.general.numbers.one() });
        if q.is_zero() {
            let least = match self.case.general.numbers {
                Numbers::S16p16 => 1 << 16,
                Numbers::Fp32 => 1i128 << 126,
            };
            q = Fraction(1.into(), least.into());
        }
        self.number(bits).over(&q).coordinate()
    }

    fn direction(&self, pixel: &Pixel) -> [Fraction; 3] {
        let mut of = [pixel.u, pixel.v, pixel.w].map(|bits| self.number(bits));
        if of.iter().all(Fraction::is_zero) {
            of[2] = Fraction(1.into(), 1.into());
        }
        of
    }

    fn face(&self, [x, y, z]: &[Fraction; 3]) -> usize {
        let is_positive = |of: &Fraction| of.0 > BigInt::from(0);
        if z.abs().is_at_least(&x.abs()) && z.abs().is_at_least(&y.abs()) {
            if is_positive(z) { 4 } else { 5 }
        } else if y.abs().is_at_least(&x.abs()) {
            if is_positive(y) { 2 } else { 3 }
        } else if is_positive(x) {
            0
        } else {
            1
        }
    }

    /// sc, tc and ma, which is above zero in front of the face.
    fn parts(&self, [x, y, z]: &[Fraction; 3], face: usize) -> [Fraction; 3] {
        let minus = Fraction::negative;
        match face {
            0 => [minus(z), minus(y), x.clone()],
            1 => [z.clone(), minus(y), minus(x)],
            2 => [x.clone(), z.clone(), y.clone()],
            3 => [x.clone(), minus(z), minus(y)],
            4 => [x.clone(), minus(y), z.clone()],
            _ => [minus(x), minus(y), minus(z)],
        }
    }

    fn on_face(&self, direction: &[Fraction; 3], face: usize) -> Option<[i128; 2]> {
        let [s, t, major] = self.parts(direction, face);
        let twice = major.plus(&major);
        (major.0 > BigInt::from(0)).then(|| [s, t].map(|part| part.plus(&major).over(&twice).coordinate()))
    }

    /// Coordinates of a pixel, for the level of detail on the face of another one.
    fn place(&self, pixel: &Pixel, face_of: &Pixel) -> Option<[i128; 3]> {
        Some(match self.kind() {
            Kind::D1 => [self.divided(pixel.u, pixel), 0, 0],
            Kind::D2 => [self.divided(pixel.u, pixel), self.divided(pixel.v, pixel), 0],
            Kind::D3 => [pixel.u, pixel.v, pixel.w].map(|bits| self.divided(bits, pixel)),
            Kind::D2Array => {
                let layer = self.number(pixel.w).coordinate();
                [self.divided(pixel.u, pixel), self.divided(pixel.v, pixel), layer]
            }
            Kind::Cube => {
                let face = self.face(&self.direction(face_of));
                let [u, v] = self.on_face(&self.direction(pixel), face)?;
                [u, v, face as i128]
            }
        })
    }

    // Level of detail.

    fn steps(&self, bits: u32) -> i128 {
        let single = f32::from_bits(bits);
        if single.is_nan() {
            return 0;
        }
        let limited = f64::from(single.clamp(-32.0, 32.0));
        (limited * 256.0 + 0.5).floor().clamp(-8192.0, 8192.0) as i128
    }

    fn chosen(&self) -> Chosen {
        let (quad, sampler) = (&self.case.quad, &self.case.sampler);
        let given = self.steps(quad.lod);
        let limited = |lod: i128| {
            (lod + i128::from(sampler.lod_bias)).max(sampler.min_lod.into()).min(sampler.max_lod.into())
        };
        let alone = |lod| self.levels(lod, 1, [0; 2]);
        if quad.operation == Operation::Lod {
            let lod = limited(given);
            return if self.is_ripmap() { self.chosen_of_ripmap(None) } else { alone(lod) };
        }
        let given = if quad.operation == Operation::Bias { given } else { 0 };
        let is_valid = |pixel: usize| quad.valid >> pixel & 1 != 0;
        let first = (0..4).find(|pixel| is_valid(*pixel)).expect("a valid pixel");
        let edge = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|pixel| self.place(&quad.pixels[pixel], &quad.pixels[first]));
            Some((a?, b?)).map(|(a, b): ([i128; 3], [i128; 3])| [0, 1, 2].map(|axis| a[axis] - b[axis]))
        };
        let row = if is_valid(2) && is_valid(3) { edge(3, 2) } else { edge(1, 0) };
        let column = if is_valid(1) && is_valid(3) { edge(3, 1) } else { edge(2, 0) };
        let (Some(row), Some(column)) = (row, column) else { return alone(sampler.max_lod.into()) };
        if self.is_ripmap() {
            return self.chosen_of_ripmap(Some([row, column]));
        }
        let axes = match self.kind() {
            Kind::D1 => 1,
            Kind::D3 => 3,
            _ => 2,
        };
        let lengths = |edge: [i128; 3]| -> Vec<i128> {
            (0..axes).map(|axis| (edge[axis].abs() * self.size(0)[axis]).min((1 << 33) - 1)).collect()
        };
        let (dx, dy) = (lengths(row), lengths(column));
        let largest = *dx.iter().chain(&dy).max().unwrap();
        if largest == 0 {
            return alone(sampler.min_lod.into());
        }
        let k = (i128::from(largest.ilog2()) - 16).max(0);
        let square = |lengths: &[i128]| lengths.iter().map(|e| (e >> k) * (e >> k)).sum::<i128>();
        let (dx, dy) = (square(&dx), square(&dy));
        let d = dx.max(dy);
        let msb = i128::from(d.ilog2());
        let index = ((d << 8) >> msb) & 255;
        let log2 = (256.0 * (1.0 + index as f64 / 256.0).log2()).floor() as i128;
        let mut lod = ((256 * msb + log2) >> 1) + 256 * (k - 20);
        let mut probes = 1;
        if matches!(self.kind(), Kind::D1 | Kind::D2 | Kind::D2Array) && sampler.max_anisotropy > 1 && lod > 0
        {
            let most = i128::from(sampler.max_anisotropy).min(1 << ((lod + 255) / 256).min(10));
            while probes * probes * dx.min(dy) < d && probes < most {
                probes *= 2;
            }
            lod -= 256 * i128::from(probes.ilog2());
        }
        let major = if dx >= dy { row } else { column };
        self.levels(limited(lod + given), probes, [major[0], major[1]])
    }

    /// What is chosen of a ripmap: a level along each axis, from the longer edge along it.
    fn chosen_of_ripmap(&self, edges: Option<[[i128; 3]; 2]>) -> Chosen {
        let (quad, sampler) = (&self.case.quad, &self.case.sampler);
        let given = self.steps(quad.lod);
        let given = if quad.operation == Operation::Sample { 0 } else { given };
        let limited = |lod: i128| {
            (lod + i128::from(sampler.lod_bias)).max(sampler.min_lod.into()).min(sampler.max_lod.into())
        };
        let lods = [0, 1].map(|axis: usize| {
            let Some(edges) = edges else { return limited(given) };
            let side = self.size(0)[axis];
            let longest =
                edges.iter().map(|edge| (edge[axis].abs() * side).min((1 << 33) - 1)).max().unwrap();
            if longest == 0 {
                return sampler.min_lod.into();
            }
            // Of a square, twice the logarithm of its upper 17 bits.
            let k = (i128::from(longest.ilog2()) - 16).max(0);
            let square = (longest >> k) * (longest >> k);
            let msb = i128::from(square.ilog2());
            let log2 = (256.0 * (1.0 + (((square << 8) >> msb) & 255) as f64 / 256.0).log2()).floor() as i128;
            limited(((256 * msb + log2) >> 1) + 256 * (k - 20) + given)
        });
        let level =
            |axis: usize| ((lods[axis] + 128).div_euclid(256)).clamp(0, self.size(0)[axis].ilog2().into());
        let is_magnified = lods.iter().all(|lod| *lod <= 0);
        let filter = if is_magnified { sampler.mag } else { sampler.min };
        Chosen { filter, levels: vec![((level(0) << 4 | level(1)) as u32, 256)], probes: 1, axis: [0; 2] }
    }

    fn levels(&self, lod: i128, probes: i128, axis: [i128; 2]) -> Chosen {
        let sampler = &self.case.sampler;
        let last = i128::from(self.case.texture.levels()) - 1;
        let is_magnified = lod <= 0;
        let levels = match sampler.mip {
            _ if is_magnified => vec![(0, 256)],
            MipFilter::None | MipFilter::Ripmap => vec![(0, 256)],
            MipFilter::Nearest => vec![(((lod + 128) >> 8).clamp(0, last) as u32, 256)],
            MipFilter::Linear => {
                let l = lod.clamp(0, 256 * last);
                vec![((l >> 8) as u32, 256 - (l & 255)), ((l >> 8) as u32 + 1, l & 255)]
            }
        };
        let filter = if is_magnified { sampler.mag } else { sampler.min };
        Chosen { filter, levels, probes, axis }
    }

    // Texels.

    /// Both texels of an axis and the weight of the second; they may lie outside with the border and the seamless cube.
    fn axis(&self, number: usize, c: i128, w: i128, filter: Filter) -> ([i128; 2], i128) {
        let is_cube = self.kind() == Kind::Cube;
        let mode = if is_cube { AddressMode::Clamp } else { self.case.sampler.address[number] };
        let t = match mode {
            AddressMode::Wrap => c.rem_euclid(ONE),
            AddressMode::Clamp => c.clamp(0, ONE),
            AddressMode::Mirror => {
                let t = c.rem_euclid(2 * ONE);
                if t >= ONE { 2 * ONE - t } else { t }
            }
            AddressMode::Border => c.clamp(-ONE, 2 * ONE),
            AddressMode::MirrorOnce => c.abs().min(ONE),
        };
        let p = t * w;
        if filter == Filter::Nearest {
            let i = p.div_euclid(ONE);
            let i = if mode == AddressMode::Border { i } else { i.min(w - 1) };
            return ([i, i], 0);
        }
        let q = p - ONE / 2;
        let i = q.div_euclid(ONE);
        let inside = |i: i128| match mode {
            AddressMode::Wrap => i.rem_euclid(w),
            AddressMode::Border => i,
            _ if is_cube && self.case.sampler.cube_seamless => i,
            _ => i.clamp(0, w - 1),
        };
        ([inside(i), inside(i + 1)], q.rem_euclid(ONE) / 4096)
    }

    /// A texel's bits as one number, low byte first.
    fn stored(&self, level: u32, [x, y, slice]: [i128; 3]) -> u128 {
        if self.is_ripmap() {
            // Behind all larger levels, of which each has half of what the one before has.
            let before = |size: i128, level: u32| (0..level).map(|larger| (size / 2) >> larger).sum::<i128>();
            let picture = self.case.texture.shape().level_size(0).map(i128::from);
            let place = [x + before(picture[0], level >> 4), y + before(picture[1], level & 15), slice];
            return self.stored_in(0, picture, place);
        }
        self.stored_in(level, self.size(level), [x, y, slice])
    }

    fn stored_in(&self, level: u32, [w, h, _]: [i128; 3], [x, y, slice]: [i128; 3]) -> u128 {
        let format = self.case.texture.format();
        let bytes = i128::from(format.bytes_per_texel());
        let (tiles, tile, texel) = if self.kind() == Kind::D1 {
            ((w + 15) / 16, x / 16, x % 16)
        } else {
            let row = (w + 3) / 4;
            (row * ((h + 3) / 4), (y / 4) * row + x / 4, (y % 4) * 4 + x % 4)
        };
        let offset = i128::from(self.case.texture.level_offsets()[level as usize]);
        let start = offset + ((slice * tiles + tile) * 16 + texel) * bytes;
        (0..bytes).rev().fold(0, |bits, byte| bits << 8 | u128::from(noise((start + byte) as u32)))
    }

    fn nearest_of(&self, value: i128, bits: u32) -> i128 {
        let most = (1i128 << bits) - 1;
        (2 * value * self.full() + most) / (2 * most)
    }

    fn decoded(&self, format: Format, stored: u128) -> Color {
        let part = |lo: u32, bits: u32| ((stored >> lo) & ((1 << bits) - 1)) as i128;
        let unorm = |lo: u32, bits: u32| self.nearest_of(part(lo, bits), bits);
        let full = self.full();
        match format {
            Format::Rgba8 => [0, 8, 16, 24].map(|lo| unorm(lo, 8)),
            Format::Rgba16 => [0, 16, 32, 48].map(|lo| unorm(lo, 16)),
            Format::R8 => [unorm(0, 8), 0, 0, full],
            Format::D16 => [unorm(0, 16), 0, 0, full],
            Format::D24 => [unorm(0, 24), 0, 0, full],
            Format::Rgba32f => [0, 32, 64, 96].map(|lo| part(lo, 32)),
            other => panic!("no cases of {other}"),
        }
    }

    fn compared(&self, depth: i128, bits: u32, reference: u32) -> Color {
        let d = f32::from_bits(reference);
        let most = (1i128 << bits) - 1;
        let order = (!d.is_nan()).then(|| {
            let Fraction(above, below) = Fraction::of_single(d.clamp(0.0, 1.0).to_bits());
            let twice: BigInt = &above * BigInt::from(2 * most) + &below;
            // Denormals are far below a half.
            twice.div_floor(&(below * 2)).cmp(&BigInt::from(depth))
        });
        let op = self.case.sampler.compare.unwrap();
        let holds = match (op, order) {
            (CompareOp::Never, _) => false,
            (CompareOp::Always, _) => true,
            (CompareOp::Notequal, order) => order.is_none_or(|order| order.is_ne()),
            (_, None) => false,
            (CompareOp::Less, Some(order)) => order.is_lt(),
            (CompareOp::Equal, Some(order)) => order.is_eq(),
            (CompareOp::Lequal, Some(order)) => order.is_le(),
            (CompareOp::Greater, Some(order)) => order.is_gt(),
            (CompareOp::Gequal, Some(order)) => order.is_ge(),
        };
        [if holds { self.full() } else { 0 }, 0, 0, self.full()]
    }

    fn texel(&self, level: u32, at: [i128; 3], pixel: &Pixel) -> Color {
        let format = self.case.texture.format();
        let stored = self.stored(level, at);
        let bits = if format == Format::D16 { 16 } else { 24 };
        if self.is_comparing() {
            self.compared((stored & ((1 << bits) - 1)) as i128, bits, pixel.d)
        } else {
            self.decoded(format, stored)
        }
    }

    fn border(&self, pixel: &Pixel) -> Color {
        let rgba = self.case.sampler.border.map(i128::from);
        let format = self.case.texture.format();
        if self.is_comparing() {
            let bits = if format == Format::D16 { 16 } else { 24 };
            let most = (1 << bits) - 1;
            return self.compared(rgba[0] * most / 255, bits, pixel.d);
        }
        let color = rgba.map(|v| {
            if self.has_floats() { (v as f32 / 255.0).to_bits().into() } else { v * self.full() / 255 }
        });
        match format {
            Format::Rgba8 | Format::Rgba16 | Format::Rgba32f => color,
            _ => [color[0], 0, 0, self.full()],
        }
    }

    /// The middles, in space, of the four sides of a texel of a face; the cube has sides of `2 w`.
    fn sides(face: usize, x: i128, y: i128, w: i128) -> [[i128; 3]; 4] {
        let at = |s: i128, t: i128| match face {
            0 => [w, -t, -s],
            1 => [-w, -t, s],
            2 => [s, w, t],
            3 => [s, -w, -t],
            4 => [s, -t, w],
            _ => [-s, -t, -w],
        };
        let (s, t) = (2 * x + 1 - w, 2 * y + 1 - w);
        [at(s - 1, t), at(s + 1, t), at(s, t - 1), at(s, t + 1)]
    }

    /// A tap that may lie outside on one axis.
    fn tap(&self, level: u32, [x, y, slice]: [i128; 3], pixel: &Pixel) -> Color {
        let [w, h, slices] = self.size(level);
        let is_inside = |i: i128, size: i128| (0..size).contains(&i);
        if is_inside(x, w) && is_inside(y, h) && is_inside(slice, slices) {
            return self.texel(level, [x, y, slice], pixel);
        }
        if self.kind() != Kind::Cube {
            return self.border(pixel);
        }
        // The side that the texel inside shares with one of another face.
        let (inner_x, inner_y) = (x.clamp(0, w - 1), y.clamp(0, w - 1));
        let number = if x < 0 {
            0
        } else if x >= w {
            1
        } else if y < 0 {
            2
        } else {
            3
        };
        let side = Self::sides(slice as usize, inner_x, inner_y, w)[number];
        for face in (0..6).filter(|face| *face as i128 != slice) {
            for x in 0..w {
                for y in 0..w {
                    if Self::sides(face, x, y, w).contains(&side) {
                        return self.texel(level, [x, y, face as i128], pixel);
                    }
                }
            }
        }
        panic!("no texel across the edge");
    }

    fn footprint(&self, level: u32, xs: [i128; 2], ys: [i128; 2], slice: i128, pixel: &Pixel) -> [Color; 4] {
        let places = [[xs[0], ys[0]], [xs[1], ys[0]], [xs[0], ys[1]], [xs[1], ys[1]]];
        let w = self.size(level)[0];
        let is_out = |i: i128| i < 0 || i >= w;
        let is_corner = |[x, y]: [i128; 2]| self.kind() == Kind::Cube && is_out(x) && is_out(y);
        let mut taps = places.map(|[x, y]| {
            if !is_corner([x, y]) {
                self.tap(level, [x, y, slice], pixel)
            } else if self.has_floats() {
                self.texel(level, [x.clamp(0, w - 1), y.clamp(0, w - 1), slice], pixel)
            } else {
                [0; 4]
            }
        });
        if let Some(corner) = places.iter().position(|place| is_corner(*place)).filter(|_| !self.has_floats())
        {
            let sum: Color = [0, 1, 2, 3].map(|channel: usize| taps.iter().map(|tap| tap[channel]).sum());
            taps[corner] = sum.map(|sum| (sum + 1) / 3);
        }
        taps
    }

    // Operations.

    fn slice(&self, place: [i128; 3]) -> i128 {
        match self.kind() {
            Kind::Cube => place[2],
            Kind::D2Array => ((place[2] + ONE / 2) >> 20).clamp(0, self.size(0)[2] - 1),
            _ => 0,
        }
    }

    fn filtered(&self, pixel: &Pixel) -> Color {
        let chosen = self.chosen();
        let place = self.place(pixel, pixel).expect("a direction lies in front of its face");
        let n = chosen.probes;
        let mut sum = [0; 4];
        for i in 0..n {
            let moved =
                |axis: usize| place[axis] + ((chosen.axis[axis] * (2 * i + 1 - n)) >> (n.ilog2() + 1));
            let (u, v) = if n == 1 { (place[0], place[1]) } else { (moved(0), moved(1)) };
            for &(level, of_level) in chosen.levels.iter().filter(|(_, weight)| *weight > 0) {
                let size = self.size(level);
                let (xs, ax) = self.axis(0, u, size[0], chosen.filter);
                let (ys, ay) = if self.kind() == Kind::D1 {
                    ([0, 0], 0)
                } else {
                    self.axis(1, v, size[1], chosen.filter)
                };
                let slices = if self.kind() == Kind::D3 {
                    let (zs, az) = self.axis(2, place[2], size[2], chosen.filter);
                    vec![(zs[0], 256 - az), (zs[1], az)]
                } else {
                    vec![(self.slice(place), 256)]
                };
                for (slice, of_slice) in slices.into_iter().filter(|(_, weight)| *weight > 0) {
                    let taps = self.footprint(level, xs, ys, slice, pixel);
                    if self.has_floats() {
                        return taps[0];
                    }
                    let lerp = |x: i128, y: i128, a: i128| (256 * x - a * x + a * y + 128) >> 8;
                    for channel in 0..4 {
                        let [s0, s1, s2, s3] = taps.map(|tap| tap[channel]);
                        sum[channel] +=
                            of_level * of_slice * lerp(lerp(s0, s1, ax), lerp(s2, s3, ax), ay) / n;
                        assert_eq!(of_level * of_slice % n, 0, "weights are whole");
                    }
                }
            }
        }
        sum.map(|sum| (sum + 32768) >> 16)
    }

    fn fetch(&self, pixel: &Pixel) -> Color {
        let level = self.steps(self.case.quad.lod) >> 8;
        let [u, v, w] = [pixel.u, pixel.v, pixel.w].map(|bits| i128::from(bits as i32));
        let at = match self.kind() {
            Kind::D1 => [u, 0, 0],
            Kind::D2 => [u, v, 0],
            _ => [u, v, w],
        };
        if !(0..i128::from(self.case.texture.levels())).contains(&level) {
            return [0; 4];
        }
        let size = self.size(level as u32);
        if (0..3).any(|axis| at[axis] < 0 || at[axis] >= size[axis]) {
            return [0; 4];
        }
        self.texel(level as u32, at, pixel)
    }

    fn gather(&self, pixel: &Pixel, component: u8) -> Color {
        let place = self.place(pixel, pixel).expect("a direction lies in front of its face");
        let size = self.size(0);
        let (xs, _) = self.axis(0, place[0], size[0], Filter::Linear);
        let (ys, _) = self.axis(1, place[1], size[1], Filter::Linear);
        let taps = self.footprint(0, xs, ys, self.slice(place), pixel);
        [2, 3, 1, 0].map(|tap: usize| self.swizzle(taps[tap])[usize::from(component)])
    }
}
