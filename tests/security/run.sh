#!/usr/bin/env bash
# Attacks the guarded example with two suites of others: see run.py. Exits with 0 if all is as expected, with 1 if anything differs,
# and with 77 if it cannot run here; the last line then says why.
set -euo pipefail
package=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$package/../.." && pwd)

cannot() {
  printf 'skipped: %s\n' "$1"
  exit 77
}

python=$(command -v python3) || cannot "there is no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || cannot "python3 is older than 3.10"
"$python" -c 'import ensurepip, venv' 2>/dev/null || cannot "python3 has no venv with pip"

cargo build --quiet --manifest-path "$root/Cargo.toml" --features signing --example guarded
target=$(cargo metadata --format-version 1 --no-deps --manifest-path "$root/Cargo.toml" \
  | "$python" -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')

# The environment is kept for the next run, with what it was made of.
venv=$target/security-venv
if ! cmp --silent "$package/requirements.txt" "$venv/requirements.txt"; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
  log=$venv/pip.log
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$package/requirements.txt" >"$log" 2>&1 \
    || { cat "$log"; cannot "the package registry does not give what requirements.txt names"; }
  cp "$package/requirements.txt" "$venv/requirements.txt"
fi

# No bytecode beside the sources.
PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$package/run.py" "$target/debug/examples/guarded"
