//! AXI4 masters against a memory that pauses, fails and answers late; all buses against their Verilog.

use crate::harness::{Case, prove_for};
use crate::stimulus::{Bursts, clocks, generator, repeat};
use crate::subject::Subject;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};
use tmu_hdl::bus::*;
use tmu_verilate::{Instance, Model, ModelOptions, Tools};

/// Clocks that each block runs for in Rust and Icarus.
const CLOCKS: usize = 3_000;

/// The shape that the benches use: small, so that every limit is met often.
pub(crate) fn shape() -> AxiShape {
    AxiShape {
        address_bits: 32,
        data_bytes: 4,
        id_bits: 3,
        id: 5,
        burst_beats: 16,
        outstanding: 4,
        length_bits: 8,
    }
}

fn shapes() -> Vec<AxiShape> {
    vec![
        shape(),
        AxiShape { data_bytes: 4, burst_beats: 1, length_bits: 3, ..shape() },
        AxiShape {
            address_bits: 40,
            data_bytes: 4,
            burst_beats: 256,
            outstanding: 16,
            length_bits: 10,
            ..shape()
        },
        AxiShape { address_bits: 16, data_bytes: 1, burst_beats: 64, length_bits: 1, ..shape() },
    ]
}

/// A model under Verilator, clock by clock.
pub(crate) struct Bench {
    instance: Instance,
}

