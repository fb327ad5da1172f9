#!/usr/bin/env python3
"""Games of Bughouse that Fairy-Stockfish makes, each board by itself, judged by `ferz` as records on two boards.

Compared are the verdict and the last position of every game, and the legal plies of one position in twenty. A captured
piece is handed over here: Fairy-Stockfish has one board.

usage: two_boards.py FERZ GAMES [SEED]
"""
import json
import random
import subprocess
import sys
import tempfile

import pyffish

GAME = "bughouse"


def hand(fen):
    placement = fen.split()[0]
    return placement[placement.index("[") + 1 : -1]


def with_hand(fen, pieces):
    placement, *rest = fen.split()
    return " ".join([placement[: placement.index("[")] + "[" + "".join(sorted(pieces)) + "]"] + rest)


def pieces(fen):
    """Each square with its piece, and whether that was promoted."""
    found = {}
    for rank, row in zip("87654321", fen.split("[")[0].split("/")):
        file = 0
        for at, letter in enumerate(row):
            if letter.isdigit():
                file += int(letter)
            elif letter != "~":
                found["abcdefgh"[file] + rank] = (letter, row[at + 1 : at + 2] == "~")
                file += 1
    return found


def captured(fen, ply):
    """The letter of the piece that a ply captures, as its owner's partner gets it."""
    if "@" in ply:
        return None
    board, origin, target = pieces(fen), ply[:2], ply[2:4]
    mover = board[origin][0]
    if target in board:
        letter, promoted = board[target]
        if letter.isupper() == mover.isupper():
            return None  # castling in the form of a king that takes its rook
        return ("P" if letter.isupper() else "p") if promoted else letter
    en_passant = mover in "Pp" and origin[0] != target[0]
    return ("p" if mover == "P" else "P") if en_passant else None


def legal(fen):
    held, white = hand(fen), fen.split()[1] == "w"
    has = lambda ply: "@" not in ply or (ply[0] if white else ply[0].lower()) in held
    return [ply for ply in pyffish.legal_moves(GAME, fen, []) if has(ply)]


def play(dice):
    """The plies of a game with their numbers, its last positions, and some positions with their legal plies."""
    fens, plies, lists = [pyffish.start_fen(GAME)] * 2, [], []
    for _ in range(dice.randint(20, 140)):
        board = dice.randrange(2)
        fen, white = fens[board], fens[board].split()[1] == "w"
        choice = legal(fen)
        if dice.random() < 0.05:
            lists.append((fen, sorted(choice)))
        captures = [ply for ply in choice if captured(fen, ply)]
        if not choice:
            continue  # the player waits
        ply = dice.choice(captures if captures and dice.random() < 0.35 else choice)
        held = list(hand(fen))
        if "@" in ply:
            held.remove(ply[0] if white else ply[0].lower())
        fens[board] = with_hand(pyffish.get_fen(GAME, fen, [ply]), held)
        sent = captured(fen, ply)
        if sent:
            fens[1 - board] = with_hand(fens[1 - board], list(hand(fens[1 - board])) + [sent])
        seat = "AB"[board] if white else "ab"[board]
        plies.append(f"{fen.split()[-1]}{seat}. {ply}")
    return plies, fens, lists


def essence(fen):
    placement, turn, rights, *_ = fen.split()
    return placement.split("[")[0], sorted(hand(fen)), turn, rights


def main():
    ferz, count, seed = sys.argv[1], int(sys.argv[2]), int((sys.argv + ["1"])[3])
    dice = random.Random(seed)
    games = [play(dice) for _ in range(count)]
    players = "".join(f'[{tag} "?"]\n' for tag in ["WhiteA", "BlackA", "WhiteB", "BlackB"])
    with tempfile.NamedTemporaryFile("w", suffix=".bpgn") as file:
        for plies, _, _ in games:
            file.write(f'{players}[Result "*"]\n\n' + "\n".join(plies) + "\n*\n\n")
        file.flush()
        run = [ferz, "validate", "--format", "ndjson", file.name]
        reports = subprocess.run(run, capture_output=True, text=True).stdout.splitlines()
    differences = abs(len(reports) - count)
    for line, (plies, fens, _) in zip(reports, games):
        report = json.loads(line)
        ours = report["final_fen"].split(" | ")
        if not report["legal"] or list(map(essence, ours)) != list(map(essence, fens)):
            differences += 1
            print(f"  {report['illegal']} {ours} {fens}: {' '.join(plies)}")
    positions = 0
    for fen, theirs in (listed for game in games for listed in game[2]):
        run = [ferz, "moves", GAME, "--style", "coord", "--fen", fen]
        ours = sorted(subprocess.run(run, capture_output=True, text=True).stdout.split())
        positions += 1
        if ours != theirs:
            differences += 1
            print(f"  at {fen}: extra {sorted(set(ours) - set(theirs))} missing {sorted(set(theirs) - set(ours))}")
    plies = sum(len(game[0]) for game in games)
    print(f"{'bughouse / pyffish':<28} {plies:>9} plies {positions:>9} positions {differences:>5} differences")
    # A suite that compared nothing has shown nothing.
    sys.exit(int(differences > 0 or positions == 0))


if __name__ == "__main__":
    main()
