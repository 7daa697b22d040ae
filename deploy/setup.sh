#!/usr/bin/env bash
# Installs missing packages on a Debian-like machine as root or by sudo; otherwise prints them and fails. `tools` are
# needed to build, `tests` also for the tests, and `lab` are the servers that experiments compare with.
set -euo pipefail

# need COMMAND PACKAGE...: adds the packages if the command is missing.
packages=()
need() { command -v "$1" >/dev/null 2>&1 || packages+=("${@:2}"); }

for tool in cargo node npm python3; do
  command -v "$tool" >/dev/null 2>&1 || { echo "setup: $tool is missing: Stoa needs Rust 1.95, Node 20.19 and Python 3.11 or newer" >&2; exit 1; }
done
need cc gcc libc6-dev
need cmake cmake
if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then packages+=(python3-venv); fi

if [ "${1:-tools}" = tests ]; then
  need chromium chromium fonts-liberation
  need ip iproute2
  need mosquitto_sub mosquitto-clients
  need unshare util-linux
  if ! rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs -r test -d; then
    rustup target add wasm32-unknown-unknown
  fi
fi

if [ "${1:-tools}" = lab ]; then
  # Debian installs mosquitto in a folder of root's PATH.
  PATH="$PATH:/usr/sbin"
  need mosquitto mosquitto
  need nats-server nats-server
fi

[ ${#packages[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -eq 0 ]; then as_root=(); elif sudo -n true 2>/dev/null; then as_root=(sudo); else
  echo "setup: please install these packages: ${packages[*]}" >&2
  exit 1
fi
echo "setup: installing ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
# As services, these servers would occupy a realm's ports. The experiments start them.
if [ "${1:-tools}" = lab ] && [ -d /run/systemd/system ]; then
  for package in "${packages[@]}"; do "${as_root[@]}" systemctl disable --quiet --now "$package" || true; done
fi
