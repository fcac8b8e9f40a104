//! Why there is no report: what was searched, what came nearest, why that is not enough.

use probity_core::SourceId;
use probity_core::printable::brief;
use probity_reader::{Stop, Stopped};
use probity_report::draft::Shortfall;
use probity_report::phrases::{Phrase, Phrases};

use super::super::{ShortfallTask, SourceView};
use super::answer::choose;
use super::question::Asked;
use super::read::CachedReader;
use super::retrieve::Library;

/// The most words of the account, all its parts together.
const WORDS: usize = 250;
/// How many passages are read to find the nearest, and how many of those are quoted.
const PASSAGES: usize = 10;
const QUOTED: usize = 3;
/// The longest quotation and title, in characters.
const QUOTE_CHARS: usize = 240;
const TITLE_CHARS: usize = 70;
/// How many of the sources that were set aside are named.
const NAMED: usize = 3;

/// Writes the account.
///
/// # Errors
/// When it is told to stop.
pub(super) fn shortfall(
    task: &ShortfallTask<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Shortfall, Stopped> {
    let asked = Asked::new(task.question);
    if !task.unreached.is_empty() {
        return Ok(unreached(task));
    }
    let mut account = vec![searched(task)];
    let (nearest, quoted) = nearest(&asked, task, reading, stop)?;
    account.extend(nearest);
    account.extend(set_aside(task, &quoted));
    let better_queries = better_queries(&asked, task.queries);
    let words = |text: &String| text.split_whitespace().count();
    let rest: usize = better_queries.iter().map(words).sum();
    // What was searched and what came nearest come first; the rest may be cut.
    while account.len() > 1 && account.iter().map(words).sum::<usize>() + rest > WORDS {
        account.pop();
    }
    let question = brief(task.question.trim(), 120);
    let headline = Phrases::of(task.question).say(Phrase::NotEnough, &[(&question).into()]);
    Ok(Shortfall { headline, account, better_queries, elsewhere: String::new() })
}

/// The account of a run that no search provider answered.
fn unreached(task: &ShortfallTask<'_>) -> Shortfall {
    let said: Vec<String> = task.unreached.iter().map(|said| brief(said, 160)).collect();
    Shortfall {
        headline: "No search provider answered, so nothing could be found".to_owned(),
        account: vec![
            format!("{} No search provider answered: {}.", searched(task), said.join("; ")),
            "That says nothing about the question: no page was seen. To try: check the network and ask \
             again; search a folder of your own documents with --library, which needs no network; or \
             name other providers with --search."
                .to_owned(),
        ],
        better_queries: Vec::new(),
        elsewhere: String::new(),
    }
}

fn searched(task: &ShortfallTask<'_>) -> String {
    let queries: Vec<String> =
        task.queries.iter().take(3).map(|query| format!("“{}”", brief(query, 90))).collect();
    let phrases = Phrases::of(task.question);
    let mut text = phrases.say(Phrase::Searched, &[queries.join(", ").as_str().into()]);
    let mut add = |phrase, count: usize| text.push_str(&phrases.say(phrase, &[count.into()]));
    if task.queries.len() > queries.len() {
        add(Phrase::AndMore, task.queries.len() - queries.len());
    }
    if task.unreached.is_empty() {
        add(Phrase::Found, task.candidates);
        if task.blocked > 0 {
            add(Phrase::FoundBlocked, task.blocked);
        }
        if task.failed > 0 {
            add(Phrase::FoundFailed, task.failed);
        }
        add(Phrase::FoundRead, task.sources.len());
    }
    text.push('.');
    text
}

/// The best passages that were found, with where they are and why they are not enough, and which sources they are of.
fn nearest(
    asked: &Asked,
    task: &ShortfallTask<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<(Vec<String>, Vec<SourceId>), Stopped> {
    let library = Library::new(task.sources);
    let phrases = Phrases::of(task.question);
    let (mut lines, mut quoted) = (Vec::new(), Vec::new());
    let mut is_any_kept = false;
    for part in &asked.parts {
        let answered = choose(asked, part, &library, reading, PASSAGES, stop)?;
        for choice in answered.choices.iter().take(QUOTED) {
            let Some(source) = library.source(choice.source) else { continue };
            let text = library.slice(choice.source, &choice.sentence);
            let kept = source.relevance.is_some_and(|score| score >= 3);
            let why = if kept { Phrase::Bears } else { Phrase::NoAnswer };
            let (quote, title) =
                (brief(text.trim(), QUOTE_CHARS), brief(source.title, TITLE_CHARS));
            let line = phrases.say(why, &[(&quote).into(), (&title).into()]);
            if !lines.contains(&line) && lines.len() < QUOTED {
                lines.push(line);
                quoted.push(source.id);
                is_any_kept |= kept;
            }
        }
    }
    if let Some(first) = lines.first_mut() {
        let nearest = if is_any_kept { Phrase::Nearest } else { Phrase::NoneNearest };
        first.insert_str(0, &phrases.say(nearest, &[]));
    }
    Ok((lines, quoted))
}

/// The sources that were set aside, by what they are about. What is quoted was not.
fn set_aside(task: &ShortfallTask<'_>, quoted: &[SourceId]) -> Option<String> {
    let is_dropped = |source: &&SourceView<'_>| source.relevance.is_some_and(|score| score < 3);
    let dropped = task.sources.iter().filter(is_dropped).filter(|one| !quoted.contains(&one.id));
    let titles: Vec<String> = dropped
        .map(|source| format!("“{}”", brief(source.title, TITLE_CHARS)))
        .take(NAMED)
        .collect();
    let phrases = Phrases::of(task.question);
    (!titles.is_empty())
        .then(|| phrases.say(Phrase::SetAside, &[titles.join(", ").as_str().into()]))
}

/// Queries that a person would type and that were not sent: the question without its names, which widens it, and
/// its parts.
fn better_queries(asked: &Asked, sent: &[String]) -> Vec<String> {
    let parts = asked.parts.iter().map(|part| part.text.clone());
    let known = |query: &String| sent.iter().any(|sent| sent.eq_ignore_ascii_case(query));
    let wider = asked.keywords_without_names();
    let all = asked.keywords().into_iter().chain(wider).chain(parts);
    all.filter(|query| !known(query)).take(2).collect()
}
