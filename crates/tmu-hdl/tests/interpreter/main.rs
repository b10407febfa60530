//! The interpreter where it could go wrong: clocks through wires, several clocks at once, unknown bits, waveforms,
//! properties. That it means what the Verilog means is shown by `differential` and `primitives`.

mod properties;
mod waveform;

use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::primitive::{Primitive, describe};
use tmu_hdl::primitives::{DistributedRam, ResetSynchroniser, Synchroniser};
use tmu_hdl::simulate::{Interpreter, Simulator, Unknown};
use tmu_hdl::value::Value;

/// A register.
#[derive(LogicBlock)]
struct Stage {
    clocks: Clocks,
    data: Net<In>,
    out: Net<Out>,
    held: Reg,
}

impl Stage {
    fn new() -> Stage {
        let clocks = Clocks::without_reset();
        Stage { data: Net::new(8), out: Net::new(8), held: Reg::new(&clocks, 8), clocks }
    }
}

#[kernel]
impl Stage {
    fn logic(&self) {
        self.held.next = self.data.val();
        self.out.next = self.held.val();
    }
}

/// Two registers in a row, the second one's clock through two local wires.
#[derive(LogicBlock)]
struct Row {
    clocks: Clocks,
    data: Net<In>,
    out: Net<Out>,
    near: Net<Local>,
    far: Net<Local>,
    first: Stage,
    second: Stage,
}

impl Row {
    fn new() -> Row {
        Row {
            clocks: Clocks::without_reset(),
            data: Net::new(8),
            out: Net::new(8),
            near: Net::bit(),
            far: Net::bit(),
            first: Stage::new(),
            second: Stage::new(),
        }
    }
}

#[kernel]
impl Row {
    fn logic(&self) {
        self.near.next = self.clocks.clk.val();
        self.far.next = self.near.val();
        self.first.clocks.follow(&self.clocks);
        self.second.clocks.clk.next = self.far.val();
        self.first.data.next = self.data.val();
        self.second.data.next = self.first.out.val();
        self.out.next = self.second.out.val();
    }
}

