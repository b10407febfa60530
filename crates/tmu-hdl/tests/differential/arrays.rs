//! Arrays of nets, which print as vectors: registers, wires and ports of sub-blocks, whole and item by item.

use tmu_cosim::{Stimulus, compare, compare_changed};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_hdl::verilog::{Module, emit};

const ITEMS: usize = 3;
const ITEM_BITS: usize = 5;

/// The smaller and the larger of neighbours: a sub-block whose ports are arrays.
#[derive(LogicBlock)]
struct Neighbours {
    items: Vec<Net<In>>,
    is_signed: Vec<Net<In>>,
    one: Vec<Net<In>>,
    smaller: Vec<Net<Out>>,
    larger: Vec<Net<Out>>,
}

impl Neighbours {
    fn new() -> Neighbours {
        Neighbours {
            items: Net::array(ITEMS, ITEM_BITS),
            is_signed: Net::array(ITEMS - 1, 1),
            one: Net::array(1, ITEM_BITS),
            smaller: Net::array(ITEMS - 1, ITEM_BITS),
            larger: Net::array(ITEMS - 1, ITEM_BITS),
        }
    }
}

#[kernel]
impl Neighbours {
    fn logic(&self) {
        for i in 0..ITEMS - 1 {
            let (left, right) = (self.items[i].val() ^ self.one[0].val(), self.items[i + 1].val());
            let signed = self.is_signed[i].val();
            let is_less = if signed { left.signed() < right.signed() } else { left < right };
            self.smaller[i].next = if is_less { left } else { right };
            if is_less {
                self.larger[i].next = right;
            } else {
                self.larger[i].next = left;
            }
        }
    }
}

/// Every way in which items of arrays are driven and read.
#[derive(LogicBlock)]
struct Shelves {
    clocks: Clocks,
    items: Vec<Net<In>>,
    one: Net<In>,
    place: Net<In>,
    moves: Net<In>,
    /// A row that moves on.
    row: Vec<Reg>,
    /// One of bits.
    bits: Vec<Reg>,
    /// Begins and is reset with a value of its own each.
    counts: Vec<Reg>,
    /// Has no two items of a width.
    mixed: Vec<Reg>,
    /// Half of it has a reset.
    half: Vec<Reg>,
    whole: Neighbours,
    parts: Neighbours,
    sums: Neighbours,
    found: Net<Out>,
    chosen: Net<Out>,
    joined: Net<Out>,
    turned: Net<Out>,
    extended: Net<Out>,
    product: Net<Out>,
    state: Net<Out>,
}

impl Shelves {
    fn new() -> Shelves {
        let clocks = Clocks::new();
        let value = |width, number| Value::from_u128(width, number);
        let half = |i| match i {
            0 => Reg::with_reset(&clocks, ITEM_BITS, 9),
            _ => Reg::new(&clocks, ITEM_BITS).init(value(ITEM_BITS, 9)),
        };
        Shelves {
            items: Net::array(ITEMS, ITEM_BITS),
            one: Net::bit(),
            place: Net::new(3),
            moves: Net::bit(),
            row: (0..4).map(|_| Reg::with_reset(&clocks, ITEM_BITS, 0)).collect(),
            bits: (0..4).map(|_| Reg::new(&clocks, 1).init(value(1, 0))).collect(),
            counts: (0..ITEMS).map(|i| Reg::with_reset(&clocks, ITEM_BITS, (3 + i) as u128)).collect(),
            mixed: (0..ITEMS).map(|i| Reg::new(&clocks, 2 + i).init(value(2 + i, 1))).collect(),
            half: (0..2).map(half).collect(),
            whole: Neighbours::new(),
            parts: Neighbours::new(),
            sums: Neighbours::new(),
            found: Net::bit(),
            chosen: Net::new(ITEM_BITS),
            joined: Net::new(4 * (ITEMS - 1) * ITEM_BITS),
            turned: Net::new(2 * ITEMS * ITEM_BITS),
            extended: Net::new(16),
            product: Net::new(2 * ITEM_BITS),
            state: Net::new(2 * ITEM_BITS + 9 + 4),
            clocks,
        }
    }
}

