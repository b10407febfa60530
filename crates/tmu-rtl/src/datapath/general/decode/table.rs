//! Colour tables: texels that are indices become entries of the table, other texels pass beside.
//!
//! Items of a table come before all quads of its binding, an entry each, and end here: each of the four taps has a table of its own,
//! and all of them take the entry at once. An entry that could not be read fails the items that need it.
//!
//! Cost: three clocks, and a RAM of 256 x 33 bits for each tap.

use super::sources::code_of;
use super::{Decode, NAMES, Stage};
use crate::cache::prefetch::fill::TEXEL_BITS;
use crate::datapath::format::COLOR_BITS;
use crate::datapath::general::words::{ProbeTap, TAPS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::Format;

/// Entries of a table.
const ENTRIES: usize = Format::COLOR_TABLE_ENTRIES as usize;
/// Bits of an index.
const INDEX_BITS: usize = ENTRIES.ilog2() as usize;

/// The table, once for each tap.
#[derive(Bundle)]
pub(super) struct Table {
    /// The entry that comes next.
    entry: Reg,
    rams: Vec<RamSimpleDualPort>,
}

impl Table {
    pub(super) fn new(clocks: &Clocks) -> Table {
        let shape = RamShape::new(ENTRIES, TEXEL_BITS).style(RamStyle::Block).output_register(true);
        Table {
            entry: Reg::with_reset(clocks, INDEX_BITS, 0),
            rams: (0..TAPS).map(|_| RamSimpleDualPort::new(shape.clone())).collect(),
        }
    }

    /// Takes an entry, and gives those that the words of the places named two clocks before.
    #[kernel]
    fn step(&self, clocks: &Clocks, takes: Bits, entry: Bits, words: &[Bits]) -> Vec<Bits> {
        if takes {
            self.entry.next = self.entry.val() + 1;
        }
        let mut found = vec![];
        for (ram, word) in self.rams.iter().zip(words) {
            ram.clocks.follow(clocks);
            ram.write_enable.next = takes;
            ram.write_address.next = self.entry.val();
            ram.write_data.next = entry;
            ram.read_enable.next = 1;
            ram.read_address.next = word.low(INDEX_BITS);
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            found.push(ram.read_data.val());
        }
        found
    }
}

impl Decode {
    /// The words of the places, from [`Stage::Scale`] on: of indices what the table has there. `fails`: a texel of the item could not
    /// be read; `brings`: the places that have one.
    #[kernel]
    pub(super) fn look_up<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        tap: &Payload<'_, Stage, ProbeTap>,
        words: Vec<Payload<'a, Stage, Bits>>,
        brings: Bits,
        fails: &Payload<'_, Stage, Bits>,
    ) -> Vec<Payload<'a, Stage, Bits>> {
        let Some(table) = self.table.as_ref() else { return words };
        /// # Colour table
        let ProbeTap { format, is_valid, .. } = tap.at(Stage::Route);
        let formats = self._config.features().formats().filter(|format| format.has_color_table());
        let code = code_of(format);
        let is_index = formats.fold(lit(1, 0u32), |any, own| any || code == u64::from(own.code()));
        let brings = pipe.put(Stage::Route, "needs_entries", brings & is_valid.repeat(TAPS)).at(Stage::Index);
        let is_index = pipe.put(Stage::Route, "is_index", is_index);
        let needs = brings & is_index.at(Stage::Index).repeat(TAPS);
        let needs = pipe.put(Stage::Index, "needs_entry", needs).at(Stage::Found);
        let ProbeTap { is_table, .. } = tap.at(self.entry());
        let takes = self.in_valid.val() && is_table;
        let takes = pipe.flag(self.entry(), "is_entry", takes).at(Stage::Index);
        let stored: Vec<Bits> = words.iter().map(|word| word.at(Stage::Index)).collect();
        let entry = cat(&[fails.at(Stage::Index), stored[0]]);
        let found = table.step(&self.clocks, takes, entry, &stored);
        let failed = stack(found.iter().map(|entry| entry.high(1)));
        let fails = fails.at(Stage::Found) || (failed & needs).any();
        self.error.next = pipe.put(Stage::Found, "fails_with_entries", fails).at(Stage::Exit);
        let word = |(place, (word, entry)): (usize, (&Payload<'a, Stage, Bits>, &Bits))| {
            let word = if is_index.at(Stage::Found) { entry.low(COLOR_BITS) } else { word.at(Stage::Found) };
            pipe.put(Stage::Found, &format!("found_{}", NAMES[place]), word)
        };
        words.iter().zip(&found).enumerate().map(word).collect()
    }
}
