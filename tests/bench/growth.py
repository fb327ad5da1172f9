#!/usr/bin/env python3
"""How the cost of judging grows with plies, games and the depth of variations: a table, and a picture of it.

    tests/bench/growth.py VALIDATE [picture.svg]

VALIDATE is the program `validate` of this folder. What is counted are instructions, by callgrind: they are the same on a
busy machine. What a start costs is taken off.
"""

import math
import re
import subprocess
import sys
import tempfile

GAME = open(__file__.rsplit("/", 1)[0] + "/chess.pgn").read().split("\n\n[Event")[0] + "\n\n"


def instructions(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        file.write(text)
        file.flush()
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, file.name]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected : (\d+)", told).group(1))


def plies(count):
    return '[White "Ann"]\n\n' + "Nf3 Nf6 Ng1 Ng8\n" * (count // 4) + "*\n"


def variations(depth):
    nested = "(1. d4 " * depth + ")" * depth
    return '[White "Ann"]\n\n1. e4 ' + (nested + " ") * (1024 // depth) + "*\n"


SERIES = [
    ("One long game", "plies", plies, [1000, 4000, 16000, 32000], lambda n: n),
    ("Many games", "games of 33 plies", lambda n: GAME * n, [50, 100, 200, 400, 800], lambda n: 33 * n),
    ("1,024 variations of a ply", "variations in one another", variations, [1, 2, 8, 32, 128], lambda n: 1024),
]


def panel(left, title, across, points):
    """Both scales are logarithmic, and a doubling is as long on both: growth in proportion rises by one for one."""
    step = 230 / math.log2(points[-1][0] / points[0][0])
    low = math.log2(min(cost for _, cost in points))
    up = min(step, 150 / max(1, math.log2(max(cost for _, cost in points)) - low))
    place = lambda x, y: (left + 45 + math.log2(x / points[0][0]) * step, 195 - (math.log2(y) - low) * up)
    line = " ".join("%.1f,%.1f" % place(x, cost) for x, cost in points)
    out = [f'<text x="{left + 35}" y="22" class="title">{title}</text><text x="{left + 35}" y="244">{across}</text>',
           f'<path d="M{left + 35} 34V210H{left + 290}" class="axis"/><polyline points="{line}"/>']
    for x, cost in points:
        at = place(x, cost)
        out.append('<circle cx="%.1f" cy="%.1f" r="3"/><text x="%.1f" y="%.1f" class="value">%.3g M</text>'
                   '<text x="%.1f" y="224" class="value">%d</text>'
                   % (*at, at[0], at[1] - 8, cost / 1e6, at[0], x))
    return "\n".join(out)


def main():
    program, picture = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    start = instructions(program, "*\n")
    panels = []
    for index, (title, across, text, sizes, count) in enumerate(SERIES):
        points = [(size, instructions(program, text(size)) - start) for size in sizes]
        panels.append(panel(index * 300, title, across, points))
        print(f"\n| {title}: {across} | million instructions | a ply |\n|---|---|---|")
        for size, cost in points:
            print(f"| {size} | {cost / 1e6:.2f} | {cost / count(size):.0f} |")
    if picture:
        style = (".title{font-size:13px;font-weight:bold}.axis{fill:none;stroke:#888}circle{fill:#246}"
                 ".value{text-anchor:middle;font-size:8px}polyline{fill:none;stroke:#246;stroke-width:1.5}")
        with open(picture, "w") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 255" font-family="sans-serif" '
                       f'font-size="11">\n<style>{style}</style>\n<rect width="900" height="255" fill="#fff"/>\n'
                       + "\n".join(panels) + "\n</svg>\n")


main()
