//! Values that go by one of a few names, and the one way in which names are read and listed.

use std::fmt::Display;

/// A type whose values each have a name in configurations, descriptors and command lines.
pub trait Choice: Copy + PartialEq + Display + 'static {
    /// Every value, in the order in which they are listed to users.
    const CHOICES: &'static [Self];

    /// What a name stands for, with its article: "a texture format".
    const WHAT: &'static str;

    /// The name.
    fn name(self) -> &'static str;

    /// The value with a name.
    ///
    /// # Errors
    /// [`UnknownName`] with all names that there are.
    fn from_name(name: &str) -> Result<Self, UnknownName> {
        let found = Self::CHOICES.iter().copied().find(|choice| choice.name() == name);
        found.ok_or_else(|| UnknownName { name: name.to_owned(), what: Self::WHAT, choices: list::<Self>() })
    }
}

/// All names of a type, joined by commas.
pub(crate) fn list<T: Choice>() -> String {
    T::CHOICES.iter().map(|choice| choice.name()).collect::<Vec<_>>().join(", ")
}

/// A name that stands for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not {what}; use one of {choices}")]
pub struct UnknownName {
    name: String,
    what: &'static str,
    choices: String,
}

/// Gives an enum its [`Choice`], and with it `Display` and `FromStr`.
macro_rules! impl_choice {
    ($type:ident, $what:literal, $($value:ident = $name:literal),+ $(,)?) => {
        impl $crate::choice::Choice for $type {
            const CHOICES: &'static [Self] = &[$($type::$value),+];
            const WHAT: &'static str = $what;

            fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::choice::Choice::name(*self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::choice::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::choice::Choice::from_name(name)
            }
        }
    };
}
pub(crate) use impl_choice;
