//! `loading`: the stages of the engine, wired together.
//!
//! ```text
//! job -> regions -> answers -> texels -> average -> pack -> writer
//!           |          |         |                   |
//!           +--------> walk -----+---- level 0 ------+
//! ```
//!
//! With a `job_port` jobs come as packets, too: it stands between the control port and the registers of `job`.
//!
//! What a job that has failed leaves in the stages is emptied by their reset, when memory is quiet.

use super::answers::Answers;
use super::average::Average;
use super::job::{ADDRESS_BITS, Job};
use super::job_port::{EndWord, JobPort, WORD_BITS};
use super::pack::Pack;
use super::pieces::TapWord;
use super::regions::{Regions, read_shape};
use super::ring_bits;
use super::texels::Texels;
use super::walk::Walk;
use super::words::{LINE_ADDRESS_BITS, RESPONSE_BITS, region_word};
use super::writer::{Writer, write_shape};
use crate::engine::memory::line_bits;
use crate::engine::read_ports::LinePorts;
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::bus::RegisterPort;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::Config;

/// Regions that are asked for and not walked over yet.
const REGIONS: usize = 64;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Loading {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterPort,
    /// A job has ended, and that interrupts.
    pub interrupt: Net<Out>,
    /// Words of packets, see [`JobPort`].
    pub packet: Optional<StreamIn>,
    /// How their jobs have ended.
    pub end: Optional<StreamOut>,
    /// Channel for reads.
    pub memory: LinePorts,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    job_port: Optional<JobPort>,
    job: Job,
    regions: Regions,
    answers: Answers,
    waiting: SyncFifo,
    walk: Walk,
    texels: Texels,
    average: Average,
    pack: Pack,
    writer: Writer,
    pub(super) _config: Config,
}

impl Loading {
    /// The stages of a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Loading {
        let (line_bits, ring_bits) = (line_bits(config), ring_bits(config));
        let has_job_port = config.engine_configs().loader().job_port();
        Loading {
            clocks: Clocks::new(),
            registers: RegisterPort::new(ADDRESS_BITS),
            interrupt: Net::bit(),
            packet: Optional::new(has_job_port, || StreamIn::new(WORD_BITS + 1)),
            end: Optional::new(has_job_port, || StreamOut::new(EndWord::shape().width())),
            memory: LinePorts::new(&read_shape(config)),
            write: StreamOut::new(line_bits + write_shape().length_bits),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            job_port: Optional::new(has_job_port, JobPort::new),
            job: Job::new(has_job_port),
            regions: Regions::new(config),
            answers: Answers::new(ring_bits),
            waiting: SyncFifo::new(REGIONS, region_word().width()),
            walk: Walk::new(ring_bits),
            texels: Texels::new(ring_bits),
            average: Average::new(),
            pack: Pack::new(),
            writer: Writer::new(line_bits),
            _config: config.clone(),
        }
    }

    /// Packets and ends, where there is a job port.
    pub(super) fn job_port(&self) -> Option<(&StreamIn, &StreamOut)> {
        self.packet.as_ref().zip(self.end.as_ref())
    }
}

/// The stages of the engine.
#[kernel]
impl Loading {
    fn module_name(&self) -> String {
        "loading".into()
    }

    fn logic(&self) {
        self.clock();
        self.job();
        self.reads();
        self.texels();
        self.writes();
    }

    fn clock(&self) {
        /// # Clocks
        let clk = self.clocks.clk.val();
        let reset = self.clocks.reset() || self.job.clear.val();
        self.job.clocks.follow(&self.clocks);
        for clocks in [
            &self.regions.clocks,
            &self.answers.clocks,
            &self.waiting.clocks,
            &self.walk.clocks,
            &self.texels.clocks,
            &self.average.clocks,
            &self.pack.clocks,
            &self.writer.clocks,
        ] {
            clocks.follow_with(clk, reset);
        }
    }

