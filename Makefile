# Every target sets up what it needs in .venv; python3 (3.10 or later), pip and cargo are all that has to be there.
# `make demo`, `make test`, `make bench`, `make lint`, `make docs`, `make reports`, `make train`;
# `make fuzz SECONDS=60` and `make sanitize` look for what tests do not think of, with a nightly toolchain;
# `make clean` removes everything that was built.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PEERS := .venv-peers
LEARN := .venv-learn
CLUSTER := .venv-cluster
RUN_RL := ADJOIN_RL=1 OMP_NUM_THREADS=1 PYTHONPATH=$(CURDIR)/python
PIP := -m pip --disable-pip-version-check --quiet
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find src python/adjoin/data -type f 2>/dev/null)

export CARGO_TERM_COLOR ?= auto

.PHONY: demo test test-rust test-python test-oldest test-long test-rl fuzz fuzz-seeds sanitize bench docs reports train lint lint-rust lint-python format golden clean

demo: $(VENV)/.base
	$(BIN)/python -m adjoin.demo

test: test-rust test-python test-oldest

test-rust:
	cargo test --quiet

test-python: $(VENV)/.dev $(VENV)/.browser
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q

# The oldest Gymnasium and PettingZoo that learners still pin, with the same compiled module.
test-oldest: $(VENV)/.dev $(OLDEST)/.done
	ADJOIN_SHORT=1 PYTHONPATH=python $(OLDEST)/bin/python -m pytest -n 2 --dist worksteal -q tests/envs/test_single.py tests/envs/test_vector.py tests/envs/test_aec.py

# All chunks of the comparisons with the slow models and of the fuzzing; `make test` runs an eighth of them.
test-long: $(VENV)/.dev
	ADJOIN_LONG=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q tests/core/test_fuzz.py tests/models

# Learners and clusters, with the libraries themselves: several GB.
test-rl: $(VENV)/.base $(LEARN)/.done $(CLUSTER)/.done
	$(RUN_RL) $(LEARN)/bin/python -m pytest -q tests/rl --ignore=tests/rl/test_ray.py --ignore=tests/rl/test_rllib.py
	$(RUN_RL) $(CLUSTER)/bin/python -m pytest -q tests/rl/test_ray.py tests/rl/test_rllib.py tests/rl/test_learners_page.py

# Whatever takes text or bytes, led by coverage: every target for so many seconds.
SECONDS ?= 60
fuzz:
	tests/fuzz/run $(SECONDS)

# Writes the seeds anew that are made from the games; after a change of rules.
fuzz-seeds:
	cargo run --quiet --manifest-path tests/fuzz/Cargo.toml --example seeds

# Races between the threads of a batch, and memory that is not ours.
sanitize:
	tests/fuzz/sanitize

bench: $(VENV)/.base $(PEERS)/.done
	$(BIN)/python tests/benches/bench.py

# The documentation, in site/.
docs: $(VENV)/.dev
	$(BIN)/python docs/build.py

# A measured page about every game, in reports/.
reports: $(VENV)/.base
	$(BIN)/adjoin report

# What a learner reaches in every game, in trained/. Ctrl-C stops it; the next run goes on.
train: $(VENV)/.train
	OPENBLAS_NUM_THREADS=1 $(BIN)/adjoin train

lint: lint-rust lint-python

lint-rust:
	cargo fmt --check
	cargo clippy --quiet --all-targets --features python -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps

lint-python: $(VENV)/.dev
	$(BIN)/ruff format --check python tests docs notebooks
	$(BIN)/ruff check python tests docs notebooks
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest adjoin._core

format: $(VENV)/.dev
	cargo fmt
	$(BIN)/ruff format python tests docs notebooks
	$(BIN)/ruff check --fix python tests docs notebooks

# Rewrites the golden playthroughs; read the difference before you commit it.
golden:
	UPDATE_GOLDEN=1 cargo test --quiet --test golden

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

clean:
	rm -rf target out reports trained site $(VENV) $(OLDEST) $(PEERS) $(LEARN) $(CLUSTER) tests/benches/magpie/target $(addprefix tests/fuzz/,target corpus artifacts logs) python/adjoin/*.so
