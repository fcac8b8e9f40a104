//! Drafts, outlines, sections and leads: every sentence cites what was shown, or is not taken over.

use probity_core::SourceId;
use probity_model::schema::{list, object, string};
use probity_model::untrusted::unescape;
use probity_model::{Reply, Schema};
use probity_report::confidence::Level;
use probity_report::draft::{Conflict, Draft, Proposal, Statement, Theme};
use serde::Deserialize;
use serde_json::Value;

use super::super::super::{Lead, Outline, PlannedSection, SourceView};
use super::super::blocks::{self, ReadStatement};
use super::super::material::Material;
use super::super::urls::without_strange_urls;
use super::{SENTENCE_CHARS, WHY_CHARS, named, typed};

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

pub(in super::super) fn draft_schema() -> Schema {
    let mut keys = lead_keys("F1").to_vec();
    keys.insert(2, ("findings", list(theme_schema(), "themes")));
    named("draft", object(&keys))
}

pub(in super::super) fn lead_schema() -> Schema {
    named("lead", object(&lead_keys("S1")))
}

pub(in super::super) fn section_schema() -> Schema {
    named("section", object(&[("statements", blocks::schema())]))
}

pub(in super::super) fn outline_schema() -> Schema {
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
pub(in super::super) struct Cited<'a> {
    /// The facts that labels name.
    pub(in super::super) material: Option<&'a Material<'a>>,
    /// The sources that were shown.
    pub(in super::super) shown: Vec<SourceId>,
    /// Every source of the report, in the order of their labels.
    pub(in super::super) sources: &'a [SourceView<'a>],
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

    pub(in super::super) fn sources(&self, labels: &[String]) -> Vec<SourceId> {
        let labels = labels.iter().flat_map(|label| label.split([',', ';', ' ']));
        let mut ids: Vec<SourceId> = labels.filter_map(|label| self.source(label)).collect();
        let mut seen = Vec::new();
        ids.retain(|id| !seen.contains(id) && (seen.push(*id), true).1);
        ids
    }

    /// A sentence without addresses that the cited sources do not hold.
    pub(in super::super) fn sentence(&self, text: &str, cites: &[SourceId]) -> String {
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
pub(in super::super) fn draft(reply: &Reply, cited: &Cited<'_>) -> Result<Draft, String> {
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
pub(in super::super) fn outline(
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
pub(in super::super) fn section(
    reply: &Reply,
    cited: &Cited<'_>,
) -> Result<Vec<Statement>, String> {
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
pub(in super::super) fn lead(reply: &Reply, cited: &Cited<'_>) -> Result<Lead, String> {
    let read: ReadLead = typed(reply, &lead_schema(), &["headline", "summary"])?;
    Ok(cited.lead(&read))
}

/// How far a model would rely on its draft; none where it does not say so in one of three words.
fn proposal(level: &str, reason: &str) -> Option<Proposal> {
    let said = level.trim().trim_matches(['*', '"', '.']);
    let level = Level::ALL.into_iter().find(|level| said.eq_ignore_ascii_case(level.as_str()))?;
    Some(Proposal { level, reason: probity_core::printable::brief(reason, WHY_CHARS) })
}
