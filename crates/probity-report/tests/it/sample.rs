//! Reports to render: one in which every text is whatever a test wants, and one of any size.

use std::collections::BTreeMap;

use probity_core::{
    Candidate, Decision, Mode, Problem, ProblemKind, Relevance, Round, Score, SourceId, Timestamp,
    Verdict, WebUrl,
};
use probity_reader::{Stop, TextReader};
use probity_report::assemble::Texts;
use probity_report::draft::{Conflict, Draft, Form, Shortfall, Statement, Theme};
use probity_report::facts::{
    Author, Call, GateRecord, Revision, RunFacts, SentQuery, StageRecord, Usage,
};
use probity_report::{CheckedReport, OnUnverified, assemble, assemble_shortfall};

/// What every source says, beside what a test wants it to say.
pub(crate) const SAYS: &str = "The limit is 55 decibels after 9 pm. A permit costs 40 crowns.";

/// A page with this text as title, snippet, reason and judgement.
pub(crate) fn candidate(id: u32, verdict: Verdict, text: &str) -> Candidate {
    let plain = WebUrl::parse(&format!("https://s{id}.example.org/a(b)?q=[x]")).unwrap();
    let read = matches!(verdict, Verdict::Read | Verdict::Dropped);
    Candidate {
        id: SourceId(id),
        url: WebUrl::parse(&format!("https://s{id}.example.org/{text}")).unwrap_or(plain),
        title: text.to_owned(),
        snippet: text.to_owned(),
        outlet: None,
        attribution: None,
        archived: None,
        credibility: Score {
            total: 0.515 + f64::from(id % 9) / 21.0,
            authority: 0.7,
            relevance: 0.8,
            recency: 0.1,
        },
        shares: None,
        explanation: text.to_owned(),
        published: (!id.is_multiple_of(3)).then(|| jiff::civil::date(2026, 3, 1 + (id % 28) as i8)),
        providers: vec!["library".into()],
        round: if id.is_multiple_of(2) { Round::First } else { Round::Second },
        outcome: read.then(|| "read".to_owned()),
        relevance: read.then(|| Relevance {
            score: if verdict == Verdict::Read { 4 } else { 2 },
            why: text.to_owned(),
            defaulted: false,
        }),
        verdict,
        reason: text.to_owned(),
    }
}

fn timeline(text: &str) -> Vec<StageRecord> {
    let call = |kind: &str, start_ms, millis| Call {
        kind: kind.to_owned(),
        label: text.to_owned(),
        start_ms,
        millis,
    };
    let stage = |title: &str, calls| StageRecord {
        title: title.to_owned(),
        usage: Usage {
            model_calls: 1,
            input_tokens: 900,
            output_tokens: 80,
            cost_usd: 0.0125,
            ..Usage::default()
        },
        calls,
    };
    vec![
        stage("Planning the searches", vec![call("plan", 0, 40)]),
        stage(
            "Round 1: searching and reading",
            vec![call("search", 45, 300), call("search", 46, 420), call("fetch", 480, 900)],
        ),
        stage("Writing the report", vec![call("synthesise", 1_400, 2_100)]),
    ]
}

pub(crate) fn facts(candidates: Vec<Candidate>, text: &str, decision: Decision) -> RunFacts {
    let count = |wanted| candidates.iter().filter(|c| c.verdict == wanted).count();
    RunFacts {
        run_id: "20261115-abcdef".into(),
        question: text.to_owned(),
        mode: Mode::Deep,
        author: Author { name: text.to_owned(), is_model: true },
        asked_at: "2026-11-15T09:30:00Z".parse::<Timestamp>().unwrap(),
        queries: vec![SentQuery {
            text: text.to_owned(),
            round: Round::First,
            hits: 9,
            kept: 1,
            silent: false,
        }],
        threshold: 0.5,
        gate: GateRecord {
            decision,
            rationale: text.to_owned(),
            cutoff: 3,
            judged: count(Verdict::Read) + count(Verdict::Dropped),
            kept: count(Verdict::Read),
        },
        gaps: vec![text.to_owned()],
        problems: vec![Problem::new(ProblemKind::Search, text, text)],
        usage: Usage {
            model_calls: 3,
            input_tokens: 2_700,
            output_tokens: 240,
            cost_usd: 0.0375,
            ..Usage::default()
        },
        plan: None,
        rounds: Vec::new(),
        language: None,
        briefing: None,
        revisions: vec![Revision {
            side: "evidence".into(),
            finding: text.to_owned(),
            action: "weakened".into(),
            before: text.to_owned(),
            after: text.to_owned(),
        }],
        timeline: timeline(text),
        candidates,
    }
}

