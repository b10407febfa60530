//! Records: packing, parts that a configuration does without, nets, choices and comparisons.

use crate::elaborate::elaborate;
use crate::prelude::*;
use crate::simulate::Simulator;
use crate::testing::refusals;
use crate::verilog::{Header, emit};

/// A point, where there are three axes or two.
#[derive(Clone, Debug, Record)]
struct Point<T = Bits> {
    /// Across.
    x: T,
    /// Up, where there is an up.
    y: T,
}

/// A line between points.
#[derive(Clone, Debug, Record)]
struct Line<T = Bits> {
    /// It is drawn.
    valid: T,
    /// From here to there.
    ends: [Point<T>; 2],
    /// A bit for each side.
    sides: Vec<T>,
}

fn shape(has_y: bool) -> Line<Width> {
    let point = Point { x: Width::bits(5), y: Width::bits(4).when(has_y) };
    Line { valid: Width::bits(1), ends: [point.clone(), point], sides: vec![Width::bits(2); 3] }
}

#[test]
fn the_table_of_the_packed_word_names_each_part() {
    let rows = |has_y: bool| shape(has_y).layout().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        rows(true),
        [
            "valid [0:0] It is drawn.",
            "ends_0_x [5:1] Across.",
            "ends_0_y [9:6] Up, where there is an up.",
            "ends_1_x [14:10] Across.",
            "ends_1_y [18:15] Up, where there is an up.",
            "sides_0 [20:19] A bit for each side.",
            "sides_1 [22:21] A bit for each side.",
            "sides_2 [24:23] A bit for each side.",
        ]
    );
    assert_eq!(rows(false)[2], "ends_1_x [10:6] Across.");
}

#[test]
fn packing_and_unpacking_are_inverse() {
    for (has_y, width) in [(true, 25), (false, 17)] {
        let shape = shape(has_y);
        assert_eq!(shape.width(), width);
        let mut word = 1u64;
        for _ in 0..200 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            let bits = lit(width, word >> (64 - width));
            assert_eq!(shape.pack(&shape.unpack(bits)).value(), bits.value(), "{width} bits");
        }
    }
}

/// Chooses one of two lines, keeps it, and says whether it is the one before.
#[derive(LogicBlock)]
struct Choose {
    clocks: Clocks,
    first: Net<In>,
    lines: Vec<Line<Field<In>>>,
    line: Line<Field<Out>>,
    same: Net<Out>,
    kept: Line<FieldReg>,
}

impl Choose {
    fn new(has_y: bool) -> Choose {
        let clocks = Clocks::new();
        Choose {
            first: Net::bit(),
            lines: (0..2).map(|_| shape(has_y).nets()).collect(),
            line: shape(has_y).nets(),
            same: Net::bit(),
            kept: shape(has_y).registers(&clocks),
            clocks,
        }
    }
}

#[kernel]
impl Choose {
    fn logic(&self) {
        let chosen = if self.first.val() { self.lines[0].val() } else { self.lines[1].val() };
        self.same.next = chosen.clone() == self.kept.val();
        self.kept.next = &chosen;
        self.line.next = self.kept.val();
    }
}

#[test]
fn records_are_chosen_compared_kept_and_connected() {
    let mut simulator = Simulator::new("choose", Choose::new(false)).unwrap_or_else(|e| panic!("{e}"));
    let shape = shape(false);
    let drive = |choose: &Choose, line: usize, word: u64| {
        choose.lines[line].drive(shape.unpack(lit(shape.width(), word)));
    };
    let left = |choose: &Choose| shape.pack(&choose.line.val()).to_u64();
    let words = [0x1_2345u64, 0x0_5a5a, 0x0_5a5a, 0x1_ffff];
    for (number, word) in words.into_iter().enumerate() {
        drive(&simulator.block, number & 1, word);
        drive(&simulator.block, !number & 1, !word & 0x1_ffff);
        simulator.block.first.drive(u64::from(number & 1 == 0));
        simulator.settle();
        let is_same = number > 0 && words[number - 1] == word;
        assert_eq!(simulator.block.same.val().to_u64(), u64::from(is_same), "word {number}");
        simulator.tick(|choose| &choose.clocks);
        assert_eq!(left(&simulator.block), word, "word {number}");
    }
}

#[test]
fn ports_are_called_after_record_and_part() {
    let design = elaborate("choose", &Choose::new(true)).unwrap_or_else(|e| panic!("{e}"));
    let text = emit(&design).to_file(&Header::default());
    for expected in [
        "input  wire [3:0] lines_0_ends_1_y",
        "output wire [1:0] line_sides_2",
        "wire [4:0] chosen_ends_0_x = first ? lines_0_ends_0_x : lines_1_ends_0_x;",
        "kept_ends_0_x <= chosen_ends_0_x;",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    let without = elaborate("choose", &Choose::new(false)).unwrap_or_else(|e| panic!("{e}"));
    assert!(!emit(&without).to_file(&Header::default()).contains("_y"), "an absent part leaves nothing");
}

/// Packs a part that is too wide.
#[derive(LogicBlock)]
struct TooWide {
    data: Net<In>,
    packed: Net<Out>,
}

#[kernel]
impl TooWide {
    fn logic(&self) {
        let shape = Point { x: Width::bits(3), y: Width::bits(1) };
        self.packed.next = shape.pack(&Point { x: self.data.val(), y: self.data.val().bit(0) });
    }
}

#[test]
fn a_part_of_another_width_is_refused() {
    let found = refusals("top", &TooWide { data: Net::new(4), packed: Net::new(4) });
    assert!(found.contains("part `x` of 3 bits is given a value of 4"), "{found}");
    assert!(found.contains("shape.pack("), "{found}");
}
