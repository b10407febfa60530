"""A core: its Verilog by tmugen, and its ports as streams and buses of LiteX."""

import json
import os
import shutil
import subprocess

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream, wishbone
from migen import ClockSignal, Instance, ResetSignal, Signal

from .registers import Registers

# Signals of each channel of AXI4 in the order of LiteX's, with their names there.
ADDRESS = {"addr": "addr", "len": "len", "size": "size", "burst": "burst", "cache": "cache", "prot": "prot", "qos": "qos"}
CHANNELS = {
    "ar": {**ADDRESS, "id": "id"},
    "aw": {**ADDRESS, "id": "id"},
    "r": {"id": "id", "data": "data", "resp": "resp", "last": "last"},
    "w": {"data": "data", "strb": "strb", "last": "last"},
    "b": {"id": "id", "resp": "resp"},
}
HANDSHAKE = {"valid": "valid", "ready": "ready"}
# Data of Wishbone are named from the core's side there, and from the bus's in LiteX.
SLAVE_DATA = {"dat_i": "dat_w", "dat_o": "dat_r"}
MASTER_DATA = {"dat_o": "dat_w", "dat_i": "dat_r"}
# Bytes of the registers of the mesh engine on Wishbone.
MESH_BYTES = 0x200


def generate(folder, preset=None, config=None, tmugen="tmugen"):
    """Writes the hardware of a preset or of a configuration file into a folder and gives its manifest."""
    if (preset is None) == (config is None):
        raise ValueError("give either preset or config")
    chosen = ["--preset", preset] if config is None else ["--config", config]
    if shutil.which(tmugen) is None:
        raise OSError(f"{tmugen} is not there; put it on the path or name it with tmugen=")
    done = subprocess.run([tmugen, "generate", *chosen, "--out", folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(f"tmugen refuses {config or preset}:\n{done.stderr}")
    with open(os.path.join(folder, "manifest.json")) as file:
        return json.load(file)


class Core(LiteXModule):
    """The hardware of a configuration.

    | | |
    | --- | --- |
    | `requests[i]`, `results[i]` | streams of unit i with `data` and `user`; a packet ends with `last`, a result is one beat |
    | `memory` | AXI4, the core is the manager |
    | `control` | AXI4-Lite, or None without a control port |
    | `interrupts` | by name, of engines that have some |
    | `registers` | the register map, or None without a control port |
    | `mesh_slave`, `mesh_master` | Wishbone of the engine `mesh` where `mesh.bus` is `wishbone`, or None: its registers, and its points |

    `domains` names the clock domain of a clock port where it is not `sys`: `{"tmu_aclk": "tmu"}`. Streams and control port are on
    `core_aclk`.
    """

    def __init__(self, platform, folder, preset=None, config=None, tmugen="tmugen", domains=None, address_width=32):
        self.folder = os.path.abspath(folder)
        self.manifest = generate(self.folder, preset, config, tmugen)
        self.top = self.manifest["top"]
        self.domains = domains or {}
        self.ports = {port["name"]: port for port in self.manifest["ports"]}
        self.interrupts = {}
        self._check(address_width)
        self.requests = self._streams("s_axis_req")
        self.results = self._streams("m_axis_res")
        self.memory = axi.AXIInterface(
            data_width=self.ports["m_axi_rdata"]["width_bits"], address_width=address_width,
            id_width=self.ports["m_axi_arid"]["width_bits"], clock_domain=self._memory_domain(),
        )
        has_control = "s_axil_araddr" in self.ports
        self.control = axi.AXILiteInterface(address_width=address_width) if has_control else None
        self.registers = Registers(os.path.join(self.folder, f"{self.top}_registers.xml")) if has_control else None
        has_wishbone = "mesh_slave_adr" in self.ports
        self.mesh_slave, self.mesh_master = (
            wishbone.Interface(data_width=32, address_width=address_width, addressing="word") if has_wishbone else None
            for _ in range(2)
        )
        self.specials += Instance(self.top, **dict(self._connection(port) for port in self.manifest["ports"]))
        platform.add_source(os.path.join(self.folder, f"{self.top}.v"))

    def _check(self, address_width):
        bits = self.ports["m_axi_araddr"]["width_bits"]
        if bits != address_width:
            raise ValueError(
                f"the memory port of {self.top} has addresses of {bits} bits, the bus {address_width}; "
                f"write address_bits = {address_width} in [axi] of the configuration"
            )

    def _domain(self, clock):
        return self.domains.get(clock, "sys")

    def _memory_domain(self):
        return self._domain(self.ports["m_axi_arvalid"]["clock"])

    def _streams(self, prefix):
        count = sum(name.startswith(prefix) and name.endswith("_tvalid") for name in self.ports)
        def layout(number):
            return [(signal, self.ports[f"{prefix}{number}_t{signal}"]["width_bits"]) for signal in ("data", "user")]
        return [stream.Endpoint(layout(number)) for number in range(count)]

    def _connection(self, port):
        """Argument of an instance for a port: its name behind i_ or o_, and what it is connected to."""
        name, kind = port["name"], "i" if port["direction"] == "in" else "o"
        return f"{kind}_{name}", self._signal(name, port["width_bits"])

    def _signal(self, name, bits):
        for bus, of_bus, data in (("mesh_slave", self.mesh_slave, SLAVE_DATA), ("mesh_master", self.mesh_master, MASTER_DATA)):
            if name.startswith(f"{bus}_"):
                signal = name[len(bus) + 1:]
                return getattr(of_bus, data.get(signal, signal))[:bits]
        prefix, signal = name.rsplit("_", 1)
        if signal == "aclk":
            return ClockSignal(self._domain(name))
        if signal == "aresetn":
            return ~ResetSignal(self._domain(f"{prefix}_aclk"))
        if signal == "interrupt":
            self.interrupts[prefix] = Signal(name=name)
            return self.interrupts[prefix]
        if prefix.startswith(("s_axis_req", "m_axis_res")):
            streams = self.requests if prefix.startswith("s_axis_req") else self.results
            return getattr(streams[int(prefix[len("s_axis_req"):])], signal[1:])
        bus = {"m_axi": self.memory, "s_axil": self.control}[prefix]
        channel = next(channel for channel in CHANNELS if signal.startswith(channel))
        field = {**CHANNELS[channel], **HANDSHAKE}[signal[len(channel):]]
        found = getattr(getattr(bus, channel), field, None)
        # LiteX's AXI4-Lite has no protection, and its addresses are as wide as the bus.
        if found is None:
            return Signal(bits)
        return found[:bits] if bus is self.control and field == "addr" else found

    def add_to(self, soc, name, origin=None, mesh_origin=None, with_memory=True):
        """Connects registers and memory ports to the SoC's bus and adds the registers' constants.

        `origin` is where the control port begins, `mesh_origin` where the registers of the mesh engine do if they are on Wishbone; LiteX
        finds a place for what is not said. Without `with_memory` the memory port is left to be connected, to LiteDRAM for example.
        """
        if "sys" != self._memory_domain() or "sys" != self._domain("core_aclk"):
            raise ValueError("add_to needs core_aclk and the memory port on sys; put crossings of LiteX between otherwise")
        if with_memory:
            soc.bus.add_master(name=f"{name}_memory", master=self.memory)
        if self.control is not None:
            size = 1 << self.ports["s_axil_araddr"]["width_bits"]
            soc.bus.add_slave(name, self.control, SoCRegion(origin=origin, size=size, cached=False))
            self.registers.add_constants(soc, name.upper())
        if self.mesh_slave is not None:
            region = SoCRegion(origin=mesh_origin, size=MESH_BYTES, cached=False)
            soc.bus.add_slave(f"{name}_registers", self.mesh_slave, region)
            soc.bus.add_master(name=f"{name}_points", master=self.mesh_master)
        # A result is a packet of one beat.
        self.comb += [result.last.eq(1) for result in self.results]

    def copy_roms(self, folder):
        """Verilog reads the contents of ROMs by name, from where the simulator or synthesis runs."""
        os.makedirs(folder, exist_ok=True)
        for name in self.manifest["files"]:
            if name.endswith(".mem"):
                shutil.copy(os.path.join(self.folder, name), folder)
