"""Types into a long record with variations as an editor does, and says how long each answer took: editor.py FERZ

50 edits of a record with 400 plies and 40 variations; after each, findings, hover and completions of the last text.
"""

import json
import random
import statistics
import subprocess
import sys
import time

server = subprocess.Popen([sys.argv[1], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
URI = "file:///long.pgn"


def write(message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    server.stdin.flush()


def read():
    length = 0
    while line := server.stdout.readline().strip():
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(server.stdout.read(length))


def ask(number, method, params):
    write({"id": number, "method": method, "params": params})
    while (message := read()).get("id") != number:
        pass
    assert "error" not in message, message
    return message["result"]


def findings(version):
    while True:
        message = read()
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["version"] == version:
            return message["params"]["diagnostics"]


ROUND = ["Nf3", "Nf6", "Ng1", "Ng8"]
words = ["[White \"Änn\"]\n[Black \"Бен\"]\n\n{♘ 🩏}"]
for ply in range(400):
    if ply % 2 == 0:
        words.append(f"{ply // 2 + 1}.")
    words.append(ROUND[ply % 4])
    if ply % 10 == 9:
        number = f"{ply // 2 + 1}" + ("..." if ply % 2 else ".")
        words.append(f"({number} {['e4', 'e5'][ply % 2]} {{größer ♟}})\n{ply // 2 + 2}.")
        if ply % 2 == 0:
            words.pop()
text = " ".join(words) + " *\n"
text = text.replace(".\n", ". ")

ask(0, "initialize", {"capabilities": {}})
write({"method": "initialized", "params": {}})
write({"method": "textDocument/didOpen",
       "params": {"textDocument": {"uri": URI, "languageId": "pgn", "version": 0, "text": text}}})
findings(0)

draw, times, number = random.Random(1), {"findings": [], "hover": [], "completion": []}, 0


def place(at):
    before = text[:at]
    line = before.count("\n")
    return {"line": line, "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}


for edit in range(1, 51):
    at = text.index(" ", draw.randrange(60, len(text) - 200)) + 1
    with_ = draw.choice(["e4 ", "{🩏} ", "Nf3 ", "$1 ", "♘f3 ", "("])
    here = place(at)
    text = text[:at] + with_ + text[at:]
    started = time.perf_counter()
    write({"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": edit},
        "contentChanges": [{"range": {"start": here, "end": here}, "text": with_}]}})
    findings(edit)
    times["findings"].append(time.perf_counter() - started)
    for method, position in [("hover", place(text.index("Nf6") + 1)), ("completion", place(at))]:
        number += 1
        started = time.perf_counter()
        ask(number, f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position})
        times[method].append(time.perf_counter() - started)
    # The edit is taken back, so that the game stays legal as far as the next one.
    text = text[:at] + text[at + len(with_):]
    write({"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": edit}, "contentChanges": [{"text": text}]}})
    findings(edit)

for name, all_ in times.items():
    print(f"{name}: median {statistics.median(all_) * 1e3:.1f} ms, longest {max(all_) * 1e3:.1f} ms")
ask(9999, "shutdown", None)
write({"method": "exit", "params": None})
sys.exit(server.wait() or max(max(all_) for all_ in times.values()) > 0.05)
