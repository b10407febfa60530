//! What a quad asks for of an indirect look-up, and whether what is bound allows it.
//!
//! A binding is that of the primary texture, or by its mark that of the secondary one; what of each an indirect look-up needs is kept
//! here once its binding is in force. The rules are those of [`Rule`](tmu_spec::general::indirect::Rule).

use super::rules::Rules;
use super::{Judged, REGISTER, WORD};
use crate::datapath::general::indirect::OFFSET_BITS;
use crate::datapath::general::indirect::aggregate::Marks;
use crate::datapath::general::indirect::fields::Choice;
use crate::datapath::general::indirect::look_ahead::are_near;
use crate::datapath::general::words::{
    FIRST_SECONDARY_REGISTER, OTHER_SECONDARY_REGISTER, REGISTER_NUMBER_BITS,
};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::choice::Choice as _;
use tmu_spec::general::field::{SECONDARY, place};
use tmu_spec::general::indirect::{Aggregate, OFFSET_U, OFFSET_V, OPERATION, U_FIELD, V_FIELD, VALUES};
use tmu_spec::general::packet::{INDIRECT, SETUP_SHIFT};

/// Bits of a set-up's fields but the offsets: the lowest ones of its word.
const CHOICES_BITS: usize = (V_FIELD.shift + V_FIELD.bits) as usize;

/// What a quad asks for.
#[derive(Clone, Debug, Record)]
pub struct Asked<T = Bits> {
    /// It is an indirect look-up, which can be made.
    pub is_indirect: T,
    /// What becomes of the values.
    pub marks: Marks<T>,
    /// Which components are places.
    pub choice: Choice<T>,
    /// Texels from a value's place to that of the next one.
    pub offsets: [T; 2],
    /// These are -1, 0 or 1.
    pub are_near: T,
}

impl Asked<Width> {
    /// Its shape.
    pub fn shape() -> Asked<Width> {
        Asked {
            is_indirect: Width::bits(1),
            marks: Marks::shape(),
            choice: Choice::shape(),
            offsets: [Width::bits(OFFSET_BITS); 2],
            are_near: Width::bits(1),
        }
    }
}

/// What the rules say of a texture that is bound.
#[derive(Clone, Debug, Record)]
pub(super) struct Placing<T = Bits> {
    /// It has axes x and y alone.
    pub(super) is_flat: T,
    /// It has one row.
    pub(super) is_row: T,
    /// The components that its texels have as numbers that may be places.
    pub(super) parts: T,
    /// These have 8 bits.
    pub(super) are_bytes: T,
}

impl Placing<Width> {
    /// Its shape.
    pub(super) fn shape() -> Placing<Width> {
        let bit = Width::bits(1);
        Placing { is_flat: bit, is_row: bit, parts: Width::bits(4), are_bytes: bit }
    }
}

/// What is kept.
#[derive(Bundle)]
pub(super) struct Indirect {
    /// The binding that is sent is that of the secondary texture.
    is_secondary: Reg,
    /// Of the quad: its set-up.
    choices: Reg,
    offsets: Reg,
    are_near: Reg,
    /// Of the primary texture: components that may be places; none where its binding is not in force.
    parts: Reg,
    are_bytes: Reg,
    /// Of the secondary texture.
    is_good: Reg,
    is_row: Reg,
    /// Of the primary texture, where that of the binding that is looked at would not do: it has no footprint of four texels.
    has_no_footprint: Optional<Reg>,
}

impl Indirect {
    pub(super) fn new(clocks: &Clocks, rules: &Rules) -> Indirect {
        Indirect {
            is_secondary: Reg::new(clocks, 1),
            choices: Reg::new(clocks, CHOICES_BITS),
            offsets: Reg::new(clocks, 2 * OFFSET_BITS),
            are_near: Reg::new(clocks, 1),
            parts: Reg::with_reset(clocks, 4, 0),
            are_bytes: Reg::new(clocks, 1),
            is_good: Reg::with_reset(clocks, 1, 0),
            is_row: Reg::new(clocks, 1),
            has_no_footprint: Optional::new(rules.has_no_footprint.is_some(), || Reg::new(clocks, 1)),
        }
    }

    /// Of the primary texture, where the unit has textures without: it has no footprint of four texels.
    pub(super) fn has_no_footprint(&self) -> Option<Bits> {
        self.has_no_footprint.as_ref().map(|reg| reg.val())
    }
}

