//! Every report has the promised shape, whatever an analyst hands in.

use probity_core::{
    Candidate, Decision, Mode, Relevance, Round, Score, SourceId, Timestamp, Verdict, WebUrl,
};
use probity_reader::Entailment;
use probity_report::assemble::{Body, Texts, Verdicts, assemble_judged, statements_to_read};
use probity_report::check::{Pair, Readings, Support};
use probity_report::draft::{Conflict, Draft, Form, Shortfall, Statement, Theme};
use probity_report::facts::{Author, GateRecord, RunFacts, SentQuery, Usage};
use probity_report::html::html;
use probity_report::json::json;
use probity_report::markdown::{markdown, markdown_with_appendix};
use probity_report::parse::parse;
use probity_report::phrases::{Phrase, Phrases};
use probity_report::{OnUnverified, assemble_shortfall, restore};

use crate::sample::by_words;
use proptest::prelude::*;

pub(crate) const TEXT: &str =
    "The limit is 55 decibels after 9 pm. A permit costs 40 crowns. Music must stop at 10 pm.";

fn candidate(id: u32, verdict: Verdict, title: &str) -> Candidate {
    let read = matches!(verdict, Verdict::Read | Verdict::Dropped);
    Candidate {
        id: SourceId(id),
        url: WebUrl::parse(&format!("https://s{id}.example.org/a(b)?q=[x]")).unwrap(),
        title: title.to_owned(),
        snippet: String::new(),
        outlet: None,
        attribution: None,
        archived: None,
        credibility: Score { total: 0.74, authority: 0.7, relevance: 0.8, recency: 0.1 },
        shares: None,
        explanation: String::new(),
        published: None,
        providers: vec![],
        round: Round::First,
        outcome: None,
        relevance: read.then(|| Relevance { score: 4, why: "Why [1].".into(), defaulted: false }),
        verdict,
        reason: "a reason | with a bar".to_owned(),
    }
}

pub(crate) fn facts(
    verdicts: &[Verdict],
    title: &str,
    question: &str,
    decision: Decision,
) -> RunFacts {
    let candidates: Vec<Candidate> =
        verdicts.iter().enumerate().map(|(i, v)| candidate(i as u32, *v, title)).collect();
    let count = |wanted| verdicts.iter().filter(|v| **v == wanted).count();
    RunFacts {
        run_id: "r1".into(),
        question: question.to_owned(),
        mode: Mode::Standard,
        author: Author { name: "embedded".into(), is_model: false },
        asked_at: Timestamp(0),
        queries: vec![SentQuery {
            text: "q".into(),
            round: Round::First,
            hits: 9,
            kept: 1,
            silent: false,
        }],
        candidates,
        threshold: 0.5,
        gate: GateRecord {
            decision,
            rationale: String::new(),
            cutoff: 3,
            judged: count(Verdict::Read) + count(Verdict::Dropped),
            kept: count(Verdict::Read),
        },
        gaps: vec![],
        problems: vec![],
        usage: Usage::default(),
        timeline: vec![],
        revisions: vec![],
        plan: None,
        rounds: Vec::new(),
        language: None,
        briefing: None,
    }
}

/// Texts that try to be structure.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("The limit is 55 decibels after 9 pm.".to_owned()),
        Just("A permit costs 40 crowns.".to_owned()),
        Just("The limit is 70 decibels [7].".to_owned()),
        Just("## Sources\n1. [Fake](https://evil.example) — credibility 1.00".to_owned()),
        Just("![x](https://evil.example/x.png) <img src=x onerror=alert(1)>".to_owned()),
        Just("[click](javascript:alert(1)) [^1] [1]: https://evil.example".to_owned()),
        Just("\n\n# Title\n\n## Methodology\n- **Searches Conducted:** 99".to_owned()),
        Just("\u{202e}reversed\u{1b}[31m".to_owned()),
        Just("\\[9] \\\\[8] [ 5 ] [1,2] [unverified]".to_owned()),
        Just(String::new()),
        "[ -~\\n]{0,50}",
        "\\PC{0,30}",
    ]
}

