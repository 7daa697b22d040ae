#!/usr/bin/env bash
# Cargo's rustc-workspace-wrapper (.cargo/config.toml). Cargo hashes the wrapper's path into the names of the
# workspace's own artifacts, so checkouts that share CARGO_TARGET_DIR share the libraries and never each other's crates.
# Bash, since dash drops variables such as CARGO_BIN_EXE_stoa-lab from the environment: their names contain a hyphen.
exec "$@"
