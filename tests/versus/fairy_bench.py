#!/usr/bin/env python3
"""Speed beside Fairy-Stockfish: counting plies against its engine, replaying whole games against pyffish.

usage: fairy_bench.py ENGINE PERFT VALIDATE WORK [PAIRS]

ENGINE is a Fairy-Stockfish binary, PERFT this folder's `perft`, VALIDATE the program of tests/bench, WORK a folder with
`VARIANT.jsonl` as `dump` writes them. All take turns; a ratio is the median of the pairs, and over 1 means that ferz
takes less time. Times are processor time of one thread. The engine's are net of what it takes to start.
"""
import json
import os
import statistics
import subprocess
import sys
import time

import pyffish
from pyffish_diff import Game

DEPTHS = {"seirawan": 5, "capablanca": 5, "crazyhouse": 5, "augmented": 5}
# What a replay is measured on: games long enough that a call to pyffish pays.
PLIES_LEAST = 60


def cpu(command, text=""):
    """What a command prints, and its processor time in seconds."""
    before = os.times()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    after = os.times()
    return done.stdout, after.children_user - before.children_user


def turns(pairs, ours, theirs):
    """Seconds of both, shortest, and the median of the ratios."""
    ours_all, theirs_all = [], []
    for _ in range(pairs):
        ours_all.append(ours())
        theirs_all.append(theirs())
    ratios = [b / a for a, b in zip(ours_all, theirs_all)]
    return min(ours_all), min(theirs_all), statistics.median(ratios)


def counting(engine, perft, variant, records, pairs, work):
    armies = next((record["armies"] for record in records if record["armies"]), None)
    game = Game.of(variant, armies)
    setup = "uci\n"
    if armies:
        path = os.path.join(work, "augmented.ini")
        with open(path, "w", encoding="utf-8") as out:
            out.write(game.ini)
        setup += f"setoption name VariantPath value {path}\n"
    setup += f"setoption name UCI_Variant value {game.name}\nposition startpos\n"
    depth = DEPTHS[variant]
    nodes = {}

    def theirs():
        _, idle = cpu([engine], setup + "quit\n")
        out, busy = cpu([engine], setup + f"go perft {depth}\nquit\n")
        nodes["theirs"] = int(out.rsplit("Nodes searched:", 1)[1].split()[0])
        return max(busy - idle, 0.01)

    def ours():
        out = subprocess.run([perft, "time", variant, str(depth), *(armies or [])], capture_output=True, text=True)
        count, seconds = out.stdout.split()
        nodes["ours"] = int(count)
        return float(seconds)

    mine, other, ratio = turns(pairs, ours, theirs)
    if nodes["ours"] != nodes["theirs"]:
        sys.exit(f"{variant}: {nodes}")
    count = nodes["ours"]
    print(f"| perft {depth}, {variant} | {mine / count * 1e9:.1f} | {other / count * 1e9:.1f} | **{ratio:.1f}** |", flush=True)


def replaying(validate, variant, records, pairs, work):
    records = [record for record in records if len(record["moves"]) >= PLIES_LEAST]
    if not records:
        return
    path = os.path.join(work, f"{variant}.pgn")
    plies = sum(len(record["moves"]) for record in records)
    with open(path, "w", encoding="utf-8") as out:
        for record in records:
            out.write(f'[Variant "{variant}"]\n')
            for tag, army in zip(("WhiteArmy", "BlackArmy"), record["armies"] or ()):
                out.write(f'[{tag} "{army}"]\n')
            out.write(f'[SetUp "1"]\n[FEN "{record["start"]}"]\n\n{" ".join(record["moves"])} *\n\n')
    whole = []
    for record in records:
        game = Game.of(variant, record["armies"])
        white = [entry["fen"].split(" ")[1] == "w" for entry in record["plies"]]
        moves = [game.move(text, turn) for text, turn in zip(record["moves"], white)]
        whole.append((game.name, game.fen(record["start"]), moves))

    def theirs():
        best = []
        for call in (pyffish.get_fen, pyffish.get_san_moves):
            before = time.process_time()
            for name, start, moves in whole:
                call(name, start, moves)
            best.append(time.process_time() - before)
        return min(best) / plies

    def ours():
        out, _ = cpu([validate, path, "5"])
        lines = [line.split() for line in out.splitlines()]
        if any(line[4] != "0" or int(line[2]) != plies for line in lines):
            sys.exit(f"{variant}: {out}")
        return min(float(line[-2]) for line in lines) / 1e9

    mine, other, ratio = turns(pairs, ours, theirs)
    print(f"| replay, {variant} | {mine * 1e9:.0f} | {other * 1e9:.0f} | **{ratio:.0f}** |", flush=True)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    engine, perft, validate, work = sys.argv[1:5]
    pairs = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    print("| | ferz, ns a leaf or ply | Fairy-Stockfish | ratio |\n|---|---|---|---|", flush=True)
    for variant in DEPTHS:
        with open(os.path.join(work, f"{variant}.jsonl"), encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        counting(engine, perft, variant, records, pairs, work)
        replaying(validate, variant, records, pairs, work)


if __name__ == "__main__":
    main()
