#!/usr/bin/env bash
# Makes certificates of the fixtures and of random games, and checks them, and wrong copies of them, by a program that
# shares no code with ferz. The arguments are the number of random games of each variant and length, and of wrong copies.
set -euo pipefail
cd "$(dirname "$0")/../.."
certificates=$(mktemp)
trap 'rm -f "$certificates"' EXIT
cargo run --locked --release --quiet --manifest-path tests/bench/Cargo.toml --bin hostile -- "--certificates=${1:-2}" >"$certificates"
echo "$(wc -l <"$certificates") certificates"
cargo run --locked --release --quiet --manifest-path tests/checker/Cargo.toml -- formats/variants \
    --cases fixtures/conformance/*.jsonl
cargo run --locked --release --quiet --manifest-path tests/checker/Cargo.toml -- formats/variants --mutants "${2:-4}" <"$certificates"
