#!/usr/bin/env bash
# Everything that is tested, in one command: formatting, lints, and all tests of all crates.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The access tests start a PostgreSQL of their own.
if ! compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "PostgreSQL's server is missing: install it (on Debian: apt-get install postgresql) and run this again." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null
fi

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo test --locked --workspace
