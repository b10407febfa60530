//! Pipes: values that are carried from stage to stage by name.
//!
//! A [`Pipe`] has named stages. A kernel puts a value in at the stage where it arises and asks for it at the stages where
//! it is needed; the pipe keeps it in between, in as many registers as there are stages, and each part of it only as far
//! as it is used. Nobody counts: a stage more or less is a line in the `enum` of stages.
//!
//! ```
//! use tmu_hdl::{elaborate::elaborate, prelude::*, primitives::{Multiplier, Operand}, verilog::{Header, emit}};
//!
//! /// Where a number is on its way.
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
//! enum Stage {
//!     /// The factors come in.
//!     Entry,
//!     /// They are in the multiplier.
//!     Factors,
//!     /// They are multiplied.
//!     Multiply,
//!     /// The product is there, and the offset is added.
//!     Add,
//!     /// The result leaves.
//!     Exit,
//! }
//!
//! /// `a * b + offset`
//! #[derive(LogicBlock)]
//! struct Scale {
//!     clocks: Clocks,
//!     advance: Net<In>,
//!     a: Net<In>,
//!     b: Net<In>,
//!     offset: Net<In>,
//!     result: Net<Out>,
//!     product: Multiplier,
//!     pipe: Pipe<Stage>,
//! }
//!
//! impl Scale {
//!     fn new() -> Scale {
//!         let scale = Scale {
//!             clocks: Clocks::new(),
//!             advance: Net::bit(),
//!             a: Net::new(8),
//!             b: Net::new(8),
//!             offset: Net::new(16),
//!             result: Net::new(16),
//!             product: Multiplier::new(Operand::unsigned(8), Operand::unsigned(8)),
//!             pipe: Pipe::new(),
//!         };
//!         // Runs the kernel once to see what is put in where, and used where.
//!         scale.pipe.plan(&scale.clocks, || scale.logic());
//!         scale
//!     }
//! }
//!
//! #[kernel]
//! impl Scale {
//!     fn logic(&self) {
//!         let pipe = self.pipe.run(&self.clocks, self.advance.val());
//!         pipe.timing();
//!         let offset = pipe.put(Stage::Entry, "offset", self.offset.val());
//!         let factors = (self.a.val(), self.b.val());
//!         let product = pipe.through(Stage::Entry, "product", &self.product, factors);
//!         let sum = product.at(Stage::Add) + offset.at(Stage::Add);
//!         self.result.next = pipe.put(Stage::Add, "sum", sum).at(Stage::Exit);
//!     }
//! }
//!
//! # fn main() -> Result<(), tmu_hdl::diagnostic::Problems> {
//! let design = elaborate("scale", &Scale::new())?;
//! assert_eq!(design.blocks[0].body.latency_clocks, Some(4));
//! let text = emit(&design).to_file(&Header::default());
//! assert!(text.contains("offset_multiply <= offset_factors;"));
//! assert!(text.contains("sum_exit <= sum;"));
//! # Ok(())
//! # }
//! ```
//!
//! # Stages
//!
//! A stage is what lies between two rows of registers. A value put in at a stage is there at once, and a register later at
//! the next: its register is called after the value, its part and the stage that reads it, `offset_multiply`. The latency
//! of the pipe is the number of its stages less one. [`Pipe::with`] takes a part of the stages, for configurations that
//! need fewer.
//!
//! # Moving
//!
//! - [`Pipe::run`]: one signal moves all stages together. Whatever stands in a pipe then keeps its distance, so that
//!   [`Payload::before`] finds what those in front had at the same stage.
//! - [`Pipe::flow`]: valid and ready at either end and a valid bit a stage. A stage moves when the next one is empty or
//!   moves, so that bubbles close.
//!
//! # Primitives with registers
//!
//! [`Run::through`] sends a value through a multiplier or a memory: what comes out is a payload that exists as many stages
//! later as the primitive has registers.
//!
//! # Registers
//!
//! [`Keep`] says what they are made of, for the pipe with [`Pipe::keep_in`] and for a value with [`Run::put_in`]. A
//! [flag](Run::flag) is low after reset.
//!
//! # Mistakes
//!
//! A value that is asked for at a stage in front of the one where it was put in, that is never asked for, two of one name,
//! a value that is put in under a hardware `if`, a pipe without a plan: each is refused with the names (H008).

mod plan;
mod run;
#[cfg(test)]
mod tests;
mod through;

pub use run::{Payload, Run};
pub use through::Registered;

use crate::clock::Clocks;
use crate::register::Reg;
use plan::Draft;
use rust_hdl_core::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::fmt;

/// An enum under `#[derive(Stages)]`.
pub trait Stages: Copy + PartialEq + fmt::Debug + 'static {
    /// All stages in their order.
    const ALL: &'static [Self];
    /// The name, as it stands in the Verilog.
    fn name(self) -> &'static str;
}

