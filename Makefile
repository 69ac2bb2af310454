# `make demo` runs the quickstart comparison, `make test` builds and tests; both install what is missing first.
# `make install PREFIX=…` puts the program where the shell finds it, `make dist` packs it for machines without Swift.
SHELL := /bin/bash
SWIFT ?= swift
CONFIGURATION ?= release
PACKAGES := libgsl-dev libyaml-dev libexpat1-dev zlib1g-dev libsqlite3-dev pkg-config python3-venv
FLOTSAM := .build/$(CONFIGURATION)/flotsam
RESULTS ?= results/quickstart
PREFIX ?= /usr/local
# Where `make dist` puts the archive and the packages.
DIST ?= dist
# A program built for tests is another program, whose results are never mixed with those of the one in .build: tests
# have folders of their own, so that neither `make test` nor `make demo` undoes the other. With
# BUILD_FLAGS="-Xswiftc -enable-testing" TEST_BUILD=.build both are one program, which .ci/run compiles once. Tests are
# started without `swift test`, which would keep every other build waiting.
TEST_BUILD ?= .build-test
BUILD_FLAGS ?=
BUILD := $(SWIFT) build $(BUILD_FLAGS)
TEST_FLAGS ?=
# Set for tests that count the lines that run. Each process writes a profile of 1 MB: those that share one damage it.
COVERAGE ?=
COVERAGE_BUILD := .build-coverage
PROFILES := $(CURDIR)/$(COVERAGE_BUILD)/profiles
# What the sanitizers leave out of the core's suites: statistics, which take an hour under them, as do whole phones, for
# instance CORE=phone SANITIZE_FLAGS="--filter BringUpTests".
SANITIZE_FLAGS ?= --skip StatisticalTests
CORE ?= 1
# Experiments of experiments/validation that take minutes: only `make validate` runs them.
SLOW_VALIDATION := $(addprefix experiments/validation/, background-daily.yaml background-memory-4gb.yaml known-misses.yaml \
  energy-cellular-day-2013.yaml energy-cellular-day.yaml energy-day-2013.yaml energy-day-android.yaml energy-day.yaml)
