#!/usr/bin/env bash
# Builds the npm package: `src/js/build.sh [FOLDER]`, by default into src/js/target/package, and packs it there as a
# tarball if npm is at hand. Needs Rust; installs wasm-bindgen's command if it is missing or of another version.
# WASM_OPT names binaryen's optimizer; without it the module is larger, and works as well.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
package=${1:-$target/package}
version=$(sed -n 's/^wasm-bindgen = "=\([^"]*\)".*/\1/p' Cargo.toml)
tools=$target/tools

rustup target list --installed 2>/dev/null | grep -qx wasm32-unknown-unknown ||
    rustup target add wasm32-unknown-unknown
if ! "$tools/bin/wasm-bindgen" --version 2>/dev/null | grep -qx "wasm-bindgen $version"; then
    CARGO_TARGET_DIR=$target/tools-build \
        cargo install --quiet --debug --version "$version" --root "$tools" wasm-bindgen-cli
fi
CARGO_TARGET_DIR=$target cargo build --locked --release --target wasm32-unknown-unknown
mkdir -p "$package"
"$tools/bin/wasm-bindgen" --target web --no-typescript --out-dir "$package" --out-name ferz \
    --remove-name-section --remove-producers-section "$target/wasm32-unknown-unknown/release/ferz_js.wasm"
if [ -n "${WASM_OPT:-}" ]; then
    "$WASM_OPT" -O3 --all-features "$package/ferz_bg.wasm" -o "$package/ferz_bg.opt"
    mv "$package/ferz_bg.opt" "$package/ferz_bg.wasm"
fi
cp index.js index.d.ts worker.js worker.d.ts thread.js package.json README.md "$package/"
cp ../../LICENSE-MIT ../../LICENSE-APACHE "$package/"
if command -v npm >/dev/null 2>&1; then (cd "$package" && npm pack --silent >/dev/null); fi
du -b "$package/ferz_bg.wasm" | cut -f1
