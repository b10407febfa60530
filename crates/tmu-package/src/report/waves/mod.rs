//! Waveforms of reset, binding, handshakes and registers, and what the same simulation measures.
//!
//! All of it is simulated when the page is made, from the design itself ([`bench`]): no tool, nothing that was drawn by hand.

mod bench;
mod draw;
mod workload;

use super::text;
use crate::xml::Element;
use bench::Bench;
use tmu_rtl::outputs::Hardware;
use tmu_spec::LINE_BYTES;
use workload::{SIDE, Workload};

/// Clocks in reset.
const RESET_CLOCKS: usize = 4;

/// A simulation that does nothing for so long is broken.
const MOST_CLOCKS: usize = 20_000;

/// Clocks for which the first results of a row are not taken, so that it shows how they wait.
const HELD_CLOCKS: usize = 4;

/// Quads of the handshakes.
const QUADS: usize = 4;

/// Where the control port tells what it is; a read of it changes nothing.
const FIRST_REGISTER: u64 = 0;

const RESETS: [&str; 3] = ["core_aresetn", "tmu_aresetn", "m_axi_aresetn"];
const REQUEST: [&str; 5] = [
    "s_axis_req0_tvalid",
    "s_axis_req0_tready",
    "s_axis_req0_tdata",
    "s_axis_req0_tuser",
    "s_axis_req0_tlast",
];
const RESULT: [&str; 4] =
    ["m_axis_res0_tvalid", "m_axis_res0_tready", "m_axis_res0_tdata", "m_axis_res0_tuser"];
const MEMORY: [&str; 6] =
    ["m_axi_arvalid", "m_axi_araddr", "m_axi_arlen", "m_axi_rvalid", "m_axi_rlast", "m_axi_rready"];
const CONTROL: [&str; 7] = [
    "s_axil_arvalid",
    "s_axil_arready",
    "s_axil_araddr",
    "s_axil_rvalid",
    "s_axil_rready",
    "s_axil_rdata",
    "s_axil_rresp",
];

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    /// What was drawn, in words.
    pub(super) about: String,
    /// Samples a clock of one unit once everything is in its cache.
    pub(super) samples_per_clock: f64,
    /// Bytes that memory gave for a sample, the cache empty at first.
    pub(super) bytes_per_sample: f64,
}

/// What a simulation of the hardware has shown.
pub(super) struct Shown {
    /// The waveforms, with headings.
    pub(super) parts: Vec<Element>,
    /// None without texture units.
    pub(super) measured: Option<Measured>,
}

/// Simulates the hardware.
pub(super) fn waves(hardware: &Hardware) -> Shown {
    let all: Vec<&str> = [&RESETS[..], &REQUEST, &RESULT, &MEMORY, &CONTROL].concat();
    let mut run = Run { bench: Bench::new(hardware, &all), tdata_bytes: 0 };
    run.tdata_bytes = hardware.config().request_tdata_bits() as usize / 8;
    let words = "Simulated while this page was written, from the design of which the Verilog is printed: all clocks rise together here, \
                 memory answers after 4 clocks. A number above is a clock; +n leaves out n clocks in which nothing changes.";
    let mut parts = vec![text("p", words)];
    let workload = Workload::new(hardware.config()).filter(|_| hardware.config().units() > 0);
    parts.extend(run.reset(workload.is_some()));
    if hardware.config().control().port() {
        parts.extend(run.register());
    }
    let measured = workload.map(|workload| {
        parts.extend(run.binding(&workload));
        parts.extend(run.handshakes(&workload));
        run.measure(workload)
    });
    Shown { parts, measured }
}

/// A simulation under way.
struct Run {
    bench: Bench,
    tdata_bytes: usize,
}

impl Run {
    fn drawn(
        &self,
        heading: &str,
        words: &str,
        clocks: std::ops::Range<usize>,
        names: &[&str],
    ) -> Vec<Element> {
        let traces = self.bench.traces(clocks.clone(), names);
        vec![text("h3", heading), text("p", words), draw::waves(&traces, clocks.start, heading)]
    }

    /// From power-up until requests are taken, or registers can be read.
    fn reset(&mut self, has_units: bool) -> Vec<Element> {
        self.bench.set("m_axis_res0_tready", 1);
        self.bench.set("s_axil_rready", 1);
        for _ in 0..RESET_CLOCKS {
            self.bench.step(&[]);
        }
        for reset in RESETS {
            self.bench.set(reset, 1);
        }
        let ready = if has_units { "s_axis_req0_tready" } else { "s_axil_arready" };
        self.until(|bench| bench.get(ready) == 1);
        self.idle(3);
        let names: Vec<&str> = RESETS.into_iter().chain([ready]).collect();
        self.drawn(
            "Reset",
            "Until the first request, or access, would be taken.",
            0..self.bench.clock(),
            &names,
        )
    }

    fn idle(&mut self, clocks: usize) {
        for _ in 0..clocks {
            self.bench.offer_memory();
            self.bench.step(&[]);
        }
    }

    fn until(&mut self, is_done: impl Fn(&Bench) -> bool) {
        for _ in 0..MOST_CLOCKS {
            self.bench.settle();
            if is_done(&self.bench) {
                return;
            }
            self.bench.offer_memory();
            self.bench.step(&[]);
        }
        unreachable!(
            "the hardware answers within {MOST_CLOCKS} clocks: every preset is tested with these packets"
        );
    }

