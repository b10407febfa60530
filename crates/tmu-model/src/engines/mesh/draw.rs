//! A job on memory, pixel by pixel.

use super::address::{Footprint, footprint};
use super::blend::blend;
use super::coordinate::{frame_address, limited};
use super::filter::filter;
use super::interpolate::{Rectangle, step_point};
use super::job::{Job, Refusal};
use super::shade::shade;
use super::vertices::{Point, point, point_address};
use tmu_spec::LINE_BYTES;

/// What a job has done, as the hardware counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pixels drawn.
    pub drawn: u64,
    /// Pixels left out: outside the frame buffer, or of the key's colour.
    pub left_out: u64,
}

/// Lines of memory that a job cannot do without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines of the texture, each once.
    pub texture: u64,
    /// Lines of the frame buffer under its pixels, each once; those of the key's colour are among them.
    pub frame: u64,
}

/// Memory from an address on.
struct Memory<'a> {
    base: u32,
    bytes: &'a mut [u8],
}

impl Memory<'_> {
    const fn place(&self, address: u32) -> usize {
        address.wrapping_sub(self.base) as usize
    }

    fn word(&self, address: u32) -> u32 {
        let place = self.place(address);
        u32::from_le_bytes(self.bytes[place..place + 4].try_into().expect("four bytes"))
    }

    fn pixel(&self, address: u32) -> u16 {
        let place = self.place(address);
        u16::from_le_bytes([self.bytes[place], self.bytes[place + 1]])
    }

    fn write(&mut self, address: u32, color: u16) {
        let place = self.place(address);
        self.bytes[place..place + 2].copy_from_slice(&color.to_le_bytes());
    }
}

/// The points of a job's mesh, row by row.
fn points(job: &Job, memory: &Memory<'_>) -> Vec<Point> {
    let at = |x, y| point_address(job.vertices, x, y);
    let read = |address: u32| point([memory.word(address), memory.word(address.wrapping_add(4))]);
    let rows = 0..=job.vmeshlast;
    rows.flat_map(|y| (0..=job.hmeshlast).map(move |x| (x, y))).map(|(x, y)| read(at(x, y))).collect()
}

/// Visits the pixels that lie in the frame buffer: where they are drawn, and what they are drawn from.
fn walk(job: &Job, points: &[Point], mut visit: impl FnMut(u32, &Footprint)) {
    let (width, height) = (job.rectangle_width, job.rectangle_height);
    let first = |offset: i32, number: u32, size: u32| i64::from(offset) + i64::from(number) * i64::from(size);
    let row_points = job.hmeshlast + 1;
    for j in 0..job.vmeshlast {
        for i in 0..job.hmeshlast {
            let corner = |x: u32, y: u32| points[((j + y) * row_points + i + x) as usize];
            let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            let rectangle = Rectangle { corners, size: [width, height] };
            let (left, top) = (first(job.x_offset, i, width), first(job.y_offset, j, height));
            // A rectangle may be far larger than the frame buffer: only what lies in it is walked.
            let inside = |start: i64, size: u32, limit: u32| {
                let within = |at: i64| at.clamp(0, i64::from(size)) as u32;
                within(-start)..within(i64::from(limit) - start)
            };
            for y in inside(top, height, job.frame_height) {
                let [from, to] = rectangle.row(y);
                for x in inside(left, width, job.frame_width) {
                    let Some(address) = frame_address(job, left + i64::from(x), top + i64::from(y)) else {
                        continue;
                    };
                    let [u, v] = step_point(from, to, width, x);
                    let u = limited(u, job.mask_x, job.texture_width);
                    let v = limited(v, job.mask_y, job.texture_height);
                    visit(address, &footprint(job, u, v));
                }
            }
        }
    }
}

