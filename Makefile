# The two commands: `make table` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: table test check-wheel bench docs picture clean

# The main job: every measure against every condition, then the paper's table and claims beside it.
table: $(INSTALLED)
	$(BIN)/metaeval run --out results.json > compliance.txt
	$(BIN)/metaeval paper --results results.json
	cat compliance.txt

test: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -q --numprocesses auto
	$(MAKE) --no-print-directory check-wheel

# sdist -> wheel -> empty environment: what users install is what is checked.
check-wheel: $(INSTALLED)
	$(BIN)/python tests/packaging/check_wheel.py

bench: $(INSTALLED)
	$(BIN)/python benchmarks/large_inputs.py

# The published results: found anew, and rendered. tests/test_docs.py fails where they drift.
docs: $(INSTALLED)
	$(BIN)/metaeval run --out docs/results.json > /dev/null
	$(MAKE) --no-print-directory picture

picture: $(INSTALLED)
	$(BIN)/metaeval report docs/results.json --format html --out docs/compliance.html
	$(BIN)/metaeval report docs/results.json --format markdown --out docs/compliance.md
	$(BIN)/metaeval paper --results docs/results.json > docs/paper.txt
	$(BIN)/python docs/picture.py docs/compliance.html docs/compliance.png

# Installed again after every change of pyproject.toml, which lists packages and dependencies.
$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "metaeval needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
