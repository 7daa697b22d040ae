#!/usr/bin/env bash
# Runs a command in a new network namespace once its loopback is up. Called by crates/xtask/src/netns.rs.
set -euo pipefail
ip link set lo up
exec "$@"
