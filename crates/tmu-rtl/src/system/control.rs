//! `control`: the AXI4-Lite port and the registers behind it.
//!
//! The port answers on the streams' clock; the registers live on the units' clock, where what they hold happens.
//! Commands and answers cross in FIFOs of their own, so that nothing is read half-way. While the units' clock is
//! in reset every access answers SLVERR; none waits for ever.
//!
//! Latency some 25 clocks for a register, 16 more for a counter. One access at a time.

use crate::system::registers as map;
use tmu_hdl::bus::AxiLite;
use tmu_hdl::prelude::*;

/// Bits of a register's number: its address without the byte.
pub(crate) const WORD_BITS: usize = map::ADDRESS_BITS as usize - 2;
/// A command: write data, strobes, number, whether it writes.
pub(crate) const COMMAND_BITS: usize = 32 + 4 + WORD_BITS + 1;
/// An answer: data, whether there is such a register.
pub(crate) const ANSWER_BITS: usize = 32 + 1;
/// RRESP and BRESP of an address without a register.
const SLVERR: u32 = 2;
/// Bits of the error register.
pub(crate) const ERROR_BITS: usize = 12;

/// What becomes of the access that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum Access {
    /// There is none.
    Idle,
    /// Its command is offered to the registers.
    Sending,
    /// They have taken it and are to answer.
    Waiting,
}

/// The port as it is seen from outside, as wide as the register map.
pub(crate) fn axi_lite() -> AxiLite {
    AxiLite::new(map::ADDRESS_BITS as usize)
}

/// The port: takes accesses, passes them on, answers.
#[derive(LogicBlock)]
pub struct ControlPort {
    /// Clock and reset of the port.
    pub clocks: Clocks,
    /// The port.
    pub axi: AxiLite,
    /// Commands to the registers.
    pub command: StreamOut,
    /// Their answers.
    pub answer: StreamIn,
    /// The registers are out of reach.
    pub unreachable: Net<In>,
    write_address: Reg,
    has_write_address: Reg,
    write_data: Reg,
    has_write_data: Reg,
    read_address: Reg,
    has_read_address: Reg,
    is_write: Reg,
    access: EnumReg<Access>,
    write_answered: Reg,
    read_answered: Reg,
    write_response: Reg,
    read_response: Reg,
    data: Reg,
}

impl ControlPort {
    /// The port.
    pub fn new() -> ControlPort {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        ControlPort {
            axi: axi_lite(),
            command: StreamOut::new(COMMAND_BITS),
            answer: StreamIn::new(ANSWER_BITS),
            unreachable: Net::bit(),
            write_address: Reg::new(&clocks, WORD_BITS),
            has_write_address: flag(),
            write_data: Reg::new(&clocks, 36),
            has_write_data: flag(),
            read_address: Reg::new(&clocks, WORD_BITS),
            has_read_address: flag(),
            is_write: flag(),
            access: EnumReg::with_reset(&clocks, Access::Idle),
            write_answered: flag(),
            read_answered: flag(),
            write_response: Reg::new(&clocks, 2),
            read_response: Reg::new(&clocks, 2),
            data: Reg::new(&clocks, 32),
            clocks,
        }
    }
}

impl Default for ControlPort {
    fn default() -> Self {
        ControlPort::new()
    }
}

/// AXI4-Lite subordinate: one access at a time, writes and reads in turn.
#[kernel]
impl ControlPort {
    fn logic(&self) {
        let axi = &self.axi;
        /// # Take
        let write_done = self.write_answered.val() && axi.bready.val();
        let read_done = self.read_answered.val() && axi.rready.val();
        axi.awready.next = !self.has_write_address.val();
        axi.wready.next = !self.has_write_data.val();
        axi.arready.next = !self.has_read_address.val();
        if axi.awvalid.val() && !self.has_write_address.val() {
            self.has_write_address.next = 1;
            self.write_address.next = axi.awaddr.val().high(WORD_BITS);
        } else if write_done {
            self.has_write_address.next = 0;
        }
        if axi.wvalid.val() && !self.has_write_data.val() {
            self.has_write_data.next = 1;
            self.write_data.next = cat(&[axi.wstrb.val(), axi.wdata.val()]);
        } else if write_done {
            self.has_write_data.next = 0;
        }
        if axi.arvalid.val() && !self.has_read_address.val() {
            self.has_read_address.next = 1;
            self.read_address.next = axi.araddr.val().high(WORD_BITS);
        } else if read_done {
            self.has_read_address.next = 0;
        }
        discard(cat(&[axi.awprot.val(), axi.arprot.val()]), "every access is treated alike");
        discard(cat(&[axi.awaddr.val().low(2), axi.araddr.val().low(2)]), "registers are whole words");

        /// # Pass on
        let has_write =
            self.has_write_address.val() && self.has_write_data.val() && !self.write_answered.val();
        let has_read = self.has_read_address.val() && !self.read_answered.val();
        /// Whoever was not served last comes first.
        let writes = has_write && (!has_read || !self.is_write.val());
        let access = self.access.val();
        let fails = access != Access::Idle && self.unreachable.val();
        let ends = (access == Access::Waiting && self.answer.valid.val()) || fails;
        match access {
            Access::Idle => {
                if has_write || has_read {
                    self.is_write.next = writes;
                    self.access.next = Access::Sending;
                }
            }
            Access::Sending => {
                if fails {
                    self.access.next = Access::Idle;
                } else if self.command.ready.val() {
                    self.access.next = Access::Waiting;
                }
            }
            Access::Waiting => {
                if ends {
                    self.access.next = Access::Idle;
                }
            }
        }
        let address = if self.is_write.val() { self.write_address.val() } else { self.read_address.val() };
        self.command.valid.next = access == Access::Sending;
        self.command.data.next = cat(&[self.is_write.val(), address, self.write_data.val()]);

        /// # Answer
        self.answer.ready.next = 1;
        let answer = self.answer.data.val();
        let is_good = answer.high(1) && !fails;
        let response = if is_good { lit(2, 0u32) } else { lit(2, SLVERR) };
        // One response each: the other may still wait to be taken when this one comes.
        if ends && self.is_write.val() {
            self.write_response.next = response;
        }
        if ends && !self.is_write.val() {
            self.read_response.next = response;
            self.data.next = answer.low(32);
        }
        if ends && self.is_write.val() {
            self.write_answered.next = 1;
        } else if axi.bready.val() {
            self.write_answered.next = 0;
        }
        if ends && !self.is_write.val() {
            self.read_answered.next = 1;
        } else if axi.rready.val() {
            self.read_answered.next = 0;
        }
        axi.bvalid.next = self.write_answered.val();
        axi.bresp.next = self.write_response.val();
        axi.rvalid.next = self.read_answered.val();
        axi.rresp.next = self.read_response.val();
        axi.rdata.next = self.data.val();
    }
}
