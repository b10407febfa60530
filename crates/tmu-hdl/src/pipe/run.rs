//! A pipe in a kernel: values go in and are asked for.

use super::plan::{self, Put, stand_in_for};
use super::{Keep, Pipe, Plan, Planned, Stages};
use crate::bits::{Bits, lit};
use crate::clock::Clocks;
use crate::diagnostic::{Rule, Source};
use crate::kernel::{NameBits, timing};
use crate::record;
use crate::records::{Part as WordPart, Word, parts_of};
use crate::register::Reg;
use rust_hdl_core::signal::get_signal_id;
use std::panic::Location;
use tmu_hdl_macros::kernel;

/// A pipe that moves, see [`Pipe::run`] and [`Pipe::flow`].
pub struct Run<'a, S> {
    pub(super) pipe: &'a Pipe<S>,
    pub(super) clocks: &'a Clocks,
    /// For each stage but the last: what stands there moves on.
    moves: Vec<Bits>,
    /// Ready and valid where stages move one by one.
    flow: Option<(Bits, Bits)>,
}

/// A value on its way.
pub struct Payload<'a, S, W> {
    pipe: &'a Pipe<S>,
    name: String,
    word: W,
    stage: usize,
    is_flow: bool,
    source: Source,
}

impl<S: Stages> Pipe<S> {
    /// Runs the pipe: all stages move at an edge of `clocks` with `advance`.
    #[track_caller]
    pub fn run<'a>(&'a self, clocks: &'a Clocks, advance: Bits) -> Run<'a, S> {
        self.assert_planned(Location::caller());
        Run { pipe: self, clocks, moves: vec![advance; self.stages.len() - 1], flow: None }
    }

    /// Runs the pipe stage by stage: one moves on when the next is empty or moves itself. `valid`: something comes in;
    /// `ready`: what stands in the last stage is taken.
    #[track_caller]
    pub fn flow<'a>(&'a self, clocks: &'a Clocks, valid: Bits, ready: Bits) -> Run<'a, S> {
        let source = Location::caller();
        self.assert_planned(source);
        let steps = self.stages.len() - 1;
        let Some(plan) = self.plan.get() else {
            self.draft.borrow_mut().flows = true;
            let bit = || stand_in_for(get_signal_id(), 1, source);
            return Run { pipe: self, clocks, moves: vec![bit(); steps], flow: Some((bit(), bit())) };
        };
        let mut moves = vec![ready; steps + 1];
        for step in (0..steps).rev() {
            moves[step] = !plan.valid[step].val() | moves[step + 1];
            moves[step].name_value(&format!("moves_{}", self.stages[step].name()));
        }
        let is_ready = moves[0];
        moves.truncate(steps);
        for (step, register) in plan.valid.iter().enumerate() {
            let before = if step == 0 { valid } else { plan.valid[step - 1].val() };
            drive_all(&[(register, before)], moves[step]);
        }
        let leaves = plan.valid.last().map_or(valid, Reg::val);
        Run { pipe: self, clocks, moves, flow: Some((is_ready, leaves)) }
    }

    fn assert_planned(&self, source: Source) {
        if self.plan.get().is_none() && !plan::is_planning() {
            record::refuse(
                Rule::Unsupported,
                "a pipe runs without a plan".into(),
                vec![("runs".into(), source)],
                "call `block.pipe.plan(&block.clocks, || block.logic())` at the end of the block's constructor",
            );
        }
    }
}

impl<'a, S: Stages> Run<'a, S> {
    /// Declares the latency of the pipe and an initiation interval of one clock as those of the block.
    pub fn timing(&self) {
        timing(self.pipe.latency_clocks(), 1);
    }

    /// One bit: what comes in at the first stage is taken.
    pub fn ready(&self) -> Bits {
        self.flow
            .map_or_else(|| self.moves.first().copied().unwrap_or_else(|| lit(1, 1u32)), |(ready, _)| ready)
    }

    /// One bit: there is something in the last stage. Where all stages move together, a flag tells.
    ///
    /// # Panics
    /// When the pipe does not [flow](Pipe::flow): a fault of the kernel.
    pub fn valid(&self) -> Bits {
        let Some((_, valid)) = self.flow else {
            panic!("only a pipe that flows knows what is in its stages")
        };
        valid
    }

