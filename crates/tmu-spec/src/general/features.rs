//! What a unit of the general numerics was built to do, beside what [`crate::Features`] says of every unit.

use super::request::{Numbers, Operation};
use super::result::ResultNumbers;
use super::texture::Kind;
use crate::choice::{Choice, impl_choice};

/// The operations by name, for the configuration: what a request may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OperationName {
    /// [`Operation::Sample`].
    Sample = 0,
    /// [`Operation::Lod`].
    Lod = 1,
    /// [`Operation::Bias`].
    Bias = 2,
    /// [`Operation::Fetch`].
    Fetch = 3,
    /// [`Operation::Gather`].
    Gather = 4,
}

impl_choice!(
    OperationName,
    "an operation",
    Sample = "sample",
    Lod = "lod",
    Bias = "bias",
    Fetch = "fetch",
    Gather = "gather",
);

impl From<Operation> for OperationName {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Sample => OperationName::Sample,
            Operation::Lod => OperationName::Lod,
            Operation::Bias => OperationName::Bias,
            Operation::Fetch => OperationName::Fetch,
            Operation::Gather(_) => OperationName::Gather,
        }
    }
}

/// The sides that a texture may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sizes {
    /// Powers of two.
    #[default]
    PowerOfTwo,
    /// Any.
    Any,
}

impl_choice!(Sizes, "a choice of sizes", PowerOfTwo = "power_of_two", Any = "any");

/// What a unit of the general numerics was built to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct General {
    /// A bit for each kind's code.
    kinds: u8,
    /// A bit for each operation.
    operations: u8,
    /// The sides that a texture may have.
    pub sizes: Sizes,
    /// Two levels are weighted.
    pub trilinear: bool,
    /// Levels along u and v are chosen each by itself.
    pub ripmaps: bool,
    /// Most probes along the longer axis of a footprint; 1 where anisotropic filtering is not built.
    pub max_anisotropy: u32,
    /// Depths are compared.
    pub compare: bool,
    /// sRGB-coded colours are decoded.
    pub srgb: bool,
    /// Channels of a result show any component.
    pub swizzle: bool,
    /// Texels of one texture are the places of those in another.
    pub indirect: bool,
    /// Entries of the parameter store; 0 without.
    pub store_entries: u32,
    /// The form of coordinates.
    pub numbers: Numbers,
    /// Coordinates are divided by q.
    pub projective: bool,
    /// Bits of a channel in the filter: 8 or 16.
    pub channel_bits: u32,
    /// The form of results.
    pub result: ResultNumbers,
}

impl General {
    /// Two-dimensional textures, power-of-two sides, samples with 8 bits a channel, and nothing else.
    pub const LEAST: General = General {
        kinds: 1 << Kind::D2.code(),
        operations: 1 << OperationName::Sample as u8,
        sizes: Sizes::PowerOfTwo,
        trilinear: false,
        ripmaps: false,
        max_anisotropy: 1,
        compare: false,
        srgb: false,
        swizzle: false,
        indirect: false,
        store_entries: 0,
        numbers: Numbers::S16p16,
        projective: false,
        channel_bits: 8,
        result: ResultNumbers::Unorm8,
    };

    /// Everything, with 16 bits a channel and floats in and out.
    pub const ALL: General = General {
        kinds: (1 << Kind::CHOICES.len()) - 1,
        operations: (1 << OperationName::CHOICES.len()) - 1,
        sizes: Sizes::Any,
        trilinear: true,
        ripmaps: true,
        max_anisotropy: 16,
        compare: true,
        srgb: true,
        swizzle: true,
        indirect: true,
        store_entries: 128,
        numbers: Numbers::Fp32,
        projective: true,
        channel_bits: 16,
        result: ResultNumbers::Fp32,
    };

    /// The same with these kinds of textures.
    #[must_use]
    pub fn with_kinds(self, kinds: &[Kind]) -> Self {
        Self { kinds: kinds.iter().fold(0, |mask, kind| mask | 1 << kind.code()), ..self }
    }

    /// The same with these operations.
    #[must_use]
    pub fn with_operations(self, operations: &[OperationName]) -> Self {
        let mask = operations.iter().fold(0, |mask, operation| mask | 1 << *operation as u8);
        Self { operations: mask, ..self }
    }

    /// The same with so many entries of the parameter store.
    #[must_use]
    pub const fn with_store(self, store_entries: u32) -> Self {
        Self { store_entries, ..self }
    }

    /// Whether there is a parameter store.
    #[must_use]
    pub const fn has_store(&self) -> bool {
        self.store_entries > 0
    }

    /// The same with indirect look-ups, or without.
    #[must_use]
    pub const fn with_indirect(self, indirect: bool) -> Self {
        Self { indirect, ..self }
    }

    /// Whether textures of this kind can be sampled.
    #[must_use]
    pub const fn has_kind(&self, kind: Kind) -> bool {
        self.kinds >> kind.code() & 1 != 0
    }

    /// The kinds of textures that can be sampled.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        Kind::CHOICES.iter().copied().filter(|kind| self.has_kind(*kind))
    }

    /// Whether a request may ask for this.
    #[must_use]
    pub fn has_operation(&self, operation: impl Into<OperationName>) -> bool {
        self.operations >> operation.into() as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_what_was_listed() {
        let features = General::LEAST.with_kinds(&[Kind::D3, Kind::Cube]);
        assert_eq!(features.kinds().collect::<Vec<_>>(), [Kind::D3, Kind::Cube]);
        assert!(features.has_operation(Operation::Sample) && !features.has_operation(Operation::Gather(0)));
        let gathering = features.with_operations(&[OperationName::Gather]);
        assert!(gathering.has_operation(Operation::Gather(3)) && !gathering.has_operation(Operation::Sample));
        let named: Vec<_> = OperationName::CHOICES.to_vec();
        assert!(named.iter().all(|operation| General::ALL.has_operation(*operation)));
        assert_eq!(General::ALL.kinds().count(), 5);
    }
}
