# Conveniences only: each line is a command that can be typed as it stands.
PYTHON ?= .venv/bin/python
RUN ?= $(lastword $(sort $(wildcard results/tail_of_sets/*)))

.PHONY: check test slow bench golden picture

check:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest -q tests/test_layers.py

test:
	$(PYTHON) -m pytest

slow:
	$(PYTHON) -m pytest -m slow

bench:
	$(PYTHON) -m simkit bench

# Renews the recorded numbers; read the difference before keeping it.
golden:
	SIMKIT_GOLDEN=write $(PYTHON) -m pytest -q tests -k golden
	git diff --stat -- tests

# The picture of the README, from the estimates of a run.
picture:
	$(PYTHON) -m simkit.report $(RUN) docs/img/tail_of_sets.svg
