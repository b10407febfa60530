#!/bin/sh
# Builds the bench of a core with Verilator and runs it. Arguments are handed to the bench: +seed=3 +quads=10000.
#   TOP      the top module, PRESET what it was made of        default: fury_single, fury-single
#   HDL      the folder that `tmugen generate` has written     default: hdl-out/PRESET of the repository
#   GOLDEN   the folder of libtmu_golden.so                    default: it is built here
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
PRESET=${PRESET:-fury-single}
TOP=${TOP:-$(echo "$PRESET" | tr - _)}
HDL=$(cd "${HDL:-$repository/hdl-out/$PRESET}" && pwd)
if [ -z "${GOLDEN:-}" ]; then
    cargo build --release --manifest-path "$repository/Cargo.toml" -p tmu-model-c
    GOLDEN=$repository/target/release
fi
BUILD=${BUILD:-$here/build/$TOP}
mkdir -p "$BUILD"
verilator --binary --timing -Wno-fatal -j 2 --top-module tb --Mdir "$BUILD" \
    "-DTMU_TOP=$TOP" "-DTMU_PRESET=\"$PRESET\"" -I"$HDL" \
    "$repository/crates/tmu-model-c/dpi/tmu_golden_dpi.sv" "$HDL/$TOP.v" "$here/tb.sv" \
    -LDFLAGS "-L$GOLDEN -ltmu_golden -Wl,-rpath,$GOLDEN"
# ROM contents are read from the folder that the simulation runs in.
cd "$HDL" && exec "$BUILD/Vtb" "$@"
