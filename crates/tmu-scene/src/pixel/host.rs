//! The host's part: meshes to a frame in memory.
//!
//! Memory is the scene's textures from address 0, then what the driver puts. The picture lies behind both.

use glam::{DMat4, DVec4};
use tmu_driver::pixel::{
    Corner, Error, Frame, Light, Lists, Matrix, Part, Settings, State, TEXTURE_WORDS, TileSize, Triangle, lit,
};
use tmu_spec::general::{Binding, CompareOp, Kind};
use tmu_spec::pixel::Blend;

use crate::camera::Camera;
use crate::frame::Frame as Picture;
use crate::mapping::Placement;
use crate::scene::{Facing, ImageSize, PixelDraw, PixelScene};

/// Where the driver may begin: nothing of a frame stands at 0.
const PAGE: usize = 4096;
/// The memory that the driver is given at first, and at most.
const FIRST_BYTES: usize = 1 << 20;
const MOST_BYTES: usize = 1 << 30;
/// Bytes of a pixel of the picture.
pub(super) const PIXEL_BYTES: usize = 4;

/// A scene in memory, as the pipeline draws it.
#[derive(Debug, Clone)]
pub struct PixelFrame {
    /// Textures, then the frame, from address 0 on.
    pub memory: Vec<u8>,
    /// Address of its record.
    pub address: u32,
    /// Address of the picture, behind all of it: RGBA8.
    pub picture: u32,
    /// Pixels of the picture.
    pub size: ImageSize,
    /// Triangles that it has, pieces of clipped ones among them.
    pub triangles: u32,
    /// Bytes of triangles, vertices and states.
    pub geometry_bytes: u64,
}

impl PixelFrame {
    /// Bytes of a row of the picture.
    #[must_use]
    pub fn pitch(&self) -> usize {
        (PIXEL_BYTES * self.size.width() as usize).next_multiple_of(16)
    }

    /// Bytes of the picture.
    #[must_use]
    pub fn picture_bytes(&self) -> usize {
        self.pitch() * self.size.height() as usize
    }

    /// The picture of its bytes.
    #[must_use]
    pub fn rgb(&self, picture: &[u8]) -> Picture {
        let row = PIXEL_BYTES * self.size.width() as usize;
        let rows = picture.chunks(self.pitch()).take(self.size.height() as usize);
        let mut rgb = Vec::with_capacity(3 * self.size.width() as usize * self.size.height() as usize);
        for color in rows.flat_map(|bytes| bytes[..row].chunks_exact(PIXEL_BYTES)) {
            rgb.extend_from_slice(&color[..3]);
        }
        Picture::new(self.size, rgb)
    }
}

/// Puts a scene into memory, and gives as much of it as that needs. `size` may differ from the scene's own; the vertical field of view stays.
///
/// # Errors
/// If the frame does not fit memory.
pub fn put_pixel(scene: &PixelScene, size: ImageSize, tile: TileSize) -> Result<PixelFrame, Error> {
    let base = scene.memory.len().next_multiple_of(PAGE).max(PAGE);
    let mut bytes = FIRST_BYTES;
    loop {
        let mut memory = scene.memory.clone();
        memory.resize(base + bytes, 0);
        let picture = memory.len().next_multiple_of(PAGE) as u32;
        match frame(scene, (size, tile, picture), &mut memory[base..], base as u32) {
            Ok((address, triangles, geometry_bytes)) => {
                return Ok(PixelFrame { memory, address, picture, size, triangles, geometry_bytes });
            }
            Err(Error::Memory) if bytes < MOST_BYTES => bytes *= 4,
            Err(error) => return Err(error),
        }
    }
}

/// A binding as the driver takes it.
fn words(binding: &Binding) -> [u32; TEXTURE_WORDS] {
    let words = binding.words();
    std::array::from_fn(|at| (words[at / 4] >> (32 * (at % 4))) as u32)
}

/// Puts a frame; gives the address of its record, its triangles and the bytes of all but lists.
fn frame(
    scene: &PixelScene,
    (size, tile, picture): (ImageSize, TileSize, u32),
    memory: &mut [u8],
    base: u32,
) -> Result<(u32, u32, u64), Error> {
    let [r, g, b] = scene.background;
    let settings =
        Settings { tile, picture, clear_color: [r, g, b, 255], ..Settings::new(size.width(), size.height()) };
    let [across, down] = tile.tiles(size.width(), size.height());
    let mut lists = vec![Lists::EMPTY; (across * down) as usize];
    let store: Vec<_> = scene.store.iter().map(|entry| words(&entry.binding)).collect();
    let mut frame = Frame::new(memory, base, &mut lists, settings, &store)?;
    let to_clip = clip_matrix(&scene.camera, size);
    for draw in &scene.draws {
        mesh(&mut frame, scene, draw, &to_clip)?;
    }
    let (triangles, bytes) = (frame.triangles(), frame.record_bytes() as u64);
    Ok((frame.finish()?, triangles, bytes))
}

