//! Random frames of the pixel pipeline in memory, whole and damaged, and a memory that answers reads late.

use rand::Rng;
use std::collections::VecDeque;
use tmu_model::{LineError, Memory};
use tmu_spec::Format;
use tmu_spec::choice::Choice;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Binding, CompareOp, Kind, Sampler, Swizzle, Texture};
use tmu_spec::pixel::record::{FRAME_MAGIC, State, Triangle};
use tmu_spec::pixel::{
    Blend, Cull, Entry, Frame, OutputFormat, Part, Position, TEXTURE_BYTES, TileSize, VertexColors,
    VertexCoordinates,
};
use tmu_stages::Check;
use tmu_testing::pixel::inverse_area;

/// Bytes of a line.
pub(crate) const LINE_BYTES: usize = 16;
/// Programs, with `|` between lines, and the sets that they read.
const PROGRAMS: [(&str, u32); 5] = [
    ("mov r0, v0", 0),
    ("texld r0, t0|mul r0, r0, v1", 1),
    ("texld r0, t1.xyw|texld r1, t2|add r0, r0, r1", 3),
    ("def c1, 0.5, 0.25, -1, 2|texcrd r0.rgb, t0|phase|texkill t0|mad r0, v0, c1, c2", 1),
    ("texcrd r5.rgb, t5|phase|texdepth r5|mov r0, v0", 6),
];

/// Memory from address 0 on with a frame in it.
#[derive(Debug, Clone)]
pub(crate) struct Put {
    pub(crate) bytes: Vec<u8>,
    /// Where the frame's record stands.
    pub(crate) address: u32,
    /// Lines that cannot be read.
    pub(crate) failing: Vec<u32>,
}

impl Memory for Put {
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES], LineError> {
        let start = line as usize * LINE_BYTES;
        let bytes = self.bytes.get(start..start + LINE_BYTES).filter(|_| !self.failing.contains(&line));
        bytes.and_then(|bytes| bytes.first_chunk()).copied().ok_or(LineError)
    }
}

impl Put {
    /// A frame with tiles of a size, of a few of them.
    pub(crate) fn any(check: &mut Check, tile: TileSize) -> Put {
        // Nothing stands at 0.
        let mut put = Put { bytes: vec![0; LINE_BYTES], address: 0, failing: vec![] };
        let [width, height] = [tile.width(), tile.height()].map(|side| check.rng.random_range(1..=3 * side));
        let texture_count = check.rng.random_range(1..5);
        let textures: Vec<u8> = (0..texture_count).flat_map(|_| put.texture(check)).collect();
        let textures = put.put(&textures);
        let states: Vec<(u32, State, bool)> =
            (0..check.rng.random_range(1..6)).map(|_| put.state(check, texture_count)).collect();
        let triangles: Vec<(u32, bool)> = (0..check.rng.random_range(1..40))
            .map(|_| {
                let (address, state, may_go) = check.pick(&states);
                (put.triangle(check, address, &state), may_go)
            })
            .collect();
        let across = [width.div_ceil(tile.width()), height.div_ceil(tile.height())];
        let lists: Vec<(Entry, u32)> =
            (0..across[0] * across[1]).map(|_| put.list(check, &triangles)).collect();
        let longest = lists.iter().map(|(_, entries)| *entries).max().unwrap_or(0);
        let entries: Vec<Entry> = lists.iter().map(|(entry, _)| *entry).collect();
        let tiles = put.entries(&entries);
        let output = check.pick(OutputFormat::CHOICES);
        let pitch = |check: &mut Check, bytes: u32| {
            (width * bytes).next_multiple_of(16) + 16 * check.rng.random_range(0..3u32)
        };
        let frame = Frame {
            magic: FRAME_MAGIC,
            width_less_one: width - 1,
            height_less_one: height - 1,
            tile,
            output,
            dithers: check.one_in(2),
            writes_depth: check.one_in(2),
            list_limit: longest + check.rng.random_range(0..2),
            clear_color: check.rng.random(),
            clear_depth: check.pick(&[1.0, 0.0, 0.5, f32::from_bits(77)]),
            tiles,
            textures,
            picture: 16 * check.rng.random_range(0..1u32 << 28),
            picture_pitch: pitch(check, output.pixel_bytes()),
            depth: 16 * check.rng.random_range(0..1u32 << 28),
            depth_pitch: pitch(check, 4),
            texture_count,
        };
        put.address = put.put(&frame.write());
        put
    }

    /// The same, with something wrong, as a rule.
    pub(crate) fn damaged(check: &mut Check, tile: TileSize) -> Put {
        let mut put = Put::any(check, tile);
        let lines = put.bytes.len() / LINE_BYTES;
        for _ in 0..check.rng.random_range(1..3) {
            match check.rng.random_range(0..4) {
                0 => put.failing.push(check.rng.random_range(1..lines as u32)),
                // The frame's record.
                1 => {
                    let byte = put.bytes.len() - 1 - check.rng.random_range(0..Frame::BYTES);
                    put.bytes[byte] ^= 1 << check.rng.random_range(0..8);
                }
                _ => {
                    let byte = check.rng.random_range(LINE_BYTES..put.bytes.len());
                    put.bytes[byte] ^= 1 << check.rng.random_range(0..8);
                }
            }
        }
        put
    }

