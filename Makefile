# Two commands for a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
CARGO ?= cargo

.PHONY: demo test browser api bench bench-workbench papers fmt lint doc build

build:
	$(CARGO) build --release --package throng-cli

demo: build
	$(CARGO) run --release --quiet --package throng-cli -- demo

# Format, lints and documentation first: they fail fastest.
test: fmt-check lint doc
	$(CARGO) test --workspace
	$(MAKE) api
	$(MAKE) browser

# Opens what the program writes in a real browser. The debug program is the one that the tests have built.
browser:
	$(CARGO) build --package throng-cli
	@sh browser/prepare.sh
	cd browser && npm ci --no-audit --no-fund --silent && node --test --test-reporter=spec

fmt:
	$(CARGO) fmt --all

.PHONY: fmt-check
fmt-check:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets -- --deny warnings

doc:
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps --document-private-items

# Generated requests against the API's own description, for about two minutes.
API := apps/server/tests/api
API_VENV := target/api-venv

$(API_VENV)/bin/schemathesis: $(API)/requirements.txt
	python3 -m venv $(API_VENV)
	$(API_VENV)/bin/pip install --quiet --requirement $(API)/requirements.txt
	touch $@

api: $(API_VENV)/bin/schemathesis
	$(CARGO) build --package throng-cli
	$(API_VENV)/bin/python $(API)/run.py $${CARGO_TARGET_DIR:-target}/debug/throng 90

# Every screen with a million events.
bench-workbench: build
	python3 benches/workbench.py

bench: build
	python3 benches/run.py

# The figures of the papers, on generated worlds; rewrites the numbers in docs/PAPERS.md.
papers: build
	python3 papers/run.py
