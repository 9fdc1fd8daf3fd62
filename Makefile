# On a fresh machine with Python >= 3.11: `make grade`, `make wheel`, `make test`. They do all set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# pytest ends with 1 when a check failed; in a class one always does
GRADED := || test $$? -eq 1

# a class of each exercise beside the homework
EXERCISES := accumulation functions hooks intermediates layers tapes

.PHONY: grade test test-long test-versions system lint docs bench accuracy wheel schema messages vendor clean

grade: $(READY)
	@mkdir -p build
	$(BIN)/backprop grade examples/class --backprop-roster examples/roster.csv \
	    --backprop-report json:build/grades.json --backprop-report html:build/report $(GRADED)
	for kind in $(EXERCISES); do \
	    $(BIN)/backprop grade examples/$$kind/class --backprop-variants examples/$$kind/tasks \
	        --backprop-roster examples/$$kind/roster.csv --backprop-report json:build/$$kind.json \
	        --backprop-report html:build/report-$$kind $(GRADED) || exit; \
	done

# a module a worker. Four of them, as on two cores each waits now and then for a child that sleeps or dies. No test
# takes twenty minutes, with what is set up for it; one that hangs is told with its line, and the others go on
SPREAD := -n 4 --dist loadscope --timeout 1200

# without the tests that take minutes; bytecode is kept, whatever the environment says: hundreds of
# processes import the same modules
test test-long: export PYTHONDONTWRITEBYTECODE =
test: $(READY) system
	$(BIN)/pytest $(SPREAD) --no-loadscope-reorder -q -rsfE -m "not long"

# these; conftest.py puts what takes longest first
test-long: $(READY) system
	$(BIN)/pytest $(SPREAD) --no-loadscope-reorder -q -rsfE -m long

# corpora, worker and plugin under other versions of torch and Python, an environment at a time: gigabytes, hours.
# ONLY names environments, `make test-versions ONLY=3.11/2.14.1`; SAMPLE=--sample leaves out what takes minutes
test-versions:
	$(PYTHON) tests/versions.py $(SAMPLE) $(ONLY)

# Debian's packages, as root or by a sudo that asks for no password; fails where there is neither
AS_ROOT := $(if $(filter 0,$(shell id -u)),,sudo -n)
INSTALL := $(AS_ROOT) apt-get update -q && $(AS_ROOT) env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends

# what tests need beside Python. Without it they are left out and pytest says so (conftest.py), but not
# in CI, where they fail
system:
	@lacking=; \
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	    command -v google-chrome >/dev/null || lacking="$$lacking chromium"; \
	test -z "$$lacking" || { $(INSTALL) $$lacking; } || echo "cannot be installed here: $$lacking"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# the pages of docs/; a link or an anchor that leads nowhere ends it
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict -q

bench: $(READY)
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/classes.py
	$(BIN)/python benchmarks/class_size.py
	$(BIN)/python benchmarks/exercises.py
	$(BIN)/python benchmarks/live_cell.py
	$(BIN)/python benchmarks/watch.py
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/reports.py

accuracy: $(READY)
	$(BIN)/python tests/accuracy/run.py
	$(BIN)/python tests/accuracy/answers.py
	$(BIN)/python tests/accuracy/exercises.py
	$(BIN)/python tests/accuracy/tensors.py
	$(BIN)/python tests/accuracy/form_lines.py
	$(BIN)/python tests/accuracy/form_lines.py --styles
	$(BIN)/python tests/accuracy/alike.py

# two: what students and the grader have, and beside it what instructors have, which writes answers
wheel: $(READY)
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation
	$(BIN)/python -m build --wheel --no-isolation --outdir dist authoring

schema: $(READY)
	cd tests && ../$(BIN)/python -c "from report_checks import SCHEMA_FILE, schema_text; SCHEMA_FILE.write_text(schema_text())"

# what the HTML report ships of others, and what its tests use: pinned in package-lock.json
vendor:
	npm ci --ignore-scripts --no-audit --no-fund
	npm run vendor

# every text that people are told -> the catalogues, and these compiled; fill in what is empty, run again
LOCALE := pytest_backprop/messages/locale
messages: $(READY)
	@mkdir -p build
	$(BIN)/pybabel -q extract -F pyproject.toml --no-default-keywords -k say -k say_count:1,2 -k phrase \
	    --add-location=file --sort-by-file --width=100 --project=pytest-backprop -o build/messages.pot \
	    pytest_backprop authoring/pytest_backprop_authoring
	$(BIN)/pybabel -q update -d $(LOCALE) -D pytest_backprop -i build/messages.pot --no-fuzzy-matching \
	    --ignore-obsolete --ignore-pot-creation-date --width=100
	$(BIN)/pybabel -q compile -d $(LOCALE) -D pytest_backprop --statistics

# torch first and alone: any other range may bring gigabytes of CUDA
$(READY): pyproject.toml authoring/pyproject.toml constraints.txt
	$(PYTHON) -c "import ensurepip" 2>/dev/null || { $(INSTALL) python3-venv; }  # Debian has it apart
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt torch
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt hatchling \
	    -e '.[dev]' -e './authoring[graph,tensorboard]'
	@touch $@

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
