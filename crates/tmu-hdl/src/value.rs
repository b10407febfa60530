//! Concrete values of run-time width: what a wire carries in simulation.
//!
//! A [`Value`] is an unsigned vector of 1 to [`MAX_WIDTH_BITS`] bits; signed operations read it as two's
//! complement. Unused high bits are always zero, so equality is equality of the limbs. This module only
//! stores and moves bits; what an operator means stands in [`crate::op`].

use std::fmt;

/// The widest net, in bits.
pub const MAX_WIDTH_BITS: usize = 1024;
const LIMB_BITS: usize = 64;
const LIMBS: usize = MAX_WIDTH_BITS / LIMB_BITS;

/// A vector of `width` bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    width: usize,
    limbs: [u64; LIMBS],
}

impl Value {
    /// All bits zero. `width` must be 1 to [`MAX_WIDTH_BITS`]; nets and literals check it where they are made.
    pub fn zero(width: usize) -> Value {
        assert!(
            (1..=MAX_WIDTH_BITS).contains(&width),
            "a value is 1 to {MAX_WIDTH_BITS} bits wide, not {width}"
        );
        Value { width, limbs: [0; LIMBS] }
    }

    /// The low `width` bits of `number`.
    pub fn from_u128(width: usize, number: u128) -> Value {
        let mut value = Value::zero(width);
        value.limbs[0] = number as u64;
        value.limbs[1] = (number >> LIMB_BITS) as u64;
        value.masked()
    }

    /// From 64-bit limbs, least significant first; bits past `width` are dropped and missing limbs are zero.
    pub fn from_limbs(width: usize, limbs: &[u64]) -> Value {
        let mut value = Value::zero(width);
        for (to, from) in value.limbs.iter_mut().zip(limbs) {
            *to = *from;
        }
        value.masked()
    }

    /// One bit per item, least significant first.
    pub fn from_bits(bits: impl ExactSizeIterator<Item = bool>) -> Value {
        let mut value = Value::zero(bits.len());
        for (i, bit) in bits.enumerate() {
            value.set_bit(i, bit);
        }
        value
    }

    /// A single bit.
    pub fn from_bool(bit: bool) -> Value {
        Value::from_u128(1, u128::from(bit))
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The limbs that the width needs, least significant first.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs[..self.width.div_ceil(LIMB_BITS)]
    }

    /// Applies `f` limb by limb to two values of the same width, with a carry that starts at `carry`.
    pub(crate) fn zip_limbs(
        self,
        other: Value,
        mut carry: u64,
        f: impl Fn(u64, u64, u64) -> (u64, u64),
    ) -> Value {
        let mut out = Value::zero(self.width);
        for i in 0..self.limbs().len() {
            (out.limbs[i], carry) = f(self.limbs[i], other.limbs[i], carry);
        }
        out.masked()
    }

    /// The low 64 bits.
    pub fn low_u64(&self) -> u64 {
        self.limbs[0]
    }

    /// The low 128 bits.
    pub fn low_u128(&self) -> u128 {
        u128::from(self.limbs[1]) << LIMB_BITS | u128::from(self.limbs[0])
    }

