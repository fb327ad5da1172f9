#!/usr/bin/env bash
# Speed beside Fairy-Stockfish, as Markdown: tests/versus/fairy_bench.sh [PAIRS]
#
# The engine is built from the source distribution of pyffish 0.0.90 (it has custom pieces and large boards), and pyffish
# itself goes into a virtual environment, both under the target directory and on the first run only. Needs a C++ compiler
# and Python; ten minutes the first time. Best on an idle machine.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
export CARGO_TARGET_DIR=$target
work=$target/versus
mkdir -p "$work"

cargo build --locked --release --quiet --bin perft --bin dump
(cd ../bench && cargo build --locked --release --quiet --bin validate)
python=$(./pyffish_python.sh "$work")
engine=$work/fairy-stockfish
if [ ! -x "$engine" ]; then
    "$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$work" pyffish==0.0.90
    tar -xzf "$work/pyffish-0.0.90.tar.gz" -C "$work"
    (
        cd "$work/pyffish-0.0.90/src"
        sources=$(ls ./*.cpp syzygy/*.cpp nnue/*.cpp nnue/features/*.cpp | grep -v -e ffishjs -e pyffish.cpp)
        # As its own makefile builds for a processor of today (x86-64-bmi2), large boards included.
        # shellcheck disable=SC2086
        g++ -std=c++17 -O3 -DNDEBUG -flto -DLARGEBOARDS -DALLVARS -DPRECOMPUTED_MAGICS -DNNUE_EMBEDDING_OFF -DIS_64BIT \
            -DUSE_PTHREADS -DUSE_SSE2 -DUSE_SSSE3 -mssse3 -DUSE_SSE41 -msse4.1 -DUSE_POPCNT -mpopcnt -DUSE_PEXT -mbmi2 \
            -Wno-date-time $sources -o "$engine" -lpthread
    )
fi
for variant in seirawan capablanca crazyhouse augmented; do
    [ -s "$work/$variant.jsonl" ] || "$target/release/dump" "$variant" 100 100 >"$work/$variant.jsonl"
done
"$python" fairy_bench.py "$engine" "$target/release/perft" "$target/release/validate" "$work" "${1:-5}"