#[kernel]
impl Shelves {
    fn logic(&self) {
        let items: Vec<Bits> = self.items.iter().map(Net::val).collect();
        let place = self.place.val();
        if self.moves.val() {
            self.row[0].next = items[0];
            for i in 1..self.row.len() {
                self.row[i].next = self.row[i - 1].val();
            }
            self.counts[1].next = self.counts[0].val() + self.counts[2].val();
        }
        self.bits[0].next = self.one.val();
        for i in 1..self.bits.len() {
            self.bits[i].next = self.bits[i - 1].val();
        }
        self.counts[0].next = items[1];
        self.counts[2].next = self.counts[1].val().low(2).zero_extend(ITEM_BITS);
        for (i, reg) in self.mixed.iter().enumerate() {
            reg.next = items[i].slice(1, 2 + i);
        }
        self.half[0].next = items[2];
        self.half[1].next = self.half[0].val();
        // A port gets a whole vector, items of one out of order, or what is made for it.
        for (i, &item) in items.iter().enumerate() {
            self.whole.items[i].next = self.counts[i].val();
            self.parts.items[i].next = self.counts[ITEMS - 1 - i].val();
            self.sums.items[i].next = item + self.row[i].val();
        }
        for (number, block) in [&self.whole, &self.parts, &self.sums].into_iter().enumerate() {
            block.is_signed[0].next = self.bits[number].val();
            block.is_signed[1].next = self.bits[number + 1].val();
            block.one[0].next = self.row[number].val();
        }
        let less: Vec<Bits> = (0..ITEMS).map(|i| items[i] < self.counts[i].val()).collect();
        self.found.next = cat(&less).any() && self.row[2].val().at(place);
        self.chosen.next = self.row[1].val() >> place;
        let sides = [&self.whole.smaller, &self.whole.larger, &self.parts.smaller, &self.sums.larger];
        let joined: Vec<Bits> = sides.into_iter().flatten().map(Net::val).collect();
        self.joined.next = cat(&joined);
        let counts: Vec<Bits> = self.counts.iter().map(Reg::val).collect();
        let turned: Vec<Bits> = counts.iter().rev().chain(&counts).copied().collect();
        self.turned.next = cat(&turned);
        self.extended.next =
            self.row[3].val().signed().extend(16).bits() ^ self.row[3].val().slice(1, 3).zero_extend(16);
        self.product.next = (self.counts[0].val().signed() * self.counts[1].val().signed()).bits();
        let mixed: Vec<Bits> = self.mixed.iter().map(Reg::val).collect();
        let half: Vec<Bits> = self.half.iter().map(Reg::val).collect();
        let bits: Vec<Bits> = self.bits.iter().map(Reg::val).collect();
        self.state.next = cat(&[cat(&mixed), cat(&half), cat(&bits)]);
    }
}

/// More bits in a row than a net may have.
#[derive(LogicBlock)]
struct LongRow {
    clocks: Clocks,
    enters: Net<In>,
    bits: Vec<Reg>,
    leaves: Net<Out>,
}

impl LongRow {
    fn new() -> LongRow {
        let clocks = Clocks::new();
        LongRow {
            enters: Net::bit(),
            bits: (0..1_100).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            leaves: Net::bit(),
            clocks,
        }
    }
}

#[kernel]
impl LongRow {
    fn logic(&self) {
        self.bits[0].next = self.enters.val();
        for i in 1..self.bits.len() {
            self.bits[i].next = self.bits[i - 1].val();
        }
        self.leaves.next = self.bits[self.bits.len() - 1].val();
    }
}

#[test]
fn a_vector_may_be_wider_than_a_net() {
    let never_reset = |_: &mut _, rows: &mut tmu_verilate::Rows, row: usize| rows.set(row, "rst", 0);
    let stimulus = Stimulus::random(1_500).fix(never_reset);
    let report = compare("long_row", LongRow::new, &stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.rows, 1_500);
}

/// Rows that an `if` interferes with, before and behind the drive of item 0.
#[derive(LogicBlock)]
struct ChangedRows {
    clocks: Clocks,
    enters: Net<In>,
    stops: Net<In>,
    early: Vec<Reg>,
    late: Vec<Reg>,
    leaves: Net<Out>,
}

impl ChangedRows {
    fn new() -> ChangedRows {
        let clocks = Clocks::new();
        let row = || (0..3).map(|_| Reg::with_reset(&clocks, 4, 0)).collect();
        ChangedRows {
            enters: Net::new(4),
            stops: Net::bit(),
            early: row(),
            late: row(),
            leaves: Net::new(24),
            clocks,
        }
    }
}

