# `make` alone lists the targets. Everything is installed into .venv, from requirements.lock, with hashes checked.

VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
YUANZI := $(VENV)/bin/yuanzi
STAMP := $(VENV)/.set-up

export DAGSTER_DISABLE_TELEMETRY := 1
export STREAMLIT_BROWSER_GATHER_USAGE_STATS := false
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow test-browser screenshots check bench fuzz dev dashboard lint format types clean lock

# The scripts of an environment name the folder they were made in: in a moved or copied tree it is made anew.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

# An environment with a Python that is new enough, and in it the uv of the lock. Does nothing when they are there.
define environment
set -eu; \
recent='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; \
made_in=$$(cat $(STAMP) 2>/dev/null || echo "$(CURDIR)"); \
if [ "$$made_in" != "$(CURDIR)" ] || ! $(PY) -c "$$recent" 2>/dev/null; then \
  found=; \
  for python in $(PYTHON) python3.13 python3.12 python3.11 python3.14 python3 python; do \
    if "$$python" -c "$$recent" >/dev/null 2>&1; then found=$$python; break; fi; \
  done; \
  if [ -z "$$found" ]; then \
    echo "Yuanzi needs Python 3.11 or newer with its venv module, and none was found." >&2; \
    echo "Install one (on Debian and Ubuntu: python3 and python3-venv) or name it: make setup PYTHON=/path/to/python3" >&2; \
    exit 1; \
  fi; \
  echo "making $(VENV) with $$("$$found" --version)"; \
  "$$found" -m venv --clear $(VENV); \
fi; \
if ! $(UV) --version >/dev/null 2>&1; then \
  awk '/^[^ ]/ { wanted = /^uv==/ } wanted' requirements.lock > $(VENV)/uv.txt; \
  $(PY) -m pip install --quiet --require-hashes --requirement $(VENV)/uv.txt; \
fi
endef

$(STAMP): pyproject.toml requirements.lock
	@$(environment)
	$(UV) pip install --quiet --python $(PY) --require-hashes --requirement requirements.lock
	$(UV) pip install --quiet --python $(PY) --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > $(STAMP)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv and install the project (again only when pyproject.toml or the lock changed)

demo: setup ## run the sample matches through the whole pipeline
	$(YUANZI) demo

test: setup ## run the tests but for the slow ones
	$(PY) -m pytest -q -n 2 --dist worksteal

test-slow: setup ## run those that take seconds: orders of arrival, kills, damage, all options
	$(PY) -m pytest -q -n 2 --dist worksteal -m slow

test-browser: setup ## the pages in a real browser (Chromium and a Chinese font must be there)
	$(PY) -m pytest -q tests/browser

screenshots: setup ## make the pictures of the README anew
	$(PY) -m tests.browser.screenshots

lint: setup ## style and format, changing nothing
	$(PY) -m ruff check
	$(PY) -m ruff format --check

types: setup ## types
	$(PY) -m mypy

check: lint types test test-slow ## all that must pass before a commit

format: setup ## put the code into the house's format
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: setup ## measure
	$(PY) -m tests.benchmarks

fuzz: setup ## spoilt files of all kinds for longer than the tests do (SECONDS=60 each)
	$(PY) -W ignore -m tests.fuzz $(or $(SECONDS),60)

dev: setup ## Dagster's pages: assets, runs, sensors
	$(YUANZI) dev

dashboard: setup ## the pages for players and clubs
	$(YUANZI) dashboard

lock: ## write requirements.lock anew; versions stay unless UPGRADE=1
	@$(environment)
	$(UV) pip compile pyproject.toml --group dev --output-file requirements.lock --quiet \
	  --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-annotate \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

clean: ## remove caches and build output; data and .venv stay
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find yuanzi_core pipelines dashboards tests -name __pycache__ -type d -prune -exec rm -rf {} +
