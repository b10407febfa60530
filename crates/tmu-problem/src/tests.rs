//! How problems are printed, place by place, and how they are gathered.

use super::*;
use std::panic::Location;

/// A rule with this code.
struct Rule(&'static str);

impl RuleCode for Rule {
    fn code(self) -> &'static str {
        self.0
    }
}

fn problem() -> Problem {
    Problem::new(Rule("E0004"), "must be 1 to 16", "use 16")
}

#[test]
fn each_part_is_printed_where_there_is_one() {
    let file = Path::new("dir/a.toml");
    let text = "# \u{e9}\nunits = 40 # \u{e9}";
    let span = text.find("40").unwrap();
    let place = Place::span(text, span..span + 2);
    assert_eq!(place.span.clone().map(|span| &text[span]), Some("40"));
    let here = Place { file: Some("lib.rs".into()), line: Some(7), column: Some(3), span: None };
    let full = Problem { place, ..problem() }.in_file(file).about("units", "40");
    let full = full.note("in top.unit", Place::default()).note("counter", here);
    let cases = [
        (problem(), "error[E0004]: must be 1 to 16\n  help: use 16"),
        (problem().about("units", ""), "error[E0004]: units: must be 1 to 16\n  help: use 16"),
        (problem().in_file(file), "dir/a.toml: error[E0004]: must be 1 to 16\n  help: use 16"),
        (problem().at(3, None), "3: error[E0004]: must be 1 to 16\n  help: use 16"),
        (problem().in_file(file).at(3, None), "dir/a.toml:3: error[E0004]: must be 1 to 16\n  help: use 16"),
        (
            full,
            "dir/a.toml:2:9: error[E0004]: units = 40: must be 1 to 16\n  in top.unit\n  counter: lib.rs:7:3\n  \
             help: use 16",
        ),
    ];
    for (problem, expected) in cases {
        assert_eq!(problem.to_string(), expected);
    }
}

#[test]
fn places_count_characters_and_end_with_the_text() {
    let text = "ab\n\u{e9}\u{e9}=\n";
    let cases = [(0..1, "1:1"), (2..3, "1:3"), (3..5, "2:1"), (7..8, "2:3"), (9..9, "3:1"), (90..95, "3:1")];
    for (span, expected) in cases {
        assert_eq!(Place::span(text, span.clone()).to_string(), expected, "{span:?}");
    }
    let source = Location::caller();
    let place = Place::from(source).to_string();
    assert_eq!(place, format!("{}:{}:{}", source.file(), source.line(), source.column()));
    assert_eq!((Place::default().to_string().as_str(), Place::default().is_known()), ("", false));
}

#[test]
fn lists_hold_and_print_all_of_two_files() {
    let mut report = Report::new(Path::new("a.toml"));
    assert!(report.is_empty());
    report.add(Rule("E0110"), 3, "too long", "cut it");
    assert!(!report.is_empty());
    report.absorb(Problems::one(Rule("E0101"), Path::new("b"), "gone", "find it"));
    let problems = report.finish(()).unwrap_err();
    let codes: Vec<_> = problems.as_slice().iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["E0110", "E0101"]);
    let text = "a.toml:3: error[E0110]: too long\n  help: cut it\nb: error[E0101]: gone\n  help: find it";
    assert_eq!(problems.to_string(), text);
    let moved = problems.in_file(Path::new("c"));
    let places: Vec<_> = moved.into_iter().map(|problem| problem.place.to_string()).collect();
    assert_eq!(places, ["c:3", "c"]);

    assert_eq!(Report::new(Path::new("a")).finish(5), Ok(5));
    assert_eq!(Problems::check(vec![]), Ok(()));
    assert_eq!(Problems::check(vec![problem()]), Err(problem().into()));
}
