#!/usr/bin/env bash
# Everything that is tested, in one command: formatting, lints, and all tests of all crates.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The tests start a PostgreSQL of their own, kill the program under strace, and move Chromium by its driver. Examples of the documentation,
# generated clients and the public audit of GraphQL over HTTP run by curl, jq, Python and Node, and the build brings in
# GraphiQL by npm.
missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
command -v strace >/dev/null || missing+=(strace)
command -v chromium >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
for tool in curl jq npm openssl; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
command -v node >/dev/null || missing+=(nodejs)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "The tests need ${missing[*]}: install them (on Debian: apt-get install ${missing[*]}) and run this again." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if ! node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)'; then
  echo "The tests need Node 20.19 or newer: this is $(node --version)." >&2
  exit 1
fi

# What reads the OpenAPI document from outside: at pinned versions, below target/, anew where the pins change.
tools=target/contract
mkdir -p "$tools"
if ! cmp -s tests/contract/package-lock.json "$tools/package-lock.json"; then
  cp tests/contract/package.json tests/contract/.npmrc "$tools"
  cp tests/contract/package-lock.json "$tools"
  npm ci --prefix "$tools" --silent || { rm "$tools/package-lock.json"; exit 1; }
fi
if ! cmp -s tests/contract/requirements.txt "$tools/requirements.txt"; then
  python3 -m venv --clear "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --requirement tests/contract/requirements.txt
  cp tests/contract/requirements.txt "$tools"
fi

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo test --locked --workspace