    /// Reads the first register.
    fn register(&mut self) -> Vec<Element> {
        let first = self.bench.clock();
        self.bench.set("s_axil_araddr", FIRST_REGISTER);
        self.bench.set("s_axil_arvalid", 1);
        self.until(|bench| bench.get("s_axil_arready") == 1);
        self.bench.step(&[]);
        self.bench.set("s_axil_arvalid", 0);
        self.until(|bench| bench.get("s_axil_rvalid") == 1);
        self.idle(3);
        let words =
            "The register at 0x000: the address goes to the registers on tmu_aclk and the answer comes back.";
        self.drawn("A register is read", words, first..self.bench.clock(), &CONTROL)
    }

    /// A binding, and a quad right behind it.
    fn binding(&mut self, workload: &Workload) -> Vec<Element> {
        let first = self.bench.clock();
        let mut beats = labelled(&workload.binding, "b");
        beats.extend(labelled(&workload.quads[0], "q0."));
        self.send(beats, 1, 0);
        self.idle(3);
        let words = "b0 and on are the beats of the binding (tuser is 1), q0.0 and on those of the first quad. Its texels are not in the \
                     cache yet: memory is read, and r0 is the result.";
        let names: Vec<&str> = [&REQUEST[..], &MEMORY, &RESULT].concat();
        self.drawn("A binding and the first quad", words, first..self.bench.clock(), &names)
    }

    /// Quads one after the other, whose results wait.
    fn handshakes(&mut self, workload: &Workload) -> Vec<Element> {
        let first = self.bench.clock();
        let quads = workload.quads[..QUADS].iter().enumerate();
        let beats = quads.flat_map(|(number, quad)| labelled(quad, &format!("q{number}."))).collect();
        self.send(beats, QUADS, HELD_CLOCKS);
        self.idle(2);
        let words = "A beat passes in a clock in which tvalid and tready are both 1. The first result is not taken for some clocks: it \
                     stays as it is until it is.";
        let names: Vec<&str> = [&REQUEST[..], &RESULT].concat();
        self.drawn("Handshakes", words, first..self.bench.clock(), &names)
    }

    /// Sends beats as fast as they are taken and takes so many results, the first one after it has waited. Gives the clocks
    /// of the first and of the last result.
    fn send(
        &mut self,
        beats: Vec<(Vec<u8>, bool, bool, String)>,
        results: usize,
        held_clocks: usize,
    ) -> [usize; 2] {
        let (mut beats, mut taken, mut held) = (std::collections::VecDeque::from(beats), 0, 0);
        let mut clocks = [0; 2];
        let start = self.bench.clock();
        while taken < results {
            let bench = &mut self.bench;
            assert!(bench.clock() < start + MOST_CLOCKS, "the hardware answers within {MOST_CLOCKS} clocks");
            bench.offer_memory();
            let bytes = self.tdata_bytes;
            let (tdata, is_binding, is_last, label) = beats.front().cloned().unwrap_or_default();
            bench.set("s_axis_req0_tvalid", (!beats.is_empty()).into());
            bench.set_bytes("s_axis_req0_tdata", &tdata[..bytes.min(tdata.len())]);
            bench.set("s_axis_req0_tuser", is_binding.into());
            bench.set("s_axis_req0_tlast", is_last.into());
            bench.set("m_axis_res0_tready", (held >= held_clocks).into());
            bench.settle();
            let is_taken = bench.get("s_axis_req0_tready") == 1;
            let has_result = bench.get("m_axis_res0_tvalid") == 1;
            let mut labels = Vec::new();
            if !beats.is_empty() {
                labels.push(("s_axis_req0_tdata", label));
            }
            if has_result {
                labels.push(("m_axis_res0_tdata", format!("r{taken}")));
            }
            bench.step(&labels);
            if is_taken {
                beats.pop_front();
            }
            if has_result && held >= held_clocks {
                clocks = [if taken == 0 { bench.clock() } else { clocks[0] }, bench.clock()];
                taken += 1;
            } else if has_result {
                held += 1;
            }
        }
        self.bench.set("s_axis_req0_tvalid", 0);
        self.bench.set("m_axis_res0_tready", 1);
        clocks
    }

    /// Draws a square twice: once for what memory gives, once for the clocks.
    fn measure(&mut self, workload: Workload) -> Measured {
        let samples = f64::from(SIDE * SIDE);
        let quads = || workload.quads.iter().flat_map(|quad| labelled(quad, "")).collect::<Vec<_>>();
        self.send(quads(), workload.quads.len(), 0);
        // All since the reset: the quads that were drawn before are of the same square.
        let lines = self.bench.lines_read();
        let [first, last] = self.send(quads(), workload.quads.len(), 0);
        let between = (workload.quads.len() - 1) as f64;
        Measured {
            samples_per_clock: 4.0 * between / (last - first) as f64,
            bytes_per_sample: lines as f64 * f64::from(LINE_BYTES) / samples,
            about: workload.about,
        }
    }
}

/// Beats as the bench sends them, each with a name.
fn labelled(beats: &[tmu_spec::quad::RequestBeat], name: &str) -> Vec<(Vec<u8>, bool, bool, String)> {
    let beat = |(number, beat): (usize, &tmu_spec::quad::RequestBeat)| {
        let tdata = beat.low_bytes(tmu_spec::quad::MOST_TDATA_BYTES).to_vec();
        (tdata, beat.is_binding(), beat.last(), format!("{name}{number}"))
    };
    beats.iter().enumerate().map(beat).collect()
}
