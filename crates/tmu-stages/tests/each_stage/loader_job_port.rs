//! `loader_job_port` between a processor that reads, writes and starts jobs as it likes, and registers with a job that is refused or
//! ends after a while.

use crate::support::{is_high, number};
use rand::Rng;
use std::collections::VecDeque;
use tmu_rtl::engines::loader::job_port::{EndWord, JobPort, WRITE_CLOCKS};
use tmu_spec::loader::job_port::{WORDS, WRONG_LENGTH};
use tmu_stages::{Check, Flow, Rig};

/// Clocks that the test runs.
const CLOCKS: usize = 60_000;
/// Registers that are written while no job is at work.
const REGISTERS: usize = WORDS + 1;

/// An access of the processor.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Access {
    is_write: bool,
    address: u64,
    data: u64,
}

/// What stands behind the stage, as the engine does it.
#[derive(Default)]
struct Engine {
    registers: [u64; REGISTERS],
    /// Clocks until the access that is asked for is done.
    waits: Option<u32>,
    /// Clocks until the job shows, and until it ends.
    starts: Option<u32>,
    ends: Option<u32>,
}

struct Test {
    check: Check,
    rig: Rig<JobPort>,
    engine: Engine,
    words: VecDeque<(u64, bool)>,
    access: Option<Access>,
    /// Clocks for which the access has waited, and was not passed on.
    held_back: usize,
    /// Packets of the right length that are not started yet.
    packets: VecDeque<Vec<u64>>,
    /// Writes of the packet that is being written.
    writes: usize,
    /// The job is that of a packet.
    is_own: bool,
    ends: Flow<[u64; 3]>,
    lasting: Flow<Option<[u64; 3]>>,
    started_by_processor: u64,
}

impl Test {
    fn new() -> Test {
        let check = Check::new("loader_job_port");
        let rig = Rig::new("loader_job_port", JobPort::new());
        Test {
            check,
            rig,
            engine: Engine::default(),
            words: VecDeque::new(),
            access: None,
            held_back: 0,
            packets: VecDeque::new(),
            writes: 0,
            is_own: false,
            ends: Flow::default(),
            lasting: Flow::default(),
            started_by_processor: 0,
        }
    }

    /// A packet, of the right length as a rule.
    fn packet(&mut self) {
        let rng = &mut self.check.rng;
        let length = if rng.random_range(0..4) == 0 { rng.random_range(1..25) } else { WORDS };
        let words: Vec<u64> = (0..length).map(|_| u64::from(rng.random::<u32>())).collect();
        self.words.extend(words.iter().enumerate().map(|(at, word)| (*word, at + 1 == length)));
        if length == WORDS {
            self.packets.push_back(words);
            self.lasting.put(None);
        } else {
            self.lasting.put(Some([u64::from(WRONG_LENGTH), 0, 0]));
        }
    }

    /// What stands at the inputs in this clock.
    fn drive(&mut self) {
        if self.words.is_empty() && self.check.one_in(20) {
            self.packet();
        }
        let offers = !self.words.is_empty() && !self.check.one_in(4);
        let (word, is_last) = self.words.front().copied().unwrap_or_default();
        self.rig.packet.valid.drive(number(1, u64::from(offers)));
        self.rig.packet.data.drive(number(33, u64::from(is_last) << 32 | word));
        self.rig.end.ready.drive(number(1, u64::from(self.check.one_in(3))));
        if self.access.is_none() && self.check.one_in(6) {
            let rng = &mut self.check.rng;
            let (is_write, address) = (rng.random(), rng.random_range(0..REGISTERS as u64));
            let data = if address == 0 { 1 } else { rng.random::<u32>().into() };
            self.access = Some(Access { is_write, address, data });
        }
        let shown = self.access.unwrap_or(Access { is_write: false, address: 0, data: 0 });
        let registers = &self.rig.registers;
        registers.valid.drive(number(1, u64::from(self.access.is_some())));
        registers.is_write.drive(number(1, u64::from(shown.is_write)));
        registers.address.drive(number(registers.address.width(), shown.address));
        registers.write_data.drive(number(32, shown.data));
        registers.strobes.drive(number(4, 15u64));
        self.rig
            .is_busy
            .drive(number(1, u64::from(self.engine.ends.is_some() && self.engine.starts.is_none())));
    }

