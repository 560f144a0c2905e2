# Every target sets up what it needs in .venv; python3 (3.10 or later), pip and cargo are all that has to be there.
# `make` alone lists the targets: those with `## ` and a line behind them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PEERS := .venv-peers
LEARN := .venv-learn
CLUSTER := .venv-cluster
WHEEL := .venv-wheel
RUN_RL := ADJOIN_RL=1 OMP_NUM_THREADS=1 PYTHONPATH=$(CURDIR)/python
PIP := -m pip --disable-pip-version-check --quiet
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q
BOTH_CORES := -n 2 --dist worksteal
CARGO := env -u MAKEFLAGS -u MFLAGS cargo
PARALLEL := $(MAKE) --jobs=2 --output-sync=target --no-print-directory
CODE := python tests docs notebooks .github
RUST := Cargo.toml Cargo.lock $(shell find src python/adjoin/data -type f -not -name '*.py*' 2>/dev/null)
SOURCES := $(RUST) pyproject.toml
MODULE := python/adjoin/playing/web/adjoin.wasm
PAGE := site/play/index.html

export CARGO_TERM_COLOR ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo quick quick-rust quick-python test test-rust test-python test-oldest test-long test-rl faults fuzz fuzz-seeds sanitize bench bench-growth bench-cluster docs web reports train lint lint-rust lint-python format golden wheel sdist clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.base  ## simulates every game, prints a table, saves pictures in out/
	$(BIN)/python -m adjoin.demo

# Both sides beside each other.
quick: $(VENV)/.test  ## before each commit: format, lint, a smoke of every layer; within a minute
	@$(PARALLEL) quick-rust quick-python

quick-rust:
	$(CARGO) fmt --check
	$(CARGO) clippy --quiet --all-targets --features python,web -- -D warnings
	$(CARGO) test --quiet --lib --test golden

quick-python: $(VENV)/.test
	$(BIN)/ruff format --check --quiet $(CODE)
	$(BIN)/ruff check --quiet $(CODE)
	$(BIN)/mypy
	$(PYTEST) -m smoke

test:  ## all tests that people run
	@$(PARALLEL) test-rust test-python
	@$(MAKE) --no-print-directory test-oldest

test-rust:  ## those of the core
	$(CARGO) test --quiet --features web

test-python: $(VENV)/.test $(VENV)/.browser $(VENV)/.web  ## those of the package
	$(PYTEST) $(BOTH_CORES)

# With the same compiled module.
test-oldest: $(VENV)/.test $(OLDEST)/.done  ## environments with the oldest Gymnasium and PettingZoo that learners pin
	PYTHONPATH=python $(OLDEST)/bin/python -m pytest $(BOTH_CORES) -q tests/envs --ignore=tests/envs/test_openspiel.py

test-long: $(VENV)/.dev $(VENV)/.browser $(VENV)/.web  ## everything at length: models, fuzzing, calibrations, notebooks, front ends, the site
	ADJOIN_LONG=1 $(CARGO) test --quiet --features web
	ADJOIN_LONG=1 $(PYTEST) $(BOTH_CORES)

test-rl: $(VENV)/.base $(LEARN)/.done $(CLUSTER)/.done  ## learners and clusters with PyTorch, RLlib and Ray themselves: several GB
	$(RUN_RL) $(LEARN)/bin/python -m pytest -q tests/rl --ignore=tests/rl/test_ray.py --ignore=tests/rl/test_rllib.py
	$(RUN_RL) $(CLUSTER)/bin/python -m pytest -q tests/rl/test_ray.py tests/rl/test_rllib.py tests/rl/test_learners_page.py

faults: $(VENV)/.test  ## plants faults one by one, and says which test catches each; about an hour
	$(BIN)/python tests/faults/run.py

SECONDS ?= 60
fuzz:  ## coverage-guided fuzzing, SECONDS=60 a target; with a nightly toolchain
	tests/fuzz/run $(SECONDS)

fuzz-seeds:  ## writes the seeds of the fuzzing anew, after a change of rules
	$(CARGO) run --quiet --manifest-path tests/fuzz/Cargo.toml --example seeds

sanitize:  ## races between threads, and memory that is not ours; with a nightly toolchain
	tests/fuzz/sanitize

bench: $(VENV)/.train $(PEERS)/.done  ## speed, side by side with OpenSpiel, pgx, mctx, EnvPool and magpie
	$(BIN)/python tests/benches/bench.py

bench-growth: $(VENV)/.base  ## speed against lanes, threads, players and sizes, in out/growth.json; within ten minutes
	$(BIN)/python tests/benches/growth.py

bench-cluster: $(VENV)/.base $(CLUSTER)/.done  ## what a call on a Ray cluster costs, on the loopback, in out/cluster.json
	OMP_NUM_THREADS=1 PYTHONPATH=$(CURDIR)/python $(CLUSTER)/bin/python tests/benches/cluster.py

docs: $(VENV)/.docs $(VENV)/.web  ## the documentation with all notebooks run, in site/
	$(BIN)/python docs/build.py

web: $(PAGE)  ## the core for browsers, in the package, and a page of all games to play, in site/play/

$(MODULE): $(RUST)
	src/web/build $@

