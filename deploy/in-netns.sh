#!/usr/bin/env bash
# Brings up loopback in the current network namespace, then runs a command. The callers create the namespace:
# crates/xtask/src/netns.rs, interop/arena_realm.py, or `unshare` by hand.
set -euo pipefail
ip link set lo up
exec "$@"
