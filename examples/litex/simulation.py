"""What the simulations of LiteX share: a clock with its reset, a register that is read, building and running."""

import pathlib
import subprocess
import sys

from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.soc.integration.builder import Builder
from migen import ClockDomain, If, NextState, NextValue, Signal


class Clocking(LiteXModule):
    def __init__(self, clock):
        self.cd_sys = ClockDomain(reset_less=False)
        # Held for some clocks, as a board would.
        count = Signal(6)
        self.cd_start = ClockDomain(reset_less=True)
        self.comb += [self.cd_sys.clk.eq(clock), self.cd_start.clk.eq(clock), self.cd_sys.rst.eq(count != 63)]
        self.sync.start += If(count != 63, count.eq(count + 1))


def read(check, fsm, state, address, expected, then, mask=0xFFFF_FFFF):
    """A state that reads a register through the bus of a checker and wants a value in the bits of a mask."""
    bus = check.bus
    fsm.act(state,
        bus.cyc.eq(1), bus.stb.eq(1), bus.sel.eq(0xF), bus.adr.eq(address >> 2),
        If(bus.ack,
            NextState(then),
            If(((bus.dat_r & mask) != expected) | bus.err,
                NextValue(check.found, bus.dat_r),
                NextValue(check.wanted, expected),
                NextState("FAILED"),
            ),
        ),
    )


def run(soc, work, copy_roms):
    """Builds a SoC's simulation and runs it; gives the line that says how it ended."""
    config = SimConfig(default_clk="sys_clk")
    builder = Builder(soc, output_dir=str(work / "build"), compile_software=False, compile_gateware=True)
    copy_roms(builder.gateware_dir)
    # LiteX writes how to build and to run, but its own run says nothing of how it ended.
    builder.build(sim_config=config, run=False)
    gateware = pathlib.Path(builder.gateware_dir)
    built = subprocess.run(["bash", "build_sim.sh"], cwd=gateware, capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(f"the simulation cannot be built; are Verilator, libevent and json-c installed?\n{built.stdout[-4000:]}{built.stderr[-4000:]}")
    done = subprocess.run(["obj_dir/Vsim"], cwd=gateware, capture_output=True, text=True)
    said = [line for line in done.stdout.splitlines() if line.startswith(("passed", "failed", "nothing happens"))]
    return " ".join(said) or done.stdout
