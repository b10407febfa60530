//! Properties of kernels: in the interpreter, in Verilator, and refused where their clock is not known.

use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::property::PropertyKind;
use tmu_hdl::simulate::Simulator;
use tmu_hdl::verilog::{Header, emit};
use tmu_verilate::{Model, ModelOptions, ModelSource, Port, Tools, lint_with_all};

/// Counts while it may.
#[derive(LogicBlock)]
pub(crate) struct Counter {
    clocks: Clocks,
    step: Net<In>,
    count: Net<Out>,
    number: Reg,
}

impl Counter {
    fn new() -> Counter {
        let clocks = Clocks::new();
        Counter { step: Net::bit(), count: Net::new(4), number: Reg::with_reset(&clocks, 4, 0), clocks }
    }
}

#[kernel]
impl Counter {
    fn logic(&self) {
        let number = self.number.val();
        if self.step.val() {
            self.number.next = number + 1;
            assert(number != 5, "no step behind five");
            if number == 3 {
                cover(self.step.val(), "a step behind three");
            } else {
                assume(number < 9, "nobody counts to nine");
            }
        }
        self.count.next = number;
    }
}

/// The edge at which the assertion fails: six steps after a reset and two clocks without a step.
const FAILING_EDGE: u64 = 9;

/// Inputs of each clock: reset and step.
fn rows() -> impl Iterator<Item = (u64, u64)> {
    (1..=FAILING_EDGE).map(|clock| (u64::from(clock == 1), u64::from(clock != 2 && clock != 3)))
}

#[test]
fn the_interpreter_checks_properties_under_their_conditions() {
    let mut simulator = Simulator::new("counter", Counter::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut failures = vec![];
    for (reset, step) in rows() {
        simulator.block.clocks.rst.iter().for_each(|rst| rst.drive(reset));
        simulator.block.step.drive(step);
        failures.extend(simulator.try_tick(|block| &block.clocks).err());
    }
    assert_eq!(failures.len(), 1);
    let failure = &failures[0];
    assert_eq!((failure.kind, failure.edge), (PropertyKind::Assert, FAILING_EDGE));
    let text = failure.to_string();
    let start = "assert does not hold in counter at clock edge 9: \"no step behind five\" (written: ";
    assert!(text.starts_with(start) && text.contains("properties.rs:"), "{text}");
    let covers = simulator.interpreter.covers();
    assert_eq!((covers[0].text.as_str(), covers[0].count), ("a step behind three", 1));
}

#[test]
fn properties_stand_in_the_verilog_for_those_who_ask() {
    let design = elaborate("counter", &Counter::new()).unwrap_or_else(|e| panic!("{e}"));
    let text = emit(&design).to_file(&Header::default());
    let expected = "\
`ifdef TMUGEN_PROPERTIES
    // no step behind five
    always @(posedge clk) begin
        if (!rst && (step)) begin
            assert_no_step_behind_five: assert (number != 4'd5);
        end
    end
";
    assert!(text.contains(expected), "{text}");
    if Tools::are_missing() {
        return;
    }
    let ports =
        vec![Port::clock("clk"), Port::input("rst", 1), Port::input("step", 1), Port::output("count", 4)];
    let source = ModelSource::single("counter", &text, ports);
    let found = lint_with_all(&source).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.is_empty(), "{found:?}");

    let options = ModelOptions {
        verilator_arguments: vec!["+define+TMUGEN_PROPERTIES".into()],
        ..ModelOptions::default()
    };
    let model = Model::build(&source, &options).unwrap_or_else(|e| panic!("{e}"));
    let port = |name: &str| model.port(name).unwrap_or_else(|e| panic!("{e}"));
    let (reset, step) = (port("rst"), port("step"));
    let mut instance = model.instance().unwrap_or_else(|e| panic!("{e}"));
    let mut failing = vec![];
    for (edge, (reset_level, step_level)) in (1..).zip(rows()) {
        instance.set(reset, reset_level);
        instance.set(step, step_level);
        if let Err(error) = instance.step_cycles(1) {
            let text = error.to_string();
            assert!(text.contains("assert_no_step_behind_five"), "{text}");
            failing.push(edge);
        }
    }
    assert_eq!(failing, [FAILING_EDGE], "Verilator finds it at the same edge");
}

#[test]
fn a_property_without_a_clock_is_refused() {
    #[derive(LogicBlock)]
    struct Wire {
        data: Net<In>,
        out: Net<Out>,
    }
    #[kernel]
    impl Wire {
        fn logic(&self) {
            self.out.next = self.data.val();
            assert(self.data.val() == 0, "silence");
        }
    }
    let refused = elaborate("silent", &Wire { data: Net::bit(), out: Net::bit() });
    let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
    let expected =
        "error[H008]: `assert` of a block with 0 clocks does not say on which it is sampled: \"silence\"";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn places_in_the_source_stand_behind_assignments_on_request() {
    let design = elaborate("counter", &Counter::new()).unwrap_or_else(|e| panic!("{e}"));
    let text = tmu_hdl::verilog::emit_with_places(&design).to_file(&Header::default());
    let line_of = |wanted: &str| {
        let lines = include_str!("properties.rs").lines();
        1 + lines.take_while(|line| line.trim() != wanted).count()
    };
    for (verilog, source) in [
        ("number <= number + 4'd1;", "self.number.next = number + 1;"),
        ("assign count = number;", "self.count.next = number;"),
    ] {
        let expected = format!("{verilog} // {}:{}\n", file!(), line_of(source));
        assert!(text.contains(&expected), "no {expected} in\n{text}");
    }
    let plain = emit(&design).to_file(&Header::default());
    assert!(!plain.contains("properties.rs"), "{plain}");
}
