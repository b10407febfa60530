//! `request_capture`: beats of a unit's requests, from a binding on until the memory is full.
//!
//! What is asked for by `place` stands at `word` 5 clocks later. One RAM of 512 beats.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Config;

/// Beats that there is room for.
pub const CAPTURE_DEPTH: usize = 512;
/// Bits of the number of a beat.
pub(super) const PLACE_BITS: usize = CAPTURE_DEPTH.ilog2() as usize;
/// Bits of the number of a word of a beat.
pub(super) const WORD_NUMBER_BITS: usize = 5;
/// Bits of a word.
const WORD_BITS: usize = 32;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct RequestCapture {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Forgets what was captured and waits for a binding.
    pub start: Net<In>,
    /// A beat.
    pub valid: Net<In>,
    /// It is the first one of its packet.
    pub is_first: Net<In>,
    /// Its `tdata`, then one bit for a binding, then one for the last beat of a packet.
    pub beat: Net<In>,
    /// Waits or captures.
    pub capturing: Net<Out>,
    /// Beats that were captured.
    pub beats: Net<Out>,
    /// Which word.
    pub place_word: Net<In>,
    /// Of which beat.
    pub place_beat: Net<In>,
    /// The word.
    pub word: Net<Out>,
    waits: Reg,
    captures: Reg,
    count: Reg,
    taken: Reg,
    taken_beat: Reg,
    taken_place: Reg,
    ram: RamSimpleDualPort,
    chosen: Vec<Reg>,
    shown: Reg,
}

impl RequestCapture {
    /// For a configuration.
    pub fn new(config: &Config) -> RequestCapture {
        let clocks = Clocks::new();
        let beat_bits = config.request_tdata_bits() as usize + 2;
        let shape = RamShape::new(CAPTURE_DEPTH, beat_bits).style(RamStyle::Block).output_register(true);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        RequestCapture {
            start: Net::bit(),
            valid: Net::bit(),
            is_first: Net::bit(),
            beat: Net::new(beat_bits),
            capturing: Net::bit(),
            beats: Net::new(PLACE_BITS + 1),
            place_word: Net::new(WORD_NUMBER_BITS),
            place_beat: Net::new(PLACE_BITS),
            word: Net::new(WORD_BITS),
            waits: flag(),
            captures: flag(),
            count: Reg::with_reset(&clocks, PLACE_BITS + 1, 0),
            taken: flag(),
            taken_beat: Reg::new(&clocks, beat_bits),
            taken_place: Reg::new(&clocks, PLACE_BITS),
            ram: RamSimpleDualPort::new(shape),
            chosen: Reg::array(beat_bits.div_ceil(WORD_BITS), &clocks, 1),
            shown: Reg::new(&clocks, WORD_BITS),
            clocks,
        }
    }
}

/// Beats of requests.
#[kernel]
impl RequestCapture {
    fn logic(&self) {
        /// # Capture
        let beat = self.beat.val();
        let is_binding = beat.bit(beat.width() - 2);
        let begins = self.waits.val() && self.is_first.val() && is_binding;
        let count = self.count.val();
        let takes = self.valid.val() && (self.captures.val() || begins) && !count.high(1);
        if self.start.val() {
            self.waits.next = 1;
            self.captures.next = 0;
            self.count.next = 0;
        } else if takes {
            self.waits.next = 0;
            self.captures.next = !count.low(PLACE_BITS).all();
            self.count.next = count + 1;
        }
        self.taken.next = takes && !self.start.val();
        self.taken_beat.next = beat;
        self.taken_place.next = count.low(PLACE_BITS);
        self.capturing.next = self.waits.val() || self.captures.val();
        self.beats.next = count;
        let ram = &self.ram;
        ram.clocks.follow(&self.clocks);
        ram.write_enable.next = self.taken.val();
        ram.write_address.next = self.taken_place.val();
        ram.write_data.next = self.taken_beat.val();
        /// # Show
        ram.read_enable.next = 1;
        ram.read_address.next = self.place_beat.val();
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = 1;
        }
        let words = ram.read_data.val();
        let mut shown = lit(WORD_BITS, 0u32);
        for (number, chosen) in self.chosen.iter().enumerate() {
            chosen.next = self.place_word.val() == number as u64;
            let low = number * WORD_BITS;
            let width = WORD_BITS.min(words.width() - low);
            let word = words.slice(low, width).zero_extend(WORD_BITS);
            shown = shown | (word & chosen.val().repeat(WORD_BITS));
        }
        self.shown.next = shown;
        self.word.next = self.shown.val();
    }
}
