#!/usr/bin/env python3
"""Compares games that `dump` wrote with Fairy-Stockfish (pyffish), position by position.

usage: pyffish_diff.py GAMES.jsonl...
       pyffish_diff.py --perft COUNTS.perft...    node counts of the games that need no army, up to PERFT_MAX nodes

Translated between the two, and not counted as a difference:
- Augmented Chess: a piece of the other army's kind, `Q'` here, is a letter of its own there.
- En passant squares: named here only where the capture is legal.
- Halfmove clock of S-Chess: gating restarts it here (COM-5), but not there.
- Order of letters in pockets and in the castling field.
- S-Chess: rights to gate are kept here when nothing is left to gate.

Of the games of LISTS, whose FENs have fields of their own, legal plies and checks are compared. Some ends come earlier
here: when a king of Shatranj is bare and cannot bare the other at once, when a count of Makruk is full, and when two
passes, or one in bikjang, end a game of Janggi. A pawn's drop that mates is illegal in Shogi here (SHO-1), and listed
there.
"""
import json
import re
import sys

import pyffish

# What each kind of Augmented Chess is called in variants.ini. The crab is spelt differently there (`sb` is dropped
# without a word), and `check_leaps` makes sure that every kind moves as its parts say.
CRAB = "ffNbsN"
PERFT_MAX = 100_000
LETTERS = "rnbq"
OTHER_LETTERS = "smdg"

JANGGI = ("janggi", "janggi-traditional", "janggi-casual")
LISTS = ("shatranj", "chaturanga", "makruk", "xiangqi", "shogi", *JANGGI)
END_EARLIER = ("shatranj", "makruk", *JANGGI)

LEAPS = {
    "W": {(1, 0), (-1, 0), (0, 1), (0, -1)},
    "F": {(1, 1), (1, -1), (-1, 1), (-1, -1)},
    "D": {(2, 0), (-2, 0), (0, 2), (0, -2)},
    "A": {(2, 2), (2, -2), (-2, 2), (-2, -2)},
    "N": {(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)},
    "fbN": {(1, 2), (-1, 2), (1, -2), (-1, -2)},
    "ffNsbN": {(1, 2), (-1, 2), (2, -1), (-2, -1)},
}
SLIDES = {
    "R": {(1, 0), (-1, 0), (0, 1), (0, -1)},
    "B": {(1, 1), (1, -1), (-1, 1), (-1, -1)},
    "Q": {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)},
}


def targets(kind):
    """Squares that a kind reaches from e4 on an empty board, as its parts say."""
    found = set()
    for part in re.findall(r"ffNsbN|fbN|[WFDANRBQ]", kind):
        for dx, dy in LEAPS.get(part, ()):
            found.add((4 + dx, 3 + dy))
        for dx, dy in SLIDES.get(part, ()):
            found.update((4 + dx * n, 3 + dy * n) for n in range(1, 8))
    return {"abcdefgh"[x] + str(y + 1) for x, y in found if 0 <= x < 8 and 0 <= y < 8}


def check_leaps(name, letter, kind):
    """Fairy-Stockfish must have understood the kind: this is an oracle only then."""
    fen = f"8/8/8/8/4{letter.upper()}3/8/8/8 w - - 0 1"
    wanted = targets(kind)
    # The kings stand where the piece does not reach.
    vacant = [s for s in ("a7", "b3", "g8", "h6", "b6", "h3", "a2", "g7", "h8") if s not in wanted]
    board = {"e4": letter.upper(), vacant[0]: "K", vacant[-1]: "k"}
    rows = []
    for rank in "87654321":
        row = "".join(board.get(file + rank, "1") for file in "abcdefgh")
        rows.append(re.sub("1+", lambda ones: str(len(ones.group())), row))
    fen = "/".join(rows) + " w - - 0 1"
    found = {move[2:4] for move in pyffish.legal_moves(name, fen, []) if move.startswith("e4")}
    if found != wanted:
        sys.exit(f"{kind} is not understood: extra {sorted(found - wanted)} missing {sorted(wanted - found)}")


