//! Lists of quads in and out, lists of samples out: the CSV files of `tmugen sample`.
//!
//! `Q.csv` has the header `u0,v0,u1,v1,u2,v2,u3,v3,valid`, in any order: decimal s16.16 integers and the four valid bits as a number
//! of 0 to 15. `R.csv` has `rgba0,rgba1,rgba2,rgba3,valid,error`: colours as eight hex digits RRGGBBAA, and 0 or 1.
//! Contract: rows are handed on one by one, so memory does not grow with the file, until a row is bad; then the rest is
//! only checked, and everything that is wrong is reported at once (the first [`MAX_PROBLEMS`] of it in full).

mod classic;
mod columns;
pub(crate) mod general;

use crate::problem::{Exit, Failure, Rule};
use csv::{ByteRecord, ReaderBuilder, Trim};
use std::cell::Cell;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;
use tmu_problem::Problem;
use tmu_spec::{Quad, QuadResult};

/// Problems of one file that are listed in full.
pub const MAX_PROBLEMS: usize = 20;

/// The longest field that is repeated in a message, in bytes.
const MAX_SHOWN_BYTES: usize = 40;

/// The longest row, in bytes; one of nine numbers has at most 100.
const MAX_ROW_BYTES: usize = 64 << 10;

/// The columns of a list of quads, and how a row becomes a quad.
pub(crate) trait Columns: Sized {
    /// What a row becomes.
    type Quad;

    /// Reads the header. A wrong one stops everything: no row can be trusted under it.
    fn of_header(&self, record: &ByteRecord) -> Result<Self, HeaderProblem>;

    /// The quad of a row, or nothing after all that is wrong has been noted.
    fn quad(&self, record: &ByteRecord, line: usize, problems: &mut Found<'_>) -> Option<Self::Quad>;

    /// What to do about a wrong header.
    fn help(&self) -> String;
}

/// What is wrong with a header, and the column in which it shows, from 1.
#[derive(Debug)]
pub(crate) struct HeaderProblem {
    column: usize,
    message: String,
}

/// Reads quads and hands each to `on_quad`; returns how many there were. `path` is for messages.
///
/// # Errors
/// The first failure of `on_quad`, or everything that is wrong with the file.
pub fn read_quads(
    source: impl Read,
    path: &Path,
    on_quad: impl FnMut(Quad) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    read(source, path, classic::Classic::new(), on_quad)
}

/// The same with columns of another kind.
///
/// # Errors
/// As [`read_quads`].
pub(crate) fn read<C: Columns>(
    source: impl Read,
    path: &Path,
    columns: C,
    mut on_quad: impl FnMut(C::Quad) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let budget = Cell::new(0);
    let limited = Limited { source, budget: &budget };
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(limited);
    let mut problems = Found { path, listed: Vec::new(), omitted: 0 };
    let mut record = ByteRecord::new();
    let mut quads = 0;
    let mut found = None;
    loop {
        budget.set(MAX_ROW_BYTES);
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return Err(unreadable(path, &error)),
        }
        let line = record.position().map_or(0, |position| position.line() as usize);
        let Some(columns) = &found else {
            found = Some(columns.of_header(&record).map_err(|wrong| {
                let help = if is_text(&record) { columns.help() } else { NOT_UTF_8.to_owned() };
                let problem = Problem::new(Rule::QuadHeader, wrong.message, help);
                Failure::input(vec![problem.in_file(path).at(line, Some(wrong.column))])
            })?);
            continue;
        };
        if let Some(quad) = columns.quad(&record, line, &mut problems)
            && problems.listed.is_empty()
        {
            on_quad(quad)?;
            quads += 1;
        }
    }
    if found.is_none() {
        return Err(Failure::in_file(Rule::QuadHeader, path, "the file is empty", columns.help()));
    }
    problems.finish(quads)
}

