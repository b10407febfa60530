//! Registers from a table of records: the hardware, and the table for the documentation, from one Rust constant.

use super::read_back::{ReadBack, is_settings};
use super::register_port::{DATA_BITS, RegisterPort, STROBES};
use crate::arithmetic::priority;
use crate::kernel::timing;
use crate::prelude::*;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// Bytes of a register.
const REGISTER_BYTES: usize = STROBES;

/// Registers among which `read_data` is a choice, one after the other.
const MOST_CHOSEN: usize = 16;

/// What a master and the hardware may do with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldAccess {
    /// Reads what the hardware says; writes change nothing.
    ReadOnly,
    /// Reads what was written, which the hardware sees.
    ReadWrite,
    /// Events of the hardware set bits, which stay; writing 1 clears a bit, unless an event comes in that clock.
    WriteOneToClear,
    /// Writing 1 to a bit pulses it for one clock; reads 0.
    Pulse,
    /// Reads what was written, which the hardware sees, until the hardware clears bits of it.
    ReadWriteUntil,
}

impl FieldAccess {
    /// The usual abbreviation in register maps.
    #[must_use]
    pub const fn abbreviation(self) -> &'static str {
        match self {
            FieldAccess::ReadOnly => "RO",
            FieldAccess::ReadWrite => "RW",
            FieldAccess::WriteOneToClear => "W1C",
            FieldAccess::Pulse => "W1S",
            FieldAccess::ReadWriteUntil => "RWH",
        }
    }
}

/// Some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRecord {
    /// Name, unique in its register; in lower case a part of a net's name.
    pub name: &'static str,
    /// Lowest bit.
    pub low_bit: usize,
    /// Number of bits.
    pub width_bits: usize,
    /// What may be done with it.
    pub access: FieldAccess,
    /// What it holds after a reset; 0 for what holds nothing.
    pub reset: u32,
    /// What it means, as a sentence.
    pub doc: &'static str,
}

/// A register of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterRecord {
    /// Name, unique in the table; in lower case a part of nets' names.
    pub name: &'static str,
    /// Byte address: a multiple of 4.
    pub offset_bytes: usize,
    /// Its fields. Bits without one read 0 and ignore writes.
    pub fields: Cow<'static, [FieldRecord]>,
    /// What it is for, in sentences.
    pub doc: &'static str,
}

impl RegisterRecord {
    /// Its address, counted in registers.
    pub(super) fn number(&self) -> usize {
        self.offset_bytes / REGISTER_BYTES
    }
}

/// Nets or registers of fields, named after them: `REGISTER_FIELD` behind the name of the block's field that holds them.
#[derive(Debug)]
pub struct Fields<T>(Vec<(String, T)>);

/// Nets of fields.
pub type FieldNets<D> = Fields<Net<D>>;

impl<T> Fields<T> {
    /// That of a field.
    ///
    /// # Panics
    /// When no such field has one here: a fault of the block's source.
    #[track_caller]
    pub fn of(&self, register: &str, field: &str) -> &T {
        let name = net_name(register, field);
        let found = self.0.iter().find(|(known, _)| *known == name);
        let Some((_, of_field)) = found else { panic!("no field `{name}` among {:?}", self.names()) };
        of_field
    }

    /// All of them, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, of_field)| of_field)
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }
}

fn net_name(register: &str, field: &str) -> String {
    format!("{register}_{field}").to_lowercase()
}

impl<T> Logic for Fields<T> {
    fn update(&mut self) {}
}

impl<T: Block> Block for Fields<T> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.iter_mut().for_each(|(_, of_field)| of_field.update_all());
    }

    fn has_changed(&self) -> bool {
        self.0.iter().any(|(_, of_field)| of_field.has_changed())
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        for (own, of_field) in &self.0 {
            of_field.accept(&format!("{name}_{own}"), probe);
        }
    }
}

