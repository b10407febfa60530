//! `color_table`: asks for the entries of a texture's colour table, in front of its quads.
//!
//! A binding of a texture of indices is followed by a probe for each entry, in order, the same in all lanes; until then what comes
//! behind waits. They pass through the cache as texels of the table's colours, and `decode` keeps them. The secondary texture of
//! indirect look-ups has a table of its own.
//!
//! Latency 1 clock, initiation interval one probe; 256 clocks for a table.

use super::axis::COORDINATE_BITS;
use super::coordinate::TABLE_SIDES;
use super::request::VERDICT_REGISTER;
use super::words::{
    LookUp, NUMBER_BITS, Pass, Probe, field_of, has_field, has_indirect, has_secondary_field, is_code, lanes,
};
use tmu_hdl::prelude::*;
use tmu_spec::binding::field::FORMAT;
use tmu_spec::{Config, Format};

/// Bits behind the point of a coordinate.
const FRACTION_BITS: usize = 20;
/// Bits of the number of an entry.
const ENTRY_BITS: usize = Format::COLOR_TABLE_ENTRIES.ilog2() as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ColorTable {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All probes behind move on at the next edge.
    pub advance: Net<In>,
    /// All probes in front move on at the next edge.
    pub upstream_advance: Net<Out>,
    /// There is something in the lanes, a bit each.
    pub in_valid: Net<In>,
    /// The probes, see [`Probe`].
    pub probe: Vec<Net<In>>,
    /// There is something in the lanes.
    pub out_valid: Net<Out>,
    /// The probes, and those of entries.
    pub out_probe: Vec<Net<Out>>,
    is_index: Reg,
    /// The texture is the secondary one of indirect look-ups.
    is_secondary: Optional<Reg>,
    is_loading: Reg,
    entry: Reg,
    has_probe: Reg,
    next_probe: Vec<Reg>,
    _config: Config,
}

impl ColorTable {
    /// The stage for a configuration with colour tables.
    pub fn new(config: &Config) -> ColorTable {
        let (clocks, lanes, bits) = (Clocks::new(), lanes(config), Probe::of(config).width());
        ColorTable {
            advance: Net::bit(),
            upstream_advance: Net::bit(),
            in_valid: Net::new(lanes),
            probe: Net::array(lanes, bits),
            out_valid: Net::new(lanes),
            out_probe: Net::array(lanes, bits),
            is_index: Reg::new(&clocks, 1),
            is_secondary: Optional::new(has_indirect(config), || Reg::new(&clocks, 1)),
            is_loading: Reg::with_reset(&clocks, 1, 0),
            entry: Reg::with_reset(&clocks, ENTRY_BITS, 0),
            has_probe: Reg::with_reset(&clocks, lanes, 0),
            next_probe: Reg::array(lanes, &clocks, bits),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Probes, and those of entries among them.
#[kernel]
impl ColorTable {
    fn logic(&self) {
        timing(1, 1);
        /// # Binding
        let (advance, is_loading) = (self.advance.val(), self.is_loading.val());
        let takes = advance && !is_loading;
        self.upstream_advance.next = takes;
        let shape = Probe::of(&self._config);
        let first = shape.unpack(self.probe[0].val());
        let register = first.u.low(NUMBER_BITS);
        discard(first.u, "a register is narrower than a coordinate");
        discard(register, "few fields count here");
        let comes = takes && self.in_valid.val().bit(0);
        let is_index = is_code(&self._config, field_of(register, FORMAT), Format::has_color_table);
        let of_primary = has_field(&first.head, FORMAT);
        if let Some(is_secondary) = self.is_secondary.as_ref() {
            let of_secondary = has_secondary_field(&first.head, FORMAT);
            if comes && (of_primary || of_secondary) {
                self.is_index.next = is_index;
                is_secondary.next = of_secondary;
            }
        } else if comes && of_primary {
            self.is_index.next = is_index;
        }
        let is_verdict = first.head.is_binding && first.head.register == u64::from(VERDICT_REGISTER);
        /// # Entries
        if comes && is_verdict && register.bit(0) && self.is_index.val() {
            self.is_loading.next = 1;
        }
        if advance && is_loading {
            self.entry.next = self.entry.val() + 1;
            self.is_loading.next = !self.entry.val().all();
        }
        let entry = shape.pack(&self.probe_of_entry());
        if advance {
            self.has_probe.next = self.in_valid.val() | is_loading.repeat(self.has_probe.width());
        }
        for (next, own) in self.next_probe.iter().zip(&self.probe) {
            if advance {
                next.next = if is_loading { entry } else { own.val() };
            }
        }
        self.out_valid.next = self.has_probe.val();
        for (out, next) in self.out_probe.iter().zip(&self.next_probe) {
            out.next = next.val();
        }
    }

    /// The middle of the entry's texel.
    fn probe_of_entry(&self) -> Probe {
        let shape = Probe::of(&self._config);
        let none = shape.unpack(lit(shape.width(), 0u32));
        let [columns_log2, rows_log2] = TABLE_SIDES.map(|side| side.ilog2() as usize);
        let entry = self.entry.val();
        let is_second = self.is_secondary.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val());
        let middle = |texel: Bits| {
            let below = lit(FRACTION_BITS - 1 - texel.width(), 0u32);
            cat(&[texel, lit(1, 1u32), below]).zero_extend(COORDINATE_BITS)
        };
        Probe {
            is_valid: lit(1, 1u32),
            is_table: lit(1, 1u32),
            u: middle(entry.low(columns_log2)),
            v: middle(entry.high(rows_log2)),
            look_up: LookUp { pass: Pass { is_first: lit(1, 0u32), is_second }, ..none.look_up },
            ..none
        }
    }
}
