//! `texture_cache`: a prefetching cache of a picture whose rows follow each other in memory. Wires only.
//!
//! | part | does |
//! | --- | --- |
//! | `line_tags` | looks tags up and updates them as soon as the footprint of a pixel is known |
//! | `line_misses` | asks memory for the lines that are missing |
//! | `line_fill` | brings what memory answers into place, in order, and never over texels that are still needed |
//! | `texel_read` | keeps pixels waiting until their lines are there, and reads their texels |
//!
//! After Igehy, Eldridge and Proudfoot, *Prefetching in a Texture Cache Architecture* (1998), as the cache of the streaming texture
//! unit, for lines in place of tiles.
//!
//! Four taps a clock, whatever the width and the base of the picture. Lines that a footprint needs not, since their weight is 0, are
//! not asked for.

pub mod words;

pub mod line_tags;
pub mod line_misses;
pub mod line_fill;
pub mod texel_read;

use crate::engine::memory::{FAULT_BITS, LINE_BITS, ReadShape};
use crate::engines::mesh::words::{
    FaultWord, LINE_ADDRESS_BITS, RESPONSE_BITS, fault_word, footprint_word, taps_word,
};
use line_fill::LineFill;
use line_misses::{LENGTH_BITS, LineMisses};
use line_tags::LineTags;
use texel_read::TexelRead;
use tmu_hdl::prelude::*;
use words::{CacheShape, MOST_LINES};

/// The channel by which the cache reads: single lines, many of them under way.
#[must_use]
pub const fn read_shape() -> ReadShape {
    ReadShape {
        line_bits: LINE_ADDRESS_BITS,
        length_bits: LENGTH_BITS,
        most_reads: MOST_LINES,
        most_lines: MOST_LINES,
        is_windowed: false,
        reports_faults: true,
    }
}

/// What happens in a clock, for the counters.
#[derive(Clone, Debug, Record)]
pub struct CacheEvents<T = Bits> {
    /// Look-ups that hit: 0 to 4.
    pub hits: T,
    /// A line has come and is written.
    pub line_read: T,
    /// The pixel whose turn it is waits for memory.
    pub stalls: T,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TextureCache {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts: the next fault is its first.
    pub start: Net<In>,
    /// See [`FootprintWord`](super::words::FootprintWord).
    pub footprint: StreamIn,
    /// Lines wanted from memory, see [`read_shape`].
    pub read: StreamOut,
    /// A line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its answer.
    pub line_last: Net<In>,
    /// A line has come that was not asked for.
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// A read has failed: with SLVERR, with DECERR, with an answer of the wrong length.
    pub port_fault: Net<Out>,
    /// Which line.
    pub port_fault_line: Net<Out>,
    /// The first fault of a job.
    pub fault: FaultWord<Field<Out>>,
    /// See [`TapsWord`](super::words::TapsWord).
    pub taps: StreamOut,
    /// For the counters.
    pub events: CacheEvents<Field<Out>>,
    line_tags: LineTags,
    line_misses: LineMisses,
    line_fill: LineFill,
    texel_read: TexelRead,
}

impl TextureCache {
    /// A cache of this size.
    pub fn new(shape: CacheShape) -> TextureCache {
        let events = CacheEvents { hits: Width::bits(3), line_read: Width::bits(1), stalls: Width::bits(1) };
        TextureCache {
            clocks: Clocks::new(),
            start: Net::bit(),
            footprint: StreamIn::new(footprint_word().width()),
            read: StreamOut::new(LINE_ADDRESS_BITS + LENGTH_BITS),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(RESPONSE_BITS),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            port_fault: Net::new(FAULT_BITS),
            port_fault_line: Net::new(LINE_ADDRESS_BITS),
            fault: fault_word().nets(),
            taps: StreamOut::new(taps_word().width()),
            events: events.nets(),
            line_tags: LineTags::new(shape),
            line_misses: LineMisses::new(shape),
            line_fill: LineFill::new(shape),
            texel_read: TexelRead::new(shape),
        }
    }
}

/// The cache of the texture.
#[kernel]
impl TextureCache {
    fn logic(&self) {
        let (tags, misses) = (&self.line_tags, &self.line_misses);
        let (fill, texels) = (&self.line_fill, &self.texel_read);
        tags.clocks.follow(&self.clocks);
        misses.clocks.follow(&self.clocks);
        fill.clocks.follow(&self.clocks);
        texels.clocks.follow(&self.clocks);
        /// # Tags
        tags.footprint.forward(&self.footprint);
        tags.has_room.next = misses.has_room.val() && texels.has_room.val();
        /// # Misses
        misses.misses.next = tags.misses.val();
        misses.miss.next = tags.miss.val();
        misses.may_fetch.next = fill.may_fetch.val();
        self.read.forward(&misses.read);
        /// # Lines
        fill.start.next = self.start.val();
        fill.asks.next = misses.asks.val();
        fill.fill.next = misses.fill.val();
        fill.sends.next = misses.sends.val();
        fill.line_valid.next = self.line_valid.val();
        fill.line_data.next = self.line_data.val();
        fill.line_response.next = self.line_response.val();
        fill.line_last.next = self.line_last.val();
        fill.unexpected.next = self.unexpected.val();
        fill.outstanding.next = self.outstanding.val();
        fill.next_read.next = texels.next_read.val();
        fill.last_read.next = texels.last_read.val();
        self.port_fault.next = fill.port_fault.val();
        self.port_fault_line.next = fill.port_fault_line.val();
        self.fault.next = fill.fault.val();
        /// # Texels
        texels.in_valid.next = tags.out_valid.val();
        texels.queue_entry.next = tags.queue_entry.val();
        texels.writes.next = fill.writes.val();
        texels.write_address.next = fill.write_address.val();
        texels.write_data.next = fill.write_data.val();
        texels.fills.next = fill.fills.val();
        self.taps.forward(&texels.taps);
        /// # Events
        self.events.next = CacheEvents {
            hits: tags.hits.val(),
            line_read: fill.writes.val().any(),
            stalls: texels.stalls.val(),
        };
    }
}
