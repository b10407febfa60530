//! Time from a block to its Verilog: a design of 200 different modules.

use divan::{Bencher, counter::ItemsCount};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::manifest::manifest;
use tmu_hdl::prelude::*;
use tmu_hdl::verilog::{Header, emit};

/// Modules of the design, the top included.
const MODULES: usize = 200;
/// Width of the narrowest stage; each one is a bit wider than the one before.
const NARROWEST_BITS: usize = 16;

fn main() {
    divan::main();
}

/// A stage of ordinary size: a handshake, a tree of comparisons, an accumulator.
#[derive(LogicBlock)]
struct Stage {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    full: Reg,
    history: Vec<Reg>,
    sum: Reg,
}

impl Stage {
    fn new(width: usize) -> Stage {
        let clocks = Clocks::new();
        Stage {
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            full: Reg::with_reset(&clocks, 1, 0),
            history: Reg::array(4, &clocks, width),
            sum: Reg::with_reset(&clocks, width, 0),
            clocks,
        }
    }
}

/// Adds up the largest of the last items.
#[kernel]
impl Stage {
    fn logic(&self) {
        timing(1, 1);
        /// # Handshake
        let moves = !self.full.val() || self.output.ready.val();
        self.input.ready.next = moves;
        if moves {
            self.full.next = self.input.valid.val();
        }
        self.output.valid.next = self.full.val();

        /// # History
        if moves && self.input.valid.val() {
            self.history[0].next = self.input.data.val();
            for (newer, older) in self.history.iter().zip(&self.history[1..]) {
                older.next = newer.val();
            }
        }

        /// # Largest
        let mut largest = self.input.data.val();
        for item in &self.history {
            let item = item.val();
            largest = if item > largest { item } else { largest };
        }
        let wraps = largest.add_wide(self.sum.val()).high(1);
        if moves {
            self.sum.next = if wraps { !largest } else { self.sum.val() + largest };
        }
        self.output.data.next = self.sum.val();
    }
}

/// Stages in a row, each with what the one before gives and a bit more.
#[derive(LogicBlock)]
struct Row {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    stages: Vec<Stage>,
}

impl Row {
    fn new(stages: usize) -> Row {
        Row {
            clocks: Clocks::new(),
            input: StreamIn::new(NARROWEST_BITS),
            output: StreamOut::new(NARROWEST_BITS + stages - 1),
            stages: (0..stages).map(|i| Stage::new(NARROWEST_BITS + i)).collect(),
        }
    }
}

/// Stages of rising width.
#[kernel]
impl Row {
    fn logic(&self) {
        self.stages.iter().for_each(|stage| stage.clocks.follow(&self.clocks));
        self.stages[0].input.forward(&self.input);
        for (stage, next) in self.stages.iter().zip(&self.stages[1..]) {
            next.input.valid.next = stage.output.valid.val();
            next.input.data.next = cat(&[stage.output.valid.val(), stage.output.data.val()]);
            stage.output.ready.next = next.input.ready.val();
        }
        if let Some(last) = self.stages.last() {
            self.output.forward(&last.output);
        }
    }
}

/// Elaboration, all design checks, the Verilog and the manifest.
#[divan::bench]
fn design_of_200_modules(bencher: Bencher) {
    let block = Row::new(MODULES - 1);
    bencher.counter(ItemsCount::new(MODULES)).bench_local(|| {
        let design = elaborate("row", &block).expect("the design keeps every rule");
        let modules = emit(&design);
        assert_eq!(modules.modules.len(), MODULES);
        (modules.to_file(&Header::default()), manifest(&design, &modules))
    });
}
