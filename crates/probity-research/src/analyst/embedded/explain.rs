//! Why there is no report: what was searched, what was found, why it does not answer.

use probity_core::printable::brief;
use probity_report::draft::Shortfall;

use super::super::{ShortfallTask, SourceView};
use super::aims::Aims;

/// The account has at least and at most so many words, all its parts together.
const WORDS: std::ops::RangeInclusive<usize> = 150..=250;

/// Writes the account.
pub(super) fn shortfall(task: &ShortfallTask<'_>) -> Shortfall {
    let aims = Aims::of(task.question);
    let better_queries = better_queries(&aims, task);
    let elsewhere = elsewhere(task.question);
    let mut account = vec![searched(task), found(task), why_not(task, &aims)];
    account.push(why_hard(task.question));
    let fillers = [
        "A report on such sources would have to guess, so none was written and no sentence of theirs \
         is repeated here as an answer.",
        "The pages that were read are kept with this run, each with the reason why it was set aside, \
         so that anybody can check the judgement.",
        "A question that names the place, the time or the kind of source wanted often finds more than \
         a general one.",
        "A folder of documents of one's own can be searched in the same way.",
    ];
    let total = |account: &[String]| {
        let words = |text: &str| text.split_whitespace().count();
        account.iter().map(|part| words(part)).sum::<usize>()
            + words(&elsewhere)
            + better_queries.iter().map(|query| words(query)).sum::<usize>()
    };
    for filler in fillers {
        if total(&account) >= *WORDS.start() {
            break;
        }
        if let Some(last) = account.last_mut() {
            last.push(' ');
            last.push_str(filler);
        }
    }
    // The list of sources is the part that may be cut without losing the argument.
    let mut shown = task.sources.len().min(LISTED);
    while total(&account) > *WORDS.end() && shown > 0 {
        shown -= 1;
        if let Some(part) = account.get_mut(1) {
            *part = found_listing(task, shown);
        }
    }
    Shortfall { headline: headline(&aims), account, better_queries, elsewhere }
}

/// How many sources the account names at the most.
const LISTED: usize = 4;

fn headline(aims: &Aims) -> String {
    let subject = aims.names.iter().chain(&aims.phrases).take(3).cloned().collect::<Vec<_>>();
    match subject.is_empty() {
        true => "The sources found do not answer the question".to_owned(),
        false => format!("Not enough was found to answer: {}", subject.join(", ")),
    }
}

fn searched(task: &ShortfallTask<'_>) -> String {
    let quoted: Vec<String> =
        task.queries.iter().take(3).map(|query| format!("“{}”", brief(query, 90))).collect();
    let mut text = format!(
        "{} sent, among them {}. They brought {}",
        count(task.queries.len(), "search query was", "search queries were"),
        quoted.join(", "),
        count(task.candidates, "candidate", "candidates"),
    );
    match task.blocked {
        0 => {}
        n => {
            let blocked = count(n, "was", "were");
            text.push_str(&format!(", of which {blocked} blocked for low credibility"));
        }
    }
    match task.failed {
        0 => {}
        n => text.push_str(&format!("; {n} could not be read")),
    }
    text.push('.');
    text
}

/// A number and its noun.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn found(task: &ShortfallTask<'_>) -> String {
    found_listing(task, LISTED)
}

fn found_listing(task: &ShortfallTask<'_>, shown: usize) -> String {
    if task.sources.is_empty() {
        return "No page could be read, so nothing can be said about what the sources hold."
            .to_owned();
    }
    let mut text = format!("{} read.", count(task.sources.len(), "page was", "pages were"));
    for source in task.sources.iter().take(shown) {
        text.push_str(&format!(" {}", one(source)));
    }
    text
}

fn one(source: &SourceView<'_>) -> String {
    let why = brief(source.why.trim_end_matches('.'), 160);
    let score = source.relevance.map_or_else(String::new, |score| format!(", {score} of 5"));
    match why.is_empty() {
        true => format!("“{}” ({}{score}).", brief(source.title, 70), source.outlet),
        false => format!("“{}” ({}{score}): {why}.", brief(source.title, 70), source.outlet),
    }
}

