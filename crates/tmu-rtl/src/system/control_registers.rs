//! `control_registers`: the registers behind the control port, on the units' clock.
//!
//! A command is decoded in one clock and carried out in the next; a counter is answered when its count passes by.
//! Writes to registers that only read are accepted and change nothing. Registers of engines are behind a port each, which
//! is asked and waited for.
//!
//! Latency 3 clocks from a command to its answer, 19 for a counter, 4 and those of the port for a register of an engine. One command at a time.

use super::control::{ANSWER_BITS, COMMAND_BITS, ERROR_BITS, WORD_BITS};
use crate::engine::memory::FAULT_BITS;
use crate::system::counters::{COUNTS, PLACE_BITS};
use crate::system::registers::{self as map, Register, RegisterSpace};
use tmu_hdl::bus::RegisterRequest;
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::binding::BindingRule;

/// Number of the first counter's register.
const FIRST_COUNTER: u32 = map::UNIT_BASE_BYTES / map::REGISTER_BYTES;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ControlRegisters {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Write data, strobes, number of the register, whether it is written.
    pub command: StreamIn,
    /// The register's value, whether there is one.
    pub answer: StreamOut,
    /// High for one clock: reset the units.
    pub soft_reset: Net<Out>,
    /// High for one clock: empty the caches.
    pub invalidate: Net<Out>,
    /// The units are in reset.
    pub resetting: Net<In>,
    /// A cache is emptying.
    pub caches_invalidating: Net<In>,
    /// Base of the texture window, in lines.
    pub window_line: Net<Out>,
    /// A read has failed: bit 0 with SLVERR, bit 1 with DECERR, bit 2 with an answer of the wrong length.
    pub fault: Net<In>,
    /// Line address of the read that has failed.
    pub fault_line: Net<In>,
    /// Rules that a binding has just broken, for each unit.
    pub broken_rules: Vec<Net<In>>,
    /// A packet has just been dropped, for each unit.
    pub packet_dropped: Vec<Net<In>>,
    /// The count that passes by, for each unit.
    pub counts: Vec<Net<In>>,
    /// Its number, the same for all units.
    pub count_number: Optional<Net<In>>,
    /// Registers of engines.
    pub banks: Vec<RegisterRequest>,
    bank_selected: Vec<Reg>,
    asking: Optional<Reg>,
    idle: Reg,
    decoded: Reg,
    acting: Reg,
    seeking: Optional<Reg>,
    answering: Reg,
    is_write: Reg,
    word: Reg,
    data: Reg,
    selected: Reg,
    is_counter: Optional<Reg>,
    passing: Optional<Passing>,
    value: Reg,
    exists: Reg,
    window: Reg,
    events: Reg,
    errors: Reg,
    error_line: Reg,
    soft_resetting: Reg,
    invalidating: Reg,
    _config: Config,
    _spaces: Vec<RegisterSpace>,
}

impl ControlRegisters {
    /// The registers of a configuration, and blocks of others at these addresses.
    pub fn new(config: &Config, spaces: &[RegisterSpace]) -> ControlRegisters {
        let clocks = Clocks::new();
        let units = config.units() as usize;
        let counted = config.control().counters() && units > 0;
        let line_bits = config.axi().address_bits() as usize - config.cache().line_offset_bits() as usize;
        let page_bits = config.axi().address_bits() as usize - PAGE_BITS;
        let window = u128::from(config.axi().window_base() >> PAGE_BITS);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        ControlRegisters {
            command: StreamIn::new(COMMAND_BITS),
            answer: StreamOut::new(ANSWER_BITS),
            soft_reset: Net::bit(),
            invalidate: Net::bit(),
            resetting: Net::bit(),
            caches_invalidating: Net::bit(),
            window_line: Net::new(line_bits),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(line_bits),
            broken_rules: Net::array(units, BindingRule::ALL.len()),
            packet_dropped: Net::array(units, 1),
            counts: Net::array(if counted { units } else { 0 }, 32),
            count_number: Optional::new(counted, || Net::new(PLACE_BITS)),
            banks: spaces.iter().map(|space| RegisterRequest::new(space.number_bits())).collect(),
            bank_selected: Reg::array(spaces.len(), &clocks, 1),
            asking: Optional::new(!spaces.is_empty(), flag),
            idle: Reg::with_reset(&clocks, 1, 1),
            decoded: flag(),
            acting: flag(),
            seeking: Optional::new(counted, flag),
            answering: flag(),
            is_write: Reg::new(&clocks, 1),
            word: Reg::new(&clocks, WORD_BITS),
            data: Reg::new(&clocks, 36),
            selected: Reg::new(&clocks, map::CORE.len()),
            is_counter: Optional::new(counted, || Reg::new(&clocks, 1)),
            passing: Optional::new(counted, || Passing {
                count: Reg::new(&clocks, 32),
                is_wanted: Reg::with_reset(&clocks, 1, 0),
            }),
            value: Reg::new(&clocks, 32),
            exists: Reg::new(&clocks, 1),
            window: Reg::with_reset(&clocks, page_bits, window),
            events: Reg::with_reset(&clocks, ERROR_BITS, 0),
            errors: Reg::with_reset(&clocks, ERROR_BITS, 0),
            error_line: Reg::with_reset(&clocks, line_bits, 0),
            soft_resetting: flag(),
            invalidating: flag(),
            clocks,
            _config: config.clone(),
            _spaces: spaces.to_vec(),
        }
    }
}

