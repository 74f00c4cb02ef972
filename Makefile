# Two commands for a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
CARGO ?= cargo

.PHONY: demo test browser bench papers fmt lint doc build

build:
	$(CARGO) build --release --package throng-cli

demo: build
	$(CARGO) run --release --quiet --package throng-cli -- demo

# Format, lints and documentation first: they fail fastest.
test: fmt-check lint doc
	$(CARGO) test --workspace
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

bench: build
	python3 benches/run.py

# The figures of the papers, on generated worlds; rewrites the numbers in docs/PAPERS.md.
papers: build
	python3 papers/run.py
