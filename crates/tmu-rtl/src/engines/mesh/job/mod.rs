//! `job`: the registers, the rules of a job, its start and its end.
//!
//! A job is checked, the reciprocals of its rectangles' size are made, and `start` tells all stages. It has ended when the end of its
//! pixels has come out of the last stage, when every write has been answered, and when no vertices are being read any more. What fails first is
//! told; from then on `cancelled` is high until the job has ended.
//!
//! 66 to 70 clocks from the register to `start`.

pub mod count;
mod faults;
pub mod reciprocal;
mod rules;

use super::interpolate::divide::{RECIPROCAL_BITS, Steps, steps};
use super::registers::{GUARDED, IDENTITY, MASK_BITS, SETTINGS_BITS, TABLE};
use super::vertices::lines::POINT_ADDRESS_BITS;
use super::words::*;
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::{ENGINE_STRIDE_BYTES, REGISTER_BYTES, records};
use count::Counters;
use reciprocal::Reciprocal;
use tmu_hdl::arithmetic::saturate_signed;
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;

/// Bits of a register's number in the engine's block.
pub const ADDRESS_BITS: usize = (ENGINE_STRIDE_BYTES / REGISTER_BYTES).ilog2() as usize;
/// Bits of a code.
const CODE_BITS: usize = 4;
/// Bits of a number of look-ups in a clock: up to one for each tap.
pub const HITS_BITS: usize = 3;

/// What becomes of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// There is none.
    Idle,
    /// Its rules are looked at.
    Check,
    /// The reciprocal of its rectangles' width is asked for.
    AskWidth,
    /// It is being made.
    Width,
    /// That of their height is asked for.
    AskHeight,
    /// It is being made.
    Height,
    /// The stages start.
    Start,
    /// They are at work.
    Run,
    /// The end is made known.
    Finish,
}

/// What happens in the stages, as they tell it clock by clock.
#[derive(Clone, Debug, Record)]
pub struct Events<T = Bits> {
    /// A pixel was drawn.
    pub drawn: T,
    /// A pixel outside the frame buffer was left out.
    pub outside: T,
    /// One was left out behind that: of the key's colour, or of a job that was cancelled.
    pub dropped: T,
    /// A line of the texture has come.
    pub texture_line: T,
    /// So many look-ups found their line.
    pub hits: T,
    /// A pixel waited for its texels.
    pub stalled: T,
}

/// The number of a register in the engine's block.
fn number_of(register: &str) -> usize {
    let found = TABLE.iter().find(|known| known.name == register).expect("the register is in the table");
    (found.offset_bytes / REGISTER_BYTES) as usize
}

