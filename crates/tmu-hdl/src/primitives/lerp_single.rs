//! Linear interpolation of a 16-bit channel in one DSP slice.

use super::memory::is_high;
use super::{EdgeDetector, ModelState, ecp5::Factor, ecp5::multiplier};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, Resource, ResourceKind, describe};

/// Linear interpolation of a 16-bit channel, in one DSP48E2: `result = (256·x - weight·x + weight·y + 128) >> 8`.
///
/// The pre-adder subtracts; the multiplier weighs the difference; the C port brings `256·x + 128`. 17 × 10 bits: DSP48E1 does it too.
///
/// All registers of the slice are used and move in a clock with `enable` high. Latency 4 enabled clocks, II 1.
/// Costs one DSP48E2 and 32 flip-flops that carry `x` to the C port.
#[derive(Debug, LogicBlock)]
pub struct LerpSingle {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The channel at weight 0.
    pub x: Net<In>,
    /// The channel at weight 256.
    pub y: Net<In>,
    /// The weight of `y` in 1/256, 0 to 256.
    pub weight: Net<In>,
    /// The channel between.
    pub result: Net<Out>,
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

impl LerpSingle {
    /// Enabled clocks from the inputs to the result.
    pub const LATENCY_CLOCKS: u32 = 4;

    /// Bits of the weight: 256 takes `y` as it is.
    pub const WEIGHT_BITS: usize = 9;

    /// Bits of a channel.
    pub const CHANNEL_BITS: usize = 16;

    /// Interpolation of one channel.
    #[track_caller]
    pub fn new() -> LerpSingle {
        let clocks = Clocks::without_reset();
        LerpSingle {
            enable: Net::bit(),
            x: Net::new(LerpSingle::CHANNEL_BITS),
            y: Net::new(LerpSingle::CHANNEL_BITS),
            weight: Net::new(LerpSingle::WEIGHT_BITS),
            result: Net::new(LerpSingle::CHANNEL_BITS),
            clock_edge: EdgeDetector::new(&clocks),
            pipeline: ModelState::default(),
            clocks,
        }
    }

    fn clock(&mut self) {
        let number = |net: &Net<In>| net.val().to_u64() as i64;
        let inputs = Inputs { x: number(&self.x), y: number(&self.y), weight: number(&self.weight) };
        let now = &*self.pipeline;
        *self.pipeline = Pipeline {
            sum: now.product + now.addend,
            product: now.difference * now.carried.weight,
            addend: (now.carried.x << 8) + 0x80,
            difference: now.inputs.y - now.inputs.x,
            carried: now.inputs,
            inputs,
        };
    }

    /// What the slice computes, register by register.
    fn behaviour(&self) -> Behaviour {
        let mut behaviour = Behaviour::default();
        let mut hold = |data| behaviour.hold(&self.clocks, self.enable.val(), data);
        let (x, y, weight) = (hold(self.x.val()), hold(self.y.val()), hold(self.weight.val()));
        let difference = hold(y.zero_extend(17) - x.zero_extend(17));
        let (carried, weight) = (hold(x), hold(weight));
        let product = difference.signed() * weight.zero_extend(10).signed();
        let product = hold(product.bits().low(24));
        let addend = hold(cat(&[carried, lit(8, 0x80u32)]));
        let sum = hold(product + addend);
        behaviour.output(&self.result, sum.high(16));
        behaviour
    }
}

impl Default for LerpSingle {
    #[track_caller]
    fn default() -> Self {
        LerpSingle::new()
    }
}

impl Logic for LerpSingle {
    fn update(&mut self) {
        if self.clock_edge.rose() && is_high(&self.enable) {
            self.clock();
        }
        self.result.drive(self.pipeline.sum as u64 >> 8 & 0xffff);
    }

    fn hdl(&self) -> Verilog {
        let ports = ["enable", "x", "y", "weight", "result"];
        describe(Primitive {
            behaviour: Some(self.behaviour()),
            module: "lerp_single".into(),
            docs: "Linear interpolation of a 16-bit channel in one DSP slice.".into(),
            verilog: VERILOG.into(),
            ecp5: Some(ecp5()),
            clocked: ports.iter().map(|&port| (port, "clk")).collect(),
            resource: Some(Resource { kind: ResourceKind::Multiplier, depth: 1, width: 24 }),
            ..Primitive::default()
        });
        timing(LerpSingle::LATENCY_CLOCKS, 1);
        Verilog::Empty
    }
}

/// The same on ECP5. The difference goes straight into the input register of the site, its three registers follow, and the last one
/// of the four is that of the sum.
fn ecp5() -> String {
    let difference = Factor { name: "difference", width: 17, signed: true };
    let weight = Factor { name: "weight", width: 9, signed: false };
    let site = multiplier("site", &difference, &weight);
    format!("wire [16:0] difference;\nassign difference = {{1'b0, y}} - {{1'b0, x}};\n{site}{ECP5_SUM}")
}

const ECP5_SUM: &str = "\
reg [15:0] x_first;
reg [15:0] x_second;
reg [15:0] x_third;
reg [23:0] sum;
always @(posedge clk) begin
    if (enable) begin
        x_first <= x;
        x_second <= x_first;
        x_third <= x_second;
        sum <= site_p[23:0] + {x_third, 8'h80};
    end
end
assign result = sum[23:8];
";

const VERILOG: &str = "\
reg [15:0] a_register;
reg [15:0] d_register;
reg [8:0] b_register;
reg [16:0] ad_register;
reg [8:0] b_delayed;
(* use_dsp = \"yes\" *) reg [23:0] m_register;
reg [23:0] c_register;
reg [23:0] p_register;
// Inverted, so that no tool merges it with a_register, which the slice could then not hold.
reg [15:0] x_inverted;
reg [15:0] x_delayed;

always @(posedge clk) begin
    if (enable) begin
        a_register <= x;
        d_register <= y;
        b_register <= weight;
        x_inverted <= ~x;

        ad_register <= {1'b0, d_register} - {1'b0, a_register};
        b_delayed <= b_register;
        x_delayed <= x_inverted;

        m_register <= $unsigned($signed({{7{ad_register[16]}}, ad_register}) * $signed({15'd0, b_delayed}));
        c_register <= {~x_delayed, 8'h80};

        p_register <= m_register + c_register;
    end
end
assign result = p_register[23:8];

// The fraction of the result.
(* unused *) wire unused;
assign unused = &{1'b0, p_register[7:0]};
";
