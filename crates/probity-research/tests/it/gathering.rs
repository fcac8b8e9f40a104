//! Gathering: nothing twice, nothing blocked, the next best for every page that fails.

use probity_core::{Mode, Verdict};
use probity_credibility::RelevanceMode;
use probity_report::facts::RunFacts;
use probity_research::Event;
use probity_research::gather::Origin;
use probity_research::run::RunSpec;
use probity_web::fetch::FetchOutcome;

use crate::scripted::{Paper, QUESTION, Scripted, Sheet, run, sheet, spec};

fn verdict(facts: &RunFacts, name: &str) -> (Verdict, String) {
    let found = facts.candidates.iter().find(|c| c.url.host().starts_with(name)).unwrap();
    (found.verdict, found.reason.clone())
}

fn weak(name: &str) -> Sheet {
    let mut sheet = sheet(name, 5);
    sheet.url = format!("https://{name}.example.com/page");
    sheet.title = "Something else".to_owned();
    sheet.snippet = String::new();
    sheet
}

#[tokio::test]
async fn a_blocked_source_is_never_downloaded_and_spends_no_slot() {
    let mut pages: Vec<Sheet> = (0..4).map(|i| weak(&format!("weak{i}"))).collect();
    pages.extend((0..4).map(|i| sheet(&format!("good{i}"), 4)));
    let gatherer = Paper::new(pages, vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    assert!(!gatherer.asked("read").iter().any(|url| url.contains("weak")));
    let facts = done.finished.facts();
    assert_eq!((facts.read(), facts.count(Verdict::Blocked)), (4, 4));
    let blocks = done.events.iter().filter(|e| matches!(e, Event::Block { .. })).count();
    assert_eq!(blocks, 4);
}

#[tokio::test]
async fn a_run_that_starves_says_so_once_and_offers_what_helps() {
    let mut pages: Vec<Sheet> = (0..4).map(|i| weak(&format!("weak{i}"))).collect();
    pages.push(sheet("good", 4));
    let gatherer = Paper::new(pages, vec![weak("more")]);
    let mut spec = spec(Mode::Standard);
    let reported = async |spec: &RunSpec| -> Vec<String> {
        let done = run(spec, &Scripted::new(&gatherer), &gatherer).await;
        let problems = done.finished.facts().problems.iter();
        problems.filter(|one| one.subject == "relevance").map(|one| one.detail.clone()).collect()
    };
    let problems = reported(&spec).await;
    assert!(matches!(&problems[..], [one] if one.starts_with("only 1 of 5 results may be read")));
    assert!(problems[0].contains("`--relevance soft`"), "{problems:?}");
    spec.policy.relevance = RelevanceMode::Soft;
    assert!(reported(&spec).await.is_empty(), "it is on already");
    spec.policy.relevance = RelevanceMode::Overlap;
    let gatherer = Paper::new((0..3).map(|i| sheet(&format!("good{i}"), 4)).collect(), vec![]);
    let done = run(&spec, &Scripted::new(&gatherer), &gatherer).await;
    assert!(done.finished.facts().problems.is_empty(), "three pass");
}

#[tokio::test]
async fn a_document_of_the_users_is_scored_but_never_blocked() {
    let (mut own, mut named) = (weak("own"), weak("named"));
    own.origin = Origin::Library;
    named.origin = Origin::Named;
    named.text.push_str(" It is another page.");
    let gatherer = Paper::new(vec![own, named], vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let facts = done.finished.facts();
    assert_eq!(verdict(facts, "own").0, Verdict::Read);
    assert_eq!(verdict(facts, "named").0, Verdict::Read);
    assert!(facts.candidates.iter().all(|c| c.credibility.total < 0.5));
}

#[tokio::test]
async fn documents_of_the_users_are_read_in_the_order_in_which_the_search_found_them() {
    let mut pages: Vec<Sheet> = vec![weak("first"), weak("second")];
    pages.extend((0..4).map(|i| sheet(&format!("later{i}"), 4)));
    pages.iter_mut().for_each(|page| page.origin = Origin::Library);
    let gatherer = Paper::new(pages, vec![]);
    let done = run(&spec(Mode::Quick), &Scripted::new(&gatherer), &gatherer).await;
    let facts = done.finished.facts();
    assert_eq!(verdict(facts, "first").0, Verdict::Read);
    assert_eq!(verdict(facts, "second").0, Verdict::Read);
    assert_eq!(verdict(facts, "later3").0, Verdict::Unused);
}

#[tokio::test]
async fn the_same_query_and_the_same_page_are_asked_for_once() {
    let mut twin = sheet("a", 4);
    twin.url = "https://a.example.org/page/?utm_source=x#top".to_owned();
    let gatherer = Paper::new(vec![sheet("a", 4), twin.clone()], vec![twin, sheet("b", 4)]);
    run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let queries = gatherer.asked("search");
    assert_eq!(queries, [QUESTION, "port ellery music", "follow-up"]);
    let mut read = gatherer.asked("read");
    let all = read.len();
    read.dedup();
    assert_eq!((all, read.len()), (2, 2));
}

#[tokio::test]
async fn a_page_that_fails_frees_its_slot_for_the_next_best() {
    let mut pages: Vec<Sheet> = (0..6).map(|i| sheet(&format!("p{i}"), 4)).collect();
    pages[0].outcome = FetchOutcome::BotWall;
    pages[1].outcome = FetchOutcome::Timeout;
    pages[2].text = "   ".to_owned();
    let gatherer = Paper::new(pages, vec![]);
    let done = run(&spec(Mode::Quick), &Scripted::new(&gatherer), &gatherer).await;
    let facts = done.finished.facts();
    assert_eq!(facts.count(Verdict::Failed), 3);
    assert_eq!(facts.read(), 3, "two slots of round 1 and one of round 2");
    assert_eq!(verdict(facts, "p0").1, "as the test says");
    assert_eq!(facts.problems.len(), 3);
}

#[tokio::test]
async fn the_budget_of_each_round_holds() {
    let many = |prefix: &str| (0..20).map(|i| sheet(&format!("{prefix}{i}"), 4)).collect();
    for (mode, total) in [(Mode::Quick, 3), (Mode::Standard, 7), (Mode::Deep, 10)] {
        let gatherer = Paper::new(many("first"), many("second"));
        let done = run(&spec(mode), &Scripted::new(&gatherer), &gatherer).await;
        assert_eq!(gatherer.asked("read").len(), total);
        assert_eq!(done.finished.facts().count(Verdict::Unused), 40 - total);
    }
}

#[tokio::test]
async fn a_redirect_does_not_launder_a_page() {
    let mut laundered = sheet("gate", 5);
    laundered.lands_at = Some("https://www.facebook.com/post".to_owned());
    laundered.title = "outdoor music at night".to_owned();
    laundered.snippet = "loud 2026".to_owned();
    let gatherer = Paper::new(vec![laundered], vec![]);
    let mut strict = spec(Mode::Quick);
    strict.policy.threshold = 0.6;
    let done = run(&strict, &Scripted::new(&gatherer), &gatherer).await;
    let (verdict, reason) = verdict(done.finished.facts(), "gate");
    assert_eq!(verdict, Verdict::Blocked);
    assert!(reason.contains("www.facebook.com"), "{reason}");
    let blocks: Vec<f64> = done
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Block { score, .. } => Some(*score),
            _ => None,
        })
        .collect();
    assert!(matches!(blocks[..], [score] if score <= 0.6), "told once, with its score: {blocks:?}");
}

