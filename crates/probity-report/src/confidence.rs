//! How far the findings can be relied on, computed from what the run found.

use probity_core::{Candidate, Decision, Problem, ProblemKind, SourceId, Verdict, counted};
use serde::{Deserialize, Serialize};

use crate::assemble::PARTLY_MARK;
use crate::check::follows;
use crate::draft::Proposal;
use crate::facts::{Briefing, RunFacts};
use crate::phrases::{Phrase, Phrases};
use crate::sentence;

/// How far the findings can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Few, weak or disagreeing sources.
    Low,
    /// Something is missing.
    Medium,
    /// Several credible sources that answer the question and agree.
    High,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Low, Level::Medium, Level::High];

    /// The level's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Low => "Low",
            Level::Medium => "Medium",
            Level::High => "High",
        }
    }
}

/// A level with the figures that it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// The level.
    pub level: Level,
    /// The value between 0 and 1 that the level was read from.
    pub value: f64,
    /// The figures, in words.
    pub rationale: String,
}

impl Confidence {
    /// What remains where the author of the draft proposes a level: never more than was computed,
    /// and both are shown where they differ.
    pub(crate) fn with(self, proposal: Option<&Proposal>) -> Self {
        let Some(Proposal { level, reason }) = proposal.filter(|p| p.level != self.level) else {
            return self;
        };
        let (computed, proposed) = (self.level.as_str(), level.as_str());
        let reason = sentence::without_citations(reason);
        // Its figures are not the author's to give: a number that is none of those computed takes the reason along.
        let follows = follows(&reason, std::slice::from_ref(&self.rationale));
        let reason = match reason.trim().trim_end_matches('.') {
            reason if reason.is_empty() || !follows => String::new(),
            reason => format!(" (“{reason}”)"),
        };
        let correction = match *level > self.level {
            true => format!(
                " The author of the draft proposed {proposed}{reason}; these figures allow no more \
                 than {computed}."
            ),
            false => format!(
                " These figures would allow {computed}; the author of the draft proposed \
                 {proposed}{reason}."
            ),
        };
        let rationale = format!("{}{correction}", self.rationale);
        Self { level: self.level.min(*level), rationale, ..self }
    }
}

/// What checking the draft found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) statements: usize,
    pub(crate) verified: usize,
    /// Those that carry the mark of a partial support.
    pub(crate) partly: usize,
    pub(crate) conflicts: usize,
    /// Whether the sources differ in the very thing that was asked for.
    pub(crate) contested: bool,
}

/// What each figure weighs; together they make 1.
const WEIGHTS: Weights =
    Weights { verified: 0.30, credibility: 0.25, relevance: 0.20, breadth: 0.15, gaps: 0.10 };
/// What each disagreement costs, up to [`MAX_CONFLICT_COST`].
const CONFLICT_COST: f64 = 0.05;
const MAX_CONFLICT_COST: f64 = 0.15;
/// The least value of each level.
const HIGH_FROM: f64 = 0.75;
const MEDIUM_FROM: f64 = 0.50;

struct Weights {
    verified: f64,
    credibility: f64,
    relevance: f64,
    breadth: f64,
    gaps: f64,
}

/// From here on the leading answer is right in nine of ten cases, as `probity bench answers` shows.
const SURE_FROM: f64 = 0.85;
/// Below it is wrong as often as right.
const DOUBTFUL_BELOW: f64 = 0.3;

