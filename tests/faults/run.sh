#!/usr/bin/env bash
# Makes calls of an import fail, one case after the other, and checks what is left of the archive.
#
#     tests/faults/run.sh FERZ [CASES [SEED]]
set -euo pipefail
ferz=$(realpath "${1:?the program ferz}")
shift
cd "$(dirname "$0")"
cargo build --locked --release --quiet
"${CARGO_TARGET_DIR:-target}/release/faults" "$ferz" "$@"
