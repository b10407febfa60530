//! The rules that a binding keeps.

/// A rule that a binding breaks. The codes are what the hardware's status register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[repr(u8)]
pub enum BindingRule {
    /// A bit is set that is kept for later.
    #[error("a reserved bit is set; bits 31, 54, 55, 60, 61 and 63 upwards must be 0")]
    ReservedBits = 1,
    /// The format's code is reserved or the format is not built.
    #[error("the format is reserved or not built; use a format that the configuration enables")]
    Format = 2,
    /// A side is over 2048 texels or over the largest size built.
    #[error("width_log2 or height_log2 is over 11 or over the largest size built; use a smaller texture")]
    Size = 3,
    /// The smallest level to sample lies beyond the texture's chain.
    #[error("max_lod is over max(width_log2, height_log2); use a level that the texture has")]
    MaxLod = 4,
    /// The texture does not start on a line of the texture window.
    #[error("the base is not a multiple of 16 bytes below 2^31; move the texture")]
    Base = 5,
    /// An address mode's code is reserved or the mode is not built.
    #[error("an address mode is reserved or not built; use a mode that the configuration enables")]
    AddressMode = 6,
    /// Bilinear filtering or mipmapping is asked for and not built.
    #[error("bilinear filtering or mipmapping is asked for and not built; clear the bit")]
    Feature = 7,
    /// The texture reaches past the end of the texture window.
    #[error("the texture ends behind 2^31, past the texture window; lower the base or use a smaller texture")]
    Window = 8,
}

impl BindingRule {
    /// Every rule, by rising code.
    pub const ALL: [BindingRule; 8] = [
        BindingRule::ReservedBits,
        BindingRule::Format,
        BindingRule::Size,
        BindingRule::MaxLod,
        BindingRule::Base,
        BindingRule::AddressMode,
        BindingRule::Feature,
        BindingRule::Window,
    ];

    /// The stable code, from 1; a status of 0 means that no rule was broken.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The rule with a code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.code() == code)
    }

    /// The bit that stands for this rule where several are held at once: bit 0 for code 1 and so on.
    #[must_use]
    pub const fn mask(self) -> u8 {
        1 << (self as u8 - 1)
    }
}
