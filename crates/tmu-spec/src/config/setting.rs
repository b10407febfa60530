//! One setting: its key, default, limit and value, and how it is taken from a TOML file.
//!
//! A group of settings is declared once, by [`group!`]; reading, the canonical text and the reference page all
//! follow from that declaration. Reading reports every problem and goes on with the default, so that one run
//! shows all that is wrong.

use super::error::ErrorCode;
use super::value::{Limit, Value, wrong_type};
use std::fmt::Write as _;
use std::ops::Range;
use tmu_problem::{Place, Problem, Problems};
use toml::de::{DeTable, DeValue};

/// A setting as it was read.
#[derive(Debug, Clone)]
pub(super) struct Setting<T> {
    /// Its full key.
    pub(super) key: &'static str,
    /// Its value: the default if the key was absent or faulty.
    pub(super) value: T,
    /// Where its value stands, if it was there.
    pub(super) span: Option<Range<usize>>,
    /// Whether the value is legal by itself. Rules across keys leave the others alone.
    pub(super) sound: bool,
}

/// What the reference page says about a key.
pub(super) struct KeyDoc {
    pub(super) key: &'static str,
    pub(super) domain: String,
    pub(super) default: Option<String>,
    /// The doc comment, line by line.
    pub(super) text: &'static [&'static str],
}

/// What the reference page says about a group of keys.
pub(super) struct GroupDoc {
    /// Name of the TOML table; empty for the keys that stand outside all tables.
    pub(super) table: &'static str,
    /// The doc comment, line by line.
    pub(super) text: &'static [&'static str],
    pub(super) keys: Vec<KeyDoc>,
}

impl GroupDoc {
    /// The keys in Markdown.
    pub(super) fn markdown(&self) -> String {
        let title = if self.table.is_empty() {
            "Outside all tables".to_owned()
        } else {
            format!("`[{}]`", self.table)
        };
        let mut page = format!("\n## {title}\n\n{}\n\n", prose(self.text));
        page.push_str("| key | values | default | meaning |\n| --- | --- | --- | --- |\n");
        for KeyDoc { key, domain, default, text } in &self.keys {
            let default = default.as_ref().map_or_else(|| "none".to_owned(), |value| format!("`{value}`"));
            let _ = writeln!(page, "| `{key}` | {domain} | {default} | {} |", prose(text));
        }
        page
    }
}

/// Joins the lines of a doc comment; an empty line stays a break.
fn prose(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// Reads settings and collects what is wrong with them.
pub(super) struct Reader<'a> {
    source: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// Parses the file.
    ///
    /// # Errors
    /// Every place where it is not TOML; what it means is then not worth looking at.
    pub(super) fn parse(source: &'a str) -> Result<(Self, DeTable<'a>), Problems> {
        let (table, toml_errors) = DeTable::parse_recoverable(source);
        let mut reader = Reader { source, problems: Vec::new() };
        for toml_error in toml_errors {
            let rule = toml_error.message().trim().replace('\n', ", ");
            let syntax = Problem::new(ErrorCode::Syntax, rule, "correct the TOML at this place");
            reader.report(syntax, "", "", toml_error.span());
        }
        reader.check()?;
        Ok((reader, table.into_inner()))
    }

    /// Collects one problem of a key; an empty key is none.
    pub(super) fn report(&mut self, problem: Problem, key: &str, value: &str, span: Option<Range<usize>>) {
        let place = span.map_or_else(Place::default, |span| Place::span(self.source, span));
        let problem = Problem { place, ..problem };
        // A list may go over many lines; a message has one.
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        self.problems.push(if key.is_empty() { problem } else { problem.about(key, value) });
    }

    /// The text at a span.
    pub(super) fn text(&self, span: Range<usize>) -> &'a str {
        self.source.get(span).unwrap_or_default()
    }

    /// Takes one key out of its table.
    pub(super) fn take<T: Value>(
        &mut self,
        table: &mut DeTable<'_>,
        key: &'static str,
        limit: Limit,
        default: T,
    ) -> Setting<T> {
        let name = key.rsplit('.').next().unwrap_or(key);
        let Some(found) = table.remove(name) else {
            return Setting { key, value: default, span: None, sound: true };
        };
        let span = found.span();
        match T::read(found.get_ref(), limit) {
            Ok(value) => Setting { key, value, span: Some(span), sound: true },
            Err(problems) => {
                for problem in problems {
                    let span = problem.place.span.clone().unwrap_or_else(|| span.clone());
                    self.report(problem, key, self.text(span.clone()), Some(span));
                }
                Setting { key, value: default, span: Some(span), sound: false }
            }
        }
    }

    /// Takes a table of keys out of the file; an empty one if it is absent.
    pub(super) fn take_table<'t>(&mut self, file: &mut DeTable<'t>, name: &str) -> DeTable<'t> {
        let Some(found) = file.remove(name) else { return DeTable::new() };
        let span = found.span();
        match found.into_inner() {
            DeValue::Table(table) => table,
            other => {
                let text = self.text(span.clone());
                let remedy = format!("write [{name}] on a line by itself and its keys below");
                self.report(wrong_type(&other, "a table", remedy), name, text, Some(span));
                DeTable::new()
            }
        }
    }

    /// Reports the keys that are left when all that are known have been taken. `known` are the keys and tables
    /// to look for a likely meaning in.
    pub(super) fn refuse_rest(&mut self, rest: &DeTable<'_>, prefix: &str, known: &[&str]) {
        for (name, value) in rest {
            let key = format!("{prefix}{}", name.get_ref());
            let remedy = nearest(&key, known).map_or_else(
                || "remove it; the reference page lists all settings".to_owned(),
                |near| format!("did you mean {near}?"),
            );
            let unknown = Problem::new(ErrorCode::UnknownKey, "is not a setting", remedy);
            let text = if value.get_ref().is_table() { "" } else { self.text(value.span()) };
            self.report(unknown, &key, text, Some(name.span()));
        }
    }

    /// Goes on if nothing is wrong so far.
    ///
    /// # Errors
    /// All problems in the order of the file; those without a place come last.
    pub(super) fn check(&mut self) -> Result<(), Problems> {
        let start = |problem: &Problem| problem.place.span.as_ref().map_or(usize::MAX, |span| span.start);
        self.problems.sort_by_key(|problem| (start(problem), problem.code));
        Problems::check(std::mem::take(&mut self.problems))
    }
}

