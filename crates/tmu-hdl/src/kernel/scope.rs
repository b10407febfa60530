//! Scopes that `#[kernel]` opens around what a `let` is made from, calls of functions, and rounds of loops.

use crate::record::{ScopeId, scope as recorded};

/// A scope until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct OpenScope(Option<ScopeId>);

impl Drop for OpenScope {
    fn drop(&mut self) {
        if let Some(around) = self.0 {
            recorded::close(around);
        }
    }
}

/// What follows belongs to the variable or function `name`.
pub fn scope(name: &'static str) -> OpenScope {
    OpenScope(recorded::open(name, None))
}

/// What follows belongs to one round of a loop over `name`; rounds without a number are counted.
pub fn round(name: &'static str, number: Option<usize>) -> OpenScope {
    OpenScope(recorded::open(name, number))
}

/// The number of a round of a loop: the variable of the loop, where it is a number.
pub trait RoundNumber {
    /// The number.
    fn round_number(&self) -> Option<usize>;
}

/// The fallback for everything that is not a number: method lookup finds it one reference later.
pub trait RoundOther {
    /// None.
    fn round_number(&self) -> Option<usize> {
        None
    }
}

impl<T: ?Sized> RoundOther for &T {}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl RoundNumber for $type {
            fn round_number(&self) -> Option<usize> {
                usize::try_from(*self).ok()
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
