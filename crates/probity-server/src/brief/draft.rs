//! Topics → a draft: what the article that speaks says, who agrees, who else reports, who disagrees.

use probity_core::Timestamp;
use probity_report::check::{SourceIndex, Support};
use probity_report::draft::{Conflict, Draft, Statement, Theme};
use probity_research::analyst::SourceView;
use probity_research::analyst::embedded::disagreements;
use probity_text::sentences::split;

use super::{Chapter, Source};

/// How many other outlets are named with their headlines.
const OTHERS: usize = 3;
/// How many topics the summary tells.
const SUMMARY: usize = 4;
/// A first sentence of fewer words says too little.
const WORDS_LEAST: usize = 6;
/// How many disagreements a briefing tells of one topic.
const DISPUTES: usize = 2;

/// Drafts a briefing.
pub(super) fn draft(chapters: &[Chapter], category: Option<&str>, now: Timestamp) -> Draft {
    let subject = category.map(|name| format!(": {name}")).unwrap_or_default();
    let themes: Vec<Theme> = chapters.iter().filter_map(theme).collect();
    let firsts = themes.iter().filter_map(|theme| theme.statements.first());
    Draft {
        headline: format!("News briefing of {}{subject}", now.date()),
        summary: firsts.take(SUMMARY).map(|first| first.text.clone()).collect(),
        conflicts: chapters.iter().flat_map(conflicts).collect(),
        themes,
        unanswered: Vec::new(),
    }
}

fn theme(chapter: &Chapter) -> Option<Theme> {
    let (first, others) = chapter.sources.split_first()?;
    let lead = lead(first);
    let mut cites = vec![first.id];
    let mut statements = Vec::new();
    for other in others {
        // Who says the same is cited with it; who tells it otherwise is heard with its headline.
        if SourceIndex::new(&other.text).check(&lead).support == Support::Supported {
            cites.push(other.id);
        } else if statements.len() < OTHERS {
            let title = other.article.title.trim_end_matches('.');
            statements.push(Statement::citing(format!("{}: {title}.", other.outlet()), other.id));
        }
    }
    statements.insert(0, Statement { text: lead, cites });
    let outlets = match chapter.outlets {
        0 | 1 => String::new(),
        many => format!(" ({many} outlets)"),
    };
    Some(Theme { heading: format!("{}{outlets}", first.article.title), statements })
}

/// The first sentence of an article that says enough, or its headline.
fn lead(source: &Source) -> String {
    let enough = |text: &&str| text.split_whitespace().count() >= WORDS_LEAST;
    let sentence = split(&source.article.summary).map(str::trim).find(enough);
    match sentence {
        Some(sentence) => sentence.split_whitespace().collect::<Vec<_>>().join(" "),
        None => format!("{}.", source.article.title.trim_end_matches('.')),
    }
}

fn conflicts(chapter: &Chapter) -> Vec<Conflict> {
    let outlets: Vec<String> = chapter.sources.iter().map(Source::outlet).collect();
    let views: Vec<SourceView<'_>> = chapter
        .sources
        .iter()
        .zip(&outlets)
        .map(|(source, outlet)| SourceView {
            id: source.id,
            title: &source.article.title,
            url: source.url.as_str(),
            outlet,
            published: source.article.published_at.map(Timestamp::date),
            credibility: source.article.credibility.unwrap_or(probity_news::NEUTRAL),
            snippet: &source.article.summary,
            text: &source.text,
            summary: &source.article.summary,
            relevance: None,
            why: "",
        })
        .collect();
    let subject = chapter.sources.first().map(|first| first.article.title.as_str());
    let mut found = disagreements(subject.unwrap_or_default(), &views);
    found.truncate(DISPUTES);
    found
}
