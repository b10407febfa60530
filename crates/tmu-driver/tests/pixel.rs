//! Frames of the driver through the golden model, and what it refuses.

use proptest::prelude::*;
use tmu_driver::pixel::{
    Corner, Error, Frame, Light, Lists, Matrix, Part, Settings, State, TileSize, Triangle, Viewport, lit,
};
use tmu_model::pixel::hidden_surfaces::{Area, Coverage};
use tmu_model::pixel::tile_fetch::{self, TileFetch, Triangle as Listed};
use tmu_model::pixel::{Build, draw};
use tmu_model::{Memory, MemoryImage};
use tmu_spec::pixel::Cull;

const BASE: u32 = 0x4000;
const PICTURE: u32 = 0x100_0000;
const WIDTH: u32 = 72;
const HEIGHT: u32 = 40;

fn program(lines: &str) -> Vec<u8> {
    tmu_shader::read_text(&format!("ps_1_4\n{}\n", lines.replace('|', "\n"))).unwrap().encode()
}

fn settings(tile: TileSize) -> Settings {
    let settings = Settings::new(WIDTH, HEIGHT);
    Settings { tile, picture: PICTURE, clear_color: [0; 4], ..settings }
}

/// Puts opaque triangles with colours; gives memory and the address of the frame.
fn put(triangles: &[[Corner; 3]], tile: TileSize) -> (Vec<u8>, u32) {
    let mut memory = vec![0; 1 << 20];
    let mut lists = vec![Lists::EMPTY; 512];
    let mut frame = Frame::new(&mut memory, BASE, &mut lists, settings(tile), &[]).unwrap();
    let address = frame.program(&program("mov r0, v0")).unwrap();
    let state = frame.state(&State { has_colors: true, ..State::new(address) }).unwrap();
    for corners in triangles {
        frame.triangle(&Triangle::new(Part::Opaque, state), corners).unwrap();
    }
    let address = frame.finish().unwrap();
    (memory, address)
}

