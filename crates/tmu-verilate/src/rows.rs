//! Stimulus and response as packed rows of 32-bit words.
//!
//! A row holds one value for each column, a column is a port. Each value takes `ceil(width / 32)` words, low
//! word first, so the same rows drive Verilator and Icarus and compare word by word. Bits above a port's width
//! are ignored in inputs and zero in outputs.

use std::fmt;
use std::sync::Arc;

use crate::source::{Direction, ModelSource, Port};

/// What one row of inputs means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// One evaluation a row. The rows carry every input, clocks too, which covers any ratio of clocks: data
    /// inputs take their new values and settle, then the clocks change, then the outputs are recorded.
    Evaluations,
    /// One clock cycle a row, all clocks together, for combinational paths and single-clock designs. The rows
    /// carry the inputs without the clocks: inputs are applied and the clocks fall, the outputs are recorded,
    /// the clocks rise.
    Cycles,
}

/// One column of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The port's name.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// Index of the port in the source's list.
    pub port: usize,
    /// First word in the row.
    pub offset: usize,
    /// Words taken up.
    pub words: usize,
}

/// Which ports a row carries and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowLayout {
    columns: Vec<Column>,
    words: usize,
}

impl RowLayout {
    /// The inputs that a run with this schedule expects, in the order of the port list.
    pub fn inputs(source: &ModelSource, schedule: Schedule) -> Self {
        Self::of(source, |port| match port.direction {
            Direction::Input => true,
            Direction::Clock => schedule == Schedule::Evaluations,
            Direction::Output => false,
        })
    }

    /// The outputs that a run records, in the order of the port list.
    pub fn outputs(source: &ModelSource) -> Self {
        Self::of(source, |port| port.direction == Direction::Output)
    }

    fn of(source: &ModelSource, take: impl Fn(&Port) -> bool) -> Self {
        let mut offset = 0;
        let ports = source.ports.iter().enumerate().filter(|(_, port)| take(port));
        let columns = ports
            .map(|(index, port)| {
                let (width_bits, words) = (port.width_bits, port.words());
                offset += words;
                Column { name: port.name.clone(), width_bits, port: index, offset: offset - words, words }
            })
            .collect();
        Self { columns, words: offset }
    }

    /// The columns in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of the port called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Words in a row.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// Rows of two-valued bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    layout: Arc<RowLayout>,
    rows: usize,
    words: Vec<u32>,
}

impl Rows {
    /// `rows` rows of zeros.
    pub fn zeros(layout: RowLayout, rows: usize) -> Self {
        let words = vec![0; layout.words * rows];
        Self { layout: Arc::new(layout), rows, words }
    }

    /// `rows` rows whose words come from `next`, called in row order, for instance a seeded generator.
    pub fn generate(layout: RowLayout, rows: usize, next: impl FnMut() -> u32) -> Self {
        let mut all = Self::zeros(layout, rows);
        all.words.fill_with(next);
        let layout = Arc::clone(&all.layout);
        for row in 0..rows {
            for column in &layout.columns {
                mask_top(all.value_mut(row, column), column.width_bits);
            }
        }
        all
    }

    /// Where each port stands in a row.
    pub fn layout(&self) -> &RowLayout {
        &self.layout
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.words[row * self.layout.words..][..self.layout.words]
    }

