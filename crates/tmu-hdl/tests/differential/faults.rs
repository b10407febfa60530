//! Faults planted in the back end, each found by what the Verilog does: one block in which every fault changes an output,
//! printed once for each fault, all of them in one model. What no simulation shows is read back from a netlist.

use crate::harness::{Case, compare, source};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_cosim::{from_value, to_value};
use tmu_hdl::design::Design;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, Synchroniser};
use tmu_hdl::simulate::Simulator;
use tmu_hdl::value::Value;
use tmu_hdl::verilog::emit;
use tmu_hdl::verilog::fault::{Fault, plant};
use tmu_verilate::{Batch, IcarusModel, ModelSource, RowLayout, Rows, Schedule, Tools, read_netlist};

const ROWS: usize = 300;

/// A difference and a constant of its own, which two of them do not share.
#[derive(LogicBlock)]
struct Child {
    left: Net<In>,
    right: Net<In>,
    out: Net<Out>,
    _constant: u64,
}

#[kernel]
impl Child {
    fn logic(&self) {
        self.out.next = (self.left.val() - self.right.val()) ^ self._constant;
    }
}

/// Every construct of the printer, each on outputs of its own.
#[derive(LogicBlock)]
struct Bait {
    clocks: Clocks,
    a: Net<In>,
    b: Net<In>,
    c: Net<In>,
    s: Net<In>,
    bytes: Vec<Net<Out>>,
    words: Vec<Net<Out>>,
    bits: Vec<Net<Out>>,
    counted: Reg,
    held: Reg,
    ping: Reg,
    pong: Reg,
    follows: Reg,
    /// Counts up to its end while the memory is filled.
    filled: Reg,
    children: Vec<Child>,
    ram: RamSimpleDualPort,
    twelve: Net<Out>,
    registers: Net<Out>,
    /// An array of registers, moved on as a row and connected as a whole and turned round.
    row: Vec<Reg>,
    pair: Pair,
}

/// Ports that are arrays.
#[derive(LogicBlock)]
struct Pair {
    items: Vec<Net<In>>,
    out: Net<Out>,
}

#[kernel]
impl Pair {
    fn logic(&self) {
        self.out.next = self.items[0].val() ^ self.items[1].val().slice(1, 2).zero_extend(4);
    }
}

impl Bait {
    fn new() -> Bait {
        let clocks = Clocks::new();
        let child =
            |constant| Child { left: Net::new(8), right: Net::new(8), out: Net::new(8), _constant: constant };
        let four = |number| Reg::new(&clocks, 4).init(Value::from_u128(4, number));
        Bait {
            a: Net::new(8),
            b: Net::new(8),
            c: Net::new(4),
            s: Net::bit(),
            bytes: Net::array(16, 8),
            words: Net::array(4, 16),
            bits: Net::array(4, 1),
            counted: Reg::with_reset(&clocks, 4, 5),
            held: four(9),
            ping: four(1),
            pong: four(2),
            follows: four(0),
            filled: four(0),
            children: vec![child(3), child(5)],
            ram: RamSimpleDualPort::new(RamShape::new(4, 8)),
            twelve: Net::new(12),
            registers: Net::new(24),
            row: vec![four(3), four(6)],
            pair: Pair { items: Net::array(2, 4), out: Net::new(4) },
            clocks,
        }
    }
}

/// Twice in one module, so that its `let` is there twice.
#[kernel]
fn folded(value: Bits) -> Bits {
    let sum = value + 1;
    sum ^ (sum << 1)
}

/// A block in which each planted fault changes an output.
#[kernel]
impl Bait {
    fn module_name(&self) -> String {
        "fault_bait".into()
    }

