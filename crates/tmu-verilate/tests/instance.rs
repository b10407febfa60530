//! One model and its instances: driving, failures, waveforms, coverage.

mod common;

use common::{counter, counter_rows, counter_totals};
use tmu_verilate::{
    CoverageCounts, CoverageKind, Error, Initial, Model, ModelOptions, ModelSource, Port, RowLayout, Rows,
    Schedule, SourceFile, Tools,
};

fn build(source: &ModelSource) -> Model {
    Model::build(source, &ModelOptions::default()).unwrap()
}

#[test]
fn a_counter_counts_step_by_step_and_in_a_run() {
    if Tools::are_missing() {
        return;
    }
    let model = build(&counter());
    assert_eq!(model.warnings(), "");
    let [clk, by, total] = ["clk", "by", "total"].map(|name| model.port(name).unwrap());
    let mut counter = model.instance().unwrap();
    counter.set(by, 3);
    for cycle in 0..300 {
        assert_eq!(counter.get(total), cycle * 3 % 256);
        // The first edge counts, though nothing was evaluated before it.
        for level in [1, 0] {
            counter.set(clk, level);
            counter.eval().unwrap();
        }
    }
    counter.step_cycles(10).unwrap();
    assert_eq!(counter.get(total), 310 * 3 % 256);
    assert_eq!(counter.time(), 20, "a run advances the time once for each evaluation");

    let rows = 100;
    let outputs =
        model.instance().unwrap().run(Schedule::Cycles, &counter_rows(model.source(), rows)).unwrap();
    for (row, expected) in counter_totals(rows, 1) {
        assert_eq!(outputs.get(row, "total"), expected, "row {row}");
    }
}

#[test]
fn instances_of_one_thread_do_not_share_state() {
    if Tools::are_missing() {
        return;
    }
    let model = build(&counter());
    let [by, total] = ["by", "total"].map(|name| model.port(name).unwrap());
    let mut instances: Vec<_> = (0..4).map(|_| model.instance().unwrap()).collect();
    for round in 1..=5 {
        for (i, instance) in instances.iter_mut().enumerate() {
            instance.set(by, i as u64 + 1);
            instance.step_cycles(2).unwrap();
            assert_eq!(instance.get(total), (i as u64 + 1) * 2 * round);
        }
    }
    // Neither the order of dropping nor the thread matters.
    drop(instances.remove(1));
    let moved = instances.remove(0);
    let moved = std::thread::spawn(move || {
        let mut moved = moved;
        moved.step_cycles(1).map(|()| moved)
    })
    .join()
    .unwrap()
    .unwrap();
    assert_eq!(moved.get(total), 11);
    assert_eq!(instances[0].get(total), 30);
}

#[test]
fn initial_values_are_as_asked_for() {
    if Tools::are_missing() {
        return;
    }
    let verilog = "module plain(input wire clk, input wire [99:0] d, output wire [99:0] q);
  reg [99:0] state;
  assign q = state;
  always @(posedge clk) state <= d;
endmodule
";
    let ports = vec![Port::clock("clk"), Port::input("d", 100), Port::output("q", 100)];
    let model = build(&ModelSource::single("plain", verilog, ports));
    let q = model.port("q").unwrap();
    let first = |initial| {
        let mut instance = model.instance_with(initial).unwrap();
        instance.eval().unwrap();
        instance.get_wide(q)
    };
    assert_eq!(first(Initial::Zeros), [0, 0, 0, 0]);
    assert_eq!(first(Initial::Ones), [!0, !0, !0, 15]);
    let seeds: Vec<_> = [0, 1, 2, 0x8000_0001, u32::MAX].map(|seed| first(Initial::Random(seed))).into();
    for (i, drawn) in seeds.iter().enumerate() {
        assert!(drawn[..3].iter().all(|&word| word != 0), "{drawn:x?}");
        assert!(drawn[3] < 16, "{drawn:x?}");
        assert!(!seeds[..i].contains(drawn), "two seeds give {drawn:x?}");
    }
    assert_eq!(first(Initial::Random(2)), seeds[2]);
}

