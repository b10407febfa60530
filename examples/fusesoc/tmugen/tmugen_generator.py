#!/usr/bin/env python3
"""Called by FuseSoC with a file that says what a design asks for: emits the hardware into the folder in which it runs, and a
core file of it under the name that FuseSoC gives. `tmugen.core` beside this file says what may be asked for."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path("hdl")
CHOICES = ("preset", "config", "configuration")


def fail(message):
    sys.exit(f"tmugen generator: {message}")


def toml_value(value, key):
    """A value as TOML writes it. JSON writes its strings, numbers and truths in the same way."""
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(one, key) for one in value) + "]"
    if isinstance(value, (str, int, float)):
        return json.dumps(value)
    fail(f"configuration.{key} is {value!r}; write a string, a number, true, false or a list of them")


def toml(configuration):
    """Keys of the whole, then the groups."""
    groups = {key: value for key, value in configuration.items() if isinstance(value, dict)}
    lines = [f"{key} = {toml_value(value, key)}" for key, value in configuration.items() if key not in groups]
    for group, keys in groups.items():
        lines.append(f"[{group}]")
        lines += [f"{key} = {toml_value(value, f'{group}.{key}')}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def asked_for(parameters, files_root):
    """Arguments of `tmugen generate` that say what is asked for."""
    unknown = sorted(set(parameters) - {*CHOICES, "tmugen"})
    if unknown:
        fail(f"there is no parameter {', '.join(unknown)}; there are {', '.join(CHOICES)} and tmugen")
    given = [choice for choice in CHOICES if choice in parameters]
    if len(given) != 1:
        fail(f"give exactly one of {', '.join(CHOICES)}, not {' and '.join(given) or 'none'}")
    value = parameters[given[0]]
    if given[0] == "preset":
        return ["--preset", str(value)]
    if given[0] == "config":
        return ["--config", os.path.join(files_root, str(value))]
    if not isinstance(value, dict):
        fail("configuration is no mapping; write the keys of a configuration below it")
    path = pathlib.Path("configuration.toml")
    path.write_text(toml(value))
    return ["--config", str(path)]


def core_file(vlnv, manifest):
    """What the design depends on: Verilog, the contents of its ROMs, and constraints for Vivado."""
    names = manifest["files"]
    # Verilog reads the contents of its ROMs by name, from the folder in which the tool runs.
    roms = [{f"{FOLDER}/{name}": {"copyto": name}} for name in names if name.endswith(".mem")]
    filesets = {
        "rtl": {"files": [f"{FOLDER}/{manifest['top']}.v"], "file_type": "verilogSource-2001"},
        "rom": {"files": roms, "file_type": "user"},
        "constraints": {"files": [f"{FOLDER}/{manifest['top']}.xdc"], "file_type": "xdc"},
    }
    target = {"filesets": ["rtl", "rom", "tool_vivado ? (constraints)"]}
    # YAML reads JSON.
    core = {"name": vlnv, "description": f"Hardware by {manifest['generator']}", "filesets": filesets, "targets": {"default": target}}
    return "CAPI=2:\n" + json.dumps(core, indent=2) + "\n"


def main():
    try:
        import yaml
    except ImportError:
        fail(f"{sys.executable} has no PyYAML; install it with `{sys.executable} -m pip install pyyaml`")
    with open(sys.argv[1]) as file:
        request = yaml.safe_load(file)
    parameters = request.get("parameters") or {}
    arguments = asked_for(parameters, request["files_root"])
    program = parameters.get("tmugen") or os.environ.get("TMUGEN") or "tmugen"
    if shutil.which(program) is None:
        fail(f"{program} is not there; put tmugen on the path, or its place into the environment as TMUGEN")
    if subprocess.run([program, "generate", *arguments, "--out", str(FOLDER)]).returncode != 0:
        fail(f"tmugen refused what {request['vlnv']} asks for; see above")
    manifest = json.loads((FOLDER / "manifest.json").read_text())
    # FuseSoC takes every core file in the folder, and this one has another name and targets that nobody asked for.
    (FOLDER / f"{manifest['top']}.core").unlink(missing_ok=True)
    name = request["vlnv"].split(":")[2]
    pathlib.Path(f"{name}.core").write_text(core_file(request["vlnv"], manifest))


if __name__ == "__main__":
    main()