    fn logic(&self) {
        let (a, b, c, s) = (self.a.val(), self.b.val(), self.c.val(), self.s.val());
        let bytes = &self.bytes;
        bytes[0].next = (a | b) & c.repeat(2);
        bytes[1].next = (a.low(5) ^ 17).zero_extend(8);
        bytes[2].next = if s { a } else { b };
        bytes[3].next = (a.signed() >> c).bits();
        bytes[4].next = a >> 7usize;
        bytes[5].next = (a.signed() >> 7usize).bits();
        bytes[6].next = a - b;
        bytes[7].next = folded(a) ^ folded(b);
        bytes[8].next = a.slice(3, 4).zero_extend(8);
        self.words[0].next = a.signed().extend(16).bits();
        self.words[1].next = (a + b).zero_extend(16);
        self.words[2].next = cat(&[a, b]);
        self.words[3].next = (a.signed() * b.signed()).bits();
        self.bits[0].next = a <= b;
        self.bits[1].next = a.signed() < b.signed();
        self.bits[2].next = a.at(c);
        self.bits[3].next = a.parity();
        self.twelve.next = c.repeat(3);

        bytes[9].next = a;
        if s {
            bytes[9].next = b;
        }
        if s {
            bytes[10].next = a & b;
        } else {
            bytes[10].next = a | b;
        }
        bytes[11].next = a;
        if a.bit(0) {
        } else {
            bytes[11].next = b;
        }

        match c.low(2) {
            0 => bytes[15].next = a,
            1 | 2 => bytes[15].next = b,
            _ => bytes[15].next = a ^ b,
        }

        if s {
            self.counted.next = self.counted.val() + c;
            self.held.next = a.low(4);
        }
        self.ping.next = self.pong.val();
        self.pong.next = self.ping.val();
        self.follows.next = self.counted.val();
        let [counted, held, ping, pong] = [&self.counted, &self.held, &self.ping, &self.pong].map(Reg::val);
        self.row[0].next = a.low(4);
        self.row[1].next = self.row[0].val();
        self.pair.items[0].next = self.row[1].val();
        self.pair.items[1].next = self.row[0].val();
        self.registers.next = cat(&[counted, held, ping, pong, self.follows.val(), self.pair.out.val()]);

        for (i, child) in self.children.iter().enumerate() {
            child.left.next = a;
            child.right.next = b;
            bytes[12 + i].next = child.out.val();
        }
        self.ram.clocks.follow(&self.clocks);
        let filled = self.filled.val().all();
        if !filled {
            self.filled.next = self.filled.val() + 1;
        }
        let address = if filled { a.low(2) } else { self.filled.val().low(2) };
        self.ram.write_enable.next = 1;
        self.ram.write_address.next = address;
        self.ram.write_data.next = b;
        self.ram.read_enable.next = 1;
        self.ram.read_address.next = address;
        bytes[14].next = if filled { self.ram.read_data.val() } else { lit(8, 0u32) };
    }
}

/// What Rust simulation makes of random rows.
fn rows(source: &ModelSource) -> (Rows, Rows) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut inputs = Rows::zeros(RowLayout::inputs(source, Schedule::Cycles), ROWS);
    let mut expected = Rows::zeros(RowLayout::outputs(source), ROWS);
    let mut simulator = Simulator::new("bait", Bait::new()).unwrap_or_else(|e| panic!("{e}"));
    for row in 0..ROWS {
        for column in inputs.layout().clone().columns() {
            let number = match column.name.as_str() {
                "rst" => u32::from(row > 20 && rng.next_u32().is_multiple_of(8)),
                _ => rng.next_u32(),
            };
            let value = Value::from_u128(column.width_bits as usize, number.into());
            from_value(&value, inputs.value_mut(row, column));
        }
        let block = &simulator.block;
        let given = |name: &str| {
            let column = inputs.layout().column(name).unwrap_or_else(|| panic!("no column {name}"));
            Bits::constant(to_value(inputs.value(row, column), column.width_bits as usize))
        };
        block.clocks.rst.iter().for_each(|rst| rst.drive(given("rst")));
        for (net, name) in [(&block.a, "a"), (&block.b, "b"), (&block.c, "c"), (&block.s, "s")] {
            net.drive(given(name));
        }
        simulator.settle();
        let block = &simulator.block;
        let nets = block.bytes.iter().chain(&block.words).chain(&block.bits);
        let nets: Vec<&Net<Out>> = nets.chain([&block.twelve, &block.registers]).collect();
        for (net, column) in nets.iter().zip(expected.layout().clone().columns()) {
            assert_eq!(net.width(), column.width_bits as usize, "{}", column.name);
            from_value(&net.val().value(), expected.value_mut(row, column));
        }
        simulator.tick(|block| &block.clocks);
    }
    (inputs, expected)
}

fn mark(fault: Option<Fault>) -> String {
    fault.map_or("right".into(), |fault| format!("{fault:?}").to_lowercase())
}

/// The Verilog of a design with a fault in it, all module names marked so that several may stand in one model.
fn with_fault(design: &Design, fault: Option<Fault>) -> ModelSource {
    plant(fault);
    let (mut source, modules) = (source(design), emit(design));
    plant(None);
    let mark = mark(fault);
    for file in &mut source.files {
        for module in &modules.modules {
            let name = &module.name;
            file.text = file.text.replace(&format!("module {name} ("), &format!("module {name}_{mark} ("));
            file.text = file.text.replace(&format!("    {name} "), &format!("    {name}_{mark} "));
        }
        file.name = format!("{mark}_{}", file.name);
    }
    source.top = format!("{}_{mark}", source.top);
    source
}