    fn put(&mut self, bytes: &[u8]) -> u32 {
        let address = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(LINE_BYTES), 0);
        address
    }

    /// A small texture; its binding.
    fn texture(&mut self, check: &mut Check) -> [u8; TEXTURE_BYTES] {
        let texels: Vec<u8> = (0..4 * 64).map(|_| check.rng.random()).collect();
        let base = self.put(&texels);
        let shape = Shape { kind: Kind::D2, width: 8, height: 8, depth: 1, levels: 1, format: Format::Rgba8 };
        let texture = Texture::packed(shape, Swizzle::NONE, false);
        let texture = texture.unwrap_or_else(|broken| panic!("{broken:?}"));
        let words = Binding { base, texture, sampler: Sampler::default(), drop_cache: false }.words();
        let mut bytes = [0; TEXTURE_BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(LINE_BYTES).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn entries(&mut self, entries: &[Entry]) -> u32 {
        let words: Vec<u8> = entries.iter().flat_map(|entry| entry.to_word().to_le_bytes()).collect();
        self.put(&words)
    }

    /// A state; its address, and whether its pixels may go.
    fn state(&mut self, check: &mut Check, textures: u32) -> (u32, State, bool) {
        let (lines, sets) = check.pick(&PROGRAMS);
        let program = tmu_shader::read_text(&format!("ps_1_4\n{}\n", lines.replace('|', "\n")));
        let program = program.unwrap_or_else(|problems| panic!("{problems}"));
        let alpha_compare = if check.one_in(4) { check.pick(CompareOp::CHOICES) } else { CompareOp::Always };
        let state = State {
            program: self.put(&program.encode_for(if check.one_in(2) { 0 } else { check.rng.random() })),
            blend: check.pick(Blend::CHOICES),
            alpha_compare,
            alpha_reference: check.rng.random(),
            sets: check.rng.random_range(sets..=6),
            has_colors: check.one_in(2),
            textures: [(); 6].map(|()| check.rng.random_range(0..textures) as u8),
            bump: [(); 24].map(|()| check.rng.random()),
            constants: [(); 32].map(|()| check.rng.random()),
        };
        let may_go = program.is_punch_through() || alpha_compare != CompareOp::Always;
        (self.put(&state.write()), state, may_go)
    }

    fn triangle(&mut self, check: &mut Check, address: u32, state: &State) -> u32 {
        let places = [(); 3].map(|()| [(); 2].map(|()| check.rng.random_range(-200..1200)));
        let vertices = places.map(|[x, y]| {
            let mut vertex =
                Position { x, y, z: check.rng.random(), rhw: check.rng.random() }.write().to_vec();
            if state.has_colors {
                vertex.extend(VertexColors { first: check.rng.random(), second: check.rng.random() }.write());
            }
            for _ in 0..state.sets {
                vertex.extend(VertexCoordinates { components: check.rng.random() }.write());
            }
            self.put(&vertex)
        });
        let record = Triangle {
            vertices,
            state: address,
            // Depths lie between those of the vertices, as a rule.
            inverse_area: if check.one_in(4) { check.rng.random() } else { inverse_area(places) },
            compare: check.pick(CompareOp::CHOICES),
            cull: check.pick(Cull::CHOICES),
        };
        self.put(&record.write())
    }

    /// The list of a tile in pieces: the entry that goes there, and how many entries it has.
    fn list(&mut self, check: &mut Check, triangles: &[(u32, bool)]) -> (Entry, u32) {
        if check.one_in(6) {
            return (Entry::End, 0);
        }
        let mut all = vec![];
        // Sometimes many batches behind each other.
        let most = check.pick(&[6, 6, 6, 40]);
        for part in [Part::Opaque, Part::PunchThrough, Part::Translucent] {
            for _ in 0..check.rng.random_range(0..most) {
                let (address, may_go) = check.pick(triangles);
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
            let pieces = check.rng.random_range(1..=all.len());
            let mut piece = all.split_off(all.len() - pieces);
            if let Some(address) = behind {
                piece.push(Entry::Jump(address));
                count += 1;
            }
            behind = Some(self.entries(&piece));
        }
        (Entry::Jump(behind.unwrap_or_default()), count)
    }
}

/// Reads that are under way: lines that come, and when.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    lines: VecDeque<(u64, u32, bool)>,
    clock: u64,
}

/// A line that comes: its bytes, whether it is the last one of its read; or its number, if it cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Came {
    pub(crate) line: u32,
    pub(crate) bytes: Result<[u8; LINE_BYTES], LineError>,
    pub(crate) ends: bool,
}

impl Answers {
    /// Some lines are asked for.
    pub(crate) fn ask(&mut self, check: &mut Check, line: u32, count: u32) {
        let latency = check.rng.random_range(1..30);
        self.lines
            .extend((0..count).map(|number| (self.clock + latency, line + number, number + 1 == count)));
    }

    /// What comes in a clock.
    pub(crate) fn come(&mut self, check: &mut Check, memory: &impl Memory) -> Option<Came> {
        self.clock += 1;
        let is_due = self.lines.front().is_some_and(|(when, ..)| *when <= self.clock);
        if !is_due || check.one_in(4) {
            return None;
        }
        let (_, line, ends) = self.lines.pop_front()?;
        Some(Came { line, bytes: memory.read_line(line), ends })
    }
}
