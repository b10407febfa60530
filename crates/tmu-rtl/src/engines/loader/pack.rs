//! `pack`: from texels and pieces to lines of memory.
//!
//! Bytes are rotated to where they stand in a line. Those behind its end are the first of the next one. Latency of the line that they
//! end: the stages of [`Stage`] and 1 clock, initiation interval 1.

use super::words::TEXEL_BYTES;
use crate::engine::memory::{LINE_BITS, LINE_BYTES};
use Stage::{Entry, Exit, Fine};
use tmu_hdl::prelude::*;

/// Bits of a place in a line.
const PLACE_BITS: usize = LINE_BYTES.ilog2() as usize;
/// Bits of a number of bytes.
const COUNT_BITS: usize = PLACE_BITS + 1;

/// Where bytes are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Where they stand is known.
    Entry,
    /// They are rotated by multiples of four bytes.
    Fine,
    /// By the rest.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Pack {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A bit for each texel size.
    pub bytes: Net<In>,
    /// Level 0 is made.
    pub is_copy: Net<In>,
    /// Bytes come.
    pub valid: Net<In>,
    /// The bytes, and some behind them.
    pub data: Net<In>,
    /// They are the last ones of the level.
    pub is_end: Net<In>,
    /// A line is whole.
    pub line_valid: Net<Out>,
    /// The line.
    pub line: Net<Out>,
    /// It is the last one of the level.
    pub line_ends: Net<Out>,
    count: Reg,
    place: Reg,
    pipe: Pipe<Stage>,
    gathered: Reg,
    whole_valid: Reg,
    whole: Reg,
    whole_ends: Reg,
}

impl Pack {
    /// The stage.
    #[must_use]
    pub fn new() -> Pack {
        let clocks = Clocks::new();
        let pack = Pack {
            bytes: Net::new(TEXEL_BYTES.len()),
            is_copy: Net::bit(),
            valid: Net::bit(),
            data: Net::new(LINE_BITS),
            is_end: Net::bit(),
            line_valid: Net::bit(),
            line: Net::new(LINE_BITS),
            line_ends: Net::bit(),
            count: Reg::new(&clocks, COUNT_BITS),
            place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            pipe: Pipe::new(),
            gathered: Reg::new(&clocks, LINE_BITS - 8),
            whole_valid: Reg::with_reset(&clocks, 1, 0),
            whole: Reg::new(&clocks, LINE_BITS),
            whole_ends: Reg::new(&clocks, 1),
            clocks,
        };
        pack.pipe.plan(&pack.clocks, || pack.logic());
        pack
    }
}

impl Default for Pack {
    fn default() -> Pack {
        Pack::new()
    }
}

/// Bytes, rotated upwards.
#[kernel]
fn rotated(bytes: Bits, count: Bits, step_bytes: usize) -> Bits {
    let by = |number: usize| {
        let bits = 8 * number * step_bytes;
        if bits == 0 { bytes } else { cat(&[bytes.low(LINE_BITS - bits), bytes.high(bits)]) }
    };
    let near = if count.bit(0) { by(1) } else { by(0) };
    let far = if count.bit(0) { by(3) } else { by(2) };
    if count.bit(1) { far } else { near }
}

/// Bytes to lines.
#[kernel]
impl Pack {
    fn module_name(&self) -> String {
        "loader_pack".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        /// # Places
        let mut of_copy = lit(COUNT_BITS, 0u32);
        let mut of_mean = lit(COUNT_BITS, 0u32);
        for (number, count) in TEXEL_BYTES.into_iter().enumerate() {
            let is_own = self.bytes.val().bit(number).repeat(COUNT_BITS);
            of_copy = of_copy | (lit(COUNT_BITS, (4 * count).min(LINE_BYTES as u32)) & is_own);
            of_mean = of_mean | (lit(COUNT_BITS, count) & is_own);
        }
        self.count.next = if self.is_copy.val() { of_copy } else { of_mean };
        let behind = self.place.val().zero_extend(COUNT_BITS) + self.count.val();
        if self.valid.val() {
            self.place.next = behind.low(PLACE_BITS);
        }
        let valid = pipe.flag(Entry, "valid", self.valid.val());
        let ends_line = pipe.put(Entry, "ends_line", behind.high(1));
        let is_end = pipe.put(Entry, "is_end", self.is_end.val());
        let place = pipe.put(Entry, "place", self.place.val());
        let bytes = pipe.put(Entry, "bytes", self.data.val());
        /// # Bytes
        let coarse = rotated(bytes.at(Fine), place.at(Fine).high(2), 4);
        let rotated = rotated(coarse, place.at(Fine).low(2), 1);
        let rotated = pipe.put(Fine, "rotated", rotated).at(Exit);
        let here = place.at(Exit);
        let is_new = |byte: usize| here <= byte as u64;
        let merged = stack((0..LINE_BYTES).map(|byte| {
            let new = rotated.slice(8 * byte, 8);
            /// What ends a line brings its last byte.
            if byte == LINE_BYTES - 1 {
                return new;
            }
            if is_new(byte) { new } else { self.gathered.val().slice(8 * byte, 8) }
        }));
        let moves = valid.at(Exit);
        let ends = ends_line.at(Exit);
        if moves {
            let kept_bits = LINE_BITS - 8;
            self.gathered.next = if ends { rotated.low(kept_bits) } else { merged.low(kept_bits) };
            self.whole.next = merged;
            self.whole_ends.next = is_end.at(Exit);
        }
        self.whole_valid.next = moves && ends;
        self.line_valid.next = self.whole_valid.val();
        self.line.next = self.whole.val();
        self.line_ends.next = self.whole_ends.val();
    }
}
