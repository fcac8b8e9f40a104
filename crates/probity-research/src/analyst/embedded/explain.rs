//! Why there is no report: what was searched, what was found, why it does not answer.

use probity_core::counted;
use probity_core::printable::brief;
use probity_report::draft::Shortfall;

use super::super::{ShortfallTask, SourceView};
use super::aims::Aims;
use probity_text::question::{Question, Role};

/// The account has at least and at most so many words, all its parts together.
const WORDS: std::ops::RangeInclusive<usize> = 150..=250;

/// Writes the account.
pub(super) fn shortfall(task: &ShortfallTask<'_>) -> Shortfall {
    let aims = Aims::of(task.question);
    let better_queries = better_queries(&aims, task);
    let elsewhere = elsewhere(task.question);
    let (headline, mut account, fillers) = match (task.unreached, task.sources) {
        ([], []) => {
            let account = vec![searched(task), unread(task), why_hard(task.question)];
            (headline(&aims), account, NOTHING_READ)
        }
        ([], _) => {
            let why = [why_not(task, &aims), why_hard(task.question)];
            let mut account = vec![searched(task), found_listing(task, LISTED)];
            account.extend(why);
            (headline(&aims), account, SET_ASIDE)
        }
        (said, _) => {
            let headline = "No search provider answered, so nothing could be found".to_owned();
            (headline, vec![searched(task), unreached(said), TO_TRY.to_owned()], NOBODY_ANSWERED)
        }
    };
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
    Shortfall { headline, account, better_queries, elsewhere }
}

/// What more can be said where pages were read and set aside.
const SET_ASIDE: &[&str] = &[
    "A report on such sources would have to guess, so none was written and no sentence of theirs \
     is repeated here as an answer.",
    "The pages that were read are kept with this run, each with the reason why it was set aside, \
     so that anybody can check the judgement.",
    "A question that names the place, the time or the kind of source wanted often finds more than \
     a general one.",
    "A folder of documents of one's own can be searched in the same way.",
];

/// What more can be said where no page was read.
const NOTHING_READ: &[&str] = &[
    "That no page was read does not mean that there is no answer: search providers know different \
     parts of the web, and other words may find what these did not.",
    "A question that names the place, the time or the kind of source wanted often finds more than \
     a general one.",
    "Other search providers can be named for a run (--search), and one with a key of its own often \
     knows more than those without.",
    "Single pages that are known to speak of it can be handed over as a list of addresses (--urls), and \
     a folder of documents of one's own can be searched in the same way (--library).",
    "What a single query brings, before anything is fetched, is shown by `probity search`.",
];

/// What that means and what can be tried, where no provider answered.
const TO_TRY: &str = "That says nothing about the question: no page was seen, so whether an answer is \
    published is not known. To try: mend the way to the network and ask again; search a folder of one's \
    own documents with --library, which needs no network; or name other providers with --search, of \
    which those with a key often answer where others do not.";

