//! Waveforms, read back by another crate.

use std::io;
use std::sync::{Arc, Mutex};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort};
use tmu_hdl::simulate::{Simulator, Unknown};
use wellen::SignalValueRef;
use wellen::simple::Waveform;

/// A writer that the test can read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::Error::other("poisoned"))?.extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn read(&self) -> Waveform {
        let bytes = self.0.lock().unwrap_or_else(|e| panic!("{e}")).clone();
        wellen::simple::read_from_reader(io::Cursor::new(bytes)).unwrap_or_else(|e| panic!("{e}"))
    }
}

/// Instants and values of a variable.
fn changes(waves: &mut Waveform, scope: &[&str], name: &str) -> Vec<String> {
    let hierarchy = waves.hierarchy();
    let var = hierarchy.lookup_var(scope, name).unwrap_or_else(|| panic!("no {name}"));
    let signal = hierarchy[var].signal_ref();
    waves.load_signals(&[signal]);
    let signal = waves.get_signal(signal).unwrap_or_else(|| panic!("no {name}"));
    let text = |value: SignalValueRef<'_>| match value {
        SignalValueRef::String(text) => text.to_string(),
        value => value.to_bit_string().unwrap_or_default(),
    };
    signal.iter_changes().map(|(time, value)| format!("{time}:{}", text(value))).collect()
}

/// Every net of a block and its sub-block at every instant, unknown bits included.
#[test]
fn waveforms_hold_every_net_at_every_instant() {
    let block = RamSimpleDualPort::new(RamShape::new(4, 70));
    let mut simulator =
        Simulator::with_unknown("ram", block, Unknown::Memories).unwrap_or_else(|e| panic!("{e}"));
    let text = Shared::default();
    simulator.interpreter.record_waveform(text.clone()).unwrap_or_else(|e| panic!("{e}"));
    simulator.block.write_enable.drive(1);
    simulator.block.write_data.drive(0x12);
    simulator.tick(|block| &block.clocks);
    simulator.block.read_enable.drive(1);
    simulator.tick(|block| &block.clocks);
    simulator.settle();
    simulator.interpreter.finish_waveform().unwrap_or_else(|e| panic!("{e}"));

    let mut waves = text.read();
    assert_eq!(waves.time_table(), [0, 5000, 10_000, 15_000, 20_000]);
    let mut levels = |name: &str| changes(&mut waves, &["ram"], name);
    assert_eq!(levels("clk"), ["0:0", "1:1", "2:0", "3:1", "4:0"]);
    assert_eq!(levels("write_enable"), ["0:0", "0:1"]);
    let unknown = "x".repeat(70);
    let word = format!("{:0>70}", "10010");
    assert_eq!(levels("read_data"), [format!("0:{unknown}"), format!("3:{word}")]);
}

#[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
enum Step {
    First = 1,
    Second = 2,
}

/// A part with an enum in every place that has one.
#[derive(Record, Clone)]
struct Kept<T = Bits> {
    step: Enum<Step, T>,
}

/// Takes an enum in, keeps it, and hands it on as bits.
#[derive(LogicBlock)]
struct Steps {
    clocks: Clocks,
    step: EnumNet<Step, In>,
    kept: Kept<FieldReg>,
    copy: Kept<Field<Local>>,
    out: Net<Out>,
}

#[kernel]
impl Steps {
    fn logic(&self) {
        self.kept.step.next = self.step.val();
        self.copy.next = self.kept.val();
        self.out.next = self.copy.step.val().bits();
    }
}

/// The variant stands beside the number; a code without a variant is a number, unknown bits are unknown.
#[test]
fn waveforms_name_the_variants_of_enums() {
    let clocks = Clocks::without_reset();
    let shape = Kept { step: Enum::shape() };
    let block = Steps {
        step: EnumNet::new(),
        kept: shape.registers(&clocks),
        copy: shape.nets(),
        out: Net::new(2),
        clocks,
    };
    let mut simulator = Simulator::with_unknown("steps", block, Unknown::MemoriesAndRegisters)
        .unwrap_or_else(|e| panic!("{e}"));
    let text = Shared::default();
    simulator.interpreter.record_waveform(text.clone()).unwrap_or_else(|e| panic!("{e}"));
    for code in [2, 3, 1] {
        simulator.block.step.drive(Enum::of(lit(2, code as u64)));
        simulator.tick(|block| &block.clocks);
    }
    simulator.interpreter.finish_waveform().unwrap_or_else(|e| panic!("{e}"));

    let mut waves = text.read();
    let mut levels = |name: &str| changes(&mut waves, &["steps"], name);
    assert_eq!(levels("kept_step"), ["0:xx", "1:10", "3:11", "5:01"]);
    let names = ["0:x", "1:STEP_SECOND", "3:3", "5:STEP_FIRST"];
    assert_eq!(levels("kept_step$name"), names);
    assert_eq!(levels("copy_step$name"), names);
    assert_eq!(levels("out"), levels("kept_step"));
    assert!(waves.hierarchy().lookup_var(&["steps"], "out$name").is_none());
}
