//! One running instance of a model.
//!
//! Ports are memory: [`Instance::set`] and [`Instance::get`] cost a load or a store, [`Instance::eval`] is the
//! only call into the model. [`Instance::run`] feeds rows of inputs in one call for long runs.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::PoisonError;

use crate::error::{Error, IoContext as _, Result};
use crate::ffi::{Functions, Loaded, RawInstance, RawRun, TraceFunctions, c_path};
use crate::model::{Model, PortId};
use crate::rows::{RowLayout, Rows, Schedule, mask_top};
use crate::source::{Direction, Port};

/// What registers and memories without an initial value hold at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Initial {
    /// Zero in every bit.
    #[default]
    Zeros,
    /// One in every bit.
    Ones,
    /// Bits drawn from this seed.
    Random(u32),
}

impl Initial {
    /// Verilator's `randReset` and `randSeed`. Its seed 0 means "from the clock of the day", and its first values
    /// show a small seed, so the bits of the seed are mixed (the finalizer of MurmurHash3).
    fn raw(self) -> (c_int, c_int) {
        let Self::Random(seed) = self else { return (c_int::from(self == Self::Ones), 1) };
        let mixed = seed ^ 0x9e37_79b9;
        let mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
        (2, (mixed ^ mixed >> 16).max(1) as c_int)
    }
}

/// A running model. It may move between threads; each instance has a time and state of its own.
#[derive(Debug)]
pub struct Instance {
    model: Model,
    raw: NonNull<RawInstance>,
    ports: Vec<Slot>,
}

// SAFETY: the C++ side keeps no reference to the thread that made an instance: every entry makes the
// instance's context the thread's own first, and `&mut self` keeps two threads from entering at once.
unsafe impl Send for Instance {}

/// Where a port's value stands and what may be written to it.
#[derive(Clone, Copy, Debug)]
struct Slot {
    place: Place,
    width_bits: u32,
    is_input: bool,
}

/// The place of a value in the model, in the type that Verilator chose for its width.
#[derive(Clone, Copy, Debug)]
enum Place {
    Bits8(NonNull<u8>),
    Bits16(NonNull<u16>),
    Bits32(NonNull<u32>),
    Bits64(NonNull<u64>),
    Words(NonNull<u32>, usize),
}

impl Slot {
    fn new(place: NonNull<c_void>, port: &Port) -> Self {
        let words = port.words();
        let (width_bits, is_input) = (port.width_bits, port.direction != Direction::Output);
        let place = match width_bits {
            0..=8 => Place::Bits8(place.cast()),
            9..=16 => Place::Bits16(place.cast()),
            17..=32 => Place::Bits32(place.cast()),
            33..=64 => Place::Bits64(place.cast()),
            _ => Place::Words(place.cast(), words),
        };
        Self { place, width_bits, is_input }
    }
}

impl Instance {
    pub(crate) fn new(model: Model, initial: Initial) -> Result<Self> {
        let Loaded { functions, construction } = model.shared.library;
        let (reset, seed) = initial.raw();
        let mut reason = [0 as c_char; 1024];
        let raw = {
            let _only_one = construction.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: `reason` is writable for its length.
            unsafe { (functions.new)(reset, seed, reason.as_mut_ptr(), reason.len()) }
        };
        let Some(raw) = NonNull::new(raw) else {
            // SAFETY: the shim ends the text with a zero byte within the buffer.
            let message = unsafe { text(reason.as_ptr()) };
            return Err(Error::Failed { top: model.source().top.clone(), time: 0, row: None, message });
        };
        let ports = model.source().ports.iter().enumerate().map(|(i, port)| {
            // SAFETY: `i` counts the same list of ports as the shim was made from.
            let place = NonNull::new(unsafe { (functions.port)(raw.as_ptr(), i) });
            Slot::new(place.expect("the address of a member is not null"), port)
        });
        let ports = ports.collect();
        Ok(Self { model, raw, ports })
    }

