//! Pixels a clock of the stages behind each other, with memory of some latency: texels that come late, lines of the frame buffer
//! that are read ahead, writes that are answered late.

use super::LINE_BITS;
use crate::support::is_high;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_rtl::engines::mesh::blend::Blend;
use tmu_rtl::engines::mesh::filter::Filter;
use tmu_rtl::engines::mesh::frame_reader::FrameReader;
use tmu_rtl::engines::mesh::shade::Shade;
use tmu_rtl::engines::mesh::words::{PLACE_BITS, PixelWord, SHARE_BITS, TapsWord, pixel_word, taps_word};
use tmu_rtl::engines::mesh::write_combiner::WriteCombiner;
use tmu_stages::{Check, Rig};

/// Pixels of a row of the frame buffer.
const FRAME_WIDTH: u64 = 640;
/// Items that wait for texels, at most.
const QUEUE: usize = 128;

/// Where a pixel is drawn, and whether it opens a line; or the end.
type Item = (u64, bool, bool);

/// The five stages, with memory and the texture's cache between them.
struct Path {
    frame_reader: Rig<FrameReader>,
    filter: Rig<Filter>,
    shade: Rig<Shade>,
    blend: Rig<Blend>,
    write_combiner: Rig<WriteCombiner>,
    latency: usize,
    now: usize,
    /// Items that wait for their texels, and when these are there.
    texels: VecDeque<(usize, Bits)>,
    /// When lines of the frame buffer come; the port takes a read every other clock.
    lines: VecDeque<usize>,
    /// Lines of writes that are to come, and when writes are answered.
    writes: VecDeque<u64>,
    answers: VecDeque<usize>,
    last_read: usize,
}

/// One stream to another.
fn connect(from: &StreamOut, to: &StreamIn) {
    to.valid.drive(from.valid.val());
    to.data.drive(from.data.val());
}

impl Path {
    fn new(alpha: u64, latency: usize) -> Path {
        let path = Path {
            frame_reader: Rig::new("frame_reader", FrameReader::new(LINE_BITS)),
            filter: Rig::new("filter", Filter::new()),
            shade: Rig::new("shade", Shade::new()),
            blend: Rig::new("blend", Blend::new()),
            write_combiner: Rig::new("write_combiner", WriteCombiner::new(LINE_BITS)),
            latency,
            now: 0,
            texels: VecDeque::new(),
            lines: VecDeque::new(),
            writes: VecDeque::new(),
            answers: VecDeque::new(),
            last_read: 0,
        };
        path.shade.settings.brightness.drive(lit(SHARE_BITS, 63u32));
        path.blend.settings.alpha.drive(lit(SHARE_BITS, alpha));
        path.blend.settings.reads_frame.drive(alpha != 63);
        path.frame_reader.reads_frame.drive(alpha != 63);
        path
    }

    /// A clock, with an item or none. Whether it was taken.
    fn clock(&mut self, item: Option<Item>) -> bool {
        let word = pixel_word().unpack(lit(pixel_word().width(), 0u32));
        let (place, opens_line, is_end) = item.unwrap_or_default();
        let [opens_line, is_end] = [opens_line, is_end].map(|flag| lit(1, u64::from(flag)));
        let word = PixelWord { place: lit(PLACE_BITS, place), opens_line, is_end, ..word };
        self.frame_reader.input.valid.drive(item.is_some());
        self.frame_reader.input.data.drive(pixel_word().pack(&word));
        self.frame_reader.output.ready.drive(self.texels.len() < QUEUE);
        self.memory();
        // Offers are there at once; readiness goes backwards.
        self.filter.settle();
        self.shade.settle();
        self.blend.settle();
        self.write_combiner.settle();
        self.frame_reader.settle();
        connect(&self.blend.output, &self.write_combiner.input);
        connect(&self.shade.output, &self.blend.input);
        connect(&self.filter.output, &self.shade.input);
        connect(&self.frame_reader.lines, &self.blend.lines);
        self.blend.output.ready.drive(self.write_combiner.input.ready.val());
        self.blend.settle();
        self.shade.output.ready.drive(self.blend.input.ready.val());
        self.frame_reader.lines.ready.drive(self.blend.lines.ready.val());
        self.shade.settle();
        self.filter.output.ready.drive(self.shade.input.ready.val());
        let texels = self.texels.front().filter(|(when, _)| *when <= self.now).map(|(_, word)| *word);
        self.filter.input.valid.drive(texels.is_some());
        if let Some(word) = texels {
            self.filter.input.data.drive(word);
        }
        self.filter.settle();
        self.write_combiner.settle();
        self.frame_reader.settle();
        let taken = self.look();
        self.frame_reader.tick();
        self.filter.tick();
        self.shade.tick();
        self.blend.tick();
        self.write_combiner.tick();
        self.now += 1;
        taken
    }

