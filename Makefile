# Conveniences only: each line is a command that can be typed as it stands.
PYTHON ?= .venv/bin/python
RUN ?= $(lastword $(sort $(wildcard results/tail_of_sets/*)))

.PHONY: check test slow bench golden picture findings

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

# Compares with the recorded numbers; a change of one is made by hand, and entered under "Results change".
golden:
	$(PYTHON) -m pytest -q -k "golden or digest"

# What the claims have come to, and what each ruling does, from the estimates in results/.
findings:
	$(PYTHON) -m simkit.report --findings results docs/findings.md
	$(PYTHON) -m simkit.report --influence results docs/influence.md

# The picture of the README, from the estimates of a run.
picture:
	$(PYTHON) -m simkit.report $(RUN) docs/img/tail_of_sets.svg
