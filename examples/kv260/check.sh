#!/bin/sh
# Builds and checks what can be without a board. What is missing is named.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
have() { command -v "$1" >/dev/null || { echo "left out: $1 is not installed ($2)"; return 1; }; }
make -C c clean first_light && make -C c clean
if have aarch64-linux-gnu-gcc "apt install gcc-aarch64-linux-gnu"; then
  make -C c CROSS=aarch64-linux-gnu- first_light && make -C c clean
fi
cargo clippy --manifest-path rust/Cargo.toml --target-dir "$out" -- -D warnings
if have aarch64-linux-gnu-gcc "apt install gcc-aarch64-linux-gnu" && rustup target list --installed | grep -q aarch64-unknown-linux-gnu; then
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    cargo build --manifest-path rust/Cargo.toml --target-dir "$out" --target aarch64-unknown-linux-gnu
else
  echo "left out: the Rust program for the board (rustup target add aarch64-unknown-linux-gnu)"
fi
if have dtc "apt install device-tree-compiler"; then dtc -@ -I dts -O dtb -o "$out/overlay.dtbo" overlay.dts; fi
out=$out python3 - <<'PY'
import json
import os
book = json.load(open("pynq/first_light.ipynb"))
cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
code = "\n\n".join(cells) + "\n"
compile(code, "first_light.ipynb", "exec")
open(os.path.join(os.environ["out"], "first_light.py"), "w").write(code)
try:
    import nbformat
    nbformat.validate(nbformat.reads(json.dumps(book), as_version=4))
except ImportError:
    print("left out: nbformat is not installed (pip install nbformat)")
PY
if have ruff "pip install ruff"; then ruff check --no-cache --select E,F,W,B --line-length 120 "$out/first_light.py"; fi
echo "examples/kv260: checked"
