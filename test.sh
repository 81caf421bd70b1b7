#!/usr/bin/env bash
# Everything that is tested, in one command: formatting, lints, and all tests of all crates.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The access tests start a PostgreSQL of their own; those of publication kill the program under strace.
missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
command -v strace >/dev/null || missing+=(strace)
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need ${missing[*]}: install it (on Debian: apt-get install ${missing[*]}) and run this again." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo test --locked --workspace
