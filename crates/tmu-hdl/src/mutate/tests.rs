//! Each operator on a small block, by what it prints; and what is refused.

use super::{Mutation, Operator, Part};
use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::verilog::emit;

/// A block with a place for every operator.
#[derive(LogicBlock)]
struct Places {
    clocks: Clocks,
    go: Net<In>,
    stop: Net<In>,
    a: Net<In>,
    b: Net<In>,
    count: Reg,
    other: Reg,
    sum: Net<Out>,
    part: Net<Out>,
    choice: Net<Out>,
    moves: Net<Out>,
}

/// A place for every operator.
#[kernel]
impl Places {
    fn logic(&self) {
        let runs = self.go.val() && !self.stop.val();
        if self.go.val() {
            self.count.next = self.count.val() + 3;
            self.other.next = self.a.val();
        }
        self.sum.next = self.a.val() - self.b.val();
        self.part.next = self.a.val().slice(2, 4);
        self.choice.next = if self.stop.val() { self.a.val() } else { self.b.val() };
        self.moves.next = runs && self.count.val() == self.other.val();
    }
}

fn block() -> Places {
    let clocks = Clocks::new();
    Places {
        go: Net::bit(),
        stop: Net::bit(),
        a: Net::new(8),
        b: Net::new(8),
        count: Reg::with_reset(&clocks, 8, 7),
        other: Reg::with_reset(&clocks, 8, 0),
        sum: Net::new(8),
        part: Net::new(4),
        choice: Net::new(8),
        moves: Net::bit(),
        clocks,
    }
}

