# The two commands: `make table` and `make test`. Both set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
# Neighbours stay on one process as long as both are busy: what the tests of a file share is then made once.
PYTEST := $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal
TIMED := $(BIN)/python tests/packaging/processor_time.py

.PHONY: table test everything quick few long style imports types check-wheel bench packs docs survey atlas atlas-pages picture site clean

# The main job: every measure against every condition, then the paper's table and claims beside it.
table: $(INSTALLED)
	$(BIN)/metaeval run --out results.json > compliance.txt
	$(BIN)/metaeval paper --results results.json
	cat compliance.txt

# Everything a change must pass. It ends with the slowest tests and with the processor time of all of it.
test: $(INSTALLED)
	$(TIMED) $(MAKE) --no-print-directory everything

# The types are checked as users have them, in the wheel.
everything: style imports check-wheel
	$(PYTEST) -m "not long" --durations 20

# The inner loop: all but the wheel and the tests that search. tests/conftest.py says which do.
quick: $(INSTALLED)
	$(TIMED) $(MAKE) --no-print-directory few

few: style imports types
	$(PYTEST) -m "not search and not long"

# What is too long for every change: larger scopes, and twice as many drawn examples, of what `make test` checks.
long: $(INSTALLED)
	METAEVAL_LONG=1 $(TIMED) $(PYTEST) -m "long or hypothesis"

style: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Who may import whom stands in pyproject.toml.
imports: $(INSTALLED)
	$(BIN)/python tests/packaging/assembled.py imports

# The checkout's types; check-wheel looks at those of the wheel, as users have it.
types: $(INSTALLED)
	$(BIN)/python tests/packaging/assembled.py types

# sdist -> wheel -> empty environment: what users install is what is checked.
check-wheel: $(INSTALLED)
	$(BIN)/python tests/packaging/check_wheel.py

# One table: ratios, growth, and the page and picture in docs/ that are made of it. QUICK=1 only sees that it works.
bench: $(INSTALLED)
	$(BIN)/python benchmarks $(if $(QUICK),--quick)

# The case packs that come with the package; tests/test_packs.py says when they must be made anew.
packs: $(INSTALLED)
	$(BIN)/python -m metaeval.cases.store

# The published results: found anew, and rendered. tests/test_docs.py fails where they drift.
docs: packs
	$(BIN)/metaeval run --out docs/results.json > /dev/null
	$(MAKE) --no-print-directory survey
	$(MAKE) --no-print-directory picture

# Whether any measure can satisfy the conditions together: as far as takes half a minute.
survey: $(INSTALLED)
	$(BIN)/metaeval consistency --survey --objects 8 --out docs/consistency.json > /dev/null

# The field's tables: all measures against all conditions, and what becomes of each source; some minutes.
SOURCES = horta2014 lutov2019 amigo2009 gosgens2021 scikit-learn
atlas: $(INSTALLED)
	$(BIN)/metaeval run --suite all --out docs/atlas.json > /dev/null
	$(MAKE) --no-print-directory atlas-pages

atlas-pages: $(INSTALLED)
	$(BIN)/metaeval report docs/atlas.json --format html --date "$(RUN_DATE)" --out docs/atlas.html
	$(BIN)/python docs/cross_table.py docs/atlas.json docs/the-atlas.md
	mkdir -p docs/sources
	for source in $(SOURCES); do $(BIN)/metaeval paper --source $$source --results docs/atlas.json > docs/sources/$$source.txt || exit 1; done

# The day of the run: when the results were last committed, or today where they are new.
RUN_DATE = $(shell git diff --quiet -- docs/results.json 2> /dev/null && git log -1 --format=%cs -- docs/results.json || date -u +%F)

picture: $(INSTALLED)
	$(BIN)/metaeval report docs/results.json --consistency docs/consistency.json --format html --date "$(RUN_DATE)" --out docs/compliance.html
	$(BIN)/metaeval report docs/results.json --consistency docs/consistency.json --format markdown --out docs/compliance.md
	$(BIN)/metaeval paper --results docs/results.json > docs/paper.txt
	$(BIN)/python docs/picture.py docs/compliance.html docs/compliance.png '#e4sc.A.3.canonical'

# The documentation as a site, in build/site; whatever leads nowhere fails. tests/test_site.py checks every link.
site: $(INSTALLED)
	$(BIN)/python docs/site/build.py build/site

# Installed again after every change of pyproject.toml, which lists packages and dependencies.
$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "metaeval needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
