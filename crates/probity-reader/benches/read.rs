//! Time for a pair of 64, 128 and 256 pieces, on one thread.
#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use probity_reader::{Passage, Reader, Stop};

fn main() {
    // A thread that is not measured would hide what a pair costs.
    Reader::set_threads(1);
    divan::main();
}

/// A question of 8 pieces and a text that fills the pair up to a number of pieces.
fn text(pieces: usize) -> String {
    "the ferry takes an hour in winter and less in summer "
        .split_inclusive(' ')
        .cycle()
        .take(pieces - 11)
        .collect()
}

#[divan::bench(args = [64, 128, 256])]
fn answer(bencher: divan::Bencher<'_, '_>, pieces: usize) {
    let reader = Reader::embedded().unwrap();
    let text = text(pieces);
    let passage = [Passage { lead: "", text: &text, sentences: &[] }];
    bencher.bench_local(|| {
        reader.answers("how long does the ferry take now?", &passage, &Stop::never())
    });
}

#[divan::bench(sample_count = 20)]
fn load() -> Reader {
    let bytes: &[u8] = include_bytes!("../assets/reader.safetensors");
    Reader::from_bytes(bytes.into()).unwrap()
}
