//! Thresholds on the page and in the API: tried on the last runs, saved, noted, taken back.

use http::{Method, StatusCode};
use probity_server::{Ask, Backend as _};
use probity_store::{Ending, NewRun, RunStatus};
use serde_json::{Value, json};

use crate::backend::{NOW, TestBackend};
use crate::place::{Call, Place, form_key, get, post};

const PATH: &str = "/api/settings/thresholds";

/// A run of the web whose sources have these scores and relevances; none was blocked.
async fn keep_run(place: &Place, id: &str, sources: &[(f64, Option<u8>)], decision: &str) {
    let ask = Ask {
        question: "How loud may music be at night?".to_owned(),
        search: Some("web".to_owned()),
        ..Ask::default()
    };
    let mut spec = TestBackend::new(place.store.clone()).spec(&ask).unwrap();
    spec.run_id = id.to_owned().into();
    let candidates: Vec<Value> = sources
        .iter()
        .enumerate()
        .map(|(at, (score, relevance))| {
            let verdict = match relevance {
                None => "blocked",
                Some(3..) => "read",
                Some(_) => "dropped",
            };
            json!({
                "title": format!("Source {at}"), "url": format!("https://s{at}.example/"),
                "credibility": { "score": score }, "verdict": verdict, "providers": ["brave"],
                "relevance": relevance.map(|score| json!({ "score": score, "why": "so" })),
            })
        })
        .collect();
    let report = json!({ "candidates": candidates }).to_string();
    let spec = serde_json::to_string(&spec).unwrap();
    let question = "How loud may music be at night?";
    let run = NewRun { id: &id.into(), question, mode: "standard", spec: &spec, asked_at: NOW };
    assert!(place.store.create_run(&run).await.unwrap());
    let ending = Ending {
        status: RunStatus::Finished,
        decision: Some(decision),
        title: Some("As loud as a conversation"),
        report: Some(&report),
        error: None,
    };
    place.store.end_run(&id.into(), &ending, &[]).await.unwrap();
}

#[tokio::test]
async fn other_thresholds_are_tried_on_the_last_runs_without_changing_anything() {
    let place = Place::open().await;
    let sources = [
        (0.9, Some(5)),
        (0.8, Some(4)),
        (0.7, Some(3)),
        (0.55, Some(3)),
        (0.45, None),
        (0.6, Some(2)),
    ];
    keep_run(&place, "20261115-loud01", &sources, "full_report").await;
    let what_if = async |change: Value| {
        let body = json!({ "change": change });
        let answer = place.call(post(&format!("{PATH}/what-if"), &body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json()
    };
    let same = what_if(json!({})).await;
    assert_eq!((&same["runs"], &same["looked_at"]), (&json!([]), &json!(2)), "{same}");
    // The run that every place has says nothing of how it was asked.
    assert_eq!(same["unreadable"], 1, "{same}");
    let stricter = what_if(json!({ "credibility": 0.6 })).await;
    let run = &stricter["runs"][0];
    assert_eq!(
        (&run["decision"], &run["would_be"]),
        (&json!("full_report"), &json!("short_report"))
    );
    assert_eq!(
        (&run["kept"], &run["would_keep"], &run["unknown"]),
        (&json!(4), &json!(3), &json!(0))
    );
    let moved: Vec<_> =
        run["sources"].as_array().unwrap().iter().map(|s| (&s["title"], &s["would_be"])).collect();
    assert_eq!(
        moved,
        [(&json!("Source 3"), &json!("blocked")), (&json!("Source 5"), &json!("blocked"))]
    );
    let laxer = what_if(json!({ "credibility": 0.4, "standard": { "relevance_cutoff": 2 } })).await;
    let run = &laxer["runs"][0];
    assert_eq!((&run["would_keep"], &run["unknown"]), (&json!(5), &json!(1)), "{run}");
    assert_eq!(run["sources"][0]["would_be"], "allowed", "{run}");
    let fuller = what_if(json!({ "standard": { "full_report_from": 5 } })).await;
    assert_eq!(fuller["runs"][0]["would_be"], "short_report", "{fuller}");
    let wrong = json!({ "change": { "standard": { "full_report_from": 100 } } });
    let wrong = place.call(post(&format!("{PATH}/what-if"), &wrong)).await;
    assert_eq!(wrong.json()["field"], "thresholds", "{}", wrong.text);
    let now = place.call(get(PATH)).await.json();
    assert!(
        now["values"].as_array().unwrap().iter().all(|one| one["origin"] == "default"),
        "{now}"
    );
    assert!(place.store.actions(None, 5).await.unwrap().is_empty());
}

#[tokio::test]
async fn saved_thresholds_are_in_force_noted_with_before_and_after_and_taken_back() {
    let place = Place::open().await;
    let sources = [(0.9, Some(5)), (0.55, Some(4))];
    keep_run(&place, "20261115-loud02", &sources, "short_report").await;
    // As a person does it: numbers into the form, a look at what would change, saved.
    let mut query = String::from("/settings/thresholds?credibility=0.6");
    for (name, value) in [("standard.relevance_cutoff", "3"), ("standard.short_report_from", "2")] {
        query.push_str(&format!("&{name}={value}"));
    }
    let page = place.call(get(&query)).await.text;
    assert!(page.contains("short report → not enough data"), "{page}");
    assert!(page.contains("name=\"credibility\" value=\"0.6\""), "{page}");
    assert!(
        !page.contains("type=\"hidden\" name=\"standard."),
        "what stays the same is not sent: {page}"
    );
    let key = form_key(&page);
    let fields = [("form_key", key.as_str()), ("credibility", "0.6")];
    let saved = place.call(Call::new(Method::POST, "/settings/thresholds").form(&fields)).await;
    assert_eq!(saved.header("location"), "/settings/thresholds", "{}", saved.text);
    let now = place.call(get(PATH)).await.json();
    assert_eq!(now["values"][0]["value"], 0.6, "{now}");
    assert_eq!(
        (&now["values"][0]["origin"], &now["values"][0]["without_page"]),
        (&json!("page"), &json!(0.5))
    );
    let actions = place.store.actions(None, 5).await.unwrap();
    assert_eq!(actions.len(), 1);
    assert_eq!(actions[0].action, "threshold changed from 0.5 to 0.6");
    assert_eq!(actions[0].subject, "credibility");
    let fields = [("form_key", key.as_str()), ("credibility", "7")];
    let wrong = place.call(Call::new(Method::POST, "/settings/thresholds").form(&fields)).await;
    assert!(wrong.text.contains("between 0 and 1"), "{}", wrong.text);
    let back = place.call(Call::new(Method::DELETE, PATH)).await;
    assert_eq!(back.status, StatusCode::NO_CONTENT);
    assert_eq!(
        place.store.actions(None, 5).await.unwrap()[0].action,
        "threshold changed from 0.6 to 0.5"
    );
}
