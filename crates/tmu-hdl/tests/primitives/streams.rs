//! Stream buffers and the arbiter: against their Verilog, and against what they promise.

use crate::harness::{Case, prove};
use crate::subject::Subject;
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::primitives::*;
use tmu_verilate::{RowLayout, Rows, Schedule};

/// Rows in which a buffer is reset and then filled, so that its data registers hold something.
const FILL_ROWS: usize = 12;

/// Items that may be in a FIFO's output buffer, which its level does not count.
const IN_BUFFER: usize = 2;

/// Until when the level counts an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Until it is handed on.
    Exactly,
    /// For one more clock.
    Late,
    /// Until it goes to an output buffer, or a clock more.
    WithoutBuffer,
}

impl Counts {
    fn expect(self, level: u64, held: usize, given_before: bool, place: &str) {
        match self {
            Counts::Exactly => assert_eq!(level, held as u64, "{place}"),
            Counts::Late => assert_eq!(level, (held + usize::from(given_before)) as u64, "{place}"),
            Counts::WithoutBuffer => {
                let least = held.saturating_sub(IN_BUFFER) as u64;
                assert!((least..=held as u64).contains(&level), "{place}: {level} of {held}");
            }
        }
    }
}

/// A buffer on one clock: resets now and then; each item arrives exactly once and in order.
pub(crate) fn buffer(subject: Subject, depth: usize, counts: Counts) -> Case {
    let name = subject.name().to_string();
    let mut row_of_run = 0;
    let case = Case::new(subject).fix(|rng, rows, row| {
        rows.set(row, "rst", u64::from(rng.random_ratio(1, 700)));
    });
    let case = case.warm_up(FILL_ROWS, move |_, rows, row| {
        rows.set(row, "rst", u64::from(row_of_run < 2));
        rows.set(row, "input_valid", 1);
        rows.set(row, "output_ready", 1);
        row_of_run += 1;
    });
    let mut held: VecDeque<Vec<u32>> = VecDeque::new();
    let mut moved = 0;
    let mut given_before = false;
    case.check(move |inputs, outputs| {
        for row in 0..inputs.len() {
            let high = |rows: &Rows, name: &str| rows.get(row, name) == 1;
            let value = |rows: &Rows, name: &str| {
                rows.layout().column(name).map(|column| rows.value(row, column).to_vec()).unwrap_or_default()
            };
            let most = if counts == Counts::WithoutBuffer { depth + IN_BUFFER } else { depth };
            assert!(held.len() <= most, "{name}: row {row} holds {} items", held.len());
            if outputs.layout().column("level").is_some() {
                let place = format!("{name}: level in row {row}");
                counts.expect(outputs.get(row, "level"), held.len(), given_before, &place);
            }
            given_before = false;
            if high(inputs, "rst") {
                held.clear();
                continue;
            }
            let takes = high(inputs, "input_valid") && high(outputs, "input_ready");
            if high(outputs, "output_valid") && high(inputs, "output_ready") {
                let got = value(outputs, "output_data");
                assert_eq!(Some(got), held.pop_front(), "{name}: item {moved} in row {row}");
                moved += 1;
                given_before = true;
            }
            if takes {
                held.push_back(value(inputs, "input_data"));
            }
        }
    })
}

fn sync_fifo(name: &str, depth: usize, width: usize, style: RamStyle) -> Case {
    buffer(Subject::new(name, SyncFifo::with_style(depth, width, style)), depth, Counts::Exactly)
}

fn late_fifo(name: &str, depth: usize, width: usize, style: RamStyle) -> Case {
    let fifo = SyncFifo::with_style(depth, width, style).with_late_level();
    buffer(Subject::new(name, fifo), depth, Counts::Late)
}

fn buffered_fifo(name: &str, depth: usize, width: usize, style: RamStyle) -> Case {
    let fifo = SyncFifo::with_style(depth, width, style).with_late_level().with_output_buffer(true);
    buffer(Subject::new(name, fifo), depth, Counts::WithoutBuffer)
}