/// How far the findings can be relied on: by the figures of the run, and never further than the analyst is sure of
/// the leading answer, where it can tell.
pub(crate) fn confidence(
    facts: &RunFacts,
    cited: &[SourceId],
    checked: Checked,
    certainty: Option<f64>,
) -> Confidence {
    let kept: Vec<&Candidate> =
        facts.candidates.iter().filter(|c| c.verdict == Verdict::Read).collect();
    let share =
        |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let mean = |values: Vec<f64>| {
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    let credibility = mean(kept.iter().map(|c| c.credibility.total).collect());
    let relevance = mean(
        kept.iter().filter_map(|c| c.relevance.as_ref()).map(|r| f64::from(r.score)).collect(),
    );
    let verified = share(checked.verified, checked.statements);
    let (answered, asked) = breadth(facts);
    let conflict_cost = (checked.conflicts as f64 * CONFLICT_COST).min(MAX_CONFLICT_COST);
    let value = (WEIGHTS.verified * verified
        + WEIGHTS.credibility * ((credibility - 0.5) / 0.35).clamp(0.0, 1.0)
        + WEIGHTS.relevance * ((relevance - 2.0) / 2.5).clamp(0.0, 1.0)
        + WEIGHTS.breadth * share(answered, asked)
        + WEIGHTS.gaps / (1.0 + facts.gaps.len() as f64)
        - conflict_cost)
        .clamp(0.0, 1.0);
    let outlets = independent_voices(&kept, cited);
    if let Some(briefing) = &facts.briefing {
        return of_briefing(facts, briefing, credibility, outlets, checked);
    }
    // However good the figures, one voice or a thin base is never high confidence, and where most
    // sources were kept unjudged it is not known whether they answer at all.
    let ceiling = match facts.gate.decision {
        _ if facts.unjudged() * 2 > kept.len() => Level::Low,
        // Who has to choose between two answers cannot be sure of one.
        Decision::FullReport if outlets >= 2 && !checked.contested => Level::High,
        Decision::FullReport | Decision::ShortReport if outlets >= 1 => Level::Medium,
        _ => Level::Low,
    };
    let figures =
        Figures { kept: &kept, credibility, outlets, answered, asked, checked, certainty };
    let level = level(value).min(ceiling).min(certainty.map_or(Level::High, sure));
    Confidence { level, value, rationale: rationale(facts, &figures) }
}

/// A briefing has no question that a source could answer: it is as reliable as its outlets, as far as
/// several of them report the same, and as its sentences are what they wrote.
fn of_briefing(
    facts: &RunFacts,
    briefing: &Briefing,
    credibility: f64,
    outlets: usize,
    checked: Checked,
) -> Confidence {
    let share =
        |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let thirds = share(checked.verified, checked.statements)
        + ((credibility - 0.5) / 0.35).clamp(0.0, 1.0)
        + share(briefing.shared, briefing.told);
    let cost = (checked.conflicts as f64 * CONFLICT_COST).min(MAX_CONFLICT_COST);
    let value = (thirds / 3.0 - cost).clamp(0.0, 1.0);
    let mut parts = vec![
        format!("mean credibility {credibility:.2} over {}", counted(outlets, "outlet", "outlets")),
        format!(
            "{} of {} reported topics have more than one outlet",
            briefing.shared, briefing.told
        ),
        format!("{} of {} cited statements verified", checked.verified, checked.statements),
    ];
    if checked.conflicts > 0 {
        let count = counted(checked.conflicts, "disagreement", "disagreements");
        parts.push(format!("{count} among the sources"));
    }
    let mut rationale = format!("{}.", parts.join("; "));
    rationale.push_str(&fallbacks(facts));
    rationale.push(' ');
    rationale.push_str(&Phrases::of_report(facts).say(Phrase::ByRule, &[]));
    Confidence { level: level(value), value, rationale }
}

/// The level of an answer that is right with this probability.
fn sure(certainty: f64) -> Level {
    match certainty {
        p if p >= SURE_FROM => Level::High,
        p if p < DOUBTFUL_BELOW => Level::Low,
        _ => Level::Medium,
    }
}

/// The level of a value.
fn level(value: f64) -> Level {
    match value {
        v if v >= HIGH_FROM => Level::High,
        v if v >= MEDIUM_FROM => Level::Medium,
        _ => Level::Low,
    }
}

/// How many of the queries brought at least one source that survived.
fn breadth(facts: &RunFacts) -> (usize, usize) {
    let asked = facts.queries.len();
    let answered = facts.queries.iter().filter(|query| query.kept > 0).count();
    (answered, asked)
}

fn independent_voices(kept: &[&Candidate], cited: &[SourceId]) -> usize {
    let mut voices: Vec<String> = kept
        .iter()
        .filter(|candidate| cited.contains(&candidate.id))
        .map(|c| c.outlet.as_ref().map_or_else(|| c.url.host().to_owned(), ToString::to_string))
        .collect();
    voices.sort();
    voices.dedup();
    voices.len()
}

struct Figures<'a> {
    kept: &'a [&'a Candidate],
    credibility: f64,
    outlets: usize,
    answered: usize,
    asked: usize,
    checked: Checked,
    certainty: Option<f64>,
}

