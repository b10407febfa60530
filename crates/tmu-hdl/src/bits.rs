//! [`Bits`]: the value that kernels compute with.
//!
//! Unsigned, of run-time width, `Copy`. Widths are checked by every operation and nothing is cut or extended
//! silently: a mistake is a diagnostic that names both operands and where each comes from. In simulation a
//! `Bits` is a number; while a design is elaborated it is a node of the recorded expression graph.

use crate::diagnostic::{Rule, Source, bits};
use crate::op::{Op, WidthRule};
use crate::record::scope::plain_name;
use crate::record::{self, Node, NodeId, NodeKind};
use crate::signed::Signed;
use crate::simplify::simplify;
use crate::value::{MAX_WIDTH_BITS, Value};
use smallvec::SmallVec;
use std::fmt;
use std::panic::Location;

/// A value of run-time width inside a kernel.
#[derive(Clone, Copy)]
pub struct Bits {
    pub(crate) value: Value,
    /// `None` for constants and in simulation.
    pub(crate) node: Option<NodeId>,
}

/// Operands of an operator, but for a concatenation: so many need no memory of their own.
const FEW: usize = 3;

/// The constant `number` in `width` bits: an unsigned number, or a negative one in two's complement.
///
/// `lit(8, 200)` and `lit(8, -3)` fit, `lit(8, 256)` and `lit(8, -129)` are refused.
#[track_caller]
pub fn lit(width: usize, number: impl Number) -> Bits {
    literal(width, number, Reading::Either)
}

/// The constant `number`, refused unless `reading` has it in `width` bits.
#[track_caller]
pub(crate) fn literal(width: usize, number: impl Number, reading: Reading) -> Bits {
    let number = number.number();
    let value = number.value(width.clamp(1, MAX_WIDTH_BITS));
    if width == 0 || width > MAX_WIDTH_BITS || !number.fits(width, reading) {
        record::refuse(
            Rule::Width,
            format!("the constant {number} does not fit {}", bits(width)),
            vec![("constant".into(), Location::caller())],
            "make the constant smaller or the width larger (1 to 1024 bits)",
        );
        return Bits::poison(value.width());
    }
    Bits::constant(value)
}

/// How the bits of a constant are going to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As two's complement.
    Signed,
    /// As either, as the number's sign says.
    Either,
}

/// A whole number of Rust, ready to become a constant.
#[derive(Clone, Copy, Debug)]
pub struct WholeNumber {
    is_negative: bool,
    magnitude: u128,
}

impl WholeNumber {
    /// Its low `width` bits, in two's complement.
    fn value(self, width: usize) -> Value {
        let magnitude = Value::from_u128(width, self.magnitude);
        if self.is_negative { Op::Neg.eval(&[magnitude]) } else { magnitude }
    }

    /// Whether `width` bits, read so, hold it.
    fn fits(self, width: usize, reading: Reading) -> bool {
        let used_bits = (u128::BITS - self.magnitude.leading_zeros()) as usize;
        match (self.is_negative, reading) {
            (true, _) => used_bits < width || used_bits == width && self.magnitude.is_power_of_two(),
            (false, Reading::Signed) => used_bits < width,
            (false, Reading::Either) => used_bits <= width,
        }
    }
}

impl fmt::Display for WholeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negative { "-" } else { "" }, self.magnitude)
    }
}

/// The numbers of Rust that constants are made of.
pub trait Number {
    /// The number.
    fn number(self) -> WholeNumber;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn number(self) -> WholeNumber {
                #[allow(unused_comparisons, reason = "one text for numbers with and without a sign")]
                let is_negative = self < 0;
                // Numbers with a sign reach 128 bits by sign extension, which the negation undoes.
                let extended = self as u128;
                let magnitude = if is_negative { extended.wrapping_neg() } else { extended };
                WholeNumber { is_negative, magnitude }
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

impl Number for bool {
    fn number(self) -> WholeNumber {
        WholeNumber { is_negative: false, magnitude: u128::from(self) }
    }
}

/// Concatenation, most significant part first, as in Verilog's `{a, b}`.
#[track_caller]
pub fn cat<'a>(parts: impl IntoIterator<Item = &'a Bits>) -> Bits {
    let parts: Vec<Bits> = parts.into_iter().copied().collect();
    if parts.is_empty() {
        record::refuse(
            Rule::Width,
            "a concatenation of nothing has no width".into(),
            vec![("cat".into(), Location::caller())],
            "concatenate at least one value",
        );
        return Bits::poison(1);
    }
    Bits::apply(Op::Concat, &parts, Location::caller())
}

/// Concatenation, least significant part first: what is bit 0 of the first part is bit 0 of the whole.
#[track_caller]
pub fn stack(parts: impl IntoIterator<Item = Bits>) -> Bits {
    let mut parts: Vec<Bits> = parts.into_iter().collect();
    parts.reverse();
    cat(&parts)
}

impl Bits {
    /// A constant from a value.
    pub fn constant(value: Value) -> Bits {
        Bits { value, node: None }
    }

