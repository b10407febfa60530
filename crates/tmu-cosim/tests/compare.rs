//! The helper on blocks that are right, and on Verilog with faults that it must find and make short.

use tmu_cosim::{Error, Reading, Stimulus, compare, compare_changed};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{AsyncFifo, DistributedRam, SyncFifo};
use tmu_verilate::Tools;

/// Adds up what comes while it is enabled.
#[derive(LogicBlock)]
struct Sum {
    clocks: Clocks,
    enable: Net<In>,
    item: Net<In>,
    sum: Net<Out>,
    total: Reg,
}

impl Sum {
    fn new() -> Sum {
        let clocks = Clocks::new();
        Sum {
            enable: Net::bit(),
            item: Net::new(8),
            sum: Net::new(12),
            total: Reg::with_reset(&clocks, 12, 0),
            clocks,
        }
    }
}

#[kernel]
impl Sum {
    fn logic(&self) {
        if self.enable.val() {
            self.total.next = self.total.val() + self.item.val().zero_extend(12);
        }
        self.sum.next = self.total.val();
        assert(self.total.val() <= 0xfff, "twelve bits hold it");
    }
}

#[test]
fn every_reading_of_a_block_agrees() {
    let stimulus = Stimulus::random(500);
    let blocks: [Result<tmu_cosim::Report, Error>; 4] = [
        compare("sum", Sum::new, &stimulus),
        compare("fifo", || SyncFifo::new(8, 70), &stimulus),
        compare("crossing", || AsyncFifo::new(8, 9), &stimulus),
        compare("words", || DistributedRam::new(16, 5), &stimulus),
    ];
    for report in blocks {
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        let all = if report.missing_tools.is_empty() { 3 } else { 1 };
        assert_eq!(report.readings.len(), all);
        assert!(report.compared_bits > 2_000, "only {} bits are defined", report.compared_bits);
    }
}

/// A wrong clock enable, and what is left of a thousand random clocks: one item, and the clock that shows it.
#[test]
fn a_fault_is_found_and_the_stimulus_made_short() {
    if Tools::are_missing() {
        return;
    }
    let wrong = |text: String| text.replace("if (enable) begin", "if (enable || item == 8'd7) begin");
    let Err(Error::Mismatch(mismatch)) = compare_changed("sum", Sum::new, &Stimulus::random(1000), wrong)
    else {
        panic!("the fault is not found");
    };
    assert_eq!((mismatch.reading, mismatch.port.as_str()), (Reading::Verilator, "sum"));
    assert_eq!(mismatch.rows_before, 1000);
    let text = mismatch.to_string();
    let expected = "\
sum: Verilator differs from Rust in `sum` (2 rows left of 1000)
  row  rst  enable  item  sum expected           got
    0    0       0     7  000000000000  000000000000
    1    0       0     0  000000000000  000000000111
repeat with the seed 1: Stimulus::random(…).seed(1)";
    assert_eq!(text, expected);
}

#[test]
fn a_block_that_breaks_a_rule_is_refused() {
    #[derive(LogicBlock)]
    struct Loop {
        data: Net<In>,
        out: Net<Out>,
    }
    #[kernel]
    impl Loop {
        fn logic(&self) {
            self.out.next = self.out.val() ^ self.data.val();
        }
    }
    let made = || Loop { data: Net::bit(), out: Net::bit() };
    assert!(matches!(compare("wheel", made, &Stimulus::random(10)), Err(Error::Design(_))));
}
