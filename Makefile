# make run    set up if need be, then serve the app        make test   lint, types and every test
# make setup  only .venv and what the app needs in it      make quick  the same without the browser and the slow ones
# make soak   what runs long on purpose: files, faults and load by the thousand          make lint | format | bench
# make lock   exact versions of what requirements*.txt ask for, for setup to install

PYTHON ?= python3
PORT ?= 8501
HOST ?= 127.0.0.1
# Some shells export HOST as the machine's name: from the environment only an address counts.
ifeq ($(origin HOST),environment)
ifeq ($(shell printf '%s' '$(HOST)' | grep -E '^([0-9.]+|localhost|.*:.*)$$'),)
override HOST := 127.0.0.1
endif
endif

VENV := .venv
IN_VENV := $(VENV)/bin/python
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: setup setup-dev lock run test quick soak lint format bench

setup: $(READY)

setup-dev: $(READY_DEV)

$(READY): requirements.txt requirements.lock scripts/install.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "DISCOVER needs Python 3.11 or newer: install it, or name it with make PYTHON=/path/to/python3."; exit 1; }
	@$(IN_VENV) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || \
		{ echo "Python could not make a virtual environment: install its venv module (on Debian: apt-get install python3-venv)."; exit 1; }
	@$(IN_VENV) scripts/install.py requirements.txt
	@touch $@

$(READY_DEV): requirements-dev.txt requirements-dev.lock $(READY)
	@$(IN_VENV) scripts/install.py requirements-dev.txt
	@touch $@

lock: setup-dev
	@$(IN_VENV) scripts/lock.py

run: setup
	@exec $(IN_VENV) -m discover_dashboard serve --port $(PORT) --host $(HOST)

test: setup-dev
	@scripts/find_chromium.sh --install >/dev/null
	@$(MAKE) --no-print-directory lint
	$(IN_VENV) -m pytest -n 2 --dist worksteal -rR

quick: lint
	HYPOTHESIS_PROFILE=quick $(IN_VENV) -m pytest -n 2 --dist worksteal -m "not slow and not browser and not soak" --ignore tests/browser

soak: setup-dev
	@scripts/find_chromium.sh --install >/dev/null
	$(IN_VENV) -m pytest -m soak -s

lint: setup-dev
	$(IN_VENV) -m ruff check .
	$(IN_VENV) -m ruff format --check .
	$(IN_VENV) -m mypy

format: setup-dev
	$(IN_VENV) -m ruff check --fix .
	$(IN_VENV) -m ruff format .

bench: setup-dev
	@set -e; for benchmark in benchmarks/*.py; do echo "== $$benchmark"; PYTHONPATH=. $(IN_VENV) "$$benchmark"; done
