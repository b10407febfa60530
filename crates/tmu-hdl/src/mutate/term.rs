//! Terms: how a table names an operand of an expression.
//!
//! `valid`, `lane_3.of_second`, `count[2]`, `count[7:4]`, `!full`, `|hits`, `&count[7:1]`, `place == 10`, `3`, `0xff`.

use super::error::{Made, Refusal};

/// What a term says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// A constant, as wide as its place.
    Number(u128),
    /// A net, a `let` or a named constant.
    Name(String),
    /// Bits of one: the lowest, and how many.
    Bits(String, usize, usize),
    /// The complement.
    Not(Box<Term>),
    /// Any bit set.
    Any(Box<Term>),
    /// All bits set.
    All(Box<Term>),
    /// Equality.
    Equal(Box<Term>, Box<Term>),
}

const REMEDY: &str = "write a name, bits of one as x[3] or x[7:4], a number, one of them behind `!`, `|` (any bit) or `&` \
                      (all bits), or two with `==` between";

/// A number, decimal or behind `0x`.
pub(super) fn number(text: &str) -> Option<u128> {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Term {
    /// Reads a term.
    pub(super) fn read(text: &str) -> Made<Term> {
        let text = text.trim();
        if let Some((left, right)) = text.split_once("==") {
            return Ok(Term::Equal(Box::new(Term::read(left)?), Box::new(Term::read(right)?)));
        }
        let inside = |rest| Term::read(rest).map(Box::new);
        match text.split_at_checked(1) {
            Some(("!", rest)) => inside(rest).map(Term::Not),
            Some(("|", rest)) => inside(rest).map(Term::Any),
            Some(("&", rest)) => inside(rest).map(Term::All),
            _ => plain(text).ok_or_else(|| Refusal::new(format!("`{text}` is no term"), vec![], REMEDY)),
        }
    }
}

fn plain(text: &str) -> Option<Term> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return number(text).map(Term::Number);
    }
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    };
    match text.split_once('[') {
        None => is_name(text).then(|| Term::Name(text.into())),
        Some((name, bits)) => {
            let bits = bits.strip_suffix(']')?;
            let (high, low) = bits.split_once(':').unwrap_or((bits, bits));
            let (high, low) = (high.parse::<usize>().ok()?, low.parse::<usize>().ok()?);
            (is_name(name) && high >= low).then(|| Term::Bits(name.into(), low, high - low + 1))
        }
    }
}
