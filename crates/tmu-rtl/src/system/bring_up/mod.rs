//! `bring_up`: what a board is brought up with, behind the control port.
//!
//! Drives one of the texture units in place of its request stream, keeps the results from its result stream, and says what came of
//! them; measures the unit's channel to memory; captures the requests that the unit gets, whoever sends them. Everything is on
//! `tmu_aclk`; in each unit a `request_switch` lets the kit in. All registers are 0 after a reset, the soft reset included.
//!
//! | module | what |
//! | --- | --- |
//! | `registers` | the table |
//! | `quad_generator` | a binding and quads |
//! | `result_crc` | CRC of results |
//! | `memory_probe` | latency and use of memory |
//! | `request_capture` | requests |
//! | `read_capture` | what is read for them |

pub mod memory_probe;
pub mod quad_generator;
pub mod read_capture;
pub mod registers;
pub mod request_capture;
pub mod result_crc;

use crate::datapath::bundles::line_bits;
use crate::datapath::general::result::result_bits;
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::records;
use memory_probe::MemoryProbe;
use quad_generator::{NUMBER_BITS, QuadGenerator, ROW_BITS};
use read_capture::ReadCapture;
use registers::{BRING_UP_SPACE, GUARDED, table};
use request_capture::{CAPTURE_DEPTH, RequestCapture};
use result_crc::ResultCrc;
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SkidBuffer;
use tmu_hdl::rust_hdl::core::direction::Direction;
use tmu_spec::Config;

/// Bits of the clocks for which nothing is under way before a run has ended: more than a result is on its way to the CRC.
const SETTLING_BITS: usize = 4;

/// Which quads are sent.
#[derive(Bundle)]
pub struct Walk<D: Direction> {
    /// Quads anywhere.
    pub is_random: Net<D>,
    /// Valid bits of each.
    pub valid: Net<D>,
    /// How many.
    pub quads: Net<D>,
    /// How many are a row.
    pub row_quads: Net<D>,
    /// u of the first pixel.
    pub u: Net<D>,
    /// v of it.
    pub v: Net<D>,
    /// From a pixel to the one on its right.
    pub u_across: Net<D>,
    /// The same of v.
    pub v_across: Net<D>,
    /// From a pixel to the one below.
    pub u_down: Net<D>,
    /// The same of v.
    pub v_down: Net<D>,
}

impl<D: Direction> Walk<D> {
    fn new() -> Walk<D> {
        let number = || Net::new(NUMBER_BITS);
        Walk {
            is_random: Net::bit(),
            valid: Net::new(tmu_spec::quad::PIXELS),
            quads: Net::new(32),
            row_quads: Net::new(ROW_BITS),
            u: number(),
            v: number(),
            u_across: number(),
            v_across: number(),
            u_down: number(),
            v_down: number(),
        }
    }
}

/// What the kit and a unit tell each other, as the kit sees it.
#[derive(Bundle)]
pub struct UnitSide {
    /// The unit's requests are to be those of the kit.
    pub wants: Net<Out>,
    /// They are, and all others have been answered.
    pub owns: Net<In>,
    /// Nothing is under way in the unit.
    pub idle: Net<In>,
    /// All quads that have gone into the unit have been answered.
    pub settled: Net<In>,
    /// A beat of the kit's requests.
    pub beat: StreamOut,
    /// A result to the kit's requests.
    pub result_valid: Net<In>,
    /// The result.
    pub result: Net<In>,
    /// A beat, whoever sent it, has gone into the unit.
    pub taken: Net<In>,
    /// It is the first one of its packet.
    pub taken_is_first: Net<In>,
    /// The beat.
    pub taken_beat: Net<In>,
    /// The memory port takes a read.
    pub read: Net<In>,
    /// Its first line, above it its lines less one, where reads have several.
    pub read_data: Net<In>,
    /// A line has come.
    pub line: Net<In>,
    /// Lines are to come, where reads have several.
    pub outstanding: Optional<Net<In>>,
}

