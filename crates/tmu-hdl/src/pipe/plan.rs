//! How a pipe finds out what registers it needs: the kernel runs once under a recorder, in which what is asked of the pipe
//! stands for registers that are still to be made.

use super::{Keep, Part, Pipe, Plan, Planned, SHIFT_REGISTER_STEPS, Stages};
use crate::bits::Bits;
use crate::clock::Clocks;
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{self, AtomId, NodeId, NodeKind};
use crate::records::Part as WordPart;
use crate::register::Reg;
use crate::value::Value;
use crate::verilog::roots;
use rust_hdl_core::signal::get_signal_id;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

thread_local! {
    /// Plans under way, one inside the other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// What was put in, for each register still to be made of any pipe.
    static PUT_IN: RefCell<FxHashMap<AtomId, NodeId>> = RefCell::default();
}

/// True while some pipe is planned.
pub(super) fn is_planning() -> bool {
    DEPTH.get() > 0
}

/// What a kernel has asked of its pipe so far.
#[derive(Default)]
pub(super) struct Draft {
    payloads: Vec<Drafted>,
    /// What stands for a register: payload, part and stages from the one where it was put in.
    reads: FxHashMap<AtomId, (usize, usize, usize)>,
    /// The pipe [flows](Pipe::flow).
    pub(super) flows: bool,
}

struct Drafted {
    name: String,
    stage: usize,
    keep: Keep,
    /// It is low after reset.
    is_flag: bool,
    is_read: bool,
    source: Source,
    /// Place, value, and whether it comes from another register without logic between.
    parts: Vec<(WordPart, (Bits, bool))>,
    /// Registers of each part.
    steps: Vec<usize>,
}

/// What is put into a pipe.
pub(super) struct Put<'a> {
    pub(super) name: &'a str,
    pub(super) stage: usize,
    pub(super) keep: Keep,
    pub(super) is_flag: bool,
    pub(super) source: Source,
}

impl Draft {
    /// Notes a value.
    pub(super) fn put(&mut self, put: &Put<'_>, parts: Vec<(WordPart, Bits)>) {
        self.payloads.push(Drafted {
            name: put.name.into(),
            stage: put.stage,
            keep: put.keep,
            is_flag: put.is_flag,
            is_read: false,
            source: put.source,
            steps: vec![0; parts.len()],
            parts: parts.into_iter().map(|(part, value)| (part, (value, is_forwarded(value)))).collect(),
        });
    }

    /// Notes that a value is asked for.
    pub(super) fn ask(&mut self, name: &str) {
        if let Some(payload) = self.payloads.iter_mut().find(|payload| payload.name == name) {
            payload.is_read = true;
        }
    }

    /// Stands for the register that a part of a value is in `steps` stages later.
    pub(super) fn read(&mut self, name: &str, part: usize, steps: usize, source: Source) -> Option<Bits> {
        let payload = self.payloads.iter().position(|payload| payload.name == name)?;
        let (_, (value, _)) = self.payloads[payload].parts[part];
        if value.is_poison() || value.without_name().node.is_none() {
            return Some(value);
        }
        let stand_in = get_signal_id();
        self.reads.insert(stand_in, (payload, part, steps));
        if let Some(node) = value.node {
            PUT_IN.with_borrow_mut(|put_in| put_in.insert(stand_in, node));
        }
        Some(stand_in_for(stand_in, value.width(), source))
    }

    /// Follows what the kernel left behind to the values that it uses, and from these on.
    fn follow(&mut self, body: &record::Body) {
        let mut stack = roots(&body.statements);
        let mut seen = vec![false; body.nodes.len()];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match &body.node(id).kind {
                NodeKind::Literal(_) => {}
                NodeKind::Op(_, operands) => stack.extend(operands),
                NodeKind::Net(net) => {
                    // What was put in is used too.
                    stack.extend(PUT_IN.with_borrow(|put_in| put_in.get(net).copied()));
                    self.mark_used(*net);
                }
            }
        }
    }

    fn mark_used(&mut self, net: AtomId) {
        if let Some(&(payload, part, steps)) = self.reads.get(&net) {
            let kept = &mut self.payloads[payload].steps[part];
            *kept = (*kept).max(steps);
        }
    }
}

