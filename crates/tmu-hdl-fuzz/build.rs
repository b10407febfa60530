//! Writes random kernels as Rust source.
//!
//! A program has variables of several kinds, changes them in all the ways that Rust has, branches on bits and on what is
//! known at elaboration, loops, and shows everything in the end. Half of the programs never change a variable under a
//! hardware condition that stands between the change and the variable; these must be accepted. The others do, in some
//! place, and must be refused or right.
//!
//! The compiler is most of the cost, some 15 ms a program, and needs 0.5 MB for each. So the programs are cut into parts,
//! each a test of its own, that compile side by side.

// Build scripts speak to Cargo by printing.
#![allow(clippy::print_stdout)]

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Programs of a build.
const PROGRAMS: u64 = 1_250;
/// Tests that they are spread over: `tests/part_0.rs` and so on.
const PARTS: u64 = 5;

fn main() {
    let number = |name: &str, otherwise: u64| {
        println!("cargo::rerun-if-env-changed={name}");
        env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
    };
    let (count, seed) = (number("TMUGEN_FUZZ_PROGRAMS", PROGRAMS), number("TMUGEN_SEED", 1));
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("OUT_DIR").unwrap_or_default();
    for part in 0..PARTS {
        let numbers = part * count / PARTS..(part + 1) * count / PARTS;
        let path = Path::new(&folder).join(format!("part_{part}.rs"));
        fs::write(path, source(seed, count, numbers)).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// The programs of one part, with a table of them.
fn source(seed: u64, count: u64, numbers: std::ops::Range<u64>) -> String {
    let mut text = String::new();
    let mut table = String::new();
    for number in numbers {
        let Program { text: body, is_planted, .. } = Program::new(seed, number);
        let _ = write!(text, "#[kernel]\nfn p{number}(k: &Bench) {{\n{body}}}\n");
        let _ = writeln!(
            table,
            "    Program {{ number: {number}, kernel: p{number}, is_planted: {is_planted} }},"
        );
    }
    let _ = write!(
        text,
        "pub(crate) const PART: Part = Part {{ seed: {seed}, count: {count}, programs: &[\n{table}] }};\n"
    );
    text
}

/// A variable of bits, with the side of a hardware branch that declares it.
#[derive(Clone)]
struct Variable {
    name: String,
    region: usize,
}

struct Program {
    text: String,
    is_planted: bool,
    /// Whether it may change variables where it must not.
    plants: bool,
    state: u64,
    variables: Vec<Variable>,
    /// The side of a hardware branch that is being written; 0 is outside of all.
    region: usize,
    regions: usize,
    /// Arms of a `match` on hardware around what is being written: no `return` leaves these.
    arms: usize,
    names: usize,
    indent: usize,
}

impl Program {
    fn new(seed: u64, number: u64) -> Program {
        let mut program = Program {
            text: String::new(),
            is_planted: false,
            plants: number % 2 == 1,
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03),
            variables: vec![],
            region: 0,
            regions: 0,
            arms: 0,
            names: 0,
            indent: 1,
        };
        program.write();
        program
    }

    /// SplitMix64, below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % limit
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.indent));
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("y{}", self.names)
    }

    fn write(&mut self) {
        self.line("let mut v = vec![k.a.val(), k.b.val(), k.a.val() ^ k.b.val()];");
        self.line("let (mut n, mut o, cell) = (1usize, Some(k.b.val()), Cell::new(k.a.val()));");
        self.line("let mut acc = Accumulator { sum: k.a.val(), count: 0 };");
        self.declare("x0", "k.a.val()");
        self.declare("x1", "k.b.val()");
        self.statement(3);
        for _ in 0..1 + self.below(3) {
            let depth = 1 + self.below(2);
            self.statement(depth as usize);
        }
        self.line("let last = v[v.len() - 1];");
        self.line("k.out.next = (x0 + v[0]) ^ (x1 + last) ^ v[1];");
        self.line("let count = lit(8, ((n + 16 * v.len() + 64 * acc.count) % 256) as u64);");
        self.line("k.more.next = count ^ cell.get() ^ (acc.sum + o.unwrap_or(lit(8, 77u32)));");
    }

    fn declare(&mut self, name: &str, value: &str) {
        self.line(&format!("let mut {name} = {value};"));
        self.variables.push(Variable { name: name.into(), region: self.region });
    }

    fn any(&mut self) -> String {
        let i = self.below(self.variables.len() as u64) as usize;
        match self.below(8) {
            0 => "v[0]".into(),
            1 => "cell.get()".into(),
            2 => "acc.sum".into(),
            _ => self.variables[i].name.clone(),
        }
    }

    /// Eight bits.
    fn value(&mut self, depth: usize) -> String {
        let x = self.any();
        match self.below(if depth == 0 { 3 } else { 11 }) {
            0 | 1 => x,
            2 => format!("lit(8, {}u32)", self.below(256)),
            3 => format!("({x} + {})", self.value(depth - 1)),
            4 => format!("({x} ^ {})", self.value(depth - 1)),
            5 => format!("({x} - {})", self.value(depth - 1)),
            6 => format!("({x} & {})", self.below(256)),
            7 => format!("{x}.slice({}, 4).zero_extend(8)", self.below(4)),
            8 => format!("{x}.low(4).signed().extend(8).bits()"),
            9 => {
                let (first, second) = (self.value(depth - 1), self.value(depth - 1));
                match self.below(2) {
                    0 => format!("(match {x}.low(3) {{ 0 | 6 => {first}, 3 => {second}, _ => {x} }})"),
                    _ => {
                        let turn = format!("Enum::<Turn>::of({x}.low(2))");
                        format!("(match {turn} {{ Turn::Right => {first}, _ => {second} }})")
                    }
                }
            }
            _ => {
                let (condition, then, otherwise) =
                    (self.condition(1), self.value(depth - 1), self.value(depth - 1));
                format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
            }
        }
    }

    /// One bit of hardware.
    fn condition(&mut self, depth: usize) -> String {
        let x = self.any();
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => "k.c.val()".into(),
            1 => "k.d.val()".into(),
            2 => "k.e.val()".into(),
            3 => format!("{x}.bit({})", self.below(8)),
            4 => format!("{x}.low(2) == {}", self.below(4)),
            5 => format!("{x} < {}", self.value(0)),
            6 => format!("({} && {})", self.condition(0), self.condition(0)),
            _ => format!("({} || !{})", self.condition(0), self.condition(0)),
        }
    }

    /// Statements inside braces; what they declare is gone behind them.
    fn block(&mut self, depth: usize, most: u64) {
        let declared = self.variables.len();
        self.indent += 1;
        for _ in 0..1 + self.below(most) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.variables.truncate(declared);
    }

    /// Runs `f` inside a side of a hardware branch.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        let around = self.region;
        self.regions += 1;
        self.region = self.regions;
        f(self);
        self.region = around;
    }

    fn statement(&mut self, depth: usize) {
        match self.below(if depth == 0 { 6 } else { 17 }) {
            0 | 1 => self.drive(),
            2..=4 => self.change(),
            5 => {
                let (name, value) = (self.name(), self.value(2));
                self.declare(&name, &value);
            }
            6..=8 => self.branch(depth),
            9 => {
                let (name, count) = (self.name(), 1 + self.below(3));
                self.line(&format!("for {name} in 0..{count} {{"));
                self.block(depth - 1, 2);
                self.line("}");
            }
            10 => {
                let test =
                    ["n > 1", "v.len() == 3", "o.is_some()", "k.a.width() == 8"][self.below(4) as usize];
                self.line(&format!("if {test} {{"));
                self.block(depth - 1, 2);
                self.line("}");
            }
            11 | 12 => self.pattern(depth),
            13 => {
                let name = self.name();
                self.line(&format!("let mut {name} = 0;"));
                self.line(&format!("while {name} < 2 {{"));
                self.line(&format!("    {name} += 1;"));
                self.block(depth - 1, 1);
                self.line("}");
            }
            14 | 15 => self.choice(depth),
            _ => {
                let (name, value) = (self.name(), self.value(1));
                self.line(&format!("let {name} = |z: Bits| z + {value};"));
                let argument = self.value(0);
                let result = self.name();
                self.declare(&result, &format!("{name}({argument})"));
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition(1);
        self.line(&format!("if {condition} {{"));
        self.inside(|p| p.block(depth - 1, 3));
        match self.below(3) {
            0 => {
                self.line("} else {");
                self.inside(|p| p.block(depth - 1, 2));
            }
            1 => {
                let condition = self.condition(1);
                // The second condition stands on the other side of the first one.
                self.inside(|p| {
                    p.line(&format!("}} else if {condition} {{"));
                    p.inside(|p| p.block(depth - 1, 2));
                });
            }
            _ => {}
        }
        self.line("}");
    }

    /// A `match` on hardware.
    fn choice(&mut self, depth: usize) {
        let x = self.any();
        let (scrutinee, arms): (String, &[&str]) = match self.below(3) {
            0 => (format!("{x}.low(3)"), &["0 | 5", "1", "_"]),
            1 => (format!("Enum::<Turn>::of({x}.low(2))"), &["Turn::Back", "Turn::Left | Turn::Right"]),
            _ => (format!("Enum::<Turn>::of({x}.slice(3, 2))"), &["Turn::Left", "Turn::Right", "Turn::Back"]),
        };
        self.line(&format!("match {scrutinee} {{"));
        for arm in arms {
            self.line(&format!("{arm} => {{"));
            self.arms += 1;
            self.inside(|p| p.block(depth - 1, 2));
            self.arms -= 1;
            self.line("}");
        }
        self.line("}");
    }

    /// A pattern that makes a variable.
    fn pattern(&mut self, depth: usize) {
        let (name, value) = (self.name(), self.value(1));
        let mut around = None;
        match self.below(8) {
            0 => self.line(&format!("if let Some(mut {name}) = Some({value}) {{")),
            1 => self.line(&format!("for (_, mut {name}) in [{value}].into_iter().enumerate() {{")),
            2 => self.line(&format!("for &(mut {name}, _) in &[({value}, 1)] {{")),
            3 => {
                self.line(&format!("match Some({value}) {{"));
                around = Some("None => {}");
                self.line(&format!("Some(mut {name}) => {{"));
            }
            4 => {
                // Which arm is known at elaboration.
                self.line("match n % 2 {");
                self.line("0 => {");
                self.block(depth - 1, 2);
                self.line("}");
                around = Some("");
                self.line(&format!("_ => {{ let mut {name} = {value};"));
            }
            kind => {
                self.line(&match kind {
                    5 if self.arms == 0 => format!("let Some(mut {name}) = Some({value}) else {{ return }};"),
                    5 | 6 => format!("let (mut {name}, _) = ({value}, 1);"),
                    _ => format!(
                        "let Word {{ low: mut {name}, .. }} = Word {{ low: {value}, high: k.b.val() }};"
                    ),
                });
                self.variables.push(Variable { name, region: self.region });
                return;
            }
        }
        let declared = self.variables.len();
        self.variables.push(Variable { name, region: self.region });
        self.block(depth - 1, 2);
        self.variables.truncate(declared);
        self.line("}");
        if let Some(arm) = around {
            self.line(&format!("{arm}}}"));
        }
    }

    /// Drives a net under a condition of its own.
    fn drive(&mut self) {
        let (condition, value) = (self.condition(1), self.value(2));
        let target = ["state", "middle"][self.below(2) as usize];
        self.line(&format!("if {condition} {{"));
        self.line(&format!("    k.{target}.next = {value};"));
        self.line("}");
    }

    /// Changes a variable: one of this side of a branch, or where the program plants, any.
    fn change(&mut self) {
        let plants = self.plants && self.region != 0 && self.below(3) > 0;
        if plants || self.region == 0 {
            self.is_planted |= self.region != 0;
            self.change_any();
            return;
        }
        let own: Vec<String> =
            self.variables.iter().filter(|v| v.region == self.region).map(|v| v.name.clone()).collect();
        if own.is_empty() {
            return self.drive();
        }
        let x = own[self.below(own.len() as u64) as usize].clone();
        let y = own[self.below(own.len() as u64) as usize].clone();
        self.change_bits(&x, &y);
    }

    fn change_any(&mut self) {
        // Among others those of this side: changing these plants nothing, but may be right, which is as good.
        let count = self.variables.len() as u64;
        let (x, y) = (self.below(count) as usize, self.below(count) as usize);
        let (x, y) = (self.variables[x].name.clone(), self.variables[y].name.clone());
        let value = self.value(1);
        match self.below(18) {
            0..=5 => self.change_bits(&x, &y),
            6 => self.line(&format!("{{ let new = {value}; v.push(new); }}")),
            7 => self.line("for z in v.iter_mut() { *z = *z + 1; }"),
            8 => self.line("v.swap(0, 1);"),
            9 => {
                self.line(&format!("{{ let new = {value}; if let Some(z) = v.first_mut() {{ *z = new; }} }}"))
            }
            10 => self.line(&format!("{{ let new = {value}; v[1] = new; }}")),
            11 => self.line(&format!("{{ let new = {value}; v.insert(0, new); }}")),
            12 => self.line("n += 1;"),
            13 => self.line("o.take();"),
            14 => self.line(&format!("o.replace({value});")),
            15 => self.line(&format!("cell.set({value});")),
            16 => self.line(&format!("{{ let new = {value}; acc.add(new); }}")),
            _ => self.line("for (i, z) in v.iter_mut().enumerate() { if i > 0 { *z = *z + 3; } }"),
        }
    }

    fn change_bits(&mut self, x: &str, y: &str) {
        let value = self.value(1);
        match self.below(8) {
            0 | 1 => self.line(&format!("{x} = {value};")),
            2 => self.line(&format!("{{ let r = &mut {x}; set(r, lit(8, 9u32)); }}")),
            3 => self.line(&format!("{{ let new = {value}; set(&mut {x}, new); }}")),
            4 => self.line(&format!("{{ let new = {value}; let mut f = || {x} = new; f(); }}")),
            5 if x != y => self.line(&format!("std::mem::swap(&mut {x}, &mut {y});")),
            6 if x != y => self.line(&format!("({x}, {y}) = ({y}, {x});")),
            _ => self.line(&format!("{x} = {x} + 1;")),
        }
    }
}
