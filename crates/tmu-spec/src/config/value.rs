//! What settings can be: types and limits.

use super::error::ErrorCode;
use crate::choice::{Choice, list};
use tmu_problem::{Problem, Problems};
use toml::de::DeValue;

/// The values that a setting may have, within its type.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// Whatever its type allows.
    Any,
    /// All numbers from the first to the last.
    Range(u64, u64),
    /// The powers of two from the first to the last.
    PowerOfTwo(u64, u64),
    /// Multiples of a number.
    MultipleOf(u64),
    /// These numbers.
    OneOf(&'static [u64]),
    /// These of the names that its type has.
    Names(&'static [&'static str]),
}

impl Limit {
    /// Checks a number.
    fn check(self, number: u64) -> Result<(), Problems> {
        match self {
            Limit::PowerOfTwo(first, last)
                if (first..=last).contains(&number) && !number.is_power_of_two() =>
            {
                let above = number.next_power_of_two();
                let remedy = format!("use {} or {above}", above / 2);
                Err(Problem::new(ErrorCode::PowerOfTwo, "must be a power of two", remedy).into())
            }
            Limit::MultipleOf(unit) if !number.is_multiple_of(unit) => {
                let remedy = format!("use {:#x} or another multiple", number - number % unit);
                Err(Problem::new(ErrorCode::NotAMultiple, format!("must be a multiple of {unit}"), remedy)
                    .into())
            }
            _ if self.nearest(number) == number => Ok(()),
            _ => Err(self.out_of_range(number).into()),
        }
    }

    /// The problem of a number outside the limit.
    fn out_of_range(self, number: u64) -> Problem {
        let remedy = format!("use {}", self.nearest(number));
        let all = "0 to 2^64 - 1";
        let wanted = match self {
            Limit::MultipleOf(_) => format!("{} within {all}", self.text(all)),
            _ => self.text(all),
        };
        Problem::new(ErrorCode::OutOfRange, format!("must be {wanted}"), remedy)
    }

    /// The number nearest to `number` that is not out of range.
    fn nearest(self, number: u64) -> u64 {
        match self {
            Limit::Any | Limit::Names(_) | Limit::MultipleOf(_) => number,
            Limit::Range(first, last) | Limit::PowerOfTwo(first, last) => number.clamp(first, last),
            Limit::OneOf(numbers) => {
                let nearest = numbers.iter().copied().min_by_key(|allowed| allowed.abs_diff(number));
                nearest.unwrap_or(number)
            }
        }
    }

    /// The limit in words, `any` if there is none.
    fn text(self, any: &str) -> String {
        match self {
            Limit::Any => any.to_owned(),
            Limit::Range(first, last) => format!("{first} to {last}"),
            Limit::PowerOfTwo(first, last) => format!("a power of two from {first} to {last}"),
            Limit::MultipleOf(unit) => format!("a multiple of {unit}"),
            Limit::OneOf(numbers) => numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            Limit::Names(names) => names.join(", "),
        }
    }
}

/// A type that a setting can have.
pub(super) trait Value: Sized {
    /// Reads a value, or finds everything that is wrong with it, with the bytes at fault where that is a part of it.
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems>;

    /// The value as it would be written in TOML; none if the key would be left out.
    fn to_toml(&self) -> Option<String>;

    /// The value as the reference page shows it; none if there is none.
    fn shown(&self) -> Option<String> {
        self.to_toml()
    }

    /// The values that a key may have, for the reference page.
    fn domain(limit: Limit) -> String;
}

/// The problem of a value of another type.
pub(super) fn wrong_type(found: &DeValue<'_>, wanted: &str, remedy: impl Into<String>) -> Problem {
    Problem::new(ErrorCode::WrongType, format!("must be {wanted}, not of type {}", found.type_str()), remedy)
}

impl Value for u64 {
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems> {
        let remedy = "write digits only, without quotes or a point";
        let integer = value.as_integer().ok_or_else(|| wrong_type(value, "a whole number", remedy))?;
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).map_err(|_| {
            // Too long for 64 bits, or negative.
            limit.out_of_range(if integer.as_str().starts_with('-') { 0 } else { u64::MAX })
        })?;
        limit.check(number).map(|()| number)
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn domain(limit: Limit) -> String {
        limit.text("a whole number")
    }
}

