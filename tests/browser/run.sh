#!/usr/bin/env bash
# Drives the pages of `ferz serve` in a real Chromium: ./run.sh [FOLDER FOR SCREENSHOTS]
# Needs Debian's packages chromium and nodejs (>= 20) and the npm registry; the default `cargo test` needs none of them.
set -euo pipefail
cd "$(dirname "$0")"
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}"
if [ -z "$CHROMIUM" ]; then
    echo "run.sh: there is no Chromium; apt-get install chromium, or set CHROMIUM" >&2
    exit 2
fi
if [ ! -d node_modules/playwright-core ] || [ ! -d node_modules/axe-core ]; then
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund
fi
if [ -z "${FERZ:-}" ]; then
    (cd ../.. && cargo build --quiet)
    FERZ="${CARGO_TARGET_DIR:-../../target}/debug/ferz"
fi
export FERZ
export SHOTS="${1:-$(mktemp -d)}"
mkdir -p "$SHOTS"
echo "screenshots: $SHOTS"
node --test --test-concurrency=1 pages.test.mjs
