//! Runs many primitives at once: Rust models, one verilated batch, one Icarus batch, compared row by row.

use crate::stimulus::{Stimulus, clocks, repeat, seed};
use crate::subject::Subject;
use rand_chacha::ChaCha8Rng;
use tmu_verilate::{Batch, IcarusModel, Initial, Model, ModelOptions, RowLayout, Rows, Schedule, Tools};

/// Clocks that each primitive also runs against Icarus.
const ICARUS_CLOCKS: usize = 2_000;
/// Rows in one call: bounds the memory for the rows of wide primitives.
const CHUNK_ROWS: usize = 10_000;

/// Changes a random row so that it is a legal one.
pub(crate) type Fix = Box<dyn FnMut(&mut ChaCha8Rng, &mut Rows, usize)>;
/// Sees all inputs and outputs in order, chunk by chunk, and panics where a promise is broken.
pub(crate) type Check = Box<dyn FnMut(&Rows, &Rows)>;

/// A single-clock primitive with its stimulus.
pub(crate) struct Case {
    pub(crate) subject: Subject,
    /// Rows at the beginning, filled by `warm_up`, in which outputs may differ: memories and data registers
    /// hold nothing that is defined yet.
    warm_up_rows: usize,
    warm_up: Fix,
    fix: Fix,
    check: Check,
}

impl Case {
    /// A primitive whose outputs are all defined from the first clock.
    pub(crate) fn new(subject: Subject) -> Case {
        Case {
            subject,
            warm_up_rows: 0,
            warm_up: Box::new(|_, _, _| {}),
            fix: Box::new(|_, _, _| {}),
            check: Box::new(|_, _| {}),
        }
    }

    /// Starts with `rows` rows that `fill` sets; outputs are compared behind them.
    pub(crate) fn warm_up(
        mut self,
        rows: usize,
        fill: impl FnMut(&mut ChaCha8Rng, &mut Rows, usize) + 'static,
    ) -> Case {
        self.warm_up_rows = rows;
        self.warm_up = Box::new(fill);
        self
    }

    /// Makes every random row a legal one.
    pub(crate) fn fix(mut self, fix: impl FnMut(&mut ChaCha8Rng, &mut Rows, usize) + 'static) -> Case {
        self.fix = Box::new(fix);
        self
    }

    /// Checks what the primitive promises.
    pub(crate) fn check(mut self, check: impl FnMut(&Rows, &Rows) + 'static) -> Case {
        self.check = Box::new(check);
        self
    }
}

/// Runs all cases through Rust, Verilator and Icarus and compares every output in every clock.
pub(crate) fn prove(test: &str, cases: Vec<Case>) {
    prove_for(test, cases, clocks());
}

/// The same for so many clocks, where the Rust models are slow.
pub(crate) fn prove_for(test: &str, mut cases: Vec<Case>, clocks: usize) {
    if Tools::are_missing() {
        return;
    }
    let longest = cases.iter().map(|c| c.warm_up_rows).max().unwrap_or(0);
    let batch = Batch::new(cases.iter().map(|c| c.subject.source.clone()).collect());
    let batch = batch.unwrap_or_else(|e| panic!("{e}"));
    let model = Model::build(batch.source(), &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(model.warnings(), "", "Verilator warns");
    let mut instance = model.instance_with(Initial::Random(seed() as u32)).unwrap_or_else(|e| panic!("{e}"));
    let icarus = IcarusModel::build(batch.source(), Schedule::Cycles).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(icarus.warnings(), "", "Icarus warns");

    let mut stimuli: Vec<Stimulus> = cases.iter().map(|c| Stimulus::new(c.subject.name())).collect();
    let mut done = 0;
    let all = longest + clocks;
    while done < all {
        let count = if done == 0 { longest + ICARUS_CLOCKS.min(clocks) } else { CHUNK_ROWS.min(all - done) };
        let inputs: Vec<Rows> = cases
            .iter_mut()
            .zip(&mut stimuli)
            .map(|(case, stimulus)| inputs(case, stimulus, done, count))
            .collect();
        let joined = batch.join(Schedule::Cycles, &inputs).unwrap_or_else(|e| panic!("{e}"));
        let verilated = instance.run(Schedule::Cycles, &joined).unwrap_or_else(|e| panic!("{e}"));
        let four_state = (done == 0).then(|| icarus.run(&joined).unwrap_or_else(|e| panic!("{e}")));
        let four_state = four_state.map(|rows| batch.split_four_state(&rows));
        for (i, (case, got)) in cases.iter_mut().zip(batch.split(&verilated)).enumerate() {
            let expected = case.subject.run(Schedule::Cycles, &inputs[i]);
            let skipped = case.warm_up_rows.saturating_sub(done);
            let name = case.subject.name();
            if let Some(difference) = tail(&got, skipped).first_difference(&tail(&expected, skipped)) {
                panic!("{name}, Verilator, rows from {}: {difference}; {}", done + skipped, repeat(test));
            }
            if let Some(four_state) = &four_state {
                let (value, unknown) =
                    (tail(&four_state[i].value, skipped), tail(&four_state[i].unknown, skipped));
                let four_state = tmu_verilate::FourStateRows { value, unknown };
                if let Some(difference) = four_state.first_difference(&tail(&expected, skipped)) {
                    panic!("{name}, Icarus, rows from {skipped}: {difference}; {}", repeat(test));
                }
            }
            (case.check)(&inputs[i], &expected);
        }
        done += count;
    }
}

/// The next rows of a case, warm-up first.
fn inputs(case: &mut Case, stimulus: &mut Stimulus, done: usize, count: usize) -> Rows {
    let layout = RowLayout::inputs(&case.subject.source, Schedule::Cycles);
    stimulus.rows(&layout, count, |rng, rows, row| {
        (case.fix)(rng, rows, row);
        if done + row < case.warm_up_rows {
            (case.warm_up)(rng, rows, row);
        }
    })
}

/// The rows from `first` on.
fn tail(rows: &Rows, first: usize) -> Rows {
    let mut out = Rows::zeros(rows.layout().clone(), rows.len() - first);
    for row in first..rows.len() {
        out.row_mut(row - first).copy_from_slice(rows.row(row));
    }
    out
}
