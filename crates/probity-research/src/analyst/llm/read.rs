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

use super::super::{
    Fact, Gaps, Judgement, Lead, Outline, Plan, PlanPart, Planned, PlannedSection, SourceView,
    Summary,
};
use super::blocks::{self, ReadStatement};
use super::material::Material;
use super::urls::without_strange_urls;

/// The most facts of one source that are taken down.
pub(super) const FACTS: usize = 8;
/// The shortest quotation that says where a fact stands, in characters.
const QUOTE_CHARS: usize = 12;
/// The longest figure of a fact, in characters.
const FIGURE_CHARS: usize = 60;
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

pub(super) fn plan_schema(clarify: bool) -> Schema {
    let queries = list(string("a search query"), "one or two search queries");
    let part = object(&[("question", string("a sub-question")), ("queries", queries)]);
    let mut keys = vec![
        ("brief", string("what an answer has to tell")),
        ("parts", list(part, "three to eight sub-questions")),
    ];
    if clarify {
        keys.push(("clarify", string("a question back, else empty")));
    }
    named("plan", object(&keys))
}

/// The form of a plan that models give which find the other too much: queries and nothing else.
fn queries_schema() -> Schema {
    named("plan", object(&[("queries", list(string("a search query"), "search queries"))]))
}

/// A plan of which every query and sub-question is the model's own.
pub(super) fn plan(reply: &Reply, clarify: bool, told: &str) -> Result<Planned, String> {
    let own = |text: &String| {
        let text = without_strange_urls(&unescape(text), "");
        let text = probity_core::printable::brief(text.trim(), SENTENCE_CHARS);
        is_own(&text, told).then_some(text)
    };
    let read: Result<Planned, String> = typed(reply, &plan_schema(clarify), &["parts"]);
    let read = match read {
        Ok(read) => read,
        Err(problem) => {
            let bare: Result<Plan, String> = typed(reply, &queries_schema(), &["queries"]);
            Planned::of(bare.map_err(|_| problem)?.queries)
        }
    };
    let part = |part: &PlanPart| {
        let queries: Vec<String> = part.queries.iter().filter_map(own).collect();
        let question = own(&part.question).unwrap_or_default();
        (!question.is_empty() || !queries.is_empty()).then_some(PlanPart { question, queries })
    };
    let mut plan = Plan {
        brief: own(&read.plan.brief).unwrap_or_default(),
        parts: read.plan.parts.iter().filter_map(part).collect(),
        queries: read.plan.queries.iter().filter_map(own).collect(),
    };
    // A sub-question without a query is searched for as it stands; one without words keeps its queries.
    for part in &mut plan.parts {
        if part.queries.is_empty() {
            part.queries.push(part.question.clone());
        }
    }
    let (nameless, parts) = plan.parts.into_iter().partition(|part| part.question.is_empty());
    plan.parts = parts;
    plan.queries.extend(Vec::<PlanPart>::into_iter(nameless).flat_map(|part| part.queries));
    if plan.queries().is_empty() {
        return Err("the queries only repeat what was asked".to_owned());
    }
    let plan = crate::plan_file::held(plan);
    Ok(Planned { plan, clarify: own(&read.clarify).unwrap_or_default() })
}

/// Whether a query is a model's own: neither words of its instructions nor a source by its label.
fn is_own(query: &str, told: &str) -> bool {
    let plain = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let words = plain(query);
    let label = words.first().is_some_and(|first| {
        let number = first.trim_start_matches(['s', 'f']);
        number.len() < first.len()
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
    });
    let repeated = words.len() > 1
        && format!(" {} ", plain(told).join(" ")).contains(&format!(" {} ", words.join(" ")));
    !words.is_empty() && !label && !repeated
}

pub(super) fn summary_schema() -> Schema {
    let fact = object(&[
        ("statement", string("one sentence that can be read alone")),
        ("quote", string("the words of the source, exactly")),
        ("figure", string("number with unit or date, else empty")),
    ]);
    let facts = list(fact, "the facts");
    named("notes", object(&[("summary", string("what the source says")), ("facts", facts)]))
}

