//! `top`: engines, memory port and control port, wired together under the names that a block design expects.

use crate::engine::memory::LINE_BYTES;
use crate::engine::{Engines, SystemClocks};
use crate::engines::engines;
use crate::system::bring_up::BringUp;
use crate::system::bring_up::registers::BRING_UP_SPACE;
use crate::system::control::{ANSWER_BITS, COMMAND_BITS, ControlPort, axi_lite};
use crate::system::control_registers::ControlRegisters;
use crate::system::memory_port::{MemoryPort, axi_read};
use crate::system::reset::Reset;
use crate::system::write_port::{WritePort, axi_write};
use tmu_hdl::bus::{AxiLite, AxiRead, AxiWrite};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::AsyncFifo;
use tmu_spec::Config;
use tmu_spec::config::AxiClock;

/// Depth of the FIFOs between control port and registers: one access at a time.
const CONTROL_DEPTH: usize = 4;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Top {
    /// Clock of the streams and of the control port.
    pub core_aclk: Net<In>,
    /// Its reset, active low.
    pub core_aresetn: Net<In>,
    /// Clock of everything between the FIFOs.
    pub tmu_aclk: Net<In>,
    /// Its reset, active low.
    pub tmu_aresetn: Net<In>,
    /// Clock of the memory port, where it has its own.
    pub m_axi_aclk: Optional<Net<In>>,
    /// Its reset, active low.
    pub m_axi_aresetn: Optional<Net<In>>,
    reset: Reset,
    engines: Engines,
    /// The memory port: what is read, and what is written where an engine writes.
    pub m_axi: AxiPort,
    /// The control port.
    pub s_axil: Optional<AxiLite>,
    memory_port: MemoryPort,
    write_port: Optional<WritePort>,
    control: Optional<Control>,
    bring_up: Optional<BringUp>,
    core_reset: Net<Local>,
    flush: Net<Local>,
    _config: Config,
}

/// The channels of the memory port under one name.
pub struct AxiPort {
    /// Read channels.
    pub read: AxiRead,
    /// Write channels.
    pub write: Option<AxiWrite>,
}

impl Logic for AxiPort {
    fn update(&mut self) {}
}

impl Block for AxiPort {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.read.update_all();
        self.write.iter_mut().for_each(Block::update_all);
    }

    fn has_changed(&self) -> bool {
        self.read.has_changed() || self.write.as_ref().is_some_and(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.read.accept(name, probe);
        self.write.iter().for_each(|write| write.accept(name, probe));
    }
}

/// The blocks of the control port.
#[derive(Bundle)]
struct Control {
    port: ControlPort,
    registers: ControlRegisters,
    command_fifo: AsyncFifo,
    answer_fifo: AsyncFifo,
}

impl Top {
    /// The hardware of a configuration.
    pub fn new(config: &Config) -> Top {
        let own_clock = matches!(config.axi().clock(), AxiClock::Own);
        let engines = engines(config);
        let reads: Vec<_> = engines.reads().iter().map(|channel| channel.shape).collect();
        let writes: Vec<_> = engines.writes().iter().map(|channel| channel.shape).collect();
        let has_kit = config.control().bring_up();
        let of_engines = engines.registers();
        let spaces = of_engines.iter().map(|block| block.space).chain(has_kit.then_some(BRING_UP_SPACE));
        let spaces: Vec<_> = spaces.collect();
        let length_bits =
            engines.units().iter().find_map(|unit| unit.kit).map_or(0, |(_, read)| read.shape.length_bits);
        Top {
            core_aclk: Net::bit(),
            core_aresetn: Net::bit(),
            tmu_aclk: Net::bit(),
            tmu_aresetn: Net::bit(),
            m_axi_aclk: Optional::new(own_clock, Net::bit),
            m_axi_aresetn: Optional::new(own_clock, Net::bit),
            m_axi: AxiPort { read: axi_read(config), write: (!writes.is_empty()).then(|| axi_write(config)) },
            s_axil: Optional::new(config.control().port(), axi_lite),
            reset: Reset::new(engines.stopped().len()),
            engines,
            memory_port: MemoryPort::new(config, &reads),
            write_port: Optional::new(!writes.is_empty(), || WritePort::new(config, &writes)),
            control: Optional::new(config.control().port(), || Control {
                port: ControlPort::new(),
                registers: ControlRegisters::new(config, &spaces),
                command_fifo: AsyncFifo::new(CONTROL_DEPTH, COMMAND_BITS),
                answer_fifo: AsyncFifo::new(CONTROL_DEPTH, ANSWER_BITS),
            }),
            bring_up: Optional::new(has_kit, || BringUp::new(config, length_bits)),
            core_reset: Net::bit(),
            flush: Net::bit(),
            _config: config.clone(),
        }
    }
}

