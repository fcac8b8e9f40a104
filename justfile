# Shorthands; `just` lists them.

_default:
    @just --list

# Everything that has to hold before a change lands.
test:
    scripts/test

# The example: a report from the library that comes with the source.
example:
    cargo run --release -- research --library examples/library "What are the most popular first dance songs at Port Ellery weddings?"

# All benchmarks.
bench:
    cargo bench --workspace

# A small, fast binary in target/dist/.
dist:
    cargo build --profile dist -p probity
