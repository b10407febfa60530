//! Memories: every shape, with random enables, collisions of addresses, and contents from both sources.

use crate::harness::{Case, prove};
use crate::subject::Subject;
use rand::Rng;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::*;
use tmu_hdl::value::Value;
use tmu_hdl::verilog::emit;
use tmu_verilate::Rows;

/// Clocks behind the writing of all words after which every output has shown one.
const FLUSH_CLOCKS: usize = 8;

/// `count` words of `width` bits that look like nothing else.
pub(crate) fn words(count: usize, width: usize) -> Vec<Value> {
    let word = |i: usize| {
        let limb = |n: usize| (i * 16 + n + 1) as u64;
        let limbs: Vec<u64> =
            (0..width.div_ceil(64)).map(|n| limb(n).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        Value::from_limbs(width, &limbs)
    };
    (0..count).map(word).collect()
}

/// Sets every input of this name that the subject has.
fn set(rows: &mut Rows, row: usize, name: &str, value: u64) {
    if rows.layout().column(name).is_some() {
        rows.set(row, name, value);
    }
}

/// Sets every bit of the input of this name, where the subject has it.
fn set_all(rows: &mut Rows, row: usize, name: &str) {
    if let Some(column) = rows.layout().column(name) {
        rows.set(row, name, u64::MAX >> (64 - column.width_bits));
    }
}

/// Keeps addresses inside the memory, and often close together, so that ports meet.
fn addresses(names: &'static [&'static str], depth: usize) -> crate::harness::Fix {
    Box::new(move |rng, rows, row| {
        let near = rng.random_ratio(1, 2);
        for name in names {
            let address = rows.get(row, name) % depth as u64;
            rows.set(row, name, if near { address % 3 } else { address });
        }
    })
}

/// Writes every word once and reads along, so that everything is defined afterwards.
fn write_all(
    case: Case,
    depth: usize,
    high: &'static [&'static str],
    write: &'static str,
    read: &'static str,
) -> Case {
    let mut row_of_run = 0;
    case.warm_up(depth + FLUSH_CLOCKS, move |_, rows, row| {
        high.iter().for_each(|name| set_all(rows, row, name));
        rows.set(row, write, (row_of_run % depth) as u64);
        if read != write {
            rows.set(row, read, 0);
        }
        row_of_run += 1;
    })
}

fn single_port(name: &str, shape: RamShape, depth: usize) -> Case {
    let case = Case::new(Subject::new(name, RamSinglePort::new(shape))).fix(addresses(&["address"], depth));
    write_all(case, depth, &["enable", "write_enable", "output_enable"], "address", "address")
}

fn simple_dual_port(name: &str, shape: RamShape, depth: usize) -> Case {
    simple_dual_port_of(Subject::new(name, RamSimpleDualPort::new(shape)), depth)
}

fn simple_dual_port_of(subject: Subject, depth: usize) -> Case {
    let case = Case::new(subject).fix(addresses(&["write_address", "read_address"], depth));
    write_all(case, depth, &["write_enable", "read_enable", "output_enable"], "write_address", "read_address")
}

/// Both clocks rise together, where the order of the ports shows most; no word is read while it is written.
fn dual_clock(name: &str, shape: RamShape, depth: usize) -> Case {
    dual_clock_of(Subject::new(name, DualClockRam::new(shape)), depth)
}

fn dual_clock_of(subject: Subject, depth: usize) -> Case {
    let mut any = addresses(&["write_address", "read_address"], depth);
    let case = Case::new(subject).fix(move |rng, rows, row| {
        any(rng, rows, row);
        let [write, read] = ["write_address", "read_address"].map(|name| rows.get(row, name));
        rows.set(row, "read_address", if read == write { (read + 1) % depth as u64 } else { read });
    });
    let mut row_of_run = 0;
    case.warm_up(depth + FLUSH_CLOCKS, move |_, rows, row| {
        ["write_enable", "read_enable", "output_enable"].iter().for_each(|name| set(rows, row, name, 1));
        rows.set(row, "write_address", (row_of_run % depth) as u64);
        // The word that was written in the clock before.
        rows.set(row, "read_address", ((row_of_run + depth - 1) % depth) as u64);
        row_of_run += 1;
    })
}

fn true_dual_port(name: &str, shape: RamShape, depth: usize) -> Case {
    let mut inside = addresses(&["a_address", "b_address"], depth);
    let case = Case::new(Subject::new(name, RamTrueDualPort::new(shape))).fix(move |rng, rows, row| {
        inside(rng, rows, row);
        let both = ["a_enable", "a_write_enable", "b_enable", "b_write_enable"];
        let meet = rows.get(row, "a_address") == rows.get(row, "b_address");
        if meet && both.iter().all(|name| rows.get(row, name) == 1) {
            rows.set(row, "b_write_enable", 0);
        }
    });
    let mut row_of_run = 0;
    case.warm_up(depth + FLUSH_CLOCKS, move |_, rows, row| {
        for name in ["a_enable", "b_enable", "a_write_enable", "a_output_enable", "b_output_enable"] {
            set(rows, row, name, 1);
        }
        rows.set(row, "b_write_enable", 0);
        rows.set(row, "a_address", (row_of_run % depth) as u64);
        rows.set(row, "b_address", 0);
        row_of_run += 1;
    })
}

