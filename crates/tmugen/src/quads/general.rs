//! Quads of the general numerics: columns by name, in any order, and the samples that come of them.
//!
//! `u0 v0 w0 q0 d0` to `u3 … d3`, `valid` and `lod`. All but `u0` to `u3` and `valid` may be left out: then they are 0, and q is 1.
//! Coordinates and q are decimal integers in s16.16, or float literals; depths and `lod` always float literals; coordinates of
//! `fetch` always integers.

use super::columns::{Column, named};
use super::{Columns, Found, HeaderProblem, parse_number, s16p16_help};
use csv::ByteRecord;
use std::fmt::Write;
use tmu_spec::general::{Numbers, Operation, Pixel, Quad, QuadResult, ResultNumbers};
use tmu_spec::quad::PIXELS;

/// Place of q among the letters.
const Q: usize = 3;
/// Place of d among the letters.
const D: usize = 4;

/// The columns that a file has.
#[derive(Debug, Clone)]
pub(crate) struct General {
    numbers: Numbers,
    operation: Operation,
    columns: Vec<Column>,
}

impl General {
    /// Quads whose numbers have this form and that ask for this.
    pub(crate) const fn new(numbers: Numbers, operation: Operation) -> Self {
        Self { numbers, operation, columns: Vec::new() }
    }

    /// The bits of a field; none if it holds no number of its column.
    fn bits(&self, column: Column, field: &[u8]) -> Option<u32> {
        let integer = || parse_number::<i32>(field).map(|number| number as u32);
        let single = || parse_number::<f32>(field).map(f32::to_bits);
        match (column, self.numbers) {
            (Column::Lod | Column::Pixel(D, _), _) => single(),
            (Column::Pixel(letter, _), _) if letter < Q && self.operation == Operation::Fetch => integer(),
            (_, Numbers::S16p16) => integer(),
            (_, Numbers::Fp32) => single(),
        }
    }

    /// Notes a field that holds no number of its column.
    fn refuse(&self, column: Column, place: (usize, usize), field: &[u8], problems: &mut Found<'_>) {
        let (is_fetched, name) = (self.operation == Operation::Fetch, column.name());
        let (wanted, help) = match column {
            Column::Pixel(letter, _) if letter < Q && is_fetched => {
                ("a 32-bit decimal integer", "coordinates of fetch are texels".to_owned())
            }
            Column::Pixel(letter, _) if letter != D && self.numbers == Numbers::S16p16 => {
                ("a 32-bit decimal integer", s16p16_help(field))
            }
            _ => ("a number", "write it like 0.25, -3 or 1e-5".to_owned()),
        };
        problems.bad_field(place.0, place.1, &name, field, wanted, help);
    }
}

impl Columns for General {
    type Quad = Quad;

    fn of_header(&self, record: &ByteRecord) -> Result<Self, HeaderProblem> {
        Ok(Self { columns: named(record, &Column::all())?, ..self.clone() })
    }

    fn quad(&self, record: &ByteRecord, line: usize, problems: &mut Found<'_>) -> Option<Quad> {
        if record.len() != self.columns.len() {
            problems.wrong_length(line, record.len(), self.columns.len());
            return None;
        }
        let pixel = Pixel { q: self.numbers.one(), ..Pixel::default() };
        let mut quad = Quad { pixels: [pixel; PIXELS], operation: self.operation, ..Quad::default() };
        let mut good = true;
        for (number, (column, field)) in self.columns.iter().zip(record).enumerate() {
            if *column == Column::Valid {
                match problems.valid_bits(line, number, field) {
                    Some(valid) => quad.valid = valid,
                    None => good = false,
                }
                continue;
            }
            match (self.bits(*column, field), *column) {
                (Some(bits), Column::Pixel(letter, pixel)) => {
                    let Pixel { u, v, w, q, d } = &mut quad.pixels[pixel];
                    *[u, v, w, q, d][letter] = bits;
                }
                (Some(bits), _) => quad.lod = bits,
                (None, _) => {
                    self.refuse(*column, (line, number), field, problems);
                    good = false;
                }
            }
        }
        good.then_some(quad)
    }

    fn help(&self) -> String {
        "name the columns: u0 to u3 and valid, and of v0 to v3, w0 to w3, q0 to q3, d0 to d3 and lod what there is".to_owned()
    }
}

