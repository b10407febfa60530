//! Two products with one common factor in one DSP slice.

use super::memory::is_high;
use super::{EdgeDetector, ModelState, Operand, ecp5};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::op::Op;
use crate::prelude::*;
use crate::primitive::{Primitive, Resource, ResourceKind, describe};
use crate::value::Value;
use crate::verilog::text::{range, select};

/// Bits of the wide multiplier port of a DSP48E2, sign included.
const WIDE_PORT_BITS: usize = 27;
/// Bits of its narrow port, sign included.
const NARROW_PORT_BITS: usize = 18;

/// Two products with one common factor in one DSP48E2: `p0 = a0 × b` and `p1 = a1 × b`.
///
/// The two factors stand in one operand, as many bits apart as a product has, so that the products do not touch.
/// With signed factors the pre-adder joins them, which makes a negative `a0` borrow from `a1`; half the range of
/// the lower product is added behind the multiplier, so that the lower field never borrows from the upper one
/// and the products come apart without an adder. Signed factors of 9 bits use every bit of the port: then `a1`
/// must not be -256 while `a0` is negative, which a difference of two 8-bit numbers never is.
///
/// All registers of the slice are used and move in a clock with `enable` high. Latency 3 enabled clocks with
/// unsigned factors, 4 with signed ones; II 1.
#[derive(Debug, LogicBlock)]
pub struct DualMultiplier {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The factor of the first product.
    pub a0: Net<In>,
    /// The factor of the second product.
    pub a1: Net<In>,
    /// The common factor, unsigned.
    pub b: Net<In>,
    /// The first product, signed where the factors are.
    pub p0: Net<Out>,
    /// The second product.
    pub p1: Net<Out>,
    factor: ModelState<Operand>,
    clock_edge: EdgeDetector,
    /// What the registers hold between the edges.
    pipeline: ModelState<Pipeline>,
}

/// The registers of the slice: factors, joined factors, product, output.
#[derive(Debug)]
struct Pipeline {
    factors: [Value; 3],
    joined: [Value; 2],
    product: Value,
    output: Value,
}

impl DualMultiplier {
    /// Two factors of the kind `a` and a common unsigned factor of `b_bits` bits.
    ///
    /// Twice the width of `a` and the width of `b` must not exceed 27 bits, one less where `a` is unsigned.
    #[track_caller]
    pub fn new(a: Operand, b_bits: usize) -> DualMultiplier {
        let used = 2 * a.width() + b_bits + usize::from(!a.is_signed());
        assert!(used <= WIDE_PORT_BITS, "two factors take {used} bits of the {WIDE_PORT_BITS} of the port");
        assert!(b_bits < NARROW_PORT_BITS, "the common factor has {b_bits} of at most 17 bits");
        let clocks = Clocks::without_reset();
        let product_bits = a.width() + b_bits;
        let packed = Value::zero(packed_bits(a, b_bits));
        let factor = Value::zero(a.width());
        let b = Value::zero(b_bits);
        let output = Value::zero(2 * product_bits);
        DualMultiplier {
            enable: Net::bit(),
            a0: Net::new(a.width()),
            a1: Net::new(a.width()),
            b: Net::new(b_bits),
            p0: Net::new(product_bits),
            p1: Net::new(product_bits),
            factor: ModelState::new(a),
            clock_edge: EdgeDetector::new(&clocks),
            pipeline: ModelState::new(Pipeline {
                factors: [factor, factor, b],
                joined: [packed, b],
                product: output,
                output,
            }),
            clocks,
        }
    }

    /// Enabled clocks from the factors to the products.
    pub fn latency_clocks(&self) -> u32 {
        if self.factor.is_signed() { 4 } else { 3 }
    }

    /// The factors joined, as the multiplier sees them.
    fn join(&self, a0: Value, a1: Value) -> Value {
        let bits = packed_bits(*self.factor, self.b.width());
        let extend = |v: Value| if self.factor.is_signed() { v.sign_resized(bits) } else { v.resized(bits) };
        Op::Add.eval(&[extend(a1).shifted_left(self.p0.width()), extend(a0)])
    }

