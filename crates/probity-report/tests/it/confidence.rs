//! How far a report says it can be relied on: the laws of the figure, and what keeps it down.

use probity_core::{Candidate, Decision, Problem, ProblemKind, SourceId, Timestamp, Verdict};
use probity_report::OnUnverified;
use probity_report::confidence::{Confidence, Level};
use probity_report::draft::{Conflict, Draft, Proposal, Statement, Theme};
use probity_report::facts::{Briefing, RunFacts};
use proptest::prelude::*;

use crate::sample::{by_words, candidate, facts};

/// What a run found.
#[derive(Debug, Clone)]
struct Run {
    sources: u32,
    credibility: f64,
    relevance: u8,
    unjudged: u32,
    /// Statements that their sources say, and statements that they do not.
    right: usize,
    wrong: usize,
    gaps: usize,
    conflicts: usize,
    contested: bool,
    certainty: Option<f64>,
    decision: Decision,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            sources: 3,
            credibility: 0.9,
            relevance: 5,
            unjudged: 0,
            right: 4,
            wrong: 0,
            gaps: 0,
            conflicts: 0,
            contested: false,
            certainty: None,
            decision: Decision::FullReport,
        }
    }
}

const QUAYS: usize = 4;

fn berths(quay: usize) -> String {
    format!("Quay {quay} has {} berths for boats.", 20 + quay)
}

impl Run {
    fn facts(&self) -> RunFacts {
        let source = |id: u32| {
            let mut source: Candidate = candidate(id, Verdict::Read, "Quays");
            source.credibility.total = self.credibility;
            let relevance = source.relevance.as_mut().unwrap();
            relevance.score = self.relevance;
            relevance.defaulted = id < self.unjudged;
            source
        };
        let facts = facts((0..self.sources).map(source).collect(), "How many?", self.decision);
        let gaps = (0..self.gaps).map(|gap| format!("gap {gap}")).collect();
        RunFacts { gaps, problems: Vec::new(), ..facts }
    }

    fn draft(&self) -> Draft {
        let cite = |text: String, at: usize| {
            Statement::citing(text, SourceId(at as u32 % self.sources.max(1)))
        };
        let right = (0..self.right).map(|at| cite(berths(at), at));
        let wrong = (0..self.wrong).map(|at| cite(format!("Quay {at} has 990{at} berths."), at));
        let statements = right.chain(wrong).collect();
        let side = |at: usize| cite(berths(at), at);
        let conflict =
            || Conflict { statements: vec![side(0), side(1)], on_answer: self.contested };
        Draft {
            themes: vec![Theme { heading: "Quays".to_owned(), statements }],
            conflicts: (0..self.conflicts).map(|_| conflict()).collect(),
            certainty: self.certainty,
            ..Draft::default()
        }
    }

    fn confidence(&self) -> Confidence {
        checked(self.draft(), self.facts())
    }
}

fn checked(draft: Draft, facts: RunFacts) -> Confidence {
    let says: String = (0..QUAYS).map(|quay| berths(quay) + " ").collect();
    let texts = facts.candidates.iter().map(|c| (c.id, says.as_str().into())).collect();
    by_words(draft, facts, &texts, OnUnverified::Mark).confidence().unwrap().clone()
}

#[test]
fn several_credible_sources_that_answer_and_agree_give_high_confidence() {
    let found = Run::default().confidence();
    assert_eq!(found.level, Level::High, "{found:?}");
    assert!(found.rationale.contains("4 of 4 cited statements verified"), "{}", found.rationale);
    assert!(found.rationale.contains("mean credibility 0.90 over 3 outlets"), "{found:?}");
}

#[test]
fn what_is_thin_or_doubtful_keeps_confidence_down_however_good_the_figures_are() {
    let good = Run::default();
    for (run, most, why) in [
        (Run { sources: 1, ..good.clone() }, Level::Medium, "one voice"),
        (Run { decision: Decision::ShortReport, ..good.clone() }, Level::Medium, "a short report"),
        (Run { unjudged: 2, ..good.clone() }, Level::Low, "most sources unjudged"),
        (Run { right: 0, ..good.clone() }, Level::Low, "nothing cited"),
        (Run { conflicts: 1, contested: true, ..good.clone() }, Level::Medium, "contested"),
        (Run { certainty: Some(0.84), ..good.clone() }, Level::Medium, "not sure of the answer"),
        (Run { certainty: Some(0.29), ..good.clone() }, Level::Low, "doubtful answer"),
        (Run { wrong: 4, right: 0, ..good.clone() }, Level::Medium, "nothing verified"),
    ] {
        let found = run.confidence();
        assert!(found.level <= most, "{why}: {found:?}");
    }
    let sure = Run { certainty: Some(0.85), ..good };
    assert_eq!(sure.confidence().level, Level::High);
}

#[test]
fn a_proposal_lowers_a_level_and_never_raises_one() {
    for proposed in Level::ALL {
        for run in [Run::default(), Run { sources: 1, ..Run::default() }] {
            let computed = run.confidence();
            let proposal = Proposal { level: proposed, reason: "Two say so.".to_owned() };
            let draft = Draft { confidence: Some(proposal), ..run.draft() };
            let found = checked(draft, run.facts());
            assert_eq!(found.level, computed.level.min(proposed));
            assert_eq!(found.value, computed.value);
            assert_eq!(found.rationale == computed.rationale, proposed == computed.level);
        }
    }
}