/// The count of the unit asked for that has just passed by.
#[derive(Bundle)]
struct Passing {
    count: Reg,
    is_wanted: Reg,
}

/// log2 of the bytes that the texture window's base is a multiple of.
const PAGE_BITS: usize = 12;

/// Registers behind the control port.
#[kernel]
impl ControlRegisters {
    fn logic(&self) {
        self.accept();
        self.decode();
        self.read();
        self.banks();
        self.write();
        self.errors();
    }

    fn accept(&self) {
        /// # Accept
        let takes = self.command.valid.val() && self.idle.val();
        let out_valid = self.answering.val() && self.answer.ready.val();
        self.command.ready.next = self.idle.val();
        if takes {
            self.idle.next = 0;
        } else if out_valid {
            self.idle.next = 1;
        }
        let command = self.command.data.val();
        if takes {
            self.data.next = command.low(36);
            self.word.next = command.slice(36, WORD_BITS);
            self.is_write.next = command.high(1);
        }
        self.decoded.next = takes;
        self.acting.next = self.decoded.val();
        self.answer.valid.next = self.answering.val();
        self.answer.data.next = cat(&[self.exists.val(), self.value.val()]);
    }

    fn decode(&self) {
        /// # Decode
        let word = self.word.val();
        let selected: Vec<Bits> = map::CORE
            .iter()
            .rev()
            .map(|register| word == u64::from(register.offset_bytes / map::REGISTER_BYTES))
            .collect();
        self.selected.next = cat(&selected);
        if let Some(is_counter) = self.is_counter.as_ref() {
            let units = u64::from(self._config.units());
            let first = u64::from(FIRST_COUNTER) >> PLACE_BITS;
            let row = word.high(WORD_BITS - PLACE_BITS);
            is_counter.next = row >= first && row < first + units && word.low(PLACE_BITS) < COUNTS as u64;
        }
    }

    /// One bit: this register is the one.
    fn is(&self, register: &Register) -> Bits {
        let number = map::CORE.iter().position(|r| r.offset_bytes == register.offset_bytes);
        number.map_or_else(|| lit(1, 0u32), |number| self.selected.val().bit(number))
    }

    /// 32 bits of a value that may be narrower or wider, from bit `lo` up.
    fn word_of(&self, value: Bits, lo: usize) -> Bits {
        if lo >= value.width() {
            return lit(32, 0u32);
        }
        let width = 32.min(value.width() - lo);
        value.slice(lo, width).zero_extend(32)
    }

    fn read(&self) {
        /// # Read
        let window = cat(&[self.window.val(), lit(PAGE_BITS, 0u32)]);
        let byte_bits = self._config.cache().line_offset_bits() as usize;
        let error_address = cat(&[self.error_line.val(), lit(byte_bits, 0u32)]);
        let constant = |register: &Register| lit(32, map::reset_value(register, &self._config));
        let values = [
            (map::ID, constant(&map::ID)),
            (map::VERSION, constant(&map::VERSION)),
            (map::CAPABILITIES, constant(&map::CAPABILITIES)),
            (map::CACHE_GEOMETRY, constant(&map::CACHE_GEOMETRY)),
            (map::FORMATS_LOW, constant(&map::FORMATS_LOW)),
            (map::FORMATS_HIGH, constant(&map::FORMATS_HIGH)),
            (map::STATUS, cat(&[self.caches_invalidating.val(), self.resetting.val()]).zero_extend(32)),
            (map::WINDOW_BASE_LOW, self.word_of(window, 0)),
            (map::WINDOW_BASE_HIGH, self.word_of(window, 32)),
            (map::ERROR, self.errors.val().zero_extend(32)),
            (map::ERROR_ADDRESS_LOW, self.word_of(error_address, 0)),
            (map::ERROR_ADDRESS_HIGH, self.word_of(error_address, 32)),
        ];
        let mut value = lit(32, 0u32);
        for (register, word) in &values {
            value = value | (*word & self.is(register).repeat(32));
        }
        let out_valid = self.answering.val() && self.answer.ready.val();
        let (Some(is_counter), Some(seeking), Some(count_number), Some(passing)) = (
            self.is_counter.as_ref(),
            self.seeking.as_ref(),
            self.count_number.as_ref(),
            self.passing.as_ref(),
        ) else {
            if self.acting.val() {
                self.value.next = value;
                self.exists.next = self.selected.val().any();
                self.answering.next = 1;
            } else if out_valid {
                self.answering.next = 0;
            }
            return;
        };
        /// A counter's value is taken when it passes by; while the units are in reset none does.
        let number = self.word.val().low(PLACE_BITS);
        let row = self.word.val().high(WORD_BITS - PLACE_BITS) - u64::from(FIRST_COUNTER >> PLACE_BITS);
        let mut count = self.counts[0].val();
        for (unit, net) in self.counts.iter().enumerate().skip(1) {
            count = if row == unit as u64 { net.val() } else { count };
        }
        let seeks = self.acting.val() && is_counter.val() && !self.is_write.val();
        passing.count.next = count;
        passing.is_wanted.next = count_number.val() == number || self.resetting.val();
        let found = seeking.val() && passing.is_wanted.val();
        if seeks {
            seeking.next = 1;
        } else if found {
            seeking.next = 0;
        }
        if self.acting.val() {
            self.exists.next = self.selected.val().any() || is_counter.val();
        }
        if found {
            self.value.next = passing.count.val();
        } else if self.acting.val() {
            self.value.next = value;
        }
        if found || (self.acting.val() && !seeks) {
            self.answering.next = 1;
        } else if out_valid {
            self.answering.next = 0;
        }
    }

