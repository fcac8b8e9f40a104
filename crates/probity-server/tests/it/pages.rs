//! The pages: each says what it shows, reads without a script, and links to what it names.

use http::{Method, StatusCode};
use probity_store::access::Role;

use crate::place::{Call, Place, RUN, form_key, get};

/// Every page that needs nothing but a look.
const PAGES: [(&str, &str); 16] = [
    ("/", "What do you want to know?"),
    ("/runs", "Runs"),
    ("/compare", "Compare two runs"),
    ("/outlets", "Outlets"),
    ("/outlets/reuters.com", "reuters.com"),
    ("/audit", "Audit log"),
    ("/news", "News"),
    ("/feeds", "Feeds"),
    ("/topics", "Topics"),
    ("/brief", "Briefing"),
    ("/categories", "Categories"),
    ("/library", "Library"),
    ("/methodology", "How every score comes about"),
    ("/settings", "Settings"),
    ("/search?q=reuters", "Search"),
    ("/example", "Methodology"),
];

#[tokio::test]
async fn every_page_has_a_heading_a_title_and_landmarks() {
    let place = Place::open().await;
    for (path, heading) in PAGES {
        let answer = place.call(get(path)).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        let page = &answer.text;
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert!(page.contains(heading), "{path}");
        for part in [
            "<html lang=\"en\">",
            "<main id=\"main\"",
            "<nav aria-label=\"Main\">",
            "· Probity</title>",
        ] {
            assert!(page.contains(part), "{path} has no {part}");
        }
        assert!(!page.contains("<script>") && !page.contains(" style=\""), "{path}");
        assert!(!page.contains("onclick"), "{path}");
    }
}

#[tokio::test]
async fn a_report_shows_its_evidence_and_lets_editors_judge_its_sources() {
    let place = Place::open().await;
    let page = place.call(get(&format!("/runs/{RUN}"))).await.text;
    for part in [
        "Executive Summary",
        "id=\"evidence-1\"",
        "How This Was Made",
        "format=pdf",
        "format=docx",
        "href=\"/methodology\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let link = page.split("href=\"").find(|rest| rest.contains("/code?codes=")).unwrap();
    let link = link.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&");
    let coding = place.call(get(&link)).await;
    assert_eq!(coding.status, StatusCode::OK, "{}", coding.text);
    assert!(coding.text.contains("→"), "the effect is shown before it is saved");
}