    /// One row, to be filled in.
    pub fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.words[row * self.layout.words..][..self.layout.words]
    }

    /// The words of one value.
    pub fn value(&self, row: usize, column: &Column) -> &[u32] {
        &self.row(row)[column.offset..][..column.words]
    }

    /// The words of one value, to be filled in.
    pub fn value_mut(&mut self, row: usize, column: &Column) -> &mut [u32] {
        &mut self.row_mut(row)[column.offset..][..column.words]
    }

    /// Sets the value of the port called `name`, zero-extended to its width.
    ///
    /// # Panics
    /// If the layout has no such column or the value does not fit it.
    pub fn set(&mut self, row: usize, name: &str, value: u64) {
        let column = self.named(name).clone();
        assert!(
            column.width_bits >= 64 || value >> column.width_bits == 0,
            "{value:#x} does not fit `{name}`, which has {} bits",
            column.width_bits
        );
        let words = self.value_mut(row, &column);
        words.fill(0);
        words[0] = value as u32;
        if let Some(high) = words.get_mut(1) {
            *high = (value >> 32) as u32;
        }
    }

    /// The value of the port called `name`, which has at most 64 bits.
    ///
    /// # Panics
    /// If the layout has no such column or it is wider.
    pub fn get(&self, row: usize, name: &str) -> u64 {
        let column = self.named(name);
        assert!(column.width_bits <= 64, "`{name}` has {} bits: read its words", column.width_bits);
        let words = self.value(row, column);
        u64::from(words[0]) | words.get(1).map_or(0, |&high| u64::from(high) << 32)
    }

    fn named(&self, name: &str) -> &Column {
        self.layout.column(name).unwrap_or_else(|| panic!("the rows have no column `{name}`"))
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }
}

/// Rows of four-valued bits, as an event simulator reports them.
///
/// Bits that are X or Z have their bit in `unknown` set; the bit in `value` is then 1 for X and 0 for Z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FourStateRows {
    /// The bits that are known.
    pub value: Rows,
    /// Where bits are X or Z.
    pub unknown: Rows,
}

impl FourStateRows {
    /// One value as binary digits, `x` and `z`, highest bit first.
    pub fn digits(&self, row: usize, column: &Column) -> String {
        let (value, unknown) = (self.value.value(row, column), self.unknown.value(row, column));
        (0..column.width_bits as usize)
            .rev()
            .map(|bit| match (bit_of(unknown, bit), bit_of(value, bit)) {
                (false, false) => '0',
                (false, true) => '1',
                (true, true) => 'x',
                (true, false) => 'z',
            })
            .collect()
    }

    /// The first value that is not fully known.
    pub fn first_unknown(&self) -> Option<(usize, &Column)> {
        (0..self.unknown.len()).find_map(|row| {
            let columns = self.unknown.layout().columns().iter();
            columns
                .map(|column| (row, column))
                .find(|&(row, column)| self.unknown.value(row, column) != vec![0; column.words])
        })
    }

    /// The first value that is not exactly `expected`; an X or Z differs from everything.
    pub fn first_difference(&self, expected: &Rows) -> Option<Difference> {
        first_difference(expected, self.value.len(), |row, column| {
            let unknown = self.unknown.value(row, column);
            let same = self.value.value(row, column) == expected.value(row, column);
            (!same || unknown.iter().any(|&word| word != 0))
                .then(|| format!("'b{}", self.digits(row, column)))
        })
    }
}

impl Rows {
    /// The first value that is not `expected`.
    pub fn first_difference(&self, expected: &Rows) -> Option<Difference> {
        first_difference(expected, self.len(), |row, column| {
            let got = self.value(row, column);
            (got != expected.value(row, column)).then(|| hexadecimal(got, column.width_bits))
        })
    }
}

/// A value that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Row from 0.
    pub row: usize,
    /// Name of the port, or "number of rows".
    pub port: String,
    /// What was expected, as a Verilog literal.
    pub expected: String,
    /// What was found.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, {}: expected {}, got {}", self.row, self.port, self.expected, self.got)
    }
}

fn first_difference(
    expected: &Rows,
    rows: usize,
    got: impl Fn(usize, &Column) -> Option<String>,
) -> Option<Difference> {
    for row in 0..rows.min(expected.len()) {
        for column in expected.layout().columns() {
            if let Some(got) = got(row, column) {
                let expected = hexadecimal(expected.value(row, column), column.width_bits);
                return Some(Difference { row, port: column.name.clone(), expected, got });
            }
        }
    }
    (rows != expected.len()).then(|| Difference {
        row: rows.min(expected.len()),
        port: "number of rows".to_owned(),
        expected: expected.len().to_string(),
        got: rows.to_string(),
    })
}

