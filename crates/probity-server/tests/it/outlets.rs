//! Outlets filtered and sorted, with their articles; the codebook kept by admins.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::newsroom::FERRY;
use crate::place::{Call, Place, form_key, get, post};

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
