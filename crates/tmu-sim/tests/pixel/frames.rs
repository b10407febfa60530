//! Random frames in memory: textures, programs, states, triangles and lists of every kind that a configuration takes.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use tmu_model::pixel::Build;
use tmu_shader::{Program, read_text};
use tmu_sim::engines::sampler::general::traffic::Traffic;
use tmu_spec::choice::Choice;
use tmu_spec::general::{Binding, CompareOp};
use tmu_spec::pixel::record::FRAME_MAGIC;
use tmu_spec::pixel::{
    BATCH_TRIANGLES, Blend, Cull, Entry, Frame, OutputFormat, Part, Position, State, TEXTURE_BYTES, TileSize,
    Triangle, VertexColors, VertexCoordinates,
};
use tmu_spec::{Config, LINE_BYTES, TEXTURE_ADDRESS_BITS};
use tmu_testing::pixel::inverse_area;
use tmu_testing::shaders::random_shader;

/// What memory holds where nothing was put.
const UNTOUCHED: u8 = 0x5a;
/// Programs as a scene has them, with `|` between lines.
const PROGRAMS: [&str; 6] = [
    "mov r0, v0",
    "texld r0, t0|mul r0, r0, v0",
    "texld r0, t0|texld r1, t1|mul r0, r0, r1",
    "texld r0, t0|texcrd r1.rgb, t1|phase|texld r0, r0|texld r1, r1|add r0, r0, r1",
    "texcrd r0.rgb, t0|phase|texkill r0|mov r0, v0",
    "texcrd r5.rgb, t5|phase|texdepth r5|mov r0, v0",
];

/// Textures of a store, most of them copies of a few.
const STORES: [u32; 4] = [1, 3, 70, 256];

/// What frames are drawn for.
pub(crate) struct Kinds {
    traffic: Traffic,
    /// What the hardware is built for.
    pub(crate) build: Build,
    pub(crate) tile: TileSize,
    most_side: u32,
}

impl Kinds {
    /// Frames for a configuration, of so many pixels a side at most.
    pub(crate) fn of(config: &Config, most_side: u32) -> Kinds {
        let (traffic, build) = (Traffic::new(config).unwrap(), Build::of(config).unwrap());
        Kinds { traffic, build, tile: config.engine_configs().pixel().tile_size(), most_side }
    }
}

/// Memory from an address on with a frame in it.
#[derive(Debug, Clone)]
pub(crate) struct Put {
    pub(crate) base: u32,
    pub(crate) bytes: Vec<u8>,
    /// Where the frame's record stands.
    pub(crate) address: u32,
    /// Where records of each kind stand: frame, lists, triangles, vertices, states, programs, bindings, texels.
    pub(crate) records: [Vec<Range<usize>>; 8],
    /// The programs as text.
    pub(crate) programs: String,
}

/// A state that was put.
#[derive(Debug, Clone, Copy)]
struct Stated {
    address: u32,
    sets: u32,
    has_colors: bool,
    may_go: bool,
}

/// A vertex that was put.
type Corner = (u32, [i32; 2]);

fn one_in(rng: &mut ChaCha8Rng, times: u32) -> bool {
    rng.random_range(0..times) == 0
}

