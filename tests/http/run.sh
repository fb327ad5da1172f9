#!/usr/bin/env bash
# Checks a running service against its own description: schemathesis makes requests from /openapi.json and checks all
# answers.
# ./run.sh [OPTIONS OF st run]. Needs python3 with venv and the PyPI registry; the default `cargo test` needs neither.
set -euo pipefail
cd "$(dirname "$0")"
if [ ! -x venv/bin/st ]; then
    python3 -m venv venv
    venv/bin/pip install --quiet --requirement requirements.txt
fi
if [ -z "${FERZ:-}" ]; then
    (cd ../.. && cargo build --quiet)
    FERZ="${CARGO_TARGET_DIR:-../../target}/debug/ferz"
fi
work=$(mktemp -d)
"$FERZ" serve --db "$work/games.ferz" --listen 127.0.0.1:0 --log json > "$work/out" 2> "$work/log" &
service=$!
trap 'kill "$service" 2> /dev/null || true; wait "$service" || true; rm -rf "$work"' EXIT
while ! grep -q '^listening on ' "$work/out"; do
    kill -0 "$service"
    sleep 0.1
done
url=$(sed -n 's/^listening on //p' "$work/out")
curl --silent --show-error --fail --output /dev/null --header 'Content-Type: application/x-chess-pgn' \
    --data-binary @../../fixtures/games/ichess-sample.pgn "$url/api/v1/games"
venv/bin/st --config-file schemathesis.toml run "$url/openapi.json" --url "$url" "$@"
# There was no status 500, and the service still runs.
! grep -q '"status":500' "$work/log"
curl --silent --show-error --fail --output /dev/null "$url/readyz"