    /// Width in bits.
    pub fn width(self) -> usize {
        self.value.width()
    }

    /// Gives a constant a name that the Verilog keeps, as a `localparam`, and the manifest lists. Other values are
    /// named by the `let` that holds them.
    #[track_caller]
    pub fn named(self, name: &str) -> Bits {
        if self.node.is_some() || !record::is_recording() {
            return self;
        }
        Bits { node: record::parameter(name, self.value, Location::caller()), ..self }
    }

    /// The value, a constant without its name.
    pub(crate) fn without_name(self) -> Bits {
        if self.node.is_some_and(record::is_constant) { Bits::constant(self.value) } else { self }
    }

    /// The number, in simulation or for a constant. While a design is elaborated other values have none.
    #[track_caller]
    pub fn value(self) -> Value {
        if self.without_name().node.is_some() && !self.is_poison() {
            record::refuse(
                Rule::Unsupported,
                "a kernel asked for the number of a signal, which only simulation knows".into(),
                vec![("asked".into(), Location::caller())],
                "compute with Bits; `if` on a Bits condition becomes hardware",
            );
        }
        self.value
    }

    /// The number in its low 64 bits; see [`Bits::value`].
    #[track_caller]
    pub fn to_u64(self) -> u64 {
        self.value().low_u64()
    }

    /// The same bits, read as two's complement.
    pub fn signed(self) -> Signed {
        Signed(self)
    }

    /// Bit `index`.
    #[track_caller]
    pub fn bit(self, index: usize) -> Bits {
        self.slice(index, 1)
    }

    /// `width` bits from bit `lo` up.
    #[track_caller]
    pub fn slice(self, lo: usize, width: usize) -> Bits {
        Bits::apply(Op::Slice { lo, width }, &[self], Location::caller())
    }

    /// The low `width` bits.
    #[track_caller]
    pub fn low(self, width: usize) -> Bits {
        self.slice(0, width)
    }

    /// The high `width` bits.
    #[track_caller]
    pub fn high(self, width: usize) -> Bits {
        self.slice(self.width().saturating_sub(width), width)
    }

    /// The bit at a run-time position; zero past the top.
    #[track_caller]
    pub fn at(self, index: Bits) -> Bits {
        Bits::apply(Op::Index, &[self, index], Location::caller())
    }

    /// Extends with zeros to `width`, which must not be narrower.
    #[track_caller]
    pub fn zero_extend(self, width: usize) -> Bits {
        Bits::apply(Op::ZeroExtend(width), &[self], Location::caller())
    }

    /// Extends with the sign bit to `width`, which must not be narrower.
    #[track_caller]
    pub fn sign_extend(self, width: usize) -> Bits {
        Bits::apply(Op::SignExtend(width), &[self], Location::caller())
    }

    /// The value `times` in a row.
    #[track_caller]
    pub fn repeat(self, times: usize) -> Bits {
        Bits::apply(Op::Repeat(times), &[self], Location::caller())
    }

    /// One bit: any bit set.
    #[track_caller]
    pub fn any(self) -> Bits {
        Bits::apply(Op::Any, &[self], Location::caller())
    }

    /// One bit: all bits set.
    #[track_caller]
    pub fn all(self) -> Bits {
        Bits::apply(Op::All, &[self], Location::caller())
    }

    /// One bit: an odd number of bits set.
    #[track_caller]
    pub fn parity(self) -> Bits {
        Bits::apply(Op::Parity, &[self], Location::caller())
    }

    /// The sum with its carry: one bit wider than the operands.
    #[track_caller]
    pub fn add_wide(self, other: Bits) -> Bits {
        let width = self.width() + 1;
        let extend = |x: Bits| Bits::apply(Op::ZeroExtend(width.max(x.width())), &[x], Location::caller());
        Bits::apply(Op::Add, &[extend(self), extend(other)], Location::caller())
    }

    /// The number of bits set; see [`count_ones`](crate::arithmetic::count_ones).
    #[track_caller]
    pub fn count_ones(self) -> Bits {
        crate::arithmetic::count_ones(self)
    }

    /// The number of zeros above the highest bit set; see [`leading_zeros`](crate::arithmetic::leading_zeros).
    #[track_caller]
    pub fn leading_zeros(self) -> Bits {
        crate::arithmetic::leading_zeros(self)
    }

    /// `then` where this bit is set, `otherwise` where not.
    #[track_caller]
    pub fn mux(self, then: Bits, otherwise: Bits) -> Bits {
        Bits::apply(Op::Mux, &[self, then, otherwise], Location::caller())
    }

