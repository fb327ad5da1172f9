#!/usr/bin/env python3
"""Reads the tables of `ferz archive export --to parquet` with DuckDB and compares them with the archive, row by row.

Needs `duckdb` from PyPI. The arguments are the program and an archive.
"""
import json
import subprocess
import sys
import tempfile

import duckdb

ferz, db = sys.argv[1:3]


def lines(*arguments):
    run = subprocess.run([ferz, *arguments], capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([ferz, "archive", "export", "--db", db, "--to", "parquet", "--out", folder], check=True)
    listed = {game["id"]: game for game in lines("archive", "list", "--db", db, "--limit", "0", "--format", "ndjson")}
    tables = duckdb.connect()
    for name in ["games", "plies", "positions"]:
        tables.execute(f"CREATE VIEW {name} AS SELECT * FROM '{folder}/{name}-*.parquet'")
    columns = ["variant", "white", "black", "event", "site", "date", "round", "result", "valid", "plies", "end"]
    wanted = ", ".join(f'"{column}"' for column in columns)
    different = 0
    numbers = {}
    for number, key, *values in tables.execute(f"SELECT game, id, {wanted} FROM games").fetchall():
        numbers[key] = number
        known = listed.pop(key)
        different += [known[column] for column in columns] != values
    different += len(listed)
    # Every ply and every key, from the records themselves.
    plies = positions = 0
    for key, number in numbers.items():
        run = subprocess.run([ferz, "archive", "export", "--db", db, "--id", key], capture_output=True, text=True)
        record = subprocess.run([ferz, "convert", "--to", "json", "-"], input=run.stdout, capture_output=True, text=True)
        moves = json.loads(record.stdout.splitlines()[0])["moves"]
        played = [move["played"] for move in moves if "played" in move]
        rows = tables.execute(
            "SELECT ply, actor, kind, piece, \"from\", \"to\", promoted, coord, \"check\", mate FROM plies "
            "WHERE game = ? ORDER BY ply", [number]).fetchall()
        names = ["ply", "actor", "kind", "piece", "from", "to", "promoted", "coord", "check", "mate"]
        different += rows != [tuple(ply.get(name) for name in names) for ply in played]
        keys = tables.execute("SELECT key FROM positions WHERE game = ? AND ply > 0 ORDER BY ply", [number]).fetchall()
        different += [key for key, in keys] != [int(ply["key"], 16) for ply in played]
        plies += len(rows)
        positions += len(keys)
print(f"{len(numbers)} games, {plies} plies, {positions} positions: {different} different")
sys.exit(different > 0)
