#!/usr/bin/env bash
# Builds the Python wheel and the npm package, and checks both against the program: equal reports on all fixtures, byte
# for byte; the code of the guides; types; hostile calls.
#
#     tests/reach/run.sh FERZ [CALLS]     FERZ is the program; CALLS hostile calls from each language (20,000)
#
# Needs Rust and the network; Python 3.9 or later, Node 18 or later. What is not here is named as SKIPPED.
set -euo pipefail
ferz=$(realpath "$1")
calls=${2:-20000}
cd "$(dirname "$0")/../.."
work=${REACH:-${TMPDIR:-/tmp}/ferz-reach}
mkdir -p "$work"

skip() { echo "SKIPPED: $1"; }

mapfile -t files < <(find fixtures -name '*.pgn' | LC_ALL=C sort)
for file in "${files[@]}"; do "$ferz" validate --format ndjson "$file" 2>/dev/null || true; done >"$work/program.ndjson"
echo "$(wc -l <"$work/program.ndjson") reports by the program on ${#files[@]} files"

python_part() {
    [ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv" || { skip "no venv for Python"; return; }
    local bin=$work/venv/bin
    "$bin/pip" install --quiet maturin mypy chess || { skip "maturin, mypy and chess cannot be installed"; return; }
    rm -rf "$work/wheels"
    (cd src/python && "$bin/maturin" build --locked --release --quiet --target-dir "$work/python" --out "$work/wheels")
    "$bin/pip" install --quiet --force-reinstall --no-deps "$work"/wheels/*.whl
    "$bin/python" tests/reach/reports.py "${files[@]}" >"$work/python.ndjson"
    cmp "$work/program.ndjson" "$work/python.ndjson"
    echo "Python: equal reports"
    "$bin/python" -m mypy.stubtest ferz --ignore-missing-stub
    python3 tests/reach/snippets.py formats/guide/python.md python >"$work/guide.py"
    "$bin/python" -m mypy --strict "$work/guide.py"
    (cd "$work" && rm -f club.ferz* && "$bin/python" guide.py)
    echo "Python: the guide runs"
    "$bin/python" tests/reach/calls.py "$calls"
}

node_part() {
    CARGO_TARGET_DIR=$work/js src/js/build.sh "$work/package"
    node tests/reach/reports.mjs "$work/package" "${files[@]}" >"$work/node.ndjson"
    cmp "$work/program.ndjson" "$work/node.ndjson"
    echo "Node: equal reports"
    rm -rf "$work/node" && mkdir -p "$work/node"
    (cd "$work/node" && npm init -y >/dev/null && npm install --silent "$work"/package/ferz-*.tgz)
    python3 tests/reach/snippets.py formats/guide/javascript.md js >"$work/node/guide.mjs"
    (cd "$work/node" && node guide.mjs)
    echo "Node: the guide runs"
    node tests/reach/calls.mjs "$work/package" "$calls"
}

browser_part() {
    export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    [ -n "$CHROMIUM" ] || { skip "no Chromium"; return; }
    [ -d tests/browser/node_modules/playwright-core ] ||
        (cd tests/browser && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent) ||
        { skip "playwright-core cannot be installed"; return; }
    "$ferz" validate --format ndjson fixtures/games/dialects.pgn >"$work/browser.ndjson" || true
    node tests/reach/browser.mjs "$work/package" fixtures/games/dialects.pgn "$work/browser.ndjson"
}

if command -v python3 >/dev/null; then python_part; else skip "no Python"; fi
if command -v node >/dev/null; then
    node_part
    browser_part
else
    skip "no Node"
fi