    fn banks(&self) {
        let Some(asking) = self.asking.as_ref() else { return };
        /// # Registers of engines
        let mut asks = lit(1, 0u32);
        let mut done = lit(1, 0u32);
        let mut failed = lit(1, 0u32);
        let mut read_data = lit(32, 0u32);
        let word = self.word.val();
        for ((bank, selected), space) in self.banks.iter().zip(&self.bank_selected).zip(&self._spaces) {
            let block = u64::from(space.base_bytes / space.bytes);
            selected.next = word.high(WORD_BITS - space.number_bits()) == block;
            bank.valid.next = asking.val() && selected.val();
            bank.is_write.next = self.is_write.val();
            bank.address.next = word.low(space.number_bits());
            bank.write_data.next = self.data.val().low(32);
            bank.strobes.next = self.data.val().high(4);
            asks = asks || selected.val();
            done = done || (bank.done.val() && selected.val());
            failed = failed || (bank.failed.val() && selected.val());
            read_data = read_data | (bank.read_data.val() & selected.val().repeat(32));
        }
        if self.acting.val() && asks {
            asking.next = 1;
            self.answering.next = 0;
        } else if asking.val() && done {
            asking.next = 0;
            self.value.next = read_data;
            self.exists.next = !failed;
            self.answering.next = 1;
        }
    }

    fn write(&self) {
        /// # Write
        let writes = self.acting.val() && self.is_write.val();
        let (data, strobes) = (self.data.val().low(32), self.data.val().high(4));
        let commands = writes && self.is(&map::CONTROL) && strobes.bit(0);
        self.soft_resetting.next = commands && data.bit(map::CONTROL_SOFT_RESET.shift as usize);
        self.invalidating.next = commands && data.bit(map::CONTROL_CACHE_INVALIDATE.shift as usize);
        self.soft_reset.next = self.soft_resetting.val();
        self.invalidate.next = self.invalidating.val();
        let window = self.window.val();
        let bits: Vec<Bits> = (0..window.width())
            .rev()
            .map(|bit| {
                let place = bit + PAGE_BITS;
                let register = if place < 32 { map::WINDOW_BASE_LOW } else { map::WINDOW_BASE_HIGH };
                let written = writes && self.is(&register) && strobes.bit(place % 32 / 8);
                if written { data.bit(place % 32) } else { window.bit(bit) }
            })
            .collect();
        self.window.next = cat(&bits);
        let lines_a_page = PAGE_BITS - self._config.cache().line_offset_bits() as usize;
        self.window_line.next = cat(&[window, lit(lines_a_page, 0u32)]);
    }

    fn errors(&self) {
        /// # Errors
        let rules =
            self.broken_rules.iter().fold(lit(BindingRule::ALL.len(), 0u32), |all, net| all | net.val());
        let dropped = self.packet_dropped.iter().fold(lit(1, 0u32), |any, net| any || net.val());
        let fault = self.fault.val();
        self.events.next = cat(&[fault.bit(2), dropped, fault.low(2), rules]);
        let clears = self.acting.val() && self.is_write.val() && self.is(&map::ERROR);
        let data = self.data.val();
        let low = data.low(8) & (clears && data.bit(32)).repeat(8);
        let high = data.slice(8, ERROR_BITS - 8) & (clears && data.bit(33)).repeat(ERROR_BITS - 8);
        discard(data.bit(ERROR_BITS), "no register has this bit");
        self.errors.next = (self.errors.val() & !cat(&[high, low])) | self.events.val();
        /// The first failing address stays until all memory bits are clear again.
        let of_memory = |errors: Bits| {
            let length = errors.bit(map::ERROR_MEMORY_LENGTH.shift as usize);
            errors.slice(map::ERROR_MEMORY_SLVERR.shift as usize, 2).any() || length
        };
        let has_address = of_memory(self.errors.val()) || of_memory(self.events.val());
        if fault.any() && !has_address {
            self.error_line.next = self.fault_line.val();
        }
    }
}
