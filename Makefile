# Two commands for a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
CARGO ?= cargo

.PHONY: demo test check stored faults solver msrv dist trials mutants fuzz deny web web-test web-types api browser screenshots bench bench-peers bench-workbench papers fmt lint doc build

build: web
	$(CARGO) build --release --package throng-cli

# The program for other machines: no path of this one is in it, and the licences of everything in it are beside it.
DIST := target/dist
dist: web
	RUSTFLAGS="--remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}=cargo --remap-path-prefix=$(CURDIR)=throng" \
		CFLAGS="-ffile-prefix-map=$${CARGO_HOME:-$$HOME/.cargo}=cargo" \
		$(CARGO) build --release --package throng-cli --target-dir $(DIST)/build
	cp $(DIST)/build/release/throng $(DIST)/throng
	strip $(DIST)/throng
	@! strings $(DIST)/throng | grep -F -e "$$HOME/" -e "$(CURDIR)" || { echo "the program holds paths of this machine" >&2; exit 1; }
	python3 .ci/notices $(DIST)/THIRD-PARTY.txt

# The oldest compiler that is promised (`rust-version` in Cargo.toml), where it is there; what dependencies ask for, everywhere.
msrv:
	CARGO=$(CARGO) .ci/msrv

demo: build
	$(CARGO) run --release --quiet --package throng-cli -- demo

# Format, lints and documentation first: they fail fastest.
test: web fmt-check lint doc web-test
	$(CARGO) test --workspace
	$(MAKE) stored faults solver api browser DEBUG_BUILD=@true

# Alone, the program asks for other features of its dependencies than beside the tests: nearly everything would be built twice. After
# `cargo test` it is there.
DEBUG_BUILD ?= $(CARGO) build --package throng-cli

# Releases and commands as earlier programs gave them: 300 releases byte for byte, 120 commands by exit code and keys.
stored:
	$(DEBUG_BUILD)
	python3 apps/cli/tests/stored/run.py $${CARGO_TARGET_DIR:-target}/debug/throng

