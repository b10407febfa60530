//! The whole unit against the numerics written a second time, as plainly as they can be said.
//!
//! The reference below shares nothing with the crate but the types of requests: it finds levels by summing,
//! computes in 128 bits, filters channel by channel and reads byte by byte.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::cell::RefCell;
use std::collections::BTreeSet;
use tmu_model::{LineError, Memory, MemoryImage, TextureUnit};
use tmu_spec::{AddressMode, Binding, Format, Quad, QuadResult, Sampler, Texture};

/// Memory whose every byte follows from its address, with lines that fail.
struct Noise {
    bad_lines: BTreeSet<u32>,
}

/// The byte of [`Noise`] at an address.
fn noise_byte(address: u32) -> u8 {
    (address.wrapping_mul(0x9e37_79b9) ^ address.rotate_left(13)).wrapping_mul(0x85eb_ca6b).to_be_bytes()[0]
}

impl Memory for Noise {
    fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
        if self.bad_lines.contains(&line) {
            return Err(LineError);
        }
        Ok(std::array::from_fn(|byte| noise_byte(line * 16 + byte as u32)))
    }
}

/// The numerics, said once more.
struct Reference<'a> {
    binding: &'a Binding,
    /// Texture addresses of all bytes read.
    read: RefCell<BTreeSet<u32>>,
}

impl Reference<'_> {
    fn byte(&self, offset: i128) -> u8 {
        let address = u32::try_from((i128::from(self.binding.base()) + offset) % (1 << 31)).unwrap();
        self.read.borrow_mut().insert(address);
        noise_byte(address)
    }

    fn size(&self) -> [i128; 2] {
        let texture = self.binding.texture();
        [texture.width_log2(), texture.height_log2()].map(i128::from)
    }

    fn lod(&self, quad: &Quad) -> i128 {
        if !self.binding.sampler().mipmapped {
            return 0;
        }
        let row = if quad.is_valid(2) && quad.is_valid(3) { (3, 2) } else { (1, 0) };
        let column = if quad.is_valid(1) && quad.is_valid(3) { (3, 1) } else { (2, 0) };
        let squared = |(a, b): (usize, usize)| {
            let edges = [0, 1].map(|axis| {
                let delta = (i128::from(quad.uv()[a][axis]) - i128::from(quad.uv()[b][axis])).abs();
                ((delta << self.size()[axis]) >> 11).min((1 << 17) - 1)
            });
            edges[0] * edges[0] + edges[1] * edges[1]
        };
        let d = squared(row).max(squared(column));
        if d < 1 << 10 {
            return 0;
        }
        let n = i128::from(d.ilog2()) - 10;
        ((n + 1) >> 1).min(i128::from(self.binding.texture().max_lod()))
    }

    /// Start of a level: behind the colour table and all smaller levels.
    fn level_start(&self, lod: i128) -> i128 {
        let [width, height] = self.size();
        let format = self.binding.texture().format();
        let stored = |level: i128| 1 << ((width - level).max(2) + (height - level).max(2));
        let texels: i128 = (lod + 1..=width.max(height)).map(stored).sum();
        i128::from(format.color_table_bytes()) + texels * i128::from(format.bytes_per_texel())
    }

    fn texel(&self, lod: i128, x: i128, y: i128) -> [u8; 4] {
        let stored_width = 1 << (self.size()[0] - lod).max(2);
        let tile = (y >> 2) * (stored_width / 4) + (x >> 2);
        let number = tile * 16 + (y & 3) * 4 + (x & 3);
        let format = self.binding.texture().format();
        let start = self.level_start(lod) + number * i128::from(format.bytes_per_texel());
        if format == Format::Rgb565 {
            return rgb565([self.byte(start), self.byte(start + 1)]);
        }
        let (start, bytes) = match format {
            Format::Rgba8 => (start, 4),
            Format::Rgb8 => (start, 3),
            Format::I8Rgba8 => (i128::from(self.byte(start)) * 4, 4),
            Format::I8Rgb8 => (i128::from(self.byte(start)) * 3, 3),
            other => panic!("no classic texture is {other}"),
        };
        let mut color = [0, 0, 0, 255];
        for channel in 0..bytes {
            color[channel as usize] = self.byte(start + channel);
        }
        color
    }

    /// Position in texels with 16 fraction bits.
    fn position(coordinate: i32, size_log2: i128, mode: AddressMode) -> i128 {
        let c = i128::from(coordinate);
        let t = match mode {
            AddressMode::Wrap => c.rem_euclid(65_536),
            AddressMode::Clamp => c.clamp(0, 65_536),
            AddressMode::Mirror => match c.rem_euclid(131_072) {
                up @ ..65_536 => up,
                down => 131_072 - down,
            },
            other => panic!("no classic binding has {other}"),
        };
        t << size_log2
    }

    fn pixel(&self, lod: i128, uv: [i32; 2]) -> [u8; 4] {
        let sampler = self.binding.sampler();
        let modes = [sampler.address_u, sampler.address_v];
        let sizes = self.size().map(|size| (size - lod).max(0));
        let p = [0, 1].map(|axis| Self::position(uv[axis], sizes[axis], modes[axis]));
        if !sampler.bilinear {
            let [x, y] = [0, 1].map(|axis| (p[axis] >> 16).min((1 << sizes[axis]) - 1));
            return self.texel(lod, x, y);
        }
        let axis = |axis: usize| {
            let w = 1 << sizes[axis];
            let q = p[axis] - 32_768;
            let first = q >> 16;
            let edge = |i: i128| match modes[axis] {
                AddressMode::Wrap => i.rem_euclid(w),
                _ => i.clamp(0, w - 1),
            };
            (edge(first), edge(first + 1), (q >> 8).rem_euclid(256))
        };
        let ((x0, x1, ax), (y0, y1, ay)) = (axis(0), axis(1));
        let taps = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)].map(|(x, y)| self.texel(lod, x, y));
        let lerp = |x: i128, y: i128, a: i128| (256 * x - a * x + a * y + 128) >> 8;
        std::array::from_fn(|channel| {
            let [s0, s1, s2, s3] = taps.map(|tap| i128::from(tap[channel]));
            u8::try_from(lerp(lerp(s0, s1, ax), lerp(s2, s3, ax), ay)).unwrap()
        })
    }

    fn sample(&self, quad: &Quad, bad_lines: &BTreeSet<u32>) -> QuadResult {
        let lod = self.lod(quad);
        let colors = std::array::from_fn(|pixel| match quad.is_valid(pixel) {
            true => self.pixel(lod, quad.uv()[pixel]),
            false => [0; 4],
        });
        if self.read.borrow().iter().any(|address| bad_lines.contains(&(address / 16))) {
            return QuadResult::new([[0; 4]; 4], quad.valid(), true);
        }
        QuadResult::new(colors, quad.valid(), false)
    }
}

