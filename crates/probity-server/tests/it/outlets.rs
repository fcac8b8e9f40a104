//! Outlets filtered and sorted, with their articles; the codebook kept by admins.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::newsroom::FERRY;
use crate::place::{Call, Place, RUN, form_key, get, post};

async fn page(place: &Place, path: &str) -> String {
    let answer = place.call(get(path)).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    answer.text
}

#[tokio::test]
async fn outlets_are_filtered_by_band_and_sorted_both_ways() {
    let place = Place::open().await;
    let established = page(&place, "/outlets?band=established&order=domain").await;
    assert!(
        established.contains("techcrunch.com") && !established.contains("/outlets/reuters.com")
    );
    let at = |text: &str, domain: &str| text.find(&format!("/outlets/{domain}\"")).unwrap();
    assert!(at(&established, "arstechnica.com") < at(&established, "wired.com"));
    let back = page(&place, "/outlets?band=established&order=domain&reversed=yes").await;
    assert!(at(&back, "arstechnica.com") > at(&back, "wired.com"));
    let none = page(&place, "/outlets?band=unreliable").await;
    assert!(none.contains("is in this band"), "{none}");
}

#[tokio::test]
async fn an_outlets_page_lists_its_latest_articles() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    let shown = page(&place, "/outlets/reuters.com").await;
    assert!(shown.contains("Ferry sinks off Lorne Islands"), "{shown}");
    assert!(!shown.contains("Kestrel Air"), "{shown}");
}

#[tokio::test]
async fn an_admin_adds_a_code_which_editors_then_apply() {
    let place = Place::open().await;
    let key = form_key(&page(&place, "/codebook").await);
    let send = async |fields: &[(&str, &str)]| {
        let fields = [&[("form_key", key.as_str())], fields].concat();
        place.call(Call::new(Method::POST, "/codebook").form(&fields)).await
    };
    let words = "It corrects its mistakes in the open";
    let code = [("code", "corrects-itself"), ("weight", "2"), ("description", words)];
    assert_eq!(send(&code).await.header("location"), "/codebook");
    let wrong = [("code", "Not A Code"), ("weight", "1"), ("description", words)];
    let wrong = send(&wrong).await.text;
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("value=\"Not A Code\""), "{wrong}");
    let coding = json!({ "codes": ["corrects-itself"], "by": "Ada" });
    let coded = place.call(post("/api/outlets/wired.com/codings", &coding)).await;
    assert!(coded.status.is_success(), "{}", coded.text);
    let changed = json!({ "weight": 1, "description": words });
    let path = "/api/codebook/corrects-itself";
    let changed = place.call(Call::new(Method::PUT, path).json(&changed)).await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.text);
    let listed = page(&place, "/codebook").await;
    assert!(listed.contains(">+1<") && !listed.contains(">+2<"), "{listed}");
    let retired = place.call(Call::new(Method::DELETE, path)).await;
    assert_eq!(retired.status, StatusCode::NO_CONTENT, "{}", retired.text);
    assert!(page(&place, "/codebook").await.contains("retired"));
    let late = place.call(post("/api/outlets/wired.com/codings", &coding)).await;
    assert!(late.status.is_client_error(), "{}", late.text);
}

#[tokio::test]
async fn an_editor_reads_the_codebook_and_changes_none_of_it() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("eddy", Role::Editor).await;
    let shown = place.call(get("/codebook").with("cookie", &cookie)).await.text;
    assert!(shown.contains("high-quality-source") && !shown.contains("id=\"define\""), "{shown}");
    let fields = [("form_key", key.as_str()), ("code", "x"), ("weight", "1"), ("description", "y")];
    let refused = Call::new(Method::POST, "/codebook").form(&fields).with("cookie", &cookie);
    assert_eq!(place.call(refused).await.status, StatusCode::FORBIDDEN);
}

