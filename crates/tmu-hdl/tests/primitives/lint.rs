//! What four independent readers say about the Verilog of every primitive: nothing.

use crate::memories::words;
use crate::subject::Subject;
use tmu_hdl::arithmetic::*;
use tmu_hdl::bus::*;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::*;
use tmu_verilate::{Batch, ModelSource, Tools, lint_with_all};

fn source<B: Block + 'static>(name: &str, block: B) -> ModelSource {
    Subject::new(name, block).source
}

/// One of each, in the shapes that print differently.
fn all() -> Vec<ModelSource> {
    use Operand as O;
    let block = |depth, width| RamShape::new(depth, width).style(RamStyle::Block);
    let filled = |shape: RamShape| {
        let contents = Contents::inline(words(4, 9));
        shape.contents(contents)
    };
    vec![
        source("single", RamSinglePort::new(RamShape::new(100, 1))),
        source("single_registered", RamSinglePort::new(block(8, 9).output_register(true))),
        source("simple", RamSimpleDualPort::new(filled(RamShape::new(4, 9)))),
        source("simple_registered", RamSimpleDualPort::new(block(512, 72).output_register(true))),
        source("true", RamTrueDualPort::new(block(4, 5))),
        source("true_registered", RamTrueDualPort::new(block(64, 18).output_register(true))),
        source("ultra", UltraRam::new(4096, 72, 1)),
        source("ultra_deep", UltraRam::new(5000, 145, 3)),
        source("rom", Rom::new(Contents::in_file("table", words(4096, 9)), true)),
        source("rom_inline", Rom::new(Contents::inline(words(3, 65)), false)),
        source("distributed", DistributedRam::new(33, 7)),
        source("dual_clock", DualClockRam::new(RamShape::new(32, 8))),
        source("dual_clock_registered", DualClockRam::new(block(512, 36).output_register(true))),
        source("bits", Synchroniser::new(1, 2)),
        source("code", Synchroniser::new(7, 3)),
        source("reset", ResetSynchroniser::new(2)),
        source("fifo", SyncFifo::new(4, 1)),
        source("fifo_block", SyncFifo::with_style(1024, 18, RamStyle::Block)),
        source("crossing", AsyncFifo::new(4, 1)),
        source("crossing_level", AsyncFifo::new(8, 3).with_write_level()),
        source("crossing_block", AsyncFifo::with_style(1024, 18, RamStyle::Block)),
        source("skid", SkidBuffer::new(1)),
        source("arbiter_1", RoundRobinArbiter::new(1, GrantTiming::Combinational)),
        source("arbiter_5", RoundRobinArbiter::new(5, GrantTiming::Combinational)),
        source("arbiter_registered", RoundRobinArbiter::new(8, GrantTiming::Registered)),
        source("multiplier", Multiplier::new(O::signed(27), O::unsigned(17))),
        source("multiplier_1", Multiplier::new(O::signed(1), O::signed(1))),
        source("dual_unsigned", DualMultiplier::new(O::unsigned(8), 8)),
        source("dual_full", DualMultiplier::new(O::signed(9), 9)),
        source("dual_small", DualMultiplier::new(O::signed(2), 1)),
        source("lerp", LerpPair::new()),
        source("lerp_single", LerpSingle::new()),
        source("single_bytes", RamSinglePort::new(block(64, 32).lanes(8))),
        source("simple_bytes", RamSimpleDualPort::new(block(64, 36).lanes(9))),
        source("divider", Divider::new(7, 4)),
        source("divider_1", Divider::new(1, 1)),
        source("add", FloatAdd::new()),
        source("multiply", FloatMultiply::new()),
        source("compare", FloatCompare::new()),
        source("reciprocal", FloatReciprocal::new()),
        source("from_fixed_64", FixedToFloat::new(O::signed(64), 0)),
        source("from_fixed_1", FixedToFloat::new(O::unsigned(1), 3)),
        source("to_fixed_64", FloatToFixed::new(O::signed(64), 0, Rounding::NearestEven)),
        source("to_fixed_1", FloatToFixed::new(O::unsigned(1), 3, Rounding::Floor)),
        source("reads", AxiReadMaster::new(&crate::buses::shape())),
        source("reads_1", AxiReadMaster::new(&AxiShape { burst_beats: 1, ..crate::buses::shape() })),
        source("writes", AxiWriteMaster::new(&crate::buses::shape())),
        source("lite", AxiLiteSlave::new(12)),
        source("wishbone", WishboneSlave::new(10)),
        source("wishbone_master", WishboneMaster::new(10)),
        source("bank", RegisterBank::new(5, crate::registers::TABLE)),
        source("read_back_bank", RegisterBank::with_read_back(5, crate::registers::TABLE, 4)),
    ]
}

#[test]
fn no_reader_warns_of_any_primitive() {
    if Tools::are_missing() {
        return;
    }
    let batch = Batch::new(all()).unwrap_or_else(|e| panic!("{e}"));
    let found = lint_with_all(batch.source()).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
