//! What is wrong with a configuration: stable codes, the place, the value, the rule and the remedy.

use std::fmt;
use std::ops::Range;

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

            /// The code as users see it, like `E0001`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( ErrorCode::$name => $code, )*
                }
            }

            /// What the rule is for, with an example that breaks it and one that keeps it, in Markdown.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $( ErrorCode::$name => include_str!(concat!("../../explain/", $code, ".md")), )*
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
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The long explanation of a code such as `E0001`, in Markdown; none if there is no such code.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    let found = ErrorCode::ALL.iter().find(|known| known.as_str().eq_ignore_ascii_case(code));
    found.map(|code| code.explanation())
}

/// A place in the text of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    span: Range<usize>,
    line: usize,
    column: usize,
}

impl Place {
    /// Finds line and column of a span in `source`.
    pub(super) fn new(source: &str, span: Range<usize>) -> Self {
        let before = source.get(..span.start).unwrap_or(source);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            span,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// A fault in one value, before it is known where it stands.
pub(super) struct Fault {
    pub(super) code: ErrorCode,
    pub(super) rule: String,
    pub(super) remedy: String,
}

/// A fault, with the place of the entry of a list that it is in.
pub(super) type PlacedFault = (Fault, Option<Range<usize>>);

/// Shorthand for a fault.
pub(super) fn fault(code: ErrorCode, rule: impl Into<String>, remedy: impl Into<String>) -> Fault {
    Fault { code, rule: rule.into(), remedy: remedy.into() }
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    code: ErrorCode,
    key: String,
    value: String,
    rule: String,
    remedy: String,
    place: Option<Place>,
}

impl ConfigError {
    pub(super) fn new(fault: Fault, key: &str, value: &str, place: Option<Place>) -> Self {
        let Fault { code, rule, remedy } = fault;
        Self { code, key: key.to_owned(), value: value.to_owned(), rule, remedy, place }
    }

    /// The rule's stable code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// Full key, like `cache.sets`; empty if the fault is in no key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value as it stands in the file, or the default that was not overridden; empty if there is none.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What must hold.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &str {
        &self.remedy
    }

    /// Bytes of the file at fault; none if the fault is that something is absent.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.place.as_ref().map(|place| place.span.clone())
    }

    /// Line, from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// Column in characters, from 1.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }

    /// Where the fault starts; what has no place comes last.
    pub(super) fn start(&self) -> usize {
        self.place.as_ref().map_or(usize::MAX, |place| place.span.start)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column, .. }) = &self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        write!(f, "{}: ", self.code)?;
        match (self.key.is_empty(), self.value.is_empty()) {
            (true, _) => {}
            (false, true) => write!(f, "{}: ", self.key)?,
            (false, false) => write!(f, "{} = {}: ", self.key, self.value)?,
        }
        write!(f, "{}; {}", self.rule, self.remedy)
    }
}

impl std::error::Error for ConfigError {}

/// Every rule that a configuration breaks, in the order of the file. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors(pub(super) Vec<ConfigError>);

impl ConfigErrors {
    /// The errors, in the order of the file.
    #[must_use]
    pub fn as_slice(&self) -> &[ConfigError] {
        &self.0
    }
}

impl fmt::Display for ConfigErrors {
    /// One error a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}
