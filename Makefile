# The two commands: `make table` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: table test check-wheel bench clean

table: $(INSTALLED)
	$(BIN)/metaeval paper

test: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -q
	$(MAKE) --no-print-directory check-wheel

# sdist -> wheel -> empty environment: what users install is what is checked.
check-wheel: $(INSTALLED)
	$(BIN)/python tests/packaging/check_wheel.py

bench: $(INSTALLED)
	$(BIN)/python benchmarks/mocice.py

# Installed again after every change of pyproject.toml, which lists packages and dependencies.
$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "metaeval needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
