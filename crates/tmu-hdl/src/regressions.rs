//! Designs that once came out wrong.

use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::simulate::Simulator;
use crate::verilog::{Header, emit};

/// A register behind a clock of its own port.
#[derive(LogicBlock)]
struct Delay {
    clocks: Clocks,
    data: Net<In>,
    held: Reg,
    out: Net<Out>,
}

#[kernel]
impl Delay {
    fn logic(&self) {
        self.held.next = self.data.val();
        self.out.next = self.held.val();
    }
}

fn delay() -> Delay {
    let clocks = Clocks::without_reset();
    Delay { data: Net::new(8), held: Reg::new(&clocks, 8), out: Net::new(8), clocks }
}

/// Two registers in a row, the second one on the same clock by way of a wire.
#[derive(LogicBlock)]
struct ByWire {
    clocks: Clocks,
    data: Net<In>,
    passed: Net<Local>,
    first: Reg,
    second: Delay,
    out: Net<Out>,
}

#[kernel]
impl ByWire {
    fn logic(&self) {
        self.passed.next = self.clocks.clk.val();
        self.second.clocks.follow_with(self.passed.val(), lit(1, 0u32));
        self.first.next = self.data.val();
        self.second.data.next = self.first.val();
        self.out.next = self.second.out.val();
    }
}

#[test]
fn a_clock_through_a_wire_keeps_every_register() {
    let clocks = Clocks::without_reset();
    let first = Reg::new(&clocks, 8);
    let (data, passed, out) = (Net::new(8), Net::bit(), Net::new(8));
    let block = ByWire { data, passed, first, second: delay(), out, clocks };
    let mut simulator = Simulator::new("by_wire", block).unwrap();
    let mut seen = vec![];
    for item in 1u64..=5 {
        simulator.block.data.drive(item);
        simulator.tick(|block| &block.clocks);
        seen.push(simulator.block.out.val().to_u64());
    }
    assert_eq!(seen, [0, 1, 2, 3, 4]);
}

/// A bundle that holds a sub-block between two nets.
#[derive(Bundle)]
struct Lane {
    before: Net<In>,
    delay: Delay,
    after: Net<Out>,
}

#[derive(LogicBlock)]
struct Lanes {
    clocks: Clocks,
    red: Lane,
    blue: Lane,
}

#[kernel]
impl Lanes {
    fn logic(&self) {
        for lane in [&self.red, &self.blue] {
            lane.delay.clocks.follow(&self.clocks);
            lane.delay.data.next = lane.before.val();
            lane.after.next = lane.delay.out.val();
        }
    }
}

#[test]
fn a_bundle_around_a_sub_block_keeps_its_prefix() {
    let lane = || Lane { before: Net::new(8), delay: delay(), after: Net::new(8) };
    let block = Lanes { clocks: Clocks::without_reset(), red: lane(), blue: lane() };
    let design = elaborate("lanes", &block).unwrap();
    let names = |block: usize| design.blocks[block].nets.iter().map(|n| n.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names(0), ["clk", "red_before", "red_after", "blue_before", "blue_after"]);
    let blocks: Vec<&str> = design.blocks.iter().map(|b| b.path.as_str()).collect();
    assert_eq!(blocks, ["lanes", "lanes.red_delay", "lanes.blue_delay"]);
}

#[derive(LogicBlock)]
struct Sum {
    data: Net<In>,
    out: Net<Out>,
    _terms: usize,
    _named: bool,
}

#[kernel]
impl Sum {
    fn logic(&self) {
        let mut sum = self.data.val();
        for i in 1..self._terms {
            let term = sum + self.data.val().at(lit(8, (i % 8) as u64)).zero_extend(8);
            sum = if self._named { term } else { sum ^ self.data.val() };
        }
        self.out.next = sum;
    }
}

#[test]
fn a_sum_of_20_000_terms_is_printed() {
    for named in [true, false] {
        let block = Sum { data: Net::new(8), out: Net::new(8), _terms: 20_000, _named: named };
        let text = emit(&elaborate("sum", &block).unwrap()).to_file(&Header::default());
        assert!(text.len() > 20_000, "{} characters", text.len());
    }
}
