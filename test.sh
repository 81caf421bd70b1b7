#!/usr/bin/env bash
# Everything that is tested, in one command: formatting, lints, and all tests of all crates.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The tests start a PostgreSQL of their own, kill the program under strace, move Chromium by its driver, and have Node run the public audit
# of GraphQL over HTTP, which npm installs below target/.
missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
command -v strace >/dev/null || missing+=(strace)
command -v chromium >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need ${missing[*]}: install them (on Debian: apt-get install ${missing[*]}) and run this again." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo test --locked --workspace