impl Value for Option<u64> {
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems> {
        u64::read(value, limit).map(Some)
    }

    fn to_toml(&self) -> Option<String> {
        self.map(|number| number.to_string())
    }

    fn domain(limit: Limit) -> String {
        u64::domain(limit)
    }
}

impl Value for bool {
    fn read(value: &DeValue<'_>, _: Limit) -> Result<Self, Problems> {
        let remedy = "write true or false, without quotes";
        Ok(value.as_bool().ok_or_else(|| wrong_type(value, "true or false", remedy))?)
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn domain(_: Limit) -> String {
        "true or false".to_owned()
    }
}

/// Longest name of the emitted hardware in characters.
const MAX_NAME: usize = 32;

impl Value for String {
    fn read(value: &DeValue<'_>, _: Limit) -> Result<Self, Problems> {
        let name = value.as_str().ok_or_else(|| wrong_type(value, "a string", "put it in double quotes"))?;
        let mut bytes = name.bytes();
        let starts_well = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase());
        let goes_on_well = bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if starts_well && goes_on_well && name.len() <= MAX_NAME && !name.contains("__") {
            return Ok(name.to_owned());
        }
        let rule = format!(
            "must be 1 to {MAX_NAME} of a-z, 0-9 and _, start with a letter and have no __, since modules and files are named after it"
        );
        Err(Problem::new(ErrorCode::Name, rule, "choose a name like \"my_tmu\"").into())
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("\"{self}\""))
    }

    fn domain(_: Limit) -> String {
        format!("1 to {MAX_NAME} of a-z, 0-9, _")
    }
}

impl<T: Choice> Value for T {
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems> {
        let name = value.as_str().ok_or_else(|| wrong_type(value, "a string", "put it in double quotes"))?;
        let unknown = |rule| {
            Problem::new(ErrorCode::UnknownChoice, rule, format!("use one of {}", limit.text(&list::<T>())))
        };
        let choice = T::from_name(name).map_err(|_| unknown(format!("is not {}", T::WHAT)))?;
        match limit {
            Limit::Names(names) if !names.contains(&name) => {
                Err(unknown(format!("is {} that this key does not take", T::WHAT)).into())
            }
            _ => Ok(choice),
        }
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("\"{self}\""))
    }

    fn domain(limit: Limit) -> String {
        limit.text(&list::<T>())
    }
}

impl<T: Choice> Value for Vec<T> {
    /// Every entry that is wrong is a problem of its own.
    fn read(value: &DeValue<'_>, limit: Limit) -> Result<Self, Problems> {
        let remedy = "put the names in brackets, separated by commas";
        let entries = value.as_array().ok_or_else(|| wrong_type(value, "a list of strings", remedy))?;
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for entry in entries.iter() {
            let mut refuse = |mut problem: Problem| {
                problem.place.span = Some(entry.span());
                wrong.push(problem);
            };
            match T::read(entry.get_ref(), limit) {
                Ok(choice) if found.contains(&choice) => {
                    refuse(Problem::new(ErrorCode::Repeated, "is listed twice", "list each entry once"));
                }
                Ok(choice) => found.push(choice),
                Err(problems) => problems.into_iter().for_each(refuse),
            }
        }
        if entries.is_empty() {
            let remedy = format!("list at least one of {}", list::<T>());
            wrong.push(Problem::new(ErrorCode::EmptyList, "must not be empty", remedy));
        }
        Problems::check(wrong)?;
        // The order means nothing, so equal sets are made equal.
        Ok(T::CHOICES.iter().copied().filter(|choice| found.contains(choice)).collect())
    }

    fn to_toml(&self) -> Option<String> {
        let names: Vec<_> = self.iter().map(|choice| format!("\"{choice}\"")).collect();
        Some(format!("[{}]", names.join(", ")))
    }

    fn domain(_: Limit) -> String {
        format!("a list of {}", list::<T>())
    }
}
