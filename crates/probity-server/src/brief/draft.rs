//! Topics → a draft: what the article that speaks says, or the newest figure where there is a newer one; who
//! agrees, who else reports, what is superseded, who disagrees.

use probity_core::Timestamp;
use probity_news::develop::{Telling, develop};
use probity_news::rank::credibility;
use probity_reader::{Stop, Stopped, TextReader};
use probity_report::check::{Support, check_claim};
use probity_report::draft::{Conflict, Draft, SUPERSEDED, Statement, Theme};
use probity_text::sentences::split;

use super::{Chapter, Source, published};

/// How many other outlets are named with their headlines.
const OTHERS: usize = 3;
/// How many topics the summary reports.
const SUMMARY: usize = 4;
/// A first sentence of fewer words says too little.
const WORDS_LEAST: usize = 6;
/// How many figures that were replaced are reported per topic.
const OLDER: usize = 3;
/// How many disagreements a briefing tells of one topic.
const DISPUTES: usize = 2;

/// Drafts a briefing.
///
/// # Errors
/// When the reader is stopped.
pub(super) fn draft(
    chapters: &[Chapter],
    category: Option<&str>,
    now: Timestamp,
    reader: &TextReader,
) -> Result<Draft, Stopped> {
    let subject = category.map(|name| format!(": {name}")).unwrap_or_default();
    let drafts = chapters.iter().filter_map(|chapter| draft_chapter(chapter, reader).transpose());
    let drafts: Vec<ChapterDraft> = drafts.collect::<Result<_, Stopped>>()?;
    let firsts = drafts.iter().filter_map(|one| one.theme.statements.first());
    let summary = firsts.take(SUMMARY).map(|first| first.text.clone()).collect();
    let conflicts = drafts.iter().flat_map(|one| one.conflicts.clone()).collect();
    let themes = drafts.into_iter().flat_map(|one| [Some(one.theme), one.superseded]);
    Ok(Draft {
        headline: format!("News briefing of {}{subject}", now.date()),
        summary,
        themes: themes.flatten().collect(),
        conflicts,
        ..Draft::default()
    })
}

/// A topic as it is reported.
struct ChapterDraft {
    theme: Theme,
    /// The figures that a newer one replaced.
    superseded: Option<Theme>,
    conflicts: Vec<Conflict>,
}

fn draft_chapter(chapter: &Chapter, reader: &TextReader) -> Result<Option<ChapterDraft>, Stopped> {
    let Some(first) = chapter.sources.first() else { return Ok(None) };
    let all: Vec<&Source> = chapter.sources.iter().chain(&chapter.earlier).collect();
    let tellings: Vec<Telling<'_>> = all
        .iter()
        .map(|source| Telling {
            at: published(&source.article),
            title: &source.article.title,
            lead: &source.article.summary,
            // An outlet that is known to be weak is shown, but replaces none.
            counts: credibility(&source.article) >= probity_news::NEUTRAL,
        })
        .collect();
    let developed = develop(&tellings);
    let newest = developed.as_ref().and_then(|made| all.get(made.newest.0).copied());
    let lead = match &developed {
        Some(made) => made.newest.1.clone(),
        None => lead(first),
    };
    let from = newest.unwrap_or(first);
    let older: Vec<(&Source, &str)> = developed
        .iter()
        .flat_map(|made| &made.older)
        .filter_map(|(at, sentence)| Some((*all.get(*at)?, sentence.as_str())))
        .collect();
    let is_older = |source: &Source| older.iter().any(|(known, _)| known.id == source.id);
    let mut cites = vec![from.id];
    let mut statements = Vec::new();
    for other in chapter.sources.iter().filter(|other| other.id != from.id && !is_older(other)) {
        // Who says the same is cited with it; who tells it otherwise is heard with its headline.
        let check = check_claim(&lead, &other.text, reader, &Stop::never())?;
        if check.support == Support::Supported {
            cites.push(other.id);
        } else if statements.len() < OTHERS {
            let title = other.article.title.trim_end_matches('.');
            statements.push(Statement::citing(format!("{}: {title}.", other.outlet()), other.id));
        }
    }
    statements.insert(0, Statement { text: lead, cites, ..Statement::default() });
    let outlets = match chapter.outlets {
        0 | 1 => String::new(),
        many => format!(" ({many} outlets)"),
    };
    let theme = Theme { heading: format!("{}{outlets}", from.article.title), statements };
    let superseded = (!older.is_empty()).then(|| Theme {
        heading: format!("{SUPERSEDED} {}: {}", published(&from.article), from.article.title),
        statements: older
            .iter()
            .take(OLDER)
            .map(|(source, sentence)| Statement::citing(*sentence, source.id))
            .collect(),
    });
    // What is out of date is no contradiction.
    let current: Vec<&Source> = all.into_iter().filter(|source| !is_older(source)).collect();
    Ok(Some(ChapterDraft { theme, superseded, conflicts: conflicts(&current, reader)? }))
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

/// What one article says and another denies: the first sentence of the one, and the passage of the other.
fn conflicts(sources: &[&Source], reader: &TextReader) -> Result<Vec<Conflict>, Stopped> {
    let mut found = Vec::new();
    for (at, one) in sources.iter().enumerate() {
        for other in sources.iter().skip(at + 1) {
            if found.len() >= DISPUTES {
                return Ok(found);
            }
            let said = lead(one);
            let check = check_claim(&said, &other.text, reader, &Stop::never())?;
            if let Some(passage) = check.passage.filter(|_| check.opposed) {
                let statements = vec![
                    Statement::citing(said, one.id),
                    Statement::citing(passage.text, other.id),
                ];
                found.push(Conflict { statements, on_answer: false });
            }
        }
    }
    Ok(found)
}
