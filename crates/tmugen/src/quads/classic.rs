//! Quads of the classic numerics: columns by name, in any order.
//!
//! `u0 v0` to `u3 v3` and `valid`; of the v may be left out what is 0. All are decimal integers.

use super::columns::{Column, named};
use super::{Columns, Found, HeaderProblem, parse_number, s16p16_help};
use crate::files::kind::QUAD_COLUMNS;
use csv::ByteRecord;
use tmu_spec::Quad;
use tmu_spec::quad::PIXELS;

/// The columns that a file has.
pub(super) struct Classic {
    columns: Vec<Column>,
}

impl Classic {
    /// Of a file that has not been looked at.
    pub(super) const fn new() -> Self {
        Self { columns: Vec::new() }
    }

    /// Those that there are: of all columns these.
    fn known() -> Vec<Column> {
        Column::all().into_iter().filter(|column| QUAD_COLUMNS.contains(&column.name().as_str())).collect()
    }
}

impl Columns for Classic {
    type Quad = Quad;

    fn of_header(&self, record: &ByteRecord) -> Result<Self, HeaderProblem> {
        Ok(Self { columns: named(record, &Self::known())? })
    }

    fn quad(&self, record: &ByteRecord, line: usize, problems: &mut Found<'_>) -> Option<Quad> {
        if record.len() != self.columns.len() {
            problems.wrong_length(line, record.len(), self.columns.len());
            return None;
        }
        let mut uv = [[0; 2]; PIXELS];
        let (mut valid, mut good) = (0, true);
        for (number, (column, field)) in self.columns.iter().zip(record).enumerate() {
            if *column == Column::Valid {
                match problems.valid_bits(line, number, field) {
                    Some(bits) => valid = bits,
                    None => good = false,
                }
            } else if let (Column::Pixel(letter, pixel), Some(coordinate)) = (*column, parse_number(field)) {
                uv[pixel][letter] = coordinate;
            } else {
                let wanted = "a 32-bit decimal integer";
                problems.bad_field(line, number, &column.name(), field, wanted, s16p16_help(field));
                good = false;
            }
        }
        good.then(|| Quad::new(uv, valid))
    }

    fn help(&self) -> String {
        format!("name the columns: {}", QUAD_COLUMNS.join(","))
    }
}
