//! Flip-flops that bring single bits or gray code from another clock.

use super::{EdgeDetector, ModelState};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
use crate::value::Value;
use crate::verilog::text::range;

/// Brings single bits or gray code from another clock through flip-flops with `ASYNC_REG`.
///
/// `data_out` follows `data_in` after as many edges of the clock as there are stages, give or take one. The bits of
/// a wider input may arrive one clock apart: they must be independent, or a code of which one bit changes at a
/// time. `data_in` must come straight from a register, since a glitch would be caught, and must hold longer than
/// one period of this clock to be seen for certain. Powers up at zero. Costs stages × width flip-flops.
#[derive(Debug, LogicBlock)]
pub struct Synchroniser {
    /// The clock that receives.
    pub clocks: Clocks,
    /// From a register of any clock.
    pub data_in: Net<In>,
    /// The same on this clock.
    pub data_out: Net<Out>,
    clock_edge: EdgeDetector,
    stages: ModelState<Vec<Value>>,
}

impl Synchroniser {
    /// A synchroniser of `width` bits with `stages` flip-flops each, at least 2.
    #[track_caller]
    pub fn new(width: usize, stages: usize) -> Synchroniser {
        assert!(stages >= 2, "a synchroniser has at least 2 stages, not {stages}");
        let clocks = Clocks::without_reset();
        Synchroniser {
            data_in: Net::new(width),
            data_out: Net::new(width),
            clock_edge: EdgeDetector::new(&clocks),
            stages: ModelState::new(vec![Value::zero(width); stages]),
            clocks,
        }
    }

    fn verilog(&self) -> String {
        let (count, width) = (self.stages.len(), self.data_in.width());
        let range = range(width);
        let declare =
            |n| format!("(* ASYNC_REG = \"TRUE\", keep = \"true\" *) reg {range}stage_{n} = {width}'b0;\n");
        let declarations: String = (0..count).map(declare).collect();
        let moves: String = (1..count).map(|n| format!("    stage_{n} <= stage_{};\n", n - 1)).collect();
        format!(
            "{declarations}\n\
             always @(posedge clk) begin\n\
             \x20   stage_0 <= data_in;\n\
             {moves}\
             end\n\
             assign data_out = stage_{};\n",
            count - 1
        )
    }
}

impl Logic for Synchroniser {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            self.stages.rotate_right(1);
            self.stages[0] = self.data_in.val().value();
        }
        self.data_out.drive(Bits::constant(self.stages[self.stages.len() - 1]));
    }

    fn hdl(&self) -> Verilog {
        let (stages, width) = (self.stages.len(), self.data_in.width());
        let mut behaviour = Behaviour::default();
        let last = (0..stages).fold(self.data_in.val(), |before, _| {
            let stage = behaviour.register(&self.clocks, width, Some(Value::zero(width)));
            behaviour.set_next(stage, before);
            behaviour.value(stage)
        });
        behaviour.output(&self.data_out, last);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("synchroniser_{stages}x{width}"),
            docs: "Brings single bits or gray code from another clock.".into(),
            verilog: self.verilog(),
            clocked: vec![("data_out", "clk")],
            crossing: Some(Crossing {
                kind: CrossingKind::Synchroniser,
                from: "data_in",
                to_clock: "clk",
                first_register: "stage_0",
                width,
            }),
            ..Primitive::default()
        });
        timing(stages as u32, 1);
        Verilog::Empty
    }
}