/// A set-up is in the upper half of a word of a quad.
#[kernel]
pub(super) fn take(own: &Indirect, word: Bits, takes: Bits) {
    let setup = word.slice(SETUP_SHIFT as usize, WORD - SETUP_SHIFT as usize);
    discard(setup.slice(CHOICES_BITS, REGISTER - CHOICES_BITS), "no field has them");
    let offsets = setup.slice(OFFSET_U.shift as usize, 2 * OFFSET_BITS);
    if takes {
        own.choices.next = setup.low(CHOICES_BITS);
        own.offsets.next = offsets;
        own.are_near.next = are_near(&[offsets.low(OFFSET_BITS), offsets.high(OFFSET_BITS)]);
    }
}

/// The first word of a binding comes.
#[kernel]
pub(super) fn begin(own: &Indirect, word: Bits, comes: Bits) {
    if comes {
        own.is_secondary.next = word.bit(SECONDARY.shift as usize);
    }
}

/// The number by which the stages behind know a register, or the verdict, of the binding that is sent.
#[kernel]
pub(super) fn number(own: &Indirect, register: Bits, is_verdict: Bits) -> Bits {
    const LOW_BITS: usize = REGISTER_NUMBER_BITS - 2;
    let is_other = register.high(REGISTER_NUMBER_BITS - LOW_BITS).any();
    let other = lit(LOW_BITS, OTHER_SECONDARY_REGISTER - FIRST_SECONDARY_REGISTER);
    let low = if is_other { other } else { register.low(LOW_BITS) };
    let of_secondary = cat(&[lit(2, 3u32), low]);
    if own.is_secondary.val() && !is_verdict { of_secondary } else { register }
}

/// One bit: the binding that is sent is that of the secondary texture.
#[kernel]
pub(super) fn is_secondary(own: &Indirect) -> Bits {
    own.is_secondary.val()
}

/// A texture has been bound, or was refused.
#[kernel]
pub(super) fn keep(own: &Indirect, judged: &Judged, leaves: Bits) {
    let Some(placing) = judged.placing else { return };
    let Placing { is_flat, is_row, parts, are_bytes } = Placing::shape().unpack(placing);
    let holds = judged.is_good && is_flat;
    if leaves && own.is_secondary.val() {
        own.is_good.next = holds;
        own.is_row.next = is_row;
    } else if leaves {
        own.parts.next = parts & holds.repeat(4);
        own.are_bytes.next = are_bytes;
    }
    if let (Some(kept), Some(has_no)) = (own.has_no_footprint.as_ref(), judged.has_no_footprint) {
        if leaves && !own.is_secondary.val() {
            kept.next = has_no;
        }
    }
}

/// What the quad asks for, by its operation.
#[kernel]
pub(super) fn asked(own: &Indirect, operation: Bits) -> Asked {
    /// # Indirect look-ups
    let choices = own.choices.val();
    let of = |field: RecordField| choices.slice(field.shift as usize, field.bits as usize);
    let parts = own.parts.val();
    let parts = [parts.bit(0), parts.bit(1), parts.bit(2), parts.bit(3)];
    let has = |field: Bits| by_parity(field.bit(0), field.bit(1), &parts);
    let (u_field, v_field) = (of(U_FIELD), of(V_FIELD));
    let code = of(OPERATION);
    /// The codes above the last one.
    let is_known = !(code.bit(2) && code.bit(1));
    let fits = own.is_good.val() && has(u_field) && (has(v_field) || own.is_row.val()) && is_known;
    let offsets = own.offsets.val();
    let (start, second) = (place(OFFSET_U).1 as usize, place(OFFSET_V).1 as usize);
    Asked {
        is_indirect: fits && operation == u64::from(INDIRECT),
        marks: Marks { operation: code, more: of(VALUES) },
        choice: Choice { components: [u_field, v_field], are_bytes: own.are_bytes.val() },
        offsets: [offsets.slice(start, OFFSET_BITS), offsets.slice(second, OFFSET_BITS)],
        are_near: own.are_near.val(),
    }
}

const _: () =
    assert!(OPERATION.bits == 3 && Aggregate::CHOICES.len() == 6, "two codes are none of an operation");
const _: () = assert!(OFFSET_U.shift as usize == REGISTER && OFFSET_U.bits as usize == OFFSET_BITS);
