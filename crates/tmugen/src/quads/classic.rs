//! Quads of the classic numerics: nine columns in one order.

use super::{Columns, Found, HeaderProblem, parse_number, s16p16_help, shown};
use crate::files::kind::QUAD_COLUMNS;
use csv::ByteRecord;
use tmu_spec::Quad;

/// Columns `u0,v0,u1,v1,u2,v2,u3,v3,valid`.
pub(super) struct Classic;

impl Columns for Classic {
    type Quad = Quad;

    fn of_header(&self, record: &ByteRecord) -> Result<Self, HeaderProblem> {
        if record.iter().eq(QUAD_COLUMNS.iter().map(|column| column.as_bytes())) {
            return Ok(Classic);
        }
        let column =
            record.iter().zip(QUAD_COLUMNS).take_while(|(got, expected)| *got == expected.as_bytes()).count();
        let message = match (record.get(column), QUAD_COLUMNS.get(column)) {
            (Some(got), Some(expected)) => {
                format!("column {} is called {}, but must be {expected}", column + 1, shown(got))
            }
            (None, Some(expected)) => format!("the header ends before column {}, {expected}", column + 1),
            (got, None) => {
                format!("the header has a column {} too many, {}", column + 1, shown(got.unwrap_or(b"")))
            }
        };
        Err(HeaderProblem { column: column + 1, message })
    }

    fn quad(&self, record: &ByteRecord, line: usize, problems: &mut Found<'_>) -> Option<Quad> {
        if record.len() != QUAD_COLUMNS.len() {
            let help = format!("the columns are {}", QUAD_COLUMNS.join(","));
            problems.wrong_length(line, record.len(), QUAD_COLUMNS.len(), help);
            return None;
        }
        let mut uv = [[0; 2]; 4];
        let mut good = true;
        for (column, coordinate) in uv.as_flattened_mut().iter_mut().enumerate() {
            let field = &record[column];
            match parse_number(field) {
                Some(number) => *coordinate = number,
                None => {
                    let (name, wanted) = (QUAD_COLUMNS[column], "a 32-bit decimal integer");
                    problems.bad_field(line, column, name, field, wanted, s16p16_help(field));
                    good = false;
                }
            }
        }
        let valid = problems.valid_bits(line, 8, &record[8])?;
        good.then(|| Quad::new(uv, valid))
    }

    fn help(&self) -> String {
        format!("let the first line be {}", QUAD_COLUMNS.join(","))
    }
}
