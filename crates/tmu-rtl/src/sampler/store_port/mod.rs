//! `store_port`: writes entries of the parameter stores of units by registers.
//!
//! The registers hold a binding in LUT RAM; a command makes a packet of it that is kept, and gives it to the chosen units, one after the other,
//! each through its [`store_switch`](crate::sampler::store_switch). So whatever holds of packets holds of entries that are written
//! here: rules, errors, and that nothing changes but between two quads. A unit that does not take its packet keeps no other one waiting but
//! those of this port.
//!
//! With a table in memory, `loading` reads entries of it into the same RAM, a line after the other, and gives each away in the same way.
//!
//! All registers are 0, or what the table says, after a reset, the soft reset included: the RAM is emptied then, and accesses wait for that.
//! While something is at work writes are refused, and accesses to the binding. An access takes 3 clocks, a packet 3 for each beat and unit.

pub mod loading;
pub mod registers;

use super::store_switch::STORE_BEAT_BITS;
use crate::datapath::general::words::general;
use crate::system::registers::records;
use loading::{Loading, TablePorts};
use registers::{STORE_SPACE, bank};
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::Config;
use tmu_spec::general::field::{ENTRY, STORES, WORDS};
use tmu_spec::general::store::unreadable;

/// Bits of a register's number.
const ADDRESS_BITS: usize = STORE_SPACE.number_bits();
/// Bits of a word of the binding, a beat.
const WORD: usize = STORE_BEAT_BITS - 1;
/// Bytes of it.
const WORD_BYTES: usize = WORD / 8;
/// Bits of a register.
const REGISTER: usize = 32;
/// Bits of a word's number.
const NUMBER_BITS: usize = 3;
/// Number of the last word.
const LAST: u64 = WORDS as u64 - 1;

/// What the port does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
pub enum Doing {
    /// Zeros are written to the binding.
    Emptying,
    /// Nothing: registers may be written.
    Nothing,
    /// An entry is read from memory.
    Reading,
    /// The next unit is found.
    Choosing,
    /// A packet goes to a unit.
    Sending,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct StorePort {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Its registers.
    pub registers: RegisterPort,
    /// Packets for each unit.
    pub units: Vec<StreamOut>,
    /// Its channel to memory.
    pub table: Optional<TablePorts>,
    asked: Reg,
    is_word: Reg,
    refuses: Reg,
    answers: Reg,
    has_failed: Reg,
    answer: Reg,
    bank: RegisterBank,
    /// A byte of all words each, since bytes are written by themselves.
    words: Vec<DistributedRam>,
    doing: EnumReg<Doing>,
    /// The binding has been emptied since the reset.
    is_ready: Reg,
    number: Reg,
    left: Reg,
    target: Reg,
    entry: Reg,
    loading: Optional<Loading>,
}

impl StorePort {
    /// For a configuration that has one.
    pub fn new(config: &Config) -> StorePort {
        let clocks = Clocks::new();
        let units = config.units() as usize;
        let entry_bits = general(config).store_entries.ilog2() as usize;
        let has_table = config.control().store_table();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        StorePort {
            registers: RegisterPort::new(ADDRESS_BITS),
            units: (0..units).map(|_| StreamOut::new(STORE_BEAT_BITS)).collect(),
            table: Optional::new(has_table, || TablePorts::new(config)),
            asked: flag(),
            is_word: Reg::new(&clocks, 1),
            refuses: Reg::new(&clocks, 1),
            answers: flag(),
            has_failed: Reg::new(&clocks, 1),
            answer: Reg::new(&clocks, REGISTER),
            bank: RegisterBank::new(ADDRESS_BITS, &records(&bank(config))),
            words: (0..WORD_BYTES).map(|_| DistributedRam::new(1 << NUMBER_BITS, 8)).collect(),
            doing: EnumReg::with_reset(&clocks, Doing::Emptying),
            is_ready: flag(),
            number: Reg::with_reset(&clocks, NUMBER_BITS, 0),
            left: Reg::new(&clocks, units),
            target: Reg::new(&clocks, units),
            entry: Reg::new(&clocks, entry_bits),
            loading: Optional::new(has_table, || Loading::new(&clocks, entry_bits)),
            clocks,
        }
    }
}

/// Writes entries of parameter stores.
#[kernel]
impl StorePort {
    fn logic(&self) {
        let writes = self.access();
        self.binding(writes);
        self.work();
        self.send();
        if let (Some(loading), Some(table)) = (self.loading.as_ref(), self.table.as_ref()) {
            loading::load(loading, table, self);
        }
    }

