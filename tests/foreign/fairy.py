"""Compares the legal plies of imported games with those of pyffish.

    python3 tests/foreign/fairy.py FERZ FILE [POSITIONS [SEED]]

FILE is a variants.ini; games that pyffish has built in are compared with those.
"""
import random, subprocess, sys, tempfile
from pathlib import Path
import pyffish

ferz, file = sys.argv[1], Path(sys.argv[2])
wanted, seed = int(sys.argv[3]) if len(sys.argv) > 3 else 500, int(sys.argv[4]) if len(sys.argv) > 4 else 1
known = set(pyffish.variants())
text = file.read_text()
pyffish.load_variant_config(text)
folder = Path(tempfile.mkdtemp())
made = subprocess.run([ferz, "variants", "import", str(file), "-o", str(folder)], capture_output=True, text=True)
games = [line.split(": ")[0] for line in made.stdout.splitlines()]
total = wrong = 0
for game in games:
    if game not in pyffish.variants():
        print(game, "is unknown to pyffish"); continue
    rng = random.Random(f"{seed} {game}")
    positions = []
    for _ in range(40 * wanted):
        if len(positions) >= wanted:
            break
        fen = pyffish.start_fen(game)
        moves = []
        for _ in range(rng.randint(1, 120)):
            legal = pyffish.legal_moves(game, fen, moves)
            if not legal or pyffish.is_immediate_game_end(game, fen, moves)[0]:
                break
            positions.append((pyffish.get_fen(game, fen, moves), sorted(legal)))
            moves.append(rng.choice(legal))
    if len(positions) < wanted:
        print(f"{game}: pyffish plays only {len(positions)} positions of it")
        continue
    positions = rng.sample(positions, wanted)
    record = folder / "list.pgn"
    record.write_text("".join(f'[Variant "{game}"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n*\n\n' for fen, _ in positions))
    run = subprocess.run([ferz, "--formats", str(folder / f"{game}.toml"), "moves", str(record), "--each", "--style", "uci"],
                         capture_output=True, text=True)
    lines = {}
    for line in run.stdout.splitlines():
        number, plies = line.split(":", 1)
        lines[int(number.split()[1])] = sorted(plies.split())
    bad = 0
    for number, (fen, legal) in enumerate(positions, 1):
        total += 1
        ours = lines.get(number)
        if ours != legal:
            bad += 1
            if bad <= 2:
                print("   ", game, fen, "only ours", sorted(set(ours or []) - set(legal))[:6], "only theirs", sorted(set(legal) - set(ours or []))[:6],
                      "" if ours is not None else "NOT JUDGED " + run.stderr[:200])
    wrong += bad
    print(f"{game}: {wanted - bad} of {wanted} alike", flush=True)
print(f"{len(games)} games, {total} positions, {wrong} different")
sys.exit(wrong > 0)