/// What more can be said where no provider answered.
const NOBODY_ANSWERED: &[&str] = &[
    "`probity search` shows what each provider says to a single query, and `probity doctor` what is in \
     place on this machine.",
    "A machine without a way out, a proxy that lets these hosts not through and a provider that turns \
     programs away all look like this; what each of them said, as it stands above, tells them apart.",
    "Single pages that are known to speak of it can be handed over as a list of addresses (--urls).",
    "Nothing was guessed instead.",
];

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
    let sent = counted(task.queries.len(), "search query was", "search queries were");
    let among = if quoted.len() < task.queries.len() { ", among them" } else { ":" };
    if !task.unreached.is_empty() {
        return format!("{sent} sent{among} {}. No search provider answered.", quoted.join(", "));
    }
    let brought = if task.queries.len() == 1 { "It" } else { "They" };
    let mut text = format!(
        "{sent} sent{among} {}. {brought} brought {}",
        quoted.join(", "),
        counted(task.candidates, "candidate", "candidates"),
    );
    match task.blocked {
        0 => {}
        n => {
            let blocked = counted(n, "was", "were");
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

/// Why there is no page to speak of.
fn unread(task: &ShortfallTask<'_>) -> String {
    match task.candidates {
        0 => "Nothing was found, so no page was read.",
        _ => "None of them was read, so nothing can be said about what they hold.",
    }
    .to_owned()
}

/// What the providers said instead of an answer.
fn unreached(said: &[String]) -> String {
    let said: Vec<String> = said.iter().take(LISTED).map(|said| brief(said, 110)).collect();
    format!("What went wrong: {}.", said.join("; ").trim_end_matches('.'))
}

fn found_listing(task: &ShortfallTask<'_>, shown: usize) -> String {
    let mut text = format!("{} read.", counted(task.sources.len(), "page was", "pages were"));
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
            counted(n, "of them is", "of them are"),
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

/// One or two queries that ask for less at once: for each side or subject by itself, in the words in
/// which such things are published.
fn better_queries(aims: &Aims, task: &ShortfallTask<'_>) -> Vec<String> {
    let said = told(task.question);
    let bare = |phrase: &str| {
        let kept = phrase.split_whitespace().filter(|word| !said.contains(&word.to_lowercase()));
        kept.collect::<Vec<_>>().join(" ")
    };
    let subjects: Vec<String> = match &aims.sides {
        Some((one, other)) => vec![bare(one), bare(other)],
        None => aims.phrases.iter().map(|phrase| bare(phrase)).collect(),
    };
    let names = aims.names.join(", ");
    let full = |subject: &String| match names.is_empty() {
        true => subject.clone(),
        false => format!("{subject} in {names}"),
    };
    let weighty = || subjects.iter().filter(|subject| subject.contains(' '));
    let single = || subjects.iter().filter(|subject| !subject.is_empty());
    let mut queries: Vec<String> =
        weighty().chain(single()).map(|s| wanted(task, &full(s))).collect();
    queries.extend(weighty().chain(single()).map(|subject| wanted(task, subject)));
    queries.push(wanted(task, &names));
    let sent = |query: &String| task.queries.iter().any(|old| old.eq_ignore_ascii_case(query));
    queries.retain(|query| !sent(query));
    let mut fresh: Vec<String> = Vec::new();
    for query in queries {
        if !fresh.contains(&query) && fresh.len() < BETTER {
            fresh.push(query);
        }
    }
    fresh
}

/// How many better queries are named.
const BETTER: usize = 2;

/// The words of a question that tell what kind of answer it wants, or say little.
fn told(question: &str) -> Vec<String> {
    let question = Question::read(question);
    let terms = question.parts().iter().flat_map(|part| &part.terms);
    let dull = terms.filter(|term| matches!(term.role, Role::Kind | Role::Light));
    dull.map(|term| term.word.clone()).collect()
}

/// A subject as the heading of what would answer: "prices of …".
fn wanted(task: &ShortfallTask<'_>, subject: &str) -> String {
    let kind = match asked(task.question) {
        Asked::Price => "prices of",
        Asked::Number => "number of",
        Asked::Rule => "rules on",
        Asked::Date => "history of",
        Asked::Person => "people of",
        Asked::Cause => "reasons for",
        Asked::Other => "report on",
    };
    format!("{kind} {subject}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = "What is the population of France?";

    fn told(candidates: usize, unreached: &[&str]) -> (Shortfall, String) {
        let queries = [QUESTION.to_owned(), "France population".to_owned()];
        let unreached: Vec<String> = unreached.iter().map(|said| (*said).to_owned()).collect();
        let task = ShortfallTask {
            question: QUESTION,
            queries: &queries,
            sources: &[],
            candidates,
            blocked: 0,
            failed: candidates,
            gaps: &[],
            unreached: &unreached,
        };
        let shortfall = shortfall(&task);
        let text = shortfall.account.join("\n");
        let words = text.split_whitespace().count()
            + shortfall.elsewhere.split_whitespace().count()
            + shortfall.better_queries.join(" ").split_whitespace().count();
        assert!(WORDS.contains(&words), "{words}: {text}");
        (shortfall, text)
    }

    #[test]
    fn that_nobody_answered_is_the_reason_and_says_what_failed_and_what_to_try() {
        let said = ["wikipedia: en.wikipedia.org cannot be reached: dns error", "brave: no answer"];
        let (shortfall, text) = told(0, &said);
        assert!(shortfall.headline.contains("No search provider answered"), "{shortfall:?}");
        for part in ["No search provider answered", said[0], said[1], "--library", "network", "key"]
        {
            assert!(text.contains(part), "{part} in: {text}");
        }
    }

    #[test]
    fn a_better_query_is_a_subject_of_its_own_and_no_query_with_a_word_more() {
        for (question, first) in [
            ("How much do tram drivers earn in Norfell?", "prices of tram drivers in Norfell"),
            ("Why was the harbour tunnel closed?", "reasons for harbour tunnel closed"),
            ("How many readers does the Arden library have?", "number of readers in Arden"),
        ] {
            let queries = [question.to_owned()];
            let task = ShortfallTask {
                question,
                queries: &queries,
                sources: &[],
                candidates: 0,
                blocked: 0,
                failed: 0,
                gaps: &[],
                unreached: &[],
            };
            let better = better_queries(&Aims::of(question), &task);
            assert_eq!(better.first().map(String::as_str), Some(first), "{better:?}");
            assert!(better.iter().all(|query| !query.starts_with(question)), "{better:?}");
        }
    }

    #[test]
    fn nothing_is_told_of_pages_where_none_was_read() {
        for (candidates, unreached) in [(0, &[][..]), (3, &[][..]), (0, &["wikipedia: away"][..])] {
            let (_, text) = told(candidates, unreached);
            for claim in
                ["share words", "pages that were read", "of theirs", "none of them answers"]
            {
                assert!(!text.contains(claim), "{claim} in: {text}");
            }
        }
        assert!(told(0, &[]).1.contains("Nothing was found"));
        assert!(told(3, &[]).1.contains("None of them was read"));
    }
}
