//! What the user sees: results on standard output, problems and progress on standard error.
//!
//! Where a file goes to standard output (`-`), results go to standard error.
//!
//! With `--json` standard output carries one JSON object, whether the command worked or not:
//! `{"ok": true, …}` or `{"ok": false, "exit": 1, "problems": [{"code": …, "message": …, "help": …, …}]}`.

use crate::files::standard::is_output_taken;
use crate::problem::{Exit, Failure};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use tmu_problem::Problem;

/// What a command that worked has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// For people, lines with their ends.
    pub text: String,
    /// Whether the command is of no use without its text (the address of `view`, a help), so that `--quiet` leaves it.
    pub is_needed: bool,
    /// For programs, a JSON object; null where there is nothing more to say.
    pub data: Value,
}

impl Summary {
    /// Text without which the command is of no use.
    pub fn needed(text: impl Into<String>, data: Value) -> Self {
        Summary { text: text.into(), is_needed: true, data }
    }

    /// For a command that has said everything while it ran, see [`announce`].
    pub fn nothing() -> Self {
        Summary { text: String::new(), is_needed: false, data: Value::Null }
    }

    /// What was done or found.
    pub fn note(text: impl Into<String>, data: Value) -> Self {
        Summary { text: text.into(), is_needed: false, data }
    }
}

/// How much is said and in which form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Verbosity {
    /// Say nothing when all goes well, and show no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print one JSON object on standard output instead of text, also for errors
    #[arg(long, global = true)]
    pub json: bool,
}

/// The two streams of the program.
pub struct Console<'a> {
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Whether standard error is a terminal: then problems are drawn with the lines that they stand in.
    pub err_is_terminal: bool,
}

impl Console<'_> {
    /// Shows how a command went and says how the program ends.
    pub fn finish(&mut self, verbosity: Verbosity, outcome: Result<Summary, Failure>) -> Exit {
        let (exit, shown) = match outcome {
            Ok(summary) => (Exit::Success, self.show_summary(verbosity, summary)),
            Err(failure) => (failure.exit, self.show_failure(verbosity, &failure)),
        };
        match shown {
            // A reader that has seen enough, like `head`, is no failure.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => exit.max(Exit::Output),
            _ => exit,
        }
    }

    fn show_summary(&mut self, verbosity: Verbosity, summary: Summary) -> io::Result<()> {
        // A file that goes to standard output has it alone.
        let out = if is_output_taken() { &mut *self.err } else { &mut *self.out };
        if verbosity.json {
            if summary.data.is_null() {
                return out.flush();
            }
            let mut object = json!({ "ok": true });
            merge(&mut object, summary.data);
            return writeln!(out, "{object:#}");
        }
        if summary.is_needed || !verbosity.quiet {
            out.write_all(summary.text.as_bytes())?;
        }
        out.flush()
    }

    fn show_failure(&mut self, verbosity: Verbosity, failure: &Failure) -> io::Result<()> {
        if verbosity.json {
            let problems: Vec<_> = failure.problems.iter().map(problem_json).collect();
            let object = json!({
                "ok": false,
                "exit": failure.exit.code(),
                "problems": problems,
                "omitted": failure.omitted,
            });
            return writeln!(self.out, "{object:#}");
        }
        let mut text = String::new();
        for problem in &failure.problems {
            text += &if self.err_is_terminal { drawn(problem) } else { format!("{problem}\n") };
        }
        if failure.omitted > 0 {
            let _ = writeln!(text, "… and {} more of the same kind", failure.omitted);
        }
        let first = failure.problems.first().map_or("CODE", |problem| problem.code);
        let _ = writeln!(text, "`tmugen explain {first}` says more");
        self.err.write_all(text.as_bytes())
    }
}

/// Shows a summary at once, for a command that goes on until it is interrupted.
///
/// # Errors
/// If standard output cannot be written to.
pub fn announce(verbosity: Verbosity, summary: Summary) -> io::Result<()> {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr());
    let mut console = Console { out: &mut out, err: &mut err, err_is_terminal: false };
    console.show_summary(verbosity, summary)?;
    out.flush()
}

/// Says on standard error what a command has come across while it runs, unless it is to be quiet.
pub(crate) fn note(verbosity: Verbosity, text: &str) {
    if !verbosity.quiet {
        // A note that nobody can read is no failure.
        let _ = writeln!(io::stderr(), "note: {text}");
    }
}

/// Adds the members of one JSON object to another.
fn merge(object: &mut Value, other: Value) {
    if let (Value::Object(object), Value::Object(other)) = (object, other) {
        object.extend(other);
    }
}