$(PAGE): $(MODULE) $(VENV)/.base $(wildcard python/adjoin/playing/web/*.*) python/adjoin/playing/pages.py
	mkdir -p $(@D)
	$(BIN)/adjoin page --out $@

reports: $(VENV)/.base  ## a measured page about every game, in reports/
	$(BIN)/adjoin report

train: $(VENV)/.train  ## learns every game from nothing, in trained/, and puts what was learned into the games; can be stopped and goes on
	OPENBLAS_NUM_THREADS=1 $(BIN)/adjoin train
	for policy in trained/*.safetensors; do \
		folder=src/games/$$(basename $$policy .safetensors); \
		test ! -d $$folder || cp $$policy $$folder/learned.safetensors; \
	done

lint: lint-rust lint-python  ## format, clippy, ruff, mypy, stubtest

lint-rust:
	$(CARGO) fmt --check
	$(CARGO) clippy --quiet --all-targets --features python,web -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --no-deps --features web

lint-python: $(VENV)/.test
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest adjoin._core

format: $(VENV)/.test  ## formats all sources
	$(CARGO) fmt
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

# Read the difference before you commit it.
golden: $(VENV)/.test  ## rewrites what tests compare with: playthroughs, notebooks, keywords of the games
	UPDATE_GOLDEN=1 $(CARGO) test --quiet --test golden
	UPDATE_OPTIONS=1 UPDATE_NOTEBOOKS=1 $(PYTEST) tests/core/test_options.py tests/docs/test_notebooks.py -k 'keywords_of_the_games or pair'

# The zig compiler links against an old libc, so that the wheel runs on every Linux since 2014.
wheel: $(WHEEL)/.done $(MODULE)  ## a wheel for Linux in dist/, tried out; INTERPRETER=python3.14t for one without the lock
	rm -f dist/*.whl
	PATH="$(CURDIR)/$(WHEEL)/bin:$$PATH" maturin build --release --locked --zig --compatibility manylinux_2_17 --out dist $(addprefix --interpreter ,$(INTERPRETER))
	$(WHEEL)/bin/auditwheel show dist/*.whl
	$(or $(INTERPRETER),$(WHEEL)/bin/python) .github/check_wheel.py dist/*.whl

sdist: $(WHEEL)/.done  ## the source package in dist/, tried out
	rm -f dist/*.tar.gz
	$(WHEEL)/bin/maturin sdist --out dist
	$(WHEEL)/bin/python .github/check_wheel.py dist/*.tar.gz

# One optimised build of the module serves all that follows.
$(VENV)/.base: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) install --editable .
	touch $@

$(VENV)/.test $(VENV)/.docs $(VENV)/.dev $(VENV)/.train: $(VENV)/.%: $(VENV)/.base
	$(BIN)/python $(PIP) install --no-compile --editable '.[$*,progress]'
	touch $@

# A chromium for the tests of the boards; where it cannot be had, they say so and are skipped.
$(VENV)/.browser: $(VENV)/.base
	command -v chromium || command -v chromium-browser || command -v google-chrome || \
	{ apt-get update && apt-get install --yes --no-install-recommends chromium; } || \
	echo "no chromium: the tests that need a browser will be skipped"
	touch $@

# The core for browsers; where it cannot be built, the tests that need it say so and are skipped.
$(VENV)/.web: $(VENV)/.base
	$(MAKE) --no-print-directory $(MODULE) || echo "no core for browsers: the tests that need it will be skipped"
	touch $@

$(OLDEST)/.done: pyproject.toml
	test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python $(PIP) install --no-compile gymnasium==1.2.2 'pettingzoo==1.26.*' pytest pytest-xdist resvg_py pillow font-source-sans-pro
	touch $@

# PufferLib by itself: it pins an older Gymnasium, and without these two its build fetches games of its own from elsewhere.
$(LEARN)/.done: tests/rl/learners.txt
	test -x $(LEARN)/bin/python || $(PYTHON) -m venv $(LEARN)
	$(LEARN)/bin/python $(PIP) install --no-compile --requirement $<
	NO_OCEAN=1 NO_TRAIN=1 PYTHONPATH=tests/rl/puffer $(LEARN)/bin/python $(PIP) install --no-compile --no-deps --no-build-isolation pufferlib==3.0.0
	touch $@

# Of its own, as RLlib wants its own Gymnasium.
$(CLUSTER)/.done: tests/rl/cluster.txt
	test -x $(CLUSTER)/bin/python || $(PYTHON) -m venv $(CLUSTER)
	$(CLUSTER)/bin/python $(PIP) install --no-compile --requirement $<
	touch $@

$(PEERS)/.done: tests/benches/peers.txt
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(PIP) install --requirement $<
	touch $@

$(WHEEL)/.done:
	test -x $(WHEEL)/bin/python || $(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python $(PIP) install 'maturin[zig]>=1.9.4,<2' auditwheel
	touch $@

clean:  ## removes everything that was built
	rm -rf target dist out reports trained site $(VENV) $(OLDEST) $(PEERS) $(LEARN) $(CLUSTER) $(WHEEL) tests/benches/magpie/target $(addprefix tests/fuzz/,target corpus artifacts logs) python/adjoin/*.so $(MODULE)
