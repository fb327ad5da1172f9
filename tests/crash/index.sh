#!/usr/bin/env bash
# Kills programs that build the index of an archive, at random, and compares the answers with those without an index.
# The arguments are the program, a file of games, the number of rounds and a seed.
set -euo pipefail
ferz=$1 games=$2 rounds=${3:-200} RANDOM=${4:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
db=$folder/games.ferz
"$ferz" archive import --db "$db" "$games" >/dev/null || [ $? = 1 ]
queries=('promote N' 'QxQ next castle' 'flip material KRPvKR' 'end mate' 'Nd5 and qh4' 'claimable any' 'halfmoves >= 30 and turn white')
answers() {
    for query in "${queries[@]}"; do
        "$ferz" archive search --db "$db" --limit 0 --where "$query" 2>/dev/null || [ $? = 1 ]
    done | sha256sum
}
python3 - "$db" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as file:
    file.executescript("DELETE FROM index_segment; DELETE FROM index_block; DELETE FROM index_game;")
PYTHON
expected=$(answers)
for ((round = 1; round <= rounds; round++)); do
    "$ferz" archive index --db "$db" --rebuild >/dev/null 2>&1 &
    sleep "0.$(printf %03d $((RANDOM % 400)))"
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    # After every second kill, another program goes on.
    ((round % 2)) || "$ferz" archive index --db "$db" >/dev/null
    [ "$(answers)" = "$expected" ] || { echo "other answers after kill $round"; exit 1; }
done
"$ferz" archive verify --db "$db" --replay | tail -1
echo "$rounds kills, no other answer"