    /// What a field of the registers holds.
    fn field(&self, register: &str, field: &str) -> Bits {
        self.bank.output.of(register, field).val()
    }

    /// Units whose stores are written.
    fn chosen(&self) -> Bits {
        let (units, count) = (self.field("STORE_UNITS", "UNITS"), self.units.len());
        if count < units.width() {
            discard(units.high(units.width() - count), "there are fewer units");
        }
        units.low(count)
    }

    /// The entry that is named.
    fn named(&self) -> Bits {
        let (entry, bits) = (self.field("STORE_ENTRY", "NUMBER"), self.entry.width());
        if bits < entry.width() {
            discard(entry.high(entry.width() - bits), "there are fewer entries");
        }
        entry.low(bits)
    }

    /// One bit: what was begun is not done yet.
    fn busy(&self) -> Bits {
        self.is_ready.val() && self.doing.val() != Doing::Nothing
    }

    /// One bit: a register of the binding is written in this clock.
    fn access(&self) -> Bits {
        /// # Accesses
        let (port, bank) = (&self.registers, &self.bank);
        bank.clocks.follow(&self.clocks);
        let address = port.address.val();
        let (busy, asked, answers) = (self.busy(), self.asked.val(), self.answers.val());
        self.asked.next = port.valid.val() && !answers && !bank.port.done.val();
        /// Found once for each access: what it starts makes the port busy while it is under way.
        let (is_word, is_write) = (address.high(1), port.is_write.val());
        if !asked {
            self.is_word.next = is_word;
            self.refuses.next = busy && (is_word || is_write);
        }
        let acts = asked && self.is_ready.val() && !answers;
        let (is_word, refuses) = (self.is_word.val(), self.refuses.val());
        bank.port.valid.next = acts && !is_word && !refuses;
        bank.port.is_write.next = is_write;
        bank.port.address.next = address;
        bank.port.write_data.next = port.write_data.val();
        bank.port.strobes.next = port.strobes.val();
        let number = address.slice(2, NUMBER_BITS);
        let is_there = number <= LAST;
        self.answers.next = acts && (is_word || refuses);
        self.has_failed.next = refuses || !is_there;
        port.done.next = answers || bank.port.done.val();
        port.failed.next = if answers { self.has_failed.val() } else { bank.port.failed.val() };
        port.read_data.next = if answers { self.answer.val() } else { bank.port.read_data.val() };
        bank.input.of("STORE_STATUS", "BUSY").next = busy;
        acts && is_word && !refuses && is_write && is_there
    }

    /// The word of the binding that is read.
    fn word(&self) -> Bits {
        let bytes: Vec<Bits> = self.words.iter().rev().map(|byte| byte.read_data.val()).collect();
        cat(&bytes)
    }

    fn binding(&self, writes: Bits) {
        /// # Binding
        let port = &self.registers;
        let (doing, number) = (self.doing.val(), self.number.val());
        let (empties, idle) = (doing == Doing::Emptying, doing == Doing::Nothing);
        let line = self.table.as_ref().map(|table| (table.line_valid.val(), table.line_data.val()));
        let comes = line.map_or_else(|| lit(1, 0u32), |(comes, _)| comes && doing == Doing::Reading);
        let (part, asked) = (port.address.val().low(2), port.address.val().slice(2, NUMBER_BITS));
        let (data, strobes) = (port.write_data.val(), port.strobes.val());
        for (place, byte) in self.words.iter().enumerate() {
            let own = data.slice(8 * (place % 4), 8);
            let of_line = line.map(|(_, line)| line.slice(8 * place, 8) & comes.repeat(8));
            let is_own = writes && part == (place / 4) as u64 && strobes.bit(place % 4);
            byte.clocks.follow(&self.clocks);
            byte.write_enable.next = is_own || empties || comes;
            byte.write_address.next = if idle { asked } else { number };
            byte.write_data.next =
                of_line.map_or_else(|| own & idle.repeat(8), |line| (own & idle.repeat(8)) | line);
            byte.read_address.next = if idle { asked } else { number };
        }
        let word = self.word();
        let of = |part: usize| word.slice(part * REGISTER, REGISTER);
        let upper = if part.bit(0) { of(3) } else { of(2) };
        let lower = if part.bit(0) { of(1) } else { of(0) };
        self.answer.next = if part.bit(1) { upper } else { lower };
    }