const CHECKED: &str = "module checked(input wire clk, input wire [7:0] a, output reg [7:0] b);
  always @(posedge clk) begin
    b <= a;
    if (a == 8'd9) $display(\"nine\");
    below_100: assert (a < 8'd100) else $error(\"a is %0d\", a);
  end
endmodule
";

fn checked() -> ModelSource {
    let ports = vec![Port::clock("clk"), Port::input("a", 8), Port::output("b", 8)];
    ModelSource { top: "checked".into(), files: vec![SourceFile::new("checked.sv", CHECKED)], ports }
}

#[test]
fn a_failed_assertion_is_an_error_and_not_the_end() {
    if Tools::are_missing() {
        return;
    }
    let model = build(&checked());
    let mut instance = model.instance().unwrap();
    let mut inputs = Rows::zeros(RowLayout::inputs(model.source(), Schedule::Cycles), 20);
    (0..20).for_each(|row| inputs.set(row, "a", row as u64));
    inputs.set(13, "a", 200);
    let Err(Error::Failed { top, time, row, message }) = instance.run(Schedule::Cycles, &inputs) else {
        panic!()
    };
    assert_eq!((top.as_str(), time, row), ("checked", 28, Some(13)));
    assert!(message.contains("checked.sv:5") && message.contains("a is 200"), "{message}");
    assert!(instance.take_output().starts_with("nine\n"));
    assert_eq!(instance.take_output(), "");

    inputs.set(13, "a", 99);
    let outputs = instance.run(Schedule::Cycles, &inputs).unwrap();
    assert_eq!(outputs.get(14, "b"), 99);

    let unchecked = ModelOptions { assertions: false, ..ModelOptions::default() };
    let model = Model::build(&checked(), &unchecked).unwrap();
    inputs.set(13, "a", 200);
    assert_eq!(model.instance().unwrap().run(Schedule::Cycles, &inputs).unwrap().get(14, "b"), 200);
}

#[test]
fn a_loop_that_does_not_settle_is_an_error() {
    if Tools::are_missing() {
        return;
    }
    let verilog = "module ring(input wire on, output wire q);\n  assign q = on & ~q;\nendmodule\n";
    let ports = vec![Port::input("on", 1), Port::output("q", 1)];
    let model = build(&ModelSource::single("ring", verilog, ports));
    assert!(model.warnings().contains("UNOPTFLAT"), "{}", model.warnings());
    let on = model.port("on").unwrap();
    let mut ring = model.instance().unwrap();
    ring.eval().unwrap();
    ring.set(on, 1);
    for _ in 0..2 {
        let Err(Error::Failed { message, .. }) = ring.eval() else { panic!("it settled") };
        assert!(message.contains("converge"), "{message}");
    }
    // Another instance is none the worse for it.
    model.instance().unwrap().eval().unwrap();
}

#[test]
fn finish_is_seen() {
    if Tools::are_missing() {
        return;
    }
    let verilog = "module short(input wire stop);\n  always @(posedge stop) $finish;\nendmodule\n";
    let model = build(&ModelSource::single("short", verilog, vec![Port::clock("stop")]));
    let mut short = model.instance().unwrap();
    short.eval().unwrap();
    assert!(!short.finished());
    short.set(model.port("stop").unwrap(), 1);
    short.eval().unwrap();
    assert!(short.finished());
}

#[test]
fn waveforms_hold_what_happened() {
    if Tools::are_missing() {
        return;
    }
    let model = Model::build(&counter(), &ModelOptions { fst: true, ..ModelOptions::default() }).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut instance = model.instance().unwrap();
    let inputs = counter_rows(model.source(), 20);
    for name in ["first.fst", "second.fst"] {
        instance.trace_open(directory.path().join(name)).unwrap();
        instance.run(Schedule::Cycles, &inputs).unwrap();
        instance.trace_flush().unwrap();
        instance.trace_close().unwrap();
    }
    instance.run(Schedule::Cycles, &inputs).unwrap();
    for (name, start) in [("first.fst", 1), ("second.fst", 41)] {
        let mut waves = wellen::simple::read(directory.path().join(name)).unwrap();
        let hierarchy = waves.hierarchy();
        let sum = hierarchy.lookup_var(&["TOP", "tmuv_top", "counter"], "sum").unwrap();
        let sum = hierarchy[sum].signal_ref();
        waves.load_signals(&[sum]);
        let times = waves.time_table().to_vec();
        assert_eq!((times.first(), times.last()), (Some(&start), Some(&(start + 39))), "{name}");
        let signal = waves.get_signal(sum).unwrap();
        let last = signal.iter_changes().last().unwrap().1.to_bit_string().unwrap();
        let total: u64 = (1..20).map(|row| row % 16).sum();
        assert_eq!(u64::from_str_radix(&last, 2).unwrap(), total % 256, "{name}");
    }
    let missing = directory.path().join("none/waves.fst");
    let message = instance.trace_open(&missing).unwrap_err().to_string();
    assert!(message.contains(missing.to_str().unwrap()), "{message}");
    let message = build(&counter()).instance().unwrap().trace_open("waves.fst").unwrap_err().to_string();
    assert_eq!(message, "the model of `counter` was built without waveforms: set fst in its ModelOptions");
}

#[test]
fn coverage_names_lines_by_relative_file() {
    if Tools::are_missing() {
        return;
    }
    for (options, kind) in [
        (ModelOptions { line_coverage: true, ..ModelOptions::default() }, CoverageKind::Branch),
        (ModelOptions { toggle_coverage: true, ..ModelOptions::default() }, CoverageKind::Toggle),
    ] {
        let model = Model::build(&checked(), &options).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let [quiet, busy] = [0, 7].map(|cycles| {
            let mut instance = model.instance().unwrap();
            instance.eval().unwrap();
            instance.step_cycles(cycles).unwrap();
            let path = directory.path().join(format!("{cycles}.dat"));
            instance.coverage_write(&path).unwrap();
            CoverageCounts::read(path).unwrap()
        });
        let of_kind = busy.iter().filter(|(point, _)| point.kind == kind);
        assert!(of_kind.clone().all(|(point, _)| point.module == "checked"), "{busy:?}");
        assert!(of_kind.count() > 0, "{busy:?}");
        assert!(busy.iter().all(|(point, _)| point.file == "checked.sv"), "{busy:?}");
        // Seven cycles are seven rises of the clock or 13 changes, as the version counts: it stays high at last.
        let counted = |counts: &CoverageCounts| counts.iter().any(|(_, count)| [7, 13].contains(&count));
        assert!(!counted(&quiet) && counted(&busy), "{busy:?}");
        assert!(counted(&busy.since(&quiet)), "{busy:?} since {quiet:?}");
    }
}
