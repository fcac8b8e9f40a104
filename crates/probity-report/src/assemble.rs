//! Draft + facts + texts → a report in which every citation resolves and every claim was checked.
//!
//! Only [`assemble`] and [`assemble_shortfall`] make a [`CheckedReport`], and only a
//! [`CheckedReport`] can be rendered or saved; [`crate::restore()`] reads back one that was saved and
//! refuses what these two could not have made. What holds by construction: every citation points
//! at a source that was read and survived the gate, sources are numbered in the order of first
//! citation, no listed source is uncited, and headline and summary say what checked statements say.
//!
//! ```text
//! statements_to_read → (read) → lead_to_read → (read) → assemble_judged
//! ```
//!
//! Nothing is read here: a run keeps what its reader made of the pairs, and decides from that again.

mod checker;
mod lead;
mod text;

use std::collections::BTreeMap;

use jiff::civil::Date;
use probity_core::{Candidate, Decision, SourceId, Verdict};
use probity_reader::{Stop, Stopped, TextReader};
use serde::{Deserialize, Serialize};

use crate::check::{Pair, Readings, Support, Wanted};
use crate::confidence::{Checked, Confidence, confidence, fallbacks};
use crate::draft::{Draft, Form, Shortfall};
use crate::facts::RunFacts;
use crate::phrases::{Phrase, Phrases};
use crate::sentence;

pub use crate::sentence::HEADLINE_CHARS;
pub use crate::wording::document_name;
use checker::Checker;
pub use lead::short_title;
pub(crate) use lead::unnumbered;
use lead::{Heading, Lead, holding};
pub use text::SourceText;

/// What happens to a sentence that its sources do not support.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnUnverified {
    /// It stays, with the mark `[unverified]`.
    #[default]
    Mark,
    /// It goes.
    Drop,
    /// It stays as it is, and so does one that is supported in part; the figure in the rationale
    /// still counts them.
    Keep,
}

/// Stands behind a sentence that its sources do not support.
pub const UNVERIFIED_MARK: &str = "[unverified]";
/// Stands behind a sentence of which its sources support a part.
pub const PARTLY_MARK: &str = "[partly verified]";

/// The passage of a source that a statement rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The number of the source in the report.
    pub n: usize,
    /// The source.
    pub source: SourceId,
    /// Whether this source supports the statement.
    pub support: Support,
    /// The passage, where one was found.
    pub passage: Option<String>,
    /// Where the passage begins in the source's text, in bytes.
    pub start: Option<usize>,
    /// Where it ends.
    pub end: Option<usize>,
    /// The page it begins on, counted from 1, where the source has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
}

/// A sentence of the report with what checking it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckedStatement {
    /// The sentence.
    pub text: String,
    /// The numbers of the sources it cites.
    pub cites: Vec<usize>,
    /// The best support that any of them gives.
    pub support: Support,
    /// How well it is supported, from 0 to 1.
    pub value: f64,
    /// What each cited source says.
    pub evidence: Vec<Evidence>,
    /// Why it is not fully supported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// Whether it carries the mark `[unverified]`.
    pub marked: bool,
    /// Whether it carries the mark `[partly verified]`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub marked_partly: bool,
    /// The day its source was published, where it is opposed to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<Date>,
    /// How it is shown.
    #[serde(default, skip_serializing_if = "Form::is_prose")]
    pub form: Form,
}