    /// Half the range of the lower product, where products may be negative.
    fn bias(&self) -> Value {
        let mut bias = Value::zero(2 * self.p0.width());
        if self.factor.is_signed() {
            bias.set_bit(self.p0.width() - 1, true);
        }
        bias
    }

    fn clock(&mut self) {
        let bias = self.bias();
        let width = bias.width();
        let now = &*self.pipeline;
        let (joined, b) = match self.factor.is_signed() {
            true => (now.joined[0], now.joined[1]),
            false => (self.join(now.factors[0], now.factors[1]), now.factors[2]),
        };
        let product = Op::MulSigned.eval(&[joined, b.resized(b.width() + 1)]);
        let next = Pipeline {
            output: Op::Add.eval(&[now.product, bias]),
            product: product.sign_resized(width),
            joined: [self.join(now.factors[0], now.factors[1]), now.factors[2]],
            factors: [&self.a0, &self.a1, &self.b].map(|net| net.val().value()),
        };
        *self.pipeline = next;
    }

    fn verilog(&self) -> String {
        let [a_bits, b_bits, product_bits] = [self.a0.width(), self.b.width(), self.p0.width()];
        let packed = packed_bits(*self.factor, b_bits);
        let width = 2 * product_bits;
        let (registers, moves, joined, b) = match self.factor.is_signed() {
            false => {
                let registers = format!("reg {}ab_register;\n", range(a_bits + product_bits));
                let moves = format!("        ab_register <= {{a1, {b_bits}'b0, a0}};\n");
                let joined = format!("{{{}'b0, ab_register}}", width - a_bits - product_bits);
                (registers, moves, joined, "b_register")
            }
            true => {
                let low = packed - a_bits;
                let high = packed - a_bits - product_bits;
                let top =
                    if high > 0 { format!("{{{high}{{a1[{}]}}}}, ", a_bits - 1) } else { String::new() };
                let registers = format!(
                    "reg {r}a_register;\nreg {r}d_register;\nreg {r}ad_register;\nreg {b}b_delayed;\n",
                    r = range(packed),
                    b = range(b_bits)
                );
                let moves = format!(
                    "        a_register <= {{{{{low}{{a0[{}]}}}}, a0}};\n\
                     \x20       d_register <= {{{top}a1, {product_bits}'b0}};\n\
                     \x20       ad_register <= d_register + a_register;\n\
                     \x20       b_delayed <= b_register;\n",
                    a_bits - 1
                );
                let joined =
                    format!("{{{{{}{{ad_register[{}]}}}}, ad_register}}", width - packed, packed - 1);
                (registers, moves, joined, "b_delayed")
            }
        };
        let output = match self.factor.is_signed() {
            false => "m_register".to_string(),
            true => format!("m_register + {width}'d{}", 1u64 << (product_bits - 1)),
        };
        let low = match self.factor.is_signed() {
            false => format!("p_register{}", select(0, product_bits)),
            true => {
                format!("{{!p_register[{}], p_register{}}}", product_bits - 1, select(0, product_bits - 1))
            }
        };
        format!(
            "{registers}reg {b_range}b_register;\n\
             (* use_dsp = \"yes\" *) reg {m_range}m_register;\n\
             reg {m_range}p_register;\n\
             \n\
             always @(posedge clk) begin\n\
             \x20   if (enable) begin\n\
             {moves}\
             \x20       b_register <= b;\n\
             \x20       m_register <= $unsigned($signed({joined}) * $signed({{{b_extra}'b0, {b}}}));\n\
             \x20       p_register <= {output};\n\
             \x20   end\n\
             end\n\
             assign p0 = {low};\n\
             assign p1 = p_register{high};\n",
            b_range = range(b_bits),
            m_range = range(width),
            b_extra = width - b_bits,
            high = select(product_bits, product_bits),
        )
    }

