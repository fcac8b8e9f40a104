//! How long a deep report of about 60 pages and 200 sources takes in each format.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "benches"
)]

#[path = "../tests/it/sample.rs"]
mod sample;

use probity_report::{Choices, Format, render, restore};

fn main() {
    divan::main();
}

#[divan::bench(args = Format::ALL, sample_count = 10)]
fn write(bencher: divan::Bencher<'_, '_>, format: Format) {
    let report = sample::long(200);
    let choices = Choices { appendix: true, system_fonts: false };
    bencher.bench(|| render(&report, format, choices).unwrap().bytes.len());
}

#[divan::bench(sample_count = 10)]
fn read_back(bencher: divan::Bencher<'_, '_>) {
    let json = probity_report::json::json(&sample::long(200));
    bencher.bench(|| restore(&json).unwrap().sources().count());
}
