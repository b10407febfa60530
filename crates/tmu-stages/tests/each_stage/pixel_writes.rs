//! `writes` of the pixel pipeline: lines that follow each other and lines that do not, with pauses, before memory that takes its time and fails.
//! What the writes are is worked out from the lines alone.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_rtl::engines::pixel::words::LINE_NUMBER_BITS;
use tmu_rtl::engines::pixel::write_back::LineWord;
use tmu_rtl::engines::pixel::writes::{PATIENCE_CLOCKS, WRITE_LINES, Writes};
use tmu_spec::pixel::FaultCode;
use tmu_stages::{Check, Flow, Rig};

/// Lines between two boundaries of 4 KiB.
const PAGE_LINES: u64 = 4096 / 16;
/// Bits of the number of a line of memory.
const LINE_BITS: usize = 36;
/// A response that is none of the two of success.
const FAILURES: [u64; 2] = [2, 3];

/// A line that was taken: its number, and in which clock.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    clock: u64,
}

/// A write that was asked for, and the clock of its answer.
struct Asked {
    first: u64,
    lines: u64,
    due: u64,
}

struct Bench {
    rig: Rig<Writes>,
    clock: u64,
    /// The line that is offered: its number, and its strobes above its bytes; and the number of the one before it.
    offered: Option<(u64, Value)>,
    before: u64,
    /// Lines that no write has asked for, and contents that are to come behind writes.
    open: VecDeque<Line>,
    contents: Flow<Value>,
    /// Writes without an answer.
    asked: VecDeque<Asked>,
    /// Lines that came and are not written.
    unwritten: u64,
    /// The first line of the first write that failed.
    failed: Option<u64>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            rig: Rig::new("writes", Writes::new(LINE_BITS)),
            clock: 0,
            offered: None,
            before: 0,
            open: VecDeque::new(),
            contents: Flow::default(),
            asked: VecDeque::new(),
            unwritten: 0,
            failed: None,
        }
    }

    /// A line behind the one before, or anywhere: seldom the one behind by chance, often at the end of a page.
    fn next_line(&self, check: &mut Check) -> u64 {
        let mask = (1 << LINE_NUMBER_BITS) - 1;
        if !check.one_in(8) {
            return (self.before + 1) & mask;
        }
        let page: u64 = check.rng.random_range(0..=mask / PAGE_LINES);
        match check.rng.random_range(0..4) {
            0 => self.before,
            1 => page * PAGE_LINES + PAGE_LINES - check.rng.random_range(1..12u64),
            _ => check.rng.random_range(0..=mask),
        }
    }

    /// A clock in which a line is offered or not, and memory takes and answers or not.
    fn step(&mut self, check: &mut Check, offers: bool, memory_pauses: u32) {
        if self.offered.is_none() && offers {
            let limbs = [check.rng.random(), check.rng.random(), u64::from(check.rng.random::<u16>())];
            self.offered = Some((self.next_line(check), Value::from_limbs(128 + 16, &limbs)));
        }
        self.rig.lines.valid.drive(self.offered.is_some());
        if let Some((line, content)) = &self.offered {
            let content = Bits::constant(*content);
            self.rig.lines.data.drive(LineWord::shape().pack(&LineWord {
                line: number(LINE_NUMBER_BITS, *line),
                strobes: content.high(16),
                bytes: content.low(128),
            }));
        }
        let takes = [(); 2].map(|()| memory_pauses == 0 || check.one_in(memory_pauses));
        self.rig.write.ready.drive(takes[0]);
        self.rig.line.ready.drive(takes[1]);
        let is_due = self.asked.front().is_some_and(|asked| asked.due <= self.clock);
        let response = if check.one_in(40) { check.pick(&FAILURES) } else { check.rng.random_range(0..2) };
        self.rig.write_done.drive(is_due);
        self.rig.write_response.drive(number(2, response));
        self.rig.settle();
        let is_written = is_high(self.rig.is_written.val());
        check.holds(
            !is_written || self.unwritten == 0,
            format_args!("{} lines are written too early", self.unwritten),
        );
        self.failure(check);
        if is_high(self.rig.line.valid.val()) && takes[1] {
            let expected = self.contents.next(check);
            check.same("a line's strobes and bytes", self.rig.line.data.val().value(), expected);
        }
        let asks = is_high(self.rig.write.valid.val()) && takes[0];
        let asked = self.rig.write.data.val().to_u64();
        if is_due && let Some(Asked { first, lines, .. }) = self.asked.pop_front() {
            self.unwritten -= lines;
            if response >= 2 {
                self.failed.get_or_insert(first);
            }
        }
        if asks {
            self.ask(check, asked);
        }
        if is_high(self.rig.lines.ready.val())
            && let Some((number, content)) = self.offered.take()
        {
            self.open.push_back(Line { number, clock: self.clock });
            self.contents.put(content);
            self.before = number;
            self.unwritten += 1;
        }
        self.rig.tick();
        self.clock += 1;
    }

    /// A write: its lines have all been taken, they follow each other, and it ends where it must or where nothing followed in time.
    fn ask(&mut self, check: &mut Check, asked: u64) {
        let (first, count) = (asked & ((1 << LINE_BITS) - 1), (asked >> LINE_BITS) + 1);
        check.holds(count <= WRITE_LINES as u64, format_args!("a write has {count} lines"));
        let mut last = None;
        for number in first..first + count {
            let Some(line) = self.open.pop_front() else {
                check.fail(format!("line {number:#x} of a write of {count} from {first:#x} on has not come"));
            };
            check.same("the line of a write", number, line.number);
            last = Some(line);
        }
        check.same("the page of its last line", (first + count - 1) / PAGE_LINES, first / PAGE_LINES);
        if let (Some(last), Some(next)) = (last, self.open.front()) {
            let must_end = count == WRITE_LINES as u64
                || next.number != last.number + 1
                || next.number % PAGE_LINES == 0;
            let pause = next.clock - last.clock;
            check.holds(
                must_end || pause >= PATIENCE_CLOCKS as u64,
                format_args!(
                    "a write of {count} ends at line {:#x}, and the next line came {pause} clocks later",
                    last.number
                ),
            );
        }
        let due = self.clock + check.rng.random_range(2..30u64);
        let before = self.asked.back().map_or(0, |asked| asked.due);
        self.asked.push_back(Asked { first, lines: count, due: due.max(before + 1) });
    }

    fn failure(&mut self, check: &mut Check) {
        let has_failed = is_high(self.rig.has_failed.val());
        check.same("a write has failed", has_failed, self.failed.is_some());
        if let Some(first) = self.failed {
            let fault = self.rig.fault.val();
            let got = (fault.code.to_u64(), fault.address.to_u64());
            check.same("code and address", got, (FaultCode::Write as u64, first * 16));
        }
    }

    /// All that came is written, after as many clocks as that may take.
    fn finish(&mut self, check: &mut Check) {
        for _ in 0..4000 {
            self.step(check, false, 0);
        }
        self.contents.is_done(check);
        check.same("lines that no write had", self.open.len(), 0);
        check.holds(is_high(self.rig.is_written.val()), "all is written");
    }
}

#[test]
pub(crate) fn writes() {
    let mut check = Check::new("pixel_writes");
    for round in 0..12 {
        let mut bench = Bench::new();
        let (line_pauses, memory_pauses) = [(1, 0), (3, 2), (12, 0), (1, 6)][round % 4];
        for _ in 0..1500 {
            let offers = line_pauses == 1 || check.one_in(line_pauses);
            bench.step(&mut check, offers, memory_pauses);
        }
        bench.finish(&mut check);
    }
    check.at_least(20_000);
}
