//! `grouping` against `tmu_model::pixel::grouping`: tiles of triangles that hide each other, of one, of none, of single pixels; and how
//! many clocks they take.

use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_model::pixel::grouping::{self, NONE};
use tmu_model::pixel::hidden_surfaces::Area;
use tmu_rtl::engines::pixel::grouping::Grouping;
use tmu_rtl::engines::pixel::words::{FoundWord, QuadWord, TileShape};
use tmu_spec::pixel::BATCH_TRIANGLES;
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn full() {
    tiles("pixel_grouping", TileShape::FULL, 60);
}

#[test]
pub(crate) fn lite() {
    tiles("pixel_grouping of small tiles", TileShape::LITE, 200);
}

#[test]
fn other_tiles() {
    tiles("pixel_grouping of large tiles", TileShape::LARGE, 12);
    tiles("pixel_grouping of four rows", TileShape::ROWS, 200);
}

/// Triangles in a tile of the random tests at most.
const TRIANGLES: u32 = BATCH_TRIANGLES as u32;

/// The triangle that is seen at each pixel.
#[derive(Clone, Debug)]
struct Seen(Vec<u32>);

impl Seen {
    fn any(check: &mut Check, shape: &TileShape) -> Seen {
        let (width, height) = (shape.width(), shape.height());
        let mut seen = vec![NONE; width * height];
        let (rectangles, largest) = match check.rng.random_range(0..5) {
            0 => (0, 1),
            1 => (1, width),
            2 => (width * height, 1),
            3 => (40, 8),
            _ => (8, width),
        };
        for _ in 0..rectangles {
            let triangle = check.rng.random_range(0..TRIANGLES);
            let mut span = |side: usize| {
                let start = check.rng.random_range(0..side);
                start..(start + check.rng.random_range(1..=largest)).min(side)
            };
            let (columns, rows) = (span(width), span(height));
            for row in rows {
                seen[row * width..][columns.clone()].fill(triangle);
            }
        }
        Seen(seen)
    }

    /// What is found, in any order, some of it twice.
    fn found(&self, check: &mut Check, shape: &TileShape) -> Vec<(u32, usize, u64)> {
        let mut found = vec![];
        for (place, pixels) in self.0.chunks(shape.lanes()).enumerate() {
            let mut triangles: Vec<u32> = pixels.iter().copied().filter(|own| *own != NONE).collect();
            triangles.sort_unstable();
            triangles.dedup();
            for triangle in triangles {
                let own = pixels.iter().enumerate().filter(|(_, own)| **own == triangle);
                let mask = own.fold(0u64, |mask, (lane, _)| mask | 1 << lane);
                if check.one_in(4) {
                    found.push((check.rng.random_range(0..TRIANGLES), place, mask));
                }
                found.push((triangle, place, mask));
            }
        }
        found
    }
}

/// A quad, or the end.
#[derive(Clone, Debug, PartialEq)]
struct Expected {
    triangle: u32,
    corner: [u32; 2],
    mask: u8,
    starts: bool,
}

fn expected(seen: &Seen, shape: &TileShape) -> Vec<Option<Expected>> {
    let area = Area { start: [0; 2], end: [shape.width() as u32, shape.height() as u32] };
    let groups = grouping::group(&area, &seen.0, TRIANGLES as usize);
    let quads = groups.iter().flat_map(|(triangle, quads)| {
        quads.iter().enumerate().map(|(place, quad)| {
            let grouping::Quad { corner, mask } = *quad;
            Some(Expected { triangle: *triangle, corner, mask, starts: place == 0 })
        })
    });
    quads.chain([None]).collect()
}

fn got(shape: &TileShape, data: Bits) -> Option<Expected> {
    let word = QuadWord::of(shape).unpack(data);
    (!is_high(word.is_end)).then(|| Expected {
        triangle: word.number.to_u64() as u32,
        corner: [word.column, word.row].map(|half| 2 * half.to_u64() as u32),
        mask: word.mask.to_u64() as u8,
        starts: is_high(word.starts),
    })
}

/// The stage and what it owes.
struct Bench {
    rig: Rig<Grouping>,
    shape: TileShape,
    owed: Flow<Option<Expected>>,
}

impl Bench {
    fn new(name: &str, shape: TileShape) -> Bench {
        Bench { rig: Rig::new(name, Grouping::new(&shape)), shape, owed: Flow::default() }
    }

    fn clock(&mut self, check: &mut Check, ready: bool) {
        self.rig.quads.ready.drive(ready);
        self.rig.settle();
        if ready && is_high(self.rig.quads.valid.val()) {
            let expected = self.owed.next(check);
            check.same("quad", got(&self.shape, self.rig.quads.data.val()), expected);
        }
        self.rig.tick();
    }

    fn put(&mut self, (triangle, place, mask): (u32, usize, u64)) {
        let shape = &self.shape;
        self.rig.found_valid.drive(true);
        self.rig.found.drive(FoundWord {
            number: number(shape.number_bits, triangle),
            place: number(shape.place_bits(), place as u64),
            mask: number(shape.lanes(), mask),
        });
    }

    /// Waits until the tile before has left, then begins with the one that was found; gives the clocks.
    fn start(&mut self, check: &mut Check, pause: u32) -> u32 {
        self.rig.start.drive(true);
        let mut clocks = 0;
        loop {
            self.rig.settle();
            let is_ready = is_high(self.rig.start_ready.val());
            let ready = pause == 0 || !check.one_in(pause);
            self.clock(check, ready);
            clocks += 1;
            if is_ready {
                break;
            }
            check.holds(clocks < 100_000, "it ends");
        }
        self.rig.start.drive(false);
        clocks
    }
}

fn tiles(name: &str, shape: TileShape, count: usize) {
    let mut check = Check::new(name);
    let mut bench = Bench::new(&format!("grouping_{}", shape.width()), shape);
    bench.start(&mut check, 0);
    bench.owed.put(None);
    for place in 0..count {
        let pause = [2, 5, 0][place % 3];
        let seen = Seen::any(&mut check, &shape);
        for found in seen.found(&mut check, &shape) {
            bench.put(found);
            let ready = !check.one_in(3);
            bench.clock(&mut check, ready);
            bench.rig.found_valid.drive(false);
            if check.one_in(4) {
                bench.clock(&mut check, ready);
            }
        }
        bench.start(&mut check, pause);
        expected(&seen, &shape).into_iter().for_each(|quad| bench.owed.put(quad));
    }
    bench.start(&mut check, 0);
    bench.owed.put(None);
    (0..500).for_each(|_| bench.clock(&mut check, true));
    bench.owed.is_done(&mut check);
    check.at_least(4 * count as u64);
}

/// Clocks from the start of a tile to the next one, of triangles that cover two columns from the top to the bottom each.
#[test]
fn clocks_of_tiles() {
    let shape = TileShape::FULL;
    for (columns, clocks) in [(32, 313), (8, 334), (2, 418)] {
        let mut check = Check::new("pixel_grouping clocks");
        let mut bench = Bench::new("grouping_32", shape);
        bench.start(&mut check, 0);
        bench.owed.put(None);
        let seen = Seen((0..1024).map(|pixel| pixel % 32 / columns).collect());
        for found in seen.found(&mut check, &shape) {
            bench.put(found);
            bench.clock(&mut check, true);
        }
        bench.rig.found_valid.drive(false);
        bench.start(&mut check, 0);
        expected(&seen, &shape).into_iter().for_each(|quad| bench.owed.put(quad));
        let taken = bench.start(&mut check, 0);
        check.same(format_args!("clocks of triangles of {columns} columns"), taken, clocks);
    }
}
