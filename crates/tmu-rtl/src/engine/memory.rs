//! What engines and the memory port agree on: lines, reads and writes, and how they fail.
//!
//! An engine has channels. A channel for reads asks for lines and gets them; one for writes gives lines and is told
//! whether they were written. What a channel may do is its shape, from which the port is built. Nothing here is hardware.

use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a line: what the port transfers in a clock.
pub const LINE_BITS: usize = 8 * LINE_BYTES;

/// Bytes of a line.
pub const LINE_BYTES: usize = tmu_spec::LINE_BYTES as usize;

/// Bits of the number of a line on the memory port of a configuration.
#[must_use]
pub fn line_bits(config: &Config) -> usize {
    config.axi().address_bits() as usize - LINE_BYTES.ilog2() as usize
}

/// Bits that say how an access has failed: with SLVERR, with DECERR, with an answer of the wrong length.
pub const FAULT_BITS: usize = 3;

/// Bits of the clocks in which nothing more must come after an answer of the wrong length.
pub const QUIET_BITS: usize = 8;

/// Clocks in which nothing more must come after an answer of the wrong length.
pub const QUIET_CLOCKS: u32 = 1 << QUIET_BITS;

/// What a channel for reads may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadShape {
    /// Bits of a line's number.
    pub line_bits: usize,
    /// Bits of the number of lines of a read, less one; none where a line is asked for and waited for.
    pub length_bits: usize,
    /// Reads that may be under way.
    pub most_reads: usize,
    /// Lines of them that may be under way.
    pub most_lines: usize,
    /// Whether lines are counted from the base of the texture window.
    pub is_windowed: bool,
    /// Whether the engine says itself which reads have failed; where bursts are read only the engine knows.
    pub reports_faults: bool,
}

impl ReadShape {
    /// Whether reads have several lines, and several are under way.
    #[must_use]
    pub const fn bursts(&self) -> bool {
        self.length_bits > 0
    }

    /// Whether each of many reads has but one line: then only a read a clock keeps memory busy.
    #[must_use]
    pub const fn reads_each_clock(&self) -> bool {
        self.bursts() && self.most_reads == self.most_lines
    }
}

/// What an engine that reads bursts is told of their answers.
#[derive(Clone, Copy)]
pub struct BurstPorts<'a> {
    /// The line is the last one of its answer.
    pub last: &'a Net<In>,
    /// A line has come that was not asked for.
    pub unexpected: &'a Net<In>,
    /// Lines are to come.
    pub outstanding: &'a Net<In>,
}

/// A channel for reads.
///
/// A read must not cross 4 KiB. Lines come in the order in which the channel has asked for them, and are taken as they come.
#[derive(Clone, Copy)]
pub struct ReadChannel<'a> {
    /// What it may ask for.
    pub shape: ReadShape,
    /// Lines wanted: the first line, and above it, where bursts are read, their number less one.
    pub read: &'a StreamOut,
    /// A line has come.
    pub line_valid: &'a Net<In>,
    /// The line.
    pub line_data: &'a Net<In>,
    /// The line could not be read; where bursts are read its response, whose upper bit says that.
    pub line_response: &'a Net<In>,
    /// Where answers end, where bursts are read.
    pub bursts: Option<BurstPorts<'a>>,
    /// Faults that the engine reports itself, and their lines.
    pub fault: Option<(&'a Net<Out>, &'a Net<Out>)>,
}

/// What a channel for writes may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteShape {
    /// Bits of the number of lines of a write, less one.
    pub length_bits: usize,
    /// Writes that may be without an answer: a power of two, at least 4.
    pub most_writes: usize,
}

/// A channel for writes.
///
/// A write must not cross 4 KiB, and is asked for when nothing keeps its lines any more: others wait behind it. Writes are
/// answered in the order in which the channel has asked for them.
#[derive(Clone, Copy)]
pub struct WriteChannel<'a> {
    /// What it may ask for.
    pub shape: WriteShape,
    /// Writes wanted: the line of memory that is the first one, and above it their number less one.
    pub write: &'a StreamOut,
    /// The lines: 128 bits, and above them a strobe for each byte.
    pub line: &'a StreamOut,
    /// A write has been answered.
    pub done: &'a Net<In>,
    /// Its response: OKAY, SLVERR, DECERR.
    pub response: &'a Net<In>,
}
