//! Golden texts: two real stages, written as a user would, and a block that uses every feature of the printer.

mod every_feature;

use every_feature::EveryFeature;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::verilog::{Header, emit};
use tmu_testing::{check_committed, repository};
use tmu_verilate::{ModelSource, Tools, lint_with_all};

/// Number of leading zeros, halving the range at each step; a value of all zeros counts as its width.
#[kernel]
fn leading_zeros(value: Bits) -> Bits {
    let mut rest = value;
    let mut count = lit(1, 0u32);
    let mut half = value.width() / 2;
    let mut digits = vec![];
    while half > 0 {
        let upper = rest.high(half);
        let empty = upper == 0;
        rest = if empty { rest.low(half) } else { upper };
        digits.push(empty);
        half /= 2;
    }
    let zero = !rest.bit(0);
    count = count | zero;
    let digits: Bits = cat(&digits);
    let all = digits.all() & count;
    cat(&[all, if all { lit(digits.width(), 0u32) } else { digits }])
}

/// Normalises a number: shifts out its leading zeros and says how many there were.
#[derive(LogicBlock)]
struct Normalise {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    full: Reg,
    mantissa: Reg,
    zeros: Reg,
    ready: Net<Local>,
}

impl Normalise {
    fn new(width: usize) -> Normalise {
        let clocks = Clocks::new();
        let zeros_bits = width.ilog2() as usize + 1;
        Normalise {
            input: StreamIn::new(width),
            output: StreamOut::new(width + zeros_bits),
            full: Reg::with_reset(&clocks, 1, 0),
            mantissa: Reg::new(&clocks, width),
            zeros: Reg::new(&clocks, zeros_bits),
            ready: Net::bit(),
            clocks,
        }
    }
}

/// Leading-zero count with a normalising shift, one register deep.
#[kernel]
impl Normalise {
    fn logic(&self) {
        timing(1, 1);
        /// # Handshake
        self.ready.next = !self.full.val() || self.output.ready.val();
        self.input.ready.next = self.ready.val();
        if self.ready.val() {
            self.full.next = self.input.valid.val();
        }

        /// # Count and shift
        let zeros = leading_zeros(self.input.data.val());
        let shifted = self.input.data.val() << zeros;
        if self.ready.val() {
            self.mantissa.next = shifted;
            self.zeros.next = zeros;
        }
        self.output.valid.next = self.full.val();
        self.output.data.next = cat(&[self.zeros.val(), self.mantissa.val()]);
    }
}

/// Compares the tags of a set.
#[derive(LogicBlock)]
struct TagCompare {
    wanted: Net<In>,
    tags: Vec<Net<In>>,
    valid: Net<In>,
    hit: Net<Out>,
    way: Net<Out>,
    conflict: Net<Out>,
}

impl TagCompare {
    fn new(ways: usize, tag_bits: usize) -> TagCompare {
        TagCompare {
            wanted: Net::new(tag_bits),
            tags: Net::array(ways, tag_bits),
            valid: Net::new(ways),
            hit: Net::bit(),
            way: Net::new(ways.ilog2() as usize),
            conflict: Net::bit(),
        }
    }
}

/// Which way of a set holds the tag.
#[kernel]
impl TagCompare {
    fn logic(&self) {
        /// A way hits when it is valid and its tag is the one wanted.
        let hits: Vec<Bits> = self
            .tags
            .iter()
            .enumerate()
            .map(|(way, tag)| self.valid.val().bit(way) && tag.val() == self.wanted.val())
            .collect();
        let mut way = lit(self.way.width(), 0u32);
        for (number, hit) in hits.iter().enumerate() {
            way = way | if *hit { lit(way.width(), number as u32) } else { lit(way.width(), 0u32) };
        }
        self.hit.next = hits.iter().fold(lit(1, 0u32), |any, hit| any || *hit);
        self.way.next = way;
        self.conflict.next = 0;
        if hits[0] && hits[1] {
            self.conflict.next = 1;
        }
    }
}

/// No reader finds anything to say about the golden texts.
#[test]
fn golden_texts_are_read_without_a_warning() {
    // The tests of `tmu-verilate` say which tools are missing and how to get them.
    if Tools::are_missing() {
        return;
    }
    for name in ["normalise", "tag_compare", "every_feature"] {
        let text = std::fs::read_to_string(repository().join(golden(name))).unwrap();
        let found = lint_with_all(&ModelSource::single(name, &text, vec![])).unwrap();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    }
}

fn golden(name: &str) -> String {
    format!("crates/tmu-hdl/tests/golden/{name}.v")
}

/// The Verilog of all, as an engineer reads it. `UPDATE_GOLDEN=1` writes what is emitted now.
#[test]
fn golden_text() {
    let blocks: [(&str, Box<dyn Block>); 3] = [
        ("normalise", Box::new(Normalise::new(16))),
        ("tag_compare", Box::new(TagCompare::new(4, 17))),
        ("every_feature", Box::new(EveryFeature::new(true))),
    ];
    let header = Header { generator: "golden 1.0".into(), configuration: "0123456789abcdef".into() };
    for (name, block) in blocks {
        let design = elaborate(name, block.as_ref()).unwrap_or_else(|errors| panic!("{errors}"));
        let text = emit(&design).to_file(&header);
        check_committed(&golden(name), &text, "UPDATE_GOLDEN", "cargo test -p tmu-hdl --test stages");
    }
}