    /// Puts a value in at a stage.
    #[track_caller]
    pub fn put<W: Word>(&self, stage: S, name: &str, value: W) -> Payload<'a, S, W> {
        self.put_at(self.at(stage, name, Location::caller()), self.pipe.keep, name, value, false)
    }

    /// Puts a value in at a stage; it is kept in what `keep` says.
    #[track_caller]
    pub fn put_in<W: Word>(&self, keep: Keep, stage: S, name: &str, value: W) -> Payload<'a, S, W> {
        self.put_at(self.at(stage, name, Location::caller()), keep, name, value, false)
    }

    /// Puts a value in that is zero in all stages after reset.
    #[track_caller]
    pub fn flag<W: Word>(&self, stage: S, name: &str, value: W) -> Payload<'a, S, W> {
        self.put_at(self.at(stage, name, Location::caller()), self.pipe.keep, name, value, true)
    }

    /// True where stages move one by one.
    pub(super) fn is_flow(&self) -> bool {
        self.flow.is_some()
    }

    /// What moves the stage at a position on.
    pub(super) fn moves(&self, position: usize) -> Bits {
        self.moves.get(position).or(self.moves.last()).copied().unwrap_or_else(|| lit(1, 1u32))
    }

    /// The position of a stage, and where it was asked for.
    pub(super) fn at(&self, stage: S, name: &str, source: Source) -> (usize, Source) {
        (position(self.pipe, stage, name, source).unwrap_or(0), source)
    }

    pub(super) fn put_at<W: Word>(
        &self,
        (stage, source): (usize, Source),
        keep: Keep,
        name: &str,
        word: W,
        is_flag: bool,
    ) -> Payload<'a, S, W> {
        if record::is_recording() && record::in_hardware_branch() {
            refuse(
                format!("`{name}` is put into a pipe under a condition that only hardware knows"),
                source,
                "put it in outside of the `if`, with what says whether it counts",
            );
        }
        let payload =
            Payload { pipe: self.pipe, name: name.into(), word, stage, is_flow: self.is_flow(), source };
        let parts = parts_of(&payload.word, name);
        match self.pipe.plan.get() {
            Some(plan) => self.keep(plan, &payload, &parts),
            None => {
                let put = Put { name, stage, keep, is_flag, source };
                self.pipe.draft.borrow_mut().put(&put, parts);
            }
        }
        payload
    }

    /// Drives the registers of a value.
    fn keep<W>(&self, plan: &Plan, payload: &Payload<'_, S, W>, parts: &[(WordPart, Bits)]) {
        let name = &payload.name;
        let Some(planned) = plan.payloads.get(name) else {
            let message = format!("`{name}` is put into a pipe but was not when the pipe was planned");
            return refuse(message, payload.source, "let the kernel do the same whenever it runs");
        };
        if !planned.is_read && record::is_recording() {
            let stage = self.pipe.stage_name(payload.stage);
            let message = format!("`{name}` is put into a pipe at `{stage}` and never asked for");
            refuse(message, payload.source, "ask for it at a later stage, or leave it out");
        }
        if record::is_recording() && plan.order.iter().filter(|other| *other == name).count() > 1 {
            let message = format!("two values in a pipe are called `{name}`");
            return refuse(message, payload.source, "give each a name of its own");
        }
        let mut drives: Vec<Vec<(&Reg, Bits)>> = vec![];
        for (part, (_, value)) in planned.parts.iter().zip(parts) {
            for (step, register) in part.registers.iter().enumerate() {
                let before = if step == 0 { *value } else { part.registers[step - 1].val() };
                if drives.len() <= step {
                    drives.push(vec![]);
                }
                drives[step].push((register, before));
            }
        }
        if self.is_flow() {
            for (step, drives) in drives.iter().enumerate() {
                drive_all(drives, self.moves(payload.stage + step));
            }
        } else if !drives.is_empty() {
            drive_all(&drives.concat(), self.moves(payload.stage));
        }
    }
}

impl<S: Stages, W: Word> Payload<'_, S, W> {
    /// The value at a stage.
    #[track_caller]
    pub fn at(&self, stage: S) -> W {
        self.read(stage, 0, Location::caller())
    }

    /// What the value of the one that went in so many moves before was at this stage.
    #[track_caller]
    pub fn before(&self, stage: S, moves: usize) -> W {
        let source = Location::caller();
        if self.is_flow {
            refuse(
                format!("`{}` of those in front is asked for in a pipe that flows", self.name),
                source,
                "move all stages together, with `run`: only then do they keep their distance",
            );
        }
        self.read(stage, moves, source)
    }

    fn read(&self, stage: S, more: usize, source: Source) -> W {
        let name = &self.name;
        let nothing =
            || self.word.map_parts(&Default::default(), &mut |_, value| Bits::poison(value.width()));
        let Some(position) = position(self.pipe, stage, name, source) else { return nothing() };
        let Some(steps) = (position + more).checked_sub(self.stage) else {
            let (asked, put) = (stage.name(), self.pipe.stage_name(self.stage));
            let places = vec![("asked for".into(), source), ("put in".into(), self.source)];
            record::refuse(
                Rule::Unsupported,
                format!("`{name}` is asked for at `{asked}` but exists from `{put}` on"),
                places,
                "ask for it at that stage or a later one, or put it in earlier",
            );
            return nothing();
        };
        let plan = self.pipe.plan.get();
        if plan.is_none() {
            self.pipe.draft.borrow_mut().ask(name);
        }
        if steps == 0 {
            return self.word.clone();
        }
        let planned = plan.map(|plan| plan.payloads.get(name));
        let mut number = 0;
        self.word.map_parts(&Default::default(), &mut |_, value| {
            let part = number;
            number += 1;
            match planned {
                None => self.pipe.draft.borrow_mut().read(name, part, steps, source),
                Some(planned) => planned.and_then(|planned| register(planned, part, steps, value)),
            }
            .unwrap_or_else(|| Bits::poison(value.width()))
        })
    }
}

/// The value of a register; a constant needs none, and what nothing uses has none.
fn register(planned: &Planned, part: usize, steps: usize, value: Bits) -> Option<Bits> {
    let registers = &planned.parts.get(part)?.registers;
    Some(match registers.get(steps - 1) {
        Some(register) => register.val(),
        None => value,
    })
}

fn position<S: Stages>(pipe: &Pipe<S>, stage: S, name: &str, source: Source) -> Option<usize> {
    let position = pipe.position(stage);
    if position.is_none() {
        refuse(
            format!("`{name}` is put in or asked for at `{}`, which is no stage of its pipe", stage.name()),
            source,
            "name a stage that the pipe was made with",
        );
    }
    position
}

fn refuse(message: String, source: Source, remedy: &'static str) {
    record::refuse(Rule::Unsupported, message, vec![("written".into(), source)], remedy);
}

/// Registers that take their values together.
#[kernel]
fn drive_all(drives: &[(&Reg, Bits)], moves: Bits) {
    if moves {
        for (register, value) in drives {
            register.next = *value;
        }
    }
}