/// Appends the row of a sampled quad: the bits of its channels in hexadecimal digits.
pub(crate) fn write_sample(row: &mut String, result: &QuadResult, numbers: ResultNumbers) {
    let digits = numbers.channel_bits() as usize / 4;
    for channels in &result.channels {
        for channel in channels {
            let _ = write!(row, "{channel:0digits$x}");
            if numbers != ResultNumbers::Unorm8 {
                row.push(',');
            }
        }
        if numbers == ResultNumbers::Unorm8 {
            row.push(',');
        }
    }
    let _ = writeln!(row, "{},{}", result.valid, u8::from(result.error));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Failure;
    use std::path::Path;

    fn read(text: &str, columns: General) -> Result<Vec<Quad>, Failure> {
        let mut quads = Vec::new();
        super::super::read(text.as_bytes(), Path::new("q.csv"), columns, |quad| {
            quads.push(quad);
            Ok(())
        })?;
        Ok(quads)
    }

    #[test]
    fn columns_go_by_their_names() {
        let text = "lod,valid,u3,u2,u1,u0,d1,q2\n-1.5,5,4,3,2,1,0.25,131072\n";
        let [quad] = read(text, General::new(Numbers::S16p16, Operation::Bias)).unwrap()[..] else {
            panic!()
        };
        assert_eq!(quad.pixels.map(|pixel| pixel.u), [1, 2, 3, 4]);
        assert_eq!(quad.pixels.map(|pixel| pixel.q), [65536, 65536, 131_072, 65536]);
        assert_eq!((quad.pixels[1].d, quad.valid, quad.lod), (0.25f32.to_bits(), 5, (-1.5f32).to_bits()));
        assert_eq!((quad.pixels[0].v, quad.operation), (0, Operation::Bias));
        let text = "u0,u1,u2,u3,v0,valid\n0.5,nan,-inf,1e-3,-0,15\n";
        let [quad] = read(text, General::new(Numbers::Fp32, Operation::Sample)).unwrap()[..] else {
            panic!()
        };
        let singles = quad.pixels.map(|pixel| f32::from_bits(pixel.u));
        assert!(singles[0] == 0.5 && singles[1].is_nan() && singles[2] == f32::NEG_INFINITY);
        assert_eq!((quad.pixels[0].v, quad.pixels[0].q), (0x8000_0000, 0x3f80_0000));
        let fetched = read("u0,u1,u2,u3,valid\n-1,7,0,0,1\n", General::new(Numbers::Fp32, Operation::Fetch));
        assert_eq!(fetched.unwrap()[0].pixels.map(|pixel| pixel.u), [u32::MAX, 7, 0, 0]);
    }

    /// Text, code, column and a part of what is said.
    #[test]
    fn each_bad_file_says_where_and_why() {
        let cases = [
            ("u0,u1,u2,valid\n", "E0202", 5, "no column u3"),
            ("u0,u1,u2,u3,valid,x0\n", "E0202", 6, "\"x0\", which is no column"),
            ("u0,u1,u2,u3,valid,u0\n", "E0202", 6, "a second u0"),
            ("u0,u1,u2,u3,valid\n1,2,3,4\n", "E0203", 5, "4 fields"),
            ("u0,u1,u2,u3,valid\n0.5,2,3,4,1\n", "E0204", 1, "0.5 times 65536 is 32768"),
            ("u0,u1,u2,u3,valid\n1,2,3,4,16\n", "E0204", 5, "0 to 15"),
            ("u0,u1,u2,u3,valid,lod\n1,2,3,4,1,x\n", "E0204", 6, "not a number"),
        ];
        for (text, code, column, part) in cases {
            let failure = read(text, General::new(Numbers::S16p16, Operation::Sample)).unwrap_err();
            let problem = &failure.problems[0];
            assert_eq!((problem.code, problem.place.column), (code, Some(column)), "{text:?}");
            let said = format!("{}; {}", problem.message, problem.help);
            assert!(said.contains(part), "{part:?} in {said:?}");
        }
    }

    #[test]
    fn samples_are_written_as_bits() {
        let channels = [[1, 2, 3, 255], [0; 4], [0x10, 0, 0, 0], [0; 4]];
        let result = QuadResult { channels, valid: 5, error: false };
        let written = |numbers| {
            let mut text = crate::files::kind::sample_header(numbers);
            write_sample(&mut text, &result, numbers);
            text
        };
        assert_eq!(
            written(ResultNumbers::Unorm8),
            "rgba0,rgba1,rgba2,rgba3,valid,error\n010203ff,00000000,10000000,00000000,5,0\n"
        );
        let wide = written(ResultNumbers::Fp32);
        let (header, row) = wide.split_once('\n').unwrap();
        assert!(header.starts_with("r0,g0,b0,a0,r1,") && header.ends_with("a3,valid,error"));
        assert!(row.starts_with("00000001,00000002,00000003,000000ff,00000000,"), "{row}");
        assert!(written(ResultNumbers::Unorm16).contains("\n0001,0002,0003,00ff,"));
    }
}
