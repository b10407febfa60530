//! The points of a mesh from a CSV file: header `x,y,u,v`, a row for each point.

use std::path::Path;

use crate::problem::Rule;
use csv::{ReaderBuilder, StringRecord, Trim};
use tmu_assets::read_text;
use tmu_model::engines::mesh::job::MOST_RECTANGLES;
use tmu_problem::{Problems, Report};

/// The longest file, in bytes: points of the largest mesh, with room for blanks.
const MAX_BYTES: u64 = 4 << 20;
/// Mistakes of one file that are listed.
const MAX_PROBLEMS: usize = 20;

/// Points of a mesh, row by row: two words each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Points {
    pub(super) columns: u32,
    pub(super) words: Vec<[i32; 2]>,
}

/// Reads the points of a mesh of so many rectangles across and down. Where that is not known, rows are looked at each by itself.
pub(super) fn open(path: &Path, size: Option<[u32; 2]>) -> Result<Points, Problems> {
    let text = read_text(path, MAX_BYTES).map_err(|error| {
        let message = format!("the points cannot be read: {error}");
        Problems::one(Rule::File, path, message, "check the path")
    })?;
    parse(&text, path, size)
}

fn parse(text: &str, path: &Path, size: Option<[u32; 2]>) -> Result<Points, Problems> {
    let mut found = Found { report: Report::new(path), listed: 0 };
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let mut rows = reader.records();
    let header = rows.next().and_then(Result::ok);
    if !header.as_ref().is_some_and(|header| header.iter().eq(["x", "y", "u", "v"])) {
        found.add(1, "the header is not x,y,u,v".to_owned(), "write it as the first line");
        return found.report.finish(Points { columns: 0, words: Vec::new() });
    }
    let [across, down] = size.unwrap_or([MOST_RECTANGLES; 2]);
    let columns = across + 1;
    let mut unread = 0;
    let mut points: Vec<Option<([i32; 2], usize)>> = vec![None; (columns * (down + 1)) as usize];
    for row in rows {
        let Ok(row) = row else { continue };
        let line = row.position().map_or(0, |position| position.line() as usize);
        let [x, y, u, v] = match numbers(&row) {
            Ok(numbers) => numbers,
            Err(message) => {
                found.add(line, message, "write four integers: x, y, u and v");
                unread += 1;
                continue;
            }
        };
        let inside = |at: i32, most: u32| u32::try_from(at).is_ok_and(|at| at <= most);
        if !inside(x, across) || !inside(y, down) {
            let message =
                format!("point ({x}, {y}) lies outside the mesh, whose last one is ({across}, {down})");
            found.add(line, message, "leave it out, or correct hmeshlast or vmeshlast in the job");
            continue;
        }
        let place = &mut points[(y as u32 * columns + x as u32) as usize];
        if let Some((_, first)) = place {
            let message = format!("point ({x}, {y}) is there already, at line {first}");
            found.add(line, message, "leave one of them out");
        }
        *place = Some(([u, v], line));
    }
    let missing: Vec<_> = (0..).zip(&points).filter(|(_, point)| point.is_none()).map(|(at, _)| at).collect();
    // Rows that cannot be read may be those of the points that are missing.
    if let Some(first) = missing.first()
        && missing.len() > unread
        && size.is_some()
    {
        let (x, y) = (first % columns, first / columns);
        let message =
            format!("{} of {} points are missing, the first of them ({x}, {y})", missing.len(), points.len());
        found.report.add(
            Rule::MeshPoints,
            None,
            message,
            "add them: a mesh of h x v rectangles has h + 1 by v + 1 points",
        );
    }
    let words = points.into_iter().flatten().map(|(words, _)| words).collect();
    found.report.finish(Points { columns, words })
}