fn problem_json(problem: &Problem) -> Value {
    json!({
        "code": problem.code,
        "file": problem.place.file.as_ref().map(|file| file.display().to_string()),
        "line": problem.place.line,
        "column": problem.place.column,
        "message": problem.statement(),
        "help": problem.help,
    })
}

/// The longest file of which a line is shown, in bytes.
const MAX_SHOWN_BYTES: u64 = 16 << 20;

/// The problem under the line in which it stands, for terminals.
fn drawn(problem: &Problem) -> String {
    let source = problem.place.file.as_deref().zip(problem.place.line).and_then(|(file, line)| {
        // Not from a pipe, which would be waited for, nor from what has no end.
        let is_file = fs::metadata(file).is_ok_and(|metadata| metadata.is_file());
        let text = is_file.then(|| tmu_assets::read_text(file, MAX_SHOWN_BYTES).ok())??;
        // The file may have changed since.
        let span = problem.place.span.clone().filter(|span| text.get(span.clone()).is_some());
        let span = span.or_else(|| line_span(&text, line))?;
        Some((file.display().to_string(), text, span))
    });
    let title = match &source {
        None if problem.place.is_known() => format!("{}: {}", problem.place, problem.statement()),
        _ => problem.statement(),
    };
    let mut group = Group::with_title(Level::ERROR.primary_title(&title).id(problem.code));
    if let Some((file, text, span)) = &source {
        let mark = AnnotationKind::Primary.span(span.clone());
        group = group.element(Snippet::source(text).path(file).annotation(mark));
    }
    for note in &problem.notes {
        group = group.element(Level::NOTE.message(note.to_string()));
    }
    group = group.element(Level::HELP.message(&problem.help));
    // https://no-color.org
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let renderer = if is_plain { Renderer::plain() } else { Renderer::styled() };
    renderer.render(&[group]) + "\n"
}

/// The bytes of a line (from 1) without its end.
fn line_span(text: &str, line: usize) -> Option<Range<usize>> {
    let start = match line {
        0 | 1 => 0,
        _ => text.match_indices('\n').nth(line - 2)?.0 + 1,
    };
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Rule;
    use std::path::Path;
    use tmu_problem::Place;

    fn shown(
        verbosity: Verbosity,
        terminal: bool,
        outcome: Result<Summary, Failure>,
    ) -> (Exit, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, err_is_terminal: terminal };
        let exit = console.finish(verbosity, outcome);
        (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    const QUIET: Verbosity = Verbosity { quiet: true, json: false };
    const JSON: Verbosity = Verbosity { quiet: false, json: true };

    #[test]
    fn quiet_keeps_only_what_is_needed() {
        let data = json!({ "bytes": 7 });
        assert_eq!(shown(QUIET, false, Ok(Summary::note("done\n", data.clone()))).1, "");
        assert_eq!(shown(QUIET, false, Ok(Summary::needed("text\n", data.clone()))).1, "text\n");
        let (_, out, _) = shown(JSON, false, Ok(Summary::note("done\n", data)));
        assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), json!({ "ok": true, "bytes": 7 }));
    }

    #[test]
    fn problems_name_place_code_and_help() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("q.csv");
        fs::write(&file, "first\nsecond\nthird").unwrap();
        let problem =
            Problem::new(Rule::QuadValue, "not a number", "write one").in_file(&file).at(2, Some(3));
        let problem = problem.note("of the rows", Place::file(Path::new("b.csv")));
        let failure = Failure { omitted: 4, ..Failure::input(vec![problem]) };
        let (exit, _, plain) = shown(Verbosity::default(), false, Err(failure.clone()));
        assert_eq!(exit, Exit::Input);
        assert_eq!(
            plain,
            format!(
                "{}:2:3: error[E0204]: not a number\n  of the rows: b.csv\n  help: write one\n… and 4 more of the same kind\n\
                 `tmugen explain E0204` says more\n",
                file.display()
            )
        );
        let (_, _, drawn) = shown(Verbosity::default(), true, Err(failure.clone()));
        for part in ["E0204", "not a number", "second", "of the rows", "write one"] {
            assert!(drawn.contains(part), "{part} in {drawn}");
        }
        let (_, out, err) = shown(JSON, false, Err(failure));
        assert_eq!(err, "");
        let object: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(object["problems"][0]["line"], 2);
        assert_eq!(
            (&object["ok"], &object["exit"], &object["omitted"]),
            (&json!(false), &json!(1), &json!(4))
        );
    }
}
