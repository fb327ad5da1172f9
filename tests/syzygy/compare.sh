#!/usr/bin/env bash
# Compares the reading of Syzygy files with that of python-chess, on files of three and four men that its source
# distribution has. Needs python3 with pip, and the network once.
#
#     tests/syzygy/compare.sh [POSITIONS] [SEED]     random positions of each material, 2000 by default
#
# Half of the positions with pawns on both sides have an en passant capture, where one is possible.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-${TMPDIR:-/tmp}/ferz-syzygy}
mkdir -p "$work"
if ! ls "$work"/chess-*/data/syzygy/regular/*.rtbw >/dev/null 2>&1; then
    python3 -m venv "$work/python"
    "$work/python/bin/pip" download --quiet --no-binary :all: --no-deps --dest "$work" chess==1.11.2
    tar -xzf "$work"/chess-1.11.2.tar.gz -C "$work"
    "$work/python/bin/pip" install --quiet "$work"/chess-1.11.2
fi
files=$(echo "$work"/chess-*/data/syzygy/regular)
"$work/python/bin/python" tests/syzygy/values.py "$files" "${1:-2000}" "${2:-20261129}" >"$work/values"
cd tests/bench
cargo run --quiet --locked --bin syzygy -- "$files" "$work/values"
