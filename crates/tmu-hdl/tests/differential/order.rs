//! Wires of one `if` that follow from one another through a wire or a sub-block outside it. In one `always @(*)` the
//! second would be computed before the wire between has changed, and a simulator may leave it so.

use crate::harness::{Case, compare, source};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_verilate::{RowLayout, Rows, Schedule, Tools};

#[derive(LogicBlock)]
struct Complement {
    data: Net<In>,
    out: Net<Out>,
}

#[kernel]
impl Complement {
    fn logic(&self) {
        self.out.next = !self.data.val();
    }
}

#[derive(LogicBlock)]
struct Chain {
    enable: Net<In>,
    data: Net<In>,
    first: Net<Local>,
    between: Net<Local>,
    second: Net<Local>,
    complement: Complement,
    third: Net<Local>,
    out: Net<Out>,
}

#[kernel]
impl Chain {
    fn logic(&self) {
        self.first.next = 0;
        self.second.next = self.between.val();
        self.third.next = self.complement.out.val();
        if self.enable.val() {
            self.first.next = self.data.val();
            if self.data.val().bit(0) {
                self.second.next = 0;
                self.third.next = 0;
            }
        }
        self.between.next = self.first.val() + 1;
        self.complement.data.next = self.second.val();
        self.out.next = self.third.val();
    }
}

impl Chain {
    fn new() -> Chain {
        Chain {
            enable: Net::bit(),
            data: Net::new(8),
            first: Net::new(8),
            between: Net::new(8),
            second: Net::new(8),
            complement: Complement { data: Net::new(8), out: Net::new(8) },
            third: Net::new(8),
            out: Net::new(8),
        }
    }
}

fn case() -> Case {
    let design = elaborate("chain", &Chain::new()).unwrap_or_else(|e| panic!("{e}"));
    let source = source(&design);
    let rows = 512;
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), rows);
    let mut expected = Rows::zeros(RowLayout::outputs(&source), rows);
    let mut simulator = Simulator::new("chain", Chain::new()).unwrap_or_else(|e| panic!("{e}"));
    for row in 0..rows {
        let data = row as u8;
        let enable = row % 3 != 0;
        simulator.block.enable.drive(enable);
        simulator.block.data.drive(u64::from(data));
        simulator.settle();
        inputs.set(row, "enable", enable.into());
        inputs.set(row, "data", data.into());
        let meant = match (enable, data & 1) {
            (true, 1) => 0,
            (true, _) => u64::from(!(data + 1)),
            (false, _) => 0xfe,
        };
        assert_eq!(simulator.block.out.val().to_u64(), meant, "Rust simulation of row {row}");
        expected.set(row, "out", meant);
    }
    Case { source, inputs, kernels: expected.clone(), expected }
}

#[test]
fn wires_that_follow_from_one_another_mean_the_same_in_rust_and_in_verilog() {
    if Tools::are_missing() {
        return;
    }
    let case = case();
    let text = case.source.files[0].text.clone();
    let found = compare(&[case]).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.is_empty(), "{}{text}", found[&0]);
}
