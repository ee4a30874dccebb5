#!/usr/bin/env bash
# Drives the memory tool through the vendor's Python SDK: see interop.py. Exits with 0 if all is as expected, with 1 if anything
# differs, and with 77 if it cannot run here; the last line then says why.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
SDK='anthropic>=2.14,<3'

cannot() {
  printf 'skipped: %s\n' "$1"
  exit 77
}

python=$(command -v python3) || cannot "there is no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || cannot "python3 is older than 3.10"
"$python" -c 'import ensurepip, venv' 2>/dev/null || cannot "python3 has no venv with pip"

cd "$root"
cargo build --quiet --example files_tool
target=$(cargo metadata --format-version 1 --no-deps \
  | "$python" -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')

# The environment is kept for the next run, with what it was made of.
venv=$target/memory-tool-venv
if [[ $(cat "$venv/sdk" 2>/dev/null) != "$SDK" ]]; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
  log=$venv/pip.log
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$SDK" >"$log" 2>&1 \
    || { cat "$log"; cannot "the package registry does not give $SDK"; }
  printf '%s\n' "$SDK" >"$venv/sdk"
fi

"$venv/bin/python" tests/memory-tool/interop.py "$target/debug/examples/files_tool"
