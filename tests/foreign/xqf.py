#!/usr/bin/env python3
"""Writes games of Xiangqi as XQF files, from random play by pyffish.

    pip install pyffish
    python3 tests/foreign/xqf.py COUNT SEED DIRECTORY

Each file has variations, comments and keys of its own; beside it stands NAME.txt with its movetext in coordinates,
without numbers. With cchess installed as well, it must read the same main line (it is no part of this project).
"""
import random
import struct
import sys
from pathlib import Path

import pyffish

PAD = b"[(C) Copyright Mr. Dong Shiwei.]"
PIECES = "RNBAKABNRCCPPPPP"
GAME = "xiangqi"


def text(value, size):
    raw = value.encode("gb18030")[: size - 1]
    return bytes([len(raw)]) + raw.ljust(size - 1, b"\0")


def square(name):
    """`h10` of pyffish as file * 10 + rank, both from 0 at Red's left."""
    return (ord(name[0]) - 97) * 10 + int(name[1:]) - 1


def split(move):
    at = 2 if move[1:3] != "10" else 3
    return move[:at], move[at:]


def places(fen):
    """The squares of the 32 pieces in the order of the format; 255 where one is missing."""
    board = {}
    for row, rank in enumerate(fen.split()[0].split("/")):
        file = 0
        for char in rank:
            if char.isdigit():
                file += int(char)
            else:
                board.setdefault(char, []).append(file * 10 + 9 - row)
                file += 1
    found = []
    for side in (PIECES, PIECES.lower()):
        for piece in side:
            left = board.get(piece, [])
            found.append(left.pop(0) if left else 255)
    return found


class Keys:
    def __init__(self, version, rng):
        self.version = version
        self.raw = bytes(13)
        self.xy = self.f = self.t = self.note = 0
        self.pad = bytes(32)
        if version <= 10:
            return
        mask, a, b, c, d, total, xy, f, t = (rng.randrange(256) for _ in range(9))
        self.raw = struct.pack("<BIBBBBBBBB", mask, 0, a, b, c, d, total, xy, f, t)
        grow = lambda k, by: ((((k * k * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * by & 255
        self.xy = grow(xy, xy)
        self.f = grow(f, self.xy)
        self.t = grow(t, self.f)
        self.note = (total * 256 + xy) % 32000 + 767
        keys = [total & mask | a, xy & mask | b, f & mask | c, t & mask | d]
        self.pad = bytes(PAD[i] & keys[i % 4] for i in range(32))


def step(keys, move, note, has_next, has_other):
    raw = note.encode("gb18030")
    start, end = (square(part) for part in split(move)) if move else (0, 0)
    if keys.version <= 10:
        flags = (0xF0 if has_next else 0) | (0x0F if has_other else 0)
        return bytes([(start + 0x18) & 255, (end + 0x20) & 255, flags, 0]) + struct.pack("<I", len(raw)) + raw
    flags = (0x80 if has_next else 0) | (0x40 if has_other else 0) | (0x20 if raw else 0)
    out = bytes([(start + 0x18 + keys.f) & 255, (end + 0x20 + keys.t) & 255, flags, 0])
    return out + (struct.pack("<I", len(raw) + keys.note) + raw if raw else b"")


def grown(rng, moves, depth):
    """A tree: a list of alternatives, each a move, a note and what follows it."""
    options = pyffish.legal_moves(GAME, pyffish.start_fen(GAME), moves)
    if not options or depth == 0:
        return []
    wanted = 1 if rng.random() < 0.8 else rng.randint(2, 3)
    chosen = rng.sample(options, min(wanted, len(options)))
    note = lambda: f"注 {rng.randrange(99)}" if rng.random() < 0.1 else ""
    first = [(chosen[0], note(), grown(rng, moves + [chosen[0]], depth - 1))]
    short = [(move, note(), grown(rng, moves + [move], min(depth - 1, rng.randint(0, 4)))) for move in chosen[1:]]
    return first + short


def written(keys, tree):
    out = b""
    # The alternatives of one place follow each other, each after what follows the one before.
    for index, (move, note, after) in enumerate(tree):
        out += step(keys, move, note, bool(after), index + 1 < len(tree)) + written(keys, after)
    return out


def file(version, rng, tree, note, names):
    keys = Keys(version, rng)
    squares = places(pyffish.start_fen(GAME))
    scrambled = bytearray(32)
    for index, place in enumerate(squares):
        at = (index - keys.xy - 1) % 32 if version >= 12 else index
        scrambled[at] = (place + keys.xy) & 255
    head = b"XQ" + bytes([version]) + keys.raw + bytes(scrambled) + bytes(3) + bytes([names["result"]])
    head += bytes(12) + b"\0" + bytes(15) + text(names["title"], 64) + bytes(64) + text(names["event"], 64)
    head += text(names["date"], 16) + text(names["place"], 16) + text(names["red"], 16) + text(names["black"], 16)
    head += text("", 64) + text("", 16) + text("", 16) + bytes(32) + text(names["author"], 16) + text("", 16)
    head += bytes(528)
    assert len(head) == 1024, len(head)
    body = step(keys, None, note, bool(tree), False) + written(keys, tree)
    return head + bytes((byte + keys.pad[(1024 + at) % 32]) & 255 for at, byte in enumerate(body))


def main():
    count, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        version = rng.choice([10, 11, 12, 14, 16, 18])
        tree = grown(rng, [], rng.randint(0, 60))
        names = {"result": rng.randrange(4), "title": f"第{number}局", "event": "试验杯", "date": "2004.05.01",
                 "place": "北京", "red": "甲", "black": "乙", "author": "丙"}
        (folder / f"{number}.xqf").write_bytes(file(version, rng, tree, "开始" if number % 2 else "", names))
        text = (["{开始}"] if number % 2 else []) + movetext(tree)
        (folder / f"{number}.txt").write_text(" ".join(text) + "\n", encoding="utf-8")
        check(folder / f"{number}.xqf", tree)


def movetext(tree):
    """The first move with its note, then what may be played instead, then what follows."""
    if not tree:
        return []
    out = [tree[0][0]] + ([f"{{{tree[0][1]}}}"] if tree[0][1] else [])
    for move, note, after in tree[1:]:
        out += ["(", move] + ([f"{{{note}}}"] if note else []) + movetext(after) + [")"]
    return out + movetext(tree[0][2])


def check(path, tree):
    try:
        from cchess.read_xqf import read_from_xqf
    except ImportError:
        return
    move = read_from_xqf(str(path)).first_move
    while tree:
        start, end = (f"{part[0]}{int(part[1:]) - 1}" for part in split(tree[0][0]))
        assert move.to_iccs() == start + end, path
        move, tree = move.next_move, tree[0][2]
    assert move is None, path


main()
