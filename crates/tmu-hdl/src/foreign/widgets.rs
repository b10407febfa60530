//! rust-hdl's widgets and what takes their place here.
//!
//! A widget is known by the names of its fields, in their order: a block says nothing else about its type. The version of
//! rust-hdl is pinned, and a test makes one of each.

use crate::atom::take_details;
use rust_hdl_core::prelude::{Atom, Block, Probe};

/// A widget of `rust-hdl-widgets` 0.46.0.
pub(super) struct Widget {
    /// Its type, or both where two have the same fields.
    pub(super) name: &'static str,
    /// Its fields in order, but for those that are only there in simulation.
    fields: &'static str,
    /// What to do instead.
    pub(super) remedy: &'static str,
}

/// The widget that a block is, if it is one.
pub(super) fn widget(block: &dyn Block) -> Option<&'static Widget> {
    let mut members = Members::default();
    block.accept("block", &mut members);
    let fields = members.names.join(" ");
    WIDGETS.iter().find(|widget| widget.fields == fields)
}

/// The names of a block's own fields.
#[derive(Default)]
struct Members {
    depth: usize,
    names: Vec<String>,
}

impl Members {
    fn note(&mut self, name: &str) {
        // The parts of an array are called `name$0`, `name$1`.
        let name = name.split('$').next().unwrap_or(name);
        if self.depth == 1 && self.names.last().is_none_or(|last| last != name) {
            self.names.push(name.into());
        }
    }
}

impl Probe for Members {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.note(name);
        self.depth += 1;
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.note(name);
        self.depth += 1;
    }

    fn visit_atom(&mut self, name: &str, _: &dyn Atom) {
        self.note(name);
        // Nobody else shall take them for those of another net.
        take_details();
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }
}

const REGISTER: &str = "use a Reg: Reg::new, or Reg::with_reset";
const SYNC_FIFO: &str = "use primitives::SyncFifo, whose stream says valid and ready";
const ASYNC_FIFO: &str = "use primitives::AsyncFifo, whose streams say valid and ready";
const WIDER: &str =
    "use primitives::SyncFifo or AsyncFifo and a kernel of a Reg and a counter that puts words together";
const COUNTER: &str = "write a kernel with a counter in a Reg; the chapter on the toolkit alone has one";
const BUS: &str =
    "there is none of ours: write its kernel with #[kernel]; the chapter's UART transmitter shows how";
const PAD: &str = "there is none of ours: nets have one driver; give the top input, output and enable, and let the board's \
    wrapper hold the pad";
const RAM: &str = "use primitives::RamSimpleDualPort, or DualClockRam between two clocks";

const fn known(name: &'static str, fields: &'static str, remedy: &'static str) -> Widget {
    Widget { name, fields, remedy }
}

