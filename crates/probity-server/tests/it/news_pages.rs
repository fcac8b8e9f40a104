//! The newsroom's pages: who speaks and why, categories kept by hand, places that teach what would be there.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::newsroom::FERRY;
use crate::place::{Answer, Call, Place, form_key, get, post};

const FORM: [(&str, &str); 4] = [
    ("name", "Harbour"),
    ("description", "Ships, ferries and islands"),
    ("keywords", "ferry, port"),
    ("examples", "Ferry sinks off the islands\r\nPort closes"),
];

async fn page(place: &Place, path: &str) -> String {
    let answer = place.call(get(path)).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    answer.text
}

/// Sends a form of ours.
async fn submit(place: &Place, path: &str, fields: &[(&str, &str)]) -> Answer {
    let key = form_key(&page(place, "/categories").await);
    let fields = [&[("form_key", key.as_str())], fields].concat();
    place.call(Call::new(Method::POST, path).form(&fields)).await
}

#[tokio::test]
async fn a_category_is_added_grouped_changed_and_removed_by_hand() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    let added = submit(&place, "/categories", &FORM).await;
    assert_eq!(added.status, StatusCode::SEE_OTHER, "{}", added.text);
    let path = added.header("location").to_owned();
    let category = page(&place, &path).await;
    for part in
        ["Ferry sinks off the islands", "Port closes", "Nothing was decided yet", "ferry, port"]
    {
        assert!(category.contains(part), "{part}");
    }
    let grouped = submit(&place, "/topics/consolidate", &[]).await;
    assert_eq!(grouped.header("location"), "/topics", "{}", grouped.text);
    let decided = page(&place, &path).await;
    for part in ["scored as usual", "credibility of 0.920", "<circle", "role=\"img\"", "Decisions"]
    {
        assert!(decided.contains(part), "{part}");
    }
    let mut other = FORM;
    (other[0].1, other[2].1) = ("Sea & port", "");
    assert_eq!(submit(&place, &path, &other).await.status, StatusCode::SEE_OTHER);
    let list = page(&place, "/categories").await;
    assert!(
        list.contains("Sea &#38; port") && list.contains("category=Sea%20%26%20port"),
        "{list}"
    );
    let topics = page(&place, "/topics?category=sea%20%26%20port").await;
    assert!(topics.contains("<option value=\"Sea &#38; port\" selected>"), "{topics}");

    let wrong = submit(&place, &path, &[("name", "a<b"), ("description", "kept")]).await;
    assert!(wrong.text.contains("role=\"alert\"") && wrong.text.contains(">kept</textarea>"));
    let twice = submit(&place, "/categories", &other).await;
    assert!(twice.text.contains("there is a category `Sea &#38; port` already"), "{}", twice.text);
    let gone = submit(&place, &format!("{path}/remove"), &[]).await;
    assert_eq!(gone.header("location"), "/categories");
    assert_eq!(place.call(get(&path)).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_topic_shows_who_speaks_and_why_and_that_changes_with_a_coding() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    submit(&place, "/categories", &FORM).await;
    submit(&place, "/topics/consolidate", &[]).await;
    let list = page(&place, "/topics?category=Harbour").await;
    assert!(list.contains("Ferry sinks off Lorne Islands, 30 missing"), "{list}");
    assert!(list.contains("gazette.example") && !list.contains("Kestrel"), "{list}");
    let link = list.split("class=\"headline\" href=\"").nth(1).unwrap();
    let link = link.split('"').next().unwrap();
    let topic = page(&place, link).await;
    assert!(topic.contains("reuters.com represents it: "), "{topic}");
    assert!(topic.contains("× credibility") && topic.contains("began with 2 articles"), "{topic}");
    let down = json!({ "codes": ["source-unreliable"], "by": "Ada", "alpha": 1.0 });
    place.call(post("/api/outlets/reuters.com/codings", &down)).await;
    let plain = page(&place, link.split('?').next().unwrap()).await;
    assert!(plain.contains("gazette.example represents it: 0.500 against 0.000"), "{plain}");
    assert!(!plain.contains("× credibility"), "no category, no relevance");
}