/// Units, memory port and control port.
#[kernel]
impl Top {
    fn module_name(&self) -> String {
        self._config.name().to_string()
    }

    fn logic(&self) {
        self.resets();
        self.engines();
        self.memory();
        self.writes();
        self.control();
        self.bring_up();
    }

    fn resets(&self) {
        /// # Resets
        let reset = &self.reset;
        self.core_reset.next = !self.core_aresetn.val();
        reset.clocks.follow_with(self.tmu_aclk.val(), !self.tmu_aresetn.val());
        let stops: Vec<Bits> = self.engines.stopped().iter().rev().map(|stopped| stopped.val()).collect();
        if let Some(stopped) = reset.stopped.as_ref() {
            stopped.next = cat(&stops);
        }
        reset.port_stopped.next = self.memory_port.stopped.val();
        self.flush.next = reset.flush.val();
    }

    fn engines(&self) {
        let clocks = SystemClocks {
            core: self.core_aclk.val(),
            core_reset: self.core_reset.val(),
            tmu: self.tmu_aclk.val(),
            fifo_reset: self.reset.fifos.val(),
            flush: self.flush.val(),
        };
        for engine in &self.engines.0 {
            engine.connect(clocks);
        }
    }

    fn memory(&self) {
        /// # Memory port
        let port = &self.memory_port;
        /// Directly: ARVALID falls with the reset, however short it is.
        port.clocks.follow_with(self.tmu_aclk.val(), !self.tmu_aresetn.val());
        port.flush.next = self.flush.val();
        let mut bursts = port.unexpected.iter().zip(&port.outstanding);
        let mut faults = port.unit_faults.iter().zip(&port.unit_fault_lines);
        for (number, channel) in self.engines.reads().iter().enumerate() {
            port.reads[number].take_from(channel.read);
            channel.line_valid.next = port.line_valid[number].val();
            channel.line_data.next = port.line_data.val();
            match (channel.bursts, port.line_last.as_ref(), port.line_error.as_ref()) {
                (None, _, Some(line_error)) => channel.line_response.next = line_error.val(),
                _ => channel.line_response.next = port.line_response.val(),
            }
            if let (Some(of_channel), Some(last)) = (channel.bursts, port.line_last.as_ref())
                && let Some((unexpected, outstanding)) = bursts.next()
            {
                of_channel.last.next = last.val();
                of_channel.unexpected.next = unexpected.val();
                of_channel.outstanding.next = outstanding.val();
            }
            if let Some((fault, line)) = channel.fault
                && let Some((to, line_to)) = faults.next()
            {
                to.next = fault.val();
                line_to.next = line.val();
            }
        }
        if let (Some(clocks), Some(clk), Some(resetn)) =
            (port.axi_clocks.as_ref(), self.m_axi_aclk.as_ref(), self.m_axi_aresetn.as_ref())
        {
            clocks.follow_with(clk.val(), !resetn.val());
        }
        let (outer, inner) = (&self.m_axi.read, &port.axi);
        for (to, from) in [
            (&outer.arid, &inner.arid),
            (&outer.araddr, &inner.araddr),
            (&outer.arlen, &inner.arlen),
            (&outer.arsize, &inner.arsize),
            (&outer.arburst, &inner.arburst),
            (&outer.arcache, &inner.arcache),
            (&outer.arprot, &inner.arprot),
            (&outer.arqos, &inner.arqos),
            (&outer.arvalid, &inner.arvalid),
            (&outer.rready, &inner.rready),
        ] {
            to.next = from.val();
        }
        for (to, from) in [
            (&inner.arready, &outer.arready),
            (&inner.rid, &outer.rid),
            (&inner.rdata, &outer.rdata),
            (&inner.rresp, &outer.rresp),
            (&inner.rlast, &outer.rlast),
            (&inner.rvalid, &outer.rvalid),
        ] {
            to.next = from.val();
        }
    }

