//! Rows of random inputs through Rust simulation, a meaning in plain Rust, Verilator and Icarus.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use tmu_cosim::{Member, Members, ports};
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_hdl::{elaborate::elaborate, verilog::Header, verilog::emit};
use tmu_verilate::{ModelOptions, ModelSource, RowLayout, Rows, Schedule};

/// Clocks for each block.
const ROWS: usize = 400;

/// Numbers by the names of ports.
pub(crate) type Row = BTreeMap<String, u64>;

/// The pins of a block, by the names of its ports.
pub(crate) struct Pins<'a> {
    pub(crate) clocks: Option<&'a Clocks>,
    pub(crate) inputs: Vec<(&'static str, &'a Net<In>)>,
    pub(crate) outputs: Vec<(&'static str, &'a Net<Out>)>,
}

/// `pins!(block, clocks, [a, b: part.net], [out])`: a port is called as the field or as is said.
macro_rules! pins {
    (@net $block:ident $name:ident) => { (stringify!($name), &$block.$name) };
    (@net $block:ident $name:ident $($field:tt)+) => { (stringify!($name), &$block.$($field)+) };
    ($block:ident, $clocks:expr, [$($in:ident $(: $in_part:ident $(. $in_field:ident)? $([$in_index:literal])?)?),*],
        [$($out:ident $(: $out_part:ident $(. $out_field:ident)?)?),*]) => {
        $crate::harness::Pins {
            clocks: $clocks,
            inputs: vec![$(pins!(@net $block $in $($in_part $(. $in_field)? $([$in_index])?)?)),*],
            outputs: vec![$(pins!(@net $block $out $($out_part $(. $out_field)?)?)),*],
        }
    };
}
pub(crate) use pins;

/// A block with random inputs and what must come out.
pub(crate) struct Case {
    name: &'static str,
    source: ModelSource,
    inputs: Rows,
    expected: Rows,
}

impl Case {
    fn member(&self) -> Member<'_> {
        Member { source: &self.source, inputs: &self.inputs, expected: &self.expected }
    }
}

/// Simulates a block in Rust and holds it to its `meaning`, clock by clock: the outputs for the inputs of a clock, before
/// its edge. A port that a row of the meaning leaves out is not looked at then.
pub(crate) fn case<B: Block>(
    name: &'static str,
    block: B,
    mut meaning: impl FnMut(&Row) -> Row,
    pins: impl for<'a> Fn(&'a B) -> Pins<'a>,
) -> Case {
    let design = elaborate(name, &block).unwrap_or_else(|e| panic!("{name}: {e}"));
    let text = emit(&design).to_file(&Header::default());
    let source = ModelSource::single(name, text, ports(&design, &["clk"]));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), ROWS);
    let mut expected = Rows::zeros(RowLayout::outputs(&source), ROWS);
    let mut simulator = Simulator::new(name, block).unwrap_or_else(|e| panic!("{name}: {e}"));
    for row in 0..ROWS {
        let mut given = Row::new();
        let block = pins(&simulator.block);
        for (port, net) in &block.inputs {
            // Bits that stay for a while, as buttons and requests do.
            let stays = net.width() == 1 && row % 16 > 8;
            let number = rng.next_u64() & (u64::MAX >> (64 - net.width()));
            let number = if stays { inputs.get(row - 1, port) } else { number };
            inputs.set(row, port, number);
            net.drive(number);
            given.insert((*port).into(), number);
        }
        if let Some(rst) = block.clocks.and_then(|clocks| clocks.rst.as_ref()) {
            let number = u64::from(rng.next_u32().is_multiple_of(64));
            inputs.set(row, "rst", number);
            rst.drive(number);
            given.insert("rst".into(), number);
        }
        simulator.settle();
        let meant = meaning(&given);
        for (port, net) in pins(&simulator.block).outputs {
            let number = net.val().to_u64();
            expected.set(row, port, number);
            let meant = meant.get(port).copied().unwrap_or(number);
            assert_eq!(number, meant, "{name}, clock {row}, {port}: {given:?}");
        }
        if pins(&simulator.block).clocks.is_some() {
            for level in [true, false] {
                if let Some(clocks) = pins(&simulator.block).clocks {
                    clocks.clk.drive(level);
                }
                simulator.settle();
            }
        }
    }
    Case { name, source, inputs, expected }
}

/// The Verilog of all cases, in one model, against what Rust simulation gave.
pub(crate) fn compare(cases: &[Case]) {
    let members: Vec<Member<'_>> = cases.iter().map(Case::member).collect();
    let members = Members::new(&members).unwrap_or_else(|e| panic!("{e}"));
    let verilated = members.in_verilator(&ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let four_state = members.in_icarus().unwrap_or_else(|e| panic!("{e}"));
    if let Some((number, difference)) = verilated.iter().chain(&four_state).next() {
        let Case { name, source, .. } = &cases[*number];
        panic!("{name}, {difference}{}", source.files[0].text);
    }
}
