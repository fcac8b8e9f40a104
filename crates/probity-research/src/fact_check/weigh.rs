//! A statement and what was read for it → which way each source speaks, and the verdict.

use std::collections::HashMap;
use std::sync::Arc;

use futures::stream::{StreamExt, TryStreamExt, iter};
use probity_core::{Candidate, CanonicalUrl, WebUrl, counted};
use probity_report::check::{Check, Passage, Readings, SourceIndex, Support};
use probity_report::facts::Usage;
use serde::Serialize;

use super::{Case, Claim, Evidence, Stance};
use crate::analyst::{Analyst, AnalystAnswer, AnalystError};
use crate::driver::Parts;
use crate::journal::{JournalError, StepKind};

/// How many pieces of evidence are shown for a statement.
const EVIDENCE_MOST: usize = 5;
/// The most statements of one text that a language model is asked about.
const ASKED_MOST: usize = 24;

/// The verdict on a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A source supports it.
    Supported,
    /// A source says otherwise.
    Contradicted,
    /// No source that was read says either.
    NotFound,
}

impl Standing {
    /// The verdict's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Supported => "supported",
            Standing::Contradicted => "contradicted",
            Standing::NotFound => "not_found",
        }
    }
}

/// Every page that was read, once.
#[derive(Default)]
pub(super) struct Pool {
    /// Each with its text below its title: the subject of a page is often only there.
    pages: Vec<(Candidate, Arc<str>)>,
    by_address: HashMap<CanonicalUrl, usize>,
}

impl Pool {
    /// Enters a page, or finds it where it was entered before.
    pub(super) fn add(&mut self, candidate: Candidate, text: &str) -> usize {
        let next = self.pages.len();
        let at = *self.by_address.entry(candidate.url.canonical()).or_insert(next);
        if at == next {
            let text = format!("{}{text}", heading(&candidate));
            self.pages.push((candidate, text.into()));
        }
        at
    }

    /// Prepares pages for many checks.
    pub(super) fn indexes(
        &self,
        wanted: impl Iterator<Item = usize>,
    ) -> HashMap<usize, SourceIndex> {
        let mut indexes = HashMap::new();
        for at in wanted {
            if let Some((_, text)) = self.pages.get(at) {
                indexes.entry(at).or_insert_with(|| SourceIndex::new(Arc::clone(text)));
            }
        }
        indexes
    }

    fn candidate(&self, at: usize) -> Option<&Candidate> {
        self.pages.get(at).map(|(candidate, _)| candidate)
    }

    fn authority(&self, at: usize) -> f64 {
        self.candidate(at).map_or(0.0, |candidate| candidate.credibility.authority)
    }
}

/// What is above a page's text.
fn heading(candidate: &Candidate) -> String {
    format!("{}\n\n", candidate.title)
}

/// A passage by its place in the page's own text.
fn below_heading(mut passage: Passage, candidate: &Candidate) -> Passage {
    let above = heading(candidate).len();
    passage.start = passage.start.saturating_sub(above);
    passage.end = passage.end.saturating_sub(above);
    passage
}

/// What one source says of a statement.
pub(super) struct Weighed {
    source: usize,
    stance: Stance,
    check: Check,
}

/// Holds a statement against a source. A source without anything near it says nothing.
pub(super) fn weigh(
    claim: &Claim,
    source: usize,
    indexes: &HashMap<usize, SourceIndex>,
    readings: &Readings,
) -> Option<Weighed> {
    let check = indexes.get(&source)?.decide(&claim.spelled_out, readings);
    check.passage.as_ref()?;
    let stance = match (check.support, check.opposed) {
        (Support::Supported, _) => Stance::For,
        (_, true) => Stance::Against,
        (Support::Partly, false) => Stance::Near,
        (Support::Unsupported, false) => return None,
    };
    Some(Weighed { source, stance, check })
}

/// A verdict and why.
pub(super) struct Decided {
    pub(super) standing: Standing,
    pub(super) disputed: bool,
    pub(super) why: String,
}

/// The verdict over all sources. Where they disagree, the side of more authority counts, and at a tie
/// the warning.
pub(super) fn decide(findings: &[Weighed], pool: &Pool) -> Decided {
    let side = |stance: Stance| {
        let of_it = findings.iter().filter(move |finding| finding.stance == stance);
        let authority: f64 = of_it.clone().map(|finding| pool.authority(finding.source)).sum();
        (of_it.count(), authority)
    };
    let ((pro, weight_for), (contra, weight_against)) = (side(Stance::For), side(Stance::Against));
    let (near, _) = side(Stance::Near);
    let sources = |count: usize| counted(count, "source", "sources");
    let (standing, why) = match (pro, contra) {
        (0, 0) if near > 0 => (
            Standing::NotFound,
            format!("{} came close, but neither supported nor contradicted it", sources(near)),
        ),
        (0, 0) => (Standing::NotFound, "no source that was read says it".to_owned()),
        (pro, 0) => (Standing::Supported, format!("{} supported it", sources(pro))),
        (0, contra) => (Standing::Contradicted, format!("{} contradicted it", sources(contra))),
        (pro, contra) => {
            let standing = match weight_for > weight_against {
                true => Standing::Supported,
                false => Standing::Contradicted,
            };
            let why = format!(
                "{} supported it (authority {weight_for:.2} in all), {} contradicted it \
                 ({weight_against:.2})",
                sources(pro),
                sources(contra)
            );
            (standing, why)
        }
    };
    Decided { standing, disputed: pro > 0 && contra > 0, why }
}

