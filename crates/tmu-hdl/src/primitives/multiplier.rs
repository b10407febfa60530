//! A multiplier with the registers of a DSP slice.

use super::memory::is_high;
use super::{EdgeDetector, ModelState, ecp5};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::op::Op;
use crate::prelude::*;
use crate::primitive::{Primitive, Resource, ResourceKind, describe};
use crate::value::Value;
use crate::verilog::text::{range, select};

/// A factor of a [`Multiplier`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    width: usize,
    signed: bool,
}

impl Operand {
    /// Two's complement of `width` bits.
    pub fn signed(width: usize) -> Operand {
        Operand { width, signed: true }
    }

    /// Unsigned of `width` bits.
    pub fn unsigned(width: usize) -> Operand {
        Operand { width, signed: false }
    }

    /// Width in bits.
    pub fn width(self) -> usize {
        self.width
    }

    /// True for two's complement.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// The number with a sign bit, however it is written.
    fn with_sign(self, value: Value) -> Value {
        if self.signed { value } else { value.resized(self.width + 1) }
    }

    /// The register `name` as a signed Verilog operand of `width` bits.
    fn verilog(self, name: &str, width: usize) -> String {
        let count = width - self.width;
        match self.signed {
            true if self.width == 1 => format!("$signed({{{}{{{name}}}}})", count + 1),
            true => format!("$signed({{{{{count}{{{name}[{}]}}}}, {name}}})", self.width - 1),
            false => format!("$signed({{{count}'b0, {name}}})"),
        }
    }
}

/// A multiplier with the input, product and output registers of a DSP slice.
///
/// `product` is as wide as both factors together: unsigned where both are, else two's complement. All registers
/// move in a clock with `enable` high and hold in any other. Latency 3 enabled clocks, II 1. One DSP48E2 takes
/// 27 × 18 bits with sign, one bit less without; one MULT18X18D of ECP5 18 × 18 with or without.
#[derive(Debug, LogicBlock)]
pub struct Multiplier {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// A factor.
    pub a: Net<In>,
    /// The other factor.
    pub b: Net<In>,
    /// The product of three enabled clocks before.
    pub product: Net<Out>,
    operands: ModelState<[Operand; 2]>,
    clock_edge: EdgeDetector,
    factors: ModelState<[Value; 2]>,
    /// The product register and the output register.
    products: ModelState<[Value; 2]>,
}

impl Multiplier {
    /// Clocks from the factors to the product.
    pub const LATENCY_CLOCKS: u32 = 3;

    /// A multiplier of these factors.
    #[track_caller]
    pub fn new(a: Operand, b: Operand) -> Multiplier {
        let clocks = Clocks::without_reset();
        let width = a.width + b.width;
        Multiplier {
            enable: Net::bit(),
            a: Net::new(a.width),
            b: Net::new(b.width),
            product: Net::new(width),
            operands: ModelState::new([a, b]),
            clock_edge: EdgeDetector::new(&clocks),
            factors: ModelState::new([Value::zero(a.width), Value::zero(b.width)]),
            products: ModelState::new([Value::zero(width); 2]),
            clocks,
        }
    }

    fn verilog(&self) -> String {
        let [a, b] = *self.operands;
        let width = a.width + b.width;
        format!(
            "reg {a_range}a_register;\n\
             reg {b_range}b_register;\n\
             (* use_dsp = \"yes\" *) reg {range}m_register;\n\
             reg {range}p_register;\n\
             \n\
             always @(posedge clk) begin\n\
             \x20   if (enable) begin\n\
             \x20       a_register <= a;\n\
             \x20       b_register <= b;\n\
             \x20       m_register <= $unsigned({a_operand} * {b_operand});\n\
             \x20       p_register <= m_register;\n\
             \x20   end\n\
             end\n\
             assign product = p_register;\n",
            a_range = range(a.width),
            b_range = range(b.width),
            range = range(width),
            a_operand = a.verilog("a_register", width),
            b_operand = b.verilog("b_register", width),
        )
    }
}

impl Multiplier {
    /// The site of ECP5, where both factors fit; wider ones are left to inference, which makes several of them.
    fn ecp5(&self) -> Option<String> {
        let [a, b] = *self.operands;
        if a.width.max(b.width) > ecp5::FACTOR_BITS {
            return None;
        }
        let factor =
            |name, operand: Operand| ecp5::Factor { name, width: operand.width, signed: operand.signed };
        let site = ecp5::multiplier("site", &factor("a", a), &factor("b", b));
        Some(format!("{site}assign product = site_p{};\n", select(0, a.width + b.width)))
    }
}

impl Logic for Multiplier {
    fn update(&mut self) {
        if self.clock_edge.rose() && is_high(&self.enable) {
            let [a, b] = *self.operands;
            let factors = [a.with_sign(self.factors[0]), b.with_sign(self.factors[1])];
            let product = Op::MulSigned.eval(&factors).resized(a.width + b.width);
            *self.products = [product, self.products[0]];
            *self.factors = [self.a.val().value(), self.b.val().value()];
        }
        self.product.drive(Bits::constant(self.products[1]));
    }

    fn hdl(&self) -> Verilog {
        let [a, b] = *self.operands;
        let sign = |o: Operand| if o.signed { "s" } else { "u" };
        let width = a.width + b.width;
        let mut behaviour = Behaviour::default();
        let mut hold = |data| behaviour.hold(&self.clocks, self.enable.val(), data);
        let (a_held, b_held) = (hold(self.a.val()), hold(self.b.val()));
        let with_sign = |o: Operand, bits: Bits| if o.signed { bits } else { bits.zero_extend(o.width + 1) };
        let product = with_sign(a, a_held).signed() * with_sign(b, b_held).signed();
        let product = hold(product.bits().low(width));
        let product = hold(product);
        behaviour.output(&self.product, product);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("multiplier_{}{}_{}{}", sign(a), a.width, sign(b), b.width),
            docs: "Multiplier with the input, product and output registers of a DSP slice.".into(),
            verilog: self.verilog(),
            ecp5: self.ecp5(),
            clocked: ["enable", "a", "b", "product"].iter().map(|&port| (port, "clk")).collect(),
            resource: Some(Resource { kind: ResourceKind::Multiplier, depth: 1, width }),
            ..Primitive::default()
        });
        timing(Multiplier::LATENCY_CLOCKS, 1);
        Verilog::Empty
    }
}
