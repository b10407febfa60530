#!/usr/bin/env python3
"""Runs `cargo mutants` on the golden model, the specification and the assets, and writes docs/reference/rust-mutants.md.

Takes an hour on 2 cores; run again, it tries those that were missed or not tried before, unless target/rust-mutants is removed.
Fails if a mutant is missed that .cargo/mutants.toml does not explain.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

# Each with the part of its mutants that a first run tries, one in so many: tests of the assets go through every size of
# texture, which takes long.
PACKAGES = {"tmu-model": 1, "tmu-spec": 1, "tmu-assets": 3}
ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = ROOT / ".cargo" / "mutants.toml"
PAGE = ROOT / "docs" / "reference" / "rust-mutants.md"
HEAD = """<!-- Made by scripts/rust_mutants.py. -->

# Mutants of the Rust side

The golden model says what is right, so its own tests must notice when it changes. `cargo mutants` changes the golden model, the
specification and the assets one expression or function at a time, and runs the tests of that crate alone. *Caught* are those that
fail a test, do not end in time, or do not compile.

| crate | mutants | tried | caught | missed | left out |
| --- | --- | --- | --- | --- | --- |
"""
REASONS = """
*Left out* are those that change nothing a test could see. `.cargo/mutants.toml` has them, with the reason of each:

| pattern | reason |
| --- | --- |
"""


def count(package, *options):
    command = ["cargo", "mutants", "--list", "--json", "-p", package, *options]
    return len(json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout))


def row(package, one_in):
    """Mutants, those tried, those caught, those missed, those left out."""
    results = ROOT / "target" / "rust-mutants" / package
    results.mkdir(parents=True, exist_ok=True)
    some = ["--shard", f"0/{one_in}", "--sharding", "round-robin"]
    which = ["--iterate"] if (results / "mutants.out").exists() else some
    subprocess.run(["cargo", "mutants", "-p", package, "-o", results, "--no-shuffle", *which], cwd=ROOT)
    missed = len((results / "mutants.out" / "missed.txt").read_text().splitlines())
    mutants, tried = count(package), count(package, *(some if which == some else []))
    return [mutants, tried, tried - missed, missed, count(package, "--no-config") - mutants]


def reasons():
    """Patterns with the comment that stands above them."""
    reason, ended = "", True
    for line in SETTINGS.read_text().splitlines():
        line = line.strip()
        if line.startswith("#"):
            reason = line[2:] if ended else f"{reason} {line[2:]}"
            ended = False
        elif match := re.fullmatch(r"'(.*)',", line):
            yield match[1].replace("|", "\\|"), reason
            ended = True
        else:
            ended = True


def main():
    if shutil.which("cargo-mutants") is None:
        sys.exit("rust_mutants: cargo-mutants is not installed; cargo install --locked cargo-mutants")
    rows = {package: row(package, one_in) for package, one_in in PACKAGES.items()}
    text = HEAD + "".join(f"| `{package}` | {' | '.join(map(str, counts))} |\n" for package, counts in rows.items())
    text += REASONS + "".join(f"| `{pattern}` | {reason} |\n" for pattern, reason in reasons())
    PAGE.write_text(text)
    missed = sum(counts[3] for counts in rows.values())
    if missed:
        sys.exit(f"rust_mutants: {missed} mutants are missed; target/rust-mutants/*/mutants.out/missed.txt names them")


if __name__ == "__main__":
    main()