/// A value that a register still to be made will have.
pub(super) fn stand_in_for(net: AtomId, width: usize, source: Source) -> Bits {
    Bits { value: Value::zero(width), node: record::node(NodeKind::Net(net), width, source) }
}

/// See [`Pipe::plan`].
pub(super) fn plan<S: Stages>(pipe: &Pipe<S>, clocks: &Clocks, kernel: impl FnOnce()) {
    DEPTH.set(DEPTH.get() + 1);
    if record::is_recording() {
        // Inside the plan of another pipe of the same kernel.
        kernel();
        record::with_body_so_far(|body| pipe.draft.borrow_mut().follow(body));
    } else {
        // What the kernel breaks is told when it is elaborated.
        let body = record::record("plan", record::Sides::Both, kernel).body;
        pipe.draft.borrow_mut().follow(&body);
    }
    DEPTH.set(DEPTH.get() - 1);
    if DEPTH.get() == 0 {
        PUT_IN.set(FxHashMap::default());
    }
    let draft = pipe.draft.take();
    let mut plan = Plan::default();
    if draft.flows {
        for position in 1..pipe.stages.len() {
            plan.valid.push(Reg::with_reset(clocks, 1, 0));
            plan.valid_names.push(format!("valid_{}", pipe.stage_name(position)));
        }
    }
    for payload in draft.payloads {
        let parts = payload.parts.iter().zip(&payload.steps);
        let parts =
            parts.map(|((part, value), &steps)| registers(pipe, clocks, &payload, part, *value, steps));
        let planned = Planned { parts: parts.collect(), is_read: payload.is_read };
        plan.order.push(payload.name.clone());
        plan.payloads.insert(payload.name, planned);
    }
    assert!(pipe.plan.set(plan).is_ok(), "a pipe is planned once");
}

/// True for what is wired together from nets and registers without logic: a row of registers behind another.
fn is_forwarded(value: Bits) -> bool {
    let mut stack: Vec<NodeId> = value.node.into_iter().collect();
    while let Some(kind) = stack.pop().and_then(|id| record::look_up(id, |node| node.kind.clone())) {
        match kind {
            NodeKind::Literal(_) | NodeKind::Net(_) => {}
            NodeKind::Op(Op::Slice { .. } | Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_), args) => {
                stack.extend(args);
            }
            NodeKind::Op(..) => return false,
        }
    }
    true
}

fn registers<S: Stages>(
    pipe: &Pipe<S>,
    clocks: &Clocks,
    payload: &Drafted,
    part: &WordPart,
    (value, forwards): (Bits, bool),
    steps: usize,
) -> Part {
    // A register that takes on what another one holds has a reset: the second of two, all of a longer row.
    let follows = |step: usize| steps >= SHIFT_REGISTER_STEPS || forwards || step > 0;
    let can_reset = clocks.rst.is_some() && payload.keep == Keep::FlipFlops;
    let register = |step: usize| {
        let width = value.width();
        let register = match (payload.is_flag || (can_reset && follows(step)), payload.keep) {
            (true, _) => Reg::with_reset(clocks, width, 0),
            (false, Keep::FlipFlops) => Reg::new(clocks, width),
            (false, Keep::ShiftRegisters) => Reg::new(clocks, width).attribute("shreg_extract = \"yes\""),
        };
        let register = register.made_at(payload.source);
        if let Some(names) = part.names() { register.codes_named(names) } else { register }
    };
    let named = |step: usize| format!("{}_{}", part.marked_name(), pipe.stage_name(payload.stage + 1 + step));
    Part { names: (0..steps).map(named).collect(), registers: (0..steps).map(register).collect() }
}