impl CheckedStatement {
    /// The sentence as every format shows it: with its day, where it is opposed to another, and
    /// without what its form shows beside it.
    pub fn shown(&self) -> String {
        let day = self.dated.map_or_else(String::new, |day| format!("({day})"));
        match &self.form {
            // Who is quoted is named with the day, and a conclusion has none of its own.
            Form::Quote | Form::Inference { .. } => self.text.clone(),
            Form::Entry { when } => {
                let rest = self.text.strip_prefix(when.as_str());
                let rest = rest.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&self.text);
                sentence::with_suffix(rest, &day)
            }
            _ => sentence::with_suffix(&self.text, &day),
        }
    }

    /// What a source has to do with the statement, in words. A conclusion is no source's.
    pub(crate) fn bearing(&self, evidence: &Evidence) -> &'static str {
        match self.form {
            Form::Inference { .. } => "bears on it",
            _ => evidence.support.words(),
        }
    }

    /// The mark behind the sentence in every format.
    pub fn mark(&self) -> Option<&'static str> {
        match (self.marked, self.marked_partly) {
            (true, _) => Some(UNVERIFIED_MARK),
            (false, true) => Some(PARTLY_MARK),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
impl CheckedStatement {
    /// A sentence that a source says.
    pub(crate) fn said(text: &str, n: usize) -> Self {
        let evidence = Evidence {
            n,
            source: SourceId(n as u32),
            support: Support::Supported,
            passage: None,
            start: None,
            end: None,
            page: None,
        };
        Self {
            text: text.to_owned(),
            cites: vec![n],
            support: Support::Supported,
            value: 1.0,
            evidence: vec![evidence],
            reasons: Vec::new(),
            marked: false,
            marked_partly: false,
            dated: None,
            form: Form::Prose,
        }
    }
}

/// A topic of the findings, checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckedTheme {
    /// Its heading.
    pub heading: String,
    /// Its sentences.
    pub statements: Vec<CheckedStatement>,
}

/// What is between the methodology and the sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// A full or short report.
    Report {
        /// What a short report says first.
        disclaimer: Option<String>,
        /// The executive summary, sentence by sentence.
        summary: Vec<String>,
        /// The findings.
        themes: Vec<CheckedTheme>,
        /// The disagreements, one paragraph each.
        conflicts: Vec<Vec<CheckedStatement>>,
        /// How far all this can be relied on.
        confidence: Confidence,
    },
    /// The account of a run whose sources do not suffice.
    Shortfall {
        /// The account.
        account: Vec<String>,
        /// Queries that may do better.
        better_queries: Vec<String>,
        /// Where better information may be found.
        elsewhere: String,
    },
}

/// A report whose citations all resolve and whose claims were all checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedReport {
    pub(crate) facts: RunFacts,
    pub(crate) title: String,
    pub(crate) body: Body,
    pub(crate) sources: Vec<SourceId>,
}

impl CheckedReport {
    /// What the run did.
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// The headline.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The text.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The listed sources with their numbers, in order.
    pub fn sources(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let candidate = |id: &SourceId| self.facts.candidates.iter().find(|c| c.id == *id);
        self.sources.iter().filter_map(candidate).enumerate().map(|(i, c)| (i + 1, c))
    }

    /// Every checked statement, findings first.
    pub fn statements(&self) -> impl Iterator<Item = &CheckedStatement> {
        let (themes, conflicts): (&[CheckedTheme], &[Vec<CheckedStatement>]) = match &self.body {
            Body::Report { themes, conflicts, .. } => (themes, conflicts),
            Body::Shortfall { .. } => (&[], &[]),
        };
        themes.iter().flat_map(|theme| &theme.statements).chain(conflicts.iter().flatten())
    }

    /// The confidence, where there is a finding to be confident in.
    pub fn confidence(&self) -> Option<&Confidence> {
        match &self.body {
            Body::Report { confidence, .. } => Some(confidence),
            Body::Shortfall { .. } => None,
        }
    }
}

/// The texts of the sources that were read.
pub type Texts = BTreeMap<SourceId, SourceText>;

/// What someone else made of citations that the check was unsure of.
pub type Verdicts = BTreeMap<(SourceId, String), Support>;

/// What has to be read before the statements of a draft can be decided on.
pub fn statements_to_read(draft: &Draft, facts: &RunFacts, texts: &Texts) -> Vec<Pair> {
    let verdicts = Verdicts::new();
    let mut checker = Checker::new(draft, facts, texts, OnUnverified::Mark, &verdicts);
    let mut wanted = Wanted::default();
    let findings = draft.themes.iter().flat_map(|theme| &theme.statements);
    let sides = draft.conflicts.iter().flat_map(|conflict| &conflict.statements);
    findings.chain(sides).for_each(|statement| checker.want(statement, &mut wanted));
    wanted.into_pairs()
}

