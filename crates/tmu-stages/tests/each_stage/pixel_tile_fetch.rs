//! `tile_fetch` of the pixel pipeline against `tmu_model::pixel::tile_fetch`: any frames, whole and damaged.

use crate::pixel_frames::{Answers, Put};
use crate::support::{is_high, number};
use rand::Rng;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::pixel::Fault;
use tmu_model::pixel::tile_fetch::{self, TileFetch as Model, Triangle};
use tmu_rtl::engines::pixel::reads::AskWord;
use tmu_rtl::engines::pixel::tile_fetch::TileFetch;
use tmu_rtl::engines::pixel::tile_fetch::words::{Order, OrderWord, TriangleWord};
use tmu_rtl::engines::pixel::words::TileShape;
use tmu_spec::pixel::{BATCH_TRIANGLES, FaultCode, Frame, Part};
use tmu_stages::{Check, Flow, Rig};

/// What leaves the stage.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    /// Depths of a tile are cleared: its column, its row, the last ones in the frame.
    Clear([u32; 4]),
    /// A triangle: its set of numbers, its number, its record's line, part, compare, cull; places; depths and 1/C.
    Triangle([u32; 6], [[i32; 2]; 3], [u32; 4]),
    /// The end of some.
    End,
    /// They are to be shaded.
    Batch(Part),
    TileEnd,
    FrameEnd,
    Fault(u8, u32),
}

fn of_triangle(set: usize, own: usize, triangle: &Triangle) -> Event {
    let Triangle { part, address, record, positions } = triangle;
    let [a, b, c] = positions.map(|position| position.z.to_bits());
    Event::Triangle(
        [set as u32, own as u32, address / 16, *part as u32, record.compare as u32, record.cull as u32],
        positions.map(|position| [position.x, position.y]),
        [a, b, c, record.inverse_area.to_bits()],
    )
}

/// What must leave, in order.
#[derive(Default)]
struct Expected {
    events: Vec<Event>,
    set: usize,
    own: usize,
}

impl Expected {
    fn end(&mut self, part: Part) {
        self.events.extend([Event::End, Event::Batch(part)]);
        (self.set, self.own) = (1 - self.set, 0);
    }

    fn frame(&mut self, put: &Put, shape: &TileShape) -> Result<(), Fault> {
        let frame = tile_fetch::frame(put, put.address)?;
        if frame.tile != shape.size() {
            return Err(Fault::new(FaultCode::Frame, put.address));
        }
        let mut model = Model::new(put, frame);
        let [across, down] = frame.tiles_across();
        for tile in 0..across * down {
            self.tile(&mut model, &frame, tile)?;
        }
        self.events.push(Event::FrameEnd);
        Ok(())
    }

    fn tile(&mut self, model: &mut Model<'_, Put>, frame: &Frame, tile: u32) -> Result<(), Fault> {
        let [across, _] = frame.tiles_across();
        let at = [tile % across, tile / across];
        let size = [frame.tile.width(), frame.tile.height()];
        let last = [0, 1].map(|axis| (frame.size()[axis] - 1 - at[axis] * size[axis]).min(size[axis] - 1));
        self.events.push(Event::Clear([at[0], at[1], last[0], last[1]]));
        let mut list = model.list(tile);
        let mut is_open = false;
        while let Some(listed) = model.next(&mut list)? {
            let is_opaque = listed.part == Part::Opaque;
            if is_open && (!is_opaque || self.own == BATCH_TRIANGLES) {
                self.end(Part::Opaque);
            }
            let triangle = model.triangle(listed)?;
            self.events.push(of_triangle(self.set, self.own, &triangle));
            self.own += 1;
            is_open = is_opaque;
            if !is_opaque {
                self.end(listed.part);
            }
        }
        if is_open {
            self.end(Part::Opaque);
        }
        self.events.push(Event::TileEnd);
        Ok(())
    }

