//! Hand-written Verilog through the whole path: compile, load, drive, compare.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_verilate::{
    Batch, Error, IcarusModel, Initial, Model, ModelOptions, ModelSource, OptimizeFor, Port, RowLayout, Rows,
    Schedule, SourceFile,
};

const COUNTER: &str =
    "module counter(input wire clk, input wire rst, input wire [3:0] by, output wire [7:0] total);
  reg [7:0] sum;
  assign total = sum;
  always @(posedge clk) sum <= rst ? 8'd0 : sum + by;
endmodule
";

fn counter() -> ModelSource {
    let ports =
        vec![Port::clock("clk"), Port::input("rst", 1), Port::input("by", 4), Port::output("total", 8)];
    ModelSource::single("counter", COUNTER, ports)
}

#[test]
fn a_counter_counts() {
    let model = Model::build(&counter(), &ModelOptions::default()).unwrap();
    let [clk, by, total] = ["clk", "by", "total"].map(|name| model.port(name).unwrap());
    let mut counter = model.instance().unwrap();
    counter.set(by, 3);
    for cycle in 0..300 {
        assert_eq!(counter.get(total), cycle * 3 % 256);
        for level in [1, 0] {
            counter.set(clk, level);
            counter.eval().unwrap();
        }
    }
    counter.step_cycles(10).unwrap();
    assert_eq!(counter.get(total), 310 * 3 % 256);
}

const WIDTHS: [u32; 9] = [1, 8, 16, 32, 33, 64, 65, 128, 300];

/// Every width through a register and an inverter, in ports whose names Verilator mangles.
fn widths() -> ModelSource {
    let mut verilog = "module widths(input wire clk".to_owned();
    let mut ports = vec![Port::clock("clk")];
    for width in WIDTHS {
        verilog += &format!(", input wire [{0}:0] in__{width}, output reg [{0}:0] class_{width}", width - 1);
        ports.extend([
            Port::input(format!("in__{width}"), width),
            Port::output(format!("class_{width}"), width),
        ]);
    }
    verilog += ");\n";
    for width in WIDTHS {
        verilog += &format!("  always @(posedge clk) class_{width} <= ~in__{width};\n");
    }
    ModelSource::single("widths", verilog + "endmodule\n", ports)
}

#[test]
fn the_same_rows_give_the_same_result_in_both_simulators() {
    let source = widths();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for schedule in [Schedule::Cycles, Schedule::Evaluations] {
        let inputs = Rows::generate(RowLayout::inputs(&source, schedule), 200, || random.next_u32());
        let model = Model::build(&source, &ModelOptions::default()).unwrap();
        let verilated = model.instance().unwrap().run(schedule, &inputs).unwrap();
        let icarus = IcarusModel::build(&source, schedule).unwrap();
        assert_eq!(icarus.warnings(), "");
        let mut interpreted = icarus.run(&inputs).unwrap();
        if schedule == Schedule::Cycles {
            let (row, column) = interpreted.first_unknown().unwrap();
            assert_eq!((row, interpreted.digits(row, column)), (0, "x".to_owned()));
            let _ = interpreted.first_difference(&verilated).expect("X differs from 0");
        }
        for row in 0.. {
            if interpreted.unknown.row(row).iter().all(|&word| word == 0) {
                break;
            }
            interpreted.unknown.row_mut(row).fill(0);
            interpreted.value.row_mut(row).fill(0);
        }
        assert_eq!(interpreted.first_difference(&verilated), None, "{schedule:?}");
        for column in
            inputs.layout().columns().iter().filter(|c| c.width_bits > 1 && schedule == Schedule::Cycles)
        {
            let output = verilated.layout().column(&column.name.replace("in__", "class_")).unwrap();
            let (fed, seen) = (inputs.value(10, column), verilated.value(11, output));
            assert!(
                fed.iter().zip(seen).all(|(fed, seen)| fed & seen == 0),
                "{} is not inverted",
                column.name
            );
        }
    }
}

#[test]
fn a_batch_gives_what_its_members_give() {
    let members: Vec<_> = (1..=30)
        .map(|i| {
            let verilog = COUNTER
                .replace("counter", &format!("counter_{i}"))
                .replace("+ by", &format!("+ by * 8'd{i}"));
            ModelSource {
                top: format!("counter_{i}"),
                files: vec![SourceFile::new(format!("counter_{i}.v"), verilog)],
                ports: counter().ports,
            }
        })
        .collect();
    let batch = Batch::new(members).unwrap();
    let schedule = Schedule::Cycles;
    let rows: Vec<_> = batch
        .members()
        .iter()
        .map(|member| {
            let mut rows = Rows::zeros(RowLayout::inputs(member, schedule), 50);
            (0..50).for_each(|row| {
                rows.set(row, "rst", u64::from(row == 0));
                rows.set(row, "by", row as u64 % 16)
            });
            rows
        })
        .collect();
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, keep: false, ..ModelOptions::default() };
    let joined = batch.join(schedule, &rows).unwrap();
    let model = Model::build(batch.source(), &options).unwrap();
    let verilated = model.instance_with(Initial::Random(7)).unwrap().run(schedule, &joined).unwrap();
    let interpreted = IcarusModel::build(batch.source(), schedule).unwrap().run(&joined).unwrap();
    for (i, (verilated, interpreted)) in
        batch.split(&verilated).iter().zip(batch.split_four_state(&interpreted)).enumerate()
    {
        let mut sum = 0;
        for row in 1..50 {
            assert_eq!(verilated.get(row, "total"), sum % 256, "member {i}, row {row}");
            assert_eq!(interpreted.value.get(row, "total"), sum % 256, "member {i}, row {row}");
            sum += (row as u64 % 16) * (i as u64 + 1);
        }
        assert_eq!(interpreted.digits(0, &interpreted.value.layout().columns()[0]), "xxxxxxxx");
    }
}

#[test]
fn wrong_port_lists_and_wrong_verilog_are_errors() {
    let mut narrow = counter();
    narrow.ports[2].width_bits = 5;
    let Err(Error::Source { faults, .. }) = Model::build(&narrow, &ModelOptions::default()) else { panic!() };
    assert!(faults[0].contains("'by'"), "{faults:?}");
    let broken = ModelSource::single("counter", COUNTER.replace("sum + by", "sum + bye"), counter().ports);
    let Err(Error::Tool { output, .. }) = Model::build(&broken, &ModelOptions::default()) else { panic!() };
    assert!(output.contains("counter.v:4") && output.contains("bye"), "{output}");
}
