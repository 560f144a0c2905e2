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
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find src python/adjoin/data -type f 2>/dev/null)

export CARGO_TERM_COLOR ?= auto

.PHONY: demo test test-rust test-python test-oldest test-long test-rl fuzz fuzz-seeds sanitize bench docs reports train lint lint-rust lint-python format golden clean

demo: $(VENV)/.base  ## simulates every game, prints a table, saves pictures in out/
	$(BIN)/python -m adjoin.demo

test: test-rust test-python test-oldest

test-rust:
	cargo test --quiet

test-python: $(VENV)/.dev $(VENV)/.browser
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q

# The oldest Gymnasium and PettingZoo that learners still pin, with the same compiled module.
test-oldest: $(VENV)/.dev $(OLDEST)/.done
	ADJOIN_SHORT=1 PYTHONPATH=python $(OLDEST)/bin/python -m pytest -n 2 --dist worksteal -q tests/test_gym.py tests/test_vector.py tests/test_aec.py

# All chunks of the comparisons with the slow models and of the fuzzing; `make test` runs an eighth of them.
test-long: $(VENV)/.dev
	ADJOIN_LONG=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q tests/test_fuzz.py $(wildcard tests/test_model*.py)

# Learners and clusters, with the libraries themselves: several GB.
test-rl: $(VENV)/.base $(LEARN)/.done $(CLUSTER)/.done
	$(RUN_RL) $(LEARN)/bin/python -m pytest -q tests/rl --ignore=tests/rl/test_ray.py --ignore=tests/rl/test_rllib.py
	$(RUN_RL) $(CLUSTER)/bin/python -m pytest -q tests/rl/test_ray.py tests/rl/test_rllib.py tests/rl/test_learners_page.py

# Whatever takes text or bytes, led by coverage: every target for so many seconds.
SECONDS ?= 60
fuzz:  ## coverage-guided fuzzing, SECONDS=60 a target; with a nightly toolchain
	tests/fuzz/run $(SECONDS)

# Writes the seeds anew that are made from the games; after a change of rules.
fuzz-seeds:  ## writes the seeds of the fuzzing anew
	cargo run --quiet --manifest-path tests/fuzz/Cargo.toml --example seeds

# Races between the threads of a batch, and memory that is not ours.
sanitize:  ## races and foreign memory; with a nightly toolchain
	tests/fuzz/sanitize

bench: $(VENV)/.base $(PEERS)/.done  ## speed, side by side with OpenSpiel, pgx, EnvPool and magpie
	$(BIN)/python tests/benches/bench.py

# The documentation, in site/.
docs: $(VENV)/.dev  ## the documentation with all notebooks run, in site/
	$(BIN)/python docs/build.py

# A measured page about every game, in reports/.
reports: $(VENV)/.base  ## a measured page about every game, in reports/
	$(BIN)/adjoin report

# What a learner reaches in every game, in trained/. Ctrl-C stops it; the next run goes on.
train: $(VENV)/.train  ## learns every game from nothing, in trained/; can be stopped and goes on
	OPENBLAS_NUM_THREADS=1 $(BIN)/adjoin train

lint: lint-rust lint-python  ## format, clippy, ruff, mypy, stubtest

lint-rust:
	cargo fmt --check
	cargo clippy --quiet --all-targets --features python -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps

lint-python: $(VENV)/.dev
	$(BIN)/ruff format --check python tests docs notebooks
	$(BIN)/ruff check python tests docs notebooks
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest adjoin._core

format: $(VENV)/.dev  ## formats all sources
	cargo fmt
	$(BIN)/ruff format python tests docs notebooks
	$(BIN)/ruff check --fix python tests docs notebooks

# Rewrites the golden playthroughs; read the difference before you commit it.
golden:  ## rewrites the golden playthroughs
	UPDATE_GOLDEN=1 cargo test --quiet --test golden

# Wheels and the source package, in dist/, each installed and tried out in an environment of its own. On Linux; the zig
# compiler links against an old libc, so that the wheel runs on every system since 2014.
.PHONY: wheel sdist
wheel: $(WHEEL)/.done  ## a wheel for Linux in dist/, tried out; INTERPRETER=python3.14t for one without the lock
	rm -f dist/*.whl
	PATH="$(CURDIR)/$(WHEEL)/bin:$$PATH" maturin build --release --locked --zig --compatibility manylinux_2_17 --out dist $(addprefix --interpreter ,$(INTERPRETER))
	$(WHEEL)/bin/auditwheel show dist/*.whl
	$(or $(INTERPRETER),$(WHEEL)/bin/python) .github/check_wheel.py dist/*.whl

sdist: $(WHEEL)/.done  ## the source package in dist/, tried out
	rm -f dist/*.tar.gz
	$(WHEEL)/bin/maturin sdist --out dist
	$(WHEEL)/bin/python .github/check_wheel.py dist/*.tar.gz

$(WHEEL)/.done:
	test -x $(WHEEL)/bin/python || $(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python $(PIP) install 'maturin[zig]>=1.9.4,<2' auditwheel
	touch $@

# Rules without a recipe add a line to the list and nothing else.
test:  ## all tests that people run
test-rust:  ## those of the core
test-python:  ## those of the package
test-oldest:  ## environments with the oldest Gymnasium and PettingZoo
test-long:  ## the slow models and the fuzzing, at length
test-rl:  ## learners and clusters with PyTorch, RLlib and Ray themselves: several GB

.DEFAULT_GOAL := help
.PHONY: help
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/.base: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) install --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.base
	$(BIN)/python $(PIP) install --no-compile --editable '.[dev]'
	touch $@

$(VENV)/.train: $(VENV)/.base
	$(BIN)/python $(PIP) install --editable '.[train,progress]'
	touch $@

# A chromium for the tests of the boards; where it cannot be had, they say so and are skipped.
$(VENV)/.browser: $(VENV)/.base
	command -v chromium || command -v chromium-browser || command -v google-chrome || \
	{ apt-get update && apt-get install --yes --no-install-recommends chromium; } || \
	echo "no chromium: the tests that need a browser will be skipped"
	touch $@

$(OLDEST)/.done: pyproject.toml
	test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python $(PIP) install gymnasium==1.2.2 'pettingzoo==1.26.*' pytest pytest-xdist resvg_py pillow font-source-sans-pro
	touch $@

$(LEARN)/.done: tests/rl/learners.txt
	test -x $(LEARN)/bin/python || $(PYTHON) -m venv $(LEARN)
	$(LEARN)/bin/python $(PIP) install --no-compile --requirement $<
	touch $@

# Of its own, as RLlib wants its own Gymnasium.
$(CLUSTER)/.done: tests/rl/cluster.txt
	test -x $(CLUSTER)/bin/python || $(PYTHON) -m venv $(CLUSTER)
	$(CLUSTER)/bin/python $(PIP) install --no-compile --requirement $<
	touch $@

$(PEERS)/.done: tests/benches/peers.txt
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(PIP) install --requirement tests/benches/peers.txt
	touch $@

clean:  ## removes everything that was built
	rm -rf target dist out reports trained site $(VENV) $(OLDEST) $(PEERS) $(LEARN) $(CLUSTER) $(WHEEL) tests/benches/magpie/target $(addprefix tests/fuzz/,target corpus artifacts logs) python/adjoin/*.so
