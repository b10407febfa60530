//! TOML tables to values, key by key, so that everything that is wrong with a file is found in one go.
//!
//! Each key is taken from its [`Section`] by name and type. What is then left over is a key that does not exist.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use tmu_assets::Ignored;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::problem::Rule;
use tmu_problem::{Problems, Report};

/// A file being read, with what is wrong with it so far.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    pub(crate) report: Report,
    /// Files that were read.
    pub(crate) files: Vec<PathBuf>,
    /// What pictures say of their colours and is passed over.
    pub(crate) ignored: Vec<(PathBuf, Ignored)>,
    /// Keys that scenes of the other numerics have.
    pub(crate) other_keys: &'static [&'static str],
}

/// A value and the line at which it stands.
#[derive(Debug, Clone)]
pub(crate) struct Value<T> {
    pub(crate) value: T,
    pub(crate) line: usize,
}

/// A table of the file.
#[derive(Debug)]
pub(crate) struct Section<'t> {
    /// How the section is called in messages, such as `[image]`.
    pub(crate) label: String,
    pub(crate) line: usize,
    table: DeTable<'t>,
    known: Vec<&'static str>,
}

impl<'t> Document<'t> {
    /// Parses the text of `file`; the section is its root.
    ///
    /// # Errors
    /// Everything that is wrong with the syntax.
    pub(crate) fn parse(file: &Path, text: &'t str) -> Result<(Self, Section<'t>), Problems> {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut syntax = Report::new(file);
        for error in &errors {
            let line = error.span().map(|span| line_of(text, span.start));
            syntax.add(Rule::Syntax, line, one_line(error.message()), "correct the TOML syntax");
        }
        let table = root.into_inner();
        let root = Section { label: "the scene".to_owned(), line: 1, table, known: Vec::new() };
        let report = Report::new(file);
        let document = Self { text, report, files: Vec::new(), ignored: Vec::new(), other_keys: &[] };
        syntax.finish((document, root))
    }

    /// The line, from 1, of a byte of the text.
    fn line(&self, offset: usize) -> usize {
        line_of(self.text, offset)
    }

