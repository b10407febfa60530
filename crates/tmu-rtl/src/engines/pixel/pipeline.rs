//! `pipeline`: what the engine has around its stages: registers, channels to memory, and the way to its texture unit. Wires only.
//!
//! ```text
//! job -> drawing <-> sampling <-> the texture unit
//!           |
//!           +-> writes
//! ```
//!
//! Between two frames all of it is reset; the texture unit is empty by then.

use super::drawing::{Drawing, DrawingShape};
use super::job::{ADDRESS_BITS, Job};
use super::reads::{Reads, read_shape};
use super::sampling::Sampling;
use super::shade::words::ShadeShape;
use super::triangle_data::words::AlongWord;
use super::words::{NUMBER_BITS, TileShape};
use super::writes::{Writes, write_shape};
use crate::engine::memory::line_bits;
use crate::engine::read_ports::LinePorts;
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::bus::RegisterPort;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a response.
const RESPONSE_BITS: usize = 2;

/// What a configuration's engine is built for.
#[must_use]
pub fn shape(config: &Config) -> DrawingShape {
    let pixel = config.engine_configs().pixel();
    let size = pixel.tile_size();
    let tile = TileShape {
        width_log2: size.width().ilog2() as usize,
        height_log2: size.height().ilog2() as usize,
        lanes_log2: pixel.surface_pixels_per_clock().ilog2() as usize,
        number_bits: NUMBER_BITS,
    };
    let along = AlongWord::of(&tile).width();
    let shade = ShadeShape { lanes: pixel.shade_pixels_per_clock() as usize, ..ShadeShape::full(along) };
    DrawingShape { tile, shade }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Pipeline {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterPort,
    /// A frame has ended, and that interrupts.
    pub interrupt: Net<Out>,
    /// Channel for lists and what hidden surfaces need.
    pub list_memory: LinePorts,
    /// Channel for what pixels are shaded with.
    pub data_memory: LinePorts,
    /// Channel for bindings of textures.
    pub binding_memory: LinePorts,
    /// Beats to the texture unit: `tdata`, and above it `tuser` and `tlast`.
    pub beat: StreamOut,
    /// Its results: `tdata`, and above it `tuser`.
    pub result: StreamIn,
    /// A binding has broken a rule.
    pub breaks_rule: Net<In>,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    job: Job,
    drawing: Drawing,
    binding_reads: Reads,
    sampling: Sampling,
    writes: Writes,
    _config: Config,
}

impl Pipeline {
    /// For a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Pipeline {
        let line_bits = line_bits(config);
        let ports = || LinePorts::new(&read_shape(line_bits));
        let sampling = Sampling::new(config);
        Pipeline {
            clocks: Clocks::new(),
            registers: RegisterPort::new(ADDRESS_BITS),
            interrupt: Net::bit(),
            list_memory: ports(),
            data_memory: ports(),
            binding_memory: ports(),
            beat: StreamOut::new(sampling.beat.data.width()),
            result: StreamIn::new(sampling.result.data.width()),
            breaks_rule: Net::bit(),
            write: StreamOut::new(line_bits + write_shape().length_bits),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            job: Job::new(),
            drawing: Drawing::new(&shape(config), line_bits),
            binding_reads: Reads::new(line_bits),
            sampling,
            writes: Writes::new(line_bits),
            _config: config.clone(),
        }
    }

    /// The configuration.
    pub(super) const fn config(&self) -> &Config {
        &self._config
    }
}

/// The engine's stages and what is around them.
#[kernel]
impl Pipeline {
    fn module_name(&self) -> String {
        "pipeline".into()
    }

    fn logic(&self) {
        let Pipeline { job, drawing, binding_reads, sampling, writes, .. } = self;
        /// # Clocks
        let (clk, reset) = (self.clocks.clk.val(), self.clocks.reset() || job.clear.val());
        job.clocks.follow(&self.clocks);
        for clocks in [&drawing.clocks, &binding_reads.clocks, &sampling.clocks, &writes.clocks] {
            clocks.follow_with(clk, reset);
        }
        /// # Frame
        job.registers.forward(&self.registers);
        self.interrupt.next = job.interrupt.val();
        drawing.start.next = job.start.val();
        drawing.address.next = job.address.val();
        job.finished.next = drawing.finished.val();
        job.has_failed.next = drawing.has_failed.val();
        job.fault.next = drawing.fault.val();
        let stops = job.stops.val();
        drawing.stops.next = stops;
        sampling.stops.next = stops;
        binding_reads.stops.next = stops;
        job.is_quiet.next = drawing.is_quiet.val() && binding_reads.is_quiet.val() && sampling.is_quiet.val();
        /// # Reads
        self.list_memory.forward(&drawing.list_memory);
        self.data_memory.forward(&drawing.data_memory);
        self.binding_memory.forward(&binding_reads.memory);
        binding_reads.asked.take_from(&sampling.ask);
        sampling.came.next = binding_reads.came.val();
        sampling.read_fails.next = binding_reads.fails.val();
        sampling.failed_line.next = binding_reads.failed_line.val();
        sampling.read_breaks.next = binding_reads.breaks.val();
        let comes = [&self.list_memory, &self.data_memory, &self.binding_memory];
        job.reads.next = stack(comes.map(|memory| memory.line_valid.val())).any();
        /// # Textures
        sampling.textures.next = drawing.textures.val();
        sampling.request.take_from(&drawing.texture_request);
        drawing.texture_answer.take_from(&sampling.answer);
        drawing.texture_fault.next = sampling.fault.val();
        self.beat.forward(&sampling.beat);
        sampling.result.forward(&self.result);
        sampling.breaks_rule.next = self.breaks_rule.val();
        /// # Writes
        writes.lines.take_from(&drawing.lines);
        self.write.forward(&writes.write);
        self.line.forward(&writes.line);
        writes.write_done.next = self.write_done.val();
        writes.write_response.next = self.write_response.val();
        job.is_written.next = writes.is_written.val();
        job.write_failed.next = writes.has_failed.val();
        job.write_fault.next = writes.fault.val();
        job.writes.next = self.line.valid.val() && self.line.ready.val();
    }
}