#[test]
fn a_clock_through_local_wires_is_the_clock_itself() {
    let mut simulator = Simulator::new("row", Row::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut seen = vec![];
    for data in 1..=6 {
        simulator.block.data.drive(data);
        simulator.tick(|block| &block.clocks);
        seen.push(simulator.block.out.val().to_u64());
    }
    assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
    assert_eq!(simulator.block.second.held.val().to_u64(), 5, "registers inside can be read, too");
}

#[test]
fn clocks_that_rise_together_sample_before_anything_moves() {
    #[derive(LogicBlock)]
    struct Crossing {
        near: Clocks,
        far: Clocks,
        count: Reg,
        cross: Synchroniser,
        out: Net<Out>,
    }
    #[kernel]
    impl Crossing {
        fn logic(&self) {
            self.count.next = !self.count.val();
            self.cross.clocks.follow(&self.far);
            self.cross.data_in.next = self.count.val();
            self.out.next = self.cross.data_out.val();
        }
    }
    let near = Clocks::named_without_reset("near");
    let block = Crossing {
        count: Reg::new(&near, 1),
        near,
        far: Clocks::named_without_reset("far"),
        cross: Synchroniser::new(1, 2),
        out: Net::bit(),
    };
    let mut simulator = Simulator::new("crossing", block).unwrap_or_else(|e| panic!("{e}"));
    let interpreter = &mut simulator.interpreter;
    assert_eq!(interpreter.clocks(), ["near_clk", "far_clk"]);
    let port = |name: &str| interpreter.port(name).unwrap_or_else(|| panic!("no port {name}"));
    let (near, far, out) = (port("near_clk"), port("far_clk"), port("out"));
    let mut seen = vec![];
    for clocks in [&[near, far][..], &[near, far], &[near, far], &[near], &[far], &[far]] {
        interpreter.tick(clocks).unwrap_or_else(|e| panic!("{e}"));
        seen.push(interpreter.get(out).low_u64());
    }
    // Both: 0 then 1 then 0 go in; the near clock alone makes it 0 again, which the far one takes twice.
    assert_eq!(seen, [0, 0, 1, 1, 0, 0]);
}

/// A reset shorter than a clock of the side that receives it is not lost.
#[test]
fn a_register_that_is_set_without_a_clock_catches_a_glitch() {
    let block = ResetSynchroniser::new(2);
    let mut simulator = Simulator::new("reset", block).unwrap_or_else(|e| panic!("{e}"));
    let mut levels = vec![];
    for clock in 0..8 {
        if clock == 4 {
            simulator.block.reset_in.drive(1);
            simulator.settle();
            simulator.block.reset_in.drive(0);
            simulator.settle();
        }
        simulator.tick(|block| &block.clocks);
        levels.push(simulator.block.reset_out.val().to_u64());
    }
    // Without the glitch it would have stayed low from the third clock on.
    assert_eq!(levels, [1, 1, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn words_that_were_never_written_are_unknown_where_asked_for() {
    let make = |unknown| {
        Simulator::with_unknown("ram", DistributedRam::new(4, 8), unknown).unwrap_or_else(|e| panic!("{e}"))
    };
    assert!(make(Unknown::Never).interpreter.unknown_outputs().is_empty());
    let mut simulator = make(Unknown::Memories);
    assert_eq!(simulator.interpreter.unknown_outputs(), ["read_data"]);
    simulator.block.write_enable.drive(1);
    simulator.block.write_address.drive(2);
    simulator.block.write_data.drive(0x5a);
    simulator.tick(|block| &block.clocks);
    simulator.block.read_address.drive(2);
    simulator.settle();
    assert!(simulator.interpreter.unknown_outputs().is_empty());
    assert_eq!(simulator.block.read_data.val().to_u64(), 0x5a);
    simulator.block.read_address.drive(3);
    simulator.settle();
    assert_eq!(simulator.interpreter.unknown_outputs(), ["read_data"], "another word");
}

#[test]
fn registers_without_reset_are_unknown_where_asked_for() {
    let unknown = Unknown::MemoriesAndRegisters;
    let mut simulator = Simulator::with_unknown("row", Row::new(), unknown).unwrap_or_else(|e| panic!("{e}"));
    let mut unknown = vec![];
    for _ in 0..3 {
        unknown.push(simulator.interpreter.unknown_outputs().len());
        simulator.tick(|block| &block.clocks);
    }
    assert_eq!(unknown, [1, 1, 0], "two clocks bring something known");
}

/// An expression as deep as 20,000 operators, and a wire of 1000 bits.
#[test]
fn deep_and_wide_expressions_run() {
    #[derive(LogicBlock)]
    struct Deep {
        data: Net<In>,
        wide: Net<In>,
        sum: Net<Out>,
        turned: Net<Out>,
    }
    #[kernel]
    impl Deep {
        fn logic(&self) {
            self.sum.next = (0..20_000).fold(self.data.val(), |sum, _| sum + self.data.val());
            self.turned.next = cat(&[self.wide.val().low(500), self.wide.val().high(500)]);
        }
    }
    let block = Deep { data: Net::new(40), wide: Net::new(1000), sum: Net::new(40), turned: Net::new(1000) };
    let mut simulator = Simulator::new("deep", block).unwrap_or_else(|e| panic!("{e}"));
    simulator.block.data.drive(3);
    simulator.block.wide.drive(Bits::constant(Value::from_u128(1000, 5)));
    simulator.settle();
    assert_eq!(simulator.block.sum.val().to_u64(), 60_003);
    assert_eq!(simulator.block.turned.val().value(), Value::from_u128(1000, 5).shifted_left(500));
}

#[test]
fn a_primitive_that_does_not_say_what_it_computes_is_refused_by_name() {
    #[derive(LogicBlock)]
    struct Mystery {
        data: Net<In>,
        out: Net<Out>,
    }
    impl Logic for Mystery {
        fn update(&mut self) {}
        fn hdl(&self) -> Verilog {
            describe(Primitive {
                module: "mystery".into(),
                verilog: "assign out = data;\n".into(),
                paths: vec![("data", "out")],
                ..Primitive::default()
            });
            Verilog::Empty
        }
    }
    let design = elaborate("top", &Mystery { data: Net::bit(), out: Net::bit() });
    let design = design.unwrap_or_else(|e| panic!("{e}"));
    let Err(refused) = Interpreter::new(design, Unknown::Never) else { panic!("it was accepted") };
    let expected = "\
error[H008]: the primitive `mystery` cannot be simulated in Rust: it does not say what it computes
  in top
  help: give its description a `behaviour` (tmu_hdl::behaviour::Behaviour)";
    assert_eq!(refused.to_string(), expected);
}