class Game:
    """A variant of Fairy-Stockfish, and the spelling of letters there."""

    known = {}

    def __init__(self, variant, armies):
        self.name = variant
        self.gating = variant == "seirawan"
        self.black = {}
        if armies:
            self.define(*[army.split() for army in armies])

    @classmethod
    def of(cls, variant, armies):
        key = (variant, tuple(armies or ()))
        if key not in cls.known:
            cls.known[key] = cls(variant, armies)
        return cls.known[key]

    def define(self, white, black):
        self.name = f"augmented{len(Game.known)}"
        kinds = dict(zip(LETTERS, white))
        for letter, other, w, b in zip(LETTERS, OTHER_LETTERS, white, black):
            self.black[letter] = letter if w == b else other
            if w != b:
                kinds[other] = b
        ini = [f"[{self.name}:chess]", "knight = -", "bishop = -", "rook = -", "queen = -"]
        for number, (letter, kind) in enumerate(kinds.items(), 1):
            ini.append(f"customPiece{number} = {letter}:{kind.replace('ffNsbN', CRAB)}")
        back = "".join(self.black.get(letter, letter) for letter in "rnbqkbnr")
        letters = "".join(kinds)
        ini += [
            f"promotionPieceTypes = {letters}",
            f"castlingRookPieces = {'r' + self.black['r'].replace('r', '')}",
            f"startFen = {back}/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ]
        self.ini = "\n".join(ini) + "\n"
        pyffish.load_variant_config(self.ini)
        for letter, kind in kinds.items():
            check_leaps(self.name, letter, kind)

    def letter(self, letter, other_army, white):
        """A letter of ours, in lower case, as it is there."""
        if letter not in self.black:
            return letter
        return letter if white != other_army else self.black[letter]

    def move(self, text, white):
        if not self.black:
            return text
        found = re.fullmatch(r"(\w\d\w\d)([a-z])('?)", text)
        return found[1] + self.letter(found[2], bool(found[3]), white) if found else text

    def fen(self, fen):
        """Our FEN with the letters of there."""
        if not self.black:
            return fen
        board, rest = fen.split(" ", 1)

        def piece(found):
            white = found[1].isupper()
            letter = self.letter(found[1].lower(), bool(found[2]), white)
            return letter.upper() if white else letter

        return re.sub(r"([A-Za-z])('?)", piece, board) + " " + rest

    def normal(self, fen, legal):
        """What of a FEN is compared."""
        board, turn, castling, passant, halfmoves, number = fen.split(" ")
        stock = re.search(r"\[(.*)\]", board)
        pocket = "".join(sorted(stock[1])) if stock else ""
        board = re.sub(r"\[.*\]", "", board)
        if not self.can_take(board, turn, passant, legal):
            passant = "-"
        if self.gating:
            castling = gating_rights(castling, pocket)
        return (board, pocket, turn, "".join(sorted(castling)), passant, None if self.gating else halfmoves, number)

    @staticmethod
    def can_take(board, turn, square, legal):
        if square == "-":
            return False
        squares = {}
        for rank, row in enumerate(reversed(board.split("/")), 1):
            file = 0
            for run, piece in re.findall(r"(\d+)|([A-Za-z])~?", row):
                if piece:
                    squares[f"{chr(97 + file)}{rank}"] = piece
                file += int(run or 1)
        pawn = "P" if turn == "w" else "p"
        return any(squares.get(m[:2]) == pawn and m[2:4] == square and m[0] != square[0] for m in legal)


def gating_rights(castling, pocket):
    """Gating letters of a player with nothing to gate are as good as none."""
    white = any(letter.isupper() for letter in pocket)
    black = any(letter.islower() for letter in pocket)
    keep = [c for c in castling if c in "KQkq" or (white if c.isupper() else black)]
    return "".join(keep) or "-"


def compare(game, record):
    """The first difference of a game, in words; the number of positions compared."""
    fen = start = game.fen(record["start"])
    turns = [entry["fen"].split(" ")[1] == "w" for entry in record["plies"]]
    moves = [game.move(text, white) for text, white in zip(record["moves"], turns)]
    # A call costs a millisecond whatever it does; the marks of one call say where check is given.
    checks = [pyffish.gives_check(game.name, start, [])]
    try:
        checks += [san[-1] in "+#" for san in pyffish.get_san_moves(game.name, start, moves)]
    except (ValueError, SystemError):
        checks += [None] * len(moves)  # some move is illegal there: found below
    for number, ours in enumerate(record["plies"]):
        if number:
            fen = pyffish.get_fen(game.name, fen, [moves[number - 1]])
        white = turns[number]
        legal = sorted(pyffish.legal_moves(game.name, fen, []))
        found = sorted(game.move(text, white) for text in ours["legal"])
        where = f"at {ours['fen']} ({fen}) from {record['start']}: {' '.join(record['moves'][:number])}"
        if found != legal:
            extra = sorted(set(found) - set(legal))
            missing = sorted(set(legal) - set(found))
            return number, f"extra {extra} missing {missing}\n    {where}"
        if game.normal(game.fen(ours["fen"]), legal) != game.normal(fen, legal):
            return number, f"fen {game.fen(ours['fen'])} wanted {fen}\n    {where}"
        check = checks[number]
        if check is None:
            check = pyffish.gives_check(game.name, fen, [])
        if ours["check"] != check:
            return number, f"check {ours['check']} wanted {check}\n    {where}"
        finish = None if legal else "checkmate" if check else "stalemate"
        if ours["finish"] != finish:
            return number, f"finish {ours['finish']} wanted {finish}\n    {where}"
    # The chain of FENs has lost nothing that the game itself knows.
    whole = pyffish.get_fen(game.name, start, moves)
    if whole != fen:
        return len(moves), f"Fairy-Stockfish's own chain differs: {whole}, {fen}"
    return len(moves) + 1, None


def mates_by_a_pawn(fen, move):
    """Whether the drop of a pawn mates in Shogi."""
    if not move.startswith("P@"):
        return False
    after = pyffish.get_fen("shogi", fen, [move])
    return pyffish.gives_check("shogi", after, []) and not pyffish.legal_moves("shogi", after, [])


def compare_lists(record):
    """As `compare`, for a game of LISTS."""
    variant = record["variant"].replace("-", "")
    fen = pyffish.start_fen(variant)
    for number, ours in enumerate(record["plies"]):
        if number:
            fen = pyffish.get_fen(variant, fen, [record["moves"][number - 1]])
        if ours["finish"] == "over" and record["variant"] in END_EARLIER:
            return number, None
        legal = sorted(pyffish.legal_moves(variant, fen, []))
        if variant == "shogi":
            legal = [move for move in legal if not mates_by_a_pawn(fen, move)]
        check = pyffish.gives_check(variant, fen, [])
        if sorted(ours["legal"]) != legal or ours["check"] != check:
            extra = sorted(set(ours["legal"]) - set(legal))
            missing = sorted(set(legal) - set(ours["legal"]))
            where = f"at {ours['fen']} ({fen}) from the array: {' '.join(record['moves'][:number])}"
            return number, f"extra {extra} missing {missing} check {ours['check']} wanted {check}\n    {where}"
    return len(record["plies"]), None


def perft(variant, fen, depth):
    moves = pyffish.legal_moves(variant, fen, [])
    if depth == 1:
        return len(moves)
    return sum(perft(variant, pyffish.get_fen(variant, fen, [move]), depth - 1) for move in moves)


def check_counts(path):
    """Whether all counts of a file of up to PERFT_MAX nodes are Fairy-Stockfish's too."""
    variant = fen = where = ""
    counts = differences = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            key, _, rest = line.strip().partition(" ")
            if key == "id":
                where, variant = rest, "chess"
            elif key == "variant":
                variant = rest
            elif key == "fen":
                fen = rest
            elif key == "perft":
                depth, nodes = map(int, rest.split())
                if nodes > PERFT_MAX:
                    continue
                counts += 1
                found = perft(variant, fen, depth)
                if found != nodes:
                    differences += 1
                    print(f"  {where}: Fairy-Stockfish counts {found} at depth {depth}, the file says {nodes}")
    return report("perft " + path.rsplit("/", 1)[-1] + " / FSF", counts, differences)


def report(name, positions, differences):
    print(f"{name:<28} {positions:>9} positions {differences:>5} differences", flush=True)
    # A suite that compared nothing has shown nothing.
    return differences == 0 and positions > 0


def main():
    if sys.argv[1:2] == ["--perft"]:
        sys.exit(int(not all([check_counts(path) for path in sys.argv[2:]])))
    different = False
    for path in sys.argv[1:]:
        positions = differences = 0
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                armies = record["armies"]
                if record["variant"] in LISTS:
                    count, wrong = compare_lists(record)
                else:
                    count, wrong = compare(Game.of(record["variant"], armies), record)
                positions += count
                if wrong:
                    differences += 1
                    if differences <= 10:
                        print(f"  {record['variant']} {' v '.join(armies or [])}: {wrong}")
        name = f"{path.rsplit('/', 1)[-1].split('.')[0]} / Fairy-Stockfish"
        different |= not report(name, positions, differences)
    sys.exit(int(different))


if __name__ == "__main__":
    main()