    fn writes(&self) {
        let (Some(port), Some(outer)) = (self.write_port.as_ref(), self.m_axi.write.as_ref()) else { return };
        /// # Write port
        port.clocks.follow_with(self.tmu_aclk.val(), !self.tmu_aresetn.val());
        port.flush.next = self.flush.val();
        port.read_fault.next = self.memory_port.fault.val();
        port.read_fault_line.next = self.memory_port.fault_line.val();
        for (number, channel) in self.engines.writes().iter().enumerate() {
            port.writes[number].take_from(channel.write);
            port.lines[number].take_from(channel.line);
            channel.done.next = port.done[number].val();
            channel.response.next = port.response.val();
        }
        let inner = &port.axi;
        for (to, from) in [
            (&outer.awid, &inner.awid),
            (&outer.awaddr, &inner.awaddr),
            (&outer.awlen, &inner.awlen),
            (&outer.awsize, &inner.awsize),
            (&outer.awburst, &inner.awburst),
            (&outer.awcache, &inner.awcache),
            (&outer.awprot, &inner.awprot),
            (&outer.awqos, &inner.awqos),
            (&outer.awvalid, &inner.awvalid),
            (&outer.wdata, &inner.wdata),
            (&outer.wstrb, &inner.wstrb),
            (&outer.wlast, &inner.wlast),
            (&outer.wvalid, &inner.wvalid),
            (&outer.bready, &inner.bready),
        ] {
            to.next = from.val();
        }
        for (to, from) in [
            (&inner.awready, &outer.awready),
            (&inner.wready, &outer.wready),
            (&inner.bid, &outer.bid),
            (&inner.bresp, &outer.bresp),
            (&inner.bvalid, &outer.bvalid),
        ] {
            to.next = from.val();
        }
    }