    /// The registers and the job, in the clock that is under way.
    fn engine(&mut self) {
        let done = self.engine.waits == Some(0);
        self.rig.written.done.drive(number(1, u64::from(done)));
        self.rig.settle();
        let asked = &self.rig.written;
        let asks = is_high(asked.valid.val());
        let at = asked.address.val().to_u64() as usize;
        let (is_write, data) = (is_high(asked.is_write.val()), asked.write_data.val().to_u64());
        let is_busy = self.engine.ends.is_some();
        let refuses = is_write && is_busy;
        self.rig.written.failed.drive(number(1, u64::from(done && refuses)));
        let read = self.engine.registers.get(at).copied().unwrap_or_default();
        self.rig.written.read_data.drive(number(32, read));
        let ends = self.engine.ends == Some(0);
        let how = [0xf, 3, 0xfff_ffff].map(|most| self.check.rng.random_range(0..=most));
        self.rig.ends.drive(number(1, u64::from(ends)));
        for (net, value) in [
            (&self.rig.ended.code, number(4, how[0])),
            (&self.rig.ended.response, number(2, how[1])),
            (&self.rig.ended.line, number(28, how[2])),
        ] {
            net.drive(value);
        }
        self.rig.settle();
        self.answered(done, at, is_write, data, refuses);
        if ends {
            if std::mem::take(&mut self.is_own) {
                self.ends.put(how);
            }
            self.engine.ends = None;
        }
        self.engine.ends = self.engine.ends.map(|clocks| clocks - u32::from(clocks > 0));
        self.engine.starts = self.engine.starts.and_then(|clocks| clocks.checked_sub(1));
        self.engine.waits = match self.engine.waits {
            Some(clocks) if asks && !done => Some(clocks.saturating_sub(1)),
            _ if asks && !done => Some(self.check.rng.random_range(0..2)),
            _ => None,
        };
    }

    /// Whether an access that is done is that of the processor, or what the next packet says.
    fn answered(&mut self, done: bool, at: usize, is_write: bool, data: u64, refuses: bool) {
        let outer = &self.rig.registers;
        let is_answered = is_high(outer.done.val());
        let failed = is_high(outer.failed.val());
        let read = outer.read_data.val().to_u64();
        self.held_back = if self.access.is_some() && !is_answered { self.held_back + 1 } else { 0 };
        self.check.holds(self.held_back < WRITE_CLOCKS + 8, "an access waits too long");
        if is_answered {
            let Some(own) = self.access.take() else { self.check.fail("nobody asked for an access") };
            self.check.same("an access", (own.is_write, own.address), (is_write, at as u64));
            self.check.same("its refusal", failed, refuses);
            if !is_write {
                self.check.same("what is read", read, self.engine.registers[at]);
            }
            self.check.same("a packet that is cut in two, of so many writes", self.writes, 0);
        } else if done {
            self.writes += 1;
            let expected = (self.writes % REGISTERS) as u64;
            self.check.same(
                "a register of a packet",
                (is_write, at as u64, refuses),
                (true, expected, false),
            );
        }
        if done && is_write && !refuses {
            self.engine.registers[at] = data;
            if at == 0 {
                self.starts(is_answered);
            }
        }
    }

    fn starts(&mut self, by_processor: bool) {
        let clocks = self.check.rng.random_range(8..60);
        (self.engine.starts, self.engine.ends) = (Some(2), Some(clocks));
        self.started_by_processor += u64::from(by_processor);
        if !by_processor {
            self.is_own = true;
            self.writes = 0;
            let Some(packet) = self.packets.pop_front() else { self.check.fail("a job of no packet") };
            self.check.same("the registers of a job", self.engine.registers[1..].to_vec(), packet);
        }
    }

    fn clock(&mut self) {
        self.drive();
        self.engine();
        if is_high(self.rig.packet.ready.val()) && is_high(self.rig.packet.valid.val()) {
            self.words.pop_front();
        }
        if is_high(self.rig.end.valid.val()) && is_high(self.rig.end.ready.val()) {
            let shape = EndWord::shape();
            let word = self.rig.end.data.val().to_u64();
            let (code, response) = (shape.code.value_bits(), shape.response.value_bits());
            let got = [word & 15, word >> code & 3, word >> (code + response)];
            let expected = match self.lasting.next(&mut self.check) {
                Some(wrong_length) => wrong_length,
                None => self.ends.next(&mut self.check),
            };
            self.check.same("an answer", got, expected);
        }
        self.rig.tick();
    }
}

#[test]
pub(crate) fn loader_job_port() {
    let mut test = Test::new();
    for _ in 0..CLOCKS {
        test.clock();
    }
    test.check.at_least(5000);
    let started = test.started_by_processor;
    if !tmu_stages::tape::is_recording() {
        test.check.holds(started > 100, format_args!("the processor has started {started} jobs"));
    }
}