impl Bench {
    /// `None` where the tools are missing.
    pub(crate) fn new(subject: &Subject) -> Option<Bench> {
        if Tools::are_missing() {
            return None;
        }
        let model = Model::build(&subject.source, &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        Some(Bench { instance: model.instance().unwrap_or_else(|e| panic!("{e}")) })
    }

    pub(crate) fn set(&mut self, port: &str, value: u64) {
        let port = self.instance.model().port(port).unwrap_or_else(|e| panic!("{e}"));
        self.instance.set(port, value);
    }

    pub(crate) fn set_wide(&mut self, port: &str, value: u128) {
        let port = self.instance.model().port(port).unwrap_or_else(|e| panic!("{e}"));
        if self.instance.model().describe(port).width_bits <= 64 {
            return self.instance.set(port, value as u64);
        }
        let words: Vec<u32> = (0..4).map(|i| (value >> (32 * i)) as u32).collect();
        let count = self.instance.model().describe(port).words();
        self.instance.set_wide(port, &words[..count]);
    }

    pub(crate) fn get(&mut self, port: &str) -> u64 {
        let port = self.instance.model().port(port).unwrap_or_else(|e| panic!("{e}"));
        self.instance.get(port)
    }

    /// Lets outputs follow inputs.
    pub(crate) fn settle(&mut self) {
        self.set("clk", 0);
        self.instance.eval().unwrap_or_else(|e| panic!("{e}"));
    }

    /// A rising edge.
    pub(crate) fn rise(&mut self) {
        self.set("clk", 1);
        self.instance.eval().unwrap_or_else(|e| panic!("{e}"));
    }

    /// Two clocks of reset.
    pub(crate) fn reset(&mut self) {
        for level in [1, 1, 0] {
            self.set("rst", level);
            self.settle();
            self.rise();
        }
    }

    fn moves(&mut self, channel: &str) -> bool {
        self.get(&format!("{channel}valid")) == 1 && self.get(&format!("{channel}ready")) == 1
    }
}

/// A burst on its way.
#[derive(Clone, Copy, Debug)]
struct Burst {
    address: u64,
    beats: u64,
}

/// A command and what it moves.
#[derive(Clone, Copy, Debug)]
struct Command {
    address: u64,
    beats: u64,
}

fn command(rng: &mut ChaCha8Rng, shape: &AxiShape) -> Command {
    let size_bits = rng.random_range(0..=shape.length_bits);
    let beats = 1 + rng.random_range(0..1u64 << size_bits);
    let bytes = shape.data_bytes as u64;
    let room = 1u64 << shape.address_bits.min(20);
    // Often just below a multiple of 4 KiB.
    let near = rng.random_range(1..room / 4096) * 4096 - rng.random_range(0..20) * bytes;
    let any = rng.random_range(0..room / 2) / bytes * bytes;
    let address = if rng.random_ratio(1, 2) { near } else { any };
    Command { address: address % (room - beats.min(room / 4) * bytes), beats }
}

/// What memory holds, and how it answers, byte address by byte address.
fn word(address: u64, shape: &AxiShape) -> (u64, u64) {
    let hash = (address / shape.data_bytes as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let response = match hash >> 58 {
        0 => SLVERR,
        1 => DECERR,
        _ => OKAY,
    };
    (u64::from(response), (hash >> 20) & (u64::MAX >> (64 - shape.data_bits())))
}

/// The rules of an address channel: what is offered stays, and bursts are legal.
#[derive(Default)]
struct AddressRules {
    waiting: Option<(u64, u64)>,
}

impl AddressRules {
    fn see(&mut self, bench: &mut Bench, prefix: &str, shape: &AxiShape, what: &str) -> Option<Burst> {
        let get = |bench: &mut Bench, name: &str| bench.get(&format!("axi_{prefix}{name}"));
        let (address, length) = (get(bench, "addr"), get(bench, "len"));
        let valid = get(bench, "valid") == 1;
        if let Some(waiting) = self.waiting {
            assert!(valid && waiting == (address, length), "an offer changes before it is taken; {what}");
        }
        self.waiting = None;
        if !valid {
            return None;
        }
        let bytes = (length + 1) * shape.data_bytes as u64;
        assert!(length < shape.burst_beats as u64, "a burst of {} transfers; {what}", length + 1);
        assert_eq!(address >> 12, (address + bytes - 1) >> 12, "{address:x}: a burst crosses 4 KiB; {what}");
        assert_eq!(address % shape.data_bytes as u64, 0, "{address:x} is inside a transfer; {what}");
        assert_eq!(get(bench, "id"), u64::from(shape.id), "{what}");
        assert_eq!((get(bench, "burst"), get(bench, "size")), (1, u64::from(shape.data_bytes.ilog2())));
        if get(bench, "ready") == 1 {
            return Some(Burst { address, beats: length + 1 });
        }
        self.waiting = Some((address, length));
        None
    }
}

fn reads(shape: &AxiShape, seed: usize) {
    let name = format!("axi_reads_{seed}");
    let Some(mut bench) = Bench::new(&Subject::new(&name, AxiReadMaster::new(shape))) else { return };
    let mut rng = generator(&name);
    let what = repeat("axi_reads_against_a_memory");
    let mut willing = [Bursts::default(); 4];
    let mut rules = AddressRules::default();
    let mut bursts: VecDeque<Burst> = VecDeque::new();
    let mut expected: VecDeque<(u64, u64, u64)> = VecDeque::new();
    let mut next = command(&mut rng, shape);
    let (mut got, mut commands, mut most) = (0u64, 0u64, 0);
    bench.reset();
    for _ in 0..clocks() {
        let wills = [0, 1, 2, 3].map(|i| u64::from(willing[i].next(&mut rng)));
        bench.set_wide(
            "command_data",
            u128::from(next.address) << shape.length_bits | u128::from(next.beats - 1),
        );
        bench.set("command_valid", wills[0]);
        bench.set("axi_arready", wills[1]);
        bench.set("data_ready", wills[2]);
        let head = bursts.front().copied();
        let (response, data) = head.map_or((0, 0), |burst| word(burst.address, shape));
        bench.set("axi_rvalid", u64::from(head.is_some()) & wills[3]);
        bench.set("axi_rlast", u64::from(head.is_some_and(|burst| burst.beats == 1)));
        bench.set("axi_rresp", response);
        bench.set("axi_rdata", data);
        bench.set("axi_rid", u64::from(shape.id));
        bench.settle();
        if bench.moves("data_") {
            let item = bench.get("data_data");
            let (bits, beat) = (shape.data_bits(), expected.pop_front());
            let own = (item >> (bits + 2), item >> bits & 3, item & (u64::MAX >> (64 - bits)));
            assert_eq!(Some(own), beat, "transfer {got}; {what}");
            got += 1;
        }
        if bench.moves("axi_r")
            && let Some(burst) = bursts.front_mut()
        {
            burst.address += shape.data_bytes as u64;
            burst.beats -= 1;
            if burst.beats == 0 {
                bursts.pop_front();
            }
        }
        bursts.extend(rules.see(&mut bench, "ar", shape, &what));
        most = most.max(bursts.len());
        assert!(bursts.len() <= shape.outstanding, "{} bursts at a time; {what}", bursts.len());
        if bench.moves("command_") {
            for beat in 0..next.beats {
                let (response, data) = word(next.address + beat * shape.data_bytes as u64, shape);
                expected.push_back((u64::from(beat + 1 == next.beats), response, data));
            }
            next = command(&mut rng, shape);
            commands += 1;
        }
        bench.rise();
    }
    assert!(commands > 100 && got > 2_000, "{name}: only {commands} commands, {got} transfers");
    assert_eq!(most, shape.outstanding, "{name}: as many bursts wait as may");
}

#[test]
fn axi_reads_against_a_memory() {
    for (seed, shape) in shapes().iter().enumerate() {
        reads(shape, seed);
    }
}

/// A memory that takes writes.
#[derive(Default)]
struct WrittenMemory {
    bytes: BTreeMap<u64, u8>,
    bursts: VecDeque<Burst>,
    transfers: VecDeque<(u64, u64, bool)>,
    answers: VecDeque<u64>,
}

impl WrittenMemory {
    /// Writes what has both an address and data. Answers a burst with the worst of its transfers.
    fn work(&mut self, shape: &AxiShape, what: &str) {
        while let Some(&burst) = self.bursts.front() {
            if (self.transfers.len() as u64) < burst.beats {
                return;
            }
            let mut worst = 0;
            for beat in 0..burst.beats {
                let address = burst.address + beat * shape.data_bytes as u64;
                let Some((strobes, data, is_last)) = self.transfers.pop_front() else { return };
                assert_eq!(is_last, beat + 1 == burst.beats, "WLAST of transfer {beat} of {burst:?}; {what}");
                let (response, _) = word(address, shape);
                worst = worst.max(response);
                for byte in (0..shape.data_bytes).filter(|byte| strobes >> byte & 1 == 1) {
                    self.bytes.insert(address + byte as u64, (data >> (8 * byte)) as u8);
                }
            }
            self.answers.push_back(worst);
            self.bursts.pop_front();
        }
    }
}

fn writes(shape: &AxiShape, seed: usize) {
    let name = format!("axi_writes_{seed}");
    let Some(mut bench) = Bench::new(&Subject::new(&name, AxiWriteMaster::new(shape))) else { return };
    let mut rng = generator(&name);
    let what = repeat("axi_writes_against_a_memory");
    let mut willing = [Bursts::default(); 6];
    let mut rules = AddressRules::default();
    let mut memory = WrittenMemory::default();
    let mut expected_bytes: BTreeMap<u64, u8> = BTreeMap::new();
    let mut to_send: VecDeque<u64> = VecDeque::new();
    let mut responses: VecDeque<u64> = VecDeque::new();
    let mut next = command(&mut rng, shape);
    let (mut item, mut answered, mut open, mut waiting) = (rng.random::<u64>(), 0u64, 0usize, None);
    let (bits, strobe_bits) = (shape.data_bits(), shape.data_bytes);
    bench.reset();
    for _ in 0..clocks() {
        let wills = [0, 1, 2, 3, 4, 5].map(|i| u64::from(willing[i].next(&mut rng)));
        bench.set_wide(
            "command_data",
            u128::from(next.address) << shape.length_bits | u128::from(next.beats - 1),
        );
        // Data of a command come with it or after it.
        bench.set("command_valid", wills[0] & u64::from(to_send.len() < 200));
        bench.set("data_valid", wills[1] & u64::from(!to_send.is_empty()));
        bench.set_wide("data_data", u128::from(item & (u64::MAX >> (64 - bits - strobe_bits))));
        bench.set("axi_awready", wills[2]);
        bench.set("axi_wready", wills[3]);
        bench.set("response_ready", wills[4]);
        let answer = memory.answers.front().copied();
        bench.set("axi_bvalid", wills[5] & u64::from(answer.is_some()));
        bench.set("axi_bresp", answer.unwrap_or(0));
        bench.set("axi_bid", u64::from(shape.id));
        bench.settle();
        if bench.moves("response_") {
            assert_eq!(Some(bench.get("response_data")), responses.pop_front(), "answer {answered}; {what}");
            answered += 1;
        }
        let transfer = (bench.get("axi_wstrb"), bench.get("axi_wdata"), bench.get("axi_wlast") == 1);
        let offered = bench.get("axi_wvalid") == 1;
        if let Some(before) = waiting {
            assert!(offered && transfer == before, "a transfer changes before it is taken; {what}");
        }
        waiting = (offered && bench.get("axi_wready") == 0).then_some(transfer);
        if bench.moves("axi_w") {
            memory.transfers.push_back(transfer);
        }
        if bench.moves("axi_b") {
            memory.answers.pop_front();
            open -= 1;
        }
        let burst = rules.see(&mut bench, "aw", shape, &what);
        open += usize::from(burst.is_some());
        memory.bursts.extend(burst);
        assert!(open <= shape.outstanding, "{open} bursts at a time; {what}");
        if bench.moves("data_")
            && let Some(address) = to_send.pop_front()
        {
            for byte in (0..strobe_bits).filter(|byte| item >> (bits + byte) & 1 == 1) {
                expected_bytes.insert(address + byte as u64, (item >> (8 * byte)) as u8);
            }
            item = rng.random();
        }
        if bench.moves("command_") {
            let addresses = (0..next.beats).map(|beat| next.address + beat * shape.data_bytes as u64);
            responses.push_back(addresses.clone().map(|address| word(address, shape).0).max().unwrap_or(0));
            to_send.extend(addresses);
            next = command(&mut rng, shape);
        }
        memory.work(shape, &what);
        bench.rise();
    }
    // What is still under way.
    bench.set("command_valid", 0);
    for _ in 0..8_000 {
        bench.set("data_valid", u64::from(!to_send.is_empty()));
        bench.set_wide("data_data", u128::from(item & (u64::MAX >> (64 - bits - strobe_bits))));
        for port in ["axi_awready", "axi_wready", "response_ready"] {
            bench.set(port, 1);
        }
        let answer = memory.answers.front().copied();
        bench.set("axi_bvalid", u64::from(answer.is_some()));
        bench.set("axi_bresp", answer.unwrap_or(0));
        bench.settle();
        if bench.moves("response_") {
            assert_eq!(Some(bench.get("response_data")), responses.pop_front(), "{what}");
        }
        if bench.moves("axi_w") {
            let transfer = (bench.get("axi_wstrb"), bench.get("axi_wdata"), bench.get("axi_wlast") == 1);
            memory.transfers.push_back(transfer);
        }
        if bench.moves("axi_b") {
            memory.answers.pop_front();
        }
        memory.bursts.extend(rules.see(&mut bench, "aw", shape, &what));
        if bench.moves("data_")
            && let Some(address) = to_send.pop_front()
        {
            for byte in (0..strobe_bits).filter(|byte| item >> (bits + byte) & 1 == 1) {
                expected_bytes.insert(address + byte as u64, (item >> (8 * byte)) as u8);
            }
            item = rng.random();
        }
        memory.work(shape, &what);
        bench.rise();
    }
    assert!(answered > 100, "{name}: only {answered} commands");
    assert!(
        responses.is_empty() && to_send.is_empty(),
        "{name}: {} answers are missing; {what}",
        responses.len()
    );
    assert!(memory.bytes == expected_bytes, "{name}: memory holds something else; {what}");
    assert_eq!(bench.get("outstanding"), 0);
}

#[test]
fn axi_writes_against_a_memory() {
    for (seed, shape) in shapes().iter().enumerate() {
        writes(shape, seed);
    }
}

/// A block on a bus, with anything on its inputs: what a reset and a while of traffic have defined stays the same in all.
fn case(subject: Subject, high: &'static [&'static str]) -> Case {
    let mut row_of_run = 0;
    Case::new(subject)
        .fix(|rng, rows, row| rows.set(row, "rst", u64::from(rng.random_ratio(1, 900))))
        .warm_up(120, move |_, rows, row| {
            rows.set(row, "rst", u64::from(row_of_run < 2));
            high.iter().for_each(|name| rows.set(row, name, 1));
            row_of_run += 1;
        })
}

#[test]
fn buses_in_rust_verilator_and_icarus() {
    let reads: &[&str] = &["command_valid", "axi_arready", "axi_rvalid", "axi_rlast", "data_ready"];
    let writes: &[&str] =
        &["command_valid", "data_valid", "axi_awready", "axi_wready", "axi_bvalid", "response_ready"];
    let lite: &[&str] =
        &["axi_awvalid", "axi_wvalid", "axi_arvalid", "axi_bready", "axi_rready", "registers_done"];
    let wishbone: &[&str] = &["wishbone_cyc", "wishbone_stb", "registers_done"];
    let master: &[&str] = &["command_valid", "answer_ready", "wishbone_ack"];
    let small = AxiShape { address_bits: 13, burst_beats: 2, length_bits: 2, ..shape() };
    let cases = vec![
        case(Subject::new("reads", AxiReadMaster::new(&shape())), reads),
        case(Subject::new("reads_small", AxiReadMaster::new(&small)), reads),
        case(Subject::new("writes", AxiWriteMaster::new(&shape())), writes),
        case(Subject::new("lite", AxiLiteSlave::new(12)), lite),
        case(Subject::new("wishbone", WishboneSlave::new(10)), wishbone),
        case(Subject::new("wishbone_master", WishboneMaster::new(10)), master),
        case(Subject::new("bank", RegisterBank::new(5, crate::registers::TABLE)), &["port_valid"]),
        case(
            Subject::new("read_back_bank", RegisterBank::with_read_back(5, crate::registers::TABLE, 4)),
            &["port_valid"],
        ),
    ];
    prove_for("buses_in_rust_verilator_and_icarus", cases, CLOCKS);
}

#[test]
fn shapes_that_axi_does_not_know_are_refused() {
    let refused = [
        ("not 3", AxiShape { data_bytes: 3, ..shape() }),
        ("cross 4096 bytes", AxiShape { data_bytes: 32, burst_beats: 256, ..shape() }),
        ("not 24", AxiShape { burst_beats: 24, ..shape() }),
        ("does not fit 3 bits", AxiShape { id: 8, ..shape() }),
        ("not 6", AxiShape { outstanding: 6, ..shape() }),
        ("not 12", AxiShape { address_bits: 12, ..shape() }),
        ("a length has 1 to 30 bits", AxiShape { length_bits: 31, ..shape() }),
    ];
    for (rule, shape) in refused {
        let panic = std::panic::catch_unwind(|| drop(AxiReadMaster::new(&shape))).expect_err(rule);
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(text.contains(rule), "expected `{rule}`, got `{text}`");
    }
}
