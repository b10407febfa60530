//! Waveforms, read back by another crate.

use std::io;
use std::sync::{Arc, Mutex};
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort};
use tmu_hdl::simulate::{Simulator, Unknown};

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

    let bytes = text.0.lock().unwrap_or_else(|e| panic!("{e}")).clone();
    let mut waves =
        wellen::simple::read_from_reader(io::Cursor::new(bytes)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(waves.time_table(), [0, 5000, 10_000, 15_000, 20_000]);
    let mut levels = |name: &str| -> Vec<String> {
        let hierarchy = waves.hierarchy();
        let var = hierarchy.lookup_var(&["ram"], name).unwrap_or_else(|| panic!("no {name}"));
        let signal = hierarchy[var].signal_ref();
        waves.load_signals(&[signal]);
        let signal = waves.get_signal(signal).unwrap_or_else(|| panic!("no {name}"));
        let changes = signal.iter_changes();
        changes.map(|(time, value)| format!("{time}:{}", value.to_bit_string().unwrap_or_default())).collect()
    };
    assert_eq!(levels("clk"), ["0:0", "1:1", "2:0", "3:1", "4:0"]);
    assert_eq!(levels("write_enable"), ["0:0", "0:1"]);
    let unknown = "x".repeat(70);
    let word = format!("{:0>70}", "10010");
    assert_eq!(levels("read_data"), [format!("0:{unknown}"), format!("3:{word}")]);
}
