#!/usr/bin/env python3
"""Compares games of Shogi that `dump` wrote with python-shogi, position by position: legal plies and check.

usage: shogi_diff.py GAMES.jsonl
"""
import json
import re
import sys

import shogi


def square(file, rank):
    """A square in USI: files from the right, ranks from the top."""
    return str(ord("i") - ord(file) + 1) + chr(ord("a") + 9 - int(rank))


def usi(text):
    drop = re.fullmatch(r"([A-Z])@([a-i])(\d)", text)
    if drop:
        return f"{drop[1]}*{square(drop[2], drop[3])}"
    step = re.fullmatch(r"([a-i])(\d)([a-i])(\d)(\+?)", text)
    return square(step[1], step[2]) + square(step[3], step[4]) + step[5]


def main():
    positions = differences = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            record, board = json.loads(line), shogi.Board()
            for number, ours in enumerate(record["plies"]):
                if number:
                    board.push_usi(usi(record["moves"][number - 1]))
                if not ours["legal"] and ours["finish"] == "over":
                    break
                positions += 1
                found, legal = set(map(usi, ours["legal"])), {move.usi() for move in board.legal_moves}
                if found != legal or ours["check"] != board.is_check():
                    differences += 1
                    print(f"  at {ours['fen']}: extra {sorted(found - legal)} missing {sorted(legal - found)}")
    print(f"{'shogi / python-shogi':<28} {positions:>9} positions {differences:>5} differences", flush=True)
    # A suite that compared nothing has shown nothing.
    sys.exit(int(differences > 0 or positions == 0))


if __name__ == "__main__":
    main()
