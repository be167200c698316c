# Everything that people who clone need. On Windows, or without make: see the README.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Every process that the tests start would compile its modules anew.
unexport PYTHONDONTWRITEBYTECODE

# The game is covered by its own tests alone. Not measured where ARGS names some tests: make test ARGS=tests/words.
COVERAGE = $(if $(filter-out --%,$(ARGS)),,--cov=tengen.game --cov-report=term:skip-covered --cov-fail-under=100)

.PHONY: help play test slow lint lint-js format format-js types vendor cldr bench screenshots lowest release-check docs microbit microbit-pictures clean

help:
	@echo "make play    start the web app and open the browser"
	@echo "make test    run the tests (make slow: those that take long too)"
	@echo "make lint    check style, types and layering (make format: mend the style)"
	@echo "make types   write the types that JavaScript is checked by, from the models of tengen.schemas"
	@echo "make bench   measure"
	@echo "make screenshots  draw every page in each window, theme and language, into build/screenshots"
	@echo "make lowest  run the tests with the oldest dependencies we claim to support"
	@echo "make release-check  build the packages, and try them under every Python here"
	@echo "make docs    build the documentation as a site, into build/documentation"
	@echo "make microbit  write build/tengen.hex for the micro:bit (make microbit-pictures: draw its documentation)"
	@echo "make clean   remove what these commands made"

play: $(VENV)/.kernels
	@$(BIN)/tengen serve $(ARGS)

test: $(VENV)/.installed-dev
	$(BIN)/tengen warmup
	$(BIN)/pytest -n auto --dist worksteal $(COVERAGE) $(ARGS)

slow: $(VENV)/.installed-dev
	$(BIN)/tengen warmup
	$(BIN)/pytest -n auto --dist worksteal --long -m "slow or not slow" -o faulthandler_timeout=0 $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-js; \
		else echo "npm is missing: JavaScript is not checked"; fi

lint-js: node_modules/.installed
	node_modules/.bin/tsc -p jsconfig.json
	node_modules/.bin/prettier --check --log-level warn 'src/**/*.js' 'src/**/*.css' 'tests/web/static/*.mjs'

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory format-js; fi

format-js: node_modules/.installed
	node_modules/.bin/prettier --write --log-level warn 'src/**/*.js' 'src/**/*.css' 'tests/web/static/*.mjs'

types: $(VENV)/.installed-dev
	$(BIN)/python -m tests.schemas.declarations

# The libraries that pages are served with, each as one module; README.md beside it says when to do this.
VENDOR := src/tengen/web/static/vendor
ESBUILD := node_modules/.bin/esbuild --bundle --format=esm --minify --legal-comments=inline --log-level=warning
vendor: node_modules/.installed
	install -m 644 node_modules/lit-html/LICENSE $(VENDOR)/lit-html/LICENSE
	$(ESBUILD) $(VENDOR)/lit-html/entry.js --outfile=$(VENDOR)/lit-html/lit.js
	install -m 644 node_modules/gifenc/LICENSE.md $(VENDOR)/gifenc/LICENSE
	$(ESBUILD) $(VENDOR)/gifenc/entry.js --outfile=$(VENDOR)/gifenc/gifenc.js
	$(ESBUILD) $(VENDOR)/xz-decompress/entry.js --outfile=$(VENDOR)/xz-decompress/xz-decompress.js

# Plural rules and number signs of all languages, from Unicode's packages.
cldr: $(VENV)/.installed-dev
	npm install --silent --no-audit --no-fund --no-save --no-package-lock --prefix build/cldr cldr-core cldr-numbers-full
	$(BIN)/python -m tests.words.cldr build/cldr/node_modules

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m tests.web.browser.screenshots $(ARGS)

lowest:
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/pip install --quiet --constraint tests/lowest.txt --editable '.[dev]'
	.venv-lowest/bin/tengen warmup
	.venv-lowest/bin/pytest -n auto --dist worksteal --long

release-check:
	$(PYTHON) -m tests.release_check $(ARGS)

docs: $(VENV)/.installed-dev
	$(BIN)/python -m documentation $(ARGS)

microbit: $(VENV)/.installed-dev
	$(BIN)/python -m microbit.hexfile build/tengen.hex
	@echo "copy build/tengen.hex to the drive MICROBIT; docs/microbit.md says more"

microbit-pictures: $(VENV)/.installed-dev
	$(BIN)/python -m tests.microbit.pictures

clean:
	rm -rf $(VENV) .venv-lowest build node_modules .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tengen needs Python 3.11 or newer; choose one with: make PYTHON=python3.12"; exit 1; }
	@echo "Making a Python environment in $(VENV) (a few seconds)..."
	@$(PYTHON) -m venv $(VENV)

# Prints what the package needs, a line each.
REQUIREMENTS = import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")

# The engine is compiled while everything else is downloaded. That is not quiet: what pip downloads is all there is to
# see for half a minute. Where the engine could not be compiled, the package needs a compiler, which the last line installs.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Tengen and what it needs into $(VENV), once: a minute on a fast line, mostly downloads."
	@mkdir -p build && $(BIN)/python -c '$(REQUIREMENTS)' > build/requirements.txt
	@$(PIP) install --quiet --no-deps --editable . & compiling=$$!; \
		$(PIP) install --requirement build/requirements.txt; downloaded=$$?; \
		echo "Compiling the engine..."; wait $$compiling && exit $$downloaded
	@$(BIN)/python -m pip check >/dev/null || $(PIP) install --editable .
	@touch $@
	@echo "Installed. Starting the web app..."

# The installation compiles the engine's kernels. After an update of the sources this is done again, unless they
# are the same.
# pip would compile all modules that it installs; Python compiles those that it imports.
$(VENV)/.kernels: export PIP_NO_COMPILE = no
$(VENV)/.kernels: $(shell find src/tengen/engine src/tengen/solver -name '*.py') | $(VENV)/.installed
	@$(BIN)/python -c 'from tengen.engine.kernels.library import matching; raise SystemExit(matching() is None)' || \
		{ echo "Compiling the engine, which has changed..."; \
		$(PIP) install --no-deps --editable .; }
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Tengen and the tools for its tests into $(VENV), once: a minute on a fast line."
	$(PIP) install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed

node_modules/.installed: package.json
	npm install --silent --no-audit --no-fund --no-package-lock
	@touch $@
