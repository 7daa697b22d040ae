#!/usr/bin/env bash
# Starts a realm and the Python script of the lobby. The script ends with the realm.
set -euo pipefail
binary=$1
data=${STOA_DATA:-stoa-data}

"$binary" serve --data "$data" &
realm=$!
trap 'kill "$realm" 2>/dev/null; wait "$realm" 2>/dev/null' EXIT
trap 'exit 0' INT TERM

until [ -e "$data/run/ports.json" ] && grep -q "\"pid\": *$realm" "$data/run/ports.json"; do
  kill -0 "$realm" 2>/dev/null || exit 1
  sleep 0.1
done
python examples/lobby.py "$data" &
script=$!
trap 'kill "$script" "$realm" 2>/dev/null; wait "$realm" 2>/dev/null' EXIT
wait "$realm"
