//! `mesher`: the stages of the engine, wired together.
//!
//! ```text
//! job -> vertices -> interpolate -> coordinate -> frame_reader -> address -> texture_cache -> filter -> shade -> blend -> write_combiner
//!                                                      |                                                     |
//!                                                      +------------------ lines of the frame buffer --------+
//! ```

use super::address::Address;
use super::blend::Blend;
use super::coordinate::Coordinate;
use super::filter::Filter;
use super::frame_reader::FrameReader;
use super::interpolate::Interpolate;
use super::job::{ADDRESS_BITS, Events, Job};
use super::shade::Shade;
use super::texture_cache::TextureCache;
use super::texture_cache::words::CacheShape;
use super::vertices::Vertices;
use super::vertices::lines::read_shape;
use super::vertices::words::{WORD_ADDRESS_BITS, pass_bus};
use super::words::{AXES, LINE_ADDRESS_BITS, RESPONSE_BITS};
use super::write_combiner::{WriteCombiner, write_shape};
use super::{frame_shape, line_bits, texture_shape};
use crate::engine::memory::FAULT_BITS;
use crate::engine::read_ports::LinePorts;
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::bus::{RegisterPort, Wishbone, WishboneMaster, WishboneMasterPort, WishboneSlave};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// A Wishbone slave in front of the registers.
pub fn wishbone_slave() -> WishboneSlave {
    WishboneSlave::new(ADDRESS_BITS)
}

/// What the registers are reached by.
#[expect(clippy::large_enum_variant, reason = "an engine has one, and lives as long as its design")]
pub enum RegisterBus {
    /// The control port.
    Control(RegisterPort),
    /// A Wishbone slave.
    Wishbone(Wishbone),
}

impl Logic for RegisterBus {
    fn update(&mut self) {}
}

impl Block for RegisterBus {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        match self {
            RegisterBus::Control(port) => port.update_all(),
            RegisterBus::Wishbone(port) => port.update_all(),
        }
    }

    fn has_changed(&self) -> bool {
        match self {
            RegisterBus::Control(port) => port.has_changed(),
            RegisterBus::Wishbone(port) => port.has_changed(),
        }
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        match self {
            RegisterBus::Control(port) => port.accept(name, probe),
            RegisterBus::Wishbone(port) => port.accept(name, probe),
        }
    }
}

