//! The shapes of answers, and what is made of them: only what the sources could have said.

use probity_core::SourceId;
use probity_model::schema::{self, integer, list, object, one_of, string};
use probity_model::untrusted::unescape;
use probity_model::{Reply, Schema};
use probity_report::check::Support;
use probity_report::confidence::Level;
use probity_report::draft::{Conflict, Draft, Proposal, Shortfall, Statement, Theme};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::{Gaps, Judgement, Plan, SourceView, Summary};
use super::show::Shown;
use super::urls::without_strange_urls;

/// The most quotations of a summary that are kept.
const QUOTES: usize = 4;
/// The shortest quotation worth keeping, in characters.
const QUOTE_CHARS: usize = 20;
/// The longest sentence that is taken over, in characters.
const SENTENCE_CHARS: usize = 1_200;
/// The longest summary that is taken over, in bytes.
const SUMMARY_BYTES: usize = 6_000;
/// The longest reason of a score, in characters.
const WHY_CHARS: usize = 400;

fn named(name: &str, schema: Value) -> Schema {
    Schema { name: name.to_owned(), schema }
}

fn typed<T: DeserializeOwned>(
    reply: &Reply,
    schema: &Schema,
    needed: &[&str],
) -> Result<T, String> {
    let value = schema::read(&reply.text, schema, needed)?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}

pub(super) fn plan_schema() -> Schema {
    let queries = list(string("a search query"), "one to four search queries");
    named("plan", object(&[("queries", queries)]))
}

pub(super) fn plan(reply: &Reply) -> Result<Plan, String> {
    typed(reply, &plan_schema(), &["queries"])
}

pub(super) fn summary_schema() -> Schema {
    let quotes = list(string("a sentence of the source, word for word"), "up to four quotations");
    named("summary", object(&[("summary", string("what the source says")), ("quotes", quotes)]))
}

/// A summary with those of its quotations that the source really holds.
pub(super) fn summary(reply: &Reply, source: &str) -> Result<Summary, String> {
    #[derive(Deserialize)]
    struct Read {
        summary: String,
        quotes: Vec<String>,
    }
    let read: Read = typed(reply, &summary_schema(), &["summary"])?;
    let mut text = without_strange_urls(&unescape(&read.summary), source);
    text.truncate(text.floor_char_boundary(SUMMARY_BYTES));
    let held = flat(source);
    let quotes = read.quotes.iter().map(|quote| unescape(quote));
    let quotes = quotes.map(|quote| quote.trim_matches(['"', '“', '”', ' ', '…']).to_owned());
    let genuine = quotes.filter(|q| q.chars().count() >= QUOTE_CHARS && held.contains(&flat(q)));
    for quote in genuine.take(QUOTES) {
        text.push_str(&format!("\n“{}”", quote.trim()));
    }
    Ok(Summary { text })
}

/// A text's letters and digits, so that spacing and quotation marks do not matter.
fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn gaps_schema() -> Schema {
    let keys = [
        ("unanswered", list(string("what is missing, in a few words"), "at most four")),
        ("queries", list(string("a search query"), "one to three")),
    ];
    named("gaps", object(&keys))
}

pub(super) fn gaps(reply: &Reply) -> Result<Gaps, String> {
    let mut gaps: Gaps = typed(reply, &gaps_schema(), &[])?;
    for text in gaps.unanswered.iter_mut().chain(&mut gaps.queries) {
        *text = without_strange_urls(&unescape(text), "");
    }
    Ok(gaps)
}

pub(super) fn score_schema() -> Schema {
    let keys = [("score", integer("1 to 5")), ("why", string("one sentence that says why"))];
    named("score", object(&keys))
}