/// A value as an unsized hexadecimal Verilog literal.
fn hexadecimal(words: &[u32], width_bits: u32) -> String {
    format!("'h{}", hex_digits(words, width_bits))
}

/// All `ceil(width / 4)` hexadecimal digits of a value, highest first.
pub(crate) fn hex_digits(words: &[u32], width_bits: u32) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
    digits[digits.len() - width_bits.div_ceil(4) as usize..].to_owned()
}

/// Clears the bits above `width_bits` in the highest word.
pub(crate) fn mask_top(words: &mut [u32], width_bits: u32) {
    if let (Some(top), rest @ 1..) = (words.last_mut(), width_bits % 32) {
        *top &= (1 << rest) - 1;
    }
}

fn bit_of(words: &[u32], bit: usize) -> bool {
    words[bit / 32] >> (bit % 32) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> ModelSource {
        let ports = vec![Port::clock("c"), Port::input("a", 40), Port::output("y", 3), Port::input("b", 64)];
        ModelSource::single("m", "", ports)
    }

    fn names(layout: &RowLayout) -> Vec<(&str, usize, usize)> {
        layout.columns().iter().map(|column| (column.name.as_str(), column.offset, column.port)).collect()
    }

    #[test]
    fn a_layout_has_the_ports_that_its_schedule_carries() {
        let cycles = RowLayout::inputs(&source(), Schedule::Cycles);
        assert_eq!((names(&cycles), cycles.words()), (vec![("a", 0, 1), ("b", 2, 3)], 4));
        let evaluations = RowLayout::inputs(&source(), Schedule::Evaluations);
        assert_eq!(
            (names(&evaluations), evaluations.words()),
            (vec![("c", 0, 0), ("a", 1, 1), ("b", 3, 3)], 5)
        );
        assert_eq!(names(&RowLayout::outputs(&source())), [("y", 0, 2)]);
    }

    #[test]
    fn values_are_set_whole_and_cut_to_their_width() {
        let layout = RowLayout::inputs(&source(), Schedule::Cycles);
        let mut rows = Rows::generate(layout.clone(), 2, || u32::MAX);
        assert_eq!(rows.row(0), [u32::MAX, 0xff, u32::MAX, u32::MAX]);
        rows.set(1, "a", 0x12_3456_789a);
        rows.set(1, "b", 7);
        assert_eq!(rows.row(1), [0x3456_789a, 0x12, 7, 0]);
        assert_eq!((rows.get(1, "a"), rows.get(0, "b")), (0x12_3456_789a, u64::MAX));
        let difference = rows.first_difference(&Rows::generate(layout, 2, || u32::MAX)).unwrap();
        assert_eq!(difference.to_string(), "row 1, a: expected 'hffffffffff, got 'h123456789a");
    }

    #[test]
    #[should_panic(expected = "0x10000000000 does not fit `a`, which has 40 bits")]
    fn a_value_that_does_not_fit_is_refused() {
        Rows::zeros(RowLayout::inputs(&source(), Schedule::Cycles), 1).set(0, "a", 1 << 40);
    }

    #[test]
    fn a_missing_row_is_a_difference() {
        let layout = RowLayout::outputs(&source());
        let (short, long) = (Rows::zeros(layout.clone(), 3), Rows::zeros(layout, 4));
        assert_eq!(
            short.first_difference(&long).unwrap().to_string(),
            "row 3, number of rows: expected 4, got 3"
        );
    }

    #[test]
    fn hexadecimal_has_as_many_digits_as_the_width_needs() {
        for (words, width, expected) in
            [(&[5][..], 1, "5"), (&[0xabc, 1], 33, "100000abc"), (&[0xf], 32, "0000000f")]
        {
            assert_eq!(hex_digits(words, width), expected);
        }
    }
}
