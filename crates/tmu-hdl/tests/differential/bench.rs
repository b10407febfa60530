//! A block for one kernel that is a function, and its simulation in Rust.

use crate::harness::{Case, Runs, source};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::{Cell, RefCell};
use tmu_cosim::{from_value, to_value};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::{KernelSimulator, Simulator};
use tmu_verilate::{ModelSource, RowLayout, Rows, Schedule};

/// What a kernel of the tables finds; everything has a driver already.
#[derive(LogicBlock)]
pub(crate) struct Bench {
    pub(crate) clocks: Clocks,
    pub(crate) a: Net<In>,
    pub(crate) b: Net<In>,
    pub(crate) c: Net<In>,
    pub(crate) d: Net<In>,
    pub(crate) e: Net<In>,
    pub(crate) middle: Net<Local>,
    pub(crate) state: Reg,
    pub(crate) out: Net<Out>,
    pub(crate) more: Net<Out>,
    pub(crate) shown: Net<Out>,
    pub(crate) _count: Cell<usize>,
    pub(crate) _kept: RefCell<Option<Bits>>,
    _kernel: fn(&Bench),
}

impl Bench {
    pub(crate) fn new(kernel: fn(&Bench)) -> Bench {
        let clocks = Clocks::new();
        Bench {
            a: Net::new(8),
            b: Net::new(8),
            c: Net::bit(),
            d: Net::bit(),
            e: Net::bit(),
            middle: Net::new(8),
            state: Reg::with_reset(&clocks, 8, 3),
            out: Net::new(8),
            more: Net::new(8),
            shown: Net::new(16),
            _count: Cell::new(0),
            _kept: RefCell::new(None),
            _kernel: kernel,
            clocks,
        }
    }
}

#[kernel]
impl Bench {
    fn logic(&self) {
        self.middle.next = self.a.val();
        self.state.next = self.b.val();
        self.out.next = self.b.val();
        self.more.next = cat(&[self.c.val(), self.d.val(), self.e.val()]).zero_extend(8);
        self.shown.next = cat(&[self.middle.val(), self.state.val()]);
        // Not every kernel leaves what stands here.
        for value in [&self.a, &self.b, &self.c, &self.d, &self.e].map(|net| net.val()) {
            discard(value, "kernels take what they need");
        }
        // Under a condition that elaboration knows, so that a kernel may drive what has been driven.
        let is_built = self.a.width() == 8;
        if is_built {
            (self._kernel)(self);
        }
    }
}

/// Bits and a number that one call changes.
pub(crate) struct Accumulator {
    pub(crate) sum: Bits,
    pub(crate) count: usize,
}

impl Accumulator {
    pub(crate) fn add(&mut self, x: Bits) -> &mut Accumulator {
        self.sum = self.sum + x;
        self.count += 1;
        self
    }
}

/// Something to take apart.
pub(crate) struct Word {
    pub(crate) low: Bits,
    pub(crate) high: Bits,
}

/// Three turns in two bits: one code is no variant.
#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turn {
    Left,
    Right,
    Back,
}

/// A kernel with random inputs for some cycles, and what Rust simulation makes of them.
pub(crate) fn case(name: &str, kernel: fn(&Bench), seed: u64, cycles: usize) -> Result<Case, String> {
    let design = elaborate(name, &Bench::new(kernel)).map_err(|e| e.to_string())?;
    let source = source(&design);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), cycles);
    for row in 0..cycles {
        for column in inputs.layout().clone().columns() {
            let word = if column.name == "rst" {
                u32::from(rng.next_u32().is_multiple_of(16))
            } else {
                rng.next_u32()
            };
            let value = tmu_hdl::value::Value::from_u128(column.width_bits as usize, u128::from(word));
            from_value(&value, inputs.value_mut(row, column));
        }
    }
    let interpreter = Simulator::new(name, Bench::new(kernel)).map_err(|e| e.to_string())?;
    let kernels = KernelSimulator::new(name, Bench::new(kernel)).map_err(|e| e.to_string())?;
    let expected = simulate(interpreter, &source, &inputs);
    let kernels = simulate(kernels, &source, &inputs);
    Ok(Case { source, inputs, expected, kernels })
}

fn simulate(mut simulator: impl Runs<Bench>, source: &ModelSource, inputs: &Rows) -> Rows {
    let mut outputs = Rows::zeros(RowLayout::outputs(source), inputs.len());
    for row in 0..inputs.len() {
        let bench = simulator.block();
        let input = |name: &str| {
            let column = inputs.layout().column(name).unwrap_or_else(|| panic!("no column {name}"));
            Bits::constant(to_value(inputs.value(row, column), column.width_bits as usize))
        };
        bench.clocks.rst.iter().for_each(|rst| rst.drive(input("rst")));
        for (name, net) in
            [("a", &bench.a), ("b", &bench.b), ("c", &bench.c), ("d", &bench.d), ("e", &bench.e)]
        {
            net.drive(input(name));
        }
        simulator.settle();
        let bench = simulator.block();
        for (name, net) in [("out", &bench.out), ("more", &bench.more), ("shown", &bench.shown)] {
            let Some(column) = outputs.layout().column(name).cloned() else { panic!("no column {name}") };
            from_value(&net.val().value(), outputs.value_mut(row, &column));
        }
        simulator.tick(|bench| &bench.clocks);
    }
    outputs
}
