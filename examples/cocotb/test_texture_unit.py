"""A texture unit driven from Python: registers, memory, a binding, quads, samples.

Written against the emitted Verilog alone, with bus models that are not tmugen's own.
"""

import csv
import os
import random
import tomllib
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiRamRead,
    AxiReadBus,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

ID, WINDOW_BASE_LOW, ERROR = 0x000, 0x018, 0x020
WINDOW, BASE = 0x10_0000, 0x2000  # Where the window begins in memory, and the texture in the window.
WRAP, CLAMP, MIRROR = 0, 1, 2
FORMATS = {"rgba8": 0, "rgb8": 1, "i8_rgba8": 2, "i8_rgb8": 3}


def binding(texture, address_u=WRAP, address_v=WRAP):
    """The request that binds a texture, bilinear and mipmapped, from its descriptor."""
    return (
        BASE
        | texture["width_log2"] << 32
        | texture["height_log2"] << 36
        | texture["max_lod"] << 40
        | FORMATS[texture["format"]] << 44
        | 1 << 52
        | 1 << 53
        | address_u << 56
        | address_v << 58
        | 1 << 62  # Drops what the cache holds.
    )


def quad(row, beat_count):
    """The beats of a quad: two of two pixels, or one of four; the valid bits above the coordinates of each."""
    numbers = [int(row[name]) & 0xFFFF_FFFF for name in ("u0", "v0", "u1", "v1", "u2", "v2", "u3", "v3")]
    per_beat = len(numbers) // beat_count
    beats = (numbers[start : start + per_beat] for start in range(0, len(numbers), per_beat))
    return [sum(number << 32 * at for at, number in enumerate([*beat, int(row["valid"])])) for beat in beats]


def pauses(seed):
    """A stream that pauses one time in three."""
    chosen = random.Random(seed)
    while True:
        yield chosen.random() < 1 / 3


async def start(dut):
    """Clocks without relation to each other, and resets released one after the other."""
    for name in ("core", "tmu"):
        getattr(dut, f"{name}_aresetn").value = 0
    # Inputs that the bus models do not know, and those of further units.
    dut.s_axil_awprot.value = 0
    dut.s_axil_arprot.value = 0
    for unit in range(1, 16):
        if hasattr(dut, f"s_axis_req{unit}_tvalid"):
            for name in ("tvalid", "tdata", "tuser", "tlast"):
                getattr(dut, f"s_axis_req{unit}_{name}").value = 0
            getattr(dut, f"m_axis_res{unit}_tready").value = 0
    Clock(dut.core_aclk, 2500, "ps").start()
    Clock(dut.tmu_aclk, 2084, "ps").start()
    await ClockCycles(dut.core_aclk, 20)
    dut.tmu_aresetn.value = 1
    await ClockCycles(dut.core_aclk, 3)
    dut.core_aresetn.value = 1
    await ClockCycles(dut.core_aclk, 20)


async def nothing_unknown(dut, clock, valid, other):
    """Fails if an output is X or Z: handshakes at any time, what goes with them while it is valid."""
    while True:
        await RisingEdge(clock)
        await ReadOnly()
        shown = [*other, *valid]
        for handshake, payload in valid.items():
            if handshake.value.is_resolvable and handshake.value:
                shown += payload
        for signal in shown:
            assert signal.value.is_resolvable, f"{signal._name} is {signal.value}"


def watch(dut):
    """Every output of a unit and of the ports that it shares."""

    def of(prefix, *names):
        return [getattr(dut, f"{prefix}_{name}") for name in names]

    core = {
        dut.m_axis_res0_tvalid: of("m_axis_res0", "tdata", "tuser"),
        dut.s_axil_bvalid: of("s_axil", "bresp"),
        dut.s_axil_rvalid: of("s_axil", "rresp"),
    }
    ready = [dut.s_axis_req0_tready, *of("s_axil", "awready", "wready", "arready")]
    cocotb.start_soon(nothing_unknown(dut, dut.core_aclk, core, ready))
    address = of("m_axi", "arid", "araddr", "arlen", "arsize", "arburst", "arcache", "arprot", "arqos")
    cocotb.start_soon(nothing_unknown(dut, dut.tmu_aclk, {dut.m_axi_arvalid: address}, [dut.m_axi_rready]))


@cocotb.test()
async def samples_are_those_of_the_golden_model(dut):
    work, seed = Path(os.environ["TMU_WORK"]), int(os.environ["TMU_SEED"])
    texture = tomllib.loads((work / "texture.toml").read_text())
    quads = list(csv.DictReader((work / "quads.csv").open()))
    golden = list(csv.DictReader((work / "samples.csv").open()))
    assert len(quads) == len(golden)

    core = (dut.core_aclk, dut.core_aresetn)
    control = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), *core, reset_active_level=False)
    # A beat is one word, not a row of bytes.
    words = {"reset_active_level": False, "byte_lanes": 1}
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_req0"), *core, **words)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis_res0"), *core, **words)
    memory = AxiRamRead(
        AxiReadBus.from_prefix(dut, "m_axi"), dut.tmu_aclk, dut.tmu_aresetn, reset_active_level=False, size=1 << 21
    )
    memory.write(WINDOW + BASE, (work / "texture.bin").read_bytes())
    memory.ar_channel.set_pause_generator(pauses(seed))
    memory.r_channel.set_pause_generator(pauses(seed + 1))
    source.set_pause_generator(pauses(seed + 2))
    sink.set_pause_generator(pauses(seed + 3))
    await start(dut)
    # The simulator starts with X in every memory and register that has no initial value.
    watch(dut)

    assert await control.read_dword(ID) == int.from_bytes(b"TMUG", "big")
    await control.write_dword(WINDOW_BASE_LOW, WINDOW)
    assert await control.read_dword(WINDOW_BASE_LOW) == WINDOW

    await source.send(AxiStreamFrame([binding(texture, address_v=MIRROR)], tuser=[1]))
    beat_count = 1 if len(dut.s_axis_req0_tdata) > 256 else 2
    for row in quads:
        await source.send(AxiStreamFrame(quad(row, beat_count), tuser=[0] * beat_count))
    for number, (row, wanted) in enumerate(zip(quads, golden)):
        frame = await with_timeout(sink.recv(compact=False), 100, "us")
        colors = [frame.tdata[0] >> 32 * pixel & 0xFFFF_FFFF for pixel in range(4)]
        # R lies in the lowest byte; in the list of samples it stands first.
        found = [color.to_bytes(4, "little").hex() for color in colors]
        assert found == [wanted[f"rgba{pixel}"] for pixel in range(4)], f"quad {number}: {row}"
        assert frame.tuser[0] == int(wanted["valid"]) | int(wanted["error"]) << 4, f"quad {number}: {row}"

    assert await control.read_dword(ERROR) == 0
    assert await control.read_dword(0x100) == len(quads)
    assert sink.empty()
