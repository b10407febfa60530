//! Frames in memory, as a driver leaves them.

use super::super::{Build, Counts, Fault, draw};
use crate::memory::{LineError, MemoryImage};
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::record::{self, FRAME_MAGIC};
use tmu_spec::pixel::{
    Blend, Cull, Entry, Frame, OutputFormat, Part, Position, TileSize, VertexColors, VertexCoordinates,
};

/// Where the picture is written, beyond all that is read.
pub(super) const PICTURE: u32 = 0x100_0000;

/// A corner of a triangle: place in 1/16 of a pixel, depth, RHW, v0, first coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) place: [i32; 2],
    pub(super) z: f32,
    pub(super) rhw: f32,
    pub(super) color: [u8; 4],
    pub(super) coordinates: [f32; 4],
}

impl Corner {
    pub(super) fn new(x: i32, y: i32, z: f32, color: [u8; 4]) -> Self {
        Self { place: [x, y], z, rhw: 1.0, color, coordinates: [0.0; 4] }
    }
}

/// Memory from address 0 on.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) frame: Frame,
    pub(super) bytes: Vec<u8>,
    pub(super) list: Vec<Entry>,
    /// Where the frame's record stands in the end.
    pub(super) address: u32,
}

/// A state whose program is written as text, with `|` between lines.
pub(super) fn state() -> record::State {
    record::State {
        program: 0,
        blend: Blend::None,
        alpha_compare: CompareOp::Always,
        alpha_reference: 0,
        sets: 1,
        has_colors: true,
        textures: [0; 6],
        bump: [0; 24],
        constants: [0; 32],
    }
}

impl Scene {
    /// Nothing in a frame of this size.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let frame = Frame {
            magic: FRAME_MAGIC,
            width_less_one: width - 1,
            height_less_one: height - 1,
            tile: TileSize::default(),
            output: OutputFormat::Rgba8,
            dithers: false,
            writes_depth: false,
            list_limit: 1000,
            clear_color: [1, 2, 3, 4],
            clear_depth: 1.0,
            tiles: 0,
            textures: 0,
            picture: PICTURE,
            picture_pitch: (4 * width).next_multiple_of(16),
            depth: 0,
            depth_pitch: 0,
            texture_count: 0,
        };
        // Nothing stands at 0.
        Self { frame, bytes: vec![0; 16], list: Vec::new(), address: 0 }
    }

    /// Puts bytes behind all others; gives their address.
    pub(super) fn put(&mut self, bytes: &[u8]) -> u32 {
        let address = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        address
    }

    /// Puts a state with this program.
    pub(super) fn state(&mut self, lines: &str, state: record::State) -> u32 {
        let text = format!("ps_1_4\n{}\n", lines.replace('|', "\n"));
        let program = self.put(&tmu_shader::read_text(&text).unwrap().encode());
        self.put(&record::State { program, ..state }.write())
    }

    /// Puts a triangle with colours and one coordinate set, and an entry of the list of every tile.
    pub(super) fn triangle(
        &mut self,
        part: Part,
        state: u32,
        compare: CompareOp,
        corners: &[Corner; 3],
    ) -> u32 {
        let vertices = corners.map(|corner| {
            let [x, y] = corner.place;
            let mut bytes = Position { x, y, z: corner.z, rhw: corner.rhw }.write().to_vec();
            bytes.extend(VertexColors { first: corner.color, second: [0; 4] }.write());
            bytes.extend(VertexCoordinates { components: corner.coordinates }.write());
            self.put(&bytes)
        });
        let inverse_area = (1.0 / area(&corners.map(|corner| corner.place))) as f32;
        let record = record::Triangle { vertices, state, inverse_area, compare, cull: Cull::None };
        let address = self.put(&record.write());
        self.list.push(Entry::Triangle(part, address));
        address
    }

    /// Puts lists and the frame.
    pub(super) fn finish(&mut self) {
        let words = |entries: &[Entry]| -> Vec<u8> {
            entries.iter().flat_map(|entry| entry.to_word().to_le_bytes()).collect()
        };
        let mut list = self.list.clone();
        list.push(Entry::End);
        let list = self.put(&words(&list));
        let [across, down] = self.frame.tiles_across();
        self.frame.tiles = self.put(&words(&vec![Entry::Jump(list); (across * down) as usize]));
        self.address = self.put(&self.frame.write());
    }

    /// Draws what was put, into a memory of zeros from [`PICTURE`] on.
    pub(super) fn draw(&self) -> (Vec<u8>, Result<Counts, Fault>) {
        let bytes = self.frame.picture_pitch * (self.frame.height_less_one + 1);
        let mut picture = vec![0; bytes as usize];
        let image = MemoryImage::new(0, &self.bytes);
        let drawn = draw(&image, self.address, &Build::preset(), |address, bytes| {
            let start = address.checked_sub(PICTURE).ok_or(LineError)? as usize;
            picture.get_mut(start..start + bytes.len()).ok_or(LineError)?.copy_from_slice(bytes);
            Ok(())
        });
        (picture, drawn)
    }

    /// The same, of a frame without faults.
    pub(super) fn drawn(mut self) -> (Vec<u8>, Counts) {
        self.finish();
        let (picture, drawn) = self.draw();
        (picture, drawn.unwrap_or_else(|fault| panic!("{fault}")))
    }
}

/// C of three places, exactly: an fp64 holds it.
fn area(places: &[[i32; 2]; 3]) -> f64 {
    let [[x0, y0], [x1, y1], [x2, y2]] = places.map(|place| place.map(i64::from));
    ((x1 - x2) * (y1 - y0) - (y1 - y2) * (x1 - x0)) as f64 / 256.0
}

/// A pixel of a picture of four bytes a pixel.
pub(super) fn pixel(scene_pitch: u32, picture: &[u8], x: u32, y: u32) -> [u8; 4] {
    let start = (y * scene_pitch + 4 * x) as usize;
    *picture[start..].first_chunk().unwrap()
}