fn any_binding(max_size_log2: u32) -> impl Strategy<Value = Binding> {
    let size = 0..=max_size_log2;
    let texture = (prop::sample::select(&Format::CLASSIC[..]), size.clone(), size, 0..=11u32).prop_map(
        |(format, width, height, max_lod)| {
            Texture::new(format, width, height, max_lod.min(width.max(height))).unwrap()
        },
    );
    let mode = || prop_oneof![Just(AddressMode::Wrap), Just(AddressMode::Clamp), Just(AddressMode::Mirror)];
    let base = prop_oneof![0..1u32 << 27, (1u32 << 27) - 0x1_0000..1 << 27, Just(0)];
    (base, texture, any::<(bool, bool)>(), mode(), mode()).prop_map(
        |(line, texture, (bilinear, mipmapped), address_u, address_v)| {
            let sampler = Sampler { bilinear, mipmapped, address_u, address_v };
            Binding::new((line * 16).min(Binding::last_base(&texture)), texture, sampler).unwrap()
        },
    )
}

/// Quads with steps of every size between their pixels, around places inside and far outside the texture.
fn any_quad() -> impl Strategy<Value = Quad> {
    let step = (any::<i32>(), 0..32u32).prop_map(|(step, shift)| step >> shift);
    let steps = prop::array::uniform4(step);
    let origin = prop_oneof![
        prop::array::uniform2(-131_072..131_072i32),
        any::<[i32; 2]>(),
        prop::array::uniform2((-4..=4i32).prop_map(|half| half * 32_768)),
    ];
    let smooth = (origin, steps, 0..16u8).prop_map(|([u, v], [du_dx, dv_dx, du_dy, dv_dy], valid)| {
        let pixel = |x: i32, y: i32| {
            let u = u.wrapping_add(du_dx.wrapping_mul(x)).wrapping_add(du_dy.wrapping_mul(y));
            let v = v.wrapping_add(dv_dx.wrapping_mul(x)).wrapping_add(dv_dy.wrapping_mul(y));
            [u, v]
        };
        Quad::new([pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)], valid)
    });
    let wild = (any::<[[i32; 2]; 4]>(), 0..16u8).prop_map(|(uv, valid)| Quad::new(uv, valid));
    prop_oneof![4 => smooth, 1 => wild]
}

/// Failing cases are printed, and saved beside this file so that the next run repeats them first.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..ProptestConfig::with_cases(4000)
    }
}