/// The four numbers of a row.
fn numbers(row: &StringRecord) -> Result<[i32; 4], String> {
    let fields: Vec<_> = row.iter().collect();
    let [x, y, u, v] = fields[..] else { return Err(format!("the row has {} fields, not 4", fields.len())) };
    let number = |name: &str, field: &str| {
        let shown: String = field.chars().take(40).collect();
        field.parse().map_err(|_| format!("{name} is \"{shown}\", which is no integer of 32 bits"))
    };
    Ok([number("x", x)?, number("y", y)?, number("u", u)?, number("v", v)?])
}

/// Mistakes, the first ones of which are listed.
struct Found {
    report: Report,
    listed: usize,
}

impl Found {
    fn add(&mut self, line: usize, message: String, help: &str) {
        self.listed += 1;
        match self.listed.cmp(&MAX_PROBLEMS) {
            std::cmp::Ordering::Less => self.report.add(Rule::MeshPoints, line, message, help),
            std::cmp::Ordering::Equal => {
                self.report.add(
                    Rule::MeshPoints,
                    line,
                    format!("{message}; further lines are not listed"),
                    help,
                );
            }
            std::cmp::Ordering::Greater => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Points, String> {
        parse(text, Path::new("m.csv"), Some([1, 1])).map_err(|problems| problems.to_string())
    }

    #[test]
    fn points_may_stand_in_any_order() {
        let points = parsed("x,y,u,v\n1,1,7,8\n0, 0, -1, 2\n\n1,0,3,4\n0,1,5,-2147483648\n").unwrap();
        assert_eq!(points.words, [[-1, 2], [3, 4], [5, i32::MIN], [7, 8]]);
        assert_eq!(points.columns, 2);
    }

    #[test]
    fn everything_that_is_wrong_is_told() {
        let whole = "x,y,u,v\n0,0,0,0\n1,0,0,0\n0,1,0,0\n";
        for (text, expected) in [
            (String::new(), vec!["m.csv:1: error[E0314]: the header is not x,y,u,v"]),
            ("u,v,x,y\n".to_owned(), vec!["m.csv:1: error[E0314]: the header is not x,y,u,v"]),
            (
                whole.to_owned(),
                vec!["m.csv: error[E0314]: 1 of 4 points are missing, the first of them (1, 1)"],
            ),
            (
                format!("{whole}1,1,0,0\n1,0,9,9\n"),
                vec!["m.csv:6: error[E0314]: point (1, 0) is there already, at line 3"],
            ),
            (
                format!("{whole}1,1,0,0\n2,0,0,0\n-1,0,0,0\n"),
                vec![
                    "m.csv:6: error[E0314]: point (2, 0) lies outside the mesh, whose last one is (1, 1)",
                    "m.csv:7: error[E0314]: point (-1, 0) lies outside",
                ],
            ),
            (
                "x,y,u,v\n0,0,0,0\n1,1,0.5,0\n1,1,0\n".to_owned(),
                vec![
                    "m.csv:3: error[E0314]: u is \"0.5\", which is no integer of 32 bits",
                    "m.csv:4: error[E0314]: the row has 3 fields, not 4",
                    "3 of 4 points are missing, the first of them (1, 0)",
                ],
            ),
        ] {
            let said = parsed(&text).unwrap_err();
            for part in expected {
                assert!(said.contains(part), "{text:?}: {part:?} is not in {said}");
            }
        }
    }

    #[test]
    fn what_may_be_a_point_is_not_missing_and_of_no_size_none_is() {
        let said = parsed("x,y,u,v\n0,0,0,0\n1,0,0,0\n0,1,0,0\n1,1,0.5,0\n").unwrap_err();
        assert!(!said.contains("missing"), "{said}");
        let points = parse("x,y,u,v\n127,3,0,0\n", Path::new("m.csv"), None);
        assert_eq!(points.unwrap().words.len(), 1);
    }

    #[test]
    fn a_file_of_mistakes_does_not_list_them_all() {
        let rows: String = (0..100).map(|_| "9,9,9,9\n").collect();
        let said = parsed(&format!("x,y,u,v\n{rows}")).unwrap_err();
        assert_eq!(said.matches("lies outside").count(), MAX_PROBLEMS);
        assert!(said.contains("further lines are not listed"), "{said}");
    }
}
