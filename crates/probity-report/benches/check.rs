//! How fast claims are held against their sources.
#![allow(clippy::unwrap_used, reason = "a benchmark's inputs are its own")]

use std::hint::black_box;

use divan::counter::ItemsCount;
use probity_reader::{Stop, TextReader};
use probity_report::check::SourceIndex;

fn main() {
    divan::main();
}

const PARAGRAPH: &str = "The Selby Bridge opened to traffic in May 1931 after four years of construction. \
    It carries about 20,000 vehicles a day. Engineers inspected the structure in 2022 and found corrosion \
    in two of its twelve main cables. The council expects the repair to cost 3.4 million crowns, which the \
    county will pay in two parts. Lorries above 7.5 tonnes may not cross until the work is done.";

const CLAIMS: [&str; 4] = [
    "The Selby Bridge was opened in 1931.",
    "Some 20,000 cars cross it every day.",
    "Corrosion was found in all twelve main cables in 2022.",
    "The county pays 3.4 million crowns for the repair.",
];

/// A page of so many paragraphs, each with numbers of its own.
fn page(paragraphs: usize) -> String {
    (0..paragraphs)
        .map(|number| PARAGRAPH.replace("20,000", &format!("{}", 20_000 + number)) + "\n")
        .collect()
}

#[divan::bench]
fn a_claim_read_against_a_paragraph(bencher: divan::Bencher<'_, '_>) {
    let index = SourceIndex::new(PARAGRAPH);
    bencher.counter(ItemsCount::new(CLAIMS.len())).bench(|| {
        for claim in CLAIMS {
            let read = index.check(black_box(claim), &TextReader::Embedded, &Stop::never());
            black_box(read).unwrap();
        }
    });
}

#[divan::bench(args = [1, 10, 100, 1_000])]
fn what_has_to_be_read_of_a_prepared_page(bencher: divan::Bencher<'_, '_>, paragraphs: usize) {
    let text = page(paragraphs);
    let index = SourceIndex::new(text.as_str());
    bencher.counter(ItemsCount::new(CLAIMS.len())).bench(|| {
        for claim in CLAIMS {
            black_box(index.pairs(black_box(claim)));
        }
    });
}

#[divan::bench(args = [1, 10, 100, 1_000])]
fn preparing_a_page(bencher: divan::Bencher<'_, '_>, paragraphs: usize) {
    let text = page(paragraphs);
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench(|| {
        black_box(SourceIndex::new(black_box(text.as_str())));
    });
}
