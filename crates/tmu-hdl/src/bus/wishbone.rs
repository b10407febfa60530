//! Wishbone B4, classic cycles: a slave in front of a register port, and a master behind commands.

use super::register_port::{DATA_BITS, RegisterRequest, STROBES};
use crate::prelude::*;

/// The port of a Wishbone slave of 32 bits. Addresses count words.
#[derive(Debug, Bundle)]
pub struct Wishbone {
    /// A cycle is under way.
    pub cyc: Net<In>,
    /// This slave is meant.
    pub stb: Net<In>,
    /// High to write.
    pub we: Net<In>,
    /// Which word.
    pub adr: Net<In>,
    /// Bytes that are read or written.
    pub sel: Net<In>,
    /// What to write.
    pub dat_i: Net<In>,
    /// What was read.
    pub dat_o: Net<Out>,
    /// The access is done.
    pub ack: Net<Out>,
    /// The access failed.
    pub err: Net<Out>,
}

/// The port of a Wishbone master of 32 bits. Addresses count words.
#[derive(Debug, Bundle)]
pub struct WishboneMasterPort {
    /// A cycle is under way.
    pub cyc: Net<Out>,
    /// A slave is meant.
    pub stb: Net<Out>,
    /// High to write.
    pub we: Net<Out>,
    /// Which word.
    pub adr: Net<Out>,
    /// Bytes that are read or written.
    pub sel: Net<Out>,
    /// What to write.
    pub dat_o: Net<Out>,
    /// What was read.
    pub dat_i: Net<In>,
    /// The access is done.
    pub ack: Net<In>,
    /// The access failed.
    pub err: Net<In>,
}

/// Wishbone B4, classic, in front of a register port.
///
/// ACK or ERR is high for one clock. A master that gives up its cycle before that gets neither; the access is then
/// still done, since the registers have it already.
///
/// Latency 2 clocks and those of the port from STB to ACK.
#[derive(Debug, LogicBlock)]
pub struct WishboneSlave {
    /// The clock.
    pub clocks: Clocks,
    /// The bus.
    pub wishbone: Wishbone,
    /// The registers.
    pub registers: RegisterRequest,
    busy: Reg,
    given_up: Reg,
    is_write: Reg,
    address: Reg,
    strobes: Reg,
    write_data: Reg,
    ack: Reg,
    err: Reg,
    read_data: Reg,
}

impl WishboneSlave {
    /// A slave with word addresses of so many bits.
    #[track_caller]
    pub fn new(address_bits: usize) -> WishboneSlave {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let register = |width| Reg::new(&clocks, width);
        WishboneSlave {
            wishbone: Wishbone {
                cyc: Net::bit(),
                stb: Net::bit(),
                we: Net::bit(),
                adr: Net::new(address_bits),
                sel: Net::new(STROBES),
                dat_i: Net::new(DATA_BITS),
                dat_o: Net::new(DATA_BITS),
                ack: Net::bit(),
                err: Net::bit(),
            },
            registers: RegisterRequest::new(address_bits),
            busy: flag(),
            given_up: flag(),
            is_write: register(1),
            address: register(address_bits),
            strobes: register(STROBES),
            write_data: register(DATA_BITS),
            ack: flag(),
            err: flag(),
            read_data: register(DATA_BITS),
            clocks,
        }
    }
}

/// Wishbone B4, classic, in front of a register port.
#[kernel]
impl WishboneSlave {
    fn module_name(&self) -> String {
        format!("wishbone_slave_{}", self.address.width())
    }