/// What the chosen unit shows, a clock later; the beats that it takes, two.
#[derive(Bundle)]
struct Chosen {
    owns: Reg,
    idle: Reg,
    settled: Reg,
    result_valid: Reg,
    result: Reg,
    taken: Reg,
    beat_is_first: Reg,
    beat: Reg,
    taken_is_first: Reg,
    taken_beat: Reg,
    read: Reg,
    read_data: Reg,
    line: Reg,
    outstanding: Optional<Reg>,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct BringUp {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Its registers.
    pub registers: RegisterPort,
    /// The units.
    pub units: Vec<UnitSide>,
    asked: Reg,
    asked_address: Reg,
    guard: RegisterGuard,
    bank: RegisterBank,
    quad_generator: QuadGenerator,
    offered: SkidBuffer,
    result_crc: ResultCrc,
    memory_probe: MemoryProbe,
    request_capture: RequestCapture,
    read_capture: ReadCapture,
    selected: Vec<Reg>,
    moved: Vec<Reg>,
    chosen: Chosen,
    starting: Reg,
    busy: Reg,
    settling: Reg,
    results: Reg,
    failed: Reg,
    run_clocks: Reg,
    clocks_to_result: Reg,
    _config: Config,
}

impl BringUp {
    /// For a configuration whose units read with so many bits of length.
    pub fn new(config: &Config, length_bits: usize) -> BringUp {
        let clocks = Clocks::new();
        let address_bits = BRING_UP_SPACE.number_bits();
        let (bursts, units) = (length_bits > 0, config.units() as usize);
        let read_bits = line_bits(config) + length_bits;
        let (beat_bits, result_bits) = (config.request_tdata_bits() as usize + 2, result_bits(config));
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let count = || Reg::with_reset(&clocks, 32, 0);
        let side = || UnitSide {
            wants: Net::bit(),
            owns: Net::bit(),
            idle: Net::bit(),
            settled: Net::bit(),
            beat: StreamOut::new(beat_bits),
            result_valid: Net::bit(),
            result: Net::new(result_bits),
            taken: Net::bit(),
            taken_is_first: Net::bit(),
            taken_beat: Net::new(beat_bits),
            read: Net::bit(),
            read_data: Net::new(read_bits),
            line: Net::bit(),
            outstanding: Optional::new(bursts, Net::bit),
        };
        BringUp {
            registers: RegisterPort::new(address_bits),
            units: (0..units).map(|_| side()).collect(),
            asked: flag(),
            asked_address: Reg::new(&clocks, address_bits),
            guard: RegisterGuard::new(address_bits, &GUARDED),
            bank: RegisterBank::new(address_bits, &records(&table(config))),
            quad_generator: QuadGenerator::new(config),
            offered: SkidBuffer::new(beat_bits),
            result_crc: ResultCrc::new(config),
            memory_probe: MemoryProbe::new(length_bits),
            request_capture: RequestCapture::new(config),
            read_capture: ReadCapture::new(read_bits),
            selected: Reg::array(units, &clocks, 1),
            moved: (0..units).map(|_| flag()).collect(),
            chosen: Chosen {
                owns: flag(),
                idle: flag(),
                settled: flag(),
                result_valid: flag(),
                result: Reg::new(&clocks, result_bits),
                taken: flag(),
                beat_is_first: Reg::new(&clocks, 1),
                beat: Reg::new(&clocks, beat_bits),
                taken_is_first: Reg::new(&clocks, 1),
                taken_beat: Reg::new(&clocks, beat_bits),
                read: flag(),
                read_data: Reg::new(&clocks, read_bits),
                line: flag(),
                outstanding: Optional::new(bursts, flag),
            },
            starting: flag(),
            busy: flag(),
            settling: Reg::with_reset(&clocks, SETTLING_BITS, 0),
            results: count(),
            failed: count(),
            run_clocks: count(),
            clocks_to_result: count(),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Counts an event; stops at all ones.
#[kernel]
fn count(counter: &Reg, clears: Bits, event: Bits) {
    if clears {
        counter.next = 0;
    } else if event && !counter.val().all() {
        counter.next = counter.val() + 1;
    }
}

/// What a board is brought up with.
#[kernel]
impl BringUp {
    fn logic(&self) {
        self.clocks_and_registers();
        self.choose();
        self.drive();
        self.run();
        self.results();
        self.memory();
        self.requests();
    }

    fn clocks_and_registers(&self) {
        /// # Registers
        let (guard, bank) = (&self.guard, &self.bank);
        for clocks in [
            &guard.clocks,
            &bank.clocks,
            &self.quad_generator.clocks,
            &self.offered.clocks,
            &self.result_crc.clocks,
            &self.memory_probe.clocks,
            &self.request_capture.clocks,
            &self.read_capture.clocks,
        ] {
            clocks.follow(&self.clocks);
        }
        let (inner, outer) = (&guard.port, &self.registers);
        /// A clock late, so that the guard need not wait for the control port; gone in the clock behind `done`, as there.
        self.asked.next = outer.valid.val() && !inner.done.val();
        self.asked_address.next = outer.address.val();
        inner.valid.next = self.asked.val();
        inner.is_write.next = outer.is_write.val();
        inner.address.next = self.asked_address.val();
        inner.write_data.next = outer.write_data.val();
        inner.strobes.next = outer.strobes.val();
        outer.done.next = inner.done.val();
        outer.failed.next = inner.failed.val();
        outer.read_data.next = inner.read_data.val();
        bank.port.serve(&guard.bank);
        guard.busy.next = self.busy.val();
    }

    /// What a field of the registers holds.
    fn field(&self, register: &str, field: &str) -> Bits {
        self.bank.output.of(register, field).val()
    }

    fn choose(&self) {
        /// # The chosen unit
        let (number, chosen) = (self.field("BRING_UP_UNIT", "NUMBER"), &self.chosen);
        let takes = self.field("BRING_UP_TAKE", "TAKE");
        for ((own, selected), unit) in self.selected.iter().enumerate().zip(&self.units) {
            selected.next = number == own as u64;
            unit.wants.next = takes && selected.val();
        }
        let any = |of: &dyn Fn(&UnitSide) -> Bits| {
            let mut any = None;
            for (unit, selected) in self.units.iter().zip(&self.selected) {
                let value = of(unit);
                let own = value & selected.val().repeat(value.width());
                any = Some(any.map_or(own, |before: Bits| before | own));
            }
            any.expect("there are units")
        };
        chosen.owns.next = any(&|unit| unit.owns.val()) && takes;
        chosen.idle.next = any(&|unit| unit.idle.val());
        chosen.settled.next = any(&|unit| unit.settled.val());
        chosen.result_valid.next = any(&|unit| unit.result_valid.val());
        chosen.result.next = any(&|unit| unit.result.val());
        /// Whether a unit has taken a beat is known late in the clock: the choice waits for the next one, and the beat with it.
        let mut taken = lit(1, 0u32);
        for ((moved, unit), selected) in self.moved.iter().zip(&self.units).zip(&self.selected) {
            moved.next = unit.taken.val();
            taken = taken || (moved.val() && selected.val());
        }
        chosen.taken.next = taken;
        chosen.beat_is_first.next = any(&|unit| unit.taken_is_first.val());
        chosen.beat.next = any(&|unit| unit.taken_beat.val());
        chosen.taken_is_first.next = chosen.beat_is_first.val();
        chosen.taken_beat.next = chosen.beat.val();
        chosen.read.next = any(&|unit| unit.read.val());
        chosen.read_data.next = any(&|unit| unit.read_data.val());
        chosen.line.next = any(&|unit| unit.line.val());
        if let Some(outstanding) = chosen.outstanding.as_ref() {
            outstanding.next =
                any(&|unit| unit.outstanding.as_ref().expect("reads have several lines").val());
        }
    }

    fn drive(&self) {
        /// # Requests
        let (generator, offered) = (&self.quad_generator, &self.offered);
        /// Whether the unit takes a beat is known late in the clock: the generator need not wait for that.
        offered.input.take_from(&generator.beat);
        let mut ready = lit(1, 0u32);
        for (unit, selected) in self.units.iter().zip(&self.selected) {
            unit.beat.valid.next = offered.output.valid.val() && selected.val();
            unit.beat.data.next = offered.output.data.val();
            ready = ready || (unit.beat.ready.val() && selected.val());
        }
        offered.output.ready.next = ready;
        generator.start.next = self.starting.val();
        generator.stop.next = self.field("BRING_UP_CONTROL", "STOP");
        let walk = &generator.walk;
        for (to, register, field) in [
            (&walk.is_random, "BRING_UP_PATTERN", "RANDOM"),
            (&walk.valid, "BRING_UP_PATTERN", "VALID"),
            (&walk.quads, "BRING_UP_QUADS", "COUNT"),
            (&walk.row_quads, "BRING_UP_ROW", "QUADS"),
            (&walk.u, "BRING_UP_U", "NUMBER"),
            (&walk.v, "BRING_UP_V", "NUMBER"),
            (&walk.u_across, "BRING_UP_U_ACROSS", "NUMBER"),
            (&walk.v_across, "BRING_UP_V_ACROSS", "NUMBER"),
            (&walk.u_down, "BRING_UP_U_DOWN", "NUMBER"),
            (&walk.v_down, "BRING_UP_V_DOWN", "NUMBER"),
        ] {
            to.next = self.field(register, field);
        }
        for (number, word) in generator.binding.iter().enumerate() {
            let part = |part: usize| self.field(registers::BINDING[4 * number + part].name, "BITS");
            word.next = cat(&[part(3), part(2), part(1), part(0)]);
        }
    }

    fn run(&self) {
        /// # A run
        let starts = self.field("BRING_UP_CONTROL", "START") && self.chosen.owns.val() && !self.busy.val();
        self.starting.next = starts;
        let sends = self.quad_generator.running.val() || self.offered.output.valid.val();
        let quiet = !sends && self.chosen.idle.val() && !self.starting.val();
        let ends = self.settling.val().all();
        if starts {
            self.busy.next = 1;
        } else if ends {
            self.busy.next = 0;
        }
        if quiet && self.busy.val() && !ends {
            self.settling.next = self.settling.val() + 1;
        } else {
            self.settling.next = 0;
        }
        let input = &self.bank.input;
        input.of("BRING_UP_STATUS", "OWNS").next = self.chosen.owns.val();
        input.of("BRING_UP_STATUS", "BUSY").next = self.busy.val();
        input.of("BRING_UP_STATUS", "CAPTURING").next = self.request_capture.capturing.val();
    }

    fn results(&self) {
        /// # Results
        let (crc, chosen, starting) = (&self.result_crc, &self.chosen, self.starting.val());
        let (valid, result) = (chosen.result_valid.val(), chosen.result.val());
        crc.clear.next = starting;
        crc.valid.next = valid;
        crc.result.next = result;
        count(&self.results, starting, valid);
        count(&self.failed, starting, valid && result.high(1));
        count(&self.run_clocks, starting, self.busy.val());
        if starting {
            self.clocks_to_result.next = 0;
        } else if valid {
            self.clocks_to_result.next = self.run_clocks.val();
        }
        let input = &self.bank.input;
        input.of("BRING_UP_CRC", "VALUE").next = crc.crc.val();
        input.of("BRING_UP_RESULTS", "COUNT").next = self.results.val();
        input.of("BRING_UP_FAILED", "COUNT").next = self.failed.val();
        input.of("BRING_UP_CLOCKS", "COUNT").next = self.clocks_to_result.val();
    }

    fn memory(&self) {
        /// # Memory
        let (probe, chosen) = (&self.memory_probe, &self.chosen);
        probe.clear.next = self.starting.val();
        probe.read.next = chosen.read.val();
        probe.line.next = chosen.line.val();
        if let Some(length) = probe.length.as_ref() {
            length.next = chosen.read_data.val().high(length.width());
        }
        if let (Some(to), Some(from)) = (probe.outstanding.as_ref(), chosen.outstanding.as_ref()) {
            to.next = from.val();
        }
        let input = &self.bank.input;
        input.of("BRING_UP_READS", "COUNT").next = probe.reads.val();
        input.of("BRING_UP_LATENCY", "LEAST").next = probe.least.val();
        input.of("BRING_UP_LATENCY", "MOST").next = probe.most.val();
        input.of("BRING_UP_LATENCY_SUM", "CLOCKS").next = probe.sum.val();
        input.of("BRING_UP_LINES", "COUNT").next = probe.lines.val();
        input.of("BRING_UP_WAITING", "COUNT").next = probe.waiting.val();
    }

    fn requests(&self) {
        /// # Capture
        let (capture, chosen, input) = (&self.request_capture, &self.chosen, &self.bank.input);
        capture.start.next = self.field("BRING_UP_CONTROL", "CAPTURE");
        capture.valid.next = chosen.taken.val();
        capture.is_first.next = chosen.taken_is_first.val();
        capture.beat.next = chosen.taken_beat.val();
        capture.place_word.next = self.field("BRING_UP_PLACE", "WORD");
        capture.place_beat.next = self.field("BRING_UP_PLACE", "BEAT");
        let depth = input.of("BRING_UP_CAPTURED", "DEPTH");
        depth.next = lit(depth.width(), CAPTURE_DEPTH as u64);
        let beats = input.of("BRING_UP_CAPTURED", "BEATS");
        beats.next = capture.beats.val().zero_extend(beats.width());
        input.of("BRING_UP_DATA", "WORD").next = capture.word.val();
        let reads = &self.read_capture;
        reads.start.next = capture.start.val();
        reads.bound.next = capture.beats.val().any();
        reads.settled.next = chosen.settled.val();
        reads.valid.next = chosen.read.val();
        reads.read.next = chosen.read_data.val();
        reads.place.next = capture.place_beat.val();
        let number = input.of("BRING_UP_CAPTURED_READS", "READS");
        number.next = reads.reads.val().zero_extend(number.width());
        let depth = input.of("BRING_UP_CAPTURED_READS", "DEPTH");
        depth.next = lit(depth.width(), CAPTURE_DEPTH as u64);
        let [line, more] = ["LINE", "MORE"].map(|field| input.of("BRING_UP_READ", field));
        line.next = reads.word.val().low(line.width());
        more.next = reads.word.val().high(more.width());
    }
}