/// Longer sentences take the citation check long and say nothing new about rendering.
const SENTENCE_CHARS: usize = 300;

/// A report in which every text that comes from outside is this one.
pub(crate) fn saying(text: &str) -> CheckedReport {
    let sentence: String = text.chars().take(SENTENCE_CHARS).collect();
    let verdicts = [Verdict::Read, Verdict::Read, Verdict::Blocked, Verdict::Dropped];
    let candidates =
        verdicts.iter().enumerate().map(|(i, v)| candidate(i as u32, *v, text)).collect();
    let facts = facts(candidates, text, Decision::ShortReport);
    let says = format!("{SAYS} {sentence}");
    let texts = facts.candidates.iter().map(|c| (c.id, says.as_str().into())).collect();
    let statement = |text: &str, id| Statement::citing(text, SourceId(id));
    let mut statements = vec![
        statement("The limit is 55 decibels after 9 pm.", 0),
        statement("A permit costs 90 crowns.", 1),
        statement(&sentence, 0),
    ];
    // The same text in every form, as far as it can have it.
    let row = Form::Row {
        columns: vec![text.to_owned(), "Hour".to_owned()],
        cells: vec![sentence.clone(), "9 pm".to_owned()],
    };
    for (said, form) in [
        (sentence.clone(), Form::Quote),
        (sentence.clone(), Form::Item { ordered: false }),
        (sentence.clone(), Form::Item { ordered: true }),
        (format!("{sentence} 9 pm"), row),
        (sentence.clone(), Form::Entry { when: sentence.chars().take(20).collect() }),
        (sentence.clone(), Form::Inference { from: vec![0] }),
    ] {
        statements.push(Statement { text: said, cites: vec![SourceId(0), SourceId(1)], form });
    }
    let theme = Theme { heading: text.to_owned(), statements };
    let conflict = Conflict {
        statements: vec![statement("A permit costs 40 crowns.", 0), statement(&sentence, 1)],
        on_answer: false,
    };
    let draft = Draft {
        headline: text.to_owned(),
        summary: vec![sentence.clone(), SAYS.to_owned()],
        themes: vec![theme],
        conflicts: vec![conflict],
        ..Draft::default()
    };
    by_words(draft, facts, &texts, OnUnverified::Mark)
}

/// An account of failure in which every text that comes from outside is this one.
pub(crate) fn short_of(text: &str) -> CheckedReport {
    let candidates =
        vec![candidate(0, Verdict::Dropped, text), candidate(1, Verdict::Failed, text)];
    let shortfall = Shortfall {
        headline: text.to_owned(),
        account: vec![text.to_owned()],
        better_queries: vec![text.to_owned()],
        elsewhere: text.to_owned(),
    };
    assemble_shortfall(shortfall, facts(candidates, text, Decision::InsufficientData))
}

/// A deep report of so many sources, each cited in a statement of its own of about 130 words.
pub(crate) fn long(sources: u32) -> CheckedReport {
    let title = "Municipal regulation of amplified outdoor sound in harbour towns, a survey";
    let candidates: Vec<Candidate> = (0..sources * 3 / 2)
        .map(|i| candidate(i, if i < sources { Verdict::Read } else { Verdict::Unused }, title))
        .collect();
    let facts = facts(candidates, title, Decision::FullReport);
    let statement = |id: u32| {
        let mut text = format!("Town {id} allows {} decibels after 9 pm", 40 + id % 30);
        for part in 0..14 {
            text.push_str(&format!(
                ", and in district {part} of that town the council measures sound at the property line"
            ));
        }
        text.push('.');
        text
    };
    let says: BTreeMap<SourceId, String> =
        (0..sources).map(|id| (SourceId(id), statement(id))).collect();
    let texts = says.iter().map(|(id, text)| (*id, text.as_str().into())).collect();
    let ids: Vec<u32> = (0..sources).collect();
    let themes = ids.chunks(sources.div_ceil(40).max(1) as usize).map(|ids| Theme {
        heading: format!("What towns {} and up allow", ids[0]),
        statements: ids.iter().map(|id| Statement::citing(statement(*id), SourceId(*id))).collect(),
    });
    let draft = Draft {
        headline: "Most harbour towns allow between 40 and 70 decibels".into(),
        summary: vec!["Towns differ.".into()],
        themes: themes.collect(),
        ..Draft::default()
    };
    by_words(draft, facts, &texts, OnUnverified::Mark)
}

/// A report that is checked by words alone, where the meaning of its statements does not matter.
pub(crate) fn by_words(
    draft: Draft,
    facts: RunFacts,
    texts: &Texts,
    on: OnUnverified,
) -> CheckedReport {
    assemble(draft, facts, texts, on, &TextReader::Lexical, &Stop::never()).unwrap()
}