#[test]
fn a_reason_with_a_number_of_its_own_is_not_repeated() {
    let run = Run::default();
    let with = |reason: &str| {
        let proposal = Proposal { level: Level::Low, reason: reason.to_owned() };
        checked(Draft { confidence: Some(proposal), ..run.draft() }, run.facts()).rationale
    };
    assert!(with("The sources are old").contains("(“The sources are old”)"));
    assert!(!with("Only 17 sources agree").contains("17"));
}

#[test]
fn what_went_wrong_is_told_with_the_figure() {
    let run = Run { unjudged: 1, ..Run::default() };
    let problem = |kind, subject: &str, detail: &str| Problem::new(kind, subject, detail);
    let urls: Vec<String> =
        run.facts().candidates.iter().take(3).map(|one| one.url.as_str().to_owned()).collect();
    let problems = vec![
        problem(ProblemKind::Analysis, "the gate", "no answer; words were compared instead"),
        problem(ProblemKind::Analysis, "https://a.example/", "timeout; its snippet was used"),
        problem(ProblemKind::Analysis, "https://b.example/", "timeout; its snippet was used"),
        problem(ProblemKind::File, &urls[0], "only the first 4 MB were read"),
        problem(ProblemKind::File, &urls[1], "it has more pages than are read"),
        problem(ProblemKind::File, &urls[2], "only the first 4 MB were read"),
        problem(ProblemKind::File, "a.pdf", "is no source"),
        problem(ProblemKind::Budget, "spend", "2 dollars were spent"),
        problem(ProblemKind::Search, "library", "not told here"),
    ];
    let found = checked(run.draft(), RunFacts { problems, ..run.facts() }).rationale;
    for said in [
        "Fallbacks taken: the gate: words were compared instead; 2 × a summary: its snippet was used.",
        "Of 3 sources not everything was read: only the first 4 MB were read; it has more pages than are read.",
        "A spending limit was reached: 2 dollars were spent.",
    ] {
        assert!(found.contains(said), "{found}");
    }
    assert!(!found.contains("not told here") && !found.contains("is no source"), "{found}");
}

#[test]
fn a_briefing_is_as_reliable_as_its_outlets_agree() {
    let run = Run::default();
    let of = |shared: usize| {
        let briefing =
            Briefing { since: Timestamp(0), feeds: 3, articles: 9, topics: 4, told: 4, shared };
        checked(run.draft(), RunFacts { briefing: Some(briefing), ..run.facts() })
    };
    let values: Vec<f64> = (0..=4).map(|shared| of(shared).value).collect();
    assert!(values.is_sorted() && values[0] < values[4], "{values:?}");
    assert_eq!(of(4).level, Level::High);
    let rationale = of(3).rationale;
    assert!(rationale.contains("3 of 4 reported topics have more than one outlet"), "{rationale}");
}

fn runs() -> impl Strategy<Value = Run> {
    let decision = prop::sample::select(vec![Decision::FullReport, Decision::ShortReport]);
    let sources = (1u32..5, 0.0f64..1.0, 1u8..6, 0u32..4);
    let found = (0usize..4, 0usize..4, 0usize..6, 0usize..3, any::<bool>());
    (sources, found, prop::option::of(0.0f64..1.0), decision).prop_map(
        |(sources, found, certainty, decision)| {
            let (sources, credibility, relevance, unjudged) = sources;
            let (right, wrong, gaps, conflicts, contested) = found;
            Run {
                sources,
                credibility,
                relevance,
                unjudged: unjudged.min(sources),
                right,
                wrong,
                gaps,
                conflicts,
                contested,
                certainty,
                decision,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_value_lies_between_nothing_and_certainty_and_its_level_is_no_higher(run in runs()) {
        let found = run.confidence();
        prop_assert!((0.0..=1.0).contains(&found.value), "{:?}", found);
        prop_assert!(found.level < Level::High || found.value >= 0.75, "{:?}", found);
        prop_assert!(found.level < Level::Medium || found.value >= 0.5, "{:?}", found);
        prop_assert!(!found.rationale.is_empty());
    }

    #[test]
    fn one_more_gap_or_unsupported_statement_never_raises_the_value(run in runs()) {
        let value = run.confidence().value + 1e-12;
        let open = Run { gaps: run.gaps + 1, ..run.clone() };
        prop_assert!(open.confidence().value <= value);
        let wrong = Run { wrong: run.wrong + 1, ..run.clone() };
        prop_assert!(wrong.confidence().value <= value);
    }

    #[test]
    fn better_sources_never_lower_the_value(run in runs()) {
        let value = run.confidence().value - 1e-12;
        let credible = Run { credibility: (run.credibility + 0.1).min(1.0), ..run.clone() };
        prop_assert!(credible.confidence().value >= value);
        let relevant = Run { relevance: (run.relevance + 1).min(5), ..run.clone() };
        prop_assert!(relevant.confidence().value >= value);
    }

    #[test]
    fn less_certainty_never_raises_the_level(run in runs(), a in 0.0f64..1.0, b in 0.0f64..1.0) {
        let level = |certainty| Run { certainty: Some(certainty), ..run.clone() }.confidence().level;
        prop_assert!(level(a.min(b)) <= level(a.max(b)));
    }
}