# Each call of a run to the system fails in turn, and the power goes after each: both need `strace`.
faults:
	$(DEBUG_BUILD)
	@if command -v strace >/dev/null; then \
		python3 apps/cli/tests/faults/power_cut.py $${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/throng && \
		python3 apps/cli/tests/faults/inject.py $${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/throng && \
		python3 apps/cli/tests/faults/signals.py $${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/throng; \
	else echo "faults NOT injected: strace is not there"; fi

# What `counts` withholds, attacked with an integer-programming solver (HiGHS, in SciPy): seconds.
SOLVER_VENV := target/solver-venv

$(SOLVER_VENV)/.installed: Makefile
	@python3 -m venv $(SOLVER_VENV) || { echo "solver: install Python's venv (Debian: apt-get install python3-venv), then run make again" >&2; exit 1; }
	$(SOLVER_VENV)/bin/pip install --quiet scipy==1.17.1
	touch $@

solver: $(SOLVER_VENV)/.installed
	$(DEBUG_BUILD)
	$(SOLVER_VENV)/bin/python attacks/solver.py $${CARGO_TARGET_DIR:-target}/debug/throng

# The inner loop: format, lints and unit tests.
check: fmt-check lint
	$(CARGO) test --workspace --lib --bins

# Thousands of random trials of every method, judged by checkers that share no code with the program's. Not in CI:
# minutes with the usual count. TRIALS="--trials 100000 --seed 2" for others, TRIALS="--help" for the rest.
trials:
	$(CARGO) run --release --quiet --package throng-trials -- $(TRIALS)
	$(if $(TRIALS),,$(CARGO) run --release --quiet --package throng-trials -- noise)

# The code of a crate is changed in one place at a time; its tests and the papers' must notice. Not in CI: up to hours. MUTANTS="--only km.rs" for
# some of them, MUTANTS="--show lived" for what is known, MUTANTS="--help" for the rest.
MUTANTS_VENV := target/mutants-venv

$(MUTANTS_VENV)/.installed: trials/mutants/requirements.txt
	python3 -m venv $(MUTANTS_VENV)
	$(MUTANTS_VENV)/bin/pip install --quiet --requirement $<
	touch $@

mutants:
	@test -n "$(CRATE)" || { echo "name a crate: make mutants CRATE=models" >&2; exit 2; }
	@$(MAKE) --no-print-directory $(MUTANTS_VENV)/.installed
	$(MUTANTS_VENV)/bin/python trials/mutants/run.py $(CRATE) $(MUTANTS)

# One target for as long as one likes, guided by coverage: `make fuzz TARGET=release SECONDS=600`. What it finds belongs into
# fuzz/corpus/TARGET, which `make test` runs with a fixed number of mutations. Coverage flags need no nightly compiler, only its word.
SECONDS ?= 60
fuzz:
	@test -n "$(TARGET)" || { echo "name one of the targets: make fuzz TARGET=events-csv (see fuzz/src/lib.rs)" >&2; exit 2; }
	@test -x target/tools/bin/cargo-fuzz || $(CARGO) install cargo-fuzz --locked --quiet --root target/tools
	mkdir -p target/fuzz/$(TARGET)
	TARGET=$(TARGET) RUSTC_BOOTSTRAP=1 PATH="$(CURDIR)/target/tools/bin:$$PATH" $(CARGO) fuzz run --fuzz-dir fuzz/libfuzzer \
		--target-dir target/fuzz/build --sanitizer none any target/fuzz/$(TARGET) fuzz/corpus/$(TARGET) -- \
		-max_total_time=$(SECONDS) -max_len=65536 -rss_limit_mb=4096 -timeout=20

# Opens what the program writes in a real browser. The debug program is the one that the tests have built.
browser: web
	$(DEBUG_BUILD)
	@sh browser/prepare.sh
	cd browser && npm ci --no-audit --no-fund --silent && node --test --test-timeout=3600000 --test-reporter=spec

# Every screen of the workbench, light and dark, for the README.
screenshots: build
	@sh browser/prepare.sh
	cd browser && npm ci --no-audit --no-fund --silent
	THRONG=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/release/throng node browser/workbench/screenshots.mjs

fmt:
	$(CARGO) fmt --all

.PHONY: fmt-check
fmt-check:
	$(CARGO) fmt --all --check

lint: deny words
	$(CARGO) clippy --workspace --all-targets -- --deny warnings

# Words that make readers guess who acts.
.PHONY: words
words:
	python3 .ci/words

# Licences, duplicates and sources of all dependencies; known vulnerabilities where their list can be fetched.
deny:
	CARGO=$(CARGO) .ci/deny

doc:
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps --document-private-items

# Generated requests against the API's own description: the same ones every time, about a minute on a quiet machine.
API := apps/server/tests/api
API_VENV := target/api-venv

$(API_VENV)/bin/schemathesis: $(API)/requirements.txt
	@python3 -m venv $(API_VENV) || { echo "API tests: install Python's venv (Debian: apt-get install python3-venv), then run make again" >&2; exit 1; }
	$(API_VENV)/bin/pip install --quiet --requirement $(API)/requirements.txt
	touch $@

api: $(API_VENV)/bin/schemathesis
	$(DEBUG_BUILD)
	$(API_VENV)/bin/python $(API)/run.py $${CARGO_TARGET_DIR:-target}/debug/throng

# Every screen with a million events.
bench-workbench: build
	python3 benches/workbench.py

# The web app is built only when its sources changed. Without npm the program is whole but for the workbench's pages.
WEB := apps/web
WEB_SOURCES := $(shell find $(WEB)/src $(WEB)/public -type f) $(WEB)/index.html $(WEB)/vite.config.js $(WEB)/package-lock.json
NPM := $(shell command -v npm 2>/dev/null)

# Not `index.html`: where there is none, the server's build writes a placeholder of that name.
web: $(WEB)/dist/.built

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
ifneq ($(NPM),)
	cd $(WEB) && npm ci --no-audit --no-fund
	touch $@
endif

$(WEB)/dist/.built: $(WEB_SOURCES) $(WEB)/node_modules/.package-lock.json
ifneq ($(NPM),)
	cd $(WEB) && npm run build
	touch $@
else
	@echo "npm is not there: the workbench will show a page that says how to build it"
endif

web-test: $(WEB)/node_modules/.package-lock.json
ifneq ($(NPM),)
	cd $(WEB) && npm run check && npm test
endif

# The shapes of the server's answers, for the web app: written again after the server's description changed.
web-types: $(WEB)/node_modules/.package-lock.json
	$(DEBUG_BUILD)
	THRONG=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/throng node $(WEB)/tools/types.js

bench: build
	python3 benches/run.py

# The same jobs by public peers (DuckDB, Polars, two miners of sequences), installed into target/peers.
bench-peers: build
	python3 benches/peers.py

# The figures of the papers, on generated worlds; rewrites the numbers in docs/PAPERS.md.
papers: build
	python3 papers/run.py
