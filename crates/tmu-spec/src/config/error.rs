//! What can be wrong with a configuration: codes and their explanations.

use std::fmt;
use tmu_problem::RuleCode;

/// Declares the codes with their numbers and explanations, one Markdown file each.
macro_rules! codes {
    ($( $(#[$doc:meta])* $name:ident = $code:literal; )*) => {
        /// A rule for configurations. Codes keep their number and meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $( $(#[$doc])* $name, )*
        }

        impl ErrorCode {
            /// Every code, by rising number.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name),*];

            /// What the rule is for, with an example that breaks it and one that keeps it, in Markdown.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $( ErrorCode::$name => include_str!(concat!("../../explain/", $code, ".md")), )*
                }
            }
        }

        impl RuleCode for ErrorCode {
            fn code(self) -> &'static str {
                match self {
                    $( ErrorCode::$name => $code, )*
                }
            }
        }
    };
}

codes! {
    /// The file is not TOML.
    Syntax = "E0001";
    /// There is no such key or table.
    UnknownKey = "E0002";
    /// The value is of another type than the key's.
    WrongType = "E0003";
    /// The number is outside what the key allows.
    OutOfRange = "E0004";
    /// The number is no power of two.
    PowerOfTwo = "E0005";
    /// The name is none of those that the key allows.
    UnknownChoice = "E0006";
    /// The name cannot be the name of a module.
    Name = "E0007";
    /// The list is empty.
    EmptyList = "E0008";
    /// The list has an entry twice.
    Repeated = "E0009";
    /// The setting is known and not built yet, or not built together with another one.
    NotBuilt = "E0010";
    /// The memory port has its own clock and no frequency.
    MemoryClockMissing = "E0011";
    /// There is a frequency for a clock that does not exist.
    MemoryClockUnused = "E0012";
    /// The AXI IDs cannot tell the units apart.
    TooFewIds = "E0013";
    /// The cache cannot keep that many reads in flight.
    OutstandingReads = "E0014";
    /// The number is no multiple of what it has to be one of.
    NotAMultiple = "E0015";
    /// The texture window does not fit the addresses.
    WindowFit = "E0016";
    /// The AXI4 specification reserves the value of ARCACHE.
    ReservedCacheType = "E0017";
    /// There are counters and nothing to read them with.
    UnreadableCounters = "E0018";
    /// The result FIFO cannot take what is in flight.
    ResultDepth = "E0019";
    /// A quad takes too many beats for a quad a clock.
    BeatsPerQuad = "E0020";
    /// sRGB-coded colours and 8 bits in the filter.
    SrgbBits = "E0021";
    /// Two levels are weighted and there is one.
    TrilinearLevels = "E0022";
    /// There is a bring-up kit and something that it needs is missing.
    BringUp = "E0023";
    /// There are indirect look-ups and nothing that they could begin at.
    Indirect = "E0024";
    /// UltraRAM is asked for where devices have none.
    UltraRam = "E0025";
    /// There are ripmaps and nothing that has them.
    Ripmaps = "E0026";
    /// Entries of a parameter store are to be written in a way that needs something else, which is missing.
    StoreWrites = "E0027";
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// The long explanation of a code such as `E0001`, in Markdown; none if there is no such code.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    let found = ErrorCode::ALL.iter().find(|known| known.code().eq_ignore_ascii_case(code));
    found.map(|code| code.explanation())
}