    /// A site of ECP5 for each product: one is too narrow for two. Signed factors have a register in front of it, as long as the
    /// pre-adder takes.
    fn ecp5(&self) -> String {
        let (a_bits, b_bits, signed) = (self.a0.width(), self.b.width(), self.factor.is_signed());
        let mut text = String::new();
        let suffix = if signed { "_register" } else { "" };
        if signed {
            let ports = [("a0", a_bits), ("a1", a_bits), ("b", b_bits)];
            let declared = ports.map(|(port, bits)| format!("reg {}{port}_register;\n", range(bits)));
            let moves = ports.map(|(port, _)| format!("        {port}_register <= {port};\n"));
            text += &declared.concat();
            text += "always @(posedge clk) begin\n    if (enable) begin\n";
            text += &moves.concat();
            text += "    end\nend\n";
        }
        for number in [0, 1] {
            let (a, b) = (format!("a{number}{suffix}"), format!("b{suffix}"));
            let a = ecp5::Factor { name: &a, width: a_bits, signed };
            let b = ecp5::Factor { name: &b, width: b_bits, signed: false };
            let name = format!("site_{number}");
            text += &ecp5::multiplier(&name, &a, &b);
            text += &format!("assign p{number} = {name}_p{};\n", select(0, self.p0.width()));
        }
        text
    }

    /// What the slice computes, register by register.
    fn behaviour(&self) -> Behaviour {
        let mut behaviour = Behaviour::default();
        let mut hold = |data| behaviour.hold(&self.clocks, self.enable.val(), data);
        let bits = packed_bits(*self.factor, self.b.width());
        let signed = self.factor.is_signed();
        let product_bits = self.p0.width();
        let extend = |v: Bits| if signed { v.sign_extend(bits) } else { v.zero_extend(bits) };
        let [a0, a1, b] = [&self.a0, &self.a1, &self.b].map(|port| hold(port.val()));
        let joined = (extend(a1) << product_bits) + extend(a0);
        // The pre-adder, and its register, are used for signed factors.
        let (joined, b) = if signed { (hold(joined), hold(b)) } else { (joined, b) };
        let product = (joined.signed() * b.zero_extend(b.width() + 1).signed()).bits();
        let width = 2 * product_bits;
        let fitted = product.low(width.min(product.width())).sign_extend(width);
        let product = hold(fitted);
        let bias = Bits::constant(self.bias());
        let output = hold(product + bias);
        let low = (output - bias).low(product_bits);
        behaviour.output(&self.p0, low);
        behaviour.output(&self.p1, output.high(product_bits));
        behaviour
    }
}

/// Bits of the joined factors, sign included. Where the port has room, one more than they need keeps their sum
/// from wrapping.
fn packed_bits(a: Operand, b_bits: usize) -> usize {
    (2 * a.width() + b_bits + 1).min(WIDE_PORT_BITS)
}

impl Logic for DualMultiplier {
    fn update(&mut self) {
        if self.clock_edge.rose() && is_high(&self.enable) {
            self.clock();
        }
        let output = self.pipeline.output;
        let product_bits = self.p0.width();
        let low = Op::Sub.eval(&[output, self.bias()]).resized(product_bits);
        self.p0.drive(Bits::constant(low));
        self.p1.drive(Bits::constant(output.shifted_right(product_bits).resized(product_bits)));
    }

    fn hdl(&self) -> Verilog {
        let sign = if self.factor.is_signed() { "s" } else { "u" };
        describe(Primitive {
            behaviour: Some(self.behaviour()),
            module: format!("dual_multiplier_{sign}{}_u{}", self.a0.width(), self.b.width()),
            docs: "Two products with one common factor in one DSP slice.".into(),
            verilog: self.verilog(),
            ecp5: Some(self.ecp5()),
            clocked: ["enable", "a0", "a1", "b", "p0", "p1"].iter().map(|&port| (port, "clk")).collect(),
            resource: Some(Resource { kind: ResourceKind::Multiplier, depth: 1, width: 2 * self.p0.width() }),
            ..Primitive::default()
        });
        timing(self.latency_clocks(), 1);
        Verilog::Empty
    }
}