/// All public widgets, in the order of their crate.
pub(super) const WIDGETS: &[Widget] = &[
    known("Accum", "clock strobe_in data_in strobe_out data_out accum counter max_count", COUNTER),
    known(
        "AutoReset",
        "reset clock dff",
        "use a Reg that counts from its initial value, or primitives::ResetSynchroniser",
    ),
    known(
        "DelayLine",
        "clock data_in data_out delay line",
        "use a row of Reg (Reg::array), or primitives::RamSimpleDualPort and a counter",
    ),
    known("DFF", "d q clock", REGISTER),
    known("DFFWithInit", "d q clock init dff", "use a Reg: Reg::new(…).init(…)"),
    known(
        "EdgeDetector",
        "input_signal edge_signal clock prev current is_rising",
        "compare a net with a Reg that holds what it was; the chapter on the toolkit alone has one",
    ),
    known(
        "EdgeDFF",
        "d q clk",
        "use a Reg: every register takes the rising edge; make another clock outside for the other edge",
    ),
    known(
        "AsynchronousFIFO",
        "read data_out empty almost_empty underflow read_clock read_fill write data_in full almost_full overflow write_clock write_fill ram read_logic write_logic write_to_read read_to_write",
        ASYNC_FIFO,
    ),
    known(
        "CrossWidenFIFO",
        "data_in write full write_clock data_out read empty read_clock in_fifo out_fifo xpand",
        WIDER,
    ),
    known(
        "CrossNarrowFIFO",
        "data_in write full write_clock data_out read empty read_clock in_fifo out_fifo reducer",
        WIDER,
    ),
    known(
        "FIFOExpanderN",
        "data_in read empty data_out write full clock load_count loaded complete_data_available will_write will_consume data_store offset ratio placement msw_first",
        WIDER,
    ),
    known(
        "FIFOReadLogic",
        "clock read data_out empty almost_empty underflow write_address_delayed ram_read_address ram_read_data ram_read_clock read_address_out fill_level read_address is_empty is_full dff_underflow fifo_address_mask fifo_size block_size",
        SYNC_FIFO,
    ),
    known(
        "FIFOWriteLogic",
        "write data_in full almost_full overflow clock ram_write_address ram_write_clock ram_write_data ram_write_enable read_address write_address_delayed write_address dff_write_address_delay is_empty is_full fill_level dff_overflow fifo_address_mask fifo_size almost_full_level",
        SYNC_FIFO,
    ),
    known(
        "FIFOReducer",
        "data_in read empty data_out write full clock loaded data_available can_write will_run data_to_write offset reverse",
        WIDER,
    ),
    known(
        "FIFOReducerN",
        "data_in read empty data_out write full clock load_count data_available will_write will_consume data_store msw_first ratio offset select",
        WIDER,
    ),
    known(
        "RegisterFIFO",
        "data_in data_out write read full empty clock value filled error",
        "use primitives::SkidBuffer",
    ),
    known(
        "SynchronousFIFO",
        "clock read data_out empty almost_empty underflow write data_in full almost_full overflow ram read_logic write_logic",
        SYNC_FIFO,
    ),
    known(
        "I2CController",
        "i2c clock cmd run busy error write_data_in read_data_out read_valid ack nack driver counter read_data write_data state started last_read",
        BUS,
    ),
    known(
        "I2CDriver",
        "i2c clock cmd run busy error read_bit read_valid state delay sda_is_high scl_is_high sda_flop scl_flop clear_sda clear_scl set_sda set_scl",
        BUS,
    ),
    known(
        "I2CTarget",
        "i2c clock from_bus bus_write active stop to_bus write_enable ack nack write_ok state scl_is_high sda_is_high sda_flop clear_sda set_sda read_bit count accum",
        BUS,
    ),
    known("I2CTestBus", "endpoints sda_state scl_state", PAD),
    known("I2CTestTarget", "i2c clock phy mem ptr address outgoing save state active", BUS),
    known(
        "MultiplyAccumulateSymmetricFiniteImpulseResponseFilter",
        "data_in strobe_in data_out strobe_out clock busy coeff_memory left_bank right_bank head_ptr left_ptr right_ptr index iters bufsize taps left_sample right_sample accum state mac_output data_write",
        "use primitives::Multiplier and RamSimpleDualPort under a kernel",
    ),
    known("OpenDrainBuffer", "bus control", PAD),
    known(
        "LFSRSimple",
        "clock strobe num x y z w t",
        "write a kernel with a shift register in a Reg; the chapter on the toolkit alone has one",
    ),
    known("Pulser", "clock enable pulse strobe shot", COUNTER),
    known("PulseWidthModulator", "enable threshold clock active counter", COUNTER),
    known("RAM", "read_address read_clock read_data write_address write_clock write_data write_enable", RAM),
    known("ROM", "address data", "use primitives::Rom"),
    known("SyncROM", "address clock data", "use primitives::Rom"),
    known("RegisteredEdgeTristate", "bus write_enable write_data read_data clock dff_out dff_in", PAD),
    known(
        "SDRAMBaseController",
        "clock sdram data_in write_not_read cmd_strobe cmd_address busy data_out data_valid error cmd encode boot_delay t_rp t_rfc t_refresh_max t_rcd t_wr max_transfer_size mode_register cas_delay state reg_data_write reg_data_read reg_address reg_cmd_address delay_counter refresh_counter transfer_counter read_valid addr_bank addr_row addr_col write_pending read_pending read_ready refresh_needed row_bits col_bits data_bits data_shift_in data_out_counter",
        BUS,
    ),
    known(
        "SDRAMOnChipBuffer",
        "buf_in buf_out we_not_flop cas_not_flop ras_not_flop cs_not_flop bank_flop address_flop write_flop read_flop clock",
        PAD,
    ),
    known(
        "SDRAMBurstController",
        "clock sdram data_in data_strobe data_out data_valid write_not_read cmd_strobe cmd_address busy error cmd encode boot_delay t_rp t_rfc t_refresh_max t_rcd t_wr max_transfer_size mode_register cas_delay state reg_address reg_cmd_address delay_counter refresh_counter transfer_counter read_valid addr_bank addr_row addr_col write_pending read_pending refresh_needed row_bits col_bits data_in_reg data_strobe_reg data_out_reg",
        BUS,
    ),
    known("SDRAMCommandEncoder or SDRAMCommandDecoder", "ras_not cas_not we_not cs_not cmd", BUS),
    known(
        "SDRAMFIFOController",
        "clock sdram ram_clock data_in write full data_out read empty overflow underflow status controller fp bp can_write can_read read_pointer write_pointer dram_is_empty dram_is_full state line_to_word_ratio fill fill_0 fill_1 fill_2 fill_3",
        BUS,
    ),
    known("Shot", "trigger active clock fired duration counter state", COUNTER),
    known(
        "SPIMaster",
        "clock bits_outbound data_outbound data_inbound start_send transfer_done continued_transaction busy wires register_out register_in state strobe pointer pointerm1 clock_state done_flop msel_flop mosi_flop continued_save cs_off mosi_off cpha cpol",
        BUS,
    ),
    known(
        "SPIMasterDynamicMode",
        "clock bits_outbound data_outbound data_inbound start_send transfer_done continued_transaction wires busy register_out register_in state strobe pointer pointerm1 clock_state done_flop msel_flop mosi_flop miso_synchronizer continued_save cs_off mosi_off cpha_flop cpol_flop",
        BUS,
    ),
    known("MuxSlaves", "from_master to_slaves sel", "write the choice in a kernel: `if`, or Bits::mux"),
    known("MuxMasters", "to_bus from_masters sel", "write the choice in a kernel: `if`, or Bits::mux"),
    known(
        "SPISlave",
        "clock wires disabled busy data_inbound start_send data_outbound bits continued_transaction transfer_done miso_flop done_flop register_out register_in state pointer bits_saved continued_saved capture_detector advance_detector edge_detector mclk_synchronizer csel_synchronizer escape clocks_per_baud cpha cs_off boot_delay",
        BUS,
    ),
    known("Strobe", "enable strobe clock threshold counter", COUNTER),
    known("BitSynchronizer", "sig_in sig_out clock dff0 dff1", "use primitives::Synchroniser"),
    known(
        "SyncSender",
        "sig_in clock sig_cross flag_out ack_in busy send hold state sync",
        "use primitives::AsyncFifo for words, primitives::Synchroniser for bits",
    ),
    known(
        "SyncReceiver",
        "sig_out clock sig_cross flag_in ack_out update hold update_delay state sync",
        "use primitives::AsyncFifo for words, primitives::Synchroniser for bits",
    ),
    known(
        "VectorSynchronizer",
        "clock_in sig_in busy send clock_out sig_out update sender recv",
        "use primitives::AsyncFifo for words, primitives::Synchroniser for bits",
    ),
    known("TristateBuffer", "bus write_enable write_data read_data", PAD),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::refusals;
    use rust_hdl_core::prelude::Bits;
    use rust_hdl_widgets::fifo::fifo_logic::{FIFOReadLogic, FIFOWriteLogic};
    use rust_hdl_widgets::i2c::i2c_controller::I2CController;
    use rust_hdl_widgets::i2c::i2c_driver::I2CDriver;
    use rust_hdl_widgets::prelude::*;
    use rust_hdl_widgets::registered_edge_tristate::RegisteredEdgeTristate;
    use rust_hdl_widgets::sdram::cmd::{SDRAMCommandDecoder, SDRAMCommandEncoder};
    use rust_hdl_widgets::{accum::Accum, dff_with_init::DFFWithInit, edge_ff::EdgeDFF};
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::time::Duration;
    use tmu_testing::check_committed;

    /// One of each public block of the crate.
    fn one_of_each() -> Vec<(&'static str, Box<dyn Block>)> {
        let spi = SPIConfig {
            clock_speed: 1_000_000,
            cs_off: true,
            mosi_off: true,
            speed_hz: 10_000,
            cpha: true,
            cpol: true,
        };
        let i2c = I2CConfig { delay_time: Duration::from_micros(1), clock_speed_hz: 48_000_000 };
        let sdram = MemoryTimings::fast_boot_sim(125e6);
        vec![
            ("Accum", Box::new(Accum::<8, 16, 4>::new(3))),
            ("AutoReset", Box::new(AutoReset::default())),
            ("DelayLine", Box::new(DelayLine::<Bits<4>, 4, 2>::default())),
            ("DFF", Box::new(DFF::<Bits<4>>::default())),
            ("DFFWithInit", Box::new(DFFWithInit::new(Bits::<4>::from(3)))),
            ("EdgeDetector", Box::new(EdgeDetector::new(true))),
            ("EdgeDFF", Box::new(EdgeDFF::new(Bits::<4>::from(3)))),
            ("AsynchronousFIFO", Box::new(AsynchronousFIFO::<Bits<8>, 4, 5, 1>::default())),
            (
                "CrossWidenFIFO",
                Box::new(CrossWidenFIFO::<4, 4, 5, 8, 3, 4>::new(WordOrder::MostSignificantFirst)),
            ),
            (
                "CrossNarrowFIFO",
                Box::new(CrossNarrowFIFO::<8, 3, 4, 4, 4, 5>::new(WordOrder::MostSignificantFirst)),
            ),
            ("FIFOExpanderN", Box::new(FIFOExpanderN::<4, 8>::new(WordOrder::MostSignificantFirst))),
            ("FIFOReadLogic", Box::new(FIFOReadLogic::<Bits<8>, 4, 5, 1>::default())),
            ("FIFOWriteLogic", Box::new(FIFOWriteLogic::<Bits<8>, 4, 5, 1>::default())),
            ("FIFOReducer", Box::new(FIFOReducer::<8, 4, false>::default())),
            ("FIFOReducerN", Box::new(FIFOReducerN::<8, 4>::new(WordOrder::MostSignificantFirst))),
            ("RegisterFIFO", Box::new(RegisterFIFO::<Bits<8>>::default())),
            ("SynchronousFIFO", Box::new(SynchronousFIFO::<Bits<8>, 4, 5, 1>::default())),
            ("I2CController", Box::new(I2CController::new(i2c))),
            ("I2CDriver", Box::new(I2CDriver::new(i2c))),
            ("I2CTarget", Box::new(I2CTarget::default())),
            ("I2CTestBus", Box::new(I2CTestBus::<2>::default())),
            ("I2CTestTarget", Box::new(I2CTestTarget::new(3))),
            (
                "MultiplyAccumulateSymmetricFiniteImpulseResponseFilter",
                Box::new(MultiplyAccumulateSymmetricFiniteImpulseResponseFilter::<3>::new(&[1, 2, 3, 2, 1])),
            ),
            ("OpenDrainBuffer", Box::new(OpenDrainBuffer::default())),
            ("LFSRSimple", Box::new(LFSRSimple::default())),
            ("Pulser", Box::new(Pulser::new(1_000_000, 1000.0, Duration::from_micros(10)))),
            ("PulseWidthModulator", Box::new(PulseWidthModulator::<8>::default())),
            ("RAM", Box::new(RAM::<Bits<8>, 4>::new(BTreeMap::new()))),
            ("ROM", Box::new(ROM::<Bits<8>, 4>::new(BTreeMap::new()))),
            ("SyncROM", Box::new(SyncROM::<Bits<8>, 4>::new(BTreeMap::new()))),
            ("RegisteredEdgeTristate", Box::new(RegisteredEdgeTristate::<8>::default())),
            (
                "SDRAMBaseController",
                Box::new(SDRAMBaseController::<5, 5, 64, 16>::new(3, sdram, OutputBuffer::Wired)),
            ),
            ("SDRAMOnChipBuffer", Box::new(SDRAMOnChipBuffer::<16>::default())),
            (
                "SDRAMBurstController",
                Box::new(SDRAMBurstController::<5, 5, 4, 16>::new(3, sdram, OutputBuffer::Wired)),
            ),
            ("SDRAMCommandEncoder or SDRAMCommandDecoder", Box::new(SDRAMCommandEncoder::default())),
            ("SDRAMCommandEncoder or SDRAMCommandDecoder", Box::new(SDRAMCommandDecoder::default())),
            (
                "SDRAMFIFOController",
                Box::new(SDRAMFIFOController::<6, 4, 4, 16, 12>::new(3, sdram, OutputBuffer::Wired)),
            ),
            ("Shot", Box::new(Shot::<16>::new(1_000_000, Duration::from_micros(10)))),
            ("SPIMaster", Box::new(SPIMaster::<16>::new(spi))),
            ("SPIMasterDynamicMode", Box::new(SPIMasterDynamicMode::<16>::new(spi.into()))),
            ("MuxSlaves", Box::new(MuxSlaves::<4, 2>::default())),
            ("MuxMasters", Box::new(MuxMasters::<4, 2>::default())),
            ("SPISlave", Box::new(SPISlave::<16>::new(spi))),
            ("Strobe", Box::new(Strobe::<16>::new(1_000_000, 1000.0))),
            ("BitSynchronizer", Box::new(BitSynchronizer::default())),
            ("SyncSender", Box::new(SyncSender::<Bits<8>>::default())),
            ("SyncReceiver", Box::new(SyncReceiver::<Bits<8>>::default())),
            ("VectorSynchronizer", Box::new(VectorSynchronizer::<Bits<8>>::default())),
            ("TristateBuffer", Box::new(TristateBuffer::<Bits<8>>::default())),
        ]
    }

    #[test]
    fn every_widget_of_rust_hdl_is_refused_by_name_with_what_takes_its_place() {
        let all = one_of_each();
        let mut wrong = vec![];
        for (name, block) in &all {
            let refused = refusals("top", block.as_ref());
            let Some(widget) = WIDGETS.iter().find(|widget| widget.name == *name) else { panic!("{name}") };
            let head = format!("error[H008]: the block is rust-hdl's widget {name}: ");
            let remedy = format!("\n  help: {}", widget.remedy);
            // It alone, and nothing inside it.
            let once = refused.matches("error[").count() == 1;
            if !(refused.starts_with(&head) && refused.ends_with(&remedy) && once) {
                wrong.push(format!("{name}: {refused}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let names: BTreeSet<&str> = all.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, WIDGETS.iter().map(|widget| widget.name).collect());
    }

    #[test]
    fn no_two_widgets_look_alike() {
        let fields: BTreeSet<&str> = WIDGETS.iter().map(|widget| widget.fields).collect();
        assert_eq!(fields.len(), WIDGETS.len());
    }

    /// `UPDATE_DOCS=1` writes the table as it is now.
    #[test]
    fn the_table_of_the_documentation_is_this_one() {
        let mut text = String::from(
            "# Widgets of rust-hdl\n\n\
             <!-- Made from crates/tmu-hdl/src/foreign/widgets.rs: UPDATE_DOCS=1 cargo test -p tmu-hdl --lib -->\n\n\
             Blocks of `rust-hdl-widgets` 0.46.0 are refused (H008), each with this advice. \
             [The toolkit alone](../book/toolkit.md#what-of-rust-hdl-is-used) has the reasons.\n\n\
             | widget | instead |\n| --- | --- |\n",
        );
        for Widget { name, remedy, .. } in WIDGETS {
            let _ = writeln!(text, "| {name} | {remedy} |");
        }
        check_committed(
            "docs/reference/rust-hdl-widgets.md",
            &text,
            "UPDATE_DOCS",
            "cargo test -p tmu-hdl --lib",
        );
    }
}
