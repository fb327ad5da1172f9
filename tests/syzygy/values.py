"""Random positions of every material that has both Syzygy files in a folder, with what python-chess reads of them.

Each line is a FEN, the value from -2 to 2, and the plies to the next capture or pawn move, with tabs between.
"""

import pathlib
import random
import sys

import chess
import chess.syzygy


def placed(men, rng):
    """A position of some men, such as KRPvK, or None where they cannot stand so."""
    board = chess.Board(None)
    white, black = men.split("v")
    for color, side in ((chess.WHITE, white), (chess.BLACK, black)):
        for letter in side:
            square = rng.randrange(64)
            if board.piece_at(square):
                return None
            if letter == "P" and chess.square_rank(square) in (0, 7):
                return None
            board.set_piece_at(square, chess.Piece.from_symbol(letter if color else letter.lower()))
    board.turn = rng.random() < 0.5
    return board if board.is_valid() else None


def with_en_passant(men, rng):
    """The same with an en passant capture: a pawn of the side to move beside one that has just made two steps."""
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    rank = 4 if board.turn else 3
    file = rng.randrange(8)
    beside = file + rng.choice((-1, 1))
    if not 0 <= beside < 8:
        return None
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not board.turn))
    board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, board.turn))
    for color, side in zip((chess.WHITE, chess.BLACK), men.split("v")):
        for letter in side.replace("P", "", 1):
            square = rng.randrange(64)
            if board.piece_at(square) or letter == "P" and chess.square_rank(square) in (0, 7):
                return None
            board.set_piece_at(square, chess.Piece.from_symbol(letter if color else letter.lower()))
    board.ep_square = chess.square(file, rank + (1 if board.turn else -1))
    return board if board.is_valid() and board.has_legal_en_passant() else None


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    tables = chess.syzygy.open_tablebase(folder)
    names = sorted(path.stem for path in pathlib.Path(folder).glob("*.rtbw"))
    for name in names:
        found = 0
        while found < count:
            men = name if rng.random() < 0.5 else "v".join(reversed(name.split("v")))
            both = all("P" in side for side in men.split("v"))
            board = (with_en_passant if both and rng.random() < 0.5 else placed)(men, rng)
            if board is None:
                continue
            try:
                wdl, dtz = tables.probe_wdl(board), tables.probe_dtz(board)
            except chess.syzygy.MissingTableError:
                break
            print(board.fen(en_passant="legal"), wdl, dtz, sep="\t")
            found += 1


main()