/// A mutation: node, part, operator, `at`, `which`, `with`.
type Row = (&'static str, Part, Operator, &'static str, Option<usize>, &'static str);

fn mutation((node, part, operator, at, which, with): Row) -> Mutation {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Mutation { part, at: said(at), which, with: said(with), ..Mutation::new("places", node, operator) }
}

fn mutated(mutation: &Mutation) -> Result<String, String> {
    let mut design = elaborate("top", &block()).unwrap_or_else(|found| panic!("{found}"));
    mutation.apply(&mut design, |_| true).map_err(|error| error.to_string())?;
    let text = emit(&design).modules[0].text.clone();
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn each_operator_prints_its_fault() {
    use Operator::*;
    use Part::{Condition, Initial, Reset, Value};
    let table: &[(Row, &str)] = &[
        (("sum", Value, StuckAt, "", None, "5"), "assign sum = 8'd5;"),
        (("count", Condition, StuckAt, "", None, "1"), "if (1'b1) begin count <= count + 8'd3;"),
        (("count", Reset, StuckAt, "", None, "9"), "count <= 8'd9;"),
        (("count", Initial, Offset, "", None, "-1"), "reg [7:0] count = 8'd6;"),
        (("other", Reset, Negate, "", None, ""), "other <= 8'hff;"),
        (("moves", Value, Negate, "runs", None, ""), "assign moves = !runs && count == other;"),
        (("runs", Value, DropOperand, "!stop", None, ""), "assign moves = go && count == other;"),
        (("sum", Value, DropOperand, "b", None, ""), "assign sum = a;"),
        (("choice", Value, KeepOperand, "b", None, ""), "assign choice = b;"),
        (("runs", Value, KeepOperand, "stop", None, ""), "wire runs = go && stop;"),
        (("sum", Value, SwapOperands, "", None, ""), "assign sum = b - a;"),
        (("choice", Value, SwapOperands, "a", None, ""), "assign choice = stop ? b : a;"),
        (("sum", Value, OtherOperator, "", None, ""), "assign sum = a + b;"),
        (("moves", Value, OtherOperator, "other", None, ""), "assign moves = runs && count != other;"),
        (("choice", Value, Replace, "a", None, "count"), "assign choice = stop ? count : b;"),
        (("moves", Value, Replace, "runs", None, "|a[3:0]"), "assign moves = (|a[3:0]) && count == other;"),
        (
            ("moves", Value, AndWith, "", None, "a == 7"),
            "assign moves = runs && count == other && a == 8'd7;",
        ),
        (("sum", Value, OrWith, "b", None, "a"), "assign sum = a - (b | a);"),
        (("count", Value, Offset, "3", None, "+1"), "count <= count + 8'd4;"),
        (("part", Value, Offset, "a[5:2]", None, "-2"), "assign part = a[3:0];"),
        (("other", Value, Hold, "", None, ""), "other <= other;"),
        (("other", Value, Hold, "", None, "stop"), "other <= stop ? other : a;"),
    ];
    for (row, expected) in table {
        let mutation = mutation(*row);
        let text = mutated(&mutation).unwrap_or_else(|error| panic!("{error}"));
        assert!(text.contains(expected), "{mutation}: no `{expected}` in\n{text}");
    }
    let missing = Operator::ALL.iter().filter(|op| table.iter().all(|((_, _, known, ..), _)| known != *op));
    assert_eq!(missing.count(), 0, "every operator is in the table");
}

#[test]
fn a_condition_changes_for_its_node_alone() {
    let row = ("count", Part::Condition, Operator::StuckAt, "go", None, "0");
    let text = mutated(&mutation(row)).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("if (go) begin other <= a; end"), "{text}");
    assert!(text.contains("if (1'b0) begin count <= count + 8'd3; end"), "{text}");
}

#[test]
fn what_is_not_one_change_is_refused() {
    use Operator::*;
    use Part::{Condition, Reset, Value};
    let table: &[(Row, &[&str])] = &[
        (("counter", Value, Negate, "", None, ""), &["nothing is called `counter`", "`count`", "remedy"]),
        (("go", Value, Negate, "", None, ""), &["this block does not drive `go`"]),
        (("sum", Condition, Negate, "", None, ""), &["no `if` stands around a drive of `sum`"]),
        (("runs", Condition, Negate, "", None, ""), &["`runs` is a `let`"]),
        (("sum", Reset, StuckAt, "", None, "1"), &["`sum` has no value of the part reset"]),
        (("sum", Value, Negate, "count", None, ""), &["`count` does not stand there", "`a - b`"]),
        (("sum", Value, DropOperand, "", None, ""), &["drop-operand does not apply there"]),
        (("choice", Value, DropOperand, "a", None, ""), &["drop-operand does not apply there", "`at`"]),
        (("sum", Value, StuckAt, "", None, ""), &["`with` of stuck-at is a number"]),
        (("sum", Value, Negate, "", None, "1"), &["`with` of negate is nothing"]),
        (("sum", Value, StuckAt, "", None, "256"), &["256 does not fit into 8 bits"]),
        (("sum", Value, Replace, "", None, "go"), &["it would be 1 bits wide, not 8"]),
        (("sum", Value, Replace, "a", None, "a"), &["it changes nothing", "`a - b`"]),
        (("sum", Value, Replace, "a", None, "a-"), &["`a-` is no term"]),
        (("sum", Value, Hold, "", None, ""), &["`sum` is no register"]),
        (("part", Value, Offset, "a[5:2]", None, "+3"), &["no such offset there"]),
        (("count", Value, Negate, "", Some(1), ""), &["there are 1 such places", "`which`"]),
        (("sum", Value, Replace, "a", None, "sum"), &["it makes a combinational loop"]),
        (("runs", Value, AndWith, "", None, "runs"), &["follows from the node itself"]),
    ];
    for (row, expected) in table {
        let mutation = mutation(*row);
        let error = mutated(&mutation).expect_err(&mutation.to_string());
        for part in expected.iter().chain(&["`places`", "remedy"]) {
            assert!(error.contains(part), "{mutation}: no `{part}` in\n{error}");
        }
    }
    let stage = Mutation::new("place", "sum", Operator::Negate);
    let error = mutated(&stage).expect_err("there is no such stage");
    assert!(error.contains("there is no stage `place`"), "{error}");
}
