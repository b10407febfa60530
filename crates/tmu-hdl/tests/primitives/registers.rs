//! Banks of registers behind AXI4-Lite and behind Wishbone: random accesses against a model of the table.

use crate::buses::Bench;
use crate::stimulus::{clocks, generator, repeat};
use crate::subject::Subject;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;
use std::collections::VecDeque;
use tmu_hdl::bus::*;
use tmu_hdl::prelude::*;

const fn field(
    name: &'static str,
    low_bit: usize,
    width_bits: usize,
    access: FieldAccess,
    reset: u32,
) -> FieldRecord {
    FieldRecord { name, low_bit, width_bits, access, reset, doc: "A field." }
}

/// One of everything.
pub(crate) const TABLE: &[RegisterRecord] = &[
    RegisterRecord {
        name: "control",
        offset_bytes: 0,
        fields: Cow::Borrowed(&[
            field("enable", 0, 1, FieldAccess::ReadWrite, 1),
            field("start", 1, 1, FieldAccess::Pulse, 0),
            field("level", 6, 13, FieldAccess::ReadWrite, 0x1234),
        ]),
        doc: "Whether, and how much.",
    },
    RegisterRecord {
        name: "status",
        offset_bytes: 8,
        fields: Cow::Borrowed(&[
            field("errors", 28, 4, FieldAccess::WriteOneToClear, 0),
            field("count", 0, 9, FieldAccess::ReadOnly, 0),
        ]),
        doc: "What happened.",
    },
    RegisterRecord {
        name: "scratch",
        offset_bytes: 0x3c,
        fields: Cow::Borrowed(&[field("value", 0, 32, FieldAccess::ReadWrite, 0xcafe_f00d)]),
        doc: "Anything.",
    },
];

/// Byte addresses of the bench.
const ADDRESS_BITS: usize = 7;

/// A bank behind AXI4-Lite.
#[derive(LogicBlock)]
struct LiteBank {
    clocks: Clocks,
    axi: AxiLite,
    input: FieldNets<In>,
    output: FieldNets<Out>,
    slave: AxiLiteSlave,
    bank: RegisterBank,
}

/// A bank behind Wishbone, and its master.
#[derive(LogicBlock)]
struct WishboneBank {
    clocks: Clocks,
    command: StreamIn,
    answer: StreamOut,
    input: FieldNets<In>,
    output: FieldNets<Out>,
    master: WishboneMaster,
    slave: WishboneSlave,
    bank: RegisterBank,
}

/// The bank of the table, or the one that reads `scratch` back from block RAM. The address behind `scratch` by as much as the RAM has
/// words is no register.
fn bank(has_read_back: bool) -> RegisterBank {
    if has_read_back {
        RegisterBank::with_read_back(ADDRESS_BITS - 2, TABLE, 4)
    } else {
        RegisterBank::new(ADDRESS_BITS - 2, TABLE)
    }
}

impl LiteBank {
    fn new(has_read_back: bool) -> LiteBank {
        let (outer, bank) = (bank(has_read_back), bank(has_read_back));
        let RegisterBank { input, output, .. } = outer;
        let (port, slave) = (AxiLiteSlave::new(ADDRESS_BITS), AxiLiteSlave::new(ADDRESS_BITS));
        LiteBank { clocks: Clocks::new(), axi: port.axi, input, output, slave, bank }
    }
}

impl WishboneBank {
    fn new() -> WishboneBank {
        let (outer, bank) =
            (RegisterBank::new(ADDRESS_BITS - 2, TABLE), RegisterBank::new(ADDRESS_BITS - 2, TABLE));
        let RegisterBank { input, output, .. } = outer;
        let master = WishboneMaster::new(ADDRESS_BITS - 2);
        let WishboneMaster { command, answer, .. } = WishboneMaster::new(ADDRESS_BITS - 2);
        let slave = WishboneSlave::new(ADDRESS_BITS - 2);
        WishboneBank { clocks: Clocks::new(), command, answer, input, output, master, slave, bank }
    }
}

#[kernel]
fn pass_fields(bank: &RegisterBank, input: &FieldNets<In>, output: &FieldNets<Out>) {
    for (inner, outer) in bank.input.iter().zip(input.iter()) {
        inner.next = outer.val();
    }
    for (inner, outer) in bank.output.iter().zip(output.iter()) {
        outer.next = inner.val();
    }
}

