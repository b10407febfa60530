//! Random bindings and quads: any texture that a unit was built for, footprints of all sizes, edges of textures and of cubes.

use rand::Rng;
use tmu_spec::choice::Choice;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::indirect::{Aggregate, IndirectQuad, MAX_VALUES, Part, Setup, has_part};
use tmu_spec::general::packet::{Extras, of_indirect, of_quad};
use tmu_spec::general::rule::may_be_ripmap;
use tmu_spec::general::texture::{Component, FACES, MAX_LAYERS, MAX_SIZE, Shape};
use tmu_spec::general::{
    Binding, CompareOp, Filter, General, Kind, MipFilter, Numbers, Operation, Pixel, Quad, Sampler, Swizzle,
    Texture,
};
use tmu_spec::quad::PIXELS;
use tmu_spec::{BeatsPerQuad, Config, Format, LINE_BYTES, RequestBeat, TEXTURE_ADDRESS_BITS};

/// What is drawn from: the choices that a configuration has.
#[derive(Debug, Clone)]
pub struct Traffic {
    config: Config,
    general: General,
}

fn one_of<T: Copy>(rng: &mut impl Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

/// The sampler without weights: nearest texels of one level.
fn unweighted(sampler: Sampler) -> Sampler {
    let mip = if sampler.mip == MipFilter::Linear { MipFilter::Nearest } else { sampler.mip };
    Sampler { min: Filter::Nearest, mag: Filter::Nearest, mip, max_anisotropy: 1, ..sampler }
}

/// The sampler for a ripmap.
fn of_ripmap(sampler: Sampler) -> Sampler {
    Sampler { mip: MipFilter::Ripmap, max_anisotropy: 1, ..sampler }
}

/// Largest side of a texture of texels of so many bytes that fits into the window.
const fn most_texels(kind: Kind, bytes: u32) -> u32 {
    let part = if bytes > 4 { 2 } else { 1 };
    match kind {
        Kind::Cube => MAX_SIZE / part,
        Kind::D2Array => 256 / part,
        _ => MAX_SIZE,
    }
}

/// Width, height and slices of a texture.
fn sides(rng: &mut impl Rng, kind: Kind) -> [u32; 3] {
    let (width, height) = (side(rng), side(rng));
    match kind {
        Kind::D1 => [width, 1, 1],
        Kind::D2 => [width, height, 1],
        Kind::D3 => [width, height.min(64), side(rng).min(64)],
        Kind::Cube => [width, width, 1],
        Kind::D2Array => [width, height, rng.random_range(1..=MAX_LAYERS)],
    }
}

fn side(rng: &mut impl Rng) -> u32 {
    match rng.random_range(0..4) {
        0 => 1 << rng.random_range(0..=12),
        1 => rng.random_range(1..=24),
        2 => rng.random_range(1..=MAX_SIZE),
        _ => one_of(rng, &[1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 20, 36, 255, 4095]),
    }
}

impl Traffic {
    /// Traffic for a configuration of the general numerics; none for a classic one.
    #[must_use]
    pub fn new(config: &Config) -> Option<Self> {
        Some(Self { config: config.clone(), general: *config.features().general()? })
    }

    /// What the unit was built to do.
    #[must_use]
    pub const fn features(&self) -> &tmu_spec::Features {
        self.config.features()
    }

    /// The parts of a request behind u and v.
    #[must_use]
    pub fn extras(&self) -> Extras {
        Extras::of(&self.general)
    }

    /// The packet of a quad.
    #[must_use]
    pub fn beats(&self, quad: &Quad) -> Vec<RequestBeat> {
        of_quad(quad, self.extras(), self.config.request().beats_per_quad())
    }

    /// What it has of the general numerics.
    #[must_use]
    pub const fn general(&self) -> &General {
        &self.general
    }

    /// Whether quads may look up indirectly.
    #[must_use]
    pub const fn has_indirect(&self) -> bool {
        self.general.indirect
    }

    /// Whether there is a parameter store.
    #[must_use]
    pub const fn has_store(&self) -> bool {
        self.general.has_store()
    }

    /// An entry of the parameter store, of few so that each comes often, and its enables, or none.
    pub fn entry(&self, rng: &mut impl Rng) -> (u32, Option<u8>) {
        let enables = (rng.random_range(0..3) > 0).then(|| rng.random_range(0..16));
        (one_of(rng, &self.entries()), enables)
    }

    /// The entries that are written and used.
    #[must_use]
    pub const fn entries(&self) -> [u32; 4] {
        [0, 1, 2, self.general.store_entries - 1]
    }

    /// The packet of a quad of an indirect look-up.
    #[must_use]
    pub fn indirect_beats(&self, quad: &IndirectQuad, setup: &Setup) -> Vec<RequestBeat> {
        of_indirect(quad, setup, self.extras(), self.config.request().beats_per_quad())
    }

    /// A quad of an indirect look-up and its set-up, mostly one that a primary texture allows.
    pub fn indirect(&self, rng: &mut impl Rng, primary: &Binding) -> (IndirectQuad, Setup) {
        let format = primary.texture.format();
        let all: Vec<Part> = Part::CHOICES.to_vec();
        let stored: Vec<Part> = all.iter().copied().filter(|part| has_part(format, *part)).collect();
        let parts = if stored.is_empty() || rng.random_range(0..20) == 0 { &all } else { &stored };
        let mut offset = || match rng.random_range(0..8) {
            0 => rng.random(),
            _ => rng.random_range(-3..4),
        };
        let (offset_u, offset_v) = (offset(), offset());
        let setup = Setup {
            operation: one_of(rng, Aggregate::CHOICES),
            values: rng.random_range(1..=MAX_VALUES),
            offset_u,
            offset_v,
            u_field: one_of(rng, parts),
            v_field: one_of(rng, parts),
        };
        let [width, height, _] = primary.texture.shape().level_size(0);
        // Most quads lie close to each other.
        let start = [width, height].map(|side| rng.random_range(-2..side as i32 + 2));
        let is_far = rng.random_range(0..24) == 0;
        let places = std::array::from_fn(|_| {
            start.map(|start| if is_far { rng.random() } else { start + rng.random_range(-2..3) })
        });
        let valid = if rng.random_range(0..2) == 0 { 0xf } else { rng.random_range(0..16) };
        (IndirectQuad { places, valid }, setup)
    }

    /// Most beats of a quad.
    #[must_use]
    pub fn most_beats(&self) -> usize {
        match self.config.request().beats_per_quad() {
            BeatsPerQuad::One => 1,
            BeatsPerQuad::Two => self.extras().words(),
        }
    }

    /// Any legal binding.
    pub fn binding(&self, rng: &mut impl Rng) -> Binding {
        let features = self.config.features();
        let kinds: Vec<Kind> = self.general.kinds().collect();
        let formats: Vec<_> = features.formats().collect();
        let modes: Vec<_> = features.address_modes().collect();
        let kind = one_of(rng, &kinds);
        let [width, height, depth] = sides(rng, kind);
        let fits = |format: &&Format| !(format.is_block() && matches!(kind, Kind::D1 | Kind::D3));
        let formats: Vec<_> = formats.iter().filter(fits).copied().collect();
        let format = one_of(rng, &formats);
        let most = most_texels(kind, format.bytes_per_texel());
        let (width, height) = (width.min(most), height.min(most));
        let mut shape = Shape { kind, width, height, depth, levels: 1, format };
        if self.general.ripmaps && kind == Kind::D2 && rng.random_range(0..4) == 0 {
            // The picture of a ripmap.
            [shape.width, shape.height] = [width, height].map(|side| side.next_power_of_two().clamp(2, most));
        } else {
            shape.levels = rng.random_range(1..=shape.most_levels());
        }
        // Levels stand behind the colour table.
        let mut end_line = format.color_table_bytes() / LINE_BYTES;
        let mut offsets = vec![];
        for level in 0..shape.levels {
            offsets.push(end_line * LINE_BYTES);
            let gap = if rng.random_range(0..3) == 0 { rng.random_range(0..300) } else { 0 };
            end_line += (shape.level_bytes(level) / u64::from(LINE_BYTES)) as u32 + gap;
        }
        let swizzle = if self.general.swizzle && rng.random_range(0..3) > 0 {
            Swizzle([(); 4].map(|()| one_of(rng, Component::CHOICES)))
        } else {
            Swizzle::NONE
        };
        let can_be_srgb = self.general.srgb && self.general.channel_bits == 16 && shape.format.can_be_srgb();
        let is_srgb = can_be_srgb && rng.random_range(0..2) == 0;
        let texture = Texture::new(shape, &offsets, swizzle, is_srgb).expect("the texture is legal");
        let room = (1 << TEXTURE_ADDRESS_BITS) / LINE_BYTES - end_line;
        let base = LINE_BYTES * if rng.random_range(0..8) == 0 { room } else { rng.random_range(0..=room) };
        let sampler = self.sampler(rng, &modes, shape.format);
        let reads_ripmap = self.general.ripmaps && may_be_ripmap(&shape) && rng.random_range(0..4) > 0;
        let sampler = if reads_ripmap { of_ripmap(sampler) } else { sampler };
        Binding { base, texture, sampler, drop_cache: rng.random_range(0..8) == 0 }
    }

    fn sampler(&self, rng: &mut impl Rng, modes: &[tmu_spec::AddressMode], format: Format) -> Sampler {
        let features = self.config.features();
        let mips: Vec<MipFilter> = MipFilter::CHOICES
            .iter()
            .copied()
            .filter(|mip| match mip {
                MipFilter::None => true,
                MipFilter::Nearest => features.mipmaps(),
                MipFilter::Linear => features.mipmaps() && self.general.trilinear,
                MipFilter::Ripmap => false,
            })
            .collect();
        let linear = features.bilinear();
        let filter = |rng: &mut _| {
            if linear && Rng::random_range(rng, 0..4) > 0 { Filter::Linear } else { Filter::Nearest }
        };
        let limits = [rng.random_range(-2000..=4000), rng.random_range(-2000..=4000)];
        let is_limited = rng.random_range(0..4) == 0;
        let whole = Sampler::default();
        let compares = self.general.compare && format.is_depth() && rng.random_range(0..3) > 0;
        let compare = compares.then(|| one_of(rng, CompareOp::CHOICES));
        let most_log2 = self.general.max_anisotropy.ilog2();
        let sampler = Sampler {
            min: filter(rng),
            mag: filter(rng),
            mip: one_of(rng, &mips),
            lod_bias: if rng.random_range(0..3) == 0 { rng.random_range(-900..=900) } else { 0 },
            min_lod: if is_limited { limits[0].min(limits[1]) } else { whole.min_lod },
            max_lod: if is_limited { limits[0].max(limits[1]) } else { whole.max_lod },
            cube_seamless: rng.random_range(0..4) > 0,
            address: [0; 3].map(|_: u32| one_of(rng, modes)),
            max_anisotropy: 1 << rng.random_range(0..=most_log2),
            border: rng.random(),
            compare,
        };
        if format.is_float() && compare.is_none() { unweighted(sampler) } else { sampler }
    }

    /// Pixels in the form of the unit's requests, with divisors and references.
    fn given(&self, rng: &mut impl Rng, pixels: [Pixel; PIXELS], operation: Operation) -> [Pixel; PIXELS] {
        let (numbers, has_q) = (self.general.numbers, self.general.projective);
        let is_divided = has_q && rng.random_range(0..2) == 0;
        let q_log2 = rng.random_range(-3.0..4.0f64);
        pixels.map(|pixel| {
            let q = if is_divided { q_log2.exp2() * rng.random_range(0.9..1.1) } else { 1.0 };
            let of = |number: u32| match (numbers, operation) {
                (_, Operation::Fetch) => number,
                (Numbers::S16p16, _) => limited((f64::from(number as i32) * q) as i64),
                (Numbers::Fp32, _) => ((f64::from(number as i32) * q / 65536.0) as f32).to_bits(),
            };
            let q = match numbers {
                Numbers::S16p16 => limited((q * 65536.0) as i64),
                Numbers::Fp32 => (q as f32).to_bits(),
            };
            let reference = rng.random_range(-0.1..1.1f32).to_bits();
            let mut odd = |number: u32| if rng.random_range(0..200) == 0 { rng.random() } else { number };
            let [u, v, w] = [pixel.u, pixel.v, pixel.w].map(of).map(&mut odd);
            let q = if has_q { odd(q) } else { 0 };
            let d = if self.general.compare { odd(reference) } else { 0 };
            Pixel { u, v, w: if self.extras().third { w } else { 0 }, q, d }
        })
    }

    /// A quad for a binding.
    pub fn quad(&self, rng: &mut impl Rng, binding: &Binding) -> Quad {
        let operations: Vec<OperationName> =
            OperationName::CHOICES.iter().copied().filter(|name| self.general.has_operation(*name)).collect();
        let operation = match one_of(rng, &operations) {
            _ if rng.random_range(0..3) > 0 => Operation::Sample,
            OperationName::Sample => Operation::Sample,
            OperationName::Lod => Operation::Lod,
            OperationName::Bias => Operation::Bias,
            OperationName::Fetch => Operation::Fetch,
            OperationName::Gather => Operation::Gather(rng.random_range(0..4)),
        };
        let pixels = match (operation, binding.texture.kind()) {
            (Operation::Fetch, _) => texels(rng, binding),
            (_, Kind::Cube) => directions(rng),
            _ => footprint(rng, binding),
        };
        let pixels = self.given(rng, pixels, operation);
        let lod = match rng.random_range(0..4) {
            0 => rng.random(),
            _ => (rng.random_range(-3.0..14.0f32)).to_bits(),
        };
        let valid = if rng.random_range(0..2) == 0 { 0xf } else { rng.random_range(0..16) };
        Quad { pixels, valid, lod: if operation == Operation::Sample { 0 } else { lod }, operation }
    }
}

/// Texels by their numbers, some of them outside.
fn texels(rng: &mut impl Rng, binding: &Binding) -> [Pixel; PIXELS] {
    let shape = binding.texture.shape();
    let [width, height, _] = shape.level_size(0);
    let slices = if shape.kind == Kind::Cube { FACES } else { shape.depth };
    std::array::from_fn(|_| {
        let mut of = |size: u32| match rng.random_range(0..12) {
            0 => rng.random(),
            1 => u32::MAX,
            2 => size,
            _ => rng.random_range(0..size),
        };
        Pixel { u: of(width), v: of(height), w: of(slices), q: 0, d: 0 }
    })
}

/// Four pixels around a place: two edges of random length and direction, with a little noise.
fn around(rng: &mut impl Rng, start: [i64; 2], edge: [i64; 2]) -> [[i64; 2]; PIXELS] {
    let mut near = |of: i64| if of == 0 { 0 } else { rng.random_range(-of.abs()..=of.abs()) };
    let (row, column) = ([near(edge[0]), near(edge[1])], [near(edge[0]), near(edge[1])]);
    let mut noise = |of: i64| near(of / 64);
    std::array::from_fn(|pixel| {
        let (right, lower) = ((pixel & 1) as i64, (pixel >> 1) as i64);
        std::array::from_fn(|axis| start[axis] + right * row[axis] + lower * column[axis] + noise(edge[axis]))
    })
}

fn footprint(rng: &mut impl Rng, binding: &Binding) -> [Pixel; PIXELS] {
    const ONE: i64 = 1 << 16;
    let [width, height, _] = binding.texture.shape().level_size(0);
    let sizes = [width, height].map(i64::from);
    let start = sizes.map(|size| match rng.random_range(0..5) {
        0 => ONE * rng.random_range(-2..=2) + rng.random_range(-3..=3),
        1 => ONE * rng.random_range(0..=2 * size) / (2 * size) + rng.random_range(-1..=1),
        2 => i64::from(rng.random::<i32>()),
        _ => rng.random_range(0..ONE),
    });
    // A slice or a layer, and a step of pixels into the next one.
    let shape = binding.texture.shape();
    let [third, third_edge] = match shape.kind {
        Kind::D2Array => [ONE * rng.random_range(-1..=i64::from(shape.depth)), rng.random_range(0..2 * ONE)],
        _ => [rng.random_range(-ONE..2 * ONE), rng.random_range(0..ONE) >> rng.random_range(0..12)],
    };
    // From a part of a texel to many.
    let texels_log2 = rng.random_range(-3.0..6.0f64);
    let edge =
        sizes.map(|size| (texels_log2.exp2() * ONE as f64 / size as f64) as i64 + rng.random_range(0..2));
    let edge = if rng.random_range(0..12) == 0 { [i64::from(i32::MAX) / 2; 2] } else { edge };
    let uv = around(rng, start, edge);
    let w = around(rng, [third, 0], [third_edge, 0]);
    std::array::from_fn(|pixel| {
        let ([u, v], [w, _]) = (uv[pixel], w[pixel]);
        Pixel { u: limited(u), v: limited(v), w: limited(w), ..Pixel::default() }
    })
}

fn limited(value: i64) -> u32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32
}

fn directions(rng: &mut impl Rng) -> [Pixel; PIXELS] {
    if rng.random_range(0..16) == 0 {
        return std::array::from_fn(|_| Pixel {
            u: rng.random(),
            v: rng.random(),
            w: rng.random(),
            q: 0,
            d: 0,
        });
    }
    let length = rng.random_range(1..31);
    let mut part = || i64::from(rng.random::<i32>() >> (32 - length));
    let mut start = [part(), part(), part()];
    // Towards an edge or a corner of the cube.
    let largest = start.iter().map(|of| of.abs()).max().unwrap_or(0);
    for of in &mut start {
        if rng.random_range(0..4) == 0 {
            *of = largest * of.signum();
        }
    }
    let spread = (largest >> rng.random_range(0..12)).max(1);
    let [xy, zw] = [[start[0], start[1]], [start[2], 0]].map(|start| around(rng, start, [spread; 2]));
    std::array::from_fn(|pixel| Pixel {
        u: limited(xy[pixel][0]),
        v: limited(xy[pixel][1]),
        w: limited(zw[pixel][0]),
        q: 0,
        d: 0,
    })
}