fn ultra_ram(name: &str, depth: usize, width: usize, output_registers: usize) -> Case {
    let case = Case::new(Subject::new(name, UltraRam::new(depth, width, output_registers)))
        .fix(addresses(&["write_address", "read_address"], depth));
    let high = &["write_enable", "read_enable", "output_enable_0", "output_enable_1", "output_enable_2"];
    write_all(case, depth, high, "write_address", "read_address")
}

fn rom(name: &str, contents: Contents, output_register: bool) -> Case {
    let depth = contents.words().len();
    rom_of(Subject::new(name, Rom::new(contents, output_register)), depth)
}

fn rom_of(subject: Subject, depth: usize) -> Case {
    Case::new(subject).fix(addresses(&["read_address"], depth)).warm_up(FLUSH_CLOCKS, |_, rows, row| {
        set(rows, row, "read_enable", 1);
        set(rows, row, "output_enable", 1);
    })
}

fn distributed_ram(name: &str, depth: usize, width: usize) -> Case {
    let case = Case::new(Subject::new(name, DistributedRam::new(depth, width)))
        .fix(addresses(&["write_address", "read_address"], depth));
    write_all(case, depth, &["write_enable"], "write_address", "read_address")
}

#[test]
fn block_and_lut_memories() {
    let block = |depth, width| RamShape::new(depth, width).style(RamStyle::Block);
    let lut = |depth, width| RamShape::new(depth, width).style(RamStyle::Distributed);
    let filled = block(128, 33).contents(Contents::inline(words(128, 33))).output_register(true);
    prove(
        "block_and_lut_memories",
        vec![
            single_port("single_small", RamShape::new(2, 1), 2),
            single_port("single_odd", block(100, 17), 100),
            single_port("single_registered", block(512, 36).output_register(true), 512),
            single_port("single_wide", RamShape::new(16, 1024), 16),
            simple_dual_port("simple_small", lut(4, 1), 4),
            simple_dual_port("simple_odd", block(100, 23).output_register(true), 100),
            simple_dual_port("simple_block", block(1024, 72), 1024),
            simple_dual_port("simple_wide", lut(32, 300).output_register(true), 32),
            simple_dual_port("simple_filled", filled, 128),
            single_port("single_bytes", block(100, 32).lanes(8), 100),
            single_port("single_lanes", lut(16, 30).lanes(3).output_register(true), 16),
            simple_dual_port("simple_bytes", block(512, 64).lanes(8).output_register(true), 512),
            simple_dual_port("simple_one_lane", block(32, 12).lanes(12), 32),
            true_dual_port("true_small", block(2, 2), 2),
            true_dual_port("true_odd", block(77, 19), 77),
            true_dual_port("true_block", block(1024, 18).output_register(true), 1024),
            true_dual_port("true_wide", block(8, 200).output_register(true), 8),
            dual_clock("dual_clock_small", lut(2, 1), 2),
            dual_clock("dual_clock_odd", block(100, 23).output_register(true), 100),
            dual_clock("dual_clock_wide", lut(32, 300), 32),
            distributed_ram("distributed_small", 2, 1),
            distributed_ram("distributed_odd", 50, 13),
            distributed_ram("distributed_wide", 64, 520),
        ],
    );
}

#[test]
fn large_memories() {
    prove(
        "large_memories",
        vec![
            ultra_ram("ultra_ram_full", 4096, 72, 1),
            ultra_ram("ultra_ram_small", 8, 3, 2),
            ultra_ram("ultra_ram_odd", 1000, 145, 3),
            rom("rom_in_file", Contents::in_file("level_offsets", words(4096, 9)), true),
            rom("rom_same_name", Contents::in_file("level_offsets_2", words(300, 66)), false),
            rom("rom_inline", Contents::inline(words(5, 12)), true),
        ],
    );
}