/// The known key most like an unknown one; none if its last part is unlike all of theirs.
fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let alike = |candidate: &str| strsim::jaro_winkler(&last(candidate), &last(key));
    let score = |candidate: &str| strsim::jaro_winkler(candidate, key) + alike(candidate);
    let close = known.iter().copied().filter(|candidate| alike(candidate) > 0.85);
    close.max_by(|a, b| score(a).total_cmp(&score(b)))
}

/// Declares a group of settings: a struct with one [`Setting`] per key, read from the TOML table of its name.
///
/// `$prefix` is the table's name and a point, or empty for keys outside all tables. Doc comments become the
/// reference page. A key marked `later` came after files had been named by their settings: its default is not written, so that
/// those names stay what they were.
macro_rules! group {
    (
        $(#[doc = $about:literal])*
        $group:ident, $table:literal, $prefix:literal {
            $( $(#[doc = $text:literal])* $key:ident: $type:ty = $default:expr, $limit:expr $(, $later:ident)?; )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone)]
        pub(super) struct $group {
            $( $(#[doc = $text])* pub(super) $key: Setting<$type>, )*
        }

        impl $group {
            /// Full keys, in the order of declaration.
            pub(super) const KEYS: &'static [&'static str] = &[$(concat!($prefix, stringify!($key))),*];

            /// Reads the group's keys from its table and refuses all others there.
            pub(super) fn read(reader: &mut Reader<'_>, table: &mut DeTable<'_>, known: &[&str]) -> Self {
                let group = Self {
                    $( $key: reader.take(table, concat!($prefix, stringify!($key)), $limit, $default), )*
                };
                reader.refuse_rest(table, $prefix, known);
                group
            }

            /// Writes the group as TOML, every key with its value; nothing where all of them are left out.
            pub(super) fn write(&self, out: &mut String) {
                let mut lines = String::new();
                $(
                    let default: $type = $default;
                    let came_later = !(&[$(stringify!($later))?] as &[&str]).is_empty();
                    let is_left_out = came_later && self.$key.value == default;
                    if let Some(value) = Value::to_toml(&self.$key.value).filter(|_| !is_left_out) {
                        lines.push_str(concat!(stringify!($key), " = "));
                        lines.push_str(&value);
                        lines.push('\n');
                    }
                )*
                if !lines.is_empty() && !$table.is_empty() {
                    out.push_str(concat!("\n[", $table, "]\n"));
                }
                out.push_str(&lines);
            }

            /// What the reference page says about the group.
            pub(super) fn doc() -> GroupDoc {
                GroupDoc {
                    table: $table,
                    text: &[$($about),*],
                    keys: vec![$( KeyDoc {
                        key: concat!($prefix, stringify!($key)),
                        domain: <$type as Value>::domain($limit),
                        default: Value::shown(&{ let default: $type = $default; default }),
                        text: &[$($text),*],
                    } ),*],
                }
            }
        }
    };
}
pub(super) use group;
