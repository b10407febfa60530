//! `tables`: behind a binding that has a colour table, and broke no rule, a probe for each entry of the table.
//!
//! When the verdict on the binding stands in the last register of `probes`, nothing in front of that moves until the last entry has
//! taken its place. Only where there are formats with a colour table.
//!
//! Cost: 256 clocks a binding. A counter, and a LUT for each bit of `u` and of the level.

use crate::datapath::general::request::VERDICT_REGISTER;
use crate::datapath::general::words::{
    ItemHead, LeveledItem, LookUp, field_of, has_field, has_parts, has_tables,
};
use tmu_hdl::prelude::*;
use tmu_spec::binding::field::FORMAT;
use tmu_spec::general::field::REGISTER_BITS;
use tmu_spec::{Config, Format};

/// Bits of the number of an entry.
const ENTRY_BITS: usize = Format::COLOR_TABLE_ENTRIES.ilog2() as usize;

/// The entries that are to come.
#[derive(Bundle)]
pub(super) struct Tables {
    /// The format of the last binding has a table.
    has_table: Reg,
    /// With parts: the verdict that is behind the item has entries behind it.
    is_near: Optional<Reg>,
    /// Entries come next.
    gives: Reg,
    /// The first of them.
    entry: Reg,
}

impl Tables {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Optional<Tables> {
        let flag = || Reg::with_reset(clocks, 1, 0);
        Optional::new(has_tables(config), || Tables {
            has_table: flag(),
            is_near: Optional::new(has_parts(config), flag),
            gives: flag(),
            entry: Reg::with_reset(clocks, ENTRY_BITS, 0),
        })
    }
}

/// One bit: an entry takes the place of the next probe.
#[kernel]
pub(super) fn gives(tables: &Optional<Tables>) -> Bits {
    tables.as_ref().map_or_else(|| lit(1, 0u32), |tables| tables.gives.val())
}

/// One bit: what stands in front of the last register moves on.
#[kernel]
pub(super) fn moves_in_front(tables: &Optional<Tables>, advance: Bits) -> Bits {
    advance && !gives(tables)
}

/// Watches the item, if there is one, and counts entries.
#[kernel]
pub(super) fn count(
    tables: &Optional<Tables>,
    config: &Config,
    item: &LeveledItem,
    [is_full, advance]: [Bits; 2],
) {
    /// # Entries of a colour table
    let Some(tables) = tables.as_ref() else { return };
    let register = item.places[0].u.low(REGISTER_BITS as usize);
    let formats = config.features().formats().filter(|format| format.has_color_table());
    let code = field_of(register, FORMAT);
    let has_table = formats.fold(lit(1, 0u32), |any, format| any || code == u64::from(format.code()));
    if is_full && has_field(&item.head, FORMAT) {
        tables.has_table.next = has_table;
    }
    let is_verdict = item.head.is_binding && item.head.register == u64::from(VERDICT_REGISTER);
    let begins = is_full && is_verdict && register.bit(0) && tables.has_table.val();
    let begins = match tables.is_near.as_ref() {
        Some(is_near) => {
            if advance && !tables.gives.val() {
                is_near.next = begins;
            }
            is_near.val()
        }
        None => begins,
    };
    let (gives, entry) = (tables.gives.val(), tables.entry.val());
    if advance {
        tables.gives.next = if gives { !entry.all() } else { begins };
    }
    if advance && gives {
        tables.entry.next = entry + 1;
    }
}

/// The number of an entry where one comes, otherwise a probe's own coordinate.
#[kernel]
pub(super) fn coordinate(tables: &Optional<Tables>, own: Bits) -> Bits {
    match tables.as_ref() {
        Some(tables) => tables.gives.val().mux(tables.entry.val().zero_extend(own.width()), own),
        None => own,
    }
}

/// What an entry has instead of a probe's own head, way and level.
#[kernel]
pub(super) fn common(
    tables: &Optional<Tables>,
    head: &ItemHead,
    look_up: &LookUp,
    level: Bits,
) -> (ItemHead, LookUp, Bits) {
    let gives = gives(tables);
    let head = ItemHead { is_binding: head.is_binding && !gives, ..head.clone() };
    let look_up = LookUp { is_gather: look_up.is_gather && !gives, is_table: gives, ..look_up.clone() };
    (head, look_up, level & (!gives).repeat(level.width()))
}
