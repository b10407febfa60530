//! A stimulus that shows a difference, made shorter and emptier for as long as it still shows it.

use crate::run::{Engines, Reading, difference, first_rows};
use crate::{Error, Mismatch};
use tmu_verilate::Rows;

/// Attempts at most: each runs the readings again.
const ATTEMPTS: usize = 300;

/// Drops rows, in halves, quarters and so on, then sets inputs to zero, column by column and value by value.
pub(crate) fn shrink(
    engines: &mut Engines<'_>,
    reading: Reading,
    inputs: &Rows,
    (row, port): &(usize, String),
    seed: u64,
) -> Result<Mismatch, Error> {
    let rows_before = inputs.len();
    let mut search = Search { engines, reading, port, left: ATTEMPTS };
    let mut best = first_rows(inputs, row + 1);
    let mut size = best.len().div_ceil(2);
    while size > 0 {
        let mut from = 0;
        while from < best.len() && best.len() > 1 {
            match search.shows(&without(&best, from, size))? {
                Some(shorter) => best = shorter,
                None => from += size,
            }
        }
        size /= 2;
    }
    for column in best.layout().clone().columns() {
        let mut all = best.clone();
        (0..all.len()).for_each(|row| all.value_mut(row, column).fill(0));
        if let Some(emptier) = search.shows(&all)? {
            best = emptier;
            continue;
        }
        for row in (0..best.len()).rev() {
            if best.value(row, column).iter().all(|&word| word == 0) {
                continue;
            }
            let mut one = best.clone();
            one.value_mut(row, column).fill(0);
            if let Some(emptier) = search.shows(&one)? {
                best = emptier;
                break;
            }
        }
    }
    let expected = search.engines.interpreter(&best)?;
    let got = search.engines.run(reading, &best)?;
    let name = search.engines.name.clone();
    Ok(Mismatch { name, reading, port: port.clone(), inputs: best, expected, got, rows_before, seed })
}

struct Search<'a, 'b> {
    engines: &'a mut Engines<'b>,
    reading: Reading,
    port: &'a str,
    left: usize,
}

impl Search<'_, '_> {
    /// The rows up to the difference, where they show one in the same output.
    fn shows(&mut self, inputs: &Rows) -> Result<Option<Rows>, Error> {
        if self.left == 0 || inputs.is_empty() {
            return Ok(None);
        }
        self.left -= 1;
        let expected = self.engines.interpreter(inputs)?;
        let got = self.engines.run(self.reading, inputs)?;
        let found = difference(&expected, &got).filter(|(_, port)| port == self.port);
        Ok(found.map(|(row, _)| first_rows(inputs, row + 1)))
    }
}

fn without(rows: &Rows, from: usize, count: usize) -> Rows {
    let kept: Vec<usize> = (0..rows.len()).filter(|row| !(from..from + count).contains(row)).collect();
    let mut out = Rows::zeros(rows.layout().clone(), kept.len());
    for (to, row) in kept.into_iter().enumerate() {
        out.row_mut(to).copy_from_slice(rows.row(row));
    }
    out
}
