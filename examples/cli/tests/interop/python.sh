#!/usr/bin/env bash
# Speaks to the server with the official Python SDK: see python.py. Exits with 0 if all is as expected, with 1 if anything
# differs, and with 77 if it cannot run here; the last line then says why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$here/../..
SDK='mcp>=2.3,<3'

cannot() {
  printf 'skipped: %s\n' "$1"
  exit 77
}

python=$(command -v python3) || cannot "there is no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || cannot "python3 is older than 3.10"
"$python" -c 'import ensurepip, venv' 2>/dev/null || cannot "python3 has no venv with pip"

# As its tests build it, so that nothing is built twice.
cargo test --no-run --quiet --manifest-path "$package/Cargo.toml"
target=$(cargo metadata --format-version 1 --no-deps --manifest-path "$package/Cargo.toml" \
  | "$python" -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')

# The environment is kept for the next run, with what it was made of.
venv=$target/interop-venv
if [[ $(cat "$venv/sdk" 2>/dev/null) != "$SDK" ]]; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
  log=$venv/pip.log
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$SDK" >"$log" 2>&1 \
    || { cat "$log"; cannot "the package registry does not give $SDK"; }
  printf '%s\n' "$SDK" >"$venv/sdk"
fi

"$venv/bin/python" "$here/python.py" "$target/debug/memdoc"
