//! Linear interpolation of two 8-bit channels in one DSP slice.

use super::memory::is_high;
use super::{EdgeDetector, ModelState, ecp5::Factor, ecp5::multiplier};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, Resource, ResourceKind, describe};

/// Linear interpolation of two 8-bit channels by one weight, in one DSP48E2:
/// `result = (256·x - weight·x + weight·y + 128) >> 8` for each.
///
/// The pre-adder subtracts both pairs at once, 16 bits apart; the multiplier weighs the differences; the C port
/// brings `256·x + 128` of both. Each sum lies between 128 and 65408, so that neither field ever borrows from
/// or carries into the other and both come apart without an adder. 25 × 10 bits: DSP48E1 does it too.
///
/// All registers of the slice are used and move in a clock with `enable` high. Latency 4 enabled clocks, II 1.
/// Costs one DSP48E2 and 32 flip-flops that carry `x` to the C port.
#[derive(Debug, LogicBlock)]
pub struct LerpPair {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// First channel at weight 0.
    pub x0: Net<In>,
    /// Second channel at weight 0.
    pub x1: Net<In>,
    /// First channel at weight 256.
    pub y0: Net<In>,
    /// Second channel at weight 256.
    pub y1: Net<In>,
    /// The weight of `y` in 1/256, 0 to 256.
    pub weight: Net<In>,
    /// First channel.
    pub result0: Net<Out>,
    /// Second channel.
    pub result1: Net<Out>,
    clock_edge: EdgeDetector,
    pipeline: ModelState<Pipeline>,
}

/// The registers of the slice: inputs, differences, weighted differences, sums.
#[derive(Debug, Default)]
struct Pipeline {
    inputs: Inputs,
    difference: i64,
    carried: Inputs,
    product: i64,
    addend: i64,
    sum: i64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    x: i64,
    y: i64,
    weight: i64,
}

impl LerpPair {
    /// Enabled clocks from the inputs to the results.
    pub const LATENCY_CLOCKS: u32 = 4;

    /// Bits of the weight: 256 takes `y` as it is.
    pub const WEIGHT_BITS: usize = 9;

    /// A pair.
    #[track_caller]
    pub fn new() -> LerpPair {
        let clocks = Clocks::without_reset();
        let channel = || Net::new(8);
        LerpPair {
            enable: Net::bit(),
            x0: channel(),
            x1: channel(),
            y0: channel(),
            y1: channel(),
            weight: Net::new(LerpPair::WEIGHT_BITS),
            result0: Net::new(8),
            result1: Net::new(8),
            clock_edge: EdgeDetector::new(&clocks),
            pipeline: ModelState::default(),
            clocks,
        }
    }

    fn clock(&mut self) {
        let number = |net: &Net<In>| net.val().to_u64() as i64;
        let pair = |high: &Net<In>, low: &Net<In>| number(high) << 16 | number(low);
        let inputs =
            Inputs { x: pair(&self.x1, &self.x0), y: pair(&self.y1, &self.y0), weight: number(&self.weight) };
        let now = &*self.pipeline;
        *self.pipeline = Pipeline {
            sum: now.product + now.addend,
            product: now.difference * now.carried.weight,
            addend: (now.carried.x << 8) + 0x80_0080,
            difference: now.inputs.y - now.inputs.x,
            carried: now.inputs,
            inputs,
        };
    }

    /// What the slice computes, register by register.
    fn behaviour(&self) -> Behaviour {
        let mut behaviour = Behaviour::default();
        let mut hold = |data| behaviour.hold(&self.clocks, self.enable.val(), data);
        let gap = lit(8, 0u32);
        let x = hold(cat(&[self.x1.val(), gap, self.x0.val()]));
        let y = hold(cat(&[self.y1.val(), gap, self.y0.val()]));
        let weight = hold(self.weight.val());
        let difference = hold(y.zero_extend(25) - x.zero_extend(25));
        let (carried, weight) = (hold(x), hold(weight));
        let product = difference.signed() * weight.zero_extend(10).signed();
        let product = hold(product.bits().low(32));
        let half = lit(8, 0x80u32);
        let addend = hold(cat(&[carried.high(8), half, carried.low(8), half]));
        let sum = hold(product + addend);
        behaviour.output(&self.result0, sum.slice(8, 8));
        behaviour.output(&self.result1, sum.slice(24, 8));
        behaviour
    }
}

