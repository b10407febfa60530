//! A test bench of one texture unit: its streams, and memory that answers every read in the order of the addresses.

use std::collections::VecDeque;

use tmu_spec::{BeatsPerQuad, Quad, QuadResult, RequestBeat};
use tmu_verilate::Result;

/// The core that `build.rs` has verilated: a type with a method for each port.
mod core {
    include!(concat!(env!("OUT_DIR"), "/fury_single.rs"));
}

use core::FurySingle;

/// Bytes of a beat of the memory port.
const BEAT_BYTES: usize = 16;

/// Clocks after which a unit that does not answer is taken for dead.
const PATIENCE_CLOCKS: u32 = 10_000;

/// The unit, what waits to be sent to it, and its memory.
pub struct Bench {
    core: FurySingle,
    memory: Vec<u8>,
    /// Beats that are to be sent.
    requests: VecDeque<RequestBeat>,
    /// Whether the first of them is on the port.
    requesting: bool,
    /// Beats of memory on their way: identifier, data, whether it is the last one of its read.
    reads: VecDeque<(u8, u128, bool)>,
    /// Whether the first of them is on the port.
    answering: bool,
}

impl Bench {
    /// A unit in front of this memory, out of reset.
    pub fn new(memory: Vec<u8>) -> Result<Self> {
        let (requests, reads) = (VecDeque::new(), VecDeque::new());
        let core = FurySingle::new()?;
        let mut bench = Self { core, memory, requests, requesting: false, reads, answering: false };
        bench.core.set_m_axi_arready(true);
        bench.core.set_m_axis_res0_tready(true);
        // Both sides are in reset from the start, since everything begins at zero, and leave it one after the other.
        for _ in 0..32 {
            bench.clock()?;
        }
        bench.core.set_tmu_aresetn(true);
        for _ in 0..8 {
            bench.clock()?;
        }
        bench.core.set_core_aresetn(true);
        Ok(bench)
    }

    /// Queues beats of requests.
    pub fn send(&mut self, beats: impl IntoIterator<Item = RequestBeat>) {
        self.requests.extend(beats);
    }

    /// Sends a quad and waits for its colours.
    ///
    /// # Panics
    /// If none come.
    pub fn sample(&mut self, quad: &Quad) -> Result<QuadResult> {
        self.send(quad.to_beats(BeatsPerQuad::Two));
        for _ in 0..PATIENCE_CLOCKS {
            if let Some(result) = self.clock()? {
                return Ok(result);
            }
        }
        panic!("the unit has not answered for {PATIENCE_CLOCKS} clocks");
    }

    /// One step of time: in front of the edges looks at outputs, behind them sets inputs.
    fn clock(&mut self) -> Result<Option<QuadResult>> {
        let edges = self.core.advance()?;
        let mut result = None;
        if edges.core_aclk {
            if self.requesting && self.core.s_axis_req0_tready() {
                self.requests.pop_front();
            }
            if self.core.m_axis_res0_tvalid() {
                let (tdata, tuser) = (self.core.m_axis_res0_tdata(), self.core.m_axis_res0_tuser());
                result = Some(QuadResult::from_beat(tdata, tuser));
            }
        }
        if edges.tmu_aclk {
            if self.answering && self.core.m_axi_rready() {
                self.reads.pop_front();
            }
            if self.core.m_axi_arvalid() {
                self.read();
            }
        }
        self.core.rise()?;
        if edges.core_aclk {
            self.drive_request();
        }
        if edges.tmu_aclk {
            self.drive_read();
        }
        Ok(result)
    }

    /// Takes a read of memory.
    fn read(&mut self) {
        let (id, length) = (self.core.m_axi_arid(), self.core.m_axi_arlen());
        let start = usize::try_from(self.core.m_axi_araddr()).expect("an address of this machine");
        for beat in 0..=length {
            let at = start + usize::from(beat) * BEAT_BYTES;
            let bytes = self.memory.get(at..at + BEAT_BYTES).unwrap_or_else(|| panic!("{at:#x} is not in memory"));
            let data = u128::from_le_bytes(bytes.try_into().expect("a beat"));
            self.reads.push_back((id, data, beat == length));
        }
    }

    fn drive_request(&mut self) {
        let first = self.requests.front();
        self.requesting = first.is_some();
        if let Some(beat) = first {
            let mut words = [0; 5];
            for (at, byte) in beat.tdata(BeatsPerQuad::Two).iter().enumerate() {
                words[at / 4] |= u32::from(*byte) << (at % 4 * 8);
            }
            self.core.set_s_axis_req0_tdata(words);
            self.core.set_s_axis_req0_tuser(beat.is_binding());
            self.core.set_s_axis_req0_tlast(beat.last());
        }
        self.core.set_s_axis_req0_tvalid(self.requesting);
    }

    fn drive_read(&mut self) {
        let first = self.reads.front();
        self.answering = first.is_some();
        if let Some(&(id, data, last)) = first {
            self.core.set_m_axi_rid(id);
            self.core.set_m_axi_rdata(data);
            self.core.set_m_axi_rlast(last);
        }
        self.core.set_m_axi_rvalid(self.answering);
    }
}