#[kernel]
impl LiteBank {
    fn logic(&self) {
        self.slave.clocks.follow(&self.clocks);
        self.bank.clocks.follow(&self.clocks);
        self.bank.port.serve(&self.slave.registers);
        pass_fields(&self.bank, &self.input, &self.output);
        let (inner, outer) = (&self.slave.axi, &self.axi);
        inner.awaddr.next = outer.awaddr.val();
        inner.awprot.next = outer.awprot.val();
        inner.awvalid.next = outer.awvalid.val();
        outer.awready.next = inner.awready.val();
        inner.wdata.next = outer.wdata.val();
        inner.wstrb.next = outer.wstrb.val();
        inner.wvalid.next = outer.wvalid.val();
        outer.wready.next = inner.wready.val();
        outer.bresp.next = inner.bresp.val();
        outer.bvalid.next = inner.bvalid.val();
        inner.bready.next = outer.bready.val();
        inner.araddr.next = outer.araddr.val();
        inner.arprot.next = outer.arprot.val();
        inner.arvalid.next = outer.arvalid.val();
        outer.arready.next = inner.arready.val();
        outer.rdata.next = inner.rdata.val();
        outer.rresp.next = inner.rresp.val();
        outer.rvalid.next = inner.rvalid.val();
        inner.rready.next = outer.rready.val();
    }
}

#[kernel]
impl WishboneBank {
    fn logic(&self) {
        self.master.clocks.follow(&self.clocks);
        self.slave.clocks.follow(&self.clocks);
        self.bank.clocks.follow(&self.clocks);
        self.bank.port.serve(&self.slave.registers);
        pass_fields(&self.bank, &self.input, &self.output);
        self.master.command.forward(&self.command);
        self.answer.forward(&self.master.answer);
        let (master, slave) = (&self.master.wishbone, &self.slave.wishbone);
        slave.cyc.next = master.cyc.val();
        slave.stb.next = master.stb.val();
        slave.we.next = master.we.val();
        slave.adr.next = master.adr.val();
        slave.sel.next = master.sel.val();
        slave.dat_i.next = master.dat_o.val();
        master.dat_i.next = slave.dat_o.val();
        master.ack.next = slave.ack.val();
        master.err.next = slave.err.val();
    }
}

/// One access.
#[derive(Clone, Copy, Debug)]
struct Access {
    is_write: bool,
    word: u64,
    strobes: u64,
    data: u64,
}

fn access(rng: &mut ChaCha8Rng) -> Access {
    let word = [0, 2, 15, 0, 2, 15, 1, 31][rng.random_range(0..8)];
    let strobes = [15, 15, 15, rng.random_range(0..16)][rng.random_range(0..4)];
    Access { is_write: rng.random(), word, strobes, data: u64::from(rng.random::<u32>()) }
}

/// What the table says the registers hold, without events.
struct Registers {
    control: u64,
    scratch: u64,
    starts: u64,
}

impl Registers {
    /// The answer to an access: whether it fails, and what it reads; `None` where an input decides.
    fn answer(&mut self, access: Access) -> (bool, Option<u64>) {
        let mask = (0..4).filter(|b| access.strobes >> b & 1 == 1).fold(0u64, |m, b| m | 0xff << (8 * b));
        let (read, written) = match access.word {
            0 => (Some(self.control), Some((&mut self.control, 0x7_ffc1))),
            15 => (Some(self.scratch), Some((&mut self.scratch, 0xffff_ffff))),
            2 => (None, None),
            _ => return (true, Some(0)),
        };
        if access.is_write {
            if let Some((value, writable)) = written {
                *value = *value & !(mask & writable) | access.data & mask & writable;
            }
            if access.word == 0 && access.data & mask & 2 == 2 {
                self.starts += 1;
            }
        }
        (false, read)
    }
}

fn registers() -> Registers {
    Registers { control: 0x1234 << 6 | 1, scratch: 0xcafe_f00d, starts: 0 }
}

#[test]
fn registers_behind_axi_lite() {
    let Some(mut bench) = Bench::new(&Subject::new("lite_bank", LiteBank::new(false))) else { return };
    access_at_random(&mut bench);
}

/// Behind a reset nothing of what was written before it is read back.
#[test]
fn registers_read_back_from_block_ram() {
    let Some(mut bench) = Bench::new(&Subject::new("read_back_bank", LiteBank::new(true))) else { return };
    access_at_random(&mut bench);
    access_at_random(&mut bench);
}

