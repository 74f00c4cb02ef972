# Two commands for a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
CARGO ?= cargo

.PHONY: demo test bench fmt lint doc build

build:
	$(CARGO) build --release --package throng-cli

demo: build
	$(CARGO) run --release --quiet --package throng-cli -- demo

# Format, lints and documentation first: they fail fastest.
test: fmt-check lint doc
	$(CARGO) test --workspace

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
