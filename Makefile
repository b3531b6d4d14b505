# The front door. `make` builds, `make check` says what is right and what is wrong; `make help` lists the rest.

# An interpreter or compiler of your own: make PYTHON=python3.12 CXX=clang++-16. SAN=1 builds with ASan and UBSan.
# make's built-in default of CXX is not a choice, so only a given one is passed on.
export PYTHON VIRTUAL_ENV CONDA_PREFIX BACKENDS
ifneq ($(filter default undefined,$(origin CXX)),)
unexport CXX
else
export CXX
endif
export PYTHONPATH := $(CURDIR)/python:$(CURDIR)$(if $(PYTHONPATH),:$(PYTHONPATH))

choose := sh src/cmake/choose_python.sh
san := $(if $(filter-out 0,$(SAN)),--san)
sources = find src -name '*.h' -o -name '*.cuh' -o -name '*.cc' -o -name '*.cu' -o -name '*.cpp'

.PHONY: build help todo check hint debug handout grade doctor notebooks test mutants lint clean fresh
.DEFAULT_GOAL := build

build:  ## build every backend (SAN=1: with sanitizers)
	@python=$$($(choose) --compile $(san) build check) && $$python -E -s src/cmake/build_backends.py $(san)

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1 #/p' Makefile | awk -F'#' '{ printf "%-16s%s\n", $$1, $$2 }'
	@echo "  options: PYTHON=python3.12  CXX=clang++-16  SAN=1  BACKENDS=cpu  EX=compact.cpu  SEED=7"

todo:  ## the exercises in order: open, failing, done, and the next command
	@python=$$($(choose) build check) && $$python -m autograder todo

check:  ## what is right, what is wrong and why (EX=id: one exercise, SEED=n: these cases again)
	@python=$$($(choose) build check) && $$python -m autograder check $(EX) $(if $(SEED),--seed $(SEED))

hint:  ## one more hint for an exercise: make hint EX=compact.cpu STEP=1
	@test -n "$(EX)" || { echo "hint: name an exercise, for example: make hint EX=compact.cpu"; exit 2; }
	@python=$$($(choose) build check) && $$python -m autograder hint $(EX) $(if $(STEP),--step $(STEP))

debug:  ## the failing case of an exercise in gdb: make debug EX=compact.cpu
	@test -n "$(EX)" || { echo "debug: name an exercise, for example: make debug EX=compact.cpu"; exit 2; }
	@python=$$($(choose) --gdb build check) && $$python -m autograder debug $(EX) $(if $(SEED),--seed $(SEED))

handout:  ## the student's folder and zip, with every solution taken out
	@python=$$($(choose) build check) && $$python -m autograder handout

grade:  ## grade a class, the bundled samples if none is named (SUBMISSIONS=dir, ARGS="--help")
	@python=$$($(choose) build check) && $$python -m autograder grade "$(or $(SUBMISSIONS),autograder/examples)" $(ARGS)

doctor:  ## what this machine's sandbox promises, each promise tried, and how to reach the next tier
	@python=$$($(choose) build check) && $$python -m autograder doctor

notebooks: build  ## run the lessons, compare with their kept outputs, write build/site (ARGS="01 05", ARGS=--update)
	@python=$$($(choose) build check notebooks) && $$python -m notebooks.run $(ARGS)

ifeq ($(san),)
test: build lint  ## lint, unit tests, the reference, and a fresh handout (SAN=1: the library's tests under sanitizers)
	@python=$$($(choose) build check test lint train) && sh src/cmake/test.sh $$python
else
test: build
	@python=$$($(choose) build check test) && NEEDLE_REQUIRE=cpu \
	  $$python -E -s src/cmake/run_sanitized.py $$python -m pytest -q --capture=sys -p no:cacheprovider tests/needle
endif

mutants: build  ## who grades the grader: every wrong kernel must fail as predicted, every unusual right one pass
	@python=$$($(choose) build check test) && \
	  SPECIMENS=all $$python -m pytest -q -p no:cacheprovider tests/autograder/test_specimens.py \
	    tests/autograder/test_autograd.py tests/autograder/course/whole_table.py

lint:  ## ruff, mypy and clang-format
	@python=$$($(choose) build check lint) && echo ruff && $$python -m ruff check . && \
	  echo mypy && $$python -m mypy python autograder src/cmake benchmarks $(wildcard notebooks) && \
	  echo clang-format && \
	  scripts=$$($$python -c 'import sysconfig; print(sysconfig.get_path("scripts"))') && \
	  $(sources) | xargs "$$scripts/clang-format" --dry-run -Werror

clean:  ## remove what the build made (.venv stays)
	@rm -rf build compile_commands.json .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find python autograder tests src benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	@rm -f python/needle/backend_ndarray/*.so python/needle/backend_ndarray/*.dylib

fresh: clean  ## clean, then build
	@$(MAKE) --no-print-directory build