/// A summary with those of its facts whose quotations the source really holds.
pub(super) fn summary(reply: &Reply, source: &str) -> Result<Summary, String> {
    #[derive(Deserialize)]
    struct Read {
        summary: String,
        facts: Vec<Fact>,
    }
    let read: Read = typed(reply, &summary_schema(), &["summary"])?;
    let mut text = without_strange_urls(&unescape(&read.summary), source);
    text.truncate(text.floor_char_boundary(SUMMARY_BYTES));
    let held = flat(source);
    let mut facts: Vec<Fact> = Vec::new();
    for fact in read.facts.into_iter().filter_map(|fact| genuine(&fact, source, &held)) {
        if facts.len() < FACTS && !facts.iter().any(|known| known.quote == fact.quote) {
            facts.push(fact);
        }
    }
    Ok(Summary { text, facts })
}

/// A fact that the source states in the words that are quoted; its figure stands in them.
fn genuine(fact: &Fact, source: &str, held: &str) -> Option<Fact> {
    let quote = unescape(&fact.quote);
    let quote = quote.trim_matches(['"', '“', '”', ' ', '…']);
    if quote.chars().count() < QUOTE_CHARS || !held.contains(&flat(quote)) {
        return None;
    }
    let plain = |text: &str, chars: usize| {
        let text = without_strange_urls(&unescape(text), source);
        probity_core::printable::brief(text.trim(), chars)
    };
    let statement = plain(&fact.statement, SENTENCE_CHARS);
    let figure = plain(&fact.figure, FIGURE_CHARS);
    let figure = if flat(quote).contains(&flat(&figure)) { figure } else { String::new() };
    let quote = plain(quote, SENTENCE_CHARS);
    Some(Fact { statement, quote, figure })
}

/// A text's letters and digits, so that spacing and quotation marks do not matter.
fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The shape of gaps; after the first round with the labels of those that are closed.
pub(super) fn gaps_schema(again: bool) -> Schema {
    let mut keys = vec![
        ("unanswered", list(string("what is missing, in a few words"), "at most four")),
        ("queries", list(string("a search query"), "one to three")),
    ];
    if again {
        keys.push(("closed", list(string("G1"), "the labels of gaps that are answered now")));
    }
    named("gaps", object(&keys))
}

/// What is open now, and which of what was open before is not any more.
pub(super) fn gaps(reply: &Reply, open: &[String], told: &str) -> Result<Gaps, String> {
    let mut gaps: Gaps = typed(reply, &gaps_schema(!open.is_empty()), &[])?;
    let labels: Vec<String> = gaps.closed.iter().map(|label| label.trim().to_owned()).collect();
    let named = |place: usize| {
        let label = format!("G{}", place + 1);
        labels.iter().any(|said| said.trim_end_matches('.').eq_ignore_ascii_case(&label))
    };
    let closed = open.iter().enumerate().filter(|(place, _)| named(*place));
    gaps.closed = closed.map(|(_, gap)| gap.clone()).collect();
    gaps.queries.retain(|query| is_own(query, told));
    gaps.unanswered.retain(|gap| is_own(gap, told));
    for text in gaps.unanswered.iter_mut().chain(&mut gaps.queries) {
        *text = without_strange_urls(&unescape(text), "");
    }
    Ok(gaps)
}

pub(super) fn score_schema() -> Schema {
    let keys = [("score", integer("1 to 5")), ("why", string("one sentence that says why"))];
    named("score", object(&keys))
}

/// A score on the scale.
pub(super) fn score(reply: &Reply) -> Result<Judgement, String> {
    let judgement: Judgement = typed(reply, &score_schema(), &[])?;
    if !(1..=5).contains(&judgement.score) {
        return Err(format!("the score {} is not on the scale from 1 to 5", judgement.score));
    }
    let why = without_strange_urls(&unescape(&judgement.why), "");
    Ok(Judgement { why: probity_core::printable::brief(why.trim(), WHY_CHARS), ..judgement })
}

pub(super) fn scores_schema() -> Schema {
    let keys = [
        ("source", string("S1")),
        ("score", integer("1 to 5")),
        ("why", string("one sentence that says why")),
    ];
    named("scores", object(&[("scores", list(object(&keys), "one for each source"))]))
}

