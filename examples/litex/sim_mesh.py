#!/usr/bin/env python3
"""A SoC of LiteX with the mesh engine on Wishbone, in LiteX's own simulation: writes a job's registers through the SoC's bus, waits for the
interrupt, reads the frame buffer and compares every pixel with `tmugen mesh`.

    python3 sim_mesh.py [--tmugen PATH] [--memory bus|litedram] [--seed N] [--work DIR]

The engine reads the points of the mesh as a Wishbone master. Texture and frame buffer are behind its AXI4 port: with `--memory bus` that goes
to the SoC's bus, too, with `--memory litedram` to a port of LiteDRAM's controller, over LiteDRAM's model of an SDRAM.

Needs Verilator, libevent and json-c (apt-get install verilator libevent-dev libjson-c-dev) and `pip install litex==2024.12
litedram==2024.12`.
"""

import argparse
import pathlib
import random
import struct
import subprocess
import sys

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone
from migen import Display, Finish, FSM, If, Memory, NextState, NextValue, Signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from simulation import Clocking, read, run
from tmugen_litex import Core
from tmugen_litex.mesh import REGISTERS

CONFIGURATION = """\
name = "soc_mesh"
engines = ["mesh"]
[axi]
address_bits = 32
[mesh]
bus = "wishbone"
"""
MEMORY, CONTROL, MESH = 0x4000_0000, 0x8000_0000, 0x8000_1000  # Where memory, control port and engine are on the bus.
POINTS, TEXTURE, FRAME = MEMORY, MEMORY + 0x4000, MEMORY + 0x8000
MEMORY_BYTES = 0x10000
RECTANGLES, RECTANGLE, SIDE = 4, 8, 32  # A mesh of 4 x 4 rectangles of 8 x 8 pixels; sides of texture and frame buffer.
ALPHA = 40  # So that the frame buffer is read, too.
TIMEOUT_CLOCKS = 500_000


def write_job(work, seed):
    """A job of random pictures and points, as files; gives what is in memory."""
    chosen = random.Random(seed)
    pixels = {name: chosen.randbytes(2 * SIDE * SIDE) for name in ("texture", "frame")}
    for name, content in pixels.items():
        (work / f"{name}.rgb565").write_bytes(content)
    memory = bytearray(MEMORY_BYTES)
    rows = ["x,y,u,v"]
    for y in range(RECTANGLES + 1):
        for x in range(RECTANGLES + 1):
            u, v = (chosen.randint(-64 * SIDE, 128 * SIDE) for _ in range(2))
            rows.append(f"{x},{y},{u},{v}")
            struct.pack_into("<ii", memory, 8 * (128 * y + x), u, v)
    (work / "points.csv").write_text("\n".join(rows) + "\n")
    for name, address in (("texture", TEXTURE), ("frame", FRAME)):
        memory[address - MEMORY:address - MEMORY + 2 * SIDE * SIDE] = pixels[name]
    (work / "job.toml").write_text(
        'texture = "texture.rgb565"\nframe = "frame.rgb565"\nvertices = "points.csv"\n'
        f"texture_width = {SIDE}\ntexture_height = {SIDE}\nframe_width = {SIDE}\nframe_height = {SIDE}\n"
        f"hmeshlast = {RECTANGLES}\nvmeshlast = {RECTANGLES}\nrectangle_width = {RECTANGLE}\nrectangle_height = {RECTANGLE}\n"
        f"alpha = {ALPHA}\n"
    )
    return words(memory)


def words(content):
    """32-bit words of bytes, the lowest byte first."""
    return [word for word, in struct.iter_unpack("<I", bytes(content))]


# What software writes; the rest is as after a reset.
JOB = {
    "HMESHLAST": RECTANGLES, "VMESHLAST": RECTANGLES, "VERTICES": POINTS, "TEXTURE": TEXTURE, "TEXTURE_WIDTH": SIDE,
    "TEXTURE_HEIGHT": SIDE, "FRAME": FRAME, "FRAME_WIDTH": SIDE, "FRAME_HEIGHT": SIDE, "RECTANGLE_WIDTH": RECTANGLE,
    "RECTANGLE_HEIGHT": RECTANGLE, "ALPHA": ALPHA, "INTERRUPT_ENABLE": 1, "CONTROL": 1,
}


