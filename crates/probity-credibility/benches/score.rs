//! How fast pages are scored at discovery.
#![allow(clippy::unwrap_used, reason = "a benchmark's inputs are its own")]

use std::collections::HashMap;
use std::hint::black_box;

use divan::counter::ItemsCount;
use probity_core::{Outlet, WebUrl};
use probity_credibility::ledger::Opinion;
use probity_credibility::recency::recency_evidence;
use probity_credibility::{Discovery, Policy, RelevanceMode, Scorer, ledger};

fn main() {
    divan::main();
}

const QUESTION: &str =
    "How loud may amplified outdoor music be at night in a coastal town with a noise ordinance?";
const TITLE: &str = "City council tightens noise rules for outdoor concerts after long summer";
const SNIPPET: &str = "12.05.2026 – The new by-law limits amplified music to 55 decibels after ten \
    in the evening; venues that break it twice in one season lose their licence, the mayor’s \
    office said on Tuesday.";
const ADDRESSES: [&str; 5] = [
    "https://www.reuters.com/world/europe/some-story-2026-01-02/",
    "https://en.wikipedia.org/wiki/Noise_regulation",
    "https://www.some-local-paper.co.uk/news/local/12345-council-noise?utm_source=feed",
    "https://www.google.com/url?q=https%3A%2F%2Fwww.nature.com%2Farticles%2Fs41586-1&sa=U",
    "https://user.github.io/2026/05/quiet-nights.html",
];

fn scorer(relevance: RelevanceMode) -> Scorer {
    let seeds = ledger::seeds().iter();
    let scores: HashMap<Outlet, Opinion> = seeds
        .map(|seed| (Outlet::new(seed.domain).unwrap(), Opinion::Given(seed.score.get())))
        .collect();
    let policy = Policy { relevance, ..Policy::default() };
    Scorer::new(policy, scores, "2026-11-15".parse().unwrap()).unwrap()
}

fn urls() -> Vec<WebUrl> {
    ADDRESSES.iter().map(|text| WebUrl::parse(text).unwrap()).collect()
}

fn page(url: &WebUrl) -> Discovery<'_> {
    Discovery { url, title: TITLE, snippet: SNIPPET, published: None }
}

#[divan::bench(args = ADDRESSES)]
fn parsing_an_address(bencher: divan::Bencher<'_, '_>, text: &str) {
    bencher.counter(ItemsCount::new(1usize)).bench(|| WebUrl::parse(black_box(text)).unwrap());
}

#[divan::bench(args = ["overlap", "soft"])]
fn scoring_a_page(bencher: divan::Bencher<'_, '_>, mode: &str) {
    let scorer = scorer(if mode == "soft" { RelevanceMode::Soft } else { RelevanceMode::Overlap });
    let mut scorer = scorer.for_question(QUESTION);
    let urls = urls();
    bencher.counter(ItemsCount::new(urls.len())).bench_local(|| {
        urls.iter().map(|url| scorer.assess(black_box(page(url))).score.total).sum::<f64>()
    });
}

/// The dearest pages: no one rated their outlets, so that their names are read.
#[divan::bench]
fn scoring_pages_of_unknown_outlets(bencher: divan::Bencher<'_, '_>) {
    let scorer = scorer(RelevanceMode::Overlap);
    let mut scorer = scorer.for_question(QUESTION);
    let urls: Vec<WebUrl> = [
        "https://www.harborgazette.com/council-noise",
        "https://the-daily-truth-247.info/a",
        "https://northerntiernewsandadvertiser.co.uk/story/1",
        "https://quietnights.org/decibels",
        "https://someone.substack.com/p/noise",
    ]
    .iter()
    .map(|text| WebUrl::parse(text).unwrap())
    .collect();
    bencher.counter(ItemsCount::new(urls.len())).bench_local(|| {
        urls.iter().map(|url| scorer.assess(black_box(page(url))).score.total).sum::<f64>()
    });
}

#[divan::bench]
fn explaining_a_score(bencher: divan::Bencher<'_, '_>) {
    let scorer = scorer(RelevanceMode::Overlap);
    let mut scorer = scorer.for_question(QUESTION);
    let scored: Vec<_> = urls().iter().map(|url| scorer.assess(page(url))).collect();
    bencher
        .counter(ItemsCount::new(scored.len()))
        .bench(|| scored.iter().map(|assessment| assessment.explanation().len()).sum::<usize>());
}

#[divan::bench]
fn looking_for_recency(bencher: divan::Bencher<'_, '_>) {
    let now = "2026-11-15".parse().unwrap();
    let old = SNIPPET.replace("2026", "1998");
    bencher
        .counter(ItemsCount::new(1usize))
        .bench(|| recency_evidence(black_box([TITLE, &old]), None, now));
}

/// What a question costs before the first page is scored.
#[divan::bench]
fn preparing_a_question(bencher: divan::Bencher<'_, '_>) {
    let scorer = scorer(RelevanceMode::Overlap);
    bencher.bench(|| scorer.for_question(black_box(QUESTION)).question().shown().len());
}