/// Draws a pixel. Gives whether it was, and not left out.
fn draw(job: &Job, memory: &mut Memory<'_>, address: u32, footprint: &Footprint) -> bool {
    let texels = footprint.taps.map(|tap| tap.map_or(0, |tap| memory.pixel(tap)));
    let filtered = filter(texels, footprint.fx, footprint.fy);
    let Some(color) = shade(filtered, job.key(), job.brightness) else { return false };
    let color =
        if job.reads_frame() { blend(color, memory.pixel(address), job.alpha, job.additive) } else { color };
    memory.write(address, color);
    true
}

impl Job {
    /// Does the job in a memory that begins at an address. Nothing happens to what a rule refuses.
    ///
    /// # Errors
    /// The rule that the job breaks.
    ///
    /// # Panics
    /// If a job that keeps the rules leaves the memory.
    pub fn run(&self, base: u32, memory: &mut [u8]) -> Result<Counts, Refusal> {
        self.check()?;
        let mut memory = Memory { base, bytes: memory };
        let points = points(self, &memory);
        let mut drawn = 0;
        walk(self, &points, |address, footprint| {
            drawn += u64::from(draw(self, &mut memory, address, footprint));
        });
        Ok(Counts { drawn, left_out: self.pixels() - drawn })
    }

    /// Lines of memory that the job cannot do without.
    ///
    /// # Errors
    /// The rule that the job breaks.
    ///
    /// # Panics
    /// If the mesh leaves the memory.
    pub fn lines(&self, base: u32, memory: &mut [u8]) -> Result<Lines, Refusal> {
        self.check()?;
        let points = points(self, &Memory { base, bytes: memory });
        // A mark for each line of either picture, counted from the line in which it begins.
        let marks = |address: u32, [width, height]: [u32; 2]| {
            vec![false; ((address % LINE_BYTES + 2 * width * height).div_ceil(LINE_BYTES)) as usize]
        };
        let line = |address: u32, start: u32| {
            (address.wrapping_sub(start - start % LINE_BYTES) / LINE_BYTES) as usize
        };
        let mut texture = marks(self.texture, [self.texture_width, self.texture_height]);
        let mut frame = marks(self.frame, [self.frame_width, self.frame_height]);
        walk(self, &points, |address, footprint| {
            footprint.taps.iter().flatten().for_each(|tap| texture[line(*tap, self.texture)] = true);
            frame[line(address, self.frame)] = true;
        });
        let count = |marks: Vec<bool>| marks.into_iter().filter(|is_used| *is_used).count() as u64;
        Ok(Lines { texture: count(texture), frame: count(frame) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngCore, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const BASE: u32 = 0x4000_0000;
    const TEXTURE: usize = 128 * 128 * 8;
    const FRAME: usize = TEXTURE + 2 * 64 * 64;

    /// Random texels and frame buffer, of 64 x 64 each, and a mesh whose points are given.
    fn memory(seed: u64, points: impl Fn(u32, u32) -> Point) -> Vec<u8> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut bytes = vec![0; FRAME + 2 * 64 * 64];
        random.fill_bytes(&mut bytes[TEXTURE..]);
        for y in 0..128 {
            for x in 0..128 {
                let place = point_address(0, x, y) as usize;
                for (word, value) in points(x, y).into_iter().enumerate() {
                    bytes[place + 4 * word..][..4].copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        bytes
    }

    fn job() -> Job {
        Job {
            hmeshlast: 4,
            vmeshlast: 4,
            vertices: BASE,
            texture: BASE + TEXTURE as u32,
            texture_width: 64,
            texture_height: 64,
            frame: BASE + FRAME as u32,
            frame_width: 64,
            frame_height: 64,
            ..Job::default()
        }
    }

    #[test]
    fn a_mesh_of_whole_texels_copies() {
        let mut bytes = memory(1, |x, y| [x, y].map(|at| (at * 16 * 64) as i32));
        let counts = job().run(BASE, &mut bytes).unwrap();
        assert_eq!(counts, Counts { drawn: 4096, left_out: 0 });
        // The last column and row of points lie outside the texture, but no pixel reaches them.
        assert!(bytes[TEXTURE..FRAME] == bytes[FRAME..]);
        assert_eq!(job().lines(BASE, &mut bytes).unwrap(), Lines { texture: 512, frame: 512 });
    }

    #[test]
    fn what_lies_outside_the_frame_buffer_is_left_out() {
        for (x_offset, y_offset, drawn) in
            [(60, -3, 4 * 61), (-63, 63, 1), (64, 0, 0), (i32::MIN, i32::MAX, 0)]
        {
            let mut bytes = memory(2, |x, y| [x, y].map(|at| (at * 1000) as i32));
            let before = bytes.clone();
            let counts = Job { x_offset, y_offset, ..job() }.run(BASE, &mut bytes).unwrap();
            assert_eq!(counts, Counts { drawn, left_out: 4096 - drawn });
            let changed = (0..4096_usize).filter(|pixel| {
                let at = FRAME + 2 * pixel;
                bytes[at..at + 2] != before[at..at + 2]
            });
            let outside = |pixel: usize| {
                let (column, row) = ((pixel % 64) as i64, (pixel / 64) as i64);
                let inside = |at: i64, offset: i32| (0..64).contains(&(at - i64::from(offset)));
                !inside(column, x_offset) || !inside(row, y_offset)
            };
            assert!(changed.into_iter().all(|pixel| !outside(pixel)));
            assert!(bytes[..FRAME] == before[..FRAME]);
        }
    }

    #[test]
    fn keyed_pixels_keep_what_was_there() {
        let mut bytes = memory(3, |x, y| [x, y].map(|at| (at * 16 * 64) as i32));
        for texel in (0..4096).step_by(3) {
            bytes[TEXTURE + 2 * texel..][..2].copy_from_slice(&0xf81f_u16.to_le_bytes());
        }
        let before = bytes.clone();
        let keyed = Job { chroma_key_enable: true, chroma_key: 0xf81f, alpha: 31, ..job() };
        let counts = keyed.run(BASE, &mut bytes).unwrap();
        assert_eq!(counts, Counts { drawn: 4096 - 1366, left_out: 1366 });
        for texel in (0..4096).step_by(3) {
            let at = FRAME + 2 * texel;
            assert_eq!(bytes[at..at + 2], before[at..at + 2]);
        }
    }

    #[test]
    fn a_refused_job_changes_nothing() {
        let mut bytes = memory(4, |_, _| [0, 0]);
        let before = bytes.clone();
        assert_eq!(Job { frame_width: 0, ..job() }.run(BASE, &mut bytes), Err(Refusal::FrameSize));
        assert!(bytes == before);
    }

    /// Any mesh, mask and size: nothing is read outside the texture, and nothing panics.
    #[test]
    fn no_mesh_leaves_the_texture() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..200 {
            let mut any = || [0; 2].map(|_| random.random_range(-(1 << 17)..1 << 17));
            let corners = [any(), any(), any(), any()];
            let mut bytes = memory(5, |x, y| corners[((x + 3 * y) % 4) as usize]);
            let job = Job {
                texture_width: random.random_range(1..=64),
                texture_height: random.random_range(1..=64),
                frame_width: random.random_range(1..=64),
                frame_height: random.random_range(1..=64),
                mask_x: random.random_range(0..1 << 18),
                mask_y: random.random_range(0..1 << 18),
                rectangle_width: random.random_range(1..=30),
                rectangle_height: random.random_range(1..=30),
                ..job()
            };
            let end = job.texture + 2 * job.texture_width * job.texture_height;
            let points = points(&job, &Memory { base: BASE, bytes: &mut bytes });
            walk(&job, &points, |_, footprint| {
                assert!(footprint.taps.iter().flatten().all(|tap| (job.texture..end).contains(tap)));
            });
        }
    }
}