/// Registers from a table of records, behind a [`RegisterPort`].
///
/// An address without a register fails and changes nothing; one with a register never fails. Each byte of a write counts
/// where its strobe is high. Fields that the hardware sets are inputs: `input_REGISTER_FIELD` is the value of a read-only
/// field, the events of one that is cleared by writing 1, and the bits to be cleared of one that the hardware clears. Fields that it sees are outputs, `output_REGISTER_FIELD`:
/// what was written, events that were not cleared yet, and pulses.
///
/// Latency 2 clocks from a request to `done`. Costs a flip-flop for each bit that holds something, one for each register,
/// and 34. With `with_read_back` settings are read from block RAM, which takes half a one and fewer LUTs.
#[derive(Debug, LogicBlock)]
pub struct RegisterBank {
    /// The clock.
    pub clocks: Clocks,
    /// The bus's side.
    pub port: RegisterPort,
    /// What the hardware says, field by field.
    pub input: FieldNets<In>,
    /// What the hardware sees, field by field.
    pub output: FieldNets<Out>,
    selected: Vec<Reg>,
    stepped: Reg,
    done: Reg,
    failed: Reg,
    read_data: Reg,
    held: Fields<Reg>,
    settings: Optional<ReadBack>,
    /// The registers that are read from there.
    _is_read_back: Vec<bool>,
    _records: Vec<RegisterRecord>,
}

impl RegisterBank {
    /// The registers of a table, behind addresses of `address_bits` that count registers.
    ///
    /// # Panics
    /// When the table breaks a rule: offsets that are no multiples of 4, out of reach or used twice; fields that
    /// overlap, leave the register or share a name; reset values that do not fit or that nothing holds.
    #[track_caller]
    pub fn new(address_bits: usize, records: &[RegisterRecord]) -> RegisterBank {
        check(address_bits, records);
        let clocks = Clocks::new();
        let fields =
            || records.iter().flat_map(|r| r.fields.iter().map(move |f| (net_name(r.name, f.name), f)));
        let is_input = |f: &FieldRecord| !matches!(f.access, FieldAccess::ReadWrite | FieldAccess::Pulse);
        let is_output = |f: &FieldRecord| f.access != FieldAccess::ReadOnly;
        let holder = |f: &FieldRecord| Reg::with_reset(&clocks, f.width_bits, u128::from(f.reset));
        RegisterBank {
            port: RegisterPort::new(address_bits),
            input: Fields(
                fields().filter(|(_, f)| is_input(f)).map(|(n, f)| (n, Net::new(f.width_bits))).collect(),
            ),
            output: Fields(
                fields().filter(|(_, f)| is_output(f)).map(|(n, f)| (n, Net::new(f.width_bits))).collect(),
            ),
            selected: Reg::array(records.len(), &clocks, 1),
            stepped: Reg::with_reset(&clocks, 1, 0),
            done: Reg::with_reset(&clocks, 1, 0),
            failed: Reg::new(&clocks, 1),
            read_data: Reg::new(&clocks, DATA_BITS),
            held: Fields(fields().filter(|(_, f)| is_output(f)).map(|(n, f)| (n, holder(f))).collect()),
            settings: Optional::new(false, || ReadBack::new(address_bits, 0, vec![])),
            _is_read_back: vec![false; records.len()],
            _records: records.to_vec(),
            clocks,
        }
    }

    /// The same, in which registers that have only [`ReadWrite`](FieldAccess::ReadWrite) fields, and numbers of at most so many bits,
    /// are read back from block RAM.
    ///
    /// # Panics
    /// As [`new`](RegisterBank::new), and when no register is one of these.
    #[track_caller]
    #[must_use]
    pub fn with_read_back(
        address_bits: usize,
        records: &[RegisterRecord],
        number_bits: usize,
    ) -> RegisterBank {
        let is_near = |r: &RegisterRecord| r.number() < 1 << number_bits;
        let is_read_back: Vec<bool> = records.iter().map(|r| is_settings(r) && is_near(r)).collect();
        let settings: Vec<RegisterRecord> =
            records.iter().zip(&is_read_back).filter(|(_, is)| **is).map(|(r, _)| r.clone()).collect();
        assert!(!settings.is_empty(), "no register is read back from block RAM");
        RegisterBank {
            settings: Optional::new(true, || ReadBack::new(address_bits, number_bits, settings)),
            _is_read_back: is_read_back,
            ..RegisterBank::new(address_bits, records)
        }
    }
}