/// The scores of so many sources in their order. One that is missing or off the scale is none; one that is named
/// twice has its lower score, since nothing that a page says may raise it.
pub(super) fn scores(reply: &Reply, sources: usize) -> Result<Vec<Option<Judgement>>, String> {
    #[derive(Deserialize)]
    struct Scored {
        source: String,
        score: u8,
        why: String,
    }
    #[derive(Deserialize)]
    struct Read {
        scores: Vec<Scored>,
    }
    let read: Read = typed(reply, &scores_schema(), &["scores"])?;
    let mut judged: Vec<Option<Judgement>> = vec![None; sources];
    for Scored { source, score, why } in read.scores {
        let number = source.trim().trim_start_matches(['S', 's']).trim_end_matches('.').parse();
        let place = number.ok().and_then(|number: usize| number.checked_sub(1));
        let Some(known) = place.and_then(|place| judged.get_mut(place)) else { continue };
        if !(1..=5).contains(&score) || known.as_ref().is_some_and(|known| known.score <= score) {
            continue;
        }
        let why = without_strange_urls(&unescape(&why), "");
        let why = probity_core::printable::brief(why.trim(), WHY_CHARS);
        *known = Some(Judgement { score, why });
    }
    match judged.iter().all(Option::is_none) {
        true => Err("no source has a score from 1 to 5".to_owned()),
        false => Ok(judged),
    }
}

fn theme_schema() -> Value {
    object(&[("heading", string("two to six words")), ("statements", blocks::schema())])
}

fn conflict_schema(label: &str) -> Value {
    let sources = list(string(label), "the labels of what states it");
    let side = object(&[("text", string("one sentence")), ("sources", sources)]);
    let on_answer = "yes if the sides differ in the very thing that was asked, else no";
    object(&[("statements", list(side, "sentences")), ("on_answer", string(on_answer))])
}

/// What headline, summary, conflicts and confidence are asked for by.
fn lead_keys(label: &str) -> [(&'static str, Value); 5] {
    [
        ("headline", string("the finding in one line")),
        ("summary", list(string("one sentence"), "three to five sentences")),
        ("conflicts", list(conflict_schema(label), "each with a sentence for each side")),
        ("confidence", string("Low, Medium or High")),
        ("confidence_reason", string("one sentence that says why")),
    ]
}

pub(super) fn draft_schema() -> Schema {
    let mut keys = lead_keys("F1").to_vec();
    keys.insert(2, ("findings", list(theme_schema(), "themes")));
    named("draft", object(&keys))
}

pub(super) fn lead_schema() -> Schema {
    named("lead", object(&lead_keys("S1")))
}

pub(super) fn section_schema() -> Schema {
    named("section", object(&[("statements", blocks::schema())]))
}

pub(super) fn outline_schema() -> Schema {
    let section = object(&[
        ("heading", string("two to six words")),
        ("purpose", string("what it tells, in one sentence")),
        ("facts", list(string("F1"), "the labels of its facts")),
    ]);
    named("outline", object(&[("sections", list(section, "the sections in order"))]))
}

#[derive(Deserialize)]
struct ReadTheme {
    heading: String,
    statements: Vec<ReadStatement>,
}

#[derive(Deserialize)]
struct ReadSide {
    text: String,
    sources: Vec<String>,
}

#[derive(Deserialize)]
struct ReadConflict {
    statements: Vec<ReadSide>,
    on_answer: String,
}

#[derive(Deserialize)]
struct ReadLead {
    headline: String,
    summary: Vec<String>,
    conflicts: Vec<ReadConflict>,
    confidence: String,
    confidence_reason: String,
}

/// Who may be cited, and what they say.
pub(super) struct Cited<'a> {
    /// The facts that labels name.
    pub(super) material: Option<&'a Material<'a>>,
    /// The sources that were shown.
    pub(super) shown: Vec<SourceId>,
    /// Every source of the report, in the order of their labels.
    pub(super) sources: &'a [SourceView<'a>],
}

impl Cited<'_> {
    /// The source that a label names, as one of its own or by one of its facts. A label that names none that was
    /// shown is no citation.
    fn source(&self, label: &str) -> Option<SourceId> {
        let label = label.trim().trim_matches(['[', ']', '(', ')', '.']);
        let id = match label.chars().next()? {
            'F' | 'f' => self.material.and_then(|material| material.source(material.place(label)?)),
            _ => {
                let number: usize = label.trim_start_matches(['S', 's']).parse().ok()?;
                self.sources.get(number.checked_sub(1)?).map(|source| source.id)
            }
        };
        id.filter(|id| self.shown.contains(id))
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

    /// A side of a disagreement, if it rests on something that was read.
    fn side(&self, read: &ReadSide) -> Option<Statement> {
        let cites = self.sources(&read.sources);
        let text = self.sentence(&read.text, &cites);
        let cited = !text.is_empty() && !cites.is_empty();
        cited.then(|| Statement { text, cites, ..Statement::default() })
    }

    fn lead(&self, read: &ReadLead) -> Lead {
        let conflicts = read
            .conflicts
            .iter()
            .map(|conflict| Conflict {
                statements: conflict.statements.iter().filter_map(|s| self.side(s)).collect(),
                // It only lowers confidence, so that a model which does not say has said yes.
                on_answer: !conflict.on_answer.trim().to_ascii_lowercase().starts_with("no"),
            })
            .filter(|conflict| conflict.statements.len() > 1)
            .collect();
        let summary = read.summary.iter().map(|text| self.sentence(text, &[]));
        Lead {
            headline: self.sentence(&read.headline, &[]),
            summary: summary.filter(|text| !text.is_empty()).collect(),
            conflicts,
            confidence: proposal(&read.confidence, &self.sentence(&read.confidence_reason, &[])),
        }
    }
}

