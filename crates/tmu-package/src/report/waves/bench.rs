//! A core under simulation: the recorded graph of its design, memory that answers, streams and registers.
//!
//! No tool is needed: [`Interpreter`] runs the same graph from which the Verilog is printed. All clocks rise at once, each step.

use std::collections::VecDeque;
use tmu_hdl::simulate::{Interpreter, Port, Unknown};
use tmu_hdl::value::Value;
use tmu_rtl::outputs::Hardware;

/// Clocks from the address of a read to its first line.
const MEMORY_CLOCKS: usize = 4;

/// What a signal showed in each clock.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) name: String,
    pub(super) width_bits: usize,
    pub(super) values: Vec<Value>,
    /// What the value means where that is known, by clock.
    pub(super) labels: Vec<Option<String>>,
}

/// A port that is watched.
struct Watched {
    name: String,
    port: Port,
}

/// The core with what is around it.
pub(super) struct Bench {
    interpreter: Interpreter,
    clocks: Vec<Port>,
    watched: Vec<Watched>,
    samples: Vec<Vec<Value>>,
    labels: Vec<Vec<Option<String>>>,
    /// Lines that memory still owes, with the clock in which each may come and whether it is the last of its read.
    owed: VecDeque<(usize, Value, bool)>,
    clock: usize,
    lines_read: usize,
}

impl Bench {
    /// A core in reset, of which these ports are watched as far as it has them.
    pub(super) fn new(hardware: &Hardware, watched: &[&str]) -> Bench {
        let interpreter = Interpreter::new(hardware.design().clone(), Unknown::Never)
            .expect("every primitive of the hardware says what it computes");
        let ports = hardware.ports().filter(|port| port.is_clock());
        let clocks = ports.filter_map(|port| interpreter.port(&port.name)).collect();
        let watch = |name: &&str| Some(Watched { name: (*name).to_owned(), port: interpreter.port(name)? });
        let watched: Vec<_> = watched.iter().filter_map(watch).collect();
        Bench {
            clocks,
            watched,
            interpreter,
            samples: Vec::new(),
            labels: Vec::new(),
            owed: VecDeque::new(),
            clock: 0,
            lines_read: 0,
        }
    }

    /// Drives an input, if there is one of this name.
    pub(super) fn set(&mut self, name: &str, number: u64) {
        if let Some(port) = self.interpreter.port(name) {
            self.interpreter.set(port, &Value::from_u128(port.width(), number.into()));
        }
    }

    /// Drives an input with bytes, the lowest first.
    pub(super) fn set_bytes(&mut self, name: &str, bytes: &[u8]) {
        if let Some(port) = self.interpreter.port(name) {
            let bit = |index: usize| bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 != 0);
            self.interpreter.set(port, &Value::from_bits((0..port.width()).map(bit)));
        }
    }

    /// The settled value of an output; 0 if there is none of this name.
    pub(super) fn get(&self, name: &str) -> u64 {
        self.interpreter.port(name).map_or(0, |port| self.interpreter.get(port).low_u64())
    }

    /// Lets everything follow from what was driven in this clock.
    pub(super) fn settle(&mut self) {
        self.interpreter.settle().expect("properties of the hardware hold");
    }

    /// Clocks that have passed.
    pub(super) fn clock(&self) -> usize {
        self.clock
    }

    /// Lines that memory has given.
    pub(super) fn lines_read(&self) -> usize {
        self.lines_read
    }

    /// Offers what memory has to give in this clock.
    pub(super) fn offer_memory(&mut self) {
        self.set("m_axi_arready", 1);
        let ready = self.owed.front().filter(|(clock, _, _)| *clock <= self.clock).cloned();
        self.set("m_axi_rvalid", ready.is_some().into());
        if let Some((_, id, is_last)) = ready {
            self.set("m_axi_rid", id.low_u64());
            self.set("m_axi_rlast", is_last.into());
            let bytes =
                (0..16u32).map(|byte| (self.lines_read as u32 * 37 + byte * 11) as u8).collect::<Vec<_>>();
            self.set_bytes("m_axi_rdata", &bytes);
        }
    }

    /// Passes to the next clock, with labels for what is watched by name.
    pub(super) fn step(&mut self, labels: &[(&str, String)]) {
        self.settle();
        self.samples.push(self.watched.iter().map(|watched| self.interpreter.get(watched.port)).collect());
        let label = |watched: &Watched| {
            labels.iter().find(|(name, _)| *name == watched.name).map(|(_, label)| label.clone())
        };
        self.labels.push(self.watched.iter().map(label).collect());
        if self.get("m_axi_arvalid") == 1 {
            let id = Value::from_u128(64, self.get("m_axi_arid").into());
            let lines = self.get("m_axi_arlen") + 1;
            let due = self.clock + MEMORY_CLOCKS;
            self.owed.extend((1..=lines).map(|line| (due, id, line == lines)));
        }
        if self.get("m_axi_rready") == 1
            && self.owed.front().is_some_and(|(clock, _, _)| *clock <= self.clock)
        {
            self.owed.pop_front();
            self.lines_read += 1;
        }
        let clocks = self.clocks.clone();
        self.interpreter.tick(&clocks).expect("properties of the hardware hold");
        self.clock += 1;
    }

    /// What was seen of everything that is watched, from one clock to another, in the order in which it was asked for.
    pub(super) fn traces(&self, clocks: std::ops::Range<usize>, names: &[&str]) -> Vec<Trace> {
        let clocks = clocks.start.min(self.clock)..clocks.end.min(self.clock);
        let trace = |name: &&str| {
            let index = self.watched.iter().position(|watched| watched.name == **name)?;
            Some(Trace {
                name: (*name).to_owned(),
                width_bits: self.watched[index].port.width(),
                values: self.samples[clocks.clone()].iter().map(|all| all[index]).collect(),
                labels: self.labels[clocks.clone()].iter().map(|all| all[index].clone()).collect(),
            })
        };
        names.iter().filter_map(trace).collect()
    }
}
