#!/usr/bin/env python3
"""Runs `cargo mutants` on the golden model, the specification and the assets, and writes docs/reference/rust-mutants.md.

Takes two hours on 2 cores. With names of crates, only those: the page keeps the rows of the others. Run again, it tries
those that were missed or not tried before, unless target/rust-mutants is removed.
Fails if a mutant is missed that .cargo/mutants.toml does not explain.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

PACKAGES = ["tmu-model", "tmu-spec", "tmu-assets"]
# A mutant that goes round a loop for ever may allocate each time: it shall end before the machine's memory does.
MEMORY_BYTES = 8 << 30
# Exit codes of `cargo mutants`: all caught, some missed, some not done in time.
ALL_TRIED = (0, 2, 3)
ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = ROOT / ".cargo" / "mutants.toml"
PAGE = ROOT / "docs" / "reference" / "rust-mutants.md"
HEAD = """<!-- Made by scripts/rust_mutants.py. -->

# Mutants of the Rust side

The golden model says what is right, so its own tests must notice when it changes. `cargo mutants` changes the golden model, the
specification and the assets one expression or function at a time, and runs the tests of that crate alone. *Caught* are those that
fail a test, do not end in time, or do not compile.

| crate | mutants | caught | missed | left out |
| --- | --- | --- | --- | --- |
"""
REASONS = """
*Left out* are those that change nothing a test could see. `.cargo/mutants.toml` has them, with the reason of each:

| pattern | reason |
| --- | --- |
"""


def count(package, *options):
    command = ["cargo", "mutants", "--list", "--json", "-p", package, *options]
    return len(json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout))


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def row(package):
    """Mutants, those caught, those missed, those left out."""
    results = ROOT / "target" / "rust-mutants" / package
    results.mkdir(parents=True, exist_ok=True)
    again = ["--iterate"] if (results / "mutants.out").exists() else []
    command = ["cargo", "mutants", "-p", package, "-o", results, "--no-shuffle", *again]
    # Nothing is optimised there; a wrong decoder is seen in far fewer blocks.
    environment = {"TMUGEN_DECODED_BLOCKS": "20000", **os.environ}
    ended = subprocess.run(command, cwd=ROOT, env=environment, preexec_fn=limit_memory).returncode
    if ended not in ALL_TRIED:
        sys.exit(f"rust_mutants: {package}: not all mutants were tried (exit code {ended}); run it again")
    mutants = count(package)
    missed = len((results / "mutants.out" / "missed.txt").read_text().splitlines())
    return [mutants, mutants - missed, missed, count(package, "--no-config") - mutants]


def row_of_page(package):
    """What an earlier run wrote."""
    columns = re.search(rf"^\| `{package}` \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    if columns is None:
        sys.exit(f"rust_mutants: the page has no row of {package}: name it, or nothing")
    return [int(count) for count in columns[1].split(" | ")]


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
    chosen = sys.argv[1:] or PACKAGES
    if unknown := set(chosen) - set(PACKAGES):
        sys.exit(f"rust_mutants: {', '.join(sorted(unknown))}: not one of {', '.join(PACKAGES)}")
    rows = {package: row(package) if package in chosen else row_of_page(package) for package in PACKAGES}
    text = HEAD + "".join(f"| `{package}` | {' | '.join(map(str, counts))} |\n" for package, counts in rows.items())
    text += REASONS + "".join(f"| `{pattern}` | {reason} |\n" for pattern, reason in reasons())
    PAGE.write_text(text)
    missed = sum(counts[2] for counts in rows.values())
    if missed:
        sys.exit(f"rust_mutants: {missed} mutants are missed; target/rust-mutants/*/mutants.out/missed.txt names them")


if __name__ == "__main__":
    main()
