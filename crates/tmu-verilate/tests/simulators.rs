//! The same rows through Verilator and Icarus: one module, several clocks, memories, batches.

mod common;

use common::{counter, counter_rows, counter_totals};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_verilate::{
    Batch, Error, FourStateRows, IcarusModel, Initial, Model, ModelOptions, ModelSource, OptimizeFor, Port,
    RowLayout, Rows, Schedule, SourceFile, Tools,
};

const SEED: u64 = 0x7e1e_d0c5;

/// Runs the rows in both, after a check that Icarus has nothing to say about the source.
fn run_both(source: &ModelSource, schedule: Schedule, inputs: &Rows) -> (Rows, FourStateRows) {
    let model = Model::build(source, &ModelOptions::default()).unwrap();
    let verilated = model.instance().unwrap().run(schedule, inputs).unwrap();
    let icarus = IcarusModel::build(source, schedule).unwrap();
    assert_eq!(icarus.warnings(), "");
    (verilated, icarus.run(inputs).unwrap())
}

fn random_rows(source: &ModelSource, schedule: Schedule, rows: usize) -> Rows {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    Rows::generate(RowLayout::inputs(source, schedule), rows, || random.next_u32())
}

const WIDTHS: [u32; 12] = [1, 8, 9, 16, 17, 32, 33, 64, 65, 128, 300, 1000];

/// Every width through a register and an inverter, under names that Verilator mangles: one is a word of C++.
fn inverters() -> ModelSource {
    let mut ports = vec![Port::clock("clk")];
    let (mut header, mut body) = (String::from("input wire clk"), String::new());
    for width in WIDTHS {
        let top = width - 1;
        header += &format!(", input wire [{top}:0] _in__{width}, output reg [{top}:0] out__{width}");
        body +=
            &format!("  initial out__{width} = 0;\n  always @(posedge clk) out__{width} <= ~_in__{width};\n");
        ports.extend([
            Port::input(format!("_in__{width}"), width),
            Port::output(format!("out__{width}"), width),
        ]);
    }
    ModelSource::single("template", format!("module template({header});\n{body}endmodule\n"), ports)
}

#[test]
fn ports_of_any_width_agree() {
    if Tools::are_missing() {
        return;
    }
    let source = inverters();
    for schedule in [Schedule::Cycles, Schedule::Evaluations] {
        let inputs = random_rows(&source, schedule, 500);
        let (verilated, interpreted) = run_both(&source, schedule, &inputs);
        assert_eq!(interpreted.first_difference(&verilated), None, "{schedule:?}, seed {SEED:#x}");
    }
    let inputs = random_rows(&source, Schedule::Cycles, 10);
    let (verilated, _) = run_both(&source, Schedule::Cycles, &inputs);
    for width in WIDTHS {
        let fed = inputs.layout().column(&format!("_in__{width}")).unwrap();
        let seen = verilated.layout().column(&format!("out__{width}")).unwrap();
        let (fed, seen) = (inputs.value(8, fed), verilated.value(9, seen));
        let ones: u32 = fed.iter().zip(seen).map(|(fed, seen)| (fed ^ seen).count_ones()).sum();
        assert_eq!(ones, width, "the output is the input inverted, no more and no less");
    }
}

#[test]
fn wide_ports_step_by_step() {
    if Tools::are_missing() {
        return;
    }
    let model = Model::build(&inverters(), &ModelOptions::default()).unwrap();
    let mut instance = model.instance().unwrap();
    for width in WIDTHS {
        let [input, output] = ["_in", "out"].map(|name| model.port(&format!("{name}__{width}")).unwrap());
        instance.set_wide(input, &[!0; 40]);
        instance.step_cycles(1).unwrap();
        assert!(instance.get_wide(output).iter().all(|&word| word == 0), "{width} bits");
        instance.set_wide(input, &[2]);
        instance.step_cycles(1).unwrap();
        let mut expected = vec![!0; width.div_ceil(32) as usize];
        expected[0] = !2;
        if let rest @ 1.. = width % 32 {
            *expected.last_mut().unwrap() &= (1 << rest) - 1;
        }
        assert_eq!(instance.get_wide(output), expected, "{width} bits");
    }
}

#[test]
fn clocks_of_any_ratio_agree() {
    if Tools::are_missing() {
        return;
    }
    let verilog = "module crossing(input wire fast, input wire slow, input wire [7:0] d,
                output reg [7:0] there, output reg [7:0] back, output reg [15:0] edges);
  initial begin there = 0; back = 0; edges = 0; end
  always @(posedge fast) there <= d ^ back;
  always @(negedge slow) back <= there;
  always @(posedge slow) edges <= edges + 16'd1;