/// What values on their way are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Flip-flops. One that takes on what another register or a primitive holds, without logic between, has a reset, since
    /// tools put rows without one into LUTs.
    #[default]
    FlipFlops,
    /// Shift registers in LUTs, where there are enough registers in a row: no reset, and the attribute that asks for it.
    ShiftRegisters,
}

/// Registers that a tool puts into a LUT rather than keeping them as flip-flops.
const SHIFT_REGISTER_STEPS: usize = 3;

/// Named stages and what is on its way through them.
pub struct Pipe<S> {
    stages: Vec<S>,
    keep: Keep,
    draft: RefCell<Draft>,
    plan: OnceCell<Plan>,
}

/// What a pipe consists of, once that is known.
#[derive(Debug, Default)]
struct Plan {
    payloads: FxHashMap<String, Planned>,
    /// The order of `payloads`, which is that of the kernel.
    order: Vec<String>,
    /// A bit for each stage but the first, where the pipe [flows](Pipe::flow).
    valid: Vec<Reg>,
    valid_names: Vec<String>,
}

/// What is kept of a value.
#[derive(Debug)]
struct Planned {
    parts: Vec<Part>,
    /// Something asks for it.
    is_read: bool,
}

#[derive(Debug)]
struct Part {
    names: Vec<String>,
    /// One for each stage behind the one where the value was put in.
    registers: Vec<Reg>,
}

impl<S: Stages> Pipe<S> {
    /// A pipe of all stages.
    pub fn new() -> Pipe<S> {
        Pipe::with(S::ALL)
    }

    /// A pipe of these stages, in this order.
    pub fn with(stages: &[S]) -> Pipe<S> {
        assert!(!stages.is_empty(), "a pipe has at least one stage");
        Pipe {
            stages: stages.to_vec(),
            keep: Keep::default(),
            draft: RefCell::default(),
            plan: OnceCell::new(),
        }
    }

    /// Says what values are kept in.
    pub fn keep_in(mut self, keep: Keep) -> Pipe<S> {
        self.keep = keep;
        self
    }

    /// Registers from the first stage to the last.
    pub fn latency_clocks(&self) -> u32 {
        self.stages.len() as u32 - 1
    }

    /// Finds out what registers the pipe needs: runs `kernel`, which runs the pipe, and sees what it puts in and what
    /// becomes of it. Called once, at the end of the constructor; `clocks` are those of the registers.
    ///
    /// Where a kernel runs two pipes, the plan of one stands around that of the other.
    pub fn plan(&self, clocks: &Clocks, kernel: impl FnOnce()) {
        plan::plan(self, clocks, kernel);
    }

    /// The place of a stage among those of the pipe.
    fn position(&self, stage: S) -> Option<usize> {
        self.stages.iter().position(|own| *own == stage)
    }

    /// The name of the stage so many places from the first; behind the last one they are counted.
    fn stage_name(&self, position: usize) -> String {
        match self.stages.get(position) {
            Some(stage) => stage.name().into(),
            None => {
                let last = self.stages[self.stages.len() - 1].name();
                format!("{last}_plus{}", position + 1 - self.stages.len())
            }
        }
    }
}

impl<S: Stages> Default for Pipe<S> {
    fn default() -> Self {
        Pipe::new()
    }
}

impl<S: fmt::Debug> fmt::Debug for Pipe<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").field("stages", &self.stages).finish_non_exhaustive()
    }
}

impl Plan {
    /// Every register with its name.
    fn registers(&self) -> impl Iterator<Item = (&String, &Reg)> {
        let parts = self.order.iter().flat_map(|name| &self.payloads[name].parts);
        let kept = parts.flat_map(|part| part.names.iter().zip(&part.registers));
        self.valid_names.iter().zip(&self.valid).chain(kept)
    }
}

impl<S> Logic for Pipe<S> {
    fn update(&mut self) {}
}

impl<S> Block for Pipe<S> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        if let Some(plan) = self.plan.get_mut() {
            plan.valid.iter_mut().for_each(Block::update_all);
            let parts = plan.payloads.values_mut().flat_map(|payload| &mut payload.parts);
            parts.for_each(|part| part.registers.update_all());
        }
    }

    fn has_changed(&self) -> bool {
        self.plan.get().is_some_and(|plan| plan.registers().any(|(_, register)| register.has_changed()))
    }

    /// Registers are called after what they hold; the name of the pipe says nothing.
    fn accept(&self, _: &str, probe: &mut dyn Probe) {
        for (name, register) in self.plan.get().into_iter().flat_map(Plan::registers) {
            register.accept(name, probe);
        }
    }
}