/// The evidence as a reader sees it: what decides, and only where nothing does, what comes near.
pub(super) fn evidence(findings: Vec<Weighed>, pool: &Pool, claim: &Claim) -> Vec<Evidence> {
    let cites: Vec<CanonicalUrl> = claim.cites.iter().map(WebUrl::canonical).collect();
    let open = findings.iter().all(|finding| finding.stance == Stance::Near);
    let telling = findings.into_iter().filter(|finding| open || finding.stance != Stance::Near);
    let shown = telling.filter_map(|finding| {
        let candidate = pool.candidate(finding.source)?;
        Some(Evidence {
            stance: finding.stance,
            url: candidate.url.to_string(),
            title: candidate.title.clone(),
            outlet: candidate.outlet.as_ref().map(ToString::to_string),
            authority: candidate.credibility.authority,
            credibility: candidate.credibility.total,
            published: candidate.published,
            cited: cites.contains(&candidate.url.canonical()),
            value: finding.check.value,
            passage: below_heading(finding.check.passage?, candidate),
            reasons: finding.check.reasons,
        })
    });
    let mut shown: Vec<Evidence> = shown.collect();
    // What contradicts most plainly has the least value.
    let strength = |one: &Evidence| match one.stance {
        Stance::Against => -one.value,
        Stance::For | Stance::Near => one.value,
    };
    shown.sort_by(|a, b| {
        b.authority.total_cmp(&a.authority).then(strength(b).total_cmp(&strength(a)))
    });
    shown.truncate(EVIDENCE_MOST);
    shown
}

/// Asks a language model, where there is one, about statements to which a passage came near.
pub(super) async fn ask_about_doubts(
    parts: &Parts<'_>,
    cases: &mut [Case],
) -> Result<Usage, JournalError> {
    let mut usage = Usage::default();
    if parts.spec.model.assignment.is_none() {
        return Ok(usage);
    }
    let open = |case: &Case| case.findings.iter().all(|finding| finding.stance == Stance::Near);
    let doubts: Vec<(usize, usize, String, String)> = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| open(case))
        .filter_map(|(at, case)| {
            let better = |a: &&(usize, &Weighed), b: &&(usize, &Weighed)| {
                a.1.check.value.total_cmp(&b.1.check.value)
            };
            let all: Vec<(usize, &Weighed)> = case.findings.iter().enumerate().collect();
            let (finding, best) = all.iter().max_by(better)?;
            let passage = best.check.passage.as_ref()?.text.clone();
            Some((at, *finding, case.claim.spelled_out.clone(), passage))
        })
        .take(ASKED_MOST)
        .collect();
    let parallel = parts.spec.limits.parallel_judgements.max(1);
    let asking = doubts.into_iter().map(|(case, finding, claim, passage)| async move {
        let answer = ask(parts, &claim, &passage).await?;
        Ok::<_, JournalError>((case, finding, answer))
    });
    let answers: Vec<_> = iter(asking).buffered(parallel).try_collect().await?;
    for (case, finding, answer) in answers {
        usage.add(&answer.usage);
        let finding = cases.get_mut(case).and_then(|case| case.findings.get_mut(finding));
        if let (Some(finding), Ok(Support::Supported)) = (finding, answer.result) {
            finding.stance = Stance::For;
            finding.check.reasons.push("a language model found it supported".to_owned());
        }
    }
    Ok(usage)
}

async fn ask(
    parts: &Parts<'_>,
    claim: &str,
    passage: &str,
) -> Result<AnalystAnswer<Support>, JournalError> {
    let seconds = parts.spec.limits.scoring_seconds;
    let analyst: &dyn Analyst = parts.analyst;
    let inputs = (claim, passage);
    let step = parts.journal.step(StepKind::Check, &inputs, async || {
        let limit = std::time::Duration::from_secs(seconds);
        match tokio::time::timeout(limit, analyst.check(claim, passage)).await {
            Ok(answer) => answer,
            Err(_) => AnalystAnswer::none(AnalystError::Timeout(seconds)),
        }
    });
    tokio::select! {
        biased;
        () = parts.cancel.thrown() => Err(JournalError::Interrupted),
        answered = step => answered,
    }
}
