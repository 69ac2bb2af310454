# `make test` builds and tests, `make demo` runs the quickstart comparison; both install what is missing first.
SHELL := /bin/bash
SWIFT ?= swift
PACKAGES := libgsl-dev libyaml-dev libxml2-dev pkg-config python3-venv

.PHONY: test lint build tools demo instructions bench sanitize-address sanitize-thread clean

tools:
	@missing=""; for p in $(PACKAGES); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing; \
	  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo apt-get install -y -qq $$missing; \
	  else echo "Flotsam needs a few Debian packages. Run: sudo apt-get install -y$$missing"; exit 1; fi; fi

build: tools
	$(SWIFT) build -c release

lint:
	$(SWIFT) format lint --strict -r -p Sources Tests Package.swift

test: tools lint
	$(SWIFT) test -c release --disable-xctest

# Instructions and allocations per event under callgrind against Benchmarks/instructions.txt; independent of load.
instructions:
	@$(MAKE) --no-print-directory tools PACKAGES="$(PACKAGES) valgrind"
	$(SWIFT) build -c release --product flotsam-bench
	Benchmarks/check-instructions

# Figures of this machine, beside C++, GSL, ns-3 and SimPy where they are installed.
bench: tools
	$(SWIFT) build -c release --product flotsam-bench
	.build/release/flotsam-bench --peers

sanitize-address: tools
	$(SWIFT) test --disable-xctest --sanitize=address -Xswiftc -use-ld=lld --scratch-path .build-address

sanitize-thread: tools
	$(SWIFT) test --disable-xctest --sanitize=thread -Xswiftc -use-ld=lld --scratch-path .build-thread

clean:
	rm -rf .build .build-address .build-thread