/// What the check makes of each statement of the findings, in their order; nothing of one that would not be shown.
pub fn findings_checked(
    draft: &Draft,
    facts: &RunFacts,
    texts: &Texts,
    readings: &Readings,
) -> Vec<Option<CheckedStatement>> {
    let verdicts = Verdicts::new();
    let mut checker = Checker::new(draft, facts, texts, OnUnverified::Mark, &verdicts);
    let findings = draft.themes.iter().flat_map(|theme| &theme.statements);
    findings.map(|statement| checker.finding(statement.clone(), readings)).collect()
}

/// What has to be read once the statements are decided on: headline and summary beside those that hold.
pub fn lead_to_read(
    draft: &Draft,
    facts: &RunFacts,
    texts: &Texts,
    readings: &Readings,
    verdicts: &Verdicts,
) -> Vec<Pair> {
    let mut checker = Checker::new(draft, facts, texts, OnUnverified::Mark, verdicts);
    let themes = checker.themes(draft.themes.clone(), readings);
    let lead = Lead::new(&themes, facts);
    let mut wanted = Wanted::default();
    let said = draft.summary.iter().chain([&draft.headline]);
    said.for_each(|text| wanted.add(lead.pairs(text)));
    wanted.into_pairs()
}

/// Has a draft read, checks it and makes the report, where the reader's results are not stored.
///
/// # Errors
/// When the reader is stopped.
pub fn assemble(
    draft: Draft,
    facts: RunFacts,
    texts: &Texts,
    on: OnUnverified,
    reader: &TextReader,
    stop: &Stop,
) -> Result<CheckedReport, Stopped> {
    let verdicts = Verdicts::new();
    let mut readings = Readings::of(statements_to_read(&draft, &facts, texts), reader, stop)?;
    let lead = lead_to_read(&draft, &facts, texts, &readings, &verdicts);
    readings.extend(Readings::of(lead, reader, stop)?);
    Ok(assemble_judged(draft, facts, texts, on, &readings, &verdicts))
}

/// Checks a draft by what was read and makes the report. Verdicts count for sentences that the check alone
/// finds partly supported, and for nothing else: a sentence that the source contradicts stays contradicted.
pub fn assemble_judged(
    draft: Draft,
    facts: RunFacts,
    texts: &Texts,
    on: OnUnverified,
    readings: &Readings,
    verdicts: &Verdicts,
) -> CheckedReport {
    let mut checker = Checker::new(&draft, &facts, texts, on, verdicts);
    let themes = checker.themes(draft.themes, readings);
    let conflicts: Vec<Vec<CheckedStatement>> = draft
        .conflicts
        .into_iter()
        .filter_map(|conflict| checker.conflict(conflict, readings))
        .collect();
    let checked = Checked { conflicts: conflicts.len(), ..checker.checked };
    let sources = checker.numbers;
    let lead = Lead::new(&themes, &facts);
    let summary = lead.summary(&draft.summary, &draft.unanswered, &themes, &facts, readings);
    let words = Heading {
        drafted: &draft.headline,
        quoted: draft.quoted.as_deref(),
        clause: draft.clause.as_deref(),
    };
    let title = lead.headline(&words, &themes, &facts, readings);
    let title = title.unwrap_or_else(|| fallback_title(&facts, holding(&themes).next().is_some()));
    let confidence = confidence(&facts, &sources, checked, draft.certainty);
    let confidence = confidence.with(draft.confidence.as_ref());
    let answered = draft.unanswered.is_empty();
    let disclaimer =
        (facts.gate.decision == Decision::ShortReport).then(|| disclaimer(&facts, answered));
    let body = Body::Report { disclaimer, summary, themes, conflicts, confidence };
    CheckedReport { facts, title, body, sources }
}

