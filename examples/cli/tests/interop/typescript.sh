#!/usr/bin/env bash
# Speaks to the server with the official TypeScript SDK: see typescript.mjs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
manifest=$here/../../Cargo.toml
. "$here/../../../../tests/support/interop.sh"
SDK='@modelcontextprotocol/sdk@^1.32'

node=$(command -v node) || cannot "there is no node"
"$node" -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)' || cannot "node is older than 18"
command -v npm >/dev/null || cannot "there is no npm"

# As its tests build it, so that nothing is built twice.
cargo test --no-run --quiet --manifest-path "$manifest"
target=$(target_of "$manifest")

# The modules are kept for the next run, with what they were made of.
modules=$target/interop-npm
if [[ $(cat "$modules/sdk" 2>/dev/null) != "$SDK" ]]; then
  rm -rf "$modules"
  mkdir -p "$modules"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$modules" "$SDK" >"$modules/npm.log" 2>&1 \
    || { cat "$modules/npm.log"; cannot "the package registry does not give $SDK"; }
  printf '%s\n' "$SDK" >"$modules/sdk"
fi

# Modules are sought beside the script.
cp "$here/typescript.mjs" "$modules/"
"$node" "$modules/typescript.mjs" "$target/debug/memdoc"
