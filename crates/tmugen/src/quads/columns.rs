//! The columns of lists of quads, by their names.

use super::{HeaderProblem, shown};
use csv::ByteRecord;
use tmu_spec::quad::PIXELS;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// A number of a pixel: the letter's place in `uvwqd`, and the pixel.
    Pixel(usize, usize),
    Valid,
    Lod,
}

/// The letters of a pixel's numbers.
const LETTERS: [char; 5] = ['u', 'v', 'w', 'q', 'd'];

impl Column {
    /// Those of the general numerics, which has all.
    pub(super) fn all() -> Vec<Column> {
        let of_pixels = (0..PIXELS).flat_map(|pixel| (0..5).map(move |letter| Column::Pixel(letter, pixel)));
        of_pixels.chain([Column::Valid, Column::Lod]).collect()
    }

    pub(super) fn name(self) -> String {
        match self {
            Column::Pixel(letter, pixel) => format!("{}{pixel}", LETTERS[letter]),
            Column::Valid => "valid".to_owned(),
            Column::Lod => "lod".to_owned(),
        }
    }

    const fn is_required(self) -> bool {
        matches!(self, Column::Pixel(0, _) | Column::Valid)
    }
}

/// The columns that a header names, of those that are known here.
pub(super) fn named(record: &ByteRecord, known: &[Column]) -> Result<Vec<Column>, HeaderProblem> {
    let mut columns = Vec::new();
    for (number, name) in record.iter().enumerate() {
        let problem = |message| HeaderProblem { column: number + 1, message };
        let Some(column) = known.iter().find(|column| column.name().as_bytes() == name) else {
            let is_general = Column::all().iter().any(|column| column.name().as_bytes() == name);
            let of = if is_general { "quads of this preset" } else { "quads" };
            let message =
                format!("column {} is called {}, which is no column of {of}", number + 1, shown(name));
            return Err(problem(message));
        };
        if columns.contains(column) {
            return Err(problem(format!("column {} is a second {}", number + 1, column.name())));
        }
        columns.push(*column);
    }
    match known.iter().find(|column| column.is_required() && !columns.contains(column)) {
        None => Ok(columns),
        Some(missing) => {
            let message = format!("the header has no column {}", missing.name());
            Err(HeaderProblem { column: record.len() + 1, message })
        }
    }
}