    fn work(&self) {
        /// # What is at work
        let (number, left) = (self.number.val(), self.left.val());
        let begins = self.field("STORE_CONTROL", "SEND");
        let is_unreadable = self.is_unreadable();
        let reads =
            self.loading.as_ref().map(|loading| (loading.begins.val(), loading::goes_on(loading, self)));
        let (begins_reading, goes_on) = reads.unwrap_or_else(|| (lit(1, 0u32), lit(1, 0u32)));
        match self.doing.val() {
            Doing::Emptying => {
                self.number.next = number + 1;
                if number.all() {
                    self.is_ready.next = 1;
                    if is_unreadable {
                        self.doing.next = Doing::Choosing;
                    } else {
                        self.doing.next = Doing::Nothing;
                    }
                }
            }
            Doing::Nothing => {
                self.left.next = self.chosen();
                self.entry.next = self.named();
                self.number.next = 0;
                if begins {
                    self.doing.next = Doing::Choosing;
                } else if begins_reading {
                    self.doing.next = Doing::Reading;
                }
            }
            Doing::Reading => {}
            Doing::Choosing => {
                let mut before = lit(1, 0u32);
                let mut lowest = vec![];
                for unit in 0..left.width() {
                    lowest.push(left.bit(unit) && !before);
                    before = before || left.bit(unit);
                }
                let lowest = stack(lowest);
                self.target.next = lowest;
                self.left.next = left & !lowest;
                self.number.next = 0;
                if left.any() {
                    self.doing.next = Doing::Sending;
                } else if goes_on {
                    self.left.next = self.chosen();
                    self.entry.next = self.entry.val() + 1;
                    self.doing.next = Doing::Reading;
                } else {
                    self.doing.next = Doing::Nothing;
                }
            }
            Doing::Sending => {
                let mut taken = lit(1, 0u32);
                for (unit, stream) in self.units.iter().enumerate() {
                    taken = taken || (self.target.val().bit(unit) && stream.ready.val());
                }
                if taken {
                    self.number.next = number + 1;
                }
                if taken && number == LAST {
                    self.doing.next = Doing::Choosing;
                }
            }
        }
    }

    /// One bit: the entry could not be read.
    fn is_unreadable(&self) -> Bits {
        self.loading.as_ref().map_or_else(|| lit(1, 0u32), |loading| loading.is_unreadable.val())
    }

    fn send(&self) {
        /// # Packets
        let (word, number) = (self.word(), self.number.val());
        let entry = self.entry.val().zero_extend(ENTRY.bits as usize);
        let named = cat(&[
            word.high(WORD - 1 - STORES.shift as usize),
            lit(1, 1u32),
            entry,
            word.low(ENTRY.shift as usize),
        ]);
        let first = match self.loading.as_ref() {
            Some(loading) => named | (lit(WORD, unreadable(0)[0]) & loading.is_unreadable.val().repeat(WORD)),
            None => named,
        };
        let word = if number == 0 { first } else { word };
        let sends = self.doing.val() == Doing::Sending;
        for (unit, stream) in self.units.iter().enumerate() {
            stream.valid.next = sends && self.target.val().bit(unit);
            stream.data.next = cat(&[number == LAST, word]);
        }
    }
}

const _: () = assert!(
    ENTRY.shift + ENTRY.bits == STORES.shift,
    "the entry's number stands below the bit that keeps it"
);
