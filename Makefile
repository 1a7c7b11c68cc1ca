# pictures draw the examples again, write the page that shows them, and notebooks of the scripts
# stubs    write tumble/*.pyi again from tables and signatures     reference  write the manual's reference pages again
# quick    lint, types, rules of the house and a test file a room, in a minute, with warm kernels
# run      open the viewer (MODEL=path for another model)      test     everything CI runs
# warmup   compile all kernels with both cores                 bench    speed against the oracle
# soak     random events on the viewer for SECONDS             clean    remove the environment and compiled kernels
# fuzz     damaged texts, assets, binaries ... for SECONDS     check-memory  models with checked indices and poisoned memory (MODELS="...")
# test-oldest  some tests with the oldest versions of everything that pyproject.toml allows
# wheel    a wheel with compiled kernels, and the sources, into dist/ (PLATFORM=manylinux_2_28_x86_64 names it for an index)

PYTHON ?= python3
VENV := .venv
OLDEST := .venv-oldest
BIN := $(VENV)/bin
MODEL ?=
SECONDS ?= 120
MODELS ?= $(wildcard assets/models/*.xml)
WORKERS ?= 2
PLATFORM ?=
# one file of tests a room, and the rules of the house but the recipes
QUICK := tests/house/test_floors.py tests/house/test_imports.py tests/house/test_names.py tests/house/test_docs.py
SOURCES := setup.py tumble app engine render ui assets/examples assets/plugins tests
# what one system lacks is an error there; only files that name something of a system can have one
OTHERS := Darwin Windows
NAMING = $$(grep -lE "^ *(import|from) (os|sys|signal|socket|ctypes|subprocess|mmap|select|shutil|multiprocessing|asyncio|threading)|sys.platform" \
	-r app engine render ui tumble --include="*.py")

# Python writes bytecode at import, unless PYTHONDONTWRITEBYTECODE is set; each start would then compile the sources
BYTECODE = $(BIN)/python -m compileall -q -j 0 $(filter-out setup.py,$(SOURCES))

.PHONY: run test quick warmup bench soak fuzz check-memory clean lint stubs reference wheel test-oldest pictures

run: $(VENV)/.run-ready
	@$(BIN)/tumble $(MODEL)

test: $(VENV)/.test-ready
	@sh .ci/system check test
	@$(BYTECODE)
	@echo "types and forms beside kernels and tests: two minutes of one core"
	@$(MAKE) --no-print-directory lint > $(VENV)/.lint.log 2>&1 & lint=$$!; \
		$(BIN)/python -m tests.warm && \
		$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 $(ARGS); tests=$$?; \
		wait $$lint || { cat $(VENV)/.lint.log; exit 1; }; exit $$tests

# types of what changed beside tests, a core each; windows, recipes and the rest of the suite are left to `make test`
quick: $(VENV)/.test-ready
	$(BIN)/ruff check --quiet $(SOURCES)
	$(BIN)/ruff format --quiet --check $(SOURCES)
	@$(BIN)/python -m tests.typed > $(VENV)/.types.log & types=$$!; \
		$(BIN)/python -m pytest -n 1 -m "not window and not slow" $(QUICK) $(ARGS); tests=$$?; \
		wait $$types; types=$$?; cat $(VENV)/.types.log; test $$types = 0 -a $$tests = 0

# beside the environment of every day, for it takes other versions of everything
test-oldest:
	@sh .ci/system check test
	@test -x $(OLDEST)/bin/python || $(PYTHON) -m venv $(OLDEST)
	@$(OLDEST)/bin/python -m tests.oldest > $(OLDEST)/requirements.txt
	@$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -r $(OLDEST)/requirements.txt
	$(OLDEST)/bin/python -m pytest $$($(OLDEST)/bin/python -m tests.oldest tests) $(ARGS)

lint: $(VENV)/.test-ready
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/python -m tests.typed --all
	@set -e; for system in $(OTHERS); do echo $(BIN)/pyright --pythonplatform $$system; $(BIN)/pyright --pythonplatform $$system $(NAMING); done

warmup: $(VENV)/.run-ready
	@$(BIN)/tumble warmup

stubs: $(VENV)/.run-ready
	@$(BIN)/python -m tumble.stubs

reference: $(VENV)/.run-ready
	@$(BIN)/python -m tumble.reference

# beside the environment of every day, which the site's builder need not be in
docs: $(VENV)/.docs-ready
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m tumble.site

$(VENV)/.docs-ready: $(VENV)/.run-ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

pictures: $(VENV)/.run-ready
	@$(BIN)/python -m tumble.pictures
	@$(BIN)/python -m tumble.notebooks

bench: $(VENV)/.test-ready
	@$(BIN)/python -m tests.bench.run
	@$(BIN)/python -m tests.bench.loading
	@$(BIN)/python -m tests.bench.calls
	@sh .ci/system check test
	@$(BIN)/python -m tests.bench.viewer
	@$(BIN)/python -m tests.bench.sync

soak: $(VENV)/.test-ready
	@$(BIN)/python -m tests.app.soak $(SECONDS)

fuzz: $(VENV)/.test-ready
	@$(BIN)/python -m tests.warm
	@$(BIN)/python -m tests.fuzz $(SECONDS)

# kernels with checks are compiled once, beside the others
check-memory: $(VENV)/.test-ready
	@TUMBLE_BOUNDSCHECK=1 $(BIN)/python -m tests.robust.memory $(MODELS)

# objects of all levels of processors stay in build/kernels: what did not change is not compiled again
wheel: $(VENV)/.test-ready
	@$(BIN)/python -m tumble.kernels build/kernels --workers $(WORKERS)
	@rm -rf build/lib.* build/bdist.* dist
	@TUMBLE_WHEEL_KERNELS=$(CURDIR)/build/kernels $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist \
		$(if $(PLATFORM),--config-settings=--build-option=--plat-name=$(PLATFORM)) .
	@$(BIN)/python -c "import setuptools.build_meta as build; build.build_sdist('dist')" >build/sdist.log
	@ls -l dist

$(VENV)/.run-ready: pyproject.toml
	@sh .ci/system check run
	@echo "making an environment in $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing Tumble and the packages that it needs (a minute or two, 600 MB)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(BYTECODE)
	@touch $@

$(VENV)/.test-ready: pyproject.toml
	@sh .ci/system check test
	@echo "making an environment in $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing Tumble, the packages that it needs, and those of its tests (a minute or two)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@ $(VENV)/.run-ready

clean:
	rm -rf $(VENV) $(OLDEST) engine/__pycache__ build dist *.egg-info
