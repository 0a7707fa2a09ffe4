# The two main commands are `make table` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
# worksteal keeps neighbouring tests on one worker while all workers are busy, so fixtures of a file are made once.
PYTEST := $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal
TIMED := $(BIN)/python tests/packaging/processor_time.py

.PHONY: table test everything quick few long style imports types check-wheel bench packs docs survey atlas atlas-pages picture site clean

# The main job: check every measure against every condition, then print the paper's table and claims.
table: $(INSTALLED)
	$(BIN)/metaeval run --out results.json > compliance.txt
	$(BIN)/metaeval paper --results results.json
	cat compliance.txt

# Everything a change must pass. Ends with the slowest tests and the total processor time.
test: $(INSTALLED)
	$(TIMED) $(MAKE) --no-print-directory everything

# Types are checked in the installed wheel, as users have it.
everything: style imports check-wheel
	$(PYTEST) -m "not long" --durations 20

# For use while you work: everything except the wheel and the tests that search. tests/conftest.py lists those.
quick: $(INSTALLED)
	$(TIMED) $(MAKE) --no-print-directory few

few: style imports types
	$(PYTEST) -m "not search and not long"

# Too long for every change: the checks of `make test` with larger scopes and twice as many drawn examples.
long: $(INSTALLED)
	METAEVAL_LONG=1 $(TIMED) $(PYTEST) -m "long or hypothesis"

style: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# pyproject.toml defines which package may import which.
imports: $(INSTALLED)
	$(BIN)/python tests/packaging/assembled.py imports

# Type-check the checkout; check-wheel type-checks the wheel.
types: $(INSTALLED)
	$(BIN)/python tests/packaging/assembled.py types

# Build sdist -> wheel, install it in an empty environment, and check what users install.
check-wheel: $(INSTALLED)
	$(BIN)/python tests/packaging/check_wheel.py

# Measure one table of ratios and growth, and generate its page and picture in docs/. QUICK=1 is only a smoke test. BEFORE=../other adds rows
# against another checkout that has its own .venv.
bench: $(INSTALLED)
	$(if $(BEFORE),METAEVAL_BEFORE=$(BEFORE)) $(BIN)/python benchmarks $(if $(QUICK),--quick)

# Generate the case packs that come with the package. tests/test_packs.py fails when they are outdated.
packs: $(INSTALLED)
	$(BIN)/python -m metaeval.cases.store

# Recompute and render the published results. tests/test_docs.py fails when they are outdated.
docs: packs
	$(BIN)/metaeval run --out docs/results.json > /dev/null
	$(MAKE) --no-print-directory survey
	$(MAKE) --no-print-directory picture

# Survey whether any measure can satisfy the ten conditions together, and small sets of all conditions; takes some minutes.
survey: $(INSTALLED)
	$(BIN)/metaeval consistency --survey --objects 8 --out docs/consistency.json > /dev/null
	$(BIN)/metaeval consistency --survey --suite all --objects 4 --out docs/contradictions.json > /dev/null

# All measures against all conditions, and the recomputed tables of each source; takes some minutes.
SOURCES = horta2014 lutov2019 amigo2009 gosgens2021 scikit-learn
atlas: $(INSTALLED)
	$(BIN)/metaeval run --suite all --out docs/atlas.json > /dev/null
	$(MAKE) --no-print-directory atlas-pages

# Everything that is written from docs/atlas.json, and the verdicts that come with the package.
atlas-pages: $(INSTALLED)
	$(BIN)/python -m metaeval.records.atlas docs/atlas.json
	cd docs && ../$(BIN)/metaeval report atlas.json --consistency contradictions.json --format html --date "$(RUN_DATE)" --out atlas.html
	for page in the-atlas which-conditions; do $(BIN)/python docs/cross_table.py docs/atlas.json docs/$$page.md || exit 1; done
	mkdir -p docs/sources
	for source in $(SOURCES); do $(BIN)/metaeval paper --source $$source --results docs/atlas.json > docs/sources/$$source.txt || exit 1; done

# Reports are made where their results lie: the commands in them name the files as they are beside the page.
# The day of the run: the last commit of the results, or today if they have changed since.
RUN_DATE = $(shell git diff --quiet -- docs/results.json 2> /dev/null && git log -1 --format=%cs -- docs/results.json || date -u +%F)

picture: $(INSTALLED)
	cd docs && ../$(BIN)/metaeval report results.json --consistency consistency.json --format html --date "$(RUN_DATE)" --out compliance.html
	cd docs && ../$(BIN)/metaeval report results.json --consistency consistency.json --format markdown --out compliance.md
	$(BIN)/metaeval paper --results docs/results.json > docs/paper.txt
	$(BIN)/python docs/picture.py docs/compliance.html docs/compliance.png '#e4sc.A.3.canonical'

# Build the documentation site in build/site. A dead link fails the build; tests/test_site.py checks every link.
site: $(INSTALLED)
	$(BIN)/python docs/site/build.py build/site

# Reinstall after every change of pyproject.toml, which lists packages and dependencies.
$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "metaeval needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