/// Drives accesses over AXI4-Lite behind a reset, address and data in any order, one at a time.
fn access_at_random(bench: &mut Bench) {
    let mut rng = generator("registers_behind_axi_lite");
    let (mut model, mut starts) = (registers(), 0);
    bench.reset();
    let mut open: Option<(Access, bool, bool)> = None;
    let mut done = 0;
    // To the end of an access, so that the registers hold what the model holds.
    for clock in 0.. {
        if clock >= clocks() / 2 && open.is_none() {
            break;
        }
        let (access, mut sends_address, mut sends_data) =
            *open.get_or_insert_with(|| (access(&mut rng), true, true));
        let (pauses_address, pauses_data) = (rng.random_ratio(1, 3), rng.random_ratio(1, 3));
        let write = access.is_write;
        bench.set("axi_awaddr", access.word * 4 + rng.random_range(0..4));
        bench.set("axi_araddr", access.word * 4 + rng.random_range(0..4));
        bench.set("axi_wdata", access.data);
        bench.set("axi_wstrb", access.strobes);
        bench.set("axi_awvalid", u64::from(write && sends_address && !pauses_address));
        bench.set("axi_wvalid", u64::from(write && sends_data && !pauses_data));
        bench.set("axi_arvalid", u64::from(!write && sends_address && !pauses_address));
        let ready = u64::from(rng.random_ratio(1, 2));
        bench.set("axi_bready", ready);
        bench.set("axi_rready", ready);
        let events = if rng.random_ratio(1, 9) { rng.random_range(0..16) } else { 0 };
        bench.set("input_status_errors", events);
        bench.set("input_status_count", clock as u64 % 512);
        bench.settle();
        let moved = |bench: &mut Bench, channel: &str| {
            bench.get(&format!("axi_{channel}valid")) == 1 && bench.get(&format!("axi_{channel}ready")) == 1
        };
        let (b, r) = (moved(bench, "b"), moved(bench, "r"));
        sends_address &= !(moved(bench, "aw") || moved(bench, "ar"));
        sends_data &= !moved(bench, "w");
        assert_eq!(bench.get("axi_bvalid") & bench.get("axi_rvalid"), 0, "one access has one answer");
        open = Some((access, sends_address, sends_data));
        starts += bench.get("output_control_start");
        if b || r {
            let (fails, expected) = model.answer(access);
            let response = bench.get(if b { "axi_bresp" } else { "axi_rresp" });
            let what = repeat("registers_behind_axi_lite");
            assert_eq!(b, access.is_write, "{access:?}: the wrong channel answers; {what}");
            assert_eq!(response, if fails { u64::from(SLVERR) } else { 0 }, "{access:?}: response; {what}");
            if let (true, Some(expected)) = (r, expected) {
                assert_eq!(bench.get("axi_rdata"), expected, "{access:?}: data; {what}");
            }
            (open, done) = (None, done + 1);
        }
        bench.rise();
    }
    assert_eq!(bench.get("output_control_level"), model.control >> 6);
    assert_eq!(bench.get("output_scratch_value"), model.scratch);
    assert_eq!(starts, model.starts, "pulses");
    assert!(done > 2_000, "only {done} accesses");
}

/// Events stay until a one is written, also where both come in one clock.
#[test]
fn events_stay_until_they_are_cleared() {
    let Some(mut bench) = Bench::new(&Subject::new("wishbone_bank", WishboneBank::new())) else { return };
    bench.reset();
    bench.set("answer_ready", 1);
    let access = |bench: &mut Bench, is_write: u64, word: u64, data: u64, events_at: Option<usize>| {
        let command = u128::from(is_write) << 41 | 15 << 37 | u128::from(word) << 32 | u128::from(data);
        bench.set_wide("command_data", command);
        bench.set("command_valid", 1);
        for clock in 0..20 {
            bench.set("input_status_errors", if events_at == Some(clock) { 4 } else { 0 });
            bench.settle();
            if bench.get("answer_valid") == 1 {
                let answer = bench.get("answer_data");
                bench.rise();
                return answer;
            }
            bench.rise();
            bench.set("command_valid", 0);
        }
        panic!("no answer")
    };
    assert_eq!(access(&mut bench, 0, 2, 0, Some(0)) >> 28, 4, "an event is there");
    assert_eq!(access(&mut bench, 1, 2, 0xb << 28, None) >> 32, 0);
    assert_eq!(access(&mut bench, 0, 2, 0, None) >> 28, 4, "other ones clear nothing");
    assert_eq!(access(&mut bench, 1, 2, 4 << 28, None) >> 32, 0);
    assert_eq!(access(&mut bench, 0, 2, 0, None) >> 28, 0, "a one clears it");
    // Whenever the event comes during the access, it is not lost once the access is over or it came with it.
    for clock in 0..6 {
        access(&mut bench, 1, 2, 4 << 28, Some(clock));
        let seen = access(&mut bench, 0, 2, 0, None) >> 28;
        let expected = if clock < 3 { 0 } else { 4 };
        assert_eq!(seen, expected, "an event {clock} clocks after the command");
        access(&mut bench, 1, 2, 4 << 28, None);
    }
}