    fn functions(&self) -> &'static Functions {
        &self.model.shared.library.functions
    }

    /// The model it is an instance of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Sets an input of at most 64 bits; bits above its width are dropped.
    ///
    /// # Panics
    /// If the port is an output or wider than 64 bits.
    pub fn set(&mut self, port: PortId, value: u64) {
        let Slot { place, width_bits, is_input } = self.ports[port.0];
        assert!(is_input, "port `{}` is an output", self.model.describe(port).name);
        let value = if width_bits >= 64 { value } else { value & ((1 << width_bits) - 1) };
        // SAFETY: the place is a member of the model that `self` owns, of this type, and no call runs in it.
        unsafe {
            match place {
                Place::Bits8(place) => place.write(value as u8),
                Place::Bits16(place) => place.write(value as u16),
                Place::Bits32(place) => place.write(value as u32),
                Place::Bits64(place) => place.write(value),
                Place::Words(..) => self.panic_too_wide(port),
            }
        }
    }

    /// Sets an input of any width from 32-bit words, low word first; missing words are zero, bits above the
    /// width are dropped.
    ///
    /// # Panics
    /// If the port is an output.
    pub fn set_wide(&mut self, port: PortId, words: &[u32]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        let Slot { place: Place::Words(place, count), width_bits, is_input } = self.ports[port.0] else {
            return self.set(port, u64::from(word(0)) | u64::from(word(1)) << 32);
        };
        assert!(is_input, "port `{}` is an output", self.model.describe(port).name);
        // SAFETY: as in `set`; the array has `count` words.
        let to = unsafe { std::slice::from_raw_parts_mut(place.as_ptr(), count) };
        to.iter_mut().enumerate().for_each(|(i, to)| *to = word(i));
        mask_top(to, width_bits);
    }

    /// The value of a port of at most 64 bits.
    ///
    /// # Panics
    /// If the port is wider than 64 bits.
    pub fn get(&self, port: PortId) -> u64 {
        // SAFETY: as in `set`.
        unsafe {
            match self.ports[port.0].place {
                Place::Bits8(place) => u64::from(place.read()),
                Place::Bits16(place) => u64::from(place.read()),
                Place::Bits32(place) => u64::from(place.read()),
                Place::Bits64(place) => place.read(),
                Place::Words(..) => self.panic_too_wide(port),
            }
        }
    }

    /// The value of a port of any width, low word first, `ceil(width / 32)` words.
    pub fn get_wide(&self, port: PortId) -> Vec<u32> {
        match self.ports[port.0].place {
            Place::Words(place, count) => {
                // SAFETY: as in `set`; the array has `count` words.
                unsafe { std::slice::from_raw_parts(place.as_ptr(), count) }.to_vec()
            }
            _ => {
                let value = self.get(port);
                let words = [value as u32, (value >> 32) as u32];
                words[..self.model.describe(port).words()].to_vec()
            }
        }
    }

    /// The value of a port of at most 128 bits.
    ///
    /// # Panics
    /// If the port is wider than 128 bits.
    pub fn get_u128(&self, port: PortId) -> u128 {
        match self.ports[port.0].place {
            Place::Words(place, count @ ..=4) => {
                // SAFETY: as in `set`; the array has `count` words.
                let words = unsafe { std::slice::from_raw_parts(place.as_ptr(), count) };
                words.iter().rev().fold(0, |value, &word| value << 32 | u128::from(word))
            }
            Place::Words(..) => self.panic_too_wide(port),
            _ => u128::from(self.get(port)),
        }
    }

    fn panic_too_wide(&self, port: PortId) -> ! {
        let Port { name, width_bits, .. } = self.model.describe(port);
        panic!("port `{name}` has {width_bits} bits: use get_wide and set_wide")
    }

    /// Lets the model settle on its inputs: clock edges since the last evaluation take effect. An open waveform
    /// gets the values of this time, once for each time.
    ///
    /// # Errors
    /// [`Error::Failed`] if an assertion failed or the model stopped. The model goes on after a failed assertion;
    /// after a fatal error, such as a loop that does not settle, every evaluation fails.
    pub fn eval(&mut self) -> Result<()> {
        // SAFETY: `raw` is alive while `self` is.
        let result = unsafe { (self.functions().eval)(self.raw.as_ptr()) };
        self.checked(result, None)
    }

    /// Simulation time, in the unit of the waveform's time.
    pub fn time(&self) -> u64 {
        // SAFETY: as in `eval`.
        unsafe { (self.functions().time)(self.raw.as_ptr()) }
    }

    /// Sets the time of the following evaluations. Waveforms need times that rise.
    pub fn set_time(&mut self, time: u64) {
        // SAFETY: as in `eval`.
        unsafe { (self.functions().set_time)(self.raw.as_ptr(), time) }
    }

    /// Sets by how much [`Instance::run`] advances the time before each evaluation; 1 at first.
    pub fn set_time_step(&mut self, step: u64) {
        // SAFETY: as in `eval`.
        unsafe { (self.functions().set_time_step)(self.raw.as_ptr(), step) }
    }

    /// Whether the Verilog has executed `$finish`.
    pub fn finished(&self) -> bool {
        // SAFETY: as in `eval`.
        unsafe { (self.functions().finished)(self.raw.as_ptr()) != 0 }
    }

    /// Takes what the Verilog has printed with `$display` and the like.
    pub fn take_output(&mut self) -> String {
        let functions = &self.functions();
        // SAFETY: as in `eval`; the text stays valid until it is cleared.
        unsafe {
            let output = text((functions.output)(self.raw.as_ptr()));
            (functions.clear_output)(self.raw.as_ptr());
            output
        }
    }

    /// Runs clock cycles of all clocks together, with the other inputs as they are.
    ///
    /// # Errors
    /// As [`Instance::run`].
    pub fn step_cycles(&mut self, cycles: usize) -> Result<()> {
        let clocks = self.indices(Direction::Clock);
        self.enter_run(&[], &clocks, &[], &[], &mut [], cycles)
    }

    /// Applies each row of inputs and records the outputs, from the present state on, as `schedule` says.
    ///
    /// # Errors
    /// [`Error::Failed`] with the row at which an assertion failed; [`Error::Usage`] if the rows' layout is not
    /// [`RowLayout::inputs`] of this model and schedule.
    pub fn run(&mut self, schedule: Schedule, inputs: &Rows) -> Result<Rows> {
        let source = self.model.source();
        let layout = RowLayout::inputs(source, schedule);
        if *inputs.layout() != layout {
            let top = &source.top;
            return Err(Error::Usage(format!(
                "the rows are not laid out for the inputs of `{top}` under {schedule:?}"
            )));
        }
        let mut outputs = Rows::zeros(RowLayout::outputs(source), inputs.len());
        let indices = |layout: &RowLayout| -> Vec<u32> {
            layout.columns().iter().map(|column| column.port as u32).collect()
        };
        let clocks = match schedule {
            Schedule::Evaluations => Vec::new(),
            Schedule::Cycles => self.indices(Direction::Clock),
        };
        let recorded = indices(outputs.layout());
        self.enter_run(
            &indices(&layout),
            &clocks,
            &recorded,
            inputs.words(),
            outputs.words_mut(),
            inputs.len(),
        )?;
        Ok(outputs)
    }

    fn indices(&self, direction: Direction) -> Vec<u32> {
        self.model.ports(direction).map(|port| port.0 as u32).collect()
    }

    fn enter_run(
        &mut self,
        inputs: &[u32],
        clocks: &[u32],
        recorded: &[u32],
        from: &[u32],
        to: &mut [u32],
        rows: usize,
    ) -> Result<()> {
        let run = RawRun {
            inputs: inputs.as_ptr(),
            input_count: inputs.len(),
            clocks: clocks.as_ptr(),
            clock_count: clocks.len(),
            outputs: recorded.as_ptr(),
            output_count: recorded.len(),
        };
        // SAFETY: the indices are ports of this model; `from` and `to` hold `rows` rows of the columns named,
        // by `run`'s check of the layout and the construction of the outputs.
        let done = unsafe {
            (self.functions().run)(self.raw.as_ptr(), &run, from.as_ptr(), to.as_mut_ptr(), rows as u64)
        };
        self.checked(c_int::from(done != rows as u64), Some(done as usize))
    }

    /// Opens a waveform file; from now on every evaluation is written to it.
    ///
    /// # Errors
    /// If the model was built without `fst`, or the file cannot be created.
    pub fn trace_open(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let (functions, path) = (self.trace_functions()?, self.output_file(path.as_ref())?);
        // SAFETY: as in `eval`; the path ends with a zero byte.
        let result = unsafe { (functions.open)(self.raw.as_ptr(), c_path(&path)?.as_ptr()) };
        self.checked(result, None)
    }

    /// Writes what is buffered of the waveform.
    ///
    /// # Errors
    /// If the model was built without `fst`.
    pub fn trace_flush(&mut self) -> Result<()> {
        // SAFETY: as in `eval`.
        let result = unsafe { (self.trace_functions()?.flush)(self.raw.as_ptr()) };
        self.checked(result, None)
    }

    /// Closes the waveform file. Dropping the instance does so too.
    ///
    /// # Errors
    /// If the model was built without `fst`.
    pub fn trace_close(&mut self) -> Result<()> {
        // SAFETY: as in `eval`.
        let result = unsafe { (self.trace_functions()?.close)(self.raw.as_ptr()) };
        self.checked(result, None)
    }

    fn trace_functions(&self) -> Result<&TraceFunctions> {
        self.functions().trace.as_ref().ok_or_else(|| self.not_built_for("waveforms", "fst"))
    }

    /// Writes this instance's coverage in Verilator's format, to be merged and annotated by
    /// `verilator_coverage`. One file for each instance.
    ///
    /// # Errors
    /// If the model was built without coverage, or the file cannot be created.
    pub fn coverage_write(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let function = self.functions().coverage_write;
        let function =
            function.ok_or_else(|| self.not_built_for("coverage", "line_coverage or toggle_coverage"))?;
        let path = self.output_file(path.as_ref())?;
        // SAFETY: as in `trace_open`.
        let result = unsafe { function(self.raw.as_ptr(), c_path(&path)?.as_ptr()) };
        self.checked(result, None)
    }

    fn not_built_for(&self, what: &str, option: &str) -> Error {
        let top = &self.model.source().top;
        Error::Usage(format!(
            "the model of `{top}` was built without {what}: set {option} in its ModelOptions"
        ))
    }

    /// Verilator reports nothing if it cannot create a file, so it is created here first.
    fn output_file(&self, path: &Path) -> Result<PathBuf> {
        let path = std::path::absolute(path).context("resolve", path)?;
        File::create(&path).context("create", &path)?;
        Ok(path)
    }

    fn checked(&self, result: c_int, row: Option<usize>) -> Result<()> {
        if result == 0 {
            return Ok(());
        }
        // SAFETY: as in `eval`; the text stays valid until the next entry.
        let message = unsafe { text((self.functions().failure)(self.raw.as_ptr())) };
        Err(Error::Failed { top: self.model.source().top.clone(), time: self.time(), row, message })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: `raw` came from the model's `new` and is not used after this.
        unsafe { (self.functions().delete)(self.raw.as_ptr()) }
    }
}

/// Copies text from the C++ side.
///
/// # Safety
/// `from` points to bytes that end with a zero byte.
unsafe fn text(from: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(from) }.to_string_lossy().trim_end().to_owned()
}
