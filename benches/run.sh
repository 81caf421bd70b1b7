#!/usr/bin/env bash
# Runs every bench, one after the other, and prints the tables of ratios as Markdown.
#
# It takes some forty minutes, half of them building, and 8 GB in $TMPDIR. Nothing else should run beside it; the ratios forgive some of it, because what
# is compared takes turns.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --bin catalogue --example ceiling >&2
# Only the tables: Criterion's own statistics for each page come with `cargo bench --bench pages`.
cargo bench --quiet --bench pages -- 'no such page'
cargo bench --quiet --bench feed
cargo bench --quiet --bench writing
cargo bench --quiet --bench access
cargo bench --quiet --bench compression
cargo bench --quiet --bench metrics
echo
benches/load.sh 2>/dev/null