/// Commands through a Wishbone master and slave.
#[test]
fn registers_behind_wishbone() {
    let Some(mut bench) = Bench::new(&Subject::new("wishbone_bank", WishboneBank::new())) else { return };
    let mut rng = generator("registers_behind_wishbone");
    let mut model = registers();
    let mut waiting: VecDeque<Access> = VecDeque::new();
    let mut next = access(&mut rng);
    let (mut starts, mut done) = (0, 0);
    bench.reset();
    for _ in 0..clocks() / 2 {
        let command = u128::from(next.is_write) << 41
            | u128::from(next.strobes) << 37
            | u128::from(next.word) << 32
            | u128::from(next.data);
        bench.set_wide("command_data", command);
        bench.set("command_valid", u64::from(rng.random_ratio(1, 2)));
        bench.set("answer_ready", u64::from(rng.random_ratio(1, 2)));
        bench.settle();
        starts += bench.get("output_control_start");
        if bench.get("answer_valid") == 1 && bench.get("answer_ready") == 1 {
            let what = repeat("registers_behind_wishbone");
            let Some(access) = waiting.pop_front() else { panic!("an answer to nothing; {what}") };
            let answer = bench.get("answer_data");
            let (fails, expected) = model.answer(access);
            assert_eq!(answer >> 32, u64::from(fails), "{access:?}: failure; {what}");
            if let (false, Some(expected)) = (access.is_write, expected) {
                assert_eq!(answer & 0xffff_ffff, expected, "{access:?}: data; {what}");
            }
            done += 1;
        }
        if bench.get("command_valid") == 1 && bench.get("command_ready") == 1 {
            waiting.push_back(next);
            next = access(&mut rng);
        }
        bench.rise();
    }
    bench.set("command_valid", 0);
    assert!(done > 2_000, "only {done} accesses");
    assert!(starts.abs_diff(model.starts) <= 1, "{starts} pulses, {} commands", model.starts);
}

#[test]
fn tables_that_break_a_rule_are_refused() {
    const OVERLAP: &[FieldRecord] =
        &[field("a", 0, 4, FieldAccess::ReadWrite, 0), field("b", 3, 1, FieldAccess::ReadOnly, 0)];
    const TWICE: &[FieldRecord] =
        &[field("a", 0, 1, FieldAccess::ReadWrite, 0), field("a", 3, 1, FieldAccess::ReadOnly, 0)];
    const OUTSIDE: &[FieldRecord] = &[field("a", 30, 4, FieldAccess::ReadWrite, 0)];
    const TOO_LARGE: &[FieldRecord] = &[field("a", 0, 2, FieldAccess::ReadWrite, 4)];
    const NOT_HELD: &[FieldRecord] = &[field("a", 0, 2, FieldAccess::Pulse, 1)];
    let one = |offset_bytes, fields: &'static [FieldRecord]| RegisterRecord {
        name: "r",
        offset_bytes,
        fields: Cow::Borrowed(fields),
        doc: "",
    };
    let refused: Vec<(&str, Vec<RegisterRecord>)> = vec![
        ("at least one register", vec![]),
        ("multiples of 4", vec![one(2, &[])]),
        ("out of reach of 3 address bits", vec![one(32, &[])]),
        ("share an address", vec![one(4, &[]), RegisterRecord { name: "s", ..one(4, &[]) }]),
        ("two registers are called", vec![one(4, &[]), one(8, &[])]),
        ("shares bits", vec![one(0, OVERLAP)]),
        ("called `a`", vec![one(0, TWICE)]),
        ("bits 30 to 34", vec![one(0, OUTSIDE)]),
        ("does not fit", vec![one(0, TOO_LARGE)]),
        ("holds nothing", vec![one(0, NOT_HELD)]),
    ];
    for (rule, table) in refused {
        let panic = std::panic::catch_unwind(|| drop(RegisterBank::new(3, &table))).expect_err(rule);
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).into())).unwrap_or_default();
        assert!(text.contains(rule), "expected `{rule}`, got `{text}`");
    }
}

/// The documentation says what the hardware does, since both are made from the table.
#[test]
fn the_table_for_the_documentation() {
    let text = register_table(&TABLE[..1]);
    let expected = "## `control` at 0x000\n\nWhether, and how much.\n\n\
        | bits | field | access | after reset | |\n| --- | --- | --- | --- | --- |\n\
        | 0 | `enable` | RW | 0x1 | A field. |\n\
        | 1 | `start` | W1S | 0x0 | A field. |\n\
        | 18:6 | `level` | RW | 0x1234 | A field. |\n\n";
    assert_eq!(text, expected);
}