fn pick<T: Copy>(rng: &mut ChaCha8Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

/// A single as a frame has it, and any once in so many times.
fn single(rng: &mut ChaCha8Rng, usual: Range<f32>, times: u32) -> f32 {
    if one_in(rng, times) { f32::from_bits(rng.random()) } else { rng.random_range(usual) }
}

impl Put {
    /// A frame.
    pub(crate) fn any(rng: &mut ChaCha8Rng, kinds: &Kinds) -> Put {
        // All of it lies in the texture window.
        let lines = (1 << TEXTURE_ADDRESS_BITS) / LINE_BYTES;
        let base = if one_in(rng, 3) { 0 } else { LINE_BYTES * rng.random_range(0..lines - (1 << 20)) };
        let (bytes, records) = (vec![UNTOUCHED; 16], [const { Vec::new() }; 8]);
        let mut put = Put { base, bytes, address: 0, records, programs: String::new() };
        // Few large ones, which take as long as all others together.
        let most = match rng.random_range(0..16) {
            0..4 => 16,
            4..13 => 32,
            13..15 => 64,
            _ => 128,
        };
        let size = [(); 2].map(|()| rng.random_range(1..=kinds.most_side.min(most)));
        let output = pick(rng, OutputFormat::CHOICES);
        let writes_depth = one_in(rng, 2);
        let is_behind = one_in(rng, 2);
        let mut pictures = [(0, 0); 2];
        if !is_behind {
            pictures = put.pictures(rng, size, output, writes_depth);
        }
        let (textures, texture_count) = put.store(rng, kinds);
        let (tiles, list_limit) = put.lists(rng, kinds, size, texture_count);
        if is_behind {
            pictures = put.pictures(rng, size, output, writes_depth);
        }
        let [(picture, picture_pitch), (depth, depth_pitch)] = pictures;
        let frame = Frame {
            magic: FRAME_MAGIC,
            width_less_one: size[0] - 1,
            height_less_one: size[1] - 1,
            tile: kinds.tile,
            output,
            dithers: one_in(rng, 2),
            writes_depth,
            list_limit,
            clear_color: rng.random(),
            clear_depth: pick(rng, &[1.0, 1.0, 1.0, 0.5, 0.0, f32::from_bits(77), f32::INFINITY, f32::NAN]),
            tiles,
            textures,
            picture,
            picture_pitch,
            depth,
            depth_pitch,
            texture_count,
        };
        put.address = put.record(0, &frame.write());
        put.put(&[UNTOUCHED; 32]);
        put
    }

    /// Where the next record goes; what was there is filled up to whole lines.
    fn put(&mut self, bytes: &[u8]) -> u32 {
        let address = self.base + self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(LINE_BYTES as usize), UNTOUCHED);
        address
    }

    fn record(&mut self, kind: usize, bytes: &[u8]) -> u32 {
        let start = self.bytes.len();
        self.records[kind].push(start..start + bytes.len());
        self.put(bytes)
    }

    /// Room for the picture and for depth: address and pitch of each.
    fn pictures(
        &mut self,
        rng: &mut ChaCha8Rng,
        [width, height]: [u32; 2],
        output: OutputFormat,
        writes_depth: bool,
    ) -> [(u32, u32); 2] {
        [(output.pixel_bytes(), true), (4, writes_depth)].map(|(pixel_bytes, is_there)| {
            let pitch = (width * pixel_bytes).next_multiple_of(16) + 16 * rng.random_range(0..3u32);
            let bytes = if is_there { pitch * height } else { 0 };
            self.put(&vec![UNTOUCHED; 16 * rng.random_range(0..9)]);
            (self.put(&vec![UNTOUCHED; bytes as usize]), pitch)
        })
    }

    /// The store of textures: its address and how many it has.
    fn store(&mut self, rng: &mut ChaCha8Rng, kinds: &Kinds) -> (u32, u32) {
        let count = pick(rng, &STORES);
        let few: Vec<[u8; TEXTURE_BYTES]> =
            (0..count.min(rng.random_range(1..6))).map(|_| self.texture(rng, kinds)).collect();
        let all: Vec<u8> = (0..count as usize).flat_map(|number| few[number % few.len()]).collect();
        let store = self.put(&all);
        let start = (store - self.base) as usize;
        self.records[6].push(start..start + TEXTURE_BYTES * few.len());
        (store, count)
    }

    /// A texture; its binding.
    fn texture(&mut self, rng: &mut ChaCha8Rng, kinds: &Kinds) -> [u8; TEXTURE_BYTES] {
        let most_bytes = if one_in(rng, 8) { 1 << 17 } else { 1 << 13 };
        let most_side = 1 << kinds.traffic.features().max_size_log2();
        let binding = loop {
            let binding = kinds.traffic.binding(rng);
            let shape = binding.texture.shape();
            if binding.texture.bytes() <= most_bytes && shape.width.max(shape.height) <= most_side {
                break binding;
            }
        };
        let texels: Vec<u8> = (0..binding.texture.bytes()).map(|_| rng.random()).collect();
        let base = self.record(7, &texels);
        let mut bytes = [0; TEXTURE_BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(16).zip(Binding { base, ..binding }.words()) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// States, triangles, lists and the table of tiles: its address, and a limit of entries.
    fn lists(&mut self, rng: &mut ChaCha8Rng, kinds: &Kinds, size: [u32; 2], textures: u32) -> (u32, u32) {
        let states: Vec<Stated> = (0..rng.random_range(1..6)).map(|_| self.state(rng, textures)).collect();
        let mut shared = vec![vec![]; states.len()];
        let triangles: Vec<(u32, bool)> = (0..rng.random_range(1..24))
            .map(|_| {
                let number = rng.random_range(0..states.len());
                (self.triangle(rng, size, &states[number], &mut shared[number]), states[number].may_go)
            })
            .collect();
        let tiles = size[0].div_ceil(kinds.tile.width()) * size[1].div_ceil(kinds.tile.height());
        let mut lists: Vec<(Entry, u32)> = vec![];
        for _ in 0..tiles {
            let again = lists.last().copied().filter(|_| one_in(rng, 3));
            let list = again.unwrap_or_else(|| self.list(rng, &triangles));
            lists.push(list);
        }
        let longest = lists.iter().map(|(_, entries)| *entries).max().unwrap_or(0);
        let entries: Vec<Entry> = lists.iter().map(|(entry, _)| *entry).collect();
        (self.entries(&entries), longest + rng.random_range(0..2))
    }

    fn entries(&mut self, entries: &[Entry]) -> u32 {
        let words: Vec<u8> = entries.iter().flat_map(|entry| entry.to_word().to_le_bytes()).collect();
        self.record(1, &words)
    }

    fn program(&mut self, rng: &mut ChaCha8Rng) -> Program {
        let text = if one_in(rng, 4) {
            format!("ps_1_4\n{}\n", pick(rng, &PROGRAMS).replace('|', "\n"))
        } else {
            random_shader(rng.random(), |text| read_text(text).is_ok())
        };
        self.programs += &text;
        read_text(&text).unwrap_or_else(|problems| panic!("{text}: {problems}"))
    }

    fn state(&mut self, rng: &mut ChaCha8Rng, textures: u32) -> Stated {
        let program = self.program(rng);
        let alpha_compare = if one_in(rng, 4) { pick(rng, CompareOp::CHOICES) } else { CompareOp::Always };
        let constant = |rng: &mut ChaCha8Rng| match rng.random_range(0..3) {
            0 => rng.random(),
            _ => rng.random_range(-5000..5000),
        };
        let sets = if one_in(rng, 4) { rng.random_range(0..=6) } else { 6 };
        let has_colors = !one_in(rng, 4);
        let state = State {
            program: self.record(5, &program.encode_for(if one_in(rng, 2) { 0 } else { rng.random() })),
            blend: pick(rng, Blend::CHOICES),
            alpha_compare,
            alpha_reference: rng.random(),
            sets,
            has_colors,
            textures: [(); 6].map(|()| rng.random_range(0..textures) as u8),
            bump: [(); 24].map(|()| constant(rng)),
            constants: [(); 32].map(|()| constant(rng)),
        };
        let may_go = program.is_punch_through() || alpha_compare != CompareOp::Always;
        Stated { address: self.record(4, &state.write()), sets, has_colors, may_go }
    }

    fn vertex(&mut self, rng: &mut ChaCha8Rng, size: [u32; 2], state: &Stated, z: Option<f32>) -> Corner {
        let kind = rng.random_range(0..16);
        let place = size.map(|side| {
            let side = side as i32;
            match kind {
                0 => rng.random_range(-(1 << 17)..1 << 17),
                // Centres, corners of pixels, and anything near the frame.
                1..4 => 16 * rng.random_range(-2..side + 2) + 8,
                4..6 => 16 * rng.random_range(-1..=side + 1),
                _ => rng.random_range(-64 - 8 * side..64 + 24 * side),
            }
        });
        let z = z.unwrap_or_else(|| single(rng, -0.1..1.1, 40));
        let rhw = if one_in(rng, 8) { single(rng, -0.5..0.5, 2) } else { rng.random_range(0.2..2.0) };
        let mut vertex = Position { x: place[0], y: place[1], z, rhw }.write().to_vec();
        if state.has_colors {
            vertex.extend(VertexColors { first: rng.random(), second: rng.random() }.write());
        }
        for _ in 0..state.sets {
            let components = [(); 4].map(|()| rhw * single(rng, -1.5..2.5, 60));
            vertex.extend(VertexCoordinates { components }.write());
        }
        (self.record(3, &vertex), place)
    }

    /// A triangle of a state; its record's address.
    fn triangle(
        &mut self,
        rng: &mut ChaCha8Rng,
        size: [u32; 2],
        state: &Stated,
        shared: &mut Vec<Corner>,
    ) -> u32 {
        let z = one_in(rng, 3).then(|| pick(rng, &[0.0, 0.25, 0.5, 0.75, 1.0]));
        let is_strip = one_in(rng, 3);
        let corners = [(); 3].map(|()| match shared.len() {
            3.. if is_strip && !one_in(rng, 3) => pick(rng, shared),
            _ => {
                let corner = self.vertex(rng, size, state, z);
                shared.push(corner);
                corner
            }
        });
        let inverse_area = match rng.random_range(0..24) {
            0 => f32::from_bits(rng.random()),
            _ => inverse_area(corners.map(|(_, place)| place)),
        };
        let usual = [CompareOp::Lequal, CompareOp::Less, CompareOp::Always];
        let record = Triangle {
            vertices: corners.map(|(address, _)| address),
            state: state.address,
            inverse_area,
            compare: if one_in(rng, 2) { pick(rng, CompareOp::CHOICES) } else { pick(rng, &usual) },
            cull: if one_in(rng, 3) { pick(rng, Cull::CHOICES) } else { Cull::None },
        };
        self.record(2, &record.write())
    }

    /// The list of a tile in pieces: the entry that goes there, and how many entries it has.
    fn list(&mut self, rng: &mut ChaCha8Rng, triangles: &[(u32, bool)]) -> (Entry, u32) {
        if one_in(rng, 10) {
            return (Entry::End, 0);
        }
        // Sometimes more opaque ones than are looked at together.
        let opaque = if one_in(rng, 60) { BATCH_TRIANGLES + 40 } else { rng.random_range(0..12) };
        let others = pick(rng, &[1, 4, 4, 8, 20]);
        let counts = [opaque, rng.random_range(0..others), rng.random_range(0..others)];
        let mut all = vec![];
        for (part, count) in [Part::Opaque, Part::PunchThrough, Part::Translucent].into_iter().zip(counts) {
            for _ in 0..count {
                let (address, may_go) = pick(rng, triangles);
                if part != Part::Opaque || !may_go {
                    all.push(Entry::Triangle(part, address));
                }
            }
        }
        all.push(Entry::End);
        let mut count = all.len() as u32;
        // From its end on, so that it is known where it goes on.
        let mut behind = None;
        while !all.is_empty() {
            let piece = if one_in(rng, 2) { all.len() } else { rng.random_range(1..=all.len()) };
            let mut piece = all.split_off(all.len() - piece);
            if let Some(address) = behind {
                piece.push(Entry::Jump(address));
                count += 1;
            }
            behind = Some(self.entries(&piece));
        }
        (Entry::Jump(behind.unwrap_or_default()), count)
    }
}