    fn job(&self) {
        /// # Job
        let (job, writer) = (&self.job, &self.writer);
        match (self.job_port.as_ref(), self.job_port(), job.end.as_ref()) {
            (Some(port), Some((packet, end)), Some(ended)) => {
                port.clocks.follow(&self.clocks);
                port.registers.forward(&self.registers);
                job.registers.serve(&port.written);
                port.packet.forward(packet);
                end.forward(&port.end);
                port.is_busy.next = ended.is_busy.val();
                port.ends.next = ended.happens.val();
                port.ended.next = ended.word.val();
            }
            _ => job.registers.forward(&self.registers),
        }
        self.interrupt.next = job.interrupt.val();
        job.next_line.next = writer.next_line.val();
        job.finished.next = writer.finished.val();
        job.is_written.next = writer.is_written.val();
        job.is_quiet.next = self.answers.is_quiet.val();
        job.read_fault.next = self.answers.fault.val();
        job.write_fault.next = writer.fault.val();
        job.reads.next = self.answers.writes.val();
        job.writes.next = self.line.valid.val() && self.line.ready.val();
    }

    fn reads(&self) {
        /// # Reads
        let (job, regions, answers, memory) = (&self.job, &self.regions, &self.answers, &self.memory);
        regions.start.next = job.start.val();
        regions.stops.next = job.stops.val();
        regions.level.next = job.level.val();
        regions.freed.next = self.walk.freed.val();
        answers.asked.take_from(&regions.read);
        self.waiting.input.take_from(&regions.region);
        discard(self.waiting.level.val(), "ready says enough");
        answers.stops.next = job.stops.val();
        let read = answers.read.data.val();
        let length = read.high(read.width() - LINE_ADDRESS_BITS);
        let line_bits = memory.fault_line.width();
        memory.read.valid.next = answers.read.valid.val();
        memory.read.data.next = cat(&[length, read.low(LINE_ADDRESS_BITS).zero_extend(line_bits)]);
        answers.read.ready.next = memory.read.ready.val();
        for (to, from) in [
            (&answers.line_valid, &memory.line_valid),
            (&answers.line_data, &memory.line_data),
            (&answers.line_response, &memory.line_response),
            (&answers.line_last, &memory.line_last),
            (&answers.unexpected, &memory.unexpected),
            (&answers.outstanding, &memory.outstanding),
        ] {
            to.next = from.val();
        }
        memory.fault.next = answers.port_fault.val();
        memory.fault_line.next = answers.port_fault_line.val().zero_extend(line_bits);
    }

    fn texels(&self) {
        /// # Texels
        let (level, walk, texels) = (&self.job.level, &self.walk, &self.texels);
        walk.start.next = self.job.start.val();
        walk.level.next = level.val();
        walk.region.take_from(&self.waiting.output);
        walk.arrives.next = self.answers.writes.val();
        walk.has_room.next = self.writer.has_room.val();
        texels.bytes.next = level.bytes.val();
        texels.is_copy.next = level.is_copy.val();
        texels.writes.next = self.answers.writes.val();
        texels.place.next = self.answers.place.val();
        texels.line.next = self.answers.line.val();
        texels.valid.next = walk.valid.val();
        texels.piece.next = walk.piece.val();
        let average = &self.average;
        average.level.next = level.val();
        average.valid.next = texels.texel_valid.val() && !level.is_copy.val();
        average.data.next = texels.data.val();
        average.tap.next = texels.tap.val();
        let pack = &self.pack;
        let TapWord { is_end, .. } = texels.tap.val();
        pack.bytes.next = level.bytes.val();
        pack.is_copy.next = level.is_copy.val();
        let is_copy = level.is_copy.val();
        let data = texels.data.val();
        let mean = average.texel.val().zero_extend(data.width());
        pack.valid.next = if is_copy { texels.texel_valid.val() } else { average.texel_valid.val() };
        pack.data.next = if is_copy { data } else { mean };
        pack.is_end.next = if is_copy { is_end } else { average.is_end.val() };
    }

    fn writes(&self) {
        /// # Writes
        let (job, writer, pack) = (&self.job, &self.writer, &self.pack);
        writer.start.next = job.starts_job.val();
        writer.texture.next = job.texture.val();
        writer.stops.next = job.stops.val();
        writer.line_valid.next = pack.line_valid.val();
        writer.line_data.next = pack.line.val();
        writer.line_ends.next = pack.line_ends.val();
        self.write.forward(&writer.write);
        self.line.forward(&writer.line);
        writer.write_done.next = self.write_done.val();
        writer.write_response.next = self.write_response.val();
    }
}
