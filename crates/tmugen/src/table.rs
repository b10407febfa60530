//! Tables of figures: for terminals and for Markdown.

use std::fmt::Write;

/// A header and rows of cells. The first columns are names, to the left; the others figures, to the right.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    name_columns: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with its header.
    pub(crate) fn new<T: Into<String>>(name_columns: usize, header: impl IntoIterator<Item = T>) -> Self {
        Table { name_columns, rows: vec![header.into_iter().map(T::into).collect()] }
    }

    /// Appends a row; cells that are missing at its end stay empty.
    pub(crate) fn push<T: Into<String>>(&mut self, row: impl IntoIterator<Item = T>) {
        self.rows.push(row.into_iter().map(T::into).collect());
    }

    /// Lines of columns two blanks apart.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows[0].len();
        let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<_> = (0..columns)
            .map(|column| self.rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, width) in widths.iter().enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                let cell = cell(row, column);
                let _ = match column < self.name_columns {
                    true => write!(line, "{gap}{cell:<width$}"),
                    false => write!(line, "{gap}{cell:>width$}"),
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    /// A Markdown table.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if number == 0 {
                let rule = |column| if column < self.name_columns { "---" } else { "---:" };
                let rules: Vec<_> = (0..row.len()).map(rule).collect();
                let _ = writeln!(text, "| {} |", rules.join(" | "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_figures_right() {
        let mut table = Table::new(1, ["name", "×", "long header"]);
        table.push(["a", "1.00", "2"]);
        table.push(["longer", "10.00"]);
        assert_eq!(table.text(), "name        ×  long header\na        1.00            2\nlonger  10.00\n");
        assert!(
            table
                .markdown()
                .starts_with("| name | × | long header |\n| --- | ---: | ---: |\n| a | 1.00 | 2 |\n")
        );
    }
}