#[test]
fn every_fault_planted_in_the_back_end_changes_what_the_verilog_does() {
    if Tools::are_missing() {
        return;
    }
    let design = elaborate("bait", &Bait::new()).unwrap_or_else(|e| panic!("{e}"));
    let simulated =
        |fault: &Fault| !Fault::WITHOUT_BEHAVIOUR.contains(fault) && !Fault::REFUSED.contains(fault);
    let faults: Vec<Option<Fault>> =
        [None].into_iter().chain(Fault::ALL.into_iter().filter(simulated).map(Some)).collect();
    let (inputs, expected) = rows(&with_fault(&design, None));
    let case = |&fault: &Option<Fault>| Case {
        source: with_fault(&design, fault),
        inputs: inputs.clone(),
        expected: expected.clone(),
        kernels: expected.clone(),
    };
    let cases: Vec<Case> = faults.iter().map(case).collect();
    let found = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let right = found.get(&0).map(|text| format!("{text}\n{}", cases[0].source.files[0].text));
    assert_eq!(right, None, "without a fault");
    let missed: Vec<Option<Fault>> =
        (1..faults.len()).filter(|i| !found.contains_key(i)).map(|i| faults[i]).collect();
    assert!(missed.is_empty(), "{missed:?} change nothing that the simulators show");
    assert!(faults.len() > 30, "{} faults", faults.len() - 1);
}

#[test]
fn faults_that_make_no_verilog_are_refused_by_its_readers() {
    if Tools::are_missing() {
        return;
    }
    let design = elaborate("bait", &Bait::new()).unwrap_or_else(|e| panic!("{e}"));
    for fault in Fault::REFUSED {
        let built = IcarusModel::build(&with_fault(&design, Some(fault)), Schedule::Cycles);
        assert!(built.is_err(), "{fault:?} is read");
    }
}

/// Attributes of each kind: of a port, of a register, of the flip-flops of a synchroniser.
#[derive(LogicBlock)]
struct Marked {
    from: Clocks,
    to: Clocks,
    data: Net<In>,
    kept: Reg,
    synchroniser: Synchroniser,
    out: Net<Out>,
}

impl Marked {
    fn new() -> Marked {
        let (from, to) = (Clocks::named_without_reset("from"), Clocks::named_without_reset("to"));
        Marked {
            data: Net::bit().attribute("mark_debug = \"true\""),
            kept: Reg::new(&from, 1).attribute("keep = \"true\""),
            synchroniser: Synchroniser::new(1, 2),
            out: Net::bit(),
            from,
            to,
        }
    }
}

#[kernel]
impl Marked {
    fn logic(&self) {
        self.kept.next = self.data.val();
        self.synchroniser.clocks.follow(&self.to);
        self.synchroniser.data_in.next = self.kept.val();
        self.out.next = self.synchroniser.data_out.val();
    }
}

/// The nets of a netlist that carry an attribute, as `module.net`, in the modules with this mark.
fn nets_with(netlist: &serde_json::Value, mark: &str, attribute: &str) -> Vec<String> {
    let mut found = vec![];
    for (module, content) in netlist["modules"].as_object().into_iter().flatten() {
        let Some(module) = module.strip_suffix(&format!("_{mark}")) else { continue };
        for (net, content) in content["netnames"].as_object().into_iter().flatten() {
            if !content["attributes"][attribute].is_null() {
                found.push(format!("{module}.{net}"));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn attributes_arrive_in_the_netlist_and_their_loss_is_seen_there() {
    if Tools::are_missing() {
        return;
    }
    let design = elaborate("marked", &Marked::new()).unwrap_or_else(|e| panic!("{e}"));
    let faults = [None].into_iter().chain(Fault::WITHOUT_BEHAVIOUR.map(Some));
    let batch = Batch::new(faults.map(|fault| with_fault(&design, fault)).collect());
    let batch = batch.unwrap_or_else(|e| panic!("{e}"));
    let text = read_netlist(batch.source()).unwrap_or_else(|e| panic!("{e}"));
    let netlist: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}"));
    let attributes = |fault| {
        let mark = mark(fault);
        ["ASYNC_REG", "keep", "mark_debug"].map(|attribute| nets_with(&netlist, &mark, attribute).join(" "))
    };
    let stages = "marked_synchroniser_2x1.stage_0 marked_synchroniser_2x1.stage_1";
    let kept = format!("marked.kept {stages}");
    assert_eq!(attributes(None), [stages, &kept, "marked.data"]);
    assert_eq!(attributes(Some(Fault::LostAsyncReg)), ["", &kept, "marked.data"]);
    assert_eq!(attributes(Some(Fault::LostNetAttributes)), [stages, stages, "marked.data"]);
    assert_eq!(attributes(Some(Fault::LostPortAttributes)), [stages, &kept, ""]);
}
