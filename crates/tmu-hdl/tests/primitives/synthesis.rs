//! What Yosys makes of each primitive: the intended cells, by count.
//!
//! All primitives are synthesized at once, since the tool's start costs more than they do; a cell belongs to the
//! primitive whose name its own begins with.

use crate::memories::words;
use crate::subject::Subject;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::*;
use tmu_verilate::{Batch, Family, ModelSource, Tools, synthesize};

/// Kinds of cells that are counted; those of LUTs and flip-flops lose the primitive's name.
const KINDS: [&str; 5] = ["RAMB", "URAM", "DSP48", "RAM32", "RAM64"];

/// A primitive and the cells that it becomes.
struct Expected {
    source: ModelSource,
    cells: &'static [(&'static str, usize)],
}

fn expected<B: Block + 'static>(name: &str, block: B, cells: &'static [(&'static str, usize)]) -> Expected {
    Expected { source: Subject::new(name, block).source, cells }
}

/// Cells by kind, for each member of the batch, with their parameters.
fn cells(netlist_json: &str) -> BTreeMap<usize, Vec<(String, Json)>> {
    let netlist: Json = serde_json::from_str(netlist_json).unwrap_or_else(|e| panic!("{e}"));
    let mut out: BTreeMap<usize, Vec<(String, Json)>> = BTreeMap::new();
    for (name, cell) in netlist["modules"]["batched_modules"]["cells"].as_object().into_iter().flatten() {
        let kind = cell["type"].as_str().unwrap_or_default();
        if KINDS.iter().any(|k| kind.starts_with(k)) {
            let member = name.trim_start_matches(|c: char| !c.is_ascii_digit()).split('.').next();
            let member = member.and_then(|m| m.parse().ok()).unwrap_or_else(|| panic!("whose is {name}?"));
            out.entry(member).or_default().push((kind.into(), cell["parameters"].clone()));
        }
    }
    out
}

#[test]
#[ignore = "half a minute of synthesis"]
fn yosys_infers_the_cells_that_each_primitive_is_made_for() {
    if Tools::are_missing() {
        return;
    }
    use Operand as O;
    let block = |depth, width| RamShape::new(depth, width).style(RamStyle::Block);
    let lut = |depth, width| RamShape::new(depth, width).style(RamStyle::Distributed);
    let table = Contents::in_file("table", words(4096, 9));
    let all = vec![
        expected("single_18", RamSinglePort::new(block(1024, 18)), &[("RAMB18E2", 1)]),
        expected("simple_36", RamSimpleDualPort::new(block(512, 36)), &[("RAMB18E2", 1)]),
        expected(
            "simple_72",
            RamSimpleDualPort::new(block(512, 72).output_register(true)),
            &[("RAMB36E2", 1)],
        ),
        expected("single_bytes", RamSinglePort::new(block(1024, 32).lanes(8)), &[("RAMB36E2", 1)]),
        expected("simple_bytes", RamSimpleDualPort::new(block(512, 64).lanes(8)), &[("RAMB36E2", 1)]),
        expected("simple_nines", RamSimpleDualPort::new(block(512, 36).lanes(9)), &[("RAMB18E2", 1)]),
        expected("simple_lut", RamSimpleDualPort::new(lut(32, 14)), &[("RAM32M16", 1)]),
        expected("true_18", RamTrueDualPort::new(block(1024, 18)), &[("RAMB18E2", 1)]),
        expected("true_36", RamTrueDualPort::new(block(1024, 36).output_register(true)), &[("RAMB36E2", 1)]),
        expected("ultra_72", UltraRam::new(4096, 72, 1), &[("URAM288", 1)]),
        expected("ultra_deep_wide", UltraRam::new(8192, 144, 2), &[("URAM288", 4)]),
        expected("rom_9", Rom::new(table, true), &[("RAMB36E2", 1)]),
        expected("distributed_14", DistributedRam::new(32, 14), &[("RAM32M16", 1)]),
        expected("dual_clock_lut", DualClockRam::new(lut(32, 28)), &[("RAM32M16", 2)]),
        expected("dual_clock_block", DualClockRam::new(block(512, 72)), &[("RAMB36E2", 1)]),
        expected("fifo_lut", SyncFifo::new(32, 14), &[("RAM32M16", 1)]),
        expected("fifo_block", SyncFifo::with_style(512, 72, RamStyle::Block), &[("RAMB36E2", 1)]),
        expected("fifo_ultra", SyncFifo::with_style(4096, 72, RamStyle::Ultra), &[("URAM288", 1)]),
        expected("crossing_lut", AsyncFifo::new(32, 132), &[("RAM32M16", 10)]),
        expected("crossing_block", AsyncFifo::with_style(512, 36, RamStyle::Block), &[("RAMB18E2", 1)]),
        expected("multiplier_27", Multiplier::new(O::signed(27), O::signed(18)), &[("DSP48E2", 1)]),
        expected("multiplier_26", Multiplier::new(O::unsigned(26), O::unsigned(17)), &[("DSP48E2", 1)]),
        expected("dual_unsigned", DualMultiplier::new(O::unsigned(8), 8), &[("DSP48E2", 1)]),
        expected("dual_signed", DualMultiplier::new(O::signed(9), 9), &[("DSP48E2", 1)]),
        expected("lerp_2", LerpPair::new(), &[("DSP48E2", 1)]),
        expected("lerp_1", LerpSingle::new(), &[("DSP48E2", 1)]),
    ];
    let batch = Batch::new(all.iter().map(|e| e.source.clone()).collect()).unwrap_or_else(|e| panic!("{e}"));
    let made = synthesize(batch.source(), Family::UltraScalePlus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(made.counts.latches, 0, "latches");
    let cells = cells(&made.netlist_json);
    for (i, expected) in all.iter().enumerate() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (kind, _) in cells.get(&i).into_iter().flatten() {
            *counts.entry(kind).or_default() += 1;
        }
        assert_eq!(counts, expected.cells.iter().copied().collect(), "{}", expected.source.top);
    }
}

/// On 7-series Yosys also packs registers into the slice, so what it packs there can be packed.
#[test]
fn registers_of_multipliers_go_into_the_slice() {
    if Tools::are_missing() {
        return;
    }
    use Operand as O;
    type Registers = &'static [(&'static str, u64)];
    let all: Vec<(ModelSource, Registers)> = vec![
        (
            Subject::new("product_signed", Multiplier::new(O::signed(25), O::signed(18))).source,
            &[("AREG", 1), ("BREG", 1), ("MREG", 1), ("PREG", 1)],
        ),
        (
            Subject::new("product_unsigned", Multiplier::new(O::unsigned(24), O::unsigned(17))).source,
            &[("AREG", 1), ("BREG", 1), ("MREG", 1), ("PREG", 1)],
        ),
        // The two factors of these have constant bits between them, for which Yosys does not pack their register.
        (
            Subject::new("dual", DualMultiplier::new(O::unsigned(8), 8)).source,
            &[("BREG", 1), ("MREG", 1), ("PREG", 1)],
        ),
        (
            Subject::new("dual_signed", DualMultiplier::new(O::signed(8), 8)).source,
            &[("ADREG", 1), ("BREG", 2), ("MREG", 1), ("PREG", 1)],
        ),
        (
            Subject::new("lerp", LerpPair::new()).source,
            &[("ADREG", 1), ("BREG", 2), ("MREG", 1), ("PREG", 1)],
        ),
        (
            Subject::new("lerp_single", LerpSingle::new()).source,
            &[("ADREG", 1), ("BREG", 2), ("MREG", 1), ("PREG", 1)],
        ),
    ];
    let batch = Batch::new(all.iter().map(|(source, _)| source.clone()).collect());
    let batch = batch.unwrap_or_else(|e| panic!("{e}"));
    let made = synthesize(batch.source(), Family::Series7).unwrap_or_else(|e| panic!("{e}"));
    let cells = cells(&made.netlist_json);
    for (i, (source, registers)) in all.iter().enumerate() {
        let [(_, parameters)] = cells.get(&i).map(Vec::as_slice).unwrap_or_default() else {
            panic!("{}: not one slice", source.top)
        };
        for (name, expected) in *registers {
            let bits = parameters[name].as_str().unwrap_or_default();
            assert_eq!(u64::from_str_radix(bits, 2), Ok(*expected), "{}: {name} of {parameters}", source.top);
        }
    }
}