    fn control(&self) {
        /// # Control port
        let (Some(control), Some(axi)) = (self.control.as_ref(), self.s_axil.as_ref()) else {
            self.reset.soft_reset.next = 0;
            self.reset.control_stopped.next = 0;
            if let Some(window_line) = self.memory_port.window_line.as_ref() {
                let base = self._config.axi().window_base() / LINE_BYTES as u64;
                window_line.next = lit(window_line.width(), base);
            }
            return;
        };
        let Control { port, registers, command_fifo, answer_fifo } = control;
        port.clocks.follow_with(self.core_aclk.val(), self.core_reset.val());
        registers.clocks.follow_with(self.tmu_aclk.val(), self.reset.control.val());
        self.connect(axi, &port.axi);
        command_fifo.write.follow_with(self.core_aclk.val(), self.core_reset.val());
        command_fifo.read.follow_with(self.tmu_aclk.val(), self.reset.hard.val());
        answer_fifo.write.follow_with(self.tmu_aclk.val(), self.reset.hard.val());
        answer_fifo.read.follow_with(self.core_aclk.val(), self.core_reset.val());
        command_fifo.input.take_from(&port.command);
        registers.command.take_from(&command_fifo.output);
        answer_fifo.input.take_from(&registers.answer);
        port.answer.take_from(&answer_fifo.output);
        port.unreachable.next = command_fifo.write_stopped.val() || answer_fifo.read_stopped.val();
        self.reset.control_stopped.next = command_fifo.read_stopped.val() || answer_fifo.write_stopped.val();
        self.reset.soft_reset.next = registers.soft_reset.val();
        registers.resetting.next = self.flush.val();
        let (fault, fault_line) = match self.write_port.as_ref() {
            Some(port) => (&port.fault, &port.fault_line),
            None => (&self.memory_port.fault, &self.memory_port.fault_line),
        };
        registers.fault.next = fault.val();
        registers.fault_line.next = fault_line.val();
        for (bank, block) in registers.banks.iter().zip(self.engines.registers()) {
            block.port.serve(bank);
        }
        if let (Some(kit), Some(bank)) = (self.bring_up.as_ref(), registers.banks.last()) {
            kit.registers.serve(bank);
        }
        if let Some(window_line) = self.memory_port.window_line.as_ref() {
            window_line.next = registers.window_line.val();
        }
        let units = self.engines.units();
        let mut invalidating = lit(1, 0u32);
        for (number, unit) in units.iter().enumerate() {
            registers.broken_rules[number].next = unit.report.broken_rules.val();
            registers.packet_dropped[number].next = unit.report.packet_dropped.val();
            invalidating = invalidating || unit.report.invalidating.val();
            unit.invalidate_cache.next = registers.invalidate.val();
            if let Some((count, _)) = unit.count {
                registers.counts[number].next = count.val();
            }
        }
        registers.caches_invalidating.next = invalidating;
        let first = units.first().and_then(|unit| unit.count);
        if let (Some(to), Some((_, number))) = (registers.count_number.as_ref(), first) {
            to.next = number.val();
        }
    }

    fn bring_up(&self) {
        let Some(kit) = self.bring_up.as_ref() else { return };
        /// # Bring-up kit
        kit.clocks.follow_with(self.tmu_aclk.val(), self.flush.val());
        for (side, unit) in kit.units.iter().zip(self.engines.units()) {
            let Some((ports, read)) = unit.kit else { continue };
            ports.wants.next = side.wants.val();
            ports.beat.take_from(&side.beat);
            side.owns.next = ports.owns.val();
            side.idle.next = ports.idle.val();
            side.settled.next = ports.settled.val();
            side.result_valid.next = ports.result_valid.val();
            side.result.next = ports.result.val();
            side.taken.next = ports.taken.val();
            side.taken_is_first.next = ports.taken_is_first.val();
            side.taken_beat.next = ports.taken_beat.val();
            side.read.next = read.read.valid.val() && read.read.ready.val();
            side.line.next = read.line_valid.val();
            side.read_data.next = read.read.data.val();
            if let (Some(outstanding), Some(bursts)) = (side.outstanding.as_ref(), read.bursts) {
                outstanding.next = bursts.outstanding.val();
            }
        }
    }

    fn connect(&self, outer: &AxiLite, inner: &AxiLite) {
        for (to, from) in [
            (&inner.awaddr, &outer.awaddr),
            (&inner.awprot, &outer.awprot),
            (&inner.awvalid, &outer.awvalid),
            (&inner.wdata, &outer.wdata),
            (&inner.wstrb, &outer.wstrb),
            (&inner.wvalid, &outer.wvalid),
            (&inner.bready, &outer.bready),
            (&inner.araddr, &outer.araddr),
            (&inner.arprot, &outer.arprot),
            (&inner.arvalid, &outer.arvalid),
            (&inner.rready, &outer.rready),
        ] {
            to.next = from.val();
        }
        for (to, from) in [
            (&outer.awready, &inner.awready),
            (&outer.wready, &inner.wready),
            (&outer.bresp, &inner.bresp),
            (&outer.bvalid, &inner.bvalid),
            (&outer.arready, &inner.arready),
            (&outer.rdata, &inner.rdata),
            (&outer.rresp, &inner.rresp),
            (&outer.rvalid, &inner.rvalid),
        ] {
            to.next = from.val();
        }
    }
}