/// Where an analyst could not be used and what replaced it, which sources were not read to their end, and which limits
/// were reached, in one sentence each.
pub(crate) fn fallbacks(facts: &RunFacts) -> String {
    let mut text = String::new();
    let mut counted: Vec<(String, usize)> = Vec::new();
    for problem in facts.problems.iter().filter(|p| p.kind == ProblemKind::Analysis) {
        // A problem says what happened and, after the last semicolon, what was done instead.
        let instead = problem.detail.rsplit_once("; ").map_or("", |(_, instead)| instead);
        let subject = if problem.subject.contains("://") { "a summary" } else { &problem.subject };
        let line = format!("{subject}: {instead}");
        match counted.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => counted.push((line, 1)),
        }
    }
    let lines: Vec<String> = counted
        .into_iter()
        .take(6)
        .map(|(line, count)| if count > 1 { format!("{count} × {line}") } else { line })
        .collect();
    if !lines.is_empty() {
        text.push_str(&format!(" Fallbacks taken: {}.", lines.join("; ")));
    }
    let defaulted = facts.unjudged();
    if defaulted > 0 {
        text.push(' ');
        text.push_str(&Phrases::of_report(facts).say(Phrase::Unjudged, &[defaulted.into()]));
    }
    text.extend(not_read_to_the_end(facts));
    if let Some(budget) = facts.problems.iter().find(|p| p.kind == ProblemKind::Budget) {
        text.push_str(&format!(" A spending limit was reached: {}.", budget.detail));
    }
    text
}

/// How many reasons are told why sources were not read to their ends.
const REASONS: usize = 4;

/// How many sources have more than what was read of them, and why.
fn not_read_to_the_end(facts: &RunFacts) -> Option<String> {
    let is_source = |subject: &str| facts.candidates.iter().any(|one| one.url.as_str() == subject);
    let cut: Vec<&Problem> = facts
        .problems
        .iter()
        .filter(|problem| problem.kind == ProblemKind::File && is_source(&problem.subject))
        .collect();
    let mut reasons: Vec<&str> = Vec::new();
    for problem in &cut {
        if !reasons.contains(&problem.detail.as_str()) {
            reasons.push(&problem.detail);
        }
    }
    reasons.truncate(REASONS);
    let sources = (!cut.is_empty()).then(|| counted(cut.len(), "source", "sources"))?;
    Some(format!(" Of {sources} not everything was read: {}.", reasons.join("; ")))
}

fn rationale(facts: &RunFacts, figures: &Figures<'_>) -> String {
    let judged = figures.kept.iter().filter_map(|c| c.relevance.as_ref());
    let mut scores: Vec<u8> = judged.filter(|r| !r.defaulted).map(|r| r.score).collect();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
    let phrases = Phrases::of_report(facts);
    let scores = if scores.is_empty() { phrases.say(Phrase::None, &[]) } else { scores.join(", ") };
    // Whether a source without a judgement is relevant is not known.
    let relevant = figures.kept.len().saturating_sub(facts.unjudged());
    let credibility = format!("{:.2}", figures.credibility);
    let Checked { verified, statements, partly, conflicts, contested, .. } = figures.checked;
    let mut parts = vec![
        phrases.say(Phrase::Scores, &[relevant.into(), facts.read().into(), (&scores).into()]),
        phrases.say(Phrase::Credibility, &[(&credibility).into(), figures.outlets.into()]),
        phrases.say(Phrase::Breadth, &[figures.answered.into(), figures.asked.into()]),
        match partly {
            0 => phrases.say(Phrase::Verified, &[verified.into(), statements.into()]),
            // The legend of the mark is beside the figure that it explains.
            _ => phrases.say(
                Phrase::Partly,
                &[verified.into(), statements.into(), partly.into(), PARTLY_MARK.into()],
            ),
        },
    ];
    if conflicts > 0 {
        let asked = if contested { phrases.say(Phrase::Contested, &[]) } else { String::new() };
        parts.push(format!("{}{asked}", phrases.say(Phrase::Conflicts, &[conflicts.into()])));
    }
    if let Some(certainty) = figures.certainty {
        let certainty = format!("{certainty:.2}");
        parts.push(phrases.say(Phrase::Certainty, &[(&certainty).into()]));
    }
    // A run that continues for as long as it finds something tells of each of its rounds.
    let two = facts.rounds.is_empty();
    parts.push(match facts.gaps.as_slice() {
        [] => phrases.say(if two { Phrase::NoGap } else { Phrase::NoGapLast }, &[]),
        gaps => {
            let named: Vec<&str> = gaps.iter().take(3).map(String::as_str).collect();
            let phrase = if two { Phrase::Gaps } else { Phrase::GapsLast };
            phrases.say(phrase, &[named.join("; ").as_str().into()])
        }
    });
    let mut text = parts.join("; ");
    // What is left open is often a question, which ends by itself.
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text.push_str(&fallbacks(facts));
    if !facts.author.is_model {
        text.push(' ');
        text.push_str(&phrases.say(Phrase::ByRule, &[]));
    }
    text
}
