//! Draft + facts + texts → a report in which every citation resolves and every claim was checked.
//!
//! Only [`assemble`] and [`assemble_shortfall`] make a [`CheckedReport`], and only a
//! [`CheckedReport`] can be rendered or saved; [`crate::restore()`] reads back one that was saved and
//! refuses what these two could not have made. What holds by construction: every citation points
//! at a source that was read and survived the gate, sources are numbered in the order of first
//! citation, and no listed source is uncited.

use std::collections::BTreeMap;

use jiff::civil::Date;
use probity_core::{Candidate, Decision, SourceId, Verdict, counted};
use serde::{Deserialize, Serialize};

use crate::check::{Check, SourceIndex, Support};
use crate::confidence::{Checked, Confidence, confidence, fallbacks};
use crate::draft::{Conflict, Draft, SUPERSEDED, Shortfall, Statement, Theme, Unanswered};
use crate::facts::RunFacts;
use crate::sentence;

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
    /// The day its source was published, where it stands against another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<Date>,
}

impl CheckedStatement {
    /// The sentence as every format tells it: with its day, where it stands against another.
    pub fn told(&self) -> String {
        let day = self.dated.map_or_else(String::new, |day| format!("({day})"));
        sentence::with_suffix(&self.text, &day)
    }

    /// The mark that stands behind the sentence in every format.
    pub fn mark(&self) -> Option<&'static str> {
        match (self.marked, self.marked_partly) {
            (true, _) => Some(UNVERIFIED_MARK),
            (false, true) => Some(PARTLY_MARK),
            (false, false) => None,
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

/// What stands between the methodology and the sources.
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
pub type Texts<'a> = BTreeMap<SourceId, &'a str>;

/// What somebody else made of citations that the check was unsure of.
pub type Verdicts = BTreeMap<(SourceId, String), Support>;

/// Checks a draft and makes the report.
pub fn assemble(
    draft: Draft,
    facts: RunFacts,
    texts: &Texts<'_>,
    on: OnUnverified,
) -> CheckedReport {
    assemble_judged(draft, facts, texts, on, &Verdicts::new())
}

/// As [`assemble`], with verdicts on sentences that the check alone finds partly supported. They
/// count for nothing else: a sentence that the source contradicts stays contradicted.
pub fn assemble_judged(
    draft: Draft,
    facts: RunFacts,
    texts: &Texts<'_>,
    on: OnUnverified,
    verdicts: &Verdicts,
) -> CheckedReport {
    let mut checker = Checker::new(&facts, texts, on, verdicts);
    let themes: Vec<CheckedTheme> =
        draft.themes.into_iter().filter_map(|theme| checker.theme(theme)).collect();
    let conflicts: Vec<Vec<CheckedStatement>> =
        draft.conflicts.into_iter().filter_map(|conflict| checker.conflict(conflict)).collect();
    let checked = Checked { conflicts: conflicts.len(), ..checker.checked };
    let summary = checker.summary(&draft.summary, &draft.unanswered, &themes);
    let sources = checker.numbers;
    let confidence = confidence(&facts, &sources, checked).with(draft.confidence.as_ref());
    let title = match sentence::headline(&draft.headline) {
        title if title.is_empty() => fallback_title(&facts),
        title => title,
    };
    let disclaimer = (facts.gate.decision == Decision::ShortReport).then(|| disclaimer(&facts));
    let body = Body::Report { disclaimer, summary, themes, conflicts, confidence };
    CheckedReport { facts, title, body, sources }
}

/// Makes the account of a run whose sources do not suffice.
pub fn assemble_shortfall(shortfall: Shortfall, facts: RunFacts) -> CheckedReport {
    let title = match sentence::headline(&shortfall.headline) {
        title if title.is_empty() => fallback_title(&facts),
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

/// What the sources do not tell, in a sentence.
fn left_open(open: &Unanswered) -> String {
    let sentence = format!("The sources {} in answer to “{}”.", open.lack, open.asked);
    sentence::without_citations(&sentence)
}

fn fallback_title(facts: &RunFacts) -> String {
    match facts.gate.decision {
        Decision::InsufficientData => "The sources found do not answer the question".to_owned(),
        _ => "What the sources say".to_owned(),
    }
}

/// How many of the sources that were read were relevant, as a sentence begins; of those that nobody
/// judged it does not say so.
fn relevant(kept: usize, judged: usize, unjudged: usize) -> String {
    let relevant = kept.saturating_sub(unjudged);
    let noun = if judged == 1 { "source" } else { "sources" };
    let verb = if relevant == 1 { "was" } else { "were" };
    let mut said = format!("{relevant} of {judged} {noun} read {verb} relevant to the question");
    if unjudged > 0 {
        said.push_str(&format!(", {unjudged} more could not be judged"));
    }
    // Where all of them are, it is their number that is small.
    if relevant < judged {
        format!("Only {said}")
    } else {
        format!("{said}, too few for a full report")
    }
}

fn disclaimer(facts: &RunFacts) -> String {
    let gate = &facts.gate;
    let dropped = facts.count(Verdict::Dropped);
    let why = facts.candidates.iter().filter(|c| c.verdict == Verdict::Dropped);
    let why: Vec<String> = why
        .filter_map(|c| c.relevance.as_ref())
        .take(3)
        .map(|r| sentence::without_citations(r.why.trim_end_matches('.')))
        .collect();
    let mut text = relevant(gate.kept, gate.judged, facts.unjudged());
    text.push_str(", so this report is short.");
    if dropped > 0 {
        let count = counted(dropped, "source was", "sources were");
        text.push_str(&format!(" {count} dropped for scoring below {} of 5", gate.cutoff));
        if !why.is_empty() {
            text.push_str(&format!(": {}", why.join("; ")));
        }
        text.push('.');
    }
    text
}

/// Sentences of the executive summary, at the least and at the most.
const SUMMARY: std::ops::RangeInclusive<usize> = 3..=5;
/// What a draft may hold; more is cut off.
const MAX_THEMES: usize = 40;
const MAX_STATEMENTS: usize = 200;

struct Checker<'a> {
    facts: &'a RunFacts,
    indexes: BTreeMap<SourceId, SourceIndex<'a>>,
    numbers: Vec<SourceId>,
    checked: Checked,
    themes: usize,
    on: OnUnverified,
    verdicts: &'a Verdicts,
}

/// What a cited source has on a sentence.
struct Found {
    source: SourceId,
    check: Check,
    /// Whether its title says it, and not its text.
    by_title: bool,
}

impl<'a> Checker<'a> {
    fn new(
        facts: &'a RunFacts,
        texts: &Texts<'a>,
        on: OnUnverified,
        verdicts: &'a Verdicts,
    ) -> Self {
        let kept = facts.candidates.iter().filter(|c| c.verdict == Verdict::Read);
        let indexes =
            kept.filter_map(|c| Some((c.id, SourceIndex::new(texts.get(&c.id)?)))).collect();
        let checked = Checked::default();
        Self { facts, indexes, numbers: Vec::new(), checked, themes: 0, on, verdicts }
    }

    fn theme(&mut self, theme: Theme) -> Option<CheckedTheme> {
        self.themes += 1;
        if self.themes > MAX_THEMES {
            return None;
        }
        let statements: Vec<CheckedStatement> =
            theme.statements.into_iter().filter_map(|s| self.statement(s)).collect();
        let heading = match sentence::headline(&theme.heading) {
            heading if heading.is_empty() => "Findings".to_owned(),
            heading => heading,
        };
        (!statements.is_empty()).then_some(CheckedTheme { heading, statements })
    }

    /// A conflict needs two sides: one that lost a side in checking is none.
    fn conflict(&mut self, conflict: Conflict) -> Option<Vec<CheckedStatement>> {
        let before = (self.numbers.len(), self.checked);
        let mut statements: Vec<CheckedStatement> =
            conflict.statements.into_iter().filter_map(|s| self.statement(s)).collect();
        let mut sides: Vec<usize> = statements.iter().flat_map(|s| s.cites.clone()).collect();
        sides.sort_unstable();
        sides.dedup();
        if sides.len() < 2 {
            self.numbers.truncate(before.0);
            self.checked = before.1;
            return None;
        }
        // Which side is newer is often what settles it.
        for statement in &mut statements {
            let source = statement.evidence.first().map(|evidence| evidence.source);
            let candidate = self.facts.candidates.iter().find(|c| Some(c.id) == source);
            statement.dated = candidate.and_then(|candidate| candidate.published);
        }
        self.checked.contested |= conflict.on_answer;
        Some(statements)
    }

    fn statement(&mut self, statement: Statement) -> Option<CheckedStatement> {
        let text = sentence::without_citations(&statement.text);
        if text.is_empty() || self.checked.statements >= MAX_STATEMENTS {
            return None;
        }
        let mut cites = statement.cites;
        let mut seen = Vec::new();
        cites.retain(|id| {
            let fresh = self.indexes.contains_key(id) && !seen.contains(id);
            seen.push(*id);
            fresh
        });
        let mut found: Vec<Found> = cites.iter().filter_map(|id| self.check(*id, &text)).collect();
        // A source that says nothing of the kind is no citation, as long as another one stands.
        if found.iter().any(|found| found.check.support != Support::Unsupported) {
            found.retain(|found| found.check.support != Support::Unsupported);
        }
        let checks = || found.iter().map(|found| &found.check);
        let best = checks().max_by(|a, b| a.value.total_cmp(&b.value));
        let support = checks().map(|c| c.support).max().unwrap_or(Support::Unsupported);
        let unverified = support == Support::Unsupported;
        if unverified
            && (self.on == OnUnverified::Drop || found.is_empty() && self.on != OnUnverified::Mark)
        {
            return None;
        }
        let (value, reasons) = match best {
            Some(check) if support == Support::Supported => (check.value, Vec::new()),
            Some(check) => (check.value, check.reasons.clone()),
            None => (0.0, vec!["It cites no source that was read in this run.".to_owned()]),
        };
        let marked_partly = support == Support::Partly && self.on != OnUnverified::Keep;
        if !found.is_empty() {
            self.checked.statements += 1;
            self.checked.verified += usize::from(support == Support::Supported);
            self.checked.partly += usize::from(marked_partly);
        }
        let evidence: Vec<Evidence> = found.iter().map(|found| self.evidence(found)).collect();
        let cites = evidence.iter().map(|e| e.n).collect();
        let marked = unverified && self.on == OnUnverified::Mark;
        Some(CheckedStatement {
            text,
            cites,
            support,
            value,
            evidence,
            reasons,
            marked,
            marked_partly,
            dated: None,
        })
    }

    fn check(&self, source: SourceId, text: &str) -> Option<Found> {
        let mut check = self.indexes.get(&source)?.check(text);
        // What the text under it denies no title bears out.
        let by_title =
            check.support != Support::Supported && !check.opposed && self.is_title(source, text);
        if by_title {
            check = SourceIndex::new(text).check(text);
        }
        if check.support == Support::Partly
            && let Some(verdict) = self.verdicts.get(&(source, text.to_owned()))
        {
            check.support = *verdict;
            check.reasons.push("A language model judged this citation.".to_owned());
        }
        Some(Found { source, check, by_title })
    }

    /// Whether a sentence is the title of a source that has one.
    fn is_title(&self, source: SourceId, text: &str) -> bool {
        let plain = |text: &str| sentence::without_citations(text.trim_end_matches('.'));
        let candidate = self.facts.candidates.iter().find(|candidate| candidate.id == source);
        candidate.is_some_and(|c| !text.is_empty() && plain(&c.title) == plain(text))
    }

    fn evidence(&mut self, Found { source, check, by_title }: &Found) -> Evidence {
        let source = *source;
        let n = match self.numbers.iter().position(|id| *id == source) {
            Some(at) => at + 1,
            None => {
                self.numbers.push(source);
                self.numbers.len()
            }
        };
        let passage = check.passage.as_ref();
        // A title has no place in the text.
        let placed = passage.filter(|_| !by_title);
        Evidence {
            n,
            source,
            support: check.support,
            passage: passage.map(|p| p.text.clone()),
            start: placed.map(|p| p.start),
            end: placed.map(|p| p.end),
            page: placed.and_then(|p| p.page),
        }
    }

    /// What the run did, in sentences, where the findings are too few for a summary.
    fn what_was_done(&self) -> [String; 3] {
        let named = "The findings below name the source of every statement.".to_owned();
        if let Some(briefing) = &self.facts.briefing {
            let told = counted(briefing.told, "topic is", "topics are");
            let outlets = "The articles were taken from the feeds that are followed.".to_owned();
            return [format!("{told} told here."), outlets, named];
        }
        let (kept, judged) = (self.facts.gate.kept, self.facts.gate.judged);
        let queries = self.facts.queries.len();
        let answering = match self.facts.unjudged() {
            0 => "answer the question",
            // Nobody knows that of those which could not be judged.
            _ => "were kept",
        };
        [
            format!("{kept} of the {judged} sources read {answering}."),
            format!("They were found with {queries} search queries."),
            named,
        ]
    }

    /// The summary's sentences that the sources bear out, made up to three from the findings and,
    /// where those do not suffice, from what the run did.
    fn summary(
        &self,
        drafted: &[String],
        unanswered: &[Unanswered],
        themes: &[CheckedTheme],
    ) -> Vec<String> {
        let mut summary: Vec<String> = unanswered.iter().map(left_open).take(1).collect();
        let mut add = |text: String| {
            if summary.len() < *SUMMARY.end() && !text.is_empty() && !summary.contains(&text) {
                summary.push(text);
            }
            summary.len()
        };
        for text in drafted {
            let text = sentence::without_citations(text);
            if self.indexes.values().any(|index| index.check(&text).support != Support::Unsupported)
            {
                add(text);
            }
        }
        let current = || themes.iter().filter(|theme| !theme.heading.starts_with(SUPERSEDED));
        let firsts = current().flat_map(|theme| theme.statements.first());
        let rest = current().flat_map(|theme| theme.statements.iter().skip(1));
        for statement in firsts.chain(rest).filter(|s| s.support == Support::Supported) {
            if add(String::new()) >= *SUMMARY.start() {
                break;
            }
            add(statement.text.clone());
        }
        for text in self.what_was_done() {
            if add(String::new()) >= *SUMMARY.start() {
                break;
            }
            add(text);
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::relevant;

    #[test]
    fn only_is_said_where_some_were_not_relevant() {
        let said = |kept, judged| relevant(kept, judged, 0);
        assert_eq!(said(3, 7), "Only 3 of 7 sources read were relevant to the question");
        assert_eq!(said(1, 3), "Only 1 of 3 sources read was relevant to the question");
        let all = "3 of 3 sources read were relevant to the question, too few for a full report";
        assert_eq!(said(3, 3), all);
        assert!(said(1, 1).starts_with("1 of 1 source read was relevant"), "{}", said(1, 1));
        let unjudged =
            "Only 2 of 7 sources read were relevant to the question, 1 more could not be judged";
        assert_eq!(relevant(3, 7, 1), unjudged);
    }
}
