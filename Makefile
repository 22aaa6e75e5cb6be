# make            set everything up and run the published search, with every check
# make quick      the same experiment on few seeds
# make test       set everything up and run the tests
# make help       all targets

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORES  ?= all
READY  := $(VENV)/ready

SOURCES := $(shell find bmn -name '*.pyx' -o -name '*.pxd' -o -name '*.h')

.PHONY: all quick setup test test-all sanitize package lint format bench clean-results clean help

all: setup ## run the published search and show its headline and checks
	$(BIN)/snakemake --cores $(CORES)
	$(BIN)/bmn show

quick: setup ## run the same experiment on few seeds
	$(BIN)/snakemake --cores $(CORES) --configfile config/quick.yaml
	$(BIN)/bmn show

setup: $(READY) ## make .venv, install the pinned packages, compile the extensions

$(VENV)/packages: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "bmn needs Python 3.11 or later; name one with: make PYTHON=python3.12"; exit 2; }
	@command -v $${CC:-cc} > /dev/null || \
	  { echo "bmn needs a C compiler; install gcc (Debian: apt-get install build-essential)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement requirements.lock
	@touch $@

$(READY): $(VENV)/packages pyproject.toml setup.py $(SOURCES)
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

test: setup ## run the tests, without the slow ones
	$(BIN)/pytest -m "not slow" -n auto --dist worksteal

test-all: setup ## run all tests
	$(BIN)/pytest

sanitize: setup ## run the kernels under gcc's address and undefined-behaviour sanitizers
	$(BIN)/pytest tests/engine/test_sanitized.py

package: setup ## make the source package and the wheel in dist/
	$(BIN)/python setup.py --quiet sdist
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

lint: setup ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check .

format: setup ## put the sources into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt .

bench: setup ## compare the speed of the kernels
	$(BIN)/bmn bench

clean-results: ## remove what the workflow made, keep what is expected
	find results -mindepth 1 -maxdepth 1 ! -name expected -exec rm -rf {} +

clean: clean-results ## remove everything that can be made again
	rm -rf $(VENV) build dist logs .snakemake *.egg-info
	find bmn -name '*.so' -delete

help: ## show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16