    fn memory(&mut self) {
        let comes = self.lines.front().is_some_and(|when| *when <= self.now);
        if comes {
            self.lines.pop_front();
        }
        let reader = &self.frame_reader;
        reader.line_valid.drive(comes);
        reader.line_last.drive(comes);
        reader.outstanding.drive(!self.lines.is_empty());
        reader.read.ready.drive(self.now > self.last_read + 1);
        let answers = self.answers.front().is_some_and(|when| *when <= self.now);
        if answers {
            self.answers.pop_front();
        }
        self.write_combiner.write_done.drive(answers);
        self.write_combiner.write.ready.drive(self.now.is_multiple_of(2));
        self.write_combiner.line.ready.drive(!self.writes.is_empty());
    }

    fn look(&mut self) -> bool {
        let reader = &self.frame_reader;
        if is_high(self.filter.input.moves()) {
            self.texels.pop_front();
        }
        if is_high(reader.output.moves()) {
            let pixel = pixel_word().unpack(reader.output.data.val());
            let taps = taps_word().unpack(lit(taps_word().width(), 0u32));
            let PixelWord { place, opens_line, is_end, .. } = pixel;
            let taps = TapsWord { place, opens_line, is_end, ..taps };
            self.texels.push_back((self.now + self.latency, taps_word().pack(&taps)));
        }
        if is_high(reader.read.moves()) {
            self.lines.push_back(self.now + self.latency);
            self.last_read = self.now;
        }
        let writer = &self.write_combiner;
        if is_high(writer.line.moves()) {
            self.writes[0] -= 1;
            if self.writes[0] == 0 {
                self.writes.pop_front();
                self.answers.push_back(self.now + self.latency);
            }
        }
        if is_high(writer.write.moves()) {
            self.writes.push_back(writer.write.data.val().high(3).to_u64() + 1);
        }
        is_high(reader.input.moves())
    }
}

/// Pixels a clock of rectangles of 16 x 16 beside each other, the first one at this column, from the first pixel to `finished`.
fn rate(check: &mut Check, alpha: u64, latency: usize, width: u64, column: u64) -> f64 {
    const RECTANGLES: u64 = 8;
    let mut path = Path::new(alpha, latency);
    let pixels = (0..RECTANGLES).flat_map(|rectangle| {
        (0..16 * width).map(move |n| FRAME_WIDTH * (n / width) + rectangle * width + n % width + column)
    });
    let mut line = None;
    let item = |place: u64| (place, line.replace(place / 8) != Some(place / 8), false);
    let mut items: VecDeque<Item> = pixels.map(item).chain([(0, false, true)]).collect();
    let pixels = items.len() - 1;
    while !is_high(path.write_combiner.finished.val()) {
        if path.clock(items.front().copied()) {
            items.pop_front();
        }
        check.holds(path.now < 20 * pixels + 4000, "the job ends");
    }
    pixels as f64 / path.now as f64
}

/// The frame buffer is read ahead: latency does not count, but once.
#[test]
fn frame_buffer_is_read_ahead() {
    let mut check = Check::new("rate");
    for (alpha, latency, width, column, least) in [
        (63, 20, 16, 0, 0.94),
        (63, 60, 16, 3, 0.90),
        (31, 20, 16, 0, 0.94),
        (31, 20, 16, 3, 0.94),
        (31, 60, 16, 0, 0.90),
        (31, 60, 16, 3, 0.90),
    ] {
        let rate = rate(&mut check, alpha, latency, width, column);
        let what =
            format!("alpha {alpha}, latency {latency}, {width} wide from column {column} on: {rate:.3}");
        check.holds(rate >= least, format_args!("{what}, and at least {least}"));
    }
}
