#!/usr/bin/env bash
# Prints the folder of Python's virtual environments: `python/` for the tools, `arena/` for arena-py. Its name contains
# a hash of the lock files.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${STOA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stoa}
echo "$cache/venv-$(cat python/requirements.lock interop/requirements.lock | sha256sum | cut -c1-12)"
