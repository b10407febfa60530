//! LUT levels between registers of the pipelined blocks, and the multipliers and memories that they take, as Yosys maps
//! them for UltraScale+.
//!
//! Each block has a run of Yosys of its own. In one run with others, or as one design, a block is mapped otherwise: names
//! that were given before decide between equals, and a short path is made as long as the longest one to save LUTs.
#![allow(
    clippy::print_stdout,
    reason = "says what each block takes, and what to install where nothing was measured"
)]

use crate::subject::Subject;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tmu_hdl::arithmetic::*;
use tmu_hdl::bus::*;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Operand as O;
use tmu_verilate::{Family, ModelSource, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers, or between a port and one.
const MOST_LEVELS: u32 = 5;
/// The version that the limit was measured with; others map otherwise.
const YOSYS: &str = "Yosys 0.70";
/// Those that have no level to spare, which the normal run maps; the long run maps all.
const DEEPEST: [&str; 5] = ["float_add", "float_multiply", "from_s64_32", "to_s64_32", "axi_writes"];

/// A block, the DSP slices that it takes and the block RAMs.
struct Row(ModelSource, usize, usize);

fn row<B: Block + 'static>(name: &str, block: B, multipliers: usize, memories: usize) -> Row {
    Row(Subject::new(name, block).source, multipliers, memories)
}

fn table() -> Vec<Row> {
    let (even, floor, half_up) = (Rounding::NearestEven, Rounding::Floor, Rounding::HalfUp);
    let shape = crate::buses::shape();
    vec![
        row("divider_24_16", Divider::new(24, 16), 0, 0),
        row("divider_32_32", Divider::new(32, 32), 0, 0),
        row("float_add", FloatAdd::new(), 0, 0),
        row("float_multiply", FloatMultiply::new(), 2, 0),
        row("float_reciprocal", FloatReciprocal::new(), 4, 1),
        row("float_compare", FloatCompare::new(), 0, 0),
        row("from_u1_0", FixedToFloat::new(O::unsigned(1), 0), 0, 0),
        row("from_u16_8", FixedToFloat::new(O::unsigned(16), 8), 0, 0),
        row("from_s32_16", FixedToFloat::new(O::signed(32), 16), 0, 0),
        row("from_s40_20", FixedToFloat::new(O::signed(40), 20), 0, 0),
        row("from_s64_32", FixedToFloat::new(O::signed(64), 32), 0, 0),
        row("to_u1_0", FloatToFixed::new(O::unsigned(1), 0, even), 0, 0),
        row("to_u16_8", FloatToFixed::new(O::unsigned(16), 8, half_up), 0, 0),
        row("to_s32_16", FloatToFixed::new(O::signed(32), 16, even), 0, 0),
        row("to_s40_20", FloatToFixed::new(O::signed(40), 20, floor), 0, 0),
        row("to_s64_32", FloatToFixed::new(O::signed(64), 32, even), 0, 0),
        row("axi_reads", AxiReadMaster::new(&shape), 0, 0),
        row("axi_writes", AxiWriteMaster::new(&shape), 0, 0),
        row("axi_lite", AxiLiteSlave::new(12), 0, 0),
        row("wishbone_slave", WishboneSlave::new(10), 0, 0),
        row("wishbone_master", WishboneMaster::new(10), 0, 0),
        row("register_bank", RegisterBank::new(10, crate::registers::TABLE), 0, 0),
    ]
}

/// What a block has too much of, with the command that maps it again.
fn fault(Row(source, multipliers, memories): &Row) -> Option<String> {
    let made = synthesize(source, Family::UltraScalePlus).unwrap_or_else(|e| panic!("{e}"));
    let (depth, counts, name) = (&made.depth, &made.counts, &source.top);
    let paths = [&depth.register_to_register, &depth.input_to_register, &depth.register_to_output];
    let deepest = paths.into_iter().flatten().max_by_key(|path| path.weight.weight);
    let levels = deepest.map_or(0, |path| path.weight.weight);
    println!("{name}: {levels} levels, {} LUT, {} flip-flops", counts.lut_total(), counts.ff);
    let cells = (counts.dsp48, counts.ramb18 + counts.ramb36);
    let repeat = format!("TMUGEN_BLOCK={name} cargo test -p tmu-hdl --test primitives pipelined_blocks");
    if levels > MOST_LEVELS {
        return Some(format!("{name}: expected at most {MOST_LEVELS} levels, got {deepest:#?}; {repeat}"));
    }
    let expected = (*multipliers, *memories);
    (cells != expected)
        .then(|| format!("{name}: expected {expected:?} multipliers and memories, got {cells:?}; {repeat}"))
}

/// The deepest of them, all in the long run, or those that have the text `TMUGEN_BLOCK` in their name.
#[test]
#[ignore = "half a minute of synthesis"]
fn pipelined_blocks_are_shallow() {
    match Tools::yosys() {
        Err(missing) => return println!("skipped: {missing}"),
        Ok(tool) if !tool.version().starts_with(YOSYS) => {
            return println!("skipped: the limit was measured with {YOSYS}, and this is {}", tool.version());
        }
        Ok(_) => {}
    }
    let only = std::env::var("TMUGEN_BLOCK").ok();
    let is_long = tmu_testing::is_set("TMUGEN_FLOATS");
    let is_chosen =
        |name: &str| only.as_ref().map_or(is_long || DEEPEST.contains(&name), |only| name.contains(only));
    let rows: Vec<Row> = table().into_iter().filter(|row| is_chosen(&row.0.top)).collect();
    assert!(!rows.is_empty(), "no block has {only:?} in its name");
    // Yosys has one thread.
    let next = AtomicUsize::new(0);
    let faults_of_some = || -> Vec<String> {
        let mine = std::iter::from_fn(|| rows.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.filter_map(fault).collect()
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let faults: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(faults_of_some)).collect();
        running.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
