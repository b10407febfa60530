#!/usr/bin/env python3
"""Builds everything for the example and runs it: hardware, texture, quads, golden samples, simulation.

    python3 run.py [--tmugen PATH] [--preset NAME] [--quads N] [--seed N] [--work DIR]

Needs Icarus Verilog and the Python packages cocotb and cocotbext-axi.
"""

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "../../assets/emblem.png"
ONE = 65536  # The full extent of a texture in s16.16.


def write_quads(path, count, seed):
    """Small quads anywhere around the texture, at any scale, some pixels not valid."""
    chosen = random.Random(seed)
    rows = ["u0,v0,u1,v1,u2,v2,u3,v3,valid"]
    for _ in range(count):
        u, v = (chosen.randint(-2 * ONE, 2 * ONE) for _ in range(2))
        step = 1 << chosen.randint(4, 13)
        ux, vx, uy, vy = (chosen.randint(-step, step) for _ in range(4))
        corners = (u, v, u + ux, v + vx, u + uy, v + vy, u + ux + uy, v + vx + vy)
        rows.append(",".join(str(number) for number in (*corners, chosen.choice((15, 15, 15, 5, 1, 0)))))
    path.write_text("\n".join(rows) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tmugen", default="tmugen", help="the program (default: tmugen on PATH)")
    arguments.add_argument("--preset", default="fury-single", help="which hardware; of several units the first is used")
    arguments.add_argument("--quads", type=int, default=200, help="quads to sample")
    arguments.add_argument("--seed", type=int, default=1, help="of quads and pauses")
    arguments.add_argument("--work", type=Path, default=HERE / "work", help="where everything is written")
    chosen = arguments.parse_args()
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    def tmugen(*words):
        subprocess.run([chosen.tmugen, *map(str, words)], check=True)

    hdl, texture, quads, samples = work / "hdl", work / "texture.bin", work / "quads.csv", work / "samples.csv"
    top = chosen.preset.replace("-", "_")
    tmugen("generate", "--preset", chosen.preset, "--out", hdl)
    tmugen("pack", PICTURE, "-o", texture, "--format", "rgba8", "--resize", "pow2")
    write_quads(quads, chosen.quads, chosen.seed)
    tmugen("sample", "--texture", texture.with_suffix(".toml"), "--quads", quads, "-o", samples, "--address-v", "mirror",
           "--preset", chosen.preset)

    os.environ.update(TMU_WORK=str(work), TMU_SEED=str(chosen.seed), PYTHONPATH=str(HERE))
    runner = get_runner("icarus")
    build = work / "build"
    runner.build(sources=[hdl / f"{top}.v"], hdl_toplevel=top, build_dir=build, timescale=("1ns", "1ps"))
    # The ROMs are read from where the simulator runs.
    results = runner.test(hdl_toplevel=top, test_module="test_texture_unit", build_dir=build, test_dir=hdl)
    count, failed = get_results(results)
    print(f"cocotb: {chosen.preset}, {count} tests, {failed} failed, {chosen.quads} quads, seed {chosen.seed}")
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