#[tokio::test]
async fn a_document_of_the_library_is_opened_there_and_read_whatever_it_scores() {
    let place = Place::open().await;
    let page = place.call(get(&format!("/runs/{RUN}"))).await.text;
    let opened: Vec<&str> = page
        .split("<a class=\"open\" href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(!opened.is_empty());
    assert!(opened.iter().all(|href| href.starts_with("/library/https%3A%2F%2F")), "{opened:?}");
    let said = "documents that you hand over are read whatever they score";
    assert!(page.contains(said), "the threshold is explained for them too");
}

#[tokio::test]
async fn comparing_a_run_with_itself_lists_no_change() {
    let place = Place::open().await;
    let page = place.call(get(&format!("/compare?a={RUN}&b={RUN}"))).await.text;
    assert!(page.contains("Decision, mode, headline and confidence are the same in both."));
    for part in ["<dt>Decision</dt>", "<dt>Mode</dt>", "full_report", "short_report", "standard →"]
    {
        assert!(!page.contains(part), "{part} in {page}");
    }
}

#[tokio::test]
async fn a_reader_is_offered_nothing_that_is_not_allowed() {
    let place = Place::locked().await;
    let (cookie, _) = place.log_in("rita", Role::Reader).await;
    let page = place.call(get(&format!("/runs/{RUN}")).with("cookie", &cookie)).await.text;
    assert!(!page.contains("/code?") && !page.contains("Delete this run"));
    let ask = place.call(get("/").with("cookie", &cookie)).await.text;
    assert!(!ask.contains("<textarea"));
}

#[tokio::test]
async fn a_coding_from_the_page_moves_the_outlet_and_can_be_undone() {
    let place = Place::open().await;
    let page = place.call(get("/outlets/wired.com/code?codes=source-unreliable")).await.text;
    assert!(page.contains("0.720 → 0.648"));
    let key = form_key(&page);
    let fields = [
        ("form_key", key.as_str()),
        ("codes", "source-unreliable"),
        ("note", "made up"),
        ("by", "Ada"),
        ("step", "save"),
    ];
    let saved = Call::new(Method::POST, "/outlets/wired.com/code").form(&fields);
    let saved = place.call(saved).await;
    assert_eq!(saved.header("location"), "/outlets/wired.com#h-history");
    let outlet = place.call(get("/outlets/wired.com")).await.text;
    assert!(outlet.contains("<svg") && outlet.contains("made up") && outlet.contains("Ada"));
    let audit = place.call(get("/audit")).await.text;
    assert!(audit.contains("The ledger is sound.") && audit.contains("1 events"));
    let undo = Call::new(Method::POST, "/audit/1/revert").form(&[("form_key", &key)]);
    assert_eq!(place.call(undo).await.status, StatusCode::SEE_OTHER);
    let outlet = probity_core::Outlet::new("wired.com").unwrap();
    assert_eq!(place.store.outlet(&outlet).await.unwrap().unwrap().score, 0.72);
}

#[tokio::test]
async fn the_methodology_page_shows_every_rule_with_the_day_it_last_changed() {
    let place = Place::open().await;
    let page = place.call(get("/methodology")).await.text;
    for (score, meaning) in probity_core::Relevance::MEANINGS {
        let row = format!("<td class=\"num\">{score}</td><td class=\"words\">{meaning}</td>");
        assert!(page.contains(&row), "{row}");
    }
    for part in [
        "next = previous + α × (target − previous)",
        "0.92 + 0.1 × (0 − 0.92) = 0.828",
        "0.50 + 0.1 × (1 − 0.50) = 0.550",
        "newsbreak.com",
        "has no effect",
        "No score has moved yet.",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for seed in probity_credibility::ledger::seeds() {
        assert!(page.contains(&format!("<a href=\"/outlets/{0}\">{0}</a>", seed.domain)));
    }
    let sections = page.matches("<section").count();
    assert_eq!(page.matches("Last changed <time").count(), sections - 1, "all but the changes");
    let outlet = probity_core::Outlet::new("wired.com").unwrap();
    let page =
        place.call(get(&format!("/outlets/{outlet}/code?codes=source-unreliable"))).await.text;
    let key = form_key(&page);
    let fields = [
        ("form_key", key.as_str()),
        ("codes", "source-unreliable"),
        ("by", "Ada"),
        ("step", "save"),
    ];
    place.call(Call::new(Method::POST, "/outlets/wired.com/code").form(&fields)).await;
    assert!(place.call(get("/methodology")).await.text.contains("A score last moved <time"));
}

#[tokio::test]
async fn a_question_that_asks_nothing_comes_back_with_the_reason() {
    let place = Place::open().await;
    let key = form_key(&place.call(get("/")).await.text);
    let fields = [("form_key", key.as_str()), ("question", "the of and")];
    let answer = place.call(Call::new(Method::POST, "/ask").form(&fields)).await;
    assert!(answer.text.contains("role=\"alert\"") && answer.text.contains("the of and"));
    assert_eq!(place.store.queue_counts().await.unwrap().queued, 0);
}

#[tokio::test]
async fn problems_are_pages_for_people_and_documents_for_programs() {
    let place = Place::open().await;
    let page = place.call(get("/runs/none").with("accept", "text/html")).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.text.contains("<h1>There is no such thing</h1>"));
    assert!(page.header("content-type").starts_with("text/html"));
    let document = place.call(get("/api/runs/none").with("accept", "text/html")).await;
    assert_eq!(document.header("content-type"), "application/problem+json");
}