#[kernel]
impl ChangedRows {
    fn logic(&self) {
        for i in 1..3 {
            self.early[i].next = self.early[i - 1].val();
        }
        if self.stops.val() {
            self.early[1].next = 0;
        }
        self.early[0].next = self.enters.val();
        self.late[0].next = self.enters.val();
        for i in 1..3 {
            self.late[i].next = self.late[i - 1].val();
        }
        if self.stops.val() {
            self.late[2].next = 15;
        }
        let all: Vec<Bits> = self.early.iter().chain(&self.late).map(Reg::val).collect();
        self.leaves.next = cat(&all);
    }
}

#[test]
fn a_row_that_an_if_changes_prints_item_by_item() {
    compare("changed_rows", ChangedRows::new, &Stimulus::random(500)).unwrap_or_else(|e| panic!("{e}"));
}

fn modules() -> Vec<Module> {
    let design = elaborate("shelves", &Shelves::new()).unwrap_or_else(|e| panic!("{e}"));
    emit(&design).modules
}

#[test]
fn items_of_vectors_are_what_they_are_in_rust() {
    let report = compare("shelves", Shelves::new, &Stimulus::random(2_000)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.rows, 2_000);
}

#[test]
fn a_vector_that_is_turned_round_is_found() {
    let turned =
        |text: String| text.replace(".items(counts)", ".items({counts[4:0], counts[9:5], counts[14:10]})");
    let found = compare_changed("shelves", Shelves::new, &Stimulus::random(500), turned);
    let report = found.as_ref().ok();
    assert!(report.is_none_or(|report| !report.missing_tools.is_empty()), "nothing was found");
}

/// Arrays are one declaration each; the top's ports stay as they are, and so does what has no width in common.
#[test]
fn an_array_has_one_name() {
    let modules = modules();
    let names = |module: &str| -> Vec<&str> {
        let module =
            modules.iter().find(|m| m.kind == module).unwrap_or_else(|| panic!("no module {module}"));
        module.declarations.iter().map(|declaration| declaration.name.as_str()).collect()
    };
    let (top, inner) = (names("shelves"), names("neighbours"));
    let table = [
        (&top, "items_2", true),
        (&top, "row", true),
        (&top, "row_0", false),
        (&top, "bits", true),
        (&top, "counts", true),
        (&top, "mixed_1", true),
        (&top, "half_0", true),
        (&top, "whole_smaller", true),
        (&inner, "items", true),
        (&inner, "items_0", false),
        (&inner, "is_signed", true),
        (&inner, "one", true),
        (&inner, "one_0", false),
        (&inner, "larger", true),
    ];
    for (names, name, expected) in table {
        assert_eq!(names.contains(&name), expected, "{name} among {names:?}\n{}", modules[0].text);
    }
}

#[test]
fn vectors_read_well() {
    let modules = modules();
    let lines = [
        ("shelves", "reg  [4*5-1:0] row = {4{5'd0}};"),
        ("shelves", "reg  [3:0] bits = 4'd0;"),
        ("shelves", "reg  [3*5-1:0] counts = {5'd5, 5'd4, 5'd3};"),
        ("shelves", "counts <= {5'd5, 5'd4, 5'd3};"),
        ("shelves", "row <= {row[3*5-1:0], items_0};"),
        ("shelves", "bits <= {bits[2:0], one};"),
        ("shelves", "counts[0*5 +: 5] <= items_1;"),
        ("shelves", ".items(counts),"),
        ("shelves", ".items({counts[0*5 +: 5], counts[1*5 +: 5], counts[2*5 +: 5]}),"),
        ("shelves", "wire [3*5-1:0] sums_items;"),
        ("shelves", ".items(sums_items),"),
        ("neighbours", "    input  wire [3*5-1:0] items,"),
        ("neighbours", "    input  wire [1:0] is_signed,"),
        ("neighbours", "    input  wire [4:0] one,"),
        ("neighbours", "    output reg  [2*5-1:0] larger"),
    ];
    for (module, line) in lines {
        let text =
            &modules.iter().find(|m| m.kind == module).unwrap_or_else(|| panic!("no module {module}")).text;
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
}
