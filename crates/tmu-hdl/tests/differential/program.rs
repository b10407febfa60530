//! Kernels as data: a [`Program`] says what a kernel does, and the kernel of a [`Machine`] does it through the
//! same public functions that `#[kernel]` writes calls of. So thousands of kernels need no Rust compiler.

use rust_hdl_core::ast::Verilog;
use std::sync::Arc;
use tmu_hdl::kernel::{
    Branch, HwAnd, HwEq, HwOr, HwOrd, NameBits, SelectBits, banner, comment, describe, discard,
};
use tmu_hdl::prelude::{Bits, Clocks, In, Local, Logic, LogicBlock, Net, Out, Reg, block, cat, probe};
use tmu_hdl::value::Value;

/// A block with its kernel.
#[derive(Debug)]
pub(crate) struct Program {
    /// Name of the module.
    pub(crate) name: String,
    pub(crate) input_bits: Vec<usize>,
    pub(crate) output_bits: Vec<usize>,
    pub(crate) wire_bits: Vec<usize>,
    pub(crate) registers: Vec<Register>,
    pub(crate) children: Vec<Arc<Program>>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug)]
pub(crate) struct Register {
    pub(crate) init: Value,
    /// The value that the reset gives, where there is one.
    pub(crate) reset: Option<u64>,
}

/// A net of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Reset,
    Input(usize),
    Output(usize),
    Wire(usize),
    Register(usize),
    ChildInput(usize, usize),
    ChildOutput(usize, usize),
}

/// A step of a kernel. Values are numbered in the order in which steps make them; those that a side of an `if`
/// or a scope makes are gone behind it.
#[derive(Debug)]
pub(crate) enum Step {
    /// Makes a value.
    Read(Place),
    /// Makes a value; with a name it is a `localparam`.
    Constant(Value, Option<&'static str>),
    /// Makes a value; with a name it is a `let`.
    Compute {
        operation: Operation,
        operands: Vec<usize>,
        name: Option<&'static str>,
    },
    /// Makes two values with one `if`.
    Choose {
        condition: usize,
        sides: [Side; 2],
    },
    /// An `if` statement.
    If {
        condition: usize,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    /// Steps whose values nobody else sees.
    Scope(Vec<Step>),
    /// `place.next = value;`
    Drive(Place, usize),
    /// Clocks a child.
    Follow(usize),
    Comment(String),
    Banner(String),
    Discard(usize),
}

/// One side of an `if` that makes values.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) steps: Vec<Step>,
    pub(crate) results: [usize; 2],
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Every operation that a kernel can write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Not,
    Negate,
    Any,
    All,
    Parity,
    And,
    Or,
    Xor,
    Add,
    Sub,
    AddWide,
    AddSigned,
    SubSigned,
    AddNumber(u64),
    SubNumber(u64),
    AndNumber(u64),
    Compare(Relation),
    CompareSigned(Relation),
    CompareNumber(Relation, u64),
    AndAlso,
    OrElse,
    Mul,
    MulSigned,
    Shl,
    Shr,
    ShrSigned,
    ShlBy(usize),
    ShrBy(usize),
    ShrSignedBy(usize),
    Slice { lo: usize, width: usize },
    At,
    Cat,
    Repeat(usize),
    ZeroExtend(usize),
    SignExtend(usize),
    Mux,
}

impl Operation {
    pub(crate) fn apply(self, x: &[Bits]) -> Bits {
        use Operation as O;
        let signed = |i: usize| x[i].signed();
        match self {
            O::Not => !x[0],
            O::Negate => (-signed(0)).bits(),
            O::Any => x[0].any(),
            O::All => x[0].all(),
            O::Parity => x[0].parity(),
            O::And => x[0] & x[1],
            O::Or => x[0] | x[1],
            O::Xor => x[0] ^ x[1],
            O::Add => x[0] + x[1],
            O::Sub => x[0] - x[1],
            O::AddWide => x[0].add_wide(x[1]),
            O::AddSigned => (signed(0) + signed(1)).bits(),
            O::SubSigned => (signed(0) - signed(1)).bits(),
            O::AddNumber(n) => x[0] + n,
            O::SubNumber(n) => x[0] - n,
            O::AndNumber(n) => x[0] & n,
            O::Compare(relation) => match relation {
                Relation::Equal => x[0].hw_eq(x[1]),
                Relation::NotEqual => x[0].hw_ne(x[1]),
                Relation::Less => x[0].hw_lt(x[1]),
                Relation::LessOrEqual => x[0].hw_le(x[1]),
                Relation::Greater => x[0].hw_gt(x[1]),
                Relation::GreaterOrEqual => x[0].hw_ge(x[1]),
            },
            O::CompareSigned(relation) => match relation {
                Relation::Equal => signed(0).hw_eq(signed(1)),
                Relation::NotEqual => signed(0).hw_ne(signed(1)),
                Relation::Less => signed(0).hw_lt(signed(1)),
                Relation::LessOrEqual => signed(0).hw_le(signed(1)),
                Relation::Greater => signed(0).hw_gt(signed(1)),
                Relation::GreaterOrEqual => signed(0).hw_ge(signed(1)),
            },
            O::CompareNumber(relation, n) => match relation {
                Relation::Equal => x[0].hw_eq(n),
                Relation::NotEqual => x[0].hw_ne(n),
                Relation::Less => x[0].hw_lt(n),
                Relation::LessOrEqual => x[0].hw_le(n),
                Relation::Greater => x[0].hw_gt(n),
                Relation::GreaterOrEqual => x[0].hw_ge(n),
            },
            O::AndAlso => x[0].hw_and(|| x[1]),
            O::OrElse => x[0].hw_or(|| x[1]),
            O::Mul => x[0] * x[1],
            O::MulSigned => (signed(0) * signed(1)).bits(),
            O::Shl => x[0] << x[1],
            O::Shr => x[0] >> x[1],
            O::ShrSigned => (signed(0) >> x[1]).bits(),
            O::ShlBy(n) => x[0] << n,
            O::ShrBy(n) => x[0] >> n,
            O::ShrSignedBy(n) => (signed(0) >> n).bits(),
            O::Slice { lo, width } => x[0].slice(lo, width),
            O::At => x[0].at(x[1]),
            O::Cat => cat(x),
            O::Repeat(times) => x[0].repeat(times),
            O::ZeroExtend(width) => x[0].zero_extend(width),
            O::SignExtend(width) => x[0].sign_extend(width),
            O::Mux => x[0].mux(x[1], x[2]),
        }
    }
}

/// A block that does what its program says.
#[derive(LogicBlock)]
pub(crate) struct Machine {
    pub(crate) clocks: Clocks,
    pub(crate) inputs: Vec<Net<In>>,
    pub(crate) outputs: Vec<Net<Out>>,
    wires: Vec<Net<Local>>,
    registers: Vec<Reg>,
    children: Vec<Machine>,
    _program: Arc<Program>,
}

impl Machine {
    pub(crate) fn new(program: &Arc<Program>) -> Machine {
        let clocks = Clocks::new();
        let register = |r: &Register| match r.reset {
            Some(number) => Reg::with_reset(&clocks, r.init.width(), number.into()).init(r.init),
            None => Reg::new(&clocks, r.init.width()).init(r.init),
        };
        Machine {
            inputs: program.input_bits.iter().map(|&w| Net::new(w)).collect(),
            outputs: program.output_bits.iter().map(|&w| Net::new(w)).collect(),
            wires: program.wire_bits.iter().map(|&w| Net::new(w)).collect(),
            registers: program.registers.iter().map(register).collect(),
            children: program.children.iter().map(Machine::new).collect(),
            _program: program.clone(),
            clocks,
        }
    }