#[tokio::test]
async fn a_paper_whose_page_says_that_it_is_retracted_is_marked_and_capped() {
    let mut paper = sheet("paper", 5);
    paper.page_title = Some("RETRACTED ARTICLE: outdoor music at night".to_owned());
    let mut own = sheet("own", 5);
    (own.origin, own.page_title) = (Origin::Library, paper.page_title.clone());
    own.text.push_str(" It is another page.");
    let gatherer = Paper::new(vec![paper, own], vec![]);
    let mut spec = spec(Mode::Quick);
    let done = run(&spec, &Scripted::new(&gatherer), &gatherer).await;
    for name in ["paper", "own"] {
        let facts = done.finished.facts();
        let found = facts.candidates.iter().find(|c| c.url.host().starts_with(name)).unwrap();
        assert_eq!(found.verdict, Verdict::Read);
        assert_eq!(found.title, "RETRACTED ARTICLE: outdoor music at night");
        assert!(found.credibility.authority <= 0.2, "{:?}", found.credibility);
    }
    spec.policy.threshold = 0.7;
    let done = run(&spec, &Scripted::new(&gatherer), &gatherer).await;
    let (blocked, reason) = verdict(done.finished.facts(), "paper");
    assert_eq!(blocked, Verdict::Blocked);
    assert!(reason.contains("says that it is retracted"), "{reason}");
    assert_eq!(verdict(done.finished.facts(), "own").0, Verdict::Read);
}

