#!/usr/bin/env python3
"""Kills programs that write an archive (kill -9) under load, round after round, and checks what is left.

    run.py FERZ [ROUNDS]        500 rounds without a number

In each round a service has four clients that submit games, or three imports write at the same time, until all are
killed at a random moment. Then, in a process of its own, `ferz archive verify --against` the last receipt must find
nothing; each acknowledged game must be there once, with one text; each receipt's event must be in the log at its place,
byte for byte. A game whose answer was lost is submitted again in the next round, and must be there once as well.

Prints a line for each 25 rounds, and a sum. Exit code: 0 all held, 1 not. Needs Python alone.
"""

import base64
import http.client
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROUNDS = 500
ROUNDS_OF_AN_ARCHIVE = 25
CLIENTS = 4
IMPORTS = 3
GAMES_OF_AN_IMPORT = 1500
MOVES = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "1. d4 Nf6 2. c4 g6 *", "1. f3 e5 2. g4 Qh4# 0-1", "1. e4 Ke3 *"]


def record(name, number):
    return f'[White "{name}"]\n[Black "Ben"]\n[Round "{number}"]\n\n{MOVES[number % len(MOVES)]}\n\n'


class Archive:
    """An archive with what was acknowledged of it."""

    def __init__(self, ferz, path):
        self.ferz, self.path = ferz, path
        self.lock = threading.Lock()
        self.games = {}  # id: receipt, or None where the program gives none
        self.unanswered = []
        self.last_receipt = None

    def acknowledge(self, game, receipt):
        with self.lock:
            self.games.setdefault(game, receipt)
            self.last_receipt = receipt or self.last_receipt


def submit_until_killed(archive, port, again, name, rng):
    """Submits games one after the other; keeps the one whose answer was lost."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    number = 0
    while True:
        body = again.pop() if again else "".join(record(name, number + i) for i in range(rng.choice([1, 1, 1, 5])))
        number += 5
        try:
            connection.request("POST", "/api/v1/games", body.encode())
            answer = connection.getresponse()
            stored = json.loads(answer.read())
            assert answer.status == 201, stored
        except (OSError, http.client.HTTPException, ValueError):
            with archive.lock:
                archive.unanswered.append(body)
            return
        for item in stored["items"]:
            archive.acknowledge(item["id"], item.get("receipt"))


def killed_service(archive, round_number, rng):
    arguments = [archive.ferz, "serve", "--db", archive.path, "--listen", "127.0.0.1:0", "--log", "off"]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)$", server.stdout.readline().strip()).group(1))
    again, archive.unanswered = archive.unanswered, []
    count = rng.choice([1, CLIENTS])
    clients = []
    for client in range(count):
        name = f"{round_number}-{client}"
        mine = again if client == 0 else []
        given = (archive, port, mine, name, random.Random(rng.random()))
        clients.append(threading.Thread(target=submit_until_killed, args=given))
        clients[-1].start()
    time.sleep(rng.uniform(0.02, 0.6))
    server.send_signal(signal.SIGKILL)
    server.wait()
    for client in clients:
        client.join()
    archive.unanswered += again


def read_acknowledged(archive, importing, enough):
    for count, line in enumerate(importing.stdout):
        try:
            archive.acknowledge(json.loads(line)["id"], None)
        except ValueError:
            break  # cut
        if count == enough:
            importing.send_signal(signal.SIGKILL)
    importing.wait()


def killed_imports(archive, round_number, folder, rng):
    readers = []
    for number in range(IMPORTS):
        # Half of the games are those of the other imports, too.
        text = "".join(record(f"i{round_number}-{number * (i % 2)}", i) for i in range(GAMES_OF_AN_IMPORT))
        file = os.path.join(folder, f"{number}.pgn")
        with open(file, "w", encoding="ascii") as out:
            out.write(text)
        arguments = [archive.ferz, "archive", "import", "--jobs", "1", "--format", "ndjson", "--db", archive.path, file]
        importing = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        enough = rng.randrange(GAMES_OF_AN_IMPORT)
        readers.append(threading.Thread(target=read_acknowledged, args=(archive, importing, enough)))
        readers[-1].start()
    for reader in readers:
        reader.join()


def check(archive, folder):
    """What does not hold; empty if all is well."""
    arguments = [archive.ferz, "archive", "verify", "--db", archive.path]
    if archive.last_receipt:
        kept = os.path.join(folder, "last.tlog-proof")
        with open(kept, "w", encoding="utf-8") as out:
            out.write(archive.last_receipt)
        arguments += ["--against", kept]
    verified = subprocess.run(arguments, capture_output=True, text=True, check=False)
    wrong = [] if verified.returncode == 0 else [verified.stdout + verified.stderr]
    # A copy: looking at the archive must not do the work of its next writer.
    copy = os.path.join(folder, "copy")
    for end in ["", "-wal"]:
        if os.path.exists(archive.path + end):
            with open(archive.path + end, "rb") as source, open(copy + end, "wb") as target:
                target.write(source.read())
    database = sqlite3.connect(copy)
    texts = "SELECT lower(hex(id)), count(*) FROM game JOIN submission ON submission.game = game.number GROUP BY 1"
    stored = dict(database.execute(texts))
    entries = database.execute("SELECT count(*) FROM game").fetchone()[0]
    leaves = dict(database.execute("SELECT number, leaf FROM event"))
    database.close()
    for end in ["", "-wal", "-shm"]:
        if os.path.exists(copy + end):
            os.remove(copy + end)
    if entries != len(stored):
        wrong.append(f"{entries} entries, {len(stored)} of them with a text")
    for game, receipt in archive.games.items():
        if stored.get(game) != 1:
            wrong.append(f"{game} was acknowledged and is there {stored.get(game, 0)} times")
        if receipt:
            _, extra, index = receipt.split("\n", 3)[:3]
            if leaves.get(int(index[6:])) != base64.b64decode(extra[6:]):
                wrong.append(f"{game} has a receipt of event {index[6:]}, which is not in the log")
    wrong += [f"{game} has {count} texts" for game, count in stored.items() if count != 1]
    return wrong


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    ferz = os.path.abspath(arguments[0])
    rounds = int(arguments[1]) if len(arguments) > 1 else ROUNDS
    rng, archive, acknowledged, receipts = random.Random(1), None, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            if number % ROUNDS_OF_AN_ARCHIVE == 0:
                archive = Archive(ferz, os.path.join(folder, f"{number}.ferz"))
            if number % 5 == 4:
                killed_imports(archive, number, folder, rng)
            else:
                killed_service(archive, number, rng)
            wrong = check(archive, folder)
            if wrong:
                print(f"round {number}:", *wrong[:20], sep="\n  ")
                return 1
            if (number + 1) % ROUNDS_OF_AN_ARCHIVE == 0 or number + 1 == rounds:
                acknowledged += len(archive.games)
                receipts += sum(receipt is not None for receipt in archive.games.values())
                print(f"{number + 1} rounds: {acknowledged} acknowledged games, {receipts} receipts", flush=True)
    print(f"{rounds} rounds of kill -9: nothing lost, nothing doubled; the log verified each time")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
