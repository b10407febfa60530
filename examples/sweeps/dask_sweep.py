#!/usr/bin/env python3
"""Shares a sweep of `tmugen explore` among the workers of a Dask cluster and merges their results.

    python3 dask_sweep.py --workers 2 --results results -- --vary cache.ways=1,2,4 --vary cache.sets=64,256,1024
    python3 dask_sweep.py --scheduler tcp://head:8786 --results results -- --engine rtl --vary cache.ways=1,2,4

Behind -- stand arguments of `tmugen explore`. A worker that is free takes the next shard; the shard of a worker that dies goes to
another one, one that fails is tried again. Results come back through Dask, so workers need no folder in common, but tmugen of one version
and the files that the arguments name, under the same paths. The same command goes on with the shards that are not done.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", help="address of a Dask scheduler")
    where.add_argument("--scheduler-file", help="file in which a Dask scheduler has written its address")
    where.add_argument("--workers", type=int, help="start that many workers on this machine instead")
    parser.add_argument("--shards", type=int, default=64, help="parts of the sweep; several for each worker, since their costs differ")
    parser.add_argument("--retries", type=int, default=2, help="how often a shard that fails is tried again")
    parser.add_argument("--results", type=pathlib.Path, required=True, help="folder of the results")
    parser.add_argument("--tmugen", default="tmugen", help="the program, as workers find it")
    parser.add_argument("explore", nargs=argparse.REMAINDER, metavar="-- ARGUMENTS", help="of tmugen explore")
    chosen = parser.parse_args()
    chosen.explore = [argument for argument in chosen.explore if argument != "--"]
    if chosen.shards < 1 or chosen.retries < 0 or (chosen.workers is not None and chosen.workers < 1):
        parser.error("--shards and --workers are 1 at least, --retries 0")
    return chosen


def run_shard(program, explore, number, shards, threads):
    """On a worker: does a shard and gives the text of its results."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "shard.jsonl"
        command = [program, "explore", *explore, "--results", str(results), "--shard", f"{number}/{shards}"]
        environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)} if threads else None
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"shard {number}/{shards} ended with {done.returncode}:\n{done.stderr}")
        # A sweep with fewer configurations than shards leaves some without any.
        return results.read_text() if results.exists() else ""


def cluster(chosen):
    from dask.distributed import Client, LocalCluster

    if chosen.workers is None:
        return Client(chosen.scheduler or None, scheduler_file=chosen.scheduler_file), None
    # tmugen has threads of its own: one task at a time in each worker, and the processors shared.
    local = LocalCluster(n_workers=chosen.workers, threads_per_worker=1, dashboard_address=None)
    return Client(local), max(1, (os.cpu_count() or 1) // chosen.workers)


def write_whole(path, text):
    """A file is there when all of it is."""
    partial = path.with_suffix(".partial")
    partial.write_text(text)
    partial.replace(path)


def main():
    chosen = arguments()
    try:
        from dask.distributed import as_completed
    except ImportError:
        sys.exit(f"{sys.executable} has no Dask; install it with `{sys.executable} -m pip install dask distributed`")
    chosen.results.mkdir(parents=True, exist_ok=True)
    files = {number: chosen.results / f"shard-{number}-of-{chosen.shards}.jsonl" for number in range(1, chosen.shards + 1)}
    client, threads = cluster(chosen)
    failed = []
    with client:
        futures = {}
        for number in (number for number, path in files.items() if not path.exists()):
            task = (chosen.tmugen, chosen.explore, number, chosen.shards, threads)
            futures[client.submit(run_shard, *task, retries=chosen.retries, pure=False)] = number
        for future in as_completed(futures):
            number = futures[future]
            try:
                write_whole(files[number], future.result())
            # Whatever a task raises, KilledWorker among it: the others go on.
            except Exception as error:
                failed.append(number)
                print(f"shard {number}/{chosen.shards}: {error}", file=sys.stderr)
    if failed:
        sys.exit(f"shards {sorted(failed)} failed; the same command does them again")
    merge = [chosen.tmugen, "explore", "merge", *map(str, files.values()), "--complete", "--force"]
    written = ["-o", "all.jsonl"], ["--csv", "all.csv"], ["--svg", "front.svg"]
    for option, name in written:
        merge += [option, str(chosen.results / name)]
    sys.exit(subprocess.run(merge).returncode)


if __name__ == "__main__":
    main()