    fn logic(&self) {
        let (bus, registers) = (&self.wishbone, &self.registers);
        let asks = bus.cyc.val() & bus.stb.val();
        /// In the clock of an answer the master still shows the access that is answered.
        let starts = asks & !self.busy.val() & !self.ack.val() & !self.err.val();
        let done = self.busy.val() & registers.done.val();
        if starts {
            self.is_write.next = bus.we.val();
            self.address.next = bus.adr.val();
            self.strobes.next = bus.sel.val();
            self.write_data.next = bus.dat_i.val();
        }
        self.busy.next = self.busy.val().mux(!done, starts);
        self.given_up.next = self.busy.val() & !done & (self.given_up.val() | !asks);
        let answers = done & asks & !self.given_up.val();
        self.ack.next = answers & !registers.failed.val();
        self.err.next = answers & registers.failed.val();
        if done {
            self.read_data.next = registers.read_data.val();
        }
        registers.valid.next = self.busy.val();
        registers.is_write.next = self.is_write.val();
        registers.address.next = self.address.val();
        registers.write_data.next = self.write_data.val();
        registers.strobes.next = self.strobes.val();
        bus.ack.next = self.ack.val();
        bus.err.next = self.err.val();
        bus.dat_o.next = self.read_data.val();
    }
}

/// Wishbone B4, classic, behind commands: one access at a time.
///
/// A command is `{is_write, strobes, address, data}`, its answer `{failed, data}`. The bus is left for a clock between
/// two accesses, and an answer has to be taken before the next access begins.
///
/// Latency 1 clock to STB and 1 from ACK to the answer.
#[derive(Debug, LogicBlock)]
pub struct WishboneMaster {
    /// The clock.
    pub clocks: Clocks,
    /// What to do.
    pub command: StreamIn,
    /// What came of it.
    pub answer: StreamOut,
    /// The bus.
    pub wishbone: WishboneMasterPort,
    busy: Reg,
    access: Reg,
    answered: Reg,
    result: Reg,
}

impl WishboneMaster {
    /// A master with word addresses of so many bits.
    #[track_caller]
    pub fn new(address_bits: usize) -> WishboneMaster {
        let clocks = Clocks::new();
        let command_bits = 1 + STROBES + address_bits + DATA_BITS;
        WishboneMaster {
            command: StreamIn::new(command_bits),
            answer: StreamOut::new(1 + DATA_BITS),
            wishbone: WishboneMasterPort {
                cyc: Net::bit(),
                stb: Net::bit(),
                we: Net::bit(),
                adr: Net::new(address_bits),
                sel: Net::new(STROBES),
                dat_o: Net::new(DATA_BITS),
                dat_i: Net::new(DATA_BITS),
                ack: Net::bit(),
                err: Net::bit(),
            },
            busy: Reg::with_reset(&clocks, 1, 0),
            access: Reg::new(&clocks, command_bits),
            answered: Reg::with_reset(&clocks, 1, 0),
            result: Reg::new(&clocks, 1 + DATA_BITS),
            clocks,
        }
    }
}

/// Wishbone B4, classic, behind commands.
#[kernel]
impl WishboneMaster {
    fn module_name(&self) -> String {
        format!("wishbone_master_{}", self.wishbone.adr.width())
    }

    fn logic(&self) {
        let bus = &self.wishbone;
        let free = !self.busy.val() & !self.answered.val();
        let ends = self.busy.val() & (bus.ack.val() | bus.err.val());
        self.command.ready.next = free;
        if free {
            self.access.next = self.command.data.val();
        }
        self.busy.next = self.busy.val().mux(!ends, free & self.command.valid.val());
        self.answered.next = self.answered.val().mux(!self.answer.ready.val(), ends);
        if ends {
            self.result.next = cat(&[bus.err.val(), bus.dat_i.val()]);
        }
        let access = self.access.val();
        bus.cyc.next = self.busy.val();
        bus.stb.next = self.busy.val();
        bus.we.next = access.high(1);
        bus.sel.next = access.slice(DATA_BITS + bus.adr.width(), STROBES);
        bus.adr.next = access.slice(DATA_BITS, bus.adr.width());
        bus.dat_o.next = access.low(DATA_BITS);
        self.answer.valid.next = self.answered.val();
        self.answer.data.next = self.result.val();
    }
}
