//! Clocks a second of a small core: a pipelined multiply-accumulate with a 256-word memory.

use divan::{Bencher, counter::ItemsCount};
use tmu_verilate::{Model, ModelOptions, ModelSource, Port, RowLayout, Rows, Schedule};

const CYCLES: usize = 100_000;

fn main() {
    divan::main();
}

fn model(options: &ModelOptions) -> Model {
    let verilog =
        "module core(input wire clk, input wire [15:0] a, input wire [15:0] b, output reg [39:0] sum);
  reg [31:0] product;
  reg [39:0] sums [0:255];
  reg [39:0] old;
  reg [7:0] at, then;
  always @(posedge clk) begin
    product <= a * b;
    at <= a[7:0];
    old <= sums[a[7:0]];
    then <= at;
    sum <= old + product;
    sums[then] <= sum;
  end
endmodule
";
    let ports = vec![Port::clock("clk"), Port::input("a", 16), Port::input("b", 16), Port::output("sum", 40)];
    Model::build(&ModelSource::single("core", verilog, ports), options).expect("the tools are installed")
}

#[divan::bench]
fn step_by_step(bencher: Bencher) {
    let model = model(&ModelOptions::default());
    let [clk, a, b, sum] = ["clk", "a", "b", "sum"].map(|name| model.port(name).expect("it has this port"));
    let mut core = model.instance().expect("it can be constructed");
    bencher.counter(ItemsCount::new(CYCLES)).bench_local(|| {
        let mut total = 0;
        for cycle in 0..CYCLES as u64 {
            core.set(a, cycle);
            core.set(b, cycle >> 3);
            for level in [0, 1] {
                core.set(clk, level);
                core.eval().expect("nothing is asserted");
            }
            total ^= core.get(sum);
        }
        total
    });
}

fn run(bencher: Bencher, options: &ModelOptions, waves: bool) {
    let model = model(options);
    let mut inputs = Rows::zeros(RowLayout::inputs(model.source(), Schedule::Cycles), CYCLES);
    (0..CYCLES).for_each(|row| inputs.set(row, "a", row as u64 & 0xffff));
    let mut core = model.instance().expect("it can be constructed");
    let directory = tempfile::tempdir().expect("there is room");
    if waves {
        core.trace_open(directory.path().join("waves.fst")).expect("it was built for that");
    }
    bencher
        .counter(ItemsCount::new(CYCLES))
        .bench_local(|| core.run(Schedule::Cycles, &inputs).expect("nothing is asserted"));
}

#[divan::bench]
fn rows(bencher: Bencher) {
    run(bencher, &ModelOptions::default(), false);
}

#[divan::bench(sample_count = 5)]
fn rows_with_waveforms(bencher: Bencher) {
    run(bencher, &ModelOptions { fst: true, ..ModelOptions::default() }, true);
}

#[divan::bench(sample_count = 10)]
fn rows_with_line_coverage(bencher: Bencher) {
    run(bencher, &ModelOptions { line_coverage: true, ..ModelOptions::default() }, false);
}

#[divan::bench(sample_count = 5)]
fn rows_with_toggle_coverage(bencher: Bencher) {
    run(bencher, &ModelOptions { toggle_coverage: true, ..ModelOptions::default() }, false);
}