/// A score as JSON, or as the lines `SCORE: n` and `EXPLANATION: …`.
pub(super) fn score(reply: &Reply) -> Result<Judgement, String> {
    let read =
        typed(reply, &score_schema(), &[]).or_else(|problem| lines(&reply.text).ok_or(problem));
    let judgement: Judgement = read?;
    if !(1..=5).contains(&judgement.score) {
        return Err(format!("the score {} is not on the scale from 1 to 5", judgement.score));
    }
    let why = without_strange_urls(&unescape(&judgement.why), "");
    Ok(Judgement { why: probity_core::printable::brief(why.trim(), WHY_CHARS), ..judgement })
}

fn lines(reply: &str) -> Option<Judgement> {
    let text = probity_model::json::without_thoughts(reply);
    let after = |label: &str| {
        let found = text.lines().rev().find_map(|line| {
            let line = line.trim().trim_start_matches(['*', '#', '-', ' ']);
            let head = line.get(..label.len())?;
            let rest = line.get(label.len()..)?.trim_start_matches('*').trim_start();
            (head.eq_ignore_ascii_case(label)).then(|| rest.strip_prefix(':'))?
        });
        found.map(|rest| rest.trim_matches(['*', ' ']))
    };
    let digits: String = after("score")?
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let why = after("explanation").unwrap_or_default().to_owned();
    Some(Judgement { score: digits.parse().ok()?, why })
}

fn statement_schema() -> Value {
    let sources = list(string("S1"), "the labels of the sources that state it");
    object(&[("text", string("one sentence")), ("sources", sources)])
}

pub(super) fn draft_schema() -> Schema {
    let sentences = || list(statement_schema(), "sentences");
    let theme = object(&[("heading", string("two to six words")), ("statements", sentences())]);
    let on_answer = "yes if the sides differ in the very thing that was asked, else no";
    let conflict = object(&[("statements", sentences()), ("on_answer", string(on_answer))]);
    let keys = [
        ("headline", string("the finding in one line")),
        ("summary", list(string("one sentence"), "three to five sentences")),
        ("findings", list(theme, "themes")),
        ("conflicts", list(conflict, "disagreements, each with a sentence for each side")),
        ("confidence", string("Low, Medium or High")),
        ("confidence_reason", string("one sentence that says why")),
    ];
    named("draft", object(&keys))
}

#[derive(Deserialize)]
struct ReadStatement {
    text: String,
    sources: Vec<String>,
}

#[derive(Deserialize)]
struct ReadTheme {
    heading: String,
    statements: Vec<ReadStatement>,
}

#[derive(Deserialize)]
struct ReadConflict {
    statements: Vec<ReadStatement>,
    on_answer: String,
}

#[derive(Deserialize)]
struct ReadDraft {
    headline: String,
    summary: Vec<String>,
    findings: Vec<ReadTheme>,
    conflicts: Vec<ReadConflict>,
    confidence: String,
    confidence_reason: String,
}

/// Who may be cited, and what they say.
pub(super) struct Cited<'a> {
    pub(super) shown: &'a [Shown],
    pub(super) sources: &'a [SourceView<'a>],
}

impl Cited<'_> {
    /// The source that a label names. A label that names none is no citation.
    fn source(&self, label: &str) -> Option<SourceId> {
        let label = label.trim().trim_matches(['[', ']', '(', ')']);
        let found = self.shown.iter().find(|shown| {
            shown.label.eq_ignore_ascii_case(label) || shown.label.strip_prefix('S') == Some(label)
        });
        found.map(|shown| shown.id)
    }

    pub(super) fn sources(&self, labels: &[String]) -> Vec<SourceId> {
        let labels = labels.iter().flat_map(|label| label.split([',', ';', ' ']));
        let mut ids: Vec<SourceId> = labels.filter_map(|label| self.source(label)).collect();
        let mut seen = Vec::new();
        ids.retain(|id| !seen.contains(id) && (seen.push(*id), true).1);
        ids
    }

    /// A sentence without addresses that the cited sources do not hold.
    pub(super) fn sentence(&self, text: &str, cites: &[SourceId]) -> String {
        let cited = self.sources.iter().filter(|source| cites.contains(&source.id));
        let held: String = cited.map(|source| source.text).collect::<Vec<_>>().join("\n");
        let text = without_strange_urls(&unescape(text), &held);
        probity_core::printable::brief(text.trim(), SENTENCE_CHARS)
    }

    fn statement(&self, read: &ReadStatement) -> Option<Statement> {
        let cites = self.sources(&read.sources);
        let text = self.sentence(&read.text, &cites);
        // A sentence that rests on nothing that was read is not written.
        let cited = !text.is_empty() && !cites.is_empty();
        cited.then(|| Statement { text, cites, ..Statement::default() })
    }

    fn statements(&self, read: &[ReadStatement]) -> Vec<Statement> {
        read.iter().filter_map(|one| self.statement(one)).collect()
    }
}