/// Sends the form of a list of ratings.
async fn list(place: &Place, key: &str, list: &str, step: &str) -> String {
    let fields =
        [("form_key", key), ("list", list), ("provenance", "Survey <b>2026</b>"), ("step", step)];
    let answer = place.call(Call::new(Method::POST, "/outlets/import").form(&fields)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.text
}

#[tokio::test]
async fn a_list_of_ratings_is_looked_at_before_it_is_imported() {
    let place = Place::open().await;
    let key = form_key(&page(&place, "/outlets/import").await);
    let score = async |domain: &str| {
        place.call(get(&format!("/api/outlets/{domain}"))).await.json()["score"].as_f64().unwrap()
    };
    let text = "domain,score\nreuters.com,0.2\nft.com,0.9\ngazette.example,0.7,The <i>Gazette</i>";
    let seen = list(&place, &key, text, "look").await;
    assert!(seen.contains("2 would change, 1 already had that score, 1 contradict"), "{seen}");
    assert!(seen.contains("gazette.example,0.7,The &#60;i&#62;"), "the list stays in its field");
    assert!(seen.contains("value=\"import\""), "{seen}");
    assert_eq!(score("reuters.com").await, 0.92, "nothing is done yet");
    let done = list(&place, &key, text, "import").await;
    assert!(done.contains("2 changed, 1 already had that score"), "{done}");
    assert!((score("reuters.com").await - 0.2).abs() < 1e-9, "all the way to the list's");
    assert_eq!(score("gazette.example").await, 0.7);
    let log = page(&place, "/audit").await;
    assert!(log.contains("from Survey &#60;b&#62;2026"), "{log}");
    assert!(place.call(get("/api/actions")).await.text.contains("ratings imported"));
}

#[tokio::test]
async fn a_line_that_cannot_be_read_keeps_the_whole_list_out_and_is_named() {
    let place = Place::open().await;
    let key = form_key(&page(&place, "/outlets/import").await);
    let text = "reuters.com,0.2\nft.com,seven\n<script>,0.1";
    let seen = list(&place, &key, text, "look").await;
    assert!(seen.contains("line 2: `seven` is not a score") && seen.contains("line 3: "), "{seen}");
    assert!(!seen.contains("<script>,") && !seen.contains("value=\"import\""), "{seen}");
    // Also for whoever sends the form by hand.
    let forced = list(&place, &key, text, "import").await;
    assert!(forced.contains("nothing was imported"), "{forced}");
    let reuters = place.call(get("/api/outlets/reuters.com")).await.json();
    assert_eq!(reuters["score"], 0.92);
    let empty = list(&place, &key, "domain,score", "look").await;
    assert!(empty.contains("no rows"), "{empty}");
}

#[tokio::test]
async fn a_list_is_imported_over_the_api_by_the_same_rules() {
    let place = Place::locked().await;
    let (editor, reader) =
        (place.token("ada", "read,ledger").await, place.token("rita", "read,research").await);
    let send = async |token: &str, query: &str, body: &str| {
        let mut call = Call::new(Method::POST, &format!("/api/outlets/import?{query}"));
        call.body = body.as_bytes().to_vec();
        place.call(call.with("content-type", "text/csv").token(token)).await
    };
    let list = "reuters.com,0.42\nharbour-weekly.com,0.2";
    let refused = send(&reader, "provenance=Survey", list).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    for (query, body, field) in [
        ("dry_run=true", list, "provenance"),
        ("provenance=Survey&weight=2", list, "weight"),
        ("provenance=Survey&by=Bob", list, "by"),
        ("provenance=Survey", "reuters.com,x", "list"),
        ("provenance=Survey", "[{}]", "list"),
    ] {
        let refused = send(&editor, query, body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {}", refused.text);
        assert_eq!(refused.json()["field"], field);
    }
    let half = "provenance=Survey&weight=0.5";
    let seen = send(&editor, &format!("{half}&dry_run=true"), list).await.json();
    assert_eq!((&seen["changed"], &seen["unreadable"]), (&json!(2), &json!(0)), "{seen}");
    assert_eq!(seen["events"][0]["seq"], json!(null));
    assert_eq!(seen["conflicts"][0]["outlet"], "reuters.com");
    let done = send(&editor, half, list).await.json();
    let after = done["events"][0]["after"].as_f64().unwrap();
    assert!((after - 0.67).abs() < 1e-9, "half of the way from 0.92: {done}");
    assert_eq!(done["events"][0]["by"], "ada");
    let again = send(&editor, half, list).await.json();
    assert_eq!((&again["changed"], &again["unchanged"]), (&json!(0), &json!(2)), "counts once");
}

#[tokio::test]
async fn an_outlet_says_which_runs_met_it_and_what_is_taken_for_it() {
    let place = Place::open().await;
    let report = place.store.run(&RUN.into()).await.unwrap().unwrap().report.unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let outlet = report["sources"][0]["outlet"].as_str().unwrap();
    let shown = page(&place, &format!("/outlets/{outlet}")).await;
    assert!(shown.contains(&format!("/runs/{RUN}")) && shown.contains(" cited"), "{shown}");
    let api = place.call(get(&format!("/api/outlets/{outlet}"))).await.json();
    assert_eq!(api["runs"][0]["run"], RUN, "{api}");
    assert_ne!(api["runs"][0]["cited"], 0, "{api}");
    let twin = page(&place, "/outlets/bl00mberg.com").await;
    assert!(twin.contains("/outlets/bloomberg.com") && twin.contains("reads the same"), "{twin}");
    let none = page(&place, "/outlets/unheard-of.example").await;
    assert!(none.contains("None of the latest reports") && !none.contains("h-alike"), "{none}");
}