    /// Applies an operator: evaluates constants and simulated values, records the rest.
    pub(crate) fn apply(op: Op, args: &[Bits], source: Source) -> Bits {
        let widths: SmallVec<[usize; FEW]> = args.iter().map(|a| a.width()).collect();
        let refused = args.iter().any(|a| a.is_poison());
        let width = match op.result_width(&widths) {
            Ok(width) if !refused => width,
            Ok(width) => return Bits::poison(width),
            Err(rule) => {
                if !refused {
                    refuse_widths(op, args, rule, source);
                }
                return Bits::poison(widths[widths.len() - 1]);
            }
        };
        if args.iter().all(|a| a.without_name().node.is_none()) {
            let values: SmallVec<[Value; FEW]> = args.iter().map(|a| a.value).collect();
            return Bits::constant(op.eval(&values));
        }
        let plain: SmallVec<[Bits; FEW]> = args.iter().map(|a| a.without_name()).collect();
        if let Some(simple) = simplify(op, &plain, source) {
            return simple;
        }
        // Verilog-2001 selects no bits of a named constant.
        let args = if matches!(op, Op::Mul | Op::MulSigned | Op::Index) { &plain } else { args };
        let nodes: Option<Vec<NodeId>> = args.iter().map(|a| a.as_node(source)).collect();
        let Some(nodes) = nodes else { return Bits::poison(width) };
        Bits { value: Value::zero(width), node: record::node(NodeKind::Op(op, nodes), width, source) }
    }

    /// What stands for a value that was refused; `width` is a guess that nothing relies on.
    pub(crate) fn poison(width: usize) -> Bits {
        Bits { value: Value::zero(width), node: Some(NodeId::POISON) }
    }

    /// True for a value that was refused already: one mistake is one problem.
    pub(crate) fn is_poison(self) -> bool {
        self.node == Some(NodeId::POISON)
    }

    /// The node of this value, made on the spot for a constant. A node of another block is refused, and a
    /// value that was refused has none.
    pub(crate) fn as_node(self, source: Source) -> Option<NodeId> {
        match self.node {
            Some(NodeId::POISON) => None,
            None => record::node(NodeKind::Literal(self.value), self.width(), source),
            Some(id) if record::look_up(id, |_| ()).is_some() => Some(id),
            Some(_) => {
                record::refuse(
                    Rule::Unsupported,
                    "a value from another block, or from another run of this kernel, is used here".into(),
                    vec![("used".into(), source)],
                    "pass the value through a port, or keep it in a register",
                );
                None
            }
        }
    }

    /// Name, width and origin for a message.
    pub(crate) fn describe(self, role: &str, here: Source) -> (String, Source) {
        let Some(node) = self.node.and_then(|id| record::look_up(id, Node::clone)) else {
            return (format!("{role}, constant, {}", bits(self.width())), here);
        };
        let width = bits(self.width());
        let (name, source) = match (&node.name, &node.kind) {
            (Some(name), _) => (format!("`{}`", plain_name(name)), node.source),
            (None, NodeKind::Op(op, _)) => (format!("result of `{}`", op.symbol()), node.source),
            (None, NodeKind::Net(net)) => match record::net_place(*net) {
                Some(place) => (format!("`{}`", place.path), place.source.unwrap_or(node.source)),
                None => ("net".into(), node.source),
            },
            (None, NodeKind::Literal(_)) => ("constant".into(), node.source),
        };
        (format!("{role}, {name}, {width}"), source)
    }
}

fn refuse_widths(op: Op, args: &[Bits], rule: WidthRule, source: Source) {
    let widths: Vec<String> = args.iter().map(|a| a.width().to_string()).collect();
    let (message, remedy) = match rule {
        WidthRule::Equal => (
            format!(
                "operands of `{}` are {} bits wide",
                op.symbol(),
                widths[widths.len() - 2..].join(" and ")
            ),
            "make both of one width: zero_extend, sign_extend, slice or low",
        ),
        WidthRule::OneBit(i) => (
            format!("`{}` takes one bit here, not {}", op.symbol(), widths[i]),
            "compare with a number, or reduce with any() or all()",
        ),
        WidthRule::SliceInside => {
            let Op::Slice { lo, width } = op else { return };
            (
                format!("bits {lo} to {} of a value of {}", lo + width - 1, bits(args[0].width())),
                "slice inside the value",
            )
        }
        WidthRule::ExtensionNotNarrower => {
            let (Op::ZeroExtend(to) | Op::SignExtend(to)) = op else { return };
            (
                format!("`{}` to {} of a value of {}", op.symbol(), bits(to), bits(args[0].width())),
                "cut with low() or slice()",
            )
        }
        WidthRule::InRange => (
            format!("the result of `{}` is not 1 to {MAX_WIDTH_BITS} bits wide", op.symbol()),
            "split the value, or take at least one bit",
        ),
    };
    let mut places = vec![("written".into(), source)];
    places.extend(args.iter().enumerate().map(|(i, a)| a.describe(&format!("operand {i}"), source)));
    record::refuse(Rule::Width, message, places, remedy);
}
