//! Options whose value is a list parted by commas: every entry that is wrong is named at once.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How alike a name must be to one that there is to be taken for a slip: 1 is the same.
const ALIKE: f64 = 0.7;

/// The entries of one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<T: Clone> List<T> {
    /// The entries of all lists, where an option is given more than once.
    pub(crate) fn flat(lists: &[Self]) -> Vec<T> {
        lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }
}

/// What makes an entry of its text.
type Parse<T> = dyn Fn(&str) -> Option<T> + Send + Sync;

/// Reads lists of entries of one kind.
#[derive(Clone)]
pub(crate) struct ListParser<T> {
    /// The names that there are; none for numbers.
    names: Vec<PossibleValue>,
    /// What entries must be, for numbers.
    rule: String,
    parse: Arc<Parse<T>>,
}

/// A list of names, which `parse` knows.
pub(crate) fn names<T>(
    names: impl IntoIterator<Item = impl Into<PossibleValue>>,
    parse: impl Fn(&str) -> Option<T> + Send + Sync + 'static,
) -> ListParser<T> {
    let names = names.into_iter().map(Into::into).collect();
    ListParser { names, rule: String::new(), parse: Arc::new(parse) }
}

/// A list of numbers of a range.
pub(crate) fn numbers(range: RangeInclusive<u32>) -> ListParser<u32> {
    let rule = format!("give numbers of {} to {}", range.start(), range.end());
    let parse = move |entry: &str| entry.parse().ok().filter(|number| range.contains(number));
    ListParser { names: Vec::new(), rule, parse: Arc::new(parse) }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ListParser<T> {
    type Value = List<T>;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<List<T>, clap::Error> {
        let Some(text) = value.to_str() else {
            return Err(
                clap::Error::raw(ErrorKind::InvalidUtf8, "the list is not text in UTF-8").with_cmd(command)
            );
        };
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for entry in text.split(',') {
            match (self.parse)(entry) {
                Some(entry) => found.push(entry),
                None => wrong.push(entry),
            }
        }
        if wrong.is_empty() {
            return Ok(List(found));
        }
        let argument = argument.map_or_else(|| "...".to_owned(), ToString::to_string);
        Err(clap::Error::raw(ErrorKind::InvalidValue, self.message(&wrong, &argument)).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        (!self.names.is_empty()).then(|| Box::new(self.names.iter().cloned()) as Box<_>)
    }
}

impl<T> ListParser<T> {
    /// What is wrong with entries, in the words of the parser of single values.
    fn message(&self, wrong: &[&str], argument: &str) -> String {
        let quoted = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
            names.join(", ")
        };
        let values = if wrong.len() == 1 { "value" } else { "values" };
        let mut message = format!("invalid {values} {} for '{argument}'", quoted(wrong));
        if self.names.is_empty() {
            return format!("{message}: {}\n", self.rule);
        }
        let names: Vec<_> = self.names.iter().map(PossibleValue::get_name).collect();
        message += &format!("\n  [possible values: {}]\n", names.join(", "));
        let mut alike: Vec<_> = wrong.iter().filter_map(|entry| most_alike(entry, &names)).collect();
        alike.dedup();
        match alike.len() {
            0 => message,
            1 => message + &format!("\n  tip: a similar value exists: {}\n", quoted(&alike)),
            _ => message + &format!("\n  tip: similar values exist: {}\n", quoted(&alike)),
        }
    }
}

/// The name that an entry may have been meant for.
fn most_alike<'n>(entry: &str, names: &[&'n str]) -> Option<&'n str> {
    let scored = names.iter().map(|name| (strsim::jaro(entry, name), *name));
    let (score, name) = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (score > ALIKE).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Failure;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[arg(long, value_parser = names(["red", "green", "blue"], |name| {
            ["red", "green", "blue"].iter().position(|known| *known == name)
        }))]
        colours: Vec<List<usize>>,
        #[arg(long, default_value = "1,2", value_parser = numbers(1..=9))]
        sizes: Vec<List<u32>>,
    }

    fn parsed(words: &str) -> Result<Line, clap::Error> {
        Line::try_parse_from(words.split(' '))
    }

    #[test]
    fn lists_are_read_and_follow_each_other() {
        let line = parsed("line --colours blue,red --colours green").unwrap();
        assert_eq!(List::flat(&line.colours), [2, 0, 1]);
        assert_eq!(List::flat(&line.sizes), [1, 2]);
    }

    #[test]
    fn every_wrong_entry_is_named() {
        let error = parsed("line --colours grean,red,9,bleu").unwrap_err();
        let text = error.render().to_string();
        for part in [
            "error: invalid values 'grean', '9', 'bleu' for '--colours <COLOURS>'\n",
            "  [possible values: red, green, blue]\n",
            "tip: similar values exist: 'green', 'blue'",
        ] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        let problem = &Failure::usage(&error).problems[0];
        let message = "invalid values 'grean', '9', 'bleu' for '--colours <COLOURS>' [possible values: red, green, blue]";
        assert_eq!(problem.message, message);
        assert!(problem.help.contains("'green', 'blue'"), "{problem:?}");
        let text = parsed("line --sizes 1,x,10").unwrap_err().to_string();
        assert!(text.contains("'x', '10' for '--sizes <SIZES>': give numbers of 1 to 9"), "{text}");
        assert!(parsed("line --colours red,").is_err(), "an empty entry is wrong too");
    }
}
