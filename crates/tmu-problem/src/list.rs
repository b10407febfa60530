//! Problems gathered so that all of them are reported at once.

use crate::{Place, Problem, RuleCode};
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything that is wrong, never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A single problem with a file as a whole.
    pub fn one(
        rule: impl RuleCode,
        file: &Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Problem::new(rule, message, help).in_file(file).into()
    }

    /// Goes on if nothing was found.
    ///
    /// # Errors
    /// Everything that was found.
    pub fn check(found: Vec<Problem>) -> Result<(), Self> {
        if found.is_empty() { Ok(()) } else { Err(Problems(found)) }
    }

    /// The problems, in the order in which they were found.
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// The same problems, all in a file.
    #[must_use]
    pub fn in_file(self, file: &Path) -> Self {
        Problems(self.0.into_iter().map(|problem| problem.in_file(file)).collect())
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem])
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One problem below the other.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.0.iter().map(Problem::to_string).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// Gathers the problems of one file.
#[derive(Debug)]
pub struct Report {
    file: PathBuf,
    found: Vec<Problem>,
}

impl Report {
    /// Nothing is wrong yet with this file.
    pub fn new(file: &Path) -> Self {
        Report { file: file.to_path_buf(), found: Vec::new() }
    }

    /// Notes a problem at a line (from 1), or with the file as a whole.
    pub fn add(
        &mut self,
        rule: impl RuleCode,
        line: impl Into<Option<usize>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = Place { line: line.into(), ..Place::file(&self.file) };
        self.found.push(Problem { place, ..Problem::new(rule, message, help) });
    }

    /// Takes over what is wrong with another file.
    pub fn absorb(&mut self, other: Problems) {
        self.found.extend(other);
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// `value` if nothing is wrong, or everything that is.
    ///
    /// # Errors
    /// Everything that was added.
    pub fn finish<T>(self, value: T) -> Result<T, Problems> {
        Problems::check(self.found)?;
        Ok(value)
    }
}
