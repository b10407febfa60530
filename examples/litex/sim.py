#!/usr/bin/env python3
"""A SoC of LiteX with a texture unit, in LiteX's own simulation: reads the unit's identity through the SoC's bus, samples a picture
that lies in the SoC's memory, compares every sample with `tmugen sample`, and reads the counter of quads.

    python3 sim.py [--tmugen PATH] [--quads N] [--seed N] [--work DIR]

Needs Verilator, libevent and json-c (apt-get install verilator libevent-dev libjson-c-dev) and `pip install litex==2024.12`.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import sys

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import wishbone
from migen import Cat, Display, Finish, FSM, If, Memory, NextState, NextValue, Signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from simulation import Clocking, read, run
from tmugen_litex import Core

PICTURE = pathlib.Path(__file__).resolve().parent / "../../assets/emblem.png"
CONFIGURATION = """\
name = "soc_unit"
units = 1
[axi]
address_bits = 32
"""
ONE = 65536  # The full extent of a texture in s16.16.
TEXTURE, UNIT = 0x4000_0000, 0x8000_0000  # Where the picture and the control port are on the bus.
TIMEOUT_CLOCKS = 2_000_000


def write_quads(path, count, seed):
    """Small quads anywhere around the texture, some pixels not valid."""
    chosen = random.Random(seed)
    rows = ["u0,v0,u1,v1,u2,v2,u3,v3,valid"]
    for _ in range(count):
        u, v = (chosen.randint(-2 * ONE, 2 * ONE) for _ in range(2))
        step = 1 << chosen.randint(6, 13)
        ux, vx, uy, vy = (chosen.randint(-step, step) for _ in range(4))
        corners = (u, v, u + ux, v + vx, u + uy, v + vy, u + ux + uy, v + vx + vy)
        rows.append(",".join(str(number) for number in (*corners, chosen.choice((15, 15, 15, 5, 1)))))
    path.write_text("\n".join(rows) + "\n")


def descriptor(path):
    """The numbers of a texture's descriptor that stands beside its bytes."""
    lines = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line and "[" not in line)
    return {key.strip(): value.strip().strip('"') for key, value in lines}


def requests(texture, quads, data_bits):
    """Beats of the request stream: a binding (bilinear, mipmapped, wrap), then each quad in two beats. User and last on top."""
    width, height, levels = (int(texture[key]) for key in ("width_log2", "height_log2", "max_lod"))
    beats = [TEXTURE | width << 32 | height << 36 | levels << 40 | 1 << 52 | 1 << 53 | 1 << data_bits | 1 << data_bits + 1]
    for row in quads:
        numbers = [int(row[name]) & 0xFFFF_FFFF for name in ("u0", "v0", "u1", "v1", "u2", "v2", "u3", "v3")]
        for half in (0, 1):
            data = sum(number << 32 * place for place, number in enumerate(numbers[4 * half : 4 * half + 4]))
            beats.append(data | int(row["valid"]) << 128 | half << data_bits + 1)
    return beats


def results(golden):
    """What the result stream has to give: data, and user above it."""
    beats = []
    for row in golden:
        # Colours are written as they are read, the lowest byte first.
        pixels = b"".join(bytes.fromhex(row[f"rgba{pixel}"]) for pixel in range(4))
        beats.append(int.from_bytes(pixels, "little") | int(row["valid"]) << 128 | int(row["error"]) << 132)
    return beats