FAST_VALIDATION := $(filter-out $(SLOW_VALIDATION), $(wildcard experiments/validation/*.yaml))
# Settings of the demo, for instance DEMO="--set replications=3".
DEMO ?=
MUTANTS ?=
# Further words for random phones.
PHONES ?=
# Further words for the tests of the Python package, for instance PYTHON_TESTS="-v -k Slurm".
PYTHON_TESTS ?=

.PHONY: demo test test-python bench-python deps lint build validate validate-fast instructions bench
.PHONY: coverage deaths pages mutants damage random-phones shake install static-program dist wheel try-wheel try-dist swift docc
.PHONY: sanitize-address sanitize-thread fuzz fuzz-coverage site prose clean

demo: swift deps
	@echo "flotsam: building takes two minutes or more the first time, the runs and pictures half a minute"
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	$(FLOTSAM) run experiments/quickstart.yaml -o $(RESULTS) $(DEMO)
	@plots/draw $(RESULTS) | tail -1
	@$(FLOTSAM) compare $(RESULTS) --sentences
	@echo
	@echo "tables:   $(RESULTS)/runs.csv, summary.csv, comparisons.csv; columns.csv explains every column"
	@echo "pictures: $(RESULTS)/plots/differences.png and those beside it"
	@echo "next:     $(FLOTSAM) compare $(RESULTS)"
	@echo "          $(FLOTSAM) why $(RESULTS) --policy lru+opportunistic --against jetsam+opportunistic"

# Says how to get the toolchain where there is none.
swift:
	@command -v $(firstword $(SWIFT)) >/dev/null || { \
	  echo "Flotsam is built with Swift 6.3, which is not on the search path. To install it:"; \
	  echo "  curl -L https://download.swift.org/swiftly/linux/swiftly-$$(uname -m).tar.gz | tar xz && ./swiftly init"; \
	  echo "(see https://www.swift.org/install/linux; or name another one: make demo SWIFT=/path/to/swift)"; exit 1; }

# Program, models, experiments, completion, manual pages and a Python environment for pages, pictures and clusters below
# PREFIX, /usr/local unless it is given. Without the package index it is all but the last.
install: swift deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	packaging/install $(FLOTSAM) $(PREFIX)
	@packaging/python $(PREFIX)/lib/flotsam || echo "without Python: report, card, submit and tune do not run"
	@echo "$(PREFIX)/bin/flotsam; try: flotsam run experiments/quickstart.yaml"

# The program with all that it loads linked into it, but for the C and C++ libraries: pkg-config names a folder that has
# archives alone.
STATIC := $(CURDIR)/.build/static
static-program: swift deps
	mkdir -p $(STATIC)
	for library in gsl gslcblas yaml expat z sqlite3; do \
	  ln -sf "$$(clang -print-file-name=lib$$library.a)" $(STATIC)/; done
	for library in gsl yaml-0.1 expat zlib sqlite3; do \
	  sed 's|^libdir=.*|libdir=$(STATIC)|; s|-L/[^ ]*|-L$(STATIC)|' "$$(pkg-config --path $$library)" >$(STATIC)/$$library.pc; done
	FLOTSAM_STATIC=1 PKG_CONFIG_PATH=$(STATIC) $(BUILD) -c release --product flotsam

# An archive and two Debian packages that run without Swift: the program, and Python for pages, pictures and clusters.
dist: static-program
	packaging/dist .build/release/flotsam $(DIST)

# A wheel with the program in it, for pip and pipx, and the source archive of the package.
wheel: static-program
	packaging/wheel .build/release/flotsam $(DIST)

# The wheel in an empty environment, without package index and sources: README's commands, and the same tables.
try-wheel: wheel
	packaging/try-wheel $(DIST)/flotsam_sim-*.whl .build/release/flotsam

# The packages in a bare Debian, made by debootstrap: the same quickstart, byte for byte, and the page. As root.
try-dist: dist
	packaging/try-bare $(DIST) .build/release/flotsam

test: swift deps lint
	@echo "flotsam: the tests take about 10 minutes on two processors after the build, which takes longer the first time"
ifdef COVERAGE
	rm -rf $(PROFILES)
	LLVM_PROFILE_FILE=$(PROFILES)/%p.profraw $(SWIFT) test -c release --disable-xctest \
	  --scratch-path $(COVERAGE_BUILD) -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping $(TEST_FLAGS)
	@.ci/coverage $(COVERAGE_BUILD)/release $(PROFILES)
	rm -rf $(PROFILES)
else
	$(SWIFT) build -c release --build-tests --scratch-path $(TEST_BUILD) -Xswiftc -enable-testing
	$(TEST_BUILD)/release/flotsamPackageTests.xctest --testing-library swift-testing $(TEST_FLAGS)
endif

# The Python package: types, tests of drawing on made-up tables, pages in a browser, with real processes of Dask and
# Slurm, notebooks.
test-python:
	@$(MAKE) --no-print-directory deps PACKAGES="$(PACKAGES) slurm-wlm munge chromium chromium-driver"
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	@test -d python/.venv || python3 -m venv python/.venv
	rm -rf python/build
	python/.venv/bin/python -m pip install --quiet --disable-pip-version-check './python[test]'
	cd python && .venv/bin/mypy
	python/.venv/bin/reuse lint --quiet
	python/.venv/bin/cffconvert --validate
	FLOTSAM=$(CURDIR)/$(FLOTSAM) python/.venv/bin/python -m unittest discover -s python/tests $(PYTHON_TESTS)

# What handing out runs by Dask costs, which hangs on the load of the machine; what many runs leave, which does not.
bench-python:
	python/.venv/bin/python python/benchmarks/overhead.py
	python/.venv/bin/python python/benchmarks/sizing.py

# Installs missing Debian packages, or prints the one command that does.
deps:
	@if ! command -v dpkg >/dev/null; then \
	  pkg-config --exists gsl yaml-0.1 expat zlib sqlite3 || { \
	    echo "Flotsam needs GSL, libyaml, expat, zlib and SQLite with headers, pkg-config and Python's venv"; exit 1; }; \
	  exit 0; fi; \
	missing=""; for p in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	install="env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq$$missing"; \
	if [ "$$(id -u)" = 0 ]; then apt-get update -qq && $$install; \
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo $$install; \
	else echo "Flotsam needs a few Debian packages. Run: sudo apt-get install -y$$missing"; exit 1; fi

build: deps
	$(BUILD) -c $(CONFIGURATION)

lint:
	$(SWIFT) format lint --strict -r -p Sources Tests Plugins Package.swift

# Every target against published figures, some minutes; writes what is found to docs/evidence/validation.md.
validate: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	$(FLOTSAM) validate experiments/validation -o results/validation --page docs/evidence/validation.md \
	  --evidence models/evidence.csv

# The experiments among them that take seconds.
validate-fast: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	$(FLOTSAM) validate $(FAST_VALIDATION) -o results/validation-fast --quiet

# Every assumed number 30 % up and down, and which rows of the validation flip: half an hour of processor time.
shake: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	Tests/Shake/shake $(FLOTSAM) --page docs/evidence/shake.md

# Random valid phones, others for every commit: no trap, no value out of range, books closed, rows and metrics agree.
# For instance PHONES="--count 10000"; the command that does a phone again is printed with what is wrong.
random-phones: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	Tests/RandomPhones/random-phones $(FLOTSAM) $(PHONES)

# Kills, flipped bits, cuts, deleted files, full disks, wrong clocks, links, FIFOs, edited tables and crafted manifests,
# each resumed: half an hour; all of it as root.
damage: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	Tests/Damage/damage $(FLOTSAM)

# The runs behind docs/evidence/deaths.md, and the page; some minutes.
deaths: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	$(FLOTSAM) run experiments/deaths.yaml -o results/deaths --quiet
	$(FLOTSAM) run experiments/deaths-assumptions.yaml -o results/deaths-assumptions --quiet
	$(FLOTSAM) run experiments/deaths.yaml -o results/deaths-lives --set 'output.tables=[runs,events]' \
	  --where 'policy == jetsam && device.memory.ram == "4 GiB" && replication < 5' --quiet
	python3 -IB plots/start.py deaths results/deaths results/deaths-lives results/deaths-assumptions \
	  docs/evidence/deaths.md

# The runs behind docs/your-app.md and docs/background.md, and the figures in these pages; some minutes.
pages: deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	python3 -IB plots/start.py pages $(FLOTSAM) results/pages docs

# Instructions and allocations per event under callgrind against Benchmarks/instructions.txt; independent of load.
instructions:
	@$(MAKE) --no-print-directory deps PACKAGES="$(PACKAGES) valgrind"
	$(BUILD) -c release --product flotsam-bench
	Benchmarks/check-instructions

# Figures of this machine, beside C++, GSL, ns-3 and SimPy where they are installed.
bench: deps
	$(BUILD) -c release --product flotsam-bench
	.build/release/flotsam-bench --peers

# The tests, and the lines of each module that they run.
coverage:
	@$(MAKE) --no-print-directory test COVERAGE=1

# Puts faults into a copy of the sources, one at a time, and counts those that the tests notice. Writes
# docs/evidence/mutants.md and takes an hour or more. MUTANTS="--survivors" retries the faults that no test noticed so
# far; --help prints the other options.
mutants: deps
	SWIFT=$(SWIFT) Tests/Mutants/mutants $(MUTANTS)

# The core modules alone (`FLOTSAM_CORE` in Package.swift), every access to memory checked.
sanitize-address: deps
	FLOTSAM_CORE=$(CORE) $(SWIFT) test --disable-xctest --sanitize=address -Xswiftc -use-ld=lld \
	  --scratch-path .build-address $(SANITIZE_FLAGS)

# The same with every access from two threads checked.
sanitize-thread: deps
	FLOTSAM_CORE=$(CORE) $(SWIFT) test --disable-xctest --sanitize=thread -Xswiftc -use-ld=lld \
	  --scratch-path .build-thread $(SANITIZE_FLAGS)

# Pages of the public modules for Xcode and browsers, below .build/docc; a warning is an error.
docc: swift deps
	$(BUILD) -c $(CONFIGURATION) --product flotsam
	packaging/docc .build/$(CONFIGURATION) .build/docc

# The pages of docs with search, in .build/site; a link that leads nowhere is an error. Needs the package index once.
site:
	@test -x .build/site-venv/bin/mkdocs || python3 -m venv .build/site-venv
	.build/site-venv/bin/python -m pip install --quiet --disable-pip-version-check -r plots/site-requirements.txt
	NO_MKDOCS_2_WARNING=1 .build/site-venv/bin/mkdocs build --clean
	@echo ".build/site/index.html"

# Sentences of more than 25 words, and phrases that no page, message or comment may have.
prose:
	Tests/Prose/prose

# Changed files for every importer of recordings, for so many seconds in all; a crash or a fault is a failure. With
# SANITIZE=address every access to memory is checked, in a build of its own.
FUZZ_BUILD := $(if $(SANITIZE),.build-fuzz-$(SANITIZE),.build)
fuzz: deps
	$(BUILD) -c release --product fuzz-importers $(if $(SANITIZE),--sanitize=$(SANITIZE) -Xswiftc -use-ld=lld \
	  --scratch-path $(FUZZ_BUILD))
	$(FUZZ_BUILD)/release/fuzz-importers $(or $(SECONDS),60)

# Coverage-guided: libFuzzer is part of the toolchain.
fuzz-coverage: deps
	Tests/FuzzReaders/fuzz --runs $(or $(RUNS),50000) $(if $(READERS),--readers $(READERS)) $(if $(KEEP),--keep)

clean:
	rm -rf $(DIST) .build .build-fuzz-* .build-test .build-coverage .build-address .build-thread .build-mutants*