#[track_caller]
fn check(address_bits: usize, records: &[RegisterRecord]) {
    assert!(!records.is_empty(), "a bank has at least one register");
    for (number, record) in records.iter().enumerate() {
        let RegisterRecord { name, offset_bytes, fields, .. } = record;
        assert!(
            offset_bytes.is_multiple_of(REGISTER_BYTES),
            "register `{name}` at byte {offset_bytes}: offsets are multiples of {REGISTER_BYTES}"
        );
        assert!(
            offset_bytes / REGISTER_BYTES < 1 << address_bits,
            "register `{name}` at byte {offset_bytes} is out of reach of {address_bits} address bits"
        );
        for other in &records[..number] {
            assert!(
                other.offset_bytes != *offset_bytes,
                "registers `{}` and `{name}` share an address",
                other.name
            );
            assert!(other.name != *name, "two registers are called `{name}`");
        }
        let mut used = 0u64;
        for (number, field) in fields.iter().enumerate() {
            let FieldRecord { name: field_name, low_bit, width_bits, access, reset, .. } = *field;
            let place = format!("field `{name}.{field_name}`");
            assert!(
                width_bits > 0 && low_bit + width_bits <= DATA_BITS,
                "{place}: bits {low_bit} to {} of a register of {DATA_BITS}",
                low_bit + width_bits
            );
            let mask = (u64::MAX >> (64 - width_bits)) << low_bit;
            assert!(used & mask == 0, "{place} shares bits with another field");
            used |= mask;
            assert!(u64::from(reset) <= mask >> low_bit, "{place}: the reset value {reset} does not fit");
            let holds = !matches!(access, FieldAccess::ReadOnly | FieldAccess::Pulse);
            assert!(holds || reset == 0, "{place} holds nothing, so it has no reset value");
            let same = fields[..number].iter().any(|other| other.name == field_name);
            assert!(!same, "two fields of `{name}` are called `{field_name}`");
        }
    }
}

/// The table of the registers in Markdown, for the documentation.
#[must_use]
pub fn register_table(records: &[RegisterRecord]) -> String {
    let mut text = String::new();
    for record in records {
        let _ = writeln!(text, "## `{}` at {:#05x}\n\n{}\n", record.name, record.offset_bytes, record.doc);
        text += "| bits | field | access | after reset | |\n| --- | --- | --- | --- | --- |\n";
        let mut fields: Vec<&FieldRecord> = record.fields.iter().collect();
        fields.sort_by_key(|field| field.low_bit);
        for field in fields {
            let top = field.low_bit + field.width_bits - 1;
            let bits =
                if top == field.low_bit { format!("{top}") } else { format!("{top}:{}", field.low_bit) };
            let reset = match field.access {
                FieldAccess::ReadOnly => "".into(),
                _ => format!("{:#x}", field.reset),
            };
            let access = field.access.abbreviation();
            let _ = writeln!(text, "| {bits} | `{}` | {access} | {reset} | {} |", field.name, field.doc);
        }
        text += "\n";
    }
    text
}

/// Registers from a table of records.
#[kernel]
impl RegisterBank {
    fn module_name(&self) -> String {
        format!("register_bank_{}", self._records.len())
    }

    fn logic(&self) {
        timing(2, 1);
        let port = &self.port;
        /// # Select
        let starts = port.valid.val() & !self.stepped.val() & !self.done.val();
        self.stepped.next = starts;
        for (selected, record) in self.selected.iter().zip(&self._records) {
            selected.next = port.address.val() == record.number() as u64;
        }

        /// # Write
        let writes = self.stepped.val() & port.is_write.val();
        let mut held = self.held.iter();
        let mut inputs = self.input.iter();
        let mut outputs = self.output.iter();
        let mut values = vec![];
        for ((selected, record), is_read_back) in
            self.selected.iter().zip(&self._records).zip(&self._is_read_back)
        {
            let mut bits = vec![];
            for field in record.fields.iter() {
                let is_written = writes & selected.val();
                let own = self.strobed(field.low_bit, field.width_bits) & is_written.repeat(field.width_bits);
                let data = port.write_data.val().slice(field.low_bit, field.width_bits);
                let ones = data & own;
                let is_pulse = matches!(field.access, FieldAccess::Pulse);
                if matches!(field.access, FieldAccess::ReadOnly) {
                    bits.extend(inputs.next().map(|net| (field.low_bit, net.val())));
                    continue;
                }
                let (Some(reg), Some(output)) = (held.next(), outputs.next()) else {
                    unreachable!("every field that the hardware sees has a register and a net")
                };
                let value = reg.val();
                reg.next = match field.access {
                    FieldAccess::WriteOneToClear => {
                        inputs.next().map_or(value, |net| value & !ones | net.val())
                    }
                    FieldAccess::Pulse => ones,
                    FieldAccess::ReadWriteUntil => {
                        inputs.next().map_or(value, |net| (value & !own & !net.val()) | ones)
                    }
                    _ => self.written(field.low_bit, is_written, value, data),
                };
                output.next = value;
                if !is_pulse {
                    bits.push((field.low_bit, value));
                }
            }
            if !is_read_back {
                values.push((selected.val(), joined(bits)));
            }
        }

        self.discard_unwritten();

        /// # Answer
        let zero = lit(DATA_BITS, 0);
        let hit = cat(&self.selected.iter().map(|reg| reg.val()).collect::<Vec<_>>()).any();
        // One at most is selected: of many registers a sum is shallower than a choice.
        let settings = self.read_settings(writes);
        let is_sum = settings.is_some() || values.len() > MOST_CHOSEN;
        self.read_data.next = if is_sum {
            let sum =
                |sum: Bits, (selected, value): &(Bits, Bits)| sum | (*value & selected.repeat(DATA_BITS));
            values.iter().fold(settings.unwrap_or(zero), sum)
        } else {
            priority(&values, zero)
        };
        self.failed.next = !hit;
        self.done.next = self.stepped.val();
        port.done.next = self.done.val();
        port.failed.next = self.failed.val();
        port.read_data.next = self.read_data.val();
    }