fn picture(memory: &[u8], frame: u32) -> Vec<[u8; 4]> {
    let mut picture = vec![0; (WIDTH * HEIGHT * 4) as usize];
    let drawn = draw(&MemoryImage::new(BASE, memory), frame, &Build::preset(), |address, bytes| {
        let start = (address - PICTURE) as usize;
        picture[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    });
    drawn.unwrap_or_else(|fault| panic!("{fault}"));
    picture.chunks(4).map(|pixel| *pixel.first_chunk().unwrap()).collect()
}

/// A corner anywhere, behind the eye and outside the guard band too.
fn corner() -> impl Strategy<Value = Corner> {
    let near = prop::array::uniform4(-3.0f32..3.0);
    let far = (prop::array::uniform2(-1000.0f32..1000.0), -0.5f32..1.0, 0.001f32..1.5)
        .prop_map(|([x, y], z, w)| [x, y, z, w]);
    prop_oneof![3 => near, 1 => far].prop_map(|place| Corner { place, ..Corner::default() })
}

/// The weights of the corners at a pixel's centre, and the depth there times w, in doubles; none of a triangle seen from its edge.
fn weights(corners: &[Corner; 3], x: u32, y: u32) -> Option<([f64; 3], f64)> {
    let (half_width, half_height) = (f64::from(WIDTH) / 2.0, f64::from(HEIGHT) / 2.0);
    let at = |corner: &Corner| {
        let [x, y, z, w] = corner.place.map(f64::from);
        ([x * half_width + w * half_width, w * half_height - y * half_height, w], z)
    };
    let [a, b, c] = corners.each_ref().map(at);
    let cross = |[a, b, c]: [f64; 3], [d, e, f]: [f64; 3]| [b * f - c * e, c * d - a * f, a * e - b * d];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let determinant = dot(a.0, cross(b.0, c.0));
    if determinant.abs() < 1e-3 {
        return None;
    }
    let point = [f64::from(x) + 0.5, f64::from(y) + 0.5, 1.0];
    let weights = [cross(b.0, c.0), cross(c.0, a.0), cross(a.0, b.0)].map(|of| dot(point, of) / determinant);
    Some((weights, weights[0] * a.1 + weights[1] * b.1 + weights[2] * c.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is drawn is what rays through the pixels meet, in front of the eye and beyond the near plane; those that nearly miss are left out.
    #[test]
    fn clipped_triangles_are_where_they_were(corners in [corner(), corner(), corner()]) {
        let (memory, frame) = put(&[corners], TileSize::Square32);
        let picture = picture(&memory, frame);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let Some((weights, z)) = weights(&corners, x, y) else { continue };
                // Weights around this one: corners are rounded to 1/16 of a pixel, and slivers move more.
                let around = [[0, 1], [1, 0], [2, 1], [1, 2]].map(|[dx, dy]: [u32; 2]| {
                    weights_at(&corners, x + dx, y + dy)
                });
                let is_near_edge = around.iter().flatten().any(|(other, depth)| {
                    other.iter().zip(&weights).any(|(a, b)| (*a > 0.0) != (*b > 0.0)) || (*depth >= 0.0) != (z >= 0.0)
                        || (*depth >= 1.0) != (z >= 1.0)
                });
                if is_near_edge {
                    continue;
                }
                let expected = weights.iter().all(|weight| *weight > 0.0) && (0.0..=1.0).contains(&z);
                let got = picture[(y * WIDTH + x) as usize] != [0; 4];
                prop_assert_eq!(got, expected, "pixel {}, {}: weights {:?}, depth {}", x, y, weights, z);
            }
        }
    }

    /// Lists leave out no tile in which a triangle covers a pixel, and what is seen does not depend on them.
    #[test]
    fn lists_have_what_tiles_need(triangles in prop::collection::vec([corner(), corner(), corner()], 1..40)) {
        let (memory, expected) = put(&triangles, TileSize::Square64);
        let expected = picture(&memory, expected);
        for tile in [TileSize::Square16, TileSize::Square32, TileSize::Row32] {
            let (memory, address) = put(&triangles, tile);
            prop_assert!(picture(&memory, address) == expected, "{:?}", tile);
            let image = MemoryImage::new(BASE, &memory[..]);
            let frame = tile_fetch::frame(&image, address).unwrap();
            let mut fetch = TileFetch::new(&image, frame);
            let [across, down] = tile.tiles(WIDTH, HEIGHT);
            let lists: Vec<_> = (0..across * down).map(|number| all_listed(&mut fetch, number)).collect();
            for triangle in lists.iter().flatten() {
                let Some(coverage) = Coverage::new(&triangle.positions, Cull::None) else { continue };
                coverage.for_each(&Area { start: [0, 0], end: [WIDTH, HEIGHT] }, |x, y| {
                    let [columns, rows] = tile.pixels();
                    let list = &lists[(y / rows * across + x / columns) as usize];
                    assert!(list.iter().any(|other| other.record == triangle.record), "{x}, {y} in {tile:?}");
                });
            }
        }
    }
}

/// The triangles of a tile's list.
fn all_listed<M: Memory>(fetch: &mut TileFetch<'_, M>, tile: u32) -> Vec<Listed> {
    let mut list = fetch.list(tile);
    std::iter::from_fn(|| fetch.next(&mut list).unwrap().map(|listed| fetch.triangle(listed).unwrap()))
        .collect()
}

/// The same a pixel further up and to the left, so that neighbours on all sides can be named.
fn weights_at(corners: &[Corner; 3], x: u32, y: u32) -> Option<([f64; 3], f64)> {
    let middle = weights(corners, x, y)?;
    let back = weights(corners, x + 1, y + 1)?;
    let whole = [0, 1, 2].map(|at| 2.0 * middle.0[at] - back.0[at]);
    Some((whole, 2.0 * middle.1 - back.1))
}

#[test]
fn lists_go_on_in_new_blocks_and_parts() {
    let mut memory = vec![0; 1 << 18];
    let mut lists = vec![Lists::EMPTY; 6];
    let mut frame = Frame::new(&mut memory, BASE, &mut lists, settings(TileSize::Square32), &[]).unwrap();
    let address = frame.program(&program("mov r0, v0")).unwrap();
    let state = frame.state(&State { has_colors: true, ..State::new(address) }).unwrap();
    let corner = |x: f32, y: f32, red: f32| Corner {
        place: [x, y, 0.5, 1.0],
        colors: [[red, 0.0, 0.0, 255.0], [0.0; 4]],
        ..Corner::default()
    };
    // Parts in any order, each with more triangles than a block or two have entries.
    let counts = [(Part::Translucent, 15), (Part::Opaque, 16), (Part::PunchThrough, 47)];
    for number in 0..47 {
        for (part, _) in counts.iter().filter(|(_, count)| number < *count) {
            let red = number as f32;
            let corners = [corner(-1.0, -1.0, red), corner(3.0, -1.0, red), corner(-1.0, 3.0, red)];
            frame.triangle(&Triangle::new(*part, state), &corners).unwrap();
        }
    }
    assert_eq!(frame.triangles(), 78);
    let address = frame.finish().unwrap();
    let image = MemoryImage::new(BASE, &memory[..]);
    let record = tile_fetch::frame(&image, address).unwrap();
    // 78 triangles, jumps to blocks: 0, 1 and 3; jumps to parts: 2; the end.
    assert_eq!(record.list_limit, 78 + 4 + 2 + 1);
    let mut fetch = TileFetch::new(&image, record);
    for tile in 0..6 {
        let found = all_listed(&mut fetch, tile);
        // Colours stand behind the place of a vertex.
        let red = |triangle: &Listed| memory[(triangle.record.vertices[0] - BASE) as usize + 16];
        let reds: Vec<_> = found.iter().map(red).collect();
        assert_eq!(reds, (0..16).chain(0..47).chain(0..15).collect::<Vec<u8>>(), "tile {tile}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |change: fn(&mut Settings), base: u32, tiles: usize, bytes: usize| {
        let mut settings = settings(TileSize::Square32);
        change(&mut settings);
        let (mut memory, mut lists) = (vec![0; bytes], vec![Lists::EMPTY; tiles]);
        Frame::new(&mut memory, base, &mut lists, settings, &[]).and_then(Frame::finish).err()
    };
    let table = [
        (refused(|_| (), BASE, 6, 4096), None),
        (refused(|_| (), BASE, 6, 95), Some(Error::Memory)),
        (refused(|_| (), 0xffff_fff0, 6, 4096), Some(Error::Memory)),
        (refused(|_| (), BASE, 5, 4096), Some(Error::Lists)),
        (refused(|_| (), BASE + 8, 6, 4096), Some(Error::Base)),
        (refused(|_| (), 0, 6, 4096), Some(Error::Base)),
        (refused(|settings| settings.width = 0, BASE, 6, 4096), Some(Error::Size)),
        (refused(|settings| settings.height = 4097, BASE, 6, 4096), Some(Error::Size)),
        (refused(|settings| settings.picture_pitch = 272, BASE, 6, 4096), Some(Error::Picture)),
        (refused(|settings| settings.picture += 4, BASE, 6, 4096), Some(Error::Picture)),
        (refused(|settings| settings.depth = Some([0, 256]), BASE, 6, 4096), Some(Error::Picture)),
        (refused(|settings| settings.output = 3, BASE, 6, 4096), Some(Error::Code)),
    ];
    for (number, (got, expected)) in table.into_iter().enumerate() {
        assert_eq!(got, expected, "case {number}");
    }
    let (mut memory, mut lists) = (vec![0; 4096], vec![Lists::EMPTY; 6]);
    let mut frame = Frame::new(&mut memory, BASE, &mut lists, settings(TileSize::Square32), &[]).unwrap();
    assert_eq!(frame.program(b"ps_1_4"), Err(Error::Program));
    let state = State::new(BASE);
    let table = [
        (State { sets: 7, ..state }, Error::Sets),
        (State { program: 8, ..state }, Error::Alignment),
        (State { textures: [0, 1, 0, 0, 0, 0], ..state }, Error::Textures),
        (State { blend: 5, ..state }, Error::Code),
        (State { alpha_compare: 8, ..state }, Error::Code),
    ];
    for (state, expected) in table {
        assert_eq!(frame.state(&state), Err(expected));
    }
    let state = frame.state(&state).unwrap();
    let how = Triangle { cull: 3, ..Triangle::new(Part::Opaque, state) };
    assert_eq!(frame.triangle(&how, &[Corner::default(); 3]), Err(Error::Code));
}

#[test]
fn colors_and_places_by_hand() {
    let up = Light { direction: [0.0, 1.0, 0.0], color: [0.5, 0.25, 2.0] };
    let table = [
        ([0.0, 1.0, 0.0], [120, 70, 200, 9]),
        ([0.0, -1.0, 0.0], [20, 20, 20, 9]),
        ([0.0, 0.5, 0.0], [70, 45, 200, 9]),
    ];
    for (normal, expected) in table {
        assert_eq!(lit([200, 200, 200, 9], normal, [0.1; 3], &[up]), expected, "{normal:?}");
    }
    let moved =
        Matrix([[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0], [0.0, 0.0, 0.0, 1.0]]);
    let turned =
        Matrix([[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
    assert_eq!(moved.after(&turned).place([1.0, 2.0, 3.0, 1.0]), [3.0, 7.0, 10.0, 1.0]);
    assert_eq!(turned.after(&moved).place([1.0, 2.0, 3.0, 1.0]), [-8.0, 6.0, 10.0, 1.0]);
    assert_eq!(Matrix::IDENTITY.after(&moved), moved);
    let viewport = Viewport { corner: [10.0, 20.0], size: [100.0, 50.0] };
    assert_eq!(viewport.pixels([-1.0, 1.0, 0.25, 1.0]), [10.0, 20.0, 0.25, 1.0]);
    assert_eq!(viewport.pixels([2.0, -2.0, 0.5, 2.0]), [220.0, 140.0, 0.5, 2.0]);
}
