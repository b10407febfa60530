//! What goes into rigs, clock by clock.

use std::cell::RefCell;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tmu_hdl::design::{Design, NetKind};
use tmu_hdl::simulate::{Interpreter, Port};
use tmu_hdl::value::Value;

/// A block and what went into it before each edge.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The block.
    pub design: Design,
    /// Names of its inputs but the clocks.
    pub inputs: Vec<String>,
    /// A row for each clock, a value for each input.
    pub rows: Vec<Vec<Value>>,
    ports: Vec<Port>,
}

impl Tape {
    pub(crate) fn new(interpreter: &Interpreter) -> Tape {
        let clocks = interpreter.clocks();
        let nets = interpreter.design().blocks[0].nets.iter();
        let inputs = nets.filter(|net| net.kind == NetKind::Input && !clocks.contains(&net.name.as_str()));
        let (inputs, ports) =
            inputs.filter_map(|net| Some((net.name.clone(), interpreter.port(&net.name)?))).unzip();
        Tape { design: interpreter.design().clone(), inputs, rows: vec![], ports }
    }

    /// Notes a row; the last one ends the test.
    pub(crate) fn row(&mut self, interpreter: &Interpreter) {
        self.rows.push(self.ports.iter().map(|port| interpreter.get(*port)).collect());
        let most =
            RECORDING.with_borrow(|recording| recording.as_ref().map_or(0, |recording| recording.most));
        if self.rows.len() >= most {
            RECORDING.with_borrow_mut(|recording| {
                if let Some(recording) = recording {
                    recording.tapes.push(self.clone());
                }
            });
            // Unwinds without a word.
            resume_unwind(Box::new(Enough));
        }
    }
}

/// What ends a test whose rows are wanted and not its verdict.
struct Enough;

struct Recording {
    most: usize,
    tapes: Vec<Tape>,
}

thread_local! {
    static RECORDING: RefCell<Option<Recording>> = const { RefCell::new(None) };
}

/// Whether rigs of this thread are recorded.
pub fn is_recording() -> bool {
    RECORDING.with_borrow(Option::is_some)
}

/// Runs a test up to so many rows of its first rig and gives these.
///
/// # Panics
/// When the test fails before, or does not run so far.
pub fn record(name: &str, rows: usize, test: impl FnOnce()) -> Tape {
    RECORDING.set(Some(Recording { most: rows, tapes: vec![] }));
    let ended = catch_unwind(AssertUnwindSafe(test));
    let recording = RECORDING.take();
    if let Err(why) = ended
        && !why.is::<Enough>()
    {
        resume_unwind(why);
    }
    let mut tapes = recording.map(|mut recording| take(&mut recording.tapes)).unwrap_or_default();
    tapes.pop().unwrap_or_else(|| panic!("{name} has no {rows} rows"))
}
