#!/bin/sh
# Cargo's rustc-workspace-wrapper (.cargo/config.toml). Cargo hashes the wrapper's path into the names of the workspace's own artifacts, so
# checkouts that share CARGO_TARGET_DIR share the libraries and never each other's crates.
exec "$@"
