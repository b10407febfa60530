//! What units were built to do, as one word.

use super::codes::{AddressMode, Kind, Numbers, Operation, ResultNumbers};
use super::field::built;
use crate::binding::Field;

/// What the units of a core of the general numerics were built to do, beside [`crate::Capabilities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Built(u32);

impl Built {
    /// Of the constant `BUILT` of the core's registers.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// The word.
    #[must_use]
    pub const fn word(self) -> u32 {
        self.0
    }

    const fn get(self, field: Field) -> u32 {
        (self.0 & field.mask) >> field.shift
    }

    const fn is(self, field: Field) -> bool {
        self.get(field) != 0
    }

    /// Whether textures of this kind are sampled.
    #[must_use]
    pub const fn has_kind(self, kind: Kind) -> bool {
        self.get(built::KINDS) >> kind as u32 & 1 != 0
    }

    /// Whether a request may ask for this.
    #[must_use]
    pub const fn has_operation(self, operation: Operation) -> bool {
        self.get(built::OPERATIONS) >> operation as u32 & 1 != 0
    }

    /// Whether an address mode is built.
    #[must_use]
    pub const fn has_address_mode(self, mode: AddressMode) -> bool {
        self.get(built::ADDRESS_MODES) >> mode as u32 & 1 != 0
    }

    /// Whether sides need not be powers of two.
    #[must_use]
    pub const fn has_any_size(self) -> bool {
        self.is(built::ANY_SIZE)
    }

    /// Whether two levels are weighted.
    #[must_use]
    pub const fn has_trilinear(self) -> bool {
        self.is(built::TRILINEAR)
    }

    /// Whether ripmaps are sampled.
    #[must_use]
    pub const fn has_ripmaps(self) -> bool {
        self.is(built::RIPMAPS)
    }

    /// Most probes of a footprint.
    #[must_use]
    pub const fn max_anisotropy(self) -> u32 {
        1 << self.get(built::ANISOTROPY_LOG2)
    }

    /// Whether depths are compared.
    #[must_use]
    pub const fn has_compare(self) -> bool {
        self.is(built::COMPARE)
    }

    /// Whether sRGB-coded colours are decoded, which needs 16 bits a channel.
    #[must_use]
    pub const fn has_srgb(self) -> bool {
        self.is(built::SRGB) && self.is(built::WIDE_CHANNELS)
    }

    /// Whether channels of a result show any component.
    #[must_use]
    pub const fn has_swizzle(self) -> bool {
        self.is(built::SWIZZLE)
    }

    /// Whether coordinates are divided by q.
    #[must_use]
    pub const fn is_projective(self) -> bool {
        self.is(built::PROJECTIVE)
    }

    /// How coordinates and divisors are given.
    #[must_use]
    pub const fn numbers(self) -> Numbers {
        if self.is(built::NUMBERS) { Numbers::Fp32 } else { Numbers::S16p16 }
    }

    /// 1 as a divisor.
    pub(super) const fn one(self) -> u32 {
        match self.numbers() {
            Numbers::S16p16 => 1 << 16,
            Numbers::Fp32 => 1f32.to_bits(),
        }
    }

    /// How channels of a result are given.
    #[must_use]
    pub const fn result(self) -> ResultNumbers {
        match self.get(built::RESULT) {
            0 => ResultNumbers::Unorm8,
            1 => ResultNumbers::Unorm16,
            _ => ResultNumbers::Fp32,
        }
    }

    /// Whether pixels have a third coordinate.
    #[must_use]
    pub const fn has_third(self) -> bool {
        self.has_kind(Kind::Cube) || self.has_kind(Kind::D3) || self.has_kind(Kind::D2Array)
    }

    /// Whether there are other operations than [`Operation::Sample`].
    #[must_use]
    pub const fn has_other_operations(self) -> bool {
        self.get(built::OPERATIONS) >> Operation::Lod as u32 != 0 || self.has_indirect()
    }

    /// Whether texels of one texture are the places of those in another.
    #[must_use]
    pub const fn has_indirect(self) -> bool {
        self.is(built::INDIRECT)
    }

    /// Entries of the parameter store; 0 without.
    #[must_use]
    pub const fn store_entries(self) -> u32 {
        self.get(built::STORE) * 64
    }
}