class Check(LiteXModule):
    """What software would do: registers through the bus, the interrupt, and a comparison of the frame buffer."""

    def __init__(self, interrupt, expected):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        program = [MESH + REGISTERS[name] | value << 32 for name, value in JOB.items()]
        steps, frame = Memory(64, len(program), init=program), Memory(32, len(expected), init=expected)
        step, word = steps.get_port(async_read=True), frame.get_port(async_read=True)
        self.specials += steps, frame, step, word
        place, number, clocks, begin, job = Signal(8), Signal(16), Signal(32), Signal(32), Signal(32)
        self.found, self.wanted = found, wanted = Signal(32), Signal(32)
        self.comb += [step.adr.eq(place), word.adr.eq(number)]
        self.sync += [
            clocks.eq(clocks + 1),
            If(clocks == TIMEOUT_CLOCKS, Display("nothing happens"), Finish()),
        ]
        self.fsm = fsm = FSM(reset_state="START")
        # The engine takes nothing until the reset has passed all of its clocks.
        fsm.act("START", If(clocks == 200, NextState("ID")))
        read(self, fsm, "ID", MESH + REGISTERS["IDENTITY"], 0x4D455348, "WRITE")
        fsm.act("WRITE",
            bus.cyc.eq(1), bus.stb.eq(1), bus.we.eq(1), bus.sel.eq(0xF),
            bus.adr.eq(step.dat_r[2:32]), bus.dat_w.eq(step.dat_r[32:]),
            If(bus.ack,
                NextValue(place, place + 1),
                NextValue(begin, clocks),
                If(place == len(program) - 1, NextState("DRAW")),
                If(bus.err, NextState("FAILED")),
            ),
        )
        fsm.act("DRAW", If(interrupt, NextValue(job, clocks - begin), NextState("STATUS")))
        # Neither busy nor failed, and no code.
        read(self, fsm, "STATUS", MESH + REGISTERS["STATUS"], 0, "COMPARE", mask=0xFFF)
        fsm.act("COMPARE",
            bus.cyc.eq(1), bus.stb.eq(1), bus.sel.eq(0xF), bus.adr.eq((FRAME >> 2) + number),
            If(bus.ack,
                NextValue(number, number + 1),
                If((bus.dat_r != word.dat_r) | bus.err,
                    NextValue(found, bus.dat_r),
                    NextValue(wanted, word.dat_r),
                    NextState("FAILED"),
                ).Elif(number == len(expected) - 1, NextState("PASSED")),
            ),
        )
        fsm.act("PASSED")
        fsm.act("FAILED")
        self.sync += [
            If(fsm.ongoing("PASSED"), Display("passed, drawn in %d clocks", job), Finish()),
            If(fsm.ongoing("FAILED"), Display("failed after %d words: %x, not %x", number, found, wanted), Finish()),
        ]


class Soc(SoCMini):
    def __init__(self, platform, work, tmugen, memory, contents):
        SoCMini.__init__(self, platform, clk_freq=int(100e6), ident="tmugen", ident_version=False)
        self.crg = Clocking(platform.request("sys_clk"))
        (work / "mesh.toml").write_text(CONFIGURATION)
        self.mesh = Core(platform, str(work / "hdl"), config=str(work / "mesh.toml"), tmugen=tmugen)
        self.mesh.add_to(self, "mesh", origin=CONTROL, mesh_origin=MESH, with_memory=memory == "bus")
        if memory == "bus":
            self.add_ram("memory", origin=MEMORY, size=MEMORY_BYTES, contents=contents)
        else:
            self.add_litedram(contents)

    def add_litedram(self, contents):
        """An SDRAM with its controller: the SoC's bus and the engine have a port of it each."""
        from litedram.frontend.axi import LiteDRAMAXI2Native
        from litedram.modules import MT48LC16M16
        from litedram.phy.model import SDRAMPHYModel

        module = MT48LC16M16(self.sys_clk_freq, "1:1")
        self.sdrphy = SDRAMPHYModel(module, data_width=32, clk_freq=self.sys_clk_freq, init=contents)
        # A cache between would not see what the engine writes.
        self.add_sdram("sdram", phy=self.sdrphy, module=module, origin=MEMORY, size=module_bytes(module), l2_cache_size=0)
        port = self.sdram.crossbar.get_port(data_width=len(self.mesh.memory.r.data))
        self.axi2native = LiteDRAMAXI2Native(self.mesh.memory, port, base_address=MEMORY)


def module_bytes(module):
    """Bytes of an SDRAM of two chips of 16 bits."""
    return 4 * module.nbanks * module.nrows * module.ncols


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tmugen", default="tmugen", help="the program (default: tmugen on PATH)")
    arguments.add_argument("--memory", choices=("bus", "litedram"), default="bus", help="what is behind the memory port")
    arguments.add_argument("--seed", type=int, default=1, help="of pictures and points")
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("work"), help="where everything is written")
    chosen = arguments.parse_args()
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    contents = write_job(work, chosen.seed)
    golden = work / "golden.rgb565"
    subprocess.run([chosen.tmugen, "mesh", str(work / "job.toml"), "-o", str(golden), "--force"], check=True)

    platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1))])
    soc = Soc(platform, work, chosen.tmugen, chosen.memory, contents)
    soc.check = Check(soc.mesh.interrupts["mesh"], words(golden.read_bytes()))
    soc.bus.add_master(name="check", master=soc.check.bus)
    said = run(soc, work, soc.mesh.copy_roms)
    print(f"litex: mesh, memory behind {chosen.memory}, seed {chosen.seed}: {said}")
    sys.exit(0 if said.startswith("passed") else 1)


if __name__ == "__main__":
    main()
