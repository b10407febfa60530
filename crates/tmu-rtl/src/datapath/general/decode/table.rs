//! The colour table: 256 colours, of which each knows whether it could not be read. Part of `decode`.
//!
//! A table for each bank of texels, all with the same colours, so that the indices of an item are looked up together. Entries come in
//! order, the first one behind a binding, all before the quads behind it. With indirect look-ups the colours of the secondary texture
//! stand above those of the primary one.
//!
//! Cost: a block RAM of 18 Kb for each bank.

use super::{NAMES, Stage};
use crate::cache::prefetch::fill::TEXEL_BITS;
use crate::datapath::format::COLOR_BITS;
use crate::datapath::general::words::{TAPS, has_indirect};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};
use tmu_spec::{Config, Format};

/// Entries of a table.
const ENTRIES: usize = Format::COLOR_TABLE_ENTRIES as usize;
/// Bits of the number of an entry.
const ENTRY_BITS: usize = ENTRIES.ilog2() as usize;

/// The table.
#[derive(Bundle)]
pub(super) struct Table {
    /// One for each bank of texels.
    banks: Vec<RamSimpleDualPort>,
    /// The entry that comes next.
    next: Reg,
}

/// An entry that comes, at [`Stage::Texel`].
pub(super) struct Entry {
    /// There is one.
    pub(super) is_there: Bits,
    /// The bank that has it.
    pub(super) brings: Bits,
    /// Banks whose texels could not be read.
    pub(super) spoilt: Bits,
}

/// What the indices stand for, at [`Stage::Route`].
pub(super) struct Found {
    /// Colours.
    pub(super) colors: [Bits; TAPS],
    /// Those that could not be read.
    pub(super) spoilt: Bits,
}

impl Table {
    pub(super) fn new(config: &Config, clocks: &Clocks) -> Table {
        let words = ENTRIES << usize::from(has_indirect(config));
        let shape = || RamShape::new(words, TEXEL_BITS).style(RamStyle::Block).output_register(true);
        Table {
            banks: (0..TAPS).map(|_| RamSimpleDualPort::new(shape())).collect(),
            next: Reg::with_reset(clocks, ENTRY_BITS, 0),
        }
    }

    /// Keeps an entry, or looks indices up. Texels are those of the banks at [`Stage::Texel`]; two clocks later their colours are there.
    /// Where there are two textures, the indices may be those of the secondary one.
    #[kernel]
    pub(super) fn look_up(
        &self,
        clocks: &Clocks,
        pipe: &Run<'_, Stage>,
        entry: &Entry,
        texels: &[Bits; TAPS],
        is_secondary: Option<Bits>,
    ) -> Found {
        /// # Colour table
        let none = lit(COLOR_BITS, 0u32);
        let own = |bank: usize| texels[bank] & entry.brings.bit(bank).repeat(COLOR_BITS);
        let color = (0..TAPS).fold(none, |color, bank| color | own(bank));
        let word = cat(&[(entry.spoilt & entry.brings).any(), color]);
        if entry.is_there {
            self.next.next = self.next.val() + 1;
        }
        let address = |entry: Bits| is_secondary.map_or(entry, |is_secondary| cat(&[is_secondary, entry]));
        let found = |bank: usize| {
            let ram = &self.banks[bank];
            ram.clocks.follow(clocks);
            ram.write_enable.next = entry.is_there;
            ram.write_address.next = address(self.next.val());
            ram.write_data.next = word;
            ram.read_enable.next = 1;
            ram.read_address.next = address(texels[bank].low(ENTRY_BITS));
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            let name = format!("entry_{}", NAMES[bank]);
            pipe.put(Stage::Choose, &name, ram.read_data.val()).at(Stage::Route)
        };
        let found = [found(0), found(1), found(2), found(3)];
        Found {
            colors: found.map(|word| word.low(COLOR_BITS)),
            spoilt: stack(found.map(|word| word.high(1))),
        }
    }
}
