#!/usr/bin/env bash
# Makes certificates of the fixtures and of random games, and checks them, and wrong copies of them, by a program that
# shares no code with ferz. The argument is the number of random games of each variant and length.
set -euo pipefail
cd "$(dirname "$0")/../.."
certificates=$(mktemp)
trap 'rm -f "$certificates"' EXIT
cargo run --locked --release --quiet --manifest-path tests/bench/Cargo.toml --bin hostile -- "--certificates=${1:-2}" >"$certificates"
echo "$(wc -l <"$certificates") certificates"
cargo run --locked --release --quiet --manifest-path tests/checker/Cargo.toml -- formats/variants --mutants 8 <"$certificates"
