//! Whether a level begins in the colour table, which stands at the base. Part of `binding_rules`.

use tmu_hdl::prelude::*;
use tmu_spec::{Config, Format, TEXTURE_ADDRESS_BITS};

/// Tables are so many bytes, as a power of two, or a multiple of them.
const UNIT_LOG2: usize = 8;
/// Bits of the units of the largest table, which is a power of two.
const UNIT_BITS: usize = 3;
/// Where the bits begin that no offset in the largest table has.
const ABOVE: usize = UNIT_LOG2 + UNIT_BITS - 1;

/// The table of the format that is bound.
#[derive(Bundle)]
pub(super) struct Table {
    /// Its size in units; none of formats without.
    units: Reg,
    /// The register that is looked at, as an offset, lies in what the largest table takes.
    is_near: Reg,
}

impl Table {
    pub(super) fn new(clocks: &Clocks) -> Table {
        Table { units: Reg::new(clocks, UNIT_BITS), is_near: Reg::new(clocks, 1) }
    }

    /// A register comes, which is looked at from the next clock on.
    #[kernel]
    pub(super) fn hold(&self, register: Bits) {
        self.is_near.next = !register.slice(ABOVE, TEXTURE_ADDRESS_BITS as usize - ABOVE).any();
    }

    /// The format with a code is bound.
    #[kernel]
    pub(super) fn keep(&self, config: &Config, code: Bits) {
        let formats = config.features().formats().filter(|format| format.has_color_table());
        self.units.next = formats.fold(lit(UNIT_BITS, 0u32), |units, format| {
            let own = lit(UNIT_BITS, format.color_table_bytes() >> UNIT_LOG2);
            units | (own & (code == u64::from(format.code())).repeat(UNIT_BITS))
        });
    }

    /// One bit: the register that is looked at, as an offset, lies in the table.
    #[kernel]
    pub(super) fn has(&self, register: Bits) -> Bits {
        let unit = register.slice(UNIT_LOG2, UNIT_BITS - 1).zero_extend(UNIT_BITS);
        self.is_near.val() && unit < self.units.val()
    }
}

const _: () = assert!(Format::I8Rgba8.color_table_bytes() == 1 << ABOVE);
const _: () = assert!(Format::I8Rgb8.color_table_bytes().is_multiple_of(1 << UNIT_LOG2));