/// A source of rows that fails when more is read than one row may have, so that a file without an end of line (or with a
/// quotation mark that is never closed) does not fill the memory.
struct Limited<'b, R> {
    source: R,
    /// Bytes that may still be read for this row.
    budget: &'b Cell<usize>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.budget.get();
        if left == 0 {
            let message = format!("a row is longer than {MAX_ROW_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        let most = buffer.len().min(left);
        let bytes = self.source.read(&mut buffer[..most])?;
        self.budget.set(left - bytes);
        Ok(bytes)
    }
}

fn unreadable(path: &Path, error: &csv::Error) -> Failure {
    Failure::in_file(Rule::Read, path, format!("the quads cannot be read: {error}"), "check the file")
}

/// What to do about bytes that are no text.
const NOT_UTF_8: &str = "save the list as CSV in UTF-8 (not UTF-16 or Latin-1)";

fn is_text(record: &ByteRecord) -> bool {
    record.iter().all(|field| std::str::from_utf8(field).is_ok())
}

fn parse_number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// A field as it is repeated in a message.
fn shown(field: &[u8]) -> String {
    let cut = &field[..field.len().min(MAX_SHOWN_BYTES)];
    let dots = if cut.len() < field.len() { "…" } else { "" };
    format!("{:?}{dots}", String::from_utf8_lossy(cut))
}

/// What to do about a coordinate that is no s16.16 number.
fn s16p16_help(field: &[u8]) -> String {
    match parse_number::<f64>(field).map(|number| number * 65536.0) {
        Some(scaled) if field.contains(&b'.') && scaled.abs() < 2f64.powi(31) => {
            format!("coordinates are s16.16: {} times 65536 is {scaled:.0}", String::from_utf8_lossy(field))
        }
        _ => "coordinates are s16.16 as integers of -2147483648 to 2147483647; 1.0 is 65536".to_owned(),
    }
}

/// Everything that is wrong with a file so far.
pub(crate) struct Found<'p> {
    path: &'p Path,
    listed: Vec<Problem>,
    omitted: usize,
}

impl Found<'_> {
    fn add(&mut self, rule: Rule, line: usize, column: usize, message: String, help: impl Into<String>) {
        if self.listed.len() < MAX_PROBLEMS {
            self.listed.push(Problem::new(rule, message, help).in_file(self.path).at(line, Some(column)));
        } else {
            self.omitted += 1;
        }
    }

    /// Notes a field that is no number of its column; the row is not good.
    fn bad_field(
        &mut self,
        line: usize,
        column: usize,
        name: &str,
        field: &[u8],
        wanted: &str,
        help: String,
    ) {
        let message = format!("column {} ({name}) holds {}, which is not {wanted}", column + 1, shown(field));
        let help = if std::str::from_utf8(field).is_err() { NOT_UTF_8.to_owned() } else { help };
        self.add(Rule::QuadValue, line, column + 1, message, help);
    }

    /// The valid bits in a field, if they are.
    fn valid_bits(&mut self, line: usize, column: usize, field: &[u8]) -> Option<u8> {
        let valid = parse_number::<u8>(field).filter(|valid| *valid < 16);
        if valid.is_none() {
            let help = "bit i of the number stands for pixel i".to_owned();
            self.bad_field(line, column, "valid", field, "a number of 0 to 15", help);
        }
        valid
    }

    /// Notes a row of another length than the header.
    fn wrong_length(&mut self, line: usize, fields: usize, columns: usize) {
        let message = format!("the row has {fields} fields, but must have {columns}");
        let help = "each row has a field for each column of the header".to_owned();
        self.add(Rule::QuadFields, line, fields.min(columns) + 1, message, help);
    }

    fn finish<T>(self, value: T) -> Result<T, Failure> {
        if self.listed.is_empty() {
            Ok(value)
        } else {
            Err(Failure { exit: Exit::Input, problems: self.listed, omitted: self.omitted })
        }
    }
}