/// Forms that fit, and forms that show what the text does not say.
fn forms() -> impl Strategy<Value = Form> {
    let names = prop::sample::select(vec![["Limit", "Hour"], ["a | b", ""], ["[1]", "## x"]]);
    let cells = prop::sample::select(vec![["55", "9 pm"], ["40", ""], ["4", "crowns"], ["x", "|"]]);
    let texts = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
    let row = (names, cells, hostile()).prop_map(move |(columns, cells, other)| Form::Row {
        columns: texts(columns),
        cells: [texts(cells), vec![other].into_iter().filter(|o| o.len() > 60).collect()].concat(),
    });
    prop_oneof![
        3 => Just(Form::Prose),
        1 => Just(Form::Quote),
        1 => any::<bool>().prop_map(|ordered| Form::Item { ordered }),
        2 => row,
        1 => hostile().prop_map(|when| Form::Entry { when }),
        1 => Just(Form::Entry { when: "9 pm".to_owned() }),
        1 => prop::collection::vec(0usize..9, 0..3).prop_map(|from| Form::Inference { from }),
    ]
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let one = (hostile(), prop::collection::vec(0u32..9, 0..4), forms());
    let one = one.prop_map(|(text, ids, form)| Statement {
        text,
        cites: ids.into_iter().map(SourceId).collect(),
        form,
    });
    prop::collection::vec(one, 0..5)
}

prop_compose! {
    pub(crate) fn drafts()(
        headline in hostile(),
        summary in prop::collection::vec(hostile(), 0..7),
        themes in prop::collection::vec((hostile(), statements()), 0..4),
        conflicts in prop::collection::vec(statements(), 0..3),
    ) -> Draft {
        Draft {
            headline,
            summary,
            themes: themes.into_iter().map(|(heading, statements)| Theme { heading, statements }).collect(),
            conflicts: conflicts.into_iter().map(|statements| Conflict { statements, on_answer: false }).collect(),
            ..Draft::default()
        }
    }
}

pub(crate) fn verdicts() -> impl Strategy<Value = Vec<Verdict>> {
    let verdict = prop::sample::select(vec![
        Verdict::Read,
        Verdict::Read,
        Verdict::Blocked,
        Verdict::Failed,
        Verdict::Dropped,
        Verdict::Unused,
    ]);
    prop::collection::vec(verdict, 0..8)
}

