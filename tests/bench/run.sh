#!/usr/bin/env bash
# Runs all measurements. Prints Markdown to standard output and writes formats/growth.svg.
#
#     tests/bench/run.sh CORPUS_DIR [PAIRS]
#
# CORPUS_DIR holds files in PGN, plain or .xz. The other programs are named in tests/versus/Cargo.toml; cargo fetches them.
# Run it on an idle machine. It takes about ten minutes, half of them to build. Needs valgrind and Python.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
corpus=$(cd "$1" && pwd)
pairs=${2:-31}
cd "$(dirname "$0")"
here=$PWD
target=${CARGO_TARGET_DIR:-$PWD/target}
export CARGO_TARGET_DIR=$target
work=$target/corpus
mkdir -p "$work"

(cd ../versus && cargo build --locked --release --quiet --bin replay_bench)
cargo build --locked --release --quiet --bin validate

echo "$(date -u +%F), $(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo 'no commit'), $(rustc -V)"
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
for file in "$corpus"/*.pgn "$corpus"/*.pgn.xz; do
    [ -e "$file" ] || continue
    name=$(basename "$file" .xz)
    case "$file" in
        *.xz) xz -dkc "$file" >"$work/$name" ;;
        *) cp "$file" "$work/$name" ;;
    esac
    printf '\n## '
    (cd "$work" && "$target/release/replay_bench" "$name" "$pairs")
done
printf '\n## growth\n'
./growth.py "$target/release/validate" "$here/../../formats/growth.svg"
printf '\n## instructions\n\n'
./instructions.sh