    fn of(put: &Put, shape: &TileShape) -> Vec<Event> {
        let mut expected = Expected::default();
        if let Err(Fault { code, address }) = expected.frame(put, shape) {
            expected.events.push(Event::Fault(code as u8, address));
        }
        expected.events
    }
}

/// What the stage waits for: in how many clocks.
#[derive(Default)]
struct Pending {
    clearing: u32,
    found: Vec<u32>,
    batches: Vec<u32>,
    taken: Vec<u32>,
    tiles: Vec<u32>,
    /// Nothing may be looked at before all batches are shaded.
    is_held: bool,
}

struct Bench {
    rig: Rig<TileFetch>,
    shape: TileShape,
    answers: Answers,
    owed: Flow<Event>,
    pending: Pending,
}

/// Counts down; true for each that is done.
fn due(waits: &mut Vec<u32>) -> bool {
    waits.iter_mut().for_each(|clocks| *clocks = clocks.saturating_sub(1));
    let is_due = waits.first() == Some(&0);
    if is_due {
        waits.remove(0);
    }
    is_due
}

fn signed(bits: Bits) -> i32 {
    let above = 32 - bits.width() as u32;
    ((bits.to_u64() as u32) << above) as i32 >> above
}

impl Bench {
    fn clock(&mut self, check: &mut Check, put: &Put) {
        let rig = &mut self.rig;
        let came = self.answers.come(check, put);
        rig.came.valid.drive(came.is_some());
        rig.read_fails.drive(came.is_some_and(|came| came.bytes.is_err()));
        if let Some(came) = came {
            let bytes = came.bytes.unwrap_or([0xa5; 16]);
            rig.came.line.drive(Bits::constant(Value::from_u128(128, u128::from_le_bytes(bytes))));
            rig.came.ends.drive(came.ends);
            rig.failed_line.drive(number(28, u64::from(came.line)));
        }
        rig.ask.ready.drive(check.one_in(2));
        rig.triangles.ready.drive(check.one_in(2));
        rig.orders.ready.drive(check.one_in(2));
        rig.groups_ready.drive(check.one_in(3));
        rig.is_clearing.drive(self.pending.clearing > 0);
        self.pending.clearing = self.pending.clearing.saturating_sub(1);
        rig.is_found.drive(due(&mut self.pending.found));
        rig.batch_done.drive(due(&mut self.pending.batches));
        rig.batch_taken.drive(due(&mut self.pending.taken));
        rig.tile_done.drive(due(&mut self.pending.tiles));
        rig.settle();
        self.look(check);
        self.rig.tick();
    }

