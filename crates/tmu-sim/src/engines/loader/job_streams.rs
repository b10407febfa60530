//! The streams of the loader's job port: packets with random pauses, and their answers.

use crate::engines::sampler::streams::result::{ResultBeat, ResultMonitor};
use crate::kit::error::Cause;
use crate::kit::pauses::{Pauser, Pauses};
use crate::kit::system::Surroundings;
use std::collections::VecDeque;
use tmu_spec::Config;
use tmu_spec::binding::field::Field;
use tmu_spec::loader::job_port::{ADDRESS, CODE, RESPONSE};
use tmu_verilate::{Instance, Model, PortId, Result};

/// The ports of both streams.
#[derive(Debug, Clone, Copy)]
struct Ports {
    /// tvalid, tready, tdata, tlast of `s_axis_job`.
    job: [PortId; 4],
    /// tvalid, tready, tdata of `m_axis_done`.
    done: [PortId; 3],
}

/// How the job of a packet has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The code.
    pub code: u32,
    /// How an access has failed.
    pub response: u32,
    /// Where.
    pub address: u32,
}

impl Answer {
    /// From a beat.
    const fn of(beat: u64) -> Self {
        const fn field(beat: u64, field: Field) -> u32 {
            (beat >> field.shift & ((1 << field.bits) - 1)) as u32
        }
        Self { code: field(beat, CODE), response: field(beat, RESPONSE), address: field(beat, ADDRESS) }
    }
}

/// What drives both streams; without a job port there is nothing to drive.
#[derive(Debug)]
pub struct JobStreams {
    ports: Option<Ports>,
    /// Words, and whether each one ends its packet.
    words: VecDeque<(u32, bool)>,
    /// The first one is offered.
    offers: bool,
    pauser: Pauser,
    done: ResultMonitor,
    answers: VecDeque<Answer>,
    /// Packets that were sent or wait, and are not answered.
    due: usize,
}

impl JobStreams {
    /// Those of a configuration, with such pauses.
    ///
    /// # Errors
    /// If the model lacks a port.
    pub(super) fn new(model: &Model, config: &Config, pauses: Pauses, seed: u64) -> Result<Self> {
        let port = |name: &str| model.port(name);
        let ports = || -> Result<Ports> {
            let [valid, ready, data, last] =
                ["tvalid", "tready", "tdata", "tlast"].map(|signal| port(&format!("s_axis_job_{signal}")));
            let done = ["tvalid", "tready", "tdata"].map(|signal| port(&format!("m_axis_done_{signal}")));
            let [done_valid, done_ready, done_data] = done;
            Ok(Ports { job: [valid?, ready?, data?, last?], done: [done_valid?, done_ready?, done_data?] })
        };
        Ok(Self {
            ports: config.engine_configs().loader().job_port().then(ports).transpose()?,
            words: VecDeque::new(),
            offers: false,
            pauser: Pauser::new(pauses, seed),
            done: ResultMonitor::new("m_axis_done".to_owned(), pauses, seed + 1),
            answers: VecDeque::new(),
            due: 0,
        })
    }

    /// Queues a packet of any length but 0.
    pub fn send(&mut self, words: &[u32]) {
        let last = words.len() - 1;
        self.words.extend(words.iter().enumerate().map(|(number, word)| (*word, number == last)));
        self.due += 1;
    }

    /// Words that were not taken yet.
    #[must_use]
    pub fn queued_words(&self) -> usize {
        self.words.len()
    }

    /// The next answer that has come.
    pub fn answer(&mut self) -> Option<Answer> {
        self.answers.pop_front()
    }

    /// Takes no answers from the next clock on, or takes them again.
    pub const fn hold(&mut self, held: bool) {
        self.done.hold(held);
    }

    /// Forgets what was sent and is lost behind a reset, and what has come of it.
    pub fn forget(&mut self) {
        self.words.clear();
        self.offers = false;
        self.due = 0;
        self.answers.clear();
    }
}

impl<C> Surroundings<C> for JobStreams {
    fn core_edge(&mut self, instance: &Instance) -> std::result::Result<bool, Cause> {
        let Some(Ports { job, done }) = self.ports else { return Ok(false) };
        let mut moved = self.offers && instance.get(job[1]) != 0;
        if moved {
            self.words.pop_front();
            self.offers = false;
        }
        self.offers = self.offers || (!self.words.is_empty() && !self.pauser.paused());
        let read = || ResultBeat::narrow(instance.get(done[2]).into(), 0);
        let beat = self.done.clock(instance.get(done[0]) != 0, read).map_err(Cause::Violation)?;
        if let Some(beat) = beat {
            self.answers.push_back(Answer::of(beat.tdata as u64));
            self.due = self.due.saturating_sub(1);
            moved = true;
        }
        Ok(moved)
    }

    fn drive(&self, instance: &mut Instance) {
        let Some(Ports { job, done }) = self.ports else { return };
        let [valid, _, data, last] = job;
        instance.set(valid, self.offers.into());
        if let Some((word, is_last)) = self.words.front().filter(|_| self.offers) {
            instance.set(data, (*word).into());
            instance.set(last, (*is_last).into());
        }
        instance.set(done[1], self.done.ready().into());
    }

    fn busy(&self) -> bool {
        self.due > 0
    }

    fn waits_for(&self) -> Vec<String> {
        vec![format!(
            "{} words of packets are not taken, {} packets not answered",
            self.words.len(),
            self.due
        )]
    }
}