class Check(LiteXModule):
    """What software would do: registers through the bus, requests, and a comparison of what comes back."""

    def __init__(self, core, base, sent, expected, quads):
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        request, result = core.requests[0], core.results[0]
        data_bits, number, clocks = len(request.data), Signal(32), Signal(32)
        source, answers = Memory(data_bits + 2, len(sent), init=sent), Memory(133, len(expected), init=expected)
        beat, answer = source.get_port(async_read=True), answers.get_port(async_read=True)
        self.specials += source, answers, beat, answer
        place = Signal(max=len(sent) + 1)
        self.comb += [
            beat.adr.eq(place),
            answer.adr.eq(number),
            request.data.eq(beat.dat_r[:data_bits]),
            request.user.eq(beat.dat_r[data_bits]),
            request.last.eq(beat.dat_r[data_bits + 1]),
            result.ready.eq(1),
        ]
        self.found, self.wanted = found, wanted = Signal(133), Signal(133)
        self.sync += [
            clocks.eq(clocks + 1),
            If(clocks == TIMEOUT_CLOCKS, Display("nothing happens"), Finish()),
            If(request.valid & request.ready, place.eq(place + 1)),
        ]
        self.fsm = fsm = FSM(reset_state="START")
        # The control port answers with an error until the reset has passed all clocks of the unit.
        fsm.act("START", If(clocks == 100, NextState("ID")))
        read(self, fsm, "ID", base + core.registers["ID"].address, 0x544D5547, "SAMPLE")
        fsm.act("SAMPLE",
            request.valid.eq(place != len(sent)),
            If(result.valid,
                If((result.data != answer.dat_r[:128]) | (result.user != answer.dat_r[128:]),
                    NextValue(found, Cat(result.data, result.user)),
                    NextValue(wanted, answer.dat_r),
                    NextState("FAILED"),
                ).Else(
                    NextValue(number, number + 1),
                    If(number == len(expected) - 1, NextState("COUNT")),
                ),
            ),
        )
        read(self, fsm, "COUNT", base + core.registers["UNIT0_QUADS"].address, quads, "PASSED")
        fsm.act("PASSED")
        fsm.act("FAILED")
        self.sync += [
            If(fsm.ongoing("PASSED"), Display("passed after %d clocks", clocks), Finish()),
            If(fsm.ongoing("FAILED"), Display("failed with quad or register %d: %x, not %x", number, found, wanted), Finish()),
        ]


class Soc(SoCMini):
    def __init__(self, platform, work, tmugen, picture_bytes):
        SoCMini.__init__(self, platform, clk_freq=int(1e6), ident="tmugen", ident_version=False)
        self.crg = Clocking(platform.request("sys_clk"))
        (work / "unit.toml").write_text(CONFIGURATION)
        self.unit = Core(platform, str(work / "hdl"), config=str(work / "unit.toml"), tmugen=tmugen)
        self.unit.add_to(self, "unit", origin=UNIT)
        contents = get_mem_data(str(picture_bytes), data_width=32, endianness="little")
        self.add_rom("picture", origin=TEXTURE, size=4 * len(contents), contents=contents)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tmugen", default="tmugen", help="the program (default: tmugen on PATH)")
    arguments.add_argument("--quads", type=int, default=100, help="quads to sample")
    arguments.add_argument("--seed", type=int, default=1, help="of quads")
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("work"), help="where everything is written")
    chosen = arguments.parse_args()
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    picture, quads, samples = work / "picture.bin", work / "quads.csv", work / "samples.csv"

    def tmugen(*words):
        subprocess.run([chosen.tmugen, *map(str, words)], check=True)

    tmugen("pack", PICTURE, "-o", picture, "--format", "rgba8", "--resize", "pow2")
    write_quads(quads, chosen.quads, chosen.seed)
    tmugen("sample", "--texture", picture.with_suffix(".toml"), "--quads", quads, "-o", samples)
    rows, golden = (list(csv.DictReader(path.open())) for path in (quads, samples))

    platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1))])
    soc = Soc(platform, work, chosen.tmugen, picture)
    sent = requests(descriptor(picture.with_suffix(".toml")), rows, len(soc.unit.requests[0].data))
    soc.check = Check(soc.unit, UNIT, sent, results(golden), len(rows))
    soc.bus.add_master(name="check", master=soc.check.bus)
    said = run(soc, work, soc.unit.copy_roms)
    print(f"litex: {chosen.quads} quads, seed {chosen.seed}: {said}")
    sys.exit(0 if said.startswith("passed") else 1)


if __name__ == "__main__":
    main()