/// From the scene to −1 … 1 on the screen; depth grows from 0 at the near plane towards 1, far away.
fn clip_matrix(camera: &Camera, size: ImageSize) -> DMat4 {
    let forward = (camera.target - camera.position).normalize();
    let right = forward.cross(camera.up).normalize();
    let row = |axis: glam::DVec3| axis.extend(-axis.dot(camera.position));
    let focal = 1.0 / libm::tan(camera.vertical_fov / 2.0);
    let ahead = row(forward);
    let across = focal * f64::from(size.height()) / f64::from(size.width());
    let rows =
        [row(right) * across, row(right.cross(forward)) * focal, ahead - DVec4::W * camera.near, ahead];
    DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
}

/// A matrix of the driver's.
fn singles(matrix: DMat4) -> Matrix {
    Matrix([0, 1, 2, 3].map(|row| matrix.row(row).to_array().map(|value| value as f32)))
}

/// The part of the lists that a mesh belongs to.
fn part(draw: &PixelDraw) -> Part {
    if draw.blend != Blend::None {
        Part::Translucent
    } else if draw.program.is_punch_through() || draw.alpha_test != CompareOp::Always {
        Part::PunchThrough
    } else {
        Part::Opaque
    }
}

/// Which triangles are not drawn, by their code. Front faces are counter-clockwise to who looks at them.
fn cull(facing: Facing) -> u32 {
    match facing {
        Facing::None => 0,
        Facing::Back => 1,
        Facing::Front => 2,
    }
}

/// The stages whose textures have two coordinates, bit n for the n-th.
fn flat_textures(scene: &PixelScene, draw: &PixelDraw) -> u8 {
    let is_flat = |place: u8| {
        let entry = scene.store.get(usize::from(place));
        entry.is_some_and(|entry| matches!(entry.binding.texture.shape().kind, Kind::D1 | Kind::D2))
    };
    (0..).zip(draw.textures).fold(0, |flat, (stage, place)| flat | u8::from(is_flat(place)) << stage)
}

fn mesh(frame: &mut Frame<'_>, scene: &PixelScene, draw: &PixelDraw, to_clip: &DMat4) -> Result<(), Error> {
    let program = frame.program(&draw.program.encode_for(flat_textures(scene, draw)))?;
    let state = frame.state(&State {
        blend: draw.blend as u32,
        alpha_compare: draw.alpha_test as u32,
        alpha_reference: draw.alpha_reference,
        sets: draw.sets.len() as u32,
        has_colors: true,
        textures: draw.textures,
        bump: [draw.bump; 6],
        constants: draw.constants,
        ..State::new(program)
    })?;
    let how =
        Triangle { compare: draw.depth as u32, cull: cull(draw.cull), ..Triangle::new(part(draw), state) };
    let transform = singles(*to_clip * draw.to_scene);
    let placement = Placement::new(draw.to_scene, scene.camera.position);
    let lights: Vec<_> = scene.lights.iter().map(light).collect();
    let order = if draw.to_scene.determinant() < 0.0 { [0, 2, 1] } else { [0, 1, 2] };
    for (corners, normals) in draw.mesh.triangles.iter().zip(&draw.normals) {
        let corners = order.map(|corner: usize| {
            let vertex = &draw.mesh.vertices[corners[corner] as usize];
            let normal = normals[corner];
            let mut made = Corner {
                place: transform.place(vertex.position.to_array().map(|value| value as f32)),
                ..Corner::default()
            };
            let facing = placement.facing(normal).to_array().map(|value| value as f32);
            made.colors[0] =
                lit(draw.color, facing, scene.ambient.map(|value| value as f32), &lights).map(f32::from);
            for (set, mapping) in made.coordinates.iter_mut().zip(&draw.sets) {
                let (uv, [a, b, c, d]) = mapping.values(vertex, normal, &placement);
                let found = mapping.coordinates([uv.x, uv.y, a, b, c, d]);
                *set = [found.u, found.v, found.w, 1.0].map(|value| value as f32);
            }
            made
        });
        frame.triangle(&how, &corners)?;
    }
    Ok(())
}

fn light(light: &crate::scene::Light) -> Light {
    let singles = |values: [f64; 3]| values.map(|value| value as f32);
    Light { direction: singles(light.direction.to_array()), color: singles(light.color) }
}