/// Passes a Wishbone slave's bus on to the block inside.
#[kernel]
pub fn pass_slave(outer: &Wishbone, inner: &Wishbone) {
    for (to, from) in [
        (&inner.cyc, &outer.cyc),
        (&inner.stb, &outer.stb),
        (&inner.we, &outer.we),
        (&inner.adr, &outer.adr),
        (&inner.sel, &outer.sel),
        (&inner.dat_i, &outer.dat_i),
    ] {
        to.next = from.val();
    }
    for (to, from) in [(&outer.dat_o, &inner.dat_o), (&outer.ack, &inner.ack), (&outer.err, &inner.err)] {
        to.next = from.val();
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Mesher {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterBus,
    /// A job has ended, and that interrupts.
    pub interrupt: Net<Out>,
    /// Channel for reads of vertices, where they come from the memory port.
    pub vertices_memory: Optional<LinePorts>,
    /// The bus, where they come over Wishbone.
    pub vertices_bus: Optional<WishboneMasterPort>,
    /// Channel for reads of the texture.
    pub texture_memory: LinePorts,
    /// Channel for reads of the frame buffer.
    pub frame_memory: LinePorts,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    slave: Optional<WishboneSlave>,
    job: Job,
    vertices: Vertices,
    interpolate: Interpolate,
    coordinate: Coordinate,
    frame_reader: FrameReader,
    address: Address,
    texture_cache: TextureCache,
    filter: Filter,
    shade: Shade,
    blend: Blend,
    write_combiner: WriteCombiner,
    pub(super) _config: Config,
}

impl Mesher {
    /// The stages of a configuration.
    pub fn new(config: &Config) -> Mesher {
        let mesh = config.engine_configs().mesh();
        let is_wishbone = mesh.is_wishbone();
        let line_bits = line_bits(config);
        Mesher {
            clocks: Clocks::new(),
            registers: if is_wishbone {
                RegisterBus::Wishbone(wishbone_slave().wishbone)
            } else {
                RegisterBus::Control(RegisterPort::new(ADDRESS_BITS))
            },
            interrupt: Net::bit(),
            vertices_memory: Optional::new(!is_wishbone, || LinePorts::new(&read_shape(config))),
            vertices_bus: Optional::new(is_wishbone, || WishboneMaster::new(WORD_ADDRESS_BITS).wishbone),
            texture_memory: LinePorts::new(&texture_shape(config)),
            frame_memory: LinePorts::new(&frame_shape(config)),
            write: StreamOut::new(line_bits + write_shape().length_bits),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            slave: Optional::new(is_wishbone, wishbone_slave),
            job: Job::new(),
            vertices: Vertices::new(config),
            interpolate: Interpolate::new(),
            coordinate: Coordinate::new(),
            frame_reader: FrameReader::new(line_bits),
            address: Address::new(),
            texture_cache: TextureCache::new(CacheShape::of_kib(mesh.cache_kib() as usize)),
            filter: Filter::new(),
            shade: Shade::new(),
            blend: Blend::new(),
            write_combiner: WriteCombiner::new(line_bits),
            _config: config.clone(),
        }
    }
}

/// The stages of the engine.
#[kernel]
impl Mesher {
    fn module_name(&self) -> String {
        "mesher".into()
    }

    fn logic(&self) {
        self.job();
        self.vertices();
        self.coordinates();
        self.frame();
        self.texture();
        self.colors();
        self.write();
    }

    fn job(&self) {
        /// # Job
        let job = &self.job;
        job.clocks.follow(&self.clocks);
        match (&self.registers, self.slave.as_ref()) {
            (RegisterBus::Control(outer), _) => job.registers.forward(outer),
            (RegisterBus::Wishbone(outer), Some(slave)) => {
                slave.clocks.follow(&self.clocks);
                pass_slave(outer, &slave.wishbone);
                job.registers.serve(&slave.registers);
            }
            (RegisterBus::Wishbone(_), None) => unreachable!("there is a slave behind the bus"),
        }
        self.interrupt.next = job.interrupt.val();
        job.vertices_fault.next = self.vertices.fault.val();
        job.texture_fault.next = self.texture_cache.fault.val();
        job.frame_fault.next = self.blend.fault.val();
        job.write_fault.next = self.write_combiner.fault.val();
        job.vertices_idle.next = self.vertices.is_idle.val();
        job.finished.next = self.write_combiner.finished.val();
        let events = self.texture_cache.events.val();
        job.events.next = Events {
            drawn: self.write_combiner.draws.val(),
            outside: self.coordinate.left_out.val(),
            dropped: self.write_combiner.leaves_out.val(),
            texture_line: events.line_read,
            hits: events.hits,
            stalled: events.stalls,
        };
    }

    fn vertices(&self) {
        /// # Vertices
        let (job, vertices) = (&self.job, &self.vertices);
        vertices.clocks.follow(&self.clocks);
        vertices.start.next = job.start.val();
        vertices.cancelled.next = job.cancelled.val();
        vertices.base.next = job.vertices.val();
        for axis in 0..AXES {
            vertices.mesh[axis].next = job.mesh[axis].val();
        }
        if let (Some(outer), Some(inner)) = (self.vertices_memory.as_ref(), vertices.memory.as_ref()) {
            outer.forward(inner);
        }
        if let (Some(outer), Some(inner)) = (self.vertices_bus.as_ref(), vertices.bus.as_ref()) {
            pass_bus(outer, inner);
        }
    }

    fn coordinates(&self) {
        /// # Coordinates
        let (job, interpolate, coordinate) = (&self.job, &self.interpolate, &self.coordinate);
        interpolate.clocks.follow(&self.clocks);
        interpolate.start.next = job.start.val();
        interpolate.cancelled.next = job.cancelled.val();
        interpolate.input.take_from(&self.vertices.output);
        coordinate.clocks.follow(&self.clocks);
        coordinate.frame.next = job.constants.frame.val();
        coordinate.input.take_from(&interpolate.output);
        let texture = job.constants.texture.val();
        coordinate.texture_size[0].next = texture.width;
        coordinate.texture_size[1].next = texture.height;
        for axis in 0..AXES {
            interpolate.size[axis].next = job.size[axis].val();
            interpolate.offset[axis].next = job.offset[axis].val();
            coordinate.masks[axis].next = job.masks[axis].val();
        }
    }

    fn frame(&self) {
        /// # Frame buffer
        let (reader, memory) = (&self.frame_reader, &self.frame_memory);
        reader.clocks.follow(&self.clocks);
        reader.reads_frame.next = self.job.constants.blend.reads_frame.val();
        reader.input.take_from(&self.coordinate.output);
        memory.read.forward(&reader.read);
        for (to, from) in [
            (&reader.line_valid, &memory.line_valid),
            (&reader.line_data, &memory.line_data),
            (&reader.line_response, &memory.line_response),
            (&reader.line_last, &memory.line_last),
            (&reader.unexpected, &memory.unexpected),
            (&reader.outstanding, &memory.outstanding),
        ] {
            to.next = from.val();
        }
        /// `blend` finds out, as it knows the pixel: a bit for each way to fail.
        let fault = self.blend.fault.val();
        let is_slave = fault.response == tmu_hdl::bus::SLVERR as u64;
        let is_decode = fault.response == tmu_hdl::bus::DECERR as u64;
        let ways = cat(&[!fault.response.bit(1), is_decode, is_slave]);
        memory.fault.next = ways & fault.happened.repeat(FAULT_BITS);
        memory.fault_line.next = fault.line.zero_extend(memory.fault_line.width());
    }

    fn texture(&self) {
        /// # Texture
        let (address, cache, memory) = (&self.address, &self.texture_cache, &self.texture_memory);
        let texture = self.job.constants.texture.val();
        discard(texture.height, "coordinates are limited in front");
        address.clocks.follow(&self.clocks);
        address.texture_base.next = texture.base;
        address.texture_width.next = texture.width;
        address.pixel.take_from(&self.frame_reader.output);
        cache.clocks.follow(&self.clocks);
        cache.start.next = self.job.start.val();
        cache.footprint.take_from(&address.footprint);
        let line_bits = memory.fault_line.width();
        let read = cache.read.data.val();
        let length = read.high(read.width() - LINE_ADDRESS_BITS);
        memory.read.valid.next = cache.read.valid.val();
        memory.read.data.next = cat(&[length, read.low(LINE_ADDRESS_BITS).zero_extend(line_bits)]);
        cache.read.ready.next = memory.read.ready.val();
        for (to, from) in [
            (&cache.line_valid, &memory.line_valid),
            (&cache.line_data, &memory.line_data),
            (&cache.line_response, &memory.line_response),
            (&cache.line_last, &memory.line_last),
            (&cache.unexpected, &memory.unexpected),
            (&cache.outstanding, &memory.outstanding),
        ] {
            to.next = from.val();
        }
        memory.fault.next = cache.port_fault.val();
        memory.fault_line.next = cache.port_fault_line.val().zero_extend(line_bits);
    }

    fn colors(&self) {
        /// # Colours
        let (filter, shade, blend) = (&self.filter, &self.shade, &self.blend);
        filter.clocks.follow(&self.clocks);
        filter.input.take_from(&self.texture_cache.taps);
        shade.clocks.follow(&self.clocks);
        shade.settings.next = self.job.constants.shade.val();
        shade.input.take_from(&filter.output);
        blend.clocks.follow(&self.clocks);
        blend.settings.next = self.job.constants.blend.val();
        blend.input.take_from(&shade.output);
        blend.lines.take_from(&self.frame_reader.lines);
    }

    fn write(&self) {
        /// # Writes
        let combiner = &self.write_combiner;
        combiner.clocks.follow(&self.clocks);
        combiner.cancelled.next = self.job.cancelled.val();
        combiner.input.take_from(&self.blend.output);
        self.write.forward(&combiner.write);
        self.line.forward(&combiner.line);
        combiner.write_done.next = self.write_done.val();
        combiner.write_response.next = self.write_response.val();
    }
}
