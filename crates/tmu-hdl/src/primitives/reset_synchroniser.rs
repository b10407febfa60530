//! Flip-flops that bring the reset of another clock.

use super::memory::is_high;
use super::{EdgeDetector, ModelState};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
use crate::value::Value;

/// Brings a reset from another clock into this one.
///
/// A flip-flop is set by `reset_in` without a clock, so that no reset is missed, however short it is and
/// however slow this clock; behind it stand flip-flops with `ASYNC_REG`, so that `reset_out` rises and falls
/// with this clock, as synchronous resets need it. `reset_out` rises as many edges after `reset_in` as there
/// are stages, give or take one, and falls one more edge after `reset_in` has fallen. `reset_in` must come
/// straight from a register, since a glitch would be caught. High after configuration. Costs stages + 1
/// flip-flops.
#[derive(Debug, LogicBlock)]
pub struct ResetSynchroniser {
    /// The clock that receives.
    pub clocks: Clocks,
    /// From a register of any clock, high to reset.
    pub reset_in: Net<In>,
    /// The same on this clock, at least one clock long.
    pub reset_out: Net<Out>,
    clock_edge: EdgeDetector,
    caught: ModelState<bool>,
    stages: ModelState<Vec<bool>>,
}

impl ResetSynchroniser {
    /// A synchroniser with `stages` flip-flops, at least 2, behind the one that catches the reset.
    #[track_caller]
    pub fn new(stages: usize) -> ResetSynchroniser {
        assert!(stages >= 2, "a reset synchroniser has at least 2 stages, not {stages}");
        let clocks = Clocks::without_reset();
        ResetSynchroniser {
            reset_in: Net::bit(),
            reset_out: Net::bit(),
            clock_edge: EdgeDetector::new(&clocks),
            caught: ModelState::new(true),
            stages: ModelState::new(vec![true; stages]),
            clocks,
        }
    }

    fn verilog(&self) -> String {
        let count = self.stages.len();
        let declare = |n| format!("(* ASYNC_REG = \"TRUE\", keep = \"true\" *) reg stage_{n} = 1'b1;\n");
        let declarations: String = (0..count).map(declare).collect();
        let moves: String = (1..count).map(|n| format!("    stage_{n} <= stage_{};\n", n - 1)).collect();
        format!(
            "reg caught = 1'b1;\n\
             {declarations}\n\
             always @(posedge clk or posedge reset_in) begin\n\
             \x20   if (reset_in) caught <= 1'b1;\n\
             \x20   else caught <= 1'b0;\n\
             end\n\
             always @(posedge clk) begin\n\
             \x20   stage_0 <= caught;\n\
             {moves}\
             end\n\
             assign reset_out = stage_{};\n",
            count - 1
        )
    }
}

impl Logic for ResetSynchroniser {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            self.stages.rotate_right(1);
            self.stages[0] = *self.caught;
            *self.caught = false;
        }
        *self.caught |= is_high(&self.reset_in);
        self.reset_out.drive(self.stages[self.stages.len() - 1]);
    }

    fn hdl(&self) -> Verilog {
        let stages = self.stages.len();
        let mut behaviour = Behaviour::default();
        let high = Some(Value::from_bool(true));
        let caught = behaviour.register(&self.clocks, 1, high);
        behaviour.set_next(caught, self.reset_in.val());
        behaviour.set_without_clock(caught, self.reset_in.val());
        let last = (0..stages).fold(behaviour.value(caught), |before, _| {
            let stage = behaviour.register(&self.clocks, 1, high);
            behaviour.set_next(stage, before);
            behaviour.value(stage)
        });
        behaviour.output(&self.reset_out, last);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("reset_synchroniser_{stages}"),
            docs: "Brings the reset of another clock: caught without a clock, passed on with it.".into(),
            verilog: self.verilog(),
            clocked: vec![("reset_out", "clk")],
            crossing: Some(Crossing {
                kind: CrossingKind::ResetSynchroniser,
                from: "reset_in",
                to_clock: "clk",
                first_register: "caught",
                width: 1,
            }),
            ..Primitive::default()
        });
        timing(stages as u32, 1);
        Verilog::Empty
    }
}