    /// Takes a sub-table, if it is there.
    pub(crate) fn table(&mut self, parent: &mut Section<'t>, key: &'static str) -> Option<Section<'t>> {
        let value = parent.take(key)?;
        self.section(value, format!("[{key}]"))
    }

    /// Takes an array of tables, which may be missing, with at most `limit` entries.
    pub(crate) fn tables(
        &mut self,
        parent: &mut Section<'t>,
        key: &'static str,
        limit: usize,
    ) -> Vec<Section<'t>> {
        let Some(value) = parent.take(key) else { return Vec::new() };
        let line = self.line(value.span().start);
        let DeValue::Array(entries) = value.into_inner() else {
            let message = format!("`{key}` is not a list of tables");
            self.report.add(Rule::WrongType, line, message, format!("write [[{key}]] above each entry"));
            return Vec::new();
        };
        if entries.len() > limit {
            let message =
                format!("{} has {} [[{key}]] tables; {limit} are the most", parent.label, entries.len());
            self.report.add(Rule::Limit, line, message, "leave some out");
            return Vec::new();
        }
        let label = |number: usize| format!("[[{key}]] {number}");
        entries
            .into_iter()
            .zip(1..)
            .filter_map(|(entry, number)| self.section(entry, label(number)))
            .collect()
    }

    fn section(&mut self, value: Spanned<DeValue<'t>>, label: String) -> Option<Section<'t>> {
        let line = self.line(value.span().start);
        match value.into_inner() {
            DeValue::Table(table) => Some(Section { label, line, table, known: Vec::new() }),
            other => {
                let message = format!("{label} is of type {}, not a table", other.type_str());
                self.report.add(Rule::WrongType, line, message, "write it as a table");
                None
            }
        }
    }

    /// Takes a key that may be missing.
    pub(crate) fn optional<T: DeserializeOwned>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
    ) -> Option<Value<T>> {
        let value = section.take(key)?;
        let line = self.line(value.span().start);
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Some(Value { value, line }),
            Err(error) => {
                let message = format!("{} `{key}`: {}", section.label, one_line(error.message()));
                self.report.add(Rule::WrongType, line, message, "give a value of the type that is expected");
                None
            }
        }
    }

    /// Notes that a key is missing, if it is; to be asked before the key is taken. `example` shows how it is written.
    pub(crate) fn require(&mut self, section: &Section<'t>, key: &str, example: &str) {
        if !section.table.contains_key(key) {
            let message = format!("{} has no `{key}`", section.label);
            self.report.add(Rule::MissingKey, section.line, message, format!("add `{key} = {example}`"));
        }
    }

    /// Takes a key that must be there; `example` shows how it is written.
    pub(crate) fn required<T: DeserializeOwned>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        example: &str,
    ) -> Option<Value<T>> {
        self.require(section, key, example);
        self.optional(section, key)
    }

    /// Takes a switch that may be missing.
    pub(crate) fn flag(&mut self, section: &mut Section<'t>, key: &'static str) -> Option<bool> {
        Some(self.optional(section, key)?.value)
    }

    /// Takes a number within a range that may be missing.
    pub(crate) fn number(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        range: RangeInclusive<f64>,
    ) -> Option<f64> {
        let number = self.optional::<f64>(section, key)?;
        self.check_range(section, key, number.line, number.value, &range).then_some(number.value)
    }

    /// Takes an integer within a range that may be missing.
    pub(crate) fn integer(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        range: RangeInclusive<u32>,
    ) -> Option<u32> {
        let value = self.signed(section, key, i64::from(*range.start())..=i64::from(*range.end()))?;
        u32::try_from(value).ok()
    }

    /// Takes an integer within a range, which may reach below 0, that may be missing.
    pub(crate) fn signed(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i64> {
        let Value { value, line } = self.optional::<i64>(section, key)?;
        if range.contains(&value) {
            return Some(value);
        }
        self.out_of_range(section, key, line, &value.to_string(), [range.start(), range.end()]);
        None
    }

    /// Takes a list of integers, all within a range, that may be missing.
    pub(crate) fn integers(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        range: RangeInclusive<u32>,
    ) -> Option<Value<Vec<u32>>> {
        let Value { value, line } = self.optional::<Vec<i64>>(section, key)?;
        let fits = |number: &i64| u32::try_from(*number).is_ok_and(|number| range.contains(&number));
        if let Some(wrong) = value.iter().find(|number| !fits(number)) {
            self.out_of_range(section, key, line, &wrong.to_string(), [range.start(), range.end()]);
            return None;
        }
        Some(Value { value: value.into_iter().map(|number| number as u32).collect(), line })
    }

    /// Takes a list of numbers, all within a range, that may be missing.
    pub(crate) fn vector<const N: usize>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        range: RangeInclusive<f64>,
    ) -> Option<[f64; N]> {
        let numbers = self.optional::<Vec<f64>>(section, key)?;
        let Ok(values) = <[f64; N]>::try_from(numbers.value.as_slice()) else {
            let message = format!("{} `{key}` has {} numbers, not {N}", section.label, numbers.value.len());
            self.report.add(Rule::WrongType, numbers.line, message, format!("give {N} numbers in brackets"));
            return None;
        };
        let mut fine = true;
        for value in values {
            fine &= self.check_range(section, key, numbers.line, value, &range);
        }
        fine.then_some(values)
    }

    /// Notes a number outside its range; what is not a number lies outside any.
    pub(crate) fn check_range(
        &mut self,
        section: &Section<'t>,
        key: &str,
        line: usize,
        value: f64,
        range: &RangeInclusive<f64>,
    ) -> bool {
        let fine = range.contains(&value);
        if !fine {
            self.out_of_range(section, key, line, &value.to_string(), [range.start(), range.end()]);
        }
        fine
    }

    fn out_of_range<T: std::fmt::Display>(
        &mut self,
        section: &Section<'t>,
        key: &str,
        line: usize,
        value: &str,
        [start, end]: [T; 2],
    ) {
        let message = format!("{} `{key}` is {value}; it lies within {start} and {end}", section.label);
        self.report.add(Rule::OutOfRange, line, message, "give a value within the limits");
    }

    /// Takes one of some names that may be missing; `parse` tells what is wrong with another and, after a semicolon,
    /// what to do.
    pub(crate) fn choice<T>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let name = self.optional::<String>(section, key)?;
        match parse(&name.value) {
            Ok(value) => Some(value),
            Err(text) => {
                let (wrong, remedy) = text.split_once("; ").unwrap_or((&text, "correct the name"));
                let message = format!("{} `{key}`: {wrong}", section.label);
                self.report.add(Rule::OutOfRange, name.line, message, remedy);
                None
            }
        }
    }

    /// Notes what is left in a section: keys that do not exist there.
    pub(crate) fn finish(&mut self, section: Section<'t>) {
        let keys = format!("the keys here are {}", section.known.join(", "));
        let mut left: Vec<_> =
            section.table.keys().map(|key| (self.line(key.span().start), key.get_ref().clone())).collect();
        left.sort();
        for (line, key) in left {
            let message = format!("{} has no key `{key}`", section.label);
            let remedy = match self.other_keys.contains(&&*key) {
                true => "write `numerics = \"general\"` at the top of the scene, or leave it out",
                false => &keys,
            };
            self.report.add(Rule::UnknownKey, line, message, remedy);
        }
    }
}

impl<'t> Section<'t> {
    /// Whether a key is there that was not taken yet.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Passes over what is left, of which nothing can be said.
    pub(crate) fn ignore_rest(&mut self) {
        self.table.clear();
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'t>>> {
        self.known.push(key);
        self.table.remove(key)
    }
}

/// The line, from 1, of a byte of a text.
fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// The parser's messages may have several lines.
fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(", ")
}
