//! The keys of a descriptor, read one after the other.
//!
//! Contract: what is missing, unknown or of the wrong type goes into the report, with its line; reading goes on.

use crate::problem::Rule;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use tmu_problem::{Problems, Report};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A descriptor being read.
pub(super) struct Fields<'t> {
    text: &'t str,
    table: &'t DeTable<'t>,
    pub(super) report: Report,
}

/// The line (from 1) in which a span starts.
fn line_of(text: &str, span: &Range<usize>) -> usize {
    let start = span.start.min(text.len());
    1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count()
}

/// Reads the text of a descriptor with `read`, which returns none only after it reported why.
///
/// # Errors
/// [`Rule::DescriptorSyntax`], and what `read` reports.
pub(super) fn read_fields<T>(
    text: &str,
    path: &Path,
    read: impl FnOnce(&mut Fields) -> Option<T>,
) -> Result<T, Problems> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut fields = Fields { text, table: table.get_ref(), report: Report::new(path) };
    for error in &errors {
        let line = error.span().map(|span| line_of(text, &span));
        fields.report.add(
            Rule::DescriptorSyntax,
            line,
            error.message(),
            "write lines of the form `key = value`, or pack the picture again",
        );
    }
    let value = if errors.is_empty() { read(&mut fields) } else { None };
    fields.report.finish(value).map(|value| value.expect("a value where nothing is wrong"))
}

impl<'t> Fields<'t> {
    /// The first of some keys in the order of the file, with its line.
    pub(super) fn first_of(&self, keys: &[&str]) -> Option<(&'t str, usize)> {
        let table = self.table;
        let found = table.keys().filter(|key| keys.contains(&key.get_ref().as_ref()));
        let first = found.min_by_key(|key| key.span().start)?;
        Some((first.get_ref(), line_of(self.text, &first.span())))
    }

    pub(super) fn refuse_unknown_keys(&mut self, known: &[&str]) {
        for key in self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let line = line_of(self.text, &key.span());
            let message = format!("`{}` is not a key of a descriptor", key.get_ref());
            self.report.add(Rule::DescriptorKey, line, message, format!("the keys are {}", known.join(", ")));
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The line of a key's value.
    pub(super) fn line(&self, key: &str) -> Option<usize> {
        self.table.get(key).map(|value| line_of(self.text, &value.span()))
    }

    /// The line of an entry of a key's list; that of the list if there is no such entry.
    pub(super) fn line_of_entry(&self, key: &str, entry: u32) -> Option<usize> {
        let value = self.table.get(key)?.get_ref().as_array().and_then(|list| list.get(entry as usize));
        value.map_or_else(|| self.line(key), |value| Some(line_of(self.text, &value.span())))
    }

    fn value(&mut self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        let value = self.table.get(key);
        if value.is_none() {
            let message = format!("the key `{key}` is missing");
            self.report.add(Rule::DescriptorKey, None, message, "add it, or pack the picture again");
        }
        value
    }

    fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue>, needed: &str) {
        let message = format!("`{key}` is of type {}, but must be {needed}", value.get_ref().type_str());
        let line = line_of(self.text, &value.span());
        self.report.add(Rule::DescriptorKey, line, message, format!("give {needed}"));
    }

    /// A value that goes by a name.
    pub(super) fn name<T: FromStr<Err: Display>>(&mut self, key: &str) -> Option<T> {
        let value = self.value(key)?;
        let Some(name) = value.get_ref().as_str() else {
            self.wrong_type(key, value, "a string");
            return None;
        };
        match name.parse() {
            Ok(parsed) => Some(parsed),
            Err(error) => {
                let line = line_of(self.text, &value.span());
                let message = format!("`{key}`: {error}");
                self.report.add(Rule::DescriptorValue, line, message, "check the spelling");
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, key: &str) -> Option<bool> {
        let value = self.value(key)?;
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        boolean
    }

    /// An integer of 0 to 2³² - 1; what it may be within that is for the texture to say.
    pub(super) fn integer(&mut self, key: &str) -> Option<u32> {
        let value = self.value(key)?;
        self.integer_of(key, value)
    }

    /// A list of such integers.
    pub(super) fn integers(&mut self, key: &str) -> Option<Vec<u32>> {
        let value = self.value(key)?;
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "a list of integers");
            return None;
        };
        let numbers: Vec<_> = list.iter().map(|entry| self.integer_of(key, entry)).collect();
        numbers.into_iter().collect()
    }

    fn integer_of(&mut self, key: &str, value: &Spanned<DeValue>) -> Option<u32> {
        let Some(digits) = value.get_ref().as_integer() else {
            self.wrong_type(key, value, "an integer");
            return None;
        };
        let number = u32::from_str_radix(digits.as_str(), digits.radix());
        if number.is_err() {
            let message = format!("`{key}` is {digits}, but must be 0 or more and below 2^32");
            let line = line_of(self.text, &value.span());
            self.report.add(Rule::DescriptorValue, line, message, "pack the picture again");
        }
        number.ok()
    }
}