#[tokio::test]
async fn articles_come_latest_first_and_are_found_with_their_topics() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    submit(&place, "/topics/consolidate", &[]).await;
    let listed = page(&place, "/news").await;
    let place_of = |title: &str| listed.find(title).unwrap_or_else(|| panic!("{title}"));
    assert!(place_of("30 missing") < place_of("45 people missing"), "by when they were published");
    assert!(place_of("45 people missing") < place_of("Kestrel Air"));
    let first = place.call(get("/api/articles?limit=1")).await.json();
    assert_eq!(first["items"][0]["outlet"], "reuters.com", "{first}");
    let next = format!("/api/articles?limit=1&cursor={}", first["next"].as_str().unwrap());
    let second = place.call(get(&next)).await.json();
    assert_eq!(second["items"][0]["outlet"], "gazette.example", "{second}");
    let found = page(&place, "/search?q=ferry").await;
    assert!(found.contains("id=\"h-articles\"") && found.contains("45 people missing"), "{found}");
    let topics = found.split("id=\"h-topics\"").nth(1).unwrap();
    assert!(topics.split("</section>").next().unwrap().contains("href=\"/topics/"), "{topics}");
    assert!(!found.contains("Kestrel"), "{found}");
}

#[tokio::test]
async fn a_briefing_leads_with_the_newest_figure_and_lists_the_older_as_superseded() {
    let place = Place::open().await;
    // Told earlier and by a better outlet, and still out of date.
    let mut ferry = FERRY;
    ferry.swap(0, 1);
    place.ingest("Local", &ferry).await;
    submit(&place, "/topics/consolidate", &[]).await;
    let report = place.call(get("/api/brief")).await.json();
    let themes = report["body"]["themes"].as_array().unwrap();
    let of = |heading: &str| {
        let theme = themes.iter().find(|t| t["heading"].as_str().unwrap().starts_with(heading));
        theme.unwrap_or_else(|| panic!("{heading} in {themes:?}"))["statements"][0].clone()
    };
    let lead = of("Lorne Islands ferry sinks, 45 people missing");
    assert!(lead["text"].as_str().unwrap().contains("45 people are missing"), "{lead}");
    let older = of("Superseded since");
    assert!(older["text"].as_str().unwrap().contains("30 people are missing"), "{older}");
    assert_eq!(older["support"], "supported", "{older}");
    let summary = report["body"]["summary"].to_string();
    assert!(summary.contains("45 people") && !summary.contains("30 people"), "{summary}");
    assert_eq!(
        report["body"]["conflicts"].as_array().unwrap().len(),
        0,
        "out of date, not disputed"
    );
    let briefing = page(&place, "/brief").await;
    assert_eq!(briefing.matches("<h1").count(), 1);
    assert!(
        briefing.contains("News briefing of") && briefing.contains("Superseded since"),
        "{briefing}"
    );
    let none = page(&place, "/brief?since=2030-01-01").await;
    assert!(none.contains("There are none."), "{none}");
    let refused = place.call(get("/api/brief?topics=99")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_number_of_a_feed_without_effect_says_so() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    let feeds = page(&place, "/feeds").await;
    assert!(feeds.contains("data-label=\"cred. (inert)\""), "{feeds}");
}

#[tokio::test]
async fn empty_places_say_what_would_be_there_and_how_to_get_it() {
    let place = Place::open().await;
    assert!(page(&place, "/topics").await.contains("There is no feed yet."));
    let categories = page(&place, "/categories").await;
    assert!(categories.contains("There is none yet.") && categories.contains("<details"));
    place.ingest("Local", &FERRY).await;
    let waiting = page(&place, "/topics").await;
    assert!(waiting.contains("action=\"/topics/consolidate\""), "{waiting}");
    submit(&place, "/topics/consolidate", &[]).await;
    let none = page(&place, "/topics?since=2030-01-01").await;
    assert!(none.contains("Look back 30 days") && none.contains("since 2030-01-01"), "{none}");
}

#[tokio::test]
async fn a_reader_reads_categories_and_changes_none() {
    let place = Place::locked().await;
    place.ingest("Local", &FERRY).await;
    let (cookie, _) = place.log_in("rita", Role::Reader).await;
    for path in ["/topics", "/categories"] {
        let text = place.call(get(path).with("cookie", &cookie)).await.text;
        let main = text.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
        assert!(!main.contains("method=\"post\""), "{path}: {main}");
    }
}