/// Shape of [`Events`].
pub fn events() -> Events<Width> {
    let bit = || Width::bits(1);
    Events {
        drawn: bit(),
        outside: bit(),
        dropped: bit(),
        texture_line: bit(),
        hits: Width::bits(HITS_BITS),
        stalled: bit(),
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Job {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterPort,
    /// A job has ended, and that interrupts: high for a clock.
    pub interrupt: Net<Out>,
    /// A job starts.
    pub start: Net<Out>,
    /// It ends before its last pixel, from here on until it has ended.
    pub cancelled: Net<Out>,
    /// What holds for all pixels.
    pub constants: JobPorts<Field<Out>>,
    /// Bits 31:3 of the address of the first vertex.
    pub vertices: Net<Out>,
    /// Rectangles across and down.
    pub mesh: [Net<Out>; AXES],
    /// Width and height of a rectangle.
    pub size: [Steps<Field<Out>>; AXES],
    /// Where the first pixel of the mesh is in the frame buffer.
    pub offset: [Net<Out>; AXES],
    /// Masks of coordinates.
    pub masks: [Net<Out>; AXES],
    /// Faults of reads of vertices.
    pub vertices_fault: FaultWord<Field<In>>,
    /// Faults of reads of the texture.
    pub texture_fault: FaultWord<Field<In>>,
    /// Faults of reads of the frame buffer.
    pub frame_fault: FaultWord<Field<In>>,
    /// Faults of writes.
    pub write_fault: FaultWord<Field<In>>,
    /// No vertices are being read.
    pub vertices_idle: Net<In>,
    /// The end has come out of the last stage, and every write has been answered.
    pub finished: Net<In>,
    /// What happens.
    pub events: Events<Field<In>>,
    guard: RegisterGuard,
    bank: RegisterBank,
    reciprocal: Reciprocal,
    state: EnumReg<State>,
    busy: Reg,
    broken: Reg,
    reciprocals: [Reg; AXES],
    reads_frame: Reg,
    is_cancelled: Reg,
    /// Something has failed, one bit for each that may, or `RESET` was written.
    happened: Reg,
    ends_early: Net<Local>,
    found: Reg,
    found_response: Reg,
    found_line: Reg,
    has_finished: Reg,
    code: Reg,
    response: Reg,
    fault_line: Reg,
    interrupting: Reg,
    is_first: Reg,
    counters: Counters,
}

impl Job {
    /// The stage.
    pub fn new() -> Job {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let reciprocal = || Reg::new(&clocks, RECIPROCAL_BITS);
        let pair = |bits: usize| [Net::new(bits), Net::new(bits)];
        Job {
            registers: RegisterPort::new(ADDRESS_BITS),
            interrupt: Net::bit(),
            start: Net::bit(),
            cancelled: Net::bit(),
            constants: job_ports().nets(),
            vertices: Net::new(POINT_ADDRESS_BITS),
            mesh: pair(MESH_BITS),
            size: [steps().nets(), steps().nets()],
            offset: pair(POSITION_BITS),
            masks: pair(MASK_BITS),
            vertices_fault: fault_word().nets(),
            texture_fault: fault_word().nets(),
            frame_fault: fault_word().nets(),
            write_fault: fault_word().nets(),
            vertices_idle: Net::bit(),
            finished: Net::bit(),
            events: events().nets(),
            guard: RegisterGuard::new(ADDRESS_BITS, &GUARDED),
            bank: RegisterBank::with_read_back(ADDRESS_BITS, &records(TABLE), SETTINGS_BITS),
            reciprocal: Reciprocal::new(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            busy: flag(),
            broken: Reg::new(&clocks, rules::RULES),
            reciprocals: [reciprocal(), reciprocal()],
            reads_frame: Reg::new(&clocks, 1),
            is_cancelled: flag(),
            happened: Reg::with_reset(&clocks, faults::CAUSES, 0),
            ends_early: Net::bit(),
            found: Reg::new(&clocks, CODE_BITS),
            found_response: Reg::new(&clocks, RESPONSE_BITS),
            found_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            has_finished: flag(),
            code: Reg::with_reset(&clocks, CODE_BITS, 0),
            response: Reg::with_reset(&clocks, RESPONSE_BITS, 0),
            fault_line: Reg::with_reset(&clocks, LINE_ADDRESS_BITS, 0),
            interrupting: flag(),
            is_first: Reg::with_reset(&clocks, 1, 1),
            counters: count::counters(),
            clocks,
        }
    }

    /// What a register says of the job.
    fn setting(&self, register: &str, field: &str) -> Bits {
        self.bank.output.of(register, field).val()
    }
}

impl Default for Job {
    fn default() -> Job {
        Job::new()
    }
}

/// The registers, the rules of a job, its start and its end.
#[kernel]
impl Job {
    fn module_name(&self) -> String {
        "mesh_job".into()
    }

    fn logic(&self) {
        self.register();
        self.constants();
        self.geometry();
        rules::look(self);
        self.states();
        self.reciprocals();
        faults::keep(self);
        count::count(self);
    }

    fn register(&self) {
        /// # Registers
        let (guard, bank) = (&self.guard, &self.bank);
        guard.clocks.follow(&self.clocks);
        bank.clocks.follow(&self.clocks);
        guard.port.forward(&self.registers);
        bank.port.serve(&guard.bank);
        guard.busy.next = self.busy.val();
        let ends = self.state.val() == State::Finish;
        bank.input.of("CONTROL", "START").next = ends;
        bank.input.of("CONTROL", "CHROMA_KEY").next = 0;
        bank.input.of("CONTROL", "ADDITIVE").next = 0;
        bank.input.of("IDENTITY", "VALUE").next = lit(32, IDENTITY);
        bank.input.of("INTERRUPT", "DONE").next = ends;
        bank.input.of("STATUS", "BUSY").next = self.busy.val();
        bank.input.of("STATUS", "ERROR").next = self.code.val().any();
        bank.input.of("STATUS", "CODE").next = self.code.val();
        bank.input.of("STATUS", "RESPONSE").next = self.response.val();
        bank.input.of("FAULT_ADDRESS", "ADDRESS").next =
            cat(&[self.fault_line.val(), lit(32 - LINE_ADDRESS_BITS, 0u32)]);
        discard(self.setting("INTERRUPT", "DONE"), "the line pulses, and does not stay high");
        self.interrupting.next = ends && self.setting("INTERRUPT_ENABLE", "DONE");
        self.interrupt.next = self.interrupting.val();
    }

    fn constants(&self) {
        /// # Constants
        let size = |register| self.setting(register, "PIXELS").low(SIZE_BITS);
        let base = |register| self.setting(register, "ADDRESS").high(PLACE_BITS);
        let picture =
            |at, width, height| Picture { base: base(at), width: size(width), height: size(height) };
        let alpha = self.setting("ALPHA", "LEVEL");
        let is_additive = self.setting("CONTROL", "ADDITIVE");
        self.reads_frame.next = is_additive || !alpha.all();
        self.constants.next = JobPorts {
            texture: picture("TEXTURE", "TEXTURE_WIDTH", "TEXTURE_HEIGHT"),
            frame: picture("FRAME", "FRAME_WIDTH", "FRAME_HEIGHT"),
            shade: ShadeSettings {
                has_key: self.setting("CONTROL", "CHROMA_KEY"),
                key: self.setting("CHROMA_KEY", "COLOR"),
                brightness: self.setting("BRIGHTNESS", "LEVEL"),
            },
            blend: BlendSettings { alpha, is_additive, reads_frame: self.reads_frame.val() },
        };
    }

    fn geometry(&self) {
        /// # Geometry
        self.vertices.next = self.setting("VERTICES", "ADDRESS").high(POINT_ADDRESS_BITS);
        for (axis, mesh, size, offset, mask) in [
            (0, "HMESHLAST", "RECTANGLE_WIDTH", "X_OFFSET", "MASK_X"),
            (1, "VMESHLAST", "RECTANGLE_HEIGHT", "Y_OFFSET", "MASK_Y"),
        ] {
            self.mesh[axis].next = self.setting(mesh, "COUNT").low(MESH_BITS);
            let count = self.setting(size, "PIXELS").low(SIZE_BITS);
            self.size[axis].next = Steps { count, reciprocal: self.reciprocals[axis].val() };
            // Beyond these limits no pixel of the largest mesh is inside.
            let offset = self.setting(offset, "PIXELS").signed();
            self.offset[axis].next = saturate_signed(offset, POSITION_BITS).bits();
            self.masks[axis].next = self.setting(mask, "BITS");
        }
    }

    fn states(&self) {
        /// # States
        let is_made = self.reciprocal.done.val();
        match self.state.val() {
            State::Idle => {
                if self.setting("CONTROL", "START") {
                    self.busy.next = 1;
                    self.state.next = State::Check;
                }
            }
            State::Check => {
                if self.broken.val().any() {
                    self.state.next = State::Finish;
                } else {
                    self.state.next = State::AskWidth;
                }
            }
            State::AskWidth => self.state.next = State::Width,
            State::Width => {
                if is_made {
                    self.state.next = State::AskHeight;
                }
            }
            State::AskHeight => self.state.next = State::Height,
            State::Height => {
                if is_made {
                    self.state.next = State::Start;
                }
            }
            State::Start => self.state.next = State::Run,
            State::Run => {
                if self.has_finished.val() && self.vertices_idle.val() {
                    self.state.next = State::Finish;
                }
            }
            State::Finish => {
                self.busy.next = 0;
                self.state.next = State::Idle;
            }
        }
        self.start.next = self.state.val() == State::Start;
        if self.state.val() == State::Start {
            self.has_finished.next = 0;
        } else if self.finished.val() {
            self.has_finished.next = 1;
        }
    }

    fn reciprocals(&self) {
        /// # Reciprocals
        let block = &self.reciprocal;
        block.clocks.follow(&self.clocks);
        let is_height = self.state.val() == State::AskHeight || self.state.val() == State::Height;
        let (width, height) = (self.size[0].count.val(), self.size[1].count.val());
        block.start.next = self.state.val() == State::AskWidth || self.state.val() == State::AskHeight;
        block.count.next = if is_height { height } else { width };
        if self.state.val() == State::Width {
            self.reciprocals[0].next = block.result.val();
        }
        if self.state.val() == State::Height {
            self.reciprocals[1].next = block.result.val();
        }
    }
}