/// Appends the row of a quad.
pub fn write_quad(rows: &mut String, quad: &Quad) {
    for coordinate in quad.uv().as_flattened() {
        let _ = write!(rows, "{coordinate},");
    }
    let _ = writeln!(rows, "{}", quad.valid());
}

/// Appends the row of a sampled quad.
pub fn write_sample(row: &mut String, result: &QuadResult) {
    for rgba in result.rgba() {
        let _ = write!(row, "{:08x},", u32::from_be_bytes(*rgba));
    }
    let _ = writeln!(row, "{},{}", result.valid(), u8::from(result.error()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::kind::SAMPLE_HEADER;

    const HEADER: &str = "u0,v0,u1,v1,u2,v2,u3,v3,valid\n";

    fn read(text: &[u8]) -> Result<Vec<Quad>, Failure> {
        let mut quads = Vec::new();
        let count = read_quads(text, Path::new("q.csv"), |quad| {
            quads.push(quad);
            Ok(())
        })?;
        assert_eq!(count, quads.len() as u64);
        Ok(quads)
    }

    #[test]
    fn good_rows_become_quads() {
        let rows = "0,1,2,3,4,5,6,7,15\r\n\r\n -2147483648 ,2147483647,-1,+1,65536,-65536,00,7,0";
        let quads = read(format!("\u{feff}{HEADER}{rows}").as_bytes()).unwrap();
        let expected = [
            Quad::new([[0, 1], [2, 3], [4, 5], [6, 7]], 15),
            Quad::new([[i32::MIN, i32::MAX], [-1, 1], [65536, -65536], [0, 7]], 0),
        ];
        assert_eq!(quads, expected);
        let mut written = HEADER.to_owned();
        expected.iter().for_each(|quad| write_quad(&mut written, quad));
        assert_eq!(read(written.as_bytes()).unwrap(), expected);
        assert_eq!(read(HEADER.as_bytes()).unwrap(), []);
    }

    /// Text, and for each expected problem its code, line, column and a part of its message or help.
    #[test]
    fn each_bad_file_says_where_and_why() {
        type Expected = &'static [(&'static str, Option<usize>, Option<usize>, &'static str)];
        let row = |row: &str| format!("{HEADER}{row}\n");
        let cases: [(String, Expected); 12] = [
            (String::new(), &[("E0202", None, None, "empty")]),
            ("u0,v0\n".into(), &[("E0202", Some(1), Some(3), "has no column u1")]),
            (
                "u0,v0,u1,v1,u2,v2,u3,v3,valid,w\n".into(),
                &[("E0202", Some(1), Some(10), "\"w\", which is no column of quads")],
            ),
            (
                "u,v0,u1,v1,u2,v2,u3,v3,valid\n".into(),
                &[("E0202", Some(1), Some(1), "called \"u\", which is no column")],
            ),
            (row("0,0,0,0,0,0,0,0"), &[("E0203", Some(2), Some(9), "8 fields")]),
            (row("0,0,0,0,0,0,0,0,15,0"), &[("E0203", Some(2), Some(10), "10 fields")]),
            (row("0,0,0,x,0,0,0,0,15"), &[("E0204", Some(2), Some(4), "column 4 (v1) holds \"x\"")]),
            (row("0,0,0.5,0,0,0,0,0,15"), &[("E0204", Some(2), Some(3), "0.5 times 65536 is 32768")]),
            (row("2147483648,0,0,0,0,0,0,0,15"), &[("E0204", Some(2), Some(1), "2147483647")]),
            (row("0,0,0,0,0,0,0,0,16"), &[("E0204", Some(2), Some(9), "not a number of 0 to 15")]),
            (row("0,0,0,0,0,0,0,0,-1"), &[("E0204", Some(2), Some(9), "\"-1\"")]),
            (
                row("0,0,0,0,0,0,0,0,15\n,0,0,0,0,0,0,0,99\n1,2"),
                &[
                    ("E0204", Some(3), Some(1), "\"\""),
                    ("E0204", Some(3), Some(9), "\"99\""),
                    ("E0203", Some(4), Some(3), "2 fields"),
                ],
            ),
        ];
        for (text, expected) in cases {
            let failure = read(text.as_bytes()).unwrap_err();
            assert_eq!(failure.exit, Exit::Input);
            assert_eq!(failure.problems.len(), expected.len(), "{text:?}: {failure:?}");
            for (problem, (code, line, column, part)) in failure.problems.iter().zip(expected) {
                assert_eq!(
                    (problem.code, problem.place.line, problem.place.column),
                    (*code, *line, *column),
                    "{text:?}"
                );
                let said = format!("{}; {}", problem.message, problem.help);
                assert!(said.contains(part), "{part:?} in {said:?}");
            }
        }
    }

    #[test]
    fn columns_go_by_their_names() {
        let quads = read(b"valid,u3,u2,u1,u0,v1\n5,4,3,2,1,7\n").unwrap();
        assert_eq!(quads, [Quad::new([[1, 0], [2, 7], [3, 0], [4, 0]], 5)]);
        let failure = read(b"u0,u1,u2,u3,valid,lod\n").unwrap_err();
        assert!(failure.problems[0].message.contains("no column of quads of this preset"), "{failure:?}");
    }

    #[test]
    fn the_list_of_problems_ends() {
        let text = HEADER.to_owned() + &"x,0,0,0,0,0,0,0,15\n".repeat(1000);
        let failure = read(text.as_bytes()).unwrap_err();
        assert_eq!((failure.problems.len(), failure.omitted), (MAX_PROBLEMS, 1000 - MAX_PROBLEMS));
    }

    #[test]
    fn rows_without_an_end_are_refused() {
        for start in ["", HEADER, "u0,\"", &format!("{HEADER}1,\"")] {
            let source = start.as_bytes().chain(io::repeat(b' '));
            let failure = read_quads(source, Path::new("q.csv"), |_| Ok(())).unwrap_err();
            let said = &failure.problems[0];
            assert!(said.message.contains("a row is longer than 65536 bytes"), "{start:?}: {said:?}");
        }
        // Rows may be as many as they like, and as long as half of that.
        let row = "0,0,0,0,0,0,0,0,15".to_owned() + &" ".repeat(MAX_ROW_BYTES / 2) + "\n";
        assert_eq!(read((HEADER.to_owned() + &row.repeat(40)).as_bytes()).unwrap().len(), 40);
    }

    #[test]
    fn bytes_that_are_no_text_are_a_problem_like_any_other() {
        let failure = read(&[HEADER.as_bytes(), b"0,\xff\xfe,0,0,0,0,0,0,15\n"].concat()).unwrap_err();
        assert_eq!((failure.problems[0].place.line, failure.problems[0].place.column), (Some(2), Some(2)));
        assert!(failure.problems[0].help.contains("UTF-8"), "{failure:?}");
        let utf_16: Vec<u8> = HEADER.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let failure = read(&[&[0xff, 0xfe], utf_16.as_slice()].concat()).unwrap_err();
        assert_eq!((failure.problems[0].code, failure.problems[0].place.line), ("E0202", Some(1)));
        assert!(failure.problems[0].help.contains("not UTF-16"), "{failure:?}");
    }

    #[test]
    fn samples_are_written_with_red_first() {
        let mut row = SAMPLE_HEADER.to_owned();
        let rgba = [[0x01, 0x23, 0x45, 0xff], [0; 4], [0xab, 0, 0, 1], [255; 4]];
        write_sample(&mut row, &QuadResult::new(rgba, 0b1101, false));
        write_sample(&mut row, &QuadResult::failed(2));
        assert_eq!(
            row,
            "rgba0,rgba1,rgba2,rgba3,valid,error\n012345ff,00000000,ab000001,ffffffff,13,0\n\
             00000000,00000000,00000000,00000000,2,1\n"
        );
    }
}