    fn look(&mut self, check: &mut Check) {
        let rig = &self.rig;
        let later = |check: &mut Check| check.rng.random_range(1..40);
        if is_high(rig.ask.valid.val()) && is_high(rig.ask.ready.val()) {
            let AskWord { line, more } = AskWord::shape().unpack(rig.ask.data.val());
            self.answers.ask(check, line.to_u64() as u32, more.to_u64() as u32 + 1);
        }
        if is_high(rig.clear.val()) {
            let tile = rig.tile.val();
            let at = [tile.column, tile.row, tile.last_column, tile.last_row];
            let expected = self.owed.next(check);
            check.same("tile", Event::Clear(at.map(|bits| bits.to_u64() as u32)), expected);
            check.holds(self.pending.tiles.len() < 3, "a tile begins while no three are shaded or written");
            self.pending.clearing = later(check);
        }
        if is_high(rig.triangles.valid.val()) && is_high(rig.triangles.ready.val()) {
            let word = TriangleWord::of(&self.shape).unpack(rig.triangles.data.val());
            let is_end = is_high(word.is_end);
            check.same("names", is_high(rig.names.val()), !is_end);
            if !is_end {
                check.holds(!self.pending.is_held || self.pending.batches.is_empty(), "depths are put first");
                self.pending.is_held = false;
                check.holds(
                    self.pending.taken.len() < 2,
                    "numbers of the last but one batch are looked up first",
                );
                let part = rig.part.val().to_u64() as u32;
                check.same("keeps", is_high(word.keeps), part == Part::Opaque as u32);
                check.same(
                    "number",
                    word.number.to_u64(),
                    rig.number.val().low(word.number.width()).to_u64(),
                );
            } else {
                self.pending.found.push(later(check));
            }
            let event = if is_end {
                Event::End
            } else {
                let bits = |bits: Bits| bits.to_u64() as u32;
                let set = rig.number.val().high(1);
                let [a, b, c] = word.setup.values;
                Event::Triangle(
                    [set, word.number, rig.record.val(), rig.part.val(), word.compare, word.cull].map(bits),
                    word.setup.places.map(|place| [signed(place.x), signed(place.y)]),
                    [a, b, c, word.setup.inverse].map(bits),
                )
            };
            let expected = self.owed.next(check);
            check.same("triangle", event, expected);
        }
        if is_high(rig.orders.valid.val()) && is_high(rig.orders.ready.val()) {
            let word = OrderWord::of(&self.shape).unpack(rig.orders.data.val());
            let part = [Part::Opaque, Part::PunchThrough, Part::Translucent]
                .into_iter()
                .find(|part| *part as u64 == word.part.to_u64());
            let event = match word.order.to_u64() {
                order if order == Order::Batch as u64 => {
                    self.pending.batches.push(later(check));
                    self.pending.taken.push(later(check));
                    self.pending.is_held = part == Some(Part::PunchThrough);
                    Event::Batch(part.unwrap_or_else(|| check.fail("a part")))
                }
                order if order == Order::TileEnd as u64 => {
                    self.pending.tiles.push(later(check));
                    Event::TileEnd
                }
                order if order == Order::FrameEnd as u64 => Event::FrameEnd,
                _ => {
                    let fault = rig.fault.val();
                    Event::Fault(fault.code.to_u64() as u8, fault.address.to_u64() as u32)
                }
            };
            let expected = self.owed.next(check);
            check.same("order", event, expected);
        }
    }

    /// Reads a frame.
    fn frame(&mut self, check: &mut Check, put: &Put) {
        Expected::of(put, &self.shape).into_iter().for_each(|event| self.owed.put(event));
        self.rig.address.drive(number(28, u64::from(put.address / 16)));
        self.rig.start.drive(true);
        self.clock(check, put);
        self.rig.start.drive(false);
        let mut clocks = 0;
        while !self.owed.is_empty() {
            self.clock(check, put);
            clocks += 1;
            if clocks > 200_000 {
                let owed = self.owed.next(check);
                check.fail(format!("{owed:?} does not come"));
            }
        }
        // Late answers come to an end.
        for _ in 0..200 {
            self.clock(check, put);
        }
    }
}

#[test]
pub(crate) fn frames() {
    frames_of("pixel_tile_fetch", Put::any, 30);
}

#[test]
pub(crate) fn damaged_frames() {
    frames_of("pixel_tile_fetch of damaged frames", Put::damaged, 120);
}

fn frames_of(name: &str, any: fn(&mut Check, tmu_spec::pixel::TileSize) -> Put, count: u64) {
    let shape = TileShape::LITE;
    let mut check = Check::new(name);
    let new = || Rig::new("tile_fetch", TileFetch::new(&shape));
    let mut bench = Bench {
        rig: new(),
        shape,
        answers: Answers::default(),
        owed: Flow::default(),
        pending: Pending::default(),
    };
    for _ in 0..count {
        let put = any(&mut check, shape.size());
        bench.frame(&mut check, &put);
        // As the engine does before the next frame: sets of numbers begin anew.
        bench.rig.reset();
        bench.pending = Pending::default();
        bench.answers = Answers::default();
    }
    check.at_least(4 * count);
}
