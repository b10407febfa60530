//! Entries from a table in memory, for the `store_port`.
//!
//! A line is asked for and waited for, as the channel to memory does it that counts beats itself and tells the control port of faults. So an
//! entry takes five times the latency of memory. One that cannot be read becomes a packet that breaks a rule.

use super::{Doing, LAST, StorePort};
use crate::datapath::bundles::line_bits;
use crate::engine::memory::{LINE_BITS, ReadChannel, ReadShape};
use tmu_hdl::prelude::*;
use tmu_spec::general::field::WORDS;
use tmu_spec::{Config, LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bits of a line's number in the texture window.
const WINDOW_LINE_BITS: usize = TEXTURE_ADDRESS_BITS as usize - LINE_BYTES.ilog2() as usize;
/// Bits of the number of entries that are left.
const COUNT_BITS: usize = 8;

/// The channel to memory.
#[derive(Debug, Bundle)]
pub struct TablePorts {
    /// A line wanted.
    pub read: StreamOut,
    /// It has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// It could not be read.
    pub line_error: Net<In>,
}

impl TablePorts {
    pub(super) fn new(config: &Config) -> TablePorts {
        TablePorts {
            read: StreamOut::new(line_bits(config)),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_error: Net::bit(),
        }
    }

    /// The channel that the system sees.
    pub fn channel(&self) -> ReadChannel<'_> {
        ReadChannel {
            shape: read_shape(self.read.data.width()),
            read: &self.read,
            line_valid: &self.line_valid,
            line_data: &self.line_data,
            line_response: &self.line_error,
            bursts: None,
            fault: None,
        }
    }
}

/// What the channel may ask for: a line at a time, inside the texture window.
fn read_shape(line_bits: usize) -> ReadShape {
    ReadShape {
        line_bits,
        length_bits: 0,
        most_reads: 1,
        most_lines: 1,
        is_windowed: true,
        reports_faults: false,
    }
}

/// How far loading is.
#[derive(Bundle)]
pub(super) struct Loading {
    /// The command, where anything is to be loaded.
    pub(super) begins: Net<Local>,
    /// The entry could not be read.
    pub(super) is_unreadable: Reg,
    /// Lines from the table to its first entry that is loaded.
    offset: Reg,
    line: Reg,
    asks: Reg,
    /// A line of the entry could not be read.
    has_error: Reg,
    /// Entries that are left, the one at work included.
    left: Reg,
    has_failed: Reg,
    failed: Reg,
}

impl Loading {
    pub(super) fn new(clocks: &Clocks, entry_bits: usize) -> Loading {
        let flag = || Reg::with_reset(clocks, 1, 0);
        Loading {
            begins: Net::bit(),
            is_unreadable: flag(),
            offset: Reg::new(clocks, entry_bits + (WORDS.ilog2() as usize) + 1),
            line: Reg::new(clocks, WINDOW_LINE_BITS),
            asks: flag(),
            has_error: Reg::new(clocks, 1),
            left: Reg::with_reset(clocks, COUNT_BITS, 0),
            has_failed: flag(),
            failed: Reg::with_reset(clocks, entry_bits, 0),
        }
    }
}

/// One bit: behind the entry at work another one is to be loaded.
#[kernel]
pub(super) fn goes_on(of: &Loading, port: &StorePort) -> Bits {
    of.left.val().high(COUNT_BITS - 1).any() && !port.entry.val().all()
}

/// Reads the entry at work, and says what has come of those so far.
#[kernel]
pub(super) fn load(of: &Loading, table: &TablePorts, port: &StorePort) {
    /// # Table in memory
    let count = port.field("STORE_COUNT", "ENTRIES");
    of.begins.next = port.field("STORE_LOAD", "LOAD") && count.any();
    let idle = port.doing.val() == Doing::Nothing;
    let (line, entry) = (of.line.val(), port.named());
    let offset_bits = of.offset.width();
    of.offset.next = cat(&[entry, lit(2, 0u32)]).zero_extend(offset_bits) + entry.zero_extend(offset_bits);
    table.read.valid.next = of.asks.val();
    table.read.data.next = line.zero_extend(table.read.data.width());
    let takes = of.asks.val() && table.read.ready.val();
    let comes = table.line_valid.val() && port.doing.val() == Doing::Reading;
    let fails = of.has_error.val() || table.line_error.val();
    let is_last = port.number.val() == LAST;
    let begins = idle && of.begins.val();
    let next_entry = port.doing.val() == Doing::Choosing && !port.left.val().any();
    let goes_on = next_entry && goes_on(of, port);
    if idle {
        of.line.next = port.field("STORE_TABLE", "ADDRESS") + of.offset.val().zero_extend(WINDOW_LINE_BITS);
        of.left.next = count & begins.repeat(COUNT_BITS);
    } else if next_entry {
        of.left.next = of.left.val() - 1;
    } else if comes {
        of.line.next = line + 1;
    }
    if begins || goes_on || (comes && !is_last) {
        of.asks.next = 1;
    } else if takes {
        of.asks.next = 0;
    }
    if begins || goes_on {
        of.has_error.next = 0;
    } else if comes {
        of.has_error.next = fails;
    }
    if idle || goes_on {
        of.is_unreadable.next = 0;
    } else if comes && is_last {
        of.is_unreadable.next = fails;
    }
    if comes {
        port.number.next = if is_last { lit(port.number.width(), 0u32) } else { port.number.val() + 1 };
    }
    if comes && is_last && fails {
        port.doing.next = Doing::Emptying;
    } else if comes && is_last {
        port.doing.next = Doing::Choosing;
    }
    if begins {
        of.has_failed.next = 0;
    } else if comes && is_last && fails && !of.has_failed.val() {
        of.has_failed.next = 1;
        of.failed.next = port.entry.val();
    }
    let loaded = &port.bank.input;
    loaded.of("STORE_LOADED", "FAILED").next = of.has_failed.val();
    let failed = loaded.of("STORE_LOADED", "ENTRY");
    failed.next = of.failed.val().zero_extend(failed.width());
}