fn far_skid_buffer(name: &str, width: usize) -> Case {
    buffer(Subject::new(name, SkidBuffer::new(width).with_far_ready()), 2, Counts::Exactly)
}

fn skid_buffer(name: &str, width: usize) -> Case {
    buffer(Subject::new(name, SkidBuffer::new(width)), 2, Counts::Exactly)
}

#[test]
fn buffers() {
    prove(
        "buffers",
        vec![
            sync_fifo("sync_fifo_small", 4, 1, RamStyle::Distributed),
            sync_fifo("sync_fifo_odd", 16, 37, RamStyle::Distributed),
            sync_fifo("sync_fifo_wide", 32, 1024, RamStyle::Distributed),
            sync_fifo("sync_fifo_block_small", 4, 9, RamStyle::Block),
            sync_fifo("sync_fifo_block", 512, 36, RamStyle::Block),
            sync_fifo("sync_fifo_ultra", 64, 72, RamStyle::Ultra),
            late_fifo("late_fifo_small", 8, 5, RamStyle::Distributed),
            late_fifo("late_fifo_block", 512, 40, RamStyle::Block),
            buffered_fifo("buffered_fifo_small", 8, 5, RamStyle::Distributed),
            buffered_fifo("buffered_fifo_block", 32, 40, RamStyle::Block),
            skid_buffer("skid_buffer_small", 1),
            skid_buffer("skid_buffer_odd", 35),
            skid_buffer("skid_buffer_wide", 1024),
            far_skid_buffer("skid_buffer_far", 9),
        ],
    );
}

/// Their block RAM is instantiated with nothing beside it, around a model of the site that spoils a word that is read while it is
/// written.
#[test]
fn fifos_of_ecp5() {
    let fifo = |depth, width| SyncFifo::with_style(depth, width, RamStyle::Block);
    let on_ecp5 =
        |name: &str, depth, width| buffer(Subject::on_ecp5(name, fifo(depth, width)), depth, Counts::Exactly);
    let late = |name: &str, depth, width| {
        buffer(Subject::on_ecp5(name, fifo(depth, width).with_late_level()), depth, Counts::Late)
    };
    let buffered = |name: &str, depth, width| {
        let fifo = fifo(depth, width).with_late_level().with_output_buffer(true);
        buffer(Subject::on_ecp5(name, fifo), depth, Counts::WithoutBuffer)
    };
    prove(
        "fifos_of_ecp5",
        vec![
            on_ecp5("ecp5_fifo_small", 4, 9),
            on_ecp5("ecp5_fifo_pairs", 512, 37),
            on_ecp5("ecp5_fifo_rows", 1024, 20),
            late("ecp5_fifo_late", 512, 40),
            buffered("ecp5_fifo_buffered_small", 8, 9),
            buffered("ecp5_fifo_buffered", 512, 40),
        ],
    );
}

