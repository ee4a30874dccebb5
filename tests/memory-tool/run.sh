#!/usr/bin/env bash
# Drives the memory tool through the vendor's Python SDK: see interop.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
manifest=$here/../../Cargo.toml
. "$here/../support/interop.sh"

cargo build --quiet --manifest-path "$manifest" --all-features --example files_tool
target=$(target_of "$manifest")
python_with "$target/memory-tool-venv" "$here/requirements.txt"
"$python" "$here/interop.py" "$target/debug/examples/files_tool"
