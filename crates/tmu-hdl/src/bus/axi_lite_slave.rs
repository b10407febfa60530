//! AXI4-Lite in front of a register port.

use super::SLVERR;
use super::axi::AxiLite;
use super::register_port::{DATA_BITS, RegisterRequest, STROBES};
use crate::prelude::*;

/// AXI4-Lite in front of a register port.
///
/// Takes a write's address and data in either order and beside a read, does one access at a time, writes and reads
/// in turn, and answers OKAY, or SLVERR where the port says that it failed. An answer waits until it is taken; the
/// next access of the same kind is taken meanwhile and done after that.
///
/// Latency 2 clocks and those of the port from an address to its answer.
#[derive(Debug, LogicBlock)]
pub struct AxiLiteSlave {
    /// The clock.
    pub clocks: Clocks,
    /// The bus.
    pub axi: AxiLite,
    /// The registers.
    pub registers: RegisterRequest,
    has_write_address: Reg,
    write_address: Reg,
    has_write_data: Reg,
    write_data: Reg,
    has_read_address: Reg,
    read_address: Reg,
    busy: Reg,
    is_write: Reg,
    write_answered: Reg,
    write_failed: Reg,
    read_answered: Reg,
    read_failed: Reg,
    read_data: Reg,
}

impl AxiLiteSlave {
    /// A slave with byte addresses of `address_bits`, at least 3.
    #[track_caller]
    pub fn new(address_bits: usize) -> AxiLiteSlave {
        assert!(address_bits >= 3, "{address_bits} address bits reach less than two registers");
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let register = |width| Reg::new(&clocks, width);
        AxiLiteSlave {
            axi: AxiLite::new(address_bits),
            registers: RegisterRequest::new(address_bits - 2),
            has_write_address: flag(),
            write_address: register(address_bits - 2),
            has_write_data: flag(),
            write_data: register(DATA_BITS + STROBES),
            has_read_address: flag(),
            read_address: register(address_bits - 2),
            busy: flag(),
            is_write: flag(),
            write_answered: flag(),
            write_failed: register(1),
            read_answered: flag(),
            read_failed: register(1),
            read_data: register(DATA_BITS),
            clocks,
        }
    }
}

/// AXI4-Lite in front of a register port: one access at a time, writes and reads in turn.
#[kernel]
impl AxiLiteSlave {
    fn module_name(&self) -> String {
        format!("axi_lite_slave_{}", self.axi.araddr.width())
    }

    fn logic(&self) {
        let (axi, registers) = (&self.axi, &self.registers);
        let word_bits = registers.address.width();
        let done = self.busy.val() & registers.done.val();
        let write_done = done & self.is_write.val();
        let read_done = done & !self.is_write.val();

        /// # Take
        self.hold(&self.has_write_address, axi.awvalid.val(), write_done);
        self.hold(&self.has_write_data, axi.wvalid.val(), write_done);
        self.hold(&self.has_read_address, axi.arvalid.val(), read_done);
        axi.awready.next = !self.has_write_address.val();
        axi.wready.next = !self.has_write_data.val();
        axi.arready.next = !self.has_read_address.val();
        if !self.has_write_address.val() {
            self.write_address.next = axi.awaddr.val().high(word_bits);
        }
        if !self.has_write_data.val() {
            self.write_data.next = cat(&[axi.wstrb.val(), axi.wdata.val()]);
        }
        if !self.has_read_address.val() {
            self.read_address.next = axi.araddr.val().high(word_bits);
        }
        discard(cat(&[axi.awprot.val(), axi.arprot.val()]), "every access is treated alike");
        discard(cat(&[axi.awaddr.val().low(2), axi.araddr.val().low(2)]), "registers are whole words");

        /// # Pass on
        let has_write = self.has_write_address.val() & self.has_write_data.val() & !self.write_answered.val();
        let has_read = self.has_read_address.val() & !self.read_answered.val();
        let starts = !self.busy.val() & (has_write | has_read);
        if starts {
            self.busy.next = 1;
            /// Whoever was not served last comes first.
            self.is_write.next = has_write & (!has_read | !self.is_write.val());
        } else if done {
            self.busy.next = 0;
        }
        registers.valid.next = self.busy.val();
        registers.is_write.next = self.is_write.val();
        registers.address.next = self.is_write.val().mux(self.write_address.val(), self.read_address.val());
        registers.write_data.next = self.write_data.val().low(DATA_BITS);
        registers.strobes.next = self.write_data.val().high(STROBES);

        /// # Answer
        self.hold(&self.write_answered, write_done, axi.bready.val());
        self.hold(&self.read_answered, read_done, axi.rready.val());
        if write_done {
            self.write_failed.next = registers.failed.val();
        }
        if read_done {
            self.read_failed.next = registers.failed.val();
            self.read_data.next = registers.read_data.val();
        }
        axi.bvalid.next = self.write_answered.val();
        axi.bresp.next = lit(2, SLVERR) & self.write_failed.val().repeat(2);
        axi.rvalid.next = self.read_answered.val();
        axi.rresp.next = lit(2, SLVERR) & self.read_failed.val().repeat(2);
        axi.rdata.next = self.read_data.val();
    }

    /// A flag that one event sets while it is low, and another clears.
    fn hold(&self, flag: &Reg, sets: Bits, clears: Bits) {
        flag.next = flag.val().mux(!clears, sets);
    }
}
