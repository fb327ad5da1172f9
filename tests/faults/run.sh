#!/usr/bin/env bash
# Makes calls of imports or of services fail, and checks what is left of the archive.
#
#     tests/faults/run.sh FERZ [CASES [SEED]]
#     tests/faults/run.sh FERZ service [ROUNDS [SEED]]
set -euo pipefail
ferz=$(realpath "${1:?the program ferz}")
shift
cd "$(dirname "$0")"
cargo build --locked --release --quiet
"${CARGO_TARGET_DIR:-target}/release/faults" "$ferz" "$@"
