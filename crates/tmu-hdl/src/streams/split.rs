//! Streams that part and meet.

use crate::prelude::*;
use crate::primitives::{GrantTiming, RoundRobinArbiter};

/// One stream to several. An item is taken when the last of them takes it; each sees it once.
///
/// No latency, one flip-flop for each output.
#[derive(Debug, LogicBlock)]
pub struct Fork {
    /// The clock.
    pub clocks: Clocks,
    /// Where items come in.
    pub input: StreamIn,
    /// Where they leave.
    pub outputs: Vec<StreamOut>,
    taken: Vec<Reg>,
}

impl Fork {
    /// A fork to `count` streams of `width` bits.
    #[track_caller]
    pub fn new(count: usize, width: usize) -> Fork {
        let clocks = Clocks::new();
        Fork {
            input: StreamIn::new(width),
            outputs: (0..count).map(|_| StreamOut::new(width)).collect(),
            taken: (0..count).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            clocks,
        }
    }
}

/// One stream to several, each of which takes each item once.
#[kernel]
impl Fork {
    fn module_name(&self) -> String {
        "stream_fork".into()
    }

    fn logic(&self) {
        timing(0, 1);
        let done: Vec<Bits> = self
            .outputs
            .iter()
            .zip(&self.taken)
            .map(|(output, taken)| taken.val() || output.ready.val())
            .collect();
        let all_done = stack(done.iter().copied()).all();
        self.input.ready.next = all_done;
        for (number, (output, taken)) in self.outputs.iter().zip(&self.taken).enumerate() {
            output.valid.next = self.input.valid.val() && !taken.val();
            output.data.next = self.input.data.val();
            if self.input.valid.val() {
                taken.next = done[number] && !all_done;
            }
        }
    }
}

/// An item of each of several streams becomes one, the first one's lowest. No latency, no registers.
#[derive(Debug, LogicBlock)]
pub struct Join {
    /// Where items come in.
    pub inputs: Vec<StreamIn>,
    /// Where they leave together.
    pub output: StreamOut,
}

impl Join {
    /// A join of streams of these widths.
    #[track_caller]
    pub fn new(widths: &[usize]) -> Join {
        Join {
            inputs: widths.iter().map(|&width| StreamIn::new(width)).collect(),
            output: StreamOut::new(widths.iter().sum()),
        }
    }
}

/// An item of each of several streams becomes one.
#[kernel]
impl Join {
    fn module_name(&self) -> String {
        "stream_join".into()
    }

    fn logic(&self) {
        timing(0, 1);
        let all_valid = stack(self.inputs.iter().map(|input| input.valid.val())).all();
        for input in &self.inputs {
            input.ready.next = all_valid && self.output.ready.val();
        }
        self.output.valid.next = all_valid;
        self.output.data.next = stack(self.inputs.iter().map(|input| input.data.val()));
    }
}

/// Several streams take turns on one; who was served last comes last. Latency 1.
#[derive(Debug, LogicBlock)]
pub struct Merge {
    /// The clock.
    pub clocks: Clocks,
    /// Where items come in.
    pub inputs: Vec<StreamIn>,
    /// Where they leave.
    pub output: StreamOut,
    /// Number of the stream that the item came from.
    pub source: Net<Out>,
    arbiter: RoundRobinArbiter,
    valid: Reg,
    data: Reg,
    number: Reg,
}

impl Merge {
    /// A merge of `count` streams of `width` bits.
    #[track_caller]
    pub fn new(count: usize, width: usize) -> Merge {
        let clocks = Clocks::new();
        let arbiter = RoundRobinArbiter::new(count, GrantTiming::Combinational);
        Merge {
            inputs: (0..count).map(|_| StreamIn::new(width)).collect(),
            output: StreamOut::new(width),
            source: Net::new(arbiter.grant_index.width()),
            valid: Reg::with_reset(&clocks, 1, 0),
            data: Reg::new(&clocks, width),
            number: Reg::new(&clocks, arbiter.grant_index.width()),
            arbiter,
            clocks,
        }
    }
}

/// Several streams take turns on one.
#[kernel]
impl Merge {
    fn logic(&self) {
        timing(1, 1);
        let free = !self.valid.val() || self.output.ready.val();
        let arbiter = &self.arbiter;
        arbiter.clocks.follow(&self.clocks);
        arbiter.requests.next = stack(self.inputs.iter().map(|input| input.valid.val()));
        arbiter.accept.next = free;
        let grant = arbiter.grant.val();
        let width = self.data.width();
        let own = |(number, input): (usize, &StreamIn)| input.data.val() & grant.bit(number).repeat(width);
        let chosen = self.inputs.iter().enumerate().map(own).fold(lit(width, 0u32), |any, own| any | own);
        for (number, input) in self.inputs.iter().enumerate() {
            input.ready.next = grant.bit(number) && free;
        }
        if free {
            self.valid.next = grant.any();
            self.data.next = chosen;
            self.number.next = arbiter.grant_index.val();
        }
        self.output.valid.next = self.valid.val();
        self.output.data.next = self.data.val();
        self.source.next = self.number.val();
    }
}
