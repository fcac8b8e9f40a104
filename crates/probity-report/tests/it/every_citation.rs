//! Every `[n]` of a report leads to source n, in every format, whatever an analyst hands in.

use std::collections::BTreeSet;

use html5gum::{Token, Tokenizer};
use probity_core::{Decision, Verdict};
use probity_report::assemble::Texts;
use probity_report::bibtex::bibtex;
use probity_report::draft::Draft;
use probity_report::html::{contents, html};
use probity_report::json::json;
use probity_report::ris::ris;
use probity_report::{CheckedReport, OnUnverified};
use proptest::prelude::*;
use serde_json::Value;

use crate::forms::every_form;
use crate::sample::{by_words, long, saying, short_of};
use crate::shape::{TEXT, drafts, facts, hostile, verdicts};

/// A report of a draft over candidates that all say the same.
fn assembled(draft: Draft, verdicts: &[Verdict], title: &str) -> CheckedReport {
    let facts = facts(verdicts, title, "How loud may it be?", Decision::FullReport);
    let texts: Texts = facts.candidates.iter().map(|c| (c.id, TEXT.into())).collect();
    by_words(draft, facts, &texts, OnUnverified::Mark)
}

/// The numbers of all citations, in the order of the text.
fn cited(report: &CheckedReport) -> Vec<usize> {
    report.statements().flat_map(|statement| statement.cites.clone()).collect()
}

/// What a page jumps to, what it can be jumped to, and what its citations say, in its order.
#[derive(Default)]
struct Page {
    jumps: Vec<String>,
    places: Vec<String>,
    cited: Vec<usize>,
}

fn page(html: &str) -> Page {
    let mut page = Page::default();
    for token in Tokenizer::new(html) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        let attribute = |name: &str| {
            let value = tag.attributes.get(name.as_bytes());
            value.map(|value| String::from_utf8_lossy(value).into_owned())
        };
        page.places.extend(attribute("id"));
        let described = attribute("aria-describedby");
        let labelled = attribute("aria-labelledby");
        page.jumps.extend(described.into_iter().chain(labelled));
        let Some(jump) =
            attribute("href").and_then(|href| Some(href.strip_prefix('#')?.to_owned()))
        else {
            continue;
        };
        if attribute("class").is_some_and(|class| class == "cite") {
            page.cited.push(jump.strip_prefix("source-").unwrap().parse().unwrap());
        }
        page.jumps.push(jump);
    }
    page
}

fn resolves_in_html(report: &CheckedReport) -> Result<(), TestCaseError> {
    let Page { jumps, places, cited: said } = page(&html(report));
    let different: BTreeSet<&String> = places.iter().collect();
    prop_assert_eq!(different.len(), places.len(), "two places have one name");
    for jump in &jumps {
        prop_assert!(different.contains(jump), "#{} leads nowhere", jump);
    }
    for (anchor, _, _) in contents(report) {
        prop_assert!(different.contains(&anchor), "#{} of the contents leads nowhere", anchor);
    }
    prop_assert_eq!(said, cited(report));
    Ok(())
}

fn resolves_in_json(report: &CheckedReport) -> Result<(), TestCaseError> {
    let value: Value = serde_json::from_str(&json(report)).unwrap();
    let sources = value["sources"].as_array().unwrap();
    for (place, source) in sources.iter().enumerate() {
        prop_assert_eq!(&source["n"], &Value::from(place + 1));
    }
    for statement in value["statements"].as_array().unwrap() {
        let evidence = statement["evidence"].as_array().unwrap();
        let cites = statement["cites"].as_array().unwrap();
        prop_assert_eq!(cites.len(), evidence.len());
        for (n, evidence) in cites.iter().zip(evidence) {
            let place = usize::try_from(n.as_u64().unwrap()).unwrap() - 1;
            prop_assert_eq!(&evidence["n"], n);
            prop_assert_eq!(&evidence["source"], &sources[place]["id"]);
        }
    }
    Ok(())
}

/// A bibliography has an entry for each number, in the order of the numbers.
fn is_listed_in_bibliographies(report: &CheckedReport) -> Result<(), TestCaseError> {
    let hosts: Vec<String> =
        report.sources().map(|(_, source)| source.url.host().to_owned()).collect();
    let host = |address: &str| address.split('/').nth(2).unwrap_or_default().to_owned();
    let (entries, records) = (bibtex(report), ris(report));
    let urls = entries.lines().filter_map(|line| line.trim_start().strip_prefix("url "));
    let urls = urls.map(|line| host(line.split_once('{').unwrap().1));
    prop_assert_eq!(urls.collect::<Vec<_>>(), hosts.clone());
    let urls = records.lines().filter_map(|line| line.strip_prefix("UR  - ")).map(host);
    prop_assert_eq!(urls.collect::<Vec<_>>(), hosts);
    Ok(())
}

fn resolves(report: &CheckedReport) -> Result<(), TestCaseError> {
    resolves_in_html(report)?;
    resolves_in_json(report)?;
    is_listed_in_bibliographies(report)?;
    crate::docx::check(report)
}

#[test]
fn every_citation_of_the_samples_resolves_in_every_format() {
    for report in [saying("A title."), short_of("A title."), long(40), every_form()] {
        resolves(&report).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_citation_of_any_draft_resolves_in_every_format(
        draft in drafts(), verdicts in verdicts(), title in hostile(),
    ) {
        resolves(&assembled(draft, &verdicts, &title))?;
    }
}

#[cfg(feature = "pdf")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_citation_of_any_draft_is_a_link_within_the_pdf(draft in drafts(), verdicts in verdicts()) {
        let report = assembled(draft, &verdicts, "A title");
        let (bare, addresses) = crate::pdf::structure(&crate::pdf::render(&report).bytes);
        // A citation that is broken across two lines is a link on each of them.
        prop_assert!(bare.matches("/Border[0 0 0]/Dest ").count() >= cited(&report).len());
        let seen: BTreeSet<String> =
            report.facts().candidates.iter().map(|c| c.url.as_str().to_owned()).collect();
        prop_assert!(addresses.is_subset(&seen), "{:?}", addresses);
    }
}
