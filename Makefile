# `make run` starts a realm, `make test` runs every test. Both set up a new machine that has Rust, Node and Python.
# Build caches are outside of the checkout, so that a new clone uses them.

STOA_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/stoa
export CARGO_TARGET_DIR ?= $(STOA_CACHE)/target
export STOA_CACHE
VENV := $(shell STOA_CACHE='$(STOA_CACHE)' deploy/venv.sh)
ESTOI := $(STOA_CACHE)/estoi-$(shell sha256sum web/app/lab/voice/requirements.lock | cut -c1-12)
LIVEKIT := $(STOA_CACHE)/livekit-$(shell cat deploy/livekit.sh experiments/voice/requirements.lock | sha256sum | cut -c1-12)
export PATH := $(VENV)/python/bin:$(PATH)
export ESTOI_PYTHON = $(ESTOI)/bin/python
export ARENA_PYTHON = $(VENV)/arena/bin/python
export LIVEKIT_PYTHON = $(LIVEKIT)/python/bin/python
export PYTHONPATH = $(CURDIR)/python

.PHONY: run test check gen stoa-lab lab screenshots web setup setup-test clean

# The copy of the binary in the checkout serves its other commands: `./stoa --help`. Without symbols it has a third of
# the size. The lab measures a binary with symbols.
run: setup web
	cargo build --release --package stoa-server
	install -s -m 755 $(CARGO_TARGET_DIR)/release/stoa stoa
	deploy/run.sh ./stoa

test: setup-test web
	cargo xtask test

check: setup-test web
	cargo xtask check

# Generates types and reference pages from spec/, and the tables in docs/components/ from the registered components.
gen: web/node_modules/.ready
	cargo xtask gen
	cd web && STOA_GEN=pages npx vitest run --project aframe component-pages

# Builds the experiments: `./stoa-lab list`. The experiments start `./stoa`, and `mosquitto`, `nats-server` and
# `livekit-server` if installed. `install -p` keeps the build's time, so that an interrupted run of an unchanged lab can
# continue.
stoa-lab: setup-test web $(ESTOI)/.ready $(LIVEKIT)/.ready
	@deploy/setup.sh lab
	cargo build --release --package stoa-server --package stoa-lab
	install -p -m 755 $(CARGO_TARGET_DIR)/release/stoa stoa
	install -p -m 755 $(CARGO_TARGET_DIR)/release/stoa-lab stoa-lab

# Runs the ten-minute version of all experiments, which writes docs/lab/index.html. Another command of the lab, in the
# same environment: make lab LAB="fanout --json".
LAB ?= all --short
lab: stoa-lab
	PATH="$$PATH:/usr/sbin:$(LIVEKIT)" ./stoa-lab $(LAB)

# Makes the pictures of docs/ by the end-to-end tests.
screenshots:
	STOA_SCREENSHOTS=$(CURDIR)/docs/screenshots $(MAKE) test

# The pages are built only after a change, because newer pages would rebuild the binary that embeds them.
WEB_SOURCES = $(shell find web/client/src web/voice/src web/aframe/src web/aframe/assets web/app/src web/app/public -type f) web/app/index.html web/app/vite.config.ts web/app/compressed.ts web/app/scene-files.ts web/package-lock.json
web: setup web/app/dist/index.html

web/app/dist/index.html: web/node_modules/.ready $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@

setup: $(VENV)/.ready web/node_modules/.ready
	@deploy/setup.sh tools

setup-test: setup
	@deploy/setup.sh tests

# arena-py runs unmodified and pins its own libraries, so it gets a separate environment.
$(VENV)/.ready: python/requirements.lock interop/requirements.lock
	@deploy/setup.sh tools
	python3 -m venv $(VENV)/python
	$(VENV)/python/bin/pip install --quiet --requirement python/requirements.lock
	python3 -m venv $(VENV)/arena
	$(VENV)/arena/bin/pip install --quiet --requirement interop/requirements.lock
	@touch $@

# Measures how intelligible a heard voice is.
$(ESTOI)/.ready: web/app/lab/voice/requirements.lock
	@deploy/setup.sh tools
	python3 -m venv $(ESTOI)
	$(ESTOI)/bin/pip install --quiet --requirement web/app/lab/voice/requirements.lock
	@touch $@

$(LIVEKIT)/.ready:
	@deploy/setup.sh tools
	deploy/livekit.sh $(LIVEKIT)
	@touch $@

web/node_modules/.ready: web/package-lock.json
	@deploy/setup.sh tools
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

clean:
	rm -rf web/node_modules web/app/dist
