//! The streams of the `job_port`: packets and answers, each through a FIFO between the streams' clock and the engine's. Wires only.

use super::job_port::{EndWord, WORD_BITS};
use crate::engine::SystemClocks;
use crate::sampler::result_register::ResultRegister;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::AsyncFifo;
use tmu_spec::loader::job_port::{ADDRESS, DONE_BITS, RESPONSE};

/// Words that wait for the engine: a packet and some of the next one.
const WORDS: usize = 16;
/// Answers that wait for the one who asked.
const ENDS: usize = 4;

/// Packets, named as Vivado infers it.
#[derive(Debug, Bundle)]
pub struct JobStream {
    /// A word is offered.
    pub tvalid: Net<In>,
    /// It is taken.
    pub tready: Net<Out>,
    /// A word of a job.
    pub tdata: Net<In>,
    /// The packet ends here.
    pub tlast: Net<In>,
}

/// How jobs have ended, named as Vivado infers it.
#[derive(Debug, Bundle)]
pub struct DoneStream {
    /// An answer is offered.
    pub tvalid: Net<Out>,
    /// It is taken.
    pub tready: Net<In>,
    /// How the job of a packet has ended.
    pub tdata: Net<Out>,
}

/// See the module's documentation.
#[derive(Bundle)]
pub struct JobStreams {
    /// Packets.
    pub s_axis_job: JobStream,
    /// Answers.
    pub m_axis_done: DoneStream,
    pub(super) job_fifo: AsyncFifo,
    pub(super) done_fifo: AsyncFifo,
    done_register: ResultRegister,
}

impl JobStreams {
    /// The streams.
    pub(super) fn new() -> JobStreams {
        let end_bits = EndWord::shape().width();
        JobStreams {
            s_axis_job: JobStream {
                tvalid: Net::bit(),
                tready: Net::bit(),
                tdata: Net::new(WORD_BITS),
                tlast: Net::bit(),
            },
            m_axis_done: DoneStream {
                tvalid: Net::bit(),
                tready: Net::bit(),
                tdata: Net::new(DONE_BITS as usize),
            },
            job_fifo: AsyncFifo::new(WORDS, WORD_BITS + 1),
            done_fifo: AsyncFifo::new(ENDS, end_bits),
            done_register: ResultRegister::new(end_bits),
        }
    }

    /// Where its FIFOs say that they are being emptied.
    pub(super) fn stopped(&self) -> [&Net<Out>; 2] {
        [&self.job_fifo.read_stopped, &self.done_fifo.write_stopped]
    }
}

/// From the pins to the engine and back.
#[kernel]
pub(super) fn connect(of: &JobStreams, clocks: SystemClocks, packet: &StreamIn, end: &StreamOut) {
    /// # Job port
    let (job, done) = (&of.s_axis_job, &of.m_axis_done);
    for (core, tmu) in [(&of.job_fifo.write, &of.job_fifo.read), (&of.done_fifo.read, &of.done_fifo.write)] {
        core.follow_with(clocks.core, clocks.core_reset);
        tmu.follow_with(clocks.tmu, clocks.fifo_reset);
    }
    of.done_register.clocks.follow_with(clocks.core, clocks.core_reset);
    of.job_fifo.input.valid.next = job.tvalid.val();
    of.job_fifo.input.data.next = cat(&[job.tlast.val(), job.tdata.val()]);
    job.tready.next = of.job_fifo.input.ready.val();
    packet.take_from(&of.job_fifo.output);
    of.done_fifo.input.take_from(end);
    // What is offered stays, even where a reset of the engine empties the FIFO.
    of.done_register.input.take_from(&of.done_fifo.output);
    let answer = &of.done_register.output;
    let word = EndWord::shape().unpack(answer.data.val());
    let below = lit(ADDRESS.bits as usize - word.line.width(), 0u32);
    let between = lit((ADDRESS.shift - RESPONSE.shift - RESPONSE.bits) as usize, 0u32);
    done.tvalid.next = answer.valid.val();
    done.tdata.next = cat(&[word.line, below, between, word.response, word.code]);
    answer.ready.next = done.tready.val();
}
