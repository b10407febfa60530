//! Sources that several tests share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use tmu_verilate::{ModelSource, Port, RowLayout, Rows, Schedule};

/// A counter with synchronous reset whose register has no initial value.
pub(crate) fn counter() -> ModelSource {
    let verilog =
        "module counter(input wire clk, input wire rst, input wire [3:0] by, output wire [7:0] total);
  reg [7:0] sum;
  assign total = sum;
  always @(posedge clk) sum <= rst ? 8'd0 : sum + {4'd0, by};
endmodule
";
    let ports =
        vec![Port::clock("clk"), Port::input("rst", 1), Port::input("by", 4), Port::output("total", 8)];
    ModelSource::single("counter", verilog, ports)
}

/// Reset in row 0, then counting by the row's number.
pub(crate) fn counter_rows(source: &ModelSource, rows: usize) -> Rows {
    let mut inputs = Rows::zeros(RowLayout::inputs(source, Schedule::Cycles), rows);
    for row in 0..rows {
        inputs.set(row, "rst", u64::from(row == 0));
        inputs.set(row, "by", row as u64 % 16);
    }
    inputs
}

/// What the counter shows in each row from row 1 on, if every step is `factor` times as large.
pub(crate) fn counter_totals(rows: usize, factor: u64) -> impl Iterator<Item = (usize, u64)> {
    (1..rows).scan(0, move |sum, row| {
        let total = *sum % 256;
        *sum += (row as u64 % 16) * factor;
        Some((row, total))
    })
}