endmodule
";
    let ports = vec![
        Port::clock("fast"),
        Port::clock("slow"),
        Port::input("d", 8),
        Port::output("there", 8),
        Port::output("back", 8),
        Port::output("edges", 16),
    ];
    let source = ModelSource::single("crossing", verilog, ports);
    let mut inputs = random_rows(&source, Schedule::Evaluations, 3000);
    // Three to seven, then chance: edges together, too, but not at once in the same register's path.
    for row in 0..2000 {
        inputs.set(row, "fast", row as u64 / 3 % 2);
        inputs.set(row, "slow", row as u64 / 7 % 2);
    }
    let rising = |name: &str| {
        (1..3000).filter(|&row| inputs.get(row, name) > inputs.get(row - 1, name)).count() as u64
    };
    let (verilated, interpreted) = run_both(&source, Schedule::Evaluations, &inputs);
    assert_eq!(interpreted.first_difference(&verilated), None, "seed {SEED:#x}");
    assert_eq!(verilated.get(2999, "edges"), rising("slow"));
}

#[test]
fn x_is_seen_and_is_a_difference() {
    if Tools::are_missing() {
        return;
    }
    let source = counter();
    let (verilated, interpreted) = run_both(&source, Schedule::Cycles, &counter_rows(&source, 30));
    let (row, column) = interpreted.first_unknown().unwrap();
    assert_eq!(
        (row, column.name.as_str(), interpreted.digits(row, column).as_str()),
        (0, "total", "xxxxxxxx")
    );
    let difference = interpreted.first_difference(&verilated).unwrap();
    assert_eq!(difference.to_string(), "row 0, total: expected 'h00, got 'bxxxxxxxx");
    for (row, expected) in counter_totals(30, 1) {
        assert_eq!(interpreted.digits(row, column), format!("{expected:08b}"), "row {row}");
    }
    let floating =
        "module floating(input wire on, output wire [1:0] q);\n  assign q = on ? 2'b10 : 2'bz1;\nendmodule\n";
    let source = ModelSource::single("floating", floating, vec![Port::input("on", 1), Port::output("q", 2)]);
    let rows = Rows::zeros(RowLayout::inputs(&source, Schedule::Evaluations), 1);
    let rows = IcarusModel::build(&source, Schedule::Evaluations).unwrap().run(&rows).unwrap();
    assert_eq!(rows.digits(0, &rows.value.layout().columns()[0]), "z1");
}

#[test]
fn memories_are_read_from_the_source() {
    if Tools::are_missing() {
        return;
    }
    let verilog = "module rom(input wire clk, input wire [3:0] a, output reg [7:0] q);
  reg [7:0] words [0:15];
  initial $readmemh(\"tables/squares.mem\", words);
  always @(posedge clk) q <= words[a];
endmodule
";
    let squares: String = (0..16).map(|i| format!("{:02x}\n", i * i % 256)).collect();
    let files = vec![SourceFile::new("rtl/rom.v", verilog), SourceFile::new("tables/squares.mem", squares)];
    let ports = vec![Port::clock("clk"), Port::input("a", 4), Port::output("q", 8)];
    let source = ModelSource { top: "rom".into(), files, ports };
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), 17);
    (0..17).for_each(|row| inputs.set(row, "a", row as u64 % 16));
    for keep in [true, false] {
        let model = Model::build(&source, &ModelOptions { keep, ..ModelOptions::default() }).unwrap();
        let outputs = model.instance().unwrap().run(Schedule::Cycles, &inputs).unwrap();
        (1..17).for_each(|row| assert_eq!(outputs.get(row, "q"), (row as u64 - 1).pow(2) % 256, "row {row}"));
    }
    let outputs = IcarusModel::build(&source, Schedule::Cycles).unwrap().run(&inputs).unwrap();
    (1..17)
        .for_each(|row| assert_eq!(outputs.value.get(row, "q"), (row as u64 - 1).pow(2) % 256, "row {row}"));
}

