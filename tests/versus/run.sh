#!/bin/sh
# Runs all comparisons. Prints one line for each suite; exits 1 on any difference.
# usage: tests/versus/run.sh [GAMES]    random games against shakmaty (3000), a twentieth of it against Fairy-Stockfish
# NODES bounds the node counts (default 200 million, all of the fixtures; about ten seconds).
set -u
cd "$(dirname "$0")" || exit 2
games=${1:-3000}
few=$(((games + 19) / 20))
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/versus
wrong=0

cargo build --release --quiet || exit 2
mkdir -p "$work"
"$target/release/perft" check "${NODES:-200000000}" ../../fixtures/perft/*.perft || wrong=1
"$target/release/shakmaty_diff" "$games" || wrong=1

python=$(./pyffish_python.sh "$work") || exit 2
# Two processes at a time: a position costs Fairy-Stockfish's Python module two milliseconds.
for pair in "seirawan capablanca" "crazyhouse augmented"; do
    pids=""
    for variant in $pair; do
        "$target/release/dump" "$variant" "$few" 100 >"$work/$variant.jsonl" || exit 2
        "$python" pyffish_diff.py "$work/$variant.jsonl" &
        pids="$pids $!"
    done
    for pid in $pids; do
        wait "$pid" || wrong=1
    done
done
for variant in knightmate shatranj chaturanga makruk xiangqi shogi janggi janggi-traditional janggi-casual; do
    "$target/release/dump" "$variant" "$few" 150 >"$work/$variant.jsonl" || exit 2
    "$python" pyffish_diff.py "$work/$variant.jsonl" || wrong=1
done
"$python" -c 'import shogi' 2>/dev/null || "$python" -m pip install -q python-shogi==1.1.1 || exit 2
"$python" shogi_diff.py "$work/shogi.jsonl" || wrong=1
cargo build --release --quiet --manifest-path ../../Cargo.toml --bin ferz --target-dir "$target" || exit 2
"$python" two_boards.py "$target/release/ferz" "$few" || wrong=1
"$python" pyffish_diff.py --perft ../../fixtures/perft/witnesses.perft || wrong=1
exit $wrong
