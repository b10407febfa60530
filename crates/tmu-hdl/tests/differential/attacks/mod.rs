//! Kernels that try to get past the comparison of a kernel with its graph: each goes through `#[kernel]`, and is refused
//! with a message that names the place, or means the same in Rust, Verilator and Icarus.

mod refused;
mod right;

use crate::harness::{Case, compare, source, tools_are_missing, value, words};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::{Cell, RefCell};
use std::fs;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_hdl::soundness::switch_off;
use tmu_verilate::{RowLayout, Rows, Schedule};

/// Clock cycles that each kernel runs for.
const CYCLES: usize = 60;

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
    fn new(kernel: fn(&Bench)) -> Bench {
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
        // Under a condition that elaboration knows, so that a kernel may drive what has been driven.
        let is_built = self.a.width() == 8;
        if is_built {
            (self._kernel)(self);
        }
    }
}

/// A kernel, its name, and for those that are refused a piece of a line that the message must point to.
pub(crate) type Attack = (&'static str, fn(&Bench), &'static str);

macro_rules! kernels {
    ($table:ident: $(fn $name:ident($k:ident) $place:literal $body:tt)*) => {
        $(#[kernel]
        fn $name($k: &Bench) $body)*

        pub(super) const $table: &[crate::attacks::Attack] = &[$((stringify!($name), $name, $place)),*];
    };
}
use kernels;

fn case(name: &str, kernel: fn(&Bench), seed: u64) -> Result<Case, String> {
    let design = elaborate(name, &Bench::new(kernel)).map_err(|e| e.to_string())?;
    let source = source(&design);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), CYCLES);
    for row in 0..CYCLES {
        for column in inputs.layout().clone().columns() {
            let word = if column.name == "rst" { u32::from(rng.next_u32() % 16 == 0) } else { rng.next_u32() };
            let value = tmu_hdl::value::Value::from_u128(column.width_bits as usize, u128::from(word));
            inputs.value_mut(row, column).copy_from_slice(&words(&value));
        }
    }
    let mut simulator = Simulator::new(name, Bench::new(kernel)).map_err(|e| e.to_string())?;
    let mut expected = Rows::zeros(RowLayout::outputs(&source), CYCLES);
    for row in 0..CYCLES {
        let bench = &simulator.block;
        let input = |name: &str| {
            let column = inputs.layout().column(name).unwrap_or_else(|| panic!("no column {name}"));
            Bits::constant(value(inputs.value(row, column), column.width_bits as usize))
        };
        bench.clocks.rst.iter().for_each(|rst| rst.drive(input("rst")));
        for (name, net) in
            [("a", &bench.a), ("b", &bench.b), ("c", &bench.c), ("d", &bench.d), ("e", &bench.e)]
        {
            net.drive(input(name));
        }
        simulator.settle();
        let bench = &simulator.block;
        for (name, net) in [("out", &bench.out), ("more", &bench.more), ("shown", &bench.shown)] {
            let Some(column) = expected.layout().column(name).cloned() else { panic!("no column {name}") };
            expected.value_mut(row, &column).copy_from_slice(&words(&net.val().value()));
        }
        simulator.tick(|bench| &bench.clocks);
    }
    Ok(Case { source, inputs, expected })
}

/// The lines that a message points to.
fn lines(message: &str) -> Vec<String> {
    let line = |place: &str| {
        let mut parts = place.rsplit(": ").next()?.rsplitn(3, ':');
        let (_, number, file) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?);
        let text = fs::read_to_string(tmu_testing::repository().join(file.trim())).ok()?;
        Some(text.lines().nth(number.checked_sub(1)?)?.trim().to_string())
    };
    message.lines().filter(|text| text.contains(".rs:")).filter_map(line).collect()
}

#[test]
fn kernels_that_lie_are_refused_and_the_message_points_to_the_place() {
    let mut failures = vec![];
    for &(name, kernel, place) in refused::KERNELS {
        match elaborate(name, &Bench::new(kernel)) {
            Ok(_) => failures.push(format!("{name} is accepted")),
            Err(error) => {
                let error = error.to_string();
                if !error.contains("H008") || !lines(&error).iter().any(|line| line.contains(place)) {
                    failures.push(format!("{name}, expected to point to `{place}`:\n{error}\n{:#?}", lines(&error)));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn kernels_that_only_look_wrong_pass_and_mean_the_same_everywhere() {
    let mut failures = vec![];
    let mut cases = vec![];
    for &(name, kernel, _) in right::KERNELS {
        match case(name, kernel, 1) {
            Ok(case) => cases.push((name, case)),
            Err(error) => failures.push(format!("{name} is refused:\n{error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if tools_are_missing() {
        return;
    }
    let (names, cases): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let found = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<String> = found.iter().map(|(&i, text)| format!("{}: {text}", names[i])).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn without_the_comparison_the_refused_kernels_are_wrong_hardware() {
    if tools_are_missing() {
        return;
    }
    // What hangs, panics or changes from run to run has nothing that could be compared.
    let comparable = refused::KERNELS.iter().filter(|(name, ..)| !name.starts_with("x_"));
    switch_off(true);
    let made: Vec<_> =
        comparable.filter_map(|&(name, kernel, _)| Some((name, case(name, kernel, 1).ok()?))).collect();
    switch_off(false);
    let (names, cases): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let found = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let same: Vec<&str> = (0..names.len()).filter(|i| !found.contains_key(i)).map(|i| names[i]).collect();
    assert!(names.len() >= 40, "only {} kernels are accepted without the comparison", names.len());
    assert!(same.is_empty(), "refused, but right: {same:?}");
}