fn why_not(task: &ShortfallTask<'_>, aims: &Aims) -> String {
    let relevant = task.sources.iter().filter(|source| source.relevance.unwrap_or(0) >= 3).count();
    let open =
        task.gaps.iter().chain(&aims.phrases).next().map_or("what was asked", String::as_str);
    match relevant {
        0 => format!(
            "They share words with the question, but none of them answers it: what is said about \
             “{}” is missing or concerns something else.",
            brief(open, 80)
        ),
        n => format!(
            "Only {} relevant, which is not enough to rely on; what is said about “{}” could not be \
             confirmed by others.",
            count(n, "of them is", "of them are"),
            brief(open, 80)
        ),
    }
}

/// What kind of thing the question asks for, by the words it begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Price,
    Number,
    Date,
    Person,
    Cause,
    Rule,
    Other,
}

fn asked(question: &str) -> Asked {
    let lower = question.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&["how much", "price", "cost", "charge", "fee ", "fees", "salary", "rate"]) {
        Asked::Price
    } else if has(&["how many", "percentage", "number of", "share of"]) {
        Asked::Number
    } else if has(&["law", "ordinance", "regulation", "allowed", "permit", "legal", "rule"]) {
        Asked::Rule
    } else if lower.starts_with("when") || has(&["what year", "what date"]) {
        Asked::Date
    } else if lower.starts_with("who") {
        Asked::Person
    } else if lower.starts_with("why") {
        Asked::Cause
    } else {
        Asked::Other
    }
}

fn why_hard(question: &str) -> String {
    match asked(question) {
        Asked::Price => "Prices of this kind are often agreed in private and seldom published.",
        Asked::Number => "Figures of this kind exist only if somebody counted and published them.",
        Asked::Rule => {
            "Rules are often published as scans or in collections that searches do not reach."
        }
        Asked::Date => "Dates of minor events are often recorded only in local archives.",
        Asked::Person => "Names are often kept out of published pages.",
        Asked::Cause => "Causes are often argued about in places that are not published.",
        Asked::Other => {
            "The answer may be published under other words, behind a login, or not at all."
        }
    }
    .to_owned()
}

fn elsewhere(question: &str) -> String {
    match asked(question) {
        Asked::Price => {
            "Better information may be had from those who pay or charge: agencies, trade associations, \
             published price lists, or a few direct inquiries."
        }
        Asked::Number => {
            "Better information may lie in official statistics, annual reports or surveys of the field."
        }
        Asked::Rule => {
            "Better information may lie in the official text itself, in the minutes of the body that \
             passed it, or with the office that enforces it."
        }
        Asked::Date | Asked::Person => {
            "Better information may lie in local newspapers, registers and archives."
        }
        Asked::Cause | Asked::Other => {
            "Better information may lie with specialist publications, libraries and people who work in \
             the field."
        }
    }
    .to_owned()
}

/// One or two questions that ask for less at once, or for the neighbouring thing that is published.
fn better_queries(aims: &Aims, task: &ShortfallTask<'_>) -> Vec<String> {
    let names = aims.names.join(" ");
    let mut queries = Vec::new();
    if let Some((one, other)) = &aims.sides {
        queries.push(format!("{one} {}", suffix(task.question)));
        queries.push(format!("{other} {}", suffix(task.question)));
    }
    for phrase in aims.phrases.iter().filter(|phrase| phrase.contains(' ')) {
        queries.push(format!("{names} {phrase} {}", suffix(task.question)).trim().to_owned());
        queries.push(format!("{phrase} {}", suffix(task.question)));
    }
    queries.push(format!("{names} {}", aims.phrases.join(" ")).trim().to_owned());
    let sent = |query: &String| task.queries.iter().any(|old| old.eq_ignore_ascii_case(query));
    queries.retain(|query| !query.trim().is_empty() && !sent(query));
    queries.dedup();
    queries.truncate(2);
    if queries.is_empty() {
        queries.push(format!("{} {}", task.question.trim_end_matches('?'), suffix(task.question)));
    }
    queries
}

/// What kind of source would hold the answer, as a search word.
fn suffix(question: &str) -> &'static str {
    match asked(question) {
        Asked::Price => "price list",
        Asked::Number => "statistics",
        Asked::Rule => "official text",
        Asked::Date => "chronology",
        Asked::Person => "biography",
        Asked::Cause => "analysis",
        Asked::Other => "overview",
    }
}
