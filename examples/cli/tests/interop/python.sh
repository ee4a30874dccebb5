#!/usr/bin/env bash
# Speaks to the server with the official Python SDK: see python.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
manifest=$here/../../Cargo.toml
. "$here/../../../../tests/support/interop.sh"

# As its tests build it, so that nothing is built twice.
cargo test --no-run --quiet --manifest-path "$manifest"
target=$(target_of "$manifest")
python_with "$target/interop-venv" "$here/requirements.txt"
"$python" "$here/python.py" "$target/debug/memdoc"