impl Default for LerpPair {
    #[track_caller]
    fn default() -> Self {
        LerpPair::new()
    }
}

impl Logic for LerpPair {
    fn update(&mut self) {
        if self.clock_edge.rose() && is_high(&self.enable) {
            self.clock();
        }
        let sum = self.pipeline.sum as u64;
        self.result0.drive(sum >> 8 & 0xff);
        self.result1.drive(sum >> 24 & 0xff);
    }

    fn hdl(&self) -> Verilog {
        let ports = ["enable", "x0", "x1", "y0", "y1", "weight", "result0", "result1"];
        describe(Primitive {
            behaviour: Some(self.behaviour()),
            module: "lerp_pair".into(),
            docs: "Linear interpolation of two 8-bit channels in one DSP slice.".into(),
            verilog: VERILOG.into(),
            ecp5: Some(ecp5()),
            clocked: ports.iter().map(|&port| (port, "clk")).collect(),
            resource: Some(Resource { kind: ResourceKind::Multiplier, depth: 1, width: 32 }),
            ..Primitive::default()
        });
        timing(LerpPair::LATENCY_CLOCKS, 1);
        Verilog::Empty
    }
}

/// The same on ECP5: a site a channel. The difference goes straight into its input register, its three registers follow, and the
/// last one of the four is that of the sum.
fn ecp5() -> String {
    let mut text = String::new();
    for channel in [0, 1] {
        let (difference, name) = (format!("difference_{channel}"), format!("site_{channel}"));
        text += &format!(
            "wire [8:0] {difference};\nassign {difference} = {{1'b0, y{channel}}} - {{1'b0, x{channel}}};\n"
        );
        let difference = Factor { name: &difference, width: 9, signed: true };
        let weight = Factor { name: "weight", width: LerpPair::WEIGHT_BITS, signed: false };
        text += &multiplier(&name, &difference, &weight);
    }
    text + ECP5_SUMS
}

const ECP5_SUMS: &str = "\
reg [15:0] x_first;
reg [15:0] x_second;
reg [15:0] x_third;
reg [15:0] sum_0;
reg [15:0] sum_1;
always @(posedge clk) begin
    if (enable) begin
        x_first <= {x1, x0};
        x_second <= x_first;
        x_third <= x_second;
        sum_0 <= site_0_p[15:0] + {x_third[7:0], 8'h80};
        sum_1 <= site_1_p[15:0] + {x_third[15:8], 8'h80};
    end
end
assign result0 = sum_0[15:8];
assign result1 = sum_1[15:8];
";

const VERILOG: &str = "\
// Both channels stand in one operand, 16 bits apart.
reg [23:0] a_register;
reg [23:0] d_register;
reg [8:0] b_register;
reg [24:0] ad_register;
reg [8:0] b_delayed;
(* use_dsp = \"yes\" *) reg [31:0] m_register;
reg [31:0] c_register;
reg [31:0] p_register;
// Inverted, so that no tool merges it with a_register, which the slice could then not hold.
reg [15:0] x_inverted;
reg [15:0] x_delayed;

always @(posedge clk) begin
    if (enable) begin
        a_register <= {x1, 8'd0, x0};
        d_register <= {y1, 8'd0, y0};
        b_register <= weight;
        x_inverted <= ~{x1, x0};

        ad_register <= {1'b0, d_register} - {1'b0, a_register};
        b_delayed <= b_register;
        x_delayed <= x_inverted;

        m_register <= $unsigned($signed({{7{ad_register[24]}}, ad_register}) * $signed({23'd0, b_delayed}));
        c_register <= {~x_delayed[15:8], 8'h80, ~x_delayed[7:0], 8'h80};

        p_register <= m_register + c_register;
    end
end
assign result0 = p_register[15:8];
assign result1 = p_register[31:24];

// The fractions of the results.
(* unused *) wire unused;
assign unused = &{1'b0, p_register[23:16], p_register[7:0]};
";
