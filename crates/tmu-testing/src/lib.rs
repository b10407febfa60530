//! What the tests of several crates share: the repository's files, settings from the environment, and committed files
//! that are made from something else; random pixel shaders, and what frames of them need. For tests only: everything panics with what to do.

pub mod pixel;
pub mod shaders;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A number from the environment; none where the variable is not set.
///
/// # Panics
/// If it is set to something else.
pub fn setting(variable: &str) -> Option<u64> {
    Some(number(variable, &std::env::var(variable).ok()?))
}

fn number(variable: &str, text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{variable} = {text} is no number"))
}

/// Whether a variable is set that asks for committed files to be made anew.
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// Checks that a committed file, named from the repository's root, is what it would be now. Where the variable is set
/// the file is written; `command` is what to run for that.
///
/// # Panics
/// If it is not, with the first line that differs.
pub fn check_committed(file: &str, text: &str, variable: &str, command: &str) {
    let path = repository().join(file);
    if is_set(variable) {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    if let Some(difference) = difference(&path, text) {
        panic!("{file} is out of date, {difference}\nrun {variable}=1 {command} and commit it");
    }
}

/// The variable that asks for pages of measured figures, which the long run sets.
pub const UPDATE_MEASURED: &str = "UPDATE_MEASURED";

/// Writes a page of measured figures, named from the repository's root, where the long run is at it. At any other time the
/// page stays as it is: figures move with every change, so a quick run holds claims about them and no bytes.
///
/// # Panics
/// If the page cannot be written.
pub fn write_measured(page: &str, text: &str) {
    if is_set(UPDATE_MEASURED) {
        fs::write(repository().join(page), text).unwrap_or_else(|error| panic!("{page}: {error}"));
    }
}

/// Where a file is not the text.
fn difference(path: &Path, text: &str) -> Option<String> {
    let committed = match fs::read_to_string(path) {
        Ok(committed) => committed,
        Err(error) => return Some(error.to_string()),
    };
    if committed == text {
        return None;
    }
    let lines = || committed.split_inclusive('\n').map(Some).chain([None]);
    let differing = (1..).zip(lines().zip(text.split_inclusive('\n').map(Some).chain([None])));
    let (number, (committed, made)) =
        differing.into_iter().find(|(_, (committed, made))| committed != made)?;
    let shown = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("{line:?}"));
    Some(format!("line {number}: expected {}, committed is {}", shown(made), shown(committed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.md");
        fs::write(&path, "one\ntwo\n").unwrap();
        let cases = [
            ("one\ntwo\n", None),
            ("one\n2\n", Some("line 2: expected \"2\\n\", committed is \"two\\n\"")),
            ("one\n", Some("line 2: expected nothing, committed is \"two\\n\"")),
            ("one\ntwo\nthree", Some("line 3: expected \"three\", committed is nothing")),
            ("one\ntwo", Some("line 2: expected \"two\", committed is \"two\\n\"")),
        ];
        for (text, expected) in cases {
            assert_eq!(difference(&path, text).as_deref(), expected, "{text:?}");
        }
        assert!(difference(&folder.path().join("none.md"), "").is_some());
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(number("SIZE", "12"), 12);
        assert!(std::panic::catch_unwind(|| number("SIZE", "many")).is_err());
    }

    #[test]
    fn the_repository_is_found() {
        assert!(repository().join("Cargo.lock").is_file());
    }
}