/// A draft whose every sentence cites a source that was shown.
pub(super) fn draft(reply: &Reply, cited: &Cited<'_>) -> Result<Draft, String> {
    #[derive(Deserialize)]
    struct Read {
        findings: Vec<ReadTheme>,
        #[serde(flatten)]
        lead: ReadLead,
    }
    let read: Read = typed(reply, &draft_schema(), &["findings"])?;
    let Lead { headline, summary, conflicts, confidence } = cited.lead(&read.lead);
    let mut draft = Draft { headline, summary, conflicts, confidence, ..Draft::default() };
    for theme in &read.findings {
        let heading = cited.sentence(&theme.heading, &[]);
        let statements = blocks::statements(&theme.statements, cited);
        draft.push(Theme { heading, statements });
    }
    if draft.themes.is_empty() {
        return Err("no sentence of `findings` cites a fact by its label".to_owned());
    }
    Ok(draft)
}

/// The sections that have facts, each fact in the first that claims it.
pub(super) fn outline(
    reply: &Reply,
    material: &Material<'_>,
    most: usize,
    given: &[String],
) -> Result<Outline, String> {
    #[derive(Deserialize)]
    struct ReadSection {
        heading: String,
        purpose: String,
        facts: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Read {
        sections: Vec<ReadSection>,
    }
    let read: Read = typed(reply, &outline_schema(), &["sections"])?;
    let mut assigned = Vec::new();
    let mut sections = Vec::new();
    let plain = |text: &str| {
        let text = without_strange_urls(&unescape(text), "");
        probity_core::printable::brief(text.trim(), WHY_CHARS)
    };
    for section in read.sections.iter().take(most) {
        let labels = section.facts.iter().flat_map(|label| label.split([',', ';', ' ']));
        let mut facts: Vec<usize> = labels.filter_map(|label| material.place(label)).collect();
        facts.retain(|place| !assigned.contains(place) && (assigned.push(*place), true).1);
        let (heading, purpose) = (plain(&section.heading), plain(&section.purpose));
        // Headings that the user gave are kept to the letter.
        let same = |given: &&String| given.trim().to_lowercase() == heading.to_lowercase();
        let heading = match given.iter().find(same) {
            Some(given) => given.trim().to_owned(),
            None if given.is_empty() => heading,
            None => continue,
        };
        if !facts.is_empty() {
            sections.push(PlannedSection { heading, purpose, facts });
        }
    }
    match sections.is_empty() {
        true => Err("no section names a fact by its label".to_owned()),
        false => Ok(Outline { sections }),
    }
}

/// The statements of one section.
pub(super) fn section(reply: &Reply, cited: &Cited<'_>) -> Result<Vec<Statement>, String> {
    #[derive(Deserialize)]
    struct Read {
        statements: Vec<ReadStatement>,
    }
    let read: Read = typed(reply, &section_schema(), &["statements"])?;
    let statements = blocks::statements(&read.statements, cited);
    match statements.iter().all(|statement| statement.form.is_inference()) {
        true => Err("no sentence of `statements` cites a fact by its label".to_owned()),
        false => Ok(statements),
    }
}

/// What leads a report whose sections stand.
pub(super) fn lead(reply: &Reply, cited: &Cited<'_>) -> Result<Lead, String> {
    let read: ReadLead = typed(reply, &lead_schema(), &["headline", "summary"])?;
    Ok(cited.lead(&read))
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

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn what_repeats_the_instructions_or_a_label_is_no_query() {
        let told = "Write queries as one types them. Form: {\"queries\": [\"a search query\", …]}";
        for own in ["port ellery noise", "queries", "s-bahn timetable", "search"] {
            assert!(is_own(own, told), "{own}");
        }
        for echo in ["a search query", "Search query", "S1. Wedding music", "F12: fines", "", "…"]
        {
            assert!(!is_own(echo, told), "{echo}");
        }
    }
}
