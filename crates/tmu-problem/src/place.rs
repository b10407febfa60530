//! Where something is wrong: a file, a line, a column, a stretch of text, as far as each is known.

use std::fmt;
use std::ops::Range;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// A place in a text. What is not known is left out; of the default nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file that holds the text.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in that line, from 1: of CSV files the field, of others the character.
    pub column: Option<usize>,
    /// The bytes of the text.
    pub span: Option<Range<usize>>,
}

impl Place {
    /// A file as a whole.
    pub fn file(file: &Path) -> Self {
        Place { file: Some(file.to_path_buf()), ..Place::default() }
    }

    /// The bytes `span` of `text`, with their line and column. Bytes behind its end are at its end.
    pub fn span(text: &str, span: Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            file: None,
            line: Some(before.matches('\n').count() + 1),
            column: Some(before[line_start..].chars().count() + 1),
            span: Some(span),
        }
    }

    /// Whether anything is known that can be shown.
    pub fn is_known(&self) -> bool {
        self.file.is_some() || self.line.is_some() || self.column.is_some()
    }
}

/// A place in the Rust source that describes something.
impl From<&Location<'_>> for Place {
    fn from(source: &Location<'_>) -> Self {
        Place {
            file: Some(source.file().into()),
            line: Some(source.line() as usize),
            column: Some(source.column() as usize),
            span: None,
        }
    }
}

/// `file:line:column`, as far as they are known.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let numbers = [self.line, self.column].map(|number| number.map(|number| number.to_string()));
        let known: Vec<_> = [file].into_iter().chain(numbers).flatten().collect();
        f.write_str(&known.join(":"))
    }
}
