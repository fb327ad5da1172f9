"""Calls the package with hostile text: calls.py CALLS [SEED]. It must raise a FerzError or return; memory must not grow."""

import random
import resource
import sys

import ferz

calls = int(sys.argv[1])
draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
TOKENS = ["1.", "e4", "Nf3", "O-O", "=Q", "{", "}", "(", ")", "[", "]", '"', "\\", "\n", "$1", "&M", "@", "~", "x", "#",
          "[Variant \"", "[FEN \"", "crazyhouse", "chaos+ichess", "8/8/8/8/8/8/8/8", " w - - 0 1", "\0", "ü", "\ud7ff",
          "1-0", "*", "9" * 30, "'", "<", ">", "=", "%", ";", "8", "/", "k", "K"]
CLAIMS = ["checkmate", "fifty_moves", "dead_position", "illegal_ply", "cannot_win", "forced_mate", "time_win", ""]
GAMES = ["chess", "ichess", "chaos+chess", "shogi", "augmented", "iago-m", "nothing", ""]


def text():
    return "".join(draw.choice(TOKENS) + draw.choice(["", " "]) for _ in range(draw.randrange(30)))


def one():
    kind = draw.randrange(7)
    if kind == 0:
        list(ferz.validate(text()))
    elif kind == 1:
        ferz.convert(text(), to=draw.choice(["san", "coord", "json", "iago", text()]))
    elif kind == 2:
        ferz.Position(draw.choice(GAMES), fen=draw.choice([None, text()])).play(text())
    elif kind == 3:
        ferz.adjudicate(text(), claim=draw.choice(CLAIMS), by=draw.choice(["white", "black"]), nodes=50)
    elif kind == 4:
        ferz.check_certificate(text(), record=text())
    elif kind == 5:
        ferz.Registry().load(text() + "\n")
    else:
        position = ferz.Position(draw.choice(GAMES[:2]))
        for _ in range(draw.randrange(12)):
            moves = position.moves()
            if not moves:
                break
            position = position.play(draw.choice(moves))
        assert ferz.Position(position.variant, fen=position.fen) == position


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


refused = 0
half = None
for call in range(calls):
    try:
        one()
    except ferz.FerzError:
        refused += 1
    if call == calls // 2:
        half = memory()
grown = memory() - half
print(f"{calls} calls, {refused} refused, {grown} KiB more in the second half")
assert grown < 40_000, grown