/// R in bits 15:11, G in 10:5, B in 4:0, each the nearest of 256 steps.
fn rgb565(bytes: [u8; 2]) -> [u8; 4] {
    let texel = u16::from_le_bytes(bytes);
    let channel = |lo: u32, bits: u32| {
        let most = f64::from((1u32 << bits) - 1);
        (f64::from(texel >> lo & ((1 << bits) - 1)) * 255.0 / most).round() as u8
    };
    [channel(11, 5), channel(5, 6), channel(0, 5), 255]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn samples_are_those_of_the_reference(binding in any_binding(11), quads in prop::collection::vec(any_quad(), 1..8)) {
        let bad_lines = BTreeSet::new();
        let mut unit = TextureUnit::new(Noise { bad_lines: bad_lines.clone() });
        unit.bind(&binding).unwrap();
        for quad in quads {
            let reference = Reference { binding: &binding, read: RefCell::default() };
            prop_assert_eq!(unit.sample(&quad), reference.sample(&quad, &bad_lines), "{:?}", quad);
            prop_assert_eq!(unit.lod(&quad).map(i128::from), Some(reference.lod(&quad)));
        }
    }

    /// A quad fails exactly if a line that it needs fails, be it of texels or of its colours.
    #[test]
    fn errors_are_those_of_the_reference(
        binding in any_binding(5), quad in any_quad(), picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let lines = (binding.texture().bytes() / 16) as usize;
        let first = binding.base() / 16;
        let bad_lines: BTreeSet<u32> =
            picks.iter().map(|pick| (first + pick.index(lines) as u32) % (1 << 27)).collect();
        let mut unit = TextureUnit::new(Noise { bad_lines: bad_lines.clone() });
        unit.bind(&binding).unwrap();
        let reference = Reference { binding: &binding, read: RefCell::default() };
        prop_assert_eq!(unit.sample(&quad), reference.sample(&quad, &bad_lines));
    }

    /// Reading from a slice gives what reading line by line gives.
    #[test]
    fn contiguous_memory_gives_the_same(binding in any_binding(7), quads in prop::collection::vec(any_quad(), 1..8)) {
        let bytes: Vec<u8> =
            (0..binding.texture().bytes()).map(|at| noise_byte((binding.base() + at) & 0x7fff_ffff)).collect();
        let mut by_slice = TextureUnit::new(MemoryImage::new(binding.base(), bytes));
        let mut by_line = TextureUnit::new(Noise { bad_lines: BTreeSet::new() });
        by_line.bind(&binding).unwrap();
        by_slice.bind(&binding).unwrap();
        let wraps = binding.base() + binding.texture().bytes() > 1 << 31;
        for quad in quads {
            prop_assume!(!wraps);
            prop_assert_eq!(by_slice.sample(&quad), by_line.sample(&quad), "{:?}", quad);
        }
    }

    /// The lines looked up are those of the bytes that the reference reads, colour table aside.
    #[test]
    fn lookups_are_the_lines_of_the_taps(binding in any_binding(11), quad in any_quad()) {
        let mut unit = TextureUnit::new(Noise { bad_lines: BTreeSet::new() });
        unit.bind(&binding).unwrap();
        let mut lookups = Vec::new();
        unit.lookups(&quad, |line| lookups.push(line));
        let reference = Reference { binding: &binding, read: RefCell::default() };
        reference.sample(&quad, &BTreeSet::new());
        let table_bytes = binding.texture().format().color_table_bytes();
        let texels = |address: &u32| address - binding.base() >= table_bytes;
        let expected: BTreeSet<u32> =
            reference.read.borrow().iter().filter(|a| texels(a)).map(|address| address / 16).collect();
        prop_assert_eq!(lookups.iter().copied().collect::<BTreeSet<_>>(), expected);
        let taps = if binding.sampler().bilinear { 4 } else { 1 } * quad.valid().count_ones() as usize;
        let most = if binding.texture().format() == Format::Rgb8 { 2 * taps } else { taps };
        prop_assert!((taps..=most).contains(&lookups.len()), "{} lookups of {taps} taps", lookups.len());
    }

    /// A texture of one colour samples as that colour, whatever the filter and the level.
    #[test]
    fn a_constant_texture_samples_constant(binding in any_binding(6), quad in any_quad(), byte in any::<u8>()) {
        let bytes = vec![byte; binding.texture().bytes() as usize];
        let mut unit = TextureUnit::new(MemoryImage::new(binding.base(), bytes));
        unit.bind(&binding).unwrap();
        let color = match binding.texture().format() {
            Format::Rgba8 | Format::I8Rgba8 => [byte; 4],
            Format::Rgb8 | Format::I8Rgb8 => [byte, byte, byte, 255],
            _ => rgb565([byte; 2]),
        };
        let expected = std::array::from_fn(|pixel| if quad.is_valid(pixel) { color } else { [0; 4] });
        prop_assert_eq!(unit.sample(&quad), QuadResult::new(expected, quad.valid(), false));
    }

    /// At texel centres of a level the neighbours have no weight.
    #[test]
    fn bilinear_at_texel_centres_is_nearest(binding in any_binding(11), texels in any::<[[u16; 2]; 4]>()) {
        let texture = *binding.texture();
        let centre = |texel: u16, size_log2: u32| {
            let texel = i32::from(texel) % (1 << size_log2);
            (2 * texel + 1) << (15 - size_log2)
        };
        let uv = texels.map(|[x, y]| [centre(x, texture.width_log2()), centre(y, texture.height_log2())]);
        let quad = Quad::new(uv, 15);
        let [bilinear, nearest] = [true, false].map(|bilinear| {
            let sampler = Sampler { bilinear, mipmapped: false, ..binding.sampler() };
            let mut unit = TextureUnit::new(Noise { bad_lines: BTreeSet::new() });
            unit.bind(&Binding::new(binding.base(), texture, sampler).unwrap()).unwrap();
            unit.sample(&quad)
        });
        prop_assert_eq!(bilinear, nearest);
    }
}