/// What is instantiated for ECP5, around a model of the site that spoils every word that is read while it is written.
#[test]
fn memories_of_ecp5() {
    let block = |depth, width| RamShape::new(depth, width).style(RamStyle::Block).output_register(true);
    let simple = |name: &str, depth, width| {
        let ram = RamSimpleDualPort::new(block(depth, width));
        simple_dual_port_of(Subject::on_ecp5(name, ram), depth)
    };
    let crossing = |name: &str, depth, width| {
        dual_clock_of(Subject::on_ecp5(name, DualClockRam::new(block(depth, width))), depth)
    };
    let rom = |name: &str, depth, width| {
        let contents = Contents::in_file(name, words(depth, width));
        rom_of(Subject::on_ecp5(name, Rom::new(contents, true)), depth)
    };
    prove(
        "memories_of_ecp5",
        vec![
            simple("ecp5_simple_small", 2, 1),
            simple("ecp5_simple_odd", 100, 23),
            simple("ecp5_simple_pairs", 512, 36),
            simple("ecp5_simple_full", 1024, 18),
            simple("ecp5_simple_wide", 64, 208),
            simple("ecp5_simple_deep", 2048, 10),
            // Deeper than a site: inferred.
            simple("ecp5_simple_inferred", 2049, 3),
            crossing("ecp5_crossing_small", 2, 1),
            crossing("ecp5_crossing_odd", 100, 23),
            crossing("ecp5_crossing_pairs", 512, 40),
            rom("ecp5_rom_small", 5, 12),
            rom("ecp5_rom_rows", 1000, 40),
            rom("ecp5_rom_halves", 1500, 9),
            rom("ecp5_rom_deep", 4096, 9),
            rom("ecp5_rom_inferred", 4097, 2),
        ],
    );
}

/// Three ROMs, two of them alike, all under one file name.
#[derive(LogicBlock)]
struct Tables {
    clocks: Clocks,
    address: Net<In>,
    words: Net<Out>,
    roms: Vec<Rom>,
}

impl Tables {
    fn new() -> Tables {
        let rom = |words| Rom::new(Contents::in_file("table", words), false);
        Tables {
            clocks: Clocks::without_reset(),
            address: Net::new(3),
            words: Net::new(36),
            roms: vec![rom(words(8, 12)), rom(words(9, 12)[1..].to_vec()), rom(words(8, 12))],
        }
    }
}

/// Reads all tables at one address.
#[kernel]
impl Tables {
    fn logic(&self) {
        for rom in &self.roms {
            rom.clocks.follow(&self.clocks);
            rom.read_enable.next = 1;
            rom.read_address.next = self.address.val();
        }
        let read: Vec<Bits> = self.roms.iter().map(|rom| rom.read_data.val()).collect();
        self.words.next = cat(&read);
    }
}

#[test]
fn memory_files_of_one_name_are_kept_apart_and_equal_ones_shared() {
    let design = elaborate("tables", &Tables::new()).unwrap_or_else(|e| panic!("{e}"));
    let modules = emit(&design);
    let names: Vec<&str> = modules.memory_files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tables_table.mem", "tables_table_2.mem"]);
    let lines: Vec<&str> = modules.memory_files[0].1.lines().collect();
    assert_eq!(lines.len(), 8);
    assert!(lines.iter().all(|line| line.len() == 3 && line.chars().all(|c| c.is_ascii_hexdigit())));
    let roms: Vec<&str> =
        modules.modules.iter().map(|m| m.text.as_str()).filter(|t| t.contains(".mem")).collect();
    assert_eq!(roms.len(), 2, "equal tables share a module");
    assert!(names.iter().all(|name| roms.iter().any(|text| text.contains(&format!("(\"{name}\", memory)")))));
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    let refused: Vec<(&str, fn())> = vec![
        ("at least 2 words", || drop(RamShape::new(1, 8))),
        ("contents of 3 words", || drop(RamShape::new(4, 8).contents(Contents::inline(words(3, 8))))),
        ("has 7 bits", || drop(RamShape::new(3, 8).contents(Contents::inline(words(3, 7))))),
        ("no whole lanes of 8 bits", || drop(RamShape::new(8, 12).lanes(8))),
        ("writes whole words", || drop(RamTrueDualPort::new(RamShape::new(8, 16).lanes(8)))),
        ("writes whole words", || drop(DualClockRam::new(RamShape::new(8, 16).lanes(8)))),
        ("UltraRAM has one clock", || drop(DualClockRam::new(RamShape::new(8, 8).style(RamStyle::Ultra)))),
        ("needs an output register", || drop(UltraRam::new(8, 8, 0))),
        ("at least 2 stages", || drop(Synchroniser::new(1, 1))),
        ("at least 2 stages", || drop(ResetSynchroniser::new(1))),
        ("not 12", || drop(SyncFifo::new(12, 8))),
        ("not 2", || drop(AsyncFifo::new(2, 8))),
        ("28 bits of the 27", || drop(DualMultiplier::new(Operand::signed(9), 10))),
        ("18 of at most 17", || drop(DualMultiplier::new(Operand::signed(2), 18))),
    ];
    for (rule, make) in refused {
        let panic = std::panic::catch_unwind(make).expect_err(rule);
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).into())).unwrap_or_default();
        assert!(text.contains(rule), "expected `{rule}`, got `{text}`");
    }
}