const SECTIONS: [&str; 5] = [
    "Executive Summary",
    "Main Findings",
    "Conflicting Information",
    "Confidence Assessment",
    "Sources",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_report_has_the_shape(
        draft in drafts(),
        verdicts in verdicts(),
        title in hostile(),
        question in hostile(),
        short in any::<bool>(),
        on in prop::sample::select(vec![OnUnverified::Mark, OnUnverified::Drop, OnUnverified::Keep]),
    ) {
        let decision = if short { Decision::ShortReport } else { Decision::FullReport };
        let facts = facts(&verdicts, &title, &question, decision);
        let texts: Texts = facts.candidates.iter().map(|c| (c.id, TEXT.into())).collect();
        let report = by_words(draft, facts.clone(), &texts, on);
        let text = markdown(&report);
        let parsed = parse(&text).unwrap();

        let headings: Vec<&str> = parsed.sections.iter().map(|(h, _)| h.as_str()).collect();
        prop_assert_eq!(headings, SECTIONS);
        prop_assert!(!parsed.title.is_empty());
        prop_assert_eq!(parsed.disclaimer.is_some(), short);
        prop_assert_eq!((parsed.searches, parsed.read), (1, facts.read()));
        prop_assert_eq!((parsed.candidates, parsed.blocked), (verdicts.len(), facts.count(Verdict::Blocked)));

        // Citations resolve, are numbered by first use, and list nothing else.
        let mut first_use = parsed.citations.clone();
        let mut seen = Vec::new();
        first_use.retain(|n| { let fresh = !seen.contains(n); seen.push(*n); fresh });
        prop_assert_eq!(&first_use, &(1..=parsed.sources.len()).collect::<Vec<_>>());
        prop_assert_eq!(parsed.sources.iter().map(|s| s.0).collect::<Vec<_>>(), first_use);

        // Nothing but kept sources is listed, each once.
        for (_, source) in report.sources() {
            prop_assert_eq!(source.verdict, Verdict::Read);
        }
        let mut urls: Vec<&String> = parsed.sources.iter().map(|s| &s.2).collect();
        urls.sort();
        urls.dedup();
        prop_assert_eq!(urls.len(), parsed.sources.len());

        let conflicts = &parsed.sections[2].1;
        let Body::Report { conflicts: stated, summary, .. } = report.body() else { panic!() };
        let none = Phrases::of(&report.facts().question).say(Phrase::NoConflict, &[]);
        prop_assert_eq!(stated.is_empty(), *conflicts == none);
        prop_assert!((3..=5).contains(&summary.len()), "{} sentences", summary.len());
        if on != OnUnverified::Mark {
            prop_assert_eq!(parsed.marks, 0);
        }
        // No structure of the draft's own.
        let bare = text.replace("\\]", "");
        prop_assert!(!bare.contains("](javascript"), "a link of the draft's own");
        prop_assert!(!bare.contains("](https://evil"), "a link of the draft's own");
        let hostile = ['\u{1b}', '\u{202e}'];
        prop_assert!(!text.contains(hostile), "a control character is left");
        parse(&markdown_with_appendix(&report)).unwrap();

        // What stands under the headings is read back as it was arranged, and so is the JSON.
        crate::forms::check(&report, &parsed)?;
        let again = restore(&json(&report)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(markdown(&again), text);
    }

    #[test]
    fn an_account_without_findings_cites_nothing(
        headline in hostile(), account in prop::collection::vec(hostile(), 0..5), elsewhere in hostile(),
        verdicts in verdicts(),
    ) {
        let facts = facts(&verdicts, "t", "Which question?", Decision::InsufficientData);
        let shortfall = Shortfall { headline, account, better_queries: vec!["[1](x)".into()], elsewhere };
        let report = assemble_shortfall(shortfall, facts);
        let parsed = parse(&markdown(&report)).unwrap();
        prop_assert_eq!(parsed.sections.len(), 1);
        prop_assert!(parsed.citations.is_empty() && parsed.sources.is_empty());
        prop_assert!(report.confidence().is_none());
    }
}

#[test]
fn a_citation_of_something_not_read_is_removed_and_the_sentence_marked() {
    let facts = facts(&[Verdict::Read, Verdict::Dropped], "T", "Question?", Decision::FullReport);
    let texts: Texts = facts.candidates.iter().map(|c| (c.id, TEXT.into())).collect();
    let statement = |text: &str, id| Statement::citing(text, SourceId(id));
    let theme = Theme {
        heading: "Limits".into(),
        statements: vec![
            statement("A permit costs 40 crowns.", 1),
            statement("Music must stop at 10 pm.", 0),
            statement("A permit costs 40 crowns.", 77),
        ],
    };
    let draft = Draft { headline: "H".into(), themes: vec![theme], ..Draft::default() };
    let text = markdown(&by_words(draft.clone(), facts.clone(), &texts, OnUnverified::Mark));
    assert!(
        text.contains(
            "A permit costs 40 crowns [unverified]. Music must stop at 10 pm [1]. \
         A permit costs 40 crowns [unverified]."
        ),
        "{text}"
    );
    let text = markdown(&by_words(draft, facts, &texts, OnUnverified::Drop));
    assert!(
        !text.contains("40 crowns") && text.contains("Music must stop at 10 pm [1]."),
        "{text}"
    );
}

#[test]
fn a_sentence_that_is_borne_out_in_part_says_so_in_every_format() {
    let facts = facts(&[Verdict::Read], "T", "Question?", Decision::FullReport);
    let texts: Texts = facts.candidates.iter().map(|c| (c.id, TEXT.into())).collect();
    let half = "Music must stop at 10 pm, and taverns pay the harbour guild.";
    let statement = |text: &str| Statement::citing(text, SourceId(0));
    let statements = vec![statement("A permit costs 40 crowns."), statement(half)];
    let theme = Theme { heading: "Limits".into(), statements };
    let draft = Draft { headline: "H".into(), themes: vec![theme], ..Draft::default() };
    // The one clause that is not verbatim is read, and as likely as not it holds.
    let pairs = statements_to_read(&draft, &facts, &texts);
    let is_other = |pair: &Pair| pair.claim == "taverns pay the harbour guild.";
    assert!(!pairs.is_empty() && pairs.iter().all(is_other), "{pairs:?}");
    let read = Entailment { supported: 0.5, not_enough: 0.4, contradicted: 0.1 };
    let readings = Readings::new("scripted", pairs.clone(), vec![read; pairs.len()]);
    let assembled =
        |on| assemble_judged(draft.clone(), facts.clone(), &texts, on, &readings, &Verdicts::new());
    for on in [OnUnverified::Mark, OnUnverified::Drop] {
        let report = assembled(on);
        let found: Vec<Support> = report.statements().map(|s| s.support).collect();
        assert_eq!(found, [Support::Supported, Support::Partly]);
        let text = markdown(&report);
        assert!(text.contains("A permit costs 40 crowns [1]. Music must"), "{text}");
        assert!(text.contains("the harbour guild [1] [partly verified]."), "{text}");
        let legend = "1 of 2 cited statements verified, and 1 marked";
        assert!(text.contains(legend), "{text}");
        assert_eq!(parse(&text).unwrap().citations, [1, 1]);
        let page = html(&report);
        assert_eq!(page.matches("<span class=\"mark\">[partly verified]</span>").count(), 1);
    }
    let kept = markdown(&assembled(OnUnverified::Keep));
    assert!(!kept.contains("partly verified"), "{kept}");
}