/// With both sides always willing, an item moves in every clock, and the first one after the latency.
#[test]
fn buffers_move_an_item_in_every_clock() {
    let fifo = |depth, style| {
        let fifo = SyncFifo::with_style(depth, 8, style);
        let latency = fifo.latency_clocks();
        (Subject::new("fifo", fifo), latency as usize)
    };
    let late = |depth, style| {
        let fifo = SyncFifo::with_style(depth, 8, style).with_late_level();
        let latency = fifo.latency_clocks();
        (Subject::new("late", fifo), latency as usize)
    };
    let buffered = |depth, style| {
        let fifo = SyncFifo::with_style(depth, 8, style).with_late_level().with_output_buffer(true);
        let latency = fifo.latency_clocks();
        (Subject::new("buffered", fifo), latency as usize)
    };
    let table = [
        (Subject::new("skid", SkidBuffer::new(8)), 1),
        fifo(4, RamStyle::Distributed),
        fifo(64, RamStyle::Distributed),
        fifo(4, RamStyle::Block),
        fifo(64, RamStyle::Block),
        late(8, RamStyle::Distributed),
        late(8, RamStyle::Block),
        late(64, RamStyle::Block),
        buffered(16, RamStyle::Distributed),
        buffered(16, RamStyle::Block),
        buffered(64, RamStyle::Block),
    ];
    for (mut subject, latency) in table {
        let (start, count) = (2, 1000);
        let mut inputs = Rows::zeros(RowLayout::inputs(&subject.source, Schedule::Cycles), start + count);
        for row in 0..inputs.len() {
            inputs.set(row, "rst", u64::from(row == 0));
            inputs.set(row, "input_valid", u64::from(row >= start));
            inputs.set(row, "output_ready", 1);
        }
        let outputs = subject.run(Schedule::Cycles, &inputs);
        let valid: Vec<u64> = (0..outputs.len()).map(|row| outputs.get(row, "output_valid")).collect();
        let first = valid.iter().position(|&v| v == 1);
        assert_eq!(first, Some(start + latency), "{}: row of the first item", subject.name());
        assert!(valid[start + latency..].iter().all(|&v| v == 1), "{}: a bubble", subject.name());
    }
}

/// An arbiter: grants are one-hot, fair, and go to those who asked.
fn arbiter(name: &str, count: usize, timing: GrantTiming) -> Case {
    let case = Case::new(Subject::new(name, RoundRobinArbiter::new(count, timing)));
    let case = case.fix(|rng, rows, row| rows.set(row, "rst", u64::from(rng.random_ratio(1, 700))));
    let longest_wait = match timing {
        GrantTiming::Combinational => count as u64 - 1,
        // One more: the grant that stood before the request came.
        GrantTiming::Registered => count as u64,
    };
    let mut waited = vec![0; count];
    let mut asked_before = 0;
    let name = name.to_string();
    case.check(move |inputs, outputs| {
        for row in 0..inputs.len() {
            let (requests, grant) = (inputs.get(row, "requests"), outputs.get(row, "grant"));
            let index = outputs.get(row, "grant_index");
            assert!(
                grant == 0 && index == 0 || grant == 1 << index,
                "{name}: {grant:b} and {index} in row {row}"
            );
            let asked = match timing {
                GrantTiming::Combinational => requests,
                GrantTiming::Registered => asked_before,
            };
            assert_eq!(grant & !asked, 0, "{name}: granted in row {row} without a request");
            if timing == GrantTiming::Combinational {
                assert_eq!(grant == 0, requests == 0, "{name}: nobody granted in row {row}");
            }
            let served = if inputs.get(row, "accept") == 1 { grant } else { 0 };
            for (i, waited) in waited.iter_mut().enumerate() {
                let waits = requests >> i & 1 == 1 && served >> i & 1 == 0 && inputs.get(row, "rst") == 0;
                *waited = if waits { *waited + u64::from(served != 0) } else { 0 };
                assert!(*waited <= longest_wait, "{name}: {i} waits for {waited} others in row {row}");
            }
            // A registered grant stays until it is accepted, whatever the requests do.
            asked_before = if served == 0 { requests | grant } else { requests };
        }
    })
}

#[test]
fn arbiters() {
    prove(
        "arbiters",
        vec![
            arbiter("arbiter_1", 1, GrantTiming::Combinational),
            arbiter("arbiter_3", 3, GrantTiming::Combinational),
            arbiter("arbiter_8", 8, GrantTiming::Combinational),
            arbiter("arbiter_33", 33, GrantTiming::Combinational),
            arbiter("arbiter_registered_1", 1, GrantTiming::Registered),
            arbiter("arbiter_registered_5", 5, GrantTiming::Registered),
            arbiter("arbiter_registered_32", 32, GrantTiming::Registered),
        ],
    );
}