/// Makes the account of a run whose sources do not suffice.
pub fn assemble_shortfall(shortfall: Shortfall, facts: RunFacts) -> CheckedReport {
    let title = match sentence::headline(&shortfall.headline) {
        title if title.is_empty() => fallback_title(&facts, false),
        title => title,
    };
    let mut account: Vec<String> =
        shortfall.account.iter().map(|text| sentence::without_citations(text)).collect();
    // Who judged in another's place belongs to why there is no report.
    account.extend(Some(fallbacks(&facts).trim().to_owned()).filter(|said| !said.is_empty()));
    let body = Body::Shortfall {
        account,
        better_queries: shortfall.better_queries,
        elsewhere: sentence::without_citations(&shortfall.elsewhere),
    };
    CheckedReport { facts, title, body, sources: Vec::new() }
}

/// The headline where nothing else can be one. Nobody may read in it that the sources answer where no statement holds.
fn fallback_title(facts: &RunFacts, holds: bool) -> String {
    let phrases = Phrases::of_report(facts);
    match holds {
        false => phrases.say(Phrase::TitleNone, &[]),
        true => {
            sentence::headline(&phrases.say(Phrase::TitleAnswer, &[facts.question.trim().into()]))
        }
    }
}

/// How many of the sources that were read were relevant, as a sentence begins; of those that no one
/// judged it does not say so.
fn relevant(phrases: Phrases, kept: usize, judged: usize, unjudged: usize) -> String {
    let relevant = kept.saturating_sub(unjudged);
    let mut said = phrases.say(Phrase::Relevant, &[relevant.into(), judged.into()]);
    if unjudged > 0 {
        said.push_str(&phrases.say(Phrase::UnjudgedMore, &[unjudged.into()]));
    }
    // Where all of them are, it is their number that is small.
    let frame = if relevant < judged { Phrase::Only } else { Phrase::TooFew };
    phrases.say(frame, &[(&said).into()])
}

/// How many reasons for dropping sources a disclaimer names.
const REASONS: usize = 3;

fn disclaimer(facts: &RunFacts, answered: bool) -> String {
    let gate = &facts.gate;
    let dropped = facts.count(Verdict::Dropped);
    let why = facts.candidates.iter().filter(|c| c.verdict == Verdict::Dropped);
    let mut reasons: Vec<String> = Vec::new();
    for relevance in why.filter_map(|c| c.relevance.as_ref()) {
        // The appendix tells the rest: what it says nearest, and of which page.
        let reason = relevance.why.split(['.', ';', ':']).next().unwrap_or_default();
        let reason = sentence::without_citations(reason);
        if !reason.is_empty() && !reasons.contains(&reason) && reasons.len() < REASONS {
            reasons.push(reason);
        }
    }
    let one = answered && gate.kept == 1 && facts.unjudged() == 0;
    let phrases = Phrases::of_report(facts);
    let mut text = if one { phrases.say(Phrase::OneSource, &[]) + " " } else { String::new() };
    text.push_str(&relevant(phrases, gate.kept, gate.judged, facts.unjudged()));
    text.push_str(&phrases.say(Phrase::Short, &[]));
    if dropped > 0 {
        let cutoff = gate.cutoff.to_string();
        text.push(' ');
        text.push_str(&phrases.say(Phrase::Dropped, &[dropped.into(), (&cutoff).into()]));
        if !reasons.is_empty() {
            text.push_str(&format!(": {}", reasons.join("; ")));
        }
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Phrases, relevant};

    #[test]
    fn only_is_said_where_some_were_not_relevant() {
        let said = |kept, judged| relevant(Phrases::of(""), kept, judged, 0);
        assert_eq!(said(3, 7), "Only 3 of 7 sources read were relevant to the question");
        assert_eq!(said(1, 3), "Only 1 of 3 sources read was relevant to the question");
        let all = "3 of 3 sources read were relevant to the question, too few for a full report";
        assert_eq!(said(3, 3), all);
        assert!(said(1, 1).starts_with("1 of 1 source read was relevant"), "{}", said(1, 1));
        let unjudged =
            "Only 2 of 7 sources read were relevant to the question, 1 more could not be judged";
        assert_eq!(relevant(Phrases::of(""), 3, 7, 1), unjudged);
    }
}