#[tokio::test]
async fn a_query_is_told_before_it_is_answered() {
    let gatherer = Paper::new(vec![sheet("a", 4)], vec![sheet("b", 4)]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let reported: Vec<(&str, &str)> = done
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Search { query, .. } => Some(("sent", query.as_str())),
            Event::Searched { query, .. } => Some(("answered", query.as_str())),
            _ => None,
        })
        .collect();
    let first = [QUESTION, "port ellery music"];
    let sent = first.map(|query| ("sent", query));
    let answered = first.map(|query| ("answered", query));
    assert_eq!(reported[..2], sent);
    assert_eq!(reported[2..4], answered);
    assert_eq!(reported[4..], [("sent", "follow-up"), ("answered", "follow-up")]);
}

#[tokio::test]
async fn two_addresses_of_one_text_are_one_source() {
    let (mut a, mut b) = (sheet("a", 4), sheet("b", 4));
    a.text = "The very same words.".to_owned();
    b.text = "The very same words.".to_owned();
    let gatherer = Paper::new(vec![a, b], vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    assert_eq!(done.finished.facts().read(), 1);
}

#[tokio::test]
async fn the_cost_of_every_answer_is_counted() {
    let gatherer = Paper::new(vec![sheet("a", 4), sheet("b", 4)], vec![sheet("c", 2)]);
    let analyst = Scripted::new(&gatherer);
    let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
    assert_eq!(done.finished.facts().usage.model_calls, analyst.asked().len() as u64);
}

#[tokio::test]
async fn both_shares_of_a_page_are_told_wherever_its_score_is() {
    let mut dull = weak("dull");
    dull.title = "Ellery".to_owned();
    let gatherer = Paper::new(vec![sheet("good", 4), dull], vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let event = done.events.iter().find_map(|event| match event {
        Event::Block { why, .. } => Some(why.as_str()),
        _ => None,
    });
    let why = event.unwrap();
    assert!(why.contains("question words found"), "{why}");
    assert!(
        why.contains("1 of 3 query words found; missing: port, music: “port ellery music”"),
        "{why}"
    );
    let report = &done.finished.report;
    let shown = [
        probity_report::markdown::markdown_with_appendix(report),
        probity_report::html::html(report).replace("&#39;", "'"),
    ];
    for text in shown {
        for (verdict, query) in [("blocked", "0.33"), ("read", "1.00")] {
            let reported = format!("of the question's words, {query} of the query's");
            assert!(text.contains(&reported), "{verdict}: {text}");
        }
    }
    let json: serde_json::Value =
        serde_json::from_str(&probity_report::json::json(report)).unwrap();
    let score = &json["candidates"][0]["credibility"];
    assert_eq!(score["relevance_to_query"], 1.0, "{score}");
    assert!(score["relevance_to_question"].as_f64().unwrap() <= 1.0);
}
