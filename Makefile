# Everything that people who clone need. On Windows, or without make: see the README.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help play test slow lint format bench lowest clean

help:
	@echo "make play    play in the terminal"
	@echo "make test    run the tests (make slow: the long ones too)"
	@echo "make lint    check style, types and layering (make format: mend the style)"
	@echo "make bench   measure"
	@echo "make lowest  run the tests with the oldest dependencies we claim to support"
	@echo "make clean   remove what these commands made"

play: $(VENV)/.installed
	@$(BIN)/tengen play $(ARGS)

test: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto --cov=tengen.game --cov-report=term:skip-covered --cov-fail-under=100 $(ARGS)

slow: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto -m "slow or not slow" $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

lowest:
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/pip install --quiet --constraint tests/lowest.txt --editable '.[dev]'
	.venv-lowest/bin/pytest -n auto

clean:
	rm -rf $(VENV) .venv-lowest .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tengen needs Python 3.11 or newer; choose one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed
