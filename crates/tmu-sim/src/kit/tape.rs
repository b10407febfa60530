//! What went into a model and what came out, evaluation by evaluation, to be played to the Rust simulation.
//!
//! The interpreter of `tmu-hdl` and the verilated model of the emitted text are two readings of one design. A
//! [`Tape`] of real traffic compares them at every clock edge, and measures the interpreter without bus models.

use tmu_hdl::simulate::{Interpreter, Port};
use tmu_hdl::value::Value;
use tmu_verilate::{Direction, Instance, Model, PortId};

/// All ports of a model over time.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    inputs: Vec<String>,
    outputs: Vec<String>,
    clocks: Vec<String>,
    /// Per evaluation: the inputs that changed, by number, and all outputs afterwards.
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
struct Step {
    changed: Vec<(usize, Value)>,
    outputs: Vec<Value>,
}

/// A tape that is being written.
#[derive(Debug)]
pub(crate) struct Recorder {
    inputs: Vec<PortId>,
    outputs: Vec<PortId>,
    last: Vec<Option<Value>>,
    tape: Tape,
}

fn value(instance: &Instance, port: PortId) -> Value {
    let words = instance.get_wide(port);
    let limb = |pair: &[u32]| u64::from(pair[0]) | pair.get(1).map_or(0, |&high| u64::from(high) << 32);
    let limbs: Vec<u64> = words.chunks(2).map(limb).collect();
    Value::from_limbs(instance.model().describe(port).width_bits as usize, &limbs)
}

impl Recorder {
    pub(crate) fn new(model: &Model) -> Self {
        let of = |direction| model.ports(direction).collect::<Vec<_>>();
        let name = |port: &PortId| model.describe(*port).name.clone();
        let clocks = of(Direction::Clock);
        let inputs: Vec<PortId> = of(Direction::Input).into_iter().chain(clocks.iter().copied()).collect();
        let outputs = of(Direction::Output);
        let tape = Tape {
            inputs: inputs.iter().map(name).collect(),
            outputs: outputs.iter().map(name).collect(),
            clocks: clocks.iter().map(name).collect(),
            steps: Vec::new(),
        };
        Self { last: vec![None; inputs.len()], inputs, outputs, tape }
    }

    /// Notes an evaluation that has just been made.
    pub(crate) fn note(&mut self, instance: &Instance) {
        let mut changed = Vec::new();
        for (number, (&port, last)) in self.inputs.iter().zip(&mut self.last).enumerate() {
            let now = value(instance, port);
            if last.replace(now) != Some(now) {
                changed.push((number, now));
            }
        }
        let outputs = self.outputs.iter().map(|&port| value(instance, port)).collect();
        self.tape.steps.push(Step { changed, outputs });
    }

    pub(crate) fn finish(self) -> Tape {
        self.tape
    }
}

/// Where the Rust simulation says something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Evaluation, from 0.
    pub step: usize,
    /// The output.
    pub port: String,
    /// What the model of the emitted text said.
    pub verilated: Value,
    /// What the interpreter said.
    pub interpreted: Value,
}

impl Tape {
    /// Number of evaluations.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Rising edges of the clock called `clock`.
    #[must_use]
    pub fn clocks(&self, clock: &str) -> usize {
        let Some(number) = self.inputs.iter().position(|name| name == clock) else { return 0 };
        let rises = |step: &&Step| step.changed.iter().any(|(n, value)| *n == number && !value.is_zero());
        self.steps.iter().filter(rises).count()
    }

    /// Names of the clocks.
    #[must_use]
    pub fn clock_names(&self) -> &[String] {
        &self.clocks
    }

    /// Times that a bit of an output changed, so that a test can tell a tape of traffic from one of silence.
    #[must_use]
    pub fn output_changes(&self) -> usize {
        self.steps.windows(2).filter(|pair| pair[0].outputs != pair[1].outputs).count()
    }

    /// Plays the inputs to the Rust simulation of the same design and compares every output after every evaluation.
    ///
    /// # Errors
    /// The first difference, or the property of a kernel that does not hold, as text.
    ///
    /// # Panics
    /// When the design has other ports.
    pub fn compare(&self, interpreter: &mut Interpreter) -> Result<(), Box<Difference>> {
        let outputs = ports(interpreter, &self.outputs);
        let mut step_number = 0;
        let mut found = None;
        self.play(interpreter, |interpreter| {
            let step = &self.steps[step_number];
            for ((&port, name), &verilated) in outputs.iter().zip(&self.outputs).zip(&step.outputs) {
                let interpreted = interpreter.get(port);
                if interpreted != verilated && found.is_none() {
                    found =
                        Some(Difference { step: step_number, port: name.clone(), verilated, interpreted });
                }
            }
            step_number += 1;
            found.is_none()
        });
        found.map_or(Ok(()), |difference| Err(Box::new(difference)))
    }

    /// Plays the inputs to the Rust simulation, for as long as `after` each evaluation wants more.
    ///
    /// # Panics
    /// When the design has other ports, or a property does not hold.
    pub fn play(&self, interpreter: &mut Interpreter, mut after: impl FnMut(&Interpreter) -> bool) {
        let inputs = ports(interpreter, &self.inputs);
        for step in &self.steps {
            for (number, value) in &step.changed {
                interpreter.set(inputs[*number], value);
            }
            if let Err(failure) = interpreter.settle() {
                panic!("{failure}");
            }
            if !after(interpreter) {
                return;
            }
        }
    }
}

fn ports(interpreter: &Interpreter, names: &[String]) -> Vec<Port> {
    let port = |name: &String| {
        interpreter.port(name).unwrap_or_else(|| panic!("the design has no port called {name}"))
    };
    names.iter().map(port).collect()
}