    fn read(&self, place: Place) -> Bits {
        match place {
            Place::Reset => self.clocks.reset(),
            Place::Input(i) => self.inputs[i].val(),
            Place::Output(i) => self.outputs[i].val(),
            Place::Wire(i) => self.wires[i].val(),
            Place::Register(i) => self.registers[i].val(),
            Place::ChildInput(c, i) => self.children[c].inputs[i].val(),
            Place::ChildOutput(c, i) => self.children[c].outputs[i].val(),
        }
    }

    fn drive(&self, place: Place, value: Bits) {
        match place {
            Place::Output(i) => self.outputs[i].drive(value),
            Place::Wire(i) => self.wires[i].drive(value),
            Place::Register(i) => self.registers[i].drive(value),
            Place::ChildInput(c, i) => self.children[c].inputs[i].drive(value),
            Place::Reset | Place::Input(_) | Place::ChildOutput(..) => {
                panic!("a program drives {place:?}, which is an input here")
            }
        }
    }

    /// Runs steps over the values made so far and forgets the values that they make.
    fn run_inside(&self, steps: &[Step], values: &mut Vec<Bits>) {
        let count = values.len();
        self.run(steps, values);
        values.truncate(count);
    }

    fn run(&self, steps: &[Step], values: &mut Vec<Bits>) {
        for step in steps {
            match step {
                Step::Read(place) => values.push(self.read(*place)),
                Step::Constant(value, name) => {
                    let constant = Bits::constant(*value);
                    values.push(name.map_or(constant, |name| constant.named(name)));
                }
                Step::Compute { operation, operands, name } => {
                    let operands: Vec<Bits> = operands.iter().map(|&o| values[o]).collect();
                    let value = operation.apply(&operands);
                    name.iter().for_each(|name| value.name_value(name));
                    values.push(value);
                }
                Step::Choose { condition, sides } => {
                    let side = |side: &Side| {
                        let mut values = values.clone();
                        self.run(&side.steps, &mut values);
                        (values[side.results[0]], values[side.results[1]])
                    };
                    let pair = values[*condition].hw_select(|| side(&sides[0]), || side(&sides[1]));
                    values.extend([pair.0, pair.1]);
                }
                Step::If { condition, then, otherwise } => {
                    let branch = values[*condition].open();
                    if branch.then() {
                        self.run_inside(then, values);
                    }
                    if branch.otherwise() {
                        self.run_inside(otherwise, values);
                    }
                    branch.end();
                }
                Step::Scope(steps) => self.run_inside(steps, values),
                Step::Drive(place, value) => self.drive(*place, values[*value]),
                Step::Follow(child) => self.children[*child].clocks.follow(&self.clocks),
                Step::Comment(text) => comment(text),
                Step::Banner(text) => banner(text),
                Step::Discard(value) => discard(values[*value], "a random kernel drops it"),
            }
        }
    }
}

impl Logic for Machine {
    fn update(&mut self) {
        self.run(&self._program.steps, &mut vec![]);
    }

    fn hdl(&self) -> Verilog {
        describe(&self._program.name, "A random kernel.");
        self.run(&self._program.steps, &mut vec![]);
        // A random kernel leaves this and that.
        let inputs = self.inputs.iter().map(Net::val);
        inputs.chain(self.registers.iter().map(Reg::val)).for_each(|value| discard(value, "by chance"));
        Verilog::Empty
    }
}
