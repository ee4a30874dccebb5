#!/usr/bin/env bash
# Attacks the guarded example with two suites of others: see run.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
manifest=$here/../../Cargo.toml
. "$here/../support/interop.sh"

cargo build --quiet --manifest-path "$manifest" --all-features --example guarded
target=$(target_of "$manifest")
python_with "$target/security-venv" "$here/requirements.txt"
"$python" "$here/run.py" "$target/debug/examples/guarded"
