//! Parts of streams: against their Verilog, and every item arrives where it belongs, once and in order.

use crate::harness::{Case, prove};
use crate::subject::Subject;
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::streams::{Fork, Join, Merge, Narrow, Widen};
use tmu_verilate::Rows;

/// Rows in front of a comparison: a reset, and all that may move does, so that registers hold something.
const FILL_ROWS: usize = 12;

/// Whether an item moves at a port; ports are called `input`, `input_0` and so on.
fn moves(inputs: &Rows, outputs: &Rows, row: usize, port: &str) -> bool {
    let [valid, ready] = ["valid", "ready"].map(|signal| {
        let name = format!("{port}_{signal}");
        let is_input = inputs.layout().column(&name).is_some();
        if is_input { inputs.get(row, &name) } else { outputs.get(row, &name) }
    });
    valid == 1 && ready == 1
}

fn data(rows: &Rows, row: usize, port: &str) -> u64 {
    rows.get(row, &format!("{port}_data"))
}

/// A part with resets now and then; `check` sees each row, and whether it resets.
fn part(
    subject: Subject,
    valids: &[&'static str],
    readies: &[&'static str],
    mut check: impl FnMut(&Rows, &Rows, usize, bool) + 'static,
) -> Case {
    let has_reset = tmu_verilate::RowLayout::inputs(&subject.source, tmu_verilate::Schedule::Cycles)
        .column("rst")
        .is_some();
    let high: Vec<&str> = valids.iter().chain(readies).copied().collect();
    let mut row_of_run = 0;
    Case::new(subject)
        .fix(move |rng, rows, row| {
            if has_reset {
                rows.set(row, "rst", u64::from(rng.random_ratio(1, 700)));
            }
        })
        .warm_up(FILL_ROWS, move |_, rows, row| {
            if has_reset {
                rows.set(row, "rst", u64::from(row_of_run < 2));
            }
            high.iter().for_each(|name| rows.set(row, name, 1));
            row_of_run += 1;
        })
        .check(move |inputs, outputs| {
            for row in 0..inputs.len() {
                let resets = has_reset && inputs.get(row, "rst") == 1;
                check(inputs, outputs, row, resets);
            }
        })
}

fn fork() -> Case {
    const OUTPUTS: [&str; 3] = ["outputs_0", "outputs_1", "outputs_2"];
    let mut under_way: [Option<u64>; 3] = [None; 3];
    let check = move |inputs: &Rows, outputs: &Rows, row: usize, resets: bool| {
        let took = OUTPUTS.map(|port| moves(inputs, outputs, row, port));
        for (number, port) in OUTPUTS.into_iter().enumerate() {
            if took[number] && !resets {
                assert_eq!(under_way[number], None, "{port} takes an item twice in row {row}");
                assert_eq!(data(outputs, row, port), data(inputs, row, "input"), "{port}, row {row}");
                under_way[number] = Some(data(inputs, row, "input"));
            }
        }
        if moves(inputs, outputs, row, "input") && !resets {
            assert!(under_way.iter().all(Option::is_some), "an item is lost in row {row}");
        }
        if resets || moves(inputs, outputs, row, "input") {
            under_way = [None; 3];
        }
    };
    let readies = ["outputs_0_ready", "outputs_1_ready", "outputs_2_ready"];
    part(Subject::new("stream_fork", Fork::new(3, 6)), &["input_valid"], &readies, check)
}

fn join() -> Case {
    let check = |inputs: &Rows, outputs: &Rows, row: usize, _: bool| {
        let joined = moves(inputs, outputs, row, "output");
        for port in ["inputs_0", "inputs_1"] {
            assert_eq!(moves(inputs, outputs, row, port), joined, "{port} alone in row {row}");
        }
        let expected = data(inputs, row, "inputs_1") << 5 | data(inputs, row, "inputs_0");
        assert_eq!(data(outputs, row, "output"), expected, "row {row}");
    };
    let valids = ["inputs_0_valid", "inputs_1_valid"];
    part(Subject::new("stream_join", Join::new(&[5, 3])), &valids, &["output_ready"], check)
}

fn merge() -> Case {
    const INPUTS: [&str; 3] = ["inputs_0", "inputs_1", "inputs_2"];
    let mut held: Option<(u64, u64)> = None;
    let mut served = [0u32; 3];
    let check = move |inputs: &Rows, outputs: &Rows, row: usize, resets: bool| {
        assert_eq!(outputs.get(row, "output_valid"), u64::from(held.is_some()), "row {row}");
        if let Some(expected) = held {
            assert_eq!((outputs.get(row, "source"), data(outputs, row, "output")), expected, "row {row}");
        }
        if resets || moves(inputs, outputs, row, "output") {
            held = None;
        }
        for (number, port) in INPUTS.into_iter().enumerate() {
            if moves(inputs, outputs, row, port) && !resets {
                assert_eq!(held, None, "two items in row {row}");
                held = Some((number as u64, data(inputs, row, port)));
                served[number] += 1;
            }
        }
        assert!(row < 1000 || served.iter().all(|&count| count > 10), "{served:?}");
    };
    let valids = ["inputs_0_valid", "inputs_1_valid", "inputs_2_valid"];
    part(Subject::new("merge", Merge::new(3, 9)), &valids, &["output_ready"], check)
}

/// A part of one stream of so many items to one: the bits that come in leave in the same order.
fn converter(subject: Subject, [in_bits, out_bits]: [usize; 2]) -> Case {
    let mut queue: VecDeque<bool> = VecDeque::new();
    let check = move |inputs: &Rows, outputs: &Rows, row: usize, resets: bool| {
        let bits = |word: u64, width: usize| (0..width).map(move |bit| word >> bit & 1 == 1);
        let (comes, leaves) = (moves(inputs, outputs, row, "input"), moves(inputs, outputs, row, "output"));
        // What is made narrower leaves before it is taken.
        let whole: Vec<bool> = bits(data(inputs, row, "input"), in_bits).collect();
        if in_bits < out_bits {
            queue.extend(whole.iter().copied().filter(|_| comes && !resets));
            if leaves && !resets {
                let expected: Vec<bool> = queue.drain(..).collect();
                let got: Vec<bool> = bits(data(outputs, row, "output"), out_bits).collect();
                assert_eq!(got, expected, "row {row}");
            }
        } else if leaves && !resets {
            queue.extend(bits(data(outputs, row, "output"), out_bits));
            let from = queue.len() - out_bits;
            let got: Vec<bool> = queue.range(from..).copied().collect();
            assert_eq!(got, whole[from..from + out_bits], "row {row}");
            assert_eq!(comes, queue.len() == in_bits, "row {row}");
            if comes {
                queue.clear();
            }
        }
        if resets {
            queue.clear();
        }
    };
    part(subject, &["input_valid"], &["output_ready"], check)
}

#[test]
fn stream_parts() {
    prove(
        "stream_parts",
        vec![
            fork(),
            join(),
            merge(),
            converter(Subject::new("widen_2", Widen::new(2, 9)), [9, 18]),
            converter(Subject::new("widen_5", Widen::new(5, 3)), [3, 15]),
            converter(Subject::new("narrow_2", Narrow::new(2, 9)), [18, 9]),
            converter(Subject::new("narrow_5", Narrow::new(5, 3)), [15, 3]),
        ],
    );
}
