# Two commands: `make run` starts a realm, `make test` runs every test there is. Both do all the set-up that a fresh machine with Rust, Node and
# Python needs. Build caches live outside the checkout, so that a fresh clone is warm.

STOA_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/stoa
export CARGO_TARGET_DIR ?= $(STOA_CACHE)/target
export STOA_CACHE
VENV := $(shell STOA_CACHE='$(STOA_CACHE)' deploy/venv.sh)
export PATH := $(VENV)/python/bin:$(PATH)
export ARENA_PYTHON = $(VENV)/arena/bin/python
export PYTHONPATH = $(CURDIR)/python

.PHONY: run test check gen stoa-lab lab screenshots web setup setup-test clean

# The binary is copied into the checkout, so that its other commands are at hand: `./stoa --help`. Without symbols it has a third of the size; the lab
# measures one that has them.
run: setup web
	cargo build --release --package stoa-server
	install -s -m 755 $(CARGO_TARGET_DIR)/release/stoa stoa
	deploy/run.sh ./stoa

test: setup-test web
	cargo xtask test

check: setup-test
	cargo xtask check

# Types and reference pages from spec/, and the tables of settings in docs/components/ from what the components register.
gen: web/node_modules/.ready
	cargo xtask gen
	cd web && STOA_GEN=pages npx vitest run --project aframe component-pages

# The experiments: `./stoa-lab list`. They start the `./stoa` beside them, and `mosquitto` and `nats-server` where these are installed. A copy is as old
# as what it is of: a lab that was not built anew goes on where it was cut off.
stoa-lab: setup-test web
	@deploy/setup.sh lab
	cargo build --release --package stoa-server --package stoa-lab
	install -p -m 755 $(CARGO_TARGET_DIR)/release/stoa stoa
	install -p -m 755 $(CARGO_TARGET_DIR)/release/stoa-lab stoa-lab

# The ten-minute version of all experiments; the page is docs/lab/index.html. Another command of the lab, with what it looks for: make lab LAB="fanout --json".
LAB ?= all --short
lab: stoa-lab
	PATH="$$PATH:/usr/sbin" ./stoa-lab $(LAB)

# The pictures of docs/, made by the end-to-end tests.
screenshots:
	STOA_SCREENSHOTS=$(CURDIR)/docs/screenshots $(MAKE) test

# Built only when something of it changed: what the binary embeds would otherwise be newer at each start.
WEB_SOURCES = $(shell find web/client/src web/aframe/src web/aframe/assets web/app/src web/app/public -type f) web/app/index.html web/app/vite.config.ts web/app/compressed.ts web/app/scene-files.ts web/package-lock.json
web: setup web/app/dist/index.html

web/app/dist/index.html: web/node_modules/.ready $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@

setup: $(VENV)/.ready web/node_modules/.ready
	@deploy/setup.sh tools

setup-test: setup
	@deploy/setup.sh tests

# arena-py pins its own libraries, so it gets an environment of its own: it runs unmodified.
$(VENV)/.ready: python/requirements.lock interop/requirements.lock
	@deploy/setup.sh tools
	python3 -m venv $(VENV)/python
	$(VENV)/python/bin/pip install --quiet --requirement python/requirements.lock
	python3 -m venv $(VENV)/arena
	$(VENV)/arena/bin/pip install --quiet --requirement interop/requirements.lock
	@touch $@

web/node_modules/.ready: web/package-lock.json
	@deploy/setup.sh tools
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

clean:
	rm -rf web/node_modules web/app/dist
