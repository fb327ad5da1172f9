#!/usr/bin/env bash
# Counts the instructions of judging a ply and compares them with those in `instructions.txt`. Times on a shared machine
# vary by half from one minute to the next; instructions hardly vary.
#
#     tests/bench/instructions.sh             exit 1 if a ply takes over TOLERANCE percent more than noted
#     UPDATE=1 tests/bench/instructions.sh    updates instructions.txt
#
# Each file of games is judged twenty times and forty times; the difference excludes the cost of the start.
# VALIDATE names the program to use; without it, the program is built. Another compiler generates other instructions: with
# a compiler other than the noted one the figures are shown and nothing fails.
set -euo pipefail
cd "$(dirname "$0")"
TOLERANCE=${TOLERANCE:-3}
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/instructions
games=../../fixtures/games

command -v valgrind >/dev/null 2>&1 ||
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind libc6-dbg; }
if [ -z "${VALIDATE:-}" ]; then
    cargo build --locked --release --quiet --bin validate
    VALIDATE=$target/release/validate
fi
mkdir -p "$work"
compiler=$(rustc --version | cut -d' ' -f1,2)

# Instructions and plies for the given number of copies of a file. The lengths of names decide where blocks lie on the
# heap, and that decides whether glibc has to clear the memory of a large table: six percent of a small file. So the
# program and its file have the same names in every checkout, and the least of three lengths counts.
cp "$VALIDATE" "$work/validate"
measure() {
    local least= now name
    for name in games games-with-a-longer-name games-with-a-name-that-is-still-longer-than-that; do
        for _ in $(seq "$2"); do cat "$1"; printf '\n'; done >"$work/$name.pgn"
        (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=callgrind.out ./validate "$name.pgn") \
            >"$work/plies" 2>"$work/log"
        now=$(sed -n 's/.*Collected : *//p' "$work/log")
        if [ -z "$least" ] || [ "$now" -lt "$least" ]; then least=$now; fi
    done
    echo "$least $(sed -n 's/.* games \([0-9]*\) plies.*/\1/p' "$work/plies")"
}

# A clock after each ply, as in online games.
sed -E '/^\[/!s/((O-)?O-O|[KQRBNa-h][a-h1-8x]*[1-8])([+#]?)/\1\3 {[%clk 0:05:00]}/g' chess.pgn >"$work/clocks.pgn"

found="$compiler"$'\n'
wrong=0
while read -r name file; do
    read -r few plies <<<"$(measure "$file" 20)"
    read -r many more <<<"$(measure "$file" 40)"
    now=$(((many - few) / (more - plies)))
    found+="$name $now"$'\n'
    before=$(sed -n "s/^$name //p" instructions.txt 2>/dev/null || true)
    echo "$name: $now instructions a ply, ${before:-nothing} noted"
    if [ -n "$before" ] && [ $((now * 100)) -gt $((before * (100 + TOLERANCE))) ]; then wrong=1; fi
done <<END
chess chess.pgn
chess-with-clocks $work/clocks.pgn
chess960 $games/chess960-whole-games.pgn
augmented $games/augmented-whole-games.pgn
ichess $games/ichess-sample.pgn
ingols $games/ingols-whole-games.pgn
iago $games/iago-whole-games.pgn
other-games $games/other-whole-games.pgn
chaos $games/chaos-short.pgn
END

if [ -n "${UPDATE:-}" ]; then
    printf '%s' "$found" >instructions.txt
elif [ "$wrong" = 1 ] && ! grep -qx "$compiler" instructions.txt; then
    echo "noted with $(head -1 instructions.txt), this is $compiler: not compared"
elif [ "$wrong" = 1 ]; then
    echo "a ply takes over $TOLERANCE percent more than noted; to accept this: UPDATE=1 tests/bench/instructions.sh"
    exit 1
fi