/// A draft whose every sentence cites a source that was shown.
pub(super) fn draft(reply: &Reply, cited: &Cited<'_>) -> Result<Draft, String> {
    let read: ReadDraft = typed(reply, &draft_schema(), &["findings"])?;
    let themes: Vec<Theme> = read
        .findings
        .iter()
        .map(|theme| Theme {
            heading: cited.sentence(&theme.heading, &[]),
            statements: cited.statements(&theme.statements),
        })
        .filter(|theme| !theme.statements.is_empty())
        .collect();
    if themes.is_empty() {
        return Err("no sentence of `findings` cites a source by its label".to_owned());
    }
    let conflicts = read
        .conflicts
        .iter()
        .map(|conflict| Conflict {
            statements: cited.statements(&conflict.statements),
            // It only lowers confidence, so that a model which does not say has said yes.
            on_answer: !conflict.on_answer.trim().to_ascii_lowercase().starts_with("no"),
        })
        .filter(|conflict| conflict.statements.len() > 1)
        .collect();
    let summary = read.summary.iter().map(|text| cited.sentence(text, &[]));
    let summary = summary.filter(|text| !text.is_empty()).collect();
    Ok(Draft {
        headline: cited.sentence(&read.headline, &[]),
        summary,
        themes,
        conflicts,
        unanswered: Vec::new(),
        certainty: None,
        confidence: proposal(&read.confidence, &cited.sentence(&read.confidence_reason, &[])),
    })
}

/// How far a model would rely on its draft; none where it does not say so in one of three words.
fn proposal(level: &str, reason: &str) -> Option<Proposal> {
    let said = level.trim().trim_matches(['*', '"', '.']);
    let level = Level::ALL.into_iter().find(|level| said.eq_ignore_ascii_case(level.as_str()))?;
    Some(Proposal { level, reason: probity_core::printable::brief(reason, WHY_CHARS) })
}

pub(super) fn shortfall_schema() -> Schema {
    let keys = [
        ("headline", string("what could not be answered")),
        ("account", list(string("one sentence"), "four to seven sentences")),
        ("better_queries", list(string("a search query"), "one or two")),
        ("elsewhere", string("where better information may be")),
    ];
    named("shortfall", object(&keys))
}

pub(super) fn shortfall(reply: &Reply) -> Result<Shortfall, String> {
    let read: Shortfall = typed(reply, &shortfall_schema(), &["account", "elsewhere"])?;
    let plain = |text: &String| {
        let text = without_strange_urls(&unescape(text), "");
        probity_core::printable::brief(text.trim(), SENTENCE_CHARS)
    };
    Ok(Shortfall {
        headline: plain(&read.headline),
        account: read.account.iter().take(12).map(plain).collect(),
        better_queries: read.better_queries.iter().take(2).map(plain).collect(),
        elsewhere: plain(&read.elsewhere),
    })
}

pub(super) fn check_schema() -> Schema {
    let words = ["supported", "partly", "unsupported"];
    named("check", object(&[("support", one_of(&words, "the verdict"))]))
}

pub(super) fn check(reply: &Reply) -> Result<Support, String> {
    #[derive(Deserialize)]
    struct Read {
        support: Support,
    }
    let read: Read = typed(reply, &check_schema(), &["support"])?;
    Ok(read.support)
}
