# stubs    write tumble/*.pyi again from tables and signatures     reference  write the manual's reference pages again
# run      open the viewer (MODEL=path for another model)      test     everything CI runs
# warmup   compile all kernels with both cores                 bench    speed against the oracle
# soak     random events on the viewer for SECONDS             clean    remove the environment and compiled kernels

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODEL ?=
SECONDS ?= 120
WORKERS ?= 2

.PHONY: run test warmup bench soak clean lint stubs reference

run: $(VENV)/.run-ready
	@$(BIN)/tumble $(MODEL)

test: $(VENV)/.test-ready
	@sh .ci/system check test
	$(BIN)/ruff check tumble app engine render ui tests
	$(BIN)/pyright
	$(BIN)/python -m tests.warm
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(VENV)/.test-ready
	$(BIN)/ruff check tumble app engine render ui tests
	$(BIN)/pyright

warmup: $(VENV)/.run-ready
	@$(BIN)/tumble warmup

stubs: $(VENV)/.run-ready
	@$(BIN)/python -m tumble.stubs

reference: $(VENV)/.run-ready
	@$(BIN)/python -m tumble.reference

bench: $(VENV)/.test-ready
	@$(BIN)/python -m tests.bench.run
	@sh .ci/system check test
	@$(BIN)/python -m tests.bench.viewer

soak: $(VENV)/.test-ready
	@$(BIN)/python -m tests.app.soak $(SECONDS)

$(VENV)/.run-ready: pyproject.toml
	@sh .ci/system check run
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test-ready: pyproject.toml
	@sh .ci/system check test
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@ $(VENV)/.run-ready

clean:
	rm -rf $(VENV) engine/__pycache__ build *.egg-info