    /// Says that no register has the upper bits of what is written.
    fn discard_unwritten(&self) {
        let written = |record: &RegisterRecord| {
            let fields = record.fields.iter().filter(|field| !matches!(field.access, FieldAccess::ReadOnly));
            fields.map(|field| field.low_bit + field.width_bits).max().unwrap_or(0)
        };
        let end = self._records.iter().map(written).max().unwrap_or(0);
        let bytes = end.div_ceil(8);
        if end < DATA_BITS {
            discard(self.port.write_data.val().high(DATA_BITS - end), "no register has these bits");
        }
        if bytes < STROBES {
            discard(self.port.strobes.val().high(STROBES - bytes), "no register has these bytes");
        }
    }

    /// What comes from block RAM; 0 where another register is read.
    fn read_settings(&self, writes: Bits) -> Option<Bits> {
        let settings = self.settings.as_ref()?;
        let selected = self.selected.iter().zip(&self._is_read_back);
        settings.clocks.follow(&self.clocks);
        settings.address.next = self.port.address.val();
        settings.selected.next = stack(selected.filter(|(_, is)| **is).map(|(reg, _)| reg.val()));
        settings.writes.next = self.port.strobes.val() & writes.repeat(STROBES);
        settings.write_data.next = self.port.write_data.val();
        Some(settings.read_data.val())
    }

    /// Which bits of a field a write's strobes reach.
    fn strobed(&self, low_bit: usize, width_bits: usize) -> Bits {
        let strobes = self.port.strobes.val();
        stack(bytes_of(low_bit, width_bits).map(|(byte, bits)| strobes.bit(byte).repeat(bits.len())))
    }

    /// What a field holds behind a write: each byte of the bus is a choice of its own, which is a clock enable of its flip-flops.
    fn written(&self, low_bit: usize, is_written: Bits, value: Bits, data: Bits) -> Bits {
        let strobes = self.port.strobes.val();
        stack(bytes_of(low_bit, value.width()).map(|(byte, bits)| {
            let (held, written) = (value.slice(bits.start, bits.len()), data.slice(bits.start, bits.len()));
            if is_written & strobes.bit(byte) { written } else { held }
        }))
    }
}

/// The bytes of the bus that a field lies in, each with the bits of the field that lie there.
fn bytes_of(low_bit: usize, width_bits: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    let end = low_bit + width_bits;
    (low_bit / 8..end.div_ceil(8))
        .map(move |byte| (byte, (8 * byte).max(low_bit) - low_bit..(8 * byte + 8).min(end) - low_bit))
}

/// Fields in their places, zeros between them.
fn joined(mut fields: Vec<(usize, Bits)>) -> Bits {
    fields.sort_by_key(|(low_bit, _)| *low_bit);
    let mut parts = vec![];
    let mut filled = 0;
    for (low_bit, value) in fields {
        if low_bit > filled {
            parts.push(lit(low_bit - filled, 0));
        }
        parts.push(value);
        filled = low_bit + value.width();
    }
    if filled < DATA_BITS {
        parts.push(lit(DATA_BITS - filled, 0));
    }
    parts.reverse();
    cat(&parts)
}
