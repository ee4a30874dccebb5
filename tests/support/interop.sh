# What the scripts share that run programs of other ecosystems; they read it by `.`, after `set -euo pipefail`. Each exits with 0 if
# all is as expected, with 1 if anything differs, and with 77 if it cannot run here; the last line then says why.

cannot() {
  printf 'skipped: %s\n' "$1"
  exit 77
}

# Prints where the package of a manifest is built.
target_of() {
  cargo metadata --format-version 1 --no-deps --manifest-path "$1" | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
}

# Sets `python` to that of an environment that has the packages of a requirements file. It is kept for the next run in the directory
# that is named first, with what it was made of.
python_with() {
  local venv=$1 requirements=$2 own
  own=$(command -v python3) || cannot "there is no python3"
  "$own" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || cannot "python3 is older than 3.10"
  "$own" -c 'import ensurepip, venv' 2>/dev/null || cannot "python3 has no venv with pip"
  if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    "$own" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" >"$venv/pip.log" 2>&1 \
      || { cat "$venv/pip.log"; cannot "the package registry does not give what $requirements names"; }
    cp "$requirements" "$venv/requirements.txt"
  fi
  python=$venv/bin/python
  # No bytecode beside the sources.
  export PYTHONDONTWRITEBYTECODE=1
}