    /// The number as a `u64`, where it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.limbs[1..].iter().all(|&l| l == 0).then_some(self.limbs[0])
    }

    /// Bit `index`; bits past the width read as zero.
    pub fn bit(&self, index: usize) -> bool {
        index < self.width && self.limbs[index / LIMB_BITS] >> (index % LIMB_BITS) & 1 == 1
    }

    /// Writes bit `index`, which must lie inside the width.
    pub fn set_bit(&mut self, index: usize, bit: bool) {
        assert!(index < self.width, "bit {index} of a value of {} bits", self.width);
        let mask = 1 << (index % LIMB_BITS);
        if bit {
            self.limbs[index / LIMB_BITS] |= mask;
        } else {
            self.limbs[index / LIMB_BITS] &= !mask;
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// True when no bit is set.
    pub fn is_zero(&self) -> bool {
        self.limbs().iter().all(|&l| l == 0)
    }

    /// Cuts or zero-extends to `width`.
    pub fn resized(&self, width: usize) -> Value {
        Value::from_limbs(width, &self.limbs)
    }

    /// Cuts or sign-extends to `width`.
    pub fn sign_resized(&self, width: usize) -> Value {
        let mut out = self.resized(width);
        if self.is_negative() {
            for i in self.width..width {
                out.set_bit(i, true);
            }
        }
        out
    }

    /// Moves bits up by `amount`, keeping the width.
    pub fn shifted_left(&self, amount: usize) -> Value {
        let mut out = Value::zero(self.width);
        out.place(amount, self);
        out
    }

    /// Moves bits down by `amount`, filling with zeros and keeping the width.
    pub fn shifted_right(&self, amount: usize) -> Value {
        self.slice(amount, self.width)
    }

    /// `width` bits from bit `lo` up; those past the own width are zero.
    pub(crate) fn slice(&self, lo: usize, width: usize) -> Value {
        let mut out = Value::zero(width);
        let (limbs, bits) = (lo / LIMB_BITS, lo % LIMB_BITS);
        let limb = |index: usize| self.limbs.get(index).copied().unwrap_or_default();
        for (i, to) in out.limbs.iter_mut().enumerate().take(width.div_ceil(LIMB_BITS)) {
            *to = limb(i + limbs) >> bits;
            if bits > 0 {
                *to |= limb(i + limbs + 1) << (LIMB_BITS - bits);
            }
        }
        out.masked()
    }

    /// Ors `other`, moved up by `lo`, into this value; bits past the own width are dropped.
    pub(crate) fn place(&mut self, lo: usize, other: &Value) {
        let (limbs, bits) = (lo / LIMB_BITS, lo % LIMB_BITS);
        for (i, from) in (limbs..LIMBS).zip(other.limbs()) {
            self.limbs[i] |= from << bits;
            if bits > 0 && i + 1 < LIMBS {
                self.limbs[i + 1] |= from >> (LIMB_BITS - bits);
            }
        }
        self.mask();
    }

    fn masked(mut self) -> Value {
        self.mask();
        self
    }

    /// Clears what is past the width.
    fn mask(&mut self) {
        let (used, bits) = (self.width.div_ceil(LIMB_BITS), self.width % LIMB_BITS);
        if bits > 0 {
            self.limbs[used - 1] &= (1 << bits) - 1;
        }
        self.limbs[used..].fill(0);
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    /// By number, then by width.
    fn cmp(&self, other: &Value) -> std::cmp::Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev()).then(self.width.cmp(&other.width))
    }
}

impl fmt::LowerHex for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.limbs().iter().rev().map(|limb| format!("{limb:016x}")).collect();
        let digits = text.trim_start_matches('0');
        f.write_str(if digits.is_empty() { "0" } else { digits })
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{self:x}", self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_cross_limbs_and_keep_the_width() {
        let value = Value::from_limbs(130, &[0x8000_0000_0000_0001, 0xff, 0b10]);
        assert_eq!(value.shifted_left(64).limbs(), [0, 0x8000_0000_0000_0001, 0b11]);
        assert_eq!(value.shifted_left(1).limbs(), [2, 0x1ff, 0b00]);
        assert_eq!(value.shifted_right(65).low_u128(), 0x7f | 1 << 64);
        assert!(value.shifted_right(130).is_zero() && value.shifted_left(1024).is_zero());
    }

    #[test]
    fn resizing_cuts_or_extends() {
        let value = Value::from_u128(8, 0x90);
        assert_eq!(value.resized(4), Value::zero(4));
        assert_eq!(value.sign_resized(70), Value::from_limbs(70, &[!0 << 8 | 0x90, 0x3f]));
        assert_eq!(format!("{value:?} {:?}", Value::zero(200)), "8'h90 200'h0");
    }
}
