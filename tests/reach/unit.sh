#!/usr/bin/env bash
# Checks packaging/ferz.service: its exposure is at most 1.5, and no call of the service under load is one that its
# filter refuses. The load runs under strace here, since the filter itself needs systemd as the first process.
#
#     tests/reach/unit.sh FERZ
#
# Needs systemd-analyze, strace and curl; what is not here is named as SKIPPED.
set -euo pipefail
ferz=$(realpath "$1")
cd "$(dirname "$0")/../.."
unit=packaging/ferz.service
for tool in systemd-analyze strace curl; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: no $tool; $unit is not checked"; exit 0; }
done
systemd-analyze security --offline=yes --no-pager --threshold=15 "$unit" | tail -1

work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$work"' EXIT
# As in the unit the service is not root, for whom SQLite calls fchown.
user=()
if [ "$(id -u)" = 0 ]; then
    chown 65532:65532 "$work"
    install -m 755 "$ferz" "$work/ferz"
    ferz=$work/ferz
    user=(setpriv --reuid=65532 --regid=65532 --clear-groups)
fi
"${user[@]}" strace -f -qq -o "$work/calls" "$ferz" serve --db "$work/club.ferz" --listen 127.0.0.1:0 --rate 0 --log off >"$work/ready" &
service=$!
for _ in $(seq 100); do [ -s "$work/ready" ] && break; sleep 0.2; done
at=$(grep -o 'http://[0-9.:]*' "$work/ready" | head -1)
token=$("${user[@]}" "$ferz" archive token add club --db "$work/club.ferz" | tail -1)
ask() { curl --silent --show-error --output /dev/null --max-time 60 "$@"; }
for round in 1 2 3; do
    for file in fixtures/games/*.pgn; do ask --data-binary "@$file" "$at/api/v1/validate"; done
    for file in fixtures/games/*whole-games.pgn fixtures/games/ichess-sample.pgn; do
        ask -H "Authorization: Bearer $token" --data-binary "@$file" "$at/api/v1/games"
        ask --data-binary "@$file" "$at/api/v1/convert?to=json"
        ask -F "file=@$file" "$at/validate"
    done
    for path in / /games /queries /docs/ /metrics /healthz /api/v1/games "/api/v1/games?q=QxP" /log/checkpoint; do
        ask "$at$path"
    done
    ask -H 'Content-Type: application/json' "$at/api/v1/adjudicate" \
        -d '{"records":"[SetUp \"1\"]\n[FEN \"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\"]\n\n*","claim":{"kind":"forced_mate","by":"white","within":3}}'
    [ "$round" = 2 ] && "${user[@]}" "$ferz" archive backup --db "$work/club.ferz" "$work/copy.ferz" >/dev/null 2>&1
done
pkill -TERM -P "$service" 2>/dev/null || kill -TERM "$service"
wait "$service" || true
service=

sed -E 's/^[0-9]+ +//; s/\(.*//' "$work/calls" | grep -E '^[a-z_0-9]+$' | LC_ALL=C sort -u >"$work/used"
python3 - "$work/used" "$unit" <<'PY'
import re, subprocess, sys

used = open(sys.argv[1]).read().split()
filters = re.findall(r"^SystemCallFilter=(~?)(.*)$", open(sys.argv[2]).read(), re.MULTILINE)


def calls(name, seen=()):
    if not name.startswith("@"):
        return {name}
    text = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    words = [line.split()[0] for line in text.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return set().union(*(calls(word) for word in words))


allowed = set()
for denies, names in filters:
    listed = set().union(*(calls(name) for name in names.split()))
    allowed = allowed - listed if denies else allowed | listed
refused = [call for call in used if call not in allowed]
print(f"{len(used)} system calls used, {len(refused)} refused by the filter: {' '.join(refused)}")
sys.exit(bool(refused))
PY