/// Constants with zeros on top, in registers of every number of words: Verilator 5.006 wrote past some of them.
#[test]
fn wide_constants_stay_within_their_register() {
    if Tools::are_missing() {
        return;
    }
    let widths = [255, 256, 257, 294, 300, 512, 545, 2100];
    let mut ports = vec![Port::clock("clk")];
    let mut verilog = "module constants(input wire clk".to_owned();
    for width in widths {
        verilog += &format!(", output reg [{}:0] q{width}", width - 1);
        ports.push(Port::output(format!("q{width}"), width));
    }
    verilog += ");\n";
    for width in widths {
        // A one every 16 bits, in all but the 40 highest bits.
        let digits = "0001".repeat((width as usize - 40) / 16);
        verilog +=
            &format!("  initial q{width} = 0;\n  always @(posedge clk) q{width} <= {width}'h{digits};\n");
    }
    let source = ModelSource::single("constants", verilog + "endmodule\n", ports);
    let inputs = random_rows(&source, Schedule::Cycles, 3);
    for optimize in [OptimizeFor::Speed, OptimizeFor::BuildTime] {
        let model = Model::build(&source, &ModelOptions { optimize, ..ModelOptions::default() }).unwrap();
        let outputs = model.instance().unwrap().run(Schedule::Cycles, &inputs).unwrap();
        for column in outputs.layout().columns() {
            let ones: u32 = outputs.value(2, column).iter().map(|word| word.count_ones()).sum();
            assert_eq!(ones, (column.width_bits - 40) / 16, "{} for {optimize:?}", column.name);
        }
        let interpreted = IcarusModel::build(&source, Schedule::Cycles).unwrap().run(&inputs).unwrap();
        assert_eq!(interpreted.first_difference(&outputs), None, "{optimize:?}");
    }
}

/// Counters that count by a multiple each.
fn counters(count: u64) -> Vec<ModelSource> {
    let member = |factor: u64| {
        let top = format!("counter_{factor}");
        let verilog = counter().files[0]
            .text
            .replace("counter", &top)
            .replace("{4'd0, by}", &format!("8'd{factor} * by"));
        ModelSource { files: vec![SourceFile::new(format!("{top}.v"), verilog)], top, ..counter() }
    };
    (1..=count).map(member).collect()
}

#[test]
fn a_batch_gives_what_its_members_give() {
    if Tools::are_missing() {
        return;
    }
    let batch = Batch::new(counters(30)).unwrap();
    let (schedule, count) = (Schedule::Cycles, 50);
    let rows: Vec<_> = batch.members().iter().map(|member| counter_rows(member, count)).collect();
    let joined = batch.join(schedule, &rows).unwrap();
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, keep: false, ..ModelOptions::default() };
    let model = Model::build(batch.source(), &options).unwrap();
    assert_eq!(model.source().ports[17 * 4 + 2].name, "m17_by");
    let verilated =
        batch.split(&model.instance_with(Initial::Random(7)).unwrap().run(schedule, &joined).unwrap());
    let icarus = IcarusModel::build(batch.source(), schedule).unwrap();
    let interpreted = batch.split_four_state(&icarus.run(&joined).unwrap());
    for (i, (verilated, interpreted)) in verilated.iter().zip(&interpreted).enumerate() {
        let total = interpreted.value.layout().column("total").unwrap();
        assert_eq!(interpreted.digits(0, total), "xxxxxxxx");
        for (row, expected) in counter_totals(count, i as u64 + 1) {
            assert_eq!(verilated.get(row, "total"), expected, "member {i}, row {row}");
            assert_eq!(interpreted.digits(row, total), format!("{expected:08b}"), "member {i}, row {row}");
        }
    }
    let short = counter_rows(&batch.members()[0], 3);
    assert!(batch.join(schedule, &[short]).unwrap_err().to_string().contains("batch of 30 members needs"));
}

#[test]
fn members_of_a_batch_may_share_a_file_but_not_a_module() {
    let shared = counters(1).remove(0);
    let twice = Batch::new(vec![shared.clone(), shared.clone()]).unwrap();
    assert_eq!(twice.source().files.len(), 2, "the file and the generated top");
    let mut moved = shared.clone();
    moved.files[0].name = "other.v".into();
    let mut changed = shared.clone();
    changed.files[0].text += "// another\n";
    let Err(Error::Source { faults, .. }) = Batch::new(vec![shared, moved, changed]) else { panic!() };
    assert_eq!(
        faults,
        [
            "module `counter_1` is defined in `counter_1.v` and in `other.v`",
            "two members have different files called `counter_1.v`",
            "module `counter_1` is defined in `other.v` and in `counter_1.v`",
        ]
    );
}