/// Each register of a synchroniser stays a flip-flop.
#[test]
fn synchronisers_stay_flip_flops() {
    if Tools::are_missing() {
        return;
    }
    let sources = vec![
        Subject::new("bits", Synchroniser::new(9, 4)).source,
        Subject::new("reset", ResetSynchroniser::new(4)).source,
    ];
    let batch = Batch::new(sources).unwrap_or_else(|e| panic!("{e}"));
    let made = synthesize(batch.source(), Family::UltraScalePlus).unwrap_or_else(|e| panic!("{e}"));
    let kinds = made.counts.by_kind.iter().filter(|(kind, _)| !kind.starts_with('$'));
    let kinds: Vec<(&str, usize)> = kinds.map(|(kind, &count)| (kind.as_str(), count)).collect();
    assert_eq!(kinds, [("FDPE", 1), ("FDRE", 9 * 4 + 4)]);
}

/// Grants of eight requesters pass at most five LUTs; streams as many, and none from one side to the other.
#[test]
#[ignore = "half a minute of synthesis"]
fn arbiters_and_buffers_are_shallow() {
    if Tools::are_missing() {
        return;
    }
    let arbiter = |name, timing| Subject::new(name, RoundRobinArbiter::new(8, timing)).source;
    let arbiters =
        vec![arbiter("at_once", GrantTiming::Combinational), arbiter("registered", GrantTiming::Registered)];
    let buffers = vec![
        Subject::new("skid", SkidBuffer::new(32)).source,
        Subject::new("sync", SyncFifo::new(64, 36)).source,
        Subject::new("sync_block", SyncFifo::with_style(1024, 36, RamStyle::Block)).source,
        Subject::new("crossing", AsyncFifo::new(64, 32)).source,
    ];
    for (sources, most, passes) in [(arbiters, 5, true), (buffers, 5, false)] {
        let batch = Batch::new(sources).unwrap_or_else(|e| panic!("{e}"));
        let depth =
            synthesize(batch.source(), Family::UltraScalePlus).unwrap_or_else(|e| panic!("{e}")).depth;
        assert_eq!(depth.input_to_output.is_some(), passes, "a path from input to output: {depth:?}");
        let paths = [
            depth.register_to_register,
            depth.input_to_register,
            depth.register_to_output,
            depth.input_to_output,
        ];
        let deepest = paths.iter().flatten().map(|path| path.weight.weight).max();
        assert!(deepest <= Some(most), "{paths:#?}");
    }
}
